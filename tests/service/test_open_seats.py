"""Seats for whoever comes: found by a link or a code, taken through a letter, refused by the organiser, and confirmed
once more before the first turn."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import time_machine

from service.models import GameStatus, Letter, Person, SeatStatus
from service.play import joining
from tests.play import HERE, House, Page, Table, at_once, body, link_in, mail_of
from workers import timekeeper

NOON = datetime(2030, 1, 7, 12, tzinfo=UTC)


def opened(house: House, *names: str, open: int = 1, **fields: str) -> Table:
    """A game of the organiser's with open seats behind those that are named."""
    seats = {f"seat-{row}-who": "open" for row in range(len(names), len(names) + open)}
    return house.game(list(names), **seats | fields)


def asks(house: House, table: Table, name: str) -> Page:
    page = house.browser().get(f"/join?code={joining.shown(table.game().code or '').upper()}")
    return page.press("Write to me", name=name, mail=mail_of(name), zone="Europe/Lisbon")


def confirmation(house: House, name: str) -> Page:
    """Where the letter leads."""
    return house.browser().get(link_in(house.letters(mail_of(name), "join")[-1]))


def sits(house: House, table: Table, name: str, **fields: str) -> Page:
    asks(house, table, name)
    return confirmation(house, name).press("Sit down", **fields)


def test_whoever_comes_with_the_code_sits_once_they_have_come_by_their_letter(house: House):
    table = opened(house, "Aiko")
    organiser = table.organise()
    assert joining.shown(table.game().code or "") in organiser
    assert f"{HERE}/join/{table.game().code}" in organiser.html
    assert "<path" in organiser.html.split('class="qr"')[1].split("</svg>")[0]
    page = asks(house, table, "Chidi")
    assert "We have written to" in page
    assert table.seats()[1].status is SeatStatus.OPEN  # nobody sits by typing an address
    (letter,) = house.letters(mail_of("Chidi"))
    assert "Chidi" not in body(letter)
    assert "Aiko" not in body(letter)  # not one word in it was typed by anybody
    before = house.dump("link")
    page = confirmation(house, "Chidi")
    assert house.dump("link") == before  # mail scanners open every link
    page = page.press("Sit down")
    assert "You are in" in page
    seat = table.seats()[1]
    assert (seat.name, seat.status, seat.joined, seat.typed_by) == ("Chidi", SeatStatus.ACCEPTED, True, None)
    assert house.one(Person, Person.mail == mail_of("Chidi")).zone == "Europe/Lisbon"
    assert house.letters(mail_of("Aiko"), "joined")
    assert mail_of("Chidi") not in table.organise().html
    assert house.browser().get(link_in(house.letters(mail_of("Chidi"), "seated")[-1])).url.endswith("/invitation")
    assert table.game().status is GameStatus.INVITED  # the organiser has a say
    table.organise().press("Begin the game")
    assert table.game().status is GameStatus.RUNNING


def test_the_organiser_says_no_and_the_seat_is_open_again(house: House):
    table = opened(house, "Aiko")
    page = sits(house, table, "Chidi")
    table.organise().press("Say no to Chidi")
    assert table.seats()[1].status is SeatStatus.OPEN
    assert "has decided to play it" in body(house.letters(mail_of("Chidi"), "no-seat")[-1])
    assert page.browser.get(table.url("/seat/1/invitation")).status == 403
    assert page.browser.get(table.url("/join")).status == 403  # neither does the old letter let them in again
    assert "You are in" in sits(house, table, "Dana")
    token = table.organise().forms[0].fields["csrf_token"]

    def refuse_in_vain(no: int) -> None:
        before = house.dump()
        table.organiser.post(table.url("/organise/refuse"), {"seat": str(no), "csrf_token": token})
        assert house.dump() == before

    refuse_in_vain(0)  # nobody who was asked by name is sent away so
    table.organise().press("Begin the game")
    refuse_in_vain(1)


@pytest.mark.both_databases
def test_of_several_who_confirm_at_once_the_first_sits_and_the_others_are_told(house: House):
    table = opened(house, "Aiko", "Bruno")
    for name in ("Chidi", "Dana", "Emil"):
        asks(house, table, name)
    pages = [confirmation(house, name) for name in ("Chidi", "Dana", "Emil")]
    answers = at_once([partial(page.press, "Sit down") for page in pages])
    assert sorted(page.status for page in answers) == [200, 400, 400]
    assert sum("Others were quicker" in page for page in answers) == 2
    assert len([seat for seat in table.seats() if seat.joined]) == 1


def test_an_address_is_written_to_once_a_day_for_a_table_however_often_it_is_typed(house: House):
    table = opened(house, "Aiko")
    for _ in range(3):
        asks(house, table, "Chidi")
    assert len(house.letters(mail_of("Chidi"))) == 1


def test_a_new_code_makes_the_old_one_lead_nowhere(house: House):
    table = opened(house, "Aiko")
    old = table.game().code
    table.organise().press("Void the old code")
    assert table.game().code not in (None, old)
    assert house.browser().get(f"/join/{old}").status == 404
    assert house.browser().get(f"/join/{table.game().code}").status == 200


