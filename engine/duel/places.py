"""The ten Places: what choosing one brings at an influence level (Description of the Places)."""

from collections.abc import Callable
from functools import cache, lru_cache, partial

from engine.duel.box import GOODS, PLACES
from engine.duel.free import Moment, Offer
from engine.duel.gains import (
    Things,
    Words,
    flip,
    gain,
    gain_good,
    gain_help,
    in_words,
    order_in_words,
    receive,
    take_in,
)
from engine.duel.means import Payment, due, givable, held, reach, several_ways, units_held, ways_to_pay
from engine.duel.numbers import PRESS_YEN, UNIT
from engine.duel.prospects import (
    if_church_card_taken,
    if_kept,
    if_paid,
    if_station,
    if_technology_taken,
    order_worth,
    paid_in_words,
)
from engine.duel.state import Duel, at_hand, yields
from engine.scene import REVEAL, Blocked, Message, Option, Scene, ask, later

TAKE_NOTHING = Option("none", Message("duel.take.nothing"), Message("duel.hint.take.nothing"))
DONE = Option("done", Message("duel.done"), Message("duel.hint.done"))
KEEP_NO_MORE = Option("done", Message("duel.keep.enough"))
KEEP_NO_MORE_OF_MANY = Option("done", Message("duel.keep.enough"), leads=True)
KEEP_TWO_BLOCKED = Blocked(Message("duel.keep.two"), Message("duel.why.keep_two"))
AS_THEY_LIE = Option("done", Message("duel.under.rest"))


def act(state: Duel, seat: int, place: str, influence: int, moment: Moment) -> Scene | None:
    """The place's own action: done at once, or a scene where it may ask. `moment`: how it asks, with all that may be
    done at any moment of a turn."""
    return ACTIONS[place](state, seat, place, yields(state, place, influence), moment)


def _goods(state: Duel, seat: int, place: str, n: int, moment: Moment) -> None:
    """Tea plantation, fishing ground, silk mill, copper mine."""
    n = gain_good(state, seat, place, n, "mine")
    if n:
        state.tell("duel.gained", seat=seat, gains=in_words([(place, n)]))
    else:
        _tell_too_low(state, seat, place)


def _tell_too_low(state: Duel, seat: int, place: str) -> None:
    state.tell("duel.nothing.influence", seat=seat, place=place, n=state.box.least[place])


def _bank(state: Duel, seat: int, place: str, n: int, moment: Moment) -> None:
    take_in(state, seat, {"yen": n}, "bank")


def _customs(state: Duel, seat: int, place: str, n: int, moment: Moment) -> None:
    """Turn over as many imports as there are, up to the level's number."""
    if not n:
        _tell_too_low(state, seat, place)
    elif turned := flip(state.seats[seat], n):
        state.tell("duel.flipped", seat=seat, n=turned)
    else:
        state.tell("duel.nothing.imports", seat=seat)


def _chinatown(state: Duel, seat: int, place: str, n: int, moment: Moment) -> Scene:
    """Exchanges one by one; imports can only be bought."""
    player, price = state.seats[seat], state.box.price
    visit = state.acting
    visit.exchanges = n
    while left := visit.exchanges:
        choice = yield from moment(state, seat, "duel.chinatown", _trades, way_on=DONE.id, n=left)
        if choice == "done":
            if left == n and not (player.yen or any(player.goods)):
                state.tell("duel.nothing.chinatown", seat=seat)
            return
        verb, good = choice
        visit.exchanges -= 1
        if verb == "sell":
            player.goods[GOODS.index(good)] -= 1
            player.yen += price[good]
            _tell_trade(state, "duel.sold", seat, good, 1, price[good])
            continue
        player.yen -= price[good]
        if good == "imports":
            got = 1
            player.imports += 1
        else:
            got = gain_good(state, seat, good, 1, "chinatown")
        _tell_trade(state, "duel.bought", seat, good, got, price[good])


def _tell_trade(state: Duel, key: str, seat: int, good: str, n: int, price: int) -> None:
    """Several exchanges of the same kind, one after the other, are told as one."""
    last = state.last_told
    if last.key == key and last.args["gains"][0]["key"] == f"duel.gain.{good}":
        n += last.args["gains"][0]["args"]["n"]
        price += last.args["price"]
        state.untell()
    state.tell(key, seat=seat, gains=in_words([(good, n)]), price=price)


def _trades(state: Duel, seat: int) -> Offer:
    player, prices = state.seats[seat], state.box.price
    options = [_trade("buy", good, price) for good, price in prices.items() if player.yen >= price]
    options += [_trade("sell", good, prices[good]) for at, good in enumerate(GOODS) if player.goods[at]]
    options.append(DONE)
    return options, DONE.id, later(_no_trades, state, seat)


