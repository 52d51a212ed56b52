"""Receiving things: goods, rewards, pieces from the warehouse, moved assistants, foreign agents; and how they are said.

Description of the icons, Matching country icons, and what may be done at any time. Used by every part of a turn; knows
no phase.
"""

from functools import cache

from engine.scene import Blocked, Message, Option, Scene, ask
from engine.yokohama.box import (
    EXTRA_POINTS,
    EXTRA_YEN,
    GOODS,
    HOUSE_PRICES,
    SHOP_PRICE,
    STORED_HOUSES,
    UNIVERSITY_PRICE,
    Order,
    Reward,
)
from engine.yokohama.state import Merchant, YokohamaState

Said = dict[str, object]  # a message inside a message, as plain data

REST = Message("yokohama.rest.done")
REST_TO_TOKEN = Message("yokohama.rest.token")
REST_TO_PLACING = Message("yokohama.rest.placing")
SPIN = Option("spin", Message("yokohama.spin"), Message("yokohama.spin.hint"), ("use:spinning_mill",))
STUDY = Option("study", Message("yokohama.study"), Message("yokohama.study.hint"), ("use:university",))
ANY_GOOD = [Option(good, Message("yokohama.any", {"good": good}), None, (f"buy:{good}",)) for good in GOODS]


@cache
def done(what: str) -> Option:
    """The way on without choosing anything more; `what` it is that ends or is left out."""
    return Option("done", Message(f"yokohama.done.{what}"))


def rest(state: YokohamaState) -> Message:
    """What leaving out all that is optional comes to from here: a power token is asked about all the same, and before
    the placement there is no end of the turn."""
    present = state.errand[0] if state.errand else state.step
    if present == "action" and "bonus" in (state.errand or state.trail):
        return REST_TO_TOKEN
    return REST_TO_PLACING if state.step == "opening" else REST


def because(reason: str, **args: object) -> Said:
    """Why something was answered by itself, in words of the log."""
    return {"key": f"yokohama.because.{reason}", "args": args}


def tell_spent(state: YokohamaState, seat: int, yen: int, imports: int = 0) -> None:
    """What the thing just told was paid with."""
    costs = [gain(kind, n) for kind, n in (("yen", yen), ("imports", imports)) if n]
    if costs:
        state.tell("yokohama.spent", seat=seat, costs=costs)


def gain(kind: str, n: int) -> Said:
    return {"key": f"yokohama.gain.{kind}", "args": {"n": n}}


def gains(reward: Reward, vp: int = 0, yen: int = 0) -> list[Said]:
    """What a reward gives, with points and money that technologies add."""
    amounts = {kind: getattr(reward, kind) for kind in reward.__struct_fields__}
    amounts["vp"] += vp
    amounts["yen"] += yen
    return [gain(kind, n) for kind, n in amounts.items() if n]


def order_name(order: Order) -> Said:
    goods = [gain(good, n) for good, n in zip(GOODS, order.goods, strict=True) if n]
    return {"key": "yokohama.order", "args": {"country": order.country, "goods": goods}}


def order_extras(me: Merchant) -> tuple[int, int]:
    """Points of Ball and yen of Language School."""
    points = EXTRA_POINTS["ball"] if "ball" in me.names else 0
    return points, EXTRA_YEN["language_school"] if "language_school" in me.names else 0


def order_worth(me: Merchant, order: Order) -> Said:
    """What an order would bring this merchant one day, and the goods that are lacking for it now."""
    goods = lacking(me, order)
    key = "yokohama.worth.lacking" if goods else "yokohama.worth"
    return {"key": key, "args": {"gains": gains(order.reward, *order_extras(me)), "goods": goods}}


def lack(me: Merchant, order: Order) -> dict[str, int]:
    """The goods that an order asks for and this merchant does not have."""
    needs = zip(GOODS, order.goods, me.goods, strict=True)
    return {good: need - have for good, need, have in needs if need > have}


def lacking(me: Merchant, order: Order) -> list[Said]:
    return [gain(good, n) for good, n in lack(me, order).items()]


