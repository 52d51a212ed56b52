"""A player's turn: buy goods, take coins or reserve a card. Also the opening token, and what comes after what."""

from functools import lru_cache

from engine.osaka.box import COLOURS, VALUE
from engine.osaka.buying import buy, foresee
from engine.osaka.market import refresh
from engine.osaka.payment import end_game
from engine.osaka.state import Osaka, Slot, receive, reserved_at, worth
from engine.scene import Blocked, Decision, Message, Option, Scene, ask, later

BUY = Message("osaka.action.buy")
TAKE, TAKE_HINT = Message("osaka.action.take"), Message("osaka.action.take.hint")
RESERVE, RESERVE_HINT = Message("osaka.action.reserve"), Message("osaka.action.reserve.hint")


def next_scene(state: Osaka) -> Scene | None:
    if state.ended:
        return None
    if state.opening < state.players:
        return opening_token(state)
    return turn(state)


def opening_token(state: Osaka) -> Scene:
    """Preparation, step 8: from the start player on, everybody takes one token."""
    seat = state.current
    out = {colour: sum(tokens[colour] for tokens in state.tokens) for colour in COLOURS}
    fewest = min(COLOURS, key=out.__getitem__)
    options = [_token_option(colour) for colour in COLOURS]
    colour = yield ask(seat, "osaka.token", options, _token_option(fewest).id)
    state.tokens[seat][colour] += 1
    state.opening += 1
    state.tell("osaka.first_token", seat=seat, colour=colour)
    state.current = (seat + 1) % state.players


def _token_option(colour: str) -> Option:
    label = Message("osaka.token.colour", {"colour": colour})
    hint = Message("osaka.token.hint", {"colour": colour})
    return Option(f"token.{colour}", label, hint, (f"token:{colour}",), means=colour)


def turn(state: Osaka) -> Scene:
    """Playing the game: one of three actions, then the next player clockwise."""
    seat = state.current
    state.turn += 1
    price, market = _market_for(state, seat)
    # A market that holds nothing this player may touch is refreshed first.
    while not price and (state.farm or state.deck or state.discard):
        yield from refresh(state)
        price, market = _market_for(state, seat)
    if not price:
        yield from _pass(state, seat)
    else:
        state.passes = 0
        coins = worth(state.hands[seat])
        unpaid = _unpaid_actions(seat, market, tuple([slot.by for slot in state.farm]))
        # Where taking coins is the only action nobody is asked, and its reasons come with the cards to take.
        alone = state.open and coins < price and len(unpaid) == 1
        action = "take" if alone else (yield _which_action(state, seat, price, coins, unpaid))
        if action == "take":
            _take_coins(state, seat, (yield _which_coins(state, seat, price, coins, alone)))
        elif action == "reserve":
            _reserve(state, seat, *(yield _which_card(state, seat)))
        else:
            yield from buy(state, seat, price)
            if not state.ended:
                yield from refresh(state)
    state.current = (seat + 1) % state.players


Pieces = tuple[int | None, ...]  # whose piece lies on each card of a row


def _market_for(state: Osaka, seat: int) -> tuple[int, Pieces]:
    """What this seat would pay for all of the market that others have not reserved, and whose pieces lie there."""
    price, pieces = 0, list[int | None]()
    for slot in state.market:
        pieces.append(by := slot.by)
        if by is None or by == seat:
            price += VALUE[slot.card]
    return price, tuple(pieces)


def _which_action(state: Osaka, seat: int, price: int, coins: int, unpaid: tuple[Option, ...]) -> Decision:
    """Buying, for whoever can pay, and the actions that cost nothing."""
    options = unpaid
    if coins >= price:
        options = (Option("buy", BUY, later(foresee, state, seat, price), ("buy",)), *unpaid)
    return ask(
        seat,
        "osaka.action",
        options,
        "take",
        blocked=later(_why_not, state, seat, price, coins),
        secret=not state.open,  # a question skipped because the hand cannot pay would tell what is in the hand
        ways=_ways(len(unpaid[0].spots), price, coins, len(unpaid) > 1),
        price=price,
        coins=coins,
    )


@lru_cache(maxsize=8192)
def _unpaid_actions(seat: int, market: Pieces, farm: Pieces) -> tuple[Option, ...]:
    """Taking coins, and reserving with the piece in front of you: whoever has it there has a card in reach that is
    nobody's."""
    own = [f"market:{at}" for at, by in enumerate(market) if by is None or by == seat]
    take = Option("take", TAKE, TAKE_HINT, tuple(own), leads=True)
    if seat in market or seat in farm:
        return (take,)
    rows = (("market", market), ("farm", farm))
    free = [f"{where}:{at}" for where, row in rows for at, by in enumerate(row) if by is None]
    return take, Option("reserve", RESERVE, RESERVE_HINT, tuple(free), leads=True)


