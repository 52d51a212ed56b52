"""Randomness that is a function of (seed, draw number) and of nothing else: not of time, not of the Python version."""

from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import blake2b
from itertools import chain, count
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

_words = Struct(">8Q").unpack


def numbers(seed: int, draw: int) -> Iterator[int]:
    """An endless stream of 64-bit numbers for one draw."""
    return chain.from_iterable(map(partial(_block, seed, draw), count()))


def _block(seed: int, draw: int, block: int) -> tuple[int, ...]:
    return _words(blake2b(f"{seed}:{draw}:{block}".encode()).digest())


def shuffled(seed: int, draw: int, items: Iterable[T]) -> list[T]:
    """Fisher-Yates. The bias of the modulo is below 2**-50 for any deck that fits a table."""
    deck = list(items)
    for last, word in zip(range(len(deck) - 1, 0, -1), numbers(seed, draw), strict=False):
        pick = word % (last + 1)
        deck[last], deck[pick] = deck[pick], deck[last]
    return deck
