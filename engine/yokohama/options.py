"""The choices of Yokohama as they are offered: built once for each meaning and shared, for they are enumerated at
every step. Knows labels, hints and spots; knows no state.

Names of editions differ only in words; ids and keys are the same in both.
"""

from collections.abc import Iterator
from functools import cache

from engine.scene import Blocked, Message, Option
from engine.yokohama.box import GOODS, Order, Reward
from engine.yokohama.city import CANAL, YEN

Said = dict[str, object]  # a message inside a message, as plain data

DONE = Option("done", Message("yokohama.done"))
NOTHING = Option("done", Message("yokohama.nothing"))
RECALL = Option("recall", Message("yokohama.recall"), Message("yokohama.recall.hint"))
SPIN = Option("spin", Message("yokohama.spin"), Message("yokohama.spin.hint"))
STUDY = Option("study", Message("yokohama.study"), Message("yokohama.study.hint"))
REST = Message("yokohama.rest.done")


def gain(kind: str, n: int) -> Said:
    return {"key": f"yokohama.gain.{kind}", "args": {"n": n}}


@cache
def gains(reward: Reward, vp: int = 0, yen: int = 0) -> list[Said]:
    """What a reward gives, with points and money that technologies add."""
    amounts = {kind: getattr(reward, kind) for kind in reward.__struct_fields__}
    amounts["vp"] += vp
    amounts["yen"] += yen
    return [gain(kind, n) for kind, n in amounts.items() if n]


@cache
def order_name(order: Order) -> Said:
    goods = [gain(good, n) for good, n in zip(GOODS, order.goods, strict=True) if n]
    return {"key": "yokohama.order", "args": {"country": order.country, "goods": goods}}


def seats(mask: int) -> Iterator[int]:
    return (seat for seat in range(4) if mask >> seat & 1)


def fee(key: str, mask: int, times: int = 1, **args: object) -> Message:
    """The label of something that costs a fee: nothing, one merchant, the bank alone, or several."""
    if not mask:
        return Message(key, args)
    if mask == CANAL:
        return Message(f"{key}.canal", args)
    if YEN[mask] == 1:
        return Message(f"{key}.paying", {**args, "to": next(seats(mask)), "n": times})
    return Message(f"{key}.fees", {**args, "n": times * YEN[mask]})


@cache
def placing(place: str, mask: int, power: int) -> Option:
    hint = Message("yokohama.place.hint", {"power": power})
    return Option(f"place.{place}", fee("yokohama.place", mask, place=place), hint, (f"area:{place}",))


@cache
def placing_pair(place: str, mask: int, power: int) -> Option:
    hint = Message("yokohama.place.hint", {"power": power})
    return Option(f"pair.{place}", fee("yokohama.pair", mask, 2, place=place), hint, (f"area:{place}",))


@cache
def outlook(action: str, power: int, n: int, bonus: bool, build: bool) -> Message:
    """What an action would bring, and which steps follow."""
    key = f"yokohama.outlook.{action}"
    if not n and action not in ("church", "lab"):
        key = "yokohama.outlook.none"
    after = ".all" if bonus and build else ".bonus" if bonus else ".build" if build else ""
    return Message(key + after, {"power": power, "n": n})


@cache
def going(place: str, action: str, mask: int, power: int, n: int, bonus: bool, build: bool) -> Option:
    hint = outlook(action, power, n, bonus, build)
    return Option(f"go.{place}", fee("yokohama.go", mask, place=place), hint, (f"area:{place}",))


@cache
def agent(place: str, action: str, power: int, n: int, bonus: bool, build: bool) -> Option:
    hint = outlook(action, power, n, bonus, build)
    return Option(f"agent.{place}", Message("yokohama.agent", {"place": place}), hint, (f"area:{place}",))


@cache
def route(mask: int, places: tuple[str, ...]) -> Option:
    spots = tuple(f"area:{place}" for place in places)
    return Option(f"route.{mask}", fee("yokohama.route", mask, place=places[-1]), None, spots)


@cache
def occupied(place: str) -> Blocked:
    return Blocked(Message("yokohama.go", {"place": place}), Message("yokohama.why.occupied"))


@cache
def unreachable(place: str) -> Blocked:
    return Blocked(Message("yokohama.go", {"place": place}), Message("yokohama.why.unreachable"))


@cache
def fetch(place: str, n: int) -> Option:
    key = "yokohama.fetch.all" if n > 1 else "yokohama.fetch"
    return Option(f"fetch{n}.{place}", Message(key, {"place": place, "n": n}), None, (f"area:{place}",))


@cache
def fetch_everyone(n: int) -> Option:
    return Option("everyone", Message("yokohama.fetch.everyone", {"n": n}))


@cache
def fulfil(order: Order, vp: int, yen: int) -> Option:
    hint = Message("yokohama.gives", {"gains": gains(order.reward, vp, yen)})
    label = Message("yokohama.fulfil", {"order": order_name(order)})
    return Option(f"order.{order.id}", label, hint, (f"order:{order.id}",))


@cache
def short_of(order: Order, lack: tuple[int, ...]) -> Blocked:
    missing = [gain(good, n) for good, n in zip(GOODS, lack, strict=True) if n]
    label = Message("yokohama.fulfil", {"order": order_name(order)})
    return Blocked(label, Message("yokohama.why.goods", {"goods": missing}))


@cache
def achieve(card: str, vp: int) -> Option:
    hint = Message("yokohama.achieve.hint", {"vp": vp})
    return Option(f"achieve.{card}", Message("yokohama.achieve", {"goal": card}), hint, (f"achievement:{card}",))


@cache
def no_assistant(card: str) -> Blocked:
    return Blocked(Message("yokohama.achieve", {"goal": card}), Message("yokohama.why.no_assistant"))


