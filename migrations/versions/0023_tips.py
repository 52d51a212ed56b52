"""Whoever has had enough of the tips to a title is shown none any more.

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
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("untipped", sa.JSON(), nullable=False, server_default="[]"))
    with op.batch_alter_table("person") as person:
        person.alter_column("untipped", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.drop_column("untipped")
