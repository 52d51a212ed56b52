"""A message as it came in: who wrote it, whether a person did, and the lines in it that are theirs.

Nothing here trusts what it reads: a part that is no text, or in no charset there is, is read as well as it can be, and
whatever is sent takes no longer to read than its length says.
"""

import hashlib
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.errors import HeaderParseError
from email.headerregistry import AddressHeader, HeaderRegistry
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses

LONGEST = 1024 * 1024  # bytes
LOOKED_AT = 256 * 1024  # bytes: what a person has written comes before what they have attached
LONGEST_HEADER = 2000  # characters; of a longer one nothing is believed
BLOCKS = {"p", "div", "br", "li", "tr", "h1", "h2", "h3", "hr", "ul", "ol", "table", "blockquote", "pre"}
UNSEEN = {"style", "script", "head", "title"}
AUTOMATIC = {"bulk", "junk", "list", "auto_reply"}

# As programs mark what is quoted; and far from the edge stand only the wrapped lines of our menus and boards.
QUOTED = re.compile(r"\s*[>|]|[ \t\xa0]{3}")
SIGNATURE = re.compile(r"--\s?$")
NOTHING = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\0"))  # some programs put them where nobody sees them

# A tag, or what is for no reader. All of it runs through the text once, however broken that is.
TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*+)[^<>]*+>|<!--.*?(?:-->|\Z)|<[!?][^<>]*+>", re.DOTALL)

_headers = HeaderRegistry()


@dataclass(frozen=True)
class Incoming:
    """What matters of a message. `senders`: the addresses in From, of which there should be one."""

    senders: tuple[str, ...]
    automatic: bool
    lines: tuple[str, ...]


def read(raw: bytes) -> Incoming:
    message = message_from_bytes(raw[:LOOKED_AT])
    return Incoming(
        senders=tuple(_senders(message)),
        automatic=is_automatic(message),
        lines=tuple(_own_lines(text(message))),
    )


def addressees(raw: bytes) -> Iterator[str]:
    """To whom it came by its headers: first by those that a mail server writes who delivers it."""
    headers = BytesHeaderParser().parsebytes(raw)
    for name in ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc"):
        yield from (address for _, address in getaddresses(_all(headers, name)))


def digest(raw: bytes, recipient: str) -> str:
    """Two copies of a message are one, whatever way they took: servers add headers on the way, so its own id, its body
    and whom it came to decide."""
    message_id = header(BytesHeaderParser().parsebytes(raw), "Message-ID")
    body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2].strip()
    parts = message_id.encode(errors="replace"), recipient.lower().encode(errors="replace"), body
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def is_automatic(message: Message) -> bool:
    """Written by no person: an answer to it might be answered by a machine for ever."""
    submitted = header(message, "Auto-Submitted").partition(";")[0].strip().lower()
    return (
        submitted not in ("", "no")
        or header(message, "Precedence").strip().lower() in AUTOMATIC
        or header(message, "Return-Path").strip() == "<>"
        or any(name in message for name in ("X-Autoreply", "X-Autorespond", "X-Auto-Response-Suppress", "List-Id"))
        or message.get_content_type() == "multipart/report"
    )


def _all(message: Message, name: str) -> list[str]:
    return [text for value in message.get_all(name, []) if len(text := str(value)) <= LONGEST_HEADER]


def header(message: Message, name: str) -> str:
    return next(iter(_all(message, name)), "")


def _senders(message: Message) -> Iterator[str]:
    for value in _all(message, "From"):
        try:
            header = _headers("From", " ".join(value.splitlines()))
        except (HeaderParseError, ValueError, IndexError, AttributeError, RecursionError):
            continue  # Python's parser gives up on some of what is sent
        if isinstance(header, AddressHeader):
            yield from (address.addr_spec.lower() for address in header.addresses)


# --- the part that a person reads


def text(message: Message) -> str:
    """Plain text first, else html as text."""
    for kind in ("text/plain", "text/html"):
        for part in _parts(message):
            if part.get_content_type() == kind and (found := _content(part)).strip():
                return found if kind == "text/plain" else "\n".join(_as_text(found))
    return ""


def _parts(message: Message) -> Iterator[Message]:
    """Without what is attached, be it another message."""
    if message.get_content_maintype() == "multipart":
        for part in message.get_payload() if message.is_multipart() else ():
            if isinstance(part, Message):
                yield from _parts(part)
    elif not message.is_multipart() and not header(message, "Content-Disposition").lower().startswith("attachment"):
        yield message


def _content(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes) or len(str(part.get("Content-Type", ""))) > LONGEST_HEADER:
        return ""
    declared = part.get_content_charset()
    for charset, errors in ((declared or "utf-8", "replace" if declared else "strict"), ("utf-8", "strict")):
        try:
            return payload.decode(charset, errors=errors)
        except (LookupError, ValueError):  # there is no such charset, it is none for text, or it is not this one
            continue
    return payload.decode("cp1252", errors="replace")


def _as_text(source: str) -> Iterator[str]:
    """Html as lines of text. What is quoted is marked as plain text marks it."""
    line, quoted, unseen, end = [""], 0, 0, 0
    for tag in TAG.finditer(source):
        if not unseen:
            line.append(source[end : tag.start()])
        end = tag.end()
        closes, name = bool(tag[1]), (tag[2] or "").lower()
        if name in BLOCKS:
            yield _line(line, quoted)
            line = [""]
        step = -1 if closes else 1
        quoted = max(0, quoted + step * (name == "blockquote"))
        unseen = max(0, unseen + step * (name in UNSEEN))
    yield _line([*line, source[end:] if not unseen else ""], quoted)


def _line(pieces: list[str], quoted: int) -> str:
    text = " ".join(html.unescape("".join(pieces)).split())
    return f"> {text}" if quoted and text else text


def _own_lines(text: str) -> Iterator[str]:
    """What was written, without what is quoted in it and the signature below it."""
    for line in text.translate(NOTHING).splitlines():
        if SIGNATURE.match(line):
            return
        if not QUOTED.match(line):
            yield line
