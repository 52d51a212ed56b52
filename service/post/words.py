"""Messages of the engine put into words: the catalogues templates/words/<language>.toml and, for each title,
templates/titles/<title>/words/<language>.toml, and how they are read.

An argument's name ends in its type: `seat`, `by`, `to` and `seats` are players; numbers are said as they are; any
other text is itself looked up, `card="red5"` of a message of title t as "t.card.red5". `{card:acc}` asks for a form of
that noun, "t.card.red5:acc", or the plain one where the language has no such form. A sentence that depends on its
argument `n` is a table of CLDR plural categories ({ one = ..., other = ... }), or of a number itself ({ 0 = ... })
where that has words of its own. An edition is a dialect: "key@edition" is said instead of "key" where there is one.
"key:brief" is what is said where room is short: less, or nothing. Knows no title by name.

A number of the components is never typed: `{box.each.ball}` is read off the box of the title, or of the group at play;
`{box.each.ball:gain.points}` is said as the title's sentence of that name, "t.gain.points", says so many.
"""

import logging
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

import msgspec
from babel import Locale
from markupsafe import Markup, escape

from engine import GAMES
from engine.components import GROUPS_AT_ONCE, BadComponents
from engine.scene import Decision, Event, Message
from service.models import Game
from service.post.folders import FOLDERS
from service.post.language import ENGLISH, Edition, spoken

SEATS = {"seat", "seats", "by", "to"}
SENTENCES = 8192  # that a process keeps as they were said

# Tests set this: a sentence without words is then an error instead of a line in the log and a neutral phrase.
strict = False

_log = logging.getLogger(__name__)

Name = Callable[[int], str]
Said = Message | Event | dict[str, Any]


class MissingWords(LookupError):
    """The catalogue has no words for this, or its sentence does not fit the arguments."""


class Plural(NamedTuple):
    """A sentence by number: which category a number belongs to is the business of its language."""

    category: Callable[[int], str]
    forms: dict[str, str]

    def form(self, n: int) -> str:
        return self.forms.get(str(n)) or self.forms.get(self.category(n)) or self.forms["other"]


Words = dict[str, str | Plural]


class Catalogue(Words):
    """All words that are spoken. It is known by itself, so that what was said with it can be kept."""

    __hash__ = object.__hash__  # type: ignore[assignment]


def edition_of(game: Game) -> Edition:
    """How this game is told: in the dialect of its edition, with the numbers of its own box."""
    dialect = GAMES[game.kind].dialect_of(game.options)
    return Edition(dialect) if game.components is None else Edition(dialect, game.kind, game.components)


@lru_cache(8 * GROUPS_AT_ONCE)
def catalogue(language: str = ENGLISH, dialect: str = "", title: str = "", components: str | None = None) -> Catalogue:
    """All words of a language, English where it has none; a dialect's own words in place of the plain ones; all numbers
    as the boxes have them, and those of one title as this component file has them."""
    words = _unread(language, dialect)
    boxes = {title: _own_box(title, components)} if components is not None else {}
    read = partial(_read_off, words, boxes)
    return Catalogue({key: read(key, said) if _has_numbers(said) else said for key, said in words.items()})


def _unread(language: str, dialect: str) -> Words:
    """The same, with the numbers of the boxes yet to be read."""
    own = _own_words(language)
    words = own if language == ENGLISH else _unread(ENGLISH, dialect) | own
    mark = f"@{dialect}"
    return words | {key.removesuffix(mark): said for key, said in own.items() if dialect and key.endswith(mark)}


def _own_words(language: str) -> Words:
    own: Words = {}
    rule = lru_cache(1024)(Locale.parse(language).plural_form)
    for path in _catalogues(language):
        for key, said in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if key in own or not (isinstance(said, str) or (isinstance(said, dict) and "other" in said)):
                raise MissingWords(f"{path}: {key} must stand there once, as a text or a table with `other`")
            own[key] = said if isinstance(said, str) else Plural(rule, said)
    return own


def _catalogues(language: str) -> Iterator[Path]:
    for folder in FOLDERS:
        yield from folder.glob(f"words/{language}.toml")
        yield from sorted(folder.glob(f"titles/*/words/{language}.toml"))


# --- numbers of a box


_OF_BOX = re.compile(r"\{box\.([\w.]+)(?::([\w.]+))?\}")


