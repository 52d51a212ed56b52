"""Final scoring: the eleven categories, the ties and how they are broken."""

import pytest

from engine.duel.box import load_box
from engine.duel.scoring import parts, result
from engine.duel.state import Duel
from tests.engine.duel.position import state, table
from tests.engine.duel.test_turn import other

BOX = load_box()
CHURCH = BOX.church


def final(mine: dict[str, object], theirs: dict[str, object]) -> Duel:
    spec = state(table(other(**theirs), **mine))
    spec.step = "over"
    return spec


@pytest.mark.parametrize(
    ("category", "things", "points"),
    [
        ("orders", {"fulfilled": ["o01", "o09"], "hand": ["o29"]}, BOX.orders["o01"].points + BOX.orders["o09"].points),
        ("most_orders", {"fulfilled": ["o01"]}, 6),
        ("technologies", {"technologies": ["exposition", "mining"]}, 8),
        ("most_technology", {"technologies": ["mining"]}, 6),
        ("church", {"church": ["faith03", "faith08"]}, CHURCH["faith03"].points + CHURCH["faith08"].points),
        ("houses", {"houses": ["tea", "bank"]}, 10),
        ("shops", {"shops": ["tea", "bank", "port"]}, 3),
        ("flipped", {"flipped": 3}, 12),
        ("imports", {"imports": 3}, 3),
        ("yen", {"yen": 7}, 3),
        ("goods", {"goods": [2, 1, 1, 1]}, 1),
        ("goods", {"goods": [2, 2, 1, 1]}, 2),
    ],
)
def test_each_category(category: str, things: dict[str, object], points: int) -> None:
    assert parts(final(things, {}), 0)[category] == points


def test_there_are_eleven_categories_in_the_order_of_the_sheet() -> None:
    assert list(parts(state(table()), 0)) == [
        "orders",
        "most_orders",
        "technologies",
        "most_technology",
        "church",
        "houses",
        "shops",
        "flipped",
        "imports",
        "yen",
        "goods",
    ]


def test_the_bonus_for_most_orders_goes_to_nobody_in_a_tie() -> None:
    spec = final({"fulfilled": ["o01"]}, {"fulfilled": ["o29"]})
    assert parts(spec, 0)["most_orders"] == parts(spec, 1)["most_orders"] == 0


def test_the_technology_bonus_goes_by_production_cost_not_by_number_and_to_nobody_in_a_tie() -> None:
    spec = final({"technologies": ["exposition"]}, {"technologies": ["stock_exchange", "stagecoach"]})
    assert (parts(spec, 0)["most_technology"], parts(spec, 1)["most_technology"]) == (6, 0)
    alike = [card for card in BOX.cost if BOX.cost[card] == 3][:2]
    spec = final({"technologies": alike[:1]}, {"technologies": alike[1:]})
    assert (parts(spec, 0)["most_technology"], parts(spec, 1)["most_technology"]) == (0, 0)


def test_the_most_points_win() -> None:
    ranking = result(final({"shops": ["tea"]}, {"flipped": 2})).ranking
    assert [(s.seat, s.place, s.score) for s in ranking] == [(1, 1, 8), (0, 2, 1)]


def test_a_tie_is_broken_by_the_first_category_that_differs() -> None:
    final_result = result(final({"houses": ["tea"]}, {"imports": 5}))
    assert final_result.winners == [0]
    assert final_result.ranking[0].tiebreak == {"houses": 5}
    assert final_result.ranking[1].tiebreak == {"houses": 0}


def test_the_first_category_comes_first() -> None:
    few, many = BOX.orders["o01"].points, BOX.orders["o08"].points
    even = ["tea", "fish", "silk", "bank", "port"][: many - few]
    spec = final({"shops": even, "fulfilled": ["o01"]}, {"shops": [], "fulfilled": ["o08"]})
    assert result(spec).winners == [1]
    assert result(spec).ranking[0].tiebreak == {"orders": many}


def test_a_tie_in_every_category_is_a_shared_victory() -> None:
    final_result = result(final({"shops": ["tea"]}, {"shops": ["bank"]}))
    assert final_result.winners == [0, 1]
    assert [s.place for s in final_result.ranking] == [1, 1]


def test_without_a_tie_nothing_is_said_to_have_broken_one() -> None:
    ranking = result(state(table(houses=["tea"]))).ranking
    assert [standing.tiebreak for standing in ranking] == [{}, {}]
