"""What a title in the catalogue consists of. A game's folder fills in one `Game`; the match plays it."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from engine.scene import Decision, Scene, State


class BadOptions(ValueError):
    """The options or the number of players asked for do not exist. The text says what does."""


class Setting(msgspec.Struct, frozen=True):
    """An option a game can be played with. Its type is the type of its default; `choices` limits the values."""

    id: str
    default: bool | str
    choices: tuple[str, ...] = ()

    def read(self, value: Any) -> bool | str:
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            raise BadOptions(f"option {self.id} is yes or no (true or false), not {value!r}")
        if value in self.choices:
            return str(value)
        raise BadOptions(f"option {self.id} is one of {', '.join(self.choices)}, not {value!r}")


class Standing(msgspec.Struct, frozen=True):
    """A seat's place in the final ranking, its score by category, and what broke a tie."""

    seat: int
    place: int
    score: int
    parts: dict[str, int]
    tiebreak: dict[str, int] = {}


class Result(msgspec.Struct, frozen=True):
    """The end of a match: best first; seats that share the first place have all won."""

    ranking: list[Standing]

    @property
    def winners(self) -> list[int]:
        return [s.seat for s in self.ranking if s.place == 1]


@dataclass(frozen=True)
class Game:
    """One title. All functions are plain functions over its state.

    setup     a new state, ready for the first scene (draws from the state's chance, asks nobody)
    scene     the scene to play next, or None when the game is over
    view      what a seat may see (None: a spectator), JSON-able, by whitelist
    scores    the score of every seat, hidden points included: for the chart of a finished match, never before
    result    the final result, once `scene` has said None
    bot       the built-in player: an option id, chosen by what its seat may know
    scramble  permutes in place what a seat may not know: the conformance suite's proof that nothing leaks
    census    counts every component in the state: the same number at any time
    changes   the spots on the board that differ between two views of the same seat, for "what is new"
    settings_clash  a reason why these options cannot be combined for this number of players, or None
    """

    id: str
    title: str
    players: range
    options: tuple[Setting, ...]
    rules: int
    state: type[State]
    load_box: Callable[[str | None], Any]
    setup: Callable[..., None]
    scene: Callable[[Any], Scene | None]
    view: Callable[[Any, int | None], dict[str, Any]]
    scores: Callable[[Any], list[int]]
    result: Callable[[Any], Result]
    bot: Callable[[Any, Decision], str]
    scramble: Callable[[Any, int | None, Callable[[list[Any]], list[Any]]], None]
    census: Callable[[Any], Counter[str]]
    changes: Callable[[dict[str, Any], dict[str, Any]], set[str]] = field(default=lambda before, after: set())
    settings_clash: Callable[[int, Mapping[str, Any]], str | None] = field(default=lambda players, options: None)

    def read_options(self, players: int, given: Mapping[str, Any] | None) -> dict[str, Any]:
        """All options with their values; BadOptions names what is wrong."""
        if not isinstance(players, int) or players not in self.players:
            low, high = self.players[0], self.players[-1]
            raise BadOptions(f"{self.title} is for {low} to {high} players, not {players!r}")
        given = dict(given or {})
        values = {s.id: s.read(given.pop(s.id, s.default)) for s in self.options}
        if given:
            known = ", ".join(values) or "none"
            raise BadOptions(f"{self.title} has no option {', '.join(map(str, given))} (it has: {known})")
        if clash := self.settings_clash(players, values):
            raise BadOptions(clash)
        return values
