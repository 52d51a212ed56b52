"""A merchant's turn (Flow of a turn): additional actions, the six steps of the main action, additional actions again.

What an area does is told in areas.py; this module knows the order of things, placement, movement and building.
"""

from collections import Counter

from engine.scene import Blocked, Option, Scene, ask, together
from engine.yokohama import options as offer
from engine.yokohama.areas import act
from engine.yokohama.city import CANAL, YEN, Route
from engine.yokohama.editions import in_okazu
from engine.yokohama.gains import at_any_time, receive, use_at_any_time, welcome_agent
from engine.yokohama.scoring import final_scoring
from engine.yokohama.state import EMPTY, Merchant, YokohamaState, destinations

LEAST_TO_BUILD = 4
LEAST_FOR_BONUS = 5
AREA_STEPS = ("action", "bonus", "building", "recovery")
STEPS = ("opening", "placement", "movement", *AREA_STEPS, "closing")


def next_scene(state: YokohamaState) -> Scene | None:
    scene = _next_scene(state)
    return scene if scene is None or state.dlp else in_okazu(scene)


def _next_scene(state: YokohamaState) -> Scene | None:
    if state.phase == "orders":
        return first_orders(state)
    if state.phase == "over":
        return None
    if state.finished:
        return final_scoring(state)
    return turn(state)


def first_orders(state: YokohamaState) -> Scene:
    """Game Setup: everybody keeps one of two orders, all at once and in secret."""
    kept: dict[int, str] = yield together({seat: _keep_one(state, seat) for seat in range(state.players)})
    for seat, merchant in enumerate(state.merchants):
        merchant.first = kept[seat]
        merchant.orders = [kept[seat]]
        merchant.rejected = [card for card in merchant.dealt if card != kept[seat]]
        merchant.dealt = []
        order = offer.order_name(state.components.orders[kept[seat]])
        state.tell("yokohama.kept", who=(seat,), seat=seat, order=order)
    state.phase = "play"


def _keep_one(state: YokohamaState, seat: int) -> Scene:
    orders = [state.components.orders[card] for card in state.merchants[seat].dealt]
    cheaper = min(orders, key=lambda order: order.price)
    choices = [offer.keep_order(order) for order in orders]
    choice: str = yield ask(seat, "yokohama.ask.keep", choices, f"keep.{cheaper.id}", secret=True)
    return choice.removeprefix("keep.")


def turn(state: YokohamaState) -> Scene:
    """One turn: A additional actions, B main action, C additional actions."""
    state.turn += 1
    seat = state.seat
    state.agent_used = state.spun = state.studied = False
    state.trail = list(STEPS)
    if seat == 0:
        state.tell("yokohama.round", round=state.round)
    me = state.merchants[seat]
    if me.yen < 2 and "stock" in me.names:
        state.tell("yokohama.stock", seat=seat, n=2 - me.yen)
        me.yen = 2
    _enter(state, "opening")
    yield from additional_actions(state, seat, "opening")
    _enter(state, "placement")
    yield from placement(state, seat)
    _enter(state, "movement")
    if (yield from movement(state, seat)):
        yield from main_action(state, seat, me.president)
    _enter(state, "closing")
    yield from additional_actions(state, seat, "closing")
    state.step = ""


def _enter(state: YokohamaState, step: str) -> None:
    """The next step begins. Those of an agent's action are told apart from those of the president's."""
    if state.errand:
        del state.errand[: state.errand.index(step)]
    else:
        state.step = step


def _skip(state: YokohamaState, *steps: str) -> None:
    """These steps will not come, in the action that is carried out."""
    plan = state.errand or state.trail
    plan[:] = [step for step in plan if step not in steps]


# A and C: additional action phase


