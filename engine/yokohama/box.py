"""The components of Yokohama: shapes of the tables in components.toml and the checks a playable file must pass.

Knows cards, tiles and tracks; knows nothing of a match in progress.
"""

import re
from collections import Counter
from typing import Annotated, Literal

import msgspec

from engine.components import BadComponents, Table, loader, read

GOODS = ("copper", "silk", "tea", "fish")
PRICES = (2, 2, 1, 1)
COUNTRIES = ("britain", "america", "france", "germany", "netherlands")
TECHNOLOGIES = (
    "gaslight",
    "station",
    "mining",
    "spinning_mill",
    "stagecoach",
    "exposition",
    "ball",
    "language_school",
    "letterpress",
    "winery",
    "postal",
    "newspaper",
    "electric_light",
    "university",
    "telegram",
    "telephone",
    "brickyard",
    "stock",
    "patent",
    "tram",
)

# What the rulebooks state and no table holds. Goods and pieces that everybody begins with, in hand and stored:
GOODS_AT_FIRST = 1
FIRST_YEN, LATER_YEN = 3, 4  # of the start player, of the others
HAND_ASSISTANTS, STORED_ASSISTANTS = 8, 12
HAND_SHOPS, STORED_SHOPS = 2, 6
STORED_HOUSES = 4
SHOP_PRICE = 2
HOUSE_PRICES = (4, 5, 6, 7)
# In a turn:
MOST_AREAS, MOST_WITH_NEWSPAPER = 3, 4
MOST_POWER = 5
LEAST_TO_BUILD = 4
MOST_ORDERS = 3
SECOND_ORDER = {"yen": 2, "imports": 1}
BEST_PORT_POINTS = 3
IMPORT_PRICE = 4
UNIT_YEN = 2  # in place of one import, for industry
FREE_OF_FEE = {"dlp": 3, "okazu": 4}  # technologies learned before each costs more
FAITH_YEN = {"dlp": 2, "okazu": 1}
# What technologies bring each time, in points; then those that bring yen, up to so many for the Stock Exchange:
EXTRA_POINTS = {"gaslight": 2, "electric_light": 3, "ball": 2, "winery": 3, "brickyard": 4}
EXTRA_POINTS |= {"patent": 2, "exposition": 10}
EXTRA_YEN = {"language_school": 1, "letterpress": 1, "spinning_mill": 2, "stock": 2}
UNIVERSITY_PRICE = 1
# At the end:
CHURCH_POINTS = (6, 3)
CUSTOMS_POINTS = (8, 4)
TECHNOLOGY_POINTS = (10, 5)
SET_POINTS = (0, 0, 2, 4, 8, 12)
NEUTRAL_INDUSTRY = 7.5
YEN_FOR_A_POINT = 2
GOODS_FOR_A_POINT = 3

Country = Literal["britain", "america", "france", "germany", "netherlands"]
Need = Literal["copper", "silk", "tea", "fish", "yen", "tokens", "orders", "technologies", "production", "commercial"]


