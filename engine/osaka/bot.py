"""The built-in player of Osaka: looks one action ahead, by what its seat may know.

A position is worth its points, plus what the goods before the players may still bring, seen from the seat against the
best of the others. It never reserves: one action ahead, the piece is only time lost. The numbers were found by
playing the bot against itself and against chance.
"""

from engine.osaka.box import COLOUR, COLOURS, VALUE
from engine.osaka.buying import payment_plan, voyage
from engine.osaka.payment import DONE, proceeds
from engine.osaka.state import Osaka, within_reach, worth
from engine.scene import Decision

# How likely goods are to be paid rather than sunk, by how many spaces their ship is from Edo (waves are 1 and 2).
HOPE = (1.0, 0.55, 0.45, 0.5, 0.45, 0.4)
TOKEN = 0.9
COIN = 0.16
SPARE = 0.02
PLENTY = 36
RIVAL = 0.5


def choose(state: Osaka, decision: Decision) -> str:
    return CHOOSE[decision.prompt](state, decision)


def _token(state: Osaka, decision: Decision) -> str:
    """The colour of which the market and the farm show the most."""
    seat = decision.seat
    shown = dict.fromkeys(COLOURS, 0)
    for slot in (*state.market, *state.farm):
        shown[COLOUR[slot.card]] += VALUE[slot.card]
    for card in state.hands[seat]:
        shown[COLOUR[card]] -= 1
    return decision.id_of(max(COLOURS, key=shown.__getitem__))


def _action(state: Osaka, decision: Decision) -> str:
    ids = [option.id for option in decision.options]
    if "buy" in ids and _gain_of_buying(state, decision.seat) > _gain_of_coin(state, decision.seat):
        return "buy"
    return "take"


def _goods(state: Osaka, seat: int) -> dict[str, list[str]]:
    sets: dict[str, list[str]] = {}
    for good in state.goods[seat]:
        sets.setdefault(COLOUR[good.card], []).append(good.card)
    return sets


def _hopes(state: Osaka, seat: int, ships: dict[str, int], extra: list[str]) -> float:
    """What this seat's goods, and these besides, may still bring with the ships there."""
    edo, per = state.box.edo, state.box.coins_per_vp
    sets = _goods(state, seat)
    for card in extra:
        sets.setdefault(COLOUR[card], []).append(card)
    total = 0.0
    for colour, cards in sets.items():
        got = proceeds(cards, state.tokens[seat][colour], per)
        total += HOPE[min(5, max(0, edo - ships[colour]))] * (got.total / per + TOKEN)
    return total


def _gain_of_buying(state: Osaka, seat: int) -> float:
    """What buying would change for this seat, less what it would change for the best of the others."""
    bought = [slot.card for slot in within_reach(state, seat)]
    ships, paid, sunk = voyage(state, bought)
    gains = [
        _after(state, who, ships, bought if who == seat else [], paid, sunk) - _hopes(state, who, state.ships, [])
        for who in range(state.players)
    ]
    coins = worth(state.hands[seat])
    spent = worth(payment_plan(state, seat, sum(VALUE[card] for card in bought)))
    rival = max(gain for who, gain in enumerate(gains) if who != seat)
    ending = _ends(state, paid, seat, bought)
    if ending is not None:
        return ending
    return gains[seat] - RIVAL * rival - (_purse(coins) - _purse(coins - spent))


def _after(state: Osaka, who: int, ships: dict[str, int], extra: list[str], paid: list[str], sunk: list[str]) -> float:
    """Points and hopes of a seat once the payment is over."""
    per, edo = state.box.coins_per_vp, state.box.edo
    sets = _goods(state, who)
    for card in extra:
        sets.setdefault(COLOUR[card], []).append(card)
    insured = {COLOUR[good.card] for good in state.goods[who] if good.insured}
    total = 0.0
    for colour, cards in sets.items():
        got = proceeds(cards, state.tokens[who][colour], per)
        if colour in paid:
            total += got.vp + TOKEN
        elif colour in sunk:
            total += HOPE[3] * (got.total / per + TOKEN) if colour in insured else 0.0
        else:
            total += HOPE[min(5, max(0, edo - ships[colour]))] * (got.total / per + TOKEN)
    return total


def _ends(state: Osaka, paid: list[str], seat: int, bought: list[str]) -> float | None:
    """Whether this purchase ends the game, and then how it ends for this seat; hidden points are not looked at."""
    if not paid or not state.open:
        return None
    per, last = state.box.coins_per_vp, state.box.number["last_token"]
    points, ends = list(state.vp), False
    for who in range(state.players):
        sets = _goods(state, who)
        if who == seat:
            for card in bought:
                sets.setdefault(COLOUR[card], []).append(card)
        won = [colour for colour in paid if colour in sets]
        points[who] += sum(proceeds(sets[colour], state.tokens[who][colour], per).vp for colour in won)
        ends = ends or sum(state.tokens[who].values()) + len(won) >= last
    if not ends:
        return None
    return 100.0 if points[seat] >= max(points) else -100.0


def _gain_of_coin(state: Osaka, seat: int) -> float:
    coins = worth(state.hands[seat])
    best = max(VALUE[slot.card] for slot in within_reach(state, seat))
    return _purse(coins + best) - _purse(coins)


def _purse(coins: int) -> float:
    """What a hand is worth to have: coins beyond those a market costs are of little use, so that nobody hoards."""
    return COIN * min(coins, PLENTY) + SPARE * max(0, coins - PLENTY)


def _coin(state: Osaka, decision: Decision) -> str:
    """The card of most use in the hand, or the one that others would most like to buy."""
    return max(decision.options, key=lambda option: _use(state, decision.seat, state.market[option.meaning].card)).id


def _use(state: Osaka, seat: int, card: str) -> float:
    mine = sum(1 for good in state.goods[seat] if not good.insured and COLOUR[good.card] == COLOUR[card])
    return VALUE[card] + 0.3 * min(mine, state.box.icons[card])


def _insure(state: Osaka, decision: Decision) -> str:
    """Spend cards as long as what they save is worth more than the coins."""
    seat, icons = decision.seat, state.box.icons
    best, choice = 0.0, DONE.id
    for option in decision.options:
        if (card := option.meaning) is not None:
            colour = COLOUR[card]
            risk = [g.card for g in state.goods[seat] if not g.insured and COLOUR[g.card] == colour]
            saved = sorted(risk, key=VALUE.__getitem__)[-icons[card] :]
            got = proceeds(saved, state.tokens[seat][colour], state.box.coins_per_vp)
            gain = HOPE[3] * (got.total / state.box.coins_per_vp + TOKEN) - COIN * VALUE[card]
            if gain > best:
                best, choice = gain, option.id
    return choice


def _default(state: Osaka, decision: Decision) -> str:
    return decision.default


CHOOSE = {
    "osaka.token": _token,
    "osaka.action": _action,
    "osaka.pay": _default,
    "osaka.take": _coin,
    "osaka.reserve": _default,
    "osaka.insure": _insure,
    "osaka.insure_goods": _default,
}
