"""A line of the table that `make bench` prints."""

from typing import NamedTuple


class Row(NamedTuple):
    what: str
    measured: str
    target: str
    held: bool = True  # the floor, or the only target there is
    reached: bool = True  # the goal, where the floor is a lower one

    @property
    def verdict(self) -> str:
        if not self.held:
            return "MISSED"
        return "ok" if self.reached else "below the goal"
