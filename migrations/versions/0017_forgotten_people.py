"""Whoever is forgotten has no address any more.

Revision ID: 0017
Revises: 0016
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

MAIL = sqlmodel.sql.sqltypes.AutoString(length=254)
PEOPLE = sa.table("person", sa.column("id", sa.Integer), sa.column("mail", sa.String))


def upgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.alter_column("mail", existing_type=MAIL, nullable=True)


def downgrade() -> None:
    """Older versions need one: it leads nowhere, and is nobody's."""
    nowhere = sa.literal("forgotten-") + sa.cast(PEOPLE.c.id, sa.String) + "@invalid"
    op.execute(PEOPLE.update().where(PEOPLE.c.mail.is_(None)).values(mail=nowhere))
    with op.batch_alter_table("person") as person:
        person.alter_column("mail", existing_type=MAIL, nullable=False)
