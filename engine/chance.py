"""Randomness that is a function of (seed, draw number) and of nothing else: not of time, not of the Python version."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from struct import unpack
from typing import TypeVar

T = TypeVar("T")


def numbers(seed: int, draw: int) -> Iterator[int]:
    """An endless stream of 64-bit numbers for one draw."""
    block = 0
    while True:
        yield from unpack(">8Q", blake2b(f"{seed}:{draw}:{block}".encode()).digest())
        block += 1


def shuffled(seed: int, draw: int, items: Iterable[T]) -> list[T]:
    """Fisher-Yates. The bias of the modulo is below 2**-50 for any deck that fits a table."""
    deck = list(items)
    words = numbers(seed, draw)
    for last in range(len(deck) - 1, 0, -1):
        pick = next(words) % (last + 1)
        deck[last], deck[pick] = deck[pick], deck[last]
    return deck
