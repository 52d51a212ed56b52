"""The actions of the main board, except Local Markets: what they cost, their activations, their modifiers."""

from collections.abc import Callable
from functools import cache

from engine.scene import Blocked, Message, Option, Scene, ask
from engine.zaibatsu.box import GOODS, Box
from engine.zaibatsu.departments import department_gives
from engine.zaibatsu.effects import resolve
from engine.zaibatsu.factories import (
    NONE,
    affordable,
    build,
    factories_out_of_reach,
    factory_options,
    immediate,
    modifier_effects,
    modifier_option,
    modifiers,
    pick_modifier,
    use_modifier,
)
from engine.zaibatsu.gains import Agenda, advance, along, amounts, bonus_effect, income_at, on_the_way
from engine.zaibatsu.goods import produce, production_option, put_goods, spend_goods
from engine.zaibatsu.markets import market_spaces, markets_action
from engine.zaibatsu.pieces import (
    closed_docks,
    install,
    launch,
    lay,
    machine_options,
    machine_sites,
    open_docks,
    open_spaces,
    ship_options,
    train_options,
)
from engine.zaibatsu.state import Board, Zaibatsu

STEP_PRICES = (0, 1, 3, 6)
MACHINE_PRICE = 5
IRON_PRICE = 3
MONEY_PRICE = 5
MOST = 3
INVESTED = 2
DONE = Option("done", Message("zaibatsu.done"))


# R&D and Mining


def can_research(state: Zaibatsu, seat: int) -> bool:
    return state.boards[seat].purse() >= 1


def track_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """R&D action, Mining action: 1/3/6 money for 1/2/3 steps. At the end of the track a step is paid but not made."""
    board = state.boards[seat]
    at: int = getattr(board, action)
    room = max(1, state.box.last_space[action] - at)
    purse = board.purse()
    options = [_steps_to(state.box, action, n, at) for n in range(1, min(MOST, room) + 1) if STEP_PRICES[n] <= purse]
    choice = yield ask(seat, "zaibatsu.steps", options, "steps.1", track=action)
    n = int(choice.removeprefix("steps."))
    board.pay_money(STEP_PRICES[n])
    agenda: Agenda = []
    advance(state, seat, action, n, agenda)
    yield from resolve(state, seat, agenda)
    if sites := modifiers(state, board, action):
        at = yield from pick_modifier(state, seat, sites)
        if at is not None:
            yield from _apply(state, seat, at, worker)


def _steps_to(box: Box, track: str, n: int, at: int) -> Option:
    to = min(at + n, box.last_space[track])
    return _steps_option(track, n, STEP_PRICES[n], to, income_at(box, track, to), on_the_way(box, track, at, to))


@cache
def _steps_option(track: str, n: int, price: int, to: int, income: int, bonuses: tuple[str, ...]) -> Option:
    hint = Message("zaibatsu.hint.steps", {"price": price, "to_space": to})
    if more := along(track, income, bonuses):
        hint = Message("zaibatsu.hint.steps_more", {**hint.args, "more": more})
    label = Message("zaibatsu.steps.n", {"n": n, "track": track})
    return Option(f"steps.{n}", label, hint, (f"track:{track}:{to}",))


def _apply(state: Zaibatsu, seat: int, at: int, worker: str) -> Scene:
    """A modifier whose gains are the same whatever the action did."""
    use_modifier(state, seat, at)
    row = state.box.tiles[state.boards[seat].factories[at].tile].row
    yield from resolve(state, seat, modifier_effects(row, worker))


# Factory


def can_build(state: Zaibatsu, seat: int) -> bool:
    return bool(affordable(state, state.boards[seat]))


def factory_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    board = state.boards[seat]
    within = affordable(state, board)
    options = factory_options(state, board, within)
    blocked = factories_out_of_reach(state, board, within)
    choice = yield ask(seat, "zaibatsu.factory", options, options[0].id, blocked=blocked)
    tile = choice.removeprefix("build.")
    build(state, seat, tile)
    yield from immediate(state, seat, tile, worker)


# Machines


def can_install(state: Zaibatsu, seat: int) -> bool:
    return state.boards[seat].purse() >= MACHINE_PRICE and bool(machine_sites(state, seat))


