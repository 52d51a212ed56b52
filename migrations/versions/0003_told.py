"""What is said to players later is kept as a sentence with its arguments, not as English: the reason and effect of a
ruling, why a turn was refused, why standing orders stopped, what a letter tells. An old text says just that text.

Revision ID: 0003
Revises: 0002
"""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# Table, column, and whether there is always something to say.
COLUMNS = [
    ("ruling", "reason", True),
    ("ruling", "effect", True),
    ("submission", "reason", False),
    ("seat", "orders_stopped", False),
]
LETTERS = sa.table("letter", sa.column("id", sa.Integer), sa.column("status", sa.String), sa.column("about", sa.JSON))
TOLD_IN_LETTERS = ("played", "reason", "effect")


def upgrade() -> None:
    make = sa.func.json_object if op.get_bind().dialect.name == "sqlite" else sa.func.json_build_object
    for table, column, always in COLUMNS:
        rows = _with_new_column(table, column, sa.Text(), sa.JSON())
        args = make(sa.literal_column("'words'"), rows.c[column])
        said = make(sa.literal_column("'text'"), sa.literal_column("'%(words)s'"), sa.literal_column("'args'"), args)
        op.execute(rows.update().where(sa.true() if always else rows.c[column] != "").values(said=said))
        _take_its_place(table, column, sa.JSON(), nullable=not always)
    _rewrite_letters(lambda text: {"text": "%(words)s", "args": {"words": text}})


def downgrade() -> None:
    for table, column, _ in COLUMNS:
        rows = _with_new_column(table, column, sa.JSON(), sa.Text())
        op.execute(rows.update().values(said=""))
        for row in op.get_bind().execute(sa.select(rows.c.id, rows.c[column]).where(rows.c[column].is_not(None))).all():
            op.execute(rows.update().where(rows.c.id == row[0]).values(said=_in_english(row[1])))
        _take_its_place(table, column, sa.Text(), nullable=False)
    _rewrite_letters(_in_english)


def _with_new_column(table: str, column: str, old: Any, new: Any) -> sa.TableClause:
    with op.batch_alter_table(table) as batch:
        batch.add_column(sa.Column("said", new, nullable=True))
    return sa.table(table, sa.column("id", sa.Integer), sa.column(column, old), sa.column("said", new))


def _take_its_place(table: str, column: str, kind: Any, *, nullable: bool) -> None:
    with op.batch_alter_table(table) as batch:
        batch.drop_column(column)
    with op.batch_alter_table(table) as batch:
        batch.alter_column("said", new_column_name=column, existing_type=kind, nullable=nullable)


def _rewrite_letters(rewrite: Callable[[Any], Any]) -> None:
    """Letters that are still to be sent: what they tell is in the same form as everything else."""
    connection = op.get_bind()
    for letter in connection.execute(sa.select(LETTERS).where(LETTERS.c.status == "waiting")).all():
        about = {name: rewrite(said) if name in TOLD_IN_LETTERS else said for name, said in letter.about.items()}
        if about != letter.about:
            op.execute(LETTERS.update().where(LETTERS.c.id == letter.id).values(about=about))


def _in_english(said: Any) -> str:
    """As well as it can be told without the catalogues: moments as they are written, messages of the engine by key."""
    if isinstance(said, list):
        return " ".join(_in_english(entry) for entry in said)
    if not isinstance(said, dict):
        return str(said)
    if "text" in said:
        form = said["many"] if "many" in said and said["args"]["num"] != 1 else said["text"]
        return form % {name: _in_english(value) for name, value in said["args"].items()} if said["args"] else form
    return str(said.get("key") or said.get("moment") or said.get("seconds") or _in_english(said.get("steps", "")))
