"""Players talk at the table.

Revision ID: 0022
Revises: 0021
"""

import sqlalchemy as sa
from alembic import op

import service.db

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "remark",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("seat_id", sa.Integer(), sa.ForeignKey("seat.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column(
            "person_id", sa.Integer(), sa.ForeignKey("person.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("said_at", service.db.Moment(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("remark")
