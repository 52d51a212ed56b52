"""People change their address: what was asked for, at which it was confirmed, and until when it can be taken back.

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import service.db

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

MAIL = sqlmodel.sql.sqltypes.AutoString(length=254)
MOMENT = service.db.Moment(timezone=True)
LETTERS = sa.table("letter", sa.column("kind", sa.String))
LINKS = sa.table("link", sa.column("relocation_id", sa.Integer))


def upgrade() -> None:
    op.create_table(
        "relocation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
        sa.Column("old", MAIL, nullable=False),
        sa.Column("new", MAIL, nullable=False),
        sa.Column("asked_at", MOMENT, nullable=False),
        sa.Column("until", MOMENT, nullable=False),
        sa.Column("moved_at", MOMENT, nullable=True),
        sa.Column("closed_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in ("person_id", "until"):
        op.create_index(f"ix_relocation_{column}", "relocation", [column], unique=False)
    with op.batch_alter_table("link") as link:
        link.add_column(sa.Column("relocation_id", sa.Integer(), nullable=True))
        link.create_foreign_key("link_relocation_id_fkey", "relocation", ["relocation_id"], ["id"], ondelete="CASCADE")
        link.create_index("ix_link_relocation_id", ["relocation_id"], unique=False)


def downgrade() -> None:
    op.execute(LETTERS.delete().where(LETTERS.c.kind.in_(["new-address", "old-address"])))
    op.execute(LINKS.delete().where(LINKS.c.relocation_id.is_not(None)))
    with op.batch_alter_table("link") as link:
        link.drop_index("ix_link_relocation_id")
        link.drop_constraint("link_relocation_id_fkey", type_="foreignkey")
        link.drop_column("relocation_id")
    op.drop_table("relocation")
