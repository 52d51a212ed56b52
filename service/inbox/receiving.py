"""Where all doors for mail lead: a message becomes a row, and a task to read it. A lost task is found by the sweep."""

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from service import queue
from service.db import db
from service.inbox import message
from service.models import Received
from service.post import addresses


class NotForUs(Exception):
    """Nobody here has this address; whoever brings the message is told so."""


def is_ours(recipient: str) -> bool:
    with db.reading() as session:
        return addresses.find(session, recipient) is not None


def recipient_of(raw: bytes) -> str | None:
    """For whom a message is, where only its own headers say so: the first address in them that looks like ours."""
    for address in message.addressees(raw):
        if addresses.TOKEN.match(address):
            return address
    return None


def receive(raw: bytes, recipient: str) -> int:
    """Take a message in: its row, which is that of the same message brought before. Raises NotForUs."""
    try:
        received_id = _write_down(raw, recipient)
    except IntegrityError:  # another door has brought the same message meanwhile
        received_id = _write_down(raw, recipient)
    queue.post("read", received_id)
    return received_id


@db.transaction
def _write_down(session: Session, raw: bytes, recipient: str) -> int:
    found = addresses.find(session, recipient)
    if found is None:
        raise NotForUs(recipient)
    what, address = found
    digest = message.digest(raw, recipient)
    same = session.exec(select(Received).where(Received.digest == digest)).one_or_none()
    if same is None:
        same = Received(
            digest=digest, address_id=address.id, came_back=what == addresses.BOUNCE, source=raw[: message.LONGEST]
        )
        session.add(same)
        session.flush()
    return same.id
