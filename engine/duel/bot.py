"""The built-in player of the Duel: puts a price in points on everything a choice brings and takes the best, by what its
seat may know. Looks no further than the choice at hand."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.duel.box import CRITERIA, GOODS
from engine.duel.free import CALL, achieved
from engine.duel.numbers import FREE_TECHNOLOGIES, ROUNDS, SHOPS, TRADER_LEVEL, TURNS, UNIT
from engine.duel.places import DONE, KEEP_NO_MORE, TAKE_NOTHING
from engine.duel.rounds import IMPROVE_NOTHING
from engine.duel.state import Duel, house_owner, lowest_in_hand, ready, standing_influence, yields
from engine.scene import Decision

# Points, found by letting bots with other numbers play against this one.
HELP_WORTH = {1: 2.0, 2: 3.2}
TRADER_WORTH = 2.4
ORDER_RACE = 0.9  # what an order adds towards the bonus for most orders
PRODUCTION_RACE = 0.2  # the same for a point of production cost
YEN_EARLY = 0.7  # a yen is half a point at the end, and this much more at the start
USEFUL_YEN = 7  # what lies beyond is only half a point each at any time
CURVE = 2.0  # how little the first goods of an order count
LOOSE = 0.65  # a good no order in hand asks for
SPARE = 3  # more of a good than this is only worth what it scores
VARIETY = 0.5  # having a good at all while there are church cards: the church takes one of each
PATIENCE = 0.85  # how much of an order's worth goods count that are only part of what it needs
SHOP_A_ROUND = 0.45
HOUSE_A_ROUND = 0.9
IMPROVED_A_ROUND = 1.0
NEW_ORDER = 2.1
NEXT_TRADE = 0.25  # a further exchange in Chinatown, compared with the best one
NEW_ORDER_MORE = 0.2  # one more order to choose from
LASTING = 1.0  # how far what a technology will bring is believed


def choose(state: Duel, decision: Decision) -> str:
    return ANSWERS[decision.prompt](Judge(state, decision.seat), decision)


class Judge:
    """What things are worth to one seat now."""

    def __init__(self, state: Duel, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.box = state.box
        self.player = state.seats[seat]
        self.turns_left = (2 * ROUNDS * TURNS - state.turn) / 2
        self.rounds_left = ROUNDS - state.round
        self.early = YEN_EARLY * min(1.0, self.turns_left / 8)
        self.yen = -self.more_yen(-1) if self.player.yen else self.more_yen(1)
        self.loose = 0.33 if self.turns_left < 2 else LOOSE
        self.variety = VARIETY if any(state.church_row) else 0.0
        self.orders = sorted(
            ((self.order(card), self.box.needs[card]) for card in self.player.hand), key=lambda entry: -entry[0]
        )
        self.goods_now = self.goods(self.player.goods)

    def order(self, card: str) -> float:
        """A fulfilled order: its points, its reward, and how far it brings one."""
        worth = self.box.orders[card].points + self.reward(self.box.order_reward[card].items()) + ORDER_RACE
        if "ball" in self.player.technologies:
            worth += 1
        if "language_school" in self.player.technologies:
            worth += self.yen
        return worth + self.towards("orders")

    def towards(self, criterion: str) -> float:
        """A step towards recruiting a Foreign Trader."""
        if criterion in self.player.recruited or self.turns_left < 1:
            return 0.0
        missing = self.box.recruiting[criterion] - achieved(self.player)[CRITERIA.index(criterion)]
        return TRADER_WORTH / missing * 0.6 if missing > 0 else 0.0

    def goods(self, goods: list[int]) -> float:
        """Goods in hand: what they do for the orders in hand, and a little for the rest."""
        left = list(goods)
        worth = self.variety * (4 - goods.count(0))
        patience = PATIENCE if self.turns_left >= 3 else PATIENCE / 3 * self.turns_left
        for points, needs in self.orders:
            price = missing = 0
            for good, n in needs:
                value = 1 if good < 2 else 2
                price += value * n
                missing += value * max(0, n - left[good])
            worth += points if not missing else points * patience * (1 - missing / price) ** CURVE
            for good, n in needs:
                left[good] -= min(n, left[good])
        for n in left:
            worth += self.loose * min(n, SPARE) + 0.33 * max(0, n - SPARE)
        return worth

    def more_goods(self, gained: dict[str, int]) -> float:
        goods = list(self.player.goods)
        for good, n in gained.items():
            goods[GOODS.index(good)] += n
        return self.goods(goods) - self.goods_now

    def more_yen(self, n: int) -> float:
        """What n yen more are worth, or fewer if n is negative."""
        now = self.player.yen
        return 0.5 * n + self.early * (min(now + n, USEFUL_YEN) - min(now, USEFUL_YEN))

    def imports(self) -> float:
        return 1.0 + 0.12 * min(8.0, self.turns_left)

    def flips(self, n: int) -> float:
        """Turning over up to n imports."""
        turned = min(n, self.player.imports)
        each = 4 - self.imports() + (2 if "brickworks" in self.player.technologies else 0)
        return turned * each + (self.towards("flipped") * min(turned, 2) if turned else 0)

    def reward(self, things: Iterable[tuple[str, int]]) -> float:
        worth = 0.0
        for name, n in things:
            if name == "yen":
                worth += self.more_yen(n)
            else:
                worth += n * self.thing(name) if name != "flips" else self.flips(n)
        return worth

    def thing(self, name: str) -> float:
        if name == "imports":
            return self.imports()
        if name in ("help1", "help2"):
            return HELP_WORTH[int(name[-1])] if self.turns_left >= 1 else 0.0
        if name == "orders":
            return min(1.5, 0.3 * self.turns_left)
        return 0.7 if name in ("silk", "copper") else 0.5

    def church(self, card: str, faith: int) -> float:
        row = self.box.church[card]
        need = row.faith - faith
        worth = row.points + self.reward(self.box.church_reward[card].items()) + self.towards("church")
        if "brewery" in self.player.technologies:
            worth += 2
        return worth - sum(price for price, _ in self.offerings()[:need]) if need > 0 else worth

    def offerings(self) -> list[tuple[float, str]]:
        """What can be given in the church, the least missed first."""
        player = self.player
        found = []
        for at, good in enumerate(GOODS):
            if player.goods[at]:
                fewer = list(player.goods)
                fewer[at] -= 1
                found.append((self.goods_now - self.goods(fewer), good))
        if player.yen:
            found.append((self.yen, "yen"))
        if player.imports:
            found.append((self.imports(), "imports"))
        elif player.flipped:
            found.append((4.0, "flipped"))
        return sorted(found)

    def technology(self, card: str) -> float:
        """What owning a technology brings from now to the end."""
        player, turns, rounds = self.player, self.turns_left, self.rounds_left
        here = 1 if turns >= 1 else 0
        worth = {
            "ball": len(player.fulfilled) + 0.8 * len(player.hand) + 0.2 * turns,
            "stock_exchange": 0.22 * turns * self.yen,
            "brickworks": 2 * player.flipped + 0.8 * player.imports + 0.1 * turns,
            "brewery": 2 * len(player.church) + 0.25 * turns,
            "stagecoach": 0.3 * rounds * (1.8 + len(player.houses)),
            "electric_light": 3 * len(player.houses) + 0.2 * turns,
            "language_school": self.yen * (0.8 * len(player.hand) + 0.1 * turns),
            "exposition": 8.0 / LASTING,
            "spinning_mill": 0.75 * rounds,
            "station": 0.35 * turns,
            "printing_press": 0.25 * turns * self.yen,
            "newspaper": HELP_WORTH[1] * (here + rounds),
            "gas_lamp": len(player.shops) + 0.2 * turns,
            "patents": 2 * (len(player.technologies) + 1) + 0.65 * turns,
            "post": 0.7 * rounds,
            "mining": 0.15 * turns,
            "telegraph": 0.7 * (sum(player.help) + turns),
            "telephone": 0.8 * (rounds + here * 0.7),
            "tram": 0.7 * (rounds + here * 0.5),
            "university": 1.3 * rounds,
        }[card]
        return LASTING * worth + PRODUCTION_RACE * self.box.cost[card] + self.towards("technologies") + self.patent(1)

    def patent(self, n: int) -> float:
        player = self.player
        return 2 * n * ("patents" in player.technologies) + 2 * n * self.yen * ("printing_press" in player.technologies)

    def unit(self) -> float:
        """What a payment of 2 yen or one import costs at least."""
        yen = -self.more_yen(-2)
        return min(yen, self.imports()) if self.player.imports else yen

    def due(self, card: str, production: int) -> int:
        surcharge = len(self.player.technologies) >= FREE_TECHNOLOGIES
        return max(0, self.box.cost[card] - production) + surcharge

    def laboratory(self, production: int) -> float:
        player = self.player
        means = player.yen // UNIT + player.imports + player.flipped
        offers = [(card, self.due(card, production)) for card in self.state.technology_row if card]
        return max([0.0, *(self.technology(card) - due * self.unit() for card, due in offers if due <= means)])

    def unseen_order(self, n: int) -> float:
        """The best of n orders not seen yet, the less the more one holds."""
        waiting = len(self.player.hand)
        return max(
            0.0, min(NEW_ORDER + NEW_ORDER_MORE * n - 1.1 * waiting, 0.45 * (self.turns_left - 1) * (1 + 0.15 * n))
        )

    def trade(self, verb: str, good: str) -> float:
        price = self.box.price[good]
        if good == "imports":
            return self.imports() + self.more_yen(-price)
        if verb == "buy":
            n = 2 if good == "copper" and "mining" in self.player.technologies else 1
            return self.more_goods({good: n}) + self.more_yen(-price)
        return self.more_goods({good: -1}) + self.more_yen(price)

    def exchanges(self, n: int) -> float:
        """The best single exchange, and part of it for every further one."""
        player, price = self.player, self.box.price
        best = 0.0
        for at, good in enumerate(GOODS):
            if player.yen >= price[good]:
                best = max(best, self.trade("buy", good))
            if player.goods[at]:
                best = max(best, self.trade("sell", good))
        return best * (1 + NEXT_TRADE * (n - 1))

    def place(self, place: str, influence: int) -> float:
        """A place's own action."""
        n = yields(self.state, place, influence)
        if place in GOODS:
            if place == "copper" and n and "mining" in self.player.technologies:
                n += 1
            return self.more_goods({place: n}) if n else 0.0
        if place == "bank":
            return self.more_yen(n)
        if place == "customs":
            return self.flips(n)
        if place == "church":
            reach = n + len(self.offerings())
            cards = [card for card in self.state.church_row if card and self.box.faith[card] <= reach]
            return max([0.0, *(self.church(card, n) for card in cards)])
        if place == "laboratory":
            return self.laboratory(n)
        return self.unseen_order(n) if place == "port" else self.exchanges(n)

    def shop(self, place: str) -> float:
        player = self.player
        if place in player.shops or player.yen < 1 or len(player.shops) == SHOPS:
            return 0.0
        lamp = "gas_lamp" in player.technologies
        return 1 + lamp + SHOP_A_ROUND * self.rounds_left + self.more_yen(-1)

    def house(self, place: str) -> float:
        player, prices = self.player, self.box.house_price
        built = len(player.houses)
        if built == len(prices) or player.yen < prices[built] or house_owner(self.state, place) is not None:
            return 0.0
        light = 3 if "electric_light" in player.technologies else 0
        return 5 + light + HOUSE_A_ROUND * self.rounds_left + self.more_yen(-prices[built])

    def bonus(self, card: str, n: int, flips_last: bool = False) -> float:
        worth = sum(self.reward(reward.items()) for reward in self.box.bonus_rewards[card][:n])
        return worth + 4 - self.imports() if flips_last else worth

    def action(self, place: str, influence: int) -> float:
        """Everything that choosing a place with this influence brings."""
        worth = self.place(place, influence)
        owner = house_owner(self.state, place)
        if owner is not None:
            worth += self.more_yen(1) if owner == self.seat else -0.7
        if influence >= 5:
            worth += max(self.bonus(card, min(influence, 7) - 4) for card in self.state.bonus_row)
        if influence >= 4:
            worth += max(0.0, self.shop(place), self.house(place))
        return worth

    def helps(self) -> list[tuple[int, bool, int, float]]:
        """Ways to add to a card: Help card, Telephone, what they add, and what they cost."""
        player = self.player
        late = 0.2 if self.turns_left < 1 else 1.0
        telegraph = "telegraph" in player.technologies
        ways = [(0, False, 0, 0.0)]
        ways += [(n, False, n + telegraph, HELP_WORTH[n] * late) for n in (1, 2) if player.help[n - 1]]
        if player.yen and ready(player, "telephone"):
            ways += [(n, True, add + 1, cost + self.yen) for n, _, add, cost in ways]
        return ways

    def best_action(self, place: str, level: int) -> float:
        base = level + standing_influence(self.state, self.seat, place)
        return max(self.action(place, base + add) - cost for _, _, add, cost in self.helps())


