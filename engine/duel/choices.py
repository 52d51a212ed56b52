"""The options of the Duel's decisions: one shared object for each thing that can be offered, made once. Says what a
choice costs and brings; decides nothing."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from engine.scene import Blocked, Message, Option

Thing = tuple[str, int]
Things = tuple[Thing, ...]
Cards = tuple[str, ...]
Words = dict[str, Any]


def in_words(things: Iterable[Thing]) -> list[Words]:
    """How many of what, each ready to be said as part of a sentence."""
    return [{"key": f"duel.gain.{name}", "args": {"n": n}} for name, n in things]


def order_in_words(needs: Things) -> Words:
    """An order is called by what it asks for."""
    return {"key": "duel.order", "args": {"gains": in_words(needs)}}


def church_in_words(faith: int) -> Words:
    return {"key": "duel.church_card", "args": {"faith": faith}}


@cache
def go(place: str, way: str, influence: int, gains: Things, lit: bool = True) -> Option:
    """`lit`: the place on the board stands for this option. One spot stands for one option at a time."""
    key = f"duel.go.{way}" if way else "duel.go"
    return Option(
        f"{place}.{way}" if way else place,
        Message(key, {"place": place}),
        Message("duel.hint.at", {"influence": influence, "gains": in_words(gains)}),
        (f"place:{place}",) if lit else (),
    )


@cache
def occupied(place: str, by: int) -> Blocked:
    return Blocked(Message("duel.go", {"place": place}), Message("duel.why.occupied", {"by": by}))


@cache
def play(level: int, size: int, phone: bool, trader: bool, influence: int, gains: Things) -> Option:
    key = "duel.play.trader" if trader else "duel.play.card"
    args: dict[str, int] = {"level": level}
    if size:
        key += ".help"
        args["help"] = size
    if phone:
        key += ".phone"
    return Option(
        f"{level}+{size}t" if phone else f"{level}+{size}",
        Message(key, args),
        Message("duel.hint.at", {"influence": influence, "gains": in_words(gains)}),
    )


@cache
def fulfil(card: str, needs: Things, vp: int, gains: Things) -> Option:
    return Option(
        f"fulfil.{card}",
        Message("duel.fulfil", {"card": order_in_words(needs)}),
        Message("duel.hint.fulfil.more" if gains else "duel.hint.fulfil", {"vp": vp, "gains": in_words(gains)}),
        (f"hand:{card}",),
    )


@cache
def recruit(criterion: str) -> Option:
    return Option(
        f"recruit.{criterion}",
        Message("duel.recruit", {"criterion": criterion}),
        Message("duel.hint.recruit"),
        (f"recruit:{criterion}",),
    )


CALL = Option("trader", Message("duel.call"), Message("duel.hint.call"), ("traders",))
SPIN = Option("spin", Message("duel.spin"), Message("duel.hint.spin"), ("owned:spinning_mill",))
TAKE_NOTHING = Option("none", Message("duel.take.nothing"))
IMPROVE_NOTHING = Option("none", Message("duel.improve.nothing"))
END = Option("end", Message("duel.end"))
DONE = Option("done", Message("duel.done"))


@cache
def unfulfilled(needs: Things, missing: Things) -> Blocked:
    return Blocked(
        Message("duel.fulfil", {"card": order_in_words(needs)}),
        Message("duel.why.missing", {"gains": in_words(missing)}),
    )


@cache
def shop(place: str) -> Option:
    return Option("shop", Message("duel.shop", {"place": place}), Message("duel.hint.shop"))


@cache
def house(place: str, price: int) -> Option:
    return Option(
        "house",
        Message("duel.house", {"place": place}),
        Message("duel.hint.house", {"price": price}),
    )


@cache
def cannot_build(building: str, place: str, reason: str, price: int = 0) -> Blocked:
    args = {"price": price} if price else {}
    return Blocked(Message(f"duel.{building}", {"place": place}), Message(f"duel.why.{reason}", args))


@cache
def bonus(card: str, gains: Things) -> Option:
    return Option(
        f"bonus.{card}",
        Message("duel.bonus", {"gains": in_words(gains)}),
        None,
        (f"bonus:{card}",),
    )


@cache
def church(card: str, faith: int, need: int, vp: int, gains: Things) -> Option:
    return Option(
        f"take.{card}",
        Message("duel.take", {"card": church_in_words(faith)}),
        Message(
            "duel.hint.church" if need else "duel.hint.church.free", {"n": need, "vp": vp, "gains": in_words(gains)}
        ),
        (f"church:{card}",),
    )


@cache
def church_blocked(card: str, faith: int, reach: int) -> Blocked:
    return Blocked(
        Message("duel.take", {"card": church_in_words(faith)}), Message("duel.why.faith", {"n": faith, "reach": reach})
    )


@cache
def offering(resource: str) -> Option:
    return Option(resource, Message("duel.offering", {"gains": in_words([(resource, 1)])}))


@cache
def technology(card: str, need: int) -> Option:
    key = "duel.hint.technology" if need else "duel.hint.technology.free"
    return Option(
        f"take.{card}",
        Message("duel.take", {"card": card}),
        Message(key, {"price": 2 * need, "n": need, "effect": card}),
        (f"technology:{card}",),
    )


@cache
def technology_blocked(card: str, need: int) -> Blocked:
    return Blocked(Message("duel.take", {"card": card}), Message("duel.why.production", {"price": 2 * need, "n": need}))


@cache
def payment(yen: int, imports: int, flipped: int) -> Option:
    paid = (("yen", yen), ("imports", imports), ("flipped", flipped))
    return Option(
        f"y{yen}i{imports}f{flipped}", Message("duel.pay", {"gains": in_words(thing for thing in paid if thing[1])})
    )


@cache
def keep(cards: Cards, needs: tuple[Things, ...], vp: int) -> Option:
    return Option(
        "keep." + "+".join(cards),
        Message("duel.keep", {"cards": [order_in_words(each) for each in needs]}),
        Message("duel.hint.keep.two" if len(cards) == 2 else "duel.hint.keep", {"vp": vp}),
        (f"offer:{cards[0]}",) if len(cards) == 1 else (),
    )


KEEP_TWO_BLOCKED = Blocked(Message("duel.keep.two"), Message("duel.why.keep_two"))


@cache
def put_under(card: str, needs: Things, vp: int) -> Option:
    return Option(
        card,
        Message("duel.under", {"card": order_in_words(needs)}),
        Message("duel.hint.dealt", {"vp": vp}),
        (f"offer:{card}",),
    )


UNDER_AS_THEY_LIE = Message("duel.under.rest")


@cache
def put_back_dealt(card: str, needs: Things, vp: int) -> Option:
    return Option(
        card,
        Message("duel.dealt.return", {"card": order_in_words(needs)}),
        Message("duel.hint.dealt", {"vp": vp}),
        (f"offer:{card}",),
    )


@cache
def trade(verb: str, good: str, price: int) -> Option:
    return Option(
        f"{verb}.{good}",
        Message(f"duel.{verb}", {"gains": in_words([(good, 1)])}),
        Message(f"duel.hint.{verb}", {"price": price}),
    )


@cache
def trade_blocked(verb: str, good: str, price: int) -> Blocked:
    return Blocked(
        Message(f"duel.{verb}", {"gains": in_words([(good, 1)])}),
        Message("duel.why.yen", {"price": price}) if verb == "buy" else Message("duel.why.none_left"),
    )


@cache
def give_back(size: int) -> Option:
    return Option(f"help{size}", Message("duel.giveback", {"help": size}))


@cache
def station(place: str) -> Option:
    return Option(place, Message("duel.station.here", {"place": place}), None, (f"place:{place}",))


@cache
def improve(card: int, level: int, better: int, price: int) -> Option:
    hint = Message("duel.hint.improve", {"price": price}) if price else Message("duel.hint.improve.free")
    return Option(
        f"card{card}", Message("duel.improve", {"level": level, "better": better}), hint, (f"influence:{card}",)
    )


@cache
def improve_blocked(level: int, better: int, price: int) -> Blocked:
    return Blocked(
        Message("duel.improve", {"level": level, "better": better}), Message("duel.why.yen", {"price": price})
    )