def additional_actions(state: YokohamaState, seat: int, step: str) -> Scene:
    """Any number of orders and achievements, one agent per turn, in any order."""
    me = state.merchants[seat]
    while True:
        choices = [offer.DONE]
        blocked = _offer_orders(state, me, choices)
        blocked += _offer_achievements(state, seat, choices)
        if me.agents and not state.agent_used:
            choices += [
                offer.agent(*outlook(state, seat, at, state.power(seat, at)))
                for at, area in enumerate(state.areas)
                if area.assistants[seat] and at != me.president
            ]
        choices += at_any_time(state, seat)
        if len(choices) == 1 and not _could_hold_back(state, seat):
            return
        choice = yield ask(
            seat,
            f"yokohama.ask.{step}",
            choices,
            "done",
            blocked=blocked,
            secret=len(choices) == 1,
            rest=offer.REST if step == "closing" else None,
        )
        if choice == "done":
            return
        verb, _, what = choice.partition(".")
        if verb == "order":
            yield from fulfil(state, seat, what)
        elif verb == "achieve":
            achieve(state, seat, what)
        elif verb == "agent":
            yield from use_agent(state, seat, state.where[what])
        else:
            use_at_any_time(state, seat, choice)


def _could_hold_back(state: YokohamaState, seat: int) -> bool:
    """Might the table think that this merchant could fulfil a hidden order? Then the question may not be skipped."""
    if not state.hides_order(seat):
        return False
    goods = state.merchants[seat].goods
    return any(_enough(goods, needed) for needed in state.components.order_goods.values())


def _enough(goods: list[int], needed: tuple[int, int, int, int]) -> bool:
    return goods[0] >= needed[0] and goods[1] >= needed[1] and goods[2] >= needed[2] and goods[3] >= needed[3]


def _order_extras(me: Merchant) -> tuple[int, int]:
    """Points of Ball and yen of Language School."""
    return 2 if "ball" in me.names else 0, 1 if "language_school" in me.names else 0


def _offer_orders(state: YokohamaState, me: Merchant, choices: list[Option]) -> list[Blocked]:
    blocked = []
    box = state.components
    for card in me.orders:
        if _enough(me.goods, box.order_goods[card]):
            choices.append(offer.fulfil(box.orders[card], *_order_extras(me)))
        else:
            needed = box.order_goods[card]
            lack = tuple(max(0, need - have) for need, have in zip(needed, me.goods, strict=True))
            blocked.append(offer.short_of(box.orders[card], lack))
    return blocked


def _offer_achievements(state: YokohamaState, seat: int, choices: list[Option]) -> list[Blocked]:
    blocked = []
    for goal in state.goals:
        if seat not in goal.seats and reached(state, seat, goal.card):
            card = state.components.achievements[goal.card]
            if state.merchants[seat].assistants:
                choices.append(offer.achieve(goal.card, card.later if goal.seats else card.first))
            else:
                blocked.append(offer.no_assistant(goal.card))
    return blocked


def fulfil(state: YokohamaState, seat: int, card: str) -> Scene:
    """c) Fulfilling an order."""
    me, order = state.merchants[seat], state.components.orders[card]
    me.goods = [have - pay for have, pay in zip(me.goods, order.goods, strict=True)]
    me.orders.remove(card)
    if card == me.first:
        me.first = ""
    me.fulfilled.append(card)
    state.tell("yokohama.fulfilled", seat=seat, order=offer.order_name(order))
    yield from receive(state, seat, order.reward, "orders", *_order_extras(me))
    welcome_agent(state, seat, order.country)


def reached(state: YokohamaState, seat: int, card: str) -> bool:
    """b) Achievements: is the condition met?"""
    me = state.merchants[seat]
    for what, n in state.components.achievements[card].needs.items():
        if what in ("production", "commercial"):
            have = _built(state, seat, what)
        elif what == "yen":
            have = me.yen
        elif what == "tokens":
            have = len(me.tokens) + len(me.agents) + len(me.spent_agents)
        elif what == "orders":
            have = len(me.fulfilled)
        elif what == "technologies":
            have = len(me.techs)
        else:
            have = me.goods[("copper", "silk", "tea", "fish").index(what)]
        if have < n:
            return False
    return True


def _built(state: YokohamaState, seat: int, kind: str) -> int:
    """In how many areas of this kind has the seat a shop or a trading house?"""
    boards = state.components.areas
    return sum(1 for area in state.areas if (area.house == seat or seat in area.shops) and boards[area.id].kind == kind)


