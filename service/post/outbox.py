"""Letters are written in the transaction that makes them true, and handed to the courier after it is committed; and so
are the bells that ring besides."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, col, select

from service import queue
from service.bulk import put
from service.db import db, utcnow
from service.models import Bell, Letter, LetterStatus, Person
from service.post import bells
from service.post.letters import Kind

P = ParamSpec("P")
T = TypeVar("T")
Task = tuple[str, int]  # what is to be done, and with which row

LETTERS = SQLModel.metadata.tables["letter"]

# What is due within so little is told together: longer than the sweep takes to find what comes of it.
MOMENT = timedelta(seconds=10)

# Both databases know "once for this key", each in its own dialect.
ONCE: dict[str, Any] = {
    name: dialect.insert(LETTERS)
    .on_conflict_do_nothing(index_elements=["key"])
    .returning(LETTERS.c.id, LETTERS.c.key, LETTERS.c.posted_at)
    for name, dialect in (("postgresql", postgresql), ("sqlite", sqlite))
}


def transaction(work: Callable[Concatenate[Session, P], T]) -> Callable[P, T]:
    """As `db.transaction`; what is written in it is handed over once it is committed. What is lost is swept up."""

    @db.transaction
    @wraps(work)
    def written(session: Session, /, *args: P.args, **kwargs: P.kwargs) -> tuple[T, list[Task]]:
        return work(session, *args, **kwargs), session.info.get("tasks", [])

    @wraps(work)
    def posted(*args: P.args, **kwargs: P.kwargs) -> T:
        result, tasks = written(*args, **kwargs)
        if (kept := _kept.get()) is not None:
            kept.extend(tasks)
        else:
            _post(tasks)
        return result

    return posted


def _post(tasks: list[Task]) -> None:
    """One message for all letters: the courier that takes it hands on what it does not deliver itself."""
    if letters := [row_id for task, row_id in tasks if task == "deliver"]:
        queue.post("deliver", *letters)
    for task, row_id in tasks:
        if task != "deliver":
            queue.post(task, row_id)


def _hand_over(session: Session, task: str, row_id: int) -> None:
    session.info.setdefault("tasks", []).append((task, row_id))


# Of several transactions, handed over after the last of them.
_kept: ContextVar[list[Task] | None] = ContextVar("kept", default=None)


@contextmanager
def at_one_moment() -> Iterator[None]:
    """What several transactions write belongs together: the courier finds all of it, and tells it in one message."""
    tasks: list[Task] = []
    before = _kept.set(tasks)
    try:
        yield
    finally:
        _kept.reset(before)
        _post(tasks)


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
    """Put a letter into the outbox, once for its key, and ring the bells that ring with it. Bots have neither."""
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
    session.info.setdefault("writing", {})[letter.key] = letter
    put(session, ONCE[session.get_bind().dialect.name], row, _take_note)


def _take_note(session: Session, written: Sequence[tuple[int, str, datetime | None]]) -> None:
    """Of what is to be handed over when all is committed, and of the bells that ring with it."""
    writing: dict[str, Kind] = session.info.pop("writing")
    for row_id, _, posted_at in written:
        if posted_at is not None:
            _hand_over(session, "deliver", row_id)
    for rung in bells.ring(session, [writing[key] for _, key, _ in written]):
        _hand_over(session, "ring", rung)


def try_bell(session: Session, bell: Bell) -> None:
    """Its owner wants to hear it."""
    for row in bells.test(session, bell):
        _hand_over(session, "ring", row)


def hurry(session: Session, letter: Letter) -> None:
    """A letter that was to wait goes out now."""
    letter.due_at = letter.posted_at = utcnow()
    session.add(letter)
    _hand_over(session, "deliver", letter.id)
