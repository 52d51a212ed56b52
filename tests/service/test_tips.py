"""Whoever is new to a title is told in a line what each step is about: in their first turns at it, until they have had
enough, and never again afterwards."""

import pytest

from service.models import Move, Person
from service.play import tips
from tests.play import House, Player, Table

TIP = "Look at which colours lie in the market and the farm."
NO_MORE = "No more tips"


@pytest.fixture
def table(house: House) -> Table:
    return house.begun(["Aiko", "Bruno"])


def tipped(player: Player) -> bool:
    return NO_MORE in player.see()


def person(table: Table, name: str) -> Person:
    return next(person for person in table.house.all(Person) if person.name == name)


def test_the_first_turns_at_a_title_say_what_each_step_is_about(table: Table, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tips, "FIRST_MOVES", 2)
    assert TIP in table.to_move().see()
    while tipped(first := table.to_move()):
        first.play()
    moved = [move.person_id for move in table.house.all(Move)]
    assert moved.count(person(table, first.name).id) == 2


def test_whoever_has_had_enough_of_tips_gets_none_in_any_game_of_the_title(table: Table):
    first = table.to_move()
    assert NO_MORE not in first.see().press(NO_MORE)
    again = table.house.begun([first.name, "Chidi"])
    assert not tipped(again.player(first.name))
    assert tipped(table.house.begun(["Chidi", "Dana"]).to_move())
    assert person(table, first.name).untipped == ["osaka"]


def test_nobody_is_tipped_when_there_is_nothing_to_answer(table: Table):
    first = table.to_move()
    (other,) = (player for player in table.players if player.name != first.name)
    assert not tipped(other)


def test_a_tip_can_be_switched_off_only_from_ones_own_seat_and_not_by_looking(table: Table):
    first = table.to_move()
    assert first.browser.client.get(first.url("/untip")).status_code == 405
    assert tipped(first)
