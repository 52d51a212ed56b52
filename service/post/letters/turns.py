"""A game as it is played: it has begun, it is your turn, it is over."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from service import results
from service.models import Game, GameStatus, Seat
from service.post import moments
from service.post.bells import Rings
from service.post.letters.kind import Kind, Rank, ToHolder
from service.post.wishes import Wish

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Started(ToHolder):
    """To those who do not begin; whoever begins is told that it is their turn."""

    name, wish, may_wake = "started", Wish.NEWS, False

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.RUNNING and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        to_act = [seat.name for seat in occasion.seats if seat.asked is not None]
        return super().context(occasion) | {"names": occasion.names, "to_act": to_act, "pace": occasion.pace}


class Turn(ToHolder):
    """One for each question; it tells the deadline that stands when it is sent, and none in a pause."""

    name, wish, may_wake, pictured = "turn", Wish.TURNS, False, True
    rank, rings = Rank.TURN, Rings.TURN

    def __init__(
        self, seat: Seat, due_at: datetime | None = None, aloud_at: Callable[[], datetime | None] | None = None
    ) -> None:
        super().__init__(seat, seat.asked, asked=seat.asked, due_at=due_at, aloud_at=aloud_at)

    @property
    def rung_as(self) -> str:
        return f"{self.game_id}:{self.asked}"  # several may be asked at once

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.still_asked(occasion.seat) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        seat = occasion.seat
        deadline = seat.deadline if occasion.game.paused_at is None else None
        return (
            super().context(occasion)
            | occasion.board()
            | {
                "started": seat.moved_version == 0,
                "since": occasion.since_last_turn(),
                "question": occasion.question,
                "deadline": moments.both(deadline, occasion.person.zone) if deadline else "",
                "left": occasion.left(seat) if deadline else "",
                "note": occasion.note(),
            }
        )


class Over(ToHolder):
    """The result, and how it came to it."""

    name, wish, may_wake, pictured = "over", Wish.OVER, False, True
    rank, rings = Rank.ENDING, Rings.OVER

    @property
    def rung_as(self) -> str:
        return str(self.game_id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.result is not None and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        won = occasion.seat.no in results.winners(occasion.game)
        told = super().context(occasion) | _result(occasion)
        rematch = f"{told['link']}?to=rematch"  # a page with a button: to open it changes nothing
        return told | {"won": won, "since": occasion.since_last_turn(), "rematch": rematch}


class OverFormer(Kind):
    """The result to somebody who held a seat once, with a link for spectators: their own do not work any more."""

    name, wish, may_wake, pictured = "over-former", Wish.OVER, False, True
    rank = Rank.ENDING

    def __init__(self, game: Game, person_id: int) -> None:
        super().__init__(person_id, game.id, person_id, game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.result is not None and not occasion.at_the_table()

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.watch_link(), "won": False, "since": [], "rematch": ""} | _result(occasion)


def _result(occasion: "Occasion") -> dict[str, Any]:
    ranking = occasion.game.result or []
    return {
        "ranking": [(row["place"], occasion.names[row["seat"]], row["score"]) for row in ranking],
        "winners": [occasion.names[no] for no in results.winners(occasion.game)],
        "ending": occasion.ending,
    }
