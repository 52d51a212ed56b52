"""A made-up language: every marked sentence and every word of the engine, longer and with all its letters accented, so
that whatever is plain on a page, in a letter or in an answer was never marked.

It is made anew from the sources for each run, by the command of `make words`. Dates, lists and plurals are those of a
real language (Polish, which has four forms of number), whose code it goes by.
"""

import json
import re
import shlex
import shutil
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.frontend import CommandLineInterface
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from jinja2 import ChoiceLoader, FileSystemLoader
from lxml.etree import XPath, fromstring

from service.post import language, render, words
from service.post.folders import FOLDERS
from service.post.language import ENGLISH, speaking
from tests.play import PARSER, House
from tests.shared import made_once

ROOT = Path(__file__).resolve().parent.parent
CODE = "pl"
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
ODD = "áƀćđéƒǵĥíĵķłɱñóƥɋŕšťúṽŵẋýžÁɃĆĐÉƑǴĤÍĴĶŁṀÑÓƤɊŔŠŤÚṼŴẊÝŽ"
ACCENTS = str.maketrans(PLAIN, ODD)

# What is not ours to say: arguments, markup, entities, addresses.
KEPT = re.compile(r"%\(\w+\)[sd]|%%|\{[^}]*\}|<[^>]*>|&\w+;|\S+@\S+\.\S+")


