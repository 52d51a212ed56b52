"""Goods: produced, put below factories, and spent from them."""

from functools import cache
from itertools import product

from engine.scene import Message, Option, Scene, ask
from engine.zaibatsu.gains import Agenda, amounts
from engine.zaibatsu.numbers import GOODS_ROOM
from engine.zaibatsu.state import Board, Factory, Zaibatsu, add_goods


def output(factory: Factory) -> int:
    return 1 + factory.machines


def production_option(at: int, factory: Factory, coal: int) -> Option:
    return _production_option(at, factory.tile, coal, output(factory), GOODS_ROOM - factory.goods)


@cache
def _production_option(at: int, tile: str, coal: int, n: int, room: int) -> Option:
    """Means (factory, coal): what is paid is 0 where a modifier makes it free."""
    key = "zaibatsu.hint.produce" if coal else "zaibatsu.hint.produce_free"
    hint = Message(key, {"n": n, "price": coal})
    if room < n:
        hint = Message("zaibatsu.hint.produce_lost", {"first": {"key": key, "args": hint.args}, "n": n - room})
    option = f"produce.{at}" if coal else f"free.{at}"
    label = Message("zaibatsu.produce.in" if coal else "zaibatsu.produce.free", {"tile": tile})
    return Option(option, label, hint, (f"own_factory:{at}",), means=(at, coal))


def produce(state: Zaibatsu, seat: int, at: int, coal: int) -> None:
    """Produce, steps 2 and 3."""
    board = state.boards[seat]
    factory = board.factories[at]
    board.pay_coal(coal)
    put_goods(state, seat, at, output(factory))


def put_goods(state: Zaibatsu, seat: int, at: int, n: int) -> None:
    factory = state.boards[seat].factories[at]
    n = add_goods(factory, n)
    if n:
        state.tell("zaibatsu.produced", seat=seat, goods=amounts(((factory.good, n),)))


def goods_in(state: Zaibatsu, seat: int, agenda: Agenda, n: int, barred: tuple[int, ...] = ()) -> Scene:
    """One good in each of n factories: asked only while there are more factories with room than goods."""
    board = state.boards[seat]
    sites = [at for at, f in enumerate(board.factories) if at not in barred and f.goods < GOODS_ROOM]
    if len(sites) <= n:
        for at in sites:
            put_goods(state, seat, at, 1)
        return
    options = [_good_option(at, board.factories[at]) for at in sites]
    at = yield ask(seat, "zaibatsu.good_in", options, options[0].id, n=n)
    put_goods(state, seat, at, 1)
    if n > 1:
        yield from goods_in(state, seat, agenda, n - 1, (*barred, at))


def _good_option(at: int, factory: Factory) -> Option:
    label = Message("zaibatsu.good_in.factory", {"tile": factory.tile})
    hint = Message("zaibatsu.hint.goods", {"n": factory.goods + 1})
    return Option(f"good.{at}", label, hint, (f"own_factory:{at}",), means=at)


def spend_goods(state: Zaibatsu, seat: int, good: str, n: int) -> Scene:
    """Take n goods of a type. From which factories is asked only where several hold more than is spent."""
    board = state.boards[seat]
    holders = [at for at, factory in enumerate(board.factories) if factory.goods and factory.good == good]
    held = [board.factories[at].goods for at in holders]
    shares: tuple[int, ...] = (n,)
    said = amounts(((good, n),))
    if len(holders) > 1:
        ways = [way for way in product(*(range(min(n, have) + 1) for have in held)) if sum(way) == n]
        ways.sort(key=lambda way: max(have - part for have, part in zip(held, way, strict=True)))
        options = [_from_option(board, holders, way) for way in ways]
        shares = yield ask(seat, "zaibatsu.goods_from", options, options[0].id, goods=said)
    for at, part in zip(holders, shares, strict=True):
        board.factories[at].goods -= part
    state.tell("zaibatsu.spent_goods", seat=seat, goods=said)


def _from_option(board: Board, holders: list[int], way: tuple[int, ...]) -> Option:
    parts = [(at, part) for at, part in zip(holders, way, strict=True) if part]
    taken = [
        {"key": "zaibatsu.goods_from.part", "args": {"n": part, "tile": board.factories[at].tile}} for at, part in parts
    ]
    spots = tuple(f"own_factory:{at}" for at, _ in parts)
    label = Message("zaibatsu.goods_from.way", {"taken": taken})
    return Option("from." + ".".join(map(str, way)), label, None, spots, means=way)
