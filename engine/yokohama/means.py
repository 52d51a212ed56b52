"""What a choice means where that is more than a word: for the rule that asks, for hints and for the bot."""

from typing import NamedTuple


class Placing(NamedTuple):
    """To place assistants: in which area, how many, and whether the first one went there just now."""

    place: str
    n: int
    again: bool = False