def accented(sentence: str) -> str:
    """Every letter that is ours, and longer by a third, with the spaces around it as they were."""
    odd, at = "", 0
    for kept in KEPT.finditer(sentence):
        odd += sentence[at : kept.start()].translate(ACCENTS) + kept[0]
        at = kept.end()
    odd += sentence[at:].translate(ACCENTS)
    longer = "~" * (len(sentence.strip()) // 3)
    end = len(odd.rstrip())
    return odd[:end] + longer + odd[end:] if longer and not sentence.startswith("{seat} ") else odd


# --- made from the sources


def make(folder: Path) -> None:
    """Write the language's catalogues and rules as they would lie under templates/."""
    _make_sentences(folder / "languages" / CODE / "LC_MESSAGES")
    templates = ROOT / "templates"
    for path in (*templates.glob("words/*.toml"), *templates.glob("titles/*/words/*.toml")):
        place = folder / path.relative_to(templates)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.with_name(f"{CODE}.toml").write_text(_odd_words(path), encoding="utf-8")
    for path in templates.glob("titles/*/rules/*en.html"):
        name = path.name.replace("en.html", f"{CODE}.html")
        place = (folder / path.relative_to(templates)).with_name(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_odd_page(path.read_text(encoding="utf-8")), encoding="utf-8")


def _make_sentences(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    template = folder / "messages.pot"
    recipe = re.search(r"pybabel --quiet (extract .*) --output-file \S+ \.$", (ROOT / "Makefile").read_text(), re.M)
    assert recipe, "make words says how sentences are extracted"
    command = ["pybabel", "--quiet", *shlex.split(recipe[1]), "--output-file", str(template), str(ROOT)]
    CommandLineInterface().run(command)
    catalogue = Catalog(locale=CODE)
    for message in read_po(template.open(encoding="utf-8")):
        if isinstance(message.id, str):
            catalogue.add(message.id, accented(message.id) if message.id else "")
        else:
            one, many = map(accented, message.id)
            catalogue.add(message.id, (one, *[many] * (catalogue.num_plurals - 1)))
    with (folder / "messages.mo").open("wb") as file:
        write_mo(file, catalogue)


def _odd_words(path: Path) -> str:
    """The engine's words: a sentence by number gets every form that the language has."""
    forms = [*Locale.parse(CODE).plural_form.tags, "other"]
    lines = []
    for key, said in tomllib.loads(path.read_text(encoding="utf-8")).items():
        if isinstance(said, str):
            lines.append(f"{json.dumps(key)} = {json.dumps(accented(said))}")
        else:
            table = ", ".join(f"{form} = {json.dumps(accented(said.get(form, said['other'])))}" for form in forms)
            lines.append(f"{json.dumps(key)} = {{ {table} }}")
    return "\n".join(lines) + "\n"


def _odd_page(source: str) -> str:
    """A page of rules: all text that is neither markup nor template, and the heads of its wide tables."""
    parts = re.split(r"(\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<[^>]*>|&\w+;)", source, flags=re.S)
    return "".join(_odd_heads(part) if at % 2 else part.translate(ACCENTS) for at, part in enumerate(parts))


def _odd_heads(part: str) -> str:
    if not part.startswith("{% call wide_table("):
        return part.replace(".en.html", f".{CODE}.html")
    return re.sub('"[^"]*"', lambda head: head[0].translate(ACCENTS), part)


# --- looking for what is plain


TOLD = [XPath(f"//@{name}") for name in ("title", "aria-label", "alt", "placeholder", "data-unreachable")]
# Names of zones and the headers of a letter are written for machines; what is in English says that it is.
UNREAD = XPath('//*[self::script or self::style or self::code or @id = "zone" or @class = "facts" or @lang = "en"]')


def seen(html: str) -> list[str]:
    """What somebody reads or is read of a page: the attributes that are told, and its text."""
    page = fromstring(html, PARSER)
    told = [value for name in TOLD for value in name(page)]
    for element in UNREAD(page):
        element.clear(keep_tail=True)
    return [*told, *page.itertext()]


class Listener:
    """Hears the words without any accent that are no proper name, with what stands around them."""

    def __init__(self, proper: Iterable[str]) -> None:
        names = "|".join(re.escape(name) for name in sorted({*proper, *borrowed()}, key=len, reverse=True))
        self._not_ours = re.compile(rf"https?://\S+|\S+@\S+\.\S+|{CODES}|(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)

    def plain(self, text: str) -> list[str]:
        if not PLAIN_WORD.search(text):
            return []
        found = PLAIN_WORD.findall(self._not_ours.sub(" ", text))
        return [f"{word!r} in {' '.join(text.split())[:120]!r}" for word in found]


# What is typed, and the same in every language: the code of a place.
CODES = r"\[[a-z0-9-]+\]"

# Letters of the alphabet, at least two of them, and no others beside them.
PLAIN_WORD = re.compile(r"(?<![^\W\d_])(?!I{2,3}\b)[A-Za-z]{2,}(?![^\W\d_])")  # II and III are numbers


def borrowed() -> set[str]:
    """What the language takes from the real one: its own name, days and months, and the words between things listed."""
    locale = Locale.parse(CODE)
    named: Any = [locale.days, locale.months]
    calendar = {
        name for kinds in named for widths in kinds.values() for names in widths.values() for name in names.values()
    }
    joints = {
        word for patterns in locale.list_patterns.values() for joint in patterns.values() for word in joint.split()
    }
    return {word.strip(".,") for word in {*calendar, *joints, str(locale.display_name)}} - {""}


# --- fixtures


@pytest.fixture(scope="session")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("templates")
    shutil.copytree(made_once("made-up", make), folder, dirs_exist_ok=True)
    return folder


@pytest.fixture
def abroad(house: House, made_up: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house in which every browser asks for the made-up language, and everybody is written to in it."""
    monkeypatch.setattr(words, "strict", True)
    monkeypatch.setattr(words, "FOLDERS", [*FOLDERS, made_up])
    monkeypatch.setattr(language, "FOLDER", made_up / "languages")
    loader = house.app.jinja_env.loader
    assert loader is not None
    monkeypatch.setattr(house.app.jinja_env, "loader", ChoiceLoader([FileSystemLoader(made_up), loader]))
    caches = (words.catalogue, language._translations, language.languages, render._said)
    forget = [cache.cache_clear for cache in caches]
    for clear in forget:
        clear()
    with speaking(CODE):
        yield house
    language.speak(ENGLISH)
    for clear in forget:
        clear()
