"""Fair clocks: a player's clock runs only in that player's own time, and all that follows from it.

Pure arithmetic on zoneinfo zones. Knows no tables, no letters and no "now": every moment is an argument, aware, and
every answer is in UTC. What counts is the clock on the player's wall: a moment is waking time if the wall shows neither
quiet hours, nor a day off, nor a day away. So a night is as long as it really is (23 or 25 hours between two noons when
the clocks change), quiet hours that fall into the skipped hour do not exist, and those in the repeated hour last twice.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from functools import lru_cache
from zoneinfo import ZoneInfo

QUIET = (time(22), time(8))
REMIND_AT = (Fraction(1, 2), Fraction(1, 6))
NOTHING = timedelta(0)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_DAY = _EPOCH.toordinal()
_EPOCH_WEEKDAY = _EPOCH.weekday()
_MICRO = timedelta(microseconds=1)
_SECOND = 1_000_000
_DAY_SECONDS = 86_400
_DAY = _DAY_SECONDS * _SECOND
_LONGEST_SILENCE = 2 * 366

# A stretch of time, from and up to but not including, in microseconds since 1970 (or since midnight).
Stretch = tuple[int, int]


class NoTime(ValueError):
    """These hours leave no time at all in which the clock could run."""


@dataclass(frozen=True)
class Hours:
    """When a player's own clock runs: by the wall clock in `zone`, outside quiet hours, days off (0 is Monday) and
    days away (both dates included). Quiet hours may span midnight; none, or an end equal to the start, is no quiet."""

    zone: str
    quiet: tuple[time, time] | None = QUIET
    days_off: frozenset[int] = frozenset()
    away: tuple[tuple[date, date], ...] = ()

    def __post_init__(self) -> None:
        if not self.days_off <= frozenset(range(7)):
            raise ValueError("days off are weekdays, 0 (Monday) to 6 (Sunday)")
        if any(last < first for first, last in self.away):
            raise ValueError("an absence ends on or after the day it begins")


def awake(moment: datetime, hours: Hours) -> bool:
    """Does the player's clock run at this moment?"""
    at = _micros(moment)
    return any(opens <= at < shuts for opens, shuts in _waking(hours, at // _DAY))


def next_awake(moment: datetime, hours: Hours) -> datetime:
    """This moment if the player's clock runs, or the one at which it starts again."""
    opens, _ = next(_stretches(_micros(moment), hours))
    return _moment(opens)


def spend(start: datetime, amount: timedelta, hours: Hours) -> datetime:
    """The first moment at which `amount` of the player's own time has run since `start`.

    Raises NoTime if the hours leave nothing for two years on end.
    """
    if amount < NOTHING:
        raise ValueError("time cannot be spent backwards")
    at, left = _micros(start), amount // _MICRO
    if not left:
        return _moment(at)
    for opens, shuts in _stretches(at, hours):
        if left <= shuts - opens:
            return _moment(opens + left)
        left -= shuts - opens
    raise AssertionError("stretches never end")


def running(start: datetime, end: datetime, hours: Hours) -> timedelta:
    """How much of the player's own time runs between two moments; nothing if the end comes first."""
    first, last = _micros(start), _micros(end)
    total = 0
    for day in range(first // _DAY, last // _DAY + 1):
        for opens, shuts in _waking(hours, day):
            total += max(0, min(shuts, last) - max(opens, first))
    return timedelta(microseconds=total)


def _micros(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICRO


def _moment(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)


def _stretches(at: int, hours: Hours) -> Iterator[Stretch]:
    """The player's waking time from `at` on, piece by piece, for ever."""
    day, silence = at // _DAY, 0
    while silence <= _LONGEST_SILENCE:
        silence += 1
        for opens, shuts in _waking(hours, day):
            if shuts > at:
                yield max(opens, at), shuts
                silence = 0
        day += 1
    raise NoTime("These hours leave no waking time for two years: quiet hours, days off and absences cover everything.")


@lru_cache(maxsize=65_536)
def _waking(hours: Hours, day: int) -> tuple[Stretch, ...]:
    """The waking stretches within one UTC day. While the zone's offset stays the same, the wall clock is the UTC clock
    moved by it; so the day is cut where the offset changes, and each piece is laid over the wall's days it touches."""
    found = []
    for begin, end, offset in _pieces(hours.zone, day):
        for wall_day in range((begin + offset) // _DAY, (end + offset - 1) // _DAY + 1):
            if _day_off(hours, wall_day):
                continue
            midnight = wall_day * _DAY - offset
            for opens, shuts in _waking_wall(hours.quiet):
                stretch = max(begin, midnight + opens), min(end, midnight + shuts)
                if stretch[0] < stretch[1]:
                    found.append(stretch)
    return tuple(found)


def _day_off(hours: Hours, wall_day: int) -> bool:
    if (wall_day + _EPOCH_WEEKDAY) % 7 in hours.days_off:
        return True
    if not hours.away:
        return False
    today = date.fromordinal(wall_day + _EPOCH_DAY)
    return any(first <= today <= last for first, last in hours.away)


@lru_cache(maxsize=1024)
def _waking_wall(quiet: tuple[time, time] | None) -> tuple[Stretch, ...]:
    """The stretches of an ordinary day outside quiet hours, since midnight on the wall."""
    if quiet is None or quiet[0] == quiet[1]:
        return ((0, _DAY),)
    falls, lifts = (_since_midnight(t) for t in quiet)
    return ((0, falls), (lifts, _DAY)) if falls < lifts else ((lifts, falls),)


def _since_midnight(wall: time) -> int:
    return ((wall.hour * 60 + wall.minute) * 60 + wall.second) * _SECOND + wall.microsecond


@lru_cache(maxsize=16_384)
def _pieces(zone: str, day: int) -> tuple[tuple[int, int, int], ...]:
    """One UTC day cut where the zone's offset changes: (begin, end, offset). No zone has changed its offset twice
    within a week since 1970, so a look at both ends of the day finds every change."""
    place = ZoneInfo(zone)

    def offset(second: int) -> int:
        shift = (_EPOCH + timedelta(seconds=second)).astimezone(place).utcoffset()
        assert shift is not None
        return shift // _MICRO

    begin, end = day * _DAY_SECONDS, (day + 1) * _DAY_SECONDS
    before, after = offset(begin), offset(end - 1)
    if before == after:
        return ((begin * _SECOND, end * _SECOND, before),)
    change = begin + bisect_left(range(begin, end), True, key=lambda second: offset(second) != before)
    return ((begin * _SECOND, change * _SECOND, before), (change * _SECOND, end * _SECOND, after))


@dataclass(frozen=True)
class Pace:
    """How fast a game is played. All four are the player's own running time, so that nobody runs out of it asleep.

    allowance: for every turn. reserve: for the whole game, used up only by overruns, and full at the start.
    refill: comes back into the reserve, up to its full size, with every turn answered within the allowance.
    grace: after allowance and reserve, before the time-out is acted on.
    round_the_clock: people meet for an evening, so quiet hours and days off do not stop the clock (absences do).
    """

    allowance: timedelta
    reserve: timedelta = NOTHING
    refill: timedelta = NOTHING
    grace: timedelta = NOTHING
    round_the_clock: bool = False

    def __post_init__(self) -> None:
        if self.allowance <= NOTHING or min(self.reserve, self.refill, self.grace) < NOTHING:
            raise ValueError("a pace needs an allowance, and nothing in it can be less than nothing")

    def applied_to(self, hours: Hours) -> Hours:
        """The hours that stop the clock in a game of this pace."""
        return replace(hours, quiet=None, days_off=frozenset()) if self.round_the_clock else hours


def _hours(amount: float) -> timedelta:
    return timedelta(hours=amount)


# With the usual quiet hours a day has 14 waking hours, so a turn asked at noon is due at noon, one, two or seven days
# on. The reserve is two more such days (a week: three and a half); the grace leaves time to read the last letter.
PACES: dict[str, Pace] = {
    "day": Pace(allowance=_hours(14), reserve=_hours(28), refill=_hours(2), grace=_hours(4)),
    "two-days": Pace(allowance=_hours(28), reserve=_hours(28), refill=_hours(4), grace=_hours(7)),
    "week": Pace(allowance=_hours(98), reserve=_hours(49), refill=_hours(7), grace=_hours(14)),
    "evening": Pace(_hours(1), reserve=_hours(0.5), refill=_hours(1 / 12), grace=_hours(0.25), round_the_clock=True),
}


@dataclass(frozen=True)
class Deadline:
    """The end of a turn in three steps: the allowance is used up, the reserve too, the grace is over."""

    soft: datetime
    hard: datetime
    end: datetime


def deadline(asked_at: datetime, pace: Pace, reserve_left: timedelta, hours: Hours) -> Deadline:
    own = pace.applied_to(hours)
    soft = spend(asked_at, pace.allowance, own)
    hard = spend(soft, reserve_left, own)
    return Deadline(soft, hard, spend(hard, pace.grace, own))


def settle_reserve(
    asked_at: datetime,
    answered_at: datetime,
    pace: Pace,
    reserve_left: timedelta,
    hours: Hours,
    soft: datetime | None = None,
) -> timedelta:
    """The reserve after an answered turn: an overrun comes out of it, a turn in time earns the refill.

    `soft` is the end of the allowance as it was promised, where it is not the one that `hours` give by themselves
    (they changed during the turn, or a moderator extended it). A reserve made larger by a ruling is never cut.
    """
    own = pace.applied_to(hours)
    overrun = running(soft or spend(asked_at, pace.allowance, own), answered_at, own)
    if overrun:
        return max(NOTHING, reserve_left - overrun)
    return max(reserve_left, min(pace.reserve, reserve_left + pace.refill))


def lay_out(promised: Deadline, since: datetime, pace: Pace, before: Hours, after: Hours) -> Deadline:
    """The deadline of a running turn by other hours: what has run stays counted by the old ones, what was left then is
    laid out again by the new ones. A step already taken stays where it was, and by the same hours nothing moves."""
    old, new = pace.applied_to(before), pace.applied_to(after)

    def moved(step: datetime) -> datetime:
        return step if step <= since or old == new else spend(since, running(since, step, old), new)

    return Deadline(moved(promised.soft), moved(promised.hard), moved(promised.end))


def recompute(promised: Deadline, changed_at: datetime, pace: Pace, before: Hours, after: Hours) -> Deadline:
    """The same after a change of zone, quiet hours or days off: no step comes earlier than it was promised."""
    laid = lay_out(promised, changed_at, pace, before, after)
    return Deadline(max(promised.soft, laid.soft), max(promised.hard, laid.hard), max(promised.end, laid.end))


def reminder(asked_at: datetime, deadline: datetime, fraction: Fraction | float, hours: Hours) -> datetime | None:
    """When what is left of the player's time falls to this fraction of the whole, moved into waking hours; None if
    there is no such moment before the deadline."""
    if not 0 < fraction < 1:
        raise ValueError("a reminder comes at a fraction of the time between nothing and all")
    whole = running(asked_at, deadline, hours) // _MICRO
    if not whole:
        return None
    due = next_awake(spend(asked_at, timedelta(microseconds=round(whole * (1 - fraction))), hours), hours)
    return due if due < deadline else None


def reminders(
    asked_at: datetime, deadline: datetime, fractions: Iterable[Fraction | float], hours: Hours
) -> list[datetime]:
    """The moments of all reminders of a turn, in order."""
    return sorted({due for f in fractions if (due := reminder(asked_at, deadline, f, hours))})
