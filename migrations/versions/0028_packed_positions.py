"""Positions are kept packed: every sixteenth by itself, and the others as what they do not have in common with it. And
there are no indexes any more whose column leads another one.

Revision ID: 0028
Revises: 0027
"""

import zlib
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

EVERY = 16
AT_ONCE = 1_000  # rows
NEEDLESS = [
    ("complaint", "game_id"),
    ("seat", "game_id"),
    ("seat", "person_id"),
    ("moderator", "game_id"),
    ("vote", "proposal_id"),
    ("submission", "seat_id"),
    ("move", "game_id"),
    ("move", "person_id"),
]
snapshot = sa.table("snapshot", sa.column("game_id"), sa.column("version"), sa.column("data", sa.LargeBinary()))


def upgrade() -> None:
    for table, column in NEEDLESS:
        op.drop_index(f"ix_{table}_{column}", table)
    rewrite(pack)


def downgrade() -> None:
    rewrite(unpack)
    for table, column in NEEDLESS:
        op.create_index(f"ix_{table}_{column}", table, [column])


def pack(saved: bytes, base: bytes | None) -> tuple[bytes, bytes]:
    """What is kept of a position, and the position itself."""
    packer = zlib.compressobj(zdict=base) if base is not None else zlib.compressobj()
    return packer.compress(saved) + packer.flush(), saved


def unpack(packed: bytes, base: bytes | None) -> tuple[bytes, bytes]:
    unpacker = zlib.decompressobj(zdict=base) if base is not None else zlib.decompressobj()
    saved = unpacker.decompress(packed) + unpacker.flush()
    return saved, saved


def rewrite(change: Callable[[bytes, bytes | None], tuple[bytes, bytes]]) -> None:
    """Every position, some at a time and game by game; its base comes first."""
    key = sa.tuple_(snapshot.c.game_id, snapshot.c.version)
    in_order = sa.select(snapshot).order_by(snapshot.c.game_id, snapshot.c.version).limit(AT_ONCE)
    kept = (
        sa.update(snapshot)
        .where(snapshot.c.game_id == sa.bindparam("game"), snapshot.c.version == sa.bindparam("at"))
        .values(data=sa.bindparam("kept"))
    )
    connection, last, base = op.get_bind(), (-1, -1), b""
    while rows := connection.execute(in_order.where(key > sa.tuple_(*map(sa.literal, last)))).all():
        changed = []
        for game, version, data in rows:
            found, saved = change(data, base if version % EVERY else None)
            base = base if version % EVERY else saved
            changed.append({"game": game, "at": version, "kept": found})
        connection.execute(kept, changed)
        last = rows[-1].game_id, rows[-1].version
