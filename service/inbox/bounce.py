"""A letter that came back, or word of it: for whom it was, whether that is for good, and why, as a mail server says.

Most servers say it in a form (RFC 3464), which decides; what is only told in words is guessed by flufl.bounce. Nothing
here trusts what it reads, and nothing of the letter itself is looked at.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, message_from_string
from email.message import Message

from flufl.bounce import all_failures

from service.inbox.message import LOOKED_AT, header, text

STATUS = {"message/delivery-status", "message/global-delivery-status"}
REASON = re.compile(r"(?<![\d.])5(?:\d\d[ -]|\.\d{1,3}\.\d{1,3}\b)")
MOST_LINES = 100  # of what is told in words: below it comes the letter itself


@dataclass(frozen=True)
class Report:
    """What became of a letter. For good, or it is still tried; and for whom, where that is said."""

    failed: bool
    recipients: frozenset[str]
    why: str


def read(raw: bytes) -> Report | None:
    """None if it tells of no letter that did not arrive."""
    message = message_from_bytes(raw[:LOOKED_AT])
    forms = list(_forms(message))
    return _as_stated(forms, message) if forms else _as_guessed(message)


# --- the form: a part with a block for each recipient, after one about the whole letter


def _forms(message: Message) -> Iterator[Message]:
    for part in message.walk():
        if part.get_content_type() in STATUS:
            yield from _blocks(part)


def _blocks(part: Message) -> Iterator[Message]:
    payload = part.get_payload()
    if part.get_content_type() == "message/delivery-status" and isinstance(payload, list):
        yield from (block for block in payload if isinstance(block, Message))
    else:  # Python takes the newer form for a message of its own
        inner = payload[0] if isinstance(payload, list) and payload else payload
        for block in re.split(r"\n\s*\n", str(inner)):
            yield message_from_string(block)


def _as_stated(blocks: list[Message], message: Message) -> Report | None:
    for action in ("failed", "delayed"):
        said = [block for block in blocks if header(block, "Action").partition("(")[0].strip().lower() == action]
        if said:
            recipients = frozenset(address for block in said for address in _recipients(block))
            why = _diagnosis(said[0]) or _beside(recipients, message)
            status = header(said[0], "Status").strip()
            return Report(action == "failed", recipients, why if why[:1].isdecimal() else f"{status} {why}".strip())
    return None


def _recipients(block: Message) -> Iterator[str]:
    for name in ("Original-Recipient", "Final-Recipient"):
        kind, _, address = header(block, name).rpartition(";")
        if "@" in address and kind.strip().lower() in ("", "rfc822", "utf-8"):
            yield address.strip().strip("<>").lower()


def _diagnosis(block: Message) -> str:
    return header(block, "Diagnostic-Code").partition(";")[2].strip()


# --- in words


def _as_guessed(message: Message) -> Report | None:
    try:
        delayed, failed = all_failures(message)
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError):
        return None  # the library gives up on some of what is sent
    if not delayed and not failed:
        return None
    recipients = {address.decode("ascii", errors="replace").lower() for address in failed or delayed if address}
    why = next(filter(REASON.search, _lines(message)), "") or _beside(frozenset(recipients), message)
    return Report(bool(failed), frozenset(recipients), why)


def _beside(recipients: frozenset[str], message: Message) -> str:
    """What is said after the first of these addresses in the text, in the same line or in the next."""
    lines = iter(_lines(message))
    for line in lines:
        for address in recipients:
            before, found, _ = line.lower().partition(address)
            if found:
                return line[len(before + found) :].strip(">: ") or next(lines, "")
    return ""


def _lines(message: Message) -> list[str]:
    lines = [line.strip() for line in text(message).splitlines()[:MOST_LINES]]
    return [line for line in lines if line]
