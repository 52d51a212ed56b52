"""The built-in player of Yokohama: weighs what an action would bring now, by what its seat may know.

It looks for the area whose action is worth most, places the assistants that lead there and spends spare ones where
they add most. One thought per decision; nothing is remembered between decisions.
"""

from collections.abc import Callable
from typing import Any

from engine.scene import Decision
from engine.yokohama.box import GOODS, MOST_ORDERS, PRICES, SHOP_PRICE, Order, Reward, Space, Technology
from engine.yokohama.city import YEN
from engine.yokohama.gains import count_icons, house_price
from engine.yokohama.means import Going, Placing, Sending
from engine.yokohama.state import EMPTY, NEUTRAL, Area, YokohamaState

LONG = 16  # rounds in a game of usual length
ICON = 2.0
FEE = 0.6
ASSISTANT = 1.2
ROOM_IN_HAND = (0.0, 0.3, 0.5, 0.7)  # what a free place among the orders in hand is good for

# What a technology earns its owner per round still to be played.
PER_ROUND = {
    "ball": 0.7,
    "language_school": 0.2,
    "gaslight": 0.5,
    "electric_light": 0.3,
    "winery": 0.3,
    "brickyard": 0.35,
    "mining": 0.3,
    "newspaper": 0.4,
    "telegram": 0.3,
    "telephone": 0.4,
    "university": 0.35,
    "stock": 0.2,
    "spinning_mill": 0.25,
    "stagecoach": 0.2,
    "postal": 0.3,
    "tram": 0.5,
    "station": 0.5,
    "patent": 0.35,
    "letterpress": 0.12,
}


def choose(state: YokohamaState, decision: Decision) -> str:
    handler = _HANDLERS.get(decision.prompt)
    if handler is None:
        return decision.default
    wish = handler(Mind(state, decision.seat), decision)
    return next((option.id for option in decision.options if option.meaning == wish), decision.default)


def _pairs(decision: Decision) -> list[tuple[Any, Any]]:
    """The choices that name two things: neither being done nor what a technology allows at any time."""
    return [pair for option in decision.options if type(pair := option.meaning) is tuple]


