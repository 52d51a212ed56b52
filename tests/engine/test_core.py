"""The core that all games share, played with a toy: seats bid in secret, then cards are turned over one by one."""

import dataclasses
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from engine import GAMES as CATALOGUE
from engine import (
    BadOptions,
    Game,
    IllegalChoice,
    Match,
    Old,
    OlderRules,
    Result,
    Setting,
    Standing,
    StandingOrder,
    UnknownSave,
)
from engine.chance import shuffled
from engine.game import nothing_changes
from engine.match import Saved
from engine.scene import REVEAL, Decision, Message, Option, Scene, State, ask, together


class Toy(State):
    deck: list[int] = []
    shown: list[int] = []
    bids: list[int] = []
    done: int = 0


def options(*names: str) -> list[Option]:
    return [Option(name, Message(f"toy.{name}")) for name in names]


def setup(state: Toy) -> None:
    state.deck = state.shuffled(range(10))
    state.bids = [0] * state.players
    state.tell("toy.set_up")


def scene(state: Toy) -> Scene | None:
    if state.done == 0:
        return bidding(state)
    return None if state.done > state.players else turn(state, state.done - 1)


def bidding(state: Toy) -> Scene:
    """All seats at once: each bids, and says whether to raise; seat 1 has nothing to say about raising."""
    bids = yield together({seat: one_bid(state, seat) for seat in range(state.players)})
    for seat, bid in bids.items():
        state.bids[seat] = bid
    state.tell("toy.bids", bids=list(state.bids))
    state.done = 1


def one_bid(state: Toy, seat: int) -> Scene:
    bid = yield ask(seat, "toy.bid", options("1", "2", "3"), "1")
    more = yield ask(seat, "toy.raise", options("no", "yes") if seat != 1 else options("no"), "no")
    return int(bid) + (more == "yes")


def turn(state: Toy, seat: int) -> Scene:
    """Two small choices, a card turned over, and one more choice."""
    state.turn += 1
    first = yield ask(seat, "toy.first", options("a", "b"), "a")
    only = yield ask(seat, "toy.only", options("x"), "x")
    second = yield ask(seat, "toy.second", options("c", "d"), "c")
    yield REVEAL
    state.shown.append(state.deck.pop())
    state.tell("toy.shown", seat=seat, n=state.shown[-1])
    third = yield ask(seat, "toy.third", options("e", "f"), "e")
    state.tell("toy.turn", who=[seat], said=first + only + second + third)
    secret = yield ask(seat, "toy.secret", options("ok"), "ok", secret=True)
    assert secret == "ok"
    state.done += 1


def view(state: Toy, seat: int | None) -> dict[str, Any]:
    return {"shown": list(state.shown), "deck": len(state.deck), "bid": None if seat is None else state.bids[seat]}


def scramble(state: Toy, seat: int | None, shuffle: Any) -> None:
    state.deck = shuffle(state.deck)


TOO_LARGE = Message("toy.clash.large")

TOY = Game(
    id="toy",
    title="Toy",
    players=range(2, 4),
    options=(Setting("fast", False), Setting("size", "small", ("small", "large"))),
    rules=3,
    state=Toy,
    load_box=lambda text: text,
    setup=setup,
    scene=scene,
    view=view,
    scores=lambda state: state.bids,
    result=lambda state: Result([Standing(seat, 1, bid, {}) for seat, bid in enumerate(state.bids)]),
    bot=lambda state, decision: decision.options[-1].id,
    scramble=scramble,
    census=lambda state: Counter(),
    settings_clash=lambda players, options: TOO_LARGE if players == 3 and options["size"] == "large" else None,
)


@pytest.fixture(autouse=True)
def toy_in_the_catalogue(monkeypatch):
    monkeypatch.setitem(CATALOGUE, "toy", TOY)


def start(players: int = 2) -> Match:
    return Match.start("toy", players=players, seed=4)


def after_bids() -> Match:
    match = start()
    for seat, option in ((0, "1"), (0, "no"), (1, "2")):
        match.choose(seat, option)
    return match