class Reward(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an order, a building site, a token or a board space gives. `any`: goods of one's choice."""

    vp: int = 0
    yen: int = 0
    copper: int = 0
    silk: int = 0
    tea: int = 0
    fish: int = 0
    any: int = 0
    imports: int = 0
    warehouse: int = 0
    moves: int = 0


class AreaBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An area: what its action is and what the action yields at power 1 to 5."""

    id: str
    kind: Literal["production", "commercial", "canal"]
    action: str
    power: list[int]
    players: list[int]


class TableSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What depends on the number of players."""

    players: int
    rows: list[int]
    orders_removed: Annotated[int, msgspec.Meta(ge=0, le=16)]
    end_okazu: int
    end_dlp: int


class AgentStock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    country: Country
    n: int


class PortSlot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tier: int


class LabSlot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    surcharge: int


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    size: Literal["small", "middling", "large"]
    country: Country
    reward: Reward
    copper: int = 0
    silk: int = 0
    tea: int = 0
    fish: int = 0

    @property
    def goods(self) -> tuple[int, int, int, int]:
        return (self.copper, self.silk, self.tea, self.fish)

    @property
    def price(self) -> int:
        """What the goods cost in Chinatown."""
        return 2 * self.copper + 2 * self.silk + self.tea + self.fish


class Technology(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    cost: int
    country: Country


class Space(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A space of the Church board (cost: faith) or of the Customs board (cost: imports)."""

    cost: int
    reward: Reward
    neutral: bool = False


class Achievement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    deck: Literal["a", "b", "c"]
    needs: dict[Need, int]
    first: int
    later: int


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    reward: Reward


class Site(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    shops: list[Reward]
    house: Reward


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of components.toml."""

    areas: Table[AreaBoard]
    tables: Table[TableSize]
    agents: Table[AgentStock]
    ports: Table[PortSlot]
    laboratories: Table[LabSlot]
    orders: Table[Order]
    technologies: Table[Technology]
    church: Table[Space]
    customs: Table[Space]
    achievements: Table[Achievement]
    tokens: Table[Token]
    sites: Table[Site]


class Box:
    """The tables, ready for looking things up."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.areas = {row.id: row for row in tables.areas.rows}
        self.sizes = {row.players: row for row in tables.tables.rows}
        self.agents: dict[str, int] = {row.country: row.n for row in tables.agents.rows}
        self.tiers = [row.tier for row in tables.ports.rows]
        self.surcharges = [row.surcharge for row in tables.laboratories.rows]
        self.orders = {row.id: row for row in tables.orders.rows}
        self.order_goods = {row.id: row.goods for row in tables.orders.rows}
        self.techs = {row.id: row for row in tables.technologies.rows}
        self.church = tables.church.rows
        self.customs = tables.customs.rows
        self.achievements = {row.id: row for row in tables.achievements.rows}
        self.tokens = {row.id: row for row in tables.tokens.rows}
        self.sites = {row.id: row for row in tables.sites.rows}
        self.tier_power = [_least_power(self.areas["port"].power, tier) for tier in sorted(set(self.tiers))]
        self.number = {name.lower(): value for name, value in globals().items() if name in NUMBERS}


def _least_power(table: list[int], n: int) -> int:
    """From which power on a table gives so much."""
    return next((power for power, given in enumerate(table, 1) if given >= n), len(table))


# What a page of rules tells besides the tables.
NUMBERS = {
    *("GOODS_AT_FIRST", "FIRST_YEN", "LATER_YEN", "HAND_ASSISTANTS", "STORED_ASSISTANTS", "HAND_SHOPS", "STORED_SHOPS"),
    *(
        "STORED_HOUSES",
        "SHOP_PRICE",
        "HOUSE_PRICES",
        "MOST_AREAS",
        "MOST_WITH_NEWSPAPER",
        "MOST_POWER",
        "LEAST_TO_BUILD",
    ),
    *("MOST_ORDERS", "SECOND_ORDER", "BEST_PORT_POINTS", "IMPORT_PRICE", "UNIT_YEN", "FREE_OF_FEE", "FAITH_YEN"),
    *("CHURCH_POINTS", "CUSTOMS_POINTS", "TECHNOLOGY_POINTS", "SET_POINTS", "NEUTRAL_INDUSTRY"),
    *("YEN_FOR_A_POINT", "GOODS_FOR_A_POINT", "PRICES", "EXTRA_POINTS", "EXTRA_YEN", "UNIVERSITY_PRICE"),
}

PRODUCTION = ["copper1", "copper2", "silk1", "silk2", "tea1", "tea2", "fish1", "fish2"]
COMMERCE = ["bank", "chinatown", "church", "customs", "agency", "port", "dock", "lab", "research"]
AREAS = [*PRODUCTION, *COMMERCE, "canal"]


def _make(text: str) -> Box:
    return _checked(read(text, Tables))


def _checked(tables: Tables) -> Box:
    _check_sizes(tables)
    _check_ids(tables)
    _check_rows(tables)
    return Box(tables)


def _check_sizes(tables: Tables) -> None:
    wanted = {"ports": 6, "laboratories": 6, "orders": 36, "technologies": 30, "tokens": 20, "sites": 24}
    for name, n in wanted.items():
        rows = getattr(tables, name).rows
        if len(rows) != n:
            raise BadComponents(f"component file, table {name}: {n} rows are needed, there are {len(rows)}")
    if [row.players for row in tables.tables.rows] != [2, 3, 4]:
        raise BadComponents("component file, table tables: one row each for 2, 3 and 4 players is needed")
    most = max(max(row.end_okazu, row.end_dlp) for row in tables.tables.rows)
    for name in ("church", "customs"):
        rows = getattr(tables, name).rows
        if len(rows) < most:
            raise BadComponents(f"component file, table {name}: at least {most} spaces are needed")
        if [row.neutral for row in rows].count(True) != 1:
            raise BadComponents(f"component file, table {name}: exactly one space is marked neutral")


def _check_ids(tables: Tables) -> None:
    for name in ("areas", "orders", "technologies", "achievements", "tokens", "sites"):
        seen: set[str] = set()
        for n, row in enumerate(getattr(tables, name).rows, 1):
            if row.id in seen:
                raise BadComponents(f"component file, table {name}, row {n}: the id {row.id} is used twice")
            if not re.fullmatch(r"[a-z0-9_]{1,30}", row.id):
                raise BadComponents(f"component file, table {name}, row {n}: an id is made of small letters and digits")
            seen.add(row.id)
    if [row.id for row in tables.areas.rows] != AREAS:
        raise BadComponents(f"component file, table areas: the areas are, in this order, {', '.join(AREAS)}")
    if sorted(row.country for row in tables.agents.rows) != sorted(COUNTRIES):
        raise BadComponents("component file, table agents: one row for each of the five countries is needed")


def _check_rows(tables: Tables) -> None:
    for n, area in enumerate(tables.areas.rows, 1):
        if area.kind != "canal" and len(area.power) != 5:
            raise BadComponents(f"component file, table areas, row {n}: five values are needed, for power 1 to 5")
    for n, order in enumerate(tables.orders.rows, 1):
        if not any(order.goods) or min(order.goods) < 0:
            raise BadComponents(f"component file, table orders, row {n}: an order asks for goods")
    copies = Counter(row.name for row in tables.technologies.rows)
    for n, tech in enumerate(tables.technologies.rows, 1):
        if tech.name not in TECHNOLOGIES:
            raise BadComponents(f"component file, table technologies, row {n}: there is no technology {tech.name}")
        if tech.name == "station" and copies["station"] > 1:
            raise BadComponents(f"component file, table technologies, row {n}: there is only one station")
    for deck in "abc":
        if not any(row.deck == deck for row in tables.achievements.rows):
            raise BadComponents(f"component file, table achievements: no card of deck {deck}")
    for n, site in enumerate(tables.sites.rows, 1):
        if len(site.shops) != 4:
            raise BadComponents(f"component file, table sites, row {n}: a site has four shop spaces")
    for size in tables.tables.rows:
        used = sum(1 for area in tables.areas.rows if size.players in area.players)
        if used != sum(size.rows):
            raise BadComponents(
                f"component file, table tables: {size.players} players use {used} areas, the rows hold {sum(size.rows)}"
            )


load_box = loader(__file__, _make)
