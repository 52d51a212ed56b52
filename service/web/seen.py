"""What is stored about one game for one reader of its table, each kind of it read in one statement: a page is looked at
far more often than a turn is played. So the statements are put together once: that takes longer than to run them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import bindparam
from sqlalchemy.orm import aliased, load_only
from sqlmodel import Session, col, func, or_, select

from service.bulk import among
from service.db import utcnow
from service.models import (
    Answer,
    Draft,
    Game,
    Letter,
    LetterStatus,
    Moderator,
    Move,
    Note,
    Nudge,
    Person,
    Remark,
    Ruling,
    Seat,
    Submission,
)
from service.play import hearing, notes, positions, record, tips
from service.post import story
from service.post.decided import decided
from service.post.told import Told
from service.web.access import Reader

MOST_RULINGS = 100  # that are shown on one page
MOST_SAID = 20  # lines that stand beside the board
MOST_LETTERS = 1200  # in them: a page is to stay light however much is said; the story has all of it
LATELY = 8  # moves that stand beside the board, however long the reader was away


@dataclass(frozen=True)
class Rows:
    """`now` is the moment of looking: everything on one page is told from it."""

    now: datetime
    lately: Sequence[Move]  # the latest, at least since the reader's last turn; the last is the game's last
    after: int  # the version before those that are told; its move is the first of the latest
    since: int  # the version up to which the reader has seen it all
    said: Sequence[hearing.Line] = ()  # oldest first
    submission: Submission | None = None  # the reader's turn that is on its way, or else the last that was decided
    letter: Letter | None = None  # the newest that was to reach the reader by now
    draft: Draft | None = None  # what the reader has chosen of their turn
    moves: int = 0  # that the reader has made at this title, as far as tips want to know
    before: bytes | None = None  # the position that the reader's is compared with
    elsewhere: int = 0  # how many other games wait for the reader
    note: notes.Written | None = None  # the reader's own
    looked_after: bool = False  # somebody else has agreed to look after the game
    nudges: Sequence[Nudge] = ()  # who has asked for turns that are open, where the reader waits


def look(session: Session, reader: Reader) -> Rows:
    game, seat, now = reader.game, reader.seat, utcnow()
    since = story.last_seen(game, seat) if seat else game.version
    after = min(since, game.version - LATELY)
    lately = story.moves_from(session, game, after)
    if seat is None:
        return Rows(now, lately, after, since, _said(session, reader))
    own = _own(session, reader, seat, now)
    return Rows(
        now,
        lately,
        after,
        since,
        _said(session, reader) if own.talked else (),
        own.submission,
        own.letter,
        own.draft,
        own.moves,
        positions.last_left(session, game, seat),
        own.elsewhere,
        notes.shown(own.note, seat),
        bool(own.moderators),
        _nudges(session, reader),
    )


def _said(session: Session, reader: Reader) -> Sequence[hearing.Line]:
    """The last lines, as many as there is room for: at least one."""
    lines = hearing.lately(session, reader.game, reader.listener, reader.seats, MOST_SAID)
    so_far = accumulate(len(line.remark.text) for line in reversed(lines))
    room = max(1, sum(letters <= MOST_LETTERS for letters in so_far))
    return lines[-room:]


def waiting_longest(session: Session, seats: Sequence[int], after: str = "") -> tuple[Seat, Game] | None:
    """Of these seats the one that was asked first, in a game that can be played on, and not in the one just left."""
    waiting = session.exec(
        select(Seat, Game)
        .join(Game, col(Game.id) == col(Seat.game_id))
        .where(col(Seat.id).in_(seats), col(Seat.asked).is_not(None), col(Game.public_id) != after)
        .order_by(col(Seat.asked_at), col(Seat.id))
    ).all()
    return next((row for row in waiting if not record.stranded(row[1])), None)


def sent_from(session: Session, reader: Reader, public_id: str) -> tuple[Seat, Game] | None:
    """Where the reader has just sent a turn, if it was from another seat of theirs."""
    theirs = select(Seat, Game).join(Game, col(Game.id) == col(Seat.game_id)).where(col(Seat.id).in_(reader.others))
    return session.exec(theirs.where(Game.public_id == public_id)).first()


_sent, _written = aliased(Submission), aliased(Letter)
_decided = col(_sent.decided_at)
_SUBMISSION = (
    select(_sent.id)
    .where(
        col(_sent.seat_id) == bindparam("seat"),
        or_(_decided.is_not(None), col(_sent.asked) == bindparam("asked")),
    )
    .order_by(_decided.is_not(None), _decided.desc())
    .limit(1)
    .scalar_subquery()
)
_LETTER = (
    select(_written.id)
    .where(
        col(_written.person_id) == bindparam("person"),
        col(_written.seat_id) == bindparam("seat"),
        col(_written.status) != LetterStatus.OBSOLETE,
        # One that failed is due again only later.
        or_(col(_written.due_at) <= bindparam("now"), col(_written.attempts) > 0),
    )
    .order_by(col(_written.id).desc())
    .limit(1)
    .scalar_subquery()
)
_MOVES = (
    select(func.count())
    .select_from(
        select(Move.id)
        .join(Game, col(Game.id) == col(Move.game_id))
        .where(
            col(Move.person_id) == bindparam("person"),
            col(Move.decided_by) == "player",
            col(Game.kind) == bindparam("kind"),
        )
        .limit(tips.FIRST_MOVES)
        .subquery()
    )
    .scalar_subquery()
)
_LOOKED_AFTER = (
    select(func.count())
    .where(col(Moderator.game_id) == col(Seat.game_id), col(Moderator.status) == Answer.ACCEPTED)
    .where(col(Moderator.person_id) != bindparam("person"))
    .correlate(Seat)
    .scalar_subquery()
)
_TALKED = sqlalchemy.exists().where(col(Remark.game_id) == col(Seat.game_id)).correlate(Seat)  # anybody, ever
_other = aliased(Seat)
_ELSEWHERE = (
    select(func.count())
    .where(among(col(_other.id), "others"), col(_other.asked).is_not(None), col(_other.game_id) != bindparam("game"))
    .scalar_subquery()
)
_OWN = (
    sqlalchemy.select(Submission, Letter, Draft, _MOVES, Note, _LOOKED_AFTER, _TALKED, _ELSEWHERE)
    .select_from(Seat)
    .outerjoin(Submission, col(Submission.id) == _SUBMISSION)
    .outerjoin(Letter, col(Letter.id) == _LETTER)
    .outerjoin(Draft, col(Draft.seat_id) == col(Seat.id))
    .outerjoin(Note, col(Note.seat_id) == col(Seat.id))
    .where(col(Seat.id) == bindparam("seat"))
    .options(
        load_only(Submission.asked, Submission.verdict, Submission.reason, raiseload=True),  # type: ignore[arg-type]
        load_only(Letter.status, Letter.sent_at, Letter.error, raiseload=True),  # type: ignore[arg-type]
    )
)


class _Own(NamedTuple):
    """What is there of the reader's own, and what hangs on nothing but them."""

    submission: Submission | None
    letter: Letter | None
    draft: Draft | None
    moves: int
    note: Note | None
    moderators: int
    talked: bool
    elsewhere: int


