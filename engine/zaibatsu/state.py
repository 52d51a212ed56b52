"""The state of Nippon: Zaibatsu as plain data, and the questions the rules keep asking of it.

Owners on the main board are seat numbers; in a solo game the Automa is owner 1. Knows no decisions.
"""

from functools import cached_property
from typing import ClassVar

import msgspec

from engine.scene import State
from engine.zaibatsu.box import Box
from engine.zaibatsu.numbers import FINAL_ROUNDS, GOODS_ROOM, HIRING_ROOM, MACHINE_ROOM, PIECES, TRAIN_INFLUENCE

AUTOMA = 1


class Worker(msgspec.Struct, array_like=True, frozen=True):
    """A worker on a zaibatsu board; experts go home to the Iwakura Mission."""

    colour: str
    expert: bool = False


class Factory(msgspec.Struct, array_like=True):
    """A factory tile with the goods below it and the machines on it."""

    tile: str
    goods: int = 0
    machines: int = 0

    @property
    def good(self) -> str:
        return self.tile[:-2]

    @property
    def old(self) -> bool:
        """The Old Factory: holds goods, but does not produce and has no room for machines."""
        return self.tile[-2] == "0"


class Token(msgspec.Struct, array_like=True, frozen=True):
    """An influence token on the main board."""

    owner: int
    value: int


class City(msgspec.Struct, array_like=True):
    """A local market: the good asked for on each side of the demand tile, and the token lying there. Sides run
    clockwise from the top."""

    goods: list[str]
    tokens: list[Token | None]


class Board(msgspec.Struct, array_like=True):
    """A player's zaibatsu. `kept` is coal that survives a consolidation. `ships`, `machines`, `trains` count those
    built; `spare_*` wait for the first factory. `workers` are in order from the lowest space."""

    vp: int = 0
    coal: int = 0
    kept: int = 0
    silk: int = 0
    iron: int = 0
    money: int = 0
    rd: int = 1
    mining: int = 1
    finance: int = 1
    ships: int = 0
    machines: int = 0
    trains: int = 0
    spare_machine: int = 0
    spare_goods: int = 0
    cheap: bool = False
    workers: list[Worker] = []
    factories: list[Factory] = []
    upgraded: list[str] = []
    hand: list[int] = []
    locked: list[int] = []
    contracts: list[str] = []
    favors: list[int] = []
    objectives: dict[str, int] = {}
    start: list[str] = []
    parts: dict[str, int] = {}
    last_turn: int = 0

    def score(self, part: str, vp: int) -> None:
        """Points on the scoring track, which never goes below 0."""
        vp = max(vp, -self.vp)
        self.vp += vp
        self.parts[part] = self.parts.get(part, 0) + vp

    def all_coal(self) -> int:
        return self.coal + self.kept

    def purse(self) -> int:
        """What can be paid in money: silk counts as money at any moment of one's turn."""
        return self.money + self.silk

    def pay_money(self, price: int) -> None:
        """Money first: silk can become money later, but money cannot become silk and does not last."""
        self.money -= price
        if self.money < 0:
            self.silk += self.money
            self.money = 0

    def pay_coal(self, price: int) -> None:
        """Loose coal first: the kept coal survives a consolidation."""
        self.coal -= price
        if self.coal < 0:
            self.kept += self.coal
            self.coal = 0

    def colours(self) -> int:
        return len({worker.colour for worker in self.workers})

    def goods(self) -> int:
        """Of all types, over all factories."""
        goods = 0
        for factory in self.factories:
            goods += factory.goods
        return goods

    def stock(self) -> dict[str, int]:
        """Goods by type over all factories."""
        goods: dict[str, int] = {}
        for factory in self.factories:
            if factory.goods:
                good = factory.tile[:-2]
                goods[good] = goods.get(good, 0) + factory.goods
        return goods


class Automa(msgspec.Struct, array_like=True):
    """Solo: the Automa's board. `pile` is face down, drawn from its end. `knocked_out`: its influence
    tokens that others replaced."""

    goals: list[str] = []
    priority: list[str] = []
    pile: list[str] = []
    revealed: list[str] = []
    rows: list[list[int]] = []
    trains: int = PIECES
    colours: list[str] = []
    knocked_out: list[int] = []


class Zaibatsu(State):
    """`stage`: start, turn, automa, round, final, over. `round` is the space of the first round marker. In the final
    rounds `final_turns` counts down the turns left. The bag is shaken at every draw. `unused`: workers left out.
    `paid`: what influence earned each seat in the periods that are over. `step`: how far the turn is that is taken."""

    box: ClassVar[Box]
    stage: str = "start"
    first: int = 0
    active: int = 0
    round: int = 1
    passes: int = 0
    final_turns: int = 0
    boards: list[Board] = []
    cities: list[City] = []
    trains: list[list[int | None]] = []
    experts: list[str] = []
    docks: dict[str, list[int]] = {}
    upgrades: dict[str, int] = {}
    bag: list[str] = []
    hiring: list[list[str]] = []
    queue: list[list[str]] = []
    factories: list[str] = []
    pairs: list[tuple[str, str]] = []
    common_goals: list[list[str]] = []
    automa: Automa | None = None
    unused: dict[str, int] = {}
    lost: bool = False
    paid: list[list[int]] = []
    step: str = ""

    @cached_property
    def sides(self) -> int:
        """How many take turns: a solo game is one of two."""
        return self.players if self.players > 1 else 2

    @property
    def period(self) -> int:
        """0, 1 or 2."""
        ends = self.box.period_ends
        return 0 if self.round <= ends[0] else 1 if self.round <= ends[1] else 2

    @property
    def final_rounds(self) -> bool:
        return self.round > self.box.last_round - FINAL_ROUNDS

    @cached_property
    def train_spaces(self) -> int:
        return 2 * self.sides - 1