@lru_cache(maxsize=8192)
def _ways(n: int, price: int, coins: int, reserving: bool) -> Message:
    """What the question names: only what can be done."""
    besides = "reserve" if reserving else "take"
    if coins >= price:
        return Message(f"osaka.ways.{besides}", {"n": n, "price": price, "coins": coins})
    return Message(f"osaka.ways.{besides}.short", {"n": price - coins})


def _why_not(state: Osaka, seat: int, price: int, coins: int) -> list[Blocked]:
    """Why the market cannot be bought, and why no card can be reserved."""
    blocked: list[Blocked] = []
    if coins < price:
        blocked.append(_too_dear(price, coins))
    if placed := reserved_at(state, seat):
        where, at = placed
        blocked.append(_piece_lies(where, (state.market if where == "market" else state.farm)[at].card))
    return blocked


@lru_cache(maxsize=8192)
def _too_dear(price: int, coins: int) -> Blocked:
    return Blocked(BUY, Message("osaka.why.coins", {"price": price, "coins": coins}))


@lru_cache(maxsize=8192)
def _piece_lies(where: str, card: str) -> Blocked:
    return Blocked(RESERVE, Message(f"osaka.why.piece_{where}", {"card": card}))


def _which_coins(state: Osaka, seat: int, price: int, coins: int, alone: bool) -> Decision:
    """One card nobody has reserved, or one's own reserved card. `alone`: this was the only action."""
    places: dict[str, list[int]] = {}
    own: list[Option] = []
    for at, slot in enumerate(state.market):
        if slot.by is None:
            places.setdefault(slot.card, []).append(at)
        elif slot.by == seat:
            own.append(_take_own(slot.card, at))
    free = {card: _take_option(card, tuple(ats)) for card, ats in places.items()}
    default = free[min(free, key=VALUE.__getitem__)] if free else own[0]
    options = [*free.values(), *own]
    if alone and len(options) == 1:
        _tell_why_not(state, seat, _why_not(state, seat, price, coins))
    blocked = later(_why_not, state, seat, price, coins) if alone else ()
    hints = later(_leaves, state.market, price)
    return ask(seat, "osaka.take", options, default.id, blocked=blocked, hints=hints, coins=coins)


def _take_coins(state: Osaka, seat: int, at: int) -> None:
    """The card comes into the hand, and a piece of one's own on it back to its owner."""
    slot = state.market.pop(at)
    receive(state.hands[seat], slot.card)
    state.tell("osaka.took_reserved" if slot.by == seat else "osaka.took", seat=seat, card=slot.card)


def _tell_why_not(state: Osaka, seat: int, blocked: list[Blocked]) -> None:
    """Where one answer is left nobody is asked, and reads the reasons in their own story instead."""
    for no in blocked:
        thing, why = ({"key": said.key, "args": said.args} for said in (no.label, no.reason))
        state.tell("osaka.not_possible", [seat], thing=thing, why=why)


@lru_cache(maxsize=8192)
def _take_option(card: str, ats: tuple[int, ...]) -> Option:
    spots = tuple([f"market:{at}" for at in ats])
    return Option(f"take.{card}", Message("osaka.take.card", {"card": card}), None, spots, means=ats[0])


@lru_cache(maxsize=8192)
def _take_own(card: str, at: int) -> Option:
    return Option("take.own", Message("osaka.take.own", {"card": card}), None, (f"market:{at}",), means=at)


def _leaves(market: list[Slot], price: int, at: int) -> Message:
    """What the goods that are left cost then."""
    return Message("osaka.take.hint", {"price": price - VALUE[market[at].card]})


def _which_card(state: Osaka, seat: int) -> Decision:
    """A card of the market or the farm that nobody has reserved."""
    found: dict[tuple[str, str], list[int]] = {}
    for where, slots in (("market", state.market), ("farm", state.farm)):
        for at, slot in enumerate(slots):
            if slot.by is None:
                found.setdefault((where, slot.card), []).append(at)
    options = [_reserve_option(where, card, tuple(ats)) for (where, card), ats in found.items()]
    return ask(seat, "osaka.reserve", options, options[0].id)


def _reserve(state: Osaka, seat: int, where: str, at: int) -> None:
    """The piece goes on the card."""
    slot = (state.market if where == "market" else state.farm)[at]
    slot.by = seat
    state.tell(f"osaka.reserved_{where}", seat=seat, card=slot.card)


@lru_cache(maxsize=8192)
def _reserve_option(where: str, card: str, ats: tuple[int, ...]) -> Option:
    spots = tuple([f"{where}:{at}" for at in ats])
    label = Message(f"osaka.reserve.{where}", {"card": card})
    return Option(f"reserve.{where}.{card}", label, None, spots, means=(where, ats[0]))


def _pass(state: Osaka, seat: int) -> Scene:
    """There is nothing this player may touch, and nothing to refresh the market with."""
    state.passes += 1
    state.tell("osaka.passed", seat=seat)
    if state.passes == state.players:
        # A whole round: every card is in somebody's hands for good, and nothing can ever happen again.
        state.tell("osaka.stranded")
        yield from end_game(state)
