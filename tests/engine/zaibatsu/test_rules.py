"""The rules of Zaibatsu one by one, by the section of the rulebook they stand in."""

from typing import Any

import msgspec
import pytest

from engine import BadOptions, IllegalChoice, Match
from engine.scene import Event
from engine.zaibatsu.gains import gain_effects
from engine.zaibatsu.rounds import leaders, score_influence
from engine.zaibatsu.scoring import leftovers
from engine.zaibatsu.state import Token, Worker
from tests.engine.zaibatsu.positions import ZAIBATSU, offers, play, position, state_of

# Set-up


@pytest.mark.parametrize(
    ("players", "factories", "bag", "rows", "pairs"), [(2, 12, 18, 1, 3), (3, 18, 21, 2, 4), (4, 24, 24, 3, 5)]
)
def test_set_up_gives_as_much_as_the_number_of_players_asks(players, factories, bag, rows, pairs):
    state = state_of(Match.start("zaibatsu", players=players, seed=4))
    assert len(state.factories) == factories
    assert (len(state.bag), [len(row) for row in state.queue]) == (bag, [3] * rows)
    assert [len(space) for space in state.hiring] == [3] * 5
    assert (len(state.pairs), set(state.upgrades.values())) == (pairs, {players})
    assert set(state.unused.values()) == {4 - players}, "workers of each colour that stay in the box"
    assert len({tuple(sorted(city.goods)) for city in state.cities}) == 8
    assert all(tile.endswith("a") for tile in state.factories)
    assert (state.boards[0].hand, state.boards[0].locked) == ([1, 2, 3, 4, 5, 6, 7], [3, 5, 7])


def test_the_set_up_draws_factories_and_demand_tiles_and_turns_these_at_random():
    states = [state_of(Match.start("zaibatsu", players=2, seed=seed)) for seed in range(30)]
    cotton = {tuple(tile for tile in state.factories if tile.startswith("cotton")) for state in states}
    assert {tile for pair in cotton for tile in pair} == {f"cotton{number}a" for number in "1234"}
    assert len(cotton) > 2, "pairs are drawn, not taken in order"
    printed = [tuple(row.goods) for row in states[0].box.tables.demand.rows]
    laid = [city.goods for state in states for city in state.cities]
    turns = {(tile, turn) for goods in laid for tile in printed for turn in range(4) if turned(tile, turn) == goods}
    assert len(turns) == len(printed) * 4, "every tile is met in each of its four directions"


def turned(tile: tuple[str, ...], turn: int) -> list[str]:
    return [*tile[turn:], *tile[:turn]]


def test_starting_tokens_are_chosen_counterclockwise_with_the_first_player_last():
    match = Match.start("zaibatsu", players=4, seed=9)
    first = state_of(match).first
    order: list[int] = []
    while match.pending[0].prompt != "zaibatsu.turn":
        decision = match.pending[0]
        if not order or order[-1] != decision.seat:
            order.append(decision.seat)
        match.choose(decision.seat, decision.default)
    assert order == [(first - back) % 4 for back in (1, 2, 3, 4)]
    assert match.pending[0].seat == first
    assert all(len(board.start) == 2 for board in state_of(match).boards)
    assert state_of(match).pairs == [], "what nobody took is out of the game"


@pytest.mark.parametrize("token", ["ship", "train"])
def test_a_starting_ship_or_train_is_built_and_not_skipped(token):
    board, match = begin(token)
    assert "skip" not in offers(match)
    play(match, match.pending[0].default)
    assert (board.ships, board.trains) == ((1, 0) if token == "ship" else (0, 1))


def begin(a: str, then: str = "", b: str = "b1"):
    match = Match.start("zaibatsu", players=2, seed=2)
    state = state_of(match)
    state.pairs = [(a, b), ("train" if a == "cheap" else "cheap", "b2")]
    match = Match(ZAIBATSU, msgspec.msgpack.encode(state), state.box)
    return play(match, f"pair.{a}.{b} {then}"), match


def test_starting_token_machine_goes_to_the_first_factory():
    board, _ = begin("machine")
    assert (board.machines, board.spare_machine, board.vp, board.money, board.coal) == (1, 1, 6, 13, 3)
    board = play(position(offered="cotton2a", machines=1, spare_machine=1, rd=2, money=6), "factory worker.black")
    assert (board.factories[0].machines, board.spare_machine, board.machines) == (1, 0, 1)


def test_starting_token_ship_takes_expert_and_upgrade():
    board, match = begin("ship", "ship.grey")
    assert (board.ships, board.upgraded, board.workers) == (1, ["grey"], [Worker("grey", True)])
    assert "grey" not in state_of(match).experts


def test_starting_token_train_grants_its_bonus():
    board, _ = begin("train", "train.2.0")
    assert (board.trains, board.money) == (1, 2 + 13)


def test_starting_token_goods_go_to_the_first_factory():
    board, _ = begin("goods")
    assert (board.spare_goods, board.vp) == (2, 9)
    board = play(position(offered="cotton2a", spare_goods=2, rd=2, money=6), "factory worker.black")
    assert (board.factories[0].goods, board.spare_goods) == (2, 0)


def test_starting_token_old_factory_holds_a_good_and_never_produces():
    board, _ = begin("old_factory", "old.cotton")
    _, match = begin("old_factory", "")
    assert match.pending[0].default == "old.paper"
    assert [(f.tile, f.goods) for f in board.factories] == [("cotton0o", 1)]
    match = position(factories="cotton0o:1", coal=9, money=9)
    assert "production" not in offers(match)
    assert "machines" not in offers(match)
    assert "investment" in offers(match)


def test_starting_token_worker_is_taken_from_the_bag():
    board, match = begin("worker", "worker.blue")
    assert board.workers == [Worker("blue")]
    assert (len(state_of(match).bag), board.vp) == (17, 18)
    match = Match.start("zaibatsu", players=2, seed=2)
    state = state_of(match)
    state.pairs, state.bag = [("worker", "b1"), ("cheap", "b2")], ["red", "blue"]
    match = Match(ZAIBATSU, msgspec.msgpack.encode(state), state.box)
    play(match, "pair.worker.b1")
    assert offers(match) == ["worker.red", "worker.blue"], "no colour that is not there"


def test_starting_token_coal_survives_consolidation():
    board, _ = begin("coal")
    assert (board.kept, board.coal, board.vp) == (3, 3, 15)


