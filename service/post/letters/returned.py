"""Letters to somebody come back: those who look after their games are told, and can ask them another way."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from service.models import Game, GameStatus, Person
from service.post.letters.kind import Kind, Rank, stamp

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Returned(Kind):
    """The address is not in it: whoever typed it sees it on the organiser's page, and nobody else anywhere."""

    name, wish, may_wake, rank = "returned", None, False, Rank.QUESTION

    def __init__(self, game: Game, reader: int, person: Person, now: datetime) -> None:
        marks = game.id, person.id, stamp(now), reader
        super().__init__(reader, *marks, game_id=game.id, person=person.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        going_on = occasion.game.status in (GameStatus.INVITED, GameStatus.RUNNING)
        return going_on and cls._unheard_of(occasion).returned_at is not None

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        unheard_of = cls._unheard_of(occasion)
        still = [seat.still_until for seat in occasion.seats if seat.person_id == unheard_of.id]
        until = still[0] if still and occasion.game.paused_at is None else None
        return {
            "link": cls._link(occasion),
            "name": unheard_of.name,
            "why": unheard_of.returned_why,
            "until": occasion.until(until) if until and until > occasion.now else "",
            "organises": occasion.person.id == occasion.game.organiser_id,
        }

    @staticmethod
    def _unheard_of(occasion: "Occasion") -> Person:
        return occasion.session.get_one(Person, occasion.letter.about["person"])

    @staticmethod
    def _link(occasion: "Occasion") -> str:
        """To the page where the reader can do most about it."""
        if occasion.person.id == occasion.game.organiser_id:
            return occasion.organiser_link()
        if occasion.moderates():
            return occasion.desk_link()
        return next(occasion.seat_link(seat) for seat in occasion.seats if seat.person_id == occasion.person.id)
