"""The built-in player: the most valuable lantern in sight, and always polite."""

from engine.scene import Decision
from tests.toy.state import Toy


def choose(state: Toy, decision: Decision) -> str:
    if decision.prompt == "toy.greet":
        return decision.id_of(True)
    return decision.id_of(max(state.row, key=lambda colour: state.box.values[colour]))
