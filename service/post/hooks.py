"""Hooks: what a chat is posted, in the form that each kind of chat takes. Pure functions; docs/operations.md
shows them.

Names are people's own words: nothing in them is markup, and nothing in them calls anybody.
"""

import html
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit, urlunsplit

FORMAT = "hikyaku-ring-1"
SENDER = "Hikyaku"
NOBODY = "\u200b"  # after an @, so that it calls nobody
MARKDOWN = re.compile(r"([\\`*_~|>#\[\]()<:-])")
LONGEST = 1900  # characters; Discord takes 2,000


@dataclass(frozen=True)
class Notice:
    """What is told. `about` is the same for machines; `key` is the same when it is told once more."""

    key: str
    title: str
    lines: tuple[str, ...]
    link: str
    about: dict[str, Any]

    @property
    def text(self) -> str:
        return "\n".join((self.title, *self.lines))


@dataclass(frozen=True)
class Parcel:
    """What is posted, and where to."""

    address: str
    body: bytes
    headers: dict[str, str]


def _harmless(text: str) -> str:
    return text.replace("@", f"@{NOBODY}")


def _discord(notice: Notice) -> dict[str, Any]:
    said = MARKDOWN.sub(r"\\\1", _harmless(notice.text))[:LONGEST]
    content = f"{said}\n<{notice.link}>"  # in brackets it is a link without a preview
    return {"content": content, "username": SENDER, "allowed_mentions": {"parse": []}}


def _slack(notice: Notice) -> dict[str, Any]:
    said = html.escape(_harmless(notice.text), quote=False)
    return {"text": f"{said}\n<{notice.link}>", "mrkdwn": False, "unfurl_links": False}


def _matrix(notice: Notice) -> dict[str, Any]:
    """As the generic webhooks of matrix-hookshot take it; with html, or the text would be read as Markdown."""
    said, link = html.escape(_harmless(notice.text)).replace("\n", "<br>"), html.escape(notice.link)
    text = f"{_harmless(notice.text)}\n{notice.link}"
    return {"text": text, "html": f'{said}<br><a href="{link}">{link}</a>', "username": SENDER}


def _ntfy(notice: Notice) -> dict[str, Any]:
    return {"title": notice.title, "message": "\n".join(notice.lines) or notice.title, "click": notice.link}


def _json(notice: Notice) -> dict[str, Any]:
    return {"format": FORMAT, "id": notice.key, "text": notice.text, "link": notice.link} | notice.about


KINDS: dict[str, Callable[[Notice], dict[str, Any]]] = {
    "discord": _discord,
    "slack": _slack,
    "matrix": _matrix,
    "ntfy": _ntfy,
    "json": _json,
}
NAMES = {"discord": "Discord", "slack": "Slack", "matrix": "Matrix", "ntfy": "ntfy", "json": "JSON"}


def kind_of(parts: SplitResult) -> str:
    """Which kind of chat an address belongs to, by the looks of it."""
    host = parts.hostname or ""
    if host.removeprefix("ptb.").removeprefix("canary.") in ("discord.com", "discordapp.com"):
        return "discord"
    if host == "hooks.slack.com" or host.endswith(".slack.com"):
        return "slack"
    if host.startswith("ntfy."):
        return "ntfy"
    if "matrix" in host or "hookshot" in host:
        return "matrix"
    return "json"


def parcel(kind: str, address: str, notice: Notice) -> Parcel:
    said = KINDS[kind](notice)
    if kind == "ntfy":  # which takes JSON at its root only, with the topic in it
        parts = urlsplit(address)
        said["topic"] = parts.path.strip("/")
        address = urlunsplit(parts._replace(path="/"))
    headers = {"Content-Type": "application/json", "Idempotency-Key": notice.key}
    return Parcel(address, json.dumps(said, ensure_ascii=False).encode(), headers)


def shortened(address: str) -> str:
    """Enough for its owner to know it by, and not enough to post there."""
    return f"{urlsplit(address).hostname}/…{address[-3:]}"
