"""Who is looking: the links this browser has opened, kept as grants in a signed cookie.

A grant is the id of a link; whether it still opens anything is looked up each time, so a revoked link stops at once.
One browser may hold several seats, also of the same game.
"""

from dataclasses import dataclass

from flask import abort, current_app
from flask import session as cookie
from sqlmodel import Session, col, select

from engine import GAMES
from service.config import Settings
from service.models import Game, Link, Person, Seat
from service.play import record
from service.post import language, links

MOST_GRANTS = 60  # what a cookie has room for; the oldest go first


class NoKey(Exception):
    """This browser holds no link to what was asked for. The text says what to do."""


def settings() -> Settings:
    found: Settings = current_app.extensions["hikyaku"]
    return found


def grant(link: Link) -> None:
    """Remember an opened link in this browser: one for each seat or desk, the newest."""
    place = f"{link.scope}:{link.seat_id or link.game_id or link.person_id}"
    grants = {k: v for k, v in cookie.get("grants", {}).items() if k != place}
    grants[place] = link.id
    cookie["grants"] = dict(list(grants.items())[-MOST_GRANTS:])
    cookie.permanent = True


@dataclass
class Visitor:
    """What this browser may open."""

    links: list[Link]

    def seat_ids(self, game: Game | None = None) -> list[int]:
        held = [k for k in self.links if k.scope == links.SEAT and (game is None or k.game_id == game.id)]
        return [link.seat_id for link in held if link.seat_id is not None]

    def organises(self, game: Game) -> bool:
        return any(k.scope == links.ORGANISER and k.game_id == game.id for k in self.links)

    def may_watch(self, game: Game) -> bool:
        return any(k.game_id == game.id or k.scope == links.OPERATOR for k in self.links)


def visitor(session: Session) -> Visitor:
    return Visitor(links.alive(session, list(cookie.get("grants", {}).values())))


def find_game(session: Session, public_id: str) -> Game:
    game = session.exec(select(Game).where(Game.public_id == public_id)).one_or_none()
    if game is None:
        abort(404)
    language.in_dialect(GAMES[game.kind].dialect_of(game.options))
    return game


def open_seat(session: Session, public_id: str, no: int, *, lock: bool = False) -> tuple[Game, Seat]:
    """The game and the seat, if this browser holds a link to just this seat."""
    game = find_game(session, public_id)
    if lock:
        game = record.lock(session, game.id)
    seat = session.exec(select(Seat).where(Seat.game_id == game.id, Seat.no == no)).one_or_none()
    if seat is None or seat.id not in visitor(session).seat_ids(game):
        raise NoKey("This seat opens only with the link from its own letters. We can mail you your links again.")
    return game, seat


def open_desk(session: Session, public_id: str, *, lock: bool = False) -> Game:
    """The game, if this browser holds its organiser's link."""
    game = find_game(session, public_id)
    if lock:
        game = record.lock(session, game.id)
    if not visitor(session).organises(game):
        raise NoKey("This page is for the organiser of the game. We can mail you your links again.")
    return game


def open_person(session: Session, public_id: str, no: int) -> tuple[Game, Seat, Person]:
    """The same and who holds the seat, with all games of theirs locked: their hours count in every one of them."""
    holder = select(Seat.person_id).join(Game, col(Game.id) == col(Seat.game_id))
    record.lock_all_of(session, session.exec(holder.where(Game.public_id == public_id, Seat.no == no)).one_or_none())
    game, seat = open_seat(session, public_id, no)
    return game, seat, session.get_one(Person, seat.person_id)


@dataclass
class Reader:
    """Somebody looking at a game: through a seat of theirs, or from outside."""

    game: Game
    seat: Seat | None
    zone: str

    @property
    def no(self) -> int | None:
        return self.seat.no if self.seat else None


def open_game(session: Session, public_id: str, seat_no: int | None = None) -> Reader:
    """The game for anybody who may watch it; through a seat they hold if they hold one."""
    game = find_game(session, public_id)
    who = visitor(session)
    if not who.may_watch(game):
        raise NoKey("This game opens only with a link: a player's own, or one for spectators.")
    seats = [s for s in record.seats_of(session, game) if s.id in who.seat_ids(game)]
    if seat_no is not None:
        seats = [s for s in seats if s.no == seat_no]
        if not seats:
            raise NoKey("This seat opens only with the link from its own letters. We can mail you your links again.")
    if not seats:
        return Reader(game, None, "UTC")
    seat = min(seats, key=lambda s: (s.asked is None, s.no))
    return Reader(game, seat, session.get_one(Person, seat.person_id).zone)
