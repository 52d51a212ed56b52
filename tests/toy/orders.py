"""Standing orders: whether to greet, said in advance."""

from collections.abc import Mapping

from engine.game import StandingOrder
from engine.scene import Decision
from tests.toy.state import Toy

ORDERS = (StandingOrder("greet", ("ask", "always", "never")),)


def follow(state: Toy, decision: Decision, orders: Mapping[str, str]) -> str | None:
    if decision.prompt != "toy.greet" or orders["greet"] == "ask":
        return None
    return decision.id_of(orders["greet"] == "always")
