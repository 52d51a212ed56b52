"""Effects and bonuses: gains, tracks, Departments, and building ships, machines and trains.

An agenda is the list of effects a player still has to resolve. They are taken in order: all but offers (pay for more)
commute, or are best taken as they come, so the player is asked about the order only where an offer waits.
"""

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import Any

from engine.scene import Blocked, Message, Option, Scene, ask
from engine.zaibatsu.box import COLOURS
from engine.zaibatsu.state import PIECES, WORKER_ROOM, Board, Factory, Worker, Zaibatsu, add_goods, machine_room

Effect = tuple[Any, ...]
Agenda = list[Effect]

SKIP = Option("skip", Message("zaibatsu.skip"))
LATER = Option("later", Message("zaibatsu.later"), Message("zaibatsu.later.hint"))


def amounts(things: Iterable[tuple[str, int]]) -> list[dict[str, Any]]:
    """Amounts to be said one after the other, those of 0 left out."""
    return [{"key": f"zaibatsu.amount.{what}", "args": {"n": n}} for what, n in things if n]


@cache
def bonus_effect(name: str) -> Effect:
    """What an icon on the zaibatsu board stands for."""
    if name == "any":
        return ("any",)
    if name == "finance":
        return ("advance", "finance", 1)
    if name.startswith("token"):
        return ("token", int(name[-1]))
    return ("department", name)


@cache
def gain_effects(gains: tuple[tuple[str, int], ...]) -> tuple[Effect, ...]:
    """The effects a table row's `gains` stand for. Ships first, so that later Departments are already upgraded."""
    effects: list[Effect] = []
    for what, n in gains:
        if what in ("rd", "mining", "finance"):
            effects.append(("advance", what, n))
        elif what in ("ship", "train", "machine"):
            effects[:0] = [(what,)] * n
        else:
            effects.append(("gain", what, n))
    return tuple(effects)


def resolve(state: Zaibatsu, seat: int, agenda: Agenda) -> Scene:
    """Resolve all effects, each completely before the next (General concepts)."""
    board = state.boards[seat]
    while agenda:
        effect = agenda.pop(0)
        kind = effect[0]
        if kind == "gain":
            gain(state, seat, effect[1], effect[2])
        elif kind == "advance":
            advance(state, seat, effect[1], effect[2], agenda)
        elif kind == "department":
            department(state, seat, effect[1], effect[1] in board.upgraded, agenda)
        elif kind == "token":
            unlock(state, seat, effect[1])
        else:
            yield from CHOICES[kind](state, seat, agenda, *effect[1:])


def gain(state: Zaibatsu, seat: int, what: str, n: int) -> None:
    board = state.boards[seat]
    if what == "vp":
        board.score("bonuses", n)
    else:
        setattr(board, what, getattr(board, what) + n)
    state.tell("zaibatsu.gained", seat=seat, n=n, what=what)


def advance(state: Zaibatsu, seat: int, track: str, n: int, agenda: Agenda) -> None:
    """Bonuses: every space reached or passed through on the way forward grants its bonus."""
    board, box = state.boards[seat], state.things
    at: int = getattr(board, track)
    to = min(at + n, box.last_space[track])
    if to == at:
        return
    setattr(board, track, to)
    bonuses = box.track_bonus[track]
    for space in range(at + 1, to + 1):
        if space in bonuses:
            agenda.append(bonus_effect(bonuses[space]))
    state.tell("zaibatsu.advanced", seat=seat, track=track, n=to - at, to_space=to)


def go_back(state: Zaibatsu, seat: int, n: int) -> None:
    """Going back on Finance is a price: it is only offered where it can be paid in full."""
    board = state.boards[seat]
    board.finance -= n
    state.tell("zaibatsu.went_back", seat=seat, n=n, to_space=board.finance)


def unlock(state: Zaibatsu, seat: int, value: int) -> None:
    board = state.boards[seat]
    if value in board.locked:
        board.locked.remove(value)
        board.hand.append(value)
        board.hand.sort()
        state.tell("zaibatsu.unlocked", seat=seat, n=value)


def department(state: Zaibatsu, seat: int, colour: str, upgraded: bool, agenda: Agenda) -> None:
    """Department bonuses."""
    what, basic, better = state.things.department[colour]
    n = better if upgraded else basic
    if what == "steps":
        agenda.insert(0, ("steps", n))
    else:
        gain(state, seat, what, n)


