"""Consolidation: a Favor token, discarding, Departments and income, salaries and clean-up."""

from functools import cache

from engine.scene import Message, Option, Scene, ask, later
from engine.zaibatsu.box import OBJECTIVES, Box
from engine.zaibatsu.departments import department_gives
from engine.zaibatsu.effects import resolve
from engine.zaibatsu.gains import amounts
from engine.zaibatsu.numbers import ENOUGH_FOR_TWO, SALARY
from engine.zaibatsu.state import Board, Worker, Zaibatsu, reached

FAVOR = {
    "chosen": "zaibatsu.favor",
    "full": "zaibatsu.favor_full",
    "stuck": "zaibatsu.favor_stuck",
    "no_workers": "zaibatsu.favor_no_workers",
    "final": "zaibatsu.favor_final",
}


def consolidate(state: Zaibatsu, seat: int, why: str = "chosen") -> Scene:
    """A whole consolidation. Workers go home only afterwards (`clean_up`), so that all players can do this at once.
    `why` it is made is told with its first question, for nobody may have asked for it."""
    board = state.boards[seat]
    favor = (yield from _favor(state, seat, board, FAVOR[why])) if board.workers else None
    state.tell("zaibatsu.consolidated", seat=seat)
    if favor:
        _place(state, seat, board, *favor)
    yield from _discard(state, seat, board)
    yield from _departments(state, seat, board)
    _income(state, seat, board)
    yield from _salaries(state, seat, board)


def _favor(state: Zaibatsu, seat: int, board: Board, prompt: str) -> Scene:
    """Step A: the Favor beside the topmost worker, or a lower one, on any empty objective. (level, objective)"""
    top = state.box.worker_spaces[len(board.workers) - 1].favor
    levels = tuple([level for level in range(top, 0, -1) if board.favors[level - 1]])
    free = len(OBJECTIVES) - len(board.objectives)
    if not levels or not free:
        return None
    options = _favor_options(levels, frozenset(board.objectives))
    default = options[-free]  # the lowest Favor keeps the others
    if prompt == FAVOR["final"]:  # after which nothing is kept
        default = max(options, key=lambda option: _points(state, seat, *option.meaning))
    return (yield ask(seat, prompt, options, default.id, hints=later(_worth, state, seat), level=str(top)))


def _place(state: Zaibatsu, seat: int, board: Board, level: int, what: str) -> None:
    board.favors[level - 1] -= 1
    board.objectives[what] = level
    state.tell("zaibatsu.favored", seat=seat, n=level, objective=what)


@cache
def _favor_options(levels: tuple[int, ...], taken: frozenset[str]) -> tuple[Option, ...]:
    return tuple(_favor_option(level, what) for level in levels for what in OBJECTIVES if what not in taken)


@cache
def _favor_option(level: int, what: str) -> Option:
    label = Message("zaibatsu.favor.on", {"level": str(level), "objective": what})
    return Option(f"favor.{level}.{what}", label, None, (f"objective:{what}",), means=(level, what))


def _worth(state: Zaibatsu, seat: int, favor: tuple[int, str]) -> Message:
    (level, what), box = favor, state.box
    at = reached(state, seat, what)
    if what in box.points:
        return _counted_hint(box, level, what, at)
    return _threshold_hint(box, level, what, at, at + _steps_to_come(state, seat, what))


def _steps_to_come(state: Zaibatsu, seat: int, what: str) -> int:
    """How far the Departments of this consolidation, which come after its Favor, can take the marker of a track."""
    board = state.boards[seat]
    gifts = [department_gives(state, board, colour) for colour in department_colours(state, board.workers)]
    return sum(n for gift, n in gifts if gift == "steps" and what in ("rd", "mining"))


def _points(state: Zaibatsu, seat: int, level: int, what: str) -> int:
    return _counted(state.box, level, what, reached(state, seat, what))


def _counted(box: Box, level: int, what: str, at: int) -> int:
    """The points of a Favor on an objective as far as it is reached now."""
    if what in box.points:
        return box.points[what][at - 1][level - 1] if at else 0
    favor, (low, high) = box.favors[level - 1], box.thresholds[what]
    return favor.higher if at >= high else favor.lower if at >= low else 0


def _counted_hint(box: Box, level: int, what: str, at: int) -> Message:
    """What it is worth now, and with one more."""
    rows = box.points[what]
    more = rows[min(at, len(rows) - 1)][level - 1]
    return Message("zaibatsu.hint.favor_count", {"vp": _counted(box, level, what, at), "more": more})


def _threshold_hint(box: Box, level: int, what: str, at: int, soon: int) -> Message:
    """What it is worth now, and from which thresholds on; and with the steps of this very consolidation."""
    favor, (low, high) = box.favors[level - 1], box.thresholds[what]
    args = {
        "vp": _counted(box, level, what, at),
        "at": at,
        "low": low,
        "lower": favor.lower,
        "high": high,
        "higher": favor.higher,
    }
    if (then := _counted(box, level, what, soon)) > args["vp"]:
        return Message("zaibatsu.hint.favor_soon", {**args, "soon": then})
    return Message("zaibatsu.hint.favor", args)


