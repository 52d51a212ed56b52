"""To find and claim what is due, among few and among many open games; and to do what is due for it."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy
from sqlmodel import Session, SQLModel, col, func, insert, select, update

from service.db import db, utcnow
from service.models import Game, GameStatus, Jury, Policy, Seat, SeatStatus, Stage
from service.play import making
from service.post import outbox
from tests.bench import crowd
from tests.bench.installation import installation, postgres
from tests.bench.rows import Row
from workers import timekeeper

DUE_SEATS = 1_000
ROUNDS = 3
OPEN_GAMES = 1_000_000


# How a turn stands that was asked for two days ago.
HOURS = "now() + interval '{0} hours'".format
LATER = """UPDATE seat SET asked_at = now() - interval '2 days', due_at = now() - interval '1 minute', orders_at = NULL,
    soft_at = {left}, deadline = {left}, grace_until = {grace}, stage = '{stage}' WHERE asked IS NOT NULL"""
STAGES = {
    "reminders": LATER.format(left=HOURS(10), grace=HOURS(20), stage="on-time"),
    "turns that are late now": LATER.format(left=HOURS(-1), grace=HOURS(20), stage="warned"),
    "turns to be decided by the group": LATER.format(left=HOURS(-9), grace=HOURS(-1), stage="late"),
}


def sweep_rows() -> Iterator[Row]:
    with installation():
        yield sweep_row("SQLite")
    with postgres() as url, installation(url):
        yield sweep_row("PostgreSQL")
    with postgres() as url, installation(url):
        crowd.fill(DUE_SEATS, turns=10)
        yield from map(look_row, STAGES)


def look_row(what: str) -> Row:
    """A seat of each of a thousand games: found, claimed, and what is due for it done and written."""
    best = min(look_ms(what) for _ in range(ROUNDS))
    return Row(f"{DUE_SEATS:,} {what} (PostgreSQL)", f"{best:.0f} ms", "under 500 ms", best < 500)


def look_ms(what: str) -> float:
    with db.writing() as session:
        session.execute(sqlalchemy.text(STAGES[what]))
        session.execute(sqlalchemy.text("DELETE FROM letter WHERE status = 'waiting'"))
    start = time.perf_counter()
    with outbox.at_one_moment():
        found = timekeeper.look_at_seats(utcnow())
    spent = time.perf_counter() - start
    assert found == DUE_SEATS
    return spent * 1000


def sweep_row(kind: str) -> Row:
    now = datetime(2026, 6, 1, 12, tzinfo=UTC)
    open_games(DUE_SEATS, now - timedelta(minutes=1))
    claim_ms(now)  # the first pass also warms up
    few = claim_ms(now)
    open_games(OPEN_GAMES, now + timedelta(days=2))
    many = claim_ms(now)
    text = f"{few:.0f} ms among {DUE_SEATS:,} open games, {many:.0f} ms among {DUE_SEATS + OPEN_GAMES:,}"
    return Row(
        f"finding and claiming {DUE_SEATS:,} due turns ({kind})",
        text,
        "under 500 ms, flat in the open games",
        max(many, 10) < 2 * max(few, 10) and many < 500,
    )


def open_games(count: int, due_at: datetime) -> None:
    """Rows of running games whose one seat must be looked at then, made within the database."""
    with db.writing() as session:
        person = making.person_for(session, "Bench", "bench@bench.example")
        first = (session.exec(select(func.max(Game.id))).one() or 0) + 1
        number = sqlalchemy.select(sqlalchemy.literal(first).label("n")).cte("numbers", recursive=True)
        number = number.union_all(sqlalchemy.select(number.c.n + 1).where(number.c.n < first + count - 1))
        game = {"kind": "osaka", "name": "", "rules": 1, "status": GameStatus.RUNNING, "organiser_id": person.id}
        game |= {"pace": {}, "options": {}, "policy": Policy.PASS, "fallback": Policy.PASS}
        game |= {"jury": Jury.GROUP, "proposals": 0}
        game |= {"moderator_hours": 24, "bot_after": 3, "away_days": 21, "version": 0, "turn": 0, "created_at": due_at}
        game |= {"silent_rounds": 1, "silent_days": 30, "heard_version": 0}
        public_id = sqlalchemy.literal("b").concat(sqlalchemy.cast(number.c.n, sqlalchemy.String))
        _fill(session, Game, game, {"id": number.c.n, "public_id": public_id})
        seat = {"no": 0, "name": "Bench", "due_at": due_at, "asked": 1, "person_id": person.id, "orders": {}}
        seat |= {"status": SeatStatus.ACCEPTED, "stage": Stage.ON_TIME, "trouble": "", "orders_stopped": None}
        seat |= {"reserve": 0, "relaid": 0, "misses": 0, "missed": 0, "moved_version": 0}
        _fill(session, Seat, seat, {"game_id": number.c.n})


def _fill(session: Session, model: type[SQLModel], same: dict[str, Any], counted: dict[str, Any]) -> None:
    """One row of this model for every number: most of it the same, some of it counted."""
    columns = SQLModel.metadata.tables[model.__name__.lower()].c
    values = [sqlalchemy.literal(value, columns[name].type) for name, value in same.items()]
    session.execute(insert(model).from_select([*same, *counted], sqlalchemy.select(*values, *counted.values())))


def claim_ms(now: datetime) -> float:
    """One pass over everything due, each row claimed as the sweep does and then given back."""
    start = time.perf_counter()
    found = timekeeper.claim(now, DUE_SEATS)
    spent = time.perf_counter() - start
    assert len(found) == DUE_SEATS
    with db.writing() as session:
        session.execute(
            update(Seat)
            .where(col(Seat.claimed_until) == now + timekeeper.CLAIM)
            .values(claimed_until=None)
            .execution_options(synchronize_session=False)
        )
    return spent * 1000
