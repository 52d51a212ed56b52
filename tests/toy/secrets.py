"""What is hidden at this table: the order of the pile."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.toy.state import Toy


def scramble(state: Toy, seat: int | None, shuffle: Callable[[list[Any]], list[Any]]) -> None:
    state.pile = shuffle(state.pile)


def census(state: Toy) -> Counter[str]:
    return Counter([*state.pile, *state.row, *(colour for taken in state.taken for colour in taken)])
