"""Which colour each seat of the game wears that is shown now: what templates ask for by `hue(seat)`, in pages, pictures
and letters alike. Which it is, is decided in service/play/colours.py. Knows no tables.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

HUES = 4  # as many as the style sheet has

_worn: ContextVar[tuple[int, ...]] = ContextVar("worn", default=())


def hue(seat: int) -> int:
    """The number of a seat's colour and mark; without a game, that of the seat."""
    worn = _worn.get()
    return worn[seat] if seat < len(worn) else seat % HUES


def worn() -> tuple[int, ...]:
    return _worn.get()


def wear(hues: tuple[int, ...] = ()) -> None:
    """From here on a game is shown in which the seats have these colours."""
    _worn.set(hues)


@contextmanager
def wearing(hues: tuple[int, ...]) -> Iterator[None]:
    before = _worn.set(hues)
    try:
        yield
    finally:
        _worn.reset(before)
