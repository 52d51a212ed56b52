"""Company at the table: talk to one, to the moderator and among those who look on; notes; nudges.

Revision ID: 0025
Revises: 0024
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import service.db

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

AUDIENCE = sa.Enum("all", "one", "desk", "outside", name="audience", native_enum=False, length=7)


def upgrade() -> None:
    with op.batch_alter_table("game") as game:
        game.add_column(sa.Column("whispers", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("seat") as seat:
        seat.add_column(sa.Column("deaf", sa.Boolean(), nullable=False, server_default=sa.false()))
        seat.add_column(sa.Column("muted", sa.JSON(), nullable=False, server_default="[]"))
    for name in ("draft", "submission"):
        with op.batch_alter_table(name) as table:
            table.add_column(sa.Column("line", sa.Text(), nullable=False, server_default=""))
    with op.batch_alter_table("letter") as letter:
        letter.add_column(sa.Column("heard", sa.Integer(), nullable=True))
    with op.batch_alter_table("remark") as remark:
        remark.alter_column("seat_id", existing_type=sa.Integer(), nullable=True)
        remark.alter_column("person_id", existing_type=sa.Integer(), nullable=True)
        remark.add_column(
            sa.Column("called", sqlmodel.sql.sqltypes.AutoString(length=40), nullable=False, server_default="")
        )
        remark.add_column(sa.Column("audience", AUDIENCE, nullable=False, server_default="all"))
        remark.add_column(sa.Column("to_id", sa.Integer(), nullable=True))
        remark.add_column(sa.Column("hidden_id", sa.Integer(), nullable=True))
        remark.create_foreign_key("remark_to_id_fkey", "person", ["to_id"], ["id"], ondelete="CASCADE")
        remark.create_foreign_key("remark_hidden_id_fkey", "ruling", ["hidden_id"], ["id"], ondelete="CASCADE")
        remark.create_index("ix_remark_to_id", ["to_id"])
        remark.create_index("ix_remark_hidden_id", ["hidden_id"])
    op.create_table(
        "note",
        sa.Column("seat_id", sa.Integer(), sa.ForeignKey("seat.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "person_id", sa.Integer(), sa.ForeignKey("person.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("changed_at", service.db.Moment(timezone=True), nullable=False),
    )
    op.create_table(
        "nudge",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("seat_id", sa.Integer(), sa.ForeignKey("seat.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column(
            "person_id", sa.Integer(), sa.ForeignKey("person.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("at", service.db.Moment(timezone=True), nullable=False),
    )


def downgrade() -> None:
    """What was said to one alone, to the moderator or by those who look on must not become everybody's: it goes."""
    op.drop_table("nudge")
    op.drop_table("note")
    op.execute("DELETE FROM remark WHERE audience <> 'all' OR hidden_id IS NOT NULL OR seat_id IS NULL")
    with op.batch_alter_table("remark") as remark:
        remark.drop_index("ix_remark_hidden_id")
        remark.drop_index("ix_remark_to_id")
        remark.drop_constraint("remark_hidden_id_fkey", type_="foreignkey")
        remark.drop_constraint("remark_to_id_fkey", type_="foreignkey")
        for name in ("hidden_id", "to_id", "audience", "called"):
            remark.drop_column(name)
        remark.alter_column("person_id", existing_type=sa.Integer(), nullable=False)
        remark.alter_column("seat_id", existing_type=sa.Integer(), nullable=False)
    with op.batch_alter_table("letter") as letter:
        letter.drop_column("heard")
    for name in ("submission", "draft"):
        with op.batch_alter_table(name) as table:
            table.drop_column("line")
    with op.batch_alter_table("seat") as seat:
        seat.drop_column("muted")
        seat.drop_column("deaf")
    with op.batch_alter_table("game") as game:
        game.drop_column("whispers")
