"""Every table that can be sat down at: each game, with each number of players and each value of each option."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

import msgspec

from engine import GAMES, Game, Match
from engine.match import Saved
from engine.scene import Decision

THOROUGH = os.environ.get("HIKYAKU_THOROUGH") == "1"  # make thorough: look at everything, everywhere
EVERY = 1 if THOROUGH else 7  # positions looked at in the costly tests: one in so many


@dataclass(frozen=True)
class Table:
    game: Game
    players: int
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "-".join([self.game.id, str(self.players), *(f"{k}={v}" for k, v in self.options.items())])

    def start(self, seed: int) -> Match:
        return Match.start(self.game.id, players=self.players, seed=seed, options=self.options)

    def load(self, snapshot: bytes) -> Match:
        """A match at the start of a scene."""
        return Match(self.game, snapshot, self.game.load_box(None))


def tables() -> Iterator[Table]:
    """The defaults, and every other value of every option, one at a time."""
    for game in GAMES.values():
        defaults = {setting.id: setting.default for setting in game.options}
        for players in game.players:
            if not game.settings_clash(players, defaults):
                yield Table(game, players)
            for setting in game.options:
                for value in setting.choices or (not setting.default,):
                    options = {setting.id: value}
                    if value != setting.default and not game.settings_clash(players, defaults | options):
                        yield Table(game, players, options)


def combined() -> Iterator[Table]:
    """Several options at another value than usual, wherever they can be played together."""
    for game in GAMES.values():
        defaults = {setting.id: setting.default for setting in game.options}
        choices = [setting.choices or (False, True) for setting in game.options]
        for players, values in product(game.players, product(*choices)):
            options = {name: value for name, value in zip(defaults, values, strict=True) if value != defaults[name]}
            if len(options) > 1 and not game.settings_clash(players, defaults | options):
                yield Table(game, players, options)


TABLES = list(tables())
COMBINED = list(combined())


def pick(random: Random, match: Match) -> tuple[int, str]:
    """Any choice of any seat that is asked."""
    decision = random.choice(match.pending)
    return decision.seat, random.choice(decision.options).id


def copy_of(match: Match) -> Match:
    return Match.load(match.save())


def scene_start(match: Match) -> bytes:
    """The snapshot the current scene began with: a new one means that the scene is over."""
    return msgspec.msgpack.decode(match.save(), type=Saved).snapshot


def choices_since(match: Match) -> list[tuple[int, str]]:
    return msgspec.msgpack.decode(match.save(), type=Saved).choices


def observers(match: Match) -> list[int | None]:
    return [None, *range(match.players)]


def looking(match: Match, step: int) -> list[int | None]:
    """Who looks at the match at this step: all of them in turn, and all at once at one step in so many."""
    everybody = observers(match)
    return everybody if step % EVERY == 0 else [everybody[step % len(everybody)]]


def asked(match: Match, seat: int | None) -> list[Decision]:
    return [decision for decision in match.pending if decision.seat == seat]


def all_a_seat_gets(match: Match, seat: int | None, since: int = 0) -> list[Any]:
    """The view, the questions to this seat, and the events it may know. What an option means is for the rules and the
    bot, and leaves the engine only as the option's id."""
    events = [event for event in match.events[since:] if event.known_to(seat)]
    questions = msgspec.to_builtins([decision.worked_out() for decision in asked(match, seat)])
    for question in questions:
        del question["hints"]  # each option has its own by now
        for option in question["options"]:
            option.pop("means", None)
    return [match.view(seat), questions, msgspec.to_builtins(events)]


def everything(match: Match, since: int = 0, seats: Sequence[int | None] | None = None) -> bytes:
    """What these get, or anybody: two matches with the same text look the same to them."""
    return b"\n".join(msgspec.json.encode(all_a_seat_gets(match, seat, since)) for seat in seats or observers(match))
