"""Messages of the engine put into words: the catalogues in templates/words/<language>/*.toml, and how they are read.

An argument's name ends in its type: `seat`, `by`, `to` and `seats` are players; numbers are said as they are; any
other text is itself looked up, `card="red5"` of an osaka message as "osaka.card.red5". Knows no game by name.
"""

import logging
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from markupsafe import Markup, escape

from engine.scene import Decision, Event, Message

FOLDER = Path(__file__).resolve().parent.parent / "templates" / "words"
SEATS = {"seat", "seats", "by", "to"}

# Tests set this: a sentence without words is then an error instead of a line in the log and a neutral phrase.
strict = False

_log = logging.getLogger(__name__)

Name = Callable[[int], str]
Said = Message | Event | Mapping[str, Any]


class MissingWords(LookupError):
    """The catalogue has no words for this, or its sentence does not fit the arguments."""


@cache
def catalogue(language: str = "en") -> dict[str, str]:
    """All words of a language, English where it has none."""
    words = {} if language == "en" else dict(catalogue("en"))
    own: dict[str, str] = {}
    for path in sorted((FOLDER / language).glob("*.toml")):
        for key, sentence in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if not isinstance(sentence, str) or key in own:
                raise MissingWords(f"{path.name}: {key} must stand there once, as a text")
            own[key] = sentence
    return words | own


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(path.name for path in FOLDER.iterdir() if path.is_dir()))


def say(
    key: str,
    args: Mapping[str, Any] | None = None,
    names: Sequence[str] = (),
    *,
    name: Name | None = None,
    language: str = "en",
) -> str:
    """A sentence. Plain text with the players' names; or, with `name` given, markup: `name(seat)` makes the markup of
    a player's name (plain text from it is escaped), and all else is escaped here."""
    speaker = _Speaker(language, names, name)
    try:
        return speaker.sentence(key, args or {})
    except MissingWords:
        if strict:
            raise
        _log.exception("no words for %s %s in %s", key, args, language)
        return speaker.sentence("words.missing", {})


def tell(what: Said, names: Sequence[str] = (), *, name: Name | None = None, language: str = "en") -> str:
    """The sentence for a message or an event, also one that was stored as plain data."""
    key, args = _parts(what)
    return say(key, args, names, name=name, language=language)


def subject(what: Said, language: str = "en") -> int | None:
    """The seat whose name its sentence begins with, if it begins with one."""
    key, args = _parts(what)
    words = catalogue(language)
    template = words.get(f"{key}.one" if args.get("n") == 1 and f"{key}.one" in words else key, "")
    return args.get("seat") if template.startswith("{seat} ") else None


def knows(key: str, language: str = "en") -> bool:
    return key in catalogue(language)


def prompt(decision: Decision, names: Sequence[str] = (), *, name: Name | None = None, language: str = "en") -> str:
    return say(decision.prompt, decision.args, names, name=name, language=language)


def sentences(decision: Decision) -> list[Message]:
    """Everything a decision can say: its prompt, labels, hints and reasons."""
    said = [Message(decision.prompt, decision.args)]
    for option in decision.options:
        said += [option.label] if option.hint is None else [option.label, option.hint]
    for blocked in decision.blocked:
        said += [blocked.label, blocked.reason]
    return said if decision.rest is None else [*said, decision.rest]


def _parts(what: Said) -> tuple[str, Mapping[str, Any]]:
    if isinstance(what, Mapping):
        return what["key"], what.get("args") or {}
    return what.key, what.args


class _Speaker:
    """One sentence being said: in which language, to whom the seats belong, and whether as markup."""

    def __init__(self, language: str, names: Sequence[str], name: Name | None) -> None:
        self.words = catalogue(language)
        self.names = names
        self.name = name
        self.empty: str = "" if name is None else Markup("")

    def sentence(self, key: str, args: Mapping[str, Any]) -> str:
        game = key.partition(".")[0]
        text = self.empty
        for literal, field, _, _ in _pieces(self._template(key, args)):
            text += self._plain(literal)
            if field is not None:
                if field not in args:
                    raise MissingWords(f"the words of {key} ask for {field!r}, which it does not come with")
                text += self._value(game, field, args[field])
        return text

    def _template(self, key: str, args: Mapping[str, Any]) -> str:
        if args.get("n") == 1 and f"{key}.one" in self.words:
            return self.words[f"{key}.one"]
        if key not in self.words:
            raise MissingWords(f"no words for {key}")
        return self.words[key]

    def _plain(self, text: str) -> str:
        return text if self.name is None else escape(text)

    def _value(self, game: str, field: str, value: Any) -> str:
        kind = field.rpartition("_")[2]
        if isinstance(value, (list, tuple)):
            return self._list([self._value(game, kind.removesuffix("s"), entry) for entry in value])
        if isinstance(value, (Message, Mapping)):
            return self.sentence(*_parts(value))
        if kind in SEATS:
            return self._player(value)
        if isinstance(value, str):
            return self.sentence(f"{game}.{kind}.{value}", {})
        if type(value) is int:
            return self._plain(str(value))
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
        comma, last = self._plain(self.words["words.comma"]), self._plain(self.words["words.and"])
        return said[0] if len(said) == 1 else comma.join(said[:-1]) + last + said[-1]

    def _counted(self, entry: str, n: int) -> str:
        if n == 1:
            return entry
        before, after = self.words["words.times"].replace("{n}", str(n)).split("{what}")
        return self._plain(before) + entry + self._plain(after)


@cache
def _pieces(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    return tuple(Formatter().parse(template))