def _no_trades(state: Duel, seat: int) -> list[Blocked]:
    """The exchanges that cannot be made."""
    player, prices = state.seats[seat], state.box.price
    too_dear = [_trade_blocked("buy", good, price) for good, price in prices.items() if player.yen < price]
    return too_dear + [_trade_blocked("sell", good, 0) for at, good in enumerate(GOODS) if not player.goods[at]]


@cache
def _trade(verb: str, good: str, price: int) -> Option:
    return Option(
        f"{verb}.{good}",
        Message(f"duel.{verb}", {"gains": in_words([(good, 1)])}),
        Message(f"duel.hint.{verb}", {"price": price}),
        (f"{verb}:{good}",),
        means=(verb, good),
    )


def _trade_blocked(verb: str, good: str, price: int) -> Blocked:
    return Blocked(
        Message(f"duel.{verb}", {"gains": in_words([(good, 1)])}),
        Message("duel.why.yen", {"price": price}) if verb == "buy" else Message("duel.why.none_left"),
    )


def _church(state: Duel, seat: int, place: str, n: int, moment: Moment) -> Scene:
    """One card whose faith is reached; one of each kind of resource adds 1."""
    choice = yield from moment(
        state, seat, "duel.church", _church_cards, way_on=TAKE_NOTHING.id, hint=_if_church_card_taken, n=n
    )
    if choice == "none":
        _tell_nothing(state, seat, _church_cards(state, seat), "duel.nothing.church", n)
        return
    _, card = choice
    paid = yield from _offerings(state, seat, state.box.faith[card] - n)
    player = state.seats[seat]
    state.church_row[state.church_row.index(card)] = ""
    player.church.append(card)
    player.church.sort(key=state.box.church_rank.__getitem__)
    if paid:
        state.tell("duel.offered", seat=seat, gains=in_words((each, 1) for each in paid))
    named = _church_in_words(state.box.faith[card])
    if state.open:
        state.tell("duel.church.took", seat=seat, card=named)
    else:
        state.tell("duel.church.took.unseen", seat=seat)
        state.tell("duel.church.yours", who=(seat,), seat=seat, card=named)
    yield from gain(state, seat, state.box.church_reward[card], "church")


def _tell_nothing(state: Duel, seat: int, offer: Offer, key: str, n: int) -> None:
    """Where nothing could be taken, nothing was asked: so it is told."""
    options, _, _ = offer
    if options == [TAKE_NOTHING]:
        state.tell(key, seat=seat, n=n)


def _if_church_card_taken(state: Duel, seat: int, choice: tuple[str, str]) -> Message:
    _, card = choice
    return if_church_card_taken(state, seat, at_hand(state), card)


def _church_cards(state: Duel, seat: int) -> Offer:
    box, most = state.box, reach(state.seats[seat], at_hand(state))
    options = [_church_card(card, box.faith[card]) for card in state.church_row if card and box.faith[card] <= most]
    options.append(TAKE_NOTHING)
    return options, TAKE_NOTHING.id, later(_beyond_faith, state, most)


def _beyond_faith(state: Duel, most: int) -> list[Blocked]:
    faith = state.box.faith
    return [_church_blocked(card, faith[card], most) for card in state.church_row if card and faith[card] > most]


def _church_in_words(faith: int) -> Words:
    return {"key": "duel.church_card", "args": {"faith": faith}}


@cache
def _church_card(card: str, faith: int) -> Option:
    label = Message("duel.take", {"card": _church_in_words(faith)})
    return Option(f"take.{card}", label, None, (f"church:{card}",), means=("take", card))


def _church_blocked(card: str, faith: int, reach: int) -> Blocked:
    return Blocked(
        Message("duel.take", {"card": _church_in_words(faith)}),
        Message("duel.why.faith", {"n": faith, "reach": reach}),
    )


def _offerings(state: Duel, seat: int, need: int) -> Scene:
    given: tuple[str, ...] = ()
    while len(given) < need:
        left = givable(state.seats[seat], given)
        if len(left) == need - len(given):
            given = (*given, *left)
            break
        plan = _spared(state, seat, given, need)
        rest = Message("duel.church.rest", {"gains": in_words((each, 1) for each in plan)})
        options = [_offering(name) for name in left]
        offered = yield ask(seat, "duel.church.pay", options, plan[0], rest=rest, n=need - len(given))
        given = (*given, offered)
    player = state.seats[seat]
    for name in given:
        if name == "yen":
            player.yen -= 1
        elif name == "imports":
            player.imports -= 1
        elif name == "flipped":
            player.flipped -= 1
        else:
            player.goods[GOODS.index(name)] -= 1
    return given


