"""The clock of an open question: when it runs out, when somebody must look at it, and what an answer leaves of the
reserve. The arithmetic is in service/clocks.py; this is where it meets the tables."""

import secrets
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from sqlmodel import Session, col, select

from engine import GAMES
from service import moments
from service.clocks import Deadline, Hours, Pace, deadline, recompute, reminder, settle_reserve
from service.models import Absence, Game, GameStatus, Person, Seat, Stage

# Orders are followed after a random time between these; tests set both to nothing.
ORDERS_AFTER = [timedelta(minutes=2), timedelta(minutes=9)]

NAMES = ("allowance", "reserve", "refill", "grace")


def pack(pace: Pace) -> dict[str, Any]:
    seconds: dict[str, Any] = {name: int(getattr(pace, name).total_seconds()) for name in NAMES}
    return seconds | {"round_the_clock": pace.round_the_clock}


def pace_of(game: Game) -> Pace:
    spans = {name: timedelta(seconds=game.pace[name]) for name in NAMES}
    return Pace(**spans, round_the_clock=game.pace["round_the_clock"])


def hours_of(session: Session, seat: Seat) -> Hours:
    """When this seat's own clock runs. A bot never sleeps."""
    person = session.get(Person, seat.person_id) if seat.person_id else None
    if person is None:
        return Hours("UTC", quiet=None)
    away = session.exec(select(Absence).where(Absence.seat_id == seat.id).order_by(col(Absence.first))).all()
    quiet = (person.quiet_from, person.quiet_to) if person.quiet_from and person.quiet_to else None
    return Hours(person.zone, quiet, frozenset(person.days_off), tuple((a.first, a.last) for a in away))


def wind(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """Start the clock of a question that was just put."""
    pace = pace_of(game)
    hours = hours_of(session, seat)
    times = deadline(now, pace, timedelta(seconds=seat.reserve), hours)
    seat.asked_at, seat.stage, seat.trouble, seat.orders_stopped = now, Stage.ON_TIME, "", ""
    # A seat without orders has its moment too: then it is simply asked, and nobody can tell the difference.
    seat.orders_at = now + orders_delay() if GAMES[game.kind].orders else None
    _set(session, game, seat, times, now)


def orders_delay() -> timedelta:
    first, last = ORDERS_AFTER
    return first + (last - first) * secrets.randbelow(1000) / 1000


def stop(seat: Seat) -> None:
    """No open question, no clock."""
    seat.asked = seat.asked_at = seat.soft_at = seat.deadline = seat.grace_until = seat.due_at = seat.orders_at = None
    seat.stage, seat.trouble = Stage.ON_TIME, ""


def answered(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """What this answer leaves of the reserve: only overruns use it up."""
    if seat.asked_at is None or seat.soft_at is None:
        return
    left = timedelta(seconds=seat.reserve)
    hours = hours_of(session, seat)
    seat.reserve = int(settle_reserve(seat.asked_at, now, pace_of(game), left, hours, seat.soft_at).total_seconds())


def times_of(seat: Seat) -> Deadline:
    assert seat.soft_at is not None
    assert seat.deadline is not None
    assert seat.grace_until is not None
    return Deadline(seat.soft_at, seat.deadline, seat.grace_until)


def _set(session: Session, game: Game, seat: Seat, times: Deadline, now: datetime) -> None:
    seat.soft_at, seat.deadline, seat.grace_until = times.soft, times.hard, times.end
    seat.due_at = next_look(session, game, seat, now)
    session.add(seat)


def next_look(session: Session, game: Game, seat: Seat, now: datetime) -> datetime | None:
    """When the timekeeper has something to do for this seat: a reminder, the deadline, the end of the grace."""
    if seat.asked is None or game.paused_at is not None:
        return None
    if seat.stage is Stage.ON_TIME:
        coming = [seat.orders_at] if seat.orders_at else []
        coming += [due for _, due in reminders_of(session, game, seat) if due > now]
        return min([*coming, times_of(seat).hard])
    if seat.stage is Stage.LATE:
        return times_of(seat).end
    return seat.due_at


def reminders_of(session: Session, game: Game, seat: Seat) -> list[tuple[float, datetime]]:
    """This player's reminders of the open question: the threshold and its moment."""
    person = session.get(Person, seat.person_id) if seat.person_id else None
    if person is None or seat.asked_at is None or seat.deadline is None:
        return []
    hours = pace_of(game).applied_to(hours_of(session, seat))
    found = []
    for threshold in person.remind_at:
        due = reminder(seat.asked_at, seat.deadline, Fraction(threshold).limit_denominator(1000), hours)
        if due is not None:
            found.append((threshold, due))
    return found


def move_by(session: Session, game: Game, seat: Seat, gap: timedelta, now: datetime) -> None:
    """Put the whole clock off: after a pause, an outage, or by a ruling."""
    if seat.asked is None:
        return
    old = times_of(seat)
    assert seat.asked_at is not None
    seat.asked_at += gap
    if seat.stage is Stage.DESK and seat.due_at is not None:
        seat.due_at += gap
    _set(session, game, seat, Deadline(old.soft + gap, old.hard + gap, old.end + gap), now)


def extend(session: Session, game: Game, seat: Seat, more: timedelta, now: datetime) -> None:
    """More real time for this turn, counted from now if it has run out; nobody is late any more."""
    times = times_of(seat)
    gap = max(more, now + more - times.hard) if times.hard < now else more
    seat.stage = Stage.ON_TIME
    _set(session, game, seat, Deadline(times.soft + gap, times.hard + gap, times.end + gap), now)


def rewind_hours(session: Session, person_id: int, before: dict[int, Hours], now: datetime) -> None:
    """After a change of zone, quiet hours, days off or absences: running turns are laid out again, never shorter.
    `before` has the old hours by seat."""
    seats = session.exec(select(Seat).where(Seat.person_id == person_id, col(Seat.asked).is_not(None))).all()
    for seat in seats:
        game = session.get_one(Game, seat.game_id)
        if game.status is GameStatus.RUNNING and seat.id in before and seat.stage is Stage.ON_TIME:
            after = hours_of(session, seat)
            _set(session, game, seat, recompute(times_of(seat), now, pace_of(game), before[seat.id], after), now)


def hours_by_seat(session: Session, person_id: int) -> dict[int, Hours]:
    seats = session.exec(select(Seat).where(Seat.person_id == person_id, col(Seat.asked).is_not(None))).all()
    return {seat.id: hours_of(session, seat) for seat in seats}


def pace_words(game: Game) -> str:
    """'28 hours of waking time', as a turn's allowance is told to people."""
    pace = pace_of(game)
    hours = pace.allowance / timedelta(hours=1)
    span = f"{hours:g} hours" if hours > 1 else moments.length(pace.allowance)
    return span if pace.round_the_clock else f"{span} of your waking time"
