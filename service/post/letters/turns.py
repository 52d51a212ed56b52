"""A game as it is played: it has begun, it is your turn, it is over."""

from datetime import datetime

from service.models import Seat
from service.post.letters.kind import ToHolder, Wish


class Started(ToHolder):
    """To those who do not begin; whoever begins gets their turn."""

    name, wish, may_wake = "started", Wish.NEWS, False

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)


class Turn(ToHolder):
    name, wish, may_wake = "turn", Wish.TURNS, False

    def __init__(self, seat: Seat, due_at: datetime | None = None) -> None:
        super().__init__(seat, seat.asked, asked=seat.asked, due_at=due_at)


class Over(ToHolder):
    name, wish, may_wake = "over", Wish.NEWS, False

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
