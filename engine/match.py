"""A match in progress: (snapshot at the start of the scene, choices made since).

Resuming, undoing and validating are one and the same thing: decode the snapshot and replay a handful of choices.
The cost of a move is flat, however long the game. Knows no game by name.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import msgspec

from engine.game import Game, Old, Result
from engine.scene import Change, Decision, Event, Gauge, Reveal, Scene, State, Together
from engine.shapes import learning


class IllegalChoice(Exception):
    """This seat cannot choose that now. The text tells a person why; the match is unchanged."""


class UnknownSave(ValueError):
    """The bytes are no match that this version can play on."""


class OlderRules(UnknownSave):
    """A match that was begun under rules from which no mend leads to those of today."""


class Saved(msgspec.Struct, array_like=True):
    """What `save` writes: small, and the same size early and late in a game."""

    game: str
    rules: int
    snapshot: bytes
    choices: list[tuple[int, str]]


_encode = msgspec.msgpack.Encoder().encode
_decode_saved = msgspec.msgpack.Decoder(Saved).decode
_decoders: dict[type[State], Any] = {}


def _decode_state(kind: type[State], data: bytes) -> State:
    if kind not in _decoders:
        with learning:
            _decoders[kind] = msgspec.msgpack.Decoder(kind).decode
    state: State = _decoders[kind](data)
    return state


def _mended(saved: Saved, title: Game) -> Saved:
    """The save as the rules of today would have written it: mended step by step from the rules it was written under."""
    if saved.rules == title.rules:
        return saved
    steps = range(saved.rules, title.rules)
    if not steps or any(rules not in title.older for rules in steps):
        raise OlderRules(f"saved under rules {saved.rules} of {title.title}; those of today are {title.rules}")
    old = Old(msgspec.msgpack.decode(saved.snapshot), saved.choices)
    for rules in steps:
        try:
            title.older[rules](old)
        except (LookupError, TypeError, ValueError) as error:  # a save that its mend was not written for
            raise OlderRules(f"the mend from rules {rules} of {title.title} failed: {error!r}") from error
    return Saved(saved.game, title.rules, _encode(old.state), old.choices)


class Match:
    """One match. Seats are numbered from 0. `pending` has the open questions: several seats at once where the rules
    allow it; () when over or held."""

    def __init__(self, game: Game, snapshot: bytes, box: Any) -> None:
        """Use `Match.start` or `Match.load`."""
        self.game = game
        self.events: list[Event] = []
        self._first_event = 0
        self._box = box
        self._drafting = False
        self._choices: list[tuple[int, str]] = []
        self._replay(snapshot, [])

    @classmethod
    def start(
        cls,
        game: str,
        *,
        players: int,
        seed: int,
        options: Mapping[str, Any] | None = None,
        components: str | None = None,
    ) -> "Match":
        """A new match. `components`: the text of a component file to use in place of the game's own."""
        from engine import GAMES

        title = GAMES[game]
        values = title.read_options(players, options)
        box = title.load_box(components)
        state = title.state(players=players, options=values, seed=seed, draws=0)
        log: list[Event] = []
        state.attach(log, box)
        title.setup(state)
        match = cls(title, _encode(state), box)
        match.events[:0] = log
        match._first_event += len(log)
        return match

    @classmethod
    def load(cls, data: bytes, components: str | None = None) -> "Match":
        """A match as it was saved. `components` must be the same text it was started with."""
        from engine import GAMES

        try:
            saved = _decode_saved(data)
            title = GAMES[saved.game]
        except (msgspec.MsgspecError, KeyError) as error:
            raise UnknownSave(f"not a saved match: {error}") from error
        try:
            saved = _mended(saved, title)
            match = cls(title, saved.snapshot, title.load_box(components))
            for seat, option in saved.choices:
                match.choose(seat, option)
        except (msgspec.MsgspecError, IllegalChoice) as error:
            raise UnknownSave(f"not a match of {title.title} as it is played now: {error}") from error
        return match

    def save(self) -> bytes:
        return _encode(Saved(self.game.id, self.game.rules, self._snapshot, self._choices))

    @property
    def players(self) -> int:
        return self._state.players

    @property
    def turn(self) -> int:
        """How many turns have begun so far, all seats together."""
        return self._state.turn

    @property
    def told_before(self) -> int:
        """How many of `events` were told before the present scene began."""
        return self._first_event

    @property
    def over(self) -> bool:
        return self._scene is None

    @property
    def result(self) -> Result | None:
        return self.game.result(self._state) if self.over else None

    @property
    def scores(self) -> list[int]:
        """The score of every seat, hidden points included: for nobody's eyes before the match is over."""
        return self.game.scores(self._state)

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What this seat may see; None is a spectator."""
        return {
            "game": self.game.id,
            "players": self._state.players,
            "options": self._state.options,
            "turn": self._state.turn,
            "you": seat,
            "pending": [{"seat": d.seat, "prompt": d.prompt} for d in self.pending],
            "over": self.over,
            **self.game.view(self._state, seat),
        }

    def events_for(self, seat: int | None) -> list[Event]:
        return [event for event in self.events if event.known_to(seat)]

    def choose(self, seat: int, option: str) -> None:
        """Answer this seat's open question. IllegalChoice says why not; nothing is changed then."""
        for decision in self.pending:
            if decision.seat == seat and type(seat) is int:
                break
        else:
            self._refuse(seat)
        for offered in decision.options:
            if offered.id == option:
                break
        else:
            raise IllegalChoice(f"{option!r:.80} is not among the choices offered now")
        self._choices.append((seat, option))
        if self._branches:
            self._answer_beside_others(decision, offered.meaning)
        else:
            self._resume(offered.meaning)

    def bot_choice(self, seat: int) -> str:
        """What the built-in player would choose for this seat."""
        decision = self._question(seat)
        if decision is None:
            self._refuse(seat)
        return self.game.bot(self._state, decision)

    def gauges(self, seat: int) -> Mapping[Gauge, int]:
        """What is worth watching as it is now, as far as this seat may know."""
        return self.game.gauges(self._state, seat) if self.game.gauges else {}

    def outlook(self, seat: int, *choices: str, now: Mapping[Gauge, int] | None = None) -> list[Change]:
        """What these choices would change of that. `now`: the gauges, from whoever asks about one choice after the
        other."""
        before = self.gauges(seat) if now is None else now
        if (more := self._foresee(seat, choices)) is not None:
            return [Change(gauge, n, n + more[gauge]) for gauge, n in before.items() if more.get(gauge)]
        after = self.after(seat, *choices).gauges(seat)
        return [
            Change(gauge, before.get(gauge, 0), after.get(gauge, 0))
            for gauge in {**before, **after}
            if before.get(gauge, 0) != after.get(gauge, 0)
        ]

    def _foresee(self, seat: int, choices: Sequence[str]) -> Mapping[Gauge, int] | None:
        """What a single choice adds to them, if the title can tell that without making it."""
        decision = self._question(seat) if self.game.foresee and len(choices) == 1 else None
        if decision is None:
            return None
        meant = [option.meaning for option in decision.options if option.id == choices[0]]
        return self.game.foresee(self._state, seat, meant[0]) if self.game.foresee and meant else None

    def after(self, seat: int, *choices: str) -> "Match":
        """A draft of this match with these choices made: it stops before anything hidden is shown."""
        ahead = self.copy().draft()
        for choice in choices:
            ahead.choose(seat, choice)
        return ahead

    def follow_orders(self, seat: int, orders: Mapping[str, Any]) -> list[str] | None:
        """The choices by which these standing orders answer all that this seat is asked now, up to where others are
        asked or its own turn begins; [] when it is asked nothing, None when it must be asked itself. OrderDoesNotFit
        says why an order cannot be followed, BadOptions what is no order. The match is unchanged."""
        given = self.game.read_orders(orders)
        if self._question(seat) is None:
            return []
        ahead = self.copy().draft()
        begun, followed = ahead._snapshot, list[str]()
        while ahead._snapshot is begun and (decision := ahead._question(seat)):
            choice = self.game.follow(ahead._state, decision, given)
            if choice is None:
                return None
            ahead.choose(seat, choice)
            followed.append(choice)
        return followed

    def undo(self, seat: int) -> None:
        """Take back this seat's last choice: only back to the last reveal or the start of the scene."""
        mine = [n for n, (who, _) in enumerate(self._choices) if who == seat and type(seat) is int]
        if not mine or mine[-1] < self._barrier:
            raise IllegalChoice("there is nothing to take back: what came before has been revealed or is done")
        last = mine[-1]
        later_by_others = last < len(self._choices) - 1
        if later_by_others and not (self._branches and last >= self._parallel_from):
            raise IllegalChoice("others have acted since, so this cannot be taken back")
        self._replay(self._snapshot, self._choices[:last] + self._choices[last + 1 :])

    def draft(self) -> "Match":
        """From here on, stop before anything hidden is shown: `held` is then true and nothing is pending; `closing`
        too, if the turn ends with what is shown."""
        self._drafting = True
        return self

    def copy(self) -> "Match":
        """Another match at the same place."""
        copy = Match(self.game, self._snapshot, self._box)
        for seat, option in self._choices:
            copy.choose(seat, option)
        return copy

    def _question(self, seat: int) -> Decision | None:
        """What this seat is asked now."""
        for decision in self.pending:
            if decision.seat == seat and type(seat) is int:
                return decision
        return None

    def _refuse(self, seat: int) -> NoReturn:
        if self.over:
            raise IllegalChoice("the game is over")
        if self.held:
            raise IllegalChoice("the turn must be sent before it can go on")
        if type(seat) is not int or not 0 <= seat < self._state.players:
            raise IllegalChoice(f"there is no seat {seat!r:.40} at this table")
        raise IllegalChoice("it is not this seat's turn to choose")

    def _replay(self, snapshot: bytes, choices: list[tuple[int, str]]) -> None:
        """Begin the scene at `snapshot` anew and make these choices in it."""
        fresh = not hasattr(self, "_snapshot")
        drafting, self._drafting = self._drafting, False
        if not fresh:
            del self.events[self._first_event :]
        self._state = _decode_state(self.game.state, snapshot)
        self._state.attach(self.events, self._box)
        self._branches: dict[int, Scene] = {}
        self.held = self.closing = False
        self._begin_scene(snapshot)
        self._resume(None)
        for seat, option in choices:
            self.choose(seat, option)
        self._drafting = drafting

    def _begin_scene(self, snapshot: bytes) -> None:
        """Set the next scene, from this position on: none when the game is over."""
        self._snapshot = snapshot
        self._first_event = len(self.events)
        self._choices = []
        self._barrier = 0
        self.pending: tuple[Decision, ...] = ()
        self._scene = self.game.scene(self._state)

    def _answer_beside_others(self, decision: Decision, meaning: Any) -> None:
        """One of several seats that decide at once has done so; the last of them lets the scene go on."""
        others = tuple(d for d in self.pending if d is not decision)
        again = self._ask_branch(decision.seat, meaning)
        self.pending = tuple(sorted((*others, *again), key=lambda d: d.seat))
        if not self._branches:
            self._resume(self._returned)

    def _ask_branch(self, seat: int, answer: Any) -> tuple[Decision, ...]:
        """Run one seat's own scene up to its next question; () when it is through."""
        branch = self._branches[seat]
        try:
            while True:
                asked = branch.send(answer)
                if len(asked.options) > 1 or asked.secret:
                    return (asked,)
                answer = asked.options[0].meaning
        except StopIteration as stop:
            self._returned[seat] = stop.value
            del self._branches[seat]
            return ()

    def _resume(self, answer: Any) -> None:
        """Run scenes until somebody must decide, a draft meets a reveal, or the game is over."""
        while scene := self._scene:
            try:
                asked = scene.send(answer)
            except StopIteration:
                self._begin_scene(_encode(self._state))
                answer = None
                continue
            if type(asked) is Decision:
                if len(asked.options) > 1 or asked.secret:
                    self.pending = (asked,)
                    return
                answer = asked.options[0].meaning
            elif type(asked) is Reveal:
                if self._drafting:
                    self.held, self.closing = True, asked.last
                    self.pending = ()
                    return
                self._barrier = len(self._choices)
                answer = None
            elif type(asked) is Together:
                self._branches = dict(asked.scenes)
                self._returned: dict[int, Any] = {}
                self._parallel_from = len(self._choices)
                questions = [self._ask_branch(seat, None) for seat in sorted(self._branches)]
                self.pending = tuple(d for question in questions for d in question)
                if self.pending:
                    return
                answer = self._returned
            else:
                raise TypeError(f"a scene of {self.game.id} yielded {asked!r}")
