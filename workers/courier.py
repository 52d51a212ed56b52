"""The courier: takes a committed letter, has it put into words if it still tells the truth, and hands it to the mail
server, though not in the reader's quiet hours. A letter that cannot be put into words has failed, once and for all.

Several things to tell one person about one game are one message: the courier takes all of them along, and each row is
closed with the one that leads it. Letters are claimed under their locks, so two couriers never carry the same one. A
courier that dies with letters in hand loses its claim after a while, and the sweep gives them to another. If it died
after the mail server took them, they go out again with the same Message-ID: a letter may come twice then, but is never
lost.
"""

import logging
import smtplib
import ssl
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import cache

from sqlalchemy import bindparam
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, or_, select, update

from engine import UnknownSave
from service.bulk import among
from service.config import Settings, Smtp
from service.db import LOCKED, db, utcnow
from service.models import Attempt, Game, Letter, LetterStatus, Person, Seat
from service.play import forgetting, record, returning, turnclock
from service.play.clocks import next_awake
from service.post import addresses, blocked, envelope, outbox
from service.post.compose import Occasion, compose
from service.post.letters import KINDS

log = logging.getLogger(__name__)

CLAIM = timedelta(minutes=5)
RETRY_AFTER = [timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360, 720, 1440)]
PATIENCE = 20  # seconds to wait for a mail server


def deliver(letter_id: int, settings: Settings | None = None) -> LetterStatus | None:
    """Send one letter, and with it whatever else there is to tell its reader about the same game. Returns what became
    of it, or None if there was nothing to do."""
    now = utcnow()
    return _carry(_claim(letter_id, now), settings or Settings.from_env(), now).get(letter_id)


# What became of each letter in hand.
Became = dict[int, LetterStatus]


def _carry(ids: list[int], settings: Settings, now: datetime) -> Became:
    """One message for all of these; where that fails for the sake of one of them, each goes alone."""
    if not ids:
        return {}
    try:
        message, told, became = _put_into_words(ids, settings, now)
    except (OperationalError, InterfaceError):
        raise  # the database's trouble and not the letter's: the claim runs out, and another courier tries
    except UnknownSave as error:  # its game was begun under older rules, and cannot go on
        return _fails_alone(ids, str(error), settings, now)
    except Exception as error:
        log.exception("letter %s cannot be put into words", ids)
        return _fails_alone(ids, f"{type(error).__name__}: {error}", settings, now)
    return became | _hand_over(told, message, settings) if message else became


def _fails_alone(ids: list[int], error: str, settings: Settings, now: datetime) -> Became:
    if len(ids) == 1:
        return _failed(ids, error, final=True, written=False)
    return {letter: status for one in ids for letter, status in _carry([one], settings, now).items()}


def _hand_over(ids: list[int], message: EmailMessage, settings: Settings) -> Became:
    if settings.smtp is None:
        return _failed(ids, "no mail server is set (HIKYAKU_SMTP_URL)", final=False)
    try:
        hand_over(settings.smtp, message)
    except smtplib.SMTPRecipientsRefused as refused:
        code, why = next(iter(refused.recipients.values()))
        said = f"{code} {why.decode(errors='replace')}"
        return _failed(ids, said, final=False) if code < 500 else _came_back(ids, said, settings)
    except (OSError, smtplib.SMTPException) as error:
        return _failed(ids, f"{type(error).__name__}: {error}", final=False)
    return _sent(ids)


# What is asked for every letter is put together once: that takes longer than to ask it.
_this = aliased(Letter)
_WITH_THIS = (
    select(Letter.id)
    .join(
        _this,
        and_(
            col(_this.id) == bindparam("letter"),
            col(_this.person_id) == col(Letter.person_id),
            or_(col(_this.id) == col(Letter.id), col(_this.game_id) == col(Letter.game_id)),
        ),
    )
    .where(
        Letter.status == LetterStatus.WAITING,
        col(Letter.due_at) <= bindparam("soon"),
        or_(col(Letter.claimed_at).is_(None), col(Letter.claimed_at) < bindparam("given_up")),
    )
    .order_by(col(Letter.id))
    .with_for_update(of=Letter, **LOCKED)
)
_IN_HAND = (
    update(Letter)
    .where(among(col(Letter.id), "letters"))
    .values(claimed_at=bindparam("now"), attempts=col(Letter.attempts) + 1)
    .execution_options(synchronize_session=False)
)
_THESE = select(Letter).where(among(col(Letter.id), "letters")).order_by(col(Letter.id))
_THEIR_SEATS = (
    select(Seat)
    .join(Letter, col(Letter.seat_id) == col(Seat.id))
    .where(among(col(Letter.id), "letters"))
    .order_by(col(Seat.id))
    .with_for_update(of=Seat, read=True, key_share=True)
)


