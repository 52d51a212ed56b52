"""A bell that has failed too often, and rings no more."""

from typing import TYPE_CHECKING, Any

from service.models import Bell
from service.post.hooks import NAMES, shortened
from service.post.letters.kind import Kind, stamp
from service.post.told import in_words

if TYPE_CHECKING:
    from service.post.compose import Occasion


class BellOff(Kind):
    """To whoever has put it up. Nobody else can mend it, so nobody can switch this off."""

    name, wish, may_wake = "bell-off", None, False

    def __init__(self, bell: Bell) -> None:
        super().__init__(bell.person_id, bell.id, stamp(bell.off_at), game_id=bell.game_id, bell=bell.id)

    @classmethod
    def still_true(cls, occasion: "Occasion") -> bool:
        bell = cls._bell(occasion)
        return bell is not None and bell.off_at is not None

    @classmethod
    def context(cls, occasion: "Occasion") -> dict[str, Any]:
        bell = cls._bell(occasion)
        assert bell is not None
        where = f"g/{occasion.game.public_id}/bells" if bell.game_id else f"my/settings/{bell.person_id}/bells"
        return {
            "what": NAMES.get(bell.kind, ""),
            "where": shortened(bell.address),
            "error": in_words(bell.error) if bell.error else "",
            "page": f"{occasion.settings.base_url}/{where}",
        }

    @staticmethod
    def _bell(occasion: "Occasion") -> Bell | None:
        return occasion.session.get(Bell, occasion.letter.about["bell"])
