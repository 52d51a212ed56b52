"""Nobody wonders why not: whatever a player would look for and cannot have says why, also where the question itself is
not asked, because only one answer is left."""

import dataclasses
from random import Random
from typing import Any

import msgspec

from engine import Match
from engine.scene import Blocked, Decision, Scene, later
from tests.engine.tables import Table, pick


class Watched:
    """A table whose matches note every question that is answered by itself although something is blocked in it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.owed: list[tuple[Decision, list[Blocked]]] = []  # reasons that nobody was told yet
        self.unsaid: list[str] = []
        self.log: list[Any] = []
        self.told = 0

    def start(self, seed: int) -> Match:
        game = dataclasses.replace(self.table.game, scene=self._scene)
        match = self.table.start(seed)
        snapshot = msgspec.msgpack.decode(match.save())[2]
        return Match(game, snapshot, game.load_box(None))

    def _scene(self, state: Any) -> Scene | None:
        self._close()
        scene = self.table.game.scene(state)
        self.log, self.told = state.log, len(state.log)
        return None if scene is None else self._watch(scene)

    def _watch(self, scene: Scene) -> Scene:
        answer = None
        while True:
            try:
                asked = scene.send(answer)
            except StopIteration as stop:
                return stop.value
            if type(asked) is Decision:
                self._note(asked)
            answer = yield asked

    def _note(self, asked: Decision) -> None:
        if len(asked.options) > 1 or asked.secret:
            shown = list(asked.blocked)
            for skipped, reasons in [owed for owed in self.owed if owed[0].seat == asked.seat]:
                left = [no for no in reasons if no not in shown and not self._is_told(no)]
                self.unsaid += [f"{skipped.prompt} -> {asked.prompt}: {no.reason.key}" for no in left]
            self.owed = [owed for owed in self.owed if owed[0].seat != asked.seat]
        elif reasons := list(asked.blocked):
            self.owed.append((asked, reasons))

    def _is_told(self, no: Blocked) -> bool:
        """By itself, or in the one line that says why nothing at all is possible."""
        said = msgspec.json.encode(self.log[self.told :], enc_hook=later.__call__)
        return no.reason.key.encode() in said or b".no_action." in said

    def _close(self) -> None:
        """The scene is over: what was not said by then must have been told."""
        for skipped, reasons in self.owed:
            self.unsaid += [f"{skipped.prompt} -> the end: {no.reason.key}" for no in reasons if not self._is_told(no)]
        self.owed = []


def test_a_question_that_is_answered_by_itself_leaves_its_reasons_to_the_next_or_to_the_story(table):
    watched = Watched(table)
    match, random = watched.start(97), Random(97)
    while match.pending:
        match.choose(*pick(random, match))
    assert sorted(set(watched.unsaid)) == []


def test_whatever_is_blocked_is_not_offered_and_says_why(table):
    match, random = table.start(101), Random(101)
    while match.pending:
        for decision in match.pending:
            for no in decision.blocked:
                assert no.reason.key.startswith((f"{table.game.id}.", "words."))
                assert no.label not in [option.label for option in decision.options], (decision.prompt, no)
        match.choose(*pick(random, match))
