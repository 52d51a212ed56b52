"""Among many games a letter touches fewer pages: one index, and not two, finds what somebody was written and sees to it
that nothing is said to them twice. That of typed addresses holds no seat of which nobody has typed one.

PostgreSQL builds an index of all letters, SQLite writes the table `letter` anew.

Revision ID: 0032
Revises: 0031
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

NAMING = {"uq": "%(table_name)s_%(column_0_name)s_key"}  # as PostgreSQL names it; on SQLite it has no name
TYPED = sa.text("typed_by IS NOT NULL")
# Readers may have been told of the same thing by the same key since: of these the first keeps it.
TOLD_APART = """
    UPDATE letter SET key = 'for:' || id WHERE id IN (
        SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY key ORDER BY id) AS nth FROM letter) AS told
        WHERE nth > 1)"""


def upgrade() -> None:
    with op.batch_alter_table("letter", naming_convention=NAMING) as letter:
        letter.create_unique_constraint("letter_person_id_key_key", ["person_id", "key"])
        letter.drop_index("ix_letter_person_id")
        letter.drop_constraint("letter_key_key", type_="unique")
    op.drop_index("ix_seat_typed_by", "seat")
    op.create_index("ix_seat_typed_by", "seat", ["typed_by"], postgresql_where=TYPED, sqlite_where=TYPED)


def downgrade() -> None:
    op.drop_index("ix_seat_typed_by", "seat")
    op.create_index("ix_seat_typed_by", "seat", ["typed_by"])
    op.execute(TOLD_APART)
    with op.batch_alter_table("letter", naming_convention=NAMING) as letter:
        letter.create_unique_constraint("letter_key_key", ["key"])
        letter.create_index("ix_letter_person_id", ["person_id"])
        letter.drop_constraint("letter_person_id_key_key", type_="unique")
