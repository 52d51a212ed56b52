"""Component tables: cards, tiles and tracks as data, one TOML file per game, each table marked with its provenance.

A game declares the shape as msgspec structs: a `Table[Row]` for each table of the file. A group that owns the box can
supply its own file of the same shape; errors name the table and the row.
"""

import re
import tomllib
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from engine.shapes import learning

Row = TypeVar("Row")
Box = TypeVar("Box")
Made = TypeVar("Made", covariant=True)


# Far more than any box needs, and little enough that no file takes long to read or to play with.
MOST_LETTERS = 32 * 1024
MOST_ROWS = 100
MOST_DEPTH = 8  # of tables within tables
LARGEST_NUMBER = 999
LONGEST_TEXT = 500
GROUPS_AT_ONCE = 8  # whose own boxes are kept in mind: each page of their games needs one

# What takes long to read, or cannot be read at all, is found before: a key of many parts, a number of many digits.
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_DEPTH},}}")
_LONG_NUMBER = re.compile(r"(?<!\w)[0-9][0-9_]{18,}")


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
    _check_text(text)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadComponents(f"the component file is not valid TOML: {error}") from error
    except RecursionError as error:
        raise BadComponents(f"component file: tables lie more than {MOST_DEPTH} deep in each other") from error
    _check_values(tables, "$", 0)
    try:
        with learning:
            return msgspec.convert(tables, shape)
    except msgspec.ValidationError as error:
        raise BadComponents(_named(str(error))) from error


def _check_text(text: str) -> None:
    if len(text) > MOST_LETTERS:
        raise BadComponents(f"the component file has {len(text)} letters, and {MOST_LETTERS} are the most")
    for pattern, what in ((_LONG_KEY, "a key has too many parts"), (_LONG_NUMBER, "a number has too many digits")):
        if found := pattern.search(text):
            raise BadComponents(f"component file, line {text.count(chr(10), 0, found.start()) + 1}: {what}")


def _check_values(value: Any, path: str, depth: int) -> None:
    """What no shape says: nothing is larger than a box could need, and texts can be shown."""
    if depth > MOST_DEPTH:
        raise BadComponents(_named(f"Tables lie more than {MOST_DEPTH} deep in each other - at `{path}`"))
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_values(inner, f"{path}.{key[:40]}", depth + 1)
    elif isinstance(value, list):
        if len(value) > MOST_ROWS:
            raise BadComponents(_named(f"{len(value)} are too many, {MOST_ROWS} are the most - at `{path}`"))
        for at, inner in enumerate(value):
            _check_values(inner, f"{path}[{at}]", depth + 1)
    elif isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise BadComponents(_named(f"Numbers go up to {LARGEST_NUMBER} - at `{path}`"))
    elif isinstance(value, str) and (len(value) > LONGEST_TEXT or not value.replace("\n", "").isprintable()):
        raise BadComponents(_named(f"A text has up to {LONGEST_TEXT} letters that can be seen - at `{path}`"))


def loader(beside: str, make: Callable[[str], Box]) -> LoadBox[Box]:
    """The own file of a game is the one beside its module."""

    @cache
    def own() -> Box:
        return make(Path(beside).with_name("components.toml").read_text(encoding="utf-8"))

    theirs = lru_cache(maxsize=GROUPS_AT_ONCE)(make)

    def load_box(text: str | None = None) -> Box:
        return own() if text is None else theirs(text)

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
