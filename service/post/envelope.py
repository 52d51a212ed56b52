"""A letter as mail: its headers, its two parts and its picture. Knows mail, and nothing of what the letter says."""

import re
from collections.abc import Sequence
from datetime import datetime
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime, parseaddr
from urllib.parse import urlsplit

from email_validator import validate_email

from service.config import Settings
from service.models import Game, Letter

MOST_IDS = 200  # characters
PICTURE = "board@hikyaku"  # how the html of a letter calls its picture
ONE_HEADER = re.compile(r"(?:[^\r\n]|\r\n[ \t])*\r\n")


class Whole(UnstructuredHeader, BaseHeader):
    """An address or an id, on one line however long it is (a line of mail may have 998 characters). Folded, as Python
    would, it becomes encoded words, which is no address any more."""

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


_headers = HeaderRegistry()
for _name in ("Reply-To", "Message-ID", "In-Reply-To", "References", "List-Id", "List-Unsubscribe"):
    _headers.map_to_type(_name, Whole)

POLICY = SMTP.clone(max_line_length=78, header_factory=_headers)


ADDRESS = re.compile(r"[^\s<>()\[\]:;,\"']+@[^\s<>()\[\]:;,\"']+")


IN_BRACKETS = re.compile(rf"<{ADDRESS.pattern}>:? ?")
ADDRESS_ON_THE_WEB = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
LONGEST_REASON = 100  # characters
SEVERAL_LINES = re.compile(r"(\d{3})-")  # of a reply: each begins with its code


def without_addresses(text: str) -> str:
    return ADDRESS.sub("...", text)


def reason(said: str, mail: str) -> str:
    """What a mail server says of a letter, in a line for others to read: without the address, or a half of it, and
    without a place to go to, for whoever runs the server may be anybody."""
    text = " ".join(said.split())
    if first := SEVERAL_LINES.match(text):
        code = first[1]
        text = f"{code} " + re.sub(rf" {code}[ -](?:\d\.\d{{1,3}}\.\d{{1,3}} )?", " ", text[4:])
    text = without_addresses(IN_BRACKETS.sub("", ADDRESS_ON_THE_WEB.sub("...", text)))
    for half in mail.rpartition("@")[::2]:
        text = re.sub(rf"(?<![\w+-]){re.escape(half)}(?![\w+-])", "...", text, flags=re.IGNORECASE)
    shown = "".join(letter for letter in text if letter.isprintable())
    return shown if len(shown) <= LONGEST_REASON else f"{shown[: LONGEST_REASON - 1].rstrip()}…"


def same_mailbox(address: str, mail: str) -> bool:
    """Whether a mail server means this address."""
    name, domain = _on_the_wire(mail)
    return address.lower() in (mail.lower(), f"{name}@{domain}".lower())


class BrokenHeader(ValueError):
    """A header that would be more than one on its way: nothing like that is sent."""


def addressed(
    settings: Settings,
    letters: Sequence[Letter],
    to: tuple[str, str],
    game: Game | None,
    now: datetime,
    answering: str | None = None,
) -> EmailMessage:
    """From us to this name and address, in the thread of this game, and there beneath the message that it is about."""
    sender_name, sender = parseaddr(settings.mail_from)
    host = urlsplit(settings.base_url).hostname or "localhost"
    name, mail = to
    mailbox, domain = _on_the_wire(mail)
    message = EmailMessage(policy=POLICY.clone(utf8=not mailbox.isascii()))
    message["From"] = Address(sender_name, addr_spec=sender)
    message["To"] = Address(name, mailbox, domain)
    message["Date"] = format_datetime(now)
    # The same letters sent again after a crash have the same id, so that a mail reader can show them once.
    ids = "-".join(str(letter.id) for letter in letters)
    message["Message-ID"] = f"<letter-{ids[:MOST_IDS]}-{letters[0].created_at:%Y%m%d%H%M%S}@{host}>"
    if game:
        root = f"<game-{game.public_id}@{host}>"
        message["In-Reply-To"] = answering or root
        message["References"] = f"{root} {answering}" if answering else root
        message["List-Id"] = f"<{game.public_id}.{host}>"
    message["Auto-Submitted"] = "auto-generated"
    return message


def _on_the_wire(mail: str) -> tuple[str, str]:
    """The two halves of an address as mail servers know it: a domain in any script has a name in plain letters too."""
    known = validate_email(mail, check_deliverability=False, test_environment=True)
    return known.local_part, known.ascii_domain


def answerable(message: EmailMessage, address: str) -> None:
    message["Reply-To"] = address


def way_out(message: EmailMessage, address: str) -> None:
    """One click in the reader's own program stops letters like this one."""
    message["List-Unsubscribe"] = f"<{address}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


def fill(message: EmailMessage, subject: str, text: str, html: str, picture: bytes | None = None) -> None:
    message["Subject"] = " ".join(subject.split())
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    if picture:
        _, page = message.iter_parts()
        assert isinstance(page, EmailMessage)
        page.add_related(picture, "image", "png", cid=f"<{PICTURE}>", filename="board.png", disposition="inline")
    _check_headers(message)


def _check_headers(message: EmailMessage) -> None:
    """As they go out: while it folds a header, Python decodes what looks like an encoded word, line breaks and all."""
    for name, value in message.items():
        if not ONE_HEADER.fullmatch(message.policy.fold(name, value)):
            raise BrokenHeader(f"the header {name} would end within its value")