def test_starting_token_cheap_makes_factories_2_cheaper():
    board, _ = begin("cheap")
    assert board.cheap
    board = play(position(offered="cotton2a", cheap=True, rd=2, money=5), "factory worker.black")
    assert board.money == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_difficulty_is_refused_where_there_is_no_automa(players):
    for difficulty in ("easy", "hard"):
        with pytest.raises(BadOptions, match=r"zaibatsu\.clash\.difficulty"):
            Match.start("zaibatsu", players=players, seed=1, options={"difficulty": difficulty})
    Match.start("zaibatsu", players=players, seed=1, options={"difficulty": "normal"})


def test_modules_are_not_combined_and_not_played_solo():
    with pytest.raises(BadOptions, match=r"zaibatsu\.clash\.modules"):
        Match.start("zaibatsu", players=3, seed=1, options={"late_factories": True, "common_goals": True})
    with pytest.raises(BadOptions, match=r"zaibatsu\.clash\.solo"):
        Match.start("zaibatsu", players=1, seed=1, options={"common_goals": True})
    late = state_of(Match.start("zaibatsu", players=3, seed=1, options={"late_factories": True}))
    assert sum(tile[-2] == "5" for tile in late.factories) == 4
    goals = state_of(Match.start("zaibatsu", players=3, seed=1, options={"common_goals": True}))
    assert [len(period) for period in goals.common_goals] == [2, 2, 2]


# Silk, tracks, hiring


def test_silk_is_money_once_the_money_is_spent():
    board = play(position(money=2, silk=3), "rd worker.black steps.2")
    assert (board.money, board.silk) == (0, 2)


def test_silk_lifts_research_for_one_factory_only():
    match = position(offered="cotton2a bento2a bulbs2a", rd=4, money=6, silk=3)
    play(match, "factory worker.black")
    assert offers(match) == ["build.cotton2a", "build.bento2a", "build.bulbs2a"]
    board = play(match, "build.bulbs2a")
    assert (board.silk, board.rd) == (0, 4)
    match = position(offered="cotton2a bento2a bulbs2a", rd=4, money=5, silk=3)
    play(match, "factory worker.black")
    assert offers(match) == ["build.cotton2a", "build.bento2a"], "silk spent as money is gone"


def test_an_action_is_offered_only_if_it_can_be_paid_and_a_worker_waits():
    match = position(money=1, hiring=["", "red", "red", "red", "red"], workers="red")
    assert offers(match) == ["mining", "consolidate"]
    reasons = {blocked.label.key: blocked.reason.key for blocked in position(money=1).pending[0].blocked}
    assert reasons["zaibatsu.action.machines"] == "zaibatsu.why.machines"


def test_six_workers_must_consolidate():
    match = position(money=20, workers="red red red red red red")
    assert match.pending[0].prompt == "zaibatsu.favor_full"


def test_a_consolidation_that_nobody_chose_says_why_it_is_made():
    assert position(workers="red").pending[0].prompt == "zaibatsu.favor_stuck"
    some = position(workers="red", hiring=["red", "", "", "", ""])
    assert some.pending[0].prompt == "zaibatsu.favor_stuck", "there is a worker, and no money for what he does"
    assert position(workers="red", hiring="", money=9).pending[0].prompt == "zaibatsu.favor_no_workers"
    match = position(workers="red", money=1)
    play(match, "consolidate")
    assert match.pending[0].prompt == "zaibatsu.favor"
    match = position(workers="red", money=1, hiring=["red", "", "", "", ""])
    assert offers(match) == ["rd", "consolidate"]
    play(match, "consolidate")
    assert match.pending[0].prompt == "zaibatsu.favor", "it was a choice of two"


@pytest.mark.parametrize(
    ("hiring", "how", "named"),
    [
        ("", "no_workers", 9),
        (["", "red", "red", "red", "red"], "some_without", 2),
        (["red", "red", "red", "red", "red"], "all_lacking", 0),
    ],
)
def test_why_nothing_but_a_consolidation_is_possible_is_told_in_one_line(hiring, how, named):
    (why,) = whys(position(workers="red", hiring=hiring))
    assert (why.key, why.args["seat"], len(why.args["things"])) == (f"zaibatsu.no_action.{how}", 0, named)
    (why,) = whys(position(workers="red red red red red red"))
    assert why.key == "zaibatsu.no_action.no_room"


def whys(match: Match) -> list[Event]:
    return [event for event in match.events if event.who == (0,) and event.key.startswith("zaibatsu.no_action.")]


def test_turns_are_counted_as_they_begin():
    match = Match.start("zaibatsu", players=2, seed=1)
    assert match.turn == 0, "Starting tokens are chosen before the first turn"
    match = position(money=9)
    assert match.turn == 1
    play(match, "rd worker.red steps.1")
    assert match.turn == 2
    solo = position(1, money=9)
    play(solo, "rd worker.red steps.1")
    assert solo.turn == 3, "the Automa's turn counts too"


def test_an_empty_hiring_space_takes_the_next_row_of_the_queue():
    match = position(
        money=9, hiring=["black", "red", "red", "red", "red"], queue="blue white grey/red red red", players=3
    )
    play(match, "rd steps.1")
    state = state_of(match)
    assert (state.hiring[0], state.queue, state.round) == (["blue", "white", "grey"], [["red", "red", "red"]], 1)


def test_the_round_ends_when_the_queue_cannot_fill_a_space():
    match = position(money=9, hiring=["black", "red red", "red", "red red red", "red"], queue="")
    bag = len(state_of(match).bag)
    play(match, "rd steps.1")
    state = state_of(match)
    assert state.round == 2
    assert [len(space) for space in state.hiring] == [1, 3, 2, 3, 2], "one more each, never above three"
    assert len(state.bag) == bag - 4 - 3, "four spaces with room, and a row of the queue"
    assert [len(row) for row in state.queue] == [3]
    assert match.pending[0].seat == 1


def test_track_bonuses_are_gained_when_passed_through():
    board = play(position(rd=4, money=6), "rd worker.black steps.3")
    assert (board.rd, board.finance, 5 in board.locked, board.hand.count(5)) == (7, 2, False, 2)


def test_a_bonus_between_two_rows_needs_both_spaces_empty():
    board = play(position(factories="cotton1a:0/1 paper1a", trains=1, money=5), "machines worker.black")
    assert (board.machines, board.coal) == (2, 0)
    board = play(position(factories="cotton1a:0/1 paper1a", trains=2, money=5), "machines worker.black")
    assert board.coal == 2


