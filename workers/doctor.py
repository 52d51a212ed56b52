"""`hikyaku doctor`: looks at everything an installation needs, one line each, and says how to mend what is wrong."""

import importlib
import smtplib
import ssl
import tempfile
import zoneinfo
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from kombu.exceptions import KombuError
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import SQLModel, and_, col, func, or_, select

from engine import GAMES
from service import queue, shape, vitals
from service.config import Settings, Smtp
from service.db import db, utcnow
from service.inbox import doubts
from service.models import Game, GameStatus, Letter, Reading
from service.play import record
from service.post import outbox, picture
from service.post.told import in_words, verbatim

PATIENCE = 5  # seconds, for whoever is asked
RECENTLY = timedelta(days=7)
PROGRAMS = ("waitress", "celery.bin.celery", "service.web.app", "workers.app", "workers.mailin")
TABLES = SQLModel.metadata.tables
SIZED = ("person", "game", "move", "snapshot", "submission", "letter", "attempt", "link", "received")
SIZE = {
    "postgresql": "SELECT pg_database_size(current_database())",
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
}
UNREAD = "not looked at, for the database is not ready"
INSTALL = "install the project again, with all it depends on"


class Ailment(Exception):
    """Something is wrong. The text says what, and what to do."""


@dataclass(frozen=True)
class Finding:
    name: str
    fine: bool
    text: str

    def __str__(self) -> str:
        return f"{self.name:<10} {'ok' if self.fine else 'not ok'}: {self.text}"


def examine(settings: Settings) -> Iterator[Finding]:
    """Every check in turn; one that fails does not keep the next from being made."""
    db.configure(settings.database_url)
    for name, check in CHECKS.items():
        try:
            yield Finding(name, True, check(settings))
        except Ailment as ailment:
            yield Finding(name, False, str(ailment))


def _folder(settings: Settings) -> str:
    try:
        settings.var.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.var) as file:
            file.write(b"x")
    except OSError as error:
        raise Ailment(
            f"cannot write to {settings.var} ({error.strerror}): change its owner, or set HIKYAKU_VAR to another folder"
        ) from None
    return f"{settings.var} can be written"


def _database(settings: Settings) -> str:
    try:
        with db.reading() as session:
            misshapen = shape.complaint(session.connection())
    except SQLAlchemyError as error:
        reason = str(error.__cause__ or error).splitlines()[0]
        raise Ailment(f"cannot be reached ({reason}): check HIKYAKU_DATABASE_URL and that it is running") from None
    if misshapen:
        raise Ailment(misshapen)
    return f"reachable, at {shape.newest()}"


def _work(settings: Settings) -> str:
    """What /readyz says of the sweep, the turns and the letters, but for an installation that does not run just now."""
    try:
        with db.reading() as session:
            if vitals.last_sweep(session) is None and session.exec(select(Game.id)).first() is None:
                return "there was none yet: web, worker and beat can be started"
            complaints = {"the sweep": vitals.sweep(session, settings), **dict(vitals.work(session))}
    except SQLAlchemyError:
        return UNREAD
    if settings.redis_url is None and not vitals.answers(settings):
        return "not looked at, for `hikyaku up` is not running"
    if wrong := [f"{what} {complaint}" for what, complaint in complaints.items() if complaint]:
        raise Ailment("; ".join(wrong))
    return "no turn and no letter waits for long, and the sweep runs"


def _games(settings: Settings) -> str:
    """Games whose rules were corrected without a mend for them: somebody has to end each."""
    try:
        with db.reading() as session:
            older = or_(*(and_(Game.kind == title.id, Game.rules != title.rules) for title in GAMES.values()))
            games = session.exec(select(Game).where(Game.status == GameStatus.RUNNING, older)).all()
    except SQLAlchemyError:
        return UNREAD
    if stranded := [game.public_id for game in games if record.stranded(game)]:
        raise Ailment(
            f"{len(stranded)} cannot go on under the rules of today ({', '.join(stranded)}): their moderators can end "
            "them, or run a version that has a mend for them"
        )
    return "all that are under way can go on under the rules of today"


def _letters(settings: Settings) -> str:
    """Letters that could not be put into words: a fault of ours, which their readers cannot know of."""
    try:
        with db.reading() as session:
            failed = outbox.unwritten(session, col(Letter.created_at) > utcnow() - RECENTLY)
    except SQLAlchemyError:
        return UNREAD
    if failed:
        newest, reader = failed[0]
        raise Ailment(
            f"{len(failed)} could not be written in the last {RECENTLY.days} days, the newest {newest.id} "
            f"({newest.kind}, to {reader.name}): {newest.error}. The log of the worker has the whole error"
        )
    return f"all could be written in the last {RECENTLY.days} days"


def _answers(settings: Settings) -> str:
    """Messages that could not be read: a fault of ours too, and whoever wrote them waits for a word."""
    try:
        with db.reading() as session:
            unread = doubts.lately(session, Reading.UNREAD, utcnow() - RECENTLY)
            doubted = doubts.lately(session, Reading.DOUBTED, utcnow() - RECENTLY)
    except SQLAlchemyError:
        return UNREAD
    if unread:
        raise Ailment(
            f"{len(unread)} could not be read in the last {RECENTLY.days} days, the newest {unread[0].id}: "
            f"{in_words(unread[0].note or verbatim(''), 'UTC', [])}. The log of the worker has the whole error"
        )
    return f"all could be read in the last {RECENTLY.days} days; {len(doubted)} wait for a word of their player"


