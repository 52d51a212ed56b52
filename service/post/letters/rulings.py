"""What a moderator, a vote or the timekeeper changes for a game or a seat, told to those it concerns."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from service.models import Game, GameStatus, Seat
from service.post.letters.kind import Kind, ToHolder, stamp
from service.post.told import Told
from service.post.wishes import Wish

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Moderator(Kind):
    """The game has begun: the moderator's link."""

    name, wish, may_wake = "moderator", None, False

    def __init__(self, game: Game) -> None:
        super().__init__(game.moderator_id, game.id, game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.RUNNING

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.desk_link(), "names": occasion.names}


class Extended(ToHolder):
    """More time for the open turn."""

    name, wish, may_wake = "extended", Wish.TURNS, False

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, stamp(seat.deadline), asked=seat.asked)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        runs = occasion.game.paused_at is None  # in a pause nobody is told a deadline
        return runs and occasion.still_asked(occasion.seat) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        assert occasion.seat.deadline is not None
        return super().context(occasion) | {"until": occasion.until(occasion.seat.deadline)}


class Offer(Kind):
    """To somebody who is asked to take over a seat; again an hour later at the earliest."""

    name, wish, may_wake = "offer", None, True  # somebody new has told nobody their hours

    def __init__(self, seat: Seat, now: datetime) -> None:
        marks = seat.id, seat.offered_to, f"{now:%Y%m%d%H}"
        super().__init__(seat.offered_to, *marks, game_id=seat.game_id, seat_id=seat.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.seat.offered_to == occasion.person.id and occasion.game.status is GameStatus.RUNNING

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.offer_link()}


class Left(Kind):
    """To whoever held a seat until now; written before it is given away."""

    name, wish, may_wake = "left", None, False

    def __init__(self, game: Game, seat: Seat) -> None:
        super().__init__(seat.person_id, seat.id, seat.person_id, game.version, game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return not occasion.at_the_table()


class Paused(ToHolder):
    """All clocks stand still, and why."""

    name, wish, may_wake = "paused", Wish.NEWS, False

    def __init__(self, seat: Seat, now: datetime, reason: Told) -> None:
        super().__init__(seat, stamp(now), reason=reason)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.paused_until is not None and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        assert occasion.game.paused_until is not None
        until = occasion.until(occasion.game.paused_until)
        return super().context(occasion) | {"reason": occasion.told("reason"), "until": until}


class Resumed(ToHolder):
    """The clocks run on; whoever is to play is told until when."""

    name, wish, may_wake = "resumed", Wish.NEWS, False

    def __init__(self, seat: Seat, now: datetime, reason: Told) -> None:
        super().__init__(seat, stamp(now), reason=reason)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        goes_on = occasion.game.status is GameStatus.RUNNING and occasion.game.paused_at is None
        return goes_on and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        deadline = occasion.seat.deadline
        until = occasion.until(deadline) if deadline else ""
        return super().context(occasion) | {"reason": occasion.told("reason"), "until": until}


class Rewound(ToHolder):
    """The game goes on from an earlier position."""

    name, wish, may_wake = "rewound", Wish.NEWS, False

    def __init__(self, seat: Seat, version: int, effect: Told) -> None:
        super().__init__(seat, version, effect=effect)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return super().context(occasion) | {"effect": occasion.told("effect")}


class Ended(ToHolder):
    """The game was ended without a result. There is nothing to do any more, but all of it can still be looked at."""

    name, wish, may_wake = "ended", Wish.NEWS, False

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return super().context(occasion) | {"ending": occasion.ending}


class Stranded(Kind):
    """To the moderator: the rules were corrected, and nothing leads from those of this game to those of today."""

    name, wish, may_wake = "stranded", None, False

    def __init__(self, game: Game) -> None:
        super().__init__(game.moderator_id, game.id, game.rules, game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.RUNNING and occasion.stranded is not None

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.desk_link()}


class Outage(Kind):
    """To the moderator: the service was away, and all clocks have moved."""

    name, wish, may_wake = "outage", None, False

    def __init__(self, game: Game, gap: timedelta, now: datetime) -> None:
        minutes = int(gap.total_seconds() // 60)
        super().__init__(game.moderator_id, game.id, f"{now:%Y%m%d%H%M}", game_id=game.id, minutes=minutes)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.RUNNING

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"minutes": occasion.letter.about["minutes"]}
