"""The board in a letter, of every title."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from engine import GAMES, Match
from service.post import picture
from tests.bench.rows import Row

ROUNDS = 12
PICTURED = 60  # choices from one picture to the next


def picture_rows() -> Iterator[Row]:
    """The board in a letter, with every seat taken: the worst of some positions on the way, each at its best."""
    for title in GAMES.values():
        names = ["Aiko", "Bruno", "Chidi", "Dana"][: title.players[-1]]
        slowest, heaviest = 0.0, 0
        for view in _views(title.id):
            spent = min(_spent(partial(_picture, title.id, view, names)) for _ in range(ROUNDS))
            slowest, heaviest = max(slowest, spent), max(heaviest, len(_picture(title.id, view, names)))
        measured = f"{slowest * 1000:.0f} ms, {heaviest / 1000:.1f} kB"
        yield Row(
            f"{title.title}: its board in a letter",
            measured,
            "under 150 ms, 40 kB",
            slowest < 0.15 and heaviest <= 40_000,
        )


def _views(game: str) -> Iterator[dict[str, Any]]:
    """What whoever is asked sees, at some moments of a game between built-in players."""
    match, made = Match.start(game, players=GAMES[game].players[-1], seed=3), 0
    while match.pending:
        decision = match.pending[0]
        if made % PICTURED == 0:
            yield match.view(decision.seat)
        match.choose(decision.seat, match.bot_choice(decision.seat))
        made += 1


def _picture(game: str, view: dict[str, Any], names: list[str]) -> bytes:
    picture.rasterised.cache_clear()
    return picture.of(game, view, names)


def _spent(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