def test_a_factory_within_reach_costs_no_silk_and_one_beyond_says_how_much():
    match = play_to("factory worker.black", offered="cotton1a bento1a", rd=2, money=9, silk=9)
    hints = {option.id: (option.hint.key, option.hint.args["silk"]) for option in match.pending[0].worked_out().options}
    assert hints == {"build.cotton1a": ("zaibatsu.hint.build", 0), "build.bento1a": ("zaibatsu.hint.build_silk", 3)}


def play_to(choices: str, **given: Any) -> Match:
    match = position(**given)
    play(match, choices)
    return match


def told(match: Match, key: str) -> list[dict[str, Any]]:
    return [event.args for event in match.events if event.key == f"zaibatsu.{key}"]


def test_a_modifier_that_spares_coal_is_told_and_is_the_one_of_its_action():
    match = play_to("production worker.black", factories="bento4b", money=1, coal=0)
    assert told(match, "modified") == [{"seat": 0, "tile": "bento4b"}]


def test_a_modifier_of_trains_that_was_not_taken_up_is_asked_for_at_the_end():
    given: dict[str, Any] = {"factories": "lenses3b", "iron": 9, "money": 1}
    match = play_to("trains worker.red train.0.1 train.1.1", **given)
    assert match.pending[0].args["n"] == 3
    board = play(match, "done")
    assert (board.trains, board.silk) == (2, 2), "the red Department, for the red worker"
    board = play(position(**given), "trains worker.red train.0.1 train.1.1 train.2.1")
    assert (board.trains, board.silk) == (3, 2)


def test_of_two_modifiers_of_trains_one_or_none_is_used_at_the_end():
    given: dict[str, Any] = {"factories": "lenses3a lenses3b", "iron": 3, "money": 1}
    match = play_to("trains worker.red train.0.1", **given)
    assert (match.pending[0].prompt, match.pending[0].default) == ("zaibatsu.modifier", "modifier.0.0")
    board = play(match, "none")
    assert (board.trains, board.coal, board.silk, match.pending[0].seat) == (1, 0, 0, 1)


def test_a_ship_for_a_contract_is_offered_between_two_contracts_and_not_after_an_investment():
    given: dict[str, Any] = {"factories": "clocks4b:1 bulbs4b:1 cotton1a:2", "money": 1}
    match = play_to("investment worker.white spend.clocks invest", **given)
    assert offers(match) == ["spend.cotton", "done"]
    match = play_to("investment worker.white spend.clocks contract.red", **given)
    assert offers(match) == ["spend.cotton", "modifier.0", "done"], "a machine would help nothing before the end"


def test_each_colour_has_so_many_upgrades_and_a_ship_takes_one():
    match = play_to("ships worker.black ship.red iron", iron=3, money=9)
    assert state_of(match).upgrades["red"] == 1


def test_who_has_one_way_to_go_reads_why_there_is_no_other():
    match = play_to("favor.1.rd", workers="red " * 6, money=3)
    assert told(match, "no_action.no_room") == [{"seat": 0, "things": []}]


def test_who_has_one_factory_to_build_or_one_dock_to_sail_to_reads_why_there_is_no_other():
    match = play_to("factory worker.black", offered="cotton2a bulbs2a", rd=2, money=6)
    assert [no["why"]["key"] for no in told(match, "not_possible")] == ["zaibatsu.why.level"]
    assert state_of(match).boards[0].factories[-1].tile == "cotton2a"
    experts = [{"workers": f"{colour}*"} for colour in ("black", "grey", "blue")]
    experts[0]["workers"] += " yellow* white*"
    match = play_to("ships worker.black", players=4, iron=3, money=1, others=experts)
    assert [no["why"]["key"] for no in told(match, "not_possible")] == ["zaibatsu.why.no_expert"]
    assert state_of(match).boards[0].ships == 1
    match = play_to("ships worker.black ship.red", iron=3, money=1)
    assert told(match, "not_possible") == []


def test_of_several_factories_or_modifiers_the_first_is_the_default():
    match = play_to("factory worker.black", offered="cotton2a paper2a", rd=2, money=6)
    assert match.pending[0].default == offers(match)[0] != offers(match)[-1]
    match = play_to("rd worker.black", factories="cotton3a cotton3b", money=1)
    assert (match.pending[0].default, offers(match)) == ("modifier.0", ["modifier.0", "modifier.1", "none"])


def test_what_is_built_comes_before_what_is_gained_with_it():
    effects = gain_effects([("money", 2), ("finance", 1), ("ship", 1), ("train", 1)])
    assert effects == [("train",), ("ship",), ("gain", "money", 2), ("advance", "finance", 1)]


def test_a_machine_says_what_it_costs_and_nothing_of_what_it_does_not():
    match = play_to("machines worker.black", factories="cotton1a paper1a:0/1", money=5, iron=1)
    costs = {option.id: option.hint.args["prices"] for option in match.pending[0].options}
    money, iron = {"key": "zaibatsu.amount.money", "args": {"n": 5}}, {"key": "zaibatsu.amount.iron", "args": {"n": 1}}
    assert costs == {"machine.0": [money], "machine.1": [money, iron]}
    match = play_to("factory worker.black", offered="bulbs2b", factories="cotton1a", rd=6, money=6)
    assert {option.hint.key for option in match.pending[0].options} == {"zaibatsu.hint.machine_free"}


@pytest.mark.parametrize(("city", "counts"), [(1, False), (2, True), (3, True), (4, False)])
def test_a_train_says_whether_it_would_count_beside_a_token_of_the_region(city, counts):
    match = play_to("trains worker.black", iron=3, money=1, tokens={(city, 0): "2@0"})
    hint = match.pending[0].worked_out().option("train.1.0").hint.args["first"]
    assert hint["key"] == ("zaibatsu.hint.train" if counts else "zaibatsu.hint.train_idle")


@pytest.mark.parametrize("action", ["machines", "production", "ships", "trains", "markets", "investment"])
def test_an_action_is_begun_by_default_and_gone_on_with_only_by_choice(action):
    match = position(factories="cotton1a:1 paper1a:2 bento1a:3", money=30, iron=12, coal=20, cities=PLAIN)
    play(match, f"{action} worker.black")
    first = match.pending[0]
    assert (first.default, first.main) == (first.options[0].id, "")
    while match.pending[0].prompt != first.prompt or match.pending[0] == first:
        match.choose(0, match.pending[0].options[0].id)
    again = match.pending[0]
    assert (again.default, again.main, again.args["n"]) == ("done", "done", 2)
    assert first.default not in [option.id for option in again.options] or action == "markets"


