"""The actions of the main board: what they cost, their activations, their modifiers. Local Markets and Investment have
modules of their own."""

from bisect import bisect
from collections.abc import Callable
from functools import cache

from engine.scene import Message, Option, Scene, ask, later
from engine.zaibatsu.box import Box
from engine.zaibatsu.effects import resolve
from engine.zaibatsu.factories import (
    NONE,
    NOT_NOW,
    Modifier,
    affordable,
    build,
    builds,
    factories_out_of_reach,
    factory_hint,
    factory_option,
    factory_price,
    immediate,
    modifier_effects,
    modifier_option,
    modifiers_of,
    modify,
    modify_at_the_end,
    pick_modifier,
    use_modifier,
    within_reach,
)
from engine.zaibatsu.gains import (
    Agenda,
    Said,
    advance,
    along,
    amounts,
    costs,
    income_at,
    on_the_way,
    pay,
    tell_why_not,
    thresholds_met,
)
from engine.zaibatsu.goods import produce, production_option, put_goods
from engine.zaibatsu.investment import can_invest, investment_action
from engine.zaibatsu.markets import DONE, can_serve, markets_action
from engine.zaibatsu.numbers import IRON_PRICE, MACHINE_PRICE, MONEY_PRICE, MOST, STEP_PRICES, WORKER_ROOM
from engine.zaibatsu.pieces import (
    closed_docks,
    dock_spot,
    install,
    launch,
    lay,
    machine_options,
    machine_sites,
    open_docks,
    open_spaces,
    rail_spot,
    room_for_train,
    ship_hint,
    ship_options,
    train_hint,
    train_options,
)
from engine.zaibatsu.state import Board, Zaibatsu

# R&D and Mining


def can_research(state: Zaibatsu, board: Board) -> bool:
    return board.purse() >= 1


def track_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """R&D action, Mining action: 1/3/6 money for 1/2/3 steps. At the end of the track a step is paid but not made."""
    board = state.boards[seat]
    at: int = getattr(board, action)
    most = min(bisect(STEP_PRICES, board.purse()) - 1, state.box.last_space[action] - at)
    n = 1
    if most > 1:
        options = [_steps_option(action, n, _after(state.box, action, at, n)) for n in range(1, most + 1)]
        hints = later(_steps_hint, state.box, board, action, at)
        n = yield ask(seat, "zaibatsu.steps", options, options[0].id, hints=hints, track=action)
    pay(state, seat, STEP_PRICES[n])
    agenda: Agenda = []
    advance(state, seat, action, n, agenda)
    yield from resolve(state, seat, agenda)
    if modifiers := modifiers_of(state, board, action):
        yield from modify_at_the_end(state, seat, modifiers, worker)


def _after(box: Box, track: str, at: int, n: int) -> int:
    """The space after so many steps."""
    return min(at + n, box.last_space[track])


@cache
def _steps_option(track: str, n: int, to: int) -> Option:
    label = Message("zaibatsu.steps.n", {"n": n, "track": track})
    return Option(f"steps.{n}", label, None, (f"track:{track}:{to}",), means=n)


def _steps_hint(box: Box, board: Board, track: str, at: int, n: int) -> Message:
    to = _after(box, track, at, n)
    args = {"prices": costs(board, STEP_PRICES[n]), "to_space": to}
    more = along(box, board.upgraded, track, income_at(box, track, to), on_the_way(box, track, at, to))
    if more := more + thresholds_met(box, track, at, to):
        return Message("zaibatsu.hint.steps_more", {**args, "more": more})
    return Message("zaibatsu.hint.steps", args)


# Factory


def can_build(state: Zaibatsu, board: Board) -> bool:
    within = within_reach(state, board)
    return bool(within) and not within.isdisjoint(state.factories)


def factory_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    board = state.boards[seat]
    within = affordable(state, board)
    options = list(map(factory_option, within))
    blocked = later(factories_out_of_reach, state, board, within)
    if len(options) == 1:
        tell_why_not(state, seat, blocked())
    price, hints = factory_price(board), later(factory_hint, state, board)
    tile = yield ask(seat, "zaibatsu.factory", options, options[0].id, blocked=blocked, hints=hints, price=price)
    build(state, seat, tile)
    yield from immediate(state, seat, tile, worker)


# Machines


def can_install(state: Zaibatsu, board: Board) -> bool:
    return board.purse() >= MACHINE_PRICE and bool(machine_sites(board))


