"""Department bonuses: fixed, of the player's choice, and the steps of the Innovation Department."""

from functools import cache

from engine.scene import Message, Option, Scene, ask, later
from engine.zaibatsu.box import COLOURS, Box
from engine.zaibatsu.gains import Agenda, advance, along, amounts, gain, income_at, on_the_way, thresholds_met
from engine.zaibatsu.state import Board, Zaibatsu


def department(state: Zaibatsu, seat: int, colour: str, upgraded: bool, agenda: Agenda) -> None:
    """Department bonuses."""
    what, basic, better = state.box.department[colour]
    n = better if upgraded else basic
    if what == "steps":
        agenda.insert(0, ("steps", n))
    else:
        gain(state, seat, what, n)


def department_gives(state: Zaibatsu, board: Board, colour: str) -> tuple[str, int]:
    """What and how much this board's Department gives now."""
    what, basic, better = state.box.department[colour]
    return what, better if colour in board.upgraded else basic


def any_department(state: Zaibatsu, seat: int, agenda: Agenda, basic: bool = False) -> Scene:
    """Any Department bonus of the player's choice."""
    upgraded = () if basic else state.boards[seat].upgraded
    options = [_department_option(c, c in upgraded, *state.box.department[c]) for c in COLOURS]
    colour, better = yield ask(seat, "zaibatsu.department", options, options[COLOURS.index("yellow")].id)
    department(state, seat, colour, better, agenda)


def one_of_departments(state: Zaibatsu, seat: int, agenda: Agenda, *colours: str) -> Scene:
    """A Department bonus among a few."""
    upgraded = state.boards[seat].upgraded
    options = [_department_option(c, c in upgraded, *state.box.department[c]) for c in colours]
    colour, better = yield ask(seat, "zaibatsu.department", options, options[0].id)
    department(state, seat, colour, better, agenda)


@cache
def _department_option(colour: str, upgraded: bool, what: str, basic: int, better: int) -> Option:
    return Option(
        f"department.{colour}",
        Message("zaibatsu.department.colour", {"colour": colour}),
        Message("zaibatsu.hint.gain", {"gains": amounts(((what, better if upgraded else basic),))}),
        (f"department:{colour}",),
        means=(colour, upgraded),
    )


def innovation(state: Zaibatsu, seat: int, agenda: Agenda, n: int) -> Scene:
    """Innovation Department: steps on R&D or Mining, split as liked. Steps past the end of a track are not offered
    while others can be taken."""
    board, last = state.boards[seat], state.box.last_space
    room_rd, room_mining = last["rd"] - board.rd, last["mining"] - board.mining
    n = min(n, room_rd + room_mining)
    ways = [(rd, n - rd) for rd in range(n, -1, -1) if rd <= room_rd and n - rd <= room_mining]
    if n == 0:
        return
    options = [_steps_option(rd, mining, board.rd + rd, board.mining + mining) for rd, mining in ways]
    hints = later(_steps_hint, state.box, board)
    rd, mining = yield ask(seat, "zaibatsu.innovation", options, options[0].id, hints=hints)
    if rd:
        advance(state, seat, "rd", rd, agenda)
    if mining:
        advance(state, seat, "mining", mining, agenda)


@cache
def _steps_option(rd: int, mining: int, to_rd: int, to_mining: int) -> Option:
    key = "zaibatsu.innovation.rd" if not mining else "zaibatsu.innovation.mining" if not rd else ""
    label = Message(key or "zaibatsu.innovation.both", {"n": rd or mining})
    spots = (*((f"track:rd:{to_rd}",) if rd else ()), *((f"track:mining:{to_mining}",) if mining else ()))
    return Option(f"steps.{rd}.{mining}", label, None, spots, means=(rd, mining))


def _steps_hint(box: Box, board: Board, steps: tuple[int, int]) -> Message:
    rd, mining = steps
    to_rd, to_mining = board.rd + rd, board.mining + mining
    bonuses = on_the_way(box, "rd", board.rd, to_rd) + on_the_way(box, "mining", board.mining, to_mining)
    income = income_at(box, "mining", to_mining) if mining else 0
    more = along(box, board.upgraded, "mining", income, bonuses)
    more += thresholds_met(box, "rd", board.rd, to_rd) + thresholds_met(box, "mining", board.mining, to_mining)
    args = {"rd": to_rd, "mining": to_mining}
    if more:
        return Message("zaibatsu.hint.innovation_more", {**args, "more": more})
    return Message("zaibatsu.hint.innovation", args)
