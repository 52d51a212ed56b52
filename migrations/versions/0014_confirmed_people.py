"""Letters go only to people who want them: who has confirmed their address, who wants none, and who was wronged by one.
Whoever has accepted a seat or a desk has confirmed that the address is theirs.

Revision ID: 0014
Revises: 0013
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import service.db

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

PEOPLE = sa.table("person", sa.column("id", sa.Integer), sa.column("confirmed_at", service.db.Moment))
SEATS = sa.table("seat", sa.column("person_id", sa.Integer), sa.column("status", sa.String))
MODERATORS = sa.table("moderator", sa.column("person_id", sa.Integer), sa.column("status", sa.String))
GAMES = sa.table("game", sa.column("status", sa.String))
LETTERS = sa.table("letter", sa.column("kind", sa.String))
LINKS = sa.table("link", sa.column("scope", sa.String))


def upgrade() -> None:
    with op.batch_alter_table("person") as person:
        person.add_column(sa.Column("confirmed_at", service.db.Moment(timezone=True), nullable=True))
    with op.batch_alter_table("game") as game:
        game.add_column(sa.Column("sheet", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=True))
        game.create_unique_constraint("game_sheet_key", ["sheet"])
    op.create_table(
        "blocked",
        sa.Column("hash", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("at", service.db.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "complaint",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
        sa.Column("at", service.db.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "person_id"),
    )
    for column in ("game_id", "person_id"):
        op.create_index(f"ix_complaint_{column}", "complaint", [column], unique=False)
    accepted = [
        sa.select(table.c.person_id).where(table.c.status == "accepted", table.c.person_id.is_not(None))
        for table in (SEATS, MODERATORS)
    ]
    here = sa.or_(*(PEOPLE.c.id.in_(found) for found in accepted))
    op.execute(PEOPLE.update().where(here).values(confirmed_at=service.db.utcnow()))


def downgrade() -> None:
    op.execute(GAMES.delete().where(GAMES.c.status == "made"))
    op.execute(LETTERS.delete().where(LETTERS.c.kind == "confirmation"))
    op.execute(LINKS.delete().where(LINKS.c.scope == "never"))
    op.drop_table("complaint")
    op.drop_table("blocked")
    with op.batch_alter_table("game") as game:
        game.drop_constraint("game_sheet_key", type_="unique")
        game.drop_column("sheet")
    with op.batch_alter_table("person") as person:
        person.drop_column("confirmed_at")