def _returned(settings: Settings) -> str:
    """Letters that come back. That is seldom a fault of ours, so nothing is wrong; but if it is many, it may be."""
    try:
        with db.reading() as session:
            count = vitals.unreached(session)
    except SQLAlchemyError:
        return UNREAD
    if not count:
        return "none, as far as we were told"
    people = "1 person" if count == 1 else f"{count} people"
    return f"mail to {people} comes back: {settings.base_url}/desk names them to the operator, and why"


def _sizes(settings: Settings) -> str:
    """What is kept: it grows with what is played, and with nothing else (see service/play/tidying.py)."""
    try:
        with db.reading() as session:
            rows = {
                name: session.execute(select(func.count()).select_from(TABLES[name])).scalar_one() for name in SIZED
            }
            bytes_ = session.execute(text(SIZE[session.get_bind().dialect.name])).scalar_one()
    except SQLAlchemyError:
        return UNREAD
    return f"{', '.join(f'{name} {count:,}' for name, count in rows.items())}; {bytes_ / 1e6:,.1f} MB in all"


def _programs(settings: Settings) -> str:
    """What web, worker and beat turn into must be there, with all that it needs in turn."""
    for program in PROGRAMS:
        try:
            importlib.import_module(program)
        except ImportError as error:
            raise Ailment(f"{program} cannot be loaded ({error}): {INSTALL}") from None
    return "web, worker and beat can be loaded"


def _redis(settings: Settings) -> str:
    """By way of the queue's own transport, as web, worker and beat get there."""
    address = queue.configuration(settings)["broker_url"]
    try:
        with queue.celery.connection_for_write(address, transport_options=queue.IMPATIENT) as line:
            line.default_channel.close()
    except ImportError as error:
        raise Ailment(f"cannot be used by the queue ({error}): {INSTALL}") from None
    except (KombuError, OSError) as error:
        if settings.redis_url is None:
            return "none running, and none needed: `hikyaku up` brings its own"
        raise Ailment(f"cannot be reached ({error}): check HIKYAKU_REDIS_URL and that it is running") from None
    return "reachable"


def _mail(settings: Settings) -> str:
    if wrong := vitals.sender(settings) or vitals.post_office(settings):
        raise Ailment(wrong)
    if settings.smtp is None:
        return f"no mail server is set; letters stay in the post office, {settings.base_url}/post-office"
    try:
        _greet(settings.smtp)
    except (OSError, smtplib.SMTPException) as error:
        raise Ailment(f"{settings.smtp.host}:{settings.smtp.port} ({error}): check HIKYAKU_SMTP_URL") from None
    return f"{settings.smtp.host}:{settings.smtp.port} answers"


def _greet(smtp: Smtp) -> None:
    """Everything short of a letter: connect, encrypt, log in."""
    trusted = ssl.create_default_context()
    if smtp.tls == "implicit":
        client: smtplib.SMTP = smtplib.SMTP_SSL(smtp.host, smtp.port, timeout=PATIENCE, context=trusted)
    else:
        client = smtplib.SMTP(smtp.host, smtp.port, timeout=PATIENCE)
    with client:
        if smtp.tls == "starttls":
            client.starttls(context=trusted)
        if smtp.user is not None:
            client.login(smtp.user, smtp.password or "")
        client.noop()


def _mail_in(settings: Settings) -> str:
    """Whether answers to letters come in, where they are asked for."""
    if settings.mail_in is None:
        return "HIKYAKU_MAIL_IN is not set, so letters say that answers are not read"
    try:
        with db.reading() as session:
            complaint = vitals.mail_in(session, settings)
    except SQLAlchemyError:
        return UNREAD
    if complaint and settings.redis_url is None and not vitals.answers(settings):
        return "not looked at, for `hikyaku up` is not running"
    if complaint:
        raise Ailment(complaint)
    return f"answers come to {settings.mail_domain} by {settings.mail_in.by}"


def _pictures(settings: Settings) -> str:
    """Letters go out without the picture of the board where a font of it is missing."""
    try:
        for font in picture.FONTS:
            picture.font(font)
    except picture.NoPicture as missing:
        raise Ailment(f"letters go out without the picture of the board: {missing}") from None
    return f"all {len(picture.FONTS)} fonts for the board in letters are there"


def _time_zones(settings: Settings) -> str:
    known = zoneinfo.available_timezones()
    if not {"Asia/Tokyo", "Europe/Berlin", "America/St_Johns"} <= known:
        raise Ailment("the time zone data is missing: install the package tzdata")
    return f"{len(known)} known"


CHECKS: dict[str, Callable[[Settings], str]] = {
    "folder": _folder,
    "database": _database,
    "work": _work,
    "games": _games,
    "letters": _letters,
    "answers": _answers,
    "returned": _returned,
    "kept": _sizes,
    "programs": _programs,
    "redis": _redis,
    "mail": _mail,
    "mail in": _mail_in,
    "pictures": _pictures,
    "time zones": _time_zones,
}
