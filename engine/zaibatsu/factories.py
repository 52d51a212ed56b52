"""Factories: what they cost, their effects when built, and how they modify actions (one factory per action)."""

from bisect import bisect
from collections.abc import Sequence, Set
from functools import cache
from typing import NamedTuple

from engine.scene import Blocked, Message, Option, Scene, ask
from engine.zaibatsu.box import BUILT, COLOURS, TRACKS, FactoryRow
from engine.zaibatsu.effects import resolve
from engine.zaibatsu.gains import Agenda, bonus_effect, costs, gain_effects, pay
from engine.zaibatsu.goods import put_goods
from engine.zaibatsu.numbers import CHEAPER, FACTORY_PRICE, RD_FOR_SILK
from engine.zaibatsu.pieces import buildable
from engine.zaibatsu.state import Board, Factory, Zaibatsu, thresholds_passed

NO_FACTORY: Set[str] = frozenset()
NONE = Option("none", Message("zaibatsu.modifier.none"), means=None)
NOT_NOW = Option("none", Message("zaibatsu.modifier.not_now"), Message("zaibatsu.hint.not_now"), means=None)


# Building (Factory action)


def factory_price(board: Board) -> int:
    return FACTORY_PRICE - CHEAPER if board.cheap else FACTORY_PRICE


def silk_for_rd(board: Board, needed: int) -> int | None:
    """Silk that lifts the R&D level for one building; None if three levels are not enough."""
    short = needed - board.rd
    if short <= 0:
        return 0
    return RD_FOR_SILK[short] if short < len(RD_FOR_SILK) else None


def within_reach(state: Zaibatsu, board: Board) -> Set[str]:
    """All factories that this board could build now, on offer or not. Silk serves as R&D first, then as money."""
    spare = board.purse() - factory_price(board)
    if spare < 0 or len(board.factories) >= state.box.slots:
        return NO_FACTORY
    return state.box.within_rd[board.rd + bisect(RD_FOR_SILK, min(board.silk, spare)) - 1]


def affordable(state: Zaibatsu, board: Board) -> list[str]:
    """The factories on offer that this board can build now."""
    within = within_reach(state, board)
    return [tile for tile in state.factories if tile in within]


def build(state: Zaibatsu, seat: int, tile: str) -> None:
    """Build a Factory, steps 1 and 2, with the machine or goods a Starting token kept for it."""
    board = state.boards[seat]
    lift = silk_for_rd(board, state.box.tiles[tile].rd) or 0
    board.silk -= lift
    pay(state, seat, factory_price(board))
    state.factories.remove(tile)
    board.factories.append(Factory(tile, 0, board.spare_machine))
    board.spare_machine = 0
    state.tell("zaibatsu.built_factory", seat=seat, tile=tile)
    if board.spare_goods:
        put_goods(state, seat, len(board.factories) - 1, board.spare_goods)
        board.spare_goods = 0


def factories_out_of_reach(state: Zaibatsu, board: Board, within: Sequence[str]) -> list[Blocked]:
    """Factories on offer that this board's R&D, silk and money do not reach."""
    tiles = state.box.tiles
    return [_too_high(tile, tiles[tile].rd, board.rd) for tile in state.factories if tile not in within]


def _too_high(tile: str, needs: int, rd: int) -> Blocked:
    reason = Message("zaibatsu.why.level", {"level": needs, "rd": rd})
    return Blocked(Message("zaibatsu.factory.build", {"tile": tile}), reason)


@cache
def factory_option(tile: str) -> Option:
    label = Message("zaibatsu.factory.build", {"tile": tile})
    return Option(f"build.{tile}", label, None, (f"factory:{tile}",), means=tile)


def factory_hint(state: Zaibatsu, board: Board, tile: str) -> Message:
    silk = silk_for_rd(board, state.box.tiles[tile].rd) or 0
    key = "zaibatsu.hint.build_silk" if silk else "zaibatsu.hint.build"
    return Message(key, {"prices": costs(board, factory_price(board)), "silk": silk, "effect": tile})


# Immediate effects


def immediate(state: Zaibatsu, seat: int, tile: str, worker: str) -> Scene:
    """Build a Factory, step 3. `worker` is the colour of the worker taken for the action."""
    row = state.box.tiles[tile].row
    if row.kind != "immediate":
        return
    agenda: Agenda = []
    if row.effect:
        agenda.extend(_immediate_effects(state, seat, row, worker))
    agenda.extend(gain_effects(row.gains.items()))
    if row.offer:
        agenda.append(("offer", tile, -1))
    yield from resolve(state, seat, agenda)


