"""What somebody writes down for themselves at a table. It belongs to whoever holds the seat: nobody else is shown it,
and it goes when they leave. Everything runs inside the caller's transaction."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete
from sqlmodel import Session, col

from service.db import LOCKED
from service.models import Note, Seat
from service.play.reading import BadInput, tidy
from service.post.language import gettext as _

LONGEST = 4000  # characters


class OutOfDate(Exception):
    """It was changed elsewhere since the page was made. Nothing was changed."""


class Written(NamedTuple):
    """A note for whoever only reads it."""

    text: str = ""
    revision: int = 0


def of(session: Session, seat: Seat) -> Note:
    """The holder's own; an empty one where there is none."""
    return mine(session.get(Note, seat.id), seat)


def mine(note: Note | None, seat: Seat) -> Note:
    """This one, if it is the holder's."""
    if note is not None and note.person_id == seat.person_id:
        return note
    assert seat.person_id is not None
    return Note(seat_id=seat.id, person_id=seat.person_id, text="", revision=0)


def shown(note: Note | None, seat: Seat) -> Written:
    """The same for a page, which makes no row where there is none: most notes are never begun."""
    return Written(note.text, note.revision) if note and note.person_id == seat.person_id else Written()


def keep(session: Session, seat: Seat, text: str, revision: int, now: datetime) -> Note:
    """Instead of what stood there, as whoever wrote it saw it: `revision` says what that was."""
    words = _read(text)
    note = _locked(session, seat)
    if note.text == words:
        return note
    if note.revision != revision:
        raise OutOfDate
    return _write(session, note, words, now)


def add(session: Session, seat: Seat, text: str, now: datetime) -> None:
    """One more line, after what stands there."""
    note = _locked(session, seat)
    _write(session, note, _read(f"{note.text}\n{text}"), now)


def drop(session: Session, seat: Seat) -> None:
    """Whoever wrote it does not sit here any more."""
    session.execute(delete(Note).where(col(Note.seat_id) == seat.id).execution_options(synchronize_session="fetch"))


def _read(text: str) -> str:
    words = tidy(text)
    if len(words) > LONGEST:
        raise BadInput(
            _("Your notes are %(length)s characters long; %(most)s is the most.", length=len(words), most=LONGEST),
            "text",
        )
    return words


def _locked(session: Session, seat: Seat) -> Note:
    """Under the lock of the seat: two windows may write at once."""
    session.get_one(Seat, seat.id, with_for_update=LOCKED)
    return mine(session.get(Note, seat.id, populate_existing=True), seat)


def _write(session: Session, note: Note, words: str, now: datetime) -> Note:
    note.text, note.revision, note.changed_at = words, note.revision + 1, now
    session.add(note)
    session.flush()
    return note
