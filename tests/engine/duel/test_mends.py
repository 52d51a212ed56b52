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
