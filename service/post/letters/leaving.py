"""A player has left a game that is under way, and their seat is empty."""

from typing import TYPE_CHECKING, Any

from service.models import Game, GameStatus, Policy, Seat
from service.post.letters.kind import Kind, Rank, ToHolder
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
    rank = Rank.QUESTION

    def __init__(self, game: Game, left: Seat, reader: int) -> None:
        super().__init__(reader, left.id, game.version, reader, game_id=game.id, left=left.no)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return _is_empty(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        organises = occasion.person.id == occasion.game.organiser_id
        link = occasion.organiser_link() if organises else occasion.desk_link()
        return {"link": link} | _meanwhile(occasion)


class Inherited(Kind):
    """To whoever organises a game from now on, because its organiser is not here any more."""

    name, wish, may_wake = "inherited", None, False

    def __init__(self, game: Game) -> None:
        super().__init__(game.organiser_id, game.id, game.organiser_id, game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.RUNNING and occasion.game.organiser_id == occasion.person.id

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.organiser_link()}


def _left(occasion: "Occasion") -> Seat:
    no: int = occasion.letter.about["left"]
    return occasion.seats[no]


def _is_empty(occasion: "Occasion") -> bool:
    return occasion.game.status is GameStatus.RUNNING and _left(occasion).resigned_at is not None


def _meanwhile(occasion: "Occasion") -> dict[str, Any]:
    """Who has left, perhaps the reader, and whether the bot plays for them until somebody takes over."""
    game = occasion.game
    policy = game.fallback if game.policy is Policy.MODERATOR else game.policy
    left = _left(occasion)
    return {"left": left.name, "own": occasion.reader_left(left), "bot": policy is Policy.BOT}
