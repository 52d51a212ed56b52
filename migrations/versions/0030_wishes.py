"""Letters are chosen for the same things as other bells: reminders apart from turns, and apart from news how games
ended and what is said. Whoever had switched off what they were part of has switched them off.

Revision ID: 0030
Revises: 0029
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

PART_OF = {"reminder_letters": "turn_letters", "over_letters": "news_letters", "talk_letters": "news_letters"}


def upgrade() -> None:
    for new in PART_OF:
        op.add_column("person", sa.Column(new, sa.Boolean(), nullable=False, server_default=sa.true()))
    with op.batch_alter_table("person") as table:
        for new in PART_OF:
            table.alter_column(new, server_default=None)
    for new, old in PART_OF.items():
        op.execute(f"UPDATE person SET {new} = {old}")
        op.execute(
            f"INSERT INTO unwanted (person_id, game_id, wish) "
            f"SELECT person_id, game_id, '{new}' FROM unwanted WHERE wish = '{old}'"
        )


def downgrade() -> None:
    op.execute(
        sa.text("DELETE FROM unwanted WHERE wish IN :new").bindparams(
            sa.bindparam("new", list(PART_OF), expanding=True)
        )
    )
    with op.batch_alter_table("person") as table:
        for new in PART_OF:
            table.drop_column(new)