def receive_goods(state: YokohamaState, seat: int, goods: list[int]) -> None:
    """Goods from whatever source; Mining Technology adds 1 to any copper received."""
    me = state.merchants[seat]
    if goods[0] and "mining" in me.names:
        goods = [goods[0] + 1, *goods[1:]]
        state.tell("yokohama.mined", seat=seat)
    for kind, n in enumerate(goods):
        me.goods[kind] += n


def receive(state: YokohamaState, seat: int, reward: Reward, source: str, vp: int = 0, yen: int = 0) -> Scene:
    """A reward, with the points and the money that technologies add to it."""
    me = state.merchants[seat]
    state.score(seat, source, reward.vp)
    state.score(seat, "technologies", vp)
    me.yen += reward.yen + yen
    me.imports += reward.imports
    goods = [reward.copper, reward.silk, reward.tea, reward.fish]
    for left in range(reward.any, 0, -1):
        choice = yield ask(seat, "yokohama.ask.any", ANY_GOOD, "tea", n=left)
        goods[GOODS.index(choice)] += 1
    if any(goods):
        receive_goods(state, seat, goods)
    state.tell("yokohama.received", seat=seat, gains=_received(reward, goods, vp, yen))
    for left in range(reward.warehouse, 0, -1):
        if not (yield from take_piece(state, seat, left)):
            break
    yield from move_assistants(state, seat, reward.moves)


def _received(reward: Reward, goods: list[int], vp: int, yen: int) -> list[Said]:
    said = [gain("vp", reward.vp + vp)] if reward.vp + vp else []
    if reward.yen + yen:
        said.append(gain("yen", reward.yen + yen))
    said += [gain(good, n) for good, n in zip(GOODS, goods, strict=True) if n]
    if reward.imports:
        said.append(gain("imports", reward.imports))
    said += [gain(icon, n) for icon, n in (("warehouse", reward.warehouse), ("moves", reward.moves)) if n]
    return said


def house_price(me: Merchant) -> int:
    """The next trading house in the warehouse; they get dearer one by one."""
    return HOUSE_PRICES[STORED_HOUSES - me.stored_houses]


def take_piece(state: YokohamaState, seat: int, left: int) -> Scene:
    """One piece from the warehouse to the hand, at its price. Returns whether one was taken."""
    me = state.merchants[seat]
    while True:
        choices, blocked = [done("warehouse")], []
        if me.stored_assistants:
            choices.append(_piece("assistant", Message("yokohama.free")))
        for kind, stored, price in (
            ("shop", me.stored_shops, SHOP_PRICE),
            ("house", me.stored_houses, house_price(me) if me.stored_houses else 0),
        ):
            if stored and price <= me.yen:
                choices.append(_piece(kind, Message("yokohama.price", {"n": price})))
            elif stored:
                too_dear = Message("yokohama.why.yen", {"n": price, "yen": me.yen})
                blocked.append(Blocked(Message(f"yokohama.warehouse.{kind}"), too_dear))
        choices += at_any_time(state, seat)
        if len(choices) == 1:
            state.tell("yokohama.no_piece", seat=seat, why=because("dear" if blocked else "warehouse"))
            return False
        choice = yield ask(
            seat,
            "yokohama.ask.warehouse",
            choices,
            "done",
            blocked=blocked,
            rest=rest(state),
            main="done",
            n=left,
            yen=me.yen,
        )
        if choice == "done":
            return False
        if not use_at_any_time(state, seat, choice):
            _bring_out(state, seat, choice)
            return True


def _piece(kind: str, price: Message) -> Option:
    return Option(kind, Message(f"yokohama.warehouse.{kind}"), price, (f"warehouse:{kind}",))


def _bring_out(state: YokohamaState, seat: int, kind: str) -> None:
    me = state.merchants[seat]
    price = 0
    if kind == "assistant":
        me.stored_assistants -= 1
        me.assistants += 1
    elif kind == "shop":
        price = SHOP_PRICE
        me.stored_shops -= 1
        me.shops += 1
    else:
        price = house_price(me)
        me.stored_houses -= 1
        me.houses += 1
    me.yen -= price
    state.tell("yokohama.brought_out", seat=seat, piece=kind)
    tell_spent(state, seat, price)


