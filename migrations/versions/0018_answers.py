"""Letters can be answered: where an answer goes, what came in, and whether a turn that is complete is sent with it.

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import service.db

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

LETTERS = sa.table("letter", sa.column("kind", sa.String))
READING = sa.Enum("waiting", "followed", "filed", "doubted", "unread", name="reading", native_enum=False)


def upgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("send_complete", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("letter") as letter:
        letter.add_column(sa.Column("message_id", sa.Text(), nullable=True))
    op.create_table(
        "returnaddress",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("letter_id", sa.Integer(), sa.ForeignKey("letter.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seat_id", sa.Integer(), sa.ForeignKey("seat.id", ondelete="CASCADE"), nullable=True),
        sa.Column("asked", sa.Integer(), nullable=True),
        sa.Column("step", sqlmodel.sql.sqltypes.AutoString(length=32), nullable=False),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("hash"),
    )
    for column in ("letter_id", "seat_id"):
        op.create_index(f"ix_returnaddress_{column}", "returnaddress", [column], unique=False)
    op.create_table(
        "received",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("address_id", sa.Integer(), sa.ForeignKey("returnaddress.id", ondelete="CASCADE"), nullable=False),
        sa.Column("came_back", sa.Boolean(), nullable=False),
        sa.Column("status", READING, nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.Column("note", sa.JSON(), nullable=True),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.Column("posted_at", service.db.Moment(timezone=True), nullable=False),
        sa.Column("read_at", service.db.Moment(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index("ix_received_address_id", "received", ["address_id"], unique=False)
    op.create_index("ix_received_waiting", "received", ["status", "posted_at"], unique=False)


def downgrade() -> None:
    op.execute(LETTERS.delete().where(LETTERS.c.kind == "understood"))
    op.drop_table("received")
    op.drop_table("returnaddress")
    with op.batch_alter_table("letter") as letter:
        letter.drop_column("message_id")
    with op.batch_alter_table("person") as person:
        person.drop_column("send_complete")
