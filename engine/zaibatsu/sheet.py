"""A player's zaibatsu as data, and what is printed on every one. Players hide nothing here."""

from typing import Any

from engine.zaibatsu.box import BUILT, COLOURS, OBJECTIVES, TRACKS, Box
from engine.zaibatsu.consolidation import department_colours, salaries_missing
from engine.zaibatsu.factories import factory_price
from engine.zaibatsu.goods import output
from engine.zaibatsu.numbers import IRON_PRICE, MACHINE_PRICE, MARKET_VP, MONEY_PRICE, SALARY, STEP_PRICES
from engine.zaibatsu.scoring import leftovers
from engine.zaibatsu.state import Board, Zaibatsu, objective_points


def sheet(state: Zaibatsu, seat: int, now: int) -> dict[str, Any]:
    """`now`: what the regions would pay if the period ended."""
    board, box = state.boards[seat], state.box
    things, money, _ = leftovers(board)
    return {
        "vp": board.vp,
        "now": now,
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
        "consolidation": _consolidation(state, board),
        "departments": {
            colour: {
                "gains": box.department[colour][0],
                "n": box.department[colour][2 if colour in board.upgraded else 1],
                "better": box.department[colour][2],
                "upgraded": colour in board.upgraded,
            }
            for colour in COLOURS
        },
        "factories": [
            {**tile_face(box, f.tile), "goods": f.goods, "machines": f.machines, "output": 0 if f.old else output(f)}
            for f in board.factories
        ],
        "factory_price": factory_price(board),
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


def _consolidation(state: Zaibatsu, board: Board) -> dict[str, Any]:
    """What consolidating now would place, discard and bring, beside the income and the salaries, and what of these it
    could not pay."""
    spaces = state.box.worker_spaces
    return {
        "favor": spaces[len(board.workers) - 1].favor if board.workers else None,
        "coal": board.coal,
        "money": board.money,
        "brings": department_colours(state, board.workers),
        "missing": salaries_missing(state, board, board.workers),
    }


def _objective(state: Zaibatsu, seat: int, board: Board, what: str) -> dict[str, Any]:
    level = board.objectives.get(what)
    return {
        "id": what,
        "favor": level,
        "vp": objective_points(state, seat, what, level) if level else None,
        "worth": [objective_points(state, seat, what, at) for at in (1, 2, 3)],
    }


def tile_face(box: Box, tile: str) -> dict[str, Any]:
    """A factory as it is printed."""
    side = box.tiles[tile]
    row = side.row
    return {
        "tile": tile,
        "good": side.good,
        "level": side.level,
        "rd": side.rd,
        "coal": side.coal,
        "kind": row.kind,
        "action": row.action or None,
        "when": row.when,
        "gains": dict(row.gains),
        "offer": dict(row.offer),
        "effect": row.effect,
        "n": row.n,
        "of": row.of,
        "colour": row.colour,
        "provenance": row.provenance or box.tables.factories.provenance,
    }


def printed(box: Box) -> dict[str, Any]:
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
        "prices": {"steps": list(STEP_PRICES[1:]), "machine": MACHINE_PRICE, "iron": IRON_PRICE, "money": MONEY_PRICE},
        "salary": SALARY,
        "market_vp": MARKET_VP,
        "favors": [{"lower": row.lower, "higher": row.higher} for row in box.favors],
        "levels": [
            {"rd": row.rd, "coal": row.coal, "influence": list(row.influence)} for row in box.tables.levels.rows
        ],
    }
