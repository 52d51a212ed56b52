"""The adjudicator: a turn that was sent is checked against the rules and becomes a move, or is sent back with a reason.

Move, snapshot, next questions, letters and verdict are one transaction under the game's lock. Killed anywhere in it,
nothing has happened; delivered again after it, there is nothing left to do.
"""

import logging

from sqlalchemy import bindparam
from sqlmodel import Session, SQLModel, col, select, update

from engine import IllegalChoice, UnknownSave
from service.db import LOCKED, utcnow
from service.models import Game, GameStatus, Seat, Submission, Verdict
from service.play import record, silence, talking
from service.post import outbox
from service.post.language import marked
from service.post.told import Told, told

log = logging.getLogger(__name__)


# Both rows locked and read as they are then: the submission may have been decided while we waited.
_LOCKED = (
    select(Game, Submission)
    .join(Submission, col(Submission.game_id) == col(Game.id))
    .where(col(Submission.id) == bindparam("submission"))
    .with_for_update(**LOCKED)
)

_ROWS = SQLModel.metadata.tables["submission"]
_VERDICT = (
    update(_ROWS)
    .where(_ROWS.c.id == bindparam("submission"))
    .values(verdict=bindparam("as"), reason=bindparam("why"), decided_at=bindparam("now"))
)


class Refused(Exception):
    """The turn cannot be played, whatever it says. The sentence tells the player why."""


@outbox.transaction
def adjudicate(session: Session, submission_id: int) -> Verdict | None:
    """Decide one submission. Returns the verdict, or None if there was nothing (more) to decide."""
    with session.no_autoflush:  # all of it is written at once, at the end
        found = session.exec(_LOCKED, params={"submission": submission_id}).one_or_none()
        if found is None:
            return None
        game, submission = found
        if submission.verdict is not Verdict.RECEIVED:
            return None
        verdict, reason = _decide(session, game, submission)
        decided = {"submission": submission_id, "as": verdict, "why": reason, "now": utcnow()}
        session.execute(_VERDICT, decided)
    return verdict


def _decide(session: Session, game: Game, submission: Submission) -> tuple[Verdict, Told | None]:
    seats = record.seats_of(session, game)
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
