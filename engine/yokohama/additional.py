"""Additional action phase (A and C of a turn): foreign agents, achievements, orders."""

from collections.abc import Iterator

from engine.scene import Blocked, Message, Option, Scene, ask, later
from engine.yokohama.action import main_action
from engine.yokohama.box import GOODS, Order
from engine.yokohama.gains import (
    REST,
    at_any_time,
    done,
    gains,
    lacking,
    order_extras,
    order_name,
    receive,
    use_at_any_time,
    welcome_agent,
    with_agent,
)
from engine.yokohama.means import Sending
from engine.yokohama.outlook import placing, sending
from engine.yokohama.placement import offer_placing, too_dear
from engine.yokohama.state import AREA_STEPS, Goal, Merchant, YokohamaState


def additional_actions(state: YokohamaState, seat: int, step: str) -> Scene:
    """Any number of orders and achievements, one agent per turn, in any order. In the opening the first assistant may
    be placed as well, which ends the phase: returns where it goes, if anywhere."""
    me = state.merchants[seat]
    while True:
        choices = [done(step), *_offer_orders(state, seat), *_offer_achievements(state, seat)]
        if me.agents and not state.agent_used:
            choices += _offer_agent(state, seat)
        choices += at_any_time(state, seat)
        if len(choices) == 1 and not _could_hold_back(state, seat):
            return None
        secret = len(choices) == 1
        if step == "opening" and (places := offer_placing(state, seat, [])):
            prompt, choices[1:1] = "begin", places
        else:
            prompt = step
        choice = yield ask(
            seat,
            f"yokohama.ask.{prompt}",
            choices,
            "done",
            blocked=later(_out_of_reach, state, seat, prompt),
            hints=later(placing, state, seat, ()),
            secret=secret,
            rest=REST if step == "closing" else None,
            main="" if prompt == "begin" else "done",  # there the way on is an assistant on the board
            yen=me.yen,
        )
        match choice:
            case "done":
                return None
            case "order", card:
                yield from fulfil(state, seat, card)
            case "achieve", card:
                achieve(state, seat, card)
            case Sending(place):
                yield from use_agent(state, seat, state.where[place])
            case str():
                use_at_any_time(state, seat, choice)
            case _:
                return choice


def _could_hold_back(state: YokohamaState, seat: int) -> bool:
    """Might the table think that this merchant could fulfil a hidden order? Then the question may not be skipped."""
    if not state.hides_order(seat):
        return False
    goods = state.merchants[seat].goods
    for needed in state.box.order_goods.values():  # noqa: SIM110 - asked at every turn
        if _enough(goods, needed):
            return True
    return False


def _enough(goods: list[int], needed: tuple[int, int, int, int]) -> bool:
    return goods[0] >= needed[0] and goods[1] >= needed[1] and goods[2] >= needed[2] and goods[3] >= needed[3]


def _offer_orders(state: YokohamaState, seat: int) -> list[Option]:
    me, box = state.merchants[seat], state.box
    return [
        _fulfilling(state, seat, box.orders[card]) for card in me.orders if _enough(me.goods, box.order_goods[card])
    ]


def _fulfilling(state: YokohamaState, seat: int, order: Order) -> Option:
    label = Message("yokohama.fulfil", {"order": order_name(order)})
    hint = later(_order_gives, state, seat, order)
    return Option(f"order.{order.id}", label, hint, (f"hand:{order.id}",), means=("order", order.id))


def _order_gives(state: YokohamaState, seat: int, order: Order) -> Message:
    brings = gains(order.reward, *order_extras(state.merchants[seat]))
    return with_agent(state, seat, order.country, Message("yokohama.gives", {"gains": brings}))


def _out_of_reach(state: YokohamaState, seat: int, prompt: str) -> list[Blocked]:
    """Orders that goods are missing for, achievements that no assistant is left for, agents that cannot be sent, and,
    while assistants are placed, areas that cost too much."""
    me, box = state.merchants[seat], state.box
    found = [_short_of(box.orders[card], me) for card in me.orders if not _enough(me.goods, box.order_goods[card])]
    goals = [] if me.assistants else _goals_reached(state, seat)
    found += [Blocked(_achieving(goal), Message("yokohama.why.no_assistant")) for goal in goals]
    if me.agents and (state.agent_used or not _offer_agent(state, seat)):
        why = "agent_used" if state.agent_used else "agent_nowhere"
        found.append(Blocked(Message("yokohama.agent.any"), Message(f"yokohama.why.{why}")))
    return found + (too_dear(state, seat, ()) if prompt == "begin" else [])


