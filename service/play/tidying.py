"""Things end. What nobody needs any more is deleted once a day: games that never began, bodies of letters and the tries
at sending them, notes, links of letters that are over, messages that came in, people who have no part in any game. For
how long each is kept is a setting (`config.Keep`).

Whatever was played stays: the table, log, replay and result of a game, and who played it. Of the links to one place the
first stays, which browsers hold, and the last, which is in the newest letter; who opens another one is offered a new
one by mail. Everything goes in small transactions, so that nobody waits for it, and can be done again.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, or_, update
from sqlmodel import Session, SQLModel, and_, col, func, select

from service.config import Keep
from service.db import db
from service.models import (
    Attempt,
    Bell,
    Game,
    GameStatus,
    Letter,
    LetterStatus,
    Link,
    Note,
    Nudge,
    Person,
    Reading,
    Received,
    Relocation,
    Ring,
    Seat,
    SeatStatus,
)
from service.play import record
from service.post import letters, links, outbox

BATCH = 500  # rows in one transaction
MOST = 10_000  # rows of one kind in one go

Where = Sequence[ColumnElement[bool]]

# What is deleted with its person. Whoever else's rows name a person, they have a part in something.
BELONGINGS = {"absence", "bell", "letter", "link", "note", "nudge", "relocation", "ring", "unwanted"}


def tidy(keep: Keep, now: datetime) -> dict[str, int]:
    """How much of each came to its end. Where it is MOST, there is more."""

    def before(days: int) -> datetime:
        return now - timedelta(days=days)

    return {
        "games called off": _each(Game, _never_began(before(keep.invited)), lambda ids: _call_off(ids, keep, now)),
        "games": _each_deleted(Game, _called_off(before(keep.invited))),
        "games never confirmed": _each_deleted(Game, _never_confirmed(before(keep.unconfirmed))),
        "bodies": _each(Letter, _read_long_ago(before(keep.letters)), _empty),
        "attempts": _each(Attempt, [col(Attempt.at) < before(keep.letters)], lambda ids: _delete(Attempt, ids)),
        "letters": _each_deleted(Letter, _over(before(keep.letters))),
        "notes": _each_of_seats(Note, before(keep.letters)),
        "nudges": _each_of_seats(Nudge, before(keep.letters)),
        "rings": _each_deleted(Ring, _over(before(keep.letters), Ring)),
        "bells": _each_deleted(Bell, _of_games_over(before(keep.letters))),
        "links": _each(Link, _of_old_letters(before(keep.links)), lambda ids: _delete(Link, ids)),
        "messages": _each_deleted(Received, _read_before(before(keep.received))),
        "changes of address": _each(Relocation, [col(Relocation.until) < now], lambda ids: _delete(Relocation, ids)),
        "people": _each(Person, _without_a_part(before(keep.people)), lambda ids: _forget(ids, before(keep.people))),
    }


def _each(model: Any, where: Where, end: Callable[[list[int]], None]) -> int:
    with db.reading() as session:
        ids = list(session.exec(select(model.id).where(*where).order_by(col(model.id)).limit(MOST)))
    for start in range(0, len(ids), BATCH):
        end(ids[start : start + BATCH])
    return len(ids)


def _each_deleted(model: Any, where: Where) -> int:
    """What may have become something else since it was found is looked at once more."""
    return _each(model, where, lambda ids: _delete(model, ids, where))


@db.transaction
def _delete(session: Session, model: Any, ids: list[int], where: Where = ()) -> None:
    session.execute(_quietly(delete(model).where(col(model.id).in_(ids), *where)))


def _quietly(statement: Any) -> Any:
    return statement.execution_options(synchronize_session=False)


# --- games that never began: first called off, then deleted


def _never_began(before: datetime) -> Where:
    return [col(Game.status) == GameStatus.INVITED, col(Game.created_at) < before]


def _never_confirmed(before: datetime) -> Where:
    return [col(Game.status) == GameStatus.MADE, col(Game.created_at) < before]


def _called_off(before: datetime) -> Where:
    return [col(Game.status) == GameStatus.CANCELLED, col(Game.finished_at) < before]


def _call_off(ids: list[int], keep: Keep, now: datetime) -> None:
    for game_id in ids:
        _call_one_off(game_id, keep, now)


@outbox.transaction
def _call_one_off(session: Session, game_id: int, keep: Keep, now: datetime) -> None:
    """Who had accepted is told, and the organiser; who never answered is left in peace."""
    game = record.lock(session, game_id)
    if game.status is not GameStatus.INVITED:
        return
    game.status, game.finished_at = GameStatus.CANCELLED, now
    session.add(game)
    accepted = {s.person_id for s in record.seats_of(session, game) if s.status is SeatStatus.ACCEPTED and s.person_id}
    for reader in sorted(accepted | {game.organiser_id}):
        outbox.write(session, letters.Lapsed(game, reader, keep.invited))


# --- letters


def _closed(before: datetime, model: type[Letter | Ring] = Letter) -> Where:
    return [col(model.status) != LetterStatus.WAITING, col(model.created_at) < before]


def _read_long_ago(before: datetime) -> Where:
    return [*_closed(before), col(Letter.source).is_not(None)]


@db.transaction
def _empty(session: Session, ids: list[int]) -> None:
    session.execute(_quietly(update(Letter).where(col(Letter.id).in_(ids)).values(source=None)))


def _over(before: datetime, model: type[Letter | Ring] = Letter) -> Where:
    """While a game goes on its letters stay, and what its bells rang for: by their keys nothing is told twice."""
    games = select(Game.id).where(col(Game.finished_at) < before)
    return [*_closed(before, model), or_(col(model.game_id).is_(None), col(model.game_id).in_(games))]


def _of_games_over(before: datetime) -> Where:
    return [col(Bell.game_id).in_(select(Game.id).where(col(Game.finished_at) < before))]


def _read_before(moment: datetime) -> Where:
    return [col(Received.status) != Reading.WAITING, col(Received.created_at) < moment]


# --- what somebody wrote down or asked at a table, once its game is long over


def _each_of_seats(model: Any, before: datetime) -> int:
    over = select(Seat.id).join(Game, col(Game.id) == col(Seat.game_id)).where(col(Game.finished_at) < before)
    with db.reading() as session:
        ids = list(session.exec(select(model.seat_id).where(col(model.seat_id).in_(over)).limit(MOST)))
    for start in range(0, len(ids), BATCH):
        _delete_of_seats(model, ids[start : start + BATCH])
    return len(ids)


@db.transaction
def _delete_of_seats(session: Session, model: Any, ids: list[int]) -> None:
    session.execute(_quietly(delete(model).where(col(model.seat_id).in_(ids))))


# --- links


def _of_old_letters(before: datetime) -> Where:
    place = [getattr(Link, name) for name in links.PLACE]
    order = col(Link.id)
    ranks = select(
        Link.id,
        func.row_number().over(partition_by=place, order_by=order).label("from_first"),
        func.row_number().over(partition_by=place, order_by=order.desc()).label("from_last"),
    )
    ranked = ranks.where(col(Link.revoked_at).is_(None)).subquery()
    between = select(ranked.c.id).where(ranked.c.from_first > 1, ranked.c.from_last > 1)
    spare = and_(col(Link.created_at) < before, col(Link.id).in_(between))
    return [or_(col(Link.revoked_at) < before, spare)]


# --- people


def _without_a_part(before: datetime) -> Where:
    tables = [table for table in SQLModel.metadata.sorted_tables if table.name not in BELONGINGS]
    names = [column for table in tables for column in table.c if _names_a_person(column)]
    lately = exists().where(col(Letter.person_id) == col(Person.id), col(Letter.created_at) >= before)
    operates = exists().where(col(Link.person_id) == col(Person.id), col(Link.scope) == links.OPERATOR)
    parts = [exists().where(column == col(Person.id)) for column in names]
    return [col(Person.created_at) < before, ~operates, ~lately, *(~part for part in parts)]


def _names_a_person(column: Any) -> bool:
    return any(key.column.table.name == "person" for key in column.foreign_keys)


@db.transaction
def _forget(session: Session, ids: list[int], before: datetime) -> None:
    """Locked first and looked at after it: somebody may be invited at this very moment."""
    session.exec(select(Person.id).where(col(Person.id).in_(ids)).order_by(col(Person.id)).with_for_update()).all()
    session.execute(_quietly(delete(Person).where(col(Person.id).in_(ids), *_without_a_part(before))))
