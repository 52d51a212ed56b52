"""The ringer: takes a committed row of the bells' outbox, has it put into words if it is still true and somebody still
wants to hear it, though not in their quiet hours, and posts it. Has a queue of its own, so that a slow chat holds up
neither turns nor letters.

A row is claimed by a conditional UPDATE, so two ringers never post the same one. One that dies between the post and our
commit leaves a row that is posted once more after a while, with the same key: a bell may ring twice then, but is never
lost.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, or_, select, update

from service.config import Settings
from service.db import LOCKED, db, utcnow
from service.models import Bell, Game, LetterStatus, Person, Ring
from service.play import turnclock
from service.play.clocks import next_awake
from service.post import bells, hooks, letters, outbox, outside, ringing
from service.post.bells import Rings
from service.post.language import marked
from service.post.told import Told, told

log = logging.getLogger(__name__)

CLAIM = timedelta(minutes=2)
RETRY_AFTER = [timedelta(minutes=m) for m in (1, 5, 15, 60, 180)]
LONGEST_WAIT = timedelta(hours=6)  # however long the other side asks us to
OFF_AFTER = 3  # posts given up in a row
GONE = {404, 410}


def ring(ring_id: int, settings: Settings | None = None) -> LetterStatus | None:
    """Post one. Returns what became of it, or None if there was nothing to do."""
    settings, now = settings or Settings.from_env(), utcnow()
    if not _claim(ring_id, now):
        return None
    try:
        became, parcel = _put_into_words(ring_id, settings, now)
    except ValueError as error:  # what is wrong with it now is wrong with it later
        log.exception("ring %s cannot be put into words", ring_id)
        why = told(marked("It could not be put into words (%(error)s)."), error=type(error).__name__)
        return _failed(ring_id, outside.Refused(why, final=True), now)
    if parcel is None:
        return became
    try:
        answer = outside.post(parcel.address, parcel.body, parcel.headers, settings.hooks)
    except outside.Refused as refused:
        return _failed(ring_id, refused, now)
    return _rung(ring_id, now) if answer.took_it else _not_taken(ring_id, answer, now)


@db.transaction
def _claim(session: Session, ring_id: int, now: datetime) -> bool:
    claimed = session.exec(
        update(Ring)
        .where(
            col(Ring.id) == ring_id,
            col(Ring.status) == LetterStatus.WAITING,
            col(Ring.due_at) <= now,
            or_(col(Ring.claimed_at).is_(None), col(Ring.claimed_at) < now - CLAIM),
        )
        .values(claimed_at=now, attempts=col(Ring.attempts) + 1)
        .execution_options(synchronize_session=False)
    )
    return claimed.rowcount == 1


@db.transaction
def _put_into_words(
    session: Session, ring_id: int, settings: Settings, now: datetime
) -> tuple[LetterStatus | None, hooks.Parcel | None]:
    row = session.get(Ring, ring_id, with_for_update=LOCKED)
    if row is None:  # whoever it was for is forgotten
        return None, None
    now_ringing = ringing.Ringing(session, settings, row, now)
    heard_by = now_ringing.heard_by
    if not heard_by or (settings.push_key is None and heard_by[0].kind == bells.PUSH):
        return _close(session, row, LetterStatus.OBSOLETE), None
    if morning := _morning(session, now_ringing, now):
        row.due_at, row.posted_at, row.claimed_at, row.attempts = morning, None, None, row.attempts - 1
        session.add(row)
        return row.status, None
    return None, ringing.parcel(now_ringing, now)


def _morning(session: Session, now_ringing: ringing.Ringing, now: datetime) -> datetime | None:
    """When the first of those wakes up who are to hear it; None if somebody is awake. It is their own time everywhere:
    in quiet hours, on days off and on days away nothing rings, but for the game of one evening, and a test."""
    row = now_ringing.ring
    if row.rings == Rings.TEST or row.game_id is None:
        return None
    pace = turnclock.pace_of(session.get_one(Game, row.game_id))
    people = {person for bell in now_ringing.heard_by for person in now_ringing.listeners(bell)}
    up = min(
        next_awake(now, pace.applied_to(turnclock.rhythm_in(session, row.game_id, person).hours))
        for person in sorted(people)
    )
    return up if up > now else None


def _close(session: Session, row: Ring, status: LetterStatus, sent_at: datetime | None = None) -> LetterStatus:
    row.status, row.sent_at, row.claimed_at, row.error = status, sent_at, None, None
    session.add(row)
    return status


def _bells(session: Session, row: Ring) -> Sequence[Bell]:
    """All with this address, as they stand now: owners first, then their bells, in one order."""
    here = col(Bell.hash) == row.hash
    owners = select(Person.id).where(col(Person.id).in_(select(Bell.person_id).where(here))).order_by(col(Person.id))
    session.exec(owners.with_for_update(**LOCKED)).all()
    return session.exec(select(Bell).where(here).order_by(col(Bell.id)).with_for_update(**LOCKED)).all()


@db.transaction
def _rung(session: Session, ring_id: int, now: datetime) -> LetterStatus | None:
    row = session.get(Ring, ring_id)
    if row is None:
        return None
    for bell in _bells(session, row):
        bell.rung_at, bell.failures, bell.error, bell.error_at = now, 0, None, None
        session.add(bell)
    return _close(session, row, LetterStatus.SENT, now)


def _not_taken(ring_id: int, answer: outside.Answer, now: datetime) -> LetterStatus | None:
    if answer.status in GONE:
        why = told(marked("There is nothing at this address any more (it answered %(status)s)."), status=answer.status)
        return _failed(ring_id, outside.Refused(why, final=True), now, gone=True)
    refused = outside.Refused(told(marked("It answered %(status)s."), status=answer.status))
    return _failed(ring_id, refused, now, wait=timedelta(seconds=answer.wait or 0))


@outbox.transaction
def _failed(
    session: Session,
    ring_id: int,
    refused: outside.Refused,
    now: datetime,
    *,
    gone: bool = False,
    wait: timedelta = timedelta(0),
) -> LetterStatus | None:
    """Write the failure down, and try again later unless that is of no use. What fails again and again is switched
    off, and its owner told; a browser that takes no pushes any more is no bell any more."""
    row = session.get(Ring, ring_id)
    if row is None:
        return None
    there = _bells(session, row)
    log.warning("ring %s was not taken: %s", row.id, refused)
    row.error, row.claimed_at = refused.why, None
    given_up = refused.final or row.attempts > len(RETRY_AFTER) or row.rings == Rings.TEST
    if given_up:
        row.status = LetterStatus.FAILED
    else:
        later = max(RETRY_AFTER[row.attempts - 1], min(wait, LONGEST_WAIT))
        row.due_at, row.posted_at = now + later, None
    session.add(row)
    for bell in there:
        _complain(session, bell, refused.why, now, given_up=given_up, gone=gone)
    return row.status


def _complain(session: Session, bell: Bell, why: Told, now: datetime, *, given_up: bool, gone: bool) -> None:
    if gone and bell.kind == bells.PUSH:
        session.delete(bell)
        return
    bell.error, bell.error_at, bell.failures = why, now, bell.failures + given_up
    if bell.off_at is None and (gone or bell.failures >= OFF_AFTER):
        bell.off_at = now
        outbox.write(session, letters.BellOff(bell))
    session.add(bell)