def prompts(match: Match) -> list[tuple[int, str]]:
    return [(decision.seat, decision.prompt.removeprefix("toy.")) for decision in match.pending]


# Several seats at once


def test_all_seats_are_asked_together_and_answer_in_any_order():
    match = start(3)
    assert prompts(match) == [(0, "bid"), (1, "bid"), (2, "bid")]
    match.choose(2, "3")
    assert prompts(match) == [(0, "bid"), (1, "bid"), (2, "raise")]
    match.choose(1, "1")
    assert prompts(match) == [(0, "bid"), (2, "raise")]
    match.choose(0, "2")
    match.choose(0, "no")
    match.choose(2, "yes")
    assert match.events[-1].args == {"bids": [2, 1, 4]}
    assert prompts(match) == [(0, "first")]


def test_in_parallel_one_takes_back_ones_own_choice_though_others_have_acted_since():
    match = start(3)
    match.choose(0, "1")
    match.choose(2, "3")
    match.undo(0)
    assert prompts(match) == [(0, "bid"), (1, "bid"), (2, "raise")]
    match.choose(0, "2")
    match.undo(2)
    assert prompts(match) == [(0, "raise"), (1, "bid"), (2, "bid")]


def test_a_save_in_the_middle_of_parallel_choices_goes_on_as_before():
    match = start(3)
    match.choose(2, "3")
    match.choose(0, "1")
    again = Match.load(match.save())
    assert again.pending == match.pending
    assert again.save() == match.save()


def test_a_seat_that_is_through_cannot_choose_again():
    match = start(3)
    match.choose(1, "1")
    with pytest.raises(IllegalChoice, match="not this seat's turn"):
        match.choose(1, "1")


# Single options


def test_a_single_option_is_taken_for_the_player_but_a_secret_one_is_asked():
    match = after_bids()
    match.choose(0, "a")
    assert prompts(match) == [(0, "second")]
    match.choose(0, "c")
    match.choose(0, "e")
    assert prompts(match) == [(0, "secret")]


# Undo and reveal


def test_undo_goes_back_choice_by_choice_to_the_start_of_the_scene():
    match = after_bids()
    saved = match.save()
    match.choose(0, "b")
    match.undo(0)
    assert match.save() == saved
    with pytest.raises(IllegalChoice, match="nothing to take back"):
        match.undo(0)


def test_undo_never_crosses_a_reveal():
    match = after_bids()
    match.choose(0, "a")
    match.choose(0, "c")
    assert match.view()["shown"]
    with pytest.raises(IllegalChoice, match="nothing to take back"):
        match.undo(0)
    match.choose(0, "e")
    match.undo(0)
    assert prompts(match) == [(0, "third")]
    assert [event.key for event in match.events].count("toy.shown") == 1


def test_undo_takes_back_events_too():
    match = after_bids()
    events = list(match.events)
    match.choose(0, "a")
    match.choose(0, "c")
    match.choose(0, "e")
    match.undo(0)
    assert [event.key for event in match.events] == [event.key for event in events] + ["toy.shown"]


def test_another_seat_cannot_take_back_what_it_did_not_choose():
    match = after_bids()
    match.choose(0, "a")
    with pytest.raises(IllegalChoice):
        match.undo(1)


# Drafts


def test_a_draft_waits_before_a_reveal_and_can_still_be_taken_back():
    match = after_bids().draft()
    saved = match.save()
    match.choose(0, "a")
    match.choose(0, "d")
    assert match.held
    assert match.pending == ()
    assert match.view()["shown"] == []
    with pytest.raises(IllegalChoice, match="sent"):
        match.choose(0, "e")
    match.undo(0)
    assert not match.held
    assert prompts(match) == [(0, "second")]
    match.undo(0)
    assert match.save() == saved


def test_a_draft_of_what_comes_after_a_reveal_shows_what_was_revealed():
    match = after_bids()
    match.choose(0, "a")
    match.choose(0, "d")
    draft = Match.load(match.save()).draft()
    assert draft.view() == match.view()
    draft.choose(0, "e")
    draft.undo(0)
    assert draft.save() == match.save()


# Events


