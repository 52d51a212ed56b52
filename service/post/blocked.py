"""Mailboxes that are never written to again, because whoever reads them has said so. Of each only a keyed hash is kept:
it tells nobody who they are. The courier asks here before every letter."""

import hashlib
import hmac

from sqlmodel import Session

from service.config import Settings
from service.models import Blocked
from service.post.language import marked

NOT_WANTED = marked("this address wants no letters from here")

DOTS_DO_NOT_COUNT = {"gmail.com", "googlemail.com"}


def mailbox_of(mail: str) -> str:
    """The address without what its owner may add to it: name+games@example.org and name@example.org are one mailbox."""
    name, _, domain = mail.lower().rpartition("@")
    name = name.partition("+")[0] or name
    return f"{name.replace('.', '') if domain in DOTS_DO_NOT_COUNT else name}@{domain}"


def counted_as(mail: str) -> str:
    """The mailbox for counting letters, where rather two are taken for one than one for two."""
    name, _, domain = mailbox_of(mail).rpartition("@")
    return f"{name.replace('.', '')}@{domain}"


def _hash(settings: Settings, mail: str) -> str:
    return hmac.new(settings.secret_key.encode(), f"blocked:{mailbox_of(mail)}".encode(), hashlib.sha256).hexdigest()


def is_blocked(session: Session, settings: Settings, mail: str) -> bool:
    return session.get(Blocked, _hash(settings, mail)) is not None


def block(session: Session, settings: Settings, mail: str) -> None:
    if not is_blocked(session, settings, mail):
        session.add(Blocked(hash=_hash(settings, mail)))


def unblock(session: Session, settings: Settings, mail: str) -> None:
    blocked = session.get(Blocked, _hash(settings, mail))
    if blocked is not None:
        session.delete(blocked)
