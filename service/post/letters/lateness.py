"""A turn that runs out: a reminder, the word that it is late, the question to the moderator, what was played instead.

The deadline is part of each key: after an extension the same turn can run out once more, and that is told again.
"""

from service.models import Game, Seat
from service.post.letters.kind import Kind, ToHolder, Wish, stamp
from service.post.told import Told


class Reminder(ToHolder):
    """One for each (seat, deadline, threshold): a moved deadline arms it again by itself."""

    name, wish, may_wake = "reminder", Wish.TURNS, False

    def __init__(self, seat: Seat, threshold: float) -> None:
        deadline = stamp(seat.deadline)
        super().__init__(seat, deadline, f"{threshold:.4f}", asked=seat.asked, deadline=deadline)


class Late(ToHolder):
    """To the player whose time is up."""

    name, wish, may_wake = "late", Wish.TURNS, False

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, seat.asked, stamp(seat.deadline), asked=seat.asked)


class Delay(ToHolder):
    """To the others, who wait for somebody late."""

    name, wish, may_wake = "delay", Wish.NEWS, False

    def __init__(self, seat: Seat, late: Seat) -> None:
        super().__init__(seat, late.id, late.asked, stamp(late.deadline), asked=late.asked, late=late.no)


class OutOfTime(Kind):
    """To the moderator, who decides about this seat until the fallback does."""

    name, wish, may_wake = "out-of-time", None, True  # their own time is running

    def __init__(self, game: Game, seat: Seat) -> None:
        marks = seat.id, seat.asked, stamp(seat.deadline)
        super().__init__(game.moderator_id, *marks, game_id=game.id, seat_id=seat.id, asked=seat.asked)


class Missed(ToHolder):
    """What was played for somebody, as they would name it: for nobody else's eyes."""

    name, wish, may_wake = "missed", Wish.TURNS, False

    def __init__(self, seat: Seat, version: int, played: Told) -> None:
        super().__init__(seat, version, played=played)
