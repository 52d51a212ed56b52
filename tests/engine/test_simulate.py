"""Simulated matches: what they measure, and that what goes wrong is found and can be gone through again."""

import dataclasses

import msgspec
import pytest

from engine import GAMES
from engine.players import KINDS, seat_players
from engine.scene import Message, Option, ask
from engine.simulate import Failure, play, replay, statistics


def ticking():
    """A clock that advances by a thousandth of a second whenever it is looked at."""
    now = [0.0]

    def look():
        now[0] += 0.001
        return now[0]

    return look


def failed(**how) -> Failure:
    """What goes wrong in a match of the broken game."""
    failure = play("osaka", players=2, seed=3, **how).failure
    assert failure is not None
    return failure


def broken(monkeypatch, scene):
    monkeypatch.setitem(GAMES, "osaka", dataclasses.replace(GAMES["osaka"], scene=scene))


def two_options(seat=0):
    return ask(seat, "toy.ask", [Option("a", Message("toy.a")), Option("b", Message("toy.b"))], "a")


def test_the_same_seed_plays_the_same_match():
    first, second = (play("osaka", players=3, seed=8, kinds=["random"]) for _ in range(2))
    assert first == second
    assert first != play("osaka", players=3, seed=9, kinds=["random"])


def test_statistics_count_decisions_time_scores_and_wins():
    matches = [play("osaka", players=2, seed=seed, clock=ticking()) for seed in range(5)]
    figures = statistics(matches)
    assert figures.games == 5
    assert figures.decisions == sum(match.decisions for match in matches)
    assert figures.decisions_per_second == pytest.approx(1000, rel=0.05)
    assert figures.worst_decision_ms == pytest.approx(1)
    assert figures.options_per_decision > 1
    assert sum(figures.win_share_by_seat) == pytest.approx(1)
    assert figures.scores.low <= figures.scores.mean <= figures.scores.high == figures.winning_scores.high
    assert figures.decisions_per_game.low == min(match.decisions for match in matches)
    assert figures.failures == []


def test_statistics_of_nothing_are_nothing():
    assert statistics([]).games == 0


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_player_plays_to_the_end(kind):
    assert play("osaka", players=2, seed=1, kinds=[kind]).failure is None


def test_the_last_kind_fills_the_seats_that_are_left():
    assert len(seat_players(["bot", "default"], 4, 1)) == 4
    with pytest.raises(ValueError, match="no built-in player 'genius'"):
        seat_players(["genius"], 2, 1)


def test_a_crash_is_found_and_replayed(monkeypatch):
    def crashing(state):
        yield two_options()
        state.turn += 1
        yield two_options(1)
        raise ZeroDivisionError("by design")

    broken(monkeypatch, crashing)
    failure = failed()
    assert (failure.kind, failure.error) == ("crash", "ZeroDivisionError: by design")
    assert [seat for seat, _ in failure.choices] == [0, 1]
    stored = msgspec.json.decode(msgspec.json.encode(failure), type=Failure)
    assert replay(stored) == "ZeroDivisionError: by design"
    monkeypatch.undo()
    assert "IllegalChoice" in str(replay(stored))  # the mended game does not even ask that


def test_an_endless_game_is_found_and_replayed(monkeypatch):
    def endless(state):
        yield two_options()

    broken(monkeypatch, endless)
    failure = failed(limit=50)
    assert failure.kind == "endless"
    assert len(failure.choices) == 50
    assert replay(failure) == "no end after 50 decisions"


def test_a_dead_end_is_found_and_replayed(monkeypatch):
    def nothing_is_offered(state):
        yield two_options()
        yield ask(0, "toy.ask", [], "a", secret=True)

    broken(monkeypatch, nothing_is_offered)
    failure = failed()
    assert failure.kind == "dead end"
    assert replay(failure) == failure.error


def test_a_bad_undo_is_found_and_replayed(monkeypatch):
    """A scene that depends on something outside the state cannot be taken back."""
    begun = []

    def forgetful(state):
        begun.append(1)
        if len(begun) % 4 == 3:  # begun by the start of the match, by loading the copy, and now by the undo
            state.turn += 1
            return
        yield two_options()
        yield two_options()

    broken(monkeypatch, forgetful)
    failure = failed(undo=True, limit=10)
    assert failure.kind == "bad undo"
    assert "does not restore the match" in str(replay(failure))


def test_undo_checks_pass_in_a_sound_game():
    assert play("osaka", players=2, seed=3, undo=True).failure is None
