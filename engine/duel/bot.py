"""The built-in player."""

from engine.duel.state import Duel
from engine.scene import Decision


def choose(state: Duel, decision: Decision) -> str:
    return decision.default
