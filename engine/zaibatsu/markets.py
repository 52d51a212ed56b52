"""Local Markets: where an influence token may be placed, what it replaces, and the action that serves them."""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from engine.scene import Message, Option, Scene, ask, later
from engine.zaibatsu.box import CITIES
from engine.zaibatsu.gains import amounts, gain
from engine.zaibatsu.goods import spend_goods
from engine.zaibatsu.numbers import MARKET_VP, MOST
from engine.zaibatsu.state import AUTOMA, Board, City, Token, Zaibatsu

DONE = Option("done", Message("zaibatsu.done"), means=None)


def beats(city: City, side: int, limit: int) -> int:
    """The influence a token must exceed to be placed here: that of the token it replaces or drives out; 0 if none."""
    there = city.tokens[side]
    if there is not None:
        return there.value
    out = [token.value for token in city.tokens if token is not None]
    return min(out) if len(out) >= limit else 0


def market_spaces(state: Zaibatsu, board: Board, region: int = -1) -> Iterator[tuple[int, int]]:
    """(city, side) that this board can serve with the goods and tokens it has."""
    best = _best_tokens(state, board)
    cities = range(2 * region, 2 * region + 2) if region >= 0 else range(len(state.cities))
    return _within(state, best, cities) if best else iter(())


def _best_tokens(state: Zaibatsu, board: Board) -> dict[str, int]:
    """The most influence that the goods of each type can bring with the tokens in hand."""
    best: dict[str, int] = {}
    for good, stock in board.stock().items():
        for value in reversed(state.box.influence[good][:stock]):
            if value in board.hand:
                best[good] = value
                break
    return best


def _within(state: Zaibatsu, best: dict[str, int], cities: range) -> Iterator[tuple[int, int]]:
    limit = state.sides
    for at in cities:
        city = state.cities[at]
        for side, good in enumerate(city.goods):
            if good in best and best[good] > beats(city, side, limit):
                yield at, side


def can_serve(state: Zaibatsu, board: Board) -> bool:
    return board.goods() > 0 and any(market_spaces(state, board))


