"""What every game in the catalogue must hold while it is played: it ends, it goes on from a save, nothing gets lost,
and nothing that was not offered is taken."""

import re
from random import Random
from typing import Any

import msgspec
import pytest

from engine import IllegalChoice, Match
from engine.simulate import play, replay
from tests.engine.tables import (
    EVERY,
    all_a_seat_gets,
    asked,
    choices_since,
    copy_of,
    everything,
    looking,
    observers,
    pick,
    scene_start,
)

LONGEST_TURN = 300
GARBAGE: tuple[Any, ...] = (
    None,
    "",
    "no.such.option",
    0,
    True,
    1.5,
    b"take",
    [],
    {},
    object(),
    "x" * 10_000,
    "\x00",
    "🚢",
)


def test_random_games_come_to_an_end(table):
    for seed in range(3):
        played = play(table.game.id, players=table.players, seed=seed, options=table.options, limit=10_000)
        assert played.failure is None
        assert sorted(standing.seat for standing in played.ranking) == list(range(table.players))
        assert played.ranking[0].place == 1 or table.players == 1  # a solo game can be lost
        assert [s.place for s in played.ranking] == sorted(s.place for s in played.ranking)


def test_bots_play_to_an_end(table):
    played = play(table.game.id, players=table.players, seed=5, options=table.options, kinds=["bot"], limit=10_000)
    assert played.failure is None


def test_following_defaults_ends_the_turn_from_any_position(table):
    match, random = table.start(11), Random(11)
    step = 0
    while match.pending:
        step += 1
        if step % EVERY == 0:
            _follow_defaults(copy_of(match))
        match.choose(*pick(random, match))


def _follow_defaults(match: Match) -> None:
    begun = scene_start(match)
    for _ in range(LONGEST_TURN):
        if not match.pending or scene_start(match) != begun:
            return
        decision = match.pending[0]
        match.choose(decision.seat, decision.default)
    pytest.fail(f"defaults do not end the turn: {match.pending}")


