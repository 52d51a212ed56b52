"""The engine alone: decisions a second against Catan, the worst of them, and restoring a saved match."""

import random
import statistics
import time
import warnings
from collections.abc import Callable, Iterator

from engine import GAMES, Match
from engine.simulate import NO_CLOCK, Clock, Played, play
from service import rubbish
from tests.bench.rows import Row

# Times the decisions of Catan. How many times depends on the Python too: built with every optimisation it plays Catan
# a quarter faster, and these titles a fifth.
GOALS = {"osaka": 2.9, "yokohama": 2.0, "duel": 2.4, "zaibatsu": 1.75}
FLOORS = {"osaka": 2.5, "yokohama": 1.6, "duel": 1.6, "zaibatsu": 1.6}
ROUNDS = 12
ROUND_SECONDS = 0.5
SLOW_GAMES = 40


def engine_rows() -> Iterator[Row]:
    def decisions(title: str) -> Callable[[int], int]:
        return lambda seed: random_match(title, seed).decisions

    works = {"catan": catan} | {title: decisions(title) for title in GAMES}
    catan(0)  # imports it
    rubbish.seldom()  # as the workers and the pages do
    speeds = rates(works)
    yield Row("Catan in pure Python (catanatron)", f"{speeds['catan']:,.0f} decisions/s", "yardstick", True)
    for title in GAMES.values():
        goal, speed = GOALS[title.id], speeds[title.id]
        ratio, floor = speed / speeds["catan"], FLOORS[title.id]
        target = f"{goal:g} x Catan (floor: {floor:g})"
        measured = f"{speed:,.0f}/s = {ratio:.2f} x Catan"
        yield Row(f"{title.title}: decisions", measured, target, ratio >= floor, ratio >= goal)
        # One slow decision in a hundred thousand is the machine's; the median of the games' worst is the engine's.
        slowest = [random_match(title.id, seed, time.process_time).slowest * 1000 for seed in range(SLOW_GAMES)]
        worst = f"{max(slowest):.1f} ms (typical game's worst {statistics.median(slowest):.2f})"
        yield Row(f"{title.title}: worst decision", worst, "under 50 ms", max(slowest) < 50)
        early, late = restore_ms(title.id, 0.1), restore_ms(title.id, 0.9)
        text = f"{early:.3f} ms early, {late:.3f} ms late"
        yield Row(f"{title.title}: restoring a match", text, "under 5 ms at any length", max(early, late) < 5)


def rates(works: dict[str, Callable[[int], int]]) -> dict[str, float]:
    """How much each of these does in a second of the processor; each call says how much it did. They take turns, each
    with the same games every time, and the best time counts: whatever else the machine does only ever takes away."""
    games = {name: _games_within(ROUND_SECONDS, work) for name, work in works.items()}
    best = dict.fromkeys(works, 0.0)
    for _ in range(ROUNDS):
        for name, work in works.items():
            start = time.process_time()
            done = sum(map(work, range(games[name])))
            best[name] = max(best[name], done / (time.process_time() - start))
    return best


def _games_within(seconds: float, work: Callable[[int], int]) -> int:
    """How many of its games fill a round; by the way it warms up."""
    number, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        work(number)
        number += 1
    return number


def catan(seed: int) -> int:
    """A game of pure-Python Catan between random players: the yardstick. Counts its decisions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from catanatron import Color, Game, RandomPlayer
    random.seed(seed)
    game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)], seed=seed)
    game.play()
    state = game.state
    return len(getattr(state, "action_records", None) or state.actions)


def random_match(title: str, seed: int, clock: Clock = NO_CLOCK) -> Played:
    """One match between random players, at a full table."""
    played = play(title, players=GAMES[title].players[-1], seed=seed, kinds=("random",), clock=clock)
    assert played.failure is None, played.failure
    return played


def restore_ms(game: str, how_far: float) -> float:
    """To load a saved match that far into a game."""
    match, saves = Match.start(game, players=GAMES[game].players[-1], seed=3), []
    rng = random.Random(3)
    while match.pending:
        decision = match.pending[0]
        match.choose(decision.seat, rng.choice(decision.options).id)
        saves.append(match.save())
    middle = int(len(saves) * how_far)
    some = saves[middle : middle + 40]
    start = time.process_time()
    for data in some:
        Match.load(data)
    return (time.process_time() - start) / len(some) * 1000