@db.transaction
def _claim(session: Session, letter_id: int, now: datetime) -> list[int]:
    """This letter and all others that wait to be sent to the same person about the same game; none if this one is not
    to be had. They are locked in one order, so of two couriers one has all of them."""
    moments = {"soon": now + outbox.MOMENT, "given_up": now - CLAIM}
    found = list(session.exec(_WITH_THIS, params={"letter": letter_id, **moments}))
    if letter_id not in found:
        return []
    session.execute(_IN_HAND, {"letters": found, "now": now})
    return found


@db.transaction
def _put_into_words(
    session: Session, ids: list[int], settings: Settings, now: datetime
) -> tuple[EmailMessage | None, list[int], Became]:
    """The message to hand over and which letters it tells, the one that leads it first; and what became of the
    others."""
    letters = _hold(session, ids)
    if letters and (why := _unreachable(Occasion(session, settings, letters[0], now))):
        return None, [], {letter.id: _turn_back(session, letter, why) for letter in letters}
    if letters and not _are_taken(session, letters):
        return None, [], {letter.id: _keep_back(session, letter) for letter in letters}
    awake, became = [], {}
    for letter in letters:
        if settings.smtp is not None and (morning := _morning(session, letter, now)):
            became[letter.id] = _put_off(session, letter, morning)
        else:
            awake.append(letter)
    message, told = compose(session, settings, awake, now)
    session.flush()  # the links in it, which refer to seat and person, before the letters themselves
    for letter in awake:
        if letter not in told:
            became[letter.id] = _close(session, letter, LetterStatus.OBSOLETE)
    if message is None:
        return None, [], became
    told[0].message_id = str(message["Message-ID"])
    for letter in told:
        letter.along_with = told[0].id if letter is not told[0] else None
    # What is no mail fails here, where it is known to be the letter's fault.
    if settings.smtp is None and settings.post_office:
        told[0].source = message.as_string()
        sent = {letter.id: _close(session, letter, LetterStatus.SENT, now) for letter in told}
        return None, [], became | sent
    bytes(message)
    return message, [letter.id for letter in told], became


def _hold(session: Session, ids: list[int]) -> Sequence[Letter]:
    """The letters, whose seats stay at the table meanwhile; without those whose seat has left, and they with it."""
    session.exec(_THEIR_SEATS, params={"letters": ids}).all()
    return session.exec(_THESE, params={"letters": ids}).all()


def _locked(session: Session, ids: list[int]) -> Sequence[Letter]:
    return session.exec(_THESE.with_for_update(**LOCKED), params={"letters": ids}).all()


@db.transaction
def _sent(session: Session, ids: list[int]) -> Became:
    """Unless a letter has come back before this was written down: some servers are quick."""
    now, waiting = utcnow(), [letter for letter in _locked(session, ids) if letter.status is LetterStatus.WAITING]
    return dict.fromkeys(ids, LetterStatus.SENT) | {
        letter.id: _close(session, letter, LetterStatus.SENT, now) for letter in waiting
    }


