"""The tables come and go by migrations alone, the same on both kinds of database."""

from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect
from sqlmodel import SQLModel

import service.models  # noqa: F401  (fills the metadata)
from service.db import make_engine
from workers import schema


def tables(url: str) -> set[str]:
    engine = make_engine(url)
    try:
        return set(inspect(engine).get_table_names()) - {"alembic_version"}
    finally:
        engine.dispose()


def test_migrations_make_exactly_the_tables_the_models_describe(database_url: str):
    engine = make_engine(database_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []
    engine.dispose()


def test_every_migration_can_be_undone_and_made_again(database_url: str):
    before = tables(database_url)
    assert before
    schema.downgrade(database_url, "base")
    assert tables(database_url) == set()
    assert schema.current(database_url) is None
    schema.upgrade(database_url)
    assert tables(database_url) == before
    assert schema.current(database_url) == schema.newest()


def test_migrating_twice_changes_nothing(database_url: str):
    before = tables(database_url)
    schema.upgrade(database_url)
    assert tables(database_url) == before


def test_the_folder_of_a_new_sqlite_database_is_made(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/deep/down/hikyaku.db"
    schema.upgrade(url)
    assert schema.current(url) == schema.newest()
