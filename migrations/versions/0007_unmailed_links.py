"""A link that was not mailed, but given to the browser that made a game; a calendar's address that can be shown again.

Revision ID: 0007
Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("link") as link:
        link.add_column(sa.Column("token", sa.String(64), nullable=True))
        link.add_column(sa.Column("mailed", sa.Boolean(), nullable=False, server_default=sa.true()))
    with op.batch_alter_table("link") as link:
        link.alter_column("mailed", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("link") as link:
        link.drop_column("mailed")
        link.drop_column("token")