def test_a_match_goes_on_from_a_save_as_if_it_had_never_stopped(table):
    """One match plays through; the other is saved and loaded at every step."""
    straight, random = table.start(23), Random(23)
    resumed = straight
    seen = step = 0
    while straight.pending:
        resumed = copy_of(resumed)
        assert resumed.save() == straight.save()
        if step % EVERY == 0:
            assert resumed.pending == straight.pending
            for seat in looking(straight, step // EVERY):
                assert resumed.view(seat) == straight.view(seat)
        step += 1
        choice = pick(random, straight)
        before = len(resumed.events)
        seen = len(straight.events)
        straight.choose(*choice)
        resumed.choose(*choice)
        assert resumed.events[before:] == straight.events[seen:]
    assert resumed.save() == straight.save()
    assert resumed.result == straight.result


def test_the_same_seed_and_choices_give_the_same_match(table):
    one, two, random = table.start(3), table.start(3), Random(3)
    for _ in range(150):
        if not one.pending:
            break
        assert one.pending == two.pending
        choice = pick(random, one)
        one.choose(*choice)
        two.choose(*choice)
    assert everything(one) == everything(two)
    assert one.save() == two.save()


def test_another_seed_gives_another_match(table):
    begin = {table.start(seed).save() for seed in range(4)}
    assert len(begin) == 4


def test_undo_restores_the_match_and_never_crosses_a_reveal(table):
    match, random = table.start(31), Random(31)
    step = undone = 0
    while match.pending:
        step += 1
        seat, option = pick(random, match)
        if step % 3 == 0:
            undone += _check_undo(match, seat, option, looking(match, step))
        match.choose(seat, option)
    assert undone > 0


def _check_undo(match: Match, seat: int, option: str, onlookers: list[int | None]) -> bool:
    saved, begun = match.save(), scene_start(match)
    events = list(match.events)
    before = [all_a_seat_gets(match, onlooker, since=len(events)) for onlooker in onlookers]
    draft = copy_of(match).draft()
    draft.choose(seat, option)
    tried = copy_of(match)
    tried.choose(seat, option)
    if draft.held or scene_start(tried) != begun:
        after = tried.save()
        with pytest.raises(IllegalChoice):
            tried.undo(seat)
        assert tried.save() == after
        if scene_start(draft) == begun:
            draft.undo(seat)
            assert draft.save() == saved
        return False
    tried.undo(seat)
    assert tried.save() == saved
    match.choose(seat, option)
    match.undo(seat)
    assert match.save() == saved
    assert match.events == events
    assert [all_a_seat_gets(match, onlooker, since=len(events)) for onlooker in onlookers] == before
    return True


def test_undoing_all_one_can_ends_at_the_last_reveal(table):
    match, random = table.start(37), Random(37)
    floor = 0
    begun = scene_start(match)
    for _ in range(120):
        if not match.pending:
            break
        seat, option = pick(random, match)
        draft = copy_of(match).draft()
        draft.choose(seat, option)
        match.choose(seat, option)
        if scene_start(match) != begun:
            begun, floor = scene_start(match), 0
        elif draft.held:
            floor = len(choices_since(match))
        back = copy_of(match)
        _undo_all(back)
        assert len(choices_since(back)) == floor


def _undo_all(match: Match) -> None:
    while choices := choices_since(match):
        before = match.save()
        try:
            match.undo(choices[-1][0])
        except IllegalChoice:
            assert match.save() == before
            return


def test_no_component_appears_or_disappears(table):
    match, random = table.start(41), Random(41)
    whole = table.game.census(match._state)
    assert whole
    while match.pending:
        match.choose(*pick(random, match))
        assert table.game.census(match._state) == whole


def test_options_are_few_short_and_told_apart(table):
    match, random = table.start(43), Random(43)
    while match.pending:
        assert len({decision.seat for decision in match.pending}) == len(match.pending)
        for decision in match.pending:
            ids = [option.id for option in decision.options]
            assert 1 <= len(ids) <= 60, decision
            assert len(set(ids)) == len(ids), decision
            assert decision.default in ids, decision
            assert all(re.fullmatch(r"[a-z0-9_.:+-]{1,40}", name) for name in ids), ids
            assert decision.prompt.startswith(f"{table.game.id}.")
        match.choose(*pick(random, match))


def test_what_was_not_offered_is_refused_and_changes_nothing(table):
    match, random = table.start(47), Random(47)
    step = 0
    while match.pending:
        step += 1
        if step % EVERY == 0:
            _try_everything_illegal(match)
        match.choose(*pick(random, match))
    _try_everything_illegal(match)


def _try_everything_illegal(match: Match) -> None:
    saved, events = match.save(), len(match.events)
    offered = {decision.seat: decision for decision in match.pending}
    some_id = next(iter(offered.values())).options[0].id if offered else "take"
    nobody: tuple[Any, ...] = (-1, match.players, None, "0", True, [], {})
    attempts: list[tuple[Any, Any]] = [(seat, option) for seat in offered for option in GARBAGE]
    attempts += [(seat, some_id) for seat in range(match.players) if seat not in offered]
    attempts += [(seat, some_id) for seat in (*nobody, 0.0)]
    for seat, option in attempts:
        with pytest.raises(IllegalChoice):
            match.choose(seat, option)
    for seat in nobody:
        with pytest.raises(IllegalChoice):
            match.undo(seat)
    assert match.save() == saved
    assert len(match.events) == events


def test_views_are_plain_json(table):
    match, random = table.start(53), Random(53)
    step = 0
    while True:
        if step % 3 == 0 or not match.pending:
            for seat in looking(match, step) if match.pending else observers(match):
                view = match.view(seat)
                assert _by_wire(view) == view
            for event in match.events[-20:]:
                assert _by_wire(event.args) == event.args
        if not match.pending:
            return
        step += 1
        match.choose(*pick(random, match))


def _by_wire(data: Any) -> Any:
    """What arrives of it as JSON."""
    return msgspec.json.decode(msgspec.json.encode(data))


def test_scores_name_every_seat_and_are_final_when_over(table):
    match, random = table.start(59), Random(59)
    while match.pending:
        assert match.result is None
        assert len(match.scores) == table.players
        match.choose(*pick(random, match))
    assert match.scores == [
        standing.score for standing in sorted(match.result.ranking, key=lambda standing: standing.seat)
    ]


def test_fuzzed_games_with_every_choice_taken_back_and_made_again(table):
    for seed in range(100, 102):
        played = play(table.game.id, players=table.players, seed=seed, options=table.options, undo=True, limit=10_000)
        assert played.failure is None, played.failure and replay(played.failure)


def test_every_asked_seat_is_in_every_view(table):
    match, random = table.start(61), Random(61)
    for _ in range(60):
        if not match.pending:
            break
        for seat in observers(match):
            assert [entry["seat"] for entry in match.view(seat)["pending"]] == [d.seat for d in match.pending]
        assert all(len(asked(match, decision.seat)) == 1 for decision in match.pending)
        match.choose(*pick(random, match))
