"""The shape of the Duel's component file, and the box made of it. Knows no rules beyond what the numbers mean."""

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

from engine.components import BadComponents, Table, loader, read
from engine.duel.numbers import NUMBERS

GOODS = ("tea", "fish", "silk", "copper")
PLACES = ("tea", "fish", "silk", "copper", "church", "customs", "chinatown", "bank", "laboratory", "port")
CRITERIA = ("orders", "technologies", "church", "flipped")
TECHNOLOGIES = (
    "ball",
    "stock_exchange",
    "brickworks",
    "brewery",
    "stagecoach",
    "electric_light",
    "language_school",
    "exposition",
    "spinning_mill",
    "station",
    "printing_press",
    "newspaper",
    "gas_lamp",
    "patents",
    "post",
    "mining",
    "telegraph",
    "telephone",
    "tram",
    "university",
)

Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
Few = Annotated[int, msgspec.Meta(ge=0, le=9)]
CardId = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]{0,23}$")]


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every row: no field that is not asked for."""


class Reward(_Row, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a card or a kit gives."""

    yen: Few = 0
    tea: Few = 0
    fish: Few = 0
    silk: Few = 0
    copper: Few = 0
    imports: Few = 0
    flips: Few = 0
    help1: Few = 0
    help2: Few = 0
    orders: Few = 0

    @property
    def things(self) -> dict[str, int]:
        """Only what it does give."""
        return {name: n for name in self.__struct_fields__ if (n := getattr(self, name))}


class Needs(_Row, frozen=True, forbid_unknown_fields=True):
    """What an order asks for."""

    tea: Few = 0
    fish: Few = 0
    silk: Few = 0
    copper: Few = 0

    @property
    def things(self) -> tuple[tuple[str, int], ...]:
        return tuple((name, n) for name in self.__struct_fields__ if (n := getattr(self, name)))


class PlaceRow(_Row, frozen=True, forbid_unknown_fields=True):
    id: Literal["tea", "fish", "silk", "copper", "church", "customs", "chinatown", "bank", "laboratory", "port"]
    levels: Annotated[list[Few], msgspec.Meta(min_length=5, max_length=5)]
    always_open: bool = False


class LevelRow(_Row, frozen=True, forbid_unknown_fields=True):
    level: Few


class ImprovementRow(_Row, frozen=True, forbid_unknown_fields=True):
    level: Few
    price: Few


class PriceRow(_Row, frozen=True, forbid_unknown_fields=True):
    good: Literal["tea", "fish", "silk", "copper", "imports"]
    price: Few


class HouseRow(_Row, frozen=True, forbid_unknown_fields=True):
    price: Few


class CriterionRow(_Row, frozen=True, forbid_unknown_fields=True):
    id: Literal["orders", "technologies", "church", "flipped"]
    n: Few


class TechnologyRow(_Row, frozen=True, forbid_unknown_fields=True):
    id: str
    each: Few = 0
    once: bool = False


class CostRow(_Row, frozen=True, forbid_unknown_fields=True):
    id: str
    cost: Count


class ChurchRow(_Row, frozen=True, forbid_unknown_fields=True):
    id: CardId
    faith: Count
    points: Count
    reward: Reward


class BonusRow(_Row, frozen=True, forbid_unknown_fields=True):
    id: CardId
    rewards: Annotated[list[Reward], msgspec.Meta(min_length=3, max_length=3)]


class OrderRow(_Row, frozen=True, forbid_unknown_fields=True):
    id: CardId
    needs: Needs
    points: Count
    reward: Reward = Reward()


class Tables(_Row, frozen=True, forbid_unknown_fields=True):
    places: Table[PlaceRow]
    kits: Table[Reward]
    influence: Table[LevelRow]
    improvements: Table[ImprovementRow]
    prices: Table[PriceRow]
    houses: Table[HouseRow]
    recruiting: Table[CriterionRow]
    technologies: Table[TechnologyRow]
    technology_costs: Table[CostRow]
    church: Table[ChurchRow]
    bonus: Table[BonusRow]
    orders: Table[OrderRow]


