"""The vocabulary in which the rules of a game are written.

A scene is a generator function over the state of a game: it changes the state and yields when somebody must
decide (`ask`), when hidden information is about to be shown (`REVEAL`), or when several seats decide at the same
time (`together`). Nothing here knows how a match is kept, stored or shown.
"""

from collections.abc import Generator, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET

from engine.chance import shuffled

T = TypeVar("T")


class Message(msgspec.Struct, frozen=True, gc=False):
    """Something to say: a key into the catalogue of words, and named arguments. Put into words at the edge."""

    key: str
    args: dict[str, Any] = {}


class later(partial[T]):
    """`later(foresee, state, seat)`: what only a reader wants to know, worked out when one looks, which must be while
    the question is open. Most questions are answered by a bot or in a replay, and nobody ever reads them."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, later) and (self.func, self.args) == (other.func, other.args)


Hints = later[Message] | later[Message | None]


class Option(msgspec.Struct, frozen=True, gc=False, rename={"_hint": "hint"}):
    """One legal choice. `id` is stable text, for saves and pages; `means` is what it stands for, plain data for the
    rule that asks and for the bot (the id itself where that says it all); `spots` names its places on the board.
    What it would bring is its hint, unless the question tells that of all its options alike.
    `leads`: it is only the first half of what a player has in mind, so a page may offer it in one touch with the
    answers to the question it leads to."""

    id: str
    label: Message
    _hint: Message | Hints | None = None
    spots: tuple[str, ...] = ()
    means: Any = UNSET
    leads: bool = False

    @property
    def hint(self) -> Message | None:
        return self._hint() if isinstance(self._hint, later) else self._hint

    @property
    def meaning(self) -> Any:
        return self.id if self.means is UNSET else self.means


class Gauge(NamedTuple):
    """A number worth watching: what is counted, whose it is (None: nobody's) and, if it has a place, where."""

    what: str
    seat: int | None = None
    spot: str = ""


class Change(NamedTuple):
    """What a choice would do to a gauge."""

    gauge: Gauge
    before: int
    after: int


class Blocked(msgspec.Struct, frozen=True, gc=False):
    """Something a player would look for that is not possible now, and why."""

    label: Message
    reason: Message


class Decision(msgspec.Struct, frozen=True, gc=False, rename={"_blocked": "blocked", "_hints": "hints"}):
    """A question to one seat. `secret`: never answered for the player, even if only one answer is left,
    because a skipped question would tell the table something. `rest`: defaults make sense for the whole run of
    questions with this prompt or with an equal `rest`, and this is what following them would do ("do the rest for
    me"). `main`: the id of the option that goes on without choosing anything more, which a page shows as the way
    on. `hints`: tells, by what it means, the hint of an option that has none of its own."""

    seat: int
    prompt: str
    options: Sequence[Option]
    default: str
    args: dict[str, Any] = {}
    _blocked: Sequence[Blocked] | later[list[Blocked]] = ()
    secret: bool = False
    rest: Message | None = None
    main: str = ""
    _hints: Hints | None = None

    @property
    def blocked(self) -> Sequence[Blocked]:
        return self._blocked() if isinstance(self._blocked, later) else self._blocked

    def hint(self, option: Option) -> Message | None:
        """What one of its options would bring."""
        return self._hints(option.meaning) if option.hint is None and self._hints else option.hint

    def worked_out(self) -> "Decision":
        """With hints and reasons as they are now, for whoever reads it when it is not open any more."""
        options = [msgspec.structs.replace(option, _hint=self.hint(option)) for option in self.options]
        return msgspec.structs.replace(self, options=options, _blocked=self.blocked, _hints=None)

    def option(self, id: str) -> Option:
        """The option of this id."""
        return next(option for option in self.options if option.id == id)

    def id_of(self, meaning: Any) -> str:
        """The id of the option that means this: how a bot or a standing order names what it has decided on."""
        return next(option.id for option in self.options if option.meaning == meaning)


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something that happened. `who`: the seats that may know it, None for everybody."""

    key: str
    args: dict[str, Any]
    who: tuple[int, ...] | None = None

    def known_to(self, seat: int | None) -> bool:
        return self.who is None or seat in self.who


class Together(msgspec.Struct, frozen=True):
    """Several seats decide at once, each in a scene of its own that touches nothing of the others."""

    scenes: dict[int, Generator[Decision, Any, Any]]


class Reveal(msgspec.Struct, frozen=True):
    """Yielded before hidden information is shown: no undo crosses it, and a draft ends here until it is sent. `last`:
    the turn ends with it, whatever comes to light."""

    last: bool = False


REVEAL = Reveal()
LAST_REVEAL = Reveal(last=True)

Scene = Generator[Any, Any, Any]


class State(msgspec.Struct, dict=True):
    """What every game's state begins with. Encoded between scenes; `log` and `box`, the component tables this match is
    played with, are attached to each state and never encoded, so they are no fields.

    `turn` counts the turns taken so far; a game's turn scene adds one when it begins."""

    log: ClassVar[list[Event]]
    box: ClassVar[Any]
    players: int
    options: dict[str, Any]
    seed: int
    draws: int
    turn: int = 0

    def tell(self, key: str, /, who: Iterable[int] | None = None, **args: Any) -> None:
        """Record an event for the log."""
        self.log.append(Event(key, args, None if who is None else tuple(who)))

    def attach(self, log: list[Event], box: Any) -> None:
        self.__dict__["log"] = log
        self.__dict__["box"] = box

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in an order that is a function of the seed and the number of draws so far."""
        self.draws += 1
        return shuffled(self.seed, self.draws, items)


def ask(
    seat: int,
    prompt: str,
    options: Sequence[Option],
    default: str,
    /,
    *,
    blocked: Sequence[Blocked] | later[list[Blocked]] = (),
    secret: bool = False,
    rest: Message | None = None,
    main: str = "",
    hints: Hints | None = None,
    **args: Any,
) -> Decision:
    """`choice = yield ask(...)`: what the chosen option means comes back."""
    return Decision(seat, prompt, options, default, args, blocked, secret, rest, main, hints)


def together(scenes: dict[int, Generator[Decision, Any, Any]]) -> Together:
    """`results = yield together({seat: scene, ...})`: a dict of what each scene returned comes back."""
    return Together(scenes)