def _free(judge: Judge, decision: Decision) -> str | None:
    """Free actions come first: fulfil the best order, spin silk that is not needed. Traders are recruited when they are
    called; only for flipped imports, which may be spent by then, at once."""
    at_risk = (name for name, (_, criterion) in _offered(decision, "recruit") if criterion == "flipped")
    return next(at_risk, None) or _order_or_silk(judge, decision)


def _free_and_call(judge: Judge, decision: Decision) -> str | None:
    """The same between two actions: there a Foreign Trader is called at once, and recruited for it."""
    called = any(option.id == CALL.id for option in decision.options)
    return _order_or_silk(judge, decision) or (CALL.id if called else None)


def _order_or_silk(judge: Judge, decision: Decision) -> str | None:
    best: tuple[float, str] | None = None
    for option in decision.options:
        match option.meaning:
            case ("fulfil", card):
                worth = judge.order(card)
            case "spin":
                worth = judge.more_goods({"silk": -1}) + judge.more_yen(2)
            case _:
                continue
        if worth > 0 and (best is None or worth > best[0]):
            best = (worth, option.id)
    return best[1] if best else None


def _best(worths: dict[str, float]) -> str:
    return max(worths, key=lambda name: worths[name])


def _offered(decision: Decision, *verbs: str) -> Iterator[tuple[str, Any]]:
    """The options with one of these verbs: the id of each, and what it means."""
    for option in decision.options:
        if isinstance(option.meaning, tuple) and option.meaning[0] in verbs:
            yield option.id, option.meaning