def machines_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Machines action: up to three, in different factories. A factory's own modifier answers to its new machine."""
    board, tiles = state.boards[seat], state.box.tiles
    used: tuple[int, ...] = ()
    waiting = modifiers(state, board, action)
    declined: list[int] = []
    while len(used) < MOST and board.purse() >= MACHINE_PRICE:
        sites = machine_sites(state, seat, used)
        if not sites:
            break
        options = machine_options(state, board, sites, MACHINE_PRICE)
        if used:
            options.append(DONE)
        choice = yield ask(seat, "zaibatsu.machines", options, "done" if used else options[0].id, n=len(used) + 1)
        if choice == "done":
            break
        at = int(choice.removeprefix("machine."))
        used = (*used, at)
        board.pay_money(MACHINE_PRICE)
        agenda: Agenda = []
        install(state, seat, at, agenda)
        if at in waiting:
            waiting.remove(at)
            if (yield from _takes_modifier(state, seat, at, bool(waiting))):
                use_modifier(state, seat, at)
                agenda[:0] = modifier_effects(tiles[board.factories[at].tile].row, worker)
                waiting, declined = [], []
            else:
                declined.append(at)
        yield from resolve(state, seat, agenda)
    if declined:
        late = yield from pick_modifier(state, seat, declined)
        if late is not None:
            yield from _apply(state, seat, late, worker)


def _takes_modifier(state: Zaibatsu, seat: int, at: int, others: bool) -> Scene:
    """Use this factory's modifier now, or keep the one modifier of this action for another factory?"""
    if not others:
        return True
    options = [modifier_option(state, seat, at), NONE]
    return (yield ask(seat, "zaibatsu.modifier", options, options[0].id)) != "none"


# Production


def can_produce(state: Zaibatsu, seat: int) -> bool:
    board, tiles = state.boards[seat], state.box.tiles
    coal = board.all_coal()
    cheapest = coal + 1
    for factory in board.factories:
        if not factory.old:
            tile = tiles[factory.tile]
            if tile.row.effect == "free":
                return True
            cheapest = min(cheapest, tile.coal)
    return coal >= cheapest


def production_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Production action: up to three different factories."""
    board, tiles = state.boards[seat], state.box.tiles
    sites = modifiers(state, board, action)
    free = next((at for at in sites if tiles[board.factories[at].tile].row.effect == "free"), None)
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
        choice = yield ask(seat, "zaibatsu.production", options, "done" if done else options[0].id, n=len(done) + 1)
        if choice == "done":
            break
        way, place = choice.split(".")
        at = int(place)
        done.append(at)
        if way == "free" and free is not None:
            use_modifier(state, seat, free)
            free, sites = None, []
            produce(state, seat, at, 0)
        else:
            produce(state, seat, at, tiles[board.factories[at].tile].coal)
    met = [at for at in sites if at != free and (tiles[board.factories[at].tile].row.when != "here" or at in done)]
    if met:
        chosen = yield from pick_modifier(state, seat, met)
        if chosen is not None:
            _boost(state, seat, chosen, done)


def _boost(state: Zaibatsu, seat: int, at: int, done: list[int]) -> None:
    """Modifiers of Production that add to what was produced."""
    row = state.box.tiles[state.boards[seat].factories[at].tile].row
    use_modifier(state, seat, at)
    if row.effect == "more_here":
        put_goods(state, seat, at, row.n)
    elif row.effect == "more_each":
        for site in done:
            put_goods(state, seat, site, row.n)
    else:
        board = state.boards[seat]
        board.iron += row.n * len(done)
        state.tell("zaibatsu.gained", seat=seat, n=row.n * len(done), what="iron")


# Ships and Trains


def _ways_to_pay(board: Board) -> list[Option]:
    """3 iron, or 5 money and 1 iron."""
    ways = []
    if board.iron >= IRON_PRICE:
        ways.append(PAY_IRON)
    if board.iron and board.purse() >= MONEY_PRICE:
        ways.append(PAY_MONEY)
    return ways


PAY_IRON = Option("iron", Message("zaibatsu.pay.iron"))
PAY_MONEY = Option("money", Message("zaibatsu.pay.money"))


def can_pay_iron(board: Board) -> bool:
    return board.iron >= IRON_PRICE or (board.iron > 0 and board.purse() >= MONEY_PRICE)


def _pay(state: Zaibatsu, seat: int) -> Scene:
    board = state.boards[seat]
    ways = _ways_to_pay(board)
    way = yield ask(seat, "zaibatsu.pay", ways, ways[0].id)
    if way == "iron":
        board.iron -= IRON_PRICE
    else:
        board.iron -= 1
        board.pay_money(MONEY_PRICE)


def can_launch(state: Zaibatsu, seat: int) -> bool:
    """The worker taken for the action needs a space too, before the expert does."""
    board = state.boards[seat]
    return can_pay_iron(board) and len(board.workers) < 5 and bool(open_docks(state, seat))


def ships_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Ships action: up to three, to different destinations."""
    board = state.boards[seat]
    sent = 0
    while sent < MOST and can_pay_iron(board):
        colours = open_docks(state, seat)
        if not colours:
            break
        options = ship_options(state, seat, colours)
        if sent:
            options.append(DONE)
        blocked = closed_docks(state)
        default = "done" if sent else options[0].id
        choice = yield ask(seat, "zaibatsu.ships", options, default, blocked=blocked, n=sent + 1)
        if choice == "done":
            break
        yield from _pay(state, seat)
        agenda: Agenda = []
        launch(state, seat, choice.removeprefix("ship."), agenda)
        yield from resolve(state, seat, agenda)
        sent += 1