def machines_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Machines action: up to three, in different factories. A factory's own modifier answers to its new machine."""
    board = state.boards[seat]
    used: tuple[int, ...] = ()
    waiting = modifiers_of(state, board, action)
    met: list[Modifier] = []
    refused = 0
    while sites := _machines_follow(board, used):
        options = machine_options(state, board, sites, MACHINE_PRICE)
        if used:
            options.append(DONE)
        default, main = (DONE, DONE.id) if used else (options[0], "")
        at = yield ask(seat, "zaibatsu.machines", options, default.id, main=main, n=len(used) + 1)
        if at is None:
            break
        used = (*used, at)
        pay(state, seat, MACHINE_PRICE)
        agenda: Agenda = []
        install(state, seat, at, agenda)
        met += [modifier for modifier in waiting if modifier.at == at]
        waiting = [modifier for modifier in waiting if modifier.at != at]
        follow = _machines_follow(board, used)
        modifier = yield from _modifier_now(state, seat, met, [each for each in waiting if each.at in follow], follow)
        if modifier is not None:
            use_modifier(state, seat, modifier)
            agenda[:0] = modifier_effects(state, modifier, worker)
            waiting, met = [], []
        elif not follow:
            refused = len(used)
        yield from resolve(state, seat, agenda)
    if len(used) > refused:
        yield from modify_at_the_end(state, seat, met, worker)


def _machines_follow(board: Board, used: tuple[int, ...]) -> list[int]:
    """Where this action can build one more machine."""
    if len(used) >= MOST or board.purse() < MACHINE_PRICE:
        return []
    return machine_sites(board, used)


def _modifier_now(state: Zaibatsu, seat: int, met: list[Modifier], others: list[Modifier], follow: list[int]) -> Scene:
    """Use one of the modifiers that machines of this action have met, or keep the action's one modifier for another
    factory, or for later?"""
    if not follow:
        return (yield from pick_modifier(state, seat, met))
    if not met or (len(met) == 1 and not others and not builds(state, state.boards[seat], met[0])):
        return met[0] if met else None
    options = list(map(modifier_option, met))
    return (yield ask(seat, "zaibatsu.modifier", [*options, NOT_NOW], options[-1].id, main=NOT_NOW.id))


# Production


def can_produce(state: Zaibatsu, board: Board) -> bool:
    coal, tiles = board.all_coal(), state.box.tiles
    for factory in board.factories:
        tile = tiles[factory.tile]
        if (tile.coal <= coal or tile.row.effect == "free") and not factory.old:
            return True
    return False


def production_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Production action: up to three different factories."""
    board, tiles = state.boards[seat], state.box.tiles
    modifiers = modifiers_of(state, board, action)
    free = next((modifier for modifier in modifiers if tiles[modifier.tile].row.effect == "free"), None)
    done: list[int] = []
    while len(done) < MOST:
        coal = board.all_coal()
        options: list[Option] = []
        for at, factory in enumerate(board.factories):
            if at in done or factory.old:
                continue
            price = tiles[factory.tile].coal
            if price <= coal:
                options.append(production_option(at, factory, price))
            if free is not None:
                options.append(production_option(at, factory, 0))
        if not options:
            break
        if done:
            options.append(DONE)
        default, main = (DONE, DONE.id) if done else (options[0], "")
        chosen = yield ask(seat, "zaibatsu.production", options, default.id, main=main, n=len(done) + 1)
        if chosen is None:
            break
        at, price = chosen
        done.append(at)
        if free is not None and not price:
            use_modifier(state, seat, free)
            free, modifiers = None, []
        produce(state, seat, at, price)
    met = [each for each in modifiers if each != free and (tiles[each.tile].row.when != "here" or each.at in done)]
    modifier = yield from pick_modifier(state, seat, met)
    if modifier is not None:
        _boost(state, seat, modifier, done)


def _boost(state: Zaibatsu, seat: int, modifier: Modifier, done: list[int]) -> None:
    """Modifiers of Production that add to what was produced."""
    row = state.box.tiles[modifier.tile].row
    use_modifier(state, seat, modifier)
    if row.effect == "more_here":
        put_goods(state, seat, modifier.at, row.n)
    elif row.effect == "more_each":
        for site in done:
            put_goods(state, seat, site, row.n)
    else:
        board = state.boards[seat]
        board.iron += row.n * len(done)
        state.tell("zaibatsu.gained", seat=seat, n=row.n * len(done), what="iron")


# Ships and Trains


def _pays_iron(board: Board) -> bool:
    return board.iron >= IRON_PRICE


def _pays_money(board: Board) -> bool:
    return board.iron > 0 and board.purse() >= MONEY_PRICE


def can_pay_iron(board: Board) -> bool:
    """Either way takes some iron."""
    return board.iron > 0 and (_pays_iron(board) or _pays_money(board))


def _either_way(board: Board) -> bool:
    """Whether the player will be asked how to pay."""
    return _pays_iron(board) and _pays_money(board)


def _ways(board: Board) -> dict[str, list[Said]]:
    """How this board can pay for a ship or a train, each way to be said: 3 iron, or 5 money and 1 iron."""
    ways = {}
    if _pays_iron(board):
        ways["iron"] = amounts((("iron", IRON_PRICE),))
    if _pays_money(board):
        ways["money"] = [*costs(board, MONEY_PRICE), *amounts((("iron", 1),))]
    return ways


def _pay(state: Zaibatsu, seat: int, spot: str) -> Scene:
    """`spot`: where the piece goes that is paid for."""
    board = state.boards[seat]
    in_iron = _pays_iron(board)
    if _either_way(board):
        ways = [
            Option(way, Message("zaibatsu.pay.way", {"prices": prices}), None, (spot,))
            for way, prices in _ways(board).items()
        ]
        in_iron = (yield ask(seat, "zaibatsu.pay", ways, ways[0].id)) == "iron"
    if in_iron:
        board.iron -= IRON_PRICE
    else:
        board.iron -= 1
        pay(state, seat, MONEY_PRICE)


def can_launch(state: Zaibatsu, board: Board) -> bool:
    """The worker taken for the action needs a space too, before the expert does."""
    return can_pay_iron(board) and len(board.workers) < WORKER_ROOM - 1 and bool(open_docks(state, board))


def ships_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Ships action: up to three, to different destinations."""
    board = state.boards[seat]
    sent = 0
    while sent < MOST and can_pay_iron(board):
        colours = open_docks(state, board)
        if not colours:
            break
        options = ship_options(state.box, colours, _either_way(board))
        if sent:
            options.append(DONE)
        blocked = later(closed_docks, state)
        if len(options) == 1:
            tell_why_not(state, seat, blocked())
        default, main = (DONE, DONE.id) if sent else (options[0], "")
        hints = later(ship_hint, state, seat, later(_ways, board))
        colour = yield ask(
            seat, "zaibatsu.ships", options, default.id, blocked=blocked, main=main, hints=hints, n=sent + 1
        )
        if colour is None:
            break
        yield from _pay(state, seat, dock_spot(state.box.destination[colour]))
        agenda: Agenda = []
        launch(state, seat, colour, agenda)
        yield from resolve(state, seat, agenda)
        sent += 1


