"""The main action in an area (B 3 to 6 of a turn): area action, 5-power bonus, construction, recovery. Of a president
and of an agent alike.

What an area does is told in areas.py. Knows nothing of how the merchant came there.
"""

from engine.scene import Blocked, Message, Option, Scene, ask
from engine.yokohama.areas import act
from engine.yokohama.box import EXTRA_POINTS, LEAST_TO_BUILD, MOST_POWER, Reward
from engine.yokohama.gains import because, done, gains, receive, rest
from engine.yokohama.state import EMPTY, YokohamaState

BRING_ALL = Option("all", Message("yokohama.bring_all"))


def main_action(state: YokohamaState, seat: int, at: int) -> Scene:
    power = state.power(seat, at)
    bonus = power >= MOST_POWER and bool(state.areas[at].token)
    state.enter("action")
    state.skip(*(() if bonus else ("bonus",)), *(() if power >= LEAST_TO_BUILD else ("building",)))
    yield from act(state, seat, at, power)
    if bonus:
        state.enter("bonus")
        yield from take_token(state, seat, at)
    if power >= LEAST_TO_BUILD:
        state.enter("building")
        yield from build(state, seat, at)
    state.enter("recovery")
    yield from recover(state, seat, at)


def take_token(state: YokohamaState, seat: int, at: int) -> Scene:
    """5-power bonus step."""
    area = state.areas[at]
    reward = state.box.tokens[area.token].reward
    take = Option("take", Message("yokohama.take_token", {"gains": gains(reward)}), None, (f"token:{area.id}",))
    choice = yield ask(seat, "yokohama.ask.token", [done("token"), take], "take", main="done", place=area.id)
    if choice == "take":
        state.merchants[seat].tokens.append(area.token)
        area.token = ""
        state.tell("yokohama.took_token", seat=seat, place=area.id)
        yield from receive(state, seat, reward, "tokens")


def can_build(state: YokohamaState, seat: int, at: int) -> bool:
    me, area = state.merchants[seat], state.areas[at]
    shop = me.shops and EMPTY in area.shops and seat not in area.shops
    return bool(shop or (me.houses and area.house == EMPTY))


def build(state: YokohamaState, seat: int, at: int) -> Scene:
    """Construction step: a shop if one has none here and a space is free, or a trading house if none stands here."""
    me, area = state.merchants[seat], state.areas[at]
    site = state.box.sites[area.site]
    lit = EXTRA_POINTS["gaslight"] if "gaslight" in me.names else 0
    bright = EXTRA_POINTS["electric_light"] if "electric_light" in me.names else 0
    choices, reasons = [done("build")], dict[str, str]()
    if seat in area.shops:
        reasons["shop"] = "own_shop"
    elif not me.shops:
        reasons["shop"] = "no_shop"
    else:
        spaces = [n for n, owner in enumerate(area.shops) if owner == EMPTY]
        choices += [_shop_on(area.id, n, site.shops[n], lit) for n in spaces]
    if area.house != EMPTY:
        reasons["house"] = "house_stands"
    elif not me.houses:
        reasons["house"] = "no_house"
    else:
        hint = Message("yokohama.gives", {"gains": gains(site.house, bright)})
        choices.append(Option("house", Message("yokohama.build.house"), hint, (f"house:{area.id}",)))
    if len(choices) == 1:
        whys = [because(reason) for reason in reasons.values()]
        state.tell("yokohama.not_built", seat=seat, place=area.id, whys=whys)
        return
    blocked = [_cannot_build(kind, reason) for kind, reason in reasons.items()]
    choice = yield ask(
        seat, "yokohama.ask.build", choices, "done", blocked=blocked, rest=rest(state), main="done", place=area.id
    )
    if choice == "house":
        yield from _build_house(state, seat, at, bright)
    elif choice != "done":
        yield from _build_shop(state, seat, at, choice, lit)


def _shop_on(place: str, n: int, reward: Reward, vp: int) -> Option:
    label = Message("yokohama.build.shop", {"space": n + 1})
    hint = Message("yokohama.gives", {"gains": gains(reward, vp)})
    return Option(f"shop.{n}", label, hint, (f"shop:{place}.{n}",), means=n)


def _cannot_build(kind: str, reason: str) -> Blocked:
    return Blocked(Message(f"yokohama.build.{kind}.any"), Message(f"yokohama.why.{reason}"))


def _build_shop(state: YokohamaState, seat: int, at: int, n: int, lit: int) -> Scene:
    me, area = state.merchants[seat], state.areas[at]
    me.shops -= 1
    state.build_shop(seat, at, n)
    state.tell("yokohama.built.shop", seat=seat, place=area.id)
    if not me.shops and not me.stored_shops:
        state.trigger("shops")
    yield from receive(state, seat, state.box.sites[area.site].shops[n], "buildings", lit)


def _build_house(state: YokohamaState, seat: int, at: int, bright: int) -> Scene:
    me, area = state.merchants[seat], state.areas[at]
    me.houses -= 1
    state.build_house(seat, at)
    state.tell("yokohama.built.house", seat=seat, place=area.id)
    if not me.houses and not me.stored_houses:
        state.trigger("houses")
    yield from receive(state, seat, state.box.sites[area.site].house, "buildings", bright)


def recover(state: YokohamaState, seat: int, at: int) -> Scene:
    """Recovery step: all assistants of the area come back; with Telephone one may stay."""
    me, area = state.merchants[seat], state.areas[at]
    back = area.assistants[seat]
    if back and "telephone" in me.names:
        leave = Option("leave", Message("yokohama.leave_one", {"place": area.id}), None, (f"area:{area.id}",))
        choice = yield ask(
            seat, "yokohama.ask.telephone", [BRING_ALL, leave], "all", rest=rest(state), main="all", place=area.id
        )
        if choice == "leave":
            back -= 1
            state.tell("yokohama.left_one", seat=seat, place=area.id)
    area.assistants[seat] -= back
    me.assistants += back
