"""What is done in each area (Detailed area explanation): one function per action, given the power it is done with.

Knows nothing of how the merchant came there; the turn does.
"""

from collections.abc import Callable
from itertools import combinations

from engine.scene import REVEAL, Blocked, Message, Option, Scene, ask, later
from engine.yokohama.box import (
    BEST_PORT_POINTS,
    EXTRA_POINTS,
    EXTRA_YEN,
    FREE_OF_FEE,
    GOODS,
    IMPORT_PRICE,
    MOST_ORDERS,
    MOST_POWER,
    PRICES,
    SECOND_ORDER,
    UNIT_YEN,
    Box,
    Order,
    Space,
    Technology,
)
from engine.yokohama.gains import (
    Said,
    at_any_time,
    because,
    done,
    gain,
    gains,
    order_name,
    order_worth,
    receive,
    receive_goods,
    rest,
    take_piece,
    tell_spent,
    use_at_any_time,
    welcome_agent,
    with_agent,
)
from engine.yokohama.state import EMPTY, Merchant, YokohamaState


def yields(box: Box, place: str, power: int) -> Said:
    """What an action in this area brings with this power, whoever does it."""
    area = box.areas[place]
    n = area.power[power - 1]
    if not n:
        return {"key": "yokohama.yields.nothing"}
    if area.action == "port":
        points = ".points" if power == MOST_POWER else ""
        return {"key": f"yokohama.yields.port.t{n}{points}", "args": {"vp": BEST_PORT_POINTS}}
    return {"key": f"yokohama.yields.{area.action}", "args": {"n": n}}


def act(state: YokohamaState, seat: int, at: int, power: int) -> Scene:
    """Area action step: the owner of another's trading house earns 1 yen, then the action itself."""
    area = state.areas[at]
    if area.house not in (EMPTY, seat):
        state.merchants[area.house].yen += 1
        state.tell("yokohama.rent", seat=area.house, place=area.id)
    n = state.box.areas[area.id].power[power - 1]
    if not n and (area.action in GOODS or area.action == "agency"):
        _tell_idle(state, seat, at, "power", power=power)
    elif area.action in GOODS:
        _produce(state, seat, GOODS.index(area.action), n)
    elif area.action == "bank":
        state.merchants[seat].yen += n
        state.tell("yokohama.received", seat=seat, gains=[gain("yen", n)])
    else:
        yield from _ACTIONS[area.action](state, seat, at, n, power)


def _tell_idle(state: YokohamaState, seat: int, at: int, reason: str, **args: object) -> None:
    """The action brings nothing, and nobody is asked: the log says why."""
    state.tell("yokohama.idle", seat=seat, place=state.areas[at].id, why=because(reason, **args))


def _produce(state: YokohamaState, seat: int, kind: int, n: int) -> None:
    """Copper mine, silk mill, tea plantation, fishing ground."""
    goods = [0, 0, 0, 0]
    goods[kind] = n
    state.tell("yokohama.received", seat=seat, gains=[gain(GOODS[kind], n)])
    receive_goods(state, seat, goods)


def _port(state: YokohamaState, seat: int, at: int, tiers: int, power: int) -> Scene:
    """Port and Dock: an order from the tiers within reach; a second one for 2 yen or 1 import; refilled afterwards."""
    me, board, box = state.merchants[seat], state.boards[state.areas[at].id], state.box
    if power == MOST_POWER:
        state.score(seat, "port", BEST_PORT_POINTS)
        state.tell("yokohama.best_port", seat=seat, n=BEST_PORT_POINTS)
    if not tiers:
        state.tell("yokohama.no_order", seat=seat, why=because("power", power=power))
    taken = 0
    while taken < 2 and tiers:
        if len(me.orders) >= MOST_ORDERS:
            _tell_no_order(state, seat, taken, "full_hand", n=MOST_ORDERS)
            break
        within = [
            (box.orders[card], tier) for card, tier in zip(board, box.tiers, strict=True) if card and tier <= tiers
        ]
        choices = [done("second_order" if taken else "order")]
        if not taken:
            choices += [_taking(me, order, tier) for order, tier in within]
        else:
            if me.yen >= SECOND_ORDER["yen"]:
                choices += [_taking(me, order, tier, "yen") for order, tier in within]
            if me.imports >= SECOND_ORDER["imports"]:
                choices += [_taking(me, order, tier, "imports") for order, tier in within]
        choices += at_any_time(state, seat)
        if len(choices) == 1:
            _tell_no_order(state, seat, taken, "unpaid_order" if taken and within else "no_orders")
            break
        prompt, onward = ("second_order", rest(state)) if taken else ("order", None)
        choice = yield ask(
            seat,
            f"yokohama.ask.{prompt}",
            choices,
            "done",
            blocked=later(_beyond_slots, box, board, tiers),
            rest=onward,
            main="done",
            power=power,
            n=len(me.orders),
        )
        if choice == "done":
            break
        if use_at_any_time(state, seat, choice):
            continue
        card, pay = choice
        yen = SECOND_ORDER["yen"] if pay == "yen" else 0
        imports = SECOND_ORDER["imports"] if pay == "imports" else 0
        me.yen -= yen
        me.imports -= imports
        board[board.index(card)] = ""
        me.orders.append(card)
        taken += 1
        _tell_order(state, seat, at, card)
        tell_spent(state, seat, yen, imports)
    if taken:
        yield from _refill_port(state, board)


