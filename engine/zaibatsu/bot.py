"""The built-in player of Zaibatsu: weighs every choice in points, by what is in sight. It looks no move ahead, but it
knows what resources, steps, goods and influence are usually worth at this stage of the game."""

from collections.abc import Callable

from engine.scene import Decision
from engine.zaibatsu.box import TRACKS, Tile
from engine.zaibatsu.consolidation import FAVOR
from engine.zaibatsu.factories import affordable, silk_for_rd
from engine.zaibatsu.goods import output
from engine.zaibatsu.markets import beats, market_spaces
from engine.zaibatsu.pieces import machine_sites, open_docks, open_spaces
from engine.zaibatsu.state import Board, Factory, Zaibatsu, influence, tokens_out, train_influence

WORTH = {"coal": 0.5, "kept": 0.7, "silk": 0.6, "iron": 0.9, "money": 0.45, "vp": 1.0}
MONEY = WORTH["money"]
TURNS_A_ROUND = {2: 5.0, 3: 4.5, 4: 4.5}
STEP_PRICES = (0, 1, 3, 6)
GOOD = (0.0, 1.3, 2.0, 2.6)
GOAL = 40.0
HOLDING = (0.8, 0.45, 0.3)
START = {"machine": 12, "ship": 13, "train": 7, "goods": 9, "old_factory": 5, "worker": 0, "coal": 3, "cheap": 15}


def choose(state: Zaibatsu, decision: Decision) -> str:
    """The option with the highest value; of equals the first."""
    if decision.prompt not in WEIGH:
        return decision.default
    weigh = WEIGH[decision.prompt]
    seat = decision.seat
    best, chosen = float("-inf"), decision.default
    for option in decision.options:
        value = weigh(state, seat, option.id, decision)
        if value > best:
            best, chosen = value, option.id
    return chosen


# What things are worth


def turns_left(state: Zaibatsu) -> float:
    """Own turns until the end, about."""
    if state.final_turns:
        return state.final_turns / state.sides
    rounds = state.box.last_round - 3 - state.round
    return 3 + TURNS_A_ROUND[state.sides] * (rounds + 0.5)


def incomes_left(state: Zaibatsu) -> float:
    return turns_left(state) / 5.5


def goal_pull(state: Zaibatsu, what: str, at: int, steps: int) -> float:
    """Solo: all is lost if a goal is missed."""
    if state.automa is None or what not in state.automa.goals:
        return 0.0
    return GOAL * max(0, min(steps, state.box.solo_goal[what] - at)) / state.box.solo_goal[what]


def objective_pull(state: Zaibatsu, board: Board, what: str, steps: int) -> float:
    """What coming nearer to a threshold is worth: by the Favor that lies there, or the hope of placing one."""
    level = board.objectives.get(what, 0)
    at: int = getattr(board, what)
    favor = state.box.favors[max(level, 1) - 1]
    value = goal_pull(state, what, at, steps)
    for threshold, points in zip(state.box.thresholds[what], (favor.lower, favor.higher - favor.lower), strict=True):
        if at < threshold:
            nearer = min(steps, threshold - at) / threshold
            reachable = 1.0 if threshold - at <= steps else min(1.0, turns_left(state) / (2.5 * (threshold - at)))
            value += points * nearer * reachable * (1.0 if level else 0.45)
    return value


def counted_pull(state: Zaibatsu, board: Board, what: str) -> float:
    """The same for one more factory or contract."""
    rows = state.box.points[what]
    have = len(getattr(board, what))
    if have >= len(rows):
        return 0.0
    level = board.objectives.get(what, 0)
    at = max(level, 1) - 1
    gain = rows[have][at] - (rows[have - 1][at] if have else 0)
    return gain * (1.0 if level else 0.5) + goal_pull(state, what, have, 1)


def department_worth(state: Zaibatsu, board: Board, colour: str, basic: bool = False) -> float:
    if colour == "any":
        return 2.8
    what, plain, better = state.box.department[colour]
    n = better if colour in board.upgraded and not basic else plain
    if what == "steps":
        return 1.1 * n
    return n * stock_worth(state, board, what)


def stock_worth(state: Zaibatsu, board: Board, what: str) -> float:
    """A resource now. Coal that cannot be burned and anything in the last turns is worth little."""
    left = turns_left(state)
    if what == "vp":
        return 1.0
    if left < 1.5:
        return 0.3 if what != "money" else 0.2
    if what == "coal":
        need = sum(state.box.tiles[f.tile].coal for f in board.factories if not f.old and f.goods < 4)
        return 0.7 if board.all_coal() < need else 0.25
    return WORTH[what]


