"""Days away: what a player may announce, and how much of the yearly budget it takes.

Pure rules on local dates, first and last day included. Knows no tables and no clock; "today" is the player's own date.
"""

from collections.abc import Iterable
from datetime import date, timedelta

from service.play.reading import BadInput
from service.post.language import gettext as _
from service.post.language import ngettext
from service.post.moments import day_of_year

LONGEST = 60
FURTHEST = 365

Absence = tuple[date, date]


def check(
    existing: Iterable[Absence], first: date, last: date, today: date, budget_days: int, used_this_year: int
) -> None:
    """Raise BadInput if these days cannot be announced.

    `used_this_year` are the days already used of today's calendar year; what later years have used is counted from the
    existing absences. An absence over New Year takes from both years, from each only the days within it.
    """
    known = list(existing)
    _check_range(first, last, today)
    _check_overlap(known, first, last)
    for year in range(first.year, last.year + 1):
        used = used_this_year if year == today.year else days_used(known, year)
        _check_budget(year, days_in_year(first, last, year), budget_days, used)


def days_in_year(first: date, last: date, year: int) -> int:
    """How many of these days lie within one calendar year."""
    begin, end = max(first, date(year, 1, 1)), min(last, date(year, 12, 31))
    return max(0, (end - begin).days + 1)


def days_used(absences: Iterable[Absence], year: int) -> int:
    """The days of the budget of one calendar year that these absences take."""
    return sum(days_in_year(first, last, year) for first, last in absences)


def _check_range(first: date, last: date, today: date) -> None:
    if last < first:
        said = _(
            "The last day away (%(last)s) is before the first (%(first)s). Please swap or correct them.",
            last=day_of_year(last),
            first=day_of_year(first),
        )
        raise BadInput(said, "last")
    if first < today:
        said = _(
            "%(day)s is already over. Days away can be announced from today on; for what is past, ask the moderator "
            "to excuse a missed turn.",
            day=day_of_year(first),
        )
        raise BadInput(said, "first")
    if (last - first).days >= LONGEST:
        said = ngettext(
            "This is %(num)s day; %(most)s at once is the most. For longer, the moderator can find somebody to take "
            "your seat.",
            "These are %(num)s days; %(most)s at once is the most. For longer, the moderator can find somebody to take "
            "your seat.",
            (last - first).days + 1,
            most=LONGEST,
        )
        raise BadInput(said, "last")
    if last > today + timedelta(days=FURTHEST):
        said = _("%(day)s is more than a year ahead. Please announce it when it is nearer.", day=day_of_year(last))
        raise BadInput(said, "last")


def _check_overlap(known: list[Absence], first: date, last: date) -> None:
    for begin, end in sorted(known):
        if begin <= last and first <= end:
            first_day, last_day = day_of_year(begin), day_of_year(end)
            away = (
                _("You are already away on %(day)s.", day=first_day)
                if begin == end
                else _("You are already away from %(first)s to %(last)s.", first=first_day, last=last_day)
            )
            other = _("Please choose days outside it, or take that absence back first.")
            raise BadInput(f"{away} {other}", "first")


def _check_budget(year: int, asked: int, budget: int, used: int) -> None:
    left = max(0, budget - used)
    if asked > left:
        allowed = ngettext(
            "This game allows %(num)s day away in a year.", "This game allows %(num)s days away in a year.", budget
        )
        rest = (
            ngettext(
                "In %(year)s you have %(num)s day left, and this would take %(asked)s.",
                "In %(year)s you have %(num)s days left, and this would take %(asked)s.",
                left,
                year=year,
                asked=asked,
            )
            if left
            else _("In %(year)s you have none left, and this would take %(asked)s.", year=year, asked=asked)
        )
        raise BadInput(f"{allowed} {rest}", "last")
