"""Talk at the table: to all who play, in the story and in the next letter; taken back within ten minutes; and nothing
that is said does anything else."""

from datetime import timedelta

import pytest
import time_machine

from service.models import Remark
from service.play import talking
from service.post import links
from tests.play import House, Page, Player, Table, body, mint
from workers import timekeeper

START = "2026-06-01T12:00:00+00:00"


@pytest.fixture
def clock():
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def table(house: House, clock: time_machine.Traveller) -> Table:
    return house.begun(["Aiko", "Bruno"])


def said(player: Player, text: str) -> Page:
    return player.see().press("Say", text=text)


def others(table: Table, player: Player) -> Player:
    return next(other for other in table.players if other is not player)


def test_what_is_said_stands_in_the_story_of_everybody_who_plays_and_of_no_spectator(table: Table):
    first = table.to_move()
    assert "Well met, all!" in said(first, "Well met, all!")
    assert f"{first.name}: Well met, all!" in others(table, first).see()
    spectator = table.house.browser()
    spectator.get(mint(table.house, links.mint_watch, table.game()))
    assert "Well met" not in spectator.get(table.url("/watch"))
    assert "Well met" not in spectator.get(table.url("/log"))
    assert "Well met, all!" in first.browser.get(table.url("/log"))


def test_it_travels_in_the_next_letter_that_goes_out_anyway_and_once(table: Table, clock: time_machine.Traveller):
    first = table.to_move()
    second = others(table, first)
    clock.shift(timedelta(minutes=1))
    said(first, "Mind the tea.\nsend")
    written = len(second.letters())
    clock.shift(timedelta(minutes=11))
    timekeeper.sweep()
    assert len(second.letters()) == written  # it is no letter of its own
    first.play()
    clock.shift(timedelta(minutes=11))
    timekeeper.sweep()
    letter = second.letters("turn")[-1]
    assert f"{first.name} said:" in body(letter)
    quoted = [line for line in body(letter).splitlines() if line.startswith(">")]
    assert quoted == ["> Mind the tea.", "> send"]  # so it never reads like an answer to the letter
    assert "Mind the tea." in body(letter, "html")
    assert "Mind the tea." not in body(first.letters()[-1])
    second.play()
    first.play()
    clock.shift(timedelta(minutes=11))
    timekeeper.sweep()
    assert "Mind the tea." not in body(second.letters("turn")[-1])


def test_it_can_be_taken_back_for_ten_minutes_and_only_by_who_said_it(table: Table, clock: time_machine.Traveller):
    first = table.to_move()
    said(first, "Oops")
    remark = table.house.one(Remark)
    second = others(table, first)
    assert "Take it back" not in second.see()
    url, data = first.see().request("Take it back")
    assert second.browser.post(second.url("/unsay"), second.see().request("Say")[1] | {"remark": str(remark.id)})
    assert table.house.one(Remark)
    clock.shift(timedelta(minutes=9))
    assert "Oops" not in first.browser.post(url, data)
    assert not table.house.all(Remark)
    url, data = said(first, "It stays").request("Take it back")
    clock.shift(timedelta(minutes=11))
    assert "too long ago" in first.browser.post(url, data)
    assert "It stays" in second.see()


def test_nothing_and_too_much_is_refused_with_the_reason(table: Table):
    assert "Please write something first." in said(table.to_move(), " \u202e ")
    assert "This is 1001 characters long; 1000 is the most." in said(table.to_move(), "x" * 1001)
    assert not table.house.all(Remark)


def test_it_is_plain_text_and_the_same_words_twice_at_once_are_said_once(table: Table):
    player = table.to_move()
    page = player.see()
    for _ in range(2):
        shown = page.press("Say", text="<b>https://x.example</b>\u202e")
    assert "&lt;b&gt;https://x.example&lt;/b&gt;" in shown.html
    assert [remark.text for remark in table.house.all(Remark)] == ["<b>https://x.example</b>"]


def test_tidy_keeps_signs_that_are_joined_and_empty_lines_few():
    assert talking.tidy(" a \r\n\n\n\n b\0 👩‍🚀 ") == "a\n\nb 👩‍🚀"