def can_lay(state: Zaibatsu, board: Board) -> bool:
    return can_pay_iron(board) and room_for_train(state, board)


def trains_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Trains action: up to three, in different regions. Its modifiers may help to pay for the next train."""
    board = state.boards[seat]
    modifiers = modifiers_of(state, board, action)
    regions: tuple[int, ...] = ()
    while len(regions) < MOST:
        spaces = open_spaces(state, board, regions)
        if not spaces or not can_pay_iron(board):
            if not (spaces and regions and modifiers):
                break
            yield from _last_train_modifier(state, seat, modifiers, regions, worker)
            modifiers = []
            continue
        options = train_options(state.box, spaces, _either_way(board))
        if regions:
            options += [*_train_modifiers(state, modifiers, regions), DONE]
        default, main = (DONE, DONE.id) if regions else (options[0], "")
        hints = later(train_hint, state, seat, 1, later(_ways, board))
        chosen = yield ask(seat, "zaibatsu.trains", options, default.id, main=main, hints=hints, n=len(regions) + 1)
        if chosen is None:
            break
        if isinstance(chosen, Modifier):
            modifiers = []
            yield from modify(state, seat, chosen, worker)
            continue
        region, space = chosen
        yield from _pay(state, seat, rail_spot(state.box.regions[region], space))
        agenda: Agenda = []
        lay(state, seat, region, space, agenda)
        regions = (*regions, region)
        yield from resolve(state, seat, agenda)
    if modifiers:
        yield from _last_train_modifier(state, seat, modifiers, regions, worker)


def _last_train_modifier(
    state: Zaibatsu, seat: int, modifiers: list[Modifier], regions: tuple[int, ...], worker: str
) -> Scene:
    """No further train can be paid for without it: asked only if there is a choice."""
    options = _train_modifiers(state, modifiers, regions)
    modifier = options[0].means
    if len(options) > 1:
        modifier = yield ask(seat, "zaibatsu.modifier", [*options, NONE], options[0].id, main=NONE.id)
    if modifier is not None:
        yield from modify(state, seat, modifier, worker)


def _train_modifiers(state: Zaibatsu, modifiers: list[Modifier], regions: tuple[int, ...]) -> list[Option]:
    options = []
    for modifier in modifiers:
        if state.box.tiles[modifier.tile].row.effect == "region_bonus":
            options += [_region_option(state.box, modifier, region) for region in regions]
        else:
            options.append(modifier_option(modifier))
    return options


def _region_option(box: Box, modifier: Modifier, region: int) -> Option:
    at, name, (what, n) = modifier.at, box.regions[region], box.region_bonus[region]
    label = Message("zaibatsu.modifier.region", {"tile": modifier.tile, "place": name})
    hint = Message("zaibatsu.hint.gain", {"gains": amounts(((what, n),))})
    spots = (f"own_factory:{at}", f"region:{name}")
    return Option(f"modifier.{at}.{region}", label, hint, spots, means=modifier._replace(region=region))


Act = Callable[[Zaibatsu, int, str, str], Scene]
CAN: dict[str, Callable[[Zaibatsu, Board], bool]] = {
    "rd": can_research,
    "mining": can_research,
    "factory": can_build,
    "machines": can_install,
    "production": can_produce,
    "ships": can_launch,
    "trains": can_lay,
    "markets": can_serve,
    "investment": can_invest,
}
ACT: dict[str, Act] = {
    "rd": track_action,
    "mining": track_action,
    "factory": factory_action,
    "machines": machines_action,
    "production": production_action,
    "ships": ships_action,
    "trains": trains_action,
    "markets": markets_action,
    "investment": investment_action,
}