def _has_numbers(said: str | Plural) -> bool:
    return "{box." in said if isinstance(said, str) else any("{box." in form for form in said.forms.values())


def _own_box(title: str, components: str | None) -> Any:
    """A file that the title of today refuses is told with the title's own numbers: its game cannot go on anyway."""
    try:
        return GAMES[title].load_box(components)
    except BadComponents:
        return GAMES[title].load_box(None)


def _read_off(words: Words, boxes: dict[str, Any], key: str, said: str | Plural) -> str | Plural:
    """A sentence with its numbers. A group's own file may lack what the sentence is about, a reward of another kind in
    its place: then the title's own number stands there."""
    title = key.partition(".")[0]
    own = GAMES[title].load_box(None)

    def number(found: re.Match[str]) -> str:
        path, sentence = found[1].split("."), found[2]
        n = next((n for box in (boxes.get(title), own) if (n := _at(box, path)) is not None), None)
        if n is None:
            raise MissingWords(f"{key}: there is nothing to read off the box at {found[0]}")
        return str(n) if sentence is None else _form(words[f"{title}.{sentence}"], {"n": n}).format(n=n)

    if isinstance(said, str):
        return _OF_BOX.sub(number, said)
    return said._replace(forms={category: _OF_BOX.sub(number, form) for category, form in said.forms.items()})


def _at(box: Any, path: list[str]) -> Any:
    """What stands there in a box, where something does: an entry by its key or place, or an attribute, part by part."""
    for name in path:
        if isinstance(box, (list, tuple)):
            box = box[int(name)] if int(name) < len(box) else None
        else:
            box = box.get(name) if isinstance(box, dict) else getattr(box, name, None)
    return box


# --- saying


def say(
    key: str,
    args: Mapping[str, Any] | None = None,
    names: Sequence[str] = (),
    *,
    name: Name | None = None,
) -> str:
    """A sentence. Plain text with the players' names; or, with `name` given, markup: `name(seat)` makes the markup of
    a player's name (plain text from it is escaped), and all else is escaped here."""
    words = catalogue(*spoken())
    if not args and name is None:
        plain = words.get(key)
        if type(plain) is str and "{" not in plain:  # most of what a board says, hundreds of times a page
            return plain
    try:
        if name is None:
            return _said(words, key, msgspec.msgpack.encode(args), tuple(names))
        return _Speaker(words, names, name).sentence(key, args or {})
    except MissingWords:
        if strict:
            raise
        _log.exception("no words for %s %s in %s", key, args, spoken())
        return _Speaker(words, names, name).sentence("words.missing", {})


@lru_cache(SENTENCES)
def _said(words: Catalogue, key: str, args: bytes, names: tuple[str, ...]) -> str:
    """The same tile, price or player is told of on page after page."""
    return _Speaker(words, names, None).sentence(key, msgspec.msgpack.decode(args) or {})


def tell(what: Said, names: Sequence[str] = (), *, name: Name | None = None) -> str:
    """The sentence for a message or an event, also one that was stored as plain data."""
    key, args = _parts(what)
    return say(key, args, names, name=name)


def in_brief(what: Said, names: Sequence[str] = ()) -> str:
    """The same where room is short."""
    key, args = _parts(what)
    brief = f"{key}:brief"
    return say(brief if knows(brief) and not in_passing(what) else key, args, names)


def subject(what: Said) -> int | None:
    """The seat whose name its sentence begins with, if it begins with one."""
    key, args = _parts(what)
    template = _form(catalogue(*spoken()).get(key, ""), args)
    return args.get("seat") if template.startswith("{seat} ") else None


def mentions(what: Said, seat: int | None) -> bool:
    """Whether it says something about this seat."""
    for field, value in _parts(what)[1].items():
        if field.rpartition("_")[2] in SEATS and (value == seat or (isinstance(value, list) and seat in value)):
            return True
        if isinstance(value, (Message, dict)) and mentions(value, seat):
            return True
    return False


def in_passing(what: Said) -> bool:
    """Whether it is left out where room is short: its brief form, "t.placed:brief", is empty."""
    return catalogue(*spoken()).get(f"{_parts(what)[0]}:brief") == ""


