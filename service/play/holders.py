"""Who holds a seat, and how it goes to somebody else or to the bot in the middle of a game.

Everything runs inside the caller's transaction, with the game's row locked.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from service.models import Draft, Game, Person, Ruling, Seat, Tenure
from service.play import making, moderators, notes, proposals, record, strangers, turnclock
from service.play.reading import BadInput, read_mail, read_name
from service.post import letters, links, outbox
from service.post.language import gettext as _
from service.post.told import Told, told


def give_to_bot(session: Session, game: Game, seat: Seat, ruling: Ruling) -> Told:
    """The built-in player takes the seat from now on, and answers what is open at once."""
    seats = record.seats_of(session, game)
    seat = seats[seat.no]
    _change_holder(session, game, seat, None, ruling)
    name = seat.name
    match = record.load(game)
    turnclock.stop(seat)
    record.settle(session, game, seats, match, mover=None)
    return told("The bot plays for %(name)s from now on.", name=name)


def take_over(session: Session, game: Game, seat: Seat, person: Person) -> None:
    """Somebody new has accepted the seat: what is open is theirs, with a fresh clock and a letter of their own."""
    seats = record.seats_of(session, game)
    seat = seats[seat.no]
    old = seat.name
    effect = told("%(name)s plays for %(holder)s from now on.", name=person.name, holder=old)
    reason = told("%(name)s was asked, and has accepted.", name=person.name)
    ruling = record.write_ruling(session, game, "substitute", person.id, seat, reason, effect)
    _change_holder(session, game, seat, person.id, ruling)
    seat.given, seat.reserve = person.given, game.pace["reserve"]
    turnclock.stop(seat)
    game.version += 1  # whatever the old holder had in hand is out of date
    record.take_note(session, game, record.load(game))
    record.settle(session, game, seats, record.load(game), mover=None)
    proposals.put_to_newcomer(session, game, seat)
    record.tell_ruling(session, seats, ruling)
    for reader in _askers(session, game, seat) - {other.person_id for other in seats}:
        outbox.write(session, letters.Answered(game, reader, person.id, person.name, what="taken", seat=old))


def last_person(seats: Sequence[Seat], seat: Seat) -> bool:
    """Whether nobody but bots would be left without whoever sits here."""
    return all(other.bot or other.id == seat.id for other in seats)


def has_left(session: Session, seat: Seat, person_id: int) -> bool:
    """The seat is free because they have left it."""
    return seat.resigned_at is not None and named_after(session, seat) == person_id


def named_after(session: Session, seat: Seat) -> int | None:
    """Whose name the seat bears: that of the last person who held it, also while a bot plays it or nobody."""
    if seat.person_id is not None:
        return seat.person_id
    held = select(Tenure.person_id).where(Tenure.seat_id == seat.id, col(Tenure.person_id).is_not(None))
    return session.exec(held.order_by(col(Tenure.id).desc()).limit(1)).first()


def newcomer(session: Session, seats: Sequence[Seat], name: str, mail: str) -> Person:
    """Somebody from outside who may be asked to take over a seat."""
    person = making.person_for(session, read_name(name), read_mail(mail))
    if any(seat.person_id == person.id for seat in seats):
        raise BadInput(_("This address has a seat at the table already."), "mail")
    return person


def offer(session: Session, seat: Seat, person: Person, now: datetime, *, by: Person) -> None:
    """Ask them by letter; the seat is theirs when they accept, and until then nothing changes."""
    strangers.may_be_written_to(by, person)
    seat.offered_to = person.id
    session.add(seat)
    outbox.write(session, letters.Offer(seat, now))


def vacate(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """Whoever sits here has left: nobody does until somebody takes over."""
    _close_tenure(session, game, seat, None)
    links.revoke_seat(session, seat)
    _empty(session, seat, None)
    seat.resigned_at = now
    session.add(seat)


def decline_offer(session: Session, game: Game, seat: Seat, person: Person) -> None:
    """Those who look after the game are told, and whoever had them asked."""
    seat.offered_to = None
    session.add(seat)
    for reader in _askers(session, game, seat):
        outbox.write(session, letters.Answered(game, reader, person.id, person.name, what="seat", seat=seat.name))


def _askers(session: Session, game: Game, seat: Seat) -> set[int]:
    """Those who wait for the answer of whoever is asked to take over: organiser, moderators, and who had them asked."""
    asked = select(Ruling.person_id).where(
        Ruling.game_id == game.id, Ruling.seat_no == seat.no, Ruling.name == "substitute"
    )
    last = session.exec(asked.order_by(col(Ruling.id).desc()).limit(1))
    waiting = {game.organiser_id, *(moderator.id for moderator in moderators.of(session, game))}
    return waiting | {who for who in last if who is not None}


def _change_holder(session: Session, game: Game, seat: Seat, person_id: int | None, ruling: Ruling) -> None:
    """The seat goes to somebody else: tenure is recorded, the old links stop working, the old holder is told."""
    _close_tenure(session, game, seat, person_id)
    outbox.write(session, letters.Left(game, seat, ruling, to_bot=person_id is None))
    links.revoke_seat(session, seat)
    _empty(session, seat, person_id)
    session.add(seat)


def _empty(session: Session, seat: Seat, person_id: int | None) -> None:
    """Nothing of the old holder stays with the seat."""
    notes.drop(session, seat)
    if draft := session.get(Draft, seat.id):
        session.delete(draft)
    seat.deaf, seat.muted = False, []
    seat.person_id, seat.offered_to, seat.misses, seat.orders, seat.resigned_at = person_id, None, 0, {}, None
    seat.typed_by, seat.stood_still, seat.missed, seat.excused = None, 0, 0, 0


def _close_tenure(session: Session, game: Game, seat: Seat, next_person: int | None) -> None:
    """Somebody else holds the seat from this version on."""
    for tenure in session.exec(select(Tenure).where(Tenure.seat_id == seat.id, col(Tenure.to_version).is_(None))):
        tenure.to_version = game.version
        session.add(tenure)
    session.add(Tenure(seat_id=seat.id, person_id=next_person, from_version=game.version))
