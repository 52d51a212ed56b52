"""Bells: where somebody is told besides by letter, and for what. Whatever writes a letter rings them too
(service/post/outbox.py), by a row for each address in the same transaction; workers/ringer.py sends it.

Knows the tables, and nothing of words, rules or the net.
"""

import enum
import hashlib
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import case
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, and_, col, delete, func, or_, select, update

from service.bulk import among
from service.db import LOCKED, utcnow
from service.models import Bell, Game, LetterStatus, Person, Ring, Seat

if TYPE_CHECKING:
    from service.post.letters.kind import Kind

PUSH = "push"
MOST = 10  # bells of one person, or of one table


class Rings(enum.StrEnum):
    """What a bell may ring for. A kind of letter says which it is (`Kind.rings`); what it says is in ringing.py."""

    TURN = "turn"
    REMINDER = "reminder"
    OVER = "over"
    RULING = "ruling"
    TALK = "talk"  # that names me, or is for me alone
    TEST = "test"  # its owner has pressed the button


OWN = (Rings.TURN, Rings.REMINDER, Rings.OVER, Rings.RULING, Rings.TALK)  # what somebody chooses for their own
OF_TABLE = (Rings.TURN, Rings.REMINDER, Rings.OVER, Rings.RULING)  # and for a whole table: what all may know


_RINGS = SQLModel.metadata.tables["ring"]


def _once(dialect: Any) -> Any:
    """Once for its key; the earlier of two moments counts, as long as it waits."""
    new = dialect.insert(_RINGS)
    sooner = case((new.excluded.due_at < _RINGS.c.due_at, new.excluded.due_at), else_=_RINGS.c.due_at)
    waits = _RINGS.c.status == LetterStatus.WAITING
    return new.on_conflict_do_update(index_elements=["key"], set_={"due_at": sooner}, where=waits).returning(
        _RINGS.c.id, _RINGS.c.due_at
    )


ONCE = {"postgresql": _once(postgresql), "sqlite": _once(sqlite)}


def hash_of(address: str) -> str:
    return hashlib.sha256(address.encode()).hexdigest()


# --- ringing

_OWN = and_(among(col(Bell.person_id), "people"), col(Bell.game_id).is_(None))
_WANTED = (
    select(Bell).where(or_(_OWN, among(col(Bell.game_id), "games")), col(Bell.off_at).is_(None)).order_by(col(Bell.id))
)


def ring(session: Session, letters: Sequence["Kind"]) -> list[int]:
    """Rows for all bells that ring with these letters. Returns those that go out at once."""
    ringing = [letter for letter in letters if letter.rings is not None and letter.reader is not None]
    bells = _bells_of(session, ringing) if ringing else []
    return [
        row
        for letter in ringing
        for address, kinds in _rung_by(bells, letter).items()
        if (row := _write(session, letter, address, letter.due_at if kinds == {PUSH} else letter.aloud_at()))
        is not None
    ]


def _bells_of(session: Session, letters: Sequence["Kind"]) -> list[Bell]:
    """Of their readers and of their games' tables, in one statement: it is asked in every turn that is played."""
    people = [letter.reader for letter in letters]
    games = [letter.game_id for letter in letters if letter.game_id is not None]
    return list(session.exec(_WANTED, params={"people": people, "games": games}))


def _rung_by(bells: Iterable[Bell], letter: "Kind") -> dict[str, set[str]]:
    """The addresses, and what bells there are at each."""
    found: dict[str, set[str]] = {}
    for bell in bells:
        meant = bell.person_id == letter.reader if bell.game_id is None else bell.game_id == letter.game_id
        if meant and letter.rings in bell.rings:
            found.setdefault(bell.hash, set()).add(bell.kind)
    return found


def _write(session: Session, letter: "Kind", address: str, due_at: datetime | None) -> int | None:
    assert letter.rings is not None
    assert letter.reader is not None
    return _row(
        session,
        f"{address}:{letter.rings}:{letter.rung_as}",
        address,
        letter.rings,
        letter.reader,
        due_at,
        kind=letter.name,
        game_id=letter.game_id,
        seat_id=letter.seat_id,
        asked=letter.asked,
        about=letter.about,
    )


def _row(
    session: Session, key: str, address: str, rings: Rings, person_id: int, due_at: datetime | None, **more: Any
) -> int | None:
    now = utcnow()
    row = {
        "key": key,
        "hash": address,
        "rings": rings,
        "person_id": person_id,
        "status": LetterStatus.WAITING,
        "created_at": now,
        "due_at": due_at or now,
        "posted_at": None if due_at else now,
        "attempts": 0,
    }
    written = session.execute(ONCE[session.get_bind().dialect.name], row | more).one_or_none()
    return written.id if written is not None and written.due_at <= now else None


