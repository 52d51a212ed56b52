"""A door for mail: a mailbox is looked into by IMAP. A message is marked as seen once its row is on disk; what is not
for us stays as it is, for somebody else may read this mailbox too.
"""

import logging
import ssl
import threading
from collections.abc import Callable
from imaplib import IMAP4

from imap_tools import AND, BaseMailBox, MailBox, MailMessageFlags
from imap_tools.errors import ImapToolsError
from sqlalchemy.exc import SQLAlchemyError

from service.config import MailIn
from service.inbox import receiving
from service.inbox.message import LONGEST

log = logging.getLogger(__name__)

PATIENCE = 30  # seconds, with a server that does not answer
LOOK_EVERY = 15.0  # seconds
PAUSE = 60.0  # seconds, after something went wrong

WRONG = (OSError, IMAP4.error, ImapToolsError, SQLAlchemyError)


def watch(door: MailIn, stop: threading.Event, alive: Callable[[], None]) -> None:
    """Until told to stop; whatever goes wrong meanwhile is tried again."""
    while not stop.is_set():
        try:
            with _opened(door) as mailbox:
                _look_again_and_again(mailbox, stop, alive)
        except WRONG as error:
            log.warning("the mailbox at %s is tried again in %.0f s: %s", door.host, PAUSE, error)
            stop.wait(PAUSE)


def _opened(door: MailIn) -> BaseMailBox:
    mailbox = MailBox(door.host, door.port, timeout=PATIENCE, ssl_context=ssl.create_default_context())
    return mailbox.login(door.user or "", door.password or "", door.folder)


def _look_again_and_again(mailbox: BaseMailBox, stop: threading.Event, alive: Callable[[], None]) -> None:
    others: set[str] = set()
    while not stop.is_set():
        look(mailbox, others, stop)
        alive()
        stop.wait(LOOK_EVERY)


def look(mailbox: BaseMailBox, others: set[str], stop: threading.Event) -> None:
    """Take in what nobody has seen yet. `others`: messages that were looked at and are not for us."""
    for uid in mailbox.uids(AND(seen=False)):
        if uid in others:
            continue
        if stop.is_set():
            return
        raw = _source(mailbox, uid)
        recipient = receiving.recipient_of(raw)
        try:
            if recipient is None:
                raise receiving.NotForUs
            receiving.receive(raw, recipient)
        except receiving.NotForUs:
            others.add(uid)
        else:
            mailbox.flag(uid, MailMessageFlags.SEEN, True)


def _source(mailbox: BaseMailBox, uid: str) -> bytes:
    """As it was sent, byte for byte, for it may be signed; of a longer one as much as is ever read."""
    _, parts = mailbox.client.uid("fetch", uid, f"(BODY.PEEK[]<0.{LONGEST}>)")
    return b"".join(part[1] for part in parts if isinstance(part, tuple))
