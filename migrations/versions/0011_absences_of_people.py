"""Days away belong to a person and count in all their games; a seat remembers its times before they moved them.

Revision ID: 0011
Revises: 0010
"""

from collections import defaultdict
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

SEAT = sa.table("seat", sa.column("id", sa.Integer), sa.column("person_id", sa.Integer))
OF_SEAT = sa.table("absence", sa.column("seat_id", sa.Integer), sa.column("first", sa.Date), sa.column("last", sa.Date))
OF_PERSON = sa.table(
    "absence",
    sa.column("person_id", sa.Integer),
    sa.column("first", sa.Date),
    sa.column("last", sa.Date),
    sa.column("announced_at", sa.DateTime(timezone=True)),
)

Days = tuple[date, date]


def upgrade() -> None:
    """What somebody announced in several games becomes one: days that overlap are merged."""
    connection = op.get_bind()
    joined = sa.join(OF_SEAT, SEAT, OF_SEAT.c.seat_id == SEAT.c.id)
    found = sa.select(SEAT.c.person_id, OF_SEAT.c.first, OF_SEAT.c.last).select_from(joined)
    away: dict[int, list[Days]] = defaultdict(list)
    for person, first, last in connection.execute(found.where(SEAT.c.person_id.is_not(None))).all():
        away[person].append((first, last))
    op.drop_table("absence")
    op.create_table(
        "absence",
        *_columns("person"),
        sa.Column("announced_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_absence_person_id", "absence", ["person_id"])
    for person, days in away.items():
        for first, last in _merged(days):
            row = {"person_id": person, "first": first, "last": last, "announced_at": sa.func.now()}
            connection.execute(OF_PERSON.insert().values(row))
    with op.batch_alter_table("seat") as seat:
        seat.add_column(sa.Column("promised", sa.JSON(), nullable=True))


def downgrade() -> None:
    connection = op.get_bind()
    with op.batch_alter_table("seat") as seat:
        seat.drop_column("promised")
    joined = sa.join(OF_PERSON, SEAT, OF_PERSON.c.person_id == SEAT.c.person_id)
    found = sa.select(SEAT.c.id, OF_PERSON.c.first, OF_PERSON.c.last).select_from(joined)
    away = connection.execute(found).all()
    op.drop_table("absence")
    op.create_table("absence", *_columns("seat"))
    op.create_index("ix_absence_seat_id", "absence", ["seat_id"])
    for seat_id, first, last in away:
        connection.execute(OF_SEAT.insert().values(seat_id=seat_id, first=first, last=last))


def _columns(owner: str) -> list[Any]:
    return [
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(f"{owner}_id", sa.Integer(), sa.ForeignKey(f"{owner}.id", ondelete="CASCADE"), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
    ]


def _merged(days: list[Days]) -> list[Days]:
    whole: list[Days] = []
    for first, last in sorted(days):
        if whole and first <= whole[-1][1] + timedelta(days=1):
            whole[-1] = whole[-1][0], max(whole[-1][1], last)
        else:
            whole.append((first, last))
    return whole