@cache
def take_order(order: Order, tier: int) -> Option:
    hint = Message("yokohama.take_order.hint", {"tier": f"t{tier}", "gains": gains(order.reward)})
    label = Message("yokohama.take_order", {"order": order_name(order)})
    return Option(f"take.{order.id}", label, hint, (f"order:{order.id}",))


@cache
def take_second(order: Order, tier: int, pay: str) -> Option:
    """A second order for 2 yen or 1 import."""
    hint = Message("yokohama.take_order.hint", {"tier": f"t{tier}", "gains": gains(order.reward)})
    label = Message(f"yokohama.take_order.{pay}", {"order": order_name(order)})
    return Option(f"{pay}.{order.id}", label, hint, (f"order:{order.id}",))


@cache
def take_tech(tech: str, name: str, units: int, cost: int) -> Option:
    hint = Message("yokohama.tech.price" if units else "yokohama.tech.covered", {"n": units, "cost": cost})
    return Option(f"take.{tech}", Message("yokohama.take_tech", {"tech": name}), hint, (f"tech:{tech}",))


@cache
def tech_owned(name: str) -> Blocked:
    return Blocked(Message("yokohama.take_tech", {"tech": name}), Message("yokohama.why.owned"))


@cache
def tech_dear(name: str, units: int) -> Blocked:
    return Blocked(Message("yokohama.take_tech", {"tech": name}), Message("yokohama.why.dear", {"n": units}))


@cache
def pay_units(imports: int, yen: int) -> Option:
    """Industry beyond one's power: 1 import or 2 yen each."""
    key = "yokohama.pay.both" if imports and yen else "yokohama.pay.imports" if imports else "yokohama.pay.money"
    return Option(f"pay.{imports}", Message(key, {"imports": imports, "yen": yen, "n": imports or yen}))


@cache
def piece(kind: str, price: int) -> Option:
    hint = Message("yokohama.price", {"n": price}) if price else Message("yokohama.free")
    return Option(kind, Message(f"yokohama.warehouse.{kind}"), hint, ("warehouse",))


@cache
def too_dear(kind: str, price: int) -> Blocked:
    return Blocked(Message(f"yokohama.warehouse.{kind}"), Message("yokohama.why.yen", {"n": price}))


@cache
def buy(good: str, price: int) -> Option:
    return Option(f"buy.{good}", Message("yokohama.buy", {"good": good, "price": price}))


@cache
def sell(good: str, price: int) -> Option:
    return Option(f"sell.{good}", Message("yokohama.sell", {"good": good, "price": price}))


@cache
def any_good(good: str) -> Option:
    return Option(good, Message("yokohama.any", {"good": good}))


@cache
def space(board: str, n: int, cost: int, reward: Reward, vp: int) -> Option:
    label = Message(f"yokohama.space.{board}", {"n": cost, "space": n + 1})
    hint = Message("yokohama.gives", {"gains": gains(reward, vp)})
    return Option(f"space.{n}", label, hint, (f"{board}:{n}",))


@cache
def space_out_of_reach(board: str, n: int, cost: int) -> Blocked:
    label = Message(f"yokohama.space.{board}", {"n": cost, "space": n + 1})
    return Blocked(label, Message(f"yokohama.why.{board}"))


@cache
def offering(kinds: tuple[str, ...], money: int) -> Option:
    """A gift to the Church: one of each of these kinds; `money` is what one faith costs in yen."""
    gifts = [gain(kind, money if kind == "yen" else 1) for kind in kinds]
    return Option("+".join(kinds), Message("yokohama.offer", {"gifts": gifts}))


@cache
def pawn_from(place: str) -> Option:
    if place == "hand":
        return Option("hand", Message("yokohama.pawn.hand"))
    return Option("area", Message("yokohama.pawn.area", {"place": place}), None, (f"area:{place}",))


@cache
def move_from(place: str) -> Option:
    if place == "hand":
        return Option("hand", Message("yokohama.move.hand"))
    return Option(f"from.{place}", Message("yokohama.move.from", {"place": place}), None, (f"area:{place}",))


@cache
def move_to(place: str) -> Option:
    return Option(f"to.{place}", Message("yokohama.move.to", {"place": place}), None, (f"area:{place}",))


@cache
def station_at(place: str) -> Option:
    return Option(f"station.{place}", Message("yokohama.station", {"place": place}), None, (f"area:{place}",))


@cache
def take_token(place: str, reward: Reward) -> Option:
    return Option("take", Message("yokohama.take_token", {"gains": gains(reward)}), None, (f"token:{place}",))


@cache
def build_shop(place: str, n: int, reward: Reward, vp: int) -> Option:
    hint = Message("yokohama.gives", {"gains": gains(reward, vp)})
    return Option(f"shop.{n}", Message("yokohama.build.shop", {"space": n + 1}), hint, (f"shop:{place}.{n}",))


@cache
def build_house(place: str, reward: Reward, vp: int) -> Option:
    hint = Message("yokohama.gives", {"gains": gains(reward, vp)})
    return Option("house", Message("yokohama.build.house"), hint, (f"house:{place}",))


@cache
def cannot_build(kind: str, reason: str) -> Blocked:
    return Blocked(Message(f"yokohama.build.{kind}.any"), Message(f"yokohama.why.{reason}"))


@cache
def leave_one(place: str) -> Option:
    return Option("leave", Message("yokohama.leave_one", {"place": place}), None, (f"area:{place}",))


BRING_ALL = Option("all", Message("yokohama.bring_all"))


@cache
def keep_order(order: Order) -> Option:
    hint = Message("yokohama.gives", {"gains": gains(order.reward)})
    return Option(
        f"keep.{order.id}", Message("yokohama.keep", {"order": order_name(order)}), hint, (f"order:{order.id}",)
    )
