"""Standing orders: what a seat has said in advance about improving an Influence card at the change of round, the one
question of the Duel that comes outside one's own turn. Looks only at what lies open."""

from collections.abc import Mapping

from engine.duel.rounds import IMPROVE_NOTHING
from engine.duel.state import Duel
from engine.game import StandingOrder
from engine.scene import Decision

ORDERS = (StandingOrder("improve", ("ask", "never", "lowest", "highest")),)


def follow(state: Duel, decision: Decision, orders: Mapping[str, str]) -> str | None:
    """Preparing a new round, step 1. The cards that can be paid for are offered from the lowest to the highest."""
    order = orders["improve"]
    if decision.prompt != "duel.improve.which" or order == "ask":
        return None
    cards = [option.id for option in decision.options if option.meaning is not None]
    if order == "never" or not cards:
        return IMPROVE_NOTHING.id
    return cards[0] if order == "lowest" else cards[-1]
