"""Before a game has begun: it is made, people are invited and answer, or it is called off."""

import hashlib
from typing import TYPE_CHECKING, Any

from service.db import utcnow
from service.models import Game, GameStatus, Person, Seat, SeatStatus
from service.post.blocked import mailbox_of
from service.post.letters.kind import Kind, Rank, ToHolder, stamp

if TYPE_CHECKING:
    from service.post.compose import Occasion


class Organiser(Kind):
    """The game is made: the organiser's link, and the one to their own seat if they have taken it."""

    name, wish, may_wake = "organiser", None, True  # they have just made it

    def __init__(self, game: Game) -> None:
        super().__init__(game.organiser_id, game.id, game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is not GameStatus.CANCELLED

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        own = [seat for seat in occasion.seats if seat.person_id == occasion.person.id]
        return {
            "link": occasion.organiser_link(),
            "invited": [seat.name for seat in occasion.seats if seat.status is SeatStatus.INVITED],
            "own": occasion.seat_link(own[0]) if own and own[0].status is SeatStatus.ACCEPTED else None,
        }


class Confirmation(Kind):
    """To somebody with whose address a game was made, in a browser that has opened no letter of theirs: once a day for
    one mailbox, however many games there are. Not one word in it was typed by anybody."""

    name, wish, may_wake = "confirmation", None, True  # they have just made it
    to_strangers = True
    rank = Rank.QUESTION

    def __init__(self, game: Game, mail: str) -> None:
        mailbox = hashlib.blake2b(mailbox_of(mail).encode(), digest_size=16).hexdigest()
        super().__init__(game.organiser_id, mailbox, f"{utcnow():%Y%m%d}", game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.MADE or occasion.person.confirmed_at is None

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {
            "game": None,
            "link": occasion.organiser_link(),
            "invited": sum(seat.person_id not in (None, occasion.person.id) for seat in occasion.seats),
            "days": occasion.settings.keep.unconfirmed,
        }


class Invitation(ToHolder):
    """A new one each time it is asked for; `nth` counts those to this person for this seat."""

    name, wish, may_wake = "invitation", None, True  # somebody new has told nobody their hours
    to_strangers = True
    rank = Rank.QUESTION

    def __init__(self, seat: Seat, nth: int) -> None:
        super().__init__(seat, seat.person_id, nth)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        open_yet = occasion.game.status is GameStatus.INVITED and occasion.seat.status is SeatStatus.INVITED
        return open_yet and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return super().context(occasion) | {
            "organiser": occasion.organiser.name,
            "others": [seat.name for seat in occasion.seats if seat.id != occasion.seat.id],
            "pace": occasion.pace,
            "again": occasion.game.rematch_of is not None,
            "one_evening": occasion.game.pace["round_the_clock"],
        }


class Join(Kind):
    """To somebody with whose address a seat was asked for: once a day for one mailbox and table. Not one word in it was
    typed by anybody."""

    name, wish, may_wake = "join", None, True  # they have just asked for it
    to_strangers = True
    rank = Rank.QUESTION

    def __init__(self, game: Game, person: Person) -> None:
        mailbox = hashlib.blake2b(mailbox_of(person.address).encode(), digest_size=16).hexdigest()
        super().__init__(person.id, game.id, mailbox, f"{utcnow():%Y%m%d}", game_id=game.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.INVITED and not occasion.at_the_table()

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"game": None, "link": occasion.join_link(), "pace": occasion.pace}


class Seated(ToHolder):
    """To somebody who has come with the code and sits now: the link to their seat."""

    name, wish, may_wake = "seated", None, True  # they have just done it

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, seat.person_id, stamp(seat.said_at))

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return super().context(occasion) | {"organiser": occasion.organiser.name, "pace": occasion.pace}


class Joined(Kind):
    """To the organiser: somebody has come with the code, and has a seat unless the organiser says no."""

    name, wish, may_wake = "joined", None, False
    rank = Rank.QUESTION

    def __init__(self, game: Game, seat: Seat) -> None:
        marks = seat.id, seat.person_id, stamp(seat.said_at)
        super().__init__(game.organiser_id, *marks, game_id=game.id, seat_id=seat.id, newcomer=seat.person_id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        there = occasion.seat.person_id == occasion.letter.about["newcomer"]
        return occasion.game.status is GameStatus.INVITED and there

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        missing = sum(seat.status is not SeatStatus.ACCEPTED for seat in occasion.seats)
        return {"link": occasion.organiser_link(), "missing": missing}


class Again(ToHolder):
    """To somebody who said yes to an open table some days ago: do they still play?"""

    name, wish, may_wake = "again", None, False
    rank = Rank.LOSS

    def __init__(self, game: Game, seat: Seat) -> None:
        super().__init__(seat, seat.person_id, stamp(game.again_until))

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        waits = occasion.game.status is GameStatus.INVITED and occasion.is_asked_again()
        return waits and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        assert occasion.game.again_until is not None
        return super().context(occasion) | {"until": occasion.until(occasion.game.again_until)}


class NoSeat(Kind):
    """To somebody who had a seat at an open table, and has none any more."""

    name, wish, may_wake = "no-seat", None, False

    def __init__(self, game: Game, person_id: int | None, why: str) -> None:
        super().__init__(person_id, game.id, person_id, stamp(utcnow()), game_id=game.id, why=why)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return not occasion.at_the_table()

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"organiser": occasion.organiser.name, "why": occasion.letter.about["why"]}


class Declined(Kind):
    """To the organiser: a seat is empty, because somebody does not want it, or not any more."""

    name, wish, may_wake = "declined", None, False
    rank = Rank.QUESTION

    def __init__(self, game: Game, seat: Seat, *, withdrawn: bool, silent: bool = False) -> None:
        marks = seat.id, seat.person_id, stamp(utcnow())
        about: dict[str, Any] = {"withdrawn": withdrawn, "silent": silent, "who": seat.name}
        super().__init__(game.organiser_id, *marks, game_id=game.id, seat_id=seat.id, **about)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        empty = occasion.seat.status in (SeatStatus.DECLINED, SeatStatus.OPEN)
        return occasion.game.status is GameStatus.INVITED and empty

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        about = occasion.letter.about
        return {
            "link": occasion.organiser_link(),
            "who": occasion.named(about.get("who", occasion.seat.name)),
            "withdrawn": about.get("withdrawn", False),
            "silent": about.get("silent", False),
        }


class Without(Kind):
    """To somebody who did not answer: the game has begun without them, and their seat is gone."""

    name, wish, may_wake = "without", None, False
    to_strangers = True

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat.person_id, seat.game_id, seat.person_id, game_id=seat.game_id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return not occasion.at_the_table()


class Cancelled(ToHolder):
    """The organiser has called the game off before it began: there is nothing to open any more."""

    name, wish, may_wake = "cancelled", None, False
    to_strangers = True

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.CANCELLED and super().still_true(occasion)

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"organiser": occasion.organiser.name}


class Lapsed(Kind):
    """To those who had accepted, and the organiser: nobody waits any longer for a game that never began."""

    name, wish, may_wake = "lapsed", None, False

    def __init__(self, game: Game, reader: int, days: int) -> None:
        super().__init__(reader, game.id, reader, game_id=game.id, days=days)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return occasion.game.status is GameStatus.CANCELLED

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {"days": occasion.letter.about["days"]}
