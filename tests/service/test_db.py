"""The database may go away and come back: whoever asks next gets an answer."""

import time

import pytest
from sqlalchemy import create_engine, text

from service import db as database
from service.db import Database


def test_a_connection_cut_while_it_rested_is_replaced_without_anybody_noticing(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(database, "RESTED", 0.0)
    db = Database()
    db.configure(postgres_url)
    ask = text("SELECT pg_backend_pid()")
    with db.reading() as session:
        first = session.execute(ask).scalar()
    with create_engine(postgres_url, isolation_level="AUTOCOMMIT").connect() as other:
        assert other.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": first}).scalar()
        gone = text("SELECT count(*) FROM pg_stat_activity WHERE pid = :pid")
        while other.execute(gone, {"pid": first}).scalar():
            time.sleep(0.01)
    with db.writing() as session:
        assert session.execute(ask).scalar() != first
    db.close()
