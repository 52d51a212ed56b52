"""Whoever has sent a turn goes on to the next game that waits, or stays.

Revision ID: 0023
Revises: 0022
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("stays", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("person") as table:
        table.alter_column("stays", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("person") as table:
        table.drop_column("stays")
