"""A transaction that the database gave up for another one is run again: nobody notices, and everything happens once."""

import ast
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
import time_machine
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError
from sqlmodel import SQLModel

from service import db as database
from service.db import Database, db
from service.models import Heartbeat, Person
from service.play.clocks import Pace
from tests.play import House, Page, Table, link_in, mail_of, take_seat
from tests.service.test_desk import ask
from workers import timekeeper

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), grace=timedelta(hours=1), round_the_clock=True)
ROOT = Path(__file__).resolve().parent.parent.parent


@contextmanager
def every_transaction_given_up_once() -> Iterator[Counter[str]]:
    """The first try of each fails where it hurts most: when all is done but the commit. One that only looks is given up
    for nobody."""
    tries: Counter[str] = Counter()

    def give_up(connection: Any) -> None:
        if database.LOOKING[connection.dialect.name].items() <= connection.get_execution_options().items():
            return
        tries["commits"] += 1
        if tries["commits"] % 2 == 0:
            return
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$")
        busy = sqlite3.OperationalError("database is locked")
        busy.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise OperationalError("COMMIT", None, busy)

    event.listen(db.engine, "commit", give_up)
    try:
        yield tries
    finally:
        event.remove(db.engine, "commit", give_up)


# --- every kind of writer. What comes before `yield` prepares the deed, what comes after it is the deed.

Deed = Iterator[None]


def settings(table: Table) -> Page:
    player = table.to_move()
    player.follow_link()
    return player.browser.get(player.url("/settings"))


def desk(table: Table) -> Page:
    return table.desk()


def confirm(page: Page, deed: str, **fields: Any) -> Page:
    return ask(page, deed, reason="Why not?", confirmed="yes", **fields)


def choosing(table: Table) -> Deed:
    page, choice = table.to_move().see(), table.to_move().best()[0]
    yield
    page.press(choice)


def taking_a_step_back(table: Table) -> Deed:
    page = table.to_move().choose(table.to_move().best()[0])
    yield
    page.press("Undo")


def sending_a_turn(table: Table) -> Deed:
    page = table.to_move().draft()
    yield
    assert "Your turn is played" in page.press("/send")


def saving_settings(table: Table) -> Deed:
    page = settings(table)
    yield
    page.press("Save", zone="Asia/Tokyo")


def saving_hours(table: Table) -> Deed:
    page = settings(table)
    yield
    page.press("Save my hours", **{"quiet-from": "20:00", "quiet-to": "07:00"})


def giving_orders(table: Table) -> Deed:
    page = settings(table)
    yield
    page.press("Keep these orders")


def going_away_and_coming_back(table: Table) -> Deed:
    page = settings(table)
    yield
    page = page.press("Announce", first="2026-06-10", last="2026-06-12")
    page = page.press("Announce", first="2026-06-15", last="2026-06-16")
    assert "Taken back" in page.press("Take back")


def voting_for_a_pause_and_its_end(table: Table) -> Deed:
    first, second = table.players
    first.follow_link()
    page = first.browser.get(first.url("/propose"))
    yield
    assert "Proposed." in confirm(page, "pause", days=14)
    assert "All agree" in second.follow_link().press("I agree")
    with time_machine.travel(NOON + timedelta(days=15), tick=False):
        timekeeper.sweep()


def making_a_calendar(table: Table) -> Deed:
    page = settings(table)
    yield
    page.press("Make a calendar address")


def voiding_links(table: Table) -> Deed:
    page = settings(table)
    yield
    page.press("Void my links")


def asking_for_links(table: Table) -> Deed:
    page = table.house.browser().get("/links")
    yield
    page.press("Mail me my links", mail=table.players[0].mail)


def unsubscribing(table: Table) -> Deed:
    page = table.house.browser().get(link_in(table.to_move().letters("turn")[-1], "u"))
    yield
    page.press("No letters about any of my games")
    (person,) = table.house.all(Person, Person.mail == table.to_move().mail)
    assert not person.turn_letters


def making_a_game_and_answering(table: Table) -> Deed:
    yield
    made = table.house.game([player.name for player in table.players])
    made.players[0].accept()
    made.organise().press("Send the invitation again", seat="1")
    made.players[1].decline()
    made.organise().press("Invite them instead", seat="1", name="Somebody", mail=mail_of("Somebody"))
    made.organise().press("Make a link for spectators")


def starting_with_fewer(table: Table) -> Deed:
    made = table.house.game([*(player.name for player in table.players), "Late", "Later"])
    for player in made.players[:2]:
        player.accept()
    yield
    assert "The game has begun" in made.organise().press("Start with those who accepted")


def calling_off(table: Table) -> Deed:
    made = table.house.game([player.name for player in table.players])
    yield
    made.organise().press("Call the game off")


def beginning_a_sample(table: Table) -> Deed:
    table.house.browser().get("/").press("people", kind="osaka")
    page = table.house.browser().get("/")
    yield
    page.press("people", kind="osaka")


def ruling(table: Table) -> Deed:
    page, no = desk(table), table.to_move().no
    yield
    ask(page, "extend", reason="Looking only.", seat=no, hours=3)
    for name, fields in (
        ("extend", {"seat": no, "hours": 3}),
        ("auto-pass", {"seat": no}),
        ("rewind", {"version": 0}),
        ("pause", {"days": 3}),
        ("resume", {}),
        ("bot", {"seat": no}),
        ("end", {"result": "on"}),
    ):
        assert confirm(page.browser.get(page.url), name, **fields).status in (200, 400)


