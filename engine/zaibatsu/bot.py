"""The built-in player of Zaibatsu."""

from engine.scene import Decision
from engine.zaibatsu.state import Zaibatsu


def choose(state: Zaibatsu, decision: Decision) -> str:
    return decision.default