def _discard(state: Zaibatsu, seat: int, board: Board) -> Scene:
    """Step B: all coal and money go, but for what a token or factory keeps."""
    coal = money = 0
    keep = _keeps(state, board)
    if keep:
        most = min(keep, board.coal + board.money)
        ways = [(c, most - c) for c in range(most, -1, -1) if c <= board.coal and most - c <= board.money]
        options = [_keep_option(c, m) for c, m in ways]
        coal, money = yield ask(seat, "zaibatsu.keep", options, options[0].id)
    if board.coal > coal or board.money > money:
        gone = amounts((("coal", board.coal - coal), ("money", board.money - money)))
        state.tell("zaibatsu.discarded", seat=seat, things=gone)
    board.coal, board.money = coal, money


def _keeps(state: Zaibatsu, board: Board) -> int:
    return max((row.n for f in board.factories if (row := state.box.tiles[f.tile].row).effect == "keep"), default=0)


def _keep_option(coal: int, money: int) -> Option:
    label = Message("zaibatsu.keep.way", {"things": amounts((("coal", coal), ("money", money)))})
    return Option(f"keep.{coal}.{money}", label, means=(coal, money))


def department_colours(state: Zaibatsu, workers: list[Worker]) -> list[str]:
    """Step C 1 and 2: the lowest worker's Department; with four or more workers also the topmost one's, if it differs.
    Grey spaces never grant any."""
    if not workers:
        return []
    spaces = state.box.worker_spaces
    colours = [] if spaces[0].grey else [workers[0].colour]
    top = workers[-1].colour
    if len(workers) >= ENOUGH_FOR_TWO and top != workers[0].colour and not spaces[len(workers) - 1].grey:
        colours.append(top)
    return colours


def worker_hint(state: Zaibatsu, board: Board, colour: str) -> Message:
    """What the next worker would give at a consolidation if it is of this colour, and what it costs there."""
    salary = Message("zaibatsu.hint.worker_new", {"n": SALARY})
    if any(worker.colour == colour for worker in board.workers):
        salary = Message("zaibatsu.hint.worker_same")
    return Message("zaibatsu.hint.worker", {"gives": _gives(state, board, colour), "salary": salary})


def _gives(state: Zaibatsu, board: Board, colour: str) -> Message:
    nth = len(board.workers) + 1
    gains = {"gains": amounts((department_gives(state, board, colour),))}
    if state.box.worker_spaces[nth - 1].grey or 1 < nth < ENOUGH_FOR_TWO:
        return Message("zaibatsu.gives.nothing", {"nth": nth})
    if nth == 1:
        return Message("zaibatsu.gives.lowest", gains)
    return Message("zaibatsu.gives.twice" if colour == board.workers[0].colour else "zaibatsu.gives.topmost", gains)


def _departments(state: Zaibatsu, seat: int, board: Board) -> Scene:
    for colour in department_colours(state, board.workers):
        yield from resolve(state, seat, [("department", colour)])


def _income(state: Zaibatsu, seat: int, board: Board) -> None:
    """Step C 3 and 4."""
    track = state.box.track
    coal, money = track["mining"].income[board.mining - 1], track["finance"].income[board.finance - 1]
    board.coal += coal
    board.money += money
    state.tell("zaibatsu.income", seat=seat, coal=coal, money=money)


def salaries_missing(state: Zaibatsu, board: Board, workers: list[Worker]) -> int:
    """What a consolidation with these workers right now could not pay in salaries, if it keeps the money it can."""
    gifts = [department_gives(state, board, colour) for colour in department_colours(state, workers)]
    money = sum(n for what, n in gifts if what == "money") + state.box.track["finance"].income[board.finance - 1]
    money += min(_keeps(state, board), board.money)
    return _short(SALARY * len({worker.colour for worker in workers}), money)


def _short(due: int, money: int) -> int:
    """The last 1 is never paid."""
    return due - min(due, max(0, money - 1))


def _salaries(state: Zaibatsu, seat: int, board: Board) -> Scene:
    """Step D 1 and 2: 3 money a colour, never the last 1; a point lost for each that is missing. Silk may help."""
    due = SALARY * board.colours()
    short = _short(due, board.money)
    if short and board.silk:
        most = min(short, board.silk)
        options = [_silk_option(n, short - n) for n in range(most, -1, -1)]
        silk = yield ask(seat, "zaibatsu.salary", options, options[0].id, n=short)
        board.silk -= silk
        board.money += silk
        short -= silk
        if silk:
            state.tell("zaibatsu.paid_silk", seat=seat, n=silk)
    board.money -= due - short
    if due:
        state.tell("zaibatsu.paid_salaries", seat=seat, n=due - short)
    if short:
        board.score("salaries", -short)
        state.tell("zaibatsu.missed_salaries", seat=seat, n=short)


def _silk_option(n: int, vp: int) -> Option:
    label = Message("zaibatsu.salary.silk", {"n": n}) if n else Message("zaibatsu.salary.none")
    hint = Message("zaibatsu.hint.salary", {"vp": vp}) if vp else Message("zaibatsu.hint.salary_paid")
    return Option(f"silk.{n}", label, hint, means=n)


def clean_up(state: Zaibatsu, seat: int) -> None:
    """Step D 3 and 4: experts to the Iwakura Mission, workers to the bag."""
    board = state.boards[seat]
    state.bag += [worker.colour for worker in board.workers if not worker.expert]
    if experts := [worker.colour for worker in board.workers if worker.expert]:
        order = list(state.box.destination)
        state.experts = sorted(state.experts + experts, key=order.index)
    board.workers.clear()
