"""One database, two ways in: `reading()` for pages, `writing()` for whatever must happen whole or not at all.

PostgreSQL in production, SQLite embedded: the same code on both. A writer takes its lock when it begins, so two
writers never find out at the end that they were in each other's way.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Engine, create_engine, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.types import TypeDecorator
from sqlmodel import Session

from service.config import Settings

RESTED = 2.0  # seconds
PRAGMAS = ["journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL", "busy_timeout=15000"]


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
        return _check_rested(create_engine(url, pool_size=5, max_overflow=10, pool_recycle=1800))
    engine = create_engine(url, connect_args={"timeout": 15, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # the driver must not begin transactions behind our back
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN IMMEDIATE"))

    return engine


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

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = make_engine(self._url or Settings.from_env().database_url)
        return self._engine

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A consistent look at the tables; what is changed here is thrown away."""
        with Session(self.engine.execution_options(begin="BEGIN"), expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction: committed at the end of the block, rolled back by an exception."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session


db = Database()
