"""Recorded games play today as they did when they were recorded: no running game is broken by a change of the code."""

import pytest

from engine import GAMES
from tests.engine.golden.record import digest, kept, path_of, read, record
from tests.engine.tables import TABLES


@pytest.mark.parametrize("path", kept(), ids=lambda path: path.stem)
def test_a_recorded_game_plays_as_it_did(path):
    golden = read(path)
    assert golden.rules == GAMES[golden.game].rules, "the rules have changed: record it anew"
    match = golden.start()
    hashes = [golden.hashes[at : at + 4] for at in range(0, len(golden.hashes), 4)]
    assert digest(match, 0) == hashes[0]
    for step, ((seat, option), expected) in enumerate(zip(golden.choices, hashes[1:], strict=True), 1):
        match.choose(seat, option)
        assert digest(match, step) == expected, f"step {step}, {option} of seat {seat}: something looks different"
    assert match.over


def test_every_table_of_the_catalogue_has_a_recorded_game():
    assert {path_of(table) for table in TABLES} == set(kept())


def test_a_difference_of_one_event_or_one_card_is_noticed():
    match = TABLES[0].start(1)
    before = digest(match, 0)
    match._state.tell(f"{match.game.id}.something", n=1)
    assert digest(match, 0) != before


def test_recording_twice_gives_the_same_game():
    assert record(TABLES[0]) == record(TABLES[0])