def achieve(state: YokohamaState, seat: int, card: str) -> None:
    goal = next(goal for goal in state.goals if goal.card == card)
    row = state.components.achievements[card]
    vp = row.later if goal.seats else row.first
    goal.seats.append(seat)
    state.merchants[seat].assistants -= 1
    state.score(seat, "achievements", vp)
    state.tell("yokohama.achieved", seat=seat, goal=card, n=vp)


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


# B 1: placement


def placement(state: YokohamaState, seat: int) -> Scene:
    """One assistant each in up to three areas (Newspaper: four), or two in one (Telegram: and one beside it)."""
    placed: list[str] = []
    fees: Counter[int] = Counter()
    yield from _place_up_to(state, seat, 4 if "newspaper" in state.merchants[seat].names else 3, placed, fees)
    if placed:
        _tell_placed(state, seat, placed)
    for other, n in fees.items():
        state.tell("yokohama.paid", seat=seat, to=other, n=n)


def _tell_placed(state: YokohamaState, seat: int, placed: list[str]) -> None:
    first, *more = placed
    if first not in more:
        state.tell("yokohama.placed", seat=seat, places=placed, n=len(placed))
    elif len(more) == 1:
        state.tell("yokohama.placed_two", seat=seat, place=first)
    else:
        state.tell("yokohama.placed_two_and_one", seat=seat, place=first, beside_place=more[-1])


def _place_up_to(state: YokohamaState, seat: int, most: int, placed: list[str], fees: Counter[int]) -> Scene:
    """The choices of the placement step; notes where assistants went and who was paid."""
    me = state.merchants[seat]
    others = state.presidents(seat)
    while len(placed) < most:
        choices = _offer_placing(state, seat, others, placed) if me.assistants else []
        default = "done" if placed or not choices else _least_committing(state, seat, others)
        if placed or not choices:
            choices.insert(0, offer.DONE)
        choices += at_any_time(state, seat)
        if len(choices) == 1 and default == "done":
            return
        choice = yield ask(seat, "yokohama.ask.place", choices, default, n=most - len(placed), yen=me.yen)
        if choice == "done":
            return
        if use_at_any_time(state, seat, choice):
            continue
        verb, _, place = choice.partition(".")
        at = state.where[place]
        _place(state, seat, at, 2 if verb == "pair" else 1, placed, fees)
        if verb == "pair":
            yield from telegram(state, seat, at, placed, fees)
            return


def _offer_placing(state: YokohamaState, seat: int, others: dict[int, int], placed: list[str]) -> list[Option]:
    me = state.merchants[seat]
    singles, pairs = [], []
    may_pair = not placed and me.assistants > 1
    for at, area in enumerate(state.areas):
        if area.action == "canal" or area.id in placed:
            continue
        mask = others.get(at, 0)
        price = YEN[mask]
        if price > me.yen:
            continue
        power = state.power(seat, at) + (me.president != at)
        singles.append(offer.placing(area.id, mask, min(power + 1, 5)))
        if may_pair and 2 * price <= me.yen:
            pairs.append(offer.placing_pair(area.id, mask, min(power + 2, 5)))
    return singles + pairs


def _least_committing(state: YokohamaState, seat: int, others: dict[int, int]) -> str:
    """One assistant where it costs nothing, the own president's area first."""
    here = state.merchants[seat].president
    places = [at for at, area in enumerate(state.areas) if area.action != "canal"]
    best = min(places, key=lambda at: (YEN[others.get(at, 0)], at != here))
    return f"place.{state.areas[best].id}"


def _place(state: YokohamaState, seat: int, at: int, n: int, placed: list[str], fees: Counter[int]) -> None:
    """Put assistants from hand into an area: 1 yen each to every other president there."""
    me, area = state.merchants[seat], state.areas[at]
    for other in offer.seats(state.presidents(seat).get(at, 0)):
        me.yen -= n
        state.merchants[other].yen += n
        fees[other] += n
    me.assistants -= n
    area.assistants[seat] += n
    placed += [area.id] * n


