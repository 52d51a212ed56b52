"""Payment: when ships reach Edo, goods are sold, tokens won, other ships sunk, and the ships go back."""

from typing import Any, NamedTuple

from engine.osaka.box import COLOUR, COLOURS, VALUE
from engine.osaka.scoring import result
from engine.osaka.state import Good, Osaka, draw, seats_from
from engine.scene import REVEAL, Message, Option, Scene, ask, later

LOST = Message("osaka.insure.done.hint")
DONE = Option("done", Message("osaka.insure.done"), LOST, means=None)
NOTHING = Option("done", Message("osaka.insure.nothing"), LOST, means=None)


class Proceeds(NamedTuple):
    """The arithmetic of one set sold: (price + tokens) x n = total, rounded up to value, which is vp points."""

    price: int
    tokens: int
    n: int
    total: int
    value: int
    vp: int


def proceeds(cards: list[str], tokens: int, coins_per_vp: int) -> Proceeds:
    """Scoring: the highest card, raised by tokens of the colour, times the number of cards, rounded up."""
    price = max([VALUE[card] for card in cards])
    n = len(cards)
    total = (price + tokens) * n
    vp = -(-total // coins_per_vp)
    return Proceeds(price, tokens, n, total, vp * coins_per_vp, vp)


def payment(state: Osaka, buyer: int) -> Scene:
    """One payment for every ship at Edo. The end of the game is checked before anything sinks."""
    edo = state.box.edo
    arrived = [colour for colour in COLOURS if state.ships[colour] == edo]
    if not arrived:
        return
    before = list(state.vp)
    scored = [(seat, colour) for colour in arrived for seat in seats_from(state, buyer) if _sell(state, seat, colour)]
    for seat, colour in scored:
        state.tokens[seat][colour] += 1
        state.tell("osaka.won_token", seat=seat, colour=colour, n=state.tokens[seat][colour])
    last = state.box.number["last_token"]
    if any(sum(tokens.values()) >= last for tokens in state.tokens):
        _tell_takings(state, before)
        yield from end_game(state)
        return
    state.sinking = sunk = [colour for colour in COLOURS if state.ships[colour] in state.box.waves]
    if sunk:
        for seat in seats_from(state, buyer):
            yield from _insure(state, seat, sunk)
        for seat in seats_from(state, buyer):
            _sink(state, seat, sunk)
    state.sinking = []
    _return_ships(state, arrived, sunk)
    _tell_takings(state, before)


def _tell_takings(state: Osaka, before: list[int]) -> None:
    """What a payment of many came to, for each who sold something: the sum of a long story, so it stands last."""
    if sum(map(bool, takings := [now - then for now, then in zip(state.vp, before, strict=True)])) > 1:
        then = [{"key": "osaka.took_in", "args": {"seat": seat, "vp": vp}} for seat, vp in enumerate(takings) if vp]
        state.tell("osaka.takings", then=then)


def _sell(state: Osaka, seat: int, colour: str) -> bool:
    """Scoring: all goods of the colour are sold. The lowest of the set, which lie first, become points, then cards
    off the pile."""
    goods = state.goods[seat]
    sold = [good.card for good in goods if COLOUR[good.card] == colour]
    if not sold:
        return False
    state.goods[seat] = [good for good in goods if COLOUR[good.card] != colour]
    got = proceeds(sold, state.tokens[seat][colour], state.box.coins_per_vp)
    state.vp[seat] += got.vp
    state.earned[seat][colour] += got.vp
    state.vp_cards[seat] += sold[: got.vp]
    state.discard += sold[got.vp :]
    state.tell(
        "osaka.scored",
        seat=seat,
        colour=colour,
        cards=sold,
        price=got.price,
        tokens=got.tokens,
        n=got.n,
        total=got.total,
        value=got.value,
        vp=got.vp,
    )
    if got.vp > len(sold):
        state.vp_cards[seat] += draw(state, got.vp - len(sold))
    return True


def end_game(state: Osaka) -> Scene:
    """The end of the game."""
    if not state.open:
        yield REVEAL
    state.ended = True
    final = result(state)
    state.tell("osaka.over", seats=final.winners, vp=final.ranking[0].score)


def at_risk(state: Osaka, seat: int, colour: str) -> list[Good]:
    """The goods of this colour that would be lost if its ship sank."""
    return [good for good in state.goods[seat] if not good.insured and COLOUR[good.card] == colour]


def _insure(state: Osaka, seat: int, sunk: list[str]) -> Scene:
    """Insurance: cards from the hand protect as many goods of their colour as they have icons."""
    risk = dict.fromkeys(sunk, 0)
    for good in state.goods[seat]:
        if not good.insured and COLOUR[good.card] in risk:
            risk[COLOUR[good.card]] += 1
    icons, hand, spent = state.box.icons, state.hands[seat], state.spent
    while any(risk.values()):
        useful = [card for card in dict.fromkeys(hand) if icons[card] and risk.get(COLOUR[card], 0) > 0]
        # Where hands are secret, a player without a card for it must look like one who declines.
        if state.open and not useful:
            break
        options = [_insure_option(hand, card) for card in useful]
        options.append(DONE if spent else NOTHING)
        uncovered = dict(risk)
        card = yield ask(
            seat,
            "osaka.insure",
            options,
            _worth_spending(state, seat, useful, risk),
            secret=not state.open,
            main=DONE.id,
            hints=later(_would_save, state, seat, uncovered),
            n=sum(risk.values()),
            uncovered=uncovered,
            sinking=_sinking(state, seat, uncovered),
        )
        if card is None:
            break
        hand.remove(card)
        state.discard.append(card)
        spent.append(card)
        risk[COLOUR[card]] = max(0, risk[COLOUR[card]] - icons[card])
    state.spent = []
    if spent:
        insured = yield from _insure_goods(state, seat, spent)
        state.tell("osaka.insured", seat=seat, cards=insured, n=len(insured), paid_cards=spent)


def _worth_spending(state: Osaka, seat: int, useful: list[str], risk: dict[str, int]) -> str:
    """By default the lowest card that saves goods of a higher value than its own; the highest goods are saved first."""
    for card in sorted(useful, key=VALUE.__getitem__):
        goods = sorted([VALUE[good.card] for good in at_risk(state, seat, COLOUR[card])], reverse=True)
        covered = len(goods) - risk[COLOUR[card]]
        if sum(goods[covered : covered + state.box.icons[card]]) > VALUE[card]:
            return f"insure.{card}"
    return DONE.id


def _insure_option(hand: list[str], card: str) -> Option:
    """The hand is sorted, so equal cards lie side by side."""
    at = hand.index(card)
    spots = tuple([f"hand:{place}" for place in range(at, at + hand.count(card))])
    return Option(f"insure.{card}", Message("osaka.insure.card", {"card": card}), None, spots, means=card)


def _sinking(state: Osaka, seat: int, uncovered: dict[str, int]) -> dict[str, Any]:
    """Which goods sink; once some cards are spent, how many of which are still to be covered."""
    cards = [good.card for colour, n in uncovered.items() if n for good in at_risk(state, seat, colour)]
    n = sum(uncovered.values())
    return {"key": "osaka.sinking" if n == len(cards) else "osaka.sinking.still", "args": {"n": n, "cards": cards}}


def _would_save(state: Osaka, seat: int, uncovered: dict[str, int], card: str) -> Message:
    """The goods that a card insures; where it has not enough shields for all of a colour, how many of them."""
    shields, left = state.box.icons[card], uncovered[COLOUR[card]]
    cards = [good.card for good in at_risk(state, seat, COLOUR[card])]
    key = "some" if shields < left or left < len(cards) else "spare" if shields > left else "all"
    return Message(f"osaka.insure.saves.{key}", {"n": min(shields, left), "cards": cards})


def _insure_goods(state: Osaka, seat: int, spent: list[str]) -> Scene:
    """Turn the protected goods; with fewer icons than goods of a colour, their owner says which."""
    icons = state.box.icons
    insured: list[str] = []
    for colour in COLOURS:
        left = sum([icons[card] for card in spent if COLOUR[card] == colour])
        while left > 0 and (risk := at_risk(state, seat, colour)):
            card = risk[0].card
            if left < len(risk):
                options = _goods_options(state, seat, colour)
                card = yield ask(seat, "osaka.insure_goods", options, options[0].id, n=left, colour=colour)
            good = next(good for good in risk if good.card == card)
            good.insured = True
            insured.append(good.card)
            left -= 1
    return insured


def _goods_options(state: Osaka, seat: int, colour: str) -> list[Option]:
    """The highest first."""
    places: dict[str, list[int]] = {}
    for at, good in enumerate(state.goods[seat]):
        if not good.insured and COLOUR[good.card] == colour:
            places.setdefault(good.card, []).append(at)
    return [
        Option(
            f"goods.{card}",
            Message("osaka.insure_goods.card", {"card": card}),
            None,
            tuple([f"goods:{seat}:{at}" for at in places[card]]),
            means=card,
        )
        for card in sorted(places, key=VALUE.__getitem__, reverse=True)
    ]


def _sink(state: Osaka, seat: int, sunk: list[str]) -> None:
    """Sunk by the Black Tide: uninsured goods of the sunk ships' colours are lost."""
    for colour in sunk:
        lost = [good.card for good in at_risk(state, seat, colour)]
        if lost:
            state.goods[seat] = [good for good in state.goods[seat] if good.insured or COLOUR[good.card] != colour]
            state.discard += lost
            state.tell("osaka.lost", seat=seat, colour=colour, cards=lost, n=len(lost))


def _return_ships(state: Osaka, arrived: list[str], sunk: list[str]) -> None:
    """Return the ships: those at Edo to Osaka, the sunk ones to the anchor."""
    box = state.box
    for colour in sunk:
        state.ships[colour] = box.anchor
        state.tell("osaka.sunk", colour=colour, place=box.route[box.anchor])
    for colour in arrived:
        state.ships[colour] = 0
        state.tell("osaka.returned", colour=colour, place=box.route[0])
