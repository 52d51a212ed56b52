"""A letter knows the one it was told with, in the same message.

Revision ID: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

NAMING = {"fk": "fk_%(table_name)s_%(column_0_name)s"}


def upgrade() -> None:
    with op.batch_alter_table("letter", naming_convention=NAMING) as letter:
        letter.add_column(sa.Column("along_with", sa.Integer(), nullable=True))
        letter.create_foreign_key("fk_letter_along_with", "letter", ["along_with"], ["id"], ondelete="CASCADE")
        letter.create_index("ix_letter_along_with", ["along_with"])


def downgrade() -> None:
    with op.batch_alter_table("letter", naming_convention=NAMING) as letter:
        letter.drop_index("ix_letter_along_with")
        letter.drop_constraint("fk_letter_along_with", type_="foreignkey")
        letter.drop_column("along_with")
