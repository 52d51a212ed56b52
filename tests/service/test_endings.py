"""How a game may end before its time: what stays to be looked at, who is told what, and whose ruling it was."""

import json

import pytest

from service.db import db
from service.models import Game, GameStatus
from service.post import links
from tests.play import House, Table, body, link_in, mail_of, mint
from tests.service.test_desk import REASON, desk_of, rule


def flat(letter) -> str:
    return " ".join(body(letter).split())


@pytest.fixture
def ended(house: House) -> Table:
    table, page = desk_of(house)
    for player in table.players:
        player.follow_link()
    table.rush(4)
    rule(page.browser.get(table.url("/desk")), "end")
    return table


def test_a_game_ended_without_a_result_keeps_its_table_log_replay_and_export(ended: Table):
    house = ended.house
    assert ended.game().status is GameStatus.FINISHED
    watcher = house.browser()
    watcher.get(mint(house, links.mint_watch, ended.game()))
    for browser in (ended.players[0].browser, watcher):
        page = browser.get(ended.url())
        assert page.status == 200
        assert "The game was ended without a result." in page
        for rest in ("/log", "/replay", "/replay?move=2", "/text"):
            assert browser.get(ended.url(rest)).status == 200
        told = browser.get(ended.url("/result"))
        assert "Ended without a result" in told
        assert "This was a ruling: the game was ended." in told
        assert REASON in told
        whole = json.loads(browser.get(ended.url("/export.json")).html)
        assert (len(whole["moves"]), whole["result"]) == (5, None)
    assert "Over" in ended.players[0].browser.get("/my")


def test_the_letter_of_an_end_without_a_result_says_who_and_why_and_leads_to_the_table(ended: Table):
    for player in ended.players:
        (letter,) = player.letters("ended")
        assert f"The game ends now, without a result. “{REASON}” Decided by Mika" in flat(letter)
        page = ended.house.browser().get(link_in(letter))
        assert page.url.endswith(f"/seat/{player.no}")
        assert "ended without a result" in page


def test_an_early_end_with_scores_says_in_letter_and_result_whose_ruling_it_was(house: House):
    table, page = desk_of(house)
    table.rush(4)
    rule(page.browser.get(table.url("/desk")), "end", result="yes")
    told = table.players[0].follow_link().browser.get(table.url("/result"))
    assert "This was a ruling: the game was ended early, and the scores as they stood decide." in told
    assert REASON in told
    for player in table.players:
        (letter,) = player.letters("over")
        assert "It did not come to its own end" in flat(letter)
        assert f"“{REASON}” Decided by Mika" in flat(letter)


def test_a_game_that_came_to_its_own_end_speaks_of_no_ruling(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    table.rush()
    assert "ruling" not in table.players[0].follow_link().browser.get(table.url("/result"))
    assert "its own end" not in flat(one_house.letters(mail_of("Aiko"), "over")[0])


def test_points_of_a_kind_that_not_everybody_has_are_a_row_for_all(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    table.rush()
    with db.writing() as session:
        game = session.get_one(Game, table.game().id)
        assert game.result
        winner, second = game.result
        game.result = [{**winner, "parts": {**winner["parts"], "red": 3}}, {**second, "parts": {}}]
    assert "Lacquer 3 0" in table.players[0].follow_link().browser.get(table.url("/result"))
