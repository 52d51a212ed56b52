"""Letters are written in the transaction that makes them true, and handed to the courier after it is committed."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from service import queue
from service.db import db, utcnow
from service.models import Game, Letter, Seat


@contextmanager
def transaction() -> Iterator[Session]:
    """A writing session; the letters written in it are posted once it is committed. A lost post is swept up later."""
    with db.writing() as session:
        yield session
    for letter in session.info.get("letters", ()):
        queue.post("deliver", letter.id)


def write(
    session: Session,
    kind: str,
    person_id: int | None,
    key: str,
    *,
    game: Game | None = None,
    seat: Seat | None = None,
    asked: int | None = None,
    due_at: datetime | None = None,
    **about: Any,
) -> None:
    """Put a letter into the outbox, once for this key. Bots have no mail."""
    written = session.info.setdefault("keys", set())
    if person_id is None or key in written or session.exec(select(Letter.id).where(Letter.key == key)).first():
        return
    written.add(key)
    now = utcnow()
    letter = Letter(
        key=key,
        kind=kind,
        person_id=person_id,
        game_id=game.id if game else None,
        seat_id=seat.id if seat else None,
        asked=asked,
        about=about,
        created_at=now,
        due_at=due_at or now,
        posted_at=None if due_at else now,
    )
    session.add(letter)
    if due_at is None:
        session.info.setdefault("letters", []).append(letter)
