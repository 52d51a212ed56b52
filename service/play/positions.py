"""Every position of a game as it was saved, and what is new on its board since one of them, for pages and letters.

Positions that follow each other are nearly the same, so a position is kept as what it does not have in common with one
before it, its base: that of the last version that can be divided by EVERY, which is kept by itself. Each is still the
very bytes that were saved. Nothing is played again to get there, so corrected rules cannot lead anywhere else, and any
position takes two rows to read, however long the game.
"""

import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, SQLModel, col, insert, select

from engine import Match, UnknownSave
from service.bulk import among, put
from service.models import Game, Seat, Snapshot

EVERY = 16  # the tables rely on it: another number needs a migration
MOST_SEEN = 256  # views of earlier positions that a process keeps

_NEW = insert(SQLModel.metadata.tables["snapshot"])  # nothing in a transaction looks at such a row again
_WITH_BASE = select(Snapshot.version, Snapshot.data).where(
    col(Snapshot.game_id) == bindparam("game"), col(Snapshot.version).in_([bindparam("version"), bindparam("base")])
)
_BASES = (
    select(Snapshot.game_id, Snapshot.version, Snapshot.data)
    .join(Game, col(Game.id) == col(Snapshot.game_id))
    .where(among(col(Game.id), "games"))
    .where(col(Snapshot.version) == col(Game.version) - col(Game.version) % EVERY)
)


def pack(saved: bytes, base: bytes = b"") -> bytes:
    packer = zlib.compressobj(zdict=base) if base else zlib.compressobj()
    return packer.compress(saved) + packer.flush()


def unpack(packed: bytes, base: bytes = b"") -> bytes:
    unpacker = zlib.decompressobj(zdict=base) if base else zlib.decompressobj()
    return unpacker.decompress(packed) + unpacker.flush()


def base_of(version: int) -> int:
    return version - version % EVERY


def keep(session: Session, game: Game, match: Match) -> None:
    """The match as it stands is the position after the game's last move, for good."""
    version, saved = game.version, match.save()
    base = _base_for(session, game) if version % EVERY else b""
    put(session, _NEW, {"game_id": game.id, "version": version, "data": pack(saved, base)})
    if not base:
        _bases(session)[game.id] = version, saved


def read_ahead(session: Session, games: Iterable[int]) -> None:
    """The bases on which the next moves of these games are kept, in one statement."""
    for game_id, version, packed in session.exec(_BASES, params={"games": list(games)}):
        _bases(session)[game_id] = version, unpack(packed)


def _bases(session: Session) -> dict[int, tuple[int, bytes]]:
    """By game, as far as this transaction has met them."""
    known: dict[int, tuple[int, bytes]] = session.info.setdefault("bases", {})
    return known


def _base_for(session: Session, game: Game) -> bytes:
    version, saved = _bases(session).get(game.id, (None, b""))
    if version != base_of(game.version):
        version, saved = base_of(game.version), snapshot(session, game, base_of(game.version))
        _bases(session)[game.id] = version, saved
    return saved


def snapshot(session: Session, game: Game, version: int) -> bytes:
    base = base_of(version)
    rows = dict(session.exec(_WITH_BASE, params={"game": game.id, "version": version, "base": base}).all())
    saved = unpack(rows[base])
    return saved if version == base else unpack(rows[version], saved)


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
        return frozenset(match.game.changes(_seen(before, game.components, no, match.game.rules), view))
    except UnknownSave:  # a position of older rules that cannot be laid beside one of today's
        return frozenset()


@lru_cache(MOST_SEEN)
def _seen(saved: bytes, components: str | None, no: int | None, rules: int) -> dict[str, Any]:
    """What a seat could see of a position: the same at every click of a turn. Nobody changes it."""
    return Match.load(saved, components).view(no)
