"""`hikyaku mail-in`: the process that takes messages in, at the door that HIKYAKU_MAIL_IN names. It says that it lives
while the door is open. Knows how mail comes and no more: each message is handed to `service.inbox.receiving`.
"""

import logging
import os
import sys
import threading
from collections.abc import Mapping
from typing import BinaryIO

from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlmodel import Session

from service import queue
from service.config import Settings
from service.db import db, utcnow
from service.inbox import receiving
from service.inbox.message import LONGEST
from service.models import Heartbeat
from service.vitals import MAIL_IN
from workers import listener, mailbox

log = logging.getLogger(__name__)

# Of the Postfix and Exim that run a command for each message: whom it is for, as it was written.
SAID_BY = ("ORIGINAL_RECIPIENT", "RECIPIENT")


class NothingToDo(Exception):
    """No door is set that a process would have to keep open."""


def take_in(settings: Settings, stop: threading.Event) -> None:
    """Until told to stop. Raises NothingToDo, or OSError where it cannot listen."""
    door = settings.mail_in
    if door is None or door.by == "pipe":
        raise NothingToDo("HIKYAKU_MAIL_IN names no port to listen at and no mailbox to look into")
    db.configure(settings.database_url)
    queue.configure(settings)
    if door.by == "imap":
        mailbox.watch(door, stop, say_it_lives)
    else:
        listener.listen(door, settings.mail_domain, stop, say_it_lives)


def say_it_lives() -> None:
    try:
        _beat()
    except (SQLAlchemyError, OSError) as error:
        log.warning("the database does not answer: %s", type(error).__name__)


def _beat() -> None:
    try:
        _write_beat()
    except IntegrityError:  # another one was the first
        _write_beat()


@db.transaction
def _write_beat(session: Session) -> None:
    session.merge(Heartbeat(name=MAIL_IN, at=utcnow()))


# --- the door that is no process: a mail server runs `hikyaku receive` for each message


def take_one(settings: Settings, recipient: str | None) -> int:
    """The message on standard input; what the mail server is told (sysexits.h): it is kept, to be tried again, or
    why it never will be."""
    db.configure(settings.database_url)
    queue.configure(settings)
    return hand_over(sys.stdin.buffer, recipient, os.environ)


def hand_over(source: BinaryIO, recipient: str | None, environ: Mapping[str, str]) -> int:
    raw = source.read(LONGEST + 1)
    if len(raw) > LONGEST:
        _read_away(source)
        return _refuse(os.EX_DATAERR, f"messages of more than {LONGEST} bytes are not taken")
    said = next((environ[name] for name in SAID_BY if environ.get(name)), None)
    to = recipient or said or receiving.recipient_of(raw)
    if to is None:
        return _refuse(os.EX_NOUSER, "it is not said for whom it is")
    try:
        receiving.receive(raw, to)
    except receiving.NotForUs:
        return _refuse(os.EX_NOUSER, "nobody here has this address")
    except (SQLAlchemyError, OSError) as error:
        return _refuse(os.EX_TEMPFAIL, f"the database does not answer ({type(error).__name__})")
    return os.EX_OK


def _read_away(source: BinaryIO) -> None:
    """Whoever writes must not find the pipe shut in the middle: that would be tried again for ever."""
    while source.read(LONGEST):
        pass


def _refuse(code: int, why: str) -> int:
    print(why, file=sys.stderr)
    return code
