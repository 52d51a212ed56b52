"""`hikyaku simulate`: figures for a sound game; a replay file and a non-zero end for a broken one."""

import dataclasses

import pytest
from click.testing import CliRunner

from engine import GAMES
from workers.simulate import simulate


def run(*arguments):
    return CliRunner().invoke(simulate, arguments)


def test_it_prints_the_figures_of_a_game():
    done = run("osaka", "--players", "2", "--games", "5", "--seed", "3", "--player", "bot", "--player", "random")
    assert done.exit_code == 0, done.output
    for line in ("decisions a second", "slowest decision", "wins by seat", "winning score"):
        assert line in done.output


def test_options_are_read_as_the_game_declares_them():
    assert run("osaka", "--games", "1", "--option", "open_information=false").exit_code == 0
    for bad in ("open_information=maybe", "colour=red", "open_information"):
        done = run("osaka", "--games", "1", "--option", bad)
        assert done.exit_code == 2
        assert "open_information" in done.output


@pytest.mark.parametrize("arguments", [(), ("chess",), ("osaka", "--players", "9"), ("osaka", "--player", "genius")])
def test_what_it_cannot_play_is_refused(arguments):
    assert run(*arguments).exit_code == 2


def test_a_failing_match_is_written_down_and_can_be_gone_through_again(monkeypatch, tmp_path):
    sound = GAMES["osaka"]

    def third_turn_crashes(state):
        if state.turn == 3:
            raise RuntimeError("by design")
        return sound.scene(state)

    monkeypatch.setitem(GAMES, "osaka", dataclasses.replace(sound, scene=third_turn_crashes))
    dump = tmp_path / "failed.json"
    done = run("osaka", "--games", "2", "--dump", str(dump))
    assert done.exit_code == 1
    assert "crash: seed 0" in done.output
    again = run("--replay", str(dump))
    assert again.exit_code == 1
    assert "RuntimeError: by design" in again.output
    monkeypatch.setitem(GAMES, "osaka", sound)
    mended = run("--replay", str(dump))
    assert mended.exit_code == 0
    assert "goes through now" in mended.output


def test_a_file_that_is_no_replay_is_refused(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("{}")
    done = run("--replay", str(path))
    assert done.exit_code == 1
    assert "not a replay" in done.output


def test_a_title_without_a_balance_report_names_those_that_have_one():
    done = run("osaka", "--games", "1", "--report")
    assert done.exit_code == 2
    reported = sorted(title.id for title in GAMES.values() if title.balance)
    assert reported
    assert ", ".join(reported) in done.output
