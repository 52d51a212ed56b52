"""Addresses of letters: each has its own, for answers and for itself if it comes back. 160 random bits in small letters
and digits, for mail servers may change the case; only the hash is kept."""

import base64
import re
import secrets
from email.message import EmailMessage
from email.utils import parseaddr

from sqlmodel import Session, select

from service.config import Settings
from service.models import Letter, ReturnAddress, Seat
from service.post.links import digest

ANSWER, BOUNCE = "play", "bounce"
BYTES = 20

TOKEN = re.compile(rf"({ANSWER}|{BOUNCE})\+([a-z2-7]{{{BYTES * 8 // 5}}})@", re.IGNORECASE)


def mint(session: Session, letter: Letter, seat: Seat | None = None, step: str = "") -> str:
    """A token for this letter; with `seat`, for answers to the question that is put to it now."""
    token = base64.b32encode(secrets.token_bytes(BYTES)).decode().lower()
    address = ReturnAddress(hash=digest(token), letter_id=letter.id, step=step)
    if seat:
        address.seat_id, address.asked = seat.id, seat.asked
    session.add(address)
    return token


def answers_to(settings: Settings, token: str) -> str:
    return f"{ANSWER}+{token}@{settings.mail_domain}"


def bounces_to(message: EmailMessage) -> str | None:
    """Where this letter goes if it comes back, which is an address like that for answers; None if it has none."""
    answers = str(message["Reply-To"])
    return TOKEN.sub(rf"{BOUNCE}+\2@", answers) if TOKEN.match(answers) else None


def find(session: Session, recipient: str) -> tuple[str, ReturnAddress] | None:
    """What came to this recipient, an answer or a letter that came back, and to which address of ours it belongs."""
    found = TOKEN.match(parseaddr(recipient)[1])
    if found is None:
        return None
    row = session.exec(select(ReturnAddress).where(ReturnAddress.hash == digest(found[2].lower()))).one_or_none()
    return (found[1].lower(), row) if row else None
