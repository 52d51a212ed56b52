"""Once more with the same people: one table however many ask, the seats one further, and all told who asked."""

from datetime import timedelta
from functools import partial

import pytest
import time_machine

from service.db import db, utcnow
from service.models import Game, GameStatus, Letter, Person, Seat, SeatStatus
from service.play import rematch
from service.post import blocked, links
from tests.play import LINK, House, Page, Table, at_once, body, mail_of, mint


def ended(house: House, *names: str) -> Table:
    """A game that was ended early: a rematch needs its people and not its points."""
    table = house.begun(list(names), name="crew", options={})
    for player in table.players:
        if not player.seat.bot:
            player.browser.get(mint(house, links.mint_seat, player.seat))
    house.execute("UPDATE game SET status = 'finished', finished_at = :now, version = 1", now=utcnow())
    return table


def page_of(table: Table, name: str) -> Page:
    player = table.player(name)
    return player.browser.get(player.url("/rematch"))


def again(table: Table) -> list[Game]:
    return table.house.all(Game, Game.rematch_of == table.game().id)


def test_a_rematch_has_the_same_people_and_settings_with_the_seats_one_further(house: House):
    table = ended(house, "Aiko", "Bruno", "Chidi")
    before = house.dump()
    page = page_of(table, "Bruno")
    assert house.dump() == before
    page = page.press("Yes, once more")
    assert "You are in" in page
    (new,) = again(table)
    seats = house.all(Seat, Seat.game_id == new.id)
    assert [seat.name for seat in seats] == ["Bruno", "Chidi", "Aiko"]
    assert [seat.status for seat in seats] == [SeatStatus.ACCEPTED, SeatStatus.INVITED, SeatStatus.INVITED]
    assert [seat.typed_by for seat in seats] == [None] * 3  # who asks learns nobody's address
    assert mail_of("Aiko") not in page.browser.get(f"/g/{new.public_id}/organise").html
    old = table.game()
    assert (new.kind, new.options, new.pace, new.name) == (old.kind, old.options, old.pace, old.name)
    letter = body(house.letters(mail_of("Aiko"), "invitation")[-1])
    assert "Bruno invites you" in letter
    assert "by mail. It is a rematch: the same people and settings" in " ".join(letter.split())
    aiko = table.player("Aiko")
    assert "Bruno has asked for it. The same people" in aiko.browser.get(table.url("/result?seat=0"))
    assert "You are in." in page_of(table, "Bruno").press("To that table")
    page_of(table, "Aiko").press("Yes, once more")
    page_of(table, "Chidi").press("Yes, once more")
    (new,) = again(table)
    assert new.status is GameStatus.RUNNING


@pytest.mark.both_databases
def test_one_table_comes_of_it_however_many_ask_at_once(house: House):
    table = ended(house, "Aiko", "Bruno", "Chidi")
    pages = [page_of(table, name) for name in ("Aiko", "Bruno", "Chidi")]
    answers = at_once([partial(page.press, "Yes, once more") for page in pages])
    assert [page.status for page in answers] == [200, 200, 200]
    (new,) = again(table)
    assert new.status is GameStatus.RUNNING
    assert len(house.all(Letter, Letter.kind == "organiser", Letter.game_id == new.id)) == 1


def test_who_left_is_not_asked_and_bots_stay_bots(house: House):
    table = ended(house, "Aiko", "Bruno", "Chidi", "Robo*")
    bruno, chidi = table.player("Bruno").seat, house.one(Person, Person.mail == mail_of("Chidi"))
    house.execute("UPDATE seat SET person_id = NULL, resigned_at = :now WHERE id = :id", id=bruno.id, now=utcnow())
    with db.writing() as session:
        blocked.block(session, house.settings, chidi.address)
    page_of(table, "Aiko").press("Yes, once more")
    (new,) = again(table)
    seats = {seat.no: seat for seat in house.all(Seat, Seat.game_id == new.id)}
    assert [seats[no].status for no in range(4)] == [
        SeatStatus.OPEN,
        SeatStatus.OPEN,
        SeatStatus.ACCEPTED,
        SeatStatus.ACCEPTED,
    ]
    assert seats[2].bot
    assert seats[2].name == "Robo"
    assert new.code


def test_a_rematch_is_for_weeks_and_one_that_was_called_off_makes_room_for_another(house: House):
    table = ended(house, "Aiko", "Bruno")
    page = page_of(table, "Aiko").press("Yes, once more")
    (new,) = again(table)
    page.browser.get(f"/g/{new.public_id}/organise").press("Call the game off for good")
    page_of(table, "Bruno").press("Yes, once more")
    (newer,) = again(table)
    assert newer.id != new.id
    other = ended(house, "Chidi", "Dana")
    page = page_of(other, "Chidi")
    with time_machine.travel(utcnow() + rematch.ASKED_FOR_WITHIN + timedelta(minutes=1)):
        assert page.press("Yes, once more").status == 400
        assert "too long ago" in page_of(other, "Chidi")
    assert again(other) == []


def test_the_last_letter_leads_to_the_button_and_changes_nothing_by_itself(house: House):
    table = house.begun(["Aiko", "Bruno"])
    table.rush()
    (letter,) = house.letters(mail_of("Aiko"), "over")
    assert "Once more with the same people" in body(letter)
    link = next(link for link in LINK.findall(body(letter)) if f"{link}?to=rematch" in body(letter))
    before = house.dump("link")
    page = house.browser().get(f"{link}?to=rematch")
    assert house.dump("link") == before
    assert page.url.endswith("/rematch")
    assert "/rematch" in page.browser.get(table.url("/result")).html
    page.press("Yes, once more")
    assert len(again(table)) == 1