def test_a_modifier_that_no_machine_can_follow_does_not_keep_another_waiting():
    match = position(factories="cotton4a paper4a:0/2 bento1a", money=15)
    board = play(match, "machines worker.black machine.0")
    assert (board.rd, match.pending[0].prompt) == (3, "zaibatsu.machines")


def test_a_machine_that_fills_a_column_gives_its_bonus_besides_the_modifier():
    match = position(factories="paper4a cotton1a:0/1", ships=2, money=5)
    board = play(match, "machines worker.black")
    assert (board.machines, board.finance, board.iron) == (2, 2, 2)
    assert told(match, "modified") == [{"seat": 0, "tile": "paper4a"}]


def test_what_a_modifier_adds_to_a_production_is_told():
    match = play_to("production worker.black", factories="bulbs3a", coal=4, money=1)
    assert told(match, "modified") == [{"seat": 0, "tile": "bulbs3a"}]


def test_a_modifier_of_trains_can_be_used_before_the_next_train():
    match = play_to("trains worker.red train.0.1 modifier.0", factories="lenses3b", iron=6, money=1)
    board = play(match, "train.1.1")
    assert (board.trains, board.silk, match.pending[0].seat) == (2, 2, 1)


def test_an_offer_that_cannot_be_paid_waits_for_bonuses_that_may_pay_for_it():
    given: dict[str, Any] = {"upgraded": ["blue"], "trains": 3, "machines": 4, "iron": 1, "rd": 4, "money": 6}
    match = play_to("factory worker.black train.0.1", offered="lenses2a", **given)
    assert match.pending[0].prompt == "zaibatsu.offer", "5 money of the blue Department have come"
    board = play(match, "accept train.1.1")
    assert (board.trains, board.money, board.iron) == (5, 0, 0)


def test_machines_that_are_given_do_not_produce_unless_the_factory_says_so():
    given: dict[str, Any] = {"factories": "cotton1a paper1a", "rd": 6, "money": 6, "coal": 9}
    board = play(position(offered="bulbs2a", **given), "factory worker.black machine.0 machine.1")
    assert ([f.goods for f in board.factories], board.coal) == ([0, 0, 0], 9)
    board = play(position(offered="bulbs2b", **given), "factory worker.black machine.0")
    assert ([f.goods for f in board.factories], board.coal) == ([2, 0, 0], 7)


def test_when_all_pass_one_after_the_other_the_round_ends():
    match = position(3, money=0, others=[{"money": 0}, {"money": 0}])
    kept = [event.key for event in match.events if event.key in ("zaibatsu.passed", "zaibatsu.round")]
    assert kept[:4] == ["zaibatsu.passed"] * 3 + ["zaibatsu.round"]


def test_a_worker_of_a_colour_one_has_is_the_default():
    match = play_to("rd", workers="red", money=9)
    assert match.pending[0].default == "worker.red"
    assert play_to("rd", workers="grey", money=9).pending[0].default == "worker.black"


def test_a_second_machine_in_a_factory_costs_an_iron_and_there_is_no_third():
    match = position(factories="cotton1a:0/1 paper1a:0/2", money=9)
    assert "machines" not in offers(match)
    board = play(position(factories="cotton1a:0/1", money=9, iron=1), "machines worker.black")
    assert (board.factories[0].machines, board.iron) == (2, 0)


def test_machines_go_to_different_factories():
    match = position(factories="cotton1a paper1a", money=15, iron=5)
    play(match, "machines worker.black machine.0")
    assert offers(match) == ["machine.1", "done"]


def test_one_modifier_per_action_and_the_player_chooses_which():
    match = position(factories="cotton3a cotton3b", money=2)
    board = play(match, "rd worker.black")
    assert offers(match) == ["modifier.0", "modifier.1", "none"]
    play(match, "modifier.1")
    assert (board.rd, board.silk) == (2, 2)


def test_of_two_modifiers_declining_one_leaves_the_other_to_be_chosen():
    match = position(factories="cotton4a paper4a bento1a", money=15)
    board = play(match, "machines worker.black machine.0")
    assert offers(match) == ["modifier.0", "none"]
    play(match, "none machine.1")
    assert offers(match) == ["modifier.0", "modifier.1", "none"]
    play(match, "modifier.1 machine.2")
    assert (board.rd, board.iron) == (1, 2)
    assert match.pending[0].seat == 1, "one modifier an action"


def test_a_declined_modifier_can_be_taken_up_at_the_next_machine_or_at_the_end():
    match = position(factories="bulbs4a paper4a bento1a", money=16)
    board = play(match, "machines worker.black machine.0 none machine.2")
    assert offers(match) == ["modifier.0", "none"], "also where the machine stands in a factory without one"
    play(match, "modifier.0")
    assert (board.money, offers(match)) == (10, ["machine.1", "done"])
    match = position(factories="bulbs4a paper4a bento1a", money=11)
    board = play(match, "machines worker.black machine.0 none machine.2")
    assert (board.money, offers(match)) == (5, ["machine.1", "done"]), "no other can follow: its money pays for one"
    match = position(factories="cotton4a paper4a", money=10)
    board = play(match, "machines worker.black machine.0 none done")
    assert (board.rd, board.iron, match.pending[0].seat) == (3, 0, 1)
    match = position(factories="cotton4a paper4a", money=10)
    board = play(match, "machines worker.black machine.0 none machine.1 none")
    assert (board.rd, board.iron, match.pending[0].seat) == (1, 0, 1), "both declined, and not asked twice"


def test_goods_beyond_four_are_discarded():
    match = play_to("production worker.black", factories="cotton1a:3/2", coal=2, money=1)
    assert state_of(match).boards[0].factories[0].goods == 4
    assert told(match, "produced")[0]["goods"][0]["args"] == {"n": 1}
    match = play_to("production worker.black", factories="cotton1a:4", coal=2, money=1)
    assert told(match, "produced") == [], "nothing found room"


def test_goods_are_counted_by_type_over_all_factories_that_hold_any():
    board = state_of(position(factories="cotton1a:1 paper1a cotton2a:3")).boards[0]
    assert board.stock() == {"cotton": 4}


# Limits


PLENTY: dict[str, Any] = {"money": 30, "iron": 12, "coal": 20}
FOUR = "cotton1a:1 paper1a:2 bento1a:3 lenses1a:4"


