"""The built-in player of Osaka: looks one action ahead, by what its seat may know."""

from engine.osaka.state import Osaka
from engine.scene import Decision


def choose(state: Osaka, decision: Decision) -> str:
    return decision.default
