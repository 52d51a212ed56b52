"""The recipes in CONTRIBUTING.md are right: every file they name is there, and all that exists was made by them."""

import re
from itertools import product
from typing import TypeVar

import pytest

from engine import GAMES
from service.play import rulings
from service.post import language, letters
from service.post.letters import KINDS, Kind
from tests.test_shape import NAMES, ROOT, SHOWN, WHERE_NEEDED

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^### (.+?)\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL))
STANDS_FOR = {"<title>": sorted(GAMES), "<kind>": sorted(KINDS), "<language>": [language.ENGLISH]}
T = TypeVar("T")
FOLDERS = "engine|service|workers|templates|migrations|tests|docs"


def steps(recipe: str) -> list[str]:
    return re.findall(r"^\d+\. (.*?)(?=^\d+\. |^\n|\Z)", RECIPES[recipe], re.MULTILINE | re.DOTALL)


def files(text: str) -> list[str]:
    return re.findall(rf"`((?:(?:{FOLDERS})/[^`\s]*|[A-Z]+\.md))`", text)


def expanded(pattern: str) -> list[str]:
    """The name for every title, kind of letter and language there is."""
    marks = [mark for mark in STANDS_FOR if mark in pattern]
    names = []
    for values in product(*(STANDS_FOR[mark] for mark in marks)):
        name = pattern
        for mark, value in zip(marks, values, strict=True):
            name = name.replace(mark, value)
        names.append(name)
    return names


def exists(name: str) -> bool:
    return any(ROOT.glob(name.rstrip("/")))


def test_there_is_a_recipe_for_what_is_added_most():
    assert list(RECIPES) == [
        "A new title", "A new letter", "A new ruling", "A new language", "A correction of a rule",
    ]  # fmt: skip
    assert all(len(steps(recipe)) >= 3 and files(RECIPES[recipe]) for recipe in RECIPES)


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_file_a_recipe_names_exists_for_all_that_were_made_by_it(recipe: str):
    for text in [*steps(recipe), RECIPES[recipe].partition("1. ")[0]]:
        for pattern in files(text):
            if "/languages/" in pattern:
                continue  # English stands in the sources
            found = {name: exists(name) for name in expanded(pattern)}
            assert found, pattern
            assert (any if "here needed" in text else all)(found.values()), found


def test_every_file_named_elsewhere_exists_too():
    elsewhere = TEXT.partition("## Recipes")[0]
    assert [name for pattern in files(elsewhere) for name in expanded(pattern) if not exists(name)] == []


@pytest.mark.parametrize("command", re.findall(r"^    make (\w+)", TEXT, re.MULTILINE))
def test_every_command_exists(command: str):
    assert re.search(rf"^{command}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_recipe_for_a_title_names_all_its_files():
    named = set(files(RECIPES["A new title"]))
    modules = {"__init__", "state", *NAMES, *WHERE_NEEDED, "balance"}
    assert {f"engine/<title>/{name}.py" for name in modules} | {"engine/<title>/components.toml"} <= named
    assert {f"templates/titles/<title>/{name}" for name in SHOWN} <= named
    for needed in [*NAMES.values(), *WHERE_NEEDED.values()]:
        assert all(f"`{name}`" in RECIPES["A new title"] for name in needed if name.islower() and name != "follow")


def test_every_letter_was_made_by_the_recipe():
    made = [kind for kind in _all_below(Kind) if "name" in vars(kind)]
    assert set(made) == set(KINDS.values())
    for kind in made:
        assert {"name", "wish", "may_wake"} <= vars(kind).keys(), kind
        assert kind.still_true.__func__ is not Kind.still_true.__func__, kind  # type: ignore[attr-defined]
        assert kind.__module__.startswith("service.post.letters."), kind
        assert getattr(letters, kind.__name__) is kind
    words = {path.name.partition(".")[0] for path in (ROOT / "templates" / "letters").iterdir()}
    assert words - {"base", "parts", "question", "help"} == set(KINDS)


def test_every_ruling_was_made_by_the_recipe():
    made = _all_below(rulings.Ruling)
    assert {kind.name for kind in made} == set(rulings.RULINGS)
    for kind in made:
        assert {"name", "label", "help"} <= vars(kind).keys(), kind
        assert kind.__module__ == "service.play.rulings"


def test_a_language_lies_where_the_recipe_says():
    (pattern,) = (name for name in files(RECIPES["A new language"]) if "/languages/" in name)
    folder = language.FOLDER.relative_to(ROOT)
    assert pattern == f"{folder}/<language>/LC_MESSAGES/messages.po"


def _all_below(kind: type[T]) -> list[type[T]]:
    return [deeper for below in kind.__subclasses__() for deeper in (below, *_all_below(below))]
