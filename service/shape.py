"""The shape of the tables: the one they have, and the one this version needs. Only looks:
workers/schema.py changes it. Most processes never ask, and start without what reads migrations."""

from functools import cache
from pathlib import Path

from sqlalchemy import Connection

MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"


def newest() -> str | None:
    """The revision this version of the code works with."""
    return _steps()[0]


def current(connection: Connection) -> str | None:
    """The revision the database is at; None for an empty one."""
    from alembic.runtime.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


def complaint(connection: Connection) -> str:
    """What is wrong with the shape of the tables, and what to do about it; nothing if they are as they should be."""
    here = current(connection)
    if here == newest():
        return ""
    if here is not None and here not in _steps():
        return f"is at {here}, which is newer than this version: run the version that made it so, or go back with it"
    return f"is at {here or 'nothing'} and this version needs {newest()}: run `hikyaku migrate`"


@cache
def _steps() -> list[str]:
    """All revisions that are known here, the newest first."""
    from alembic.script import ScriptDirectory

    return [step.revision for step in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]