@pytest.mark.parametrize(
    ("action", "each"),
    [
        ("machines", ["machine.0", "machine.1", "machine.2"]),
        ("production", ["produce.0", "produce.1", "produce.2"]),
        ("ships", ["ship.red iron", "ship.blue iron", "ship.white iron"]),
        ("trains", ["train.0.1 iron", "train.1.1 iron", "train.2.1 iron"]),
        ("markets", ["space.0.0 goods.1.vp", "space.1.0 goods.2.vp", "space.0.1 goods.3.vp"]),
        ("investment", ["spend.cotton invest", "spend.paper contract.yellow", "spend.bento contract.black"]),
    ],
)
def test_an_action_is_activated_three_times_and_no_more(action, each):
    cities = {at: ["cotton", "paper", "bento", "lenses"] for at in range(8)}
    factories = "cotton1a:4 paper1a:4 bento1a lenses1a:4" if action == "markets" else FOUR
    match = position(factories=factories, cities=cities, **PLENTY)
    play(match, f"{action} worker.black {each[0]}")
    for choices in each[1:]:
        assert "done" in offers(match)
        play(match, choices)
    assert match.pending[0].seat == 1, "a fourth one could be paid for, but is not asked for"


def test_at_the_end_of_a_track_one_step_can_be_paid_and_is_not_made():
    match = position(rd=9, money=9)
    board = play(match, "rd worker.black")
    assert (board.rd, board.money, match.pending[0].seat) == (9, 8, 1), "there is nothing to choose"
    assert told(match, "advanced") == []


@pytest.mark.parametrize(("action", "price"), [("rd", 1), ("mining", 1), ("factory", 6)])
def test_research_mining_and_factory_have_a_single_activation(action, price):
    match = position(offered="cotton2a paper2a", rd=2, **PLENTY)
    play(match, f"{action} worker.black")
    board = play(match, offers(match)[0])
    assert (PLENTY["money"] - board.money, match.pending[0].seat) == (price, 1)


def test_there_are_six_ships_machines_and_trains_and_six_slots_for_factories():
    none = position(ships=6, trains=6, factories="cotton1a paper1a bento1a", offered="paper2a", rd=6, **PLENTY)
    assert {"ships", "trains"}.isdisjoint(offers(none))
    assert {"machines", "factory"} <= set(offers(none))
    built = "cotton1a:0/2 paper1a:0/2 bento1a:0/2 lenses1a cotton2a bulbs1a"
    full = position(factories=built, offered="paper2a", rd=6, **PLENTY)
    assert {"machines", "factory"}.isdisjoint(offers(full))
    assert "machines" not in offers(position(factories="cotton1a:0/2 paper1a:0/2", **PLENTY)), "two in each and no more"
    last = position(ships=5, trains=5, factories="cotton1a:0/2 paper1a:0/2 bento1a:0/1 lenses1a cotton2a", **PLENTY)
    play(last, "machines worker.black machine.2")
    assert state_of(last).boards[0].machines == 6
    assert last.pending[0].seat == 1, "no seventh machine"


def test_the_sixth_worker_is_the_last():
    match = position(workers="red red red red red", **PLENTY)
    assert {"rd", "mining", "consolidate"} <= set(offers(match))
    play(match, "rd worker.red steps.1")
    assert len(state_of(match).boards[0].workers) == 6


# Ships and trains


def test_a_destination_has_as_many_ship_spaces_as_players():
    match = position(
        iron=3,
        money=1,
        state={"docks": {c: [1, 1] if c != "red" else [] for c in ("black", "red", "grey", "blue", "white", "yellow")}},
    )
    board = play(match, "ships worker.black")
    assert board.upgraded == ["red"]


def test_a_ship_needs_a_space_for_its_expert():
    match = position(iron=3, money=9, workers="red red red red red")
    assert "ships" not in offers(match)


def test_a_region_has_three_train_spaces_for_two_players():
    match = position(iron=3, money=1, lines={0: [1, 1, 1], 1: [1, 1, 1], 2: [1, 1, 1]})
    play(match, "trains worker.black")
    assert offers(match) == ["train.3.0", "train.3.1", "train.3.2"]


def test_equal_train_spaces_of_a_region_are_offered_once():
    spaces = [option for option in offers(play_to("trains worker.black", players=4, iron=3)) if "train.0." in option]
    assert spaces == ["train.0.0", "train.0.1", "train.0.2", "train.0.4", "train.0.6"], "of three without a bonus one"


def test_a_train_that_fills_a_column_gives_its_bonus_before_the_next():
    board = play(position(factories="cotton1a:0/2", trains=1, iron=3, money=1), "trains worker.black train.1.1")
    assert (board.trains, board.coal) == (2, 2), "black between two machines and two trains"


def test_a_second_ship_to_a_destination_takes_no_second_upgrade():
    match = play_to("ships worker.black ship.red", iron=3, money=1, upgraded=["red"])
    assert (state_of(match).boards[0].upgraded, state_of(match).upgrades["red"]) == (["red"], 2)


def test_an_influence_token_that_is_unlocked_lies_among_the_others_by_value():
    board = play(position(rd=6, money=9), "rd worker.black steps.1")
    assert (board.hand, board.locked) == ([1, 2, 3, 4, 5, 5, 6, 7], [3, 7])


def test_a_step_says_what_it_brings_and_only_mining_an_income():
    match = play_to("consolidate favor.1.rd", money=1, workers="white", mining=3)
    spots = {option.id: option.spots for option in match.pending[0].options}
    assert spots == {"steps.1.0": ("track:rd:2",), "steps.0.1": ("track:mining:4",)}
    hints = {option.id: option.hint for option in match.pending[0].worked_out().options}
    assert hints["steps.1.0"].key == "zaibatsu.hint.innovation"
    (more,) = hints["steps.0.1"].args["more"]
    assert (more["key"], more["args"]["n"]) == ("zaibatsu.income.coal", 5)


def test_trains_go_to_different_regions():
    match = position(iron=9, money=1)
    play(match, "trains worker.black train.0.0")
    assert not any(option.startswith("train.0.") for option in offers(match))


# Local Markets

PLAIN = {at: ["cotton", "paper", "bento", "lenses"] for at in range(8)}


def test_goods_place_the_token_of_their_level_and_number():
    match = position(cities=PLAIN, factories="cotton1a:3 bento1a:3", money=1)
    play(match, "markets worker.black space.0.0")
    assert offers(match) == [f"goods.{n}.{bonus}" for n in (1, 2, 3) for bonus in ("region", "vp")]
    board = play(match, "goods.2.region")
    assert (board.coal, state_of(match).cities[0].tokens[0]) == (2, Token(0, 2))
    assert 2 not in board.hand
    play(match, "space.1.2 goods.3.vp done")
    assert (state_of(match).cities[1].tokens[2], board.vp) == (Token(0, 5), 2)


