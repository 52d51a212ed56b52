"""The clock of an open question: when it runs out, when somebody must look at it, and what an answer leaves of the
reserve. The arithmetic is in service/play/clocks.py; this is where it meets the tables."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sqlalchemy
from sqlmodel import Session, col, select

from engine import GAMES
from service.bulk import among
from service.db import utcnow
from service.models import RUNNING, Absence, Game, GameStatus, Person, Seat, Stage
from service.play import absences
from service.play.clocks import (
    Deadline,
    Hours,
    Pace,
    deadline,
    lay_out,
    recompute,
    reminder,
    running,
    settle_reserve,
    spend,
)
from service.post import moments
from service.post.language import gettext as _

# Orders are followed after a random time between these; tests set both to nothing.
ORDERS_AFTER = [timedelta(minutes=2), timedelta(minutes=9)]

# How often one turn is laid out again for other hours.
MOST_RELAID = 2

NAMES = ("allowance", "reserve", "refill", "grace")


def pack(pace: Pace) -> dict[str, Any]:
    seconds: dict[str, Any] = {name: int(getattr(pace, name).total_seconds()) for name in NAMES}
    return seconds | {"round_the_clock": pace.round_the_clock}


def pace_of(game: Game) -> Pace:
    spans = {name: timedelta(seconds=game.pace[name]) for name in NAMES}
    return Pace(**spans, round_the_clock=game.pace["round_the_clock"])


ALWAYS = Hours("UTC", quiet=None)


@dataclass(frozen=True)
class Rhythm:
    """A player's own time: when their clock runs, and when they want to be reminded. A bot never sleeps."""

    hours: Hours = ALWAYS
    remind_at: tuple[float, ...] = ()


# One statement for people and their days away: it is asked in every turn that is played.
_OWN_TIME: Any = (
    sqlalchemy.select(
        col(Person.id),
        *map(col, (Person.zone, Person.quiet_from, Person.quiet_to, Person.days_off, Person.remind_at)),
        *map(col, (Absence.first, Absence.last)),
    )
    .select_from(Person)
    .outerjoin(Absence, col(Absence.person_id) == col(Person.id))
)
_OF_ONE = (
    _OWN_TIME.add_columns(col(Game.away_days))
    .join(Game, col(Game.id) == sqlalchemy.bindparam("game"))
    .where(col(Person.id) == sqlalchemy.bindparam("person"))
)
_OF_SOME = _OWN_TIME.where(among(col(Person.id), "people"))


def rhythm_of(session: Session, seat: Seat) -> Rhythm:
    return rhythm_in(session, seat.game_id, seat.person_id) if seat.person_id is not None else Rhythm()


def rhythm_in(session: Session, game_id: int, person_id: int) -> Rhythm:
    """Somebody's own time in a game: their days away count within its budget."""
    ahead = session.info.get("rhythms", {})
    if (game_id, person_id) in ahead:
        return _rhythm(*ahead[game_id, person_id])
    rows = session.execute(_OF_ONE, {"game": game_id, "person": person_id}).all()
    return _rhythm(rows, rows[0].away_days)


def read_ahead(session: Session, games: Mapping[int, Game], seats: Iterable[Seat]) -> None:
    """The own time of those who hold these seats, in one statement; in this transaction nothing changes it."""
    held = [(seat.game_id, seat.person_id) for seat in seats if seat.person_id is not None]
    people: dict[int, list[Any]] = {}
    for row in session.execute(_OF_SOME, {"people": sorted({person_id for _game, person_id in held})}):
        people.setdefault(row.id, []).append(row)
    session.info["rhythms"] = {
        (game_id, person_id): (people[person_id], games[game_id].away_days) for game_id, person_id in held
    }


def _rhythm(rows: Sequence[Any], away_days: int) -> Rhythm:
    """Of somebody's own time, told once for each of their absences."""
    someone = rows[0]
    away = absences.within([(row.first, row.last) for row in rows if row.first is not None], away_days)
    return Rhythm(Hours(someone.zone, quiet_of(someone), frozenset(someone.days_off), away), tuple(someone.remind_at))


def quiet_of(person: Person) -> tuple[time, time] | None:
    return (person.quiet_from, person.quiet_to) if person.quiet_from and person.quiet_to else None


