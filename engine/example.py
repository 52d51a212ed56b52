"""A turn to learn from: one that built-in players have really played, question by question, for a title's page of
rules; and a position of theirs, to see what a title looks like. Knows no title by name."""

from functools import lru_cache
from typing import Any

import msgspec

from engine import GAMES
from engine.match import Match
from engine.scene import Decision, Event, Option

SEED, ROUNDS = 7, 8  # of the position that is shown


class Step(msgspec.Struct, frozen=True):
    """A question of that turn: what its seat saw, what was asked and chosen, all that came of it until that seat was
    asked again or the turn was over, and what it saw then."""

    view: dict[str, Any]
    decision: Decision
    chosen: Option
    events: list[Event]
    after: dict[str, Any]


@lru_cache(16)
def turn_of(kind: str, seed: int, turn: int, players: int = 0) -> list[Step]:
    """What was decided in this turn of the match with this seed, by the seat that had it; of as few players as the
    title takes, unless told."""
    match = Match.start(kind, players=players or GAMES[kind].players[0], seed=seed)
    while match.pending and match.turn < turn:
        _play(match)
    seat, steps = match.pending[0].seat, list[Step]()
    while match.pending and match.turn == turn:
        view, asked, told = match.view(seat), match.pending[0].worked_out(), len(match.events)
        chosen = asked.option(_play(match))
        while match.pending and match.turn == turn and match.pending[0].seat != seat:
            _play(match)
        events = [event for event in match.events[told:] if event.known_to(seat)]
        steps.append(Step(view, asked, chosen, events, match.view(seat)))
    return steps


@lru_cache(16)
def position(kind: str) -> dict[str, Any]:
    """The middle of a match of as many as the title takes, as everybody may see it."""
    players = GAMES[kind].players[-1]
    match = Match.start(kind, players=players, seed=SEED)
    while match.pending and match.turn < ROUNDS * players:
        _play(match)
    return match.view(None)


def _play(match: Match) -> str:
    """As a built-in player would; what it chose."""
    seat = match.pending[0].seat
    choice = match.bot_choice(seat)
    match.choose(seat, choice)
    return choice
