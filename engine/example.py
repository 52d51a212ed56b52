"""A turn to learn from: one that built-in players have really played, question by question, for a title's page of
rules. Knows no title by name."""

from functools import lru_cache
from typing import Any

import msgspec

from engine import GAMES
from engine.match import Match
from engine.scene import Decision, Event, Option


class Step(msgspec.Struct, frozen=True):
    """A question of that turn: what its seat saw, what was asked and chosen, and all that came of it."""

    view: dict[str, Any]
    decision: Decision
    chosen: Option
    events: list[Event]


@lru_cache(16)
def turn_of(kind: str, seed: int, turn: int, players: int = 0) -> list[Step]:
    """What was decided in this turn of the match with this seed, by the seat that had it; of as few players as the
    title takes, unless told."""
    match = Match.start(kind, players=players or GAMES[kind].players[0], seed=seed)
    steps: list[Step] = []
    while match.pending:
        decision = match.pending[0]
        if match.turn > turn or (steps and decision.seat != steps[0].decision.seat):
            break
        choice = match.bot_choice(decision.seat)
        if match.turn < turn:
            match.choose(decision.seat, choice)
            continue
        view, asked, told = match.view(decision.seat), _read(decision), len(match.events)
        match.choose(decision.seat, choice)
        events = [event for event in match.events[told:] if event.known_to(decision.seat)]
        steps.append(Step(view, asked, asked.option(choice), events))
    return steps


def _read(decision: Decision) -> Decision:
    """With hints and reasons worked out, which must be while the question is open."""
    options = [msgspec.structs.replace(option, _hint=option.hint) for option in decision.options]
    return msgspec.structs.replace(decision, options=options, _blocked=decision.blocked)
