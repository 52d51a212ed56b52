"""What is stored. The tables are the truth: a queue may lose a message, a table never does."""

import enum
from datetime import date, datetime, time
from typing import Any

from sqlalchemy import JSON, Column, Enum, ForeignKey, Index, LargeBinary, Text, Time, UniqueConstraint, text
from sqlmodel import AutoString, Field, SQLModel

from service import names
from service.db import Moment, utcnow


def _key(target: str, nullable: bool = False, index: bool = True) -> Any:
    """A foreign key column; names a table and its column. It is indexed, unless it leads another index anyway."""
    return Field(
        default=None if nullable else ...,
        sa_column=Column(ForeignKey(target, ondelete="CASCADE"), nullable=nullable, index=index),
    )


def _few(name: str, column: str, where: str) -> Index:
    """An index of the few rows of which this is true: finding them costs the same however many others there are."""
    return Index(name, column, postgresql_where=text(where), sqlite_where=text(where))


def _room(percent: int) -> dict[str, Any]:
    """How full PostgreSQL fills the pages of a table whose rows are changed over and over: a changed row stays in its
    page, and where nothing in it changes that an index knows, no index is written."""
    return {"postgresql_with": {"fillfactor": percent}}


def _words(kind: type[enum.StrEnum], default: enum.StrEnum) -> Any:
    """An enumeration stored as its word, checked by the database."""
    values = [member.value for member in kind]
    column: Column[Any] = Column(
        Enum(kind, values_callable=lambda k: [m.value for m in k], native_enum=False, length=max(map(len, values))),
        nullable=False,
    )
    return Field(default=default, sa_column=column)


def _given_name() -> Any:
    """A name as it was given, empty once it is not kept any more; what somebody is called is `name`."""
    return Field(sa_column=Column("name", AutoString(40), nullable=False))


def _json(default: Any = dict) -> Any:
    return Field(default_factory=default, sa_column=Column(JSON, nullable=False))


def _told(nullable: bool = False) -> Any:
    """Something to be said to its reader, kept as service/post/told.py makes it."""
    column = Column(JSON(none_as_null=nullable), nullable=nullable)
    return Field(default=None, sa_column=column) if nullable else Field(sa_column=column)


def _moment(nullable: bool = True, index: bool = False) -> Any:
    column = Column(Moment, nullable=nullable, index=index)
    return Field(default=None, sa_column=column) if nullable else Field(default_factory=utcnow, sa_column=column)


class GameStatus(enum.StrEnum):
    MADE = "made"  # with an address that nobody has confirmed: only its reader was written to
    INVITED = "invited"
    RUNNING = "running"
    FINISHED = "finished"  # with a result, or broken off without one
    CANCELLED = "cancelled"  # before it had begun


class SeatStatus(enum.StrEnum):
    INVITED = "invited"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    OPEN = "open"  # for whoever comes first with the code of the game


class Policy(enum.StrEnum):
    """What happens when a turn has run out."""

    PASS = "pass"
    MODERATOR = "moderator"
    BOT = "bot"


class Jury(enum.StrEnum):
    """Who decides where something must be decided about a game."""

    OUTSIDER = "outsider"  # somebody who does not play
    GROUP = "group"  # the players, by vote
    PLAYER = "player"  # a moderator who plays, and is a party


class Answer(enum.StrEnum):
    """What somebody says who is asked to look after a game."""

    ASKED = "asked"
    ACCEPTED = "accepted"
    DECLINED = "declined"


class Outcome(enum.StrEnum):
    """What became of a proposal."""

    OPEN = "open"
    AGREED = "agreed"
    REFUSED = "refused"
    OVERTAKEN = "overtaken"  # what it was about is not so any more


class Audience(enum.StrEnum):
    """Whom something is said to; see service/play/hearing.py."""

    ALL = "all"  # who play, and who look after the game
    ONE = "one"  # of the players
    DESK = "desk"  # whoever looks after the game, or from there to one player
    OUTSIDE = "outside"  # those who look on, among themselves


class Stage(enum.StrEnum):
    """How late an open question is."""

    ON_TIME = "on-time"
    WARNED = "warned"  # the player was reminded, for all to see
    LATE = "late"  # everybody is told; the grace runs
    DESK = "desk"  # somebody decides: see Jury