def test_a_market_action_stays_in_one_region():
    match = position(cities=PLAIN, factories="cotton1a:4", money=1)
    play(match, "markets worker.black space.2.0 goods.1.vp")
    assert offers(match) == ["space.2.0", "space.3.0", "done"]
    hints = {option.id: option.hint.key for option in match.pending[0].worked_out().options if option.hint}
    assert hints == {"space.2.0": "zaibatsu.hint.replace", "space.3.0": "zaibatsu.hint.cover"}


def test_a_market_is_named_by_its_region_and_its_city():
    match = play_to("markets worker.black", cities=PLAIN, factories="cotton1a:1", money=1)
    named = {option.id: option.label.args for option in match.pending[0].options}
    assert [named[f"space.{at}.0"]["place"] for at in (0, 1, 2, 5, 7)] == ["north", "north", "kanto", "kansai", "west"]


def test_a_delivery_says_which_token_it_places():
    match = play_to("markets worker.black space.0.3", cities=PLAIN, factories="lenses1a:3", money=1)
    values = {option.id: option.hint.args["value"] for option in match.pending[0].options if option.id.endswith("vp")}
    assert values == {"goods.1.vp": 3, "goods.2.vp": 4, "goods.3.vp": 5}


@pytest.mark.parametrize(("goods", "hint"), [(2, "produce"), (3, "produce_lost")])
def test_a_production_says_what_would_find_no_room(goods, hint):
    match = play_to("production worker.black", factories=f"cotton1a:{goods}/1 paper1a", coal=4, money=1)
    assert match.pending[0].option("produce.0").hint.key == f"zaibatsu.hint.{hint}"


def test_a_token_is_replaced_only_by_a_higher_one_and_goes_back_to_its_owner():
    match = position(3, cities=PLAIN, factories="cotton1a:3", money=1, tokens={(0, 0): "2@1"})
    play(match, "markets worker.black space.0.0")
    assert offers(match) == ["goods.3.region", "goods.3.vp"], "only 3 goods beat a 2"
    play(match, "goods.3.vp")
    state = state_of(match)
    assert (state.cities[0].tokens[0], 2 in state.boards[1].hand) == (Token(0, 3), True)


def test_in_a_full_market_a_higher_token_on_an_empty_space_drives_out_the_lowest():
    match = position(cities=PLAIN, factories="cotton1a:2 lenses1a:2", money=1, tokens={(0, 1): "3@1", (0, 2): "4@1"})
    play(match, "markets worker.black")
    assert "space.0.0" not in offers(match), "2 does not beat the lowest, 3"
    play(match, "space.0.3 goods.2.vp")
    state = state_of(match)
    assert state.cities[0].tokens == [None, None, Token(1, 4), Token(0, 4)]
    assert 3 in state.boards[1].hand


def test_of_two_lowest_tokens_the_player_chooses_which_leaves():
    match = position(cities=PLAIN, factories="lenses1a:2", money=1, tokens={(0, 1): "3@1", (0, 0): "3@0"})
    play(match, "markets worker.black space.0.3 goods.2.vp")
    assert offers(match) == ["return.0", "return.1"]
    sides = [option.hint.args for option in match.pending[0].options]
    assert sides == [{"good": "cotton", "overseas": 0}, {"good": "paper", "overseas": 1}], "equal ones are told apart"
    play(match, "return.1")
    assert state_of(match).cities[0].tokens == [Token(0, 3), None, None, Token(0, 4)]


def test_own_tokens_may_be_replaced_even_within_the_action():
    match = position(cities=PLAIN, factories="cotton1a:3", money=1)
    board = play(match, "markets worker.black space.0.0 goods.1.vp space.0.0 goods.2.vp")
    assert (board.vp, board.hand.count(1), state_of(match).cities[0].tokens[0]) == (4, 1, Token(0, 2))


def test_from_which_factory_goods_come_is_asked_only_where_it_matters():
    match = position(factories="cotton1a:1 cotton2a:2", money=1)
    play(match, "investment worker.black")
    assert offers(match) == ["from.0.1", "from.1.0"]
    board = play(match, "from.0.1 invest")
    assert [f.goods for f in board.factories] == [1, 1]
    match = position(factories="cotton1a:1 cotton2a:2", money=1, cities=PLAIN)
    board = play(match, "markets worker.black space.0.0 goods.3.vp")
    assert [f.goods for f in board.factories] == [0, 0]


def test_each_activation_of_investment_spends_another_type():
    match = position(factories="cotton1a:4 paper1a:4 bento1a:2", money=1)
    board = play(match, "investment worker.black spend.cotton invest")
    assert offers(match) == ["spend.paper", "spend.bento", "done"]
    play(match, "spend.paper invest")
    assert match.pending[0].seat == 1, "of a third type there are not 3, and no type serves twice"
    assert ([f.goods for f in board.factories], board.finance) == ([3, 2, 2], 5)


# Consolidation


@pytest.mark.parametrize(
    ("workers", "levels"), [("red", {1}), ("red " * 4, {1}), ("red " * 5, {1, 2}), ("red " * 6, {1, 2, 3})]
)
def test_the_topmost_worker_decides_the_favor_and_a_lower_one_may_be_taken(workers, levels):
    match = position(money=1, workers=workers)
    if match.pending[0].prompt == "zaibatsu.turn":
        play(match, "consolidate")
    assert {int(option.split(".")[1]) for option in offers(match)} == levels
    match = position(money=1, workers="red " * 6, favors=[0, 3, 3])
    assert {int(option.split(".")[1]) for option in offers(match)} == {2, 3}, "there are no lowest ones left"
    match = play_to("consolidate", money=1, workers="red", objectives={"rd": 1, "ships": 2})
    assert {option.split(".")[2] for option in offers(match)}.isdisjoint({"rd", "ships"}), "each takes one"


def test_departments_come_from_the_lowest_and_with_four_workers_from_the_topmost():
    def silk_coal(workers):
        match = position(money=1, workers=workers)
        board = play(match, "consolidate favor.1.rd")
        return board.silk, board.coal - 2

    assert silk_coal("red black black") == (2, 0)
    assert silk_coal("red grey grey black") == (2, 2)
    assert silk_coal("red grey grey red") == (2, 0)


def test_departments_come_before_the_income():
    match = position(money=1, workers="white", mining=2)
    board = play(match, "consolidate favor.1.rd steps.0.1")
    assert (board.mining, board.coal) == (3, 4), "the step counts in this income"
    match = position(money=1, workers="white", mining=6)
    board = play(match, "consolidate favor.1.rd steps.0.1")
    assert (board.finance, board.money) == (2, 13 - 3), "and so does the step on Finance it brings"


