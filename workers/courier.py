"""The courier: takes a committed letter, has it put into words if it still tells the truth, and hands it to the mail
server, though not in the reader's quiet hours. A letter that cannot be put into words has failed, once and for all.

A letter is claimed by a conditional UPDATE, so two couriers never carry the same one. A courier that dies with a
letter in hand loses its claim after a while, and the sweep gives the letter to another. If it died after the mail
server took it, the letter goes out again with the same Message-ID: a letter may come twice then, but is never lost.
"""

import logging
import smtplib
import ssl
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import cache

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlmodel import Session, col, or_, select, update

from engine import UnknownSave
from service.config import Settings, Smtp
from service.db import LOCKED, db, utcnow
from service.models import Attempt, Game, Letter, LetterStatus, Person, Seat
from service.play import turnclock
from service.play.clocks import Hours, next_awake
from service.post.compose import compose
from service.post.letters import KINDS

log = logging.getLogger(__name__)

CLAIM = timedelta(minutes=5)
RETRY_AFTER = [timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360, 720, 1440)]
PATIENCE = 20  # seconds to wait for a mail server


def deliver(letter_id: int, settings: Settings | None = None) -> LetterStatus | None:
    """Send one letter. Returns what became of it, or None if there was nothing to do."""
    settings = settings or Settings.from_env()
    now = utcnow()
    if not _claim(letter_id, now):
        return None
    try:
        message = _put_into_words(letter_id, settings, now)
    except (OperationalError, InterfaceError):
        raise  # the database's trouble and not the letter's: the claim runs out, and another courier tries
    except UnknownSave as error:  # its game was begun under older rules, and cannot go on
        return _failed(letter_id, str(error), final=True, written=False)
    except Exception as error:
        log.exception("letter %s cannot be put into words", letter_id)
        return _failed(letter_id, f"{type(error).__name__}: {error}", final=True, written=False)
    if not isinstance(message, EmailMessage):
        return message
    if settings.smtp is None:
        return _failed(letter_id, "no mail server is set (HIKYAKU_SMTP_URL)", final=False)
    try:
        hand_over(settings.smtp, message)
    except smtplib.SMTPRecipientsRefused as refused:
        code, why = next(iter(refused.recipients.values()))
        return _failed(letter_id, f"{code} {why.decode(errors='replace')}", final=code >= 500)
    except (OSError, smtplib.SMTPException) as error:
        return _failed(letter_id, f"{type(error).__name__}: {error}", final=False)
    return _sent(letter_id)


@db.transaction
def _claim(session: Session, letter_id: int, now: datetime) -> bool:
    claimed = session.exec(
        update(Letter)
        .where(
            col(Letter.id) == letter_id,
            col(Letter.status) == LetterStatus.WAITING,
            col(Letter.due_at) <= now,
            or_(col(Letter.claimed_at).is_(None), col(Letter.claimed_at) < now - CLAIM),
        )
        .values(claimed_at=now, attempts=col(Letter.attempts) + 1)
        .execution_options(synchronize_session=False)
    )
    return claimed.rowcount == 1


@db.transaction
def _put_into_words(
    session: Session, letter_id: int, settings: Settings, now: datetime
) -> EmailMessage | LetterStatus | None:
    """The message to hand over, or what became of the letter if there is nothing to hand over."""
    letter = _hold(session, letter_id)
    if letter is None:
        return None
    if settings.smtp is not None and (morning := _morning(session, letter, now)):
        return _put_off(session, letter, morning)
    message = compose(session, settings, letter, now)
    session.flush()  # the links in it, which refer to seat and person, before the letter itself
    if message is None:
        return _close(session, letter, LetterStatus.OBSOLETE)
    letter.subject = str(message["Subject"])
    bytes(message)  # what is no mail fails here, where it is known to be the letter's fault
    if settings.smtp is None and settings.post_office:
        letter.source = message.as_string()
        return _close(session, letter, LetterStatus.SENT, now)
    return message


def _hold(session: Session, letter_id: int) -> Letter | None:
    """The letter, whose seat stays at the table meanwhile; None if that has left, and its letters with it."""
    seat = select(Seat).join(Letter, col(Letter.seat_id) == col(Seat.id)).where(Letter.id == letter_id)
    session.exec(seat.with_for_update(of=Seat, read=True, key_share=True)).one_or_none()
    return session.get(Letter, letter_id)


@db.transaction
def _sent(session: Session, letter_id: int) -> LetterStatus:
    letter = session.get(Letter, letter_id, with_for_update=LOCKED)
    return _close(session, letter, LetterStatus.SENT, utcnow()) if letter else LetterStatus.SENT


def _morning(session: Session, letter: Letter, now: datetime) -> datetime | None:
    """When somebody who sleeps now gets up: nobody's phone rings in their quiet hours. In a game for one evening
    everybody is awake."""
    if KINDS[letter.kind].may_wake:
        return None
    person, game = session.get_one(Person, letter.person_id), session.get_one(Game, letter.game_id)
    hours = turnclock.pace_of(game).applied_to(Hours(person.zone, turnclock.quiet_of(person)))
    up = next_awake(now, hours)
    return up if up > now else None


def _put_off(session: Session, letter: Letter, until: datetime) -> LetterStatus:
    letter.due_at, letter.posted_at, letter.claimed_at = until, None, None
    letter.attempts -= 1
    session.add(letter)
    return letter.status


def _close(session: Session, letter: Letter, status: LetterStatus, sent_at: datetime | None = None) -> LetterStatus:
    letter.status, letter.sent_at, letter.claimed_at, letter.error = status, sent_at, None, ""
    session.add(letter)
    if status is LetterStatus.SENT:
        session.add(Attempt(letter_id=letter.id))
    return status


@db.transaction
def _failed(session: Session, letter_id: int, error: str, *, final: bool, written: bool = True) -> LetterStatus | None:
    """Write the failure down; try again later unless that is of no use. What could not be written has no subject."""
    letter = session.get(Letter, letter_id, with_for_update=LOCKED)
    if letter is None:
        return None
    session.add(Attempt(letter_id=letter_id, error=error))
    letter.error, letter.claimed_at = error, None
    if not written:
        letter.subject = ""
    if final or letter.attempts > len(RETRY_AFTER):
        letter.status = LetterStatus.FAILED
    else:
        letter.due_at = utcnow() + RETRY_AFTER[letter.attempts - 1]
        letter.posted_at = None
    session.add(letter)
    log.warning("letter %s to person %s not sent: %s", letter_id, letter.person_id, error)
    return letter.status


def hand_over(smtp: Smtp, message: EmailMessage) -> None:
    """Give the message to the mail server."""
    server: smtplib.SMTP
    if smtp.tls == "implicit":
        server = smtplib.SMTP_SSL(smtp.host, smtp.port, timeout=PATIENCE, context=_trust())
    else:
        server = smtplib.SMTP(smtp.host, smtp.port, timeout=PATIENCE)
    with server:
        if smtp.tls == "starttls":
            server.starttls(context=_trust())
        if smtp.user:
            server.login(smtp.user, smtp.password or "")
        server.send_message(message)


@cache
def _trust() -> ssl.SSLContext:
    """Whom to believe: read once, for it takes longer than sending a letter."""
    return ssl.create_default_context()