def bonus_worth(state: Zaibatsu, board: Board, bonus: str) -> float:
    if bonus == "finance":
        return step_worth(state, board, "finance")
    if bonus.startswith("token"):
        return 1.5
    return department_worth(state, board, bonus)


def step_worth(state: Zaibatsu, board: Board, track: str) -> float:
    """One step of a track for its income alone."""
    left = incomes_left(state)
    if track == "finance":
        return 0.45 * left
    if track == "mining":
        hungry = sum(state.box.tiles[f.tile].coal for f in board.factories if not f.old) + 3
        income = state.box.track["mining"].income[board.mining - 1]
        return (0.65 if income < hungry else 0.25) * left
    return 0.5


def advance_worth(state: Zaibatsu, board: Board, track: str, n: int) -> float:
    at: int = getattr(board, track)
    to = min(at + n, state.box.last_space[track])
    if to == at:
        return 0.0
    value = step_worth(state, board, track) * (to - at) + objective_pull(state, board, track, to - at)
    for space, bonus in state.box.track_bonus[track].items():
        if at < space <= to:
            value += 2.0 if bonus == "finance" else bonus_worth(state, board, bonus)
    if track == "rd":
        value += _research_need(state, board, at, to)
    return value


def _research_need(state: Zaibatsu, board: Board, at: int, to: int) -> float:
    """Reaching the level of factories one could not build."""
    if len(board.factories) >= state.box.slots or turns_left(state) < 4:
        return 0.0
    value = 0.0
    for row, gain in zip(state.box.tables.levels.rows, (6.0, 9.0, 9.0), strict=True):
        if at < row.rd:
            value += gain * min(to, row.rd) / row.rd - gain * at / row.rd if to >= row.rd - 1 else 0.0
    return value


def piece_worth(state: Zaibatsu, board: Board, kind: str) -> float:
    """A ship, machine or train leaving its space: the bonus of its column and the objective."""
    count = getattr(board, kind) + 1
    value = objective_pull(state, board, kind, 1)
    for upper, lower, bonuses in state.box.columns:
        if kind in (upper, lower) and count in bonuses:
            other = getattr(board, lower if kind == upper else upper)
            share = 1.0 if other >= count else 0.4 if other == count - 1 else 0.15
            value += share * bonus_worth(state, board, bonuses[count])
    return value


# Regions


def _points(values: list[int], mine: int, others: list[int], overseas: int) -> float:
    """What `mine` earns among these."""
    if not mine:
        return 0.0
    higher = sum(other > mine for other in others) + (overseas > mine)
    equal = 1 + sum(other == mine for other in others) + (overseas == mine)
    return sum(values[higher : higher + equal]) / equal


def region_gain(state: Zaibatsu, seat: int, region: int, more: int, covered: int, knocked: dict[int, int]) -> float:
    """What this change of influence is worth: own points in this and later periods, and the rivals' losses."""
    totals, overseas = influence(state, region)
    if not totals[seat] and more:
        more += train_influence(state, seat) * sum(owner == seat for owner in state.trains[region])
    after = [total - knocked.get(owner, 0) for owner, total in enumerate(totals)]
    after[seat] += more
    value = 0.0
    now = state.period
    for period in range(now, 3):
        values = state.box.places[period]
        if state.sides == 2:
            values = [values[0], *values[2:]]
        for owner in range(state.sides):
            before = _points(values, totals[owner], totals[:owner] + totals[owner + 1 :], overseas)
            then = _points(values, after[owner], after[:owner] + after[owner + 1 :], overseas - covered)
            share = 1.0 if owner == seat else -0.3
            value += share * (then - before) * _holding(state, period - now)
    return value + 0.25 * more


def _holding(state: Zaibatsu, later: int) -> float:
    """How likely influence placed now still counts."""
    if state.final_turns:
        return 1.0
    return HOLDING[later]


def train_gain(state: Zaibatsu, seat: int, region: int) -> float:
    board = state.boards[seat]
    totals, _ = influence(state, region)
    each = train_influence(state, seat)
    if totals[seat]:
        return 0.9 * region_gain(state, seat, region, each, 0, {})
    return 0.5 * each if turns_left(state) > 3 and board.factories else 0.1


