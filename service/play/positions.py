"""Earlier positions of a game, and what is new on its board since one of them, for pages and letters. Only reads."""

from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine import Match, UnknownSave
from service.models import Game, Seat, Snapshot

_SNAPSHOT = select(Snapshot.data).where(
    col(Snapshot.game_id) == bindparam("game"), col(Snapshot.version) == bindparam("version")
)


def snapshot(session: Session, game: Game, version: int) -> bytes:
    return session.exec(_SNAPSHOT, params={"game": game.id, "version": version}).one()


def last_left(session: Session, game: Game, seat: Seat) -> bytes | None:
    """The position after this seat's last move; before it for somebody who moves twice running."""
    since = seat.moved_version
    if since == game.version:
        if not since or seat.asked is None:
            return None
        since -= 1
    return snapshot(session, game, since)


def changed(game: Game, before: bytes | None, match: Match, view: dict[str, Any], no: int | None) -> frozenset[str]:
    """What is new on the board since that position, as this seat sees it."""
    if before is None:
        return frozenset()
    try:
        return frozenset(match.game.changes(Match.load(before, game.components).view(no), view))
    except UnknownSave:  # a position of older rules that cannot be laid beside one of today's
        return frozenset()
