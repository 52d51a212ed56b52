"""Links that somebody asked for."""

from typing import TYPE_CHECKING, Any

from service.db import utcnow
from service.models import GameStatus
from service.post.letters.kind import Kind

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Links(Kind):
    """All links of a person: at most once in ten minutes for whoever types an address, once a minute for whoever has
    just made the old ones void."""

    name, wish, may_wake = "links", None, True  # they have just asked
    to_strangers, insists = True, True

    def __init__(self, person_id: int | None, *, renewed: bool = False) -> None:
        slot = int(utcnow().timestamp() // (60 if renewed else 600))
        super().__init__(person_id, person_id, *(("renewed", slot) if renewed else (slot,)))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        """Whoever has never said yes is sent what others have invited them to, and else nothing: anybody can type an
        address, make a game with it, and ask for its links."""
        if occasion.person.confirmed_at or occasion.operates():
            return True
        return any(game.organiser_id != occasion.person.id for seat, game in occasion.seats_held())

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {
            "seats": [
                {
                    "game": occasion.called(game),
                    "your_turn": seat.asked is not None,
                    "over": game.status is GameStatus.FINISHED,
                    "link": occasion.seat_link(seat),
                }
                for seat, game in occasion.seats_held()
            ],
            "desks": [
                {"game": occasion.called(game), "link": occasion.desk_link(game)} for game in occasion.moderated()
            ],
            "organised": [
                {"game": occasion.called(game), "link": occasion.organiser_link(game)} for game in occasion.organised()
            ],
            "operator": occasion.operator_link(),
        }