@outbox.transaction
def _came_back(session: Session, ids: list[int], said: str, settings: Settings) -> Became:
    """The mail server does not take letters to this address: as if it had taken this one and sent it back."""
    person_id = session.get_one(Letter, ids[0]).person_id
    record.lock_all_of(session, person_id)
    person = record.lock_person(session, person_id)
    letters = _locked(session, ids)
    why = envelope.reason(said, Occasion(session, settings, letters[0], utcnow()).to[1])
    for letter in letters:
        session.add(Attempt(letter_id=letter.id, error=why))
        log.warning("letter %s to person %s came back: %s", letter.id, letter.person_id, why)
        letter.status, letter.claimed_at, letter.error = LetterStatus.FAILED, None, why
        session.add(letter)
    if not any(KINDS[letter.kind].elsewhere for letter in letters):
        returning.come_back(session, person, letters, why, settings.stands_still, utcnow())
    return {letter.id: letter.status for letter in letters}


def _morning(session: Session, letter: Letter, now: datetime) -> datetime | None:
    """When somebody's own time begins again: nobody's phone rings in their quiet hours, on their days off or while they
    are away. In a game for one evening everybody is awake."""
    if KINDS[letter.kind].may_wake or letter.game_id is None:
        return None
    hours = turnclock.rhythm_in(session, letter.game_id, letter.person_id).hours
    up = next_awake(now, turnclock.pace_of(session.get_one(Game, letter.game_id)).applied_to(hours))
    return up if up > now else None


def _put_off(session: Session, letter: Letter, until: datetime) -> LetterStatus:
    letter.due_at, letter.posted_at, letter.claimed_at = until, None, None
    letter.attempts -= 1
    session.add(letter)
    return letter.status


def _unreachable(occasion: Occasion) -> str | None:
    """Why nothing is sent to this person or address any more, if nothing is."""
    if occasion.person.gone:
        return forgetting.GONE
    return blocked.NOT_WANTED if blocked.is_blocked(occasion.session, occasion.settings, occasion.to[1]) else None


def _are_taken(session: Session, letters: Sequence[Letter]) -> bool:
    """Whether letters to their reader arrive, as far as is known. Looked at under the lock of whoever that is: what is
    kept back is let go under it too."""
    if all(KINDS[letter.kind].insists or KINDS[letter.kind].elsewhere for letter in letters):
        return True
    person = session.get_one(Person, letters[0].person_id)
    if person.returned_at is None:
        return True
    session.refresh(person, with_for_update=LOCKED)
    return person.returned_at is None


def _keep_back(session: Session, letter: Letter) -> LetterStatus:
    letter.status, letter.claimed_at, letter.attempts = LetterStatus.HELD, None, letter.attempts - 1
    session.add(letter)
    return letter.status


def _turn_back(session: Session, letter: Letter, why: str) -> LetterStatus:
    """It is not sent, and whoever had it written sees why."""
    became = _close(session, letter, LetterStatus.OBSOLETE)
    letter.error = why
    return became


def _close(session: Session, letter: Letter, status: LetterStatus, sent_at: datetime | None = None) -> LetterStatus:
    letter.status, letter.sent_at, letter.claimed_at, letter.error = status, sent_at, None, ""
    session.add(letter)
    if status is LetterStatus.SENT:
        session.add(Attempt(letter_id=letter.id))
    return status


@db.transaction
def _failed(session: Session, ids: list[int], error: str, *, final: bool, written: bool = True) -> Became:
    """Write the failure down; try again later, together again, unless that is of no use. What could not be written has
    no subject. Others read of it, and mail servers like to repeat the address: it is left out."""
    error = envelope.without_addresses(error)
    letters = _locked(session, ids)
    tried = max((letter.attempts for letter in letters), default=0)
    for letter in letters:
        session.add(Attempt(letter_id=letter.id, error=error))
        letter.error, letter.claimed_at = error, None
        if not written:
            letter.subject = ""
        if final or tried > len(RETRY_AFTER):
            letter.status = LetterStatus.FAILED
        else:
            letter.due_at, letter.posted_at = utcnow() + RETRY_AFTER[tried - 1], None
        session.add(letter)
        log.warning("letter %s to person %s not sent: %s", letter.id, letter.person_id, error)
    return {letter.id: letter.status for letter in letters}


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
        server.send_message(message, from_addr=addresses.bounces_to(message))


@cache
def _trust() -> ssl.SSLContext:
    """Whom to believe: read once, for it takes longer than sending a letter."""
    return ssl.create_default_context()
