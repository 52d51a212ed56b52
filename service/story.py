"""What happened, in words for one reader: the log, and 'since my last turn'. Used by pages and letters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from service import record, words
from service.models import Game, Move, Seat

# Enough for anybody's absence; the whole story is on the log's own page.
MOST_AT_ONCE = 60


@dataclass
class Entry:
    """One move as it is told."""

    version: int
    turn: int
    who: int | None
    decided_by: str
    withdrawn: bool
    at: datetime
    lines: list[str]


def entries(moves: Iterable[Move], seat: int | None, names: Sequence[str]) -> list[Entry]:
    """These moves in words, as far as this seat may know them."""
    told = []
    for move in moves:
        events = [event for event in map(record.unpack, move.events) if event.known_to(seat)]
        lines = [words.tell(event, names) for event in events]
        if lines:
            told.append(
                Entry(move.version, move.turn, move.seat_no, move.decided_by, move.withdrawn, move.created_at, lines)
            )
    return told


def since_last_turn(session: Session, game: Game, seat: Seat, names: Sequence[str]) -> list[Entry]:
    """What happened after this seat's last move, oldest first. If nobody else has moved since, that move itself: what
    came of it could not be seen when it was sent (a round that ended, an opponent without a seat)."""
    after = seat.moved_version if seat.moved_version else -1
    if after == game.version:
        after -= 1
    moves = session.exec(
        select(Move)
        .where(Move.game_id == game.id, Move.version > after, col(Move.withdrawn).is_(False))
        .order_by(col(Move.version).desc())
        .limit(MOST_AT_ONCE)
    ).all()
    return entries(reversed(moves), seat.no, names)


def page_of_log(
    session: Session, game: Game, seat: int | None, names: Sequence[str], first: int, count: int
) -> list[Entry]:
    moves = session.exec(
        select(Move)
        .where(Move.game_id == game.id, Move.version >= first, Move.version < first + count)
        .order_by(col(Move.version))
    ).all()
    return entries(moves, seat, names)
