"""What whoever runs the service asks for by hand: which games there are, failed letters sent again, a letter to try the
mail with, a mailbox that is never written to. `workers/cli.py` reads the words and shows the answers.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr
from urllib.parse import urlsplit

from sqlmodel import Session, col, func, select, update

from engine import GAMES
from service import queue
from service.config import Settings
from service.db import LOCKED, db, utcnow
from service.models import Game, GameStatus, Letter, LetterStatus, Person, Seat
from service.play import forgetting, record, returning
from service.post import blocked, outbox
from service.post.envelope import POLICY
from workers import courier

BATCH = 500

HEADINGS = ("game", "title", "status", "move", "last move", "waits for", "players", "organiser")
MOMENT = "%Y-%m-%d %H:%M"


def games(status: GameStatus | None, most: int) -> Iterator[tuple[str, ...]]:
    """The newest first, one row each, as HEADINGS say."""
    with db.reading() as session:
        wanted = select(Game, Person).join(Person, col(Person.id) == col(Game.organiser_id))
        if status is not None:
            wanted = wanted.where(Game.status == status)
        for game, organiser in session.exec(wanted.order_by(col(Game.id).desc()).limit(most)):
            yield _row(game, organiser, record.seats_of(session, game))


def _row(game: Game, organiser: Person, seats: Sequence[Seat]) -> tuple[str, ...]:
    return (
        game.public_id,
        GAMES[game.kind].title if game.kind in GAMES else game.kind,
        "paused" if game.paused_at else game.status,
        str(game.version),
        f"{game.moved_at or game.created_at:{MOMENT}}",
        ", ".join(seat.name for seat in seats if seat.asked is not None) or "-",
        ", ".join(seat.name + "*" * seat.bot for seat in seats),
        organiser.mail or "-",
    )


def resend(since: datetime) -> int:
    """Failed letters of this time wait once more, as if they were new, and so do those that came back and all that were
    held for it; those that are not true any more are closed then. Returns how many there were."""
    count = sum(map(_try_again, _unreached(since)))
    while ids := _wait_again(since):
        for letter_id in ids:
            queue.post("deliver", letter_id)
        count += len(ids)
    return count


def _unreached(since: datetime) -> list[int]:
    with db.reading() as session:
        return list(session.exec(select(Person.id).where(col(Person.returned_at) >= since).order_by(col(Person.id))))


@outbox.transaction
def _try_again(session: Session, person_id: int) -> int:
    person = record.lock_person(session, person_id)
    came_back = col(Letter.status).in_([LetterStatus.HELD, LetterStatus.RETURNED])
    count = session.exec(select(func.count()).where(col(Letter.person_id) == person_id, came_back)).one()
    return count if returning.reach(session, person, utcnow(), again=True) else 0


@db.transaction
def _wait_again(session: Session, since: datetime) -> list[int]:
    failed = select(Letter.id).where(Letter.status == LetterStatus.FAILED, col(Letter.created_at) >= since)
    ids = list(session.exec(failed.order_by(col(Letter.id)).limit(BATCH).with_for_update(**LOCKED)))
    now = utcnow()
    anew = {"status": LetterStatus.WAITING, "due_at": now, "posted_at": now, "claimed_at": None, "attempts": 0}
    session.execute(
        update(Letter).where(col(Letter.id).in_(ids)).values(**anew).execution_options(synchronize_session=False)
    )
    return ids


@db.transaction
def block(session: Session, settings: Settings, mail: str) -> None:
    """Nothing is written to this mailbox any more, whoever asks for it."""
    blocked.block(session, settings, mail)


@db.transaction
def unblock(session: Session, settings: Settings, mail: str) -> None:
    blocked.unblock(session, settings, mail)


def person_at(mail: str) -> Person | None:
    with db.reading() as session:
        return session.exec(select(Person).where(Person.mail == mail.strip().lower())).one_or_none()


@outbox.transaction
def delete(session: Session, person_id: int) -> None:
    """As if they had asked for it themselves."""
    forgetting.forget(session, person_id, utcnow())


def send_test_letter(settings: Settings, mail: str) -> str:
    """By the way that all letters go, and at once. Returns who took it; raises what the courier would."""
    smtp = settings.smtp
    if smtp is None:
        raise ValueError("there is no mail server: set HIKYAKU_SMTP_URL")
    sender_name, sender = parseaddr(settings.mail_from)
    message = EmailMessage(policy=POLICY)
    message["From"] = Address(sender_name, addr_spec=sender)
    message["To"] = Address(addr_spec=mail)
    message["Date"] = format_datetime(utcnow())
    message["Message-ID"] = make_msgid("test", urlsplit(settings.base_url).hostname)
    message["Subject"] = "Hikyaku: a letter to try the mail with"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(f"Letters from {settings.base_url} arrive here.\n")
    courier.hand_over(smtp, message)
    return f"{smtp.host}:{smtp.port}"
