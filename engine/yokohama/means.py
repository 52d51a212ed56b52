"""What a choice on the map means: for the rule that asks, for hints, for the bot and for the board."""

from typing import NamedTuple


class Placing(NamedTuple):
    """To place assistants: in which area, how many, and whether the first one went there just now."""

    place: str
    n: int
    again: bool = False


class Going(NamedTuple):
    """To go with the president: where, and what the way there costs."""

    place: str
    yen: int


class Sending(NamedTuple):
    """To send an agent, and where."""

    place: str
