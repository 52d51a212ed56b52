"""What leaves the table: both boards as data. By whitelist; players hide nothing here."""

from collections import Counter
from typing import Any

from engine.zaibatsu.box import BUILT, COLOURS, OBJECTIVES, TRACKS, Box
from engine.zaibatsu.consolidation import department_colours
from engine.zaibatsu.factories import factory_price, silk_for_rd
from engine.zaibatsu.goods import output
from engine.zaibatsu.rounds import leaders
from engine.zaibatsu.scoring import leftovers
from engine.zaibatsu.state import (
    AUTOMA,
    SALARY,
    Board,
    City,
    Zaibatsu,
    influence,
    objective_points,
    places,
    rank,
    reached,
    solo_goals_met,
)


def view(state: Zaibatsu, seat: int | None) -> dict[str, Any]:
    box = state.box
    return {
        "stage": state.stage,
        "active": state.active if state.stage in ("start", "turn") else None,
        "first": state.first,
        "round": state.round,
        "rounds": {"last": box.last_round, "bright": box.last_round - 2, "periods": list(box.period_ends)},
        "period": state.period,
        "places": _places(state),
        "paid": [list(row) for row in state.paid],
        "final_turns": state.final_turns,
        "regions": [_region(state, region) for region in range(len(box.regions))],
        "market_limit": state.sides,
        "hiring": [
            {"actions": list(actions), "workers": list(workers)}
            for actions, workers in zip(box.spaces, state.hiring, strict=True)
        ],
        "queue": [list(row) for row in state.queue],
        "bag": {colour: state.bag.count(colour) for colour in COLOURS},
        "destinations": [_destination(state, colour) for colour in box.destination],
        "factories": [_tile(box, tile) for tile in state.factories],
        "pairs": [_pair(box, a, b) for a, b in state.pairs],
        "boards": [_board(state, owner) for owner in range(state.players)],
        "common_goals": _common_goals(state),
        "automa": _automa(state),
        "printed": _printed(box),
    }


def _places(state: Zaibatsu) -> list[list[int | None]]:
    """Points for the places of each period; with two sides the second is not to be had."""
    rows: list[list[int | None]] = [list(row) for row in state.box.places]
    if state.sides == 2:
        for row in rows:
            row[1] = None
    return rows


