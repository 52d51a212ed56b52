"""A turn that runs out: a reminder, the word that it is late, the question to the moderator, what was played instead.

The deadline is part of each key, and a letter is true only as long as it stands: after an extension, a pause or an
outage the same turn can run out once more, and that is told again.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from service.models import RUNNING, Game, Jury, Policy, Ruling, Seat, Stage
from service.post import moments
from service.post.bells import Rings
from service.post.letters.kind import Kind, Rank, ToHolder, of_ruling, stamp
from service.post.told import Told
from service.post.wishes import Wish

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Reminder(ToHolder):
    """One for each (seat, deadline, threshold): a moved deadline makes it untrue, and arms it again by itself."""

    name, wish, may_wake, pictured = "reminder", Wish.REMINDERS, False, True
    rank, rings = Rank.TURN, Rings.REMINDER

    def __init__(self, seat: Seat, threshold: float) -> None:
        super().__init__(seat, stamp(seat.deadline), f"{threshold:.4f}", **_of(seat))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        seat = occasion.seat
        return seat.stage in RUNNING and _stands(occasion, seat) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        deadline = occasion.seat.deadline
        assert deadline is not None
        return super().context(occasion) | {
            "deadline": moments.both(deadline, occasion.person.zone),
            "left": moments.length(deadline - occasion.now),
            "apart": occasion.left(occasion.seat),
            "question": occasion.question,
        }


class Late(ToHolder):
    """To the player whose time is up."""

    name, wish, may_wake, pictured = "late", Wish.REMINDERS, False, True
    rank, rings = Rank.LOSS, Rings.REMINDER

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, seat.asked, stamp(seat.deadline), **_of(seat))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return _is_late(occasion, occasion.seat) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return super().context(occasion) | _grace(occasion, occasion.seat) | {"question": occasion.question}


class Delay(ToHolder):
    """To the others, who wait for somebody late."""

    name, wish, may_wake = "delay", Wish.NEWS, False

    def __init__(self, seat: Seat, late: Seat) -> None:
        super().__init__(seat, late.id, late.asked, stamp(late.deadline), late=late.no, **_of(late))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return _is_late(occasion, cls.late(occasion)) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        late = cls.late(occasion)
        decides = {"late": late.name, "moderates": occasion.moderates()}
        return super().context(occasion) | _grace(occasion, late) | decides

    @staticmethod
    def late(occasion: "Occasion") -> Seat:
        no: int = occasion.letter.about["late"]
        return occasion.seats[no]


def _of(seat: Seat) -> dict[str, Any]:
    """The question and the deadline a letter is about."""
    return {"asked": seat.asked, "deadline": stamp(seat.deadline)}


def _stands(occasion: "Occasion", seat: Seat) -> bool:
    """The question is open, its deadline the one the letter is about, and the clocks run."""
    same = occasion.letter.about.get("deadline", stamp(seat.deadline)) == stamp(seat.deadline)
    return same and occasion.still_asked(seat) and occasion.game.paused_at is None


def _is_late(occasion: "Occasion", seat: Seat) -> bool:
    return seat.stage not in RUNNING and _stands(occasion, seat)


def _grace(occasion: "Occasion", seat: Seat) -> dict[str, Any]:
    """What comes next, and when: `until` is empty once the grace is over and the moderator decides."""
    assert seat.grace_until is not None
    until = occasion.until(seat.grace_until) if seat.stage is Stage.LATE else ""
    return {"until": until, "policy": _what_comes(occasion, seat)} | _cost(occasion, seat)


def _what_comes(occasion: "Occasion", seat: Seat) -> str:
    """What happens when the grace is over: the game's policy, with who it is that decides: the group too about its only
    moderator. Where nobody has agreed to look after the game, that is its fallback."""
    game, looking = occasion.game, {moderator.id for moderator in occasion.moderators}
    if game.policy is not Policy.MODERATOR:
        return game.policy.value
    if looking - {seat.person_id}:
        return game.policy.value
    others = (game.jury is Jury.GROUP or looking) and not _is_alone(occasion, seat)
    return Jury.GROUP.value if others else game.fallback.value


def _is_alone(occasion: "Occasion", seat: Seat) -> bool:
    return all(other.bot or other.id == seat.id for other in occasion.seats)


def _cost(occasion: "Occasion", seat: Seat) -> dict[str, Any]:
    """Which miss in a row this would be, and whether it is the one that costs the seat; for the last person at the
    table it is not, and the game waits."""
    miss, bot_after = seat.misses + 1, occasion.game.bot_after
    last = _is_alone(occasion, seat)
    cost = miss >= bot_after
    return {"miss": miss, "bot_after": bot_after, "costs_seat": cost and not last, "waits": cost and last}


class OutOfTime(Kind):
    """To the moderator, who decides about this seat until the fallback does."""

    name, wish, may_wake = "out-of-time", None, True  # their own time is running
    rank = Rank.LOSS

    def __init__(self, game: Game, seat: Seat, moderator_id: int) -> None:
        marks = seat.id, seat.asked, stamp(seat.deadline), moderator_id
        super().__init__(moderator_id, *marks, game_id=game.id, seat_id=seat.id, **_of(seat))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.seat.stage is Stage.DESK and _stands(occasion, occasion.seat)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        decide_by = occasion.seat.due_at
        assert decide_by is not None
        return {
            "link": occasion.desk_link(),
            "until": occasion.until(decide_by),
            "fallback": occasion.game.fallback.value,
        } | _cost(occasion, occasion.seat)


class Silent(ToHolder):
    """Nobody plays any more: the game has paused itself, and ends unless somebody says that they are still there."""

    name, wish, may_wake = "silent", None, False
    rank = Rank.LOSS

    def __init__(self, seat: Seat, now: datetime, reason: Told) -> None:
        super().__init__(seat, stamp(now), reason=reason)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.silent_since is not None and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        assert occasion.game.paused_until is not None
        until = occasion.until(occasion.game.paused_until)
        alone = _is_alone(occasion, occasion.seat)
        return super().context(occasion) | {"reason": occasion.told("reason"), "until": until, "alone": alone}


class SilentOutside(Kind):
    """The same to those who made the game or look after it, and do not play. A moderator can let it go on."""

    name, wish, may_wake = "silent-outside", None, False
    rank = Rank.LOSS

    def __init__(self, game: Game, reader: int, now: datetime, reason: Told) -> None:
        super().__init__(reader, game.id, stamp(now), reader, game_id=game.id, reason=reason)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.silent_since is not None

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        assert occasion.game.paused_until is not None
        moderates = occasion.moderates()
        return {
            "link": occasion.desk_link() if moderates else occasion.organiser_link(),
            "moderates": moderates,
            "reason": occasion.told("reason"),
            "until": occasion.until(occasion.game.paused_until),
        }


class Together(ToHolder):
    """To the other players where nobody stands above: somebody is out of time, and they decide."""

    name, wish, may_wake = "together", Wish.NEWS, False
    rank = Rank.QUESTION

    def __init__(self, seat: Seat, late: Seat) -> None:
        super().__init__(seat, late.id, late.asked, stamp(late.deadline), late=late.no, **_of(late))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        late = Delay.late(occasion)
        return late.stage is Stage.DESK and _stands(occasion, late) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        late = Delay.late(occasion)
        assert late.due_at is not None
        until = occasion.until(late.due_at)
        cost = _cost(occasion, late)
        return (
            super().context(occasion)
            | {"late": late.name, "until": until, "fallback": occasion.game.fallback.value}
            | cost
        )


class Missed(ToHolder):
    """What was played for somebody, as they would name it: for nobody else's eyes. Without a ruling the time was up."""

    name, wish, may_wake = "missed", Wish.TURNS, False

    def __init__(self, seat: Seat, version: int, played: Told, ruling: Ruling | None, *, counts: bool) -> None:
        super().__init__(seat, version, played=played, counts=counts, **of_ruling(ruling))

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        excused_by = [moderator.name for moderator in occasion.moderators if moderator.id != occasion.person.id]
        return super().context(occasion) | {
            "played": occasion.told("played"),
            "ruling": occasion.ruling,
            "moderators": excused_by if occasion.letter.about.get("counts", True) else [],
        }
