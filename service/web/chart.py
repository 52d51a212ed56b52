"""Scores over time: lines for an SVG, and the moves at which a game turned. Pure arithmetic."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 260, 34, 24, 12, 16
MOST_POINTS = 160
MOST_TURNINGS = 5


@dataclass(frozen=True)
class Grid:
    at: float
    value: int


@dataclass(frozen=True)
class Line:
    seat: int
    points: str
    end: tuple[float, float]
    final: int


@dataclass(frozen=True)
class Turning:
    """A move that made much of a difference."""

    version: int
    seat: int
    gain: int
    leads: bool  # with it this seat took the lead, and had it alone
    at: tuple[float, float] = (0, 0)


@dataclass(frozen=True)
class Chart:
    moves: int
    grid: Sequence[Grid]
    lines: Sequence[Line]
    turnings: Sequence[Turning] = ()
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    base: int = HEIGHT - BOTTOM


def lines(scores: Sequence[Sequence[int]]) -> Chart:
    """Polylines by seat, in a fixed box, with gridlines at round numbers."""
    # A long game is thinned out evenly; its last score always stays.
    step = max(1, -(-len(scores) // MOST_POINTS))
    kept = [*range(0, len(scores), step)]
    if kept[-1] != len(scores) - 1:
        kept.append(len(scores) - 1)
    top = max(1, max(max(row) for row in scores))
    grid = _round_steps(top)
    ceiling = max(top, grid[-1])

    def x(version: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * version / max(1, len(scores) - 1)

    def y(score: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * score / ceiling

    return Chart(
        moves=len(scores) - 1,
        grid=[Grid(round(y(value), 1), value) for value in grid],
        lines=[
            Line(
                seat=seat,
                points=" ".join(f"{x(version):.1f},{y(scores[version][seat]):.1f}" for version in kept),
                end=(round(x(kept[-1]), 1), round(y(scores[-1][seat]), 1)),
                final=scores[-1][seat],
            )
            for seat in range(len(scores[0]))
        ],
        turnings=[
            replace(turning, at=(round(x(turning.version), 1), round(y(scores[turning.version][turning.seat]), 1)))
            for turning in turnings(scores)
        ],
    )


def turnings(scores: Sequence[Sequence[int]]) -> list[Turning]:
    """The few moves that brought most, those first that took the lead; in the order of the game. What the end of the
    game itself brings is no move of anybody's."""
    found, leader = list[Turning](), None
    for version in range(1, len(scores) - 1):
        now = scores[version]
        ahead = [seat for seat, score in enumerate(now) if score == max(now)]
        for seat, gain in enumerate(after - before for before, after in zip(scores[version - 1], now, strict=True)):
            if gain > 0:
                found.append(Turning(version, seat, gain, leads=ahead == [seat] and leader not in (None, seat)))
        leader = ahead[0] if len(ahead) == 1 else leader
    weightiest = sorted(found, key=lambda turning: (turning.leads, turning.gain), reverse=True)[:MOST_TURNINGS]
    return sorted(weightiest, key=lambda turning: turning.version)


def _round_steps(top: int) -> list[int]:
    """Up to five gridlines at 1, 2, 5, 10, 20, 50 ... apart."""
    size = 1
    while top / size > 5:
        size = size * 5 // 2 if str(size)[0] == "2" else size * 2
    return list(range(0, top + size, size))
