"""Letters show the board as a picture, to whoever wants it.

Revision ID: 0016
Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("pictures", sa.Boolean(), nullable=False, server_default=sa.true()))
    with op.batch_alter_table("person") as person:
        person.alter_column("pictures", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.drop_column("pictures")