RUNNING = (Stage.ON_TIME, Stage.WARNED)  # there is time left


class Verdict(enum.StrEnum):
    RECEIVED = "received"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class LetterStatus(enum.StrEnum):
    WAITING = "waiting"
    SENT = "sent"
    OBSOLETE = "obsolete"
    HELD = "held"  # letters to its reader come back, so it waits until they are heard of again
    RETURNED = "returned"  # it came back, and nobody has heard of its reader since
    FAILED = "failed"


class Reading(enum.StrEnum):
    """What became of a message that came in."""

    WAITING = "waiting"
    FOLLOWED = "followed"  # and answered
    FILED = "filed"  # no person wrote it, so nobody answers
    DOUBTED = "doubted"  # it may not be from whom it says: the player is asked
    UNREAD = "unread"  # something went wrong, for the operator to see


class Changing(SQLModel):
    """A row that nearly every turn changes in a dozen places: it is set as any object is, without the checks that
    SQLModel makes each time, and only where it is not so already."""

    def __setattr__(self, name: str, value: Any) -> None:
        if self.__dict__.get(name, self) is not value:
            object.__setattr__(self, name, value)


class Person(SQLModel, table=True):
    """Somebody with a mail address. There are no passwords: links in letters are the keys. Of somebody who wants to be
    forgotten a row is left with nothing in it (service/play/forgetting.py), so that what others played stays whole."""

    __table_args__ = (_few("ix_person_returned", "returned_at", "returned_at IS NOT NULL"),)

    id: int = Field(default=None, primary_key=True)
    mail: str | None = Field(unique=True, max_length=254)
    given: str = _given_name()
    zone: str = Field(default="UTC", max_length=64)
    language: str = Field(default="en", max_length=8)
    quiet_from: time | None = Field(default=time(22), sa_column=Column(Time, nullable=True))
    quiet_to: time | None = Field(default=time(8), sa_column=Column(Time, nullable=True))
    days_off: list[int] = _json(list)  # weekdays, Monday is 0
    remind_at: list[float] = _json(lambda: [0.5, 1 / 6])  # of the time of a turn that is left
    turn_letters: bool = True  # about one's own turns; what each of these is for is a wish of service/post/wishes.py
    reminder_letters: bool = True
    over_letters: bool = True  # how games ended
    news_letters: bool = True  # about the game and the others
    talk_letters: bool = True  # that is for oneself
    send_complete: bool = False  # a turn that an answer by mail completes is sent, without the word for it
    pictures: bool = True  # of the board, in letters
    stays: bool = False  # at a table after sending a turn, where another game waits
    untipped: list[str] = _json(list)  # titles to which they want no tips any more
    created_at: datetime = _moment(nullable=False)
    confirmed_at: datetime | None = _moment()  # they have opened a letter of ours, and done something by it
    returned_at: datetime | None = _moment()  # letters to them come back, since then
    returned_why: str = Field(default="", sa_column=Column(Text, nullable=False))  # in a mail server's words
    reached_at: datetime | None = _moment()  # what was sent before, and comes back only now, is no news any more

    @property
    def name(self) -> str:
        return self.given or names.nameless()

    @property
    def gone(self) -> bool:
        return self.mail is None

    @property
    def address(self) -> str:
        """Where they are written to. Whoever is gone is not written to any more."""
        assert self.mail is not None
        return self.mail


class Blocked(SQLModel, table=True):
    """A mailbox that is never written to again; what is kept of it is in service/post/blocked.py."""

    hash: str = Field(primary_key=True, max_length=64)
    at: datetime = _moment(nullable=False)


class Complaint(SQLModel, table=True):
    """Somebody who was written to about a game says that this was abuse: for the operator to see."""

    __table_args__ = (UniqueConstraint("game_id", "person_id"),)

    id: int = Field(default=None, primary_key=True)
    game_id: int = _key("game.id", index=False)
    person_id: int = _key("person.id")
    at: datetime = _moment(nullable=False)


