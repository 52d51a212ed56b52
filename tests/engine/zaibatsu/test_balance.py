"""The report of the balance: its figures add up, and it says when the bar does not hold."""

from engine.zaibatsu.balance import Balance, complaints, report, simulate


def test_the_figures_of_the_report_add_up():
    balance = simulate(3, range(4), {})
    assert balance.games == sum(balance.wins) == len(balance.winners) == 4
    assert sum(balance.parts.values()) == sum(balance.points)
    assert sum(balance.winner_parts.values()) == sum(balance.winners)
    assert sum(entry.n for entry in balance.starts.values()) == 2 * 3 * balance.games
    text = report(balance)
    assert "4 games, 3 players" in text
    assert "balance bar" in text


def test_a_solo_game_is_won_or_lost():
    balance = simulate(1, range(6), {"difficulty": "hard"})
    assert 0 <= balance.wins[0] == len(balance.winners) < 6
    assert "1 players" in report(balance)


def test_the_report_says_what_is_beyond_the_bar():
    balance = Balance(2, games=10, wins=[8, 2], points=[0, 0], winners=[110, 119, *[150] * 8], widest=61)
    assert complaints(balance) == [
        "seat 1 from the first player wins 1.60 times its fair share",
        "only 80% of the winners score 120 to 240",
        "a decision had 61 options",
    ]
    assert complaints(Balance(2, games=10, wins=[6, 4], points=[0, 0], winners=[150] * 10, widest=60)) == []
