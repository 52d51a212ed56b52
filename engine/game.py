"""What a title in the catalogue consists of. A game's folder fills in one `Game`; the match plays it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from engine.scene import Decision, Gauge, Message, Scene, State


class BadOptions(ValueError):
    """The options, standing orders or the number of players asked for do not exist. The text says what does."""


class OptionsClash(BadOptions):
    """Each of the options exists, but these are not played together, or not by so many."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.key)
        self.reason = reason


class Setting(msgspec.Struct, frozen=True):
    """An option a game can be played with. Its type is the type of its default; `choices` limits the values; `alone`:
    it says something only about a game of one player."""

    id: str
    default: bool | str
    choices: tuple[str, ...] = ()
    alone: bool = False

    def read(self, value: Any) -> bool | str:
        if isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            raise BadOptions(f"option {self.id} is yes or no (true or false), not {value!r}")
        if value in self.choices:
            return str(value)
        raise BadOptions(f"option {self.id} is one of {', '.join(self.choices)}, not {value!r}")


class StandingOrder(msgspec.Struct, frozen=True):
    """A question that a seat may answer in advance, for when it comes up in somebody else's turn."""

    id: str
    choices: tuple[str, ...]
    default: str = "ask"

    def read(self, value: Any) -> str:
        if value in self.choices:
            return str(value)
        raise BadOptions(f"standing order {self.id} is one of {', '.join(self.choices)}, not {value!r:.80}")


class OrderDoesNotFit(Exception):
    """There is an order for this question, but the position is not one that it was given for. For its owner only."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.key)
        self.reason = reason


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


@dataclass
class Old:
    """A match saved under older rules: its state at the beginning of the scene as plain data, and the choices made in
    it since, as (seat, option id). A mend changes them to what the next rules would have written."""

    state: dict[str, Any]
    choices: list[tuple[int, str]]


Mend = Callable[[Old], None]


def nothing_changes(old: Old) -> None:
    """The mend for rules that were corrected without any change to what a save holds."""


class Balance(Protocol):
    """A title's module balance: what matches of equal bots say about its components."""

    def simulate(self, players: int, seeds: Iterable[int], options: Mapping[str, Any], /) -> Any:
        """The figures of these matches."""

    def report(self, figures: Any, /) -> str:
        """The figures as text, for people."""

    def complaints(self, figures: Any, /) -> list[str]:
        """Where the balance bar does not hold; empty when it does."""


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
    gauges    the numbers worth watching while one chooses (points, money, goods, influence in a place), as far as the
              seat may know them: what a choice would change is told by comparing them before and after it
    foresee   what a choice, by what it means, adds to gauges, where that can be told without making it: for questions
              with many options
    settings_clash  a reason why these options cannot be combined for this number of players, or None
    older     what a save of rules n needs to become one of rules n + 1, by n; matches of rules without it cannot go on
    balance   the report of how well balanced the components are, for a title that has one
    dialect   the option whose value names the title's dialect of the catalogue of words
    orders    the questions that a seat may answer in advance
    follow    the option id that a seat's orders (complete, as `read_orders` gives them) choose in this decision, by
              what the seat may know; None when it is to be asked, always so in its own turn. OrderDoesNotFit says why
              an order cannot be followed
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
    gauges: Callable[[Any, int], Mapping[Gauge, int]] | None = None
    foresee: Callable[[Any, int, Any], Mapping[Gauge, int] | None] | None = None
    settings_clash: Callable[[int, Mapping[str, Any]], Message | None] = field(default=lambda players, options: None)
    older: Mapping[int, Mend] = field(default_factory=dict)
    balance: Balance | None = None
    dialect: str = ""
    orders: tuple[StandingOrder, ...] = ()
    follow: Callable[[Any, Decision, Mapping[str, str]], str | None] = field(
        default=lambda state, decision, orders: None
    )

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
            raise OptionsClash(clash)
        return values

    def dialect_of(self, options: Mapping[str, Any]) -> str:
        """The dialect of the catalogue that a match with these options is told in; the plain words if it has none."""
        return str(options.get(self.dialect, ""))

    def still_orders(self, given: Mapping[str, str]) -> dict[str, str]:
        """What is left of standing orders that were given under other rules: those that can still be given."""
        return {order.id: given[order.id] for order in self.orders if given.get(order.id) in order.choices}

    def read_orders(self, given: Mapping[str, Any] | None) -> dict[str, str]:
        """All standing orders with what is chosen for each; BadOptions names what is wrong."""
        given = dict(given or {})
        chosen = {order.id: order.read(given.pop(order.id, order.default)) for order in self.orders}
        if given:
            known = ", ".join(chosen) or "none"
            unknown = ", ".join(f"{name!s:.80}" for name in given)
            raise BadOptions(f"{self.title} has no standing order {unknown} (it has: {known})")
        return chosen
