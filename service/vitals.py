"""Does the work get done? What waits and for how long, when the timekeeper last looked, and what is set up so that it
cannot go well. /readyz, /metrics and `hikyaku doctor` all ask here. Reads the tables and Redis; knows no page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import redis
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select

from service import queue, shape
from service.config import Settings
from service.db import db, utcnow
from service.models import (
    Game,
    GameStatus,
    Heartbeat,
    Letter,
    LetterStatus,
    Person,
    Ring,
    Seat,
    Stage,
    Submission,
    Verdict,
)

STALE = timedelta(minutes=2)  # no sweep for so long: nobody is looking
STUCK = timedelta(minutes=5)  # nobody has taken it for so long
PATIENCE = 1  # seconds, for Redis
UNKNOWN = "unknown"
MAIL_IN = "mail-in"  # the heartbeat of whoever takes mail in


@dataclass(frozen=True)
class Backlog:
    """What waits to be done, and since when the oldest of it."""

    count: int
    since: datetime | None

    def age(self, now: datetime) -> timedelta:
        return max(now - self.since, timedelta(0)) if self.since else timedelta(0)


def submissions(session: Session) -> Backlog:
    """Turns that were sent and are not decided."""
    return _backlog(session, Submission.created_at, Submission.verdict == Verdict.RECEIVED)


def letters(session: Session, now: datetime) -> Backlog:
    """Letters that could go out. One that the mail server did not take is due again later, and waits for that."""
    return _backlog(session, Letter.due_at, Letter.status == LetterStatus.WAITING, Letter.due_at <= now)


def rings(session: Session, now: datetime) -> Backlog:
    """What bells could ring for, and have not."""
    return _backlog(session, Ring.due_at, Ring.status == LetterStatus.WAITING, Ring.due_at <= now)


def _backlog(session: Session, since: Any, *waiting: Any) -> Backlog:
    count, oldest = session.exec(select(func.count(), func.min(since)).where(*waiting)).one()
    return Backlog(count, oldest)


def seats_overdue(session: Session) -> int:
    """Players who are out of time."""
    return _count(session, col(Seat.stage).in_([Stage.LATE, Stage.DESK]))


def seats_due(session: Session, now: datetime) -> int:
    """Seats that the timekeeper should have looked at by now."""
    return _count(session, col(Seat.due_at) <= now)


def _count(session: Session, *where: Any) -> int:
    return session.exec(select(func.count()).select_from(Seat).where(*where)).one()


def games(session: Session) -> dict[str, int]:
    """How many there are, by their status."""
    found = session.exec(select(Game.status, func.count()).group_by(col(Game.status))).all()
    return dict.fromkeys(GameStatus, 0) | {str(status): count for status, count in found}


def letters_failed(session: Session, since: datetime) -> int:
    failed = [col(Letter.status) == LetterStatus.FAILED, col(Letter.created_at) > since]
    return session.exec(select(func.count()).select_from(Letter).where(*failed)).one()


def unreached(session: Session) -> int:
    """People to whom letters come back."""
    return session.exec(select(func.count()).select_from(Person).where(col(Person.returned_at).is_not(None))).one()


def last_sweep(session: Session) -> datetime | None:
    return _last_beat(session, "sweep")


def _last_beat(session: Session, name: str) -> datetime | None:
    beat = session.get(Heartbeat, name)
    return beat.at if beat else None


def complaints(settings: Settings) -> dict[str, str]:
    """Everything that is looked at, with what is wrong with it; with nothing where all is well."""
    asked = {"redis": broker(settings), "sender": sender(settings), "post office": post_office(settings)}
    return dict(_of_the_tables(settings)) | asked


def _of_the_tables(settings: Settings) -> Iterator[tuple[str, str]]:
    try:
        with db.reading() as session:
            yield "database", ""
            misshapen = shape.complaint(session.connection())
            yield "schema", misshapen
            if not misshapen:
                yield "sweep", sweep(session, settings)
                yield from work(session)
                yield "mail in", mail_in(session, settings)
                return
    except SQLAlchemyError as error:
        yield "database", f"not reachable ({type(error).__name__})"
        yield "schema", UNKNOWN
    yield from dict.fromkeys(("sweep", "turns", "letters", "bells", "mail in"), UNKNOWN).items()


def sweep(session: Session, settings: Settings) -> str:
    """The timekeeper's pulse. The beat asks for it and a worker makes it: what lies in the queue tells who is gone."""
    last, now = last_sweep(session), utcnow()
    if last is not None and now - last < STALE:
        return ""
    ran = f"last ran {(now - last).total_seconds():.0f} s ago" if last else "never ran"
    asked_for = _lying_in(queue.TURNS, settings)
    if asked_for is None:
        return f"{ran}: are a worker and the beat running?"
    return f"{ran}: " + ("no worker takes the turns" if asked_for else "nobody asks for it: is the beat running?")


def mail_in(session: Session, settings: Settings) -> str:
    """Whether somebody takes answers in, where a process has to."""
    if settings.mail_in is None or settings.mail_in.by == "pipe":
        return ""
    last, now = _last_beat(session, MAIL_IN), utcnow()
    if last is not None and now - last < STALE:
        return ""
    opened = f"was last open {(now - last).total_seconds():.0f} s ago" if last else "was never open"
    return f"the door for answers {opened}: is hikyaku mail-in running, and what does its log say?"


def work(session: Session) -> Iterator[tuple[str, str]]:
    now = utcnow()
    yield "turns", _stuck(submissions(session), "turns", now)
    yield "letters", _stuck(letters(session, now), "letters", now)
    yield "bells", _stuck(rings(session, now), "bells", now)


def _stuck(backlog: Backlog, kind: str, now: datetime) -> str:
    if backlog.age(now) < STUCK:
        return ""
    minutes = backlog.age(now).total_seconds() // 60
    return f"{backlog.count} wait, the oldest for {minutes:.0f} min: is a worker for {kind} running?"


def broker(settings: Settings) -> str:
    if settings.redis_url is None:
        return "HIKYAKU_REDIS_URL is not set"
    return "" if answers(settings) else "not reachable"


def sender(settings: Settings) -> str:
    if not settings.letters_from_nowhere:
        return ""
    return f"letters come from {settings.mail_from}, which no mail server believes: set HIKYAKU_MAIL_FROM"


def post_office(settings: Settings) -> str:
    if not (settings.post_office and settings.public):
        return ""
    return f"everybody who reaches {settings.base_url} can read every letter: set HIKYAKU_POST_OFFICE=off"


def answers(settings: Settings) -> bool:
    """Whether there is a Redis, be it the one of `hikyaku up`."""
    return _lying_in(queue.TURNS, settings) is not None


def _lying_in(name: str, settings: Settings) -> int | None:
    """How many messages nobody has taken; None if Redis does not say."""
    address, patience = settings.queue_url, {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
    try:
        with redis.Redis.from_url(address, **patience) as client:
            return int(client.llen(name))
    except redis.RedisError:
        return None