def _beyond_slots(box: Box, board: list[str], tiers: int) -> list[Blocked]:
    """Orders in slots that take more power."""
    found = []
    for card, tier in zip(board, box.tiers, strict=True):
        if card and tier > tiers:
            why = Message("yokohama.why.slot", {"tier": f"t{tier}", "power": box.tier_power[tier - 1]})
            found.append(Blocked(Message("yokohama.take_order", {"order": order_name(box.orders[card])}), why))
    return found


def _tell_no_order(state: YokohamaState, seat: int, taken: int, reason: str, **args: object) -> None:
    key = "yokohama.no_second_order" if taken else "yokohama.no_order"
    state.tell(key, seat=seat, why=because(reason, **args))


def _taking(me: Merchant, order: Order, tier: int, pay: str = "") -> Option:
    """An order within reach; the second one is paid with yen or imports."""
    label = Message(f"yokohama.take_order.{pay}" if pay else "yokohama.take_order", {"order": order_name(order)})
    hint = later(_order_there, me, order, tier)
    return Option(f"{pay or 'take'}.{order.id}", label, hint, (f"order:{order.id}",), means=(order.id, pay))


def _order_there(me: Merchant, order: Order, tier: int) -> Message:
    return Message("yokohama.take_order.hint", {"tier": f"t{tier}", "worth": order_worth(me, order)})


def _tell_order(state: YokohamaState, seat: int, at: int, card: str) -> None:
    place, order = state.areas[at].id, order_name(state.box.orders[card])
    if state.open:
        state.tell("yokohama.took_order", seat=seat, place=place, order=order)
    else:
        state.tell("yokohama.took_an_order", seat=seat, place=place)
        state.tell("yokohama.took_order", who=(seat,), seat=seat, place=place, order=order)


def _refill_port(state: YokohamaState, board: list[str]) -> Scene:
    """Cards move to the left, new ones fill up from the left; a space left empty ends the game."""
    if state.order_deck:
        yield REVEAL
    cards = [card for card in board if card]
    while len(cards) < len(board) and state.order_deck:
        cards.append(state.order_deck.pop())
    if len(cards) < len(board):
        state.trigger("orders")
    board[:] = cards + [""] * (len(board) - len(cards))


def _lab(state: YokohamaState, seat: int, at: int, industry: int, power: int) -> Scene:
    """Laboratory and Research centre: a technology for its cost; power, 2 yen and 1 import each count as industry."""
    me, board, box = state.merchants[seat], state.boards[state.areas[at].id], state.box
    fee = later_fee(state, seat)
    while True:
        choices, beyond_reach = [done("tech")], []
        purse = me.imports + me.yen // UNIT_YEN
        for card, surcharge in zip(board, box.surcharges, strict=True):
            if not card:
                continue
            tech = box.techs[card]
            cost = tech.cost + surcharge
            lack = (cost - industry if cost > industry else 0) + fee
            if lack > purse or tech.name in me.names:
                beyond_reach.append((tech, surcharge, lack))
            else:
                hint = later(_learning_brings, state, seat, tech, surcharge, lack, fee)
                leads = len(_ways_to_pay(me, lack)) > 1
                choices.append(Option(f"take.{card}", _learning(tech), hint, (f"tech:{card}",), (card, lack), leads))
        choices += at_any_time(state, seat)
        if len(choices) == 1:
            _tell_idle(state, seat, at, "no_tech" if beyond_reach else "no_techs")
            return
        blocked = later(_beyond_reach, me, beyond_reach, fee)
        choice = yield ask(
            seat, "yokohama.ask.tech", choices, "done", blocked=blocked, main="done", power=power, yen=me.yen
        )
        if choice == "done":
            return
        if not use_at_any_time(state, seat, choice):
            break
    card, units = choice
    paid = yield from _pay_units(state, seat, units, card)
    board[board.index(card)] = ""
    yield from _learn(state, seat, box.techs[card], *paid)
    yield from _refill_lab(state, board)