def _region(state: Zaibatsu, region: int) -> dict[str, Any]:
    box = state.box
    totals, overseas = influence(state, region)
    won = places(state, region, state.period)
    what, n = box.region_bonus[region]
    return {
        "id": box.regions[region],
        "bonus": {"what": what, "n": n},
        "cities": [_city(box, at, state.cities[at]) for at in (2 * region, 2 * region + 1)],
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


def _city(box: Box, at: int, city: City) -> dict[str, Any]:
    return {
        "at": at,
        "sides": [
            {
                "good": city.goods[side],
                "overseas": box.overseas[at][side],
                "token": {"owner": token.owner, "value": token.value} if token else None,
            }
            for side, token in enumerate(city.tokens)
        ],
    }


def _destination(state: Zaibatsu, colour: str) -> dict[str, Any]:
    return {
        "id": state.box.destination[colour],
        "colour": colour,
        "expert": colour in state.experts,
        "ships": list(state.docks[colour]),
        "room": state.sides,
        "upgrades": state.upgrades[colour],
    }


def _tile(box: Box, tile: str) -> dict[str, Any]:
    row = box.tiles[tile]
    return {
        "tile": tile,
        "good": row.good,
        "level": row.level,
        "rd": row.rd,
        "coal": row.coal,
        "kind": row.row.kind,
        "action": row.row.action or None,
        "provenance": row.row.provenance or box.tables.factories.provenance,
    }


def _pair(box: Box, a: str, b: str) -> dict[str, Any]:
    return {"a": a, "vp": box.start_a[a].vp, "b": b, "gains": dict(box.start_b[b].gains)}


def _board(state: Zaibatsu, seat: int) -> dict[str, Any]:
    board, box = state.boards[seat], state.box
    things, money, _ = leftovers(board)
    return {
        "vp": board.vp,
        "parts": dict(board.parts),
        "coal": board.coal,
        "kept": board.kept,
        "silk": board.silk,
        "iron": board.iron,
        "money": board.money,
        "tracks": {track: getattr(board, track) for track in TRACKS},
        "income": {
            "coal": box.track["mining"].income[board.mining - 1],
            "money": box.track["finance"].income[board.finance - 1],
        },
        "built": {what: getattr(board, what) for what in BUILT},
        "workers": [{"colour": worker.colour, "expert": worker.expert} for worker in board.workers],
        "salary": SALARY * board.colours(),
        "departments_now": department_colours(state, board.workers),
        "departments": {
            colour: {
                "gains": box.department[colour][0],
                "n": box.department[colour][2 if colour in board.upgraded else 1],
                "upgraded": colour in board.upgraded,
            }
            for colour in COLOURS
        },
        "factories": [
            {**_tile(box, f.tile), "goods": f.goods, "machines": f.machines, "output": 0 if f.old else output(f)}
            for f in board.factories
        ],
        "factory_price": factory_price(board),
        "silk_for_level": [silk_for_rd(board, level.rd) for level in box.tables.levels.rows],
        "spare": {"machine": board.spare_machine, "goods": board.spare_goods},
        "tokens": list(board.hand),
        "locked": list(board.locked),
        "contracts": [
            {"id": row.id, "gives": row.gives, "level": row.level, "fulfilled": row.id in board.contracts}
            for row in box.contracts.values()
        ],
        "fulfilled": list(board.contracts),
        "favors": list(board.favors),
        "objectives": [_objective(state, seat, board, what) for what in OBJECTIVES],
        "leftovers": things + money,
        "start": list(board.start),
    }


def _objective(state: Zaibatsu, seat: int, board: Board, what: str) -> dict[str, Any]:
    level = board.objectives.get(what)
    return {
        "id": what,
        "favor": level,
        "vp": objective_points(state, seat, what, level) if level else None,
        "worth": [objective_points(state, seat, what, at) for at in (1, 2, 3)],
    }


def _common_goals(state: Zaibatsu) -> list[list[dict[str, Any]]]:
    return [
        [
            {"goal": goal, "leaders": leaders(state, goal), "counts": [reached(state, s, goal) for s in _seats(state)]}
            for goal in goals
        ]
        for goals in state.common_goals
    ]


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
        "rows": [list(row) for row in automa.rows],
        "trains": automa.trains,
        "ranks": [{"id": row.id, "from": row.at_least} for row in box.ranks],
        "rank": rank(state, state.boards[0].vp) if state.stage == "over" and not state.lost else None,
        "lost": state.lost,
    }


def _token(box: Box, token: str) -> dict[str, Any]:
    row = box.automa_action[token]
    return {"id": token, "space": row.space, "action": row.action, "arrow": row.arrow, "level": row.level}


def _printed(box: Box) -> dict[str, Any]:
    """What is printed on every zaibatsu board."""
    return {
        "tracks": {
            row.id: {
                "spaces": row.spaces,
                "thresholds": list(row.thresholds),
                "bonuses": dict(row.bonuses),
                "income": list(row.income),
            }
            for row in box.track.values()
        },
        "columns": [{"between": list(row.between), "bonuses": dict(row.bonuses)} for row in box.tables.columns.rows],
        "built_thresholds": list(box.built_thresholds),
        "worker_spaces": [{"favor": row.favor, "grey": row.grey} for row in box.worker_spaces],
        "points": {what: [list(row) for row in rows] for what, rows in box.points.items()},
        "favors": [{"lower": row.lower, "higher": row.higher} for row in box.favors],
        "levels": [
            {"rd": row.rd, "coal": row.coal, "influence": list(row.influence)} for row in box.tables.levels.rows
        ],
    }


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
    for seat, (then, now) in enumerate(zip(before["boards"], after["boards"], strict=True)):
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
    spots |= {f"good:{good}" for good, n in _goods(after).items() if n != _goods(before)[good]}
    for colour, row in after["departments"].items():
        if row != before["departments"][colour]:
            spots.add(f"department:{colour}")
    for name, row, mark in (("objective", "objectives", "favor"), ("contract", "contracts", "fulfilled")):
        for then, now in zip(before[row], after[row], strict=True):
            if then[mark] != now[mark]:
                spots.add(f"{name}:{now['id']}")
    return spots


def _goods(board: dict[str, Any]) -> Counter[str]:
    goods: Counter[str] = Counter()
    for factory in board["factories"]:
        goods[factory["good"]] += factory["goods"]
    return goods
