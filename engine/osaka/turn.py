"""A player's turn: buy goods, take coins or reserve a card. Also the opening token, and what comes after what."""

from collections.abc import Sequence
from functools import lru_cache

from engine.osaka.box import COLOURS, VALUE
from engine.osaka.buying import buy, foresee
from engine.osaka.market import refresh
from engine.osaka.payment import end_game
from engine.osaka.state import Osaka, Slot, receive, within_reach, worth
from engine.scene import Blocked, Message, Option, Scene, ask, later

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
    # A market that holds nothing this player may touch is refreshed first.
    while not (reach := within_reach(state, seat)) and (state.farm or state.deck or state.discard):
        yield from refresh(state)
    if reach:
        state.passes = 0
        yield from _act(state, seat, reach)
    else:
        state.passes += 1
        state.tell("osaka.passed", seat=seat)
        if state.passes == state.players:
            yield from _stranded(state)
    state.current = (seat + 1) % state.players


def _act(state: Osaka, seat: int, reach: list[Slot]) -> Scene:
    price = sum([VALUE[slot.card] for slot in reach])
    coins = worth(state.hands[seat])
    market, farm = tuple([slot.by for slot in state.market]), tuple([slot.by for slot in state.farm])
    take = _take_action(seat, market)
    options = [take]
    blocked: list[Blocked] = []
    if coins >= price:
        options.insert(0, Option("buy", BUY, later(foresee, state, seat, reach, price), ("buy",)))
    else:
        blocked.append(_too_dear(price, coins))
    # Reserve cards: only with the piece in front of you. Whoever has it there has a card in reach that is nobody's.
    if seat in market:
        blocked.append(_piece_lies("market", state.market[market.index(seat)].card))
    elif seat in farm:
        blocked.append(_piece_lies("farm", state.farm[farm.index(seat)].card))
    else:
        options.append(_reserve_action(market, farm))
    # A question skipped because the hand cannot pay would tell what is in the hand.
    ways = _ways(len(reach), price, coins, reserving=options[-1] is not take)
    hidden = not state.open
    choice = yield ask(
        seat, "osaka.action", options, take.id, blocked=blocked, secret=hidden, ways=ways, price=price, coins=coins
    )
    if choice == "buy":
        yield from buy(state, seat, reach, price)
        if not state.ended:
            yield from refresh(state)
    elif choice == "take":
        yield from _take_coins(state, seat, price, coins, blocked if state.open and len(options) == 1 else ())
    else:
        yield from _reserve(state, seat)


Pieces = tuple[int | None, ...]  # whose piece lies on each card of a row


@lru_cache(maxsize=8192)
def _take_action(seat: int, market: Pieces) -> Option:
    spots = tuple([f"market:{at}" for at, by in enumerate(market) if by is None or by == seat])
    return Option("take", TAKE, TAKE_HINT, spots, leads=True)


@lru_cache(maxsize=8192)
def _reserve_action(market: Pieces, farm: Pieces) -> Option:
    rows = (("market", market), ("farm", farm))
    spots = tuple([f"{where}:{at}" for where, row in rows for at, by in enumerate(row) if by is None])
    return Option("reserve", RESERVE, RESERVE_HINT, spots, leads=True)


@lru_cache(maxsize=8192)
def _ways(n: int, price: int, coins: int, *, reserving: bool) -> Message:
    """What the question names: only what can be done."""
    besides = "reserve" if reserving else "take"
    if coins >= price:
        return Message(f"osaka.ways.{besides}", {"n": n, "price": price, "coins": coins})
    return Message(f"osaka.ways.{besides}.short", {"n": price - coins})


@lru_cache(maxsize=8192)
def _too_dear(price: int, coins: int) -> Blocked:
    return Blocked(BUY, Message("osaka.why.coins", {"price": price, "coins": coins}))


@lru_cache(maxsize=8192)
def _piece_lies(where: str, card: str) -> Blocked:
    return Blocked(RESERVE, Message(f"osaka.why.piece_{where}", {"card": card}))


def _take_coins(state: Osaka, seat: int, price: int, coins: int, blocked: Sequence[Blocked]) -> Scene:
    """Take coins: one card nobody has reserved, or one's own reserved card. `blocked`: what else was looked for when
    this was the only action."""
    market = state.market
    places: dict[str, list[int]] = {}
    own: list[Option] = []
    for at, slot in enumerate(market):
        if slot.by is None:
            places.setdefault(slot.card, []).append(at)
        elif slot.by == seat:
            own.append(_take_own(slot.card, at))
    free = {card: _take_option(card, tuple(ats)) for card, ats in places.items()}
    default = free[min(free, key=VALUE.__getitem__)] if free else own[0]
    options = [*free.values(), *own]
    if len(options) == 1:
        _tell_why_not(state, seat, blocked)
    hints = later(_leaves, market, price)
    at = yield ask(seat, "osaka.take", options, default.id, blocked=blocked, hints=hints, coins=coins)
    slot = market.pop(at)
    receive(state.hands[seat], slot.card)
    state.tell("osaka.took_reserved" if slot.by == seat else "osaka.took", seat=seat, card=slot.card)


def _tell_why_not(state: Osaka, seat: int, blocked: Sequence[Blocked]) -> None:
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


def _reserve(state: Osaka, seat: int) -> Scene:
    """Reserve cards: the piece goes on a card of the market or the farm that nobody has reserved."""
    found: dict[tuple[str, str], list[int]] = {}
    for where, slots in (("market", state.market), ("farm", state.farm)):
        for at, slot in enumerate(slots):
            if slot.by is None:
                found.setdefault((where, slot.card), []).append(at)
    options = [_reserve_option(where, card, tuple(ats)) for (where, card), ats in found.items()]
    where, at = yield ask(seat, "osaka.reserve", options, options[0].id)
    slot = (state.market if where == "market" else state.farm)[at]
    slot.by = seat
    state.tell(f"osaka.reserved_{where}", seat=seat, card=slot.card)


@lru_cache(maxsize=8192)
def _reserve_option(where: str, card: str, ats: tuple[int, ...]) -> Option:
    spots = tuple([f"{where}:{at}" for at in ats])
    label = Message(f"osaka.reserve.{where}", {"card": card})
    return Option(f"reserve.{where}.{card}", label, None, spots, means=(where, ats[0]))


def _stranded(state: Osaka) -> Scene:
    """A whole round of passes: every card is in somebody's hands for good, and nothing can ever happen again."""
    state.tell("osaka.stranded")
    yield from end_game(state)
