"""The numbers worth watching while one chooses: what one holds, and how everybody stands in the regions."""

from collections.abc import Mapping
from functools import cache

from engine.scene import Gauge
from engine.zaibatsu.box import TRACKS
from engine.zaibatsu.numbers import SALARY
from engine.zaibatsu.state import Zaibatsu, objective_points, standing

HELD = ("silk", "iron", "money", *TRACKS)


def gauges(state: Zaibatsu, seat: int) -> Mapping[Gauge, int]:
    """The seat's points, and those that influence was scored for; what it holds, its salaries and what its Favors are
    worth now; in each region everybody's influence, and what it would pay if the period ended now."""
    board = state.boards[seat]
    vp, scored, *held, coal, goods, salary, favors = _of(seat)
    found = {vp: board.vp, scored: board.parts.get("influence", 0)}
    found.update((gauge, getattr(board, gauge.what)) for gauge in held)
    found[coal] = board.all_coal()
    found[goods] = board.goods()
    found[salary] = SALARY * board.colours()
    found[favors] = sum(objective_points(state, seat, what, level) for what, level in board.objectives.items())
    period = _period(state)
    for region, name in enumerate(state.box.regions):
        overseas, influences, points = _in_region(name, state.players, state.sides)
        totals, found[overseas], won = standing(state, region, period)
        found.update(zip(influences, totals, strict=False))
        found.update(zip(points, won, strict=False))
    return found


def _period(state: Zaibatsu) -> int:
    """In which regions pay: at the end of a round still that of this round, so that what a turn which ends a period
    changes is told in the points of one period."""
    return state.period - (state.stage == "round" and state.round - 1 in state.box.period_ends)


@cache
def _of(seat: int) -> tuple[Gauge, ...]:
    return tuple(Gauge(what, seat) for what in ("vp", "scored", *HELD, "coal", "goods", "salary", "favors"))


@cache
def _in_region(name: str, players: int, sides: int) -> tuple[Gauge, tuple[Gauge, ...], tuple[Gauge, ...]]:
    """The influence of the overseas companies and of each side, and the points of each player: the Automa has none."""
    spot = f"region:{name}"
    influences = tuple(Gauge("influence", side, spot) for side in range(sides))
    points = tuple(Gauge("region_vp", seat, spot) for seat in range(players))
    return Gauge("overseas", None, spot), influences, points
