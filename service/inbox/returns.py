"""What comes to where letters come back: it is read once, and where it says that a letter will never arrive, whoever it
was for is marked. It counts only for the letter whose own address it came to, and only while that letter is the newest
word: what was sent before they were last heard of tells nothing any more.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from service.db import LOCKED, utcnow
from service.inbox import bounce
from service.models import Letter, Person, Reading, Received, ReturnAddress
from service.play import record, returning
from service.post import envelope, outbox
from service.post.letters import KINDS
from service.post.told import Told, told

NO_WORD = told("It came to where letters come back, and tells of none that did.")
ANOTHER = told("It is about another address than the one that is written to.")
OLD = told("It is about a letter from before they were last heard of.")


@outbox.transaction
def take_note(session: Session, received_id: int, still: timedelta) -> Reading | None:
    """What became of it, or None if there was nothing (more) to do."""
    found = session.exec(
        select(Letter, ReturnAddress.created_at)
        .join(ReturnAddress, col(ReturnAddress.letter_id) == col(Letter.id))
        .join(Received, col(Received.address_id) == col(ReturnAddress.id))
        .where(Received.id == received_id)
    ).one_or_none()
    if found is None:
        return None
    lead, written_at = found
    record.lock_all_of(session, lead.person_id)
    person = record.lock_person(session, lead.person_id)
    row = session.get_one(Received, received_id, with_for_update=LOCKED, populate_existing=True)
    if row.status is not Reading.WAITING:
        return None
    now = utcnow()
    row.status, row.note, row.read_at = Reading.FILED, _what_it_says(session, row, lead, written_at, person, still), now
    session.add(row)
    return row.status


def _what_it_says(
    session: Session, row: Received, lead: Letter, written_at: datetime, person: Person, still: timedelta
) -> Told:
    report = bounce.read(row.source)
    if report is None:
        return NO_WORD
    if person.mail is None or not _is_about(report, lead, person.mail):
        return ANOTHER
    why = envelope.reason(report.why, person.mail)
    if not report.failed:
        return told("The letter is still on its way: %(why)s", why=why)
    if person.reached_at is not None and written_at <= person.reached_at:
        return OLD
    returning.come_back(session, person, returning.message_of(session, lead), why, still, utcnow())
    return told("The letter came back: %(why)s", why=why)


def _is_about(report: bounce.Report, lead: Letter, mail: str) -> bool:
    """Whether it is the address that the letter went to, and that letters go to now."""
    named = [envelope.same_mailbox(address, mail) for address in report.recipients]
    return not KINDS[lead.kind].elsewhere and (not named or any(named))


def lately(session: Session, since: datetime, most: int) -> Sequence[tuple[Received, Person]]:
    """What was read since then and to whom the letter was, for whoever runs the service; the newest first."""
    return session.exec(
        select(Received, Person)
        .join(ReturnAddress, col(ReturnAddress.id) == col(Received.address_id))
        .join(Letter, col(Letter.id) == col(ReturnAddress.letter_id))
        .join(Person, col(Person.id) == col(Letter.person_id))
        .where(col(Received.came_back).is_(True), Received.status == Reading.FILED, col(Received.created_at) > since)
        .order_by(col(Received.id).desc())
        .limit(most)
    ).all()
