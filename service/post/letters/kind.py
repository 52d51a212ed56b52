"""What every kind of letter is: to whom it goes, which wish of the reader it obeys, and whether it may wake them.

A letter has two lives. An instance is a letter being written, in the transaction that makes it true (service/post/
outbox.py). Later its row comes back as an occasion (service/post/compose.py), and the class says whether it is still
true then, and what its templates need. Knows the tables, and nothing of rules, pages or mail.
"""

import enum
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from service.models import Ruling, Seat
from service.post.bells import Rings
from service.post.wishes import Wish

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Rank(enum.IntEnum):
    """How much a letter needs an answer: of several that are told in one message, the one that needs it most leads."""

    LOSS = enum.auto()  # of a turn, a seat or the whole game, if nobody answers
    TURN = enum.auto()
    QUESTION = enum.auto()
    ENDING = enum.auto()  # it needs none any more, and comes before all other news
    NEWS = enum.auto()


class Kind:
    """One kind of letter. `name` is that of its templates and in its rows, so it does not change.

    `wish`: None for what nobody can switch off; all else stops with the wish, and carries a way to unsubscribe.
    `may_wake`: may be sent in the reader's quiet hours.
    `to_strangers`: may be sent to somebody who has never said yes to anything here. It has a way never to be written to
    again, and nothing that somebody has typed in its subject.
    `insists`: goes out also where letters come back: its reader has just asked for it.
    `elsewhere`: goes to another address than its reader's own.
    `pictured`: shows the board as its reader may see it, to those who want that.
    `rank`: its place beside others in one message.
    `rings`: for what it is, where somebody has bells besides letters; None if it rings none (service/post/bells.py).
    """

    name: ClassVar[str]
    wish: ClassVar[Wish | None]
    may_wake: ClassVar[bool]
    to_strangers: ClassVar[bool] = False
    insists: ClassVar[bool] = False
    elsewhere: ClassVar[bool] = False
    pictured: ClassVar[bool] = False
    rank: ClassVar[Rank] = Rank.NEWS
    rings: ClassVar[Rings | None] = None

    def __init__(
        self,
        reader: int | None,
        *marks: object,
        game_id: int | None = None,
        seat_id: int | None = None,
        asked: int | None = None,
        due_at: datetime | None = None,
        aloud_at: Callable[[], datetime | None] | None = None,
        **about: Any,
    ) -> None:
        """`marks` tell it from all others of its kind: what has the same ones is said once. A bot has no `reader`.
        `aloud_at` finds out when it may be told where others can hear it; without it as soon as the letter itself."""
        self.reader = reader
        self.key = ":".join(map(str, (self.name, *marks)))
        self.game_id, self.seat_id, self.asked = game_id, seat_id, asked
        self.due_at, self.aloud_at = due_at, aloud_at or (lambda: due_at)
        self.about = about

    @property
    def rung_as(self) -> str:
        """What tells it from all else that bells ring for: letters to several people may all be about one thing."""
        return self.key

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        """Whether it is worth sending now; False closes it for good."""
        raise NotImplementedError

    @classmethod
    def still_rings(cls, occasion: "Occasion") -> bool:
        """Whether a bell may ring for it now, with or without the letter."""
        return cls.still_true(occasion)

    @classmethod
    def to(cls, occasion: "Occasion") -> tuple[str, str]:
        """Name and address on the envelope."""
        return occasion.person.name, occasion.person.address

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        """What its templates need beside the person, the game and the seat. `link` is what there is to do."""
        return {}

    @classmethod
    def shows_board(cls, occasion: "Occasion") -> bool:
        return cls.pictured


class ToHolder(Kind):
    """To whoever holds a seat, and to nobody who has lost it since."""

    def __init__(self, seat: Seat, *marks: object, **more: Any) -> None:
        super().__init__(seat.person_id, seat.id, *marks, game_id=seat.game_id, seat_id=seat.id, **more)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.seat.person_id == occasion.person.id

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.seat_link()}


def of_ruling(ruling: Ruling | None) -> dict[str, Any]:
    """What a letter keeps of the ruling it tells of: see `Occasion.ruling`."""
    return {"ruling": ruling.id} if ruling else {}


def stamp(moment: datetime | None) -> str:
    """A moment as part of a key: to the second."""
    return f"{moment:%Y%m%d%H%M%S}" if moment else ""
