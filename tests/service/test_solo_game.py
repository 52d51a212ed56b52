"""A game for one: nobody else moves, so what the Automa did is told, marked and scored on the player's own page."""

import re

import pytest

from engine import Match
from service.models import GameStatus
from tests.play import House, Table, body


def alone(house: House, seed: int) -> Table:
    house.seed(seed)
    return house.begun(["Aiko"], kind="zaibatsu", options={"difficulty": "easy"})


def seed_of(won: bool) -> int:
    """A match that the built-in player wins, or loses."""
    for seed in range(50):
        match = Match.start("zaibatsu", players=1, seed=seed, options={"difficulty": "easy"})
        while match.pending:
            match.choose(0, match.bot_choice(0))
        assert match.result is not None
        if bool(match.result.winners) is won:
            return seed
    raise AssertionError("the built-in player always ends the same way")


def test_what_the_automa_did_is_told_and_marked_when_the_turn_comes_round(one_house: House):
    table = alone(one_house, 7)
    page = table.player("Aiko").play()
    while "The Automa built a train" not in page:
        page = table.player("Aiko").play()
        assert table.game().status is GameStatus.RUNNING
    away = page.html.partition('class="away"')[2].partition("</aside>")[0]
    assert "The Automa built a train" in away, "on a phone the story lies under another tab"
    assert "Aiko" not in away, "what one did oneself is no news"
    assert " changed" in page.html
    assert "An edge like this marks what is new" in page


def test_how_hard_the_automa_is_stands_only_where_one_plays_alone(one_house: House):
    assert "Easy: one Solo Goal" in alone(one_house, 7).player("Aiko").see()
    assert "Solo Goal" not in one_house.begun(["Aiko", "Bruno"], kind="zaibatsu").player("Aiko").see()


def test_a_turn_that_the_automa_follows_is_sent_as_the_end_of_the_turn(one_house: House):
    player = alone(one_house, 7).player("Aiko")
    player.play()  # the Starting tokens
    page = player.draft()
    assert "Send my turn" in page
    assert "New cards" not in page


@pytest.mark.parametrize("won", [True, False], ids=["won", "lost"])
def test_a_game_for_one_ends_won_or_lost_on_every_page_and_in_the_letter(one_house: House, won: bool):
    table = alone(one_house, seed_of(won))
    table.rush()
    player = table.player("Aiko")
    (letter,) = player.letters("over")
    result = player.follow_link().browser.get(table.url("/result"))
    said = [player.see().text, result.text, letter["subject"] + body(letter)]
    assert "The same options and pace." in result, "one seat goes no further"
    assert "the seats one further" not in player.browser.get(player.url("/rematch"))
    assert all(("lost" in text) is not won for text in said), said
    if won:
        assert "The game is over: Aiko won." in said[0]
        assert "Aiko wins" in said[1]
        assert "Aiko met every Solo Goal and scored" in said[1]
    else:
        assert "The game is over: it was lost." in said[0]
        assert "This game was lost" in said[1]
        assert re.search(r"Aiko missed Solo Goals and lost: \w+ \d+ of \d+\.", said[1])
        assert "A missed Solo Goal loses the game" in said[0]
        assert "Lost to the Automa" in player.browser.get(table.url("/text?seat=0")).text
