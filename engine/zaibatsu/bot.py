"""The built-in player of Zaibatsu: weighs every choice in points. It looks no move ahead, but it knows what things are
usually worth (`worth`)."""

from collections.abc import Callable
from typing import Any

from engine.scene import Decision
from engine.zaibatsu.box import TRACKS, Tile
from engine.zaibatsu.consolidation import FAVOR
from engine.zaibatsu.factories import Modifier, affordable, silk_for_rd
from engine.zaibatsu.goods import output
from engine.zaibatsu.markets import market_spaces
from engine.zaibatsu.numbers import STEP_PRICES
from engine.zaibatsu.pieces import machine_sites, open_docks, open_spaces
from engine.zaibatsu.state import Board, Factory, Zaibatsu
from engine.zaibatsu.worth import (
    WORTH,
    advance_worth,
    best_value,
    counted_pull,
    department_worth,
    piece_worth,
    space_gain,
    step_worth,
    stock_worth,
    train_gain,
    turns_left,
)

MONEY = WORTH["money"]
GOOD = (0.0, 1.3, 2.0, 2.6)
# Before the first turn, by the sides of the factories: what a Starting token is worth besides its points, and what
# comes with it (docs/zaibatsu-balance.md says how these were measured).
TOKENS = ("machine", "ship", "train", "goods", "old_factory", "worker", "coal", "cheap")
START = {
    "A": dict(zip(TOKENS, (13, 18.5, 8, 9, 0.5, -6, 4, 16.5), strict=True)),
    "random": dict(zip(TOKENS, (13, 15, 5.5, 12, 2, -5, 5, 17), strict=True)),
}
WITH_THEM = ("money", "coal", "silk", "iron", "rd", "mining", "finance")
OPENING = {
    "A": dict(zip(WITH_THEM, (0.3, 0.0, 0.3, 1.0, 7.0, 8.0, 9.0), strict=True)),
    "random": dict(zip(WITH_THEM, (1.4, 1.0, 2.0, 0.0, 3.5, 1.5, 1.0), strict=True)),
}
SHORT = {"A": 7.0, "random": 0.0}  # each money that a first factory lacks
FIRST_FACTORY = 7  # the money it takes, with a step of Research; who is short of it builds a turn later


def choose(state: Zaibatsu, decision: Decision) -> str:
    """The option with the highest value; of equals the first."""
    prompt, seat = decision.prompt, decision.seat
    if prompt not in WEIGH:
        return decision.default
    weigh = WEIGH[prompt]
    best, chosen = float("-inf"), decision.default
    for option in decision.options:
        choice = option.meaning
        stops = choice is None and prompt in STOPPING
        value = STOPPING[prompt] if stops else weigh(state, seat, choice, decision)
        if value > best:
            best, chosen = value, option.id
    return chosen


# The turn


def _turn(state: Zaibatsu, seat: int, action: str, decision: Decision) -> float:
    board = state.boards[seat]
    if action == "pass":
        return 0.0
    value = ACTIONS[action](state, seat, board)
    if action != "consolidate" and len(board.workers) >= 3:
        value += 1.2
    return value


def _track_turn(track: str) -> Callable[[Zaibatsu, int, Board], float]:
    def worth(state: Zaibatsu, seat: int, board: Board) -> float:
        purse = board.purse()
        return max(_steps_worth(state, board, track, n) for n in (1, 2, 3) if STEP_PRICES[n] <= purse)

    return worth


def _steps_worth(state: Zaibatsu, board: Board, track: str, n: int) -> float:
    extra = sum(state.box.tiles[f.tile].row.gains.get("rd", 0) for f in board.factories if _modifies(state, f, track))
    return advance_worth(state, board, track, n + (extra if track == "rd" else 0)) - STEP_PRICES[n] * MONEY


def _modifies(state: Zaibatsu, factory: Factory, action: str) -> bool:
    return state.box.tiles[factory.tile].action == action


def _factory_turn(state: Zaibatsu, seat: int, board: Board) -> float:
    return max(_tile_worth(state, seat, board, tile) for tile in affordable(state, board)) - 6 * MONEY