def test(session: Session, bell: Bell) -> list[int]:
    """Its owner wants to hear it, now. Whatever is wrong with it is forgotten first."""
    bell.off_at, bell.failures = None, 0
    session.add(bell)
    key = f"{bell.hash}:{Rings.TEST}:{bell.id}:{utcnow().timestamp():.3f}"
    about = {"bell": bell.id}
    row = _row(session, key, bell.hash, Rings.TEST, bell.person_id, None, kind="", game_id=bell.game_id, about=about)
    return [row] if row is not None else []


# --- which there are


def of_person(session: Session, person_id: int) -> list[Bell]:
    own = select(Bell).where(Bell.person_id == person_id, col(Bell.game_id).is_(None))
    return list(session.exec(own.order_by(col(Bell.id))))


def listens(session: Session, person_id: int, rings: Rings) -> bool:
    """Whether a bell of theirs rings for this."""
    return any(rings in bell.rings and bell.off_at is None for bell in of_person(session, person_id))


def of_table(session: Session, game_id: int) -> list[Bell]:
    return list(session.exec(select(Bell).where(Bell.game_id == game_id).order_by(col(Bell.id))))


def next_tries(session: Session, there: Iterable[Bell]) -> dict[str, datetime]:
    """When that is posted again which was not taken at the address of one of these."""
    failed = select(Ring.hash, func.min(Ring.due_at)).where(Ring.status == LetterStatus.WAITING, col(Ring.attempts) > 0)
    waiting = failed.where(col(Ring.hash).in_({bell.hash for bell in there})).group_by(col(Ring.hash))
    return dict(session.exec(waiting).all())


def kinds_at_table(session: Session, game_id: int) -> list[str]:
    """That there are some, and of what kind, is for all at the table to see; where they post is not."""
    return sorted({bell.kind for bell in of_table(session, game_id) if bell.off_at is None})


def at(session: Session, address: str) -> list[Bell]:
    """All that ring by posts to this address."""
    here = select(Bell).where(Bell.hash == address, col(Bell.off_at).is_(None))
    return list(session.exec(here.order_by(col(Bell.id))))


def post_of(session: Session, game: Game) -> bool:
    """Whether anything of this game is posted where others may read it: by a hook of the table, or of one who plays."""
    players = select(Seat.person_id).where(Seat.game_id == game.id)
    own = and_(col(Bell.game_id).is_(None), col(Bell.person_id).in_(players))
    hooks = select(Bell.id).where(or_(own, col(Bell.game_id) == game.id), col(Bell.kind) != PUSH)
    return session.exec(hooks.where(col(Bell.off_at).is_(None)).limit(1)).first() is not None


def add(
    session: Session,
    person_id: int,
    game_id: int | None,
    kind: str,
    address: str,
    rings: Iterable[str],
    name: str = "",
    secrets: dict[str, str] | None = None,
) -> Bell | None:
    """A new bell; or the one there is with this address, with what is chosen now. None if there are too many. Whoever
    it is of is locked by it: two presses at once make one bell."""
    session.get_one(Person, person_id, with_for_update=LOCKED)
    there = of_table(session, game_id) if game_id is not None else of_person(session, person_id)
    known = next((bell for bell in there if bell.hash == hash_of(address)), None)
    if known is None and len(there) >= MOST:
        return None
    bell = known or Bell(person_id=person_id, game_id=game_id, kind=kind, address=address, hash=hash_of(address))
    bell.kind, bell.rings, bell.name, bell.secrets = kind, list(rings), name, secrets or {}
    bell.off_at, bell.failures, bell.error, bell.error_at = None, 0, None, None
    session.add(bell)
    session.flush()
    return bell


def stop_all(session: Session, person_id: int, now: datetime) -> None:
    """Nothing of theirs rings any more until they switch it on again; what rings for a whole table does."""
    own = and_(col(Bell.person_id) == person_id, col(Bell.game_id).is_(None), col(Bell.off_at).is_(None))
    session.execute(update(Bell).where(own).values(off_at=now).execution_options(synchronize_session=False))


def remove_browsers(session: Session, ids: Collection[int]) -> None:
    """The bells that a browser was given, which now forgets everything."""
    theirs = delete(Bell).where(col(Bell.id).in_(ids), col(Bell.kind) == PUSH)
    session.execute(theirs.execution_options(synchronize_session=False))


def forget(session: Session, person_id: int) -> None:
    for model in (Bell, Ring):
        theirs = delete(model).where(col(model.person_id) == person_id)
        session.execute(theirs.execution_options(synchronize_session=False))
