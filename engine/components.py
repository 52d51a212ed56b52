"""Component tables: cards, tiles and tracks as data, one TOML file per game, each table marked with its provenance.

A game declares the shape as msgspec structs: a `Table[Row]` for each table of the file. A group that owns the box can
supply its own file of the same shape; errors name the table and the row.
"""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Generic, Literal, Protocol, TypeVar

import msgspec

Row = TypeVar("Row")
Box = TypeVar("Box")
Made = TypeVar("Made", covariant=True)


class BadComponents(ValueError):
    """A component file that cannot be played with. The text names the table and the row."""


class Table(msgspec.Struct, Generic[Row], frozen=True, forbid_unknown_fields=True):
    """Rows of one kind and where they come from: stated in the rulebook, a public source, or our own."""

    provenance: Literal["rulebook", "secondary", "house"]
    source: str
    rows: list[Row]


class LoadBox(Protocol[Made]):
    """How a game opens its box: made of a group's own component text, or (None) of the game's own file, once."""

    def __call__(self, text: str | None = None, /) -> Made: ...


def read(text: str, shape: type[Box]) -> Box:
    """The tables in a TOML text, checked against their shape."""
    try:
        return msgspec.convert(tomllib.loads(text), shape)
    except tomllib.TOMLDecodeError as error:
        raise BadComponents(f"the component file is not valid TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise BadComponents(_named(str(error))) from error


def loader(beside: str, make: Callable[[str], Box]) -> LoadBox[Box]:
    """The own file of a game is the one beside its module."""

    @cache
    def own() -> Box:
        return make(Path(beside).with_name("components.toml").read_text(encoding="utf-8"))

    def load_box(text: str | None = None) -> Box:
        return own() if text is None else make(text)

    return load_box


def _named(error: str) -> str:
    """msgspec says `Expected `int`, got `str` - at `$.cards.rows[3].value``; a person counts rows from 1."""
    what, _, path = re.sub(r" - at `key` in `\$", " - at `$", error).partition(" - at `$")
    parts = re.findall(r"\w+", path)
    if not parts:
        return f"component file: {what}"
    place = f"table {parts[0]}"
    if len(parts) > 2 and parts[1] == "rows":
        place += f", row {int(parts[2]) + 1}"
        if len(parts) > 3:
            place += f", {' '.join(parts[3:])}"
    elif len(parts) > 1:
        place += f", {' '.join(parts[1:])}"
    return f"component file, {place}: {what[:1].lower()}{what[1:]}"
