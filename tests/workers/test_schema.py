"""The tables come and go by migrations alone, the same on both kinds of database."""

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, inspect, text
from sqlmodel import Session, SQLModel, col, select

from service import shape
from service.db import make_engine
from service.models import (
    Answer,
    Game,
    GameStatus,
    Jury,
    Letter,
    Moderator,
    Outcome,
    Person,
    Proposal,
    Ruling,
    Seat,
    Submission,
    Vote,
)
from service.play import drafts, positions
from service.post.letters import KINDS
from service.post.told import in_words, ntold
from service.post.wishes import Wish
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


def test_indexes_of_a_few_rows_are_so_in_tables_and_models_alike(database_url: str):
    engine = make_engine(database_url)
    option, seen = f"{engine.name}_where", inspect(engine)
    for table in SQLModel.metadata.sorted_tables:
        here = {row["name"]: option in row.get("dialect_options", {}) for row in seen.get_indexes(table.name)}
        for index in table.indexes:
            assert here[index.name] == (index.dialect_kwargs.get(option) is not None), index.name
    engine.dispose()


def test_on_postgresql_pages_have_the_room_that_the_models_ask_for(postgres_url: str):
    engine = make_engine(postgres_url)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT relname, reloptions FROM pg_class WHERE relkind = 'r'"))
        found = {row.relname: row.reloptions for row in rows}
    engine.dispose()
    for table in SQLModel.metadata.sorted_tables:
        asked = table.dialect_kwargs.get("postgresql_with") or {}
        assert (found[table.name] or []) == [f"{name}={value}" for name, value in asked.items()], table.name


def test_every_migration_can_be_undone_and_made_again(database_url: str):
    before = tables(database_url)
    assert before
    schema.downgrade(database_url, "base")
    assert tables(database_url) == set()
    assert schema.current(database_url) is None
    schema.upgrade(database_url)
    assert tables(database_url) == before
    assert schema.current(database_url) == shape.newest()


def test_migrating_twice_changes_nothing(database_url: str):
    before = tables(database_url)
    schema.upgrade(database_url)
    assert tables(database_url) == before


def test_on_postgresql_who_migrates_waits_for_whoever_does_so_already(postgres_url: str):
    schema.downgrade(postgres_url, "base")
    engine = make_engine(postgres_url)
    waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    with ThreadPoolExecutor() as pool, engine.begin() as first:
        first.exec_driver_sql(f"SELECT pg_advisory_xact_lock({0x68696B79})")
        second = pool.submit(schema.upgrade, postgres_url)
        while not first.execute(waiting).scalar():
            assert not second.done(), "it did not wait"
        first.rollback()
        second.result(timeout=60)
    assert schema.current(postgres_url) == shape.newest()


def test_on_sqlite_too(sqlite_url: str):
    schema.downgrade(sqlite_url, "base")
    with ThreadPoolExecutor() as pool, make_engine(sqlite_url).begin() as first:
        second = pool.submit(schema.upgrade, sqlite_url)
        with pytest.raises(TimeoutError):
            second.result(timeout=0.5)
        first.rollback()
        second.result(timeout=60)
    assert schema.current(sqlite_url) == shape.newest()


