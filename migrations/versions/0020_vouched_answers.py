"""An answer that may not be from whom it says is done once whoever has the seat says that it was them.

Revision ID: 0020
Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

LETTERS = sa.table("letter", sa.column("kind", sa.String))


def upgrade() -> None:
    with op.batch_alter_table("received") as received:
        received.add_column(sa.Column("vouched", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.execute(LETTERS.delete().where(LETTERS.c.kind == "doubted"))
    with op.batch_alter_table("received") as received:
        received.drop_column("vouched")
