"""What a moderator, a vote or the timekeeper changes for a game or a seat, told to those it concerns."""

from datetime import datetime, timedelta

from service.models import Game, Seat
from service.post.letters.kind import Kind, ToHolder, Wish, stamp
from service.post.told import Told


class Moderator(Kind):
    """The game has begun: the moderator's link."""

    name, wish, may_wake = "moderator", None, False

    def __init__(self, game: Game) -> None:
        super().__init__(game.moderator_id, game.id, game_id=game.id)


class Extended(ToHolder):
    """More time for the open turn."""

    name, wish, may_wake = "extended", Wish.TURNS, False

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, stamp(seat.deadline), asked=seat.asked)


class Offer(Kind):
    """To somebody who is asked to take over a seat; again an hour later at the earliest."""

    name, wish, may_wake = "offer", None, True  # somebody new has told nobody their hours

    def __init__(self, seat: Seat, now: datetime) -> None:
        marks = seat.id, seat.offered_to, f"{now:%Y%m%d%H}"
        super().__init__(seat.offered_to, *marks, game_id=seat.game_id, seat_id=seat.id)


class Left(Kind):
    """To whoever held a seat until now, written before it is given away."""

    name, wish, may_wake = "left", None, False

    def __init__(self, game: Game, seat: Seat) -> None:
        super().__init__(seat.person_id, seat.id, seat.person_id, game.version, game_id=game.id)


class Paused(ToHolder):
    name, wish, may_wake = "paused", Wish.NEWS, False

    def __init__(self, seat: Seat, now: datetime, reason: Told) -> None:
        super().__init__(seat, stamp(now), reason=reason)


class Resumed(ToHolder):
    name, wish, may_wake = "resumed", Wish.NEWS, False

    def __init__(self, seat: Seat, now: datetime, reason: Told) -> None:
        super().__init__(seat, stamp(now), asked=seat.asked, reason=reason)


class Rewound(ToHolder):
    """The game goes on from an earlier position."""

    name, wish, may_wake = "rewound", Wish.NEWS, False

    def __init__(self, seat: Seat, version: int, effect: Told) -> None:
        super().__init__(seat, version, effect=effect)


class Ended(ToHolder):
    """The moderator has ended the game without a result."""

    name, wish, may_wake = "ended", Wish.NEWS, False

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)


class Outage(Kind):
    """To the moderator: the service was away, and all clocks have moved."""

    name, wish, may_wake = "outage", None, False

    def __init__(self, game: Game, gap: timedelta, now: datetime) -> None:
        minutes = int(gap.total_seconds() // 60)
        super().__init__(game.moderator_id, game.id, f"{now:%Y%m%d%H%M}", game_id=game.id, minutes=minutes)
