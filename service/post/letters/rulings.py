"""What a moderator, a vote or the timekeeper changes for a game or a seat, told to those it concerns."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from service.db import utcnow
from service.models import Game, GameStatus, Outcome, Proposal, Ruling, Seat
from service.post.bells import Rings
from service.post.language import gettext
from service.post.letters.kind import Kind, Rank, ToHolder, of_ruling, stamp
from service.post.wishes import Wish

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Asked(Kind):
    """Would you look after this game? Again whenever they are asked again."""

    name, wish, may_wake = "asked", None, True  # somebody new has told nobody their hours
    to_strangers = True
    rank = Rank.QUESTION

    def __init__(self, game: Game, person_id: int, now: datetime) -> None:
        super().__init__(person_id, game.id, person_id, stamp(now), game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.is_asked_to_moderate() and occasion.game.status in (GameStatus.INVITED, GameStatus.RUNNING)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.desk_link(), "organiser": occasion.organiser.name, "names": occasion.names}


class HandOver(Kind):
    """Would you be the organiser of this game from now on? Again whenever they are asked again."""

    name, wish, may_wake = "hand-over", None, True  # somebody new has told nobody their hours
    to_strangers = True
    rank = Rank.QUESTION

    def __init__(self, game: Game, now: datetime) -> None:
        super().__init__(game.offered_to, game.id, game.offered_to, stamp(now), game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.offered_to == occasion.person.id

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.handover_link(), "organiser": occasion.organiser.name, "names": occasion.names}


class Answered(Kind):
    """To whoever asked somebody to do something for a game: what they have answered."""

    name, wish, may_wake = "answered", None, False

    def __init__(self, game: Game, reader: int, who: int, name: str, what: str, seat: str = "") -> None:
        """`what`: they do not take the desk, a seat, or the game over; or they have: the seat is taken, the desk
        handed over, or they are the organiser now ("accepted")."""
        now = stamp(utcnow())
        super().__init__(reader, game.id, what, who, reader, now, game_id=game.id, who=name, what=what, seat=seat)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return True

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        about = occasion.letter.about
        who, holder = (occasion.named(about[name]) for name in ("who", "seat"))
        return {"who": who, "what": about["what"], "holder": holder}


class Moderator(Kind):
    """The game has begun: a moderator's link."""

    name, wish, may_wake = "moderator", None, False

    def __init__(self, game: Game, moderator_id: int) -> None:
        super().__init__(moderator_id, game.id, moderator_id, game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.RUNNING and occasion.moderates()

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.desk_link(), "names": occasion.names}


class _OfRuling(ToHolder):
    """To the players, about one ruling or proposal: bells ring once for it, whomever they are of."""

    rings = Rings.RULING

    @property
    def rung_as(self) -> str:
        if "proposal" in self.about:
            return f"{self.name}:{self.about['proposal']}"  # put forward, and dropped, are two things
        return f"{self.about['ruling']}"


class Ruled(_OfRuling):
    """A ruling, to all players whom no other letter tells of it: what, why, who decided and when."""

    name, wish, may_wake = "ruled", Wish.NEWS, False

    def __init__(self, seat: Seat, ruling: Ruling) -> None:
        super().__init__(seat, ruling.id, **of_ruling(ruling))

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return super().context(occasion) | {"ruling": occasion.ruling}


