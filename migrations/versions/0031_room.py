"""Among many games a turn touches fewer pages: games and seats are changed within their page, indexes hold no row of
which there is nothing to find, and the turns that were sent are told apart by a quarter of their digest.

Pages that are full get room as their rows are changed, and none is written for it. PostgreSQL writes the table
`submission` anew.

Revision ID: 0031
Revises: 0030
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

ROOM = {"game": 80, "seat": 85}  # percent
FEW = [
    ("ix_seat_due_at", "seat", "due_at"),
    ("ix_seat_offered_to", "seat", "offered_to"),
    ("ix_letter_along_with", "letter", "along_with"),
]


def upgrade() -> None:
    for name, table, column in FEW:
        where = sa.text(f"{column} IS NOT NULL")
        op.drop_index(name, table)
        op.create_index(name, table, [column], postgresql_where=where, sqlite_where=where)
    with op.batch_alter_table("submission") as table:
        table.alter_column(
            "digest",
            existing_type=sa.String(64),
            type_=sa.String(16),
            existing_nullable=False,
            postgresql_using="left(digest, 16)",
        )
    if op.get_bind().dialect.name == "postgresql":
        for name, percent in ROOM.items():
            op.execute(f"ALTER TABLE {name} SET (fillfactor = {percent})")
    else:  # which holds nobody to a length
        op.execute("UPDATE submission SET digest = substr(digest, 1, 16)")


def downgrade() -> None:
    """Digests stay as they are: a turn that was sent and is sent again is a second one then, and refused."""
    if op.get_bind().dialect.name == "postgresql":
        for name in ROOM:
            op.execute(f"ALTER TABLE {name} RESET (fillfactor)")
    with op.batch_alter_table("submission") as table:
        table.alter_column("digest", existing_type=sa.String(16), type_=sa.String(64), existing_nullable=False)
    for name, table_name, column in FEW:
        op.drop_index(name, table_name)
        op.create_index(name, table_name, [column])
