"""Who decides: several moderators, each asked first, and proposals that all others agree to. Whoever was the moderator
of a game is one now; who wanted a pause, or to go on, has proposed it or agreed. Letters tell of the ruling itself.

Revision ID: 0012
Revises: 0011
"""

from typing import Any

import sqlalchemy as sa
import sqlmodel
from alembic import op

import service.db

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

JURY = sa.Enum("outsider", "group", "player", name="jury", native_enum=False)
GAMES = sa.table(
    "game",
    sa.column("id", sa.Integer),
    sa.column("paused_at", service.db.Moment),
    sa.column("created_at", service.db.Moment),
    sa.column("status", sa.String),
    sa.column("pause_votes", sa.JSON),
    sa.column("jury", sa.String),
    sa.column("proposals", sa.Integer),
    sa.column("moderator_id", sa.Integer),
)
SEATS = sa.table(
    "seat", sa.column("game_id", sa.Integer), sa.column("no", sa.Integer), sa.column("person_id", sa.Integer)
)
MODERATORS = sa.table(
    "moderator",
    sa.column("id", sa.Integer),
    sa.column("game_id", sa.Integer),
    sa.column("person_id", sa.Integer),
    sa.column("status", sa.String),
    sa.column("created_at", service.db.Moment),
)
PROPOSALS = sa.table(
    "proposal",
    sa.column("id", sa.Integer),
    sa.column("game_id", sa.Integer),
    sa.column("name", sa.String),
    sa.column("form", sa.JSON),
    sa.column("about", sa.JSON),
    sa.column("proposed_by", sa.Integer),
    sa.column("reason", sa.JSON),
    sa.column("effect", sa.JSON),
    sa.column("created_at", service.db.Moment),
    sa.column("outcome", sa.String),
)
VOTES = sa.table(
    "vote",
    sa.column("proposal_id", sa.Integer),
    sa.column("person_id", sa.Integer),
    sa.column("agrees", sa.Boolean),
    sa.column("at", service.db.Moment),
)
RULINGS = sa.table(
    "ruling",
    sa.column("id", sa.Integer),
    sa.column("game_id", sa.Integer),
    sa.column("name", sa.String),
    sa.column("reason", sa.JSON),
)
LETTERS = sa.table(
    "letter",
    sa.column("id", sa.Integer),
    sa.column("kind", sa.String),
    sa.column("game_id", sa.Integer),
    sa.column("about", sa.JSON),
    sa.column("status", sa.String),
)
TELLS_OF = {"paused": "pause", "resumed": "resume", "rewound": "rewind", "ended": "end", "extended": "extend"}
NEW_KINDS = ("ruled", "proposed", "dropped")


