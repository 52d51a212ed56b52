"""Things end, each after its time; and nothing that was played, or that somebody may still need, is lost by it."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from sqlmodel import Session, select

from service.config import Keep
from service.db import db
from service.models import Attempt, Game, GameStatus, Heartbeat, Letter, LetterStatus, Link, Person, Reading, Received
from service.play import record, tidying
from service.post import links, outbox
from tests.play import House, body, link_in, mail_of, mint
from workers import timekeeper

pytestmark = pytest.mark.both_databases

KEEP = Keep()
NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
LATER = NOON + timedelta(days=300)  # a browser keeps its cookies for a year


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=999))
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@outbox.transaction
def finish(session: Session, game_id: int) -> None:
    game = record.lock(session, game_id)
    record.finish_early(session, game, record.seats_of(session, game))


def test_what_was_played_stays_as_it_is(house: House, clock: time_machine.Traveller):
    table = house.begun(["Aiko", "Bruno"])
    for player in table.players:
        player.follow_link()
    table.rush(8)
    finish(table.game().id)
    clock.move_to(LATER)
    aiko = table.player("Aiko")
    pages = [aiko.url(), *map(table.url, ("/log", "/replay?version=3", "/result", "/export.json"))]
    before = {url: aiko.browser.get(url) for url in pages}
    kept = house.dump("letter", "attempt", "link", "returnaddress")
    assert all(ended for what, ended in tidying.tidy(KEEP, LATER).items() if what in ("attempts", "letters", "links"))
    assert house.dump("letter", "attempt", "link", "returnaddress") == kept
    for url, page in before.items():
        again, there = aiko.browser.get(url), page.text.replace("You were last written to 300 days ago. ", "")
        assert (page.status, again.status, again.text) == (200, 200, there), url


def test_of_the_links_to_one_place_those_stay_that_somebody_holds(house: House, clock: time_machine.Traveller):
    table = house.begun(["Aiko", "Bruno"])
    bruno = table.player("Bruno")
    bruno.follow_link()
    table.rush(12, letters=True)
    old = [link_in(letter) for letter in bruno.letters("turn")]
    newest = bruno.link()
    many = len(house.all(Link))
    clock.move_to(LATER)
    assert tidying.tidy(KEEP, LATER)["links"] == many - len(house.all(Link)) > 10
    places = Counter(tuple(getattr(link, name) for name in links.PLACE) for link in house.all(Link))
    assert max(places.values()) == 2
    assert bruno.browser.get(bruno.url()).status == 200  # by the first letter, which this browser has opened
    assert house.browser().get(newest).status == 200
    late = house.browser().get(old[len(old) // 2])
    assert late.status == 403
    assert "not valid, or not any more" in late
    assert "On its way" in late.press("Mail me my links", mail=bruno.mail).text or house.letters(bruno.mail, "links")


def test_who_opens_a_later_letter_first_keeps_the_seat_too(house: House, clock: time_machine.Traveller):
    table = house.begun(["Aiko", "Bruno"])
    table.rush(9, letters=True)
    bruno = table.player("Bruno")
    middle = link_in(bruno.letters("turn")[1])
    assert bruno.browser.get(middle).status == 200
    clock.move_to(LATER)
    tidying.tidy(KEEP, LATER)
    assert bruno.browser.get(bruno.url()).status == 200
    assert house.browser().get(middle).status == 403
    house.execute("UPDATE link SET revoked_at = created_at")
    assert bruno.browser.get(bruno.url()).status == 403


def test_an_old_way_to_stop_letters_says_how_to_get_a_new_one(house: House):
    page = house.browser().get("/u/" + "x" * 43)
    assert page.status == 403
    assert "This link is too old." in page
    assert any(form.action == "/links" for form in page.forms)


def test_a_game_that_never_began_is_called_off_and_later_deleted(house: House, clock: time_machine.Traveller):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    table.player("Bruno").accept()
    other = house.begun(["Dora", "Emil"])
    clock.shift(timedelta(days=KEEP.invited - 1))
    house.run("sweep")
    assert table.game().status is GameStatus.INVITED
    clock.shift(timedelta(days=2))
    house.run("sweep")
    assert table.game().status is GameStatus.CANCELLED
    (letter,) = house.letters(mail_of("Bruno"), "lapsed")
    assert "has waited 60 days for everybody to accept" in " ".join(body(letter).split())
    assert house.letters(mail_of("Aiko"), "lapsed")
    assert not house.letters(mail_of("Chidi"), "lapsed")  # who has never said anything is left in peace
    clock.shift(timedelta(days=KEEP.invited + 1))
    house.run("sweep")
    assert [game.public_id for game in house.all(Game)] == [other.public_id]
    assert {person.name for person in house.all(Person)} >= {"Dora", "Emil"}
    clock.shift(timedelta(days=KEEP.people))
    house.run("sweep")
    assert {person.name for person in house.all(Person)} == {"Dora", "Emil"}
    assert {letter.game_id for letter in house.all(Letter)} == {other.game().id}


def test_letters_of_a_game_that_goes_on_stay_without_their_bodies(house: House, clock: time_machine.Traveller):
    table = house.begun(["Aiko", "Bruno"])
    table.rush(4)
    keys = {letter.key for letter in house.all(Letter)}
    house.browser().get("/links").press("Mail me my links", mail=mail_of("Aiko"))
    clock.move_to(LATER)
    ended = tidying.tidy(KEEP, LATER)
    assert ended["attempts"] > 0
    assert ended["letters"] == 1  # the one about no game
    assert house.all(Attempt) == []
    assert {letter.key for letter in house.all(Letter)} == keys
    assert {letter.source for letter in house.all(Letter)} == {None}


def test_messages_that_came_in_go_once_they_are_read(house: House, clock: time_machine.Traveller):
    player = house.begun(["Aiko", "Bruno*"]).player("Aiko")
    player.answer("1")
    with house.lose():
        player.answer("undo")
    clock.shift(timedelta(days=15))
    tidying.tidy(Keep(), datetime.now(UTC))
    assert [row.status for row in house.all(Received)] == [Reading.WAITING]


def test_a_letter_on_its_way_is_never_tidied_away(house: House, clock: time_machine.Traveller):
    table = house.begun(["Aiko", "Bruno"])
    with house.hold():
        house.browser().get("/links").press("Mail me my links", mail=mail_of("Aiko"))
    house.execute("UPDATE game SET status = 'finished', finished_at = created_at")
    tidying.tidy(KEEP, LATER)
    assert [(left.kind, left.status) for left in house.all(Letter)] == [("links", LetterStatus.WAITING)]
    assert table.game().status is GameStatus.FINISHED


def test_the_operator_and_whoever_was_written_to_lately_are_no_strangers(house: House, clock: time_machine.Traveller):
    with db.writing() as session:
        for name in ("operator", "lately", "stale", "new"):
            session.add(Person(mail=f"{name}@example.org", given=name))
    people = {person.name: person for person in house.all(Person)}
    mint(house, links.mint_operator, people["operator"])
    clock.move_to(LATER)
    with db.writing() as session:
        session.add(Letter(key="x", kind="links", person_id=people["lately"].id))
        session.add(session.exec(select(Person).where(Person.given == "new")).one())
    house.execute("UPDATE person SET created_at = :now WHERE name = 'new'", now=LATER.strftime("%Y-%m-%d %H:%M:%S"))
    tidying.tidy(KEEP, LATER)
    assert {person.name for person in house.all(Person)} == {"operator", "lately", "new"}


def test_it_goes_in_small_steps_and_a_second_time_finds_nothing(
    house: House, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
):
    house.begun(["Aiko", "Bruno"]).rush(12, letters=True)
    monkeypatch.setattr(tidying, "BATCH", 3)
    monkeypatch.setattr(tidying, "MOST", 10)
    sizes: list[int] = []
    monkeypatch.setattr(tidying, "_delete", _counting(tidying._delete, sizes))
    clock.move_to(LATER)
    timekeeper.sweep()
    assert max(sizes) == 3
    (tidied,) = house.all(Heartbeat, Heartbeat.name == "tidying")
    for _ in range(9):
        clock.shift(timekeeper.TIDY_ON)  # there was more than one go takes
        timekeeper.sweep()
    before = house.dump("heartbeat")
    assert house.all(Attempt, Attempt.at < LATER) == []
    tidying.tidy(KEEP, datetime.now(UTC))
    assert house.dump("heartbeat") == before
    assert tidied.at < house.one(Heartbeat, Heartbeat.name == "tidying").at


def _counting(delete, sizes: list[int]):
    def counted(model, ids, where=()):
        sizes.append(len(ids))
        delete(model, ids, where)

    return counted


def test_it_comes_once_a_day_and_its_failure_fails_no_sweep(
    one_house: House, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    came = []

    def fails(keep: Keep, now: datetime) -> dict[str, int]:
        came.append(now)
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(tidying, "tidy", fails)
    for _ in range(5):
        timekeeper.sweep()
        clock.shift(timedelta(hours=12))
    assert len(came) == 3
    assert "could not be tidied away" in caplog.text