class Proposed(_OfRuling):
    """Somebody proposes a ruling: those whose agreement it takes are asked, all others are told."""

    name, wish, may_wake = "proposed", Wish.NEWS, False
    rank = Rank.QUESTION

    def __init__(self, seat: Seat, proposal: Proposal) -> None:
        super().__init__(seat, proposal.id, seat.person_id, proposal=proposal.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.proposal.outcome is Outcome.OPEN and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        proposal = occasion.proposal
        silent = proposal.seat_no is not None and occasion.seats[proposal.seat_no].id == occasion.seat.id
        return super().context(occasion) | _proposal(occasion) | {"may_vote": not silent}


class Dropped(_OfRuling):
    """A proposal that came to nothing: somebody said no, took it back, or it was overtaken by what happened.
    `why`: what it hung on and is not so any more."""

    name, wish, may_wake = "dropped", Wish.NEWS, False

    def __init__(self, seat: Seat, proposal: Proposal, by: int | None, why: str) -> None:
        super().__init__(seat, proposal.id, proposal=proposal.id, by=by, why=why)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        by = occasion.letter.about["by"]
        return (
            super().context(occasion)
            | _proposal(occasion)
            | {
                "refused_by": occasion.name_of(by) if by is not None else "",
                "taken_back": by == occasion.proposal.proposed_by,
                "why": occasion.letter.about.get("why", ""),
            }
        )


def _proposal(occasion: "Occasion") -> dict[str, Any]:
    proposal = occasion.proposal
    return {
        "proposer": occasion.name_of(proposal.proposed_by),
        "own": proposal.proposed_by == occasion.person.id,
        "effect": occasion.in_words(proposal.effect),
        "reason": occasion.in_words(proposal.reason),
    }


class Extended(ToHolder):
    """More time for the open turn."""

    name, wish, may_wake = "extended", Wish.TURNS, False
    rank = Rank.TURN

    def __init__(self, seat: Seat, ruling: Ruling) -> None:
        super().__init__(seat, stamp(seat.deadline), asked=seat.asked, **of_ruling(ruling))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.still_asked(occasion.seat) and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        deadline = occasion.seat.deadline if occasion.game.paused_at is None else None
        until = occasion.until(deadline) if deadline else ""
        return super().context(occasion) | {"until": until, "ruling": occasion.ruling}


class Offer(Kind):
    """To somebody who is asked to take over a seat; again whenever they are asked again."""

    name, wish, may_wake = "offer", None, True  # somebody new has told nobody their hours
    to_strangers = True
    rank = Rank.QUESTION

    def __init__(self, seat: Seat, now: datetime) -> None:
        marks = seat.id, seat.offered_to, stamp(now)
        super().__init__(seat.offered_to, *marks, game_id=seat.game_id, seat_id=seat.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.seat.offered_to == occasion.person.id and occasion.game.status is GameStatus.RUNNING

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        others = [seat.name for seat in occasion.seats if seat.id != occasion.seat.id]
        return {"link": occasion.offer_link(), "organiser": occasion.organiser.name, "others": others}


class Left(Kind):
    """To whoever held a seat until now; written before it is given away. Before the game has begun no ruling is made of
    it: the organiser gives it to somebody else."""

    name, wish, may_wake = "left", None, False

    def __init__(self, game: Game, seat: Seat, ruling: Ruling | None = None, *, to_bot: bool = False) -> None:
        marks = seat.id, seat.person_id, stamp(utcnow())
        super().__init__(seat.person_id, *marks, game_id=game.id, to_bot=to_bot, **of_ruling(ruling))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return not occasion.at_the_table()

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        to_bot = occasion.letter.about.get("to_bot", False)
        return {"ruling": occasion.ruling, "to_bot": to_bot, "organiser": occasion.organiser.name}


class Paused(_OfRuling):
    """All clocks stand still, and why."""

    name, wish, may_wake = "paused", Wish.NEWS, False

    def __init__(self, seat: Seat, ruling: Ruling) -> None:
        super().__init__(seat, ruling.id, **of_ruling(ruling))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.paused_until is not None and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        assert occasion.game.paused_until is not None
        until = occasion.until(occasion.game.paused_until)
        return super().context(occasion) | {"ruling": occasion.ruling, "until": until}


class Resumed(_OfRuling):
    """The clocks run on; whoever is to play is told until when."""

    name, wish, may_wake = "resumed", Wish.NEWS, False

    def __init__(self, seat: Seat, ruling: Ruling, due_at: datetime | None = None) -> None:
        super().__init__(seat, ruling.id, due_at=due_at, **of_ruling(ruling))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        goes_on = occasion.game.status is GameStatus.RUNNING and occasion.game.paused_at is None
        return goes_on and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        seat = occasion.seat
        out_of_time = seat.deadline is not None and seat.deadline <= occasion.now
        end = seat.grace_until if out_of_time else seat.deadline
        until = occasion.until(end) if end is not None and end > occasion.now else ""
        return super().context(occasion) | {"ruling": occasion.ruling, "until": until, "out_of_time": out_of_time}


class Ended(ToHolder):
    """The game was ended without a result. There is nothing to do any more, but all of it can still be looked at."""

    name, wish, may_wake = "ended", Wish.OVER, False
    rank, rings = Rank.ENDING, Rings.OVER

    def __init__(self, seat: Seat, ruling: Ruling) -> None:
        super().__init__(seat, **of_ruling(ruling))

    @property
    def rung_as(self) -> str:
        return str(self.game_id)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        ruling = occasion.ruling
        if ruling and occasion.reader_deserted():
            ruling["reason"] = gettext("You were the last person at the table, and have left.")
        return super().context(occasion) | {"ruling": ruling}


class EndedFormer(Kind):
    """The same to somebody who held a seat once, with a link for spectators: their own do not work any more."""

    name, wish, may_wake = "ended-former", Wish.OVER, False
    rank = Rank.ENDING

    def __init__(self, game: Game, person_id: int, ruling: Ruling) -> None:
        super().__init__(person_id, game.id, person_id, game_id=game.id, **of_ruling(ruling))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return not occasion.at_the_table()

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"link": occasion.watch_link(), "ruling": occasion.ruling}


class Stranded(Kind):
    """To the moderators, or to the players of a game without: the rules were corrected, and nothing leads from those of
    this game to those of today."""

    name, wish, may_wake = "stranded", None, False
    rank = Rank.QUESTION

    def __init__(self, game: Game, reader: int) -> None:
        super().__init__(reader, game.id, game.rules, reader, game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.RUNNING and occasion.stranded is not None

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        held = [seat for seat in occasion.seats if seat.person_id == occasion.person.id]
        moderates = occasion.moderates() or not held
        link = occasion.desk_link() if moderates else occasion.seat_link(held[0])
        return {"link": link, "moderates": moderates}


class Outage(Kind):
    """To the moderators, or to the players of a game without: the service was away, and all clocks have moved."""

    name, wish, may_wake = "outage", None, False

    def __init__(self, game: Game, reader: int, gap: timedelta, now: datetime) -> None:
        minutes = int(gap.total_seconds() // 60)
        marks = game.id, f"{now:%Y%m%d%H%M}", reader
        super().__init__(reader, *marks, game_id=game.id, minutes=minutes)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.RUNNING

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"minutes": occasion.letter.about["minutes"]}
