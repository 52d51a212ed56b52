"""A player's own notes: kept, beside the board and at the foot of their turn letter, and for nobody else's eyes; a page
that is out of date overwrites nothing."""

import json
from datetime import timedelta
from functools import partial

import pytest

from service.config import Keep
from service.db import db, utcnow
from service.models import Game, Note, Person, Seat
from service.play import forgetting, holders, notes, tidying
from service.post import links, outbox
from tests.play import House, Player, Table, at_once, body, mail_of, mint
from tests.service.test_talk import everywhere, letters_to, watching

PLAN = "Buy the red ship, then wait"


@pytest.fixture
def table(one_house: House) -> Table:
    return one_house.begun(["Aiko", "Bruno", "Chidi"], moderator=("Mika", mail_of("Mika")))


def keep(player: Player, text: str = PLAN) -> None:
    assert text in player.see().press("Keep it", text=text).html


def test_notes_stand_beside_the_board_on_their_page_and_at_the_foot_of_the_turn_letter(table: Table):
    player = next(p for p in table.players if p is not table.to_move())
    keep(player, f"{PLAN}\nsend")
    assert PLAN in player.browser.get(player.url("/notes")).html
    while table.to_move() is not player:
        table.to_move().play()
    letter = player.letters("turn")[-1]
    assert f"YOUR NOTES\n\n> {PLAN}\n> send" in body(letter).replace("\r", "")  # quoted: it never reads like an answer
    assert PLAN in body(letter, "html")


def test_nobody_else_is_shown_them_by_any_way(table: Table):
    aiko, bruno, chidi = table.players
    keep(aiko)
    desk, spectator = table.house.browser(), watching(table)
    desk.get(table.desk_link())
    for player in (bruno, chidi):
        player.see()
        assert PLAN not in everywhere(table, player.browser, player.no)
    for browser in (desk, spectator):
        assert PLAN not in everywhere(table, browser)
    table.rush()
    for name in ("Bruno", "Chidi", "Mika"):
        assert PLAN not in letters_to(table.house, name)
    assert PLAN not in bruno.browser.get(f"/my/data/{bruno.seat.person_id}/file").html
    assert PLAN in aiko.browser.get(f"/my/data/{aiko.seat.person_id}/file").html
    assert PLAN not in aiko.browser.get(table.url("/export.json")).html


def test_whoever_takes_over_the_seat_finds_none(table: Table):
    bruno = table.player("Bruno")
    keep(bruno)
    with db.writing() as session:
        carla = Person(mail=mail_of("Carla"), given="Carla", confirmed_at=utcnow())
        session.add(carla)
        session.flush()
        seat = session.get_one(Seat, bruno.seat.id)
        holders.take_over(session, session.get_one(Game, seat.game_id), seat, carla)
    assert not table.house.all(Note)
    browser = table.house.browser()
    browser.get(mint(table.house, links.mint_seat, table.seats()[1]))
    assert PLAN not in everywhere(table, browser, 1)


def test_a_page_that_is_out_of_date_overwrites_nothing_and_shows_both(table: Table):
    aiko = table.player("Aiko")
    page = aiko.see()
    keep(aiko)
    refused = page.press("Keep it", text="Something else")
    assert refused.status == 409
    assert "Something else" in refused.html
    assert PLAN in refused
    assert table.house.one(Note).text == PLAN
    assert "Both of it" in refused.press("Keep it", text="Both of it").html
    assert table.house.one(Note).text == "Both of it"


def test_the_script_is_answered_in_its_own_words_and_what_is_too_long_is_not_lost(table: Table):
    aiko = table.player("Aiko")
    url, data = aiko.see().request("Keep it", text=PLAN)
    quietly = {"headers": {"Accept": "application/json"}}
    assert aiko.browser.post(url, data, **quietly).response.json == {"kept": True, "revision": 1}
    assert aiko.browser.post(url, data | {"text": "x"}, **quietly).status == 409
    data |= {"revision": "1", "text": "y" * 4001}
    assert "4001" in json.loads(aiko.browser.post(url, data, **quietly).html)["why"]
    page = aiko.browser.post(url, data)
    assert page.status == 400
    assert "y" * 4001 in page.html
    assert table.house.one(Note).text == PLAN


@pytest.mark.both_databases
def test_of_two_windows_that_write_at_once_one_is_told(house: House):
    table = house.begun(["Aiko", "Bruno"])
    aiko = table.player("Aiko")
    url, data = aiko.see().request("Keep it")
    posts = [partial(aiko.browser.twin().post, url, data | {"text": text}) for text in ("one", "two")]
    assert sorted(page.status for page in at_once(posts)) == [200, 409]
    assert house.one(Note).revision == 1


def test_a_line_is_added_by_mail(table: Table):
    aiko = table.player("Aiko")
    keep(aiko)
    assert "It stands under your notes." in body(aiko.answer("note and sell the tea"))
    assert table.house.one(Note).text == f"{PLAN}\nand sell the tea"


def test_notes_are_forgotten_with_their_writer_and_long_after_the_game(table: Table):
    aiko, bruno, _ = table.players
    for player in (aiko, bruno):
        keep(player)
    assert aiko.seat.person_id is not None
    outbox.transaction(forgetting.forget)(aiko.seat.person_id, utcnow())
    assert [note.person_id for note in table.house.all(Note)] == [bruno.seat.person_id]
    with db.writing() as session:
        session.get_one(Game, table.game().id).finished_at = utcnow()
    tidying.tidy(Keep(), utcnow() + timedelta(days=Keep().letters - 1))
    assert table.house.all(Note)
    tidying.tidy(Keep(), utcnow() + timedelta(days=Keep().letters + 1))
    assert not table.house.all(Note)


def test_what_is_out_of_date_says_so_in_any_case(table: Table):
    with db.writing() as session, pytest.raises(notes.OutOfDate):
        notes.keep(session, session.get_one(Seat, table.seats()[0].id), PLAN, 7, utcnow())
