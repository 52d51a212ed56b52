"""How Alembic finds the database and the models."""

from typing import Any

from alembic import context
from sqlmodel import SQLModel

import service.models  # noqa: F401  (fills the metadata)
from service.config import Settings
from service.db import make_engine

ONE_AT_A_TIME = 0x68696B79  # the number of the lock that all who migrate wait for
PATIENCE = 60_000  # milliseconds, for SQLite, whose transactions are such a lock


def run(connection: Any) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({ONE_AT_A_TIME})")
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


# The url comes from `hikyaku migrate`; the alembic command by itself reads the settings.
url = context.config.get_main_option("sqlalchemy.url") or Settings.from_env().database_url
engine = make_engine(url)
with engine.connect() as own:
    if own.dialect.name == "sqlite":
        # A column is changed by making its table anew: what hangs on the old table must not go with it.
        own.connection.driver_connection.execute("PRAGMA foreign_keys=OFF")
        own.connection.driver_connection.execute(f"PRAGMA busy_timeout={PATIENCE}")
    with own.begin():
        run(own)
engine.dispose()
