"""The timekeeper: a sweep every few seconds that finds, in the tables, work whose queue message was lost or is due.

It only hands work to the queue; whoever takes it re-checks everything under the lock.
"""

from datetime import datetime, timedelta

from sqlmodel import Session, col, or_, select, update

from service import queue
from service.db import db, utcnow
from service.models import Heartbeat, Letter, LetterStatus, Submission, Verdict

# Posted this long ago and still not done: the message is taken for lost and posted again.
LOST_AFTER = timedelta(seconds=30)
BATCH = 500


def sweep() -> int:
    """Post again what is due or was lost. Returns how much was found."""
    now = utcnow()
    with db.writing() as session:
        submissions = _lost_submissions(session, now)
        letters = _due_letters(session, now)
        beat = session.get(Heartbeat, "sweep") or Heartbeat(name="sweep")
        beat.at = now
        session.add(beat)
    for submission_id in submissions:
        queue.post("adjudicate", submission_id)
    for letter_id in letters:
        queue.post("deliver", letter_id)
    return len(submissions) + len(letters)


def _lost_submissions(session: Session, now: datetime) -> list[int]:
    found = session.exec(
        select(Submission.id)
        .where(Submission.verdict == Verdict.RECEIVED, Submission.posted_at < now - LOST_AFTER)
        .order_by(col(Submission.posted_at))
        .limit(BATCH)
    ).all()
    ids = list(found)
    if ids:
        session.execute(update(Submission).where(col(Submission.id).in_(ids)).values(posted_at=now))
    return ids


def _due_letters(session: Session, now: datetime) -> list[int]:
    found = session.exec(
        select(Letter.id)
        .where(
            Letter.status == LetterStatus.WAITING,
            Letter.due_at <= now,
            or_(col(Letter.posted_at).is_(None), col(Letter.posted_at) < now - LOST_AFTER),
        )
        .order_by(col(Letter.due_at))
        .limit(BATCH)
    ).all()
    ids = list(found)
    if ids:
        session.execute(update(Letter).where(col(Letter.id).in_(ids)).values(posted_at=now))
    return ids
