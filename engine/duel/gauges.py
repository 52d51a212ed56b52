"""The numbers of the Duel worth watching while one chooses, as far as a seat may know them. Asked for every lit choice
of a page, so it counts and does nothing else."""

from engine.duel.box import GOODS
from engine.duel.scoring import known_parts
from engine.duel.state import Duel
from engine.scene import Gauge

_HELD = {seat: [Gauge(good, seat) for good in GOODS] for seat in (0, 1)}
_POINTS, _YEN, _IMPORTS, _FLIPPED, _HELP1, _HELP2, _ORDERS, _TRADERS = (
    [Gauge(what, seat) for seat in (0, 1)]
    for what in ("points", "yen", "imports", "flipped", "help1", "help2", "orders", "traders")
)


def gauges(state: Duel, seat: int) -> dict[Gauge, int]:
    """Of the other only what may change in my turn: points, and yen for a trading house."""
    mine, other = state.seats[seat], 1 - seat
    return {
        _POINTS[seat]: sum(known_parts(state, seat, mine=True).values()),
        _YEN[seat]: mine.yen,
        **dict(zip(_HELD[seat], mine.goods, strict=True)),
        _IMPORTS[seat]: mine.imports,
        _FLIPPED[seat]: mine.flipped,
        _HELP1[seat]: mine.help[0],
        _HELP2[seat]: mine.help[1],
        _ORDERS[seat]: len(mine.hand),
        _TRADERS[seat]: mine.traders,
        _POINTS[other]: sum(known_parts(state, other, mine=False).values()),
        _YEN[other]: state.seats[other].yen,
    }
