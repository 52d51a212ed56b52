"""What leaves the table: both boards as data. By whitelist; players hide nothing here."""

from collections import Counter
from typing import Any

from engine.zaibatsu.actions import CAN
from engine.zaibatsu.box import ACTIONS, CITIES, COLOURS, GOODS, Box
from engine.zaibatsu.consolidation import department_colours, salaries_missing
from engine.zaibatsu.factories import silk_for_rd
from engine.zaibatsu.markets import beats
from engine.zaibatsu.numbers import FINAL_ROUNDS, SALARY, WORKER_ROOM
from engine.zaibatsu.rounds import leaders, what_ends
from engine.zaibatsu.sheet import printed, sheet, tile_face
from engine.zaibatsu.state import (
    AUTOMA,
    Board,
    Worker,
    Zaibatsu,
    rank,
    reached,
    solo_goals_met,
    standing,
)


def view(state: Zaibatsu, seat: int | None) -> dict[str, Any]:
    box = state.box
    standings = [standing(state, region) for region in range(len(box.regions))]
    return {
        "stage": state.stage,
        "active": state.active if state.stage in ("start", "turn") else None,
        "trail": _trail(state),
        "first": state.first,
        "round": state.round,
        "rounds": {
            "last": box.last_round,
            "bright": box.last_round - FINAL_ROUNDS + 1,
            "periods": list(box.period_ends),
        },
        "period": state.period,
        "places": _places(state),
        "paid": [list(row) for row in state.paid],
        "final_turns": state.final_turns,
        "regions": [_region(state, region, *stands) for region, stands in enumerate(standings)],
        "market_limit": state.sides,
        "hiring": [
            {"actions": list(actions), "workers": list(workers), "ends": what_ends(state, at) if workers else ""}
            for at, (actions, workers) in enumerate(zip(box.spaces, state.hiring, strict=True))
        ],
        "hire": _hire(state, state.boards[seat]) if seat is not None else None,
        "cannot": _cannot(state, seat) if seat is not None else {},
        "queue": [list(row) for row in state.queue],
        "bag": {colour: state.bag.count(colour) for colour in COLOURS},
        "destinations": [_destination(state, colour) for colour in box.destination],
        "supply": _supply(state, state.boards[seat] if seat is not None else None),
        "pairs": [_pair(box, a, b) for a, b in state.pairs],
        "seats": [sheet(state, owner, sum(won[owner] for _, _, won in standings)) for owner in range(state.players)],
        "common_goals": _common_goals(state),
        "rewards": _rewards(box),
        "automa": _automa(state),
        "printed": printed(box),
    }


def _trail(state: Zaibatsu) -> list[dict[str, str]]:
    """The steps of the turn: what is past, what is asked about now, what is left."""
    if not state.step:
        return []
    choosing = state.step == "choose"
    return [
        {"say": "zaibatsu.step.choose", "when": "now" if choosing else "past"},
        {"say": f"zaibatsu.step.{'act' if choosing else state.step}", "when": "ahead" if choosing else "now"},
    ]


def _places(state: Zaibatsu) -> list[list[int | None]]:
    """Points for the places of each period; with two sides the second is not to be had."""
    rows: list[list[int | None]] = [list(row) for row in state.box.places]
    if state.sides == 2:
        for row in rows:
            row[1] = None
    return rows


def _region(state: Zaibatsu, region: int, totals: list[int], overseas: int, won: list[int]) -> dict[str, Any]:
    box = state.box
    what, n = box.region_bonus[region]
    return {
        "id": box.regions[region],
        "bonus": {"what": what, "n": n},
        "cities": [_city(state, at) for at in (2 * region, 2 * region + 1)],
        "trains": [
            {"owner": state.trains[region][space], "bonus": _amount(box.train_bonus[region][space])}
            for space in range(state.train_spaces)
        ],
        "overseas": overseas,
        "standing": [{"owner": owner, "influence": totals[owner], "vp": won[owner]} for owner in range(state.sides)],
        "colour": state.automa.colours[region] if state.automa else None,
    }


