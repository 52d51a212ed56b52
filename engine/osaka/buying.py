"""Buy goods: what it costs, paying for it card by card, and how the ships advance. Payment itself is elsewhere."""

from functools import lru_cache
from typing import Any, NamedTuple

from engine.osaka.box import COLOUR, COLOURS, ORDER, VALUE
from engine.osaka.payment import payment, proceeds
from engine.osaka.state import Good, Osaka, cards_of, within_reach
from engine.scene import Decision, Message, Option, Scene, ask, later

Phrase = dict[str, Any]


def buy(state: Osaka, seat: int, price: int) -> Scene:
    """Buy goods: everything in the market that others have not reserved."""
    paid = yield from _pay(state, seat, price)
    bought = cards_of(within_reach(state, seat))
    state.market = [slot for slot in state.market if slot.by is not None and slot.by != seat]
    goods = state.goods[seat]
    goods += [Good(card) for card in bought]
    goods.sort(key=_goods_order)
    state.tell(
        "osaka.bought",
        seat=seat,
        n=len(bought),
        cards=bought,
        price=price,
        coins=sum([VALUE[card] for card in paid]),
        paid_cards=paid,
    )
    _advance_ships(state, bought)
    yield from payment(state, seat)


def _goods_order(good: Good) -> tuple[int, bool]:
    return ORDER[good.card], good.insured


def _pay(state: Osaka, seat: int, price: int) -> Scene:
    """Card by card until the price is reached. Spent cards go to the discards; no change is given."""
    hand, paid = state.hands[seat], state.spent
    state.price = owing = price
    while owing > 0:
        # Whose hand is all of one kind has nothing to choose.
        alike = state.open and hand[0] == hand[-1]
        card = hand[0] if alike else (yield _which_card(state, seat, price, owing))
        hand.remove(card)
        state.discard.append(card)
        paid.append(card)
        owing -= VALUE[card]
    state.price, state.spent = 0, []
    return paid


def _which_card(state: Osaka, seat: int, price: int, owing: int) -> Decision:
    hand = state.hands[seat]
    plan = payment_plan(state, seat, owing)
    options = _pay_options(hand)
    return ask(
        seat,
        "osaka.pay",
        tuple(options.values()),
        options[plan[0]].id,
        secret=not state.open,
        rest=Message("osaka.pay.finish" if state.spent else "osaka.pay.rest", {"cards": plan, "n": len(plan)}),
        hints=later(_after_paying, hand, owing),
        price=price,
        owing=owing,
    )


def _pay_options(hand: list[str]) -> dict[str, Option]:
    """One option a kind; the hand is sorted, so equal cards lie side by side."""
    options: dict[str, Option] = {}
    for at, card in enumerate(hand):
        if card not in options:
            options[card] = _pay_option(card, at, hand.count(card))
    return options


@lru_cache(maxsize=8192)
def _pay_option(card: str, at: int, n: int) -> Option:
    spots = tuple([f"hand:{place}" for place in range(at, at + n)])
    return Option(f"pay.{card}", Message("osaka.pay.card", {"card": card}), None, spots, means=card)


def _after_paying(hand: list[str], owing: int, card: str) -> Message:
    """What a card leaves to pay, and how much of what is paid is lost then at the least: nobody gives change."""
    left = owing - VALUE[card]
    if left <= 0:
        return Message("osaka.pay.over", {"n": -left}) if left else Message("osaka.pay.exact")
    values = [VALUE[each] for each in hand]
    values.remove(VALUE[card])
    twos, threes, fives = _cheapest(values.count(2), values.count(3), values.count(5), left)
    lost = 2 * twos + 3 * threes + 5 * fives - left
    return Message("osaka.pay.left.losing" if lost else "osaka.pay.left", {"n": left, "lost": lost})


def payment_plan(state: Osaka, seat: int, owing: int) -> list[str]:
    """The cards that waste the least: of equal plans the one that keeps the most cards, then the most insurance.
    Among cards of one value, first those whose colour this seat has least to insure of."""
    by_value: dict[int, list[str]] = {2: [], 3: [], 5: []}
    for card in state.hands[seat]:
        by_value[VALUE[card]].append(card)
    twos, threes, fives = by_value[2], by_value[3], by_value[5]
    a, b, c = _cheapest(len(twos), len(threes), len(fives), owing)
    plan = fives[:c]
    if 0 < b < len(threes) or 0 < a < len(twos):
        owned = dict.fromkeys(COLOURS, 0)
        for good in state.goods[seat]:
            owned[COLOUR[good.card]] += 1
        threes.sort(key=lambda card: owned[COLOUR[card]])
        twos.sort(key=lambda card: owned[COLOUR[card]])
    return plan + threes[:b] + twos[:a]


