"""The shape of Osaka's component file, and the box made of it. Knows no rules beyond what the numbers mean."""

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from engine.components import BadComponents, Table, loader, read

COLOURS = ("red", "blue", "yellow", "green")
VALUES = (2, 3, 5)
FACES = {f"{colour}{value}": (colour, value) for colour in COLOURS for value in VALUES}
KINDS = tuple(FACES)
ORDER = {card: place for place, card in enumerate(KINDS)}
COLOUR = {card: colour for card, (colour, _) in FACES.items()}
VALUE = {card: value for card, (_, value) in FACES.items()}

if TYPE_CHECKING:
    Card = str
else:
    Card = Literal[KINDS]  # a match that is read has these very strings, which are looked up faster than equal ones

Count = Annotated[int, msgspec.Meta(ge=1, le=99)]


class CardRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str
    colour: Literal["red", "blue", "yellow", "green"]
    value: Literal[2, 3, 5]
    copies: Count
    icons: Annotated[int, msgspec.Meta(ge=0, le=9)]


class SpaceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Literal["osaka", "oshima", "anori", "enshunada1", "enshunada2", "edo"]
    kind: Literal["port", "sea", "anchor", "waves", "edo"]


class NumberRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many cards, coins or tokens. Only what is dealt to a row may be none."""

    name: Literal["market", "farm", "opening_coins", "market_refresh", "farm_refresh", "coins_per_vp", "last_token"]
    value: Annotated[int, msgspec.Meta(ge=0, le=99)]


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: Table[CardRow]
    route: Table[SpaceRow]
    numbers: Table[NumberRow]


class Box:
    """The tables, with what the rules ask of them worked out once."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.copies = {row.card: row.copies for row in tables.cards.rows}
        self.icons = {row.card: row.icons for row in tables.cards.rows}
        self.insuring = {
            colour: [card for card in KINDS if COLOUR[card] == colour and self.icons[card]] for colour in COLOURS
        }
        self.route = [row.name for row in tables.route.rows]
        self.kinds = [row.kind for row in tables.route.rows]
        self.edo = self.kinds.index("edo")
        self.anchor = self.kinds.index("anchor")
        self.waves = frozenset(at for at, kind in enumerate(self.kinds) if kind == "waves")
        self.number: dict[str, int] = {row.name: row.value for row in tables.numbers.rows}
        self.coins_per_vp = self.number["coins_per_vp"]


def _make(text: str) -> Box:
    tables = read(text, Tables)
    _check_cards(tables.cards.rows)
    _check_names("route", [row.name for row in tables.route.rows], SpaceRow)
    _check_names("numbers", [row.name for row in tables.numbers.rows], NumberRow)
    _check_route(tables.route.rows)
    _check_numbers(tables.numbers.rows)
    return Box(tables)


def _check_cards(rows: list[CardRow]) -> None:
    seen: set[str] = set()
    for number, row in enumerate(rows, 1):
        if row.card != f"{row.colour}{row.value}":
            raise BadComponents(
                f"component file, table cards, row {number}: card {row.card!r} must be called "
                f"{row.colour}{row.value}, after its colour and value"
            )
        if row.card in seen:
            raise BadComponents(f"component file, table cards, row {number}: a second row for {row.card}")
        seen.add(row.card)
    if missing := [card for card in KINDS if card not in seen]:
        raise BadComponents(f"component file, table cards: no row for {', '.join(missing)}")


def _check_names(table: str, names: list[str], shape: type[SpaceRow] | type[NumberRow]) -> None:
    known = msgspec.inspect.type_info(shape)
    assert isinstance(known, msgspec.inspect.StructType)
    literal = known.fields[0].type
    assert isinstance(literal, msgspec.inspect.LiteralType)
    for number, name in enumerate(names, 1):
        if name in names[: number - 1]:
            raise BadComponents(f"component file, table {table}, row {number}: a second row for {name}")
    if missing := [str(name) for name in literal.values if name not in names]:
        raise BadComponents(f"component file, table {table}: no row for {', '.join(missing)}")


def _check_route(rows: list[SpaceRow]) -> None:
    kinds = [row.kind for row in rows]
    if kinds[0] != "port" or kinds[-1] != "edo" or kinds.count("port") + kinds.count("edo") != 2:
        raise BadComponents("component file, table route: the route goes from one port (row 1) to edo (the last row)")
    if kinds.count("anchor") != 1:
        raise BadComponents("component file, table route: exactly one row is the anchor that sunk ships go back to")


def _check_numbers(rows: list[NumberRow]) -> None:
    for number, row in enumerate(rows, 1):
        if row.value == 0 and row.name in ("opening_coins", "coins_per_vp", "last_token"):
            raise BadComponents(f"component file, table numbers, row {number}: {row.name} must be at least 1")
    deals = {row.name: row.value for row in rows}
    if deals["market_refresh"] + deals["farm_refresh"] == 0:
        raise BadComponents("component file, table numbers: a refresh must deal at least one card to market or farm")


load_box = loader(__file__, _make)