def any_department(state: Zaibatsu, seat: int, agenda: Agenda, basic: bool = False) -> Scene:
    """Any Department bonus of the player's choice."""
    board, box = state.boards[seat], state.things
    amounts = {c: box.department[c][1 if basic or c not in board.upgraded else 2] for c in COLOURS}
    options = [_department_option(c, box.department[c][0], amounts[c]) for c in COLOURS]
    choice = yield ask(seat, "zaibatsu.department", options, "department.yellow")
    colour = choice.removeprefix("department.")
    department(state, seat, colour, not basic and colour in board.upgraded, agenda)


@cache
def _department_option(colour: str, what: str, n: int) -> Option:
    return Option(
        f"department.{colour}",
        Message("zaibatsu.department.colour", {"colour": colour}),
        Message("zaibatsu.hint.gain", {"n": n, "what": what}),
        (f"department:{colour}",),
    )


def one_of_departments(state: Zaibatsu, seat: int, agenda: Agenda, *colours: str) -> Scene:
    """A Department bonus among a few."""
    board, box = state.boards[seat], state.things
    options = [
        _department_option(c, box.department[c][0], box.department[c][2 if c in board.upgraded else 1]) for c in colours
    ]
    choice = yield ask(seat, "zaibatsu.department", options, options[0].id)
    agenda.insert(0, ("department", choice.removeprefix("department.")))


def innovation(state: Zaibatsu, seat: int, agenda: Agenda, n: int) -> Scene:
    """Innovation Department: steps on R&D or Mining, split as liked. Steps past the end of a track are not offered
    while others can be taken."""
    board, last = state.boards[seat], state.things.last_space
    room_rd, room_mining = last["rd"] - board.rd, last["mining"] - board.mining
    n = min(n, room_rd + room_mining)
    ways = [(rd, n - rd) for rd in range(n, -1, -1) if rd <= room_rd and n - rd <= room_mining]
    if n == 0:
        return
    options = [_steps_option(rd, mining, board.rd + rd, board.mining + mining) for rd, mining in ways]
    choice = yield ask(seat, "zaibatsu.innovation", options, options[0].id)
    rd, mining = map(int, choice.split(".")[1:])
    if rd:
        advance(state, seat, "rd", rd, agenda)
    if mining:
        advance(state, seat, "mining", mining, agenda)


@cache
def _steps_option(rd: int, mining: int, to_rd: int, to_mining: int) -> Option:
    key = "zaibatsu.innovation.rd" if not mining else "zaibatsu.innovation.mining" if not rd else ""
    label = Message(key or "zaibatsu.innovation.both", {"n": rd or mining})
    hint = Message("zaibatsu.hint.innovation", {"rd": to_rd, "mining": to_mining})
    spots = (*((f"track:rd:{to_rd}",) if rd else ()), *((f"track:mining:{to_mining}",) if mining else ()))
    return Option(f"steps.{rd}.{mining}", label, hint, spots)


def built(state: Zaibatsu, seat: int, kind: str, agenda: Agenda) -> None:
    """A ship, machine or train leaves its space: the bonus between two rows is gained when both spaces are empty."""
    board = state.boards[seat]
    count = getattr(board, kind) + 1
    setattr(board, kind, count)
    for upper, lower, bonuses in state.things.columns:
        if kind == upper:
            other = lower
        elif kind == lower:
            other = upper
        else:
            continue
        if count in bonuses and getattr(board, other) >= count:
            agenda.append(bonus_effect(bonuses[count]))


# Ships


def open_docks(state: Zaibatsu, seat: int) -> list[str]:
    """Destinations (by their colour) this seat can send a ship to, the price aside."""
    board = state.boards[seat]
    if board.ships == PIECES or len(board.workers) >= WORKER_ROOM:
        return []
    room = state.sides
    return [colour for colour in state.experts if len(state.docks[colour]) < room]


def closed_docks(state: Zaibatsu) -> list[Blocked]:
    """Destinations that nobody can send a ship to now, and why."""
    shut = []
    for colour, place in state.things.destination.items():
        if len(state.docks[colour]) >= state.sides:
            shut.append(_closed(place, colour, "full"))
        elif colour not in state.experts:
            shut.append(_closed(place, colour, "no_expert"))
    return shut


@cache
def _closed(place: str, colour: str, why: str) -> Blocked:
    return Blocked(Message("zaibatsu.ship.to", {"place": place, "colour": colour}), Message(f"zaibatsu.why.{why}"))


