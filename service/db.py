"""One database, two ways in: `reading()` for pages, `transaction` for whatever must happen whole or not at all.

PostgreSQL in production, SQLite embedded: the same code on both. Writers lock rows in one order, so that they wait for
each other and never in a circle:

    games by id, then seats, then people by id (new ones by address), then submissions, letters and links.

A row is locked FOR NO KEY UPDATE (`LOCKED`), so that inserting what refers to it, a letter or a link, waits for nobody.
Only seats that leave a table are locked against that too, and a courier holds on to a letter's seat before the letter.
SQLite has one lock, for all, taken when a transaction begins.
"""

import logging
import math
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
from sqlalchemy import DateTime, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.types import TypeDecorator
from sqlmodel import Session

from service.config import Settings

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

RESTED = 2.0  # seconds
PATIENCE = 5  # seconds, with a server that does not answer
PRAGMAS = ["journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL", "busy_timeout=5000"]

# How a transaction that only looks begins. Later statements of it see what the first one saw, whatever is written
# meanwhile: a page tells of one moment.
LOOKING: dict[str, dict[str, Any]] = {
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
    "sqlite": {"begin": "BEGIN"},
}

# An error names its statement, and nothing that people wrote.
MANNERS: dict[str, Any] = {"hide_parameters": True, "json_deserializer": msgspec.json.decode}

LOCKED: dict[str, Any] = {"key_share": True}  # for `with_for_update`

# The database may give a transaction up for the sake of another one: then it is run again, so often and after a pause
# of up to so many seconds.
GIVEN_UP = {"40P01", "40001"}  # PostgreSQL's deadlock_detected and serialization_failure
TRIES = 4
PAUSE = 0.1


def utcnow() -> datetime:
    """The clock of the service; tests move it."""
    return datetime.now(UTC)


class Moment(TypeDecorator[datetime]):
    """A point in time, always aware and in UTC, also on SQLite, which stores no zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def make_engine(url: str) -> Engine:
    """An engine for this address, with SQLite told to behave like a server: WAL, foreign keys, locks that wait."""
    if not url.startswith("sqlite"):
        return _check_rested(_server(url))
    engine = create_engine(url, connect_args={"timeout": 5, "check_same_thread": False}, **MANNERS)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions behind our back
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN IMMEDIATE"))

    return engine


def _server(url: str) -> Engine:
    """Gives up soon on one that does not answer."""
    return create_engine(
        url,
        connect_args={"connect_timeout": PATIENCE},
        pool_size=5,
        max_overflow=10,
        pool_recycle=1800,
        pool_timeout=PATIENCE,
        **MANNERS,
    )


def _check_rested(engine: Engine) -> Engine:
    """A connection that has rested may have been cut meanwhile, so it is tried before it is used; one that was in use a
    moment ago is not, for that would be one more journey in every turn that is played."""

    @event.listens_for(engine, "checkin")
    def _put_back(connection: Any, record: Any) -> None:
        record.info["rests_since"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def _take_out(connection: Any, record: Any, proxy: Any) -> None:
        if time.monotonic() - record.info.get("rests_since", math.inf) > RESTED:
            try:
                engine.dialect.do_ping(connection)
            except engine.dialect.loaded_dbapi.Error as error:
                raise DisconnectionError("the connection was cut while it rested") from error

    return engine


@lru_cache(1)
def _for_looking(engine: Engine) -> Engine:
    """Kept with what it has learnt: made anew for every look it would cost a fifth of a short one."""
    return engine.execution_options(**LOOKING[engine.name])


class Database:
    """Connects at the first use, so that a forked worker never shares a connection with its parent."""

    def __init__(self) -> None:
        self._url: str | None = None
        self._engine: Engine | None = None

    def configure(self, url: str) -> None:
        self.close()
        self._url = url

    def close(self) -> None:
        if self._engine is not None:
            self._engine.dispose()
        self._engine = None
        _for_looking.cache_clear()

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = make_engine(self._url or Settings.from_env().database_url)
        return self._engine

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A look at the tables as they are at one moment, the first statement's; nothing can be changed here. It ends
        with a commit of nothing: a rollback would have the driver forget the statements that it has prepared, and the
        server plan each of them anew, which takes longer than to run them."""
        with Session(_for_looking(self.engine), autoflush=False, expire_on_commit=False) as session:
            yield session
            session.expunge_all()
            session.commit()

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One try at a transaction: committed at the end of the block, rolled back by an exception."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    def transaction(self, work: Callable[Concatenate[Session, P], T]) -> Callable[P, T]:
        """Make a transaction of a function of a session: committed when it returns, rolled back when it raises, and run
        again from its beginning when the database gave it up. So it changes nothing but through its session: what a
        browser is told, or the queue is handed, comes after it."""

        @wraps(work)
        def whole(*args: P.args, **kwargs: P.kwargs) -> T:
            for tries_left in reversed(range(TRIES)):
                try:
                    with self.writing() as session:
                        return work(session, *args, **kwargs)
                except DBAPIError as error:
                    if not tries_left or not _was_given_up(error):
                        raise
                    log.warning("%s.%s is run again: %s", work.__module__, work.__qualname__, error.orig)
                time.sleep(random.uniform(0, PAUSE))
            raise AssertionError("the last try returns or raises")

        return whole


def is_lost(error: Exception) -> bool:
    """Whether it was the connection to the database that ended: whatever else is tried now would fail like it."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _was_given_up(error: DBAPIError) -> bool:
    busy = getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF == sqlite3.SQLITE_BUSY
    return busy or getattr(error.orig, "sqlstate", None) in GIVEN_UP


db = Database()
