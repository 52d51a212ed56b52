"""Answers that may not be from whom they say: they wait for a word of whoever holds the seat, and nothing is done with
them before it."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from service.db import LOCKED, utcnow
from service.inbox import grammar, message
from service.models import Game, Letter, Reading, Received, ReturnAddress, Seat
from service.play import drafts, record
from service.post.told import told


def waiting(session: Session, seat: Seat) -> Sequence[Received]:
    """Those to what is asked of the seat now, of its present holder; the oldest first."""
    if seat.asked is None:
        return []
    return session.exec(
        select(Received)
        .join(ReturnAddress, col(ReturnAddress.id) == col(Received.address_id))
        .join(Letter, col(Letter.id) == col(ReturnAddress.letter_id))
        .where(Received.status == Reading.DOUBTED, Letter.person_id == seat.person_id)
        .where(ReturnAddress.seat_id == seat.id, ReturnAddress.asked == seat.asked)
        .order_by(col(Received.id))
    ).all()


def meaning(session: Session, game: Game, seat: Seat, row: Received) -> grammar.Understood | None:
    """What it would do now, in the language that is spoken; None if its numbers mean something else by now."""
    turn = drafts.current(session, game, seat)
    if session.get_one(ReturnAddress, row.address_id).step != turn.step:
        return None
    names = [other.name for other in record.seats_of(session, game)]
    return grammar.understand(game, seat, turn, message.read(row.source).lines, names)


def lately(session: Session, became: Reading, since: datetime) -> Sequence[Received]:
    """What came in since then and became this, for whoever runs the service; the newest first."""
    came = select(Received).where(Received.status == became, col(Received.created_at) > since)
    return session.exec(came.order_by(col(Received.id).desc()).limit(200)).all()


def settle(session: Session, seat: Seat, received_id: int, *, theirs: bool) -> bool:
    """Their holder says whether it was them. Once: what was said before stays, and is not said here."""
    if received_id not in [row.id for row in waiting(session, seat)]:
        return False
    row = session.get_one(Received, received_id, with_for_update=LOCKED, populate_existing=True)
    if row.status is not Reading.DOUBTED:
        return False
    if theirs:
        row.vouched, row.status, row.posted_at = True, Reading.WAITING, utcnow()
    else:
        row.status, row.note = Reading.FILED, told("Whoever has the seat says that it was not them.")
    session.add(row)
    return True
