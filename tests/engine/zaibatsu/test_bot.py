"""The built-in player is worth playing against."""

import msgspec
import pytest

from engine import Match
from engine.simulate import play
from engine.zaibatsu.worth import turns_left
from tests.engine.zaibatsu.positions import ZAIBATSU, position, state_of


def test_the_bot_beats_random_players_by_a_wide_margin():
    """Twenty matches against one and against three random players: the bot wins nearly all, with twice the points."""
    for players in (2, 4):
        won = margin = 0
        for seed in range(10):
            kinds = ["random"] * players
            kinds[seed % players] = "bot"
            played = play("zaibatsu", players=players, seed=seed, kinds=kinds)
            assert played.failure is None
            scores = {standing.seat: standing.score for standing in played.ranking}
            bot = scores.pop(seed % players)
            won += played.ranking[0].seat == seed % players
            margin += bot > 1.5 * sum(scores.values()) / len(scores)
        assert won >= 9
        assert margin >= 9


def test_the_bot_wins_solo_games_on_easy_and_goes_after_the_goals():
    ended = [
        play("zaibatsu", players=1, seed=seed, options={"difficulty": "easy"}, kinds=["bot"]) for seed in range(20)
    ]
    assert all(played.failure is None for played in ended)
    won = sum(played.ranking[0].place == 1 for played in ended)
    rarely = [play("zaibatsu", players=1, seed=seed, options={"difficulty": "easy"}) for seed in range(20)]
    assert won > sum(played.ranking[0].place == 1 for played in rarely) + 3


def test_no_decision_is_wide_or_slow():
    """At most 60 options anywhere; the widest in play are the factories of four players with the late ones."""
    options = {"late_factories": True, "sides": "random"}
    for seed in range(8):
        played = play("zaibatsu", players=4, seed=seed, options=options)
        assert played.failure is None
        assert played.widest <= 60


@pytest.mark.parametrize("players", [1, 2, 4])
def test_at_the_final_consolidation_no_turns_are_left(players):
    state = state_of(position(players, state={"stage": "final", "round": 8}))
    assert turns_left(state) == 0
    state.stage, state.final_turns = "turn", 2 * state.sides
    assert turns_left(state) == 2


def test_the_bot_s_last_favor_goes_where_it_counts_most():
    match = position(
        workers="red", ships=4, contracts=["red", "blue", "white"], rd=5, state={"stage": "final", "round": 8}
    )
    assert match.bot_choice(0) == match.pending[0].default == "favor.1.ships"


def test_a_pair_is_chosen_by_what_it_is_worth_at_the_start():
    """With any sides money and silk for a first factory come first; with side A, where what is built first brings the
    rest, a step on a track for whoever is not short of that money."""
    for sides, best in (("random", "b6"), ("A", "b4")):
        state = state_of(Match.start("zaibatsu", players=2, seed=2, options={"sides": sides}))
        state.pairs = [("machine", "b8"), ("machine", "b4"), ("machine", "b6")]
        match = Match(ZAIBATSU, msgspec.msgpack.encode(state), state.box)
        assert match.bot_choice(match.pending[0].seat) == f"pair.machine.{best}"
