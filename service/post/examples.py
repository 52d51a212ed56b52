"""A turn of a real match, for a page of rules to tell and to draw: built-in players lead to it, so what it shows is
what the engine does. Each is played once in the life of a process; it is put into words for whoever reads the page."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from engine import Decision, Event, Match
from service.post import words

NAMES = ("Aiko", "Bruno", "Chidi", "Dana")


@dataclass(frozen=True)
class Player:
    """Somebody at the table, as boards draw them."""

    no: int
    name: str
    me: bool


@dataclass(frozen=True)
class Asked:
    """A question of the turn, what else could be answered, and what was."""

    decision: Decision
    hints: tuple[Any, ...]
    choice: str

    @property
    def prompt(self) -> str:
        return words.prompt(self.decision, NAMES)

    @property
    def tip(self) -> str:
        return words.tip(self.decision)

    @property
    def options(self) -> list[tuple[str, str, bool]]:
        """Label, hint, and whether it was chosen."""
        return [
            (
                words.tell(option.label, NAMES),
                words.tell(hint, NAMES) if hint else "",
                option.id == self.choice,
            )
            for option, hint in zip(self.decision.options, self.hints, strict=True)
        ]


@dataclass(frozen=True)
class Example:
    """`before` and `after` are views of the seat whose turn it is."""

    seat: int
    before: dict[str, Any]
    after: dict[str, Any]
    asked: tuple[Asked, ...]
    events: tuple[Event, ...]

    @property
    def people(self) -> list[Player]:
        return [Player(no, NAMES[no], no == self.seat) for no in range(self.before["players"])]

    @property
    def name(self) -> str:
        return NAMES[self.seat]

    @property
    def lines(self) -> list[str]:
        return [words.tell(event, NAMES) for event in self.events if event.known_to(self.seat)]


@cache
def example(kind: str, players: int, seed: int, turn: int) -> Example:
    """The turn of this number, as built-in players play it."""
    match = Match.start(kind, players=players, seed=seed)
    while match.turn < turn:
        _play(match)
    seat, before, told, asked = match.pending[0].seat, match.view(match.pending[0].seat), len(match.events), []
    while match.pending and match.turn == turn:
        decision = match.pending[0]
        choice = match.bot_choice(decision.seat)
        if decision.seat == seat:
            asked.append(Asked(decision, tuple(option.hint for option in decision.options), choice))
        match.choose(decision.seat, choice)
    return Example(seat, before, match.view(seat), tuple(asked), tuple(match.events[told:]))


def _play(match: Match) -> None:
    decision = match.pending[0]
    match.choose(decision.seat, match.bot_choice(decision.seat))