def _spared(state: Duel, seat: int, given: tuple[str, ...], need: int) -> list[str]:
    """What is still to be given, of what there is most."""
    player, plan = state.seats[seat], list[str]()
    while len(given) + len(plan) < need:
        plan.append(max(givable(player, (*given, *plan)), key=held(player).__getitem__))
    return plan


@cache
def _offering(resource: str) -> Option:
    return Option(
        resource, Message("duel.offering", {"gains": in_words([(resource, 1)])}), None, (f"stock:{resource}",)
    )


def _laboratory(state: Duel, seat: int, place: str, n: int, moment: Moment) -> Scene:
    """One technology of the row; 2 yen or an import add 1, and from the fourth technology on one more is due."""
    choice = yield from moment(
        state, seat, "duel.laboratory", _technologies, way_on=TAKE_NOTHING.id, hint=_if_technology_taken, n=n
    )
    if choice == "none":
        _tell_nothing(state, seat, _technologies(state, seat), "duel.nothing.laboratory", n)
        return
    _, card = choice
    units = due(state, state.seats[seat], card, n)
    yield from _pay(state, seat, units, "duel.laboratory.pay", f"technology:{card}", card)
    state.technology_row[state.technology_row.index(card)] = ""
    yield from gain_technology(state, seat, card)


def _if_technology_taken(state: Duel, seat: int, choice: tuple[str, str]) -> Message:
    _, card = choice
    return if_technology_taken(state, seat, at_hand(state), card)


def _technologies(state: Duel, seat: int) -> Offer:
    player, production = state.seats[seat], at_hand(state)
    means = units_held(player)
    options = [
        _technology(card, leads=several_ways(player, units))
        for card in state.technology_row
        if card and (units := due(state, player, card, production)) <= means
    ]
    options.append(TAKE_NOTHING)
    return options, TAKE_NOTHING.id, later(_too_dear, state, seat, production)


def _too_dear(state: Duel, seat: int, production: int) -> list[Blocked]:
    player = state.seats[seat]
    means = units_held(player)
    return [
        _technology_blocked(card, state.box.cost[card], production, units)
        for card in state.technology_row
        if card and (units := due(state, player, card, production)) > means
    ]


@cache
def _technology(card: str, *, leads: bool) -> Option:
    label = Message("duel.take", {"card": card})
    return Option(f"take.{card}", label, None, (f"technology:{card}",), means=("take", card), leads=leads)


def _technology_blocked(card: str, cost: int, production: int, units: int) -> Blocked:
    """With influence too low for it, or with nothing for what is due from the fourth technology on."""
    reason = "duel.why.production" if cost > production else "duel.why.surcharge"
    args = {"price": UNIT * units, "n": units, "cost": cost, "production": production}
    return Blocked(Message("duel.take", {"card": card}), Message(reason, args))


def _pay(state: Duel, seat: int, units: int, prompt: str, spot: str, card: str | Words) -> Scene:
    """Units of 2 yen or one import of either face, in any mixture, for the card on that spot."""
    if not units:
        return
    player = state.seats[seat]
    options = [_payment(way, spot) for way in ways_to_pay(player, units)]
    hints = later(if_paid, state, seat, card)
    payment = yield ask(seat, prompt, options, options[0].id, hints=hints, n=units, card=card)
    yen, imports, flipped = payment
    player.yen -= yen
    player.imports -= imports
    player.flipped -= flipped
    state.tell("duel.paid", seat=seat, gains=paid_in_words(payment))


def _payment(way: Payment, spot: str) -> Option:
    yen, imports, flipped = way
    label = Message("duel.pay", {"gains": paid_in_words(way)})
    return Option(f"y{yen}i{imports}f{flipped}", label, None, (spot,), means=way)


def gain_technology(state: Duel, seat: int, card: str) -> Scene:
    """The card, and what Technology cards do when they or others are obtained."""
    player = state.seats[seat]
    state.tell("duel.technology.took", seat=seat, card=card)
    if "printing_press" in player.technologies:
        yield from gain(state, seat, {"yen": PRESS_YEN}, "printing_press")
    player.technologies.append(card)
    if card == "newspaper":
        state.tell("duel.gained", seat=seat, gains=in_words([("help1", 1)]))
        yield from gain_help(state, seat, 1)
    if card == "station":
        options = [_station(where) for where in PLACES]
        hints = later(if_station, state, seat)
        state.station = yield ask(seat, "duel.station.where", options, _station("bank").id, hints=hints)
        state.tell("duel.station.built", seat=seat, place=state.station)


def _station(place: str) -> Option:
    return Option(place, Message("duel.station.here", {"place": place}), None, (f"place:{place}",))


