"""What is asked of all games at once finds its few rows by an index, however many games there are.

Revision ID: 0029
Revises: 0028
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

WHOLE = [("ix_game_status", "game", ["status", "created_at"]), ("ix_game_finished_at", "game", ["finished_at"])]
FEW = [
    ("ix_person_returned", "person", "returned_at", "returned_at IS NOT NULL"),
    ("ix_seat_late", "seat", "stage", "stage IN ('late', 'desk')"),
    ("ix_seat_trouble", "seat", "id", "trouble <> ''"),
    ("ix_seat_deadline", "seat", "deadline", "asked IS NOT NULL"),
    ("ix_letter_kept", "letter", "id", "source IS NOT NULL"),
]


def upgrade() -> None:
    for name, table, columns in WHOLE:
        op.create_index(name, table, columns)
    for name, table, column, where in FEW:
        op.create_index(name, table, [column], postgresql_where=sa.text(where), sqlite_where=sa.text(where))


def downgrade() -> None:
    for name, table, *_ in FEW + WHOLE:
        op.drop_index(name, table)
