"""What a choice would bring, or why it brings nothing: the hints. For readers only: no rule asks here, and nothing here
asks anybody."""

import msgspec

from engine.duel.gains import Words, in_words
from engine.duel.means import Payment, due, givable, lots, reach, several_ways, units_held, ways_to_pay
from engine.duel.numbers import (
    BONUS_LEVEL,
    BUILDING_LEVEL,
    CALL_PRICE,
    FLIPPED_POINTS,
    IMPORT_POINTS,
    RENT,
    ROUNDS,
    UNIT,
    YEN_A_POINT,
)
from engine.duel.scoring import production
from engine.duel.state import (
    Duel,
    Player,
    house_owner,
    level_of,
    levels_in_hand,
    rewards_at,
    standing_influence,
    what_it_gives,
    yields,
)
from engine.scene import Message

GIVES = {
    "church": "faith",
    "customs": "flips",
    "chinatown": "exchanges",
    "bank": "yen",
    "laboratory": "production",
    "port": "looks",
}


def in_one(*said: Message | None) -> Message:
    """Several sentences as one hint, those that there are."""
    hint, *more = [each for each in said if each is not None]
    for then in more:
        hint = Message("duel.hint.and", {"hint": hint, "then": then})
    return hint


# --- visits


def if_visited(state: Duel, seat: int, place: str, influence: int, *, call: bool = False) -> Message:
    """What an influence on a place would bring, who gets rent for it, and what a call on the Telephone costs."""
    purse = _purse(state, seat, place, call=call)
    owner, why = house_owner(state, place), _why_nothing(state, purse, place, influence)
    return in_one(
        Message("duel.hint.call.price") if call else None,
        Message("duel.hint.at", {"influence": influence, "gains": _gains(state, seat, purse, place, influence)}),
        None if owner is None else Message("duel.hint.own_rent" if owner == seat else "duel.hint.rent"),
        Message(f"duel.hint.nothing.{place}") if why == "out_of_reach" else None,
    )


def why_nothing(state: Duel, seat: int, place: str, influence: int) -> str:
    """Why the place itself would have nothing for a player, with all there is to give or pay now; "" where it has."""
    return _why_nothing(state, _purse(state, seat, place), place, influence)


def _purse(state: Duel, seat: int, place: str, *, call: bool = False) -> Player:
    """A player who has come, with the rent of an own trading house, and has paid for a call."""
    player, acting = state.seats[seat], state.errand or state.visit
    rent = RENT if place in player.houses and not (acting and acting.place == place) else 0
    return msgspec.structs.replace(player, yen=player.yen + rent - CALL_PRICE * call)


def _why_nothing(state: Duel, purse: Player, place: str, influence: int) -> str:
    box, n = state.box, yields(state, place, influence)
    if not n:
        return "too_low"
    if place == "customs":
        return "" if purse.imports else "no_imports"
    if place == "port":
        return "" if state.orders else "no_orders"
    if place == "church":
        most = reach(purse, n)
        possible = any(card and box.faith[card] <= most for card in state.church_row)
    elif place == "laboratory":
        most = units_held(purse)
        possible = any(card and due(state, purse, card, n) <= most for card in state.technology_row)
    else:
        possible = place != "chinatown" or any(purse.goods) or purse.yen >= min(box.price.values())
    return "" if possible else "out_of_reach"


def _gains(state: Duel, seat: int, purse: Player, place: str, influence: int, *, builds: bool = True) -> list[Words]:
    why, n = _why_nothing(state, purse, place, influence), what_it_gives(state, seat, place, influence)
    if why in ("", "out_of_reach"):
        gains = [(GIVES.get(place, place), n)]
    else:
        gains = [(why, state.box.least[place] if why == "too_low" else 0)]
    if influence >= BONUS_LEVEL:
        gains.append(("bonus", rewards_at(influence)))
    if influence >= BUILDING_LEVEL and builds:
        gains += _building(state, seat, purse, place, n)
    return in_words(gains)


def _building(state: Duel, seat: int, purse: Player, place: str, n: int) -> list[tuple[str, int]]:
    """Whether one may build there, and has the yen for it; in Chinatown goods are as good as yen."""
    prices = [price for price in lots(state, seat, place).values() if price is not None]
    if not prices:
        return []
    yen = purse.yen + (n if place == "bank" else 0)
    paid = yen >= min(prices) or (place == "chinatown" and any(purse.goods))
    return [("building" if paid else "building_unpaid", 0)]


