"""Who gave the address of whoever sits somewhere: nobody else sees it. Of seats from before that is not known.

Revision ID: 0015
Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("seat") as seat:
        seat.add_column(sa.Column("typed_by", sa.Integer(), nullable=True))
        seat.create_foreign_key("seat_typed_by_fkey", "person", ["typed_by"], ["id"], ondelete="CASCADE")
        seat.create_index("ix_seat_typed_by", ["typed_by"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("seat") as seat:
        seat.drop_index("ix_seat_typed_by")
        seat.drop_constraint("seat_typed_by_fkey", type_="foreignkey")
        seat.drop_column("typed_by")