def test_the_last_money_is_never_spent_and_missing_salaries_cost_points():
    match = position(money=1, vp=20, workers="red black grey blue*")
    board = play(match, "consolidate favor.1.rd")
    assert (board.money, board.vp) == (3, 20)
    assert told(match, "missed_salaries") == []
    match = position(money=1, vp=20, workers="red black grey yellow white")
    board = play(match, "consolidate favor.1.rd")
    play(match, "steps.1.0")
    assert match.pending[0].prompt == "zaibatsu.salary", "12 money for 15, the last 1 stays: 4 missing; 2 silk at hand"
    assert offers(match) == ["silk.2", "silk.1", "silk.0"]
    assert [option.hint.args["vp"] for option in match.pending[0].options] == [2, 3, 4]
    play(match, "silk.1")
    assert (board.money, board.silk, board.vp) == (1, 1, 17)


def test_points_never_fall_below_zero():
    match = position(money=1, vp=1, workers="grey black red yellow blue grey")
    board = play(match, "favor.1.rd")
    assert (board.money, board.vp) == (1, 0)


def test_experts_go_home_and_workers_into_the_bag():
    match = position(money=1, workers="red blue*")
    before = len(state_of(match).bag)
    play(match, "consolidate favor.1.rd")
    state = state_of(match)
    assert ("blue" in state.experts, len(state.bag), state.boards[0].workers) == (True, before + 1, [])


# Rounds, periods, scoring


def test_trains_count_only_beside_a_token_of_their_owner():
    match = position(lines={0: [0, 1]}, tokens={(0, 0): "1@1"})
    assert [entry["influence"] for entry in match.view(0)["regions"][0]["standing"]] == [0, 3]


def test_with_two_players_the_second_value_is_not_to_be_had():
    match = position(tokens={(0, 3): "7@0", (1, 0): "6@1", (0, 2): "1@1"})
    region = match.view(0)["regions"][0]
    assert region["overseas"] == 4
    assert [entry["vp"] for entry in region["standing"]] == [8, 8], "10 and 6 shared"
    match = position(tokens={(0, 3): "7@0", (1, 0): "3@1"})
    assert match.view(0)["regions"][0]["overseas"] == 6
    assert [entry["vp"] for entry in match.view(0)["regions"][0]["standing"]] == [10, 2]


def test_ties_share_the_sum_of_their_places_rounded_down():
    match = position(3, tokens={(0, 3): "7@0", (0, 2): "7@1", (0, 1): "6@2"}, state={"round": 3})
    region = match.view(0)["regions"][0]
    assert region["overseas"] == 6
    assert [entry["vp"] for entry in region["standing"]] == [16, 16, 6], "(18+14)/2; (10+3)//2 with overseas"


def test_two_at_the_fourth_place_share_its_points_and_a_fifth_gets_none():
    match = position(4, tokens={(0, 3): "7@0", (0, 2): "6@1", (0, 1): "2@2", (1, 3): "2@3"}, state={"round": 3})
    region = match.view(0)["regions"][0]
    assert region["overseas"] == 4
    assert [entry["vp"] for entry in region["standing"]] == [18, 14, 1, 1], "3 // 2 each behind the overseas companies"
    match = position(4, tokens={(0, 0): "7@0", (1, 1): "6@1", (0, 1): "3@2", (1, 2): "2@3"}, state={"round": 3})
    region = match.view(0)["regions"][0]
    assert region["overseas"] == 10
    assert [entry["vp"] for entry in region["standing"]] == [14, 10, 3, 0]
    state = state_of(match)
    score_influence(state)
    assert [event.args["seat"] for event in state.log if event.key == "zaibatsu.scored_influence"] == [0, 1, 2]


def test_a_tie_with_the_overseas_companies_shares_their_places_too():
    match = position(2, tokens={(0, 3): "7@0", (0, 2): "6@1"}, lines={0: [1, 1]}, state={"round": 5})
    assert [entry["vp"] for entry in match.view(0)["regions"][0]["standing"]] == [9, 26], "(14 + 4) / 2 with 7 overseas"


def test_a_period_ends_with_influence_scoring():
    match = position(
        money=9, hiring=["black", "red", "red", "red", "red"], queue="", tokens={(0, 3): "7@0"}, state={"round": 2}
    )
    board = play(match, "rd steps.1")
    assert (board.parts["influence"], state_of(match).round) == (6, 3), "behind the overseas companies' 9"
    assert match.view(0)["paid"] == [[6, 0]]
    (told,) = (event.args for event in match.events if event.key == "zaibatsu.scored_influence")
    assert (told["seat"], told["vp"], [row["args"]["vp"] for row in told["regions"]]) == (0, 6, [6])
    region = next(event.args for event in match.events if event.key == "zaibatsu.scored_region")
    assert [(row["key"].rpartition(".")[2], row["args"]["n"]) for row in region["standings"]] == [
        ("overseas", 9),
        ("standing", 7),
    ], "the most first, and nobody without any"


def test_a_round_within_a_period_scores_nothing():
    match = position(
        money=9, hiring=["black", "red", "red", "red", "red"], queue="", tokens={(0, 3): "7@0"}, state={"round": 1}
    )
    board = play(match, "rd steps.1")
    assert (state_of(match).round, board.vp, match.view(0)["paid"]) == (2, 0, [])


def test_the_final_rounds_give_everybody_three_turns_and_no_new_workers():
    match = position(
        money=9, hiring=["black", "red red", "red red", "red red", "red red"], queue="", state={"round": 5}
    )
    play(match, "rd steps.1")
    state = state_of(match)
    assert (state.round, state.final_turns, match.pending[0].seat) == (6, 6, 1)
    assert [len(space) for space in state.hiring] == [1, 3, 3, 3, 3]
    turns = []
    while match.pending and state.stage in ("turn", "round"):
        decision = match.pending[0]
        if decision.prompt == "zaibatsu.turn":
            turns.append(decision.seat)
        match.choose(decision.seat, decision.default)
        state = state_of(match)
    assert (turns, state.round) == ([1, 0, 1, 0, 1, 0], 8)
    assert state.boards[0].last_turn > state.boards[1].last_turn