class Relocation(SQLModel, table=True):
    """Somebody's letters are to go to another address: asked for, and done once that address has said yes. The old one
    can stop it, and take it back afterwards; `until` is when either ends (service/play/relocating.py)."""

    id: int = Field(default=None, primary_key=True)
    person_id: int = _key("person.id")
    old: str = Field(max_length=254)
    new: str = Field(max_length=254)
    asked_at: datetime = _moment(nullable=False)
    until: datetime = _moment(nullable=False, index=True)
    moved_at: datetime | None = _moment()
    closed_at: datetime | None = _moment()  # it was stopped, taken back, or something newer was asked for


class Unwanted(SQLModel, table=True):
    """Letters that somebody does not want from one game: which, is a wish of service/post/wishes.py."""

    person_id: int = Field(sa_column=Column(ForeignKey("person.id", ondelete="CASCADE"), primary_key=True))
    game_id: int = Field(sa_column=Column(ForeignKey("game.id", ondelete="CASCADE"), primary_key=True))
    wish: str = Field(primary_key=True, max_length=16)


class Game(Changing, table=True):
    """A match between people. `version` counts the moves; `saved` is the match after the last of them."""

    __table_args__ = (Index("ix_game_status", "status", "created_at"), _room(80))

    id: int = Field(default=None, primary_key=True)
    public_id: str = Field(unique=True, max_length=16)
    sheet: str | None = Field(default=None, unique=True, max_length=64)  # hash of the form it was made with, see making
    kind: str = Field(max_length=16)
    name: str = Field(default="", max_length=60)
    options: dict[str, Any] = _json()
    components: str | None = Field(default=None, sa_column=Column(Text))
    rules: int
    status: GameStatus = _words(GameStatus, GameStatus.INVITED)
    organiser_id: int = _key("person.id")
    offered_to: int | None = _key("person.id", nullable=True)  # somebody asked to be the organiser from now on
    code: str | None = Field(default=None, unique=True, max_length=8)  # by which its open seats are found
    listed: bool = False  # its organiser wants it among the open tables
    on_word: bool = False  # it begins when its organiser says so, not by itself
    again_until: datetime | None = _moment(index=True)  # by then those must say yes once more who said it long ago
    rematch_of: int | None = Field(
        default=None, sa_column=Column(ForeignKey("game.id", ondelete="SET NULL"), nullable=True, unique=True)
    )
    jury: Jury = _words(Jury, Jury.GROUP)
    pace: dict[str, Any] = _json()  # seconds of allowance, reserve, refill, grace; and whether nights count
    policy: Policy = _words(Policy, Policy.PASS)
    fallback: Policy = _words(Policy, Policy.PASS)  # when the moderator is silent
    moderator_hours: int = 24
    bot_after: int = 3  # misses in a row
    away_days: int = 21  # a year, for each player
    whispers: bool = False  # players may talk to one of the others alone
    silent_rounds: int = 1  # without anybody, after which the game pauses itself
    silent_days: int = 30  # after which it ends without a result
    silent_since: datetime | None = _moment()  # it has paused itself
    heard_version: int = 0  # at which a player was last heard of
    paused_at: datetime | None = _moment()
    paused_until: datetime | None = _moment(index=True)
    proposals: int = 0  # that are open
    version: int = 0
    turn: int = 0
    saved: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    result: list[dict[str, Any]] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    created_at: datetime = _moment(nullable=False)
    started_at: datetime | None = _moment()
    moved_at: datetime | None = _moment()
    finished_at: datetime | None = _moment(index=True)