def test_a_player_who_has_come_and_withdraws_leaves_the_seat_open(house: House):
    table = opened(house, "Aiko")
    page = sits(house, table, "Chidi")
    page = page.browser.get(table.url("/seat/1/invitation")).press("Withdraw from this game")
    assert page.status == 200
    assert table.seats()[1].status is SeatStatus.OPEN
    assert "Chidi had accepted, and has withdrawn" in body(house.letters(mail_of("Aiko"), "declined")[-1])


def test_an_invited_seat_can_be_left_open_and_an_open_one_given_to_somebody_or_a_bot(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    table.organise().press("Leave it open", seat="1")
    assert table.seats()[1].status is SeatStatus.OPEN
    assert table.game().code
    table.organise().press("Let a bot play", seat="1")
    assert table.seats()[1].bot
    table.player("Chidi").accept()
    assert table.game().status is GameStatus.INVITED  # an open table begins on its organiser's word


def asked_again(house: House) -> Table:
    """Aiko's table fills three days after Bruno has accepted and Chidi has sat down; she begins it."""
    with time_machine.travel(NOON, tick=False):
        table = opened(house, "Aiko", "Bruno", open=2)
        table.player("Bruno").accept()
        sits(house, table, "Chidi")
    with time_machine.travel(NOON + timedelta(days=3), tick=False):
        sits(house, table, "Dana")
        assert "are asked once more. It begins when they have said yes." in table.organise().press("Begin the game")
    return table


def test_before_the_first_turn_those_confirm_once_more_who_said_yes_days_ago(house: House):
    table = asked_again(house)
    assert table.game().status is GameStatus.INVITED
    with time_machine.travel(NOON + timedelta(days=3, hours=2), tick=False):
        timekeeper.sweep()
        assert not house.letters(mail_of("Dana"), "again")
        assert not house.letters(mail_of("Aiko"), "again")  # it was she who said that it begins
        for name in ("Chidi", "Bruno"):
            (letter,) = house.letters(mail_of(name), "again")
            page = house.browser().get(link_in(letter))
            assert table.game().status is GameStatus.INVITED
            page.press("Yes, I still play")
    assert table.game().status is GameStatus.RUNNING
    assert table.game().again_until is None


def test_nobody_is_asked_once_more_within_two_days(house: House):
    with time_machine.travel(NOON, tick=False):
        table = opened(house, "Aiko")
        sits(house, table, "Chidi")
    with time_machine.travel(NOON + timedelta(hours=47), tick=False):
        table.organise().press("Begin the game")
    assert table.game().status is GameStatus.RUNNING


def test_who_does_not_confirm_in_time_has_no_seat_and_the_organiser_is_told(house: House):
    table = asked_again(house)
    with time_machine.travel(NOON + timedelta(days=5, hours=1), tick=False):
        timekeeper.sweep()
        before = house.dump("heartbeat", "letter")
        timekeeper.sweep()
        assert house.dump("heartbeat", "letter") == before
    statuses = {seat.no: seat.status for seat in table.seats()}
    assert list(statuses.values()) == [SeatStatus.ACCEPTED, SeatStatus.DECLINED, SeatStatus.OPEN, SeatStatus.ACCEPTED]
    assert house.all(Letter, Letter.kind == "declined")
    assert "Do you still play?" not in table.organise()
    assert len(house.all(Letter, Letter.kind == "no-seat")) == 2


def test_the_list_of_open_tables_is_for_operators_and_organisers_who_want_it(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    hidden = opened(house, "Aiko", name="hidden")
    assert "Open tables" not in house.browser().get("/")
    house.app.extensions["hikyaku"] = replace(house.settings, open_tables=True)
    shown = opened(house, "Bruno", name="shown", listed="on")
    page = house.browser().get("/")
    assert f"/join/{shown.game().code}" in page.html
    assert f"/join/{hidden.game().code}" not in page.html
    assert "1 of 2 seats is open" in page
    assert "Bruno" not in page
    sits(house, shown, "Chidi")
    assert f"/join/{shown.game().code}" not in house.browser().get("/").html


def test_colours_follow_the_wish_where_it_is_free_on_every_page(house: House):
    table = opened(house, "Aiko", colour="2")
    page = house.browser().get(f"/join/{table.game().code}")
    assert "mark p2" in page.html
    asks(house, table, "Chidi")
    page = confirmation(house, "Chidi")
    assert 'value="2"' not in page.html.split('name="colour"')[1].split("</select>")[0]
    assert page.press("Sit down", colour="2").status == 400  # somebody else has it
    page = page.press("Sit down", colour="0")
    table.organise().press("Begin the game")
    assert [seat.colour for seat in table.seats()] == [2, 0]
    for where in ("", "/log", "/board/0", "/replay"):
        shown = page.browser.get(table.url(where)).html
        assert set(re.findall(r'class="mark p(\d)', shown)) <= {"0", "2"}, where
        assert "mark p2" in shown or where == "/log"


def test_an_order_by_lot_seats_everybody_once(house: House, monkeypatch: pytest.MonkeyPatch):
    orders = set()
    for _ in range(12):
        table = house.game(["Aiko", "Bruno", "Chidi"], order="random")
        orders.add(tuple(seat.name for seat in table.seats()))
    assert len(orders) > 1
    assert {frozenset(order) for order in orders} == {frozenset(("Aiko", "Bruno", "Chidi"))}
