"""Who wants no more letters says which; the letter, the page and the table tell the truth about it."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import time_machine

from service.models import Person, Unwanted
from service.post.wishes import Wish
from tests.play import House, Page, Player, Table, at_once, body, link_in
from tests.service.test_desk import rule
from workers import timekeeper


@pytest.fixture
def table(house: House) -> Table:
    return house.begun(["Aiko", "Bruno"], name="Crew")


def way_out(player: Player, kind: str) -> str:
    return link_in(player.letters(kind)[-1], "u")


def wishes_of(player: Player) -> dict[str, bool]:
    person = player.house.one(Person, Person.mail == player.mail)
    return {wish.value: wish.of(person) for wish in Wish}


def press(page: Page, label: str) -> Page:
    form, _ = page.form_with(label)
    return page.browser.post(form.action, form.fields)


def test_one_click_stops_what_the_letter_was_about_in_that_game_alone(table: Table):
    house, player = table.house, table.to_move()
    (letter,) = player.letters("turn")
    assert "No more letters about my turns in this game" in " ".join(body(letter).split())
    assert house.browser().post(way_out(player, "turn"), {"List-Unsubscribe": "One-Click"}).status == 200
    assert all(wishes_of(player).values())
    assert {row.wish for row in house.all(Unwanted)} == {Wish.TURNS, Wish.REMINDERS}  # reminders are about turns too
    table.rush(4)
    assert len(player.letters("turn")) == 1
    elsewhere = house.begun(["Aiko", "Bruno"])
    elsewhere.rush(4)
    assert len(elsewhere.player(player.name).letters("turn")) > 1
    table.rush()
    assert len(player.letters("over")) == 1  # news of the game was not stopped


def test_the_page_says_what_it_stops_does_that_and_takes_it_back(table: Table):
    player = table.to_move()
    page = table.house.browser().get(way_out(player, "turn"))
    assert "not be told when it is your turn in Traders of Osaka, Crew" in page
    page = press(page, "No letters about my turns in this game")
    assert "We do not write to you about your turns in Traders of Osaka, Crew any more." in page
    assert all(wishes_of(player).values())
    page = press(page, "No letters about any of my games")
    assert "We do not write to you about your games any more." in page
    assert not any(wishes_of(player).values())
    assert "Letters are on again." in press(page, "Write to me again")
    assert all(wishes_of(player).values())
    table.rush(2)
    assert len(player.letters("turn")) == 2


def test_the_others_see_at_the_table_that_somebody_gets_no_letters(table: Table):
    player = table.to_move()
    other = next(p for p in table.players if p is not player)
    assert "gets no letters" not in other.follow_link()
    table.house.browser().post(way_out(player, "turn"))
    assert "gets no letters about their turns" in other.see()
    settings = player.follow_link().browser.get(player.url("/settings"))
    assert "switched off letters about this game: your turns and reminders. The others at the table can see" in settings
    assert "Letters are on again." in settings.press("Write to me again")
    assert "gets no letters" not in other.see()
    told = player.browser.get(f"/my/settings/{player.seat.person_id}/bells")
    assert "Nothing tells you now when it is your turn" in told.press("Save", letters=["reminder", "over"])
    assert wishes_of(player) == {wish: wish in (Wish.REMINDERS, Wish.OVER) for wish in Wish}
    assert "gets reminders, but no letters about their turns" in other.see()


def test_the_others_see_who_gets_no_news_and_so_may_not_know_of_a_vote(table: Table):
    player = next(p for p in table.players if p.letters("started"))
    other = next(p for p in table.players if p is not player)
    page = table.house.browser().get(way_out(player, "started"))
    assert "when somebody is late, or when something is proposed, and the others at the table can see that" in page
    press(page, "No news of this game")
    other.follow_link()
    assert "gets no news by letter" in other.see()
    proposed = rule(other.browser.get(other.url("/propose")), "pause", days="2")
    assert f"Proposed. It waits for an answer of {player.name}." in proposed
    assert player.letters("proposed") == []


def test_news_are_stopped_by_a_letter_of_news(table: Table):
    player = next(p for p in table.players if p.letters("started"))
    (letter,) = player.letters("started")
    assert "No more news of this game" in " ".join(body(letter).split())
    assert re.search(r"No more news of this game", body(letter, "html"))
    table.house.browser().post(way_out(player, "started"))
    table.rush(2, letters=True)
    table.rush()
    assert player.letters("turn")
    assert player.letters("over") == []


@pytest.mark.parametrize(
    ("kind", "label", "button", "stopped"),
    [
        ("nudge", "No more reminders in this game", "No reminders in this game", {Wish.REMINDERS}),
        ("said", "No more letters about talk in this game", "No letters about talk in this game", {Wish.TALK}),
        ("over", "No more news of this game", "No news of this game", {Wish.OVER, Wish.NEWS}),
    ],
)
def test_reminders_and_talk_are_stopped_apart_from_turns_and_news(
    one_house: House, kind: str, label: str, button: str, stopped: set[Wish]
):
    table = one_house.begun(["Aiko", "Bruno"])
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        player, other = table.to_move(), next(p for p in table.players if p is not table.to_move())
        one_house.execute("UPDATE person SET quiet_from = NULL, quiet_to = NULL")
        clock.shift(timedelta(hours=7))
        if kind == "nudge":
            other.see().press("Remind ")
        elif kind == "said":
            other.see().press("Say", text=f"Well, {player.name}?")
            clock.shift(timedelta(minutes=11))
            timekeeper.sweep()
        else:
            table.rush()
        (letter,) = player.letters(kind)
        assert label in " ".join(body(letter).split())
        assert label in body(letter, "html")
        page = one_house.browser().get(link_in(letter, "u"))
        press(page, button)
        assert {row.wish for row in one_house.all(Unwanted)} == stopped


@pytest.mark.both_databases
def test_a_mail_program_may_press_the_button_several_times_at_once(table: Table):
    player = table.to_move()
    where = way_out(player, "turn")
    pressed = at_once([partial(table.house.browser().post, where) for _ in range(6)])
    assert {page.status for page in pressed} == {200}
    assert len(table.house.all(Unwanted)) == len(Wish.TURNS.stops)
