"""What is kept to be said later, to readers whose language and zone are not known yet: a sentence with its arguments.

It is plain data: {"text": sentence, "args": {...}} of the gettext catalogues, with "many" beside "text" where it
depends on the number `num`; or {"key": ..., "args": {...}}, a message of the engine. An argument is a name or a number
and said as it is, a moment, a length of time, such a message itself, or several: sentence after sentence, or steps.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from engine.scene import Event, Message
from service.post import moments, words
from service.post.language import FORMER, capitalised, gettext, in_turn, marked, nameless, ngettext

Told = dict[str, Any]

NAMELESS: Told = {"text": FORMER, "args": {}}  # instead of a name that is not kept any more
QUOTED = marked("“%(words)s”")


def told(text: str, **args: Any) -> Told:
    """A sentence as `gettext` takes it, for later."""
    return {"text": text, "args": {name: _kept(value) for name, value in args.items()}}


def ntold(one: str, many: str, num: int, **args: Any) -> Told:
    """A sentence by number as `ngettext` takes it, for later."""
    return {"text": one, "many": many, "args": told(one, num=num, **args)["args"]}


def verbatim(text: str) -> Told:
    """Somebody's own words, the same in every language, as a language quotes them."""
    return {"text": QUOTED, "args": {"words": text}}


def engine_told(message: Message | Event) -> Told:
    return {"key": message.key, "args": msgspec.to_builtins(message.args)}


def steps(messages: Iterable[Message]) -> Told:
    """One thing, then another."""
    return {"steps": [engine_told(message) for message in messages]}


def in_words(what: Told, zone: str = "UTC", names: Sequence[str] = ()) -> str:
    """What was kept, in the language spoken; its moments in this zone, the engine's seats by these names."""
    if "key" in what:
        return words.tell(what, names)
    if "moment" in what:
        return moments.both(datetime.fromisoformat(what["moment"]), zone)
    if "seconds" in what:
        return moments.length(timedelta(seconds=what["seconds"]))
    if "steps" in what:
        return in_turn(in_words(step, zone, names) for step in what["steps"])
    args = {name: _said(value, zone, names) for name, value in what["args"].items()}
    if "many" in what:
        return capitalised(ngettext(what["text"], what["many"], args.pop("num"), **args))
    return capitalised(gettext(what["text"], **args))


def _kept(value: Any) -> Any:
    if value == nameless():
        return NAMELESS
    if isinstance(value, datetime):
        return {"moment": value.isoformat()}
    if isinstance(value, timedelta):
        return {"seconds": int(value.total_seconds())}
    if isinstance(value, (Message, Event)):
        return engine_told(value)
    if isinstance(value, list):
        return [_kept(entry) for entry in value]
    return value


def _said(value: Any, zone: str, names: Sequence[str]) -> Any:
    if isinstance(value, Mapping):
        return in_words(dict(value), zone, names)
    if isinstance(value, list):
        return " ".join(str(_said(entry, zone, names)) for entry in value)
    return value