def can_lay(state: Zaibatsu, seat: int) -> bool:
    return can_pay_iron(state.boards[seat]) and bool(open_spaces(state, seat))


def trains_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Trains action: up to three, in different regions. Its modifiers may help to pay for the next train."""
    board = state.boards[seat]
    sites = modifiers(state, board, action)
    regions: tuple[int, ...] = ()
    while len(regions) < MOST:
        spaces = open_spaces(state, seat, regions)
        if not spaces or not can_pay_iron(board):
            if not (spaces and regions and sites):
                break
            yield from _last_train_modifier(state, seat, sites, regions, worker)
            sites = []
            continue
        options = train_options(state, seat, spaces)
        if regions:
            options += [option for at in sites for option in _train_modifiers(state, seat, at, regions)]
            options.append(DONE)
        choice = yield ask(seat, "zaibatsu.trains", options, "done" if regions else options[0].id, n=len(regions) + 1)
        if choice == "done":
            break
        if choice.startswith("modifier."):
            sites = []
            yield from _use_on_trains(state, seat, choice, worker)
            continue
        region, space = map(int, choice.split(".")[1:])
        yield from _pay(state, seat)
        agenda: Agenda = []
        lay(state, seat, region, space, agenda)
        regions = (*regions, region)
        yield from resolve(state, seat, agenda)
    if sites:
        yield from _last_train_modifier(state, seat, sites, regions, worker)


def _last_train_modifier(state: Zaibatsu, seat: int, sites: list[int], regions: tuple[int, ...], worker: str) -> Scene:
    """No further train can be paid for without it: asked only if there is a choice."""
    options = [option for at in sites for option in _train_modifiers(state, seat, at, regions)]
    choice = options[0].id
    if len(options) > 1:
        choice = yield ask(seat, "zaibatsu.modifier", [*options, NONE], choice)
    if choice != "none":
        yield from _use_on_trains(state, seat, choice, worker)


def _train_modifiers(state: Zaibatsu, seat: int, at: int, regions: tuple[int, ...]) -> list[Option]:
    tile = state.boards[seat].factories[at].tile
    box = state.box
    if box.tiles[tile].row.effect != "region_bonus":
        return [modifier_option(state, seat, at)]
    return [_region_option(at, tile, region, box.regions[region], *box.region_bonus[region]) for region in regions]


@cache
def _region_option(at: int, tile: str, region: int, name: str, what: str, n: int) -> Option:
    label = Message("zaibatsu.modifier.region", {"tile": tile, "place": name})
    hint = Message("zaibatsu.hint.gain", {"n": n, "what": what})
    return Option(f"modifier.{at}.{region}", label, hint, (f"own_factory:{at}", f"region:{name}"))


def _use_on_trains(state: Zaibatsu, seat: int, choice: str, worker: str) -> Scene:
    parts = choice.split(".")
    if len(parts) == 2:
        yield from _apply(state, seat, int(parts[1]), worker)
        return
    use_modifier(state, seat, int(parts[1]))
    what, n = state.box.region_bonus[int(parts[2])]
    yield from resolve(state, seat, [("gain", what, n)])


# Investment and Contracts


def can_invest(state: Zaibatsu, seat: int) -> bool:
    return any(factory.goods for factory in state.boards[seat].factories)


def investment_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Investment and Contracts action: 1, then 2, then 3 goods, of different types."""
    board, tiles = state.boards[seat], state.box.tiles
    sites = modifiers(state, board, action)
    spent: list[str] = []
    contracts = 0
    while len(spent) < MOST:
        need = len(spent) + 1
        stock = board.stock()
        goods = [good for good in GOODS if good not in spent and stock.get(good, 0) >= need]
        if not goods:
            break
        options = [_spend_option(good, need) for good in goods]
        ships = [at for at in sites if contracts and "ship" in tiles[board.factories[at].tile].row.gains]
        if spent:
            options += [*(modifier_option(state, seat, at) for at in ships), DONE]
        choice = yield ask(seat, "zaibatsu.investment", options, "done" if spent else options[0].id, n=need)
        if choice == "done":
            break
        if choice.startswith("modifier."):
            sites = []
            yield from _apply(state, seat, int(choice.split(".")[1]), worker)
            continue
        good = choice.removeprefix("spend.")
        yield from spend_goods(state, seat, good, need)
        spent.append(good)
        contracts += yield from _deal(state, seat, spent)
    met = [at for at in sites if contracts >= NEEDED[tiles[board.factories[at].tile].row.when]]
    if met:
        at = yield from pick_modifier(state, seat, met)
        if at is not None:
            yield from _apply(state, seat, at, worker)


