"""Getting things: goods, yen, imports, Help cards, orders. Whatever a place, a card or a technology gives comes in
through here, so that the limits of the general rules hold everywhere."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from engine.duel.box import GOODS
from engine.duel.numbers import HELP_LIMIT, HELPS
from engine.duel.state import Duel, Player
from engine.scene import REVEAL, Message, Option, Scene, ask

Thing = tuple[str, int]
Things = tuple[Thing, ...]
Words = dict[str, Any]

MINED = frozenset({"mine", "chinatown", "bonus"})


def in_words(things: Iterable[Thing]) -> list[Words]:
    """How many of what, each ready to be said as part of a sentence."""
    return [_thing_in_words(name, n) for name, n in things]


@cache
def _thing_in_words(name: str, n: int) -> Words:
    return {"key": f"duel.gain.{name}", "args": {"n": n}}


@cache
def order_in_words(needs: Things) -> Words:
    """An order is called by what it asks for. Built once and shared: every look at orders names some."""
    return {"key": "duel.order", "args": {"gains": in_words(needs)}}


def gain_yen(state: Duel, seat: int, n: int, why: str) -> None:
    """Yen from an effect that needs no choice; `why` ends the event's key."""
    state.seats[seat].yen += n
    state.tell(f"duel.yen.{why}", seat=seat, n=n)


def gain_good(state: Duel, seat: int, good: str, n: int, source: str) -> int:
    """Goods, and one copper more with Mining Technology from the mine, Chinatown and bonus cards (Technology cards)."""
    player = state.seats[seat]
    if good == "copper" and n and source in MINED and "mining" in player.technologies:
        n += 1
    player.goods[GOODS.index(good)] += n
    return n


def flip(player: Player, n: int) -> int:
    """Turn over as many imports as there are, up to n."""
    turned = min(n, player.imports)
    player.imports -= turned
    player.flipped += turned
    return turned


def gain(state: Duel, seat: int, reward: dict[str, int], source: str) -> Scene:
    """Everything a reward names, in its order; then what may ask or show something."""
    got = take_in(state, seat, reward, source)
    for size in HELPS:
        for _ in range(got.get(f"help{size}", 0)):
            yield from gain_help(state, seat, size)
    for _ in range(got.get("orders", 0)):
        yield from gain_order(state, seat)


def take_in(state: Duel, seat: int, reward: dict[str, int], source: str) -> dict[str, int]:
    """What of a reward comes in at once, and all that it comes to: Help cards and orders are still to be taken."""
    player = state.seats[seat]
    got: dict[str, int] = {}
    for name, n in reward.items():
        if name == "yen":
            player.yen += n
        elif name == "imports":
            player.imports += n
        elif name == "flips":
            n = flip(player, n)
        elif name in GOODS:
            n = gain_good(state, seat, name, n, source)
        elif name == "orders":
            n = min(n, len(state.orders))
        if n:
            got[name] = n
    if got:
        state.tell("duel.gained", seat=seat, gains=in_words(got.items()))
    return got


def gain_help(state: Duel, seat: int, size: int) -> Scene:
    """General rules: no more than four Help cards; the fifth means giving one back."""
    held = state.seats[seat].help
    held[size - 1] += 1
    if sum(held) <= HELP_LIMIT:
        return
    options = [_give_back(each) for each in HELPS if held[each - 1]]
    back = yield ask(seat, "duel.help.limit", options, options[0].id)
    held[back - 1] -= 1
    state.tell("duel.gaveback", seat=seat, help=back)


def _give_back(size: int) -> Option:
    return Option(f"help{size}", Message("duel.giveback", {"help": size}), None, (f"help:{size}",), means=size)


def gain_order(state: Duel, seat: int) -> Scene:
    """The top card of the orders, unseen by the other."""
    yield REVEAL
    card = state.orders.pop()
    receive(state, seat, card)
    state.tell("duel.drew", who=(seat,), seat=seat, card=order_in_words(state.box.needed[card]))


def receive(state: Duel, seat: int, card: str) -> None:
    """Into the hand, which is kept in the order of the deck list."""
    hand = state.seats[seat].hand
    hand.append(card)
    hand.sort(key=state.box.order_rank.__getitem__)
