"""The streets of Yokohama: where areas lie, which touch, and which routes a president can take.

Knows positions and tolls, not what is done in an area.
"""

from functools import cache, lru_cache

from engine.scene import Message
from engine.yokohama.box import Box

CANAL = 16  # the bit of the bank in a toll; seats are bits 0 to 3
YEN = [bin(mask).count("1") for mask in range(32)]

Route = tuple[int, tuple[int, ...]]  # toll, areas entered
Door = tuple[int, int, int]  # toll of coming through an area; for an assistant that is missing there: its fee, and 1


@cache
def positions(rows: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """(row, column) of every area, in the order in which they are laid out."""
    return tuple((row, col) for row, width in enumerate(rows) for col in range(width))


@cache
def neighbours(rows: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The areas that touch each area: rows are shifted by half an area, the widest on top."""
    spots = positions(rows)
    index = {spot: n for n, spot in enumerate(spots)}
    steps = ((0, -1), (0, 1), (1, -1), (1, 0), (-1, 0), (-1, 1))
    return tuple(
        tuple(sorted(index[r + dr, c + dc] for dr, dc in steps if (r + dr, c + dc) in index)) for r, c in spots
    )


def streets(box: Box, players: int) -> tuple[tuple[int, ...], ...]:
    return neighbours(tuple(box.sizes[players].rows))


def routes(
    start: int, touching: tuple[tuple[int, ...], ...], tolls: dict[int, int], yen: int
) -> dict[int, list[Route]]:
    """The ways from `start` to every area in `tolls` (those that may be entered, with whom to pay there).

    Kept per area: routes of which none pays everybody another one pays, and somebody more; cheapest first.
    """
    found: dict[int, list[Route]] = {}
    frontier: list[tuple[int, int, tuple[int, ...]]] = [(start, 0, ())]
    for at, paid, path in frontier:
        for there in touching[at]:
            if there not in tolls or there == start:
                continue
            total = paid | tolls[there]
            if YEN[total] > yen:
                continue
            known = found.get(there, ())
            for other, _ in known:
                if other & total == other:
                    break  # a way that is no worse is known
            else:
                way = (*path, there)
                found[there] = [route for route in known if total & route[0] != total] + [(total, way)]
                frontier.append((there, total, way))
    for known in found.values():
        if len(known) > 1:
            known.sort(key=lambda route: (YEN[route[0]], route[0]))
    return found


@lru_cache(2**8)
def through(
    start: int, touching: tuple[tuple[int, ...], ...], doors: tuple[Door | None, ...], yen: int
) -> dict[int, list[Door]]:
    """The ways from `start` through all areas that have a door, if assistants were added where one is missing: their
    tolls, fees and numbers, of which none is worse than another in everything."""
    found: dict[int, list[Door]] = {start: [(0, 0, 0)]}
    frontier: list[tuple[int, Door]] = [(start, (0, 0, 0))]
    for at, (tolls, fees, more) in frontier:
        for there in touching[at]:
            door = doors[there]
            if door is None or there == start:
                continue
            way = (tolls | door[0], fees + door[1], more + door[2])
            known = found.setdefault(there, [])
            if YEN[way[0]] + way[1] <= yen and not any(_no_worse(other, way) for other in known):
                known[:] = [other for other in known if not _no_worse(way, other)] + [way]
                frontier.append((there, way))
    return found


def _no_worse(one: Door, other: Door) -> bool:
    return one[0] & other[0] == one[0] and one[1] <= other[1] and one[2] <= other[2]


@cache
def receivers(toll: int) -> tuple[int, ...]:
    """The seats that a toll goes to."""
    return tuple(seat for seat in range(4) if toll >> seat & 1)


def fee(key: str, toll: int, times: int = 1, **args: object) -> Message:
    """The label of something that costs a toll: nothing, one merchant, the bank alone, or several and who they are."""
    if not toll:
        return Message(key, args)
    if toll == CANAL:
        return Message(f"{key}.canal", args)
    paid = list(receivers(toll))
    if YEN[toll] == 1:
        return Message(f"{key}.paying", {**args, "to": paid[0], "n": times})
    return Message(f"{key}.fees.canal" if toll & CANAL else f"{key}.fees", {**args, "seats": paid, "n": times})
