"""Saves of older rules are played on under those of today."""

import pytest

from engine.duel import TITLE
from engine.game import Old

BEFORE = [(0, "port"), (0, "3+0")]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ([(0, "keep.o01+o02"), (0, "y2i0f0")], [(0, "keep.o01"), (0, "keep.o02"), (0, "y2i0f0")]),
        ([(0, "keep.o01"), (0, "o03")], [(0, "keep.o01")]),
        ([], []),
    ],
    ids=["two kept", "one kept", "none yet"],
)
def test_orders_kept_in_the_port_under_rules_2_stay_kept(
    written: list[tuple[int, str]], read: list[tuple[int, str]]
) -> None:
    old = Old({}, [*BEFORE, *written])
    TITLE.older[2](old)
    assert old.choices == [*BEFORE, *read]


def saved(traders: int, *choices: str, step: str = "turn") -> Old:
    """A turn of seat 1 under rules 3 who has traders at hand."""
    player = [0] * 15
    return Old(
        {"step": step, "current": 1, "seats": [[*player, 0], [*player, traders]]}, [(1, each) for each in choices]
    )


@pytest.mark.parametrize(
    ("traders", "written", "kept"),
    [
        (0, ["port", "2+0", "keep.o01", "o02", "bonus.b01", "shop"], 6),
        (1, ["trader", "port", "keep.o01"], 3),
        (1, ["bank", "1+0", "trader", "tea", "end"], 5),
        (1, ["port", "2+1", "keep.o01", "done"], 2),
        (1, ["fulfil.o02", "laboratory.tram", "shop", "end"], 2),
        (1, ["trader", "church", "none", "end"], 4),
        (2, ["trader", "tea", "3+2", "shop", "bank"], 3),
        (0, ["tea", "recruit.church", "trader", "port", "keep.o01"], 5),
        (0, ["recruit.church", "port", "keep.o01", "done"], 2),
        (0, ["fulfil.o06", "bank", "4+1", "shop"], 1),
        (0, ["fulfil.o01", "church", "take.faith10", "tea", "house"], 3),
    ],
)
def test_a_turn_of_rules_3_is_taken_up_where_a_trader_may_now_be_called_or_a_card_gives_something_else(
    traders: int, written: list[str], kept: int
) -> None:
    old = saved(traders, *written)
    TITLE.older[3](old)
    assert [choice for _, choice in old.choices] == written[:kept]


def test_improvements_made_under_rules_3_stay() -> None:
    old = saved(1, "card0", step="improving")
    TITLE.older[3](old)
    assert old.choices == [(1, "card0")]
