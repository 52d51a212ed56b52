"""Somebody's letters are to go to another address: both are written to."""

from typing import TYPE_CHECKING, Any

from service.models import Relocation
from service.post import links
from service.post.letters.kind import Kind

if TYPE_CHECKING:
    from service.post.compose import Occasion


class NewAddress(Kind):
    """To the new one, whose reader may be anybody: it is theirs if they say so. Not one word in it was typed by
    anybody. An address that somebody has here already cannot be taken, and only its own reader learns that."""

    name, wish, may_wake = "new-address", None, True  # they have just asked
    to_strangers, elsewhere = True, True

    def __init__(self, relocation: Relocation) -> None:
        super().__init__(relocation.person_id, relocation.id, relocation=relocation.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return _is_open(occasion) and occasion.relocation.moved_at is None

    @classmethod
    def to(cls, occasion: "Occasion") -> tuple[str, str]:
        return "", occasion.relocation.new

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        taken = occasion.is_taken(occasion.relocation.new)
        link = None if taken else occasion.relocation_link(links.NEW_ADDRESS)
        return {"link": link, "taken": taken, "until": occasion.until(occasion.relocation.until)}


class OldAddress(Kind):
    """To the old one: what was asked for, and later that it is done. It can be stopped, and taken back."""

    name, wish, may_wake = "old-address", None, True  # if it was not them, the sooner they know the better
    elsewhere = True

    def __init__(self, relocation: Relocation) -> None:
        moved = relocation.moved_at is not None
        super().__init__(relocation.person_id, relocation.id, moved, relocation=relocation.id, moved=moved)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        return _is_open(occasion) and (occasion.relocation.moved_at is not None) == occasion.letter.about["moved"]

    @classmethod
    def to(cls, occasion: "Occasion") -> tuple[str, str]:
        return occasion.person.name, occasion.relocation.old

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        return {
            "link": occasion.relocation_link(links.OLD_ADDRESS),
            "moved": occasion.letter.about["moved"],
            "until": occasion.until(occasion.relocation.until),
        }


def _is_open(occasion: "Occasion") -> bool:
    return occasion.relocation.closed_at is None and occasion.relocation.until > occasion.now
