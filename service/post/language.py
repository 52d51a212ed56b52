"""Which language is being spoken, and the sentences of pages and letters in it.

English stands in place, in the code and the templates; other languages are gettext catalogues, put together by Babel
under templates/languages/. Letters are written where there is no Flask, so this stands on Babel itself. What is spoken
about is an edition: a dialect, what an edition of a title calls by another name, and the numbers of a group's own box.
Only the engine's words have it (service/post/words.py).
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, reduce
from pathlib import Path
from typing import Any, Literal, NamedTuple

from babel import Locale
from babel.lists import format_list
from babel.support import NullTranslations, Translations

from service import names as known_names

FOLDER = Path(__file__).resolve().parents[2] / "templates" / "languages"
ENGLISH = "en"

# How dates and lists are written in a language that is not written the same everywhere.
PLACES = {ENGLISH: "en_GB"}

ListStyle = Literal["standard", "or", "unit"]


class Edition(NamedTuple):
    """What is spoken about: the dialect of a title; and where a group plays with a component file of its own, whose it
    is and its text."""

    dialect: str = ""
    title: str = ""
    components: str | None = None


class Speech(NamedTuple):
    """A language, and an edition that is told in it."""

    language: str = ENGLISH
    dialect: str = ""
    title: str = ""
    components: str | None = None


_speech: ContextVar[Speech] = ContextVar("speech", default=Speech())  # noqa: B039 (a tuple cannot change)


@cache
def languages() -> tuple[str, ...]:
    """The languages that can be spoken, English first."""
    return (ENGLISH, *sorted(path.parent.parent.name for path in FOLDER.glob("*/LC_MESSAGES/messages.mo")))


def names() -> dict[str, str]:
    """What each language calls itself."""
    return {code: Locale.parse(code).get_display_name(code) or code for code in languages()}


def spoken() -> Speech:
    return _speech.get()


def speak(language: str) -> None:
    """From here on, in this request or task."""
    _speech.set(Speech(language))


def in_language(language: str) -> None:
    """From here on, to a reader of this language."""
    _speech.set(_speech.get()._replace(language=language))


def speak_of(edition: Edition) -> None:
    """From here on, about a game of this edition."""
    _speech.set(Speech(_speech.get().language, *edition))


@contextmanager
def speaking(language: str, dialect: str = "", title: str = "", components: str | None = None) -> Iterator[None]:
    token = _speech.set(Speech(language, dialect, title, components))
    try:
        yield
    finally:
        _speech.reset(token)


def locale() -> Locale:
    """For dates, lengths of time and lists."""
    return _locale(_speech.get().language)


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(PLACES.get(language, language))


@cache
def _translations(language: str) -> NullTranslations:
    return Translations.load(FOLDER, [language])


def sentence(message: str) -> str:
    """The sentence in the language spoken, arguments not yet put in: what Jinja asks for."""
    return _translations(_speech.get().language).gettext(message)


def counted(one: str, many: str, n: int) -> str:
    """The same for a number of things."""
    return _translations(_speech.get().language).ngettext(one, many, n)


def gettext(message: str, **args: Any) -> str:
    """The sentence in the language spoken; `%(name)s` stands for an argument."""
    return sentence(message) % args if args else sentence(message)


def ngettext(one: str, many: str, n: int, **args: Any) -> str:
    """The sentence for a number of things, which is its argument `num`."""
    return counted(one, many, n) % {"num": n, **args}


def marked(message: str) -> str:
    """A sentence that is put into words later: marks it for the catalogues and leaves it as it is."""
    return message


def as_said(kept: str) -> str:
    """What was kept as it stands, and takes no arguments: a sentence of ours in the language spoken, and the words of
    anybody else, a mail server's say, as they are: a "%" or a "<" in them is nothing but that."""
    return sentence(kept) if kept else ""  # a catalogue's own heading stands under ""


def listed(things: Iterable[str], style: ListStyle = "standard") -> str:
    """'Ann, Bo and Chidi', as the language spoken lists things; "or": 'Ann, Bo or Chidi'; "unit": 'Ann, Bo, Chidi'."""
    said = [str(thing) for thing in things]
    return _list_of(len(said), style, locale()).format(*said) if len(said) > 1 else "".join(said)


@cache
def _list_of(n: int, style: ListStyle, language: Locale) -> str:
    """So many things in a list, each as {}: a page lists things a hundred times, and most lists are short. Numbers with
    their units stand side by side; Babel lacks that in many languages, German among them, so it is their comma."""
    if style != "unit":
        return format_list(["{}"] * n, style, language)
    comma: str = language.list_patterns["standard"]["middle"]
    return reduce(comma.format, ["{}"] * n)


def in_turn(steps: Iterable[str]) -> str:
    """'one thing, then another'."""
    said = ""
    for step in steps:
        said = gettext("%(before)s, then %(step)s", before=said, step=step) if said else step
    return said


FORMER = marked("a former player")


def nameless() -> str:
    """Somebody whose name is not kept any more."""
    return gettext(FORMER)


def unoccupied() -> str:
    """A seat for whoever comes first."""
    return gettext("an open seat")


known_names.nameless = nameless
known_names.unoccupied = unoccupied


def capitalised(said: str) -> str:
    """A sentence that may begin with such a person."""
    former = nameless()
    return said[:1].upper() + said[1:] if said.startswith(former) and said != former else said
