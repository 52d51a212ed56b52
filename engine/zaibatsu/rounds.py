"""The end of a turn, of a round and of a period: workers move up, regions score, Common Goals reward."""

from typing import Any

from engine.scene import LAST_REVEAL, Message, Option, Scene, ask, together
from engine.zaibatsu.effects import resolve
from engine.zaibatsu.gains import Agenda
from engine.zaibatsu.numbers import FINAL_ROUNDS, HIRING_ROOM
from engine.zaibatsu.state import AUTOMA, Zaibatsu, draw_workers, fill_queue, reached, standing


def finish_turn(state: Zaibatsu) -> None:
    """Running out of workers: empty hiring spaces take the next row of the queue; if there is none, the round ends.
    So it does when nobody can do anything. In the final rounds everybody has one turn a round instead."""
    state.step = ""
    if state.active < state.players:
        state.boards[state.active].last_turn = state.turn
    stuck = not all(state.hiring) and not _refill(state)
    if state.final_turns:
        state.final_turns -= 1
        ends = state.final_turns % state.sides == 0
    else:
        ends = stuck or state.passes >= state.players
    if ends:
        state.stage = "round"
    else:
        pass_on(state)


def _refill(state: Zaibatsu) -> bool:
    """Bring the next rows of the queue to the empty hiring spaces: whether there was one for each."""
    for space in state.hiring:
        if not space:
            if not state.queue:
                return False
            space.extend(state.queue.pop(0))
    return True


def what_ends(state: Zaibatsu, space: int) -> str:
    """What ends after a turn that takes a worker of this hiring space, if nobody is left to follow: a round, or with it
    a period. In the final rounds nothing does."""
    empty = sum(not workers for workers in state.hiring) + (len(state.hiring[space]) == 1)
    if state.final_turns or empty <= len(state.queue):
        return ""
    return "period" if state.round in state.box.period_ends else "round"


def pass_on(state: Zaibatsu) -> None:
    """The turn goes to the left."""
    state.active = (state.active + 1) % state.sides
    state.stage = "automa" if state.automa is not None and state.active == AUTOMA else "turn"


def end_of_round(state: Zaibatsu) -> Scene:
    """End of the round, steps 1 to 5."""
    box = state.box
    if state.round in box.period_ends:
        score_influence(state)
        if state.common_goals:
            yield from _reward(state)
        if state.round == box.last_round:
            state.stage = "final"
            return
    filling = not state.final_rounds
    state.round += 1
    state.tell("zaibatsu.round", n=state.round)
    if filling:
        if state.final_rounds:
            state.final_turns = FINAL_ROUNDS * state.sides
            state.tell("zaibatsu.final_rounds")
        yield LAST_REVEAL
        _hire(state)
    pass_on(state)


def _hire(state: Zaibatsu) -> None:
    """Steps 3 and 4: one worker to each space that has room, then the queue as in the set-up."""
    short = [space for space in state.hiring if len(space) < HIRING_ROOM]
    for space, colour in zip(short, draw_workers(state, len(short)), strict=False):
        space.append(colour)
    fill_queue(state)


def score_influence(state: Zaibatsu) -> None:
    """Influence Scoring, region by region from left to right; then what it came to for each."""
    state.paid.append([0] * state.players)
    earned: list[list[dict[str, Any]]] = [[] for _ in state.boards]
    for region, name in enumerate(state.box.regions):
        totals, overseas, won = standing(state, region)
        for seat, board in enumerate(state.boards):
            if totals[seat]:
                board.score("influence", won[seat])
                state.paid[-1][seat] += won[seat]
            if totals[seat] and won[seat]:
                earned[seat].append({"key": "zaibatsu.scored_in", "args": {"place": name, "vp": won[seat]}})
        state.tell("zaibatsu.scored_region", place=name, standings=_standings(state, totals, overseas, won))
    for seat, regions in enumerate(earned):
        if regions:
            state.tell("zaibatsu.scored_influence", seat=seat, vp=state.paid[-1][seat], regions=regions)


def _standings(state: Zaibatsu, totals: list[int], overseas: int, won: list[int]) -> list[dict[str, Any]]:
    """Who has how much in a region and what it earns, the most first, to be said."""
    said: list[tuple[int, dict[str, Any]]] = []
    for owner, total in enumerate(totals):
        if owner < state.players:
            said.append((total, {"key": "zaibatsu.standing", "args": {"seat": owner, "n": total, "vp": won[owner]}}))
        else:
            said.append((total, {"key": "zaibatsu.standing.automa", "args": {"n": total}}))
    said.append((overseas, {"key": "zaibatsu.standing.overseas", "args": {"n": overseas}}))
    said.sort(key=lambda entry: -entry[0])
    return [message for total, message in said if total]


# Common Goals module


def leaders(state: Zaibatsu, goal: str) -> list[int]:
    """Those who lead in a goal or share the lead. Having none of something leads nothing."""
    counts = [reached(state, seat, goal) for seat in range(state.players)]
    best = max(counts)
    return [seat for seat, count in enumerate(counts) if count == best and best > 0]


def _reward(state: Zaibatsu) -> Scene:
    """Common Goals: periods I and II let each leader choose, all at once; period III pays by the goal's place."""
    period = state.period
    goals = state.common_goals[period]
    led = {goal: leaders(state, goal) for goal in goals}
    for goal in goals:
        for seat in led[goal]:
            state.tell("zaibatsu.leads", seat=seat, goal=goal)
    if period == len(state.box.rewards):
        for place, goal in enumerate(goals):
            for seat in led[goal]:
                vp = state.box.last_rewards[place]
                state.boards[seat].score("goals", vp)
                state.tell("zaibatsu.gained", seat=seat, n=vp, what="vp")
        return
    scenes = {}
    for seat in range(state.players):
        mine = [goal for goal in goals if seat in led[goal]]
        if mine:
            scenes[seat] = _choose_rewards(state, seat, mine)
    yield together(scenes)


def _choose_rewards(state: Zaibatsu, seat: int, goals: list[str]) -> Scene:
    row = state.box.rewards[state.period]
    options = [
        Option("reward.vp", Message("zaibatsu.reward.vp", {"n": row.vp}), means="vp"),
        Option("reward.finance", Message("zaibatsu.reward.finance", {"n": row.finance}), means="finance"),
        Option("reward.department", Message(f"zaibatsu.reward.department.{row.department}"), means="department"),
    ]
    for goal in goals:
        choice = yield ask(seat, "zaibatsu.reward", options, options[0].id, goal=goal)
        if choice == "vp":
            state.boards[seat].score("goals", row.vp)
            state.tell("zaibatsu.gained", seat=seat, n=row.vp, what="vp")
            continue
        agenda: Agenda = [("any", row.department == "basic")]
        if choice == "finance":
            agenda = [("advance", "finance", row.finance)]
        yield from resolve(state, seat, agenda)