def taking_over(table: Table) -> Deed:
    confirm(desk(table), "substitute", seat=1, name="Chidi", mail=mail_of("Chidi"))
    (letter,) = table.house.letters(mail_of("Chidi"), "offer")
    page = table.house.browser().get(link_in(letter))
    yield
    assert "The seat is yours" in take_seat(page)


def refusing_to_take_over(table: Table) -> Deed:
    page = desk(table)
    yield
    confirm(page, "substitute", seat=1, name="Chidi", mail=mail_of("Chidi"))
    (letter,) = table.house.letters(mail_of("Chidi"), "offer")
    assert "You have declined" in table.house.browser().get(link_in(letter)).press("No, thank you")


def sweeping(table: Table) -> Deed:
    yield
    for hours in (4, 6, 7):  # a reminder, late, out of time
        with time_machine.travel(NOON + timedelta(hours=hours), tick=False):
            timekeeper.sweep()
    assert table.game().version == 1


def forgiving_an_outage(table: Table) -> Deed:
    timekeeper.sweep()
    table.house.patch.setattr(timekeeper, "OUTAGE", timedelta(minutes=15))
    yield
    with time_machine.travel(NOON + timedelta(hours=2), tick=False):
        timekeeper.sweep()


def finding_what_the_queue_lost(table: Table) -> Deed:
    with table.house.lose():
        table.to_move().play()
    yield
    with time_machine.travel(NOON + timedelta(minutes=2), tick=False):
        timekeeper.sweep()
    assert table.game().version == 1


DEEDS: list[Callable[[Table], Deed]] = [
    choosing,
    taking_a_step_back,
    sending_a_turn,
    saving_settings,
    saving_hours,
    giving_orders,
    going_away_and_coming_back,
    voting_for_a_pause_and_its_end,
    making_a_calendar,
    voiding_links,
    asking_for_links,
    unsubscribing,
    making_a_game_and_answering,
    starting_with_fewer,
    calling_off,
    beginning_a_sample,
    ruling,
    taking_over,
    refusing_to_take_over,
    sweeping,
    forgiving_an_outage,
    finding_what_the_queue_lost,
]


def rows(house: House) -> Counter[str]:
    return Counter({name: len(found) for name, found in house.dump().items()})


def outcome(house: House, deed: Callable[[Table], Deed], *, disturbed: bool) -> dict[str, Any]:
    """What the deed leaves behind: how many rows of each kind, what was posted, and what the game has come to."""
    for each in reversed(SQLModel.metadata.sorted_tables):
        house.execute(f"DELETE FROM {each.name}")
    house.patch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    table = house.begun(["Aiko", "Bruno"], pace=PACE, policy="pass", moderator=("Mika", mail_of("Mika")))
    doing = deed(table)
    next(doing)
    before, posted = rows(house), len(house.posted)
    if disturbed:
        with every_transaction_given_up_once() as tries:
            assert next(doing, "done") == "done"
        assert tries["commits"] >= 2
    else:
        assert next(doing, "done") == "done"
    game = table.game()
    return {
        "rows": rows(house) - before,
        "posted": [task for task, _ in house.posted[posted:]],
        "game": (game.status, game.version, game.turn, game.saved, game.paused_at, game.proposals),
        "seats": [(s.asked, s.deadline, s.stage, s.misses, s.missed, s.relaid, s.bot) for s in table.seats()],
    }


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_every_writer_is_run_again_and_does_its_deed_once(
    house: House, deed: Callable[[Table], Deed], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(database, "PAUSE", 0.0)
    monkeypatch.setattr("service.play.turnclock.orders_delay", lambda: timedelta(minutes=3))
    with time_machine.travel(NOON, tick=False):
        undisturbed = outcome(house, deed, disturbed=False)
        assert outcome(house, deed, disturbed=True) == undisturbed


@pytest.mark.both_databases
def test_what_fails_again_and_again_is_an_error_in_the_end(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database, "PAUSE", 0.0)
    tries = []

    @db.transaction
    def hopeless(session: Any) -> None:
        tries.append(session)
        busy = sqlite3.OperationalError("database is locked")
        busy.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise OperationalError("BEGIN", None, busy)

    with pytest.raises(OperationalError):
        hopeless()
    assert len(tries) == len(set(map(id, tries))) == database.TRIES


@pytest.mark.both_databases
def test_only_what_the_database_gave_up_is_run_again(house: House):
    tries = []

    @db.transaction
    def wrong(session: Any) -> None:
        tries.append(session)
        session.execute(text("SELECT nonsense"))

    with pytest.raises(OperationalError if "sqlite" in str(db.engine.url) else Exception):
        wrong()
    assert len(tries) == 1


def test_a_writer_waits_for_a_sqlite_that_another_process_has_locked(sqlite_url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database, "PRAGMAS", [*database.PRAGMAS, "busy_timeout=50"])
    own = Database()
    own.configure(sqlite_url)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    Timer(0.1, lambda: other.execute("ROLLBACK")).start()
    beat = own.transaction(lambda session: session.add(Heartbeat(name="sweep", at=datetime.now(UTC))))
    started = time.monotonic()
    beat()
    assert time.monotonic() - started > 0.05
    with own.reading() as session:
        assert session.get(Heartbeat, "sweep") is not None
    own.close()
    other.close()


def test_no_writer_begins_a_transaction_that_is_not_run_again():
    """`writing` is one try; in the service and the workers only service/db.py may use it."""
    for folder in ("service", "workers"):
        for path in (ROOT / folder).rglob("*.py"):
            calls = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Attribute)]
            used = [n.lineno for n in calls if n.attr == "writing"]
            assert used == [] or path.name == "db.py", f"{path}:{used}: use db.transaction or outbox.transaction"
