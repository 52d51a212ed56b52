"""What is hidden at this table, for the suite that proves that nothing leaks and no component gets lost."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.zaibatsu.numbers import PIECES
from engine.zaibatsu.state import Zaibatsu

Shuffle = Callable[[list[Any]], list[Any]]


def scramble(state: Zaibatsu, seat: int | None, shuffle: Shuffle) -> None:
    """Players hide nothing from each other, and what the bag holds can be counted. Hidden is only the order in which
    workers will come out of it, and that of the Automa's face-down tokens."""
    state.bag = shuffle(state.bag)
    if state.automa is not None:
        state.automa.pile = shuffle(state.automa.pile)


def census(state: Zaibatsu) -> Counter[str]:
    """Every component that does not come from the unlimited supply."""
    count: Counter[str] = Counter(state.bag)
    count.update(state.unused)
    count.update(f"expert {colour}" for colour in state.experts)
    count.update(f"upgrade {colour}" for colour, n in state.upgrades.items() for _ in range(n))
    count.update(colour for row in (*state.hiring, *state.queue) for colour in row)
    count.update(f"factory {tile}" for tile in state.factories)
    for seat, board in enumerate(state.boards):
        count.update(f"expert {worker.colour}" if worker.expert else worker.colour for worker in board.workers)
        count.update(f"upgrade {colour}" for colour in board.upgraded)
        count.update(f"factory {factory.tile}" for factory in board.factories if not factory.old)
        count.update(f"influence {seat} {value}" for value in (*board.hand, *board.locked))
        count[f"favors {seat}"] += sum(board.favors) + len(board.objectives)
        count[f"ships {seat}"] += PIECES - board.ships
        count[f"trains {seat}"] += PIECES - board.trains
        installed = board.spare_machine + sum(factory.machines for factory in board.factories)
        count[f"machines {seat}"] += PIECES - board.machines + installed
    for colour in state.docks:
        count.update(f"ships {seat}" for seat in state.docks[colour])
    count.update(f"trains {owner}" for region in state.trains for owner in region if owner is not None)
    tokens = [token for city in state.cities for token in city.tokens if token is not None]
    count.update(f"influence {token.owner} {token.value}" for token in tokens)
    if state.automa is not None:
        automa = state.automa
        count["trains 1"] += automa.trains
        count.update(f"influence 1 {value}" for row in (*automa.rows, automa.knocked_out) for value in row)
        count.update(f"action {token}" for token in (*automa.pile, *automa.revealed))
    return Counter({what: n for what, n in count.items() if n})
