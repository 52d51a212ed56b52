"""The built-in player of Osaka is worth playing against."""

from engine.simulate import play, statistics
from tests.engine.osaka.positions import do, position


def wins(kinds, games):
    """The share of games won by seat 0."""
    return statistics(
        play("osaka", players=len(kinds), seed=seed, kinds=kinds) for seed in range(games)
    ).win_share_by_seat[0]


def test_the_bot_beats_a_random_player():
    assert wins(["bot", "random"], 40) > 0.9


def test_the_bot_beats_three_random_players():
    assert wins(["bot", "random", "random", "random"], 40) > 0.7


def test_the_bot_ends_the_game_when_that_wins_and_not_when_it_loses():
    for others, action in ((1, "buy"), (9, "take")):
        match = position(
            market="red2",
            hands=["green2 green5"],
            tokens=[{"red": 4, "blue": 3}],
            vp=[3, others],
            ships={"red": 4},
            players=2,
        )
        assert match.bot_choice(0) == action


def test_the_bot_insures_what_is_worth_it():
    match = do(
        position(
            market="green2", hands=["blue2", "yellow2"], had=["blue5 blue5"], ships={"green": 4, "blue": 3}, turn_of=1
        ),
        "buy",
    )
    assert match.bot_choice(0) == "insure.blue2"


def test_bots_among_themselves_do_not_hoard_until_nothing_is_left():
    figures = statistics(play("osaka", players=2, seed=seed, kinds=["bot"]) for seed in range(60))
    assert figures.winning_scores.low >= 8