def space_gain(state: Zaibatsu, seat: int, at: int, side: int, value: int) -> float:
    """A token of this value here: what it covers, replaces and drives out."""
    city = state.cities[at]
    there = city.tokens[side]
    covered = 0
    knocked: dict[int, int] = {}
    mine = value
    if there is not None:
        if there.owner == seat:
            mine -= there.value
        else:
            knocked[there.owner] = there.value
    else:
        covered = state.box.overseas[at][side]
        lowest = beats(city, side, state.sides)
        if lowest:
            out = [(s, t) for s, t in enumerate(city.tokens) if t is not None and t.value == lowest]
            where, token = next(((s, t) for s, t in out if t.owner != seat), out[0])
            covered -= state.box.overseas[at][where]
            if token.owner == seat:
                mine -= lowest
            else:
                knocked[token.owner] = lowest
    gain = region_gain(state, seat, at // 2, mine, covered, knocked)
    return gain + (goal_pull(state, "influence", tokens_out(state, seat), 1) if mine == value else 0.0)


def best_value(state: Zaibatsu, board: Board, at: int, side: int) -> int:
    """The highest token the goods at hand allow on this space."""
    city = state.cities[at]
    good = city.goods[side]
    values = state.box.influence[good][: board.stock().get(good, 0)]
    return max((value for value in values if value in board.hand), default=0)


# The turn


def _turn(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    board = state.boards[seat]
    if option == "pass":
        return 0.0
    value = ACTIONS[option](state, seat, board)
    if option != "consolidate" and len(board.workers) >= 3:
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
    sites = sorted((_machine_worth(state, board, at) for at in machine_sites(state, seat)), reverse=True)
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
    ranked = sorted((_ship_worth(state, board, colour) for colour in open_docks(state, seat)), reverse=True)
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
    for region, space in open_spaces(state, seat):
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
    for at, side in market_spaces(state, seat):
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


def _worker(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    board = state.boards[seat]
    colour = option.split(".")[1]
    value = 0.0 if any(worker.colour == colour for worker in board.workers) else -3 * MONEY
    place = len(board.workers)
    if place == 0:
        value += department_worth(state, board, colour)
    elif place >= 3 and colour != board.workers[0].colour:
        value += (0.0, 0.0, 0.0, 0.35, 0.6, 1.0)[place] * department_worth(state, board, colour)
    return value


def _steps(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    return _steps_worth(state, state.boards[seat], decision.args["track"], int(option.split(".")[1]))


def _innovation(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    board = state.boards[seat]
    rd, mining = map(int, option.split(".")[1:])
    return advance_worth(state, board, "rd", rd) + advance_worth(state, board, "mining", mining)


def _factory(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    return _tile_worth(state, seat, state.boards[seat], option.split(".")[1])


def _machine(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    if option in ("done", "skip"):
        return 5 * MONEY if option == "done" else 0.5
    return _machine_worth(state, state.boards[seat], int(option.split(".")[1]))


def _produce(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    if option in ("done", "skip"):
        return 0.05
    way, at = option.split(".")
    board = state.boards[seat]
    worth = _production_worth(state, board, int(at))
    if way == "free":
        coal = state.box.tiles[board.factories[int(at)].tile].coal
        worth += 0.5 * coal if coal >= 3 or board.all_coal() < coal else -0.5
    return worth


def _ship(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    if option in ("done", "skip"):
        return 2.7 if option == "done" else 0.0
    return _ship_worth(state, state.boards[seat], option.split(".")[1])


def _train(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    if option in ("done", "skip"):
        return 2.9 if option == "done" else 0.0
    if option.startswith("modifier."):
        return 3.0
    region, space = map(int, option.split(".")[1:])
    return _train_worth(state, seat, region, space)


def _market(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    if option == "done":
        return 0.5
    at, side = map(int, option.split(".")[1:])
    board = state.boards[seat]
    good = state.cities[at].goods[side]
    level = state.box.level[good]
    value = best_value(state, board, at, side)
    used = state.box.influence[good].index(value) + 1
    return space_gain(state, seat, at, side, value) + 2 - 0.35 * used * GOOD[level]


def _amount(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    """More goods place a higher token, which is harder to replace."""
    return float(option.split(".")[1])


def _market_bonus(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    if option == "vp":
        return 2.0
    args = next(o.label.args for o in decision.options if o.id == option)
    return float(args["n"]) * stock_worth(state, state.boards[seat], args["what"])


def _return(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    args = next(o.label.args for o in decision.options if o.id == option)
    return 0.0 if args.get("to") == seat else 1.0


def _spend(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    board = state.boards[seat]
    if option.startswith("modifier."):
        return 3.0
    need: int = decision.args["n"]
    if option == "done":
        return 0.0
    good = option.split(".")[1]
    left = board.stock()[good] - need
    return _deal_worth(state, board) - need * (GOOD[state.box.level[good]] - 0.5) - (0.2 if left < 2 else 0.0)


def _deal(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    board = state.boards[seat]
    if option == "invest":
        return advance_worth(state, board, "finance", 2)
    row = state.box.contracts[option.split(".")[1]]
    keep = 0.6 if row.gives == "any" and turns_left(state) > 6 else 0.0
    return department_worth(state, board, row.gives) + counted_pull(state, board, "contracts") + 0.6 - keep


def _department(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    args = next(o.hint.args for o in decision.options if o.id == option and o.hint)
    board = state.boards[seat]
    if args["what"] == "steps":
        return 1.1 * float(args["n"])
    return float(args["n"]) * stock_worth(state, board, args["what"])


def _offer(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    row = state.box.tiles[decision.args["tile"]].row
    if option == "accept":
        price = row.offer.get("money", 0) * MONEY + row.offer.get("iron", 0) * 0.9
        price += row.offer.get("finance", 0) * step_worth(state, state.boards[seat], "finance")
        return 3.4 - price
    return 0.0


def _build_any(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    board = state.boards[seat]
    if option == "skip":
        return 0.0
    if option == "build.machine":
        return max(_machine_worth(state, board, at) for at in machine_sites(state, seat))
    if option == "build.train":
        return max(_train_worth(state, seat, region, space) for region, space in open_spaces(state, seat))
    return max(_ship_worth(state, board, colour) for colour in open_docks(state, seat))


def _modifier(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    if option == "none":
        return 0.0
    parts = option.split(".")
    board = state.boards[seat]
    if len(parts) == 3:
        what, n = state.box.region_bonus[int(parts[2])]
        return 0.5 + n * stock_worth(state, board, what)
    return 0.5 + _effect_worth(state, seat, board, state.box.tiles[board.factories[int(parts[1])].tile])


def _good_in(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    factory = state.boards[seat].factories[int(option.split(".")[1])]
    return GOOD[state.box.level[factory.good]]


def _favor(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    """Where the best Favor is likely to score most; the best Favors for what is sure."""
    level, what = int(option.split(".")[1]), option.split(".")[2]
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


def _keep(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    coal, money = map(int, option.split(".")[1:])
    return coal * 0.5 + money * MONEY


def _salary(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    return float(option.split(".")[1])


def _reward(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    board = state.boards[seat]
    row = state.box.rewards[min(state.period, 1)]
    if option == "reward.vp":
        return float(row.vp)
    if option == "reward.finance":
        return advance_worth(state, board, "finance", row.finance)
    return 2.9


def _start(state: Zaibatsu, seat: int, option: str, decision: Decision) -> float:
    a, b = option.split(".")[1:]
    effect = {"machine": 12, "ship": 13, "train": 7, "goods": 9, "old_factory": 5, "worker": 0, "coal": 3, "cheap": 15}[
        a
    ]
    value = float(state.box.start_a[a].vp + effect)
    for what, n in state.box.start_b[b].gains.items():
        value += 2.5 * n if what in TRACKS else n * WORTH.get(what, 0.5)
    return value


WEIGH: dict[str, Callable[[Zaibatsu, int, str, Decision], float]] = {
    "zaibatsu.turn": _turn,
    "zaibatsu.worker": _worker,
    "zaibatsu.start_worker": _worker,
    "zaibatsu.steps": _steps,
    "zaibatsu.innovation": _innovation,
    "zaibatsu.factory": _factory,
    "zaibatsu.machines": _machine,
    "zaibatsu.machine": _machine,
    "zaibatsu.production": _produce,
    "zaibatsu.produce": _produce,
    "zaibatsu.ships": _ship,
    "zaibatsu.ship": _ship,
    "zaibatsu.trains": _train,
    "zaibatsu.train": _train,
    "zaibatsu.market": _market,
    "zaibatsu.market_goods": _amount,
    "zaibatsu.market_bonus": _market_bonus,
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
