"""Letters are written in the transaction that makes them true, and handed to the courier after it is committed."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, col, select

from service import queue
from service.db import db, put, utcnow
from service.models import Letter, LetterStatus, Person
from service.post.letters import Kind

P = ParamSpec("P")
T = TypeVar("T")

LETTERS = SQLModel.metadata.tables["letter"]

# What is due within so little is told together: longer than the sweep takes to find what comes of it.
MOMENT = timedelta(seconds=10)

# Both databases know "once for this key", each in its own dialect.
ONCE: dict[str, Any] = {
    name: dialect.insert(LETTERS)
    .on_conflict_do_nothing(index_elements=["key"])
    .returning(LETTERS.c.id, LETTERS.c.posted_at)
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
        if (kept := _kept.get()) is not None:
            kept.extend(letters)
        else:
            _post(letters)
        return result

    return posted


def _post(letters: list[int]) -> None:
    """One message for all: the courier that takes it hands on what it does not deliver itself."""
    if letters:
        queue.post("deliver", *letters)


# Letters of several transactions that are posted after the last of them.
_kept: ContextVar[list[int] | None] = ContextVar("kept", default=None)


@contextmanager
def at_one_moment() -> Iterator[None]:
    """What several transactions write belongs together: the courier finds all of it, and tells it in one message."""
    letters: list[int] = []
    before = _kept.set(letters)
    try:
        yield
    finally:
        _kept.reset(before)
        _post(letters)


def unwritten(session: Session, *where: Any) -> list[tuple[Letter, Person]]:
    """Letters that could not be put into words, newest first, and who would have read them."""
    found = session.exec(
        select(Letter, Person)
        .join(Person, col(Person.id) == col(Letter.person_id))
        .where(Letter.status == LetterStatus.FAILED, Letter.subject == "", *where)
        .order_by(col(Letter.id).desc())
    )
    return list(found)


def write(session: Session, letter: Kind) -> None:
    """Put a letter into the outbox, once for its key. Bots have no mail."""
    if letter.reader is None:
        return
    now = utcnow()
    row = {
        "key": letter.key,
        "kind": letter.name,
        "person_id": letter.reader,
        "game_id": letter.game_id,
        "seat_id": letter.seat_id,
        "asked": letter.asked,
        "about": letter.about,
        "status": LetterStatus.WAITING,
        "created_at": now,
        "due_at": letter.due_at or now,
        "posted_at": None if letter.due_at else now,
        "attempts": 0,
        "error": "",
        "subject": "",
    }
    put(session, ONCE[session.get_bind().dialect.name], row, _take_note)


def _take_note(session: Session, written: Sequence[tuple[int, datetime | None]]) -> None:
    """Of what is to be posted when all is committed."""
    session.info.setdefault("letters", []).extend(row_id for row_id, posted_at in written if posted_at is not None)


def hurry(session: Session, letter: Letter) -> None:
    """A letter that was to wait goes out now."""
    letter.due_at = letter.posted_at = utcnow()
    session.add(letter)
    session.info.setdefault("letters", []).append(letter.id)
