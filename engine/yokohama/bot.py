"""placeholder"""
from engine.scene import Decision
from engine.yokohama.state import YokohamaState


def choose(state: YokohamaState, decision: Decision) -> str:
    return decision.default
