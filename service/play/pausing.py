"""Pauses: the clocks stand still meanwhile. Who may have one is decided elsewhere (service/play/deciding.py)."""

from datetime import datetime, timedelta

from sqlmodel import Session

from service.models import Game, Ruling, Seat
from service.play import proposals, record, turnclock
from service.play.reading import BadInput
from service.post import letters, outbox
from service.post.language import gettext as _
from service.post.language import marked
from service.post.told import Told, told

LONGEST = timedelta(days=30)

STAND_STILL = marked("All clocks stand still until %(until)s at the latest.")
RUN_ON = marked("All clocks run on from where they stood.")


def pause(session: Session, game: Game, span: timedelta, reason: Told, person_id: int | None, now: datetime) -> None:
    ruling = record.write_ruling(session, game, "pause", person_id, None, reason)
    ruling.effect = stand_still(session, game, span, ruling, now)


def resume(session: Session, game: Game, reason: Told, person_id: int | None, now: datetime) -> None:
    ruling = record.write_ruling(session, game, "resume", person_id, None, reason)
    ruling.effect = run_on(session, game, ruling, now)


def stand_still(session: Session, game: Game, span: timedelta, ruling: Ruling, now: datetime) -> Told:
    if game.paused_at is not None:
        raise BadInput(_("The game is paused already."))
    if not timedelta(0) < span <= LONGEST:
        raise BadInput(_("A pause is at least a day and at most %(days)s days long.", days=LONGEST.days), "days")
    for seat in stop_clocks(session, game, span, now):
        outbox.write(session, letters.Paused(seat, ruling))
    return told(STAND_STILL, until=game.paused_until)


def stop_clocks(session: Session, game: Game, span: timedelta, now: datetime) -> list[Seat]:
    """Nobody is looked at until they run on; the seats whose clocks these were."""
    game.paused_at, game.paused_until = now, now + span
    seats = record.seats_of(session, game)
    for seat in seats:
        seat.due_at = None
    session.add_all([game, *seats])
    proposals.review(session, game, seats)
    return seats


def run_on(session: Session, game: Game, ruling: Ruling, now: datetime) -> Told:
    """The clocks run on from where they stood."""
    if game.paused_at is None:
        raise BadInput(_("The game is not paused."))
    since, game.paused_at, game.paused_until = game.paused_at, None, None
    game.silent_since, game.heard_version = None, game.version
    seats = record.seats_of(session, game)
    for seat in seats:
        turnclock.run_on(session, game, seat, since, now)
    # Whose time is up is told by the sweep, in a moment: all of it is one letter.
    overdue = any(seat.deadline is not None and seat.deadline <= now for seat in seats)
    for seat in seats:
        outbox.write(session, letters.Resumed(seat, ruling, now + outbox.MOMENT if overdue else None))
    session.add(game)
    proposals.review(session, game, seats)
    return told(RUN_ON)