@lru_cache(maxsize=65536)
def _cheapest(twos: int, threes: int, fives: int, owing: int) -> tuple[int, int, int]:
    """How many cards of each value pay at least `owing` with the smallest sum, then the fewest cards and twos."""
    best: tuple[tuple[int, int, int], tuple[int, int, int]] | None = None
    for c in range(fives + 1):
        for b in range(threes + 1):
            a = max(0, -((5 * c + 3 * b - owing) // 2))
            if a > twos:
                continue
            rank = (5 * c + 3 * b + 2 * a, a + b + c, a)
            if rank[0] >= owing and (best is None or rank < best[0]):
                best = rank, (a, b, c)
    assert best is not None
    return best[1]


def steps(bought: list[str]) -> dict[str, int]:
    """Advancing ships: one step for a single good of a colour, two for more."""
    sails: dict[str, int] = {}
    for card in bought:
        colour = COLOUR[card]
        sails[colour] = 2 if colour in sails else 1
    return sails


class Voyage(NamedTuple):
    """Where a purchase takes all ships, which of them come to Edo, and which the waves take when one does."""

    to: dict[str, int]
    lands: list[str]
    sinks: list[str]


def voyage(state: Osaka, bought: list[str]) -> Voyage:
    edo, waves = state.box.edo, state.box.waves
    to = dict(state.ships)
    for colour, n in steps(bought).items():
        to[colour] = min(edo, to[colour] + n)
    lands = [colour for colour in COLOURS if to[colour] == edo]
    return Voyage(to, lands, [colour for colour in COLOURS if to[colour] in waves] if lands else [])


def ends(state: Osaka, buyer: int, trip: Voyage, bought: list[str]) -> bool:
    """Whether a purchase ends the game: it gives somebody the last token they need. Then nothing sinks."""
    won = [
        sum([1 for colour in trip.lands if any(COLOUR[good.card] == colour for good in goods)]) for goods in state.goods
    ]
    sold = {COLOUR[good.card] for good in state.goods[buyer]} | {COLOUR[card] for card in bought}
    won[buyer] = len(sold.intersection(trip.lands))
    last = state.box.number["last_token"]
    return any(n > 0 and sum(state.tokens[seat].values()) + n >= last for seat, n in enumerate(won))


def _advance_ships(state: Osaka, bought: list[str]) -> None:
    """All ships move before any payment; a ship that would pass Edo stops there."""
    edo, route, ships = state.box.edo, state.box.route, state.ships
    sails = steps(bought)
    for colour in COLOURS:
        if colour in sails:
            at = ships[colour]
            ships[colour] = to = min(edo, at + sails[colour])
            state.tell("osaka.sailed", colour=colour, n=to - at, place=route[to])


def foresee(state: Osaka, seat: int, price: int) -> Message:
    """What buying now would do: where the ships go, who is paid, and what sinks unless that is the end."""
    box = state.box
    bought = cards_of(within_reach(state, seat))
    trip = voyage(state, bought)
    to, lands, sinks = trip
    then = [_sails(colour, box.route[to[colour]]) for colour in COLOURS if state.ships[colour] < to[colour] < box.edo]
    for colour in lands:
        then.append(_sails(colour, box.route[box.edo]))
        for who, goods in enumerate(state.goods):
            cards = [good.card for good in goods if COLOUR[good.card] == colour]
            if who == seat:
                cards += [card for card in bought if COLOUR[card] == colour]
            if cards:
                vp = proceeds(cards, state.tokens[who][colour], box.coins_per_vp).vp
                then.append({"key": "osaka.foresee.paid", "args": {"seat": who, "colour": colour, "vp": vp}})
    if ends(state, seat, trip, bought):
        then.append({"key": "osaka.foresee.ends", "args": {}})
    else:
        then += [{"key": "osaka.foresee.sinks", "args": {"colour": colour}} for colour in sinks]
    return Message("osaka.action.buy.hint", {"price": price, "cards": bought, "n": len(bought), "then": then})


def _sails(colour: str, place: str) -> Phrase:
    return {"key": "osaka.foresee.sails", "args": {"colour": colour, "place": place}}