class Seat(Changing, table=True):
    """A place at a table. `asked` is the version at which its open question was put, None when it has none."""

    __table_args__ = (
        UniqueConstraint("game_id", "no"),
        Index("ix_seat_newest_of_person", "person_id", "id"),
        _few("ix_seat_late", "stage", "stage IN ('late', 'desk')"),
        _few("ix_seat_trouble", "id", "trouble <> ''"),
        _few("ix_seat_deadline", "deadline", "asked IS NOT NULL"),
        _few("ix_seat_due_at", "due_at", "due_at IS NOT NULL"),
        _few("ix_seat_offered_to", "offered_to", "offered_to IS NOT NULL"),
        _room(85),
    )

    id: int = Field(default=None, primary_key=True)
    game_id: int = _key("game.id", index=False)
    no: int
    given: str = _given_name()
    person_id: int | None = _key("person.id", nullable=True, index=False)
    typed_by: int | None = _key("person.id", nullable=True)  # who gave their address, and so may see it
    status: SeatStatus = _words(SeatStatus, SeatStatus.INVITED)
    said_at: datetime | None = _moment()  # when its holder said yes
    joined: bool = False  # its holder has come with the code of the game
    colour: int | None = None  # a wish, until the game begins; None: the first that is free
    asked: int | None = None
    asked_at: datetime | None = _moment()
    soft_at: datetime | None = _moment()  # the allowance is used up
    deadline: datetime | None = _moment()  # the reserve too
    grace_until: datetime | None = _moment()
    stage: Stage = _words(Stage, Stage.ON_TIME)
    due_at: datetime | None = _moment()  # when the timekeeper must look at this seat again
    claimed_until: datetime | None = _moment()  # a sweep has it in hand; after that it is taken to have died
    trouble: str = Field(default="", sa_column=Column(Text, nullable=False))  # why the timekeeper set it aside
    reserve: int = 0  # seconds left
    relaid: int = 0  # how often the open question's deadline was laid out again for other hours
    still_until: datetime | None = _moment()  # the open question's clock stands still, for letters came back
    stood_still: int = 0  # how often a clock did so for its holder
    promised: dict[str, Any] | None = _told(nullable=True)  # the times before days away moved them, and since when
    misses: int = 0  # in a row
    missed: int = 0  # in all, by its holder
    excused: int = 0  # of these
    # somebody asked to take over this seat
    offered_to: int | None = _key("person.id", nullable=True, index=False)
    resigned_at: datetime | None = _moment()  # whoever sat here has left; until somebody takes over, nobody sits here
    orders: dict[str, str] = _json()  # answers given in advance, for nobody else's eyes
    orders_at: datetime | None = _moment()  # when they are followed: some minutes on, so that timing tells nothing
    orders_stopped: dict[str, Any] | None = _told(nullable=True)  # why they were not
    moved_version: int = 0  # the version after this seat's last move: "since my last turn" begins here
    deaf: bool = False  # its holder wants to hear no talk
    muted: list[int] = _json(list)  # people whom its holder does not want to hear

    @property
    def name(self) -> str:
        return names.unoccupied() if self.status is SeatStatus.OPEN else self.given or names.nameless()

    @property
    def bot(self) -> bool:
        return self.person_id is None and self.status is not SeatStatus.OPEN


class Absence(SQLModel, table=True):
    """Days away that somebody has announced, first and last included, in their own zone; for all games of theirs."""

    id: int = Field(default=None, primary_key=True)
    person_id: int = _key("person.id")
    first: date
    last: date
    announced_at: datetime = _moment(nullable=False)


class Moderator(SQLModel, table=True):
    """Somebody who looks after a game, or is asked to."""

    __table_args__ = (UniqueConstraint("game_id", "person_id"),)

    id: int = Field(default=None, primary_key=True)
    game_id: int = _key("game.id", index=False)
    person_id: int = _key("person.id")
    status: Answer = _words(Answer, Answer.ASKED)
    instead_of: int | None = _key("person.id", nullable=True)  # who hands the game over to them
    created_at: datetime = _moment(nullable=False)


class Proposal(SQLModel, table=True):
    """A ruling that takes effect when all whom it was put to agree. `about` is what it hangs on: once that is not so
    any more, it is overtaken."""

    id: int = Field(default=None, primary_key=True)
    game_id: int = _key("game.id")
    name: str = Field(max_length=16)  # of the ruling
    form: dict[str, str] = _json()
    about: dict[str, Any] = _json()
    seat_no: int | None = None
    proposed_by: int = _key("person.id")
    reason: dict[str, Any] = _told()
    effect: dict[str, Any] = _told()  # what it would do
    created_at: datetime = _moment(nullable=False)
    decided_at: datetime | None = _moment()
    outcome: Outcome = _words(Outcome, Outcome.OPEN)