def if_station(state: Duel, seat: int, place: str) -> Message:
    """What the next card would do on a place that has the Station; it adds nothing to the visit that goes on."""
    player = state.seats[seat]
    levels, key = levels_in_hand(state, player), "duel.hint.station"
    if not levels:
        if state.round == ROUNDS:
            return Message("duel.hint.station.too_late")
        levels, key = sorted(level_of(state, player, card) for card in range(len(player.played))), f"{key}.next_round"
    influence = levels[0] + standing_influence(state, seat, place) + 1
    gains = _gains(state, seat, player, place, influence, builds=False)
    return Message(key, {"level": levels[0], "influence": influence, "gains": gains})


# --- cards


def if_fulfilled(state: Duel, seat: int, card: str) -> Message:
    """An order's points and reward, and what becomes of the points for most orders."""
    vp, gains = state.box.orders[card].points, state.box.order_gains[card]
    mine, other = (len(state.seats[who].fulfilled) for who in (seat, 1 - seat))
    return in_one(
        Message("duel.hint.fulfil.more", {"vp": vp, "gains": in_words(gains)})
        if gains
        else Message("duel.hint.fulfil", {"vp": vp}),
        _race("duel.hint.most_orders", mine, mine + 1, other),
    )


def _race(key: str, before: int, after: int, other: int) -> Message | None:
    """What becomes of the points for the most of something."""
    if before > other or after < other:
        return None
    if after == other:
        return Message(f"{key}.levels") if before < other else None
    return Message(f"{key}.leads" if before == other else f"{key}.overtakes")


def if_technology_taken(state: Duel, seat: int, produced: int, card: str) -> Message:
    """What it costs, what it does, and what becomes of the points for the highest production cost."""
    player, other = state.seats[seat], state.seats[1 - seat]
    mine = production(state, player)
    return in_one(
        _cost(player, due(state, player, card, produced)),
        Message(f"duel.effect.{card}"),
        _race("duel.hint.most_technology", mine, mine + state.box.cost[card], production(state, other)),
    )


def _cost(player: Player, units: int) -> Message:
    """What so many units are paid with."""
    if not units:
        return Message("duel.hint.cost.nothing")
    if several_ways(player, units):
        return Message("duel.hint.cost", {"price": UNIT * units, "n": units})
    (only,) = ways_to_pay(player, units)
    key = "duel.hint.cost.all" if sum(map(bool, only)) > 1 else "duel.hint.cost.only"
    return Message(key, {"gains": paid_in_words(only)})


def if_paid(state: Duel, seat: int, card: str | Words, payment: Payment) -> Message:
    """The points that a payment for this card, a technology or an order, takes off the final scoring."""
    player, (yen, imports, flipped) = state.seats[seat], payment
    each = FLIPPED_POINTS
    if "brickworks" in (*player.technologies, card):
        each += state.box.each["brickworks"]
    coins = player.yen // YEN_A_POINT - (player.yen - yen) // YEN_A_POINT
    return Message("duel.hint.pay", {"n": coins + IMPORT_POINTS * imports + each * flipped})


def paid_in_words(payment: Payment) -> list[Words]:
    return in_words((name, n) for name, n in zip(("yen", "imports", "flipped"), payment, strict=True) if n)


def if_church_card_taken(state: Duel, seat: int, faith: int, card: str) -> Message:
    """What it asks for, and what it gives."""
    row, gains = state.box.church[card], in_words(state.box.church_gains[card])
    need, gifts = max(0, row.faith - faith), givable(state.seats[seat])
    brings = {"vp": row.points, "gains": gains}
    if not need:
        return Message("duel.hint.church.free", brings)
    if len(gifts) == need:
        return Message("duel.hint.church.all", {"paid": in_words((each, 1) for each in gifts), **brings})
    return Message("duel.hint.church", {"n": need, **brings})


def if_kept(state: Duel, seat: int, card: str, *, second: bool) -> Message:
    """What an order is worth once it is fulfilled, and what keeping it costs."""
    cost = _cost(state.seats[seat], 1) if second else Message("duel.hint.keep.free")
    return in_one(order_worth(state, card), cost)


def order_worth(state: Duel, card: str) -> Message:
    """What an order brings once it is fulfilled: points, and its reward where it has one."""
    vp, gains = state.box.orders[card].points, state.box.order_gains[card]
    if not gains:
        return Message("duel.hint.dealt", {"vp": vp})
    return Message("duel.hint.dealt.more", {"vp": vp, "gains": in_words(gains)})