def _port(state: Duel, seat: int, place: str, n: int, moment: Moment) -> Scene:
    """Look at orders, keep one for nothing or two for 2 yen or an import; the rest goes under the deck."""
    n = min(n, len(state.orders))
    if not n:
        state.tell("duel.nothing.port", seat=seat)
        return
    player = state.seats[seat]
    yield REVEAL
    before, aside = player.offer, player.aside  # a Foreign Trader may have come here while orders are looked at
    player.aside = [*aside, *before]
    player.offer = [state.orders.pop() for _ in range(n)]
    state.tell("duel.looked", seat=seat, n=n)
    state.tell("duel.saw", who=(seat,), seat=seat, cards=_named(state, player.offer))
    kept = yield from _keep(state, seat, moment)
    under = yield from _under(state, seat, [card for card in player.offer if card not in kept])
    state.orders[:0] = reversed(under)
    player.offer, player.aside = before, aside
    for card in kept:
        receive(state, seat, card)
    state.tell("duel.kept", seat=seat, n=len(kept))
    state.tell("duel.kept.cards", who=(seat,), seat=seat, cards=_named(state, kept))


def _named(state: Duel, cards: list[str]) -> list[Words]:
    return [order_in_words(state.box.needed[card]) for card in cards]


def _under(state: Duel, seat: int, rest: list[str]) -> Scene:
    """The cards go under the deck as they lie, or one by one, in an order that only their reader knows."""
    under = []
    hints = later(_if_put_under, state)
    while len(rest) > 1:
        options = [_put_under(card, state.box.needed[card]) for card in rest]
        options.append(AS_THEY_LIE)
        card = yield ask(
            seat, "duel.port.under", options, AS_THEY_LIE.id, main=AS_THEY_LIE.id, hints=hints, n=len(rest)
        )
        if card == "done":
            break
        under.append(card)
        rest.remove(card)
    return [*under, *rest]


@lru_cache(2**10)
def _put_under(card: str, needs: Things) -> Option:
    return Option(card, Message("duel.under", {"card": order_in_words(needs)}), None, (f"offer:{card}",))


def _if_put_under(state: Duel, card: str) -> Message | None:
    """What an order is worth that goes under the deck."""
    return None if card == AS_THEY_LIE.id else order_worth(state, card)


def _keep(state: Duel, seat: int, moment: Moment) -> Scene:
    """One order for nothing, then perhaps a second; returns what is kept, in the order in which it was drawn."""
    player = state.seats[seat]
    _, first = yield from moment(state, seat, "duel.port", _keeps, hint=_if_kept)
    if len(player.offer) == 1 or not (units_held(player) or player.traders):
        return [first]
    again = partial(_keeps, first=first)
    choice = yield from moment(state, seat, "duel.port.second", again, way_on=KEEP_NO_MORE.id, hint=_if_kept_as_second)
    if choice == "done":
        return [first]
    _, second = choice
    yield from _pay(state, seat, 1, "duel.port.pay", f"offer:{second}", order_in_words(state.box.needed[second]))
    return sorted((first, second), key=player.offer.index)


def _keeps(state: Duel, seat: int, first: str = "") -> Offer:
    """`first`: the one that is kept already; a second can be left."""
    player = state.seats[seat]
    means = units_held(player)
    enough = KEEP_NO_MORE_OF_MANY if len(player.offer) > 2 else KEEP_NO_MORE
    if first and not means:
        return [enough], enough.id, [KEEP_TWO_BLOCKED]
    leads = bool(first) and several_ways(player, 1)
    options = [_keep_option(card, state.box.needed[card], leads=leads) for card in player.offer if card != first]
    if first:
        return [*options, enough], enough.id, []
    blocked = [] if len(options) == 1 or means else [KEEP_TWO_BLOCKED]
    return options, options[0].id, blocked


@lru_cache(2**10)
def _keep_option(card: str, needs: Things, *, leads: bool) -> Option:
    label = Message("duel.keep", {"cards": [order_in_words(needs)]})
    return Option(f"keep.{card}", label, None, (f"offer:{card}",), means=("keep", card), leads=leads)


def _if_kept(state: Duel, seat: int, choice: tuple[str, str]) -> Message:
    _, card = choice
    return if_kept(state, seat, card, second=False)


def _if_kept_as_second(state: Duel, seat: int, choice: tuple[str, str]) -> Message:
    _, card = choice
    return if_kept(state, seat, card, second=True)


ACTIONS: dict[str, Callable[[Duel, int, str, int, Moment], Scene | None]] = {
    "tea": _goods,
    "fish": _goods,
    "silk": _goods,
    "copper": _goods,
    "church": _church,
    "customs": _customs,
    "chinatown": _chinatown,
    "bank": _bank,
    "laboratory": _laboratory,
    "port": _port,
}
