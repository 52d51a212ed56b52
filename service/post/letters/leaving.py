"""A player has left a game that is under way, and their seat is empty."""

from typing import TYPE_CHECKING, Any

from service.models import Game, GameStatus, Policy, Seat
from service.post.letters.kind import Kind, ToHolder
from service.post.wishes import Wish

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Resigned(ToHolder):
    """To the others at the table."""

    name, wish, may_wake = "resigned", Wish.NEWS, False

    def __init__(self, seat: Seat, left: Seat, version: int) -> None:
        super().__init__(seat, left.id, version, left=left.no)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return _is_empty(occasion) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return super().context(occasion) | _meanwhile(occasion)


class Vacant(Kind):
    """To those who can name somebody for the seat: the organiser, and whoever looks after the game."""

    name, wish, may_wake = "vacant", None, False

    def __init__(self, game: Game, left: Seat, reader: int, *, own: bool) -> None:
        super().__init__(reader, left.id, game.version, reader, game_id=game.id, left=left.no, own=own)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return _is_empty(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        organises = occasion.person.id == occasion.game.organiser_id
        link = occasion.organiser_link() if organises else occasion.desk_link()
        return {"link": link, "own": occasion.letter.about.get("own", False)} | _meanwhile(occasion)


def _left(occasion: "Occasion") -> Seat:
    no: int = occasion.letter.about["left"]
    return occasion.seats[no]


def _is_empty(occasion: "Occasion") -> bool:
    return occasion.game.status is GameStatus.RUNNING and _left(occasion).resigned_at is not None


def _meanwhile(occasion: "Occasion") -> dict[str, Any]:
    """Who has left, and whether the bot plays for them until somebody takes over."""
    game = occasion.game
    policy = game.fallback if game.policy is Policy.MODERATOR else game.policy
    return {"left": _left(occasion).name, "bot": policy is Policy.BOT}