def _tile_worth(state: Zaibatsu, seat: int, board: Board, tile: str) -> float:
    side: Tile = state.box.tiles[tile]
    left = turns_left(state)
    producing = max(0.0, min(left - 2, 14.0) / 14.0)
    value = counted_pull(state, board, "factories")
    value += producing * (3.5 + 3.0 * side.level) * (1.0 if len(board.factories) < 4 else 0.6)
    same = sum(factory.good == side.good for factory in board.factories)
    value *= 0.75**same
    value += _effect_worth(state, seat, board, side)
    lift = silk_for_rd(board, side.rd) or 0
    return value - lift * WORTH["silk"]


def _effect_worth(state: Zaibatsu, seat: int, board: Board, side: Tile) -> float:
    row = side.row
    value = 0.0
    for what, n in row.gains.items():
        if what in TRACKS:
            value += advance_worth(state, board, what, n)
        elif what in ("ship", "machine", "train"):
            value += 3.5 * n
        else:
            value += n * stock_worth(state, board, what)
    if row.kind == "immediate":
        return value + (2.5 if row.effect else 0.0)
    return (0.5 * value + 1.5) * min(1.0, turns_left(state) / 12)


def _machines_turn(state: Zaibatsu, seat: int, board: Board) -> float:
    sites = sorted((_machine_worth(state, board, at) for at in machine_sites(board)), reverse=True)
    payable = min(3, board.purse() // 5)
    return sum(worth - 5 * MONEY for worth in sites[:payable] if worth > 5 * MONEY or worth == sites[0])


def _machine_worth(state: Zaibatsu, board: Board, at: int) -> float:
    factory = board.factories[at]
    side = state.box.tiles[factory.tile]
    productions = max(0.0, turns_left(state) - 1.5) / 4.0
    value = productions * GOOD[side.level] * (1.0 if factory.machines == 0 else 0.6)
    if factory.machines:
        value -= WORTH["iron"]
    if side.action == "machines":
        value += _effect_worth(state, 0, board, side)
    return value + piece_worth(state, board, "machines")


def _production_turn(state: Zaibatsu, seat: int, board: Board) -> float:
    coal = board.all_coal()
    gains = sorted(
        (
            (_production_worth(state, board, at), state.box.tiles[f.tile].coal)
            for at, f in enumerate(board.factories)
            if not f.old
        ),
        reverse=True,
    )
    value, made = 0.0, 0
    for worth, price in gains:
        if price <= coal and made < 3 and worth > 0:
            value += worth
            coal -= price
            made += 1
    return value


def _production_worth(state: Zaibatsu, board: Board, at: int) -> float:
    factory = board.factories[at]
    side = state.box.tiles[factory.tile]
    room = 4 - factory.goods
    n = min(room, output(factory))
    worth = GOOD[side.level]
    if turns_left(state) < 2:
        worth = 0.33
    return n * worth - 0.1 * side.coal


def _ships_turn(state: Zaibatsu, seat: int, board: Board) -> float:
    ranked = sorted((_ship_worth(state, board, colour) for colour in open_docks(state, board)), reverse=True)
    return ranked[0] - 2.7 + (0.5 * max(0.0, ranked[1] - 2.7) if len(ranked) > 1 and board.iron >= 4 else 0.0)


def _ship_worth(state: Zaibatsu, board: Board, colour: str) -> float:
    value = piece_worth(state, board, "ships")
    if colour not in board.upgraded:
        value += 0.35 * turns_left(state) * (1.2 if colour in ("blue", "yellow", "white") else 1.0) / 2.5
    if all(worker.colour != colour for worker in board.workers):
        value -= 3 * MONEY
    return value + 1.0


def _trains_turn(state: Zaibatsu, seat: int, board: Board) -> float:
    by_region: dict[int, float] = {}
    for region, space in open_spaces(state, board):
        by_region[region] = max(by_region.get(region, 0.0), _train_worth(state, seat, region, space))
    ranked = sorted(by_region.values(), reverse=True)
    value, iron, purse = 0.0, board.iron, board.purse()
    for worth in ranked[:3]:
        price = 2.7 if iron >= 3 else 5 * MONEY + 0.9
        if iron >= 3:
            iron -= 3
        elif iron and purse >= 5:
            iron, purse = iron - 1, purse - 5
        else:
            break
        if worth > price or value == 0.0:
            value += worth - price
    return value


def _train_worth(state: Zaibatsu, seat: int, region: int, space: int, times: int = 1) -> float:
    board = state.boards[seat]
    bonus = state.box.train_bonus[region][space]
    extra = bonus[1] * stock_worth(state, board, bonus[0]) * times if bonus else 0.0
    return train_gain(state, seat, region) + piece_worth(state, board, "trains") + extra


def _markets_turn(state: Zaibatsu, seat: int, board: Board) -> float:
    """The best region: its best space in full, the next ones by halves, for they share the goods."""
    regions: dict[int, list[float]] = {}
    for at, side in market_spaces(state, board):
        worth = space_gain(state, seat, at, side, best_value(state, board, at, side)) + 2
        regions.setdefault(at // 2, []).append(worth)
    best = 0.0
    for gains in regions.values():
        gains.sort(reverse=True)
        best = max(best, gains[0] + sum(0.45 * gain for gain in gains[1:3]))
    return best - 1.0


def _investment_turn(state: Zaibatsu, seat: int, board: Board) -> float:
    stock = board.stock()
    counts = sorted(((n, good) for good, n in stock.items()), reverse=True)
    activations = 0
    for need in (1, 2, 3):
        if len([n for n, _ in counts if n >= need]) >= 1 and len(counts) >= need:
            activations = need
    spent = (0, 1, 3, 6)[activations]
    cheapest = min(state.box.level[good] for good in stock)
    return activations * _deal_worth(state, board) - spent * (GOOD[cheapest] - 0.3)


def _deal_worth(state: Zaibatsu, board: Board) -> float:
    invest = advance_worth(state, board, "finance", 2)
    contract = 2.0 + counted_pull(state, board, "contracts") if len(board.contracts) < 8 else 0.0
    return max(invest, contract)


def _consolidate_turn(state: Zaibatsu, seat: int, board: Board) -> float:
    """Worth most with a full board of few colours, when money and coal have run out."""
    workers = len(board.workers)
    level = state.box.worker_spaces[workers - 1].favor
    track = state.box.track
    value = (0.0, 3.0, 6.5, 9.0)[level] if len(board.objectives) < 8 else 0.0
    if state.final_turns and turns_left(state) <= 2:
        value -= 4.0
    income = track["finance"].income[board.finance - 1] * MONEY + track["mining"].income[board.mining - 1] * 0.5
    lost = board.money * MONEY + board.coal * 0.5
    salary = 3 * MONEY * board.colours()
    waiting = (0, 6, 4, 3, 2.0, 0.5, 0)[workers]
    return value + income - lost - salary - waiting * (1.0 if turns_left(state) > 2 else 0.5) - 2.0


ACTIONS: dict[str, Callable[[Zaibatsu, int, Board], float]] = {
    "rd": _track_turn("rd"),
    "mining": _track_turn("mining"),
    "factory": _factory_turn,
    "machines": _machines_turn,
    "production": _production_turn,
    "ships": _ships_turn,
    "trains": _trains_turn,
    "markets": _markets_turn,
    "investment": _investment_turn,
    "consolidate": _consolidate_turn,
}


# The questions within a turn


def _worker(state: Zaibatsu, seat: int, colour: str, decision: Decision) -> float:
    board = state.boards[seat]
    value = 0.0 if any(worker.colour == colour for worker in board.workers) else -3 * MONEY
    place = len(board.workers)
    if place == 0:
        value += department_worth(state, board, colour)
    elif place >= 3 and colour != board.workers[0].colour:
        value += (0.0, 0.0, 0.0, 0.35, 0.6, 1.0)[place] * department_worth(state, board, colour)
    return value


def _steps(state: Zaibatsu, seat: int, n: int, decision: Decision) -> float:
    return _steps_worth(state, state.boards[seat], decision.args["track"], n)


def _innovation(state: Zaibatsu, seat: int, steps: tuple[int, int], decision: Decision) -> float:
    board, (rd, mining) = state.boards[seat], steps
    return advance_worth(state, board, "rd", rd) + advance_worth(state, board, "mining", mining)


def _factory(state: Zaibatsu, seat: int, tile: str, decision: Decision) -> float:
    return _tile_worth(state, seat, state.boards[seat], tile)


def _machine(state: Zaibatsu, seat: int, at: int, decision: Decision) -> float:
    return _machine_worth(state, state.boards[seat], at)


def _produce(state: Zaibatsu, seat: int, choice: tuple[int, int], decision: Decision) -> float:
    board, (at, price) = state.boards[seat], choice
    worth = _production_worth(state, board, at)
    if not price:
        coal = state.box.tiles[board.factories[at].tile].coal
        worth += 0.5 * coal if coal >= 3 or board.all_coal() < coal else -0.5
    return worth


def _ship(state: Zaibatsu, seat: int, colour: str, decision: Decision) -> float:
    return _ship_worth(state, state.boards[seat], colour)


def _train(state: Zaibatsu, seat: int, choice: Modifier | tuple[int, int], decision: Decision) -> float:
    if isinstance(choice, Modifier):
        return 3.0
    region, space = choice
    return _train_worth(state, seat, region, space)


def _market(state: Zaibatsu, seat: int, space: tuple[int, int], decision: Decision) -> float:
    board, (at, side) = state.boards[seat], space
    good = state.cities[at].goods[side]
    level = state.box.level[good]
    value = best_value(state, board, at, side)
    used = state.box.influence[good].index(value) + 1
    return space_gain(state, seat, at, side, value) + 2 - 0.35 * used * GOOD[level]


def _delivery(state: Zaibatsu, seat: int, delivery: tuple[int, str, int], decision: Decision) -> float:
    """More goods place a higher token, which is harder to replace; then the better of the two bonuses."""
    goods, what, n = delivery
    return 100 * goods + n * stock_worth(state, state.boards[seat], what)


def _return(state: Zaibatsu, seat: int, space: tuple[int, int], decision: Decision) -> float:
    at, side = space
    token = state.cities[at].tokens[side]
    return 0.0 if token is not None and token.owner == seat else 1.0


def _spend(state: Zaibatsu, seat: int, choice: Modifier | str, decision: Decision) -> float:
    if isinstance(choice, Modifier):
        return 3.0
    board = state.boards[seat]
    need: int = decision.args["n"]
    left = board.stock()[choice] - need
    return _deal_worth(state, board) - need * (GOOD[state.box.level[choice]] - 0.5) - (0.2 if left < 2 else 0.0)


def _deal(state: Zaibatsu, seat: int, contract: str | None, decision: Decision) -> float:
    board = state.boards[seat]
    if contract is None:
        return advance_worth(state, board, "finance", 2)
    row = state.box.contracts[contract]
    keep = 0.6 if row.gives == "any" and turns_left(state) > 6 else 0.0
    return department_worth(state, board, row.gives) + counted_pull(state, board, "contracts") + 0.6 - keep


def _department(state: Zaibatsu, seat: int, choice: tuple[str, bool], decision: Decision) -> float:
    colour, upgraded = choice
    return department_worth(state, state.boards[seat], colour, basic=not upgraded)


def _offer(state: Zaibatsu, seat: int, choice: str, decision: Decision) -> float:
    row = state.box.tiles[decision.args["tile"]].row
    if choice == "accept":
        price = row.offer.get("money", 0) * MONEY + row.offer.get("iron", 0) * 0.9
        board = state.boards[seat]
        price += min(row.offer.get("finance", 0), board.finance - 1) * step_worth(state, board, "finance")
        return 3.4 - price
    return 0.0


def _build_any(state: Zaibatsu, seat: int, kind: str, decision: Decision) -> float:
    board = state.boards[seat]
    if kind == "machine":
        return max(_machine_worth(state, board, at) for at in machine_sites(board))
    if kind == "train":
        return max(_train_worth(state, seat, region, space) for region, space in open_spaces(state, board))
    return max(_ship_worth(state, board, colour) for colour in open_docks(state, board))


def _modifier(state: Zaibatsu, seat: int, modifier: Modifier, decision: Decision) -> float:
    board = state.boards[seat]
    if modifier.region is not None:
        what, n = state.box.region_bonus[modifier.region]
        return 0.5 + n * stock_worth(state, board, what)
    return 0.5 + _effect_worth(state, seat, board, state.box.tiles[modifier.tile])


def _good_in(state: Zaibatsu, seat: int, at: int, decision: Decision) -> float:
    return GOOD[state.box.level[state.boards[seat].factories[at].good]]


def _favor(state: Zaibatsu, seat: int, favor: tuple[int, str], decision: Decision) -> float:
    """Where the best Favor is likely to score most; the best Favors for what is sure."""
    level, what = favor
    return _forecast(state, seat, what, level)


def _forecast(state: Zaibatsu, seat: int, what: str, level: int) -> float:
    board, left = state.boards[seat], turns_left(state)
    if what in state.box.points:
        rows = state.box.points[what]
        count = len(getattr(board, what)) + (left / 7 if what == "factories" else left / 4)
        reach = min(len(rows), int(count))
        return float(rows[reach - 1][level - 1]) * 0.95 if reach else 0.0
    pace = {"rd": 0.22, "mining": 0.2, "finance": 0.45}.get(what, 0.2 if what == "machines" else 0.16)
    at: int = getattr(board, what)
    expected = at + pace * left
    favor = state.box.favors[level - 1]
    value = 0.0
    for threshold, points in zip(state.box.thresholds[what], (favor.lower, favor.higher - favor.lower), strict=True):
        value += points * (1.0 if at >= threshold else max(0.0, min(0.9, 0.5 + (expected - threshold) / 3)))
    return value


def _keep(state: Zaibatsu, seat: int, kept: tuple[int, int], decision: Decision) -> float:
    coal, money = kept
    return coal * 0.5 + money * MONEY


def _salary(state: Zaibatsu, seat: int, silk: int, decision: Decision) -> float:
    return silk


def _reward(state: Zaibatsu, seat: int, reward: str, decision: Decision) -> float:
    board = state.boards[seat]
    row = state.box.rewards[min(state.period, 1)]
    if reward == "vp":
        return row.vp
    if reward == "finance":
        return advance_worth(state, board, "finance", row.finance)
    return 2.9


def _start(state: Zaibatsu, seat: int, pair: tuple[str, str], decision: Decision) -> float:
    a, b = pair
    sides, gains = state.options["sides"], state.box.start_b[b].gains
    value = state.box.start_a[a].vp + START[sides][a] + sum(n * OPENING[sides][what] for what, n in gains.items())
    return value - SHORT[sides] * max(0, FIRST_FACTORY - gains.get("money", 0))


WEIGH: dict[str, Callable[[Zaibatsu, int, Any, Decision], float]] = {
    "zaibatsu.turn": _turn,
    "zaibatsu.worker": _worker,
    "zaibatsu.start_worker": _worker,
    "zaibatsu.steps": _steps,
    "zaibatsu.innovation": _innovation,
    "zaibatsu.factory": _factory,
    "zaibatsu.machines": _machine,
    "zaibatsu.machine": _machine,
    "zaibatsu.production": _produce,
    "zaibatsu.ships": _ship,
    "zaibatsu.ship": _ship,
    "zaibatsu.trains": _train,
    "zaibatsu.train": _train,
    "zaibatsu.market": _market,
    "zaibatsu.market_goods": _delivery,
    "zaibatsu.market_return": _return,
    "zaibatsu.investment": _spend,
    "zaibatsu.deal": _deal,
    "zaibatsu.department": _department,
    "zaibatsu.offer": _offer,
    "zaibatsu.build_any": _build_any,
    "zaibatsu.modifier": _modifier,
    "zaibatsu.good_in": _good_in,
    **dict.fromkeys(FAVOR.values(), _favor),
    "zaibatsu.keep": _keep,
    "zaibatsu.salary": _salary,
    "zaibatsu.reward": _reward,
    "zaibatsu.start": _start,
}
# What it is worth to take nothing more, where that can be chosen (it means None)
STOPPING = {
    "zaibatsu.machines": 5 * MONEY,
    "zaibatsu.production": 0.05,
    "zaibatsu.ships": 2.7,
    "zaibatsu.trains": 2.9,
    "zaibatsu.market": 0.5,
    "zaibatsu.investment": 0.0,
    "zaibatsu.offer": 0.0,
    "zaibatsu.modifier": 0.0,
}
