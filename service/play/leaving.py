"""A player who leaves a game that is under way. The seat stays empty until somebody takes over; meanwhile it is played
at once, as the game's policy says. Everything runs inside the caller's transaction, with the game's row locked."""

from datetime import datetime

from sqlmodel import Session

from service import results
from service.models import Game, GameStatus, Person, Seat
from service.play import deciding, holders, moderators, record, turnclock
from service.play.reading import BadInput
from service.post import letters, outbox
from service.post.language import gettext as _
from service.post.told import told


def resign(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """The seat is empty from now on, and everybody is told. Where only bots would be left, the game is over."""
    if game.status is not GameStatus.RUNNING:
        raise BadInput(_("This game is not under way, so there is nothing to leave."))
    seats = record.seats_of(session, game)
    seat = seats[seat.no]
    person_id, name = seat.person_id, seat.name
    if holders.last_person(seats, seat):
        _end(session, game, seats, person_id, name)
        return
    holders.vacate(session, game, seat, now)
    turnclock.stop(seat)
    effect = told("%(name)s has left the game.", name=name)
    record.write_ruling(session, game, "resign", person_id, seat, told("Of their own accord."), effect)
    _tell(session, game, seats, seat)
    record.settle(session, game, seats, record.load(game), mover=None)
    deciding.recount(session, game, now)


def _end(session: Session, game: Game, seats: list[Seat], person_id: int | None, name: str) -> None:
    reason = told("%(name)s was the last person at the table, and has left.", name=name)
    effect = told(record.NO_RESULT)
    ruling = record.write_ruling(session, game, results.DESERTED, person_id, None, reason, effect)
    record.break_off(session, game, seats, ruling)


def _tell(session: Session, game: Game, seats: list[Seat], left: Seat) -> None:
    """Those who can name somebody for the seat are told where; the others at the table are told too."""
    naming = {game.organiser_id, *(moderator.id for moderator in moderators.of(session, game))}
    for reader in sorted(naming):
        outbox.write(session, letters.Vacant(game, left, reader))
    for other in seats:
        if other.person_id not in naming:
            outbox.write(session, letters.Resigned(other, left, game.version))


def ask_somebody(session: Session, game: Game, seat: Seat, name: str, mail: str, now: datetime) -> Person:
    """Offer an empty seat to somebody; it is theirs when they accept."""
    if game.status is not GameStatus.RUNNING or seat.resigned_at is None:
        raise BadInput(_("This seat is not free."))
    person = holders.newcomer(session, record.seats_of(session, game), name, mail)
    holders.offer(session, seat, person, now, by=session.get_one(Person, game.organiser_id))
    return person
