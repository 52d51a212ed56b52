"""Seats that are open to whoever comes, rematches, colours by wish, and whether one stays at a table after a turn.

Revision ID: 0026
Revises: 0025
"""

import sqlalchemy as sa
from alembic import op

import service.db

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

OFF = {"person": ["stays"], "game": ["listed", "on_word"], "seat": ["joined"]}


def upgrade() -> None:
    for name, columns in OFF.items():
        for column in columns:
            op.add_column(name, sa.Column(column, sa.Boolean(), nullable=False, server_default=sa.false()))
        with op.batch_alter_table(name) as table:
            for column in columns:
                table.alter_column(column, server_default=None)
    moment = service.db.Moment(timezone=True)
    with op.batch_alter_table("game") as table:
        table.add_column(sa.Column("code", sa.String(8), nullable=True))
        table.add_column(sa.Column("again_until", moment, nullable=True))
        table.add_column(sa.Column("rematch_of", sa.Integer(), nullable=True))
        table.create_foreign_key("fk_game_rematch_of", "game", ["rematch_of"], ["id"], ondelete="SET NULL")
        table.create_unique_constraint("uq_game_code", ["code"])
        table.create_unique_constraint("uq_game_rematch_of", ["rematch_of"])
        table.create_index("ix_game_again_until", ["again_until"])
    with op.batch_alter_table("seat") as table:
        table.add_column(sa.Column("said_at", moment, nullable=True))
        table.add_column(sa.Column("colour", sa.Integer(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("seat") as table:
        for column in ("colour", "said_at", "joined"):
            table.drop_column(column)
    with op.batch_alter_table("game") as table:
        table.drop_index("ix_game_again_until")
        table.drop_constraint("uq_game_rematch_of", type_="unique")
        table.drop_constraint("uq_game_code", type_="unique")
        table.drop_constraint("fk_game_rematch_of", type_="foreignkey")
        for column in ("rematch_of", "again_until", "code", "on_word", "listed"):
            table.drop_column(column)
    with op.batch_alter_table("person") as table:
        table.drop_column("stays")
