"""The adjudicator: a turn that was sent is checked against the rules and becomes a move, or is sent back with a reason.

Move, snapshot, next questions, letters and verdict are one transaction under the game's lock. Killed anywhere in it,
nothing has happened; delivered again after it, there is nothing left to do. Turns of other games that wait too are
played in the same transaction: what a statement and a commit cost is shared by all of them.
"""

import logging
from collections import deque
from itertools import chain

from sqlalchemy import bindparam
from sqlmodel import Session, SQLModel, col, select, update

from engine import IllegalChoice, UnknownSave
from service.bulk import among, gathered, write_changed
from service.db import LOCKED, is_lost, utcnow
from service.models import Game, GameStatus, Seat, Submission, Verdict
from service.play import positions, record, silence, talking, turnclock
from service.post import outbox
from service.post.language import marked
from service.post.told import Told, told

log = logging.getLogger(__name__)

AT_ONCE = 100  # turns in one transaction

# Both rows locked and read as they are then: the submission may have been decided while we waited.
_WAITING = (
    select(Game, Submission)
    .join(Submission, col(Submission.game_id) == col(Game.id))
    .where(col(Submission.verdict) == Verdict.RECEIVED)
)
_NAMED = _WAITING.where(col(Submission.id) == bindparam("submission")).with_for_update(**LOCKED)
# What somebody else has in hand is passed over, so that nobody waits for a game while holding another one.
_OTHERS = (
    _WAITING.where(col(Submission.id) != bindparam("submission"))
    .where(~among(col(Submission.id), "awkward"))
    .order_by(col(Submission.posted_at), col(Submission.id))
    .limit(AT_ONCE - 1)
    .with_for_update(skip_locked=True, **LOCKED)
)

_ROWS = SQLModel.metadata.tables["submission"]
_VERDICT = (
    update(_ROWS)
    .where(among(_ROWS.c.id, "submissions"))
    .values(verdict=bindparam("as"), reason=bindparam("why"), decided_at=bindparam("now"))
)


class Refused(Exception):
    """The turn cannot be played, whatever it says. The sentence tells the player why."""


# What could not be played in company: its own task tries again, and nobody else has to suffer for it.
_awkward: deque[int] = deque(maxlen=100)


def adjudicate(submission_id: int) -> Verdict | None:
    """Decide one submission. Returns the verdict, or None if there was nothing (more) to decide."""
    return adjudicate_waiting(submission_id).get(submission_id)


def adjudicate_waiting(submission_id: int) -> dict[int, Verdict]:
    """Decide this submission and, in the same transaction, others that wait. Returns all verdicts."""
    drawn: list[int] = []
    try:
        return _in_company(submission_id, AT_ONCE - 1, drawn)
    except Exception as error:  # of one of them, or of all: each by itself will tell
        if len(drawn) <= 1 or is_lost(error):
            raise
        log.exception("%s turns could not be played together, and are played one by one", len(drawn))
    return _one_by_one(drawn)


def _one_by_one(submissions: list[int]) -> dict[int, Verdict]:
    """The first is the one that was asked for: what is wrong with it is raised, after all others had their turn."""
    verdicts: dict[int, Verdict] = {}
    for submission_id in reversed(submissions):
        try:
            verdicts |= _in_company(submission_id, 0, [])
        except Exception:
            _awkward.append(submission_id)
            if submission_id == submissions[0]:
                raise
            log.exception("submission %s could not be decided", submission_id)
    return verdicts


@outbox.transaction
def _in_company(session: Session, submission_id: int, others: int, drawn: list[int]) -> dict[int, Verdict]:
    """Tells in `drawn` what it has begun with, also when it fails."""
    with session.no_autoflush:  # all of it is written at once, at the end
        waiting = _draw(session, submission_id, others)
        drawn[:] = [submission.id for _, submission in waiting]
        if not waiting:
            return {}
        games = {game.id: game for game, _ in waiting}
        tables = record.seats_of_all(session, games.values())
        turnclock.read_ahead(session, games, chain.from_iterable(tables.values()))
        positions.read_ahead(session, tables)
        with gathered(session):
            decided = {
                submission.id: _decide(session, game, tables[game.id], submission) for game, submission in waiting
            }
        _write_down(session, decided)
        write_changed(session, Game)
        write_changed(session, Seat)
    return {row: verdict for row, (verdict, _) in decided.items()}


def _write_down(session: Session, decided: dict[int, tuple[Verdict, Told | None]]) -> None:
    """Those that are accepted, as nearly all are, in one statement."""
    accepted = [row for row, (verdict, _) in decided.items() if verdict is Verdict.ACCEPTED]
    refused = {row: reason for row, (verdict, reason) in decided.items() if verdict is not Verdict.ACCEPTED}
    now = utcnow()
    if accepted:
        session.execute(_VERDICT, {"submissions": accepted, "as": Verdict.ACCEPTED, "why": None, "now": now})
    for row, reason in refused.items():
        session.execute(_VERDICT, {"submissions": [row], "as": Verdict.REJECTED, "why": reason, "now": now})


def _draw(session: Session, submission_id: int, others: int) -> list[tuple[Game, Submission]]:
    """This one, if it still waits, and some that wait longest in other games."""
    named = session.exec(_NAMED, params={"submission": submission_id}).all()
    if not named or not others:
        return list(named)
    found = {game.id: (game, submission) for game, submission in named}
    for game, submission in session.exec(_OTHERS, params={"submission": submission_id, "awkward": list(_awkward)}):
        found.setdefault(game.id, (game, submission))
    return list(found.values())


def _decide(session: Session, game: Game, seats: list[Seat], submission: Submission) -> tuple[Verdict, Told | None]:
    seat = next(seat for seat in seats if seat.id == submission.seat_id)
    try:
        _check_it_is_open(game, seat, submission)
        match = record.load(game)
        record.move(session, game, match, seat, submission.choices, decided_by="player", submission_id=submission.id)
    except Refused as refusal:
        return _reject(submission, refusal, told(str(refusal)))
    except IllegalChoice as error:
        return _reject(submission, error, told("The rules do not allow this turn."))
    except UnknownSave as error:
        return _reject(
            submission, error, told("This game cannot go on under the present rules. Please tell the moderator.")
        )
    if submission.line:
        talking.say_with_turn(session, game, seat, submission.line, utcnow())
    record.settle(session, game, seats, match, mover=seat)
    silence.broken(session, game, seat, utcnow())
    return Verdict.ACCEPTED, None


def _check_it_is_open(game: Game, seat: Seat, submission: Submission) -> None:
    if game.status is not GameStatus.RUNNING:
        raise Refused(marked("The game is over."))
    if seat.asked != submission.asked:
        raise Refused(
            marked("The game had moved on before this turn arrived: perhaps it was sent from another window.")
        )


def _reject(submission: Submission, error: Exception, reason: Told) -> tuple[Verdict, Told | None]:
    log.info("submission %s rejected: %s", submission.id, error)
    return Verdict.REJECTED, reason
