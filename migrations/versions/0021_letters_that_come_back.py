"""Letters come back: to whom and why, and whose clock stood still for it.

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

import service.db

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

MOMENT = service.db.Moment(timezone=True)
LETTERS = sa.table("letter", sa.column("kind", sa.String), sa.column("status", sa.String))


def upgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("returned_at", MOMENT, nullable=True))
        person.add_column(sa.Column("returned_why", sa.Text(), nullable=False, server_default=""))
        person.add_column(sa.Column("reached_at", MOMENT, nullable=True))
    with op.batch_alter_table("seat") as seat:
        seat.add_column(sa.Column("still_until", MOMENT, nullable=True))
        seat.add_column(sa.Column("stood_still", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.execute(LETTERS.delete().where(LETTERS.c.kind == "returned"))
    op.execute(LETTERS.update().where(LETTERS.c.status == "held").values(status="waiting"))
    op.execute(LETTERS.update().where(LETTERS.c.status == "returned").values(status="failed"))
    with op.batch_alter_table("seat") as seat:
        seat.drop_column("stood_still")
        seat.drop_column("still_until")
    with op.batch_alter_table("person") as person:
        for column in ("reached_at", "returned_why", "returned_at"):
            person.drop_column(column)