def launch(state: Zaibatsu, seat: int, colour: str, agenda: Agenda) -> None:
    """Build a Ship, steps 2 to 4."""
    board = state.boards[seat]
    state.docks[colour].append(seat)
    state.experts.remove(colour)
    board.workers.append(Worker(colour, True))
    if colour not in board.upgraded and state.upgrades[colour]:
        state.upgrades[colour] -= 1
        board.upgraded.append(colour)
    built(state, seat, "ships", agenda)
    state.tell("zaibatsu.launched", seat=seat, place=state.things.destination[colour], colour=colour)


def ship_options(state: Zaibatsu, seat: int, colours: list[str]) -> list[Option]:
    board = state.boards[seat]
    mine = {worker.colour for worker in board.workers}
    return [
        _ship_option(state.things.destination[c], c, c not in board.upgraded, 0 if c in mine else 3) for c in colours
    ]


@cache
def _ship_option(place: str, colour: str, upgrades: bool, salary: int) -> Option:
    hint = "zaibatsu.hint.ship" if upgrades else "zaibatsu.hint.ship_again"
    return Option(
        f"ship.{colour}",
        Message("zaibatsu.ship.to", {"place": place, "colour": colour}),
        Message(hint, {"colour": colour, "n": salary}),
        (f"destination:{place}",),
    )


def free_ship(state: Zaibatsu, seat: int, agenda: Agenda, and_department: bool = False) -> Scene:
    colours = open_docks(state, seat)
    if not colours:
        state.tell("zaibatsu.no_ship", seat=seat)
        withdraw_offers(agenda)
        return
    choice = yield ask(seat, "zaibatsu.ship", [*ship_options(state, seat, colours), SKIP], "skip")
    if choice == "skip":
        withdraw_offers(agenda)
        return
    colour = choice.removeprefix("ship.")
    bonuses: Agenda = []
    launch(state, seat, colour, bonuses)
    if and_department:
        bonuses.append(("department", colour))
    agenda.extend(bonuses)


# Trains


def open_spaces(state: Zaibatsu, seat: int, barred: tuple[int, ...] = ()) -> list[tuple[int, int]]:
    """(region, space) for a new train, the price aside: the topmost free space of each kind of bonus."""
    if state.boards[seat].trains == PIECES:
        return []
    found = []
    limit = state.train_spaces
    for region, spaces in enumerate(state.trains):
        if region in barred:
            continue
        bonuses = state.things.train_bonus[region]
        seen: list[tuple[str, int] | None] = []
        for space in range(limit):
            if spaces[space] is None and bonuses[space] not in seen:
                seen.append(bonuses[space])
                found.append((region, space))
    return found


def lay(state: Zaibatsu, seat: int, region: int, space: int, agenda: Agenda, times: int = 1) -> None:
    """Build a Train, steps 2 and 3."""
    state.trains[region][space] = seat
    state.tell("zaibatsu.laid", seat=seat, place=state.things.regions[region])
    bonus = state.things.train_bonus[region][space]
    if bonus:
        gain(state, seat, bonus[0], bonus[1] * times)
    built(state, seat, "trains", agenda)


def train_options(state: Zaibatsu, spaces: list[tuple[int, int]], times: int = 1) -> list[Option]:
    box = state.things
    return [_train_option(box.regions[r], r, space, box.train_bonus[r][space], times) for r, space in spaces]


@cache
def _train_option(name: str, region: int, space: int, bonus: tuple[str, int] | None, times: int) -> Option:
    hint = Message("zaibatsu.hint.no_bonus")
    if bonus:
        hint = Message("zaibatsu.hint.gain", {"n": bonus[1] * times, "what": bonus[0]})
    label = Message("zaibatsu.train.in", {"place": name, "n": space + 1})
    return Option(f"train.{region}.{space}", label, hint, (f"train:{name}:{space}",))


def free_train(state: Zaibatsu, seat: int, agenda: Agenda, times: int = 1, barred: tuple[int, ...] = ()) -> Scene:
    spaces = open_spaces(state, seat, barred)
    if not spaces:
        state.tell("zaibatsu.no_train", seat=seat)
        withdraw_offers(agenda)
        return
    choice = yield ask(seat, "zaibatsu.train", [*train_options(state, spaces, times), SKIP], "skip")
    if choice == "skip":
        withdraw_offers(agenda)
        return
    region, space = map(int, choice.split(".")[1:])
    lay(state, seat, region, space, agenda, times)
    for at, effect in enumerate(agenda):
        if effect[0] == "offer":
            agenda[at] = (*effect[:2], region)


# Machines