class Box:
    """The tables, with what the rules ask of them worked out once."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.number = NUMBERS
        self.levels: dict[str, list[int]] = {row.id: row.levels for row in tables.places.rows}
        self.least: dict[str, int] = {
            row.id: next((at for at, n in enumerate(row.levels, 1) if n), 0) for row in tables.places.rows
        }
        self.always_open = frozenset(row.id for row in tables.places.rows if row.always_open)
        self.never_occupied = self.always_open | {""}  # where a card in hand lies
        self.kits = [row.things for row in tables.kits.rows]
        self.influence = [
            (plain.level, better.level)
            for plain, better in zip(tables.influence.rows, tables.improvements.rows, strict=True)
        ]
        self.improvement = [row.price for row in tables.improvements.rows]
        self.price: dict[str, int] = {row.good: row.price for row in tables.prices.rows}
        self.house_price = [row.price for row in tables.houses.rows]
        self.recruiting: dict[str, int] = {row.id: row.n for row in tables.recruiting.rows}
        self.each = {row.id: row.each for row in tables.technologies.rows}
        self.once = frozenset(row.id for row in tables.technologies.rows if row.once)
        self.cost = {row.id: row.cost for row in tables.technology_costs.rows}
        self.church = {row.id: row for row in tables.church.rows}
        self.faith = {row.id: row.faith for row in tables.church.rows}
        self.bonus = {row.id: row for row in tables.bonus.rows}
        self.bonus_rewards = {row.id: [reward.things for reward in row.rewards] for row in tables.bonus.rows}
        self.church_reward = {row.id: row.reward.things for row in tables.church.rows}
        self.orders = {row.id: row for row in tables.orders.rows}
        self.needs = {
            row.id: tuple((good, n) for good, n in enumerate(msgspec.structs.astuple(row.needs)) if n)
            for row in tables.orders.rows
        }
        self.needed = {row.id: row.needs.things for row in tables.orders.rows}
        self.order_gains = {row.id: tuple(row.reward.things.items()) for row in tables.orders.rows}
        self.church_gains = {row.id: tuple(row.reward.things.items()) for row in tables.church.rows}
        self.order_reward = {row.id: row.reward.things for row in tables.orders.rows}
        self.order_rank = {row.id: at for at, row in enumerate(tables.orders.rows)}
        self.church_rank = {row.id: at for at, row in enumerate(tables.church.rows)}


def _make(text: str) -> Box:
    tables = read(text, Tables)
    _check_names("places", [row.id for row in tables.places.rows], PLACES)
    _check_names("prices", [row.good for row in tables.prices.rows], (*GOODS, "imports"))
    _check_names("recruiting", [row.id for row in tables.recruiting.rows], CRITERIA)
    _check_names("technologies", [row.id for row in tables.technologies.rows], TECHNOLOGIES)
    _check_names("technology_costs", [row.id for row in tables.technology_costs.rows], TECHNOLOGIES)
    _check_count("kits", len(tables.kits.rows), 2)
    _check_count("influence", len(tables.influence.rows), 4)
    _check_count("improvements", len(tables.improvements.rows), 4)
    _check_count("houses", len(tables.houses.rows), 4)
    _check_count("church", len(tables.church.rows), 9)
    _check_deck("church", [row.id for row in tables.church.rows])
    _check_deck("bonus", [row.id for row in tables.bonus.rows], least=4)
    _check_deck("orders", [row.id for row in tables.orders.rows], least=12, most=36)
    _check_orders(tables.orders.rows)
    return Box(tables)


def _check_names(table: str, names: list[str], known: Iterable[str]) -> None:
    for number, name in enumerate(names, 1):
        if name not in known:
            raise BadComponents(f"component file, table {table}, row {number}: there is no {name!r} in this game")
    _check_deck(table, names)
    if missing := [name for name in known if name not in names]:
        raise BadComponents(f"component file, table {table}: no row for {', '.join(missing)}")


def _check_count(table: str, rows: int, wanted: int) -> None:
    if rows != wanted:
        raise BadComponents(f"component file, table {table}: {rows} rows, and the game has {wanted}")


def _check_deck(table: str, names: list[str], least: int = 1, most: int = 99) -> None:
    for number, name in enumerate(names, 1):
        if name in names[: number - 1]:
            raise BadComponents(f"component file, table {table}, row {number}: a second row for {name}")
    if not least <= len(names) <= most:
        raise BadComponents(f"component file, table {table}: {len(names)} rows; at least {least}, at most {most}")


def _check_orders(rows: list[OrderRow]) -> None:
    for number, row in enumerate(rows, 1):
        if row.needs == Needs():
            raise BadComponents(f"component file, table orders, row {number}: an order needs at least one good")


load_box = loader(__file__, _make)