class Mind:
    """What a seat thinks about the table at one moment."""

    def __init__(self, state: YokohamaState, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.me = state.merchants[seat]
        self.box = state.box
        self.left = self._rounds_left()
        self.last = state.final_round != EMPTY and state.round >= state.final_round
        self.values: dict[tuple[int, int], float] = {}
        self._wishes: list[tuple[tuple[int, int, int, int], int, float]] | None = None
        self._stocks: dict[tuple[int, ...], float] = {}
        self._worths: dict[str, float] = {}
        self._prospects: dict[str, float] = {}
        self._exchanges: list[tuple[float, tuple[str, str]]] | None = None
        self._gifts: list[tuple[float, str]] | None = None
        self._icons: dict[str, float] = {}

    def _rounds_left(self) -> float:
        state = self.state
        if state.final_round != EMPTY:
            return float(state.final_round - state.round)
        pawns = max(len(track) - track.count(EMPTY) for track in (state.church, state.customs)) / state.pawns_to_end
        shops = max((8 - m.shops - m.stored_shops) / 8 for m in state.merchants)
        houses = max((4 - m.houses - m.stored_houses) / 4 for m in state.merchants)
        progress = max(pawns, shops, houses, state.round / 25)
        return max(1.0, LONG * (1 - progress))

    # worths

    @property
    def yen(self) -> float:
        """What one more yen is worth."""
        if self.last:
            return 0.5
        return 0.9 if self.me.yen < 2 else 0.7 if self.me.yen < 5 else 0.55 if self.me.yen < 9 else 0.4

    @property
    def imports(self) -> float:
        return 1.0 if self.left < 1 else 2.6 if self.left > 3 else 1.8

    def worth(self, reward: Reward, after: bool = False) -> float:
        """`after`: received when nothing can be done with it any more."""
        goods = reward.copper * 1.0 + reward.silk * 0.9 + (reward.tea + reward.fish) * 0.5 + reward.any * 1.0
        icons = 0.0 if self.last else reward.warehouse * 0.9 + reward.moves * 0.5
        return (
            reward.vp + reward.yen * self.yen + goods * (0.4 if after else 1.0) + reward.imports * self.imports + icons
        )

    def goal(self, need: str) -> float:
        """The points of an achievement on the table that asks for this and is still to be had."""
        for goal in self.state.goals:
            card = self.box.achievements[goal.card]
            if need in card.needs and self.seat not in goal.seats:
                return card.later if goal.seats else card.first
        return 0.0

    def order_worth(self, order: Order) -> float:
        known = self._worths.get(order.id)
        if known is None:
            known = self._worths[order.id] = self._order_worth(order)
        return known

    def _order_worth(self, order: Order) -> float:
        names = self.me.names
        extra = (2 if "ball" in names else 0) + (self.yen if "language_school" in names else 0)
        return self.worth(order.reward) + self.icon(order.country) + extra + 0.2 * self.goal("orders")

    def icon(self, country: str) -> float:
        """One more icon of a country: a step to a set, and an agent on every second."""
        known = self._icons.get(country)
        if known is None:
            known = self._icons[country] = self._icon(country)
        return known

    def _icon(self, country: str) -> float:
        have = count_icons(self.state, self.me, country)
        agent = 2.5 if have % 2 and self.state.agents[country] and self.left > 1 else 0.5
        return agent + (2.0 if not have else 0.7)

    @property
    def wishes(self) -> list[tuple[tuple[int, int, int, int], int, float]]:
        """The orders in hand: goods, price, worth; the nearest to completion first."""
        if self._wishes is None:
            goods = self.me.goods
            orders = [self.box.orders[card] for card in self.me.orders]
            ranked = sorted(orders, key=lambda order: (_missing(order, goods), order.id))
            self._wishes = [(order.goods, order.price, self.order_worth(order)) for order in ranked]
        return self._wishes

    def stock(self, goods: list[int]) -> float:
        """What these goods are worth to me: orders filled, orders begun, achievements, and the rest."""
        key = tuple(goods)
        known = self._stocks.get(key)
        if known is None:
            known = self._stocks[key] = self._stock(goods)
        return known

    def _stock(self, goods: list[int]) -> float:
        copper, silk, tea, fish = goods
        total = 0.0
        begun = 0.15 if self.last else 0.65
        for (a, b, c, d), price, worth in self.wishes:
            a = copper if copper < a else a
            b = silk if silk < b else b
            c = tea if tea < c else c
            d = fish if fish < d else d
            copper -= a
            silk -= b
            tea -= c
            fish -= d
            have = 2 * a + 2 * b + c + d
            total += worth if have == price else worth * begun * have / price
        if self.last:
            total += (copper + silk + tea + fish) * 0.3
        else:
            total += _pile(copper) * 0.8 + _pile(silk) * 0.7 + _pile(tea) * 0.4 + _pile(fish) * 0.4
        return total + self._goods_goal(goods)

    def _goods_goal(self, goods: list[int]) -> float:
        goal = self.state.goals[0]
        if self.seat in goal.seats:
            return 0.0
        card = self.box.achievements[goal.card]
        need, n = next(iter(card.needs.items()))
        if need not in GOODS:
            return 0.0
        have = goods[GOODS.index(need)]
        vp = card.later if goal.seats else card.first
        return vp if have >= n else (0.0 if self.last else 0.35 * vp * (have / n) ** 2)

    def gain(self, kind: int, n: int) -> float:
        more = list(self.me.goods)
        more[kind] += n + (1 if n and kind == 0 and "mining" in self.me.names else 0)
        return self.stock(more) - self.stock(self.me.goods)

    # actions

    def value(self, at: int, power: int) -> float:
        """What an action in this area with this power would bring, with the steps that follow it."""
        known = self.values.get((at, power))
        if known is None:
            known = self.values[at, power] = self._value(at, power)
        return known

    def _value(self, at: int, power: int) -> float:
        area = self.state.areas[at]
        n = self.box.areas[area.id].power[power - 1]
        action = area.action
        if action in GOODS:
            total = self.gain(GOODS.index(action), n) if n else 0.0
        else:
            total = _ACTIONS[action](self, area, n, power)
        if power == 5 and area.token:
            total += self.worth(self.box.tokens[area.token].reward) + 0.15 * self.goal("tokens")
        if power >= 4:
            total += self.best_building(area)[0]
        if area.house not in (EMPTY, self.seat):
            total -= 0.2
        return total

    def best_building(self, area: Area) -> tuple[float, int | str]:
        """The best thing to build here and its worth: the space of a shop, a house, or nothing."""
        me, site = self.me, self.box.sites[area.site]
        best = 0.0
        what: int | str = "done"
        presence = 0.0 if self.last else 0.05 * self.left
        presence += self._foothold(area)
        if me.houses and area.house == EMPTY:
            extra = presence + (3 if "electric_light" in me.names else 0) + 0.05 * self.left
            if (worth := self.worth(site.house) + extra) >= best:
                best, what = worth, "house"
        if me.shops and self.seat not in area.shops:
            extra = presence + (2 if "gaslight" in me.names else 0)
            for n, owner in enumerate(area.shops):
                if owner == EMPTY and (worth := self.worth(site.shops[n]) + extra) >= best:
                    best, what = worth, n
        return best, what

    def _foothold(self, area: Area) -> float:
        """Towards the building achievement: a first building in an area of a kind that is still asked for."""
        if area.house == self.seat or self.seat in area.shops:
            return 0.0
        kind = self.box.areas[area.id].kind
        return 0.2 * self.goal(kind)

    def bank(self, area: Area, n: int, power: int) -> float:
        total = n * self.yen
        vp = self.goal("yen")
        if vp and self.me.yen < 10 <= self.me.yen + n:
            total += vp
        return total

    def port(self, area: Area, tiers: int, power: int) -> float:
        extra = 3.0 if power == 5 else 0.0
        free = MOST_ORDERS - len(self.me.orders)
        if self.left < 1 or not free or not tiers:
            return extra
        found = sorted((self.prospect(order) for order in self._orders_at(area, tiers)), reverse=True)
        total = max(0.0, found[0]) * ROOM_IN_HAND[free] + (1.5 if not self.me.orders else 0.0) if found else 0.0
        if len(found) > 1 and free > 1 and self.me.yen >= 4:
            total += max(0.0, found[1] * 0.5 - 2.0)
        return total + extra

    def _orders_at(self, area: Area, tiers: int) -> list[Order]:
        cards = zip(self.state.boards[area.id], self.box.tiers, strict=True)
        return [self.box.orders[card] for card, tier in cards if card and tier <= tiers]

    def prospect(self, order: Order) -> float:
        """What it brings to hold this order: its worth, less the goods still missing and the time they take."""
        known = self._prospects.get(order.id)
        if known is None:
            known = self._prospects[order.id] = self._prospect(order)
        return known

    def _prospect(self, order: Order) -> float:
        left = list(self.me.goods)
        for needed, _, _ in self.wishes:
            left = [max(0, have - n) for have, n in zip(left, needed, strict=True)]
        missing = _missing(order, left)
        if missing > 3.5 * self.left:
            return 0.0
        return (self.order_worth(order) - 0.85 * order.price - 0.35 * missing) * 0.8

    def lab(self, area: Area, industry: int, power: int) -> float:
        best = 0.0
        later = 1 if len(self.me.techs) >= (3 if self.state.dlp else 4) else 0
        purse = self.me.imports + self.me.yen // 2
        for card, surcharge in zip(self.state.boards[area.id], self.box.surcharges, strict=True):
            if not card:
                continue
            tech = self.box.techs[card]
            units = max(0, tech.cost + surcharge - industry) + later
            if units <= purse and tech.name not in self.me.names:
                best = max(best, self.tech_worth(tech) - units * 2 * self.yen)
        return best

    def tech_worth(self, tech: Technology) -> float:
        names = self.me.names
        earns = PER_ROUND.get(tech.name, 0.0) * self.left + (10.0 if tech.name == "exposition" else 0.0)
        earns += (2 if "patent" in names else 0) + (self.yen if "letterpress" in names else 0)
        return 0.6 * tech.cost + self.icon(tech.country) + earns + 0.25 * self.goal("technologies")

    def agency(self, area: Area, n: int, power: int) -> float:
        if self.left < 1:
            return 0.0
        yen, total = self.me.yen, 0.0
        for _ in range(n):
            worth, price = self.best_piece(yen)[:2]
            total += worth
            yen -= price
        return total * 0.8

    def best_piece(self, yen: int) -> tuple[float, int, str]:
        """The best piece in the warehouse for this much money: its worth, price and kind."""
        me = self.me
        best = (0.0, 0, "done")
        if self.left < 1:
            return best
        if me.stored_assistants:
            total = 20 - me.stored_assistants
            best = (ASSISTANT - 0.06 * max(0, total - 8), 0, "assistant")
        if me.stored_houses and yen >= house_price(me) and me.houses < 2 and self.left > 2:
            best = max(best, (8.0 - me.houses * 3 - self.yen * house_price(me) - 1.5, house_price(me), "house"))
        if me.stored_shops and yen >= SHOP_PRICE and me.shops < 3:
            best = max(best, (4.6 - me.shops * 1.4 - self.yen * SHOP_PRICE - 0.8, SHOP_PRICE, "shop"))
        return best

    def chinatown(self, area: Area, n: int, power: int) -> float:
        best = max((worth for worth, _ in self.exchanges()), default=0.0)
        return max(0.0, best) * (1 + 0.6 * (n - 1))

    def exchanges(self) -> list[tuple[float, tuple[str, str]]]:
        if self._exchanges is None:
            self._exchanges = self._weigh_exchanges()
        return self._exchanges

    def _weigh_exchanges(self) -> list[tuple[float, tuple[str, str]]]:
        me = self.me
        now = self.stock(me.goods)
        found = []
        for kind, price in enumerate(PRICES):
            if me.goods[kind]:
                less = list(me.goods)
                less[kind] -= 1
                found.append((self.stock(less) - now + price * self.yen - 0.1, ("sell", GOODS[kind])))
            if me.yen >= price:
                found.append((self.gain(kind, 1) - price * self.yen - 0.1, ("buy", GOODS[kind])))
        if me.yen >= 4:
            found.append((self.imports - 4 * self.yen, ("buy", "imports")))
        return found

    def church(self, area: Area, faith: int, power: int) -> float:
        return self.best_space(area, self.state.church, self.box.church, faith)[0]

    def customs(self, area: Area, most: int, power: int) -> float:
        return self.best_space(area, self.state.customs, self.box.customs, most)[0]

    def best_space(self, area: Area, track: list[int], spaces: list[Space], n: int) -> tuple[float, int | str]:
        """The best space to take on the board and its worth, or nothing."""
        best = 0.0
        what: int | str = "done"
        if not self.me.assistants and not area.assistants[self.seat]:
            return best, what
        church = area.action == "church"
        gifts = self.gift_costs() if church else []
        within = n + len(gifts) if church else min(n, self.me.imports)
        extra = (
            (3.0 if "winery" in self.me.names else 0.0) if church else (4.0 if "brickyard" in self.me.names else 0.0)
        )
        extra += self.rivalry(track, church)
        # An assistant that never comes back, and a step towards the end.
        pawn = 0.5 + (0.4 if church else 0.2) * self.left + self.haste(track)
        for at, space in enumerate(spaces):
            if track[at] != EMPTY or space.cost > within:
                continue
            price = sum(gifts[: max(0, space.cost - n)]) if church else self.imports * 0.8 * space.cost
            if (worth := self.worth(space.reward) + extra - price - pawn) >= best:
                best, what = worth, at
        return best, what

    def haste(self, track: list[int]) -> float:
        """What it costs to bring the end near while others are ahead, or before there was time to make points."""
        state = self.state
        to_go = state.pawns_to_end - (len(track) - track.count(EMPTY))
        if state.final_round != EMPTY or to_go > 2:
            return 0.0
        behind = self.me.score < max(merchant.score for merchant in state.merchants)
        early = max(0, LONG - 4 - state.round)
        return (4.0 if behind else 0.0) / to_go + 0.8 * early / to_go

    def rivalry(self, track: list[int], church: bool) -> float:
        """What one more pawn does for the majority."""
        mine = track.count(self.seat)
        best = max(track.count(other) for other in (*range(self.state.players), NEUTRAL) if other != self.seat)
        first = 2.0 if church else 2.7
        return first if mine <= best <= mine + 1 else first * 0.6 if mine + 2 >= best else 0.3

    def gift_costs(self) -> list[float]:
        """What each gift to the Church would cost me, cheapest first."""
        return sorted(cost for cost, _ in self.gifts())

    def gifts(self) -> list[tuple[float, str]]:
        if self._gifts is None:
            self._gifts = self._weigh_gifts()
        return self._gifts

    def _weigh_gifts(self) -> list[tuple[float, str]]:
        me = self.me
        now = self.stock(me.goods)
        found = []
        for kind, good in enumerate(GOODS):
            if me.goods[kind]:
                less = list(me.goods)
                less[kind] -= 1
                found.append((now - self.stock(less), good))
        money = 2 if self.state.dlp else 1
        if me.yen >= money:
            found.append((money * self.yen, "yen"))
        if me.imports:
            found.append((self.imports, "imports"))
        return found


_ACTIONS: dict[str, Callable[[Mind, Area, int, int], float]] = {
    "bank": Mind.bank,
    "port": Mind.port,
    "lab": Mind.lab,
    "agency": Mind.agency,
    "chinatown": Mind.chinatown,
    "church": Mind.church,
    "customs": Mind.customs,
}


def _pile(n: int) -> float:
    """More than three of a kind count half."""
    return n if n <= 3 else 1.5 + n / 2


def _missing(order: Order, goods: list[int]) -> int:
    """The price of the goods that are not there yet."""
    missing = 0
    for kind, n in enumerate(order.goods):
        if n > goods[kind]:
            missing += (n - goods[kind]) * PRICES[kind]
    return missing


# Placement and movement


class Plan:
    """An area to act in, and the assistants that are still to be placed to get there."""

    def __init__(self, worth: float, first: Placing | None = None) -> None:
        self.worth = worth
        self.first = first


def _approach(mind: Mind, singles: set[int]) -> dict[int, tuple[int, int, int]]:
    """Area -> (areas on the way that still need an assistant, fees, the first of those areas)."""
    state, seat = mind.state, mind.seat
    names = mind.me.names
    start = mind.me.president
    if start < 0:
        return dict.fromkeys(range(len(state.areas)), (0, 0, EMPTY))
    others = state.presidents(seat)
    tolls = {} if "stagecoach" in names else others
    found: dict[int, tuple[int, int, int]] = {start: (0, 0, EMPTY)}
    queue = [start]
    for at in queue:
        needs, fees, first = found[at]
        area = state.areas[at]
        if at != start:
            if area.action == "canal":
                fees += 1
            else:
                if not area.assistants[seat]:
                    if at not in singles:
                        continue
                    needs += 1
                    first = at if first == EMPTY else first
                fees += YEN[tolls.get(at, 0)]
        if fees > mind.me.yen or needs > 2:
            continue
        for there in state.streets[at]:
            if there == start:
                continue
            known = found.get(there)
            if known is None or (needs, fees) < known[:2]:
                found[there] = (needs, fees, first)
                queue.append(there)
    if "tram" in names or "station" in names:
        for at in range(len(state.areas)):
            if ("station" in names and at == state.station) or ("tram" in names and at not in others):
                found[at] = (0, 0, EMPTY)
    return found


def _best_plan(mind: Mind, left: int, singles: set[int], pairs: set[int]) -> Plan:
    state, seat, me = mind.state, mind.seat, mind.me
    others = state.presidents(seat)
    best = Plan(_recall_worth(mind))
    for at, (needs, fees, first) in _approach(mind, singles).items():
        area = state.areas[at]
        if area.action == "canal" or at == me.president:
            continue
        if at in others and "postal" not in me.names and not ("station" in me.names and at == state.station):
            continue
        power = state.power(seat, at) + 1
        tolls = fees * FEE
        if area.assistants[seat] and needs <= left:
            _better(best, mind.value(at, min(power, 5)) - tolls, _placing(state, first))
        if at in singles and needs < left:
            step = first if first != EMPTY else at
            _better(best, mind.value(at, min(power + 1, 5)) - tolls, _placing(state, step))
        if at in pairs and not needs:
            _better(best, mind.value(at, min(power + 2, 5)) - tolls - 0.4, Placing(area.id, 2))
    return best


def _better(best: Plan, worth: float, first: Placing | None) -> None:
    if worth > best.worth + 1e-9:
        best.worth, best.first = worth, first


def _placing(state: YokohamaState, at: int) -> Placing | None:
    return None if at == EMPTY else Placing(state.areas[at].id, 1)


def _recall_worth(mind: Mind) -> float:
    """Taking the president back costs a turn; it is the way out when few assistants are left."""
    if mind.me.president < 0:
        return 0.2
    return 2.2 if mind.me.assistants < 2 else 1.4 if mind.me.assistants < 4 else 0.8


def _places(mind: Mind, decision: Decision, n: int) -> set[int]:
    """Where this many assistants may be placed."""
    wanted = [means for option in decision.options if isinstance(means := option.meaning, Placing) and not means.again]
    return {mind.state.where[placing.place] for placing in wanted if placing.n == n}


def _place(mind: Mind, decision: Decision) -> Placing | str | None:
    singles, pairs = _places(mind, decision, 1), _places(mind, decision, 2)
    if not singles:
        return "study" if _offered(decision, "study") and not mind.last else "done"
    left = min(decision.args.get("n", 1), mind.me.assistants)
    plan = _best_plan(mind, left, singles, pairs)
    return plan.first or _spare(mind, decision, singles)


def _spare(mind: Mind, decision: Decision, singles: set[int]) -> Placing | None:
    """An assistant that the plan does not need goes where it adds most for later turns."""
    state, seat, me = mind.state, mind.seat, mind.me
    may_stop = _offered(decision, "done")
    if may_stop and (mind.left < 1 or me.assistants < 2):
        return None
    others = state.presidents(seat)
    best = 0.35 if may_stop else -99.0
    choice: Placing | None = None
    for at in singles:
        power = state.power(seat, at) + (me.president != at)
        if power >= 5:
            continue
        now, more = mind.value(at, power), mind.value(at, power + 1)
        score = (more - now) * 0.5 + more * 0.12 - FEE * YEN[others.get(at, 0)]
        if power + 1 >= 4:
            score += 0.3
        if at == me.president:
            score -= 0.3
        if score > best:
            best, choice = score, Placing(state.areas[at].id, 1)
    return choice


def _go(mind: Mind, decision: Decision) -> Going | None:
    state = mind.state
    best, choice = _recall_worth(mind), None
    for going in [means for option in decision.options if isinstance(means := option.meaning, Going)]:
        at = state.where[going.place]
        worth = mind.value(at, min(state.power(mind.seat, at) + 1, 5)) - FEE * going.yen
        worth += 0.15 * state.areas[at].assistants[mind.seat]
        if worth > best:
            best, choice = worth, going
    return choice


def _recall(mind: Mind, decision: Decision) -> tuple[tuple[str, int], ...] | str:
    """Bring back the assistants that stand where there is least to gain, until there are enough in hand."""
    state, seat = mind.state, mind.seat
    if mind.me.assistants >= 6 or len(decision.options) == 1:
        return "done"
    held = [(at, area) for at, area in enumerate(state.areas) if area.assistants[seat]]
    worst = min(held, key=lambda pair: (mind.value(pair[0], min(state.power(seat, pair[0]) + 1, 5)), pair[0]))
    area = worst[1]
    return ((area.id, area.assistants[seat]),)


# Everything else


def _offered(decision: Decision, wish: str) -> bool:
    return any(option.meaning == wish for option in decision.options)


def _additional(mind: Mind, decision: Decision) -> Any:
    """Achievements first (they ask for goods in hand), then orders, then an agent if it is worth it."""
    best, choice = 0.0, None
    for option in decision.options:
        match option.meaning:
            case "achieve", _:
                return option.meaning
            case "order", card:
                worth = 100.0 + mind.order_worth(mind.box.orders[card])
            case Sending(place):
                worth = _agent_worth(mind, mind.state.where[place], decision)
            case "spin":
                worth = _spin_worth(mind)
            case "study":
                worth = 0.6 if mind.left > 3 and mind.me.yen > 3 else 0.0
            case _:
                worth = 0.0
        if worth > best:
            best, choice = worth, option.meaning
    return choice


def _begin(mind: Mind, decision: Decision) -> Any:
    """What is worth doing first, and then the first assistant."""
    return _additional(mind, decision) or _place(mind, decision)


def _agent_worth(mind: Mind, at: int, decision: Decision) -> float:
    worth = mind.value(at, mind.state.power(mind.seat, at))
    threshold = 1.0 if mind.last else 3.0 if mind.left < 4 else 4.5
    return worth if worth > threshold and (decision.prompt == "yokohama.ask.closing" or mind.last) else 0.0


def _spin_worth(mind: Mind) -> float:
    less = list(mind.me.goods)
    less[1] -= 1
    return 2 * mind.yen - (mind.stock(mind.me.goods) - mind.stock(less)) - 0.2


def _keep(mind: Mind, decision: Decision) -> str:
    orders = [mind.box.orders[option.meaning] for option in decision.options]
    return max(orders, key=lambda order: (mind.order_worth(order) - 0.9 * order.price, order.id)).id


def _take_order(mind: Mind, decision: Decision) -> tuple[str, str] | None:
    best, choice = 0.0, None
    if mind.left < 1:
        return choice
    for card, pay in _pairs(decision):
        price = {"yen": 2 * mind.yen, "imports": mind.imports}.get(pay, 0.0)
        worth = mind.prospect(mind.box.orders[card]) * (0.75 if price else 1.0) - price + (1.0 if not price else 0)
        if worth > best:
            best, choice = worth, (card, pay)
    return choice


def _tech(mind: Mind, decision: Decision) -> tuple[str, int] | None:
    found = [
        (mind.tech_worth(mind.box.techs[card]) - units * 2 * mind.yen, (card, units))
        for card, units in _pairs(decision)
    ]
    worth, choice = max(found, default=(0.0, None))
    return choice if worth >= 0 else None


def _pay_units(mind: Mind, decision: Decision) -> int:
    """Imports only when money is short."""
    imports: list[int] = [option.meaning for option in decision.options]
    return min(imports) if mind.imports > 2 * mind.yen else max(imports)


def _warehouse(mind: Mind, decision: Decision) -> str:
    return mind.best_piece(mind.me.yen)[2]


def _exchange(mind: Mind, decision: Decision) -> tuple[str, str] | None:
    worth, choice = max(mind.exchanges(), default=(0.0, None))
    return choice if worth > 0 else None


def _space(mind: Mind, decision: Decision) -> int | str:
    church = decision.prompt == "yokohama.ask.church"
    area = mind.state.areas[mind.state.where["church" if church else "customs"]]
    track, spaces = (mind.state.church, mind.box.church) if church else (mind.state.customs, mind.box.customs)
    n = mind.box.areas[area.id].power[decision.args["power"] - 1]
    return mind.best_space(area, track, spaces, n)[1]


def _offer(mind: Mind, decision: Decision) -> tuple[str, ...]:
    costs = {good: cost for cost, good in mind.gifts()}
    sets: list[tuple[str, ...]] = [option.meaning for option in decision.options]
    return min(sets, key=lambda kinds: sum(costs[kind] for kind in kinds))


def _build(mind: Mind, decision: Decision) -> int | str:
    area = mind.state.areas[mind.state.where[decision.args["place"]]]
    return mind.best_building(area)[1]


def _any_good(mind: Mind, decision: Decision) -> str:
    return GOODS[max(range(4), key=lambda kind: (mind.gain(kind, 1), -kind))]


def _move(mind: Mind, decision: Decision) -> str:
    return "done" if mind.last or mind.me.assistants < 3 else "hand"


def _move_to(mind: Mind, decision: Decision) -> str:
    state, seat = mind.state, mind.seat

    def score(place: str) -> float:
        at = state.where[place]
        power = state.power(seat, at) + (mind.me.president != at)
        return 0.0 if power >= 5 else mind.value(at, power + 1) - 0.6 * mind.value(at, power)

    places: list[str] = [option.meaning for option in decision.options]
    return max(places, key=score)


def _station(mind: Mind, decision: Decision) -> str:
    state, seat = mind.state, mind.seat

    def score(place: str) -> float:
        at = state.where[place]
        return mind.value(at, 5) + state.power(seat, at)

    places: list[str] = [option.meaning for option in decision.options]
    return max(places, key=score)


def _token(mind: Mind, decision: Decision) -> str:
    return "take"


def _telephone(mind: Mind, decision: Decision) -> str:
    return "all" if mind.left < 1 else "leave"


def _telegram(mind: Mind, decision: Decision) -> Placing | None:
    return _spare(mind, decision, _places(mind, decision, 1))


# What the bot wishes to choose, as the meaning of an option; the default where it has no wish or it is not offered.
_HANDLERS: dict[str, Callable[[Mind, Decision], Any]] = {
    "yokohama.ask.keep": _keep,
    "yokohama.ask.opening": _additional,
    "yokohama.ask.begin": _begin,
    "yokohama.ask.closing": _additional,
    "yokohama.ask.place": _place,
    "yokohama.ask.telegram": _telegram,
    "yokohama.ask.go": _go,
    "yokohama.ask.recall": _recall,
    "yokohama.ask.order": _take_order,
    "yokohama.ask.second_order": _take_order,
    "yokohama.ask.tech": _tech,
    "yokohama.ask.pay_units": _pay_units,
    "yokohama.ask.warehouse": _warehouse,
    "yokohama.ask.exchange": _exchange,
    "yokohama.ask.church": _space,
    "yokohama.ask.customs": _space,
    "yokohama.ask.offer": _offer,
    "yokohama.ask.token": _token,
    "yokohama.ask.build": _build,
    "yokohama.ask.any": _any_good,
    "yokohama.ask.move": _move,
    "yokohama.ask.move_to": _move_to,
    "yokohama.ask.station": _station,
    "yokohama.ask.telephone": _telephone,
}
