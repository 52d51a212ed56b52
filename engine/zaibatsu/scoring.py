"""The end of the game: the final consolidation of all at once, the final scoring, the ranking."""

from itertools import compress
from typing import Any

from engine.game import Result, Standing
from engine.scene import Scene, together
from engine.zaibatsu.box import OBJECTIVES
from engine.zaibatsu.consolidation import clean_up, consolidate
from engine.zaibatsu.numbers import MONEY_A_POINT, THINGS_A_POINT
from engine.zaibatsu.state import Board, Zaibatsu, objective_points, rank, reached, solo_goals_met


def the_end(state: Zaibatsu) -> Scene:
    """Final Consolidation and Final Scoring. A solo player who missed a goal has lost before them."""
    if state.automa is not None and not all(solo_goals_met(state)):
        state.lost = True
        state.stage = "over"
        missed = compress(state.automa.goals, (not met for met in solo_goals_met(state)))
        state.tell("zaibatsu.lost_by", seat=0, goals=[_missed(state, goal) for goal in missed])
        return
    yield together({seat: consolidate(state, seat, "final") for seat in range(state.players)})
    for seat in range(state.players):
        clean_up(state, seat)
        final_scoring(state, seat)
    state.stage = "over"
    if state.automa is not None:
        vp = state.boards[0].vp
        state.tell("zaibatsu.won_solo", seat=0, vp=vp, rank=rank(state, vp))
    else:
        winner = result(state).ranking[0]
        state.tell("zaibatsu.over", seat=winner.seat, vp=winner.score)


def leftovers(board: Board) -> tuple[int, int, int]:
    """Resources, Goods and Money Scoring: points for things, points for money, and the silk sold first to make the
    most of both."""
    things = board.all_coal() + board.iron + board.goods()
    best = (0, 0, 0)
    for sold in range(board.silk + 1):
        points = (things + board.silk - sold) // THINGS_A_POINT, (board.money + sold) // MONEY_A_POINT, sold
        if sold == 0 or points[0] + points[1] > best[0] + best[1]:
            best = points
    return best


def _missed(state: Zaibatsu, goal: str) -> dict[str, Any]:
    args = {"goal": goal, "n": reached(state, 0, goal), "needs": state.box.solo_goal[goal]}
    return {"key": "zaibatsu.missed_goal", "args": args}


def final_scoring(state: Zaibatsu, seat: int) -> None:
    board = state.boards[seat]
    earned = [
        (what, objective_points(state, seat, what, level))
        for what in OBJECTIVES
        if (level := board.objectives.get(what, 0))
    ]
    total = sum(vp for _, vp in earned)
    board.score("objectives", total)
    said = [{"key": "zaibatsu.scored_objective", "args": {"objective": what, "vp": vp}} for what, vp in earned if vp]
    state.tell("zaibatsu.scored_objectives", seat=seat, vp=total, objectives=said)
    things, money, sold = leftovers(board)
    board.silk -= sold
    board.money += sold
    board.score("leftovers", things + money)
    state.tell("zaibatsu.scored_leftovers", seat=seat, vp=things + money)


def scores(state: Zaibatsu) -> list[int]:
    return [board.vp for board in state.boards]


def result(state: Zaibatsu) -> Result:
    """Most points win; among equals who took their final turn last. Solo: won or lost by the goals."""
    if state.automa is not None:
        return Result([Standing(0, 2 if state.lost else 1, state.boards[0].vp, _parts(state, 0))])
    order = sorted(range(state.players), key=lambda seat: (state.boards[seat].vp, state.boards[seat].last_turn))
    return Result(
        [
            Standing(seat, place, board.vp, _parts(state, seat), {"last_turn": board.last_turn})
            for place, seat in enumerate(reversed(order), 1)
            if (board := state.boards[seat])
        ]
    )


PARTS = ("start", "bonuses", "influence", "goals", "salaries", "objectives", "leftovers")


def _parts(state: Zaibatsu, seat: int) -> dict[str, int]:
    """The same kinds for everybody, points or none."""
    played = [part for part in PARTS if part != "goals" or state.common_goals]
    return {part: state.boards[seat].parts.get(part, 0) for part in played}
