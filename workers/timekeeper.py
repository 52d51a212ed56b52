"""The timekeeper: a sweep every few seconds that finds, in the tables, what is due and what the queue has lost.

What is due is one indexed query; its cost depends on how much is due, not on how many games are open. Rows are claimed,
all in one statement, and looked at again under their games' locks, some in each transaction, so any number of sweeps at
once do everything once.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, SQLModel, col, or_, select, update

from service import queue
from service.bulk import gathered, write_changed
from service.config import Keep, Settings
from service.db import LOCKED, db, utcnow
from service.models import (
    RUNNING,
    Game,
    GameStatus,
    Heartbeat,
    Letter,
    LetterStatus,
    Reading,
    Received,
    Ring,
    Seat,
    Submission,
    Verdict,
)
from service.play import lateness, making, moderators, pausing, positions, record, silence, tidying, turnclock
from service.post import letters, outbox
from service.post.told import told
from workers import lifesign

log = logging.getLogger(__name__)

# Posted this long ago and still not done: the message is taken for lost and posted again.
LOST_AFTER = timedelta(seconds=30)
BATCH = 1_000
AT_ONCE = 100  # seats looked at in one transaction

# A seat in hand is nobody else's for so long; after that its sweep is taken to have died.
CLAIM = timedelta(minutes=2)

# The timekeeper itself was away for longer than this: nobody times out, all running deadlines move by the gap.
OUTAGE = timedelta(minutes=15)
FORGIVING = timedelta(hours=2)  # at the most, for all games there are

_SEATS = SQLModel.metadata.tables["seat"]

TIDY_EVERY = timedelta(days=1)
TIDY_ON = timedelta(minutes=5)  # where one go was not enough


def sweep(settings: Settings | None = None) -> int:
    """Everything that is due. Returns how much was found."""
    settings = settings or Settings.from_env()
    now = utcnow()
    beats = _last_beats()
    gap = _beat(beats.get("sweep"), now)
    with outbox.at_one_moment():
        if gap > OUTAGE:
            _forgive_outage(gap, now)
        # before the letters, some of which it makes obsolete
        looked_at = look_at_seats(now) + end_pauses(now) + end_waiting(now)
    due = _undone(now)
    for task, ids in due.items():
        for row_id in ids:
            queue.post(task, row_id)
    _tidy_up(settings.keep, beats.get("tidying"), now)
    if settings.ping_url and _is_time_for("lifesign", lifesign.EVERY, beats.get("lifesign"), now):
        lifesign.send(settings.ping_url)
    return looked_at + sum(map(len, due.values()))


def _tidy_up(keep: Keep, last: datetime | None, now: datetime) -> None:
    """Once a day, and again soon if there was more than one go takes. It may fail, and the sweep does not."""
    if not _is_time_for("tidying", TIDY_EVERY, last, now):
        return
    try:
        ended = tidying.tidy(keep, now)
    except Exception:  # whatever it is, what is due must not wait for it
        log.exception("what is over could not be tidied away")
        return
    log.info("tidied away: %s", ", ".join(f"{count} {what}" for what, count in ended.items()))
    if tidying.MOST in ended.values():
        _next_beat("tidying", now, now - TIDY_EVERY + TIDY_ON)


# --- the timekeeper's own clocks are rows, so that of several sweeps at once only one sees that it is time


def _last_beats() -> dict[str, datetime]:
    with db.reading() as session:
        return {beat.name: beat.at for beat in session.exec(select(Heartbeat))}


def _beat(last: datetime | None, now: datetime) -> timedelta:
    """Write the heartbeat down; how long the timekeeper was away."""
    if last is None:
        _first_beat("sweep", now)
        return timedelta(0)
    return now - last if _next_beat("sweep", last, now) else timedelta(0)


def _is_time_for(what: str, every: timedelta, last: datetime | None, now: datetime) -> bool:
    if last is None:
        return _first_beat(what, now)
    return now - last >= every and _next_beat(what, last, now)


def _first_beat(name: str, now: datetime) -> bool:
    try:
        _write_beat(name, now)
    except IntegrityError:
        log.debug("another sweep has written the first beat of %s", name)
        return False
    return True


@db.transaction
def _write_beat(session: Session, name: str, now: datetime) -> None:
    session.add(Heartbeat(name=name, at=now))


@db.transaction
def _next_beat(session: Session, name: str, last: datetime, now: datetime) -> bool:
    written = session.exec(
        update(Heartbeat)
        .where(col(Heartbeat.name) == name, col(Heartbeat.at) == last)
        .values(at=now)
        .execution_options(synchronize_session=False)
    )
    return written.rowcount == 1


def _forgive_outage(gap: timedelta, now: datetime) -> None:
    """Every clock stood still for the gap; the moderators are told. Until that is written nobody is looked at."""
    log.warning("the timekeeper was away for %s: all deadlines move by that", gap)
    _hold_all(now)
    with db.reading() as session:
        games = session.exec(select(Game.id).where(Game.status == GameStatus.RUNNING).order_by(col(Game.id))).all()
    for first in range(0, len(games), AT_ONCE):
        some = games[first : first + AT_ONCE]
        try:
            _forgive(some, gap, now)
        except Exception:  # of one of them: the others get their time all the same
            log.exception("%s games are given their time one by one", len(some))
            for game_id in some:
                _forgive_alone(game_id, gap, now)


def _forgive_alone(game_id: int, gap: timedelta, now: datetime) -> None:
    try:
        _forgive([game_id], gap, now)
    except Exception:
        log.exception("game %s could not be given its time", game_id)


@db.transaction
def _hold_all(session: Session, now: datetime) -> None:
    """Other sweeps go on meanwhile, and find nothing due."""
    until = now + FORGIVING
    session.execute(update(_SEATS).where(_SEATS.c.due_at <= until).values(claimed_until=until))


@outbox.transaction
def _forgive(session: Session, game_ids: Sequence[int], gap: timedelta, now: datetime) -> None:
    games = record.lock_all(session, game_ids)
    tables = record.seats_of_all(session, games.values())
    turnclock.read_ahead(session, games, chain.from_iterable(tables.values()))
    moderators.read_ahead(session, games)
    with gathered(session):
        for game in games.values():
            if game.status is GameStatus.RUNNING and game.paused_at is None:
                _forgive_one(session, game, tables[game.id], gap, now)
    write_changed(session, Seat)


def _forgive_one(session: Session, game: Game, seats: list[Seat], gap: timedelta, now: datetime) -> None:
    for seat in seats:
        seat.claimed_until = None
        turnclock.run_on(session, game, seat, now - gap, now)
        session.add(seat)
    reason = told("The service was away for %(gap)s.", gap=gap)
    effect = told("All deadlines move by that time.")
    record.write_ruling(session, game, "outage", None, None, reason, effect)
    for reader in moderators.or_players(session, game, seats):
        outbox.write(session, letters.Outage(game, reader, gap, now))


# --- turns that run out


def due_seats(now: datetime, limit: int = BATCH) -> list[int]:
    """What is due, longest first: used by the sweep and the tests alike."""
    with db.reading() as session:
        return list(session.exec(_turns_due(now, limit)))


def _turns_due(now: datetime, limit: int) -> Any:
    return (
        select(Seat.id)
        .where(col(Seat.due_at) <= now, or_(col(Seat.claimed_until).is_(None), col(Seat.claimed_until) <= now))
        .order_by(col(Seat.due_at), col(Seat.id))
        .limit(limit)
    )


class Due(NamedTuple):
    seat_id: int
    game_id: int


@db.transaction
def claim(session: Session, now: datetime, limit: int = BATCH) -> list[Due]:
    """What is due, and no other sweep has in hand, in one statement: this one has it now."""
    due = _turns_due(now, limit).with_for_update(skip_locked=True, **LOCKED).cte("due")
    claimed = session.execute(
        update(_SEATS)
        .where(_SEATS.c.id.in_(sqlalchemy.select(due.c.id)))
        .values(claimed_until=now + CLAIM)
        .returning(_SEATS.c.due_at, _SEATS.c.id, _SEATS.c.game_id)
    )
    return [Due(seat_id, game_id) for _, seat_id, game_id in sorted(tuple(row) for row in claimed)]


def look_at_seats(now: datetime) -> int:
    found = claim(now)
    for first in range(0, len(found), AT_ONCE):
        some = found[first : first + AT_ONCE]
        try:
            _look_under_locks(some, now)
        except Exception:  # of one of them: it stops nobody else
            log.exception("%s seats are looked at one by one", len(some))
            for each in some:
                _look_alone(each, now)
    return len(found)


def _look_alone(due: Due, now: datetime) -> None:
    """One seat, in a transaction of its own. One that fails is set aside with its error and stops nobody else."""
    try:
        _look_under_locks([due], now)
    except Exception as error:  # whatever it is, the other seats must not wait for it
        log.exception("seat %s could not be looked at", due.seat_id)
        _set_aside(due.seat_id, f"{type(error).__name__}: {error}")


@outbox.transaction
def _look_under_locks(session: Session, due: Sequence[Due], now: datetime) -> None:
    """Seats of some games, in one transaction, in the order in which they were due."""
    games = record.lock_all(session, [each.game_id for each in due])
    seats = {seat.id: seat for table in record.seats_of_all(session, games.values()).values() for seat in table}
    looked_at = [seats[each.seat_id] for each in due]
    _read_ahead(session, games, seats.values(), looked_at, now)
    with gathered(session):
        for seat in looked_at:
            seat.claimed_until = None
            lateness.look(session, games[seat.game_id], seat, now)
    write_changed(session, Seat)


def _read_ahead(
    session: Session, games: dict[int, Game], seats: Iterable[Seat], looked_at: Sequence[Seat], now: datetime
) -> None:
    """What will be asked for, each kind of it in one statement. To remind somebody takes their own time and no more:
    among many games whatever else is read lies in pages that nobody has used for long."""
    out_of_time = {seat.game_id for seat in looked_at if seat.stage not in RUNNING}
    ordered = {seat.game_id for seat in looked_at if seat.orders_at is not None and seat.orders_at <= now}
    played_on = out_of_time | ordered
    others = [seat for seat in seats if seat.game_id in played_on]
    turnclock.read_ahead(session, games, [*looked_at, *others])
    if out_of_time:
        moderators.read_ahead(session, out_of_time)
        positions.read_ahead(session, out_of_time)


@db.transaction
def _set_aside(session: Session, seat_id: int, trouble: str) -> None:
    seat = session.get_one(Seat, seat_id)
    seat.due_at, seat.claimed_until, seat.trouble = None, None, trouble
    session.add(seat)


def end_pauses(now: datetime) -> int:
    """A pause has a maximum, and ends by itself; and with one that came of silence the game."""
    with db.reading() as session:
        found = session.exec(select(Game.id).where(col(Game.paused_until) <= now).limit(BATCH)).all()
    for game_id in found:
        _end_pause(game_id, now)
    return len(found)


@outbox.transaction
def _end_pause(session: Session, game_id: int, now: datetime) -> None:
    game = record.lock(session, game_id)
    if game.paused_until is None or game.paused_until > now:
        return
    if game.silent_since is not None:
        silence.end(session, game)
    else:
        pausing.resume(session, game, told("The pause has reached its end."), None, now)


def end_waiting(now: datetime) -> int:
    """An open table whose players were asked once more whether they play waits for the silent no longer."""
    with db.reading() as session:
        found = session.exec(select(Game.id).where(col(Game.again_until) <= now).limit(BATCH)).all()
    for game_id in found:
        _end_waiting(game_id, now)
    return len(found)


@outbox.transaction
def _end_waiting(session: Session, game_id: int, now: datetime) -> None:
    game = record.lock(session, game_id)
    if game.again_until is not None and game.again_until <= now:
        making.without_the_silent(session, game)


# --- what the queue has lost; a row that somebody has locked is in hand, and needs no sweep


@db.transaction
def _undone(session: Session, now: datetime) -> dict[str, list[int]]:
    """By task, and from now on posted at this moment."""
    return {
        "adjudicate": _lost(session, Submission, Submission.verdict == Verdict.RECEIVED, now),
        "read": _lost(session, Received, Received.status == Reading.WAITING, now),
        "deliver": _due(session, Letter, now),
        "ring": _due(session, Ring, now),
    }


def _lost(session: Session, rows: type[Submission] | type[Received], waiting: Any, now: datetime) -> list[int]:
    found = session.exec(
        select(rows.id)
        .where(waiting, rows.posted_at < now - LOST_AFTER)
        .order_by(col(rows.posted_at), col(rows.id))
        .limit(BATCH)
        .with_for_update(skip_locked=True, **LOCKED)
    ).all()
    ids = list(found)
    if ids:
        session.execute(update(rows).where(col(rows.id).in_(ids)).values(posted_at=now))
    return ids


def _due(session: Session, rows: type[Letter] | type[Ring], now: datetime) -> list[int]:
    found = session.exec(
        select(rows.id)
        .where(
            rows.status == LetterStatus.WAITING,
            rows.due_at <= now,
            or_(col(rows.posted_at).is_(None), col(rows.posted_at) < now - LOST_AFTER),
        )
        .order_by(col(rows.due_at), col(rows.id))
        .limit(BATCH)
        .with_for_update(skip_locked=True, **LOCKED)
    ).all()
    ids = list(found)
    if ids:
        session.execute(update(rows).where(col(rows.id).in_(ids)).values(posted_at=now))
    return ids
