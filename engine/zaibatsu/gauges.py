"""The numbers worth watching while one chooses: what one holds, and how everybody stands in the regions."""

from collections.abc import Mapping
from functools import cache

from engine.scene import Gauge
from engine.zaibatsu.box import TRACKS
from engine.zaibatsu.numbers import SALARY
from engine.zaibatsu.state import Zaibatsu, objective_points, standing

HELD = ("vp", "silk", "iron", "money", *TRACKS)


def gauges(state: Zaibatsu, seat: int) -> Mapping[Gauge, int]:
    """What the seat holds, its salaries and what its Favors are worth now; in each region everybody's influence, and
    what it would pay if the period ended now."""
    board = state.boards[seat]
    mine = _of(seat)
    found = {gauge: getattr(board, gauge.what) for gauge in mine[: len(HELD)]}
    coal, goods, salary, favors = mine[len(HELD) :]
    found[coal] = board.all_coal()
    found[goods] = sum(factory.goods for factory in board.factories)
    found[salary] = SALARY * board.colours()
    found[favors] = sum(objective_points(state, seat, what, level) for what, level in board.objectives.items())
    for region, name in enumerate(state.box.regions):
        overseas, influences, points = _in_region(name, state.players, state.sides)
        totals, found[overseas], won = standing(state, region)
        found.update(zip(influences, totals, strict=False))
        found.update(zip(points, won, strict=False))
    return found


@cache
def _of(seat: int) -> tuple[Gauge, ...]:
    return tuple(Gauge(what, seat) for what in (*HELD, "coal", "goods", "salary", "favors"))


@cache
def _in_region(name: str, players: int, sides: int) -> tuple[Gauge, tuple[Gauge, ...], tuple[Gauge, ...]]:
    """The influence of the overseas companies and of each side, and the points of each player: the Automa has none."""
    spot = f"region:{name}"
    influences = tuple(Gauge("influence", side, spot) for side in range(sides))
    points = tuple(Gauge("region_vp", seat, spot) for seat in range(players))
    return Gauge("overseas", None, spot), influences, points
