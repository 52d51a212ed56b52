"""What is kept of a match between scenes."""

from typing import ClassVar

from engine.scene import State
from tests.toy.box import Box

ROUNDS = {"short": 1, "long": 2}


class Toy(State):
    box: ClassVar[Box]
    pile: list[str] = []
    row: list[str] = []
    taken: list[list[str]] = []
    greeted: list[int] = []

    @property
    def last_turn(self) -> int:
        return self.players * ROUNDS[self.options["length"]]

    @property
    def current(self) -> int:
        return (self.turn - 1) % self.players
