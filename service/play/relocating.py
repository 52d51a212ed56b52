"""Somebody wants their letters at another address. The new one confirms it; the old one is told, can stop it, and can
take it back for some days after it is done, because whoever asks may only have found a link. Until those days are over
the old address leads to the same person, so that nobody else can be made with it meanwhile.

Everything runs inside the caller's transaction. Knows no pages.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select, update

from service import limits
from service.db import utcnow
from service.models import Person, Relocation, Seat
from service.play import record, returning, strangers
from service.play.reading import BadInput
from service.post import letters, links, outbox
from service.post.blocked import counted_as
from service.post.language import gettext as _


def person_at(session: Session, mail: str) -> Person | None:
    """Whom this address leads to: whose it is, or was until lately."""
    person = session.exec(select(Person).where(Person.mail == mail)).one_or_none()
    if person is not None:
        return person
    lately = select(Relocation).where(Relocation.old == mail, col(Relocation.moved_at).is_not(None))
    still = lately.where(col(Relocation.closed_at).is_(None), Relocation.until > utcnow())
    found = session.exec(still.order_by(col(Relocation.id).desc())).first()
    return session.get_one(Person, found.person_id) if found else None


def is_taken(session: Session, mail: str, person: Person) -> bool:
    """Whether the address leads to somebody else."""
    owner = person_at(session, mail)
    return owner is not None and owner.id != person.id


def is_over(relocation: Relocation, now: datetime) -> bool:
    """Nothing can be said to it any more: it was stopped, or nobody has said anything in time."""
    return relocation.closed_at is not None or relocation.until <= now


def pending(session: Session, person: Person, now: datetime) -> Relocation | None:
    """What they have asked for and nobody has confirmed yet."""
    asked = select(Relocation).where(Relocation.person_id == person.id, col(Relocation.moved_at).is_(None))
    still = asked.where(col(Relocation.closed_at).is_(None), Relocation.until > now)
    return session.exec(still.order_by(col(Relocation.id).desc())).first()


def ask(session: Session, person: Person, mail: str, now: datetime, days: int) -> None:
    """Whether the address is somebody else's is not told here: the page is the same, and the letter there says it."""
    if mail == person.mail:
        raise BadInput(_("This is your address already."), "mail")
    strangers.may_be_sent(person, mail)
    limits.count("recipient", person.id, counted_as(person.address))
    _close_open(session, person, now)
    relocation = Relocation(person_id=person.id, old=person.address, new=mail, until=now + timedelta(days=days))
    session.add(relocation)
    session.flush()
    outbox.write(session, letters.NewAddress(relocation))
    outbox.write(session, letters.OldAddress(relocation))


def cancel(session: Session, person: Person, now: datetime) -> None:
    """They have thought better of it."""
    _close_open(session, person, now)


def confirm(session: Session, relocation: Relocation, now: datetime, days: int) -> None:
    """The new address has said yes: from now on letters go there, those that wait too. Links stay as they are."""
    person = _lock(session, relocation)
    if relocation.moved_at is not None or is_over(relocation, now):
        return
    if is_taken(session, relocation.new, person):
        raise BadInput(_("Somebody has this address here already, so it cannot be given to somebody else."))
    _close_open(session, person, now, but=relocation)
    relocation.moved_at, relocation.until = now, now + timedelta(days=days)
    session.add(relocation)
    _move(session, person, relocation.new, now)
    strangers.confirm(session, person)
    outbox.write(session, letters.OldAddress(relocation))


def stop(session: Session, relocation: Relocation, now: datetime) -> None:
    """The old address says no. Whoever asked had a link that is not theirs, so all links of the person are void, and a
    letter brings new ones; what was moved goes back, with all that was asked for since."""
    person = _lock(session, relocation)
    if is_over(relocation, now):
        return
    if relocation.moved_at is not None:
        _move(session, person, relocation.old, now)
    _close_since(session, person, relocation, now)
    links.revoke_person(session, person)
    outbox.write(session, letters.Links(person.id, renewed=True))


def _lock(session: Session, relocation: Relocation) -> Person:
    """The person, with their seats, which say who typed their address."""
    person = record.lock_person(session, relocation.person_id)
    session.refresh(relocation)
    return person


def _move(session: Session, person: Person, mail: str, now: datetime) -> None:
    """Whoever typed the address that they had sees no other one. What came back from there goes to the new one."""
    session.execute(
        update(Seat)
        .where(col(Seat.person_id) == person.id)
        .values(typed_by=None)
        .execution_options(synchronize_session=False)
    )
    try:
        with session.begin_nested():
            person.mail = mail
            session.add(person)
    except IntegrityError as error:  # somebody was made with it at this very moment
        raise BadInput(_("Somebody has this address here already, so it cannot be given to somebody else.")) from error
    returning.reach(session, person, now, again=True)


def _close_open(session: Session, person: Person, now: datetime, but: Relocation | None = None) -> None:
    """What nobody has confirmed."""
    for relocation in _unclosed(session, person):
        if relocation.moved_at is None and relocation is not but:
            relocation.closed_at = now
            session.add(relocation)


def _close_since(session: Session, person: Person, first: Relocation, now: datetime) -> None:
    for relocation in _unclosed(session, person):
        if relocation.id >= first.id:
            relocation.closed_at = now
            session.add(relocation)


def _unclosed(session: Session, person: Person) -> Sequence[Relocation]:
    theirs = select(Relocation).where(Relocation.person_id == person.id, col(Relocation.closed_at).is_(None))
    return session.exec(theirs).all()
