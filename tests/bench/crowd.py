"""Many games in the tables at once: a database with one really played game in it, taken many times over within the
database. Every row is as long as it was; only ids, and what is unique, differ. PostgreSQL only.

Where a row lies is as in life. What a game is made with, its seats, lies together; people come from anywhere; and of
what is played the rows of all games lie between each other, for they advance side by side. What the memory of the
server cannot hold at once is read so that it ends with what is used most: of two things that each turn needs a page of,
the smaller, whose pages more games share. So long as games are played anywhere among them, that is what stays.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy import text
from sqlmodel import SQLModel, col, select

from service.db import db, utcnow
from service.models import Game, Letter, LetterStatus, Seat, Verdict
from service.play import drafts
from service.post import links
from tests.bench.installation import new_game
from workers import adjudicator

# While rows are made nothing has to be safe; before anything is measured all of it is as it was.
RECKLESS = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off", "max_wal_size": "'8GB'"}
CAREFUL = {"fsync": "on", "full_page_writes": "on"}
AT_ONCE = 2  # tables
SORTING = "SET maintenance_work_mem = '1GB'"
BY_INDEX = "SET enable_seqscan = off", "SET enable_bitmapscan = off", "SET max_parallel_workers_per_gather = 0"
# The columns that an index of all rows begins with, and its size.
INDEXED = text("""
    SELECT attname, max(pg_relation_size(indexrelid))
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
    WHERE indrelid = CAST(:table AS regclass) AND indpred IS NULL GROUP BY attname""")
SIZE = text("SELECT pg_relation_size(CAST(:table AS regclass))")
PRESENT = ("game", "seat", "person")  # whose rows are used over and over; those of all others tell of the past
GROWING = ("id", "submission_id", "status", "verdict")  # of the past: of such an index only the end is used
WITH_THE_GAME = ("seat", "tenure", "moderator")  # whose rows are made with it, in one go
# All rows are of a few lengths and leave the same gaps in all pages, as they never do in life. These are not for those
# that come, and a page of the past stays as it is.
CLOSED = "ALTER TABLE {} SET (fillfactor = 95)"
# Until they are built anew nothing is written into them.
INDEXES_OFF = text(
    "UPDATE pg_index SET indisready = false, indisvalid = false WHERE indrelid = CAST(:table AS regclass)"
)


def fill(copies: int, kind: str = "osaka", people: int = 2, turns: int = 10_000) -> None:
    """So many games like one that was played for so many turns, or to its end, and nothing else."""
    game_id = new_game(0, people, kind)
    while turns and play_on(game_id):
        turns -= 1
    _close_letters()
    with _recklessly():
        _multiply(copies)


def play_on(game_id: int) -> bool:
    """One turn of whoever is to act, as it is played by people: sent, and decided. False if the game is over."""
    with db.writing() as session:
        game = session.get_one(Game, game_id)
        asked = select(Seat).where(Seat.game_id == game_id, col(Seat.asked).is_not(None)).order_by(col(Seat.no))
        if (seat := session.exec(asked).first()) is None:
            return False
        turn = drafts.lay_out(game, seat, [])
        while turn.decision(seat.no):
            turn.make(seat.no, turn.match.bot_choice(seat.no))
        sent = drafts.submission(session, seat, turn)
    assert adjudicator.adjudicate(sent) is Verdict.ACCEPTED
    return True


def _close_letters() -> None:
    """All letters are as those that were sent. Of their links one for each seat is left, as some time after."""
    with db.writing() as session:
        for letter in session.exec(select(Letter)):
            letter.message_id, letter.subject = (
                f"<{letter.id}.0123456789abcdef@bench.example>",
                "It is your turn: bench",
            )
            letter.status, letter.sent_at, letter.attempts = LetterStatus.SENT, letter.created_at, 1
        for seat in session.exec(select(Seat)):
            links.mint_seat(session, seat)
            if seat.asked is not None:  # and nothing is due by itself while something is measured
                seat.due_at = seat.soft_at = seat.deadline = seat.grace_until = utcnow() + timedelta(days=30)
                seat.orders_at = None


@contextmanager
def _recklessly() -> Iterator[None]:
    _set(RECKLESS)
    yield
    _outside("CHECKPOINT")
    _set(CAREFUL)


def _set(settings: dict[str, str]) -> None:
    for name, value in settings.items():
        _outside(f"ALTER SYSTEM SET {name} = {value}")
    _outside("SELECT pg_reload_conf()")


def _outside(*statements: str) -> None:
    """Of any transaction, in one session."""
    with db.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        for statement in statements:
            connection.execute(text(statement))


def _multiply(copies: int) -> None:
    """The games advance side by side, as they do in life: first a row of every game, then the next."""
    tables = [table for table in SQLModel.metadata.sorted_tables if table.name != "heartbeat"]
    with db.writing() as session:
        session.execute(text("CREATE SCHEMA one"))
        for table in tables:
            session.execute(text(f"CREATE TABLE one.{table.name} AS SELECT * FROM {table.name}"))
        session.execute(text(f"TRUNCATE {', '.join(table.name for table in tables)}"))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in pool.map(partial(_fill, copies), tables):
            pass
    _outside("DROP SCHEMA one CASCADE")
    reads = sorted((read for table in tables for read in _reads(table.name)), reverse=True)
    _outside(*BY_INDEX, *(read for _, read in reads))


def _fill(copies: int, table: sa.Table) -> None:
    """A table, and then its indexes. What its rows refer to will be there. Nobody is to be the first to look at a row:
    in life that was a vacuum, long ago."""
    with db.writing() as session:
        session.execute(text("SET LOCAL session_replication_role = replica"))
        session.execute(INDEXES_OFF, {"table": table.name})
        session.execute(text(_copy(table)), {"copies": copies})
        if "id" in table.c:
            last = f"SELECT setval('{table.name}_id_seq', (SELECT count(*) + 1 FROM {table.name}))"
            session.execute(text(last))
    _outside(SORTING, f"REINDEX TABLE {table.name}", f"VACUUM (FREEZE, ANALYZE) {table.name}")
    if table.name not in PRESENT:
        _outside(CLOSED.format(table.name))


def _reads(table: str) -> Iterator[tuple[int, str]]:
    """How to read what any game may need into memory, as in life, where all of them are played; and how much it is."""
    with db.reading() as session:
        for column, size in session.execute(INDEXED, {"table": table}):
            if table in PRESENT or column not in GROWING:
                yield size, f'SELECT count("{column}") FROM {table}'
        if table in PRESENT:
            # By an index too: whoever reads a big table from one end to the other is not given the memory to keep it.
            yield session.execute(SIZE, {"table": table}).scalar_one(), f"SELECT count(xmin) FROM {table} WHERE id > 0"


def _copy(table: sa.Table) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.c)
    values = ", ".join(_value(column) for column in table.c)
    key = ", ".join(f't."{column.name}"' for column in reversed(table.primary_key.columns.values()))
    order = f"n, {key}" if table.name in WITH_THE_GAME else f"{key}, n"
    return f"""
        INSERT INTO {table.name} ({names}) SELECT {values}
        FROM one.{table.name} t CROSS JOIN generate_series(1, :copies) n ORDER BY {order}"""


def _value(column: Any) -> str:
    """Of copy n."""
    own = f't."{column.name}"'
    if column.foreign_keys:
        (key,) = column.foreign_keys
        return _number(key.column.table.name, own)
    if column.primary_key and column.name == "id":
        return _number(column.table.name, own)
    if column.table.name == "letter" and column.name == "key":  # its kind, what it is about, and more
        about = f"coalesce({_number('seat', 't.seat_id')}, {_number('game', 't.game_id')}, n)"
        return f"regexp_replace({own}, ':[0-9]+', ':' || {about})"
    if column.unique:  # a text
        return f"left(md5({own} || ':' || n), {column.type.impl.length})"
    return own


def _number(table: str, own: str) -> str:
    """Rows are numbered in the order in which they are made."""
    if table in WITH_THE_GAME:
        return f"(n - 1) * (SELECT count(*) FROM one.{table}) + {own}"
    return f"({own} - 1) * :copies + n"
