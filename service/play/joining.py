"""Open seats: whoever has the code of a game asks for one, is written to, and sits when they have come by that letter.
The first who confirm sit; the organiser can say no until the game begins. Knows no pages.
"""

import re

from sqlmodel import Session, col, select

from service import limits
from service.db import utcnow
from service.models import Game, GameStatus, Jury, Person, Seat, SeatStatus
from service.play import making, moderators, record, strangers
from service.play.reading import BadInput
from service.post import letters, links, outbox
from service.post.blocked import counted_as
from service.post.language import gettext as _

MOST_LISTED = 50


def read_code(typed: str) -> str:
    """As people type it: in capitals, with blanks or a dash in the middle."""
    return re.sub(r"[\s-]", "", typed).lower()[: making.CODE_LENGTH + 1]


def shown(code: str) -> str:
    return f"{code[:4]}-{code[4:]}"


def find(session: Session, code: str) -> Game | None:
    """The game with this code, as long as it gathers players."""
    found = session.exec(select(Game).where(Game.code == code)).one_or_none()
    return found if found and found.status is GameStatus.INVITED else None


def open_seats(seats: list[Seat]) -> list[Seat]:
    return [seat for seat in seats if seat.status is SeatStatus.OPEN]


def listed(session: Session) -> list[tuple[Game, int, int]]:
    """The tables that their organisers want to be found, the one that has waited longest first: each with how many
    seats it has, and how many are open."""
    rows = session.exec(
        select(Game, Seat.status)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(Game.status == GameStatus.INVITED, col(Game.listed).is_(True))
        .order_by(col(Game.created_at), col(Game.id))
        .limit(MOST_LISTED * 4)
    ).all()
    games = {game.id: game for game, _ in rows}
    counted = {id: [status for game, status in rows if game.id == id] for id in games}
    return [
        (game, len(counted[id]), counted[id].count(SeatStatus.OPEN))
        for id, game in games.items()
        if SeatStatus.OPEN in counted[id]
    ]


def ask(session: Session, game: Game, name: str, mail: str, zone: str) -> None:
    """A letter to an address that anybody can have typed: it counts as one of the organiser's, who has opened the
    table, and of the visitor's."""
    limits.count("recipient", game.organiser_id, counted_as(mail))
    limits.count_visitor("strangers")
    person = making.person_for(session, name, mail, zone)
    outbox.write(session, letters.Join(game, person))


def sit(session: Session, game: Game, person: Person, colour: int | None) -> Seat:
    """They have come by their letter, and mean it. BadInput says why there is no seat for them."""
    seats = record.seats_of(session, game)
    if game.status is not GameStatus.INVITED:
        raise BadInput(_("This game has begun or was called off. There is no seat any more."))
    if any(seat.person_id == person.id for seat in seats):
        raise BadInput(_("You have a seat at this table already."))
    if game.jury is Jury.OUTSIDER and moderators.row(session, game, person.id):
        raise BadInput(_("You look after this game, so you do not play in it."))
    free = open_seats(seats)
    if not free:
        raise BadInput(_("Others were quicker: no seat is open any more."))
    strangers.confirm(session, person)
    seat = free[0]
    seat.person_id, seat.given, seat.status, seat.said_at = person.id, person.given, SeatStatus.ACCEPTED, utcnow()
    seat.joined, seat.colour = True, colour
    session.add(seat)
    outbox.write(session, letters.Seated(seat))
    outbox.write(session, letters.Joined(game, seat))
    making.start_if_complete(session, game)
    return seat


def refuse(session: Session, game: Game, seat: Seat) -> str:
    """The organiser's no to somebody who has come with the code. They are told, and the seat is open again."""
    if game.status is not GameStatus.INVITED:
        raise BadInput(_("This game has begun or was called off; its seats cannot be changed here any more."))
    if not seat.joined or seat.person_id is None:
        raise BadInput(_("Nobody has come to this seat with the code."), "seat")
    name = seat.name
    person = session.get_one(Person, seat.person_id)
    outbox.write(session, letters.NoSeat(game, person.id, "refused"))
    links.revoke_join(session, game, person)
    making.reopen(session, seat)
    return name


def new_code(session: Session, game: Game) -> None:
    """The old one has got into the wrong hands."""
    if game.status is not GameStatus.INVITED or game.code is None:
        raise BadInput(_("This game has begun or was called off; its seats cannot be changed here any more."))
    game.code = None
    session.flush()
    making.open_table(session, game, listed=game.listed)
