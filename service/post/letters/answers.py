"""Answers to answers: what was understood of a message, and how the turn stands now."""

from typing import TYPE_CHECKING, Any

from service.models import GameStatus, Reading, Received, Seat, Submission, Verdict
from service.post.letters.kind import Rank, ToHolder
from service.post.told import Told

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Understood(ToHolder):
    """Whoever has just written may be written to, whatever letters they want else and whatever time it is."""

    name, wish, may_wake = "understood", None, True

    def __init__(
        self,
        seat: Seat,
        received_id: int,
        *,
        done: list[Told] | None = None,
        stopped: Told | None = None,
        submission_id: int | None = None,
        board: bool = False,
        help: bool = False,
    ) -> None:
        about = {"done": done or [], "stopped": stopped, "submission": submission_id, "board": board, "help": help}
        super().__init__(seat, received_id, asked=seat.asked, **about)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        about = occasion.letter.about
        running = occasion.game.status is GameStatus.RUNNING
        verdict = _verdict(occasion)
        played = verdict is not None and verdict["played"]
        board = occasion.board() if about["board"] else {"board": "", "lines": []}
        return board | {
            "link": None if played and occasion.seat.asked is not None else occasion.seat_link(),
            "done": [occasion.in_words(told) for told in about["done"]],
            "stopped": occasion.in_words(about["stopped"]) if about["stopped"] else "",
            "help": about["help"],
            "verdict": verdict,
            "question": occasion.question,
            "to_act": [seat.name for seat in occasion.seats if seat.asked is not None] if running else [],
            "over": not running,
        }

    @classmethod
    def shows_board(cls, occasion: "Occasion") -> bool:
        """To whoever has asked for it."""
        wanted: bool = occasion.letter.about["board"]
        return wanted


class Doubted(ToHolder):
    """An answer came that may not be theirs. Nothing of it is in the letter: whoever wrote it may be anybody."""

    name, wish, may_wake, rank = "doubted", None, False, Rank.QUESTION

    def __init__(self, seat: Seat, received_id: int, why: Told) -> None:
        super().__init__(seat, received_id, asked=seat.asked, received=received_id, why=why)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        row = occasion.session.get(Received, occasion.letter.about["received"])
        doubted = row is not None and row.status is Reading.DOUBTED
        return doubted and super().still_true(occasion) and occasion.still_asked(occasion.seat)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.seat_link(), "why": occasion.told("why")}


def _verdict(occasion: "Occasion") -> dict[str, Any] | None:
    """What became of the turn that was sent with it."""
    if occasion.letter.about["submission"] is None:
        return None
    row = occasion.session.get_one(Submission, occasion.letter.about["submission"])
    return {
        "played": row.verdict is Verdict.ACCEPTED,
        "refused": row.verdict is Verdict.REJECTED,
        "why": occasion.in_words(row.reason) if row.reason else "",
    }
