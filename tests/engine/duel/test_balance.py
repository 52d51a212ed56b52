"""The report of the balance: its figures add up, and it says when the bar does not hold."""

from engine.duel.balance import Balance, complaints, report, simulate
from engine.duel.box import PLACES
from engine.tally import Taken


def test_the_figures_of_simulated_games_add_up() -> None:
    balance = simulate(2, range(4), {})
    assert balance.games == 4
    assert 0 <= balance.first <= 4
    assert set(balance.points[0]) == set(balance.points[1])
    assert all(0 <= entry.won <= entry.n <= 4 for entry in balance.technologies.values())
    assert 4 * 32 <= sum(entry.n for entry in balance.visits.values()) <= 4 * 40
    text = report(balance)
    assert "4 games, 2 players" in text
    assert "balance bar" in text


def test_the_bar_complains_about_the_first_player_and_about_cards_that_winners_have() -> None:
    balance = Balance(games=100, first=60, technologies={"tram": Taken(9, won=6), "post": Taken(10, won=7)})
    balance.church["faith11"] = Taken(1, won=1)
    balance.visits = {place: Taken(10) for place in PLACES} | {"customs": Taken(1)}
    assert complaints(balance) == [
        "the first player wins 60.0%, not 45% to 55%",
        "post is taken by winners 2.33 times as often as by losers",
        "customs is gone to in 1.1% of all actions, less than 2%",
    ]
