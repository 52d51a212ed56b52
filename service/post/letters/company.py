"""What people say to each other and ask of each other: talk that is for one reader, and a friendly reminder."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from service.models import RUNNING, Audience, Game, Seat, Stage
from service.post import moments
from service.post.bells import Rings
from service.post.letters.kind import Kind, Rank, ToHolder
from service.post.wishes import Wish

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Said(Kind):
    """Somebody was named, or was told something alone, and has not heard of it by another letter since. It brings all
    that was said meanwhile."""

    name, wish, may_wake = "said", Wish.TALK, False
    rings = Rings.TALK

    def __init__(self, game: Game, reader: int, seat: Seat | None, remark_id: int, due_at: datetime) -> None:
        seat_id = seat.id if seat else None
        super().__init__(reader, remark_id, reader, game_id=game.id, seat_id=seat_id, due_at=due_at, remark=remark_id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return cls._is_there(occasion) and bool(occasion.called_by)

    @classmethod
    def still_rings(cls, occasion: "Occasion") -> bool:
        """Also where the letter was faster: then nothing is unheard any more, but it still stands."""
        return cls._is_there(occasion) and bool(occasion.called_from(occasion.letter.about["remark"]))

    @classmethod
    def _is_there(cls, occasion: "Occasion") -> bool:
        return occasion.holds_its_seat() if occasion.letter.seat_id else occasion.moderates()

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        alone = [line.by for line in occasion.called_by if line.remark.audience is Audience.ONE]
        return {
            "link": occasion.seat_link() if occasion.letter.seat_id else occasion.desk_link(),
            "names": list(dict.fromkeys(line.by for line in occasion.called_by)),
            "whisperer": alone[-1] if alone and occasion.game.whispers else "",
            "lines": occasion.talk(),
            "talk": [],  # it is what the letter is about
        }


class Nudge(ToHolder):
    """Somebody who waits for a turn asks for it; all who do so before it is sent are named."""

    name, wish, may_wake, pictured = "nudge", Wish.REMINDERS, False, True
    rank, rings = Rank.TURN, Rings.REMINDER

    def __init__(self, seat: Seat, nudge_id: int, due_at: datetime | None) -> None:
        super().__init__(seat, seat.asked, nudge_id, asked=seat.asked, due_at=due_at, nudge=nudge_id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        seat = occasion.seat
        waits = seat.stage in (*RUNNING, Stage.LATE) and occasion.game.paused_at is None
        wanted = bool(occasion.person.remind_at) and bool(occasion.askers)
        return waits and wanted and occasion.still_asked(seat) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        deadline = occasion.seat.deadline
        assert deadline is not None
        return super().context(occasion) | {
            "askers": occasion.askers,
            "deadline": moments.both(deadline, occasion.person.zone) if deadline > occasion.now else "",
            "question": occasion.question,
        }