def test_the_final_consolidation_is_decided_by_all_at_once_and_without_workers_too():
    match = position(
        3, workers="red", coal=5, money=7, state={"stage": "final", "round": 8}, others=[{"workers": "blue"}]
    )
    assert [decision.seat for decision in match.pending] == [0, 1]
    match.choose(1, "favor.1.rd")
    match.choose(0, "favor.1.mining")
    assert match.over
    boards = state_of(match).boards
    assert (boards[2].coal, boards[2].money) == (2, 12), "income even without workers"
    assert boards[0].coal == 2
    assert [board.workers for board in boards] == [[], [], []], "all have gone home"
    winner = match.result.ranking[0]
    assert told(match, "over") == [{"seat": winner.seat, "vp": winner.score}]
    assert told(match, "won_solo") == []


def test_equal_scores_are_broken_by_the_last_turn():
    match = position(3, state={"stage": "over"}, vp=50, last_turn=20, others=[{"vp": 50, "last_turn": 21}, {"vp": 40}])
    assert match.result is not None
    assert [standing.seat for standing in match.result.ranking] == [1, 0, 2]
    assert match.result.winners == [1]


def test_common_goals_are_in_everybodys_score_where_they_are_played_and_nowhere_else():
    for goals in ([], [["mining"], ["rd"], ["ships"]]):
        match = position(2, state={"stage": "over", "common_goals": goals}, parts={"goals": 5} if goals else {})
        assert match.result is not None
        kept = [standing.parts.get("goals") for standing in sorted(match.result.ranking, key=lambda row: row.seat)]
        assert kept == ([5, 0] if goals else [None, None])


def test_silk_is_sold_at_the_end_where_it_makes_a_point():
    board = state_of(position(money=4, silk=1, iron=3)).boards[0]
    assert leftovers(board) == (1, 1, 1)
    board = state_of(position(money=4, silk=1, iron=2)).boards[0]
    assert leftovers(board) == (1, 0, 0)


# Common Goals


FAR = [
    ("ships", {"ships": 2}),
    ("machines", {"factories": "cotton1a:0/2"}),
    ("trains", {"trains": 2}),
    ("rd", {"rd": 4}),
    ("mining", {"mining": 4}),
    ("finance", {"finance": 4}),
    ("factories", {"factories": "cotton1a paper1a"}),
    ("contracts", {"contracts": ["red", "blue"]}),
]


@pytest.mark.parametrize(("goal", "board"), FAR)
def test_every_goal_is_led_by_whoever_has_come_farthest(goal, board):
    match = position(3, **board)
    assert leaders(state_of(match), goal) == [0]
    match = position(3, others=[board], **board)
    assert leaders(state_of(match), goal) == [0, 1], "a lead can be shared"


def test_the_influence_goal_counts_tokens_in_the_regions_not_their_values():
    match = position(3, tokens={(0, 0): "7@0", (2, 0): "1@1", (4, 0): "2@1"})
    assert leaders(state_of(match), "influence") == [1]


def test_leaders_choose_a_reward_in_the_first_periods_at_once():
    match = position(
        options={"common_goals": True},
        money=9,
        rd=5,
        hiring=["black", "red", "red", "red", "red"],
        queue="",
        state={"round": 2, "common_goals": [["mining"], ["rd"], ["ships"]]},
    )
    play(match, "rd steps.1")
    assert [decision.seat for decision in match.pending] == [0, 1], "both share the lead in Mining"
    assert {decision.default for decision in match.pending} == {"reward.vp"}
    match.choose(1, "reward.finance")
    match.choose(0, "reward.vp")
    boards = state_of(match).boards
    assert (boards[0].parts["goals"], boards[1].finance) == (3, 2)
    assert (match.pending[0].prompt, match.pending[0].seat) == ("zaibatsu.turn", 1), "that was all there was to choose"


def test_a_basic_department_is_the_reward_of_period_one_even_if_upgraded():
    match = position(
        options={"common_goals": True},
        money=9,
        mining=2,
        upgraded=["blue"],
        hiring=["black", "red", "red", "red", "red"],
        queue="",
        state={"round": 2, "common_goals": [["mining"], ["rd"], ["ships"]]},
    )
    board = play(match, "rd steps.1 reward.department department.blue")
    assert board.money == 8 + 3


def test_the_last_period_pays_by_the_place_of_the_goal_and_nobody_leads_with_nothing():
    match = position(
        3,
        options={"common_goals": True},
        money=9,
        rd=5,
        state={"round": 8, "final_turns": 1, "common_goals": [[], [], ["ships", "rd"]]},
    )
    board = play(match, "rd worker.black steps.1")
    assert board.parts["goals"] == 8
    assert "goals" not in state_of(match).boards[1].parts


# Turn and default


def test_nobody_plays_out_of_turn():
    match = position(money=3)
    with pytest.raises(IllegalChoice):
        match.choose(1, "rd")


def test_the_default_is_a_consolidation_or_the_cheapest_step():
    assert position(money=5, workers="red").pending[0].default == "consolidate"
    match = position(money=5, factories="cotton1a", coal=5)
    assert match.pending[0].default == "rd"
    match = position(factories="cotton1a:1", coal=5, iron=3)
    assert match.pending[0].default == offers(match)[0] != offers(match)[-1], "without money the first that is possible"


def test_the_default_of_the_final_consolidation_puts_the_favor_where_it_counts_most():
    match = play_to("consolidate", workers="red red red", machines=7, money=1)
    assert match.pending[0].default == "favor.1.ships", "before the end the first that is free"
    match = position(workers="red red red", machines=7, state={"stage": "final", "round": 8})
    decision = match.pending[0]
    worth = {option.id: hint.args["vp"] for option in decision.options if (hint := decision.hint(option))}
    assert worth[decision.default] == max(worth.values()) > worth[decision.options[-1].id]
    assert (worth["favor.1.ships"], worth["favor.1.machines"]) == (0, 10), "below the lower threshold, above the higher"
    assert worth["favor.1.contracts"] == 0, "there is none"


def reasons(match: Match) -> dict[str, str]:
    return {
        str(next(iter(blocked.label.args.values()))): blocked.reason.key.rpartition(".")[2]
        for blocked in match.pending[0].blocked
    }


def test_what_is_out_of_reach_is_told_with_its_reason():
    match = position(offered="cotton2a paper2a bulbs2a", rd=2, money=6)
    play(match, "factory worker.black")
    assert reasons(match) == {"bulbs2a": "level"}
    match = position(iron=3, money=1, others=[{"workers": "black*"}])
    play(match, "ships worker.black")
    assert reasons(match) == {"new_york": "no_expert"}
    match = position(factories="cotton1a:1", money=1)
    play(match, "investment worker.black")
    assert reasons(match) == {"second": "contract", "third": "contract"}