def often(clause: str, n: int) -> str:
    """What somebody did so many times."""
    said = _form(catalogue(*spoken())["words.often"], {"n": n})
    return said.replace("{n}", str(n)).replace("{what}", clause)


def knows(key: str) -> bool:
    return key in catalogue(*spoken())


def _form(said: str | Plural, args: Mapping[str, Any]) -> str:
    if isinstance(said, str):
        return said
    if type(args.get("n")) is not int:
        raise MissingWords("a sentence by number needs its argument n")
    return said.form(args["n"])


def prompt(decision: Decision, names: Sequence[str] = (), *, name: Name | None = None) -> str:
    return say(decision.prompt, decision.args, names, name=name)


def tip(decision: Decision) -> str:
    """What this question is about, in a line, for whoever meets it for the first time."""
    key = tip_key(decision.prompt)
    return say(key) if knows(key) else ""


def tip_key(prompt: str) -> str:
    """Where the tip to a question stands: that of "t.pay" under "t.tip.pay"."""
    title, _, question = prompt.partition(".")
    return f"{title}.tip.{question}"


def sentences(decision: Decision) -> list[Message]:
    """Everything a decision can say: its prompt, labels, hints and reasons."""
    said = [Message(decision.prompt, decision.args)]
    for option in decision.options:
        hint = decision.hint(option)
        said += [option.label] if hint is None else [option.label, hint]
    for blocked in decision.blocked:
        said += [blocked.label, blocked.reason]
    return said if decision.rest is None else [*said, decision.rest]


def _parts(what: Said) -> tuple[str, Mapping[str, Any]]:
    if isinstance(what, dict):
        return what["key"], what.get("args") or {}
    return what.key, what.args


class _Speaker:
    """One sentence being said: to whom the seats belong, and whether as markup."""

    def __init__(self, words: Words, names: Sequence[str], name: Name | None) -> None:
        self.words = words
        self.names = names
        self.name = name
        self.empty: str = "" if name is None else Markup("")

    def sentence(self, key: str, args: Mapping[str, Any]) -> str:
        if key not in self.words:
            raise MissingWords(f"no words for {key}")
        said = _form(self.words[key], args)
        if "{" not in said:  # a noun, mostly
            return self._plain(said)
        title, text = key.partition(".")[0], self.empty
        for literal, field, form, _ in _pieces(said):
            text += self._plain(literal)
            if field is not None:
                if field not in args:
                    raise MissingWords(f"the words of {key} ask for {field!r}, which it does not come with")
                text += self._value(title, field, args[field], form or "")
        return text

    def _plain(self, text: str) -> str:
        return text if self.name is None else escape(text)

    def _value(self, title: str, field: str, value: Any, form: str) -> str:
        kind = field.rpartition("_")[2]
        if type(value) is int:
            return self._player(value) if kind in SEATS else self._plain(str(value))
        if isinstance(value, str):
            noun = f"{title}.{kind}.{value}"
            return self.sentence(f"{noun}:{form}" if form and f"{noun}:{form}" in self.words else noun, {})
        if isinstance(value, (list, tuple)):
            return self._list([self._value(title, kind.removesuffix("s"), entry, form) for entry in value])
        if isinstance(value, (Message, dict)):
            return self.sentence(*_parts(value))
        raise MissingWords(f"no way to say {field}={value!r}")

    def _player(self, seat: int) -> str:
        if self.name is not None:
            return escape(self.name(seat))
        if not 0 <= seat < len(self.names):
            raise MissingWords(f"no name for seat {seat}")
        return self.names[seat]

    def _list(self, entries: list[str]) -> str:
        """One after the other, with equal ones counted."""
        if not entries:
            return self.sentence("words.none", {})
        said = [self._counted(entry, entries.count(entry)) for entry in dict.fromkeys(entries)]
        comma, last = self._plain(self._joint("words.comma")), self._plain(self._joint("words.and"))
        return said[0] if len(said) == 1 else comma.join(said[:-1]) + last + said[-1]

    def _joint(self, key: str) -> str:
        return _form(self.words[key], {})

    def _counted(self, entry: str, n: int) -> str:
        if n == 1:
            return entry
        before, after = self._joint("words.times").replace("{n}", str(n)).split("{what}")
        return self._plain(before) + entry + self._plain(after)


@cache
def _pieces(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    return tuple(Formatter().parse(template))