def _turn(judge: Judge, decision: Decision) -> str:
    if free := _free_and_call(judge, decision):
        return free
    level = lowest_in_hand(judge.state, judge.player)
    return _best(
        {
            name: judge.best_action(place, level) - (0.4 if way else 0.0)
            for name, (_, place, way) in _offered(decision, "go")
        }
    )


def _trader(judge: Judge, decision: Decision) -> str:
    return _best({name: judge.best_action(place, TRADER_LEVEL) for name, (_, place, _) in _offered(decision, "go")})


def _influence(judge: Judge, decision: Decision) -> str:
    place = decision.args["place"]
    costs = {(size, phone): cost for size, phone, _, cost in judge.helps()}
    lowest, *_ = decision.options[0].meaning
    worths = {}
    for option in decision.options:
        level, size, phone, influence = option.meaning
        # A higher card played now is missing later: the Postal System pays only where the level counts most.
        spent = 0.8 * (level - lowest)
        worths[option.id] = judge.action(place, influence) - costs[size, phone] - spent
    return _best(worths)


def _bonus(judge: Judge, decision: Decision) -> str:
    n = decision.args["n"]
    cards = _offered(decision, "bonus")
    return _free(judge, decision) or _best(
        {name: judge.bonus(card, n, flips_last) for name, (_, card, flips_last) in cards}
    )