NEEDED = {"": 0, "contract": 1, "two_contracts": 2}


@cache
def _spend_option(good: str, n: int) -> Option:
    label = Message("zaibatsu.spend", {"goods": amounts(((good, n),))})
    return Option(f"spend.{good}", label, Message("zaibatsu.hint.spend"), (f"good:{good}",))


def _deal(state: Zaibatsu, seat: int, spent: list[str]) -> Scene:
    """Two steps on Finance, or a contract. Returns how many contracts were fulfilled."""
    board, box = state.boards[seat], state.box
    levels = {box.level[good] for good in spent}
    options = [_invest_option(box, board.finance)]
    blocked = []
    for row in box.contracts.values():
        if row.id in board.contracts:
            continue
        if not row.level or row.level in levels:
            options.append(_contract(state, board, row.id, row.gives))
        else:
            blocked.append(_no_such_good(row.id, row.level))
    choice = yield ask(seat, "zaibatsu.deal", options, "invest", blocked=blocked)
    agenda: Agenda = []
    if choice == "invest":
        advance(state, seat, "finance", INVESTED, agenda)
    else:
        contract = choice.removeprefix("contract.")
        board.contracts.append(contract)
        state.tell("zaibatsu.fulfilled", seat=seat, contract=contract)
        agenda.append(bonus_effect(box.contracts[contract].gives))
    yield from resolve(state, seat, agenda)
    return int(choice != "invest")


def _invest_option(box: Box, at: int) -> Option:
    to = min(at + INVESTED, box.last_space["finance"])
    return _invest_to(to, income_at(box, "finance", to), on_the_way(box, "finance", at, to), to > at)


@cache
def _invest_to(to: int, income: int, bonuses: tuple[str, ...], moves: bool) -> Option:
    hint = Message("zaibatsu.hint.invest_end")
    if moves:
        hint = Message("zaibatsu.hint.invest", {"to_space": to, "more": along("finance", income, bonuses)})
    return Option("invest", Message("zaibatsu.invest"), hint, (f"track:finance:{to}",))


@cache
def _no_such_good(contract: str, level: int) -> Blocked:
    label = Message("zaibatsu.contract.fulfil", {"contract": contract})
    return Blocked(label, Message("zaibatsu.why.contract", {"level": level}))


def _contract(state: Zaibatsu, board: Board, contract: str, gives: str) -> Option:
    return _contract_option(contract, *(("", 0) if gives == "any" else department_gives(state, board, gives)))


@cache
def _contract_option(contract: str, what: str, n: int) -> Option:
    label = Message("zaibatsu.contract.fulfil", {"contract": contract})
    hint = Message("zaibatsu.hint.gain", {"n": n, "what": what}) if what else Message("zaibatsu.hint.any_department")
    return Option(f"contract.{contract}", label, hint, (f"contract:{contract}",))


Act = Callable[[Zaibatsu, int, str, str], Scene]
CAN: dict[str, Callable[[Zaibatsu, int], bool]] = {
    "rd": can_research,
    "mining": can_research,
    "factory": can_build,
    "machines": can_install,
    "production": can_produce,
    "ships": can_launch,
    "trains": can_lay,
    "markets": lambda state, seat: bool(market_spaces(state, seat)),
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