def _amount(bonus: tuple[str, int] | None) -> dict[str, Any] | None:
    return {"what": bonus[0], "n": bonus[1]} if bonus else None


def _city(state: Zaibatsu, at: int) -> dict[str, Any]:
    """`influence`: that of 1, 2 or 3 goods of this side; `beats`: what a token placed here must exceed."""
    city = state.cities[at]
    return {
        "at": at,
        "id": CITIES[at],
        "sides": [
            {
                "good": city.goods[side],
                "overseas": state.box.overseas[at][side],
                "token": {"owner": token.owner, "value": token.value} if token else None,
                "influence": list(state.box.influence[city.goods[side]]),
                "beats": beats(city, side, state.sides),
            }
            for side, token in enumerate(city.tokens)
        ],
    }


def _hire(state: Zaibatsu, board: Board) -> dict[str, Any] | None:
    """What the next worker would mean to this board, by colour, in a consolidation right after it; None when there is
    no room for one. `brings` are its Departments, `loses` those it would have without this worker; `missing`: salaries
    that could not be paid, a point each."""
    crew = board.workers
    if len(crew) >= WORKER_ROOM:
        return None
    now = department_colours(state, crew)
    return {
        "nth": len(crew) + 1,
        "favor": state.box.worker_spaces[len(crew)].favor,
        "colours": {colour: _colour(state, board, [*crew, Worker(colour)], now) for colour in COLOURS},
    }


def _colour(state: Zaibatsu, board: Board, crew: list[Worker], now: list[str]) -> dict[str, Any]:
    brings = department_colours(state, crew)
    return {
        "more": SALARY * len({worker.colour for worker in crew}) - SALARY * board.colours(),
        "brings": brings,
        "loses": [colour for colour in now if colour not in brings],
        "adds": crew[-1].colour in brings and crew[-1].colour not in now,
        "missing": salaries_missing(state, board, crew),
    }


def _cannot(state: Zaibatsu, seat: int) -> dict[str, str]:
    """The actions out of this seat's reach now, and why."""
    board = state.boards[seat]
    if len(board.workers) >= WORKER_ROOM:
        return dict.fromkeys(ACTIONS, "no_room")
    found = {}
    for action in ACTIONS:
        if not state.hiring[state.box.space_of[action]]:
            found[action] = "no_worker"
        elif not CAN[action](state, board):
            found[action] = action
    return found


def _destination(state: Zaibatsu, colour: str) -> dict[str, Any]:
    return {
        "id": state.box.destination[colour],
        "colour": colour,
        "expert": colour in state.experts,
        "ships": list(state.docks[colour]),
        "room": state.sides,
        "upgrades": state.upgrades[colour],
    }


def _supply(state: Zaibatsu, board: Board | None) -> list[dict[str, Any]]:
    """The factories of this match by good; one that was built keeps its place. `silk`: what the level takes of this
    board beside the price, None where that does not help."""
    box = state.box
    owners = {own.tile: seat for seat, each in enumerate(state.boards) for own in each.factories if not own.old}
    tiles = sorted([*state.factories, *owners])
    found = []
    for good in GOODS:
        level = box.tables.levels.rows[box.level[good] - 1]
        mine = [tile for tile in tiles if tile[:-2] == good]
        found.append(
            {
                "good": good,
                "level": box.level[good],
                "rd": level.rd,
                "silk": silk_for_rd(board, level.rd) if board else None,
                "tiles": [{**tile_face(box, tile), "owner": owners.get(tile)} for tile in mine],
            }
        )
    return found


def _pair(box: Box, a: str, b: str) -> dict[str, Any]:
    return {"a": a, "vp": box.start_a[a].vp, "b": b, "gains": dict(box.start_b[b].gains)}


