"""A message as it came in: who wrote it, whether a person did, and the lines in it that are theirs.

Nothing here trusts what it reads: a part that is no text, or in no charset there is, is read as well as it can be.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.errors import HeaderParseError, MessageError
from email.headerregistry import AddressHeader
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.policy import default as policy
from email.utils import getaddresses
from html.parser import HTMLParser

LONGEST = 1024 * 1024  # bytes
BLOCKS = {"p", "div", "br", "li", "tr", "h1", "h2", "h3", "hr", "ul", "ol", "table", "blockquote", "pre"}
UNSEEN = {"style", "script", "head", "title"}
AUTOMATIC = {"bulk", "junk", "list", "auto_reply"}

QUOTED = re.compile(r"\s*[>|]")


@dataclass(frozen=True)
class Incoming:
    """What matters of a message. `senders`: the addresses in From, of which there should be one."""

    senders: tuple[str, ...]
    automatic: bool
    lines: tuple[str, ...]


def read(raw: bytes) -> Incoming:
    message = message_from_bytes(raw, policy=policy)
    assert isinstance(message, EmailMessage)
    return Incoming(
        senders=tuple(_senders(message)),
        automatic=is_automatic(message),
        lines=tuple(line for line in _text(message).splitlines() if not QUOTED.match(line)),
    )


def addressees(raw: bytes) -> Iterator[str]:
    """To whom it came by its headers: first by those that a mail server writes who delivers it."""
    headers = BytesHeaderParser(policy=compat32).parsebytes(raw)
    for name in ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc"):
        yield from (address for _, address in getaddresses([str(value) for value in headers.get_all(name, [])]))


def digest(raw: bytes, recipient: str) -> str:
    """Two copies of a message are one, whatever way they took: servers add headers on the way, so its own id, its body
    and whom it came to decide."""
    message = message_from_bytes(raw, policy=policy)
    assert isinstance(message, EmailMessage)
    body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2].strip()
    parts = _header(message, "Message-ID").encode(errors="replace"), recipient.lower().encode(errors="replace"), body
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def is_automatic(message: EmailMessage) -> bool:
    """Written by no person: an answer to it might be answered by a machine for ever."""
    submitted = _header(message, "Auto-Submitted").partition(";")[0].strip().lower()
    return (
        submitted not in ("", "no")
        or _header(message, "Precedence").strip().lower() in AUTOMATIC
        or _header(message, "Return-Path").strip() == "<>"
        or any(name in message for name in ("X-Autoreply", "X-Autorespond", "X-Auto-Response-Suppress", "List-Id"))
        or message.get_content_type() == "multipart/report"
    )


def _header(message: EmailMessage, name: str) -> str:
    try:
        return str(message.get(name, ""))
    except (HeaderParseError, ValueError, IndexError, AttributeError):
        return ""  # Python's parser gives up on some of what is sent


def _senders(message: EmailMessage) -> Iterator[str]:
    for header in message.get_all("From", []):
        if isinstance(header, AddressHeader):
            yield from (address.addr_spec.lower() for address in header.addresses)


def _text(message: EmailMessage) -> str:
    """The part a person reads: plain text first, else html as text."""
    for kind in ("plain", "html"):
        part = _body(message, kind)
        if part is not None and (text := _content(part)).strip():
            return text if part.get_content_subtype() != "html" else _as_text(text)
    return ""


def _body(message: EmailMessage, kind: str) -> EmailMessage | None:
    try:
        part = message.get_body((kind,))
    except (MessageError, KeyError, ValueError, AttributeError):
        return None
    return part if isinstance(part, EmailMessage) else None


def _content(part: EmailMessage) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    charset = part.get_content_charset() or "utf-8"
    try:
        return payload.decode(charset, errors="replace")
    except LookupError:
        return payload.decode("utf-8", errors="replace")


class _Lines(HTMLParser):
    """Html as lines of text. What is quoted is marked as plain text marks it."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = [""]
        self.quoted = self.unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self.lines.append("")
        self.quoted += tag == "blockquote"
        self.unseen += tag in UNSEEN

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.lines.append("")
        self.quoted = max(0, self.quoted - (tag == "blockquote"))
        self.unseen = max(0, self.unseen - (tag in UNSEEN))

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            mark = "> " if self.quoted and not self.lines[-1] else ""
            self.lines[-1] += mark + re.sub(r"\s+", " ", data)


def _as_text(source: str) -> str:
    reader = _Lines()
    reader.feed(source)
    reader.close()
    return "\n".join(line.strip() for line in reader.lines)
