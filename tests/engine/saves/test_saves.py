"""A match saved under any rules since saves are kept can be loaded and played to its end today."""

import json

import pytest

from engine import GAMES, Match
from tests.engine.saves.record import kept, read, record_missing, seen
from tests.engine.tables import choices_since


@pytest.mark.parametrize("path", kept(), ids=lambda path: path.stem)
def test_a_kept_save_is_loaded_and_played_on_to_the_end(path):
    match = Match.load(path.read_bytes())
    if read(path).rules == match.game.rules:
        assert choices_since(match), "a save in the middle of a scene says more than one at its start"
        assert json.loads(json.dumps(seen(match))) == json.loads(path.with_suffix(".json").read_text("utf-8"))
    while match.pending:
        seat = match.pending[0].seat
        match.choose(seat, match.bot_choice(seat))
    assert match.over


@pytest.mark.parametrize("title", sorted(GAMES))
def test_the_rules_of_today_have_a_save(title):
    saves = [read(path) for path in kept()]
    assert GAMES[title].rules in {saved.rules for saved in saves if saved.game == title}, (
        "run python -m tests.engine.saves"
    )


def test_recording_again_overwrites_nothing():
    assert record_missing() == []
