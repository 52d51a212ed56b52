"""How long a player thought is written down with each move, and misses that were excused apart from the others.

Revision ID: 0027
Revises: 0026
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("move", sa.Column("took", sa.Integer(), nullable=True))
    op.create_index("ix_move_newest_of_person", "move", ["person_id", "id"])
    op.add_column("seat", sa.Column("excused", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("seat") as table:
        table.alter_column("excused", server_default=None)
    op.create_index("ix_seat_newest_of_person", "seat", ["person_id", "id"])


def downgrade() -> None:
    op.drop_index("ix_seat_newest_of_person", "seat")
    with op.batch_alter_table("seat") as table:
        table.drop_column("excused")
    op.drop_index("ix_move_newest_of_person", "move")
    with op.batch_alter_table("move") as table:
        table.drop_column("took")