def telegram(state: YokohamaState, seat: int, beside: int, placed: list[str], fees: Counter[int]) -> Scene:
    """Telegram: after two in one area, one more in an area that touches it, at the usual fee."""
    me = state.merchants[seat]
    if "telegram" not in me.names:
        return
    others = state.presidents(seat)
    while True:
        choices = [offer.DONE]
        if me.assistants:
            choices += [
                offer.placing(area.id, others.get(at, 0), min(state.power(seat, at) + (me.president != at) + 1, 5))
                for at in state.streets[beside]
                if (area := state.areas[at]).action != "canal" and YEN[others.get(at, 0)] <= me.yen
            ]
        choices += at_any_time(state, seat)
        choice = yield ask(seat, "yokohama.ask.telegram", choices, "done")
        if choice == "done":
            return
        if not use_at_any_time(state, seat, choice):
            _place(state, seat, state.where[choice.removeprefix("place.")], 1, placed, fees)
            return


# B 2: movement


def movement(state: YokohamaState, seat: int) -> Scene:
    """Move the president or take it back to hand. Returns whether there is an action to carry out."""
    me = state.merchants[seat]
    while True:
        found = destinations(state, seat)
        choices = [offer.RECALL]
        for at in sorted(found):
            power = min(state.power(seat, at) + 1, 5)
            choices.append(_going(state, seat, at, found[at], power))
        choices += at_any_time(state, seat)
        choice = yield ask(
            seat, "yokohama.ask.go", choices, "recall", blocked=_blocked_ways(state, seat, found), yen=me.yen
        )
        if not use_at_any_time(state, seat, choice):
            break
    if choice == "recall":
        yield from recall(state, seat)
        return False
    at = state.where[choice.removeprefix("go.")]
    yield from _travel(state, seat, at, found[at])
    return True


def _going(state: YokohamaState, seat: int, at: int, ways: list[Route], power: int) -> Option:
    place, action, power, n, bonus, build = outlook(state, seat, at, power)
    return offer.going(place, action, ways[0][0], power, n, bonus, build)


def outlook(state: YokohamaState, seat: int, at: int, power: int) -> tuple[str, str, int, int, bool, bool]:
    """What an action in this area would bring: its yield, and whether token and building site are to be had."""
    area = state.areas[at]
    n = state.components.areas[area.id].power[power - 1]
    bonus = power >= LEAST_FOR_BONUS and bool(area.token)
    build = power >= LEAST_TO_BUILD and can_build(state, seat, at)
    return area.id, area.action, power, n, bonus, build


def _blocked_ways(state: YokohamaState, seat: int, found: dict[int, list[Route]]) -> list[Blocked]:
    me = state.merchants[seat]
    others = state.presidents(seat)
    return [
        offer.occupied(area.id) if at in others else offer.unreachable(area.id)
        for at, area in enumerate(state.areas)
        if area.assistants[seat] and at not in found and at != me.president
    ]


def _travel(state: YokohamaState, seat: int, at: int, ways: list[Route]) -> Scene:
    me = state.merchants[seat]
    toll = ways[0][0]
    if len(ways) > 1:
        choices = [offer.route(mask, tuple(state.areas[step].id for step in path)) for mask, path in ways]
        choice = yield ask(seat, "yokohama.ask.route", choices, choices[0].id, place=state.areas[at].id)
        toll = int(choice.removeprefix("route."))
    me.yen -= YEN[toll]
    for other in offer.seats(toll):
        state.merchants[other].yen += 1
        state.tell("yokohama.paid", seat=seat, to=other, n=1)
    if toll & CANAL:
        state.tell("yokohama.crossed_canal", seat=seat)
    me.president = at
    state.tell("yokohama.went", seat=seat, place=state.areas[at].id, power=state.power(seat, at))


def recall(state: YokohamaState, seat: int) -> Scene:
    """The president returns to hand, with any assistants of one's choice; the main action ends."""
    me = state.merchants[seat]
    _skip(state, *AREA_STEPS)
    me.president = EMPTY
    back = 0
    while True:
        held = [(area, area.assistants[seat]) for area in state.areas if area.assistants[seat]]
        choices = [offer.DONE]
        if len(held) > 1:
            choices.append(offer.fetch_everyone(sum(n for _, n in held)))
        for area, n in held:
            choices.append(offer.fetch(area.id, 1))
            if n > 1:
                choices.append(offer.fetch(area.id, n))
        choice = yield ask(seat, "yokohama.ask.recall", choices, "done", rest=offer.REST)
        if choice == "done":
            break
        for area, n in held:
            fetched = n if choice in ("everyone", f"fetch{n}.{area.id}") else int(choice == f"fetch1.{area.id}")
            area.assistants[seat] -= fetched
            me.assistants += fetched
            back += fetched
    state.tell("yokohama.recalled", seat=seat, n=back)