def test_events_reach_those_who_may_know_them():
    match = after_bids()
    for option in ("a", "c", "f"):
        match.choose(0, option)
    key = "toy.turn"
    assert key in [event.key for event in match.events_for(0)]
    assert key not in [event.key for event in match.events_for(1)]
    assert key not in [event.key for event in match.events_for(None)]


# Starting, saving, ending


def test_a_match_plays_to_its_end_and_then_takes_nothing():
    match = after_bids()
    while match.pending:
        match.choose(match.pending[0].seat, match.bot_choice(match.pending[0].seat))
    assert match.over
    assert match.turn == 2
    assert match.result.winners == [0, 1]
    with pytest.raises(IllegalChoice, match="over"):
        match.choose(0, "a")
    assert Match.load(match.save()).over


@pytest.mark.parametrize(
    ("players", "given", "error"),
    [
        (1, {}, "2 to 3 players, not 1"),
        ("2", {}, "2 to 3 players"),
        (2, {"fast": "yes"}, "option fast is yes or no"),
        (2, {"size": "huge"}, "option size is one of small, large"),
        (2, {"colour": 1}, "no option colour"),
        (3, {"size": "large"}, "toy.clash.large"),
    ],
)
def test_impossible_tables_are_refused_with_what_is_possible(players, given, error):
    with pytest.raises(BadOptions, match=error):
        Match.start("toy", players=players, seed=1, options=given)


def test_bytes_that_are_no_match_are_refused():
    for data in (b"", b"hello", b"\x94\xa3toy\x03"):
        with pytest.raises(UnknownSave):
            Match.load(data)


def test_a_save_whose_state_or_choices_do_not_fit_is_refused():
    match = start()
    match.choose(0, "1")
    saved = msgspec.msgpack.decode(match.save(), type=Saved)
    saved.choices.append((0, "4"))
    with pytest.raises(UnknownSave, match="not among the choices"):
        Match.load(msgspec.msgpack.encode(saved))
    saved.snapshot = b"\x81\xa1x\x01"
    with pytest.raises(UnknownSave, match="as it is played now"):
        Match.load(msgspec.msgpack.encode(saved))


def test_a_match_saved_under_other_rules_is_refused(monkeypatch):
    saved = start().save()
    monkeypatch.setitem(CATALOGUE, "toy", dataclasses.replace(TOY, rules=4))
    with pytest.raises(UnknownSave, match="rules 3 of Toy"):
        Match.load(saved)


def test_a_scene_that_yields_nonsense_is_a_loud_error(monkeypatch):
    def nonsense(state: Toy) -> Scene:
        yield "what?"

    monkeypatch.setitem(CATALOGUE, "toy", dataclasses.replace(TOY, scene=nonsense))
    with pytest.raises(TypeError, match="toy yielded 'what\\?'"):
        start()


# Chance


def test_a_shuffle_is_a_function_of_seed_and_draw_alone():
    """Pinned: matches that are under way draw what they would have drawn, on any machine and any Python."""
    assert shuffled(1, 1, range(8)) == [1, 7, 4, 6, 0, 2, 3, 5]
    assert len({tuple(shuffled(seed, draw, range(8))) for seed in range(5) for draw in range(5)}) > 20


def test_a_shuffle_puts_every_item_everywhere_equally_often():
    places = [[0] * 4 for _ in range(4)]
    for seed in range(4000):
        for place, item in enumerate(shuffled(seed, 1, range(4))):
            places[item][place] += 1
    assert all(880 < n < 1120 for row in places for n in row)


# Standing orders


def follow(state: Toy, decision: Decision, orders: Mapping[str, str]) -> str | None:
    """What is ordered is chosen as it stands, offered or not; turns are never answered in advance."""
    said = orders.get(decision.prompt.removeprefix("toy."), "ask")
    return None if said == "ask" else said


@pytest.fixture
def bids_can_be_ordered(monkeypatch):
    orders = (StandingOrder("bid", ("ask", "2", "9")), StandingOrder("raise", ("ask", "yes", "no")))
    monkeypatch.setitem(CATALOGUE, "toy", dataclasses.replace(TOY, orders=orders, follow=follow))