def move_assistants(state: YokohamaState, seat: int, moves: int) -> Scene:
    """Movement icons: each moves an assistant from hand or an area to another area, without fees."""
    me = state.merchants[seat]
    for left in range(moves, 0, -1):
        sources = [done("move")]
        if me.assistants:
            sources.append(Option("hand", Message("yokohama.move.hand")))
        sources += [_moving("from", area.id) for area in state.areas if area.assistants[seat]]
        if len(sources) == 1:
            state.tell("yokohama.no_move", seat=seat)
            return
        origin = yield ask(seat, "yokohama.ask.move", sources, "done", rest=rest(state), main="done", n=left)
        if origin == "done":
            return
        targets = [_moving("to", area.id) for area in state.areas if area.action != "canal" and area.id != origin]
        place = yield ask(seat, "yokohama.ask.move_to", targets, targets[0].id)
        if origin == "hand":
            me.assistants -= 1
            state.tell("yokohama.moved_from_hand", seat=seat, place=place)
        else:
            state.areas[state.where[origin]].assistants[seat] -= 1
            state.tell("yokohama.moved", seat=seat, from_place=origin, place=place)
        state.areas[state.where[place]].assistants[seat] += 1


def _moving(way: str, place: str) -> Option:
    """One end of a move: `way` is from or to."""
    label = Message(f"yokohama.move.{way}", {"place": place})
    return Option(f"{way}.{place}", label, None, (f"area:{place}",), means=place)


def welcome_agent(state: YokohamaState, seat: int, country: str) -> None:
    """Matching country icons: an agent on every 2nd, 4th, 6th ... icon of a country while there are any."""
    me = state.merchants[seat]
    if _is_paired(state, country, count_icons(state, me, country)):
        state.agents[country] -= 1
        me.agents.append(country)
        state.tell("yokohama.agent_joined", seat=seat, country=country)


def _is_paired(state: YokohamaState, country: str, icons: int) -> bool:
    return state.agents[country] > 0 and icons % 2 == 0


def with_agent(state: YokohamaState, seat: int, country: str, said: Message) -> Message:
    """A hint to something that brings one more icon of a country, and an agent with it if that makes a pair."""
    if not _is_paired(state, country, count_icons(state, state.merchants[seat], country) + 1):
        return said
    return Message("yokohama.with_agent", {"hint": {"key": said.key, "args": said.args}, "country": country})


def count_icons(state: YokohamaState, me: Merchant, country: str) -> int:
    box = state.box
    icons = sum(1 for card in me.fulfilled if box.orders[card].country == country)
    return icons + sum(1 for card in me.techs if box.techs[card].country == country)


def at_any_time(state: YokohamaState, seat: int) -> list[Option]:
    """Spinning Mill and University: once per turn, whenever their owner has a choice to make."""
    me = state.merchants[seat]
    if not me.techs:
        return []
    found = []
    if not state.spun and me.goods[1] and "spinning_mill" in me.names:
        found.append(SPIN)
    if not state.studied and me.yen >= UNIVERSITY_PRICE and me.stored_assistants and "university" in me.names:
        found.append(STUDY)
    return found


def use_at_any_time(state: YokohamaState, seat: int, choice: object) -> bool:
    """Carry out such a choice; false if it was another one."""
    me = state.merchants[seat]
    if choice == "spin":
        state.spun = True
        me.goods[1] -= 1
        me.yen += EXTRA_YEN["spinning_mill"]
        state.tell("yokohama.spun", seat=seat)
    elif choice == "study":
        state.studied = True
        me.yen -= UNIVERSITY_PRICE
        me.stored_assistants -= 1
        me.assistants += 1
        state.tell("yokohama.studied", seat=seat)
    else:
        return False
    return True
