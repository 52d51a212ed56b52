"""Whole games: the bot beats chance, decisions stay small and quick, and following defaults is harmless."""

from random import Random
from time import thread_time

import pytest

from engine import Match
from engine.simulate import play
from tests.engine.yokohama.board import Position, state_of


@pytest.mark.parametrize("edition", ["dlp", "okazu"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_bot_beats_random_players_by_a_wide_margin(players, edition):
    won = 0
    for seed in range(8):
        seat = seed % players
        kinds = ["bot" if other == seat else "random" for other in range(players)]
        played = play("yokohama", players=players, seed=seed, options={"edition": edition}, kinds=kinds)
        assert played.failure is None
        won += played.ranking[0].seat == seat
    assert won >= 7


def test_decisions_are_small_and_quick_even_with_every_technology():
    """All twenty technologies, agents and full hands: the widest lists there can be."""
    position = Position()
    names = sorted({tech.name for tech in position.box.techs.values()})
    position.teach(*names)
    me = position.me()
    me.assistants, me.stored_assistants, me.yen, me.imports = 17, 3, 60, 9
    me.goods = [9, 9, 9, 9]
    me.agents = ["britain", "france"]
    position.order("o01").order("o13").order("o31")
    for area in position.state.areas:
        if area.action != "canal" and me.assistants > 3:
            position.staff(**{area.id: 1})
    position.state.station = position.state.areas.index(position.at("tea1"))
    widest, slowest = 0, 0.0
    random = Random(5)
    for _ in range(20):
        script = position.play()
        while script.state.turn == 1:
            widest = max(widest, len(script.ids))
            choice = random.choice(script.ids)
            before = thread_time()
            script.do(choice)
            slowest = max(slowest, thread_time() - before)
    assert widest <= 60
    assert slowest < 0.05


def test_a_seat_that_never_answers_keeps_its_goods_and_spends_nothing():
    match = Match.start("yokohama", players=3, seed=9)
    for _ in range(400):
        decision = match.pending[0]
        match.choose(decision.seat, decision.default)
    for merchant in state_of(match).merchants:
        assert merchant.goods == [1, 1, 1, 1]
        assert merchant.yen >= 3
        assert merchant.president == -1
        assert merchant.score == 0


def test_the_first_list_of_a_turn_offers_every_area_once_alone_and_once_in_pairs():
    """A count of leaves at the start, against silent changes: 17 single, 17 double placements."""
    script = Position().play()
    assert len(script.ids) == 34
    assert len(set(script.ids)) == 34
