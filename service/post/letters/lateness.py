"""A turn that runs out: a reminder, the word that it is late, the question to the moderator, what was played instead.

The deadline is part of each key: after an extension the same turn can run out once more, and that is told again.
"""

from typing import TYPE_CHECKING, Any

from service.models import RUNNING, Game, Ruling, Seat, Stage
from service.post import moments
from service.post.letters.kind import Kind, ToHolder, Wish, of_ruling, stamp
from service.post.told import Told

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Reminder(ToHolder):
    """One for each (seat, deadline, threshold): a moved deadline makes it untrue, and arms it again by itself."""

    name, wish, may_wake = "reminder", Wish.TURNS, False

    def __init__(self, seat: Seat, threshold: float) -> None:
        deadline = stamp(seat.deadline)
        super().__init__(seat, deadline, f"{threshold:.4f}", asked=seat.asked, deadline=deadline)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        seat = occasion.seat
        same = occasion.still_asked(seat) and stamp(seat.deadline) == occasion.letter.about["deadline"]
        return same and occasion.game.paused_at is None and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        deadline = occasion.seat.deadline
        assert deadline is not None
        return super().context(occasion) | {
            "deadline": moments.both(deadline, occasion.person.zone),
            "left": moments.length(deadline - occasion.now),
        }


class Late(ToHolder):
    """To the player whose time is up."""

    name, wish, may_wake = "late", Wish.TURNS, False

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, seat.asked, stamp(seat.deadline), asked=seat.asked)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return _is_late(occasion, occasion.seat) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return super().context(occasion) | _grace(occasion, occasion.seat)


class Delay(ToHolder):
    """To the others, who wait for somebody late."""

    name, wish, may_wake = "delay", Wish.NEWS, False

    def __init__(self, seat: Seat, late: Seat) -> None:
        super().__init__(seat, late.id, late.asked, stamp(late.deadline), asked=late.asked, late=late.no)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return _is_late(occasion, cls._late(occasion)) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        late = cls._late(occasion)
        return super().context(occasion) | _grace(occasion, late) | {"late": late.name}

    @staticmethod
    def _late(occasion: "Occasion") -> Seat:
        no: int = occasion.letter.about["late"]
        return occasion.seats[no]


def _is_late(occasion: "Occasion", seat: Seat) -> bool:
    return occasion.still_asked(seat) and seat.grace_until is not None and seat.stage not in RUNNING


def _grace(occasion: "Occasion", seat: Seat) -> dict[str, Any]:
    assert seat.grace_until is not None
    return {"until": occasion.until(seat.grace_until), "policy": occasion.game.policy.value}


class OutOfTime(Kind):
    """To the moderator, who decides about this seat until the fallback does."""

    name, wish, may_wake = "out-of-time", None, True  # their own time is running

    def __init__(self, game: Game, seat: Seat, moderator_id: int) -> None:
        marks = seat.id, seat.asked, stamp(seat.deadline), moderator_id
        super().__init__(moderator_id, *marks, game_id=game.id, seat_id=seat.id, asked=seat.asked)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.still_asked(occasion.seat) and occasion.seat.stage is Stage.DESK

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        decide_by = occasion.seat.due_at
        assert decide_by is not None
        return {
            "link": occasion.desk_link(),
            "until": occasion.until(decide_by),
            "fallback": occasion.game.fallback.value,
        }


class Missed(ToHolder):
    """What was played for somebody, as they would name it: for nobody else's eyes. Without a ruling the time was up."""

    name, wish, may_wake = "missed", Wish.TURNS, False

    def __init__(self, seat: Seat, version: int, played: Told, ruling: Ruling | None = None) -> None:
        super().__init__(seat, version, played=played, **of_ruling(ruling))

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        excused_by = [moderator.name for moderator in occasion.moderators if moderator.id != occasion.person.id]
        return super().context(occasion) | {
            "played": occasion.told("played"),
            "ruling": occasion.ruling,
            "moderators": excused_by,
        }