def _own(session: Session, reader: Reader, seat: Seat, now: datetime) -> _Own:
    here = {"game": reader.game.id, "kind": reader.game.kind, "others": list(reader.others), "now": now}
    theirs = {"seat": seat.id, "asked": seat.asked, "person": seat.person_id}
    return _Own(*session.execute(_OWN, here | theirs).one())


_NUDGES = (
    select(Nudge)
    .join(Seat, col(Seat.id) == col(Nudge.seat_id))
    .where(among(col(Seat.id), "seats"), col(Nudge.asked) == col(Seat.asked))
)


def _nudges(session: Session, reader: Reader) -> Sequence[Nudge]:
    thinking = [seat.id for seat in reader.seats if seat.asked is not None and not seat.bot]
    if not thinking or (reader.seat and reader.seat.asked is not None):
        return ()
    return session.exec(_NUDGES, params={"seats": thinking}).all()


def sitting_with_letters(session: Session, game: Game) -> Sequence[tuple[Seat, Person | None, Letter | None]]:
    """Every seat, who holds it, and the last letter to them about it: for those who look after the game."""
    last = (
        select(func.max(Letter.id))
        .where(Letter.seat_id == Seat.id, Letter.person_id == Seat.person_id)
        .correlate(Seat)
        .scalar_subquery()
    )
    return session.exec(
        select(Seat, Person, Letter)
        .outerjoin(Person, col(Person.id) == col(Seat.person_id))
        .outerjoin(Letter, col(Letter.id) == last)
        .where(Seat.game_id == game.id)
        .order_by(col(Seat.no))
    ).all()


def rulings(session: Session, game: Game, *where: Any) -> list[tuple[Ruling, Told]]:
    """What was decided about the game, newest first, and by whom and when."""
    found = session.exec(
        select(Ruling, Person)
        .outerjoin(Person, col(Person.id) == col(Ruling.person_id))
        .where(Ruling.game_id == game.id, *where)
        .order_by(col(Ruling.id).desc())
        .limit(MOST_RULINGS)
    )
    return [
        (ruling, decided(who.name if who else None, ruling.created_at, by_vote=ruling.by_vote)) for ruling, who in found
    ]
