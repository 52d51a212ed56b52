"""The adjudicator: a turn that was sent is checked against the rules and becomes a move, or is sent back with a reason.

Move, snapshot, next questions, letters and verdict are one transaction under the game's lock. Killed anywhere in it,
nothing has happened; delivered again after it, there is nothing left to do.
"""

import logging

from sqlmodel import Session

from engine import IllegalChoice, UnknownSave
from service import outbox, record
from service.db import utcnow
from service.models import Draft, Game, GameStatus, Seat, Submission, Verdict

log = logging.getLogger(__name__)


def adjudicate(submission_id: int) -> Verdict | None:
    """Decide one submission. Returns the verdict, or None if there was nothing (more) to decide."""
    with outbox.transaction() as session:
        submission = session.get(Submission, submission_id)
        if submission is None:
            return None
        game = record.lock(session, submission.game_id)
        session.refresh(submission)  # it may have been decided while we waited for the lock
        if submission.verdict is not Verdict.RECEIVED:
            return None
        _decide(session, game, submission)
        submission.decided_at = utcnow()
        session.add(submission)
    return submission.verdict


def _decide(session: Session, game: Game, submission: Submission) -> None:
    seats = record.seats_of(session, game)
    seat = next(seat for seat in seats if seat.id == submission.seat_id)
    refusal = _refusal(game, seat, submission)
    if refusal is None:
        match = record.load(game)
        try:
            record.move(
                session, game, match, seat, submission.choices, decided_by="player", submission_id=submission.id
            )
        except IllegalChoice as error:
            refusal = f"The rules do not allow this turn: {error}."
        else:
            submission.verdict = Verdict.ACCEPTED
            draft = session.get(Draft, seat.id)
            if draft is not None:
                session.delete(draft)
            record.settle(session, game, seats, match, mover=seat)
            return
    submission.verdict, submission.reason = Verdict.REJECTED, refusal
    log.info("submission %s of game %s rejected: %s", submission.id, game.public_id, refusal)


def _refusal(game: Game, seat: Seat, submission: Submission) -> str | None:
    if game.status is not GameStatus.RUNNING:
        return "The game is over."
    if seat.asked != submission.asked:
        return "The game had moved on before this turn arrived: it was sent from another window, or decided otherwise."
    try:
        record.load(game)
    except UnknownSave as error:
        return f"This game cannot go on under the present rules ({error}). Please tell the moderator."
    return None
