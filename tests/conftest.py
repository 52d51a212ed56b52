"""What every test can ask for. The servers themselves are in tests/servers.py."""

import pytest

from tests import servers
from tests.play import house, mail_house
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

__all__ = [
    "browser",
    "chromium",
    "database_url",
    "house",
    "mail_house",
    "mail_server",
    "migrated_sqlite",
    "postgres",
    "postgres_url",
    "redis_of_the_session",
    "redis_server",
    "sqlite_url",
]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if missing := sum(servers.NO_BROWSER in str(report.longrepr) for report in skipped):
        terminalreporter.write_line(
            f"NOT TESTED in a browser: {missing} tests need Chromium (in PATH, or its path in HIKYAKU_CHROMIUM)",
            yellow=True,
            bold=True,
        )