def _learning(tech: Technology) -> Message:
    """There are two cards of some names: the country tells them apart."""
    return Message("yokohama.take_tech", {"tech": tech.name, "country": tech.country})


def _learning_brings(state: YokohamaState, seat: int, tech: Technology, surcharge: int, lack: int, fee: int) -> Message:
    price = _price("tech.price", state.merchants[seat], tech, surcharge, lack, fee)
    return with_agent(state, seat, tech.country, price)


def _price(key: str, me: Merchant, tech: Technology, surcharge: int, lack: int, fee: int) -> Message:
    """What a technology takes: its cost with that of its slot, what of it power does not pay, and the fee for every
    later card."""
    amounts = {"n": tech.cost + surcharge, "printed": tech.cost, "more": surcharge}
    cost = {"key": "yokohama.cost.slot" if surcharge else "yokohama.cost", "args": amounts}
    parts = ".both" if fee and lack > fee else ".later" if fee else ".beyond" if lack else ".covered"
    said = {"effect": tech.name, "cost": cost, "n": lack - fee, "have": len(me.techs)}
    return Message(f"yokohama.{key}{parts}", said)


def _beyond_reach(me: Merchant, techs: list[tuple[Technology, int, int]], fee: int) -> list[Blocked]:
    """Technologies that cannot be learned now: for want of money, or because one has them."""
    found = []
    for tech, surcharge, lack in techs:
        owned = tech.name in me.names
        why = Message("yokohama.why.owned") if owned else _price("why.dear", me, tech, surcharge, lack, fee)
        found.append(Blocked(_learning(tech), why))
    return found


def later_fee(state: YokohamaState, seat: int) -> int:
    """Every card from the 4th (dlp) or the 5th (okazu) on costs 2 yen or 1 import more: the price of one industry."""
    return 1 if len(state.merchants[seat].techs) >= FREE_OF_FEE[state.options["edition"]] else 0