def upgrade() -> None:
    _make_tables()
    with op.batch_alter_table("ruling") as ruling:
        ruling.add_column(sa.Column("by_vote", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("ruling") as ruling:
        ruling.alter_column("by_vote", server_default=None)
    with op.batch_alter_table("game") as game:
        game.add_column(sa.Column("jury", JURY, nullable=True))
        game.add_column(sa.Column("proposals", sa.Integer(), nullable=False, server_default="0"))
        game.add_column(sa.Column("offered_to", sa.Integer(), nullable=True))
        game.create_foreign_key("game_offered_to_fkey", "person", ["offered_to"], ["id"], ondelete="CASCADE")
        game.create_index("ix_game_offered_to", ["offered_to"], unique=False)
    _carry_moderators_over()
    _carry_votes_over()
    _carry_letters_over()
    with op.batch_alter_table("game") as game:
        game.alter_column("jury", existing_type=JURY, nullable=False)
        game.alter_column("proposals", server_default=None)
        game.drop_index("ix_game_moderator_id")
        game.drop_column("moderator_id")
        game.drop_column("pause_votes")


def downgrade() -> None:
    with op.batch_alter_table("game") as game:
        game.add_column(sa.Column("moderator_id", sa.Integer(), nullable=True))
        game.add_column(sa.Column("pause_votes", sa.JSON(), nullable=False, server_default="[]"))
        game.create_foreign_key("game_moderator_id_fkey", "person", ["moderator_id"], ["id"], ondelete="CASCADE")
        game.create_index("ix_game_moderator_id", ["moderator_id"], unique=False)
    _carry_back()
    _carry_letters_back()
    with op.batch_alter_table("game") as game:
        game.alter_column("pause_votes", server_default=None)
        game.drop_index("ix_game_offered_to")
        game.drop_column("offered_to")
        game.drop_column("jury")
        game.drop_column("proposals")
    with op.batch_alter_table("ruling") as ruling:
        ruling.drop_column("by_vote")
    for table in ("vote", "proposal", "moderator"):
        op.drop_table(table)


def _make_tables() -> None:
    op.create_table(
        "moderator",
        sa.Column("id", sa.Integer(), nullable=False),
        *_keys(game_id="game.id", person_id="person.id"),
        sa.Column("status", sa.Enum("asked", "accepted", "declined", name="answer", native_enum=False), nullable=False),
        sa.Column("instead_of", sa.Integer(), sa.ForeignKey("person.id", ondelete="CASCADE"), nullable=True),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game_id", "person_id"),
    )
    op.create_table(
        "proposal",
        sa.Column("id", sa.Integer(), nullable=False),
        *_keys(game_id="game.id", proposed_by="person.id"),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("form", sa.JSON(), nullable=False),
        sa.Column("about", sa.JSON(), nullable=False),
        sa.Column("seat_no", sa.Integer(), nullable=True),
        sa.Column("reason", sa.JSON(), nullable=False),
        sa.Column("effect", sa.JSON(), nullable=False),
        sa.Column("created_at", service.db.Moment(timezone=True), nullable=False),
        sa.Column("decided_at", service.db.Moment(timezone=True), nullable=True),
        sa.Column(
            "outcome",
            sa.Enum("open", "agreed", "refused", "overtaken", name="outcome", native_enum=False),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "vote",
        sa.Column("id", sa.Integer(), nullable=False),
        *_keys(proposal_id="proposal.id", person_id="person.id"),
        sa.Column("agrees", sa.Boolean(), nullable=False),
        sa.Column("at", service.db.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("proposal_id", "person_id"),
    )
    for table, columns in (
        ("moderator", ("game_id", "person_id", "instead_of")),
        ("proposal", ("game_id", "proposed_by")),
        ("vote", ("proposal_id", "person_id")),
    ):
        for column in columns:
            op.create_index(f"ix_{table}_{column}", table, [column], unique=False)


def _keys(**targets: str) -> list[sa.Column[Any]]:
    return [
        sa.Column(name, sa.Integer(), sa.ForeignKey(target, ondelete="CASCADE"), nullable=False)
        for name, target in targets.items()
    ]


def _carry_moderators_over() -> None:
    """A moderator who has a seat in the game is one who plays."""
    looked_after = sa.select(
        GAMES.c.id, GAMES.c.moderator_id, sa.literal_column("'accepted'"), GAMES.c.created_at
    ).where(GAMES.c.moderator_id.is_not(None))
    op.execute(MODERATORS.insert().from_select(["game_id", "person_id", "status", "created_at"], looked_after))
    plays = sa.exists().where(SEATS.c.game_id == GAMES.c.id, SEATS.c.person_id == GAMES.c.moderator_id)
    op.execute(GAMES.update().values(jury=sa.case((plays, "player"), else_="outsider")))
    op.execute(GAMES.update().where(GAMES.c.moderator_id.is_(None)).values(jury="group"))


def _carry_votes_over() -> None:
    connection = op.get_bind()
    for game in connection.execute(sa.select(GAMES).where(GAMES.c.status == "running")).all():
        held = {no: who for no, who in _holders(game.id) if who is not None}
        voters = [held[no] for no in game.pause_votes if no in held]
        if not voters:
            continue
        paused, now = game.paused_at is not None, service.db.utcnow()
        proposal = {
            "game_id": game.id,
            "name": "resume" if paused else "pause",
            "form": {} if paused else {"days": "14"},
            "about": {"paused": paused, "people": sorted(held.values())},
            "proposed_by": voters[0],
            "reason": {"text": "Carried over from an earlier vote.", "args": {}},
            "effect": {"text": "The game goes on." if paused else "The game is paused for 14 days.", "args": {}},
            "created_at": now,
            "outcome": "open",
        }
        connection.execute(GAMES.update().where(GAMES.c.id == game.id).values(proposals=1))
        made = connection.execute(PROPOSALS.insert().returning(PROPOSALS.c.id), proposal).scalar_one()
        for voter in voters[1:]:
            vote = {"proposal_id": made, "person_id": voter, "agrees": True, "at": now}
            connection.execute(VOTES.insert(), vote)


def _holders(game_id: int) -> list[tuple[int, int | None]]:
    found = sa.select(SEATS.c.no, SEATS.c.person_id).where(SEATS.c.game_id == game_id).order_by(SEATS.c.no)
    return [(no, person_id) for no, person_id in op.get_bind().execute(found)]


def _carry_back() -> None:
    """One moderator a game, the first who accepted; who proposed or wanted a pause or to go on."""
    accepted = MODERATORS.alias()
    first = sa.select(sa.func.min(accepted.c.id)).where(
        accepted.c.game_id == MODERATORS.c.game_id, accepted.c.status == "accepted"
    )
    looks_after = (
        sa.select(MODERATORS.c.person_id)
        .where(MODERATORS.c.game_id == GAMES.c.id, MODERATORS.c.id == first.scalar_subquery())
        .scalar_subquery()
    )
    op.execute(GAMES.update().values(moderator_id=looks_after))
    connection = op.get_bind()
    wanted = sa.select(PROPOSALS).where(PROPOSALS.c.outcome == "open", PROPOSALS.c.name.in_(["pause", "resume"]))
    for proposal in connection.execute(wanted).all():
        agree = sa.select(VOTES.c.person_id).where(VOTES.c.proposal_id == proposal.id, VOTES.c.agrees)
        voters = {proposal.proposed_by, *connection.execute(agree).scalars()}
        votes = [no for no, person_id in _holders(proposal.game_id) if person_id in voters]
        connection.execute(GAMES.update().where(GAMES.c.id == proposal.game_id).values(pause_votes=votes))


def _carry_letters_over() -> None:
    """Letters on their way name the ruling they tell of; that the game goes back is told as all rulings are."""
    connection = op.get_bind()
    waiting = sa.select(LETTERS).where(LETTERS.c.status == "waiting", LETTERS.c.kind.in_(TELLS_OF))
    for letter in connection.execute(waiting).all():
        ruling = connection.execute(
            sa.select(sa.func.max(RULINGS.c.id)).where(
                RULINGS.c.game_id == letter.game_id, RULINGS.c.name == TELLS_OF[letter.kind]
            )
        ).scalar()
        change = {"about": letter.about | {"ruling": ruling}} if ruling else {"status": "obsolete"}
        op.execute(LETTERS.update().where(LETTERS.c.id == letter.id).values(**change))
    op.execute(LETTERS.update().where(LETTERS.c.kind == "rewound").values(kind="ruled"))


def _carry_letters_back() -> None:
    connection = op.get_bind()
    untold = LETTERS.c.status == "waiting", LETTERS.c.kind.in_(NEW_KINDS)
    op.execute(LETTERS.update().where(*untold).values(status="obsolete"))
    for letter in connection.execute(sa.select(LETTERS).where(LETTERS.c.status == "waiting")).all():
        if "ruling" in letter.about:
            of_it = sa.select(RULINGS.c.reason).where(RULINGS.c.id == letter.about["ruling"])
            about = letter.about | {"reason": connection.execute(of_it).scalar_one()}
            op.execute(LETTERS.update().where(LETTERS.c.id == letter.id).values(about=about))