def wind(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """Start the clock of a question that was just put."""
    rhythm = rhythm_of(session, seat)
    times = deadline(now, pace_of(game), timedelta(seconds=seat.reserve), rhythm.hours)
    seat.asked_at, seat.stage, seat.trouble, seat.orders_stopped = now, Stage.ON_TIME, "", None
    seat.relaid, seat.promised, seat.still_until = 0, None, None
    # A seat without orders has its moment too: then it is simply asked, and nobody can tell the difference.
    seat.orders_at = now + orders_delay() if GAMES[game.kind].orders else None
    _set(game, seat, times, rhythm, now)


def orders_delay() -> timedelta:
    first, last = ORDERS_AFTER
    return first + (last - first) * secrets.randbelow(1000) / 1000


def stop(seat: Seat) -> None:
    """No open question, no clock."""
    seat.asked = seat.asked_at = seat.soft_at = seat.deadline = seat.grace_until = seat.due_at = seat.orders_at = None
    seat.stage, seat.trouble, seat.promised, seat.still_until = Stage.ON_TIME, "", None, None


def answered(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """What this answer leaves of the reserve: only overruns use it up, and nothing does in a pause."""
    if seat.asked_at is None or seat.soft_at is None:
        return
    now = min(now, game.paused_at or now)
    # Within the allowance it does not matter whose time it was.
    hours = rhythm_of(session, seat).hours if now > seat.soft_at else ALWAYS
    left = timedelta(seconds=seat.reserve)
    seat.reserve = int(settle_reserve(seat.asked_at, now, pace_of(game), left, hours, seat.soft_at).total_seconds())


def thought(session: Session, game: Game, seat: Seat, now: datetime) -> int | None:
    """How many seconds of their own waking time its holder took for the open question; a pause is nobody's time."""
    if seat.asked_at is None:
        return None
    hours = pace_of(game).applied_to(rhythm_of(session, seat).hours)
    return int(running(seat.asked_at, min(now, game.paused_at or now), hours).total_seconds())


def times_of(seat: Seat) -> Deadline:
    assert seat.soft_at is not None
    assert seat.deadline is not None
    assert seat.grace_until is not None
    return Deadline(seat.soft_at, seat.deadline, seat.grace_until)


def _set(game: Game, seat: Seat, times: Deadline, rhythm: Rhythm, now: datetime) -> None:
    seat.soft_at, seat.deadline, seat.grace_until = times.soft, times.hard, times.end
    look_again(game, seat, rhythm, now)


Reminders = list[tuple[float, datetime]]  # the threshold and its moment


def look_again(game: Game, seat: Seat, rhythm: Rhythm, now: datetime, known: Reminders | None = None) -> None:
    """Set when the timekeeper has something to do for this seat: a reminder, the deadline, the end of the grace.
    `known`: its reminders, where they have been looked at already."""
    if seat.asked is None or game.paused_at is not None:
        seat.due_at = None
    elif seat.stage in RUNNING:
        coming = [seat.orders_at] if seat.orders_at else []
        reminders = reminders_of(game, seat, rhythm) if known is None else known
        coming += [due for _, due in reminders if due > now]
        seat.due_at = min([*coming, times_of(seat).hard])
    elif seat.stage is Stage.LATE:
        seat.due_at = times_of(seat).end


def reminders_of(game: Game, seat: Seat, rhythm: Rhythm) -> Reminders:
    """This player's reminders of the open question."""
    if seat.asked_at is None or seat.deadline is None:
        return []
    hours = pace_of(game).applied_to(rhythm.hours)
    found = []
    for threshold in rhythm.remind_at:
        due = reminder(seat.asked_at, seat.deadline, _share(threshold), hours)
        if due is not None:
            found.append((threshold, due))
    return found


@lru_cache(256)
def _share(threshold: float) -> Fraction:
    """As it was meant: a tenth is no sum of halves."""
    return Fraction(threshold).limit_denominator(1000)


def run_on(session: Session, game: Game, seat: Seat, since: datetime, now: datetime) -> None:
    """The clock stood still since then, for a pause or an outage, and runs on from where it stood.

    Who was out of time already has the whole grace once more, and all of it is told again at the timekeeper's next
    look: the moments that were named before do not hold any more.
    """
    if seat.asked is None:
        return
    assert seat.asked_at is not None
    rhythm, old, gap = rhythm_of(session, seat), times_of(seat), now - max(since, seat.asked_at)
    later = Deadline(old.soft + gap, old.hard + gap, old.end + gap)
    if seat.stage not in RUNNING:
        pace = pace_of(game)
        later = Deadline(later.soft, now, spend(now, pace.grace, pace.applied_to(rhythm.hours)))
        seat.stage = Stage.ON_TIME
    seat.asked_at += gap
    seat.still_until = seat.still_until and seat.still_until + gap
    seat.promised = seat.promised and Promise.read(seat.promised).put_off(gap, gap).pack()
    _set(game, seat, later, rhythm, now)


def extend(session: Session, game: Game, seat: Seat, more: timedelta, now: datetime) -> None:
    """More real time for this turn, counted from now if it has run out; nobody is late any more."""
    times = times_of(seat)
    gap = max(more, now + more - times.hard) if times.hard < now else more
    seat.stage = Stage.ON_TIME
    seat.promised = seat.promised and Promise.read(seat.promised).put_off(gap).pack()
    later = Deadline(times.soft + gap, times.hard + gap, times.end + gap)
    _set(game, seat, later, rhythm_of(session, seat), now)


@dataclass(frozen=True)
class Promise:
    """The times of a running turn before days away were announced or taken back in it, and which counted then. Laid out
    again from here, announcing and taking back moves nothing."""

    times: Deadline
    since: datetime
    away: tuple[absences.Absence, ...]

    def put_off(self, gap: timedelta, stood_still: timedelta = timedelta(0)) -> "Promise":
        times = Deadline(self.times.soft + gap, self.times.hard + gap, self.times.end + gap)
        return Promise(times, self.since + stood_still, self.away)

    def pack(self) -> dict[str, Any]:
        moments = {name: getattr(self.times, name).isoformat() for name in ("soft", "hard", "end")}
        away = [[first.isoformat(), last.isoformat()] for first, last in self.away]
        return moments | {"since": self.since.isoformat(), "away": away}

    @classmethod
    def read(cls, packed: dict[str, Any]) -> "Promise":
        soft, hard, end, since = (datetime.fromisoformat(packed[name]) for name in ("soft", "hard", "end", "since"))
        away = tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in packed["away"])
        return cls(Deadline(soft, hard, end), since, away)


def lay_out_absences(session: Session, person_id: int, before: dict[int, Rhythm], now: datetime) -> None:
    """After days away were announced or taken back: running turns are laid out again from what was promised first."""
    for seat in _asked_seats(session, person_id):
        game, new = session.get_one(Game, seat.game_id), rhythm_of(session, seat)
        if seat.stage not in RUNNING or game.status is not GameStatus.RUNNING or before[seat.id].hours == new.hours:
            continue
        since = min(now, game.paused_at or now)
        first = Promise(times_of(seat), since, before[seat.id].hours.away)
        promise = Promise.read(seat.promised) if seat.promised else first
        then = replace(new.hours, away=promise.away)
        laid = lay_out(promise.times, promise.since, pace_of(game), then, new.hours)
        seat.promised = promise.pack() if then != new.hours else None
        _set(game, seat, laid, new, now)


def change_hours(session: Session, person: Person, change: Callable[[], None]) -> bool:
    """Change somebody's zone, quiet hours or days off: their running turns are laid out again, never shorter.

    Every change may only lengthen a turn, so whoever changed to and fro could go on for ever: one turn is laid out
    again MOST_RELAID times, after which a change counts from the next turn. Returns whether every running turn was.
    """
    before = rhythms_by_seat(session, person.id)
    change()
    session.add(person)
    session.flush()
    now, everywhere = utcnow(), True
    for seat in _asked_seats(session, person.id):
        game = session.get_one(Game, seat.game_id)
        if game.status is not GameStatus.RUNNING or seat.stage not in RUNNING:
            continue
        old, new = before[seat.id], rhythm_of(session, seat)
        if old.hours != new.hours:
            if seat.relaid >= MOST_RELAID:
                everywhere = False
                continue
            seat.relaid += 1
        laid, seat.promised = recompute(times_of(seat), now, pace_of(game), old.hours, new.hours), None
        _set(game, seat, laid, new, now)
    return everywhere


def rhythms_by_seat(session: Session, person_id: int) -> dict[int, Rhythm]:
    return {seat.id: rhythm_of(session, seat) for seat in _asked_seats(session, person_id)}


def _asked_seats(session: Session, person_id: int) -> Sequence[Seat]:
    return session.exec(select(Seat).where(Seat.person_id == person_id, col(Seat.asked).is_not(None))).all()


@dataclass(frozen=True)
class Left:
    """What is left of somebody's clock, in their own time: of the turn's allowance, and of the reserve behind it."""

    allowance: timedelta
    reserve: timedelta

    def words(self) -> str:
        """'28 hours, then your reserve of 28 hours', to the one whose clock it is."""
        allowance, reserve = moments.clock_span(self.allowance), moments.clock_span(self.reserve)
        if self.allowance and self.reserve:
            return _("%(allowance)s, then your reserve of %(reserve)s", allowance=allowance, reserve=reserve)
        return _("%(reserve)s of your reserve", reserve=reserve) if self.reserve else allowance

    def words_of_another(self) -> str:
        allowance, reserve = moments.clock_span(self.allowance), moments.clock_span(self.reserve)
        if self.allowance and self.reserve:
            return _("%(allowance)s, then a reserve of %(reserve)s", allowance=allowance, reserve=reserve)
        return _("%(reserve)s of the reserve", reserve=reserve) if self.reserve else allowance


def left_of(game: Game, seat: Seat, hours: Hours, now: datetime) -> Left:
    """What is left of an open question's clock."""
    assert seat.soft_at is not None
    pace = pace_of(game)
    own, now = pace.applied_to(hours), min(now, game.paused_at or now)
    used = running(seat.soft_at, now, own)
    return Left(running(now, seat.soft_at, own), max(timedelta(0), timedelta(seconds=seat.reserve) - used))


def pace_words(game: Game) -> str:
    """'28 hours of your waking time, and your reserve of 28 hours if need be', as a turn is told to people."""
    pace = pace_of(game)
    span = moments.clock_span(pace.allowance)
    words = span if pace.round_the_clock else _("%(length)s of your waking time", length=span)
    if not pace.reserve:
        return words
    reserve = moments.clock_span(pace.reserve)
    return _("%(allowance)s, then your reserve of %(reserve)s", allowance=words, reserve=reserve)
