"""A game that was broken off is over as any other, without a result; only what never began was called off.

Revision ID: 0008
Revises: 0007
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("UPDATE game SET status = 'finished' WHERE status = 'cancelled' AND saved IS NOT NULL")


def downgrade() -> None:
    op.execute("UPDATE game SET status = 'cancelled' WHERE status = 'finished' AND result IS NULL")
