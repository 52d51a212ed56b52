"""first tables"""

import sqlalchemy as sa
import sqlmodel
from alembic import op

import service.db

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "heartbeat",
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("at", service.db.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mail", sqlmodel.sql.sqltypes.AutoString(length=254), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=40), nullable=False),
        sa.Column("zone", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("language", sqlmodel.sql.sqltypes.AutoString(length=8), nullable=False),
        sa.Column("quiet_from", sa.Time(), nullable=True),
        sa.Column("quiet_to", sa.Time(), nullable=True),
        sa.Column("days_off", sa.JSON(), nullable=False),
        sa.Column("remind_at", sa.JSON(), nullable=False),
        sa.Column("turn_letters", sa.Boolean(), nullable=False),
        sa.Column("news_letters", sa.Boolean(), nullable=False),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("mail"),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=60), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("components", sa.Text(), nullable=True),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column(
            "status",
            sa.Enum("invited", "running", "finished", "cancelled", name="gamestatus", native_enum=False),
            nullable=False,
        ),
        sa.Column("organiser_id", sa.Integer(), nullable=False),
        sa.Column("moderator_id", sa.Integer(), nullable=True),
        sa.Column("pace", sa.JSON(), nullable=False),
        sa.Column("policy", sa.Enum("pass", "moderator", "bot", name="policy", native_enum=False), nullable=False),
        sa.Column("fallback", sa.Enum("pass", "moderator", "bot", name="policy", native_enum=False), nullable=False),
        sa.Column("moderator_hours", sa.Integer(), nullable=False),
        sa.Column("bot_after", sa.Integer(), nullable=False),
        sa.Column("away_days", sa.Integer(), nullable=False),
        sa.Column("paused_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column("paused_until", service.db.Moment(timezone=True), nullable=True),
        sa.Column("pause_votes", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("saved", sa.LargeBinary(), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.Column("started_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column("moved_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column("finished_at", service.db.Moment(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["moderator_id"], ["person.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["organiser_id"], ["person.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("public_id"),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_game_moderator_id"), ["moderator_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_game_organiser_id"), ["organiser_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_game_paused_until"), ["paused_until"], unique=False)

    op.create_table(
        "ruling",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("seat_no", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("effect", sa.Text(), nullable=False),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("ruling", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_ruling_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_ruling_person_id"), ["person_id"], unique=False)

    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("no", sa.Integer(), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=40), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column(
            "status", sa.Enum("invited", "accepted", "declined", name="seatstatus", native_enum=False), nullable=False
        ),
        sa.Column("asked", sa.Integer(), nullable=True),
        sa.Column("asked_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column("soft_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column("deadline", service.db.Moment(timezone=True), nullable=True),
        sa.Column("grace_until", service.db.Moment(timezone=True), nullable=True),
        sa.Column("stage", sa.Enum("on-time", "late", "desk", name="stage", native_enum=False), nullable=False),
        sa.Column("due_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.Column("reserve", sa.Integer(), nullable=False),
        sa.Column("misses", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("offered_to", sa.Integer(), nullable=True),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("orders_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column("orders_stopped", sa.Text(), nullable=False),
        sa.Column("moved_version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["offered_to"], ["person.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "no"),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_due_at"), ["due_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_seat_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_seat_offered_to"), ["offered_to"], unique=False)
        batch_op.create_index(batch_op.f("ix_seat_person_id"), ["person_id"], unique=False)

    op.create_table(
        "snapshot",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "version"),
    )
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("absence", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_absence_seat_id"), ["seat_id"], unique=False)

    op.create_table(
        "draft",
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("choices", sa.JSON(), nullable=False),
        sa.Column("updated_at", service.db.Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("seat_id"),
    )
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sqlmodel.sql.sqltypes.AutoString(length=80), nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("asked", sa.Integer(), nullable=True),
        sa.Column("about", sa.JSON(), nullable=False),
        sa.Column(
            "status",
            sa.Enum("waiting", "sent", "obsolete", "failed", name="letterstatus", native_enum=False),
            nullable=False,
        ),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.Column("due_at", service.db.Moment(timezone=True), nullable=False),
        sa.Column("posted_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column("claimed_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column("sent_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index("ix_letter_due", ["status", "due_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_letter_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_letter_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_letter_seat_id"), ["seat_id"], unique=False)

    op.create_table(
        "link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("scope", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.Column("revoked_at", service.db.Moment(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("hash"),
    )
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_link_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_link_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_link_seat_id"), ["seat_id"], unique=False)

    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("choices", sa.JSON(), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column(
            "verdict", sa.Enum("received", "accepted", "rejected", name="verdict", native_enum=False), nullable=False
        ),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.Column("posted_at", service.db.Moment(timezone=True), nullable=False),
        sa.Column("decided_at", service.db.Moment(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("seat_id", "asked", "digest"),
    )
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_submission_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_submission_seat_id"), ["seat_id"], unique=False)
        batch_op.create_index("ix_submission_waiting", ["verdict", "posted_at"], unique=False)

    op.create_table(
        "tenure",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("from_version", sa.Integer(), nullable=False),
        sa.Column("to_version", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("tenure", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_tenure_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_tenure_seat_id"), ["seat_id"], unique=False)

    op.create_table(
        "attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=False),
        sa.Column("at", service.db.Moment(timezone=True), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("attempt", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_attempt_letter_id"), ["letter_id"], unique=False)

    op.create_table(
        "move",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat_no", sa.Integer(), nullable=True),
        sa.Column("choices", sa.JSON(), nullable=False),
        sa.Column("decided_by", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("submission_id", sa.Integer(), nullable=True),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "version"),
        sa.UniqueConstraint("submission_id"),
    )
    with op.batch_alter_table("move", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_move_game_id"), ["game_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_move_person_id"), ["person_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("move", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_move_person_id"))
        batch_op.drop_index(batch_op.f("ix_move_game_id"))

    op.drop_table("move")
    with op.batch_alter_table("attempt", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_attempt_letter_id"))

    op.drop_table("attempt")
    with op.batch_alter_table("tenure", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_tenure_seat_id"))
        batch_op.drop_index(batch_op.f("ix_tenure_person_id"))

    op.drop_table("tenure")
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.drop_index("ix_submission_waiting")
        batch_op.drop_index(batch_op.f("ix_submission_seat_id"))
        batch_op.drop_index(batch_op.f("ix_submission_game_id"))

    op.drop_table("submission")
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_link_seat_id"))
        batch_op.drop_index(batch_op.f("ix_link_person_id"))
        batch_op.drop_index(batch_op.f("ix_link_game_id"))

    op.drop_table("link")
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_letter_seat_id"))
        batch_op.drop_index(batch_op.f("ix_letter_person_id"))
        batch_op.drop_index(batch_op.f("ix_letter_game_id"))
        batch_op.drop_index("ix_letter_due")

    op.drop_table("letter")
    op.drop_table("draft")
    with op.batch_alter_table("absence", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_absence_seat_id"))

    op.drop_table("absence")
    op.drop_table("snapshot")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_person_id"))
        batch_op.drop_index(batch_op.f("ix_seat_offered_to"))
        batch_op.drop_index(batch_op.f("ix_seat_game_id"))
        batch_op.drop_index(batch_op.f("ix_seat_due_at"))

    op.drop_table("seat")
    with op.batch_alter_table("ruling", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_ruling_person_id"))
        batch_op.drop_index(batch_op.f("ix_ruling_game_id"))

    op.drop_table("ruling")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_game_paused_until"))
        batch_op.drop_index(batch_op.f("ix_game_organiser_id"))
        batch_op.drop_index(batch_op.f("ix_game_moderator_id"))

    op.drop_table("game")
    op.drop_table("person")
    op.drop_table("heartbeat")
