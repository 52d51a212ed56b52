"""A merchant's turn (Flow of a turn): additional actions, the six steps of the main action, additional actions again.

This module knows the order of things; each phase has a module of its own.
"""

from engine.scene import Scene
from engine.yokohama.action import main_action
from engine.yokohama.additional import additional_actions
from engine.yokohama.box import EXTRA_YEN
from engine.yokohama.movement import movement
from engine.yokohama.placement import placement
from engine.yokohama.scoring import final_scoring
from engine.yokohama.setup import first_orders
from engine.yokohama.state import STEPS, YokohamaState


def next_scene(state: YokohamaState) -> Scene | None:
    if state.phase == "orders":
        return first_orders(state)
    if state.phase == "over":
        return None
    if state.finished:
        return final_scoring(state)
    return turn(state)


def turn(state: YokohamaState) -> Scene:
    """One turn: A additional actions, B main action, C additional actions."""
    state.turn += 1
    seat = state.seat
    state.agent_used = state.spun = state.studied = False
    state.trail = list(STEPS)
    if seat == 0:
        state.tell("yokohama.round", round=state.round)
    me = state.merchants[seat]
    if me.yen < EXTRA_YEN["stock"] and "stock" in me.names:
        state.tell("yokohama.stock", seat=seat, n=EXTRA_YEN["stock"] - me.yen)
        me.yen = EXTRA_YEN["stock"]
    state.step = "opening"
    first = yield from additional_actions(state, seat, "opening")
    state.step = "placement"
    placed = yield from placement(state, seat, first)
    state.step = "movement"
    if (yield from movement(state, seat, placed)):
        yield from main_action(state, seat, me.president)
    state.step = "closing"
    yield from additional_actions(state, seat, "closing")
    state.step = ""
