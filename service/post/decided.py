"""Who decided something about a game, and when, as it is told to its players. Knows no rulings."""

from datetime import datetime

from service.post.told import Told, told


def decided(who: str | None, at: datetime, *, by_vote: bool = False, by_reader: bool = False) -> Told:
    """Nobody: the timekeeper, by what the game's organiser laid down for it."""
    if who is None:
        return told("Decided by itself, as laid down when the game was made: %(at)s.", at=at)
    if by_vote and by_reader:
        return told("Proposed by you and agreed by all who were asked: %(at)s.", at=at)
    if by_vote:
        return told("Proposed by %(name)s and agreed by all who were asked: %(at)s.", name=who, at=at)
    if by_reader:
        return told("Decided by you: %(at)s.", at=at)
    return told("Decided by %(name)s: %(at)s.", name=who, at=at)