def markets_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Local Markets action: up to three times, in one region."""
    board, regions, cities = state.boards[seat], state.box.regions, state.cities
    region = -1
    for activation in range(MOST):
        spaces = list(market_spaces(state, board, region))
        if not spaces:
            break
        options = [_space_option(regions[at // 2], at, side, cities[at].goods[side]) for at, side in spaces]
        if activation:
            options.append(DONE)
        default, main = (DONE, DONE.id) if activation else (options[0], "")
        hints = later(_space_hint, state)
        space = yield ask(seat, "zaibatsu.market", options, default.id, main=main, hints=hints, n=activation + 1)
        if space is None:
            break
        at, side = space
        region = at // 2
        yield from _serve(state, seat, at, side)


def _serve(state: Zaibatsu, seat: int, at: int, side: int) -> Scene:
    """Serve a Local Market, steps 2 to 4. How much is delivered and what is taken for it are one question."""
    board, city = state.boards[seat], state.cities[at]
    good = city.goods[side]
    stock = board.stock()[good]
    floor = beats(city, side, state.sides)
    values = state.box.influence[good]
    bonuses = (("region", *state.box.region_bonus[at // 2]), ("vp", "vp", MARKET_VP))
    spots = (f"city:{at}:{side}",)
    options = [
        _delivery_option(good, n, values[n - 1], bonus, spots)
        for n in range(1, min(MOST, stock) + 1)
        if values[n - 1] > floor and values[n - 1] in board.hand
        for bonus in bonuses
    ]
    n, what, amount = yield ask(seat, "zaibatsu.market_goods", options, options[1].id, good=good, city=CITIES[at])
    yield from spend_goods(state, seat, good, n)
    leaves = yield from _leaving(state, seat, at, side)
    place(state, seat, at, side, values[n - 1], leaves)
    gain(state, seat, what, amount)


def _leaving(state: Zaibatsu, seat: int, at: int, side: int) -> Scene:
    """The side whose token goes back to its owner; None if there is room. Asked where several are the lowest."""
    city = state.cities[at]
    if city.tokens[side] is not None:
        return side
    lowest = lowest_sides(city, state.sides)
    if len(lowest) < 2:
        return lowest[0] if lowest else None
    options = [_return_option(state, at, tied) for tied in lowest]
    _, leaves = yield ask(seat, "zaibatsu.market_return", options, options[0].id)
    return leaves


def lowest_sides(city: City, limit: int) -> list[int]:
    """In a full market: the sides with the lowest tokens; none while there is room."""
    out = [(token.value, side) for side, token in enumerate(city.tokens) if token is not None]
    if len(out) < limit:
        return []
    least = min(out)[0]
    return [side for value, side in out if value == least]


def place(state: Zaibatsu, owner: int, at: int, side: int, value: int, leaves: int | None) -> None:
    """Put a token down; the one that leaves goes back to its owner (an Automa's to the box)."""
    city = state.cities[at]
    if owner < state.players:
        state.boards[owner].hand.remove(value)
    if leaves is not None:
        gone = city.tokens[leaves]
        assert gone is not None
        city.tokens[leaves] = None
        if gone.owner < state.players:
            state.boards[gone.owner].hand.append(gone.value)
            state.boards[gone.owner].hand.sort()
        elif state.automa is not None:
            state.automa.knocked_out.append(gone.value)
    city.tokens[side] = Token(owner, value)
    name = state.box.regions[at // 2]
    if leaves is None:
        _tell(state, "zaibatsu.placed", owner, n=value, place=name, city=at, good=city.goods[side])
    else:
        assert gone is not None
        _tell(state, "zaibatsu.replaced", owner, n=value, place=name, city=at, good=city.goods[side], value=gone.value)


def _tell(state: Zaibatsu, key: str, owner: int, **args: Any) -> None:
    if state.automa is not None and owner == AUTOMA:
        state.tell(f"{key}.automa", **args)
    else:
        state.tell(key, seat=owner, **args)


@lru_cache(2**10)
def _space_option(place: str, at: int, side: int, good: str) -> Option:
    label = Message("zaibatsu.market.space", {"place": place, "city": CITIES[at], "good": good})
    return Option(f"space.{at}.{side}", label, None, (f"city:{at}:{side}",), means=(at, side), leads=True)


def _space_hint(state: Zaibatsu, space: tuple[int, int] | None) -> Message | None:
    """What a token placed here replaces, drives out or covers."""
    if space is None:
        return None
    at, side = space
    city = state.cities[at]
    there = city.tokens[side]
    if there is None:
        lowest = beats(city, side, state.sides)
        key = "zaibatsu.hint.drive_out" if lowest else "zaibatsu.hint.cover"
        return Message(key, {"value": lowest, "overseas": state.box.overseas[at][side]})
    if there.owner < state.players:
        return Message("zaibatsu.hint.replace", {"to": there.owner, "value": there.value})
    return Message("zaibatsu.hint.replace_automa", {"value": there.value})


@cache
def _delivery_option(good: str, n: int, value: int, bonus: tuple[str, str, int], spots: tuple[str, ...]) -> Option:
    name, what, amount = bonus
    label = Message("zaibatsu.market.deliver", {"goods": amounts(((good, n),)), "gains": amounts(((what, amount),))})
    hint = Message("zaibatsu.hint.token", {"value": value})
    return Option(f"goods.{n}.{name}", label, hint, spots, means=(n, what, amount))


def _return_option(state: Zaibatsu, at: int, side: int) -> Option:
    token = state.cities[at].tokens[side]
    assert token is not None
    label = Message("zaibatsu.market.return_automa", {"value": token.value})
    if token.owner < state.players:
        label = Message("zaibatsu.market.return", {"to": token.owner, "value": token.value})
    args = {"good": state.cities[at].goods[side], "overseas": state.box.overseas[at][side]}
    return Option(
        f"return.{side}", label, Message("zaibatsu.hint.uncover", args), (f"city:{at}:{side}",), means=(at, side)
    )
