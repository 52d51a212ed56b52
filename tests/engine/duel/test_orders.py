"""Standing orders of the Duel: the improvement at the change of round, decided in advance."""

import pytest

from engine import Match
from engine.duel import TITLE
from engine.duel.state import Duel
from tests.engine.duel.position import me, play, seat, state, table
from tests.engine.duel.test_technologies import end_of_round


def change_of_round(yen: int, *improved: int, technologies: tuple[str, ...] = ()) -> Match:
    """Both have this many yen and are asked what to improve; seat 1 has improved these cards already."""

    def fill(spec: Duel) -> None:
        end_of_round(spec)
        for player in spec.seats:
            player.yen = yen
        spec.seats[1].improved = [card in improved for card in range(4)]
        spec.seats[1].technologies = list(technologies)

    return play(table(fill), "silk", "end")


def test_to_be_asked_is_the_default() -> None:
    assert TITLE.read_orders({}) == {"improve": "ask"}
    assert change_of_round(4).follow_orders(1, {}) is None


@pytest.mark.parametrize(
    ("order", "yen", "improved", "choice"),
    [
        ("never", 4, (), "none"),
        ("lowest", 4, (), "card0"),
        ("lowest", 4, (0,), "card1"),
        ("highest", 4, (), "card3"),
        ("highest", 3, (), "card2"),
        ("highest", 4, (3,), "card2"),
    ],
)
def test_each_order(order: str, yen: int, improved: tuple[int, ...], choice: str) -> None:
    assert change_of_round(yen, *improved).follow_orders(1, {"improve": order}) == [choice]


def test_with_a_university_the_highest_is_within_reach_of_the_poorest() -> None:
    match = change_of_round(1, technologies=("university",))
    assert match.follow_orders(1, {"improve": "highest"}) == ["card3"]


def test_orders_of_both_bring_the_round_to_change() -> None:
    match = change_of_round(4)
    for number, order in ((1, "highest"), (0, "lowest")):
        (choice,) = match.follow_orders(number, {"improve": order}) or []
        match.choose(number, choice)
    assert state(match).round == 2
    assert me(match).improved == [True, False, False, False]
    assert seat(match, 1).improved == [False, False, False, True]


def test_orders_never_play_a_turn() -> None:
    match = table(yen=4)
    for order in TITLE.orders[0].choices:
        assert match.follow_orders(0, {"improve": order}) is None