class Vote(SQLModel, table=True):
    """What one person says to a proposal. Silence is no vote."""

    __table_args__ = (UniqueConstraint("proposal_id", "person_id"),)

    id: int = Field(default=None, primary_key=True)
    proposal_id: int = _key("proposal.id", index=False)
    person_id: int = _key("person.id")
    agrees: bool
    at: datetime = _moment(nullable=False)


class Ruling(SQLModel, table=True):
    """What a moderator, a vote, or the timekeeper in their stead, decided: open to all players."""

    id: int = Field(default=None, primary_key=True)
    game_id: int = _key("game.id")
    version: int
    name: str = Field(max_length=16)
    person_id: int | None = _key("person.id", nullable=True)  # who decided, or proposed it; None: the timekeeper
    by_vote: bool = False  # all agreed
    seat_no: int | None = None
    reason: dict[str, Any] = _told()
    effect: dict[str, Any] = _told()
    created_at: datetime = _moment(nullable=False)


class Remark(SQLModel, table=True):
    """Something that somebody said at a table, after the move of that version. Who looks on is nobody we know, and is
    called as they say."""

    id: int = Field(default=None, primary_key=True)
    game_id: int = _key("game.id")
    seat_id: int | None = _key("seat.id", nullable=True)  # whose seat they held then
    person_id: int | None = _key("person.id", nullable=True)
    called: str = Field(default="", max_length=40)
    audience: Audience = _words(Audience, Audience.ALL)
    to_id: int | None = _key("person.id", nullable=True)  # whom alone, if not all of the audience
    version: int
    text: str = Field(sa_column=Column(Text, nullable=False))
    said_at: datetime = _moment(nullable=False)
    hidden_id: int | None = _key("ruling.id", nullable=True)  # by which nobody is shown it


class Note(SQLModel, table=True):
    """What the holder of a seat writes down for themselves, for nobody else's eyes. `revision` counts the changes, so
    that a page that is out of date overwrites nothing."""

    seat_id: int = Field(sa_column=Column(ForeignKey("seat.id", ondelete="CASCADE"), primary_key=True))
    person_id: int = _key("person.id")
    text: str = Field(sa_column=Column(Text, nullable=False))
    revision: int = 1
    changed_at: datetime = _moment(nullable=False)


class Nudge(SQLModel, table=True):
    """Somebody who waits asks for a turn: to remind whoever thinks about the question put at `asked`."""

    id: int = Field(default=None, primary_key=True)
    seat_id: int = _key("seat.id")  # of whoever thinks
    person_id: int = _key("person.id")  # who asks
    asked: int
    at: datetime = _moment(nullable=False)


class Tenure(SQLModel, table=True):
    """Who held a seat from which version to which, so that links and statistics stay with the right person."""

    id: int = Field(default=None, primary_key=True)
    seat_id: int = _key("seat.id")
    person_id: int | None = _key("person.id", nullable=True)
    from_version: int = 0
    to_version: int | None = None


class Link(SQLModel, table=True):
    """A key to one seat or page, or to one person's letters. Only the hash of its token is kept; that of a calendar,
    which opens nothing but the deadlines that are kept here too, is kept itself, to be shown again."""

    id: int = Field(default=None, primary_key=True)
    hash: str = Field(unique=True, max_length=64)
    scope: str = Field(max_length=16)
    game_id: int | None = _key("game.id", nullable=True)
    seat_id: int | None = _key("seat.id", nullable=True)
    person_id: int | None = _key("person.id", nullable=True)
    relocation_id: int | None = _key("relocation.id", nullable=True)
    token: str | None = Field(default=None, max_length=64)
    mailed: bool = True  # else given to the browser that typed the address: it opens nothing that is the person's own
    created_at: datetime = _moment(nullable=False)
    revoked_at: datetime | None = _moment()


class Draft(SQLModel, table=True):
    """The choices of a turn that is not sent yet. It answers the question put at `asked` and no other."""

    seat_id: int = Field(sa_column=Column(ForeignKey("seat.id", ondelete="CASCADE"), primary_key=True))
    asked: int
    choices: list[str] = _json(list)
    line: str = Field(default="", sa_column=Column(Text, nullable=False))  # to be said with it, to all
    updated_at: datetime = _moment(nullable=False)


