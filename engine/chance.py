"""Randomness that is a function of (seed, draw number) and of nothing else: not of time, not of the Python version."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import chain, count
from struct import unpack
from typing import TypeVar

T = TypeVar("T")


def numbers(seed: int, draw: int) -> Iterator[int]:
    """An endless stream of 64-bit numbers for one draw."""
    return chain.from_iterable(unpack(">8Q", blake2b(f"{seed}:{draw}:{block}".encode()).digest()) for block in count())


def shuffled(seed: int, draw: int, items: Iterable[T]) -> list[T]:
    """Fisher-Yates. The bias of the modulo is below 2**-50 for any deck that fits a table."""
    deck = list(items)
    for last, word in zip(range(len(deck) - 1, 0, -1), numbers(seed, draw), strict=False):
        pick = word % (last + 1)
        deck[last], deck[pick] = deck[pick], deck[last]
    return deck
