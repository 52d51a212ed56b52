"""The database may go away and come back: whoever asks next gets an answer."""

import time
from datetime import timedelta

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import select

from service import db as database
from service.db import Database
from service.models import Heartbeat


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


@pytest.mark.both_databases
def test_a_page_reads_one_moment_whatever_is_written_meanwhile(database_url: str):
    db = Database()
    db.configure(database_url)
    count = text("SELECT count(*) FROM heartbeat")
    with db.reading() as page:
        assert page.execute(count).scalar() == 0
        with db.writing() as session:
            session.add(Heartbeat(name="sweep", at=database.utcnow()))
        assert page.execute(count).scalar() == 0
    with db.reading() as page:
        assert page.execute(count).scalar() == 1
    db.close()


def test_no_page_can_write_into_a_server(postgres_url: str):
    db = Database()
    db.configure(postgres_url)
    with db.reading() as page, pytest.raises(DBAPIError, match="read-only"):
        page.execute(text("DELETE FROM heartbeat"))
    with db.writing() as session:
        session.execute(text("DELETE FROM heartbeat"))
    db.close()


@pytest.mark.both_databases
def test_what_becomes_of_a_row_on_a_page_stays_there(database_url: str):
    db = Database()
    db.configure(database_url)
    at = database.utcnow()
    with db.writing() as session:
        session.add(Heartbeat(name="sweep", at=at))
    with db.reading() as page:
        page.get_one(Heartbeat, "sweep").at = at + timedelta(days=1)
        page.add(Heartbeat(name="page", at=at))
        assert page.execute(text("SELECT count(*) FROM heartbeat")).scalar() == 1
    with db.reading() as page:
        assert page.exec(select(Heartbeat.name, Heartbeat.at)).all() == [("sweep", at)]
    db.close()


def test_what_pages_ask_again_and_again_is_planned_once(postgres_url: str):
    db = Database()
    db.configure(postgres_url)
    for _ in range(10):
        with db.reading() as page:
            page.get(Heartbeat, "sweep")
    with db.reading() as page:
        prepared = page.execute(text("SELECT statement FROM pg_prepared_statements")).scalars().all()
    assert any("FROM heartbeat" in statement for statement in prepared)
    db.close()


@pytest.mark.both_databases
def test_no_error_names_what_was_asked_for(database_url: str):
    """It may be an address, or the token of a calendar."""
    db = Database()
    db.configure(database_url)
    with db.reading() as page, pytest.raises(DBAPIError) as error:
        page.execute(text("SELECT nothing FROM heartbeat WHERE name = :name"), {"name": "a-secret"})
    assert "a-secret" not in str(error.value)
    db.close()
