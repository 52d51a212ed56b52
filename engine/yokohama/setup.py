"""Game Setup: how a new table is laid out, and the order that everybody keeps in secret before the first turn."""

from engine.scene import Message, Option, Scene, ask, later, together
from engine.yokohama.box import FIRST_YEN, LATER_YEN, Order
from engine.yokohama.gains import order_name, order_worth
from engine.yokohama.state import EMPTY, NEUTRAL, Area, Goal, Merchant, YokohamaState


def setup(state: YokohamaState) -> None:
    """A new table, up to the secret choice of a first order. Seat 0 is the start player."""
    box = state.box
    players = state.players
    size = box.sizes[players]
    used = [area for area in box.areas.values() if players in area.players]
    layout = state.shuffled(used)
    sites = state.shuffled(box.sites)
    tokens = state.shuffled(box.tokens)
    for board in layout:
        area = Area(board.id, board.action, assistants=[0] * players)
        if board.kind != "canal":
            area.site, area.token, area.shops = sites.pop(), tokens.pop(), [EMPTY] * 4
        state.areas.append(area)
    state.merchants = [Merchant(yen=FIRST_YEN if seat == 0 else LATER_YEN) for seat in range(players)]
    state.agents = dict(box.agents)
    state.church = [EMPTY] * len(box.church)
    state.customs = [EMPTY] * len(box.customs)
    if players == 2 and state.dlp:
        for track, spaces in ((state.church, box.church), (state.customs, box.customs)):
            track[[space.neutral for space in spaces].index(True)] = NEUTRAL
    for deck in "abc":
        cards = [card.id for card in box.achievements.values() if card.deck == deck]
        state.goals.append(Goal(state.shuffled(cards)[0]))
    _lay_out_cards(state, size.orders_removed)


def _lay_out_cards(state: YokohamaState, removed: int) -> None:
    box = state.box
    state.tech_deck = state.shuffled(box.techs)
    state.order_deck = state.shuffled(box.orders)
    state.removed = [state.order_deck.pop() for _ in range(removed)]
    for area in state.areas:
        if area.action == "port":
            state.boards[area.id] = [state.order_deck.pop() for _ in box.tiers]
        elif area.action == "lab":
            state.boards[area.id] = [state.tech_deck.pop() for _ in box.surcharges]
    for merchant in state.merchants:
        merchant.dealt = [state.order_deck.pop(), state.order_deck.pop()]


def first_orders(state: YokohamaState) -> Scene:
    """Everybody keeps one of two orders, all at once and in secret."""
    kept: dict[int, str] = yield together({seat: _keep_one(state, seat) for seat in range(state.players)})
    for seat, merchant in enumerate(state.merchants):
        merchant.first = kept[seat]
        merchant.orders = [kept[seat]]
        merchant.rejected = [card for card in merchant.dealt if card != kept[seat]]
        merchant.dealt = []
        order = order_name(state.box.orders[kept[seat]])
        state.tell("yokohama.kept", who=(seat,), seat=seat, order=order)
    state.phase = "play"


def _keep_one(state: YokohamaState, seat: int) -> Scene:
    orders = [state.box.orders[card] for card in state.merchants[seat].dealt]
    choices = [_keeping(state.merchants[seat], order) for order in orders]
    cheaper = min(orders, key=lambda order: order.price)
    default = choices[orders.index(cheaper)].id
    card: str = yield ask(seat, "yokohama.ask.keep", choices, default, secret=True)
    return card


def _keeping(me: Merchant, order: Order) -> Option:
    label = Message("yokohama.keep", {"order": order_name(order)})
    hint = later(_kept_brings, me, order)
    return Option(f"keep.{order.id}", label, hint, (f"dealt:{order.id}",), means=order.id)


def _kept_brings(me: Merchant, order: Order) -> Message:
    return Message("yokohama.keep.hint", {"worth": order_worth(me, order)})
