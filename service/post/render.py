"""The one Jinja environment's furniture, shared by pages and letters."""

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_eval_context, select_autoescape
from jinja2.nodes import EvalContext
from jinja2.runtime import Macro
from markupsafe import Markup, _escape_inner, escape  # type: ignore[attr-defined]

from engine import example
from service.post import moments
from service.post.folders import FOLDERS
from service.post.hues import hue, worn
from service.post.language import ListStyle, Speech, as_said, capitalised, counted, listed, locale, sentence, spoken
from service.post.lines import broken
from service.post.menu import code
from service.post.told import in_words
from service.post.words import knows, say

AUTOESCAPE = select_autoescape(enabled_extensions=("html", "svg"), default=False)
UNBROKEN = 10_000  # characters: no line of a board is that long
PIECES = 4096  # of boards, some 2 kB each, that are kept as they were drawn


def isolated(name: str) -> Markup:
    """A person's name on a page: whatever direction it is written in, it does not reorder its surroundings."""
    return Markup("<bdi>{}</bdi>").format(escape(name))


def escaped(value: Any) -> str:
    """As `markupsafe.escape`, but without marking it as escaped: it is on the page already."""
    kind = type(value)
    if kind is str:
        return _escape_inner(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    return str(value) if kind is int else escape(value)


@lru_cache(PIECES)
def digest(text: str) -> str:
    """A short name for a piece of a page, the same as long as the piece is. It tells states of one piece apart."""
    return urlsafe_b64encode(blake2b(text.encode(), digest_size=6).digest()).decode()[:6]


def drawn(macro: Macro, *data: Any) -> str:
    """What this macro makes of plain data. One that was imported without context knows nothing else but the language
    and whose colour is which, so it is asked once: of a board, little is new from one page to the next."""
    return _drawn(macro, spoken(), worn(), msgspec.msgpack.encode(data))


def only(row: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """So much of this row: what is drawn of less is drawn more seldom."""
    return {key: row[key] for key in keys}


@lru_cache(PIECES)
def _drawn(macro: Macro, speech: Speech, hues: tuple[int, ...], data: bytes) -> str:
    return macro(*msgspec.msgpack.decode(data))


@pass_eval_context
def _listed(context: EvalContext, things: Iterable[str], style: ListStyle = "standard") -> str:
    return Markup(listed(map(escape, things), style)) if context.autoescape else listed(things, style)


@pass_eval_context
def _gettext(context: EvalContext, message: str, /, **args: Any) -> str:
    return _filled(context, sentence(message), args) if args else _said(context.autoescape, spoken().language, message)


def said(message: str) -> str:
    """The same for a sentence without arguments, on a page."""
    return _said(True, spoken().language, message)


@lru_cache(PIECES)
def _said(autoescape: bool, language: str, message: str) -> str:
    """A sentence without arguments in the language spoken: most of what a page says."""
    said = sentence(message) % {}
    return Markup(said) if autoescape else said


@pass_eval_context
def _ngettext(context: EvalContext, one: str, many: str, n: int, /, **args: Any) -> str:
    return _filled(context, counted(one, many, n), {"num": n, **args})


def _filled(context: EvalContext, said: str, args: dict[str, Any]) -> str:
    if not context.autoescape:
        return said % args
    return str.__new__(Markup, said % {name: escaped(value) for name, value in args.items()})


def furnish(env: Environment) -> None:
    """Filters that templates of either kind may use."""
    env.filters["isolated"] = isolated
    env.filters["both_times"] = moments.both
    env.filters["day_and_time"] = moments.day_and_time
    env.filters["day_of_year"] = moments.day_of_year
    env.filters["span"] = moments.length
    env.filters["listed"] = _listed
    env.filters["capitalised"] = capitalised
    env.filters["as_said"] = as_said
    env.filters["in_words"] = in_words
    env.filters["digest"] = digest
    env.filters["code"] = code
    env.filters["only"] = only
    env.filters["wordwrap"] = broken
    env.globals["locale"] = locale
    env.globals["say"] = say
    env.globals["knows"] = knows
    env.globals["drawn"] = drawn
    env.globals["hue"] = hue
    env.globals["example_turn"] = example.turn_of
    env.trim_blocks = env.lstrip_blocks = True
    env.add_extension("jinja2.ext.do")
    env.add_extension("jinja2.ext.i18n")
    env.policies["ext.i18n.trimmed"] = True  # where a sentence breaks in a template says nothing
    env.newstyle_gettext = True  # type: ignore[attr-defined]
    env.globals |= {"_": _gettext, "gettext": _gettext, "ngettext": _ngettext}


def loader() -> FileSystemLoader:
    return FileSystemLoader(FOLDERS)


@cache
def environment() -> Environment:
    """For letters and text boards, which are made where there is no Flask."""
    env = Environment(loader=loader(), autoescape=AUTOESCAPE, undefined=StrictUndefined)
    furnish(env)
    return env


def render(template: str, **context: Any) -> str:
    return environment().get_template(template).render(**context)


def board_text(kind: str, view: dict[str, Any], names: list[str]) -> str:
    """The board as plain text, for screen readers and letters."""
    return render(f"titles/{kind}/text.txt", view=view, names=names).strip("\n")


def board_lines(kind: str, view: dict[str, Any], names: list[str]) -> list[str]:
    """The same for what breaks lines by itself, as wide as its reader's screen."""
    return render(f"titles/{kind}/text.txt", view=view, names=names, wide=UNBROKEN).strip("\n").splitlines()