def machine_sites(state: Zaibatsu, seat: int, barred: tuple[int, ...] = ()) -> list[int]:
    """Own factories with room for a machine; the second space of a factory asks for 1 iron."""
    board = state.boards[seat]
    if board.machines == PIECES:
        return []
    return [
        at
        for at, factory in enumerate(board.factories)
        if at not in barred and machine_room(factory) and (factory.machines == 0 or board.iron)
    ]


def install(state: Zaibatsu, seat: int, at: int, agenda: Agenda) -> None:
    """Build a Machine, step 2: the free space first."""
    board = state.boards[seat]
    factory = board.factories[at]
    if factory.machines:
        board.iron -= 1
    factory.machines += 1
    built(state, seat, "machines", agenda)
    state.tell("zaibatsu.installed", seat=seat, tile=factory.tile)


def machine_options(board: Board, sites: list[int], price: int) -> list[Option]:
    return [_machine_option(at, board.factories[at].tile, board.factories[at].machines, price) for at in sites]


@cache
def _machine_option(at: int, tile: str, machines: int, price: int) -> Option:
    prices = amounts((("money", price), ("iron", machines)))
    hint = Message("zaibatsu.hint.machine", {"prices": prices, "n": machines + 2})
    return Option(f"machine.{at}", Message("zaibatsu.machine.in", {"tile": tile}), hint, (f"own_factory:{at}",))


def free_machine(
    state: Zaibatsu, seat: int, agenda: Agenda, barred: tuple[int, ...] = (), more: int = 0, produce: bool = False
) -> Scene:
    """A machine without its 5 money; `more` further ones in other factories; `produce` there at once."""
    sites = machine_sites(state, seat, barred)
    if not sites:
        return
    board = state.boards[seat]
    choice = yield ask(seat, "zaibatsu.machine", [*machine_options(board, sites, 0), SKIP], "skip")
    if choice == "skip":
        return
    at = int(choice.split(".")[1])
    install(state, seat, at, agenda)
    if produce:
        yield from produce_once(state, seat, at)
    if more:
        yield from free_machine(state, seat, agenda, (*barred, at), more - 1)


def produce_once(state: Zaibatsu, seat: int, at: int) -> Scene:
    """Produce by a factory's effect: coal is spent as always, so it may be declined."""
    board = state.boards[seat]
    factory = board.factories[at]
    coal = state.things.tiles[factory.tile].coal
    if board.all_coal() < coal:
        return
    options = [production_option(at, factory.tile, output(factory), coal), SKIP]
    if (yield ask(seat, "zaibatsu.produce", options, "skip")) != "skip":
        produce(state, seat, at, coal)


# Goods


def output(factory: Factory) -> int:
    return 1 + factory.machines


@cache
def production_option(at: int, tile: str, n: int, coal: int) -> Option:
    key = "zaibatsu.hint.produce" if coal else "zaibatsu.hint.produce_free"
    option = f"produce.{at}" if coal else f"free.{at}"
    label = Message("zaibatsu.produce.in" if coal else "zaibatsu.produce.free", {"tile": tile})
    return Option(option, label, Message(key, {"n": n, "price": coal}), (f"own_factory:{at}",))


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
        state.tell("zaibatsu.produced", seat=seat, n=n, good=factory.good)


def goods_in(state: Zaibatsu, seat: int, agenda: Agenda, n: int, barred: tuple[int, ...] = ()) -> Scene:
    """One good in each of n factories: asked only while there are more factories with room than goods."""
    board = state.boards[seat]
    sites = [at for at, f in enumerate(board.factories) if at not in barred and f.goods < 4]
    if len(sites) <= n:
        for at in sites:
            put_goods(state, seat, at, 1)
        return
    options = [_good_option(at, board.factories[at].tile, board.factories[at].goods) for at in sites]
    choice = yield ask(seat, "zaibatsu.good_in", options, options[0].id, n=n)
    at = int(choice.split(".")[1])
    put_goods(state, seat, at, 1)
    if n > 1:
        yield from goods_in(state, seat, agenda, n - 1, (*barred, at))


@cache
def _good_option(at: int, tile: str, goods: int) -> Option:
    hint = Message("zaibatsu.hint.goods", {"n": goods + 1})
    return Option(f"good.{at}", Message("zaibatsu.good_in.factory", {"tile": tile}), hint, (f"own_factory:{at}",))


