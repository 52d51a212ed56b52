"""A player's turn: an action with a worker, or a consolidation. Also what comes after what."""

from functools import cache
from typing import Any

from engine.scene import Blocked, Message, Option, Scene, ask, later
from engine.zaibatsu.actions import ACT, CAN
from engine.zaibatsu.automa import automa_turn
from engine.zaibatsu.box import ACTIONS, COLOURS
from engine.zaibatsu.consolidation import clean_up, consolidate, department_colours, worker_hint
from engine.zaibatsu.gains import named
from engine.zaibatsu.numbers import SALARY, WORKER_ROOM
from engine.zaibatsu.rounds import end_of_round, finish_turn, what_ends
from engine.zaibatsu.scoring import the_end
from engine.zaibatsu.setup import choose_start
from engine.zaibatsu.state import Board, Worker, Zaibatsu

PASS = Option("pass", Message("zaibatsu.pass"), Message("zaibatsu.hint.pass"))
NOBODY_TO_HIRE = Option("pass", Message("zaibatsu.pass"), Message("zaibatsu.hint.pass_no_workers"))
# On one's own board, and where workers are hired.
CONSOLIDATE = Option("consolidate", Message("zaibatsu.action.consolidate"), None, ("consolidate", "hiring:consolidate"))


def next_scene(state: Zaibatsu) -> Scene | None:
    return SCENES[state.stage](state) if state.stage != "over" else None


def turn(state: Zaibatsu) -> Scene:
    """Gameplay: perform an action, or make a consolidation."""
    state.turn += 1
    state.step = "choose"
    seat = state.active
    board = state.boards[seat]
    options = _choices(state, board)
    passes, state.passes = state.passes, 0
    choice = options[0].id
    if len(options) > 1:
        blocked, hints = later(_blocked, state, board, options), later(_hint, state, board)
        choice = yield ask(seat, "zaibatsu.turn", options, _default(options), blocked=blocked, hints=hints)
    else:
        _tell_that_nothing_is_possible(state, seat, board)
        if options[0] is CONSOLIDATE:
            state.tell("zaibatsu.consolidating", [seat], seat=seat, **_consolidation(state, board))
    if choice == "consolidate":
        state.step = "consolidate"
        yield from consolidate(state, seat, _why(state, options, board))
        clean_up(state, seat)
    elif choice == "pass":
        state.passes = passes + 1
        state.tell("zaibatsu.passed", seat=seat)
    else:
        colour = yield from _take_worker(state, seat, board, choice)
        yield from ACT[choice](state, seat, choice, colour)
    finish_turn(state)


def _tell_that_nothing_is_possible(state: Zaibatsu, seat: int, board: Board) -> None:
    """In a line: each action says on its plank what it takes."""
    empty = [action for action, space in state.box.space_of.items() if not state.hiring[space]]
    if len(board.workers) >= WORKER_ROOM:
        empty, how = [], "no_room"
    elif len(empty) == len(ACTIONS):
        how = "no_workers"
    else:
        how = "some_without" if empty else "all_lacking"
    things = [{"key": f"zaibatsu.action.{action}", "args": {}} for action in empty]
    state.tell(f"zaibatsu.no_action.{how}", [seat], seat=seat, things=things)


def _choices(state: Zaibatsu, board: Board) -> list[Option]:
    options: list[Option] = []
    if len(board.workers) < WORKER_ROOM:
        options = _actions(state, board)
    if board.workers:
        options.append(CONSOLIDATE)
    elif not options:
        options.append(PASS if any(state.hiring) else NOBODY_TO_HIRE)
    return options


def _actions(state: Zaibatsu, board: Board) -> list[Option]:
    """The actions that have a worker above them and are possible."""
    hiring, options = state.hiring, []
    for action, space in state.box.space_of.items():
        workers = hiring[space]
        if workers and CAN[action](state, board):
            alike = workers.count(workers[0]) == len(workers)
            options.append(_alone(action, space, workers[0]) if alike else LEADING[action])
    return options


def _blocked(state: Zaibatsu, board: Board, options: list[Option]) -> list[Blocked]:
    """The actions that are not among the options, and why."""
    if len(board.workers) >= WORKER_ROOM:
        return [NO_ROOM]
    offered = {option.id for option in options}
    others = ((action, space) for action, space in state.box.space_of.items() if action not in offered)
    return [CANNOT[action] if state.hiring[space] else NO_WORKER[action] for action, space in others]


