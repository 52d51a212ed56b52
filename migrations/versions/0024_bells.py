"""Bells besides letters: hooks to chats, and browsers that take pushes.

Revision ID: 0024
Revises: 0023
"""

import sqlalchemy as sa
from alembic import op

import service.db

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def _key(name: str, target: str, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.Integer(), sa.ForeignKey(target, ondelete="CASCADE"), nullable=nullable, index=True)


def _moment(name: str, nullable: bool = True) -> sa.Column:
    return sa.Column(name, service.db.Moment(timezone=True), nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "bell",
        sa.Column("id", sa.Integer(), primary_key=True),
        _key("person_id", "person.id"),
        _key("game_id", "game.id", nullable=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False, index=True),
        sa.Column("secrets", sa.JSON(), nullable=False),
        sa.Column("rings", sa.JSON(), nullable=False),
        _moment("created_at", nullable=False),
        _moment("rung_at"),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("error", sa.JSON(), nullable=True),
        _moment("error_at"),
        _moment("off_at"),
    )
    statuses = ("waiting", "sent", "obsolete", "held", "returned", "failed")
    op.create_table(
        "ring",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(200), nullable=False, unique=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("rings", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        _key("person_id", "person.id"),
        _key("game_id", "game.id", nullable=True),
        _key("seat_id", "seat.id", nullable=True),
        sa.Column("asked", sa.Integer(), nullable=True),
        sa.Column("about", sa.JSON(), nullable=False),
        sa.Column("status", sa.Enum(*statuses, native_enum=False, length=8), nullable=False),
        _moment("created_at", nullable=False),
        _moment("due_at", nullable=False),
        _moment("posted_at"),
        _moment("claimed_at"),
        _moment("sent_at"),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.JSON(), nullable=True),
    )
    op.create_index("ix_ring_due", "ring", ["status", "due_at"])


def downgrade() -> None:
    op.drop_table("ring")
    op.drop_table("bell")
