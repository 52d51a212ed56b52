"""What every test can ask for. The servers themselves are in tests/servers.py."""

import gc
from zlib import crc32

import pytest

from service.post import picture, words
from service.web.pages import start
from tests import servers
from tests.engine.tables import THOROUGH
from tests.madeup import abroad, made_up
from tests.play import house, mail_house, one_house, public_house
from tests.servers import (
    browser,
    chromium,
    database_url,
    mail_server,
    migrated_sqlite,
    postgres,
    postgres_url,
    redis_of_the_session,
    redis_server,
    sqlite_url,
)

gc.disable()  # until all tests are collected: nearly all that comes to be until then stays

__all__ = [
    "abroad",
    "browser",
    "chromium",
    "database_url",
    "house",
    "made_up",
    "mail_house",
    "mail_server",
    "migrated_sqlite",
    "one_house",
    "postgres",
    "postgres_url",
    "public_house",
    "redis_of_the_session",
    "redis_server",
    "sqlite_url",
]


@pytest.fixture(autouse=True)
def loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a test goes, a sentence without words is an error and not a neutral phrase."""
    monkeypatch.setattr(words, "strict", True)


@pytest.fixture
def pictures() -> None:
    """For a test that is about pictures: all others are spared the work of drawing them, and what a page has kept of
    theirs is none."""
    start._drawn.cache_clear()


@pytest.fixture(autouse=True)
def nothing_drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "pictures" not in request.fixturenames:
        monkeypatch.setattr(picture, "of", lambda *board: b"pixels")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Both kinds of database where tables, locks or transactions are what a test is about; else one of them, each for
    about half of the tests, so that every page is met on both by one test or another."""
    if "database_url" in metafunc.fixturenames:
        both = THOROUGH or metafunc.definition.get_closest_marker("both_databases")
        one = servers.DATABASES[crc32(metafunc.function.__name__.encode()) % 2]
        metafunc.parametrize("database_url", servers.DATABASES if both else [one], indirect=True)


SERVERS = {"browser", "chromium", "mail_server", "postgres", "redis_server", "database_url", "sqlite_url"}
WHOLE_GAMES = {"conformance", "golden", "saves"}
LONGEST = {"test_image.py", "test_up.py", "test_stress.py", "test_whole_game.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow is what asks for a server, a database or a browser, or plays whole games; all else is in `make quick`.
    The longest come first: at the end they would keep one core busy and leave the others idle."""
    for item in items:
        asks_for = set(getattr(item, "fixturenames", ()))
        if asks_for & SERVERS or WHOLE_GAMES & set(item.path.parts):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """What was imported stays: looking for rubbish in it again and again would take a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if missing := sum(servers.NO_BROWSER in str(report.longrepr) for report in skipped):
        terminalreporter.write_line(
            f"NOT TESTED in a browser: {missing} tests need Chromium (in PATH, or its path in HIKYAKU_CHROMIUM)",
            yellow=True,
            bold=True,
        )
