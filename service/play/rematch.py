"""The same people once more: for some weeks after the end whoever held a seat then can ask for it. One table comes of
it, however many ask. Knows no pages.
"""

from datetime import datetime, timedelta

from sqlmodel import Session, select

from service import limits
from service.config import Settings
from service.models import Game, GameStatus, Jury, Person, Seat, SeatStatus
from service.play import holders, making, moderators, record, turnclock
from service.play.making import OPEN_SEAT, Plan
from service.play.reading import BadInput
from service.post import blocked
from service.post.language import gettext as _

ASKED_FOR_WITHIN = timedelta(weeks=6)

Place = tuple[str, str | None]


def until(game: Game) -> datetime | None:
    """Until when it can be asked for; None of a game that is not over."""
    return game.finished_at + ASKED_FOR_WITHIN if game.status is GameStatus.FINISHED and game.finished_at else None


def is_possible(game: Game, now: datetime) -> bool:
    last = until(game)
    return last is not None and now < last


def made(session: Session, game: Game) -> Game | None:
    """The table that came of it, unless it was called off."""
    found = session.exec(select(Game).where(Game.rematch_of == game.id)).one_or_none()
    return found if found and found.status is not GameStatus.CANCELLED else None


def asked_by(session: Session, game: Game) -> str:
    """Who has asked for it first; nobody yet, if nothing is made."""
    again = made(session, game)
    return session.get_one(Person, again.organiser_id).name if again else ""


def has_said_yes(session: Session, game: Game, person_id: int | None) -> bool:
    """Whether they sit at the table that came of it."""
    again = made(session, game)
    seats = record.seats_of(session, again) if again else []
    return any(seat.person_id == person_id and seat.status is SeatStatus.ACCEPTED for seat in seats)


def rotated(session: Session, game: Game) -> list[Seat]:
    """The seats of the last game, each one further: who was second is first now."""
    seats = record.seats_of(session, game)
    return seats[1:] + seats[:1]


def ask(session: Session, settings: Settings, game: Game, person: Person, now: datetime) -> tuple[Game, Seat]:
    """With the old game locked. The rematch and the seat of whoever asks, who has said yes by asking."""
    if not is_possible(game, now):
        raise BadInput(_("This game is too long ago for a rematch. You can make a new one with the same people."))
    again = made(session, game)
    if again is None:
        limits.count("games", person.id)
        _let_go_of_the_last(session, game)
        again = making.create(session, _plan(session, settings, game, person))
    else:
        again = record.lock(session, again.id)
    seat = next((seat for seat in record.seats_of(session, again) if seat.person_id == person.id), None)
    if seat is None:
        raise BadInput(_("The rematch is made already, and you have no seat at it. Its organiser may find you one."))
    if again.status is GameStatus.INVITED and seat.status is not SeatStatus.ACCEPTED:
        making.accept(session, again, seat, seat.name)
    return again, seat


def _let_go_of_the_last(session: Session, game: Game) -> None:
    """One that was called off makes room for another."""
    found = session.exec(select(Game).where(Game.rematch_of == game.id)).one_or_none()
    if found:
        found.rematch_of = None
        session.add(found)
        session.flush()


def _plan(session: Session, settings: Settings, game: Game, person: Person) -> Plan:
    """The same people, options and pace. Addresses stay unseen by whoever asks: it was not them who typed them."""
    seats = rotated(session, game)
    places = {seat.no: _place(session, settings, seat) for seat in seats}
    jury, moderator = _jury(session, game, [mail for _, mail in places.values()])
    return Plan(
        kind=game.kind,
        organiser=(person.given, person.address),
        seats=[places[seat.no] for seat in seats],
        present=True,
        typed=False,
        options=game.options,
        pace=turnclock.pace_of(game),
        policy=game.policy,
        fallback=game.fallback,
        moderator_hours=game.moderator_hours,
        bot_after=game.bot_after,
        away_days=game.away_days,
        silent_rounds=game.silent_rounds,
        silent_days=game.silent_days,
        name=game.name,
        whispers=game.whispers,
        colours={mail: seat.colour for seat in seats if (mail := places[seat.no][1]) and seat.colour is not None},
        rematch_of=game.id,
        jury=jury,
        moderator=moderator,
        components=game.components,
    )


def _place(session: Session, settings: Settings, seat: Seat) -> Place:
    """Who held the seat at the end. One that somebody has left, or whose holder cannot be written to, is open; a bot's
    is a bot's, by a name of its own if it had taken over somebody's."""
    person = session.get(Person, seat.person_id) if seat.person_id else None
    if person and not person.gone and not blocked.is_blocked(session, settings, person.address):
        return seat.given or person.given, person.address
    if person or seat.resigned_at:
        return OPEN_SEAT
    own = holders.named_after(session, seat) is None
    return (seat.given if own else "") or _("Bot %(number)s", number=seat.no + 1), None


def _jury(session: Session, game: Game, players: list[str | None]) -> tuple[Jury, tuple[str, str] | None]:
    """Whoever looked after the game is asked again; where nobody did, or they are gone, the group decides."""
    for person in moderators.of(session, game):
        if not person.gone and game.jury is not Jury.GROUP:
            jury = Jury.PLAYER if person.mail in players else Jury.OUTSIDER
            return jury, (person.given, person.address)
    return Jury.GROUP, None