def test_the_folder_of_a_new_sqlite_database_is_made(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/deep/down/hikyaku.db"
    schema.upgrade(url)
    assert schema.current(url) == shape.newest()


def brought_along(database_url: str, since: str, rows: Sequence[str]) -> Engine:
    """These rows of the tables as they were then, in those of today."""
    schema.downgrade(database_url, since)
    engine = make_engine(database_url)
    with engine.begin() as connection:
        for row in rows:
            connection.execute(text(row))
    schema.upgrade(database_url)
    return engine


def test_an_old_text_becomes_a_message_that_says_just_that(database_url: str):
    engine = brought_along(database_url, "0002", OLD_ROWS)
    with Session(engine) as session:
        ruling = session.exec(select(Ruling)).one()
        assert in_words(ruling.reason) == 'Ill, "100 %" so'
        assert in_words(ruling.effect) == "Ann has until Tue."
        refused, accepted = session.exec(select(Submission).order_by(col(Submission.id))).all()
        assert in_words(refused.reason or {}) == "The game is over."
        assert accepted.reason is None
        assert [seat.orders_stopped and in_words(seat.orders_stopped) for seat in session.exec(select(Seat))] == [
            "No red."
        ]
        assert in_words(session.exec(select(Letter)).one().about["played"]) == "pass."
        ruling.effect = ntold("%(num)s turn of %(name)s", "%(num)s turns of %(name)s", 2, name="Ann")
        session.add(ruling)
        session.commit()
    schema.downgrade(database_url, "0002")
    with engine.connect() as connection:
        told = connection.execute(text("SELECT reason, effect FROM ruling")).one()
        assert tuple(told) == ('Ill, "100 %" so', "2 turns of Ann")
        reasons = connection.execute(text("SELECT reason FROM submission ORDER BY id")).scalars().all()
        assert reasons == ["The game is over.", ""]
    engine.dispose()
    schema.upgrade(database_url)


def test_letters_on_their_way_become_those_of_their_new_kinds(database_url: str):
    engine = brought_along(database_url, "0003", [*OLD_ROWS[:2], *OLD_LETTERS])
    with Session(engine) as session:
        kinds = dict(session.exec(select(Letter.key, Letter.kind)).all())
        assert kinds == {"late:1:0:1": "late", "late:1:0:12": "delay", "desk:1:0": "out-of-time"}
        assert set(kinds.values()) <= KINDS.keys()
    engine.dispose()


def test_moderators_votes_and_letters_are_carried_over_and_back(database_url: str):
    engine = brought_along(database_url, "0005", [*OLD_ROWS[:2], *BEFORE_PROPOSALS])
    with Session(engine) as session:
        moderator = session.exec(select(Moderator)).one()
        assert (moderator.person_id, moderator.status) == (1, Answer.ACCEPTED)
        game = session.exec(select(Game)).one()
        assert (game.jury, game.proposals) == (Jury.PLAYER, 1)
        proposal = session.exec(select(Proposal)).one()
        assert (proposal.name, proposal.proposed_by, proposal.outcome) == ("pause", 1, Outcome.OPEN)
        assert proposal.about == {"paused": False, "people": [1, 2, 3]}
        assert [(vote.person_id, vote.agrees) for vote in session.exec(select(Vote))] == [(2, True)]
        told = {letter.kind: letter.about["ruling"] for letter in session.exec(select(Letter))}
        assert told == {"paused": 7, "ruled": 8}
    schema.downgrade(database_url, "0005")
    with engine.connect() as connection:
        row = connection.execute(text("SELECT moderator_id, pause_votes FROM game")).one()
        assert row.moderator_id == 1
        assert (json.loads(row.pause_votes) if isinstance(row.pause_votes, str) else row.pause_votes) == [0, 1]
    engine.dispose()
    schema.upgrade(database_url)


def test_days_away_announced_in_several_games_become_those_of_a_person(database_url: str):
    engine = brought_along(database_url, "0010", [*NEW_ROWS, *OLD_ABSENCES])
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT person_id, first, last FROM absence ORDER BY first")).all()
    assert [(row[0], str(row[1]), str(row[2])) for row in rows] == [
        (1, "2026-12-01", "2026-12-09"),
        (1, "2026-12-20", "2026-12-20"),
    ]
    schema.downgrade(database_url, "0010")
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT seat_id, first, last FROM absence ORDER BY seat_id, first")).all()
    assert [(row[0], str(row[1]), str(row[2])) for row in rows] == [
        (seat, first, last)
        for seat in (1, 2)
        for first, last in (("2026-12-01", "2026-12-09"), ("2026-12-20", "2026-12-20"))
    ]
    engine.dispose()


def test_a_game_that_was_broken_off_is_over_and_one_that_never_began_is_called_off(database_url: str):
    schema.downgrade(database_url, "0007")
    engine = make_engine(database_url)
    with engine.begin() as connection:
        for statement in NEW_ROWS[:2]:
            connection.execute(text(statement))
        begun = NEW_ROWS[1].replace("(1, 'aaaa'", "(2, 'bbbb'")
        connection.execute(text(begun))
        connection.execute(text("UPDATE game SET status = 'cancelled'"))
        connection.execute(text("UPDATE game SET saved = :saved WHERE id = 2"), {"saved": b"x"})
    schema.upgrade(database_url)
    statuses = text("SELECT status FROM game ORDER BY id")
    with engine.connect() as connection:
        assert connection.execute(statuses).scalars().all() == ["cancelled", "finished"]
    schema.downgrade(database_url, "0007")
    with engine.connect() as connection:
        assert connection.execute(statuses).scalars().all() == ["cancelled", "cancelled"]
    engine.dispose()
    schema.upgrade(database_url)


def test_whoever_has_accepted_something_has_confirmed_their_address_and_nobody_else(database_url: str):
    engine = brought_along(database_url, "0013", BEFORE_CONFIRMING)
    with Session(engine) as session:
        confirmed = session.exec(select(Person.given).where(col(Person.confirmed_at).is_not(None)))
        assert sorted(confirmed) == ["Ann", "Cy"]
        game = session.exec(select(Game)).one()
        game.status = GameStatus.MADE
        session.commit()
    schema.downgrade(database_url, "0013")
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM game")).scalar_one() == 0  # nobody knows what it would be
    engine.dispose()
    schema.upgrade(database_url)


def test_whoever_wanted_no_news_wants_no_letters_of_what_was_part_of_them_and_no_less_than_before_else(
    database_url: str,
):
    engine = make_engine(database_url)
    with Session(engine) as session:
        for name in ("Ann", "Ben"):
            session.add(Person(given=name, mail=f"{name}@a.example", created_at=datetime(2026, 11, 17, tzinfo=UTC)))
        session.commit()
    schema.downgrade(database_url, "0029")
    with engine.begin() as connection:
        connection.execute(text("UPDATE person SET news_letters = false WHERE name = 'Ann'"))
        connection.execute(text("UPDATE person SET turn_letters = false WHERE name = 'Ben'"))
    schema.upgrade(database_url)
    with Session(engine) as session:
        wanted = {person.given: {wish for wish in Wish if wish.of(person)} for person in session.exec(select(Person))}
    engine.dispose()
    assert wanted == {"Ann": {Wish.TURNS, Wish.REMINDERS}, "Ben": {Wish.OVER, Wish.NEWS, Wish.TALK}}


def test_every_position_of_a_running_game_is_carried_over_and_back(database_url: str):
    """One that ends in the middle of a batch, and another with the same numbers."""
    saves = {(game, version): f"{game}: {version}, and so on".encode() for game in (1, 2) for version in range(700)}
    engine = make_engine(database_url)
    games = [Game(id=number, public_id=f"{number}", kind="osaka", rules=1, organiser_id=1) for number in (1, 2)]
    rows = [{"game": game, "version": version, "data": data} for (game, version), data in saves.items()]
    with Session(engine) as session:
        session.add(Person(id=1, mail="a@a.example", given="Ann"))
        session.commit()
        session.add_all(games)
        session.commit()
    schema.downgrade(database_url, "0027")
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO snapshot VALUES (:game, :version, :data)"), rows)
    schema.upgrade(database_url)
    with Session(engine) as session:
        for (game, version), data in saves.items():
            assert positions.snapshot(session, session.get_one(Game, game), version) == data
    schema.downgrade(database_url, "0027")
    with engine.connect() as connection:
        kept = connection.execute(text("SELECT game_id, version, data FROM snapshot")).all()
    assert {(game, version): bytes(data) for game, version, data in kept} == saves
    engine.dispose()
    schema.upgrade(database_url)


def test_a_turn_that_was_sent_before_and_is_sent_again_after_is_still_the_same(database_url: str):
    choices = ["pass"]
    engine = make_engine(database_url)
    with Session(engine) as session:
        for row in (
            Person(id=1, mail="a@a.example", given="Ann"),
            Game(id=1, public_id="1", kind="osaka", rules=1, organiser_id=1),
            Seat(id=1, game_id=1, no=0, given="Ann", person_id=1, asked=3),
            Submission(game_id=1, seat_id=1, asked=3, choices=choices, digest=""),
        ):
            session.add(row)
            session.commit()
    schema.downgrade(database_url, "0030")
    whole = hashlib.sha256(msgspec.json.encode(choices)).hexdigest()
    with engine.begin() as connection:
        connection.execute(text("UPDATE submission SET digest = :whole"), {"whole": whole})
    schema.upgrade(database_url)
    with Session(engine) as session:
        assert session.exec(select(Submission.digest)).all() == [drafts._digest(choices)]
    engine.dispose()


NOW = "'2026-11-17 12:00:00'"
OLD_ROWS = [
    "INSERT INTO person (id, mail, name, zone, language, days_off, remind_at, turn_letters, news_letters, created_at)"
    f" VALUES (1, 'a@a.example', 'Ann', 'UTC', 'en', '[]', '[]', true, true, {NOW})",
    "INSERT INTO game (id, public_id, kind, name, options, rules, status, organiser_id, pace, policy, fallback,"
    " moderator_hours, bot_after, away_days, pause_votes, version, turn, created_at)"
    f" VALUES (1, 'aaaa', 'osaka', '', '{{}}', 1, 'running', 1, '{{}}', 'pass', 'pass', 24, 3, 21, '[]', 0, 0, {NOW})",
    "INSERT INTO seat (id, game_id, no, name, person_id, status, stage, trouble, reserve, relaid, misses, missed,"
    " orders, orders_stopped, moved_version)"
    " VALUES (1, 1, 0, 'Ann', 1, 'accepted', 'on-time', '', 0, 0, 0, 0, '{}', 'No red.', 0)",
    "INSERT INTO ruling (id, game_id, version, name, reason, effect, created_at)"
    f" VALUES (1, 1, 0, 'extend', 'Ill, \"100 %\" so', 'Ann has until Tue.', {NOW})",
    "INSERT INTO submission (id, game_id, seat_id, asked, choices, digest, verdict, reason, created_at, posted_at)"
    f" VALUES (1, 1, 1, 0, '[]', 'a', 'rejected', 'The game is over.', {NOW}, {NOW}),"
    f" (2, 1, 1, 0, '[]', 'b', 'accepted', '', {NOW}, {NOW})",
    "INSERT INTO letter (id, key, kind, person_id, game_id, about, status, created_at, due_at, attempts, error,"
    " subject)"
    f" VALUES (1, 'missed:1', 'missed', 1, 1, '{{\"played\": \"pass.\"}}', 'waiting', {NOW}, {NOW}, 0, '', '')",
]
OLD_LETTERS = [
    "INSERT INTO seat (id, game_id, no, name, person_id, status, stage, trouble, reserve, relaid, misses, missed,"
    " orders, moved_version)"
    " VALUES (1, 1, 0, 'Ann', 1, 'accepted', 'late', '', 0, 0, 0, 0, '{}', 0),"
    " (12, 1, 1, 'Bo', 1, 'accepted', 'on-time', '', 0, 0, 0, 0, '{}', 0)",
    "INSERT INTO letter (id, key, kind, person_id, game_id, seat_id, about, status, created_at, due_at, attempts,"
    " error, subject)"
    f" VALUES (1, 'late:1:0:1', 'late', 1, 1, 1, '{{\"late\": 0}}', 'waiting', {NOW}, {NOW}, 0, '', ''),"
    f" (2, 'late:1:0:12', 'late', 1, 1, 12, '{{\"late\": 0}}', 'waiting', {NOW}, {NOW}, 0, '', ''),"
    f" (3, 'desk:1:0', 'desk', 1, 1, 1, '{{}}', 'waiting', {NOW}, {NOW}, 0, '', '')",
]
BEFORE_PROPOSALS = [
    "INSERT INTO person (id, mail, name, zone, language, days_off, remind_at, turn_letters, news_letters, created_at)"
    f" VALUES (2, 'b@a.example', 'Bo', 'UTC', 'en', '[]', '[]', true, true, {NOW}),"
    f" (3, 'c@a.example', 'Cy', 'UTC', 'en', '[]', '[]', true, true, {NOW})",
    "UPDATE game SET moderator_id = 1, pause_votes = '[0, 1]'",
    "INSERT INTO seat (id, game_id, no, name, person_id, status, stage, trouble, reserve, relaid, misses, missed,"
    " orders, moved_version)"
    " VALUES (1, 1, 0, 'Ann', 1, 'accepted', 'on-time', '', 0, 0, 0, 0, '{}', 0),"
    " (2, 1, 1, 'Bo', 2, 'accepted', 'on-time', '', 0, 0, 0, 0, '{}', 0),"
    " (3, 1, 2, 'Cy', 3, 'accepted', 'on-time', '', 0, 0, 0, 0, '{}', 0)",
    "INSERT INTO ruling (id, game_id, version, name, reason, effect, created_at)"
    f" VALUES (7, 1, 0, 'pause', '{{}}', '{{}}', {NOW}), (8, 1, 0, 'rewind', '{{}}', '{{}}', {NOW})",
    "INSERT INTO letter (id, key, kind, person_id, game_id, seat_id, about, status, created_at, due_at, attempts,"
    " error, subject)"
    f" VALUES (1, 'paused:1', 'paused', 1, 1, 1, '{{}}', 'waiting', {NOW}, {NOW}, 0, '', ''),"
    f" (2, 'rewound:1', 'rewound', 1, 1, 1, '{{}}', 'waiting', {NOW}, {NOW}, 0, '', '')",
]
BEFORE_CONFIRMING = [
    OLD_ROWS[0],
    BEFORE_PROPOSALS[0],
    "INSERT INTO person (id, mail, name, zone, language, days_off, remind_at, turn_letters, news_letters, created_at)"
    f" VALUES (4, 'd@a.example', 'Di', 'UTC', 'en', '[]', '[]', true, true, {NOW})",
    "INSERT INTO game (id, public_id, kind, name, options, rules, status, organiser_id, jury, pace, policy, fallback,"
    " moderator_hours, bot_after, away_days, silent_rounds, silent_days, heard_version, proposals, version, turn,"
    " created_at)"
    " VALUES (1, 'aaaa', 'osaka', '', '{}', 1, 'invited', 4, 'outsider', '{}', 'pass', 'pass', 24, 3, 21, 1, 30, 0, 0,"
    f" 0, 0, {NOW})",
    "INSERT INTO seat (id, game_id, no, name, person_id, status, stage, trouble, reserve, relaid, misses, missed,"
    " orders, moved_version)"
    " VALUES (1, 1, 0, 'Ann', 1, 'accepted', 'on-time', '', 0, 0, 0, 0, '{}', 0),"
    " (2, 1, 1, 'Bo', 2, 'invited', 'on-time', '', 0, 0, 0, 0, '{}', 0)",
    "INSERT INTO moderator (id, game_id, person_id, status, created_at)"
    f" VALUES (1, 1, 3, 'accepted', {NOW}), (2, 1, 2, 'asked', {NOW})",
]
NEW_ROWS = [
    OLD_ROWS[0],
    OLD_ROWS[1]
    .replace("away_days,", "away_days, silent_rounds, silent_days, heard_version,")
    .replace("3, 21,", "3, 21, 1, 30, 0,"),
    "INSERT INTO seat (id, game_id, no, name, person_id, status, stage, trouble, reserve, relaid, misses, missed,"
    " orders, moved_version)"
    " VALUES (1, 1, 0, 'Ann', 1, 'accepted', 'on-time', '', 0, 0, 0, 0, '{}', 0),"
    " (2, 1, 1, 'Ann', 1, 'accepted', 'on-time', '', 0, 0, 0, 0, '{}', 0)",
]
OLD_ABSENCES = [
    "INSERT INTO absence (seat_id, first, last) VALUES (1, '2026-12-01', '2026-12-05'),"
    " (2, '2026-12-04', '2026-12-09'), (2, '2026-12-20', '2026-12-20')",
]
