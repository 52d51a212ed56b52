"""Nothing leaks: what a seat gets does not change when only what it may not know is changed."""

import dataclasses
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from engine import IllegalChoice, Match
from engine.scene import Reveal, Scene
from tests.engine.tables import Table, all_a_seat_gets, looking, observers, pick, scene_start

SEED = 918_273_645_546_372_819


class Watched:
    """A table whose matches say whether a scene began with a reveal."""

    def __init__(self, table: Table) -> None:
        self.revealed = False
        self.table = table
        self.game = dataclasses.replace(table.game, scene=self._scene)

    def _scene(self, state: Any) -> Scene | None:
        scene = self.table.game.scene(state)
        self.revealed = False
        return None if scene is None else self._watch(scene)

    def _watch(self, scene: Scene) -> Scene:
        answer = None
        while True:
            try:
                asked = scene.send(answer)
            except StopIteration as stop:
                return stop.value
            self.revealed = self.revealed or type(asked) is Reveal
            answer = yield asked

    def load(self, snapshot: bytes) -> Match:
        return Match(self.game, snapshot, self.game.load_box(None))


def scene_starts(table: Table, seed: int) -> Iterator[bytes]:
    match, random = table.start(seed), Random(seed)
    begun = scene_start(match)
    yield begun
    while match.pending:
        match.choose(*pick(random, match))
        if scene_start(match) != begun:
            begun = scene_start(match)
            yield begun


def scrambled(table: Table, snapshot: bytes, seat: int | None, seed: int) -> bytes:
    """The same position with all that this seat may not know changed."""
    state = msgspec.msgpack.decode(snapshot, type=table.game.state)
    state.attach([], table.game.load_box(None))
    random = Random(seed)
    table.game.scramble(state, seat, lambda items: random.sample(items, len(items)))
    return msgspec.msgpack.encode(state)


def test_no_seat_gets_anything_that_depends_on_what_it_may_not_know(table):
    """Views, questions, labels, events, what choices would change and the bot's choice, up to the next reveal, for
    every seat and a spectator."""
    watched = Watched(table)
    compared = changed = 0
    for number, snapshot in enumerate(scene_starts(table, 67)):
        true = watched.load(snapshot)
        if watched.revealed:
            continue
        seats = observers(true)
        seat = seats[number % len(seats)]
        other = scrambled(table, snapshot, seat, number)
        changed += other != snapshot
        compared += _compare(table, true.draft(), table.load(other).draft(), seat, Random(number))
    assert compared > 20
    assert changed > 5


def _compare(table: Table, true: Match, false: Match, seat: int | None, random: Random) -> int:
    """Make the same choices in both matches and compare all that the seat gets."""
    steps = 0
    begun = scene_start(true)
    while True:
        assert true.held == false.held
        assert all_a_seat_gets(true, seat) == all_a_seat_gets(false, seat)
        for decision in true.pending:
            if decision.seat == seat:
                assert true.bot_choice(seat) == false.bot_choice(seat)
                for each in random.sample(decision.options, min(3, len(decision.options))):
                    assert true.outlook(seat, each.id) == false.outlook(seat, each.id)
        steps += 1
        if not true.pending or scene_start(true) != begun:
            return steps
        asked, option = pick(random, true)
        true.choose(asked, option)
        try:
            false.choose(asked, option)
        except IllegalChoice:
            # Another seat chose something its changed hand does not hold: the choice itself tells the seat.
            assert asked != seat
            return steps


def test_every_seat_is_told_of_nothing_it_may_not_know(table):
    """Events with a circle of knowers reach only them, and a spectator belongs to no circle."""
    match, random = table.start(71), Random(71)
    while match.pending:
        match.choose(*pick(random, match))
    for event in match.events:
        for seat in observers(match):
            assert (event in match.events_for(seat)) == (event.who is None or seat in event.who)
        assert event.who is None or None not in event.who


def test_the_seed_is_nowhere_to_be_seen(table):
    match, random = table.start(SEED), Random(SEED)
    step = 0
    while match.pending:
        step += 1
        if step % 5 == 0:
            for seat in looking(match, step):
                gets = all_a_seat_gets(match, seat, since=max(0, len(match.events) - 30))
                assert str(SEED).encode() not in msgspec.json.encode(gets)
            assert str(SEED).encode() not in msgspec.json.encode([decision.worked_out() for decision in match.pending])
        match.choose(*pick(random, match))
    assert str(SEED).encode() not in msgspec.json.encode([match.events, match.result])


def test_a_draft_stops_before_a_reveal_and_shows_only_what_was_known(table):
    """From the same knowledge, drafts of differently shuffled matches look the same and wait at the same place."""
    watched = Watched(table)
    held = 0
    for number, snapshot in enumerate(scene_starts(table, 73)):
        true = watched.load(snapshot)
        if watched.revealed or not true.pending:
            continue
        seat = true.pending[0].seat
        drafts = [true.draft(), table.load(scrambled(table, snapshot, seat, number)).draft()]
        begun = scene_start(true)
        random = Random(number)
        option = ""
        while true.pending and all(d.seat == seat for d in true.pending) and scene_start(true) == begun:
            seat, option = pick(random, true)
            for draft in drafts:
                draft.choose(seat, option)
        assert drafts[0].held == drafts[1].held
        assert all_a_seat_gets(drafts[0], seat) == all_a_seat_gets(drafts[1], seat)
        if true.held:
            held += 1
            assert true.pending == ()
            assert not true.over
            saved = true.save()
            with pytest.raises(IllegalChoice, match="sent"):
                true.choose(seat, option)
            assert true.save() == saved
    assert held > 0
