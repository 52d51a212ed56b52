"""What lies in the box: lanterns of three colours."""

import msgspec

from engine.components import Table, loader, read


class Row(msgspec.Struct, frozen=True):
    colour: str
    value: int
    count: int


class File(msgspec.Struct, frozen=True):
    lanterns: Table[Row]


class Box(msgspec.Struct, frozen=True):
    values: dict[str, int]
    pile: list[str]


def make(text: str) -> Box:
    rows = read(text, File).lanterns.rows
    return Box({row.colour: row.value for row in rows}, [row.colour for row in rows for _ in range(row.count)])


load_box = loader(__file__, make)