def _ways_to_pay(me: Merchant, units: int) -> range:
    """Each unit is 1 import or 2 yen: how many imports it may be."""
    return range(max(0, units - me.yen // UNIT_YEN), min(units, me.imports) + 1)


def _pay_units(state: YokohamaState, seat: int, units: int, card: str) -> Scene:
    """What power leaves to be paid of a technology; the payer chooses how many imports. Returns yen and imports."""
    me = state.merchants[seat]
    if not units:
        return 0, 0
    choices = [_paying(card, n, UNIT_YEN * (units - n)) for n in _ways_to_pay(me, units)]
    imports = yield ask(seat, "yokohama.ask.pay_units", choices, choices[0].id, n=units)
    yen = UNIT_YEN * (units - imports)
    me.imports -= imports
    me.yen -= yen
    return yen, imports


def _paying(card: str, imports: int, yen: int) -> Option:
    costs = [gain(kind, n) for kind, n in (("imports", imports), ("yen", yen)) if n]
    return Option(f"pay.{imports}", Message("yokohama.pay", {"costs": costs}), None, (f"tech:{card}",), means=imports)


def _learn(state: YokohamaState, seat: int, tech: Technology, yen: int, imports: int) -> Scene:
    """A technology comes into play: Letterpress and Patent System reward it, then its own immediate effect."""
    me = state.merchants[seat]
    state.tell("yokohama.learned", seat=seat, tech=tech.name, country=tech.country)
    tell_spent(state, seat, yen, imports)
    if "letterpress" in me.names:
        me.yen += EXTRA_YEN["letterpress"]
        state.tell("yokohama.letterpress", seat=seat)
    if "patent" in me.names:
        state.score(seat, "technologies", EXTRA_POINTS["patent"])
        state.tell("yokohama.patent", seat=seat)
    me.techs.append(tech.id)
    me.names.append(tech.name)
    welcome_agent(state, seat, tech.country)
    if tech.name == "exposition":
        state.score(seat, "technologies", EXTRA_POINTS["exposition"])
        state.tell("yokohama.exposition", seat=seat)
    elif tech.name == "station":
        places = [_station_at(area.id) for area in state.areas if area.action != "canal"]
        place = yield ask(seat, "yokohama.ask.station", places, places[0].id)
        state.station = state.where[place]
        state.tell("yokohama.station_built", seat=seat, place=place)


def _station_at(place: str) -> Option:
    label = Message("yokohama.station", {"place": place})
    return Option(f"station.{place}", label, None, (f"area:{place}",), means=place)


def _refill_lab(state: YokohamaState, board: list[str]) -> Scene:
    if state.tech_deck:
        yield REVEAL
    cards = [card for card in board if card]
    if state.tech_deck:
        cards.append(state.tech_deck.pop())
    board[:] = cards + [""] * (len(board) - len(cards))


def _agency(state: YokohamaState, seat: int, at: int, pieces: int, power: int) -> Scene:
    """Employment agency: pieces from the warehouse at their price."""
    for left in range(pieces, 0, -1):
        if not (yield from take_piece(state, seat, left)):
            return


def _chinatown(state: YokohamaState, seat: int, at: int, exchanges: int, power: int) -> Scene:
    """Chinatown: each exchange buys or sells one thing; imports are only bought."""
    me = state.merchants[seat]
    left = exchanges
    while left:
        choices = [done("exchange")]
        choices += [_exchanging("sell", g, p) for g, p, n in zip(GOODS, PRICES, me.goods, strict=True) if n]
        choices += [_exchanging("buy", g, p) for g, p in zip(GOODS, PRICES, strict=True) if p <= me.yen]
        if me.yen >= IMPORT_PRICE:
            choices.append(_exchanging("buy", "imports", IMPORT_PRICE))
        choices += at_any_time(state, seat)
        if len(choices) == 1:
            if left == exchanges:
                _tell_idle(state, seat, at, "no_exchange")
            return
        choice = yield ask(
            seat, "yokohama.ask.exchange", choices, "done", rest=rest(state), main="done", n=left, yen=me.yen
        )
        if choice == "done":
            return
        if use_at_any_time(state, seat, choice):
            continue
        left -= 1
        _exchange(state, seat, *choice)


def _exchanging(verb: str, good: str, price: int) -> Option:
    label = Message(f"yokohama.{verb}", {"good": good, "price": price})
    return Option(f"{verb}.{good}", label, None, (f"{verb}:{good}",), means=(verb, good))


def _exchange(state: YokohamaState, seat: int, verb: str, good: str) -> None:
    me = state.merchants[seat]
    if good == "imports":
        me.yen -= IMPORT_PRICE
        me.imports += 1
        state.tell("yokohama.bought", seat=seat, good=good, price=IMPORT_PRICE)
        return
    kind = GOODS.index(good)
    if verb == "sell":
        me.goods[kind] -= 1
        me.yen += PRICES[kind]
        state.tell("yokohama.sold", seat=seat, good=good, price=PRICES[kind])
        return
    me.yen -= PRICES[kind]
    state.tell("yokohama.bought", seat=seat, good=good, price=PRICES[kind])
    bought = [0, 0, 0, 0]
    bought[kind] = 1
    receive_goods(state, seat, bought)


def _church(state: YokohamaState, seat: int, at: int, faith: int, power: int) -> Scene:
    """Church: faith from power and from at most one gift of each kind; an assistant takes a free space."""
    me = state.merchants[seat]
    while True:
        kinds = gifts(me, me.yen, state.faith_price)
        choice = yield from _choose_space(state, seat, at, state.church, state.box.church, faith, kinds, power)
        if not use_at_any_time(state, seat, choice):
            break
    if choice == "done":
        return
    lack = state.box.church[choice].cost - faith
    if lack > 0:
        sets = [_offering(state, choice, given) for given in combinations(kinds, lack)]
        given = yield ask(seat, "yokohama.ask.offer", sets, sets[0].id, n=lack)
        _give(state, seat, given)
    yield from _take_space(state, seat, at, choice)


def gifts(me: Merchant, yen: int, price: int) -> list[str]:
    """The kinds of gifts this merchant has, with so much money; each counts 1 faith and can be given once."""
    found = [good for good, n in zip(GOODS, me.goods, strict=True) if n]
    found.sort(key=("tea", "fish", "silk", "copper").index)
    if yen >= price:
        found.append("yen")
    if me.imports:
        found.append("imports")
    return found


def _offering(state: YokohamaState, n: int, kinds: tuple[str, ...]) -> Option:
    label = Message("yokohama.offer", {"gifts": _given(state, kinds)})
    return Option("+".join(kinds), label, None, (f"church:{n}",), means=kinds)


def _given(state: YokohamaState, kinds: tuple[str, ...]) -> list[Said]:
    return [gain(kind, state.faith_price if kind == "yen" else 1) for kind in kinds]


def _give(state: YokohamaState, seat: int, kinds: tuple[str, ...]) -> None:
    me = state.merchants[seat]
    for kind in kinds:
        if kind == "yen":
            me.yen -= state.faith_price
        elif kind == "imports":
            me.imports -= 1
        else:
            me.goods[GOODS.index(kind)] -= 1
    state.tell("yokohama.offered", seat=seat, gifts=_given(state, kinds))


def _customs(state: YokohamaState, seat: int, at: int, most: int, power: int) -> Scene:
    """Customs: imports, as many as the power allows, for an assistant on a free space."""
    me = state.merchants[seat]
    while True:
        within = min(most, me.imports)
        choice = yield from _choose_space(state, seat, at, state.customs, state.box.customs, within, [], power)
        if not use_at_any_time(state, seat, choice):
            break
    if choice == "done":
        return
    me.imports -= state.box.customs[choice].cost
    yield from _take_space(state, seat, at, choice)


def _choose_space(
    state: YokohamaState,
    seat: int,
    at: int,
    track: list[int],
    spaces: list[Space],
    within: int,
    gifts: list[str],
    power: int,
) -> Scene:
    """Which free space of the board to take, if any: up to `within`, and further with gifts. An assistant must be at
    hand or in the area."""
    me, area = state.merchants[seat], state.areas[at]
    vp = _extra_points(me, area.action)
    choices, blocked = [done(area.action)], []
    if me.assistants or area.assistants[seat]:
        for n, space in enumerate(spaces):
            if track[n] != EMPTY:
                continue
            label = Message(f"yokohama.space.{area.action}", {"n": space.cost, "space": n + 1})
            if space.cost <= within + len(gifts):
                lack = space.cost - within
                leads = 0 < lack < len(gifts)  # more gifts than are needed: which ones comes next
                spots = (f"{area.action}:{n}",)
                choices.append(Option(f"space.{n}", label, _space_gives(space, vp, lack), spots, n, leads))
            else:
                blocked.append(Blocked(label, Message(f"yokohama.why.{area.action}")))
    choices += at_any_time(state, seat)
    if len(choices) == 1:
        _tell_idle(state, seat, at, "no_space" if me.assistants or area.assistants[seat] else "no_pawn")
        return "done"
    choice = yield ask(seat, f"yokohama.ask.{area.action}", choices, "done", blocked=blocked, main="done", power=power)
    return choice


def _space_gives(space: Space, vp: int, lack: int) -> Message:
    """`lack`: how much faith is missing, to be given in goods, imports or money."""
    if lack > 0:
        return Message("yokohama.gives_for_gifts", {"gains": gains(space.reward, vp), "n": lack})
    return Message("yokohama.gives", {"gains": gains(space.reward, vp)})


def _take_space(state: YokohamaState, seat: int, at: int, n: int) -> Scene:
    """An assistant goes to the board for good; its owner gains what the space gives."""
    me, area = state.merchants[seat], state.areas[at]
    church = area.action == "church"
    track, spaces = (state.church, state.box.church) if church else (state.customs, state.box.customs)
    sources = []
    if area.assistants[seat]:
        label = Message("yokohama.pawn.area", {"place": area.id})
        sources.append(Option("area", label, None, (f"area:{area.id}",)))
    if me.assistants:
        sources.append(Option("hand", Message("yokohama.pawn.hand")))
    choice = yield ask(seat, "yokohama.ask.pawn", sources, sources[0].id)
    if choice == "hand":
        me.assistants -= 1
    else:
        area.assistants[seat] -= 1
    track[n] = seat
    state.tell(f"yokohama.joined.{area.action}", seat=seat, n=spaces[n].cost)
    if sum(1 for holder in track if holder != EMPTY) >= state.pawns_to_end:
        state.trigger(area.action)
    yield from receive(state, seat, spaces[n].reward, area.action, _extra_points(me, area.action))


def _extra_points(me: Merchant, action: str) -> int:
    """What the Winery adds in the Church, and the Brickyard in the Import Store."""
    tech = "winery" if action == "church" else "brickyard"
    return EXTRA_POINTS[tech] if tech in me.names else 0


_ACTIONS: dict[str, Callable[[YokohamaState, int, int, int, int], Scene]] = {
    "port": _port,
    "lab": _lab,
    "agency": _agency,
    "chinatown": _chinatown,
    "church": _church,
    "customs": _customs,
}