def _build(judge: Judge, decision: Decision) -> str:
    if free := _free_and_call(judge, decision):
        return free
    offered = {option.id for option in decision.options}
    place = decision.args["place"]
    worths = {"end": 0.0}
    if "shop" in offered:
        worths["shop"] = judge.shop(place)
    if "house" in offered:
        worths["house"] = judge.house(place)
    return _best(worths)


def _church(judge: Judge, decision: Decision) -> str:
    worths = {TAKE_NOTHING.id: 0.0}
    for name, (_, card) in _offered(decision, "take"):
        worths[name] = judge.church(card, decision.args["n"])
    return _free(judge, decision) or _best(worths)


def _offering(judge: Judge, decision: Decision) -> str:
    offered = {option.meaning: option.id for option in decision.options}
    return next((offered[name] for _, name in judge.offerings() if name in offered), decision.default)


def _laboratory(judge: Judge, decision: Decision) -> str:
    worths = {TAKE_NOTHING.id: 0.0}
    for name, (_, card) in _offered(decision, "take"):
        worths[name] = judge.technology(card) - judge.due(card, decision.args["n"]) * judge.unit()
    return _free(judge, decision) or _best(worths)


def _payment(judge: Judge, decision: Decision) -> str:
    """The cheapest mixture of yen, imports and flipped imports."""
    worths = {}
    for option in decision.options:
        yen, imports, flipped = option.meaning
        worths[option.id] = judge.more_yen(-yen) - imports * judge.imports() - flipped * 4.0
    return _best(worths)


