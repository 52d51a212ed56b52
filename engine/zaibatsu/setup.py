"""Set-up: the boards, the bag, the factories on offer, and the Starting tokens chosen counterclockwise."""

from collections.abc import Sequence
from functools import lru_cache

from engine.scene import Message, Option, Scene, ask, later
from engine.zaibatsu.box import COLOURS, GOODS, SIDES
from engine.zaibatsu.consolidation import worker_hint
from engine.zaibatsu.effects import resolve
from engine.zaibatsu.gains import Agenda, amounts, gain_effects
from engine.zaibatsu.numbers import HIRING_ROOM, KEPT_COAL, SPARE_GOODS, WORKERS_A_COLOUR
from engine.zaibatsu.state import Automa, Board, City, Factory, Worker, Zaibatsu, draw_workers, fill_queue

DIFFICULTY = {"easy": 1, "normal": 2, "hard": 3}


def setup(state: Zaibatsu) -> None:
    """Common and individual set-up."""
    box, players, sides = state.box, state.players, state.sides
    tiles = state.shuffled(range(len(box.tables.demand.rows)))[: 2 * len(box.regions)]
    state.cities = [_city(state, box.tables.demand.rows[tile].goods) for tile in tiles]
    state.trains = [[None] * len(box.tables.trains.rows) for _ in box.regions]
    state.experts = list(box.destination)
    state.docks = {colour: [] for colour in box.destination}
    state.upgrades = dict.fromkeys(COLOURS, players)
    state.bag = [colour for colour in COLOURS for _ in range(WORKERS_A_COLOUR - (4 - sides))]
    state.unused = dict.fromkeys(COLOURS, 4 - sides)
    drawn, room = draw_workers(state, HIRING_ROOM * len(box.spaces)), HIRING_ROOM
    state.hiring = [drawn[room * at : room * at + room] for at in range(len(box.spaces))]
    fill_queue(state)
    state.factories = _factories(state)
    state.boards = [_board(state) for _ in range(players)]
    state.first = state.shuffled(range(players))[0] if players > 1 else 0
    n = sides + 1 if players > 1 else 2
    state.pairs = list(zip(state.shuffled(box.start_a)[:n], state.shuffled(box.start_b)[:n], strict=True))
    if state.options["common_goals"]:
        _common_goals(state)
    if players == 1:
        _automa(state)
    state.active = (state.first - 1) % players
    if players > 1:
        state.tell("zaibatsu.first", seat=state.first)


def _city(state: Zaibatsu, goods: Sequence[str]) -> City:
    """A demand tile, turned at random."""
    turned = state.shuffled(range(SIDES))[0]
    return City([goods[(side + turned) % SIDES] for side in range(SIDES)], [None] * SIDES)


def _factories(state: Zaibatsu) -> list[str]:
    """Steps 4a and 4b: 2/3/4 of each type for 2/3/4 players, and 3/4/5 late ones with that module."""
    chosen = []
    for good in GOODS:
        numbers = sorted(state.shuffled("1234")[: state.sides])
        chosen += [f"{good}{number}{_side(state)}" for number in numbers]
    if state.options["late_factories"]:
        late = sorted(state.shuffled(GOODS)[: state.sides + 1], key=GOODS.index)
        chosen += [f"{good}5{_side(state)}" for good in late]
    return sorted(chosen, key=lambda tile: (GOODS.index(tile[:-2]), tile))


def _side(state: Zaibatsu) -> str:
    return state.shuffled("ab")[0] if state.options["sides"] == "random" else "a"


def _board(state: Zaibatsu) -> Board:
    tokens = state.box.tables.influence.rows
    return Board(
        hand=sorted(row.value for row in tokens if not row.locked),
        locked=sorted(row.value for row in tokens if row.locked),
        favors=[row.tokens for row in state.box.favors],
    )


def _common_goals(state: Zaibatsu) -> None:
    """Step 6a: 1/2/3 goals a period for 2/3/4 players."""
    goals = state.shuffled(state.box.solo_goal)
    n = state.players - 1
    state.common_goals = [goals[n * period : n * period + n] for period in range(3)]


def _automa(state: Zaibatsu) -> None:
    """Automa set-up. One set of removed workers marks the regions, the other gives the priority."""
    box = state.box
    goals = state.shuffled(box.solo_goal)[: DIFFICULTY[state.options["difficulty"]]]
    state.automa = Automa(
        goals=goals,
        priority=state.shuffled(COLOURS),
        pile=state.shuffled(box.automa_action),
        rows=[list(row) for row in box.automa_rows],
        colours=state.shuffled(COLOURS)[: len(box.regions)],
    )


# Starting conditions


def choose_start(state: Zaibatsu) -> Scene:
    """Starting conditions: one pair of tokens each, counterclockwise, the first player last."""
    seat, tokens_a, tokens_b = state.active, state.box.start_a, state.box.start_b
    options = [_pair_option(a, tokens_a[a].vp, b, tuple(tokens_b[b].gains.items())) for a, b in state.pairs]
    a, b = yield ask(seat, "zaibatsu.start", options, options[0].id)
    state.pairs.remove((a, b))
    board = state.boards[seat]
    board.start = [a, b]
    gains = tokens_b[b].gains.items()
    vp = tokens_a[a].vp
    state.tell("zaibatsu.started", seat=seat, start=a, vp=vp)
    yield from _start_effect(state, seat, a)
    board.score("start", vp)
    yield from resolve(state, seat, gain_effects(gains))
    if seat == state.first:
        state.pairs = []
        state.stage = "turn"
    else:
        state.active = (seat - 1) % state.players


@lru_cache(2**10)
def _pair_option(a: str, vp: int, b: str, gains: tuple[tuple[str, int], ...]) -> Option:
    label = Message("zaibatsu.start.pair", {"start": a, "vp": vp})
    hint = Message("zaibatsu.hint.start", {"gains": amounts((("vp", vp), *gains)), "start": a})
    return Option(f"pair.{a}.{b}", label, hint, (f"start:{a}",), means=(a, b))


def _start_effect(state: Zaibatsu, seat: int, token: str) -> Scene:
    """Starting tokens A."""
    board = state.boards[seat]
    agenda: Agenda = []
    if token == "machine":
        board.machines += 1
        board.spare_machine = 1
    elif token in ("ship", "train"):
        agenda.append((token,))
    elif token == "goods":
        board.spare_goods = SPARE_GOODS
    elif token == "old_factory":
        options = [_old_option("paper"), _old_option("cotton")]
        good = yield ask(seat, "zaibatsu.old_factory", options, options[0].id)
        board.factories.append(Factory(f"{good}0o", 1))
    elif token == "worker":
        options = [_worker_option(state, board, colour) for colour in COLOURS if colour in state.bag]
        colour = yield ask(seat, "zaibatsu.start_worker", options, options[0].id)
        state.bag.remove(colour)
        board.workers.append(Worker(colour))
    elif token == "coal":
        board.kept = KEPT_COAL
    else:
        board.cheap = True
    yield from resolve(state, seat, agenda)


def _old_option(good: str) -> Option:
    label, hint = Message("zaibatsu.old_factory.side", {"good": good}), Message("zaibatsu.hint.old", {"good": good})
    return Option(f"old.{good}", label, hint, means=good)


def _worker_option(state: Zaibatsu, board: Board, colour: str) -> Option:
    label, hint = Message("zaibatsu.worker.colour", {"colour": colour}), later(worker_hint, state, board, colour)
    return Option(f"worker.{colour}", label, hint, (f"bag:{colour}",), means=colour)
