"""The result adds up: categories make the score, and places follow from it."""

import pytest

from engine.players import seat_players
from tests.engine.tables import TABLES, Table


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_categories_of_a_result_add_up_to_the_score(table: Table) -> None:
    match = table.start(11)
    roster = seat_players(("bot",), table.players, 11)
    while match.pending:
        decision = match.pending[0]
        match.choose(decision.seat, roster[decision.seat](match, decision))
    assert match.result is not None
    for standing in match.result.ranking:
        assert sum(standing.parts.values()) == standing.score == match.scores[standing.seat]
    assert sorted(standing.seat for standing in match.result.ranking) == list(range(table.players))
    assert [standing.place for standing in match.result.ranking] == sorted(s.place for s in match.result.ranking)