def test_a_game_without_standing_orders_asks_everybody():
    assert start().follow_orders(0, {}) is None
    with pytest.raises(BadOptions, match=r"Toy has no standing order bid \(it has: none\)"):
        start().follow_orders(0, {"bid": "2"})


@pytest.mark.usefixtures("bids_can_be_ordered")
def test_orders_answer_all_that_a_seat_is_asked_while_others_still_think():
    match = start()
    saved = match.save()
    assert match.follow_orders(0, {"bid": "2", "raise": "yes"}) == ["2", "yes"]
    assert match.follow_orders(1, {"bid": "2"}) == ["2"]
    assert match.save() == saved


@pytest.mark.usefixtures("bids_can_be_ordered")
def test_orders_for_only_part_of_the_questions_leave_all_of_them_to_the_player():
    assert start().follow_orders(0, {"bid": "2"}) is None
    match = start()
    match.choose(0, "1")
    assert match.follow_orders(0, {"raise": "no"}) == ["no"]


@pytest.mark.usefixtures("bids_can_be_ordered")
def test_orders_end_with_the_scene_even_if_the_same_seat_is_asked_next():
    match = start()
    match.choose(1, "1")
    assert match.follow_orders(0, {"bid": "2", "raise": "yes"}) == ["2", "yes"]
    match.choose(0, "2")
    match.choose(0, "yes")
    assert prompts(match) == [(0, "first")]
    assert match.follow_orders(0, {"bid": "2", "raise": "yes"}) is None
    assert match.follow_orders(1, {"bid": "2", "raise": "yes"}) == []


def test_orders_never_look_past_a_reveal(monkeypatch):
    orders = (StandingOrder("second", ("ask", "c")), StandingOrder("third", ("ask", "e")))
    monkeypatch.setitem(CATALOGUE, "toy", dataclasses.replace(TOY, orders=orders, follow=follow))
    match = after_bids()
    match.choose(0, "a")
    assert match.follow_orders(0, {"second": "c"}) == match.follow_orders(0, {"second": "c", "third": "e"}) == ["c"]
    match.choose(0, "c")
    assert match.follow_orders(0, {"third": "e"}) is None


@pytest.mark.usefixtures("bids_can_be_ordered")
def test_an_order_can_never_choose_what_is_not_offered():
    with pytest.raises(IllegalChoice):
        start().follow_orders(0, {"bid": "9"})


def test_a_match_saved_under_older_rules_is_mended_step_by_step(monkeypatch):
    match = start()
    decision = match.pending[0]
    match.choose(decision.seat, decision.options[0].id)
    saved, steps = match.save(), []

    def third_to_fourth(old: Old) -> None:
        assert old.state["players"] == match.players
        assert old.choices == [(decision.seat, decision.options[0].id)]
        steps.append(3)

    mends = {3: third_to_fourth, 4: nothing_changes}
    monkeypatch.setitem(CATALOGUE, "toy", dataclasses.replace(TOY, rules=5, older=mends))
    mended = Match.load(saved)
    assert steps == [3]
    assert mended.view(None) == match.view(None)
    assert mended.save() != saved  # it is one of today's rules from now on
    assert Match.load(mended.save()).view(None) == match.view(None)
    assert steps == [3]


def test_a_match_whose_rules_have_no_mend_says_so(monkeypatch):
    saved = start().save()
    for rules, mends in ((5, {3: nothing_changes}), (5, {4: nothing_changes}), (2, {})):
        monkeypatch.setitem(CATALOGUE, "toy", dataclasses.replace(TOY, rules=rules, older=mends))
        with pytest.raises(OlderRules):
            Match.load(saved)


def test_the_meaning_of_a_choice_comes_back_to_the_rule_that_asked():
    plain, meant = Option("a.1", Message("toy.a")), Option("b.2", Message("toy.b"), means=("b", 2))
    nothing = Option("none", Message("toy.none"), means=None)
    assert [option.meaning for option in (plain, meant, nothing)] == ["a.1", ("b", 2), None]
