"""What a move takes in the database: whole games of every title, a hundred of each, in a PostgreSQL that was vacuumed
but not packed. Rows, indexes and what the server adds to both, as pg_total_relation_size counts them."""

from collections.abc import Iterator

from sqlalchemy import text
from sqlmodel import func, select

from engine import GAMES
from service.db import db
from service.models import Move
from tests.bench import crowd
from tests.bench.installation import installation, postgres
from tests.bench.rows import Row

COPIES = 100
GOAL = 2_000  # bytes
FOR_EVER = ("move", "snapshot")  # these two are what was played, and stay
BESIDES = ("submission", "letter", "link")  # what it took to get there; letters and links end some time


def room_rows() -> Iterator[Row]:
    for title in GAMES.values():
        with postgres() as url, installation(url):
            crowd.fill(COPIES, title.id, title.players[-1])
            played, besides = bytes_a_move(*FOR_EVER), bytes_a_move(*BESIDES)
        measured = f"{played:,.0f} bytes, and {besides:,.0f} of what was sent and written for it"
        yield Row(f"{title.title}: a move in the database", measured, f"under {GOAL:,} bytes", played < GOAL)


def bytes_a_move(*tables: str) -> float:
    with db.reading() as session:
        moves = session.exec(select(func.count()).select_from(Move)).one()
        size = text("SELECT pg_total_relation_size(CAST(:name AS regclass))")
        return sum(int(session.execute(size, {"name": name}).scalar_one()) for name in tables) / moves
