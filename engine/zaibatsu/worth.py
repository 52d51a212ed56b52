"""What things are worth to the built-in player, in points and by what is in sight: resources, steps, pieces and
influence, as they usually are at this stage of the game. Knows no decisions."""

from engine.zaibatsu.markets import beats
from engine.zaibatsu.state import Board, Zaibatsu, influence, tokens_out, train_influence

WORTH = {"coal": 0.5, "kept": 0.7, "silk": 0.6, "iron": 0.9, "money": 0.45, "vp": 1.0}
TURNS_A_ROUND = {2: 5.0, 3: 4.5, 4: 4.5}
GOAL = 40.0
HOLDING = (0.8, 0.45, 0.3)


def turns_left(state: Zaibatsu) -> float:
    """Own turns until the end, about."""
    if state.final_rounds:
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