def spend_goods(state: Zaibatsu, seat: int, good: str, n: int) -> Scene:
    """Take n goods of a type. From which factories is asked only where several hold more than is spent."""
    board = state.boards[seat]
    holders = [at for at, factory in enumerate(board.factories) if factory.goods and factory.good == good]
    held = [board.factories[at].goods for at in holders]
    shares: tuple[int, ...] = (n,)
    if len(holders) > 1:
        ways = [way for way in product(*(range(min(n, have) + 1) for have in held)) if sum(way) == n]
        ways.sort(key=lambda way: max(have - part for have, part in zip(held, way, strict=True)))
        options = [_from_option(tuple(holders), way) for way in ways]
        choice = yield ask(seat, "zaibatsu.goods_from", options, options[0].id, n=n, good=good)
        shares = tuple(map(int, choice.split(".")[1:]))
    for at, part in zip(holders, shares, strict=True):
        board.factories[at].goods -= part
    state.tell("zaibatsu.spent_goods", seat=seat, n=n, good=good)


@cache
def _from_option(holders: tuple[int, ...], way: tuple[int, ...]) -> Option:
    taken = [
        {"key": "zaibatsu.goods_from.part", "args": {"n": part, "at": at + 1}}
        for at, part in zip(holders, way, strict=True)
        if part
    ]
    spots = tuple(f"own_factory:{at}" for at, part in zip(holders, way, strict=True) if part)
    return Option("from." + ".".join(map(str, way)), Message("zaibatsu.goods_from.way", {"taken": taken}), None, spots)


def build_any(state: Zaibatsu, seat: int, agenda: Agenda) -> Scene:
    """A ship, a machine or a train, as the player likes."""
    options = []
    if open_docks(state, seat):
        options.append(_kind_option("ship"))
    if machine_sites(state, seat):
        options.append(_kind_option("machine"))
    if open_spaces(state, seat):
        options.append(_kind_option("train"))
    if not options:
        return
    choice = yield ask(seat, "zaibatsu.build_any", [*options, SKIP], "skip")
    if choice != "skip":
        agenda.insert(0, (choice.removeprefix("build."),))


@cache
def _kind_option(kind: str) -> Option:
    return Option(f"build.{kind}", Message(f"zaibatsu.build.{kind}"))


# Offers


def offer(state: Zaibatsu, seat: int, agenda: Agenda, tile: str, barred: int = -1) -> Scene:
    """Some factories let their builder pay once for more of the same. Bonuses that wait may be taken before."""
    board, row = state.boards[seat], state.things.tiles[tile].row
    what = "train" if "train" in row.gains else "ship" if "ship" in row.gains else "mining"
    if not _can_pay(board, row.offer) or not _possible(state, seat, what, barred):
        if agenda:
            agenda.append(("offer", tile, barred))
        return
    options = [_offer_option(what, tuple(row.offer.items())), SKIP]
    if agenda:
        options.insert(1, LATER)
    choice = yield ask(seat, "zaibatsu.offer", options, "skip", tile=tile)
    if choice == "later":
        agenda.append(("offer", tile, barred))
        return
    if choice == "skip":
        return
    board.pay_money(row.offer.get("money", 0))
    board.iron -= row.offer.get("iron", 0)
    if back := row.offer.get("finance", 0):
        go_back(state, seat, back)
    if what == "mining":
        agenda.insert(0, ("advance", "mining", row.gains["mining"]))
    elif what == "ship":
        agenda.insert(0, ("ship",))
    else:
        agenda.insert(0, ("train", 1, (barred,)))


def withdraw_offers(agenda: Agenda) -> None:
    """One more is only for those who took the first."""
    agenda[:] = [effect for effect in agenda if effect[0] != "offer"]


def _can_pay(board: Board, price: Any) -> bool:
    return bool(
        board.purse() >= price.get("money", 0)
        and board.iron >= price.get("iron", 0)
        and board.finance > price.get("finance", 0)
    )


def _possible(state: Zaibatsu, seat: int, what: str, barred: int) -> bool:
    if what == "mining":
        return state.boards[seat].mining < state.things.last_space["mining"]
    return bool(open_docks(state, seat) if what == "ship" else open_spaces(state, seat, (barred,)))


@cache
def _offer_option(what: str, price: tuple[tuple[str, int], ...]) -> Option:
    prices = amounts(("back" if thing == "finance" else thing, n) for thing, n in price)
    hint = Message("zaibatsu.hint.offer", {"prices": prices})
    return Option("accept", Message(f"zaibatsu.offer.{what}"), hint)


CHOICES: dict[str, Any] = {
    "any": any_department,
    "departments": one_of_departments,
    "steps": innovation,
    "ship": free_ship,
    "train": free_train,
    "machine": free_machine,
    "goods_in": goods_in,
    "build_any": build_any,
    "offer": offer,
}
