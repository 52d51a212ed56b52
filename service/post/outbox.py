"""Letters are written in the transaction that makes them true, and handed to the courier after it is committed."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel

from service import queue
from service.db import db, utcnow
from service.models import Game, LetterStatus, Seat

LETTERS = SQLModel.metadata.tables["letter"]

# Both databases know "once for this key", each in its own dialect.
ONCE: dict[str, Any] = {
    name: dialect.insert(LETTERS).on_conflict_do_nothing(index_elements=["key"]).returning(LETTERS.c.id)
    for name, dialect in (("postgresql", postgresql), ("sqlite", sqlite))
}


@contextmanager
def transaction() -> Iterator[Session]:
    """A writing session; the letters written in it are posted once it is committed. A lost post is swept up later."""
    with db.writing() as session:
        yield session
    for letter_id in session.info.get("letters", ()):
        queue.post("deliver", letter_id)


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
    if person_id is None:
        return
    now = utcnow()
    letter = {
        "key": key,
        "kind": kind,
        "person_id": person_id,
        "game_id": game.id if game else None,
        "seat_id": seat.id if seat else None,
        "asked": asked,
        "about": about,
        "status": LetterStatus.WAITING,
        "created_at": now,
        "due_at": due_at or now,
        "posted_at": None if due_at else now,
        "attempts": 0,
        "error": "",
        "subject": "",
    }
    written = session.execute(ONCE[session.get_bind().dialect.name], letter).scalar()
    if written is not None and due_at is None:
        session.info.setdefault("letters", []).append(written)
