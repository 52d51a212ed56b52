"""Positions of Zaibatsu in a few words: "cotton1a:2/1" is a factory with 2 goods and 1 machine; "red*" is an expert;
"5@1" on a side of a city is seat 1's token of influence 5."""

from collections.abc import Sequence
from typing import Any

import msgspec

from engine import GAMES, Match
from engine.zaibatsu.state import Board, Factory, Token, Worker, Zaibatsu

ZAIBATSU = GAMES["zaibatsu"]
HIRING = "black red white"


def factories(text: str) -> list[Factory]:
    found = []
    for word in text.split():
        tile, _, load = word.partition(":")
        goods, _, machines = load.partition("/")
        found.append(Factory(tile, int(goods or 0), int(machines or 0)))
    return found


def workers(text: str) -> list[Worker]:
    return [Worker(word.rstrip("*"), word.endswith("*")) for word in text.split()]


def fill(board: Board, values: dict[str, Any]) -> None:
    """Set what is given; pieces on factories count as built."""
    for name, value in values.items():
        if name == "factories":
            board.factories = factories(value)
            board.machines = sum(factory.machines for factory in board.factories)
        elif name == "workers":
            board.workers = workers(value)
        else:
            setattr(board, name, value)


def position(
    players: int = 2,
    *,
    offered: str = "",
    hiring: str | list[str] = HIRING,
    queue: str = "blue blue blue",
    cities: dict[int, list[str]] | None = None,
    tokens: dict[tuple[int, int], str] | None = None,
    lines: dict[int, list[int]] | None = None,
    others: Sequence[dict[str, Any]] = (),
    options: dict[str, Any] | None = None,
    state: dict[str, Any] | None = None,
    components: str | None = None,
    **mine: Any,
) -> Match:
    """A match in which it is seat 0's turn. All else given is seat 0's board; `others` are the boards of the seats
    after it. `cities`: the goods by side; `tokens`: by (city, side); `lines`: owners of trains from the
    top of a region."""
    start = Match.start("zaibatsu", players=players, seed=1, options=options, components=components)._state
    assert isinstance(start, Zaibatsu)
    start.stage, start.active, start.first, start.pairs = "turn", 0, 0, []
    spaces = [hiring] * 5 if isinstance(hiring, str) else hiring
    start.hiring = [space.split() for space in spaces]
    start.queue = [row.split() for row in queue.split("/") if row]
    start.factories = offered.split()
    for at, goods in (cities or {}).items():
        start.cities[at].goods = list(goods)
    for (at, side), text in (tokens or {}).items():
        value, _, owner = text.partition("@")
        start.cities[at].tokens[side] = Token(int(owner), int(value))
        if int(owner) < players:
            start.boards[int(owner)].hand.remove(int(value))
    for region, owners in (lines or {}).items():
        start.trains[region][: len(owners)] = owners
    for board, values in zip(start.boards, [mine, *others, *[{}] * players], strict=False):
        fill(board, values if board is start.boards[0] else {"money": 10, **values})
        for worker in board.workers:
            if worker.expert:
                start.experts.remove(worker.colour)
    for name, value in (state or {}).items():
        setattr(start, name, value)
    box = ZAIBATSU.load_box(components)
    return Match(ZAIBATSU, msgspec.msgpack.encode(start), box)


def play(match: Match, choices: str) -> Board:
    """Make these choices, one word each, for whoever is asked. The board of the seat that was asked first."""
    seat = match.pending[0].seat
    for choice in choices.split():
        match.choose(match.pending[0].seat, choice)
    return state_of(match).boards[seat]


def offers(match: Match) -> list[str]:
    return [option.id for option in match.pending[0].options]


def state_of(match: Match) -> Zaibatsu:
    state = match._state
    assert isinstance(state, Zaibatsu)
    return state
