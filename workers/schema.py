"""The shape of the tables: brings a database to the newest migration, or back. Knows Alembic, and no table by name."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.engine import make_url

from service import shape


def upgrade(database_url: str) -> None:
    """To the newest migration. A database that is there already is left as it is."""
    _make_room(database_url)
    command.upgrade(_config(database_url), "head")


def downgrade(database_url: str, revision: str) -> None:
    """Back to an older migration, for the case that an upgrade must be undone."""
    command.downgrade(_config(database_url), revision)


def current(database_url: str) -> str | None:
    """The revision the database is at; None for an empty one."""
    engine = create_engine(database_url)
    try:
        with engine.connect() as connection:
            return shape.current(connection)
    finally:
        engine.dispose()


def _config(database_url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(shape.MIGRATIONS))
    config.set_main_option("sqlalchemy.url", database_url.replace("%", "%%"))
    return config


def _make_room(database_url: str) -> None:
    """SQLite makes the file, but not the folder it lies in."""
    url = make_url(database_url)
    if url.get_backend_name() == "sqlite" and url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
