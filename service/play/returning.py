"""Letters to somebody come back, so nothing can be told to them. Those who look after their games learn of it, once;
what else there is to tell them waits; and the clocks of their open turns stand still for a while. Once in a turn, and
seldom in a game: anybody can write what looks like a letter that came back, and nobody must gain by it.

It is over when they act by a link of theirs, answer a letter or have another address, or when it is to be tried again.
Everything runs inside the caller's transaction. Knows no mail.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, or_, select

from service import limits
from service.db import utcnow
from service.models import Game, GameStatus, Letter, LetterStatus, Person, Seat
from service.play import moderators, proposals, record, turnclock
from service.post import letters, moments, outbox
from service.post.blocked import counted_as
from service.post.language import gettext as _
from service.post.told import told

MOST_TIMES = 3  # that clocks stand still for somebody in one game
TELL_AGAIN = timedelta(days=7)


def come_back(
    session: Session, person: Person, returned: Sequence[Letter], why: str, still: timedelta, now: datetime
) -> None:
    """These letters to them, told in one message, did not arrive and will not. `still`: for how long a clock stands
    still. The person is locked (`record.lock_person`)."""
    for letter in returned:
        if letter.status is LetterStatus.RETURNED:
            continue
        letter.status, letter.claimed_at, letter.error = LetterStatus.RETURNED, None, why
        session.add(letter)
    if person.returned_at is not None:
        return
    person.returned_at, person.returned_why = now, why
    session.add(person)
    for game in _games(session, person, [letter.game_id for letter in returned]):
        seats = record.seats_of(session, game)
        for seat in seats:
            if seat.person_id == person.id:
                _stand_still(session, game, seat, still, now)
        proposals.review(session, game, seats)
        for reader in _who_is_told(session, game, seats, person, now):
            outbox.write(session, letters.Returned(game, reader, person, now))


def message_of(session: Session, lead: Letter) -> list[Letter]:
    """All letters that went out in one message with this one, which led it."""
    told_with = or_(col(Letter.id) == lead.id, col(Letter.along_with) == lead.id)
    rows = select(Letter).where(told_with).order_by(col(Letter.id))
    return list(session.exec(rows.execution_options(populate_existing=True)))


def reach(session: Session, person: Person, now: datetime, *, again: bool = False) -> bool:
    """They are there, or it is to be tried again: what waited goes out, and is looked at whether it is still true.
    `again`: what came back too. The person is locked. False if nothing had come back."""
    if person.returned_at is None:
        return False
    person.returned_at, person.returned_why, person.reached_at = None, "", now
    session.add(person)
    kept = select(Letter).where(Letter.person_id == person.id).order_by(col(Letter.id))
    for letter in session.exec(kept.where(col(Letter.status).in_([LetterStatus.HELD, LetterStatus.RETURNED]))):
        if letter.status is LetterStatus.HELD or again:
            letter.status, letter.error, letter.attempts = LetterStatus.WAITING, "", 0
            outbox.hurry(session, letter)
        else:
            letter.status = LetterStatus.FAILED
            session.add(letter)
    return True


def try_again(session: Session, person_id: int | None, *, by: int) -> bool:
    """Somebody says that their mail may work again: what came back goes out once more. Not too often, for whoever has
    the address by now may be anybody."""
    person = record.lock_person(session, person_id) if person_id is not None else None
    if person is None or person.returned_at is None:
        return False
    limits.count("recipient", by, counted_as(person.address))
    return reach(session, person, utcnow(), again=True)


def _games(session: Session, person: Person, besides: Iterable[int | None]) -> Sequence[Game]:
    """Where they sit, and what the letters were about: they may be asked to look after it, or to take over a seat."""
    theirs = select(Seat.game_id).where(Seat.person_id == person.id)
    concerned = or_(col(Game.id).in_(theirs), col(Game.id).in_([game for game in besides if game is not None]))
    going_on = col(Game.status).in_([GameStatus.INVITED, GameStatus.RUNNING])
    return session.exec(select(Game).where(concerned, going_on).order_by(col(Game.id))).all()


def _stand_still(session: Session, game: Game, seat: Seat, longest: timedelta, now: datetime) -> None:
    """No longer than a whole turn may take: in a game for one evening nobody waits until tomorrow."""
    span = min(longest, turnclock.pace_of(game).allowance)
    if seat.asked is None or seat.still_until is not None or seat.stood_still >= MOST_TIMES or not span:
        return
    turnclock.extend(session, game, seat, span, now)
    seat.still_until, seat.stood_still = now + span, seat.stood_still + 1
    session.add(seat)
    reason = told("Letters to %(name)s come back.", name=seat.name)
    effect = told("The clock of this turn stands still for %(length)s, once.", length=span)
    record.write_ruling(session, game, "returned", None, seat, reason, effect)


def _who_is_told(session: Session, game: Game, seats: Sequence[Seat], person: Person, now: datetime) -> list[int]:
    """Whoever made the game or looks after it, or where that is nobody else, all who play; and of those who were told
    a while ago of the same person nobody."""
    looking = {game.organiser_id, *(moderator.id for moderator in moderators.of(session, game))} - {person.id}
    players = {seat.person_id for seat in seats if seat.person_id is not None} - {person.id}
    lately = select(Letter).where(Letter.game_id == game.id, Letter.kind == letters.Returned.name)
    told_already = session.exec(lately.where(col(Letter.created_at) > now - TELL_AGAIN))
    return sorted((looking or players) - {row.person_id for row in told_already if row.about["person"] == person.id})


def unreached(session: Session, most: int) -> Sequence[Person]:
    """Those to whom letters come back, for whoever runs the service; the newest first."""
    marked = select(Person).where(col(Person.returned_at).is_not(None))
    return session.exec(marked.order_by(col(Person.returned_at).desc()).limit(most)).all()


def words_for(person: Person | None) -> str:
    """That letters to them come back, and why, for those who may know it."""
    if person is None or person.returned_at is None:
        return ""
    if not person.returned_why:
        return _("letters to them come back")
    return _("letters to them come back: %(why)s", why=person.returned_why)


def words_of_the_clock(game: Game, seat: Seat, zone: str, now: datetime) -> str:
    """That it stands still meanwhile. In a pause all do."""
    if seat.still_until is None or now >= seat.still_until or game.paused_at is not None:
        return ""
    return _("the clock stands still until %(time)s", time=moments.both(seat.still_until, zone))