# B 3 to 6: action, 5-power bonus, building, recovery


def main_action(state: YokohamaState, seat: int, at: int) -> Scene:
    power = state.power(seat, at)
    bonus = power >= LEAST_FOR_BONUS and bool(state.areas[at].token)
    _enter(state, "action")
    _skip(state, *(() if bonus else ("bonus",)), *(() if power >= LEAST_TO_BUILD else ("building",)))
    yield from act(state, seat, at, power)
    if bonus:
        _enter(state, "bonus")
        yield from take_token(state, seat, at)
    if power >= LEAST_TO_BUILD:
        _enter(state, "building")
        yield from build(state, seat, at)
    _enter(state, "recovery")
    yield from recover(state, seat, at)


def take_token(state: YokohamaState, seat: int, at: int) -> Scene:
    """5-power bonus step."""
    area = state.areas[at]
    reward = state.components.tokens[area.token].reward
    choices = [offer.NOTHING, offer.take_token(area.id, reward)]
    choice = yield ask(seat, "yokohama.ask.token", choices, "done", rest=offer.REST, place=area.id)
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
    site = state.components.sites[area.site]
    lit = 2 if "gaslight" in me.names else 0
    bright = 3 if "electric_light" in me.names else 0
    choices, blocked = [offer.NOTHING], []
    if seat in area.shops:
        blocked.append(offer.cannot_build("shop", "own_shop"))
    elif not me.shops:
        blocked.append(offer.cannot_build("shop", "no_shop"))
    else:
        choices += [
            offer.build_shop(area.id, n, site.shops[n], lit) for n, owner in enumerate(area.shops) if owner == EMPTY
        ]
    if area.house != EMPTY:
        blocked.append(offer.cannot_build("house", "house_stands"))
    elif not me.houses:
        blocked.append(offer.cannot_build("house", "no_house"))
    else:
        choices.append(offer.build_house(area.id, site.house, bright))
    choice = yield ask(seat, "yokohama.ask.build", choices, "done", blocked=blocked, rest=offer.REST, place=area.id)
    if choice == "house":
        yield from _build_house(state, seat, at, bright)
    elif choice != "done":
        yield from _build_shop(state, seat, at, int(choice.removeprefix("shop.")), lit)


def _build_shop(state: YokohamaState, seat: int, at: int, n: int, lit: int) -> Scene:
    me, area = state.merchants[seat], state.areas[at]
    me.shops -= 1
    area.shops[n] = seat
    state.tell("yokohama.built.shop", seat=seat, place=area.id)
    if not me.shops and not me.stored_shops:
        state.trigger("shops")
    yield from receive(state, seat, state.components.sites[area.site].shops[n], "buildings", lit)


def _build_house(state: YokohamaState, seat: int, at: int, bright: int) -> Scene:
    me, area = state.merchants[seat], state.areas[at]
    me.houses -= 1
    area.house = seat
    state.tell("yokohama.built.house", seat=seat, place=area.id)
    if not me.houses and not me.stored_houses:
        state.trigger("houses")
    yield from receive(state, seat, state.components.sites[area.site].house, "buildings", bright)


def recover(state: YokohamaState, seat: int, at: int) -> Scene:
    """Recovery step: all assistants of the area come back; with Telephone one may stay."""
    me, area = state.merchants[seat], state.areas[at]
    back = area.assistants[seat]
    if back and "telephone" in me.names:
        choices = [offer.BRING_ALL, offer.leave_one(area.id)]
        choice = yield ask(seat, "yokohama.ask.telephone", choices, "all", rest=offer.REST, place=area.id)
        if choice == "leave":
            back -= 1
            state.tell("yokohama.left_one", seat=seat, place=area.id)
    area.assistants[seat] -= back
    me.assistants += back