def _immediate_effects(state: Zaibatsu, seat: int, row: FactoryRow, worker: str) -> Agenda:
    board = state.boards[seat]
    effect = row.effect
    if effect == "red_or_white":
        return [("departments", "red", "white")]
    if effect == "worker_department":
        return [("department", worker)]
    if effect == "train_twice":
        return [("train", 2)]
    if effect == "goods_in":
        return [("goods_in", row.n)]
    if effect == "goods_here":
        put_goods(state, seat, len(board.factories) - 1, row.n)
        return []
    if effect == "machines_in":
        return [("machine", (), row.n - 1)]
    if effect == "machine_produces":
        return [("machine", (), 0, True)]
    if effect == "build_any":
        return [("build_any",)]
    if effect == "ship_department":
        return [("ship", True)]
    return _late_effects(state, board, row)


def _late_effects(state: Zaibatsu, board: Board, row: FactoryRow) -> Agenda:
    """Late-Game Factories: the better the condition is met when building, the more they give."""
    if row.effect == "by_favor":
        level = board.objectives.get(row.of, 0)
        return [("department", row.colour)] * (level - 1 if level > 1 else 0)
    if row.effect == "mining_departments":
        passed = [bonus for at, bonus in state.box.track_bonus["mining"].items() if at <= board.mining]
        return [bonus_effect(bonus) for bonus in passed if bonus == "any" or bonus in COLOURS]
    if row.effect == "money_per_machine":
        return [("gain", "money", min(row.n * board.machines, row.most))] if board.machines else []
    counted = {
        "vp_per_type": lambda: len({factory.good for factory in board.factories}),
        "vp_built_thresholds": lambda: sum(thresholds_passed(state, board, what) for what in BUILT),
        "vp_lower_thresholds": lambda: sum(thresholds_passed(state, board, what) > 0 for what in (*BUILT, *TRACKS)),
        "vp_track_thresholds": lambda: sum(thresholds_passed(state, board, what) for what in TRACKS),
    }[row.effect]()
    vp = row.n * counted
    return [("gain", "vp", min(vp, row.most) if row.most else vp)] if vp else []


# Action modifiers


class Modifier(NamedTuple):
    """A factory that is to modify an action: its place, its tile, and where it repeats a bonus the region of it."""

    at: int
    tile: str
    region: int | None = None


def modifiers_of(state: Zaibatsu, board: Board, action: str) -> list[Modifier]:
    """Own factories that modify this action."""
    tiles = state.box.tiles
    return [Modifier(at, own.tile) for at, own in enumerate(board.factories) if tiles[own.tile].action == action]


def pick_modifier(state: Zaibatsu, seat: int, met: Sequence[Modifier]) -> Scene:
    """Which of the factories whose condition is met shall modify this action. Asked only if there is a choice: who
    could have something for nothing takes it, but what builds may be declined."""
    if not met or (len(met) == 1 and not builds(state, state.boards[seat], met[0])):
        return met[0] if met else None
    options = list(map(modifier_option, met))
    return (yield ask(seat, "zaibatsu.modifier", [*options, NONE], options[0].id, main=NONE.id))


def modifier_option(modifier: Modifier) -> Option:
    label = Message("zaibatsu.modifier.use", {"tile": modifier.tile})
    hint = Message("zaibatsu.hint.effect", {"effect": modifier.tile})
    return Option(f"modifier.{modifier.at}", label, hint, (f"own_factory:{modifier.at}",), means=modifier)


def builds(state: Zaibatsu, board: Board, modifier: Modifier) -> bool:
    """Whether this modifier would build something: an expert wants a salary, a second machine iron."""
    gains = state.box.tiles[modifier.tile].row.gains
    return any(what in gains and buildable(state, board, what) for what in ("ship", "machine", "train"))


def use_modifier(state: Zaibatsu, seat: int, modifier: Modifier) -> None:
    state.tell("zaibatsu.modified", seat=seat, tile=modifier.tile)


def modifier_effects(state: Zaibatsu, modifier: Modifier, worker: str) -> Agenda:
    """What a modifier grants that does not depend on the course of the action."""
    row = state.box.tiles[modifier.tile].row
    if modifier.region is not None:
        return [("gain", *state.box.region_bonus[modifier.region])]
    if row.effect == "worker_department":
        return [("department", worker)]
    return gain_effects(row.gains.items())


def modify(state: Zaibatsu, seat: int, modifier: Modifier, worker: str) -> Scene:
    """Use a modifier whose gains are the same whatever the action did."""
    use_modifier(state, seat, modifier)
    yield from resolve(state, seat, modifier_effects(state, modifier, worker))


def modify_at_the_end(state: Zaibatsu, seat: int, met: Sequence[Modifier], worker: str) -> Scene:
    """The action is done: use one of the modifiers whose condition is met, if any."""
    modifier = yield from pick_modifier(state, seat, met)
    if modifier is not None:
        yield from modify(state, seat, modifier, worker)