def _attractive(judge: Judge, card: str) -> float:
    """An order not yet in hand: its worth, less for what is still missing."""
    goods = judge.player.goods
    missing: int = sum((1 if good < 2 else 2) * max(0, n - goods[good]) for good, n in judge.box.needs[card])
    return judge.order(card) - (0.75 if judge.turns_left > 3 else 2.0) * missing


def _port(judge: Judge, decision: Decision) -> str:
    orders = _offered(decision, "keep")
    return _free(judge, decision) or _best({name: _attractive(judge, card) for name, (_, card) in orders})


def _second_order(judge: Judge, decision: Decision) -> str:
    worths = {KEEP_NO_MORE.id: 0.0}
    if judge.turns_left > 4:
        for name, (_, card) in _offered(decision, "keep"):
            worths[name] = max(0.0, _attractive(judge, card)) * 0.4 - judge.unit()
    return _free(judge, decision) or _best(worths)


def _dealt(judge: Judge, decision: Decision) -> str:
    return min(decision.options, key=lambda option: _attractive(judge, option.meaning)).id


def _chinatown(judge: Judge, decision: Decision) -> str:
    worths = {DONE.id: 0.05}
    for name, (verb, good) in _offered(decision, "buy", "sell"):
        worths[name] = judge.trade(verb, good)
    return _free(judge, decision) or _best(worths)


def _station(judge: Judge, decision: Decision) -> str:
    liking = {"silk": 0.3, "laboratory": 0.2, "port": 0.1}
    worths = {}
    for option in decision.options:
        place = option.meaning
        ahead = standing_influence(judge.state, judge.seat, place) - standing_influence(
            judge.state, 1 - judge.seat, place
        )
        worths[option.id] = ahead + liking.get(place, 0.0)
    return _best(worths)


def _improve(judge: Judge, decision: Decision) -> str:
    worths = {IMPROVE_NOTHING.id: 0.0}
    free = "university" in judge.player.technologies
    for option in decision.options:
        if (card := option.meaning) is not None:
            price = 0 if free else judge.box.improvement[card]
            worths[option.id] = IMPROVED_A_ROUND * (1 + 0.25 * card) * judge.rounds_left + judge.more_yen(-price)
    return _best(worths)


def _default(judge: Judge, decision: Decision) -> str:
    return decision.default


ANSWERS: dict[str, Callable[[Judge, Decision], str]] = {
    "duel.turn": _turn,
    "duel.trader.place": _trader,
    "duel.influence": _influence,
    "duel.bonus.which": _bonus,
    "duel.build": _build,
    "duel.finish": _build,
    "duel.church": _church,
    "duel.church.pay": _offering,
    "duel.laboratory": _laboratory,
    "duel.laboratory.pay": _payment,
    "duel.port": _port,
    "duel.port.second": _second_order,
    "duel.port.pay": _payment,
    "duel.port.under": _default,
    "duel.dealt": _dealt,
    "duel.chinatown": _chinatown,
    "duel.station.where": _station,
    "duel.improve.which": _improve,
    "duel.help.limit": _default,
}
