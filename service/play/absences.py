"""Days away: what a player may announce, and how much of the yearly budget it takes.

Pure rules on local dates, first and last day included. Knows no tables and no clock; "today" is the player's own date.
"""

from collections.abc import Iterable
from datetime import date, timedelta

from service.play.reading import BadInput
from service.post.moments import DAYS, MONTHS

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
        raise BadInput(
            f"The last day away ({_day(last)}) is before the first ({_day(first)}). Please swap or correct them.",
            "last",
        )
    if first < today:
        raise BadInput(
            f"{_day(first)} is already over. Days away can be announced from today on; for what is past, "
            "ask the moderator to excuse a missed turn.",
            "first",
        )
    length = (last - first).days + 1
    if length > LONGEST:
        raise BadInput(
            f"These are {length} days; {LONGEST} at once is the most. For longer, the moderator can find somebody "
            "to take your seat.",
            "last",
        )
    if last > today + timedelta(days=FURTHEST):
        raise BadInput(f"{_day(last)} is more than a year ahead. Please announce it when it is nearer.", "last")


def _check_overlap(known: list[Absence], first: date, last: date) -> None:
    for begin, end in sorted(known):
        if begin <= last and first <= end:
            raise BadInput(
                f"You are already away {_range(begin, end)}. Please choose days outside it, or take that absence "
                "back first.",
                "first",
            )


def _check_budget(year: int, asked: int, budget: int, used: int) -> None:
    left = max(0, budget - used)
    if asked > left:
        raise BadInput(
            f"This game allows {_days(budget)} away in a year. In {year} you have "
            f"{_days(left) if left else 'none'} left, and this would take {asked}.",
            "last",
        )


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def _day(day: date) -> str:
    return f"{DAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"


def _range(first: date, last: date) -> str:
    return f"on {_day(first)}" if first == last else f"from {_day(first)} to {_day(last)}"
