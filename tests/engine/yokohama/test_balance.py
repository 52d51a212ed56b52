"""The report of the balance: its figures add up, and it says when the bar does not hold."""

from click.testing import CliRunner

from engine.yokohama.balance import Balance, complaints, report, simulate
from workers.simulate import simulate as command


def test_the_figures_of_simulated_games_add_up():
    balance = simulate(2, range(4), {"edition": "okazu"})
    assert balance.games == sum(balance.wins) == sum(balance.rounds.values()) == 4
    assert sum(balance.sources.values()) == sum(balance.points)
    assert sum(balance.winner_sources.values()) == balance.winning_points
    text = report(balance)
    assert "4 games, 2 players" in text
    assert "balance bar" in text


def test_the_bar_complains_about_seats_sources_and_lengths():
    balance = Balance(2, games=10, wins=[8, 2], points=[0, 0], winning_points=100)
    balance.rounds.update({9: 1, 20: 8, 41: 1})
    balance.winner_sources.update({"orders": 41, "church": 40})
    assert complaints(balance) == [
        "seat 0 wins 1.60 times its fair share",
        "orders makes 41% of an average winner's score",
        "2 of 10 games took 9 to 41 rounds",
    ]


def test_the_command_prints_the_report():
    done = CliRunner().invoke(command, ["yokohama", "--players", "2", "--games", "2", "--player", "bot", "--report"])
    assert "2 games, 2 players" in done.output
    assert "wins by seat" in done.output


def test_a_game_without_a_report_says_which_have_one():
    done = CliRunner().invoke(command, ["osaka", "--games", "1", "--report"])
    assert done.exit_code == 2
    assert "yokohama" in done.output
