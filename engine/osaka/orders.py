"""Standing orders: what a seat has said in advance about insurance, colour by colour. Looks only at what that seat
may know, and never answers for the buyer, whose own turn it is."""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import product

from engine.game import OrderDoesNotFit, StandingOrder
from engine.osaka.box import COLOUR, COLOURS, VALUE
from engine.osaka.payment import DONE, at_risk
from engine.osaka.state import Osaka
from engine.scene import Decision, Message

Orders = Mapping[str, str]

UP_TO = ("1", "2", "3", "4")
ORDERS = tuple([StandingOrder(f"insure.{colour}", ("ask", "never", *UP_TO, "all")) for colour in COLOURS])


def follow(state: Osaka, decision: Decision, orders: Orders) -> str | None:
    if decision.seat == state.current or decision.prompt not in FOLLOW:
        return None
    return FOLLOW[decision.prompt](state, decision, orders)


def _insure(state: Osaka, decision: Decision, orders: Orders) -> str | None:
    """The next card to spend for a colour of which the order wants more goods insured."""
    uncovered = {colour: n for colour, n in decision.args["uncovered"].items() if n}
    hand = {colour: _insuring(state, decision.seat, colour) for colour in uncovered}
    # Whether a player is asked shows by the delay, so with a hidden hand it depends on the orders alone.
    if any(_order(orders, colour) == "ask" and (hand[colour] or not state.open) for colour in uncovered):
        return None
    for colour in uncovered:
        order = _order(orders, colour)
        if state.open and order in UP_TO and not hand[colour] and not _covered(state, decision, colour):
            raise OrderDoesNotFit(Message("osaka.order.why.no_card", {"n": int(order), "colour": colour}))
    for colour, cards in hand.items():
        n = _wanted(_order(orders, colour), uncovered[colour], _covered(state, decision, colour))
        if n > 0 and cards:
            return decision.id_of(_cheapest(cards, state.box.icons, n))
    return DONE.id


def _order(orders: Orders, colour: str) -> str:
    return orders[f"insure.{colour}"]


def _insuring(state: Osaka, seat: int, colour: str) -> list[str]:
    return [card for card in state.hands[seat] if COLOUR[card] == colour and state.box.icons[card]]


def _covered(state: Osaka, decision: Decision, colour: str) -> int:
    """How many goods of the colour the cards spent in this insurance cover already."""
    uncovered: int = decision.args["uncovered"][colour]
    return len(at_risk(state, decision.seat, colour)) - uncovered


def _wanted(order: str, uncovered: int, covered: int) -> int:
    """How many more goods of a colour the order wants insured; none left when it is not above 0."""
    if order in UP_TO:
        return min(int(order) - covered, uncovered)
    return uncovered if order == "all" else 0


def _cheapest(hand: list[str], icons: Mapping[str, int], goods: int) -> str:
    """A card of the fewest that insure so many goods, or as many as the hand can; then of the lowest ones."""
    kinds = Counter(hand)
    goods = min(goods, sum([icons[card] for card in hand]))

    def covers(plan: tuple[int, ...]) -> bool:
        return sum([n * icons[card] for card, n in zip(kinds, plan, strict=True)]) >= goods

    def cost(plan: tuple[int, ...]) -> tuple[int, int]:
        return sum(plan), sum([n * VALUE[card] for card, n in zip(kinds, plan, strict=True)])

    best = min(filter(covers, product(*[range(n + 1) for n in kinds.values()])), key=cost)
    return next(card for card, n in zip(kinds, best, strict=True) if n)


def _insure_goods(state: Osaka, decision: Decision, orders: Orders) -> str | None:
    """The highest goods, which are offered first."""
    colour = decision.args["colour"]
    order = _order(orders, colour)
    if order == "never":
        raise OrderDoesNotFit(Message("osaka.order.why.which", {"colour": colour}))
    return None if order == "ask" else decision.options[0].id


FOLLOW: dict[str, Callable[[Osaka, Decision, Orders], str | None]] = {
    "osaka.insure": _insure,
    "osaka.insure_goods": _insure_goods,
}