def _common_goals(state: Zaibatsu) -> list[list[dict[str, Any]]]:
    return [
        [
            {"goal": goal, "leaders": leaders(state, goal), "counts": [reached(state, s, goal) for s in _seats(state)]}
            for goal in goals
        ]
        for goals in state.common_goals
    ]


def _rewards(box: Box) -> list[dict[str, Any]]:
    """What a leader gets for the goals of each period: points by the goal's place, or in the first two periods steps
    on Finance or a Department bonus."""
    places = len(box.last_rewards)
    chosen = [{"vp": [row.vp] * places, "finance": row.finance, "department": row.department} for row in box.rewards]
    return [*chosen, {"vp": list(box.last_rewards), "finance": 0, "department": None}]


def _seats(state: Zaibatsu) -> range:
    return range(state.players)


def _automa(state: Zaibatsu) -> dict[str, Any] | None:
    automa, box = state.automa, state.box
    if automa is None:
        return None
    return {
        "owner": AUTOMA,
        "goals": [
            {"goal": goal, "needs": box.solo_goal[goal], "has": reached(state, 0, goal), "met": met}
            for goal, met in zip(automa.goals, solo_goals_met(state), strict=True)
        ],
        "priority": list(automa.priority),
        "pile": len(automa.pile),
        "revealed": [_token(box, token) for token in automa.revealed],
        "tokens": [{**_token(box, token), "up": token in automa.revealed} for token in box.automa_action],
        "rows": [list(row) for row in automa.rows],
        "trains": automa.trains,
        "ranks": [{"id": row.id, "from": row.at_least} for row in box.ranks],
        "rank": rank(state, state.boards[0].vp) if state.stage == "over" and not state.lost else None,
        "lost": state.lost,
    }


def _token(box: Box, token: str) -> dict[str, Any]:
    row = box.automa_action[token]
    return {"id": token, "space": row.space, "action": row.action, "arrow": row.arrow, "level": row.level}


def changes(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Places of the main board and of every zaibatsu that look different. A spot of another player's zaibatsu begins
    with the seat, as in `2/department:red`. Where a worker or a factory was taken away nothing is left to be marked."""
    spots: set[str] = set()
    for then, now in zip(before["regions"], after["regions"], strict=True):
        spots |= _region_changes(then, now)
    for then, now in zip(before["destinations"], after["destinations"], strict=True):
        if then != now:
            spots.add(f"destination:{now['id']}")
    for at, (then, now) in enumerate(zip(before["hiring"], after["hiring"], strict=True)):
        new = Counter(now["workers"]) - Counter(then["workers"])
        spots |= {f"hiring:{at}:{colour}" for colour in new}
    for seat, (then, now) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        whose = "" if seat == after["you"] else f"{seat}/"
        spots |= {whose + spot for spot in _board_changes(then, now)}
    return spots


def _region_changes(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    spots = set()
    for then, now in zip(before["cities"], after["cities"], strict=True):
        for side, (old, new) in enumerate(zip(then["sides"], now["sides"], strict=True)):
            if old["token"] != new["token"]:
                spots.add(f"city:{now['at']}:{side}")
    for space, (then, now) in enumerate(zip(before["trains"], after["trains"], strict=True)):
        if then["owner"] != now["owner"]:
            spots.add(f"train:{after['id']}:{space}")
    return spots


def _board_changes(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    spots = {f"track:{track}:{at}" for track, at in after["tracks"].items() if at != before["tracks"][track]}
    for at, factory in enumerate(after["factories"]):
        if at >= len(before["factories"]) or factory != before["factories"][at]:
            spots.add(f"own_factory:{at}")
    for colour, row in after["departments"].items():
        if row != before["departments"][colour]:
            spots.add(f"department:{colour}")
    for name, row, mark in (("objective", "objectives", "favor"), ("contract", "contracts", "fulfilled")):
        for then, now in zip(before[row], after[row], strict=True):
            if then[mark] != now[mark]:
                spots.add(f"{name}:{now['id']}")
    return spots
