"""A game that nobody plays any more pauses itself, and ends after so many days of silence.

Revision ID: 0006
Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

NUMBERS = {"silent_rounds": "1", "silent_days": "30", "heard_version": "0"}


def upgrade() -> None:
    with op.batch_alter_table("game") as game:
        for name, value in NUMBERS.items():
            game.add_column(sa.Column(name, sa.Integer(), nullable=False, server_default=value))
        game.add_column(sa.Column("silent_since", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE game SET heard_version = version")  # a game under way has its whole round yet
    with op.batch_alter_table("game") as game:
        for name in NUMBERS:
            game.alter_column(name, server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("game") as game:
        for name in ("silent_since", *NUMBERS):
            game.drop_column(name)
