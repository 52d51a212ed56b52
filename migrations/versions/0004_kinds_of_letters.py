"""The word that somebody is late is a letter of its own, and the question to the moderator is named after what it says.

Revision ID: 0004
Revises: 0003
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("UPDATE letter SET kind = 'out-of-time' WHERE kind = 'desk'")
    # Its key began with the seat that is late; the letter to that seat itself stays what it was.
    op.execute("UPDATE letter SET kind = 'delay' WHERE kind = 'late' AND key NOT LIKE 'late:' || seat_id || ':%'")


def downgrade() -> None:
    op.execute("UPDATE letter SET kind = 'desk' WHERE kind = 'out-of-time'")
    op.execute("UPDATE letter SET kind = 'late' WHERE kind = 'delay'")
