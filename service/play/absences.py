"""Days away: what somebody may announce, and which of them count in a game, by its yearly budget.

Pure rules on local dates, first and last day included. Knows no tables and no clock; "today" is the player's own date.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta

from service.play.reading import BadInput
from service.post.language import gettext as _
from service.post.language import ngettext
from service.post.moments import day_of_year

LONGEST = 60
FURTHEST = 365
DAY = timedelta(days=1)

Absence = tuple[date, date]


def check(existing: Iterable[Absence], first: date, last: date, today: date) -> None:
    """Raise BadInput if these days cannot be announced."""
    _check_range(first, last, today)
    _check_overlap(list(existing), first, last)


def within(known: Iterable[Absence], budget: int) -> tuple[Absence, ...]:
    """The days that count in a game: of every calendar year the first so many."""
    used: Counter[int] = Counter()
    counted = []
    for first, last in sorted(known):
        for year in range(first.year, last.year + 1):
            begin, end = max(first, date(year, 1, 1)), min(last, date(year, 12, 31))
            days = min(budget - used[year], days_of(begin, end))
            if days > 0:
                counted.append((begin, begin + (days - 1) * DAY))
                used[year] += days
    return tuple(counted)


def days_of(first: date, last: date) -> int:
    return (last - first).days + 1


def days_counted(known: Iterable[Absence], budget: int, first: date, last: date) -> int:
    """How many of the days from first to last count in a game."""
    shared = [(max(first, begin), min(last, end)) for begin, end in within(known, budget)]
    return sum(max(0, days_of(begin, end)) for begin, end in shared)


def now_or_next(known: Iterable[Absence], today: date) -> Absence | None:
    """The days away that are now or come next, with all that follow on them without a day between."""
    found: Absence | None = None
    for first, last in sorted(known):
        if last < today:
            continue
        if found is None:
            found = first, last
        elif first <= found[1] + DAY:
            found = found[0], last
    return found


def cut_short(first: date, last: date, today: date) -> Absence | None:
    """What is left of an absence that is taken back: the days that have begun stay, for the clock stood still then."""
    return (first, min(last, today)) if first <= today else None


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