def _short_of(order: Order, me: Merchant) -> Blocked:
    label = Message("yokohama.fulfil", {"order": order_name(order)})
    return Blocked(label, Message("yokohama.why.goods", {"goods": lacking(me, order)}))


def _offer_achievements(state: YokohamaState, seat: int) -> list[Option]:
    if not state.merchants[seat].assistants:
        return []
    options = []
    for goal in _goals_reached(state, seat):
        card, hint = goal.card, Message("yokohama.achieve.hint", {"vp": _points(state, goal)})
        spots = (f"achievement:{card}",)
        options.append(Option(f"achieve.{card}", _achieving(goal), hint, spots, means=("achieve", card)))
    return options


def _achieving(goal: Goal) -> Message:
    return Message("yokohama.achieve", {"goal": goal.card})


def _goals_reached(state: YokohamaState, seat: int) -> list[Goal]:
    """Those this merchant has reached and not yet taken."""
    return [goal for goal in state.goals if seat not in goal.seats and reached(state, seat, goal.card)]


def _offer_agent(state: YokohamaState, seat: int) -> list[Option]:
    found = []
    for at, area in enumerate(state.areas):
        if area.assistants[seat] and at != state.merchants[seat].president:
            label = Message("yokohama.agent", {"place": area.id})
            hint = later(sending, state, seat, at)
            found.append(Option(f"agent.{area.id}", label, hint, (f"area:{area.id}",), means=Sending(area.id)))
    return found


def fulfil(state: YokohamaState, seat: int, card: str) -> Scene:
    """c) Fulfilling an order."""
    me, order = state.merchants[seat], state.box.orders[card]
    me.goods = [have - pay for have, pay in zip(me.goods, order.goods, strict=True)]
    me.orders.remove(card)
    if card == me.first:
        me.first = ""
    me.fulfilled.append(card)
    state.tell("yokohama.fulfilled", seat=seat, order=order_name(order))
    yield from receive(state, seat, order.reward, "orders", *order_extras(me))
    welcome_agent(state, seat, order.country)


def reached(state: YokohamaState, seat: int, card: str) -> bool:
    """b) Achievements: is the condition met?"""
    for what, need in state.box.achievements[card].needs.items():  # noqa: SIM110 - asked of every goal at every question
        if _count(state, seat, what) < need:
            return False
    return True


def progress(state: YokohamaState, seat: int, card: str) -> Iterator[tuple[str, int, int]]:
    """What an achievement asks for: (what, how much this merchant has, how much is needed)."""
    for what, need in state.box.achievements[card].needs.items():
        yield what, _count(state, seat, what), need


def _count(state: YokohamaState, seat: int, what: str) -> int:
    me = state.merchants[seat]
    match what:
        case "production" | "commercial":
            return state.built[seat, what]
        case "yen":
            return me.yen
        case "tokens":
            return len(me.tokens) + len(me.agents) + len(me.spent_agents)
        case "orders":
            return len(me.fulfilled)
        case "technologies":
            return len(me.techs)
        case _:
            return me.goods[GOODS.index(what)]


def achieve(state: YokohamaState, seat: int, card: str) -> None:
    goal = next(goal for goal in state.goals if goal.card == card)
    vp = _points(state, goal)
    goal.seats.append(seat)
    state.merchants[seat].assistants -= 1
    state.score(seat, "achievements", vp)
    state.tell("yokohama.achieved", seat=seat, goal=card, n=vp)


def _points(state: YokohamaState, goal: Goal) -> int:
    """The first to reach an achievement gets more."""
    card = state.box.achievements[goal.card]
    return card.later if goal.seats else card.first


def use_agent(state: YokohamaState, seat: int, at: int) -> Scene:
    """a) Foreign agents: steps 3 to 6 in an area with an own assistant and without the own president."""
    me = state.merchants[seat]
    state.agent_used = True
    country = me.agents.pop(0)
    me.spent_agents.append(country)
    power = state.power(seat, at)
    state.tell("yokohama.sent_agent", seat=seat, country=country, place=state.areas[at].id, power=power)
    state.errand = list(AREA_STEPS)
    yield from main_action(state, seat, at)
    state.errand = []