class Submission(SQLModel, table=True):
    """A turn that was sent. The same turn sent twice is one row: a double click is a no-op."""

    __table_args__ = (
        UniqueConstraint("seat_id", "asked", "digest"),
        Index("ix_submission_waiting", "verdict", "posted_at"),
    )

    id: int = Field(default=None, primary_key=True)
    game_id: int = _key("game.id")
    seat_id: int = _key("seat.id", index=False)
    asked: int
    choices: list[str] = _json(list)
    digest: str = Field(max_length=16)  # of the choices
    line: str = Field(default="", sa_column=Column(Text, nullable=False))  # to be said with it, to all
    verdict: Verdict = _words(Verdict, Verdict.RECEIVED)
    reason: dict[str, Any] | None = _told(nullable=True)  # of a refusal
    created_at: datetime = _moment(nullable=False)
    posted_at: datetime = _moment(nullable=False)  # when it was last handed to the queue
    decided_at: datetime | None = _moment()


class Move(SQLModel, table=True):
    """What one seat did, and what happened: the log. Version 0 is the set-up."""

    __table_args__ = (
        UniqueConstraint("game_id", "version"),
        UniqueConstraint("submission_id"),
        Index("ix_move_newest_of_person", "person_id", "id"),
    )

    id: int = Field(default=None, primary_key=True)
    game_id: int = _key("game.id", index=False)
    version: int
    turn: int
    seat_no: int | None = None
    choices: list[str] = _json(list)
    decided_by: str = Field(max_length=16)  # player, order, time-out, moderator, bot; nobody: set-up, an empty seat
    withdrawn: bool = False  # by a rewind
    # who decided: the player then, or the moderator
    person_id: int | None = _key("person.id", nullable=True, index=False)
    submission_id: int | None = Field(
        default=None, sa_column=Column(ForeignKey("submission.id", ondelete="SET NULL"), nullable=True)
    )
    events: list[dict[str, Any]] = _json(list)
    scores: list[int] = _json(list)  # hidden points included: shown when the game is over
    took: int | None = None  # seconds of a player's own waking time, from the question to the answer
    created_at: datetime = _moment(nullable=False)


class Snapshot(SQLModel, table=True):
    """The match after a move, for replay and rewind: packed, and read by service/play/positions.py alone."""

    game_id: int = Field(sa_column=Column(ForeignKey("game.id", ondelete="CASCADE"), primary_key=True))
    version: int = Field(primary_key=True)
    data: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Letter(SQLModel, table=True):
    """The outbox. Written in the transaction that makes it true; put into words only when it is sent.

    `key` is unique: what two workers both want to say is said once. The body is kept only for the post office.
    """

    __table_args__ = (
        Index("ix_letter_due", "status", "due_at"),
        _few("ix_letter_kept", "id", "source IS NOT NULL"),
        _few("ix_letter_along_with", "along_with", "along_with IS NOT NULL"),
    )

    id: int = Field(default=None, primary_key=True)
    key: str = Field(unique=True, max_length=80)
    kind: str = Field(max_length=16)
    person_id: int = _key("person.id")
    game_id: int | None = _key("game.id", nullable=True)
    seat_id: int | None = _key("seat.id", nullable=True)
    asked: int | None = None
    about: dict[str, Any] = _json()
    status: LetterStatus = _words(LetterStatus, LetterStatus.WAITING)
    created_at: datetime = _moment(nullable=False)
    due_at: datetime = _moment(nullable=False)
    # the one it was told with, in the same message
    along_with: int | None = _key("letter.id", nullable=True, index=False)
    posted_at: datetime | None = _moment()  # when it was last handed to the queue
    claimed_at: datetime | None = _moment()  # a courier has it in hand
    sent_at: datetime | None = _moment()
    attempts: int = 0
    error: str = Field(default="", sa_column=Column(Text, nullable=False))
    subject: str = Field(default="", sa_column=Column(Text, nullable=False))  # its news in a line
    message_id: str | None = Field(default=None, sa_column=Column(Text))  # of the message that it leads
    heard: int | None = None  # the last remark there was when it was put into words
    source: str | None = Field(default=None, sa_column=Column(Text))  # the whole message, post office only