def _default(options: list[Option]) -> str:
    """The least committing play: a consolidation; without workers the first action: Research and Mining come first,
    which are the cheapest and change least."""
    return CONSOLIDATE.id if options[-1] is CONSOLIDATE else options[0].id


def _take_worker(state: Zaibatsu, seat: int, board: Board, action: str) -> Scene:
    """Step A: take a worker from the space above the action. Which is asked only where there are several colours."""
    space = state.box.space_of[action]
    workers = state.hiring[space]
    colour = workers[0]
    options = _worker_options(action, space, frozenset(workers))
    if len(options) > 1:
        mine = [worker.colour for worker in board.workers]
        default = ([option for option in options if option.means in mine] or options)[0]
        hints = later(worker_hint, state, board)
        colour = yield ask(seat, "zaibatsu.worker", options, default.id, hints=hints, action=action)
    workers.remove(colour)
    board.workers.append(Worker(colour))
    state.step = "act"
    state.tell("zaibatsu.acted", seat=seat, action=action, colour=colour)
    return colour


@cache
def _alone(action: str, space: int, colour: str) -> Option:
    """An action above which all workers are of one colour."""
    return Option(action, Message(f"zaibatsu.action.{action}"), None, _hiring_spots(action, space, colour))


def _hiring_spots(action: str, space: int, colour: str) -> tuple[str, ...]:
    """A worker and an action are chosen together: by touching either."""
    return f"hiring:{space}:{colour}", f"action:{action}"


def _hint(state: Zaibatsu, board: Board, choice: str) -> Message:
    return _consolidation_hint(state, board) if choice == CONSOLIDATE.id else _action_hint(state, choice)


def _action_hint(state: Zaibatsu, action: str) -> Message:
    key = f"zaibatsu.hint.{action}"
    ends = what_ends(state, state.box.space_of[action])
    if not ends:
        return Message(key)
    return Message("zaibatsu.hint.ending", {"first": {"key": key}, "then": {"key": f"zaibatsu.ends.{ends}"}})


def _consolidation_hint(state: Zaibatsu, board: Board) -> Message:
    level = state.box.worker_spaces[len(board.workers) - 1].favor
    return Message("zaibatsu.hint.consolidate", {"level": str(level), **_consolidation(state, board)})


def _consolidation(state: Zaibatsu, board: Board) -> dict[str, Any]:
    """Said in full, since it ends what was planned: what is lost, what comes, what is paid."""
    box = state.box
    return {
        "lost_coal": board.coal,
        "lost_money": board.money,
        "bonuses": named(box, board.upgraded, department_colours(state, board.workers)),
        "coal": box.track["mining"].income[board.mining - 1],
        "money": box.track["finance"].income[board.finance - 1],
        "price": SALARY * board.colours(),
    }


def _why(state: Zaibatsu, options: list[Option], board: Board) -> str:
    """Nobody is asked for a turn that can only be a consolidation, but they should know what happens to them."""
    if len(board.workers) >= WORKER_ROOM:
        return "full"
    if len(options) > 1:
        return "chosen"
    return "stuck" if any(state.hiring) else "no_workers"


@cache
def _worker_options(action: str, space: int, colours: frozenset[str]) -> tuple[Option, ...]:
    return tuple(_worker_option(action, colour, space) for colour in COLOURS if colour in colours)


def _worker_option(action: str, colour: str, space: int) -> Option:
    label = Message("zaibatsu.worker.colour", {"colour": colour})
    return Option(f"worker.{colour}", label, None, _hiring_spots(action, space, colour), means=colour)


# Which worker is taken for it is asked next.
LEADING = {a: Option(a, Message(f"zaibatsu.action.{a}"), None, (f"action:{a}",), leads=True) for a in ACTIONS}
NO_ROOM = Blocked(Message("zaibatsu.action.any"), Message("zaibatsu.why.no_room"))
NO_WORKER = {a: Blocked(Message(f"zaibatsu.action.{a}"), Message("zaibatsu.why.no_worker")) for a in ACTIONS}
CANNOT = {a: Blocked(Message(f"zaibatsu.action.{a}"), Message(f"zaibatsu.why.{a}")) for a in ACTIONS}

SCENES = {
    "start": choose_start,
    "turn": turn,
    "automa": automa_turn,
    "round": end_of_round,
    "final": the_end,
}
