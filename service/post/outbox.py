"""Letters are written in the transaction that makes them true, and handed to the courier after it is committed."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel

from service import queue
from service.db import db, utcnow
from service.models import Game, LetterStatus, Seat

P = ParamSpec("P")
T = TypeVar("T")

LETTERS = SQLModel.metadata.tables["letter"]

# Both databases know "once for this key", each in its own dialect.
ONCE: dict[str, Any] = {
    name: dialect.insert(LETTERS).on_conflict_do_nothing(index_elements=["key"]).returning(LETTERS.c.id)
    for name, dialect in (("postgresql", postgresql), ("sqlite", sqlite))
}


def transaction(work: Callable[Concatenate[Session, P], T]) -> Callable[P, T]:
    """As `db.transaction`; the letters written in it are posted once it is committed. A lost post is swept up later."""

    @db.transaction
    @wraps(work)
    def written(session: Session, /, *args: P.args, **kwargs: P.kwargs) -> tuple[T, list[int]]:
        return work(session, *args, **kwargs), session.info.get("letters", [])

    @wraps(work)
    def posted(*args: P.args, **kwargs: P.kwargs) -> T:
        result, letters = written(*args, **kwargs)
        for letter_id in letters:
            queue.post("deliver", letter_id)
        return result

    return posted


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