class ReturnAddress(SQLModel, table=True):
    """Where an answer to a letter goes, and the letter itself if it comes back. Only the hash of its token is kept. It
    is bound to the question that the letter put, at the step where the draft stood then: the numbers of its menu mean
    nothing anywhere else."""

    id: int = Field(default=None, primary_key=True)
    hash: str = Field(unique=True, max_length=64)
    letter_id: int = _key("letter.id")
    seat_id: int | None = _key("seat.id", nullable=True)
    asked: int | None = None
    step: str = Field(default="", max_length=32)
    created_at: datetime = _moment(nullable=False)


class Received(SQLModel, table=True):
    """A message that came in. A row before it is acted on; the same message twice is one row."""

    __table_args__ = (Index("ix_received_waiting", "status", "posted_at"),)

    id: int = Field(default=None, primary_key=True)
    digest: str = Field(unique=True, max_length=64)
    address_id: int = _key("returnaddress.id")
    came_back: bool = False  # a letter of ours, or word of it; else an answer
    vouched: bool = False  # whoever has the seat says that it is from them
    status: Reading = _words(Reading, Reading.WAITING)
    source: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    note: dict[str, Any] | None = _told(nullable=True)  # why it was not followed
    created_at: datetime = _moment(nullable=False)
    posted_at: datetime = _moment(nullable=False)  # when it was last handed to the queue
    read_at: datetime | None = _moment()


class Attempt(SQLModel, table=True):
    """One try at sending a letter and how it ended."""

    id: int = Field(default=None, primary_key=True)
    letter_id: int = _key("letter.id")
    at: datetime = _moment(nullable=False)
    error: str = Field(default="", sa_column=Column(Text, nullable=False))


class Bell(SQLModel, table=True):
    """Where somebody is told besides by letter: a hook, an address of a chat that posts go to, or a browser that takes
    pushes. With a game it is the table's own, and rings for everybody there. Its address is as good as a key."""

    id: int = Field(default=None, primary_key=True)
    person_id: int = _key("person.id")  # whose it is, or who has put it up for the table
    game_id: int | None = _key("game.id", nullable=True)
    kind: str = Field(max_length=8)  # of service/post/hooks.py, or push
    name: str = Field(default="", max_length=60)  # what its owner knows it by
    address: str = Field(sa_column=Column(Text, nullable=False))
    hash: str = Field(max_length=64, index=True)  # of the address
    secrets: dict[str, str] = _json()  # by which a push is encrypted
    rings: list[str] = _json(list)  # for what: see service/post/bells.py
    created_at: datetime = _moment(nullable=False)
    rung_at: datetime | None = _moment()  # the last time that a post was taken
    failures: int = 0  # posts given up since then
    error: dict[str, Any] | None = _told(nullable=True)  # why the last one was not taken
    error_at: datetime | None = _moment()
    off_at: datetime | None = _moment()  # it has failed too often


class Ring(SQLModel, table=True):
    """The outbox of bells: one post to one address, however many bells have it. Written in the transaction that makes
    it true, and put into words when it is sent; `key` is unique, so what several want posted there is posted once."""

    __table_args__ = (Index("ix_ring_due", "status", "due_at"),)

    id: int = Field(default=None, primary_key=True)
    key: str = Field(unique=True, max_length=200)
    hash: str = Field(max_length=64)  # of the address
    rings: str = Field(max_length=16)  # for what
    kind: str = Field(max_length=16)  # of the letter that tells the same
    person_id: int = _key("person.id")  # whom that letter is for
    game_id: int | None = _key("game.id", nullable=True)
    seat_id: int | None = _key("seat.id", nullable=True)
    asked: int | None = None
    about: dict[str, Any] = _json()
    status: LetterStatus = _words(LetterStatus, LetterStatus.WAITING)
    created_at: datetime = _moment(nullable=False)
    due_at: datetime = _moment(nullable=False)
    posted_at: datetime | None = _moment()  # when it was last handed to the queue
    claimed_at: datetime | None = _moment()
    sent_at: datetime | None = _moment()
    attempts: int = 0
    error: dict[str, Any] | None = _told(nullable=True)


class Heartbeat(SQLModel, table=True):
    """When a recurring job last ran."""

    name: str = Field(primary_key=True, max_length=16)
    at: datetime = _moment(nullable=False)