def train_influence(state: Zaibatsu, owner: int) -> int:
    """What one train of this owner is worth in influence: more by a factory."""
    if owner < state.players:
        for factory in state.boards[owner].factories:
            row = state.box.tiles[factory.tile].row
            if row.effect == "train_influence":
                return row.n
    return TRAIN_INFLUENCE


def influence(state: Zaibatsu, region: int) -> tuple[list[int], int]:
    """Influence Scoring, steps 1 and 2: by owner, and that of the overseas companies. Trains count only beside a
    token of their owner, but the Automa's always do."""
    totals = [0] * state.sides
    overseas = 0
    for city in (2 * region, 2 * region + 1):
        values = state.box.overseas[city]
        for side, token in enumerate(state.cities[city].tokens):
            if token is None:
                overseas += values[side]
            else:
                totals[token.owner] += token.value
    for owner in state.trains[region]:
        if owner is not None and (totals[owner] or (state.automa and owner == AUTOMA)):
            totals[owner] += train_influence(state, owner)
    return totals, overseas


def standing(state: Zaibatsu, region: int, period: int | None = None) -> tuple[list[int], int, list[int]]:
    """Influence Scoring in a region as of now: the influence of each owner, that of the overseas companies, and by
    steps 3 and 4 the points of each owner, in this period or another."""
    totals, overseas = influence(state, region)
    values = state.box.places[state.period if period is None else period]
    if state.sides == 2:
        values = [values[0], *values[2:]]
    field = sorted((total for total in (*totals, overseas) if total), reverse=True)
    won = []
    for total in totals:
        if not total:
            won.append(0)
            continue
        best, tied = field.index(total), field.count(total)
        won.append(sum(values[best : best + tied]) // tied)
    return totals, overseas, won


def tokens_out(state: Zaibatsu, owner: int) -> int:
    return sum(token is not None and token.owner == owner for city in state.cities for token in city.tokens)


def reached(state: Zaibatsu, seat: int, what: str) -> int:
    """How far a seat has come in the category of a goal or an objective."""
    if what == "influence":
        return tokens_out(state, seat)
    if what in ("factories", "contracts"):
        return len(getattr(state.boards[seat], what))
    count: int = getattr(state.boards[seat], what)
    return count


def thresholds_passed(state: Zaibatsu, board: Board, what: str) -> int:
    """0, 1 or 2 thresholds of a track or of ships, machines, trains."""
    at: int = getattr(board, what)
    return sum(at >= threshold for threshold in state.box.thresholds[what])


def objective_points(state: Zaibatsu, seat: int, what: str, level: int) -> int:
    """Personal Objectives Scoring: what a Favor of this level on this objective is worth now."""
    board, box = state.boards[seat], state.box
    if what in box.points:
        count = reached(state, seat, what)
        return box.points[what][count - 1][level - 1] if count else 0
    favor = box.favors[level - 1]
    return (0, favor.lower, favor.higher)[thresholds_passed(state, board, what)]


def draw_workers(state: Zaibatsu, n: int) -> list[str]:
    """Workers out of the bag at random; fewer when it runs dry."""
    shaken = state.shuffled(state.bag)
    state.bag = shaken[n:]
    return shaken[:n]


def fill_queue(state: Zaibatsu) -> None:
    """One row of three for each area in use; what is left in a row stays."""
    rows = state.sides - 1
    fresh = draw_workers(state, HIRING_ROOM * rows - sum(map(len, state.queue)))
    for row in range(rows):
        if len(state.queue) <= row:
            state.queue.append([])
        while len(state.queue[row]) < HIRING_ROOM and fresh:
            state.queue[row].append(fresh.pop(0))
    state.queue = [row for row in state.queue if row]


def seats_from(state: Zaibatsu, seat: int) -> list[int]:
    return [*range(seat, state.players), *range(seat)]


def add_goods(factory: Factory, n: int) -> int:
    """Put goods below a factory; what finds no room is lost. How many found room."""
    placed = min(n, GOODS_ROOM - factory.goods)
    factory.goods += placed
    return placed


def machine_room(factory: Factory) -> bool:
    return factory.machines < MACHINE_ROOM and not factory.old


def solo_goals_met(state: Zaibatsu) -> list[bool]:
    assert state.automa is not None
    wanted = state.box.solo_goal
    return [reached(state, 0, goal) >= wanted[goal] for goal in state.automa.goals]


def rank(state: Zaibatsu, score: int) -> str:
    return next(row.id for row in state.box.ranks if score >= row.at_least)
