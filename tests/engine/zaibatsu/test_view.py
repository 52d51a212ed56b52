"""The view is enough to draw both boards, tells what would be scored now, and nothing of what lies hidden."""

import json
import time
from typing import Any

import msgspec
import pytest

from engine import Match
from engine.game import Old
from engine.scene import Gauge
from engine.zaibatsu import deliveries_in_one_choice, what_is_given_is_built
from engine.zaibatsu.gauges import gauges
from service.post import words
from tests.engine.zaibatsu.positions import ZAIBATSU, play, position, state_of


def test_every_region_tells_what_each_would_score_if_the_period_ended_now():
    match = position(2, tokens={(0, 3): "7@0", (0, 2): "6@1"}, lines={0: [1, 1]}, state={"round": 5})
    region = match.view(None)["regions"][0]
    assert region["standing"] == [
        {"owner": 0, "influence": 7, "vp": 9},
        {"owner": 1, "influence": 10, "vp": 26},
    ], "7 ties with the overseas companies: 14 and 4 shared"
    assert region["overseas"] == 7
    assert [space["owner"] for space in region["trains"]] == [1, 1, None]
    assert region["cities"][0]["sides"][3]["token"] == {"owner": 0, "value": 7}


def test_a_board_shows_tracks_pieces_factories_and_what_objectives_are_worth():
    match = position(
        factories="bento2b:2/1", kept=3, rd=7, workers="red blue*", objectives={"rd": 2}, contracts=["red"], money=3
    )
    board = match.view(1)["seats"][0]
    assert board["tracks"] == {"rd": 7, "mining": 1, "finance": 1}
    assert (
        board["factories"][0] | {"goods": 2, "machines": 1, "output": 2, "coal": 3, "level": 2} == board["factories"][0]
    )
    assert (board["kept"], board["salary"], board["consolidation"]["brings"]) == (3, 6, ["red"])
    assert next(entry for entry in board["objectives"] if entry["id"] == "rd") == {
        "id": "rd",
        "favor": 2,
        "vp": 8,
        "worth": [5, 8, 10],
    }
    assert [entry["id"] for entry in board["contracts"] if entry["fulfilled"]] == ["red"]


def test_the_order_in_the_bag_and_in_the_automa_s_pile_is_not_shown():
    match = Match.start("zaibatsu", players=1, seed=8)
    state, shown = state_of(match), match.view(0)
    assert sum(shown["bag"].values()) == len(state.bag)
    assert shown["automa"]["pile"] == 9
    assert json.dumps(state.bag) not in json.dumps(shown)


@pytest.mark.parametrize(
    ("chosen", "now"),
    [("factory worker.black", "act"), ("consolidate", "consolidate")],
    ids=["an action", "a consolidation"],
)
def test_the_trail_tells_how_far_the_turn_is(chosen: str, now: str):
    def trail() -> list[tuple[str, str]]:
        return [(step["say"].removeprefix("zaibatsu.step."), step["when"]) for step in match.view(0)["trail"]]

    match = position(offered="cotton2a paper1a", rd=1, money=6, silk=1, workers="red")
    assert trail() == [("choose", "now"), ("act", "ahead")]
    play(match, chosen)
    assert trail() == [("choose", "past"), (now, "now")]


def test_an_option_tells_its_cost_its_consequence_and_its_place_on_the_board():
    match = position(offered="cotton2a paper1a", rd=1, money=6, silk=1)
    play(match, "factory worker.black")
    option = match.pending[0].worked_out().options[0]
    assert option.hint is not None
    assert (option.hint.args["silk"], option.hint.args["effect"]) == (1, "cotton2a")
    assert words.tell(option.hint).startswith("6 money, and 1 silk in place of Research.")
    assert option.spots == ("factory:cotton2a",)


def since(match: Match, choices: str) -> set[str]:
    """What seat 0 sees marked after these choices."""
    before = match.view(0)
    play(match, choices)
    return match.game.changes(before, match.view(0))


def test_nothing_is_marked_between_equal_views():
    match = position(factories="cotton1a:2/1", workers="red", money=5)
    assert match.game.changes(match.view(0), match.view(0)) == set()


def test_changes_mark_a_new_token_and_the_goods_it_was_paid_with():
    match = position(factories="cotton1a:3/1", cities={0: ["cotton", "paper", "bento", "bulbs"]})
    assert since(match, "markets worker.red space.0.0 goods.2.vp") == {"city:0:0", "own_factory:0"}


def test_changes_mark_both_sides_of_a_token_that_was_driven_out():
    match = position(
        factories="cotton1a:3/1",
        cities={0: ["cotton", "paper", "bento", "bulbs"]},
        tokens={(0, 1): "1@1", (0, 3): "5@1"},
    )
    assert {"city:0:0", "city:0:1"} <= since(match, "markets worker.red space.0.0 goods.2.vp")


def test_changes_mark_trains_ships_and_the_department_a_ship_upgrades():
    assert since(position(iron=3, money=1), "trains worker.black train.2.0") == {"train:kansai:0"}
    assert since(position(iron=3, money=1), "ships worker.black ship.red") == {
        "destination:san_francisco",
        "department:red",
    }


def test_changes_mark_a_new_factory_and_the_space_its_steps_lead_to():
    match = position(offered="cotton1a", rd=2, money=6)
    assert since(match, "factory worker.black") == {"own_factory:0", "track:rd:4"}


def test_changes_mark_contracts_and_objectives():
    match = position(factories="cotton1a:1")
    assert "contract:yellow" in since(match, "investment worker.black contract.yellow")
    assert since(position(workers="blue", money=5), "consolidate favor.1.ships") == {"objective:ships"}


def test_changes_mark_workers_who_have_moved_up_from_the_queue():
    match = position(hiring=["red", "red", "red", "red", "red red"], queue="blue blue red", money=5)
    assert since(match, "rd steps.1") == {"track:rd:2", "hiring:0:blue"}, "the red one went and another red one came"


def test_changes_on_another_zaibatsu_begin_with_its_seat():
    match = position(rd=2, money=3)
    before = match.view(1), match.view(None)
    play(match, "rd worker.red steps.1")
    assert match.game.changes(before[0], match.view(1)) == {"0/track:rd:3"}
    assert match.game.changes(before[1], match.view(None)) == {"0/track:rd:3"}


def hints(match: Match) -> dict[str, str]:
    options = match.pending[0].worked_out().options
    return {option.id: words.tell(option.hint, ["Aiko", "Bruno"]) for option in options if option.hint}


def test_steps_tell_their_price_the_new_income_and_the_bonuses_on_the_way():
    match = position(money=6)
    play(match, "mining worker.red")
    assert hints(match) == {
        "steps.1": "1 money, to space 2: income 3 coal.",
        "steps.2": "3 money, to space 3: income 4 coal and 2 iron (grey Department).",
        "steps.3": "6 money, to space 4: income 5 coal and 2 iron (grey Department).",
    }
    match = position(money=6)
    play(match, "rd worker.red")
    assert hints(match)["steps.1"] == "1 money, to space 2."


def test_a_consolidation_tells_what_is_lost_gained_and_paid():
    match = position(workers="red red white white", coal=3, money=4)
    assert hints(match)["consolidate"] == (
        "Place a Favor up to level I. You discard 3 coal and 4 money, then gain 2 silk (red Department) and 1 step on "
        "Research or Mining (white Department), 2 coal and 12 money, and pay 6 in salaries."
    )


def test_a_favor_tells_what_it_is_worth_now_and_at_the_thresholds():
    match = position(workers="red", money=5, ships=4, factories="cotton1a")
    play(match, "consolidate")
    assert hints(match)["favor.1.ships"] == "5 VP as things stand. 5 VP from 4, 10 VP from 6; you are at 4."
    assert hints(match)["favor.1.factories"] == "1 VP as things stand, 3 VP with one more."


def test_pieces_tell_the_bonus_of_their_column_and_what_they_count_for():
    match = position(iron=3, ships=1, factories="cotton1a:0/2", workers="red")
    play(match, "ships worker.white")
    assert hints(match)["ship.red"].endswith("costs no more salary: you have that colour. Also a step on Finance.")
    match = position(iron=3, tokens={(0, 0): "1@0"})
    play(match, "trains worker.white")
    assert hints(match)["train.0.0"] == "Costs 3 iron. Gives 1 coal. Adds 2 influence."
    assert hints(match)["train.1.1"] == "Costs 3 iron. No bonus there. No influence until you have a token there."


def test_what_is_paid_in_silk_is_told_before_and_after():
    match = position(money=1, silk=9, iron=3, factories="cotton1a")
    play(match, "mining worker.red")
    assert hints(match)["steps.2"] == "1 money and 2 silk, to space 3: income 4 coal and 2 iron (grey Department)."
    play(match, "steps.2")
    assert told_of(match, "paid_silk") == [{"seat": 0, "n": 2}]
    match = position(money=4, silk=1, iron=3, factories="cotton1a")
    play(match, "ships worker.red")
    assert hints(match)["ship.red"].startswith("Costs 3 iron, or 4 money, 1 silk and 1 iron. ")
    play(match, "ship.red")
    labels = {option.id: words.tell(option.label) for option in match.pending[0].options}
    assert labels == {"iron": "3 iron", "money": "4 money, 1 silk and 1 iron"}
    match = position(money=4, silk=1, factories="cotton1a paper1a")
    play(match, "machines worker.red")
    assert hints(match)["machine.0"].startswith("Costs 4 money and 1 silk.")
    match = position(offered="cotton2a paper1a", rd=2, money=4, silk=2)
    play(match, "factory worker.black")
    assert hints(match)["build.cotton2a"] == "4 money and 2 silk. At once: 3 silk."
    match = position(offered="lenses2a", rd=4, money=6, silk=5, iron=1)
    play(match, "factory worker.red train.0.1")
    assert hints(match)["accept"] == "Costs 5 silk and 1 iron."


def test_money_that_is_there_is_not_told_as_silk():
    match = position(money=3, silk=9)
    play(match, "mining worker.red steps.2")
    assert told_of(match, "paid_silk") == []


def told_of(match: Match, key: str) -> list[dict[str, Any]]:
    return [event.args for event in match.events if event.key == f"zaibatsu.{key}"]


def test_a_threshold_on_the_way_is_told():
    match = position(money=3, mining=4)
    play(match, "mining worker.red")
    assert hints(match)["steps.1"].endswith("income 6 coal and the locked token 3.")
    assert hints(match)["steps.2"].endswith("the locked token 3 and the lower threshold of Mining.")
    match = position(iron=3, ships=3)
    play(match, "ships worker.white")
    assert hints(match)["ship.red"].endswith(" Also the lower threshold of ships.")
    match = position(factories="cotton1a:1", finance=11)
    play(match, "investment worker.white")
    assert hints(match)["invest"].endswith("2 VP (yellow Department) and the higher threshold of Finance.")


def test_a_favor_counts_the_steps_that_its_own_consolidation_brings():
    match = position(workers="white", money=5, mining=5, rd=4, finance=7)
    play(match, "consolidate")
    told = hints(match)
    assert told["favor.1.mining"].startswith("0 VP as things stand, 5 VP if the steps that your white Department")
    for objective in ("rd", "finance", "ships"):
        assert told[f"favor.1.{objective}"].startswith("0 VP as things stand. "), "out of reach, or not its tracks"


@pytest.mark.parametrize(
    ("of_round", "workers", "queue", "ends"),
    [
        (1, "red", "", "the round ends after your turn."),
        (2, "red", "", "the round and the period end after your turn, and the regions are scored."),
        (1, "red", "blue", ""),
        (1, "red red", "", ""),
        (6, "red", "", ""),
    ],
)
def test_whoever_takes_the_last_worker_is_told_what_ends_with_it(of_round, workers, queue, ends):
    final = {"final_turns": 6} if of_round > 5 else {}
    hiring = [workers, *["red blue"] * 4]
    match = position(hiring=hiring, queue=queue, money=9, state={"round": of_round, **final})
    told, seen = hints(match)["rd"], match.view(0)["hiring"][0]["ends"]
    assert told.endswith(ends or "it decides which factories you can build.")
    assert bool(seen) == bool(ends)
    if of_round < 6:
        play(match, "rd steps.1")
        assert (state_of(match).round > of_round) == bool(ends)


def test_a_consolidation_that_nobody_chose_tells_what_it_does():
    match = position(workers="red red white white red red", coal=3, money=4)
    (told,) = (event for event in match.events if event.key == "zaibatsu.consolidating")
    assert told.who == (0,)
    assert words.tell(told, ["Aiko"]) == (
        "Aiko must consolidate: that discards 3 coal and 4 money, brings 2 silk (red Department), 2 coal and 12 money, "
        "and takes 6 in salaries."
    )
    assert told_of(position(workers="red", money=5), "consolidating") == [], "asked for, it stands in its hint"


def test_a_deal_tells_where_finance_goes_and_what_a_contract_gives():
    match = position(factories="cotton1a:1", upgraded=["blue"], finance=2)
    play(match, "investment worker.white")
    told = hints(match)
    assert told["invest"] == "To space 4 of Finance: income 15 money and 2 silk (red Department)."
    assert (told["contract.blue"], told["contract.red"]) == ("Gives 5 money.", "Gives 2 silk.")
    match = position(factories="cotton1a:1", finance=13)
    play(match, "investment worker.white")
    assert hints(match)["invest"] == "You are at the end of Finance: nothing is gained."


def test_production_tells_what_finds_no_room():
    match = position(factories="cotton1a:3/2 paper1a:0/1", coal=4)
    play(match, "production worker.white")
    assert hints(match) == {
        "produce.0": "2 coal for 3 goods. 2 of them find no room.",
        "produce.1": "2 coal for 2 goods.",
    }


def test_an_action_leads_on_to_its_worker_unless_all_are_of_one_colour():
    match = position(hiring=["red red", "red blue", "", "", ""], money=9, workers="red")
    options = {option.id: option for option in match.pending[0].options}
    assert (options["rd"].leads, options["rd"].spots) == (False, ("hiring:0:red", "action:rd"))
    assert options["consolidate"].spots == ("consolidate", "hiring:consolidate")
    match = position(hiring=["red blue", "", "", "", ""], money=9, workers="grey")
    assert match.pending[0].options[0].leads
    workers = match.after(0, "rd").pending[0].options
    assert [option.spots for option in workers] == [("hiring:0:red", "action:rd"), ("hiring:0:blue", "action:rd")]


def test_a_market_leads_on_to_the_delivery_at_the_same_place():
    match = position(factories="cotton1a:2", cities={0: ["cotton", "paper", "bento", "bulbs"]})
    play(match, "markets worker.red")
    space = match.pending[0].options[0]
    assert space.leads
    assert {option.spots for option in match.after(0, space.id).pending[0].options} == {space.spots}


def test_a_train_or_ship_leads_on_only_where_there_are_two_ways_to_pay():
    for action, piece in (("trains", "train.0.0"), ("ships", "ship.red")):
        rich, poor = position(iron=3, money=5), position(iron=3)
        for match in (rich, poor):
            play(match, f"{action} worker.red")
        assert [match.pending[0].options[0].leads for match in (rich, poor)] == [True, False]
        spots = next(option.spots for option in rich.pending[0].options if option.id == piece)
        assert [option.spots for option in rich.after(0, piece).pending[0].options] == [spots, spots]


def test_what_can_be_done_several_times_has_a_way_on_after_the_first():
    match = position(factories="cotton1a paper1a", coal=9, money=1)
    play(match, "production worker.red")
    assert match.pending[0].main == ""
    play(match, "produce.0")
    assert match.pending[0].main == "done"


def test_the_outlook_of_a_delivery_tells_what_it_changes_for_everybody():
    match = position(
        factories="clocks1a:3",
        cities={0: ["clocks", "paper", "bento", "bulbs"]},
        tokens={(0, 1): "1@1"},
        state={"round": 5},
    )
    play(match, "markets worker.red")
    changes = {change.gauge: (change.before, change.after) for change in match.outlook(0, "space.0.0", "goods.2.vp")}
    assert changes[Gauge("influence", 0, "region:north")] == (0, 6)
    assert changes[Gauge("vp", 0)] == (0, 2)
    assert changes[Gauge("goods", 0)] == (3, 1)
    before, after = changes[Gauge("region_vp", 0, "region:north")]
    assert before == 0 < after
    assert Gauge("influence", 1, "region:north") not in changes


def test_the_outlook_of_what_ends_a_period_tells_what_is_scored_in_the_points_of_that_period():
    match = position(
        money=9, hiring=["black", "red", "red", "red", "red"], queue="", tokens={(0, 3): "7@0"}, state={"round": 2}
    )
    play(match, "rd")
    changes = {(c.gauge.what, c.gauge.spot): (c.before, c.after) for c in match.outlook(0, "steps.1")}
    assert changes["vp", ""] == changes["scored", ""] == (0, 6)
    assert not [what for what, _ in changes if what == "region_vp"], "nobody has more influence than before"


def test_the_outlook_of_a_worker_tells_the_salaries():
    match = position(workers="red", money=5)
    assert [(c.gauge.what, c.before, c.after) for c in match.outlook(0, "rd", "worker.black")] == [("salary", 3, 6)]
    assert match.outlook(0, "rd", "worker.red") == []


def test_a_worker_tells_which_departments_it_brings_and_loses_and_which_salaries_could_not_be_paid():
    match = position(workers="red black grey yellow", money=3)
    told = {colour: list(means.values()) for colour, means in match.view(0)["hire"]["colours"].items()}
    assert told["white"] == [3, ["red", "white"], ["yellow"], True, 4], "12 money for 15, the last 1 stays"
    assert told["blue"] == [3, ["red", "blue"], ["yellow"], True, 1], "its Department gives 3"
    assert told["red"] == [0, ["red"], ["yellow"], False, 1]
    assert match.view(0)["seats"][0]["consolidation"]["missing"] == 1
    board = play(match, "consolidate favor.1.rd silk.0")
    assert board.parts["salaries"] == -1


def test_gauges_are_cheap_enough_for_every_choice_of_a_page():
    match = Match.start("zaibatsu", players=4, seed=1)
    state = state_of(match)
    begun = time.perf_counter()
    for _ in range(100):
        gauges(state, 0)
    assert (time.perf_counter() - begun) / 100 < 0.001, "about 0.05 ms; ten times that would be felt"


def test_the_view_tells_what_the_next_worker_would_cost_and_bring():
    hire = position(workers="red red blue", money=5).view(0)["hire"]
    assert (hire["nth"], hire["favor"]) == (4, 1)
    told = {colour: (means["more"], means["brings"]) for colour, means in hire["colours"].items()}
    assert (told["blue"], told["white"]) == ((0, ["red", "blue"]), (3, ["red", "white"]))
    assert position(workers="red " * 6, money=5).view(0)["hire"] is None


def test_the_view_tells_why_an_action_is_out_of_reach():
    view = position(hiring=["red", "red", "red", "red", ""], money=1).view(0)
    assert view["cannot"]["markets"] == "no_worker"
    assert view["cannot"]["factory"] == "factory"
    assert "rd" not in view["cannot"]


def test_a_built_factory_keeps_its_place_in_the_supply():
    view = position(offered="cotton1a cotton3a", factories="cotton2a", silk=1, money=9).view(0)
    cotton = view["supply"][0]
    assert [(tile["tile"], tile["owner"]) for tile in cotton["tiles"]] == [
        ("cotton1a", None),
        ("cotton2a", 0),
        ("cotton3a", None),
    ]
    assert (cotton["rd"], cotton["silk"]) == (2, 1)


def test_a_turn_saved_at_a_market_under_older_rules_goes_on_before_its_first_delivery():
    old = Old({}, [(0, "markets"), (0, "worker.red"), (0, "space.0.0"), (0, "goods.2"), (0, "vp"), (0, "space.0.1")])
    deliveries_in_one_choice(old)
    assert old.choices == [(0, "markets"), (0, "worker.red")]
    other = Old({}, [(0, "investment"), (0, "from.0.1"), (0, "invest")])
    deliveries_in_one_choice(other)
    assert len(other.choices) == 3


def test_a_worker_s_hint_tells_what_its_colour_gives_at_a_consolidation_and_what_it_costs():
    def told(workers: str, colour: str, **board: Any) -> str:
        match = position(workers=workers, money=9, hiring="red black white", **board)
        play(match, "rd")
        return hints(match)[f"worker.{colour}"]

    new, same = "A new colour: 3 money more in salaries then.", "A colour you have: no more salary."
    assert told("", "black") == f"Your lowest worker: 2 coal when you consolidate. {new}"
    assert told("", "black", upgraded=["black"]).startswith("Your lowest worker: 3 coal")
    assert told("red", "black") == f"As your worker number 2: no bonus when you consolidate. {new}"
    assert told("red red", "red") == f"As your worker number 3: no bonus when you consolidate. {same}"
    step = "1 step on Research or Mining"
    assert told("red red red", "white") == f"As long as it is your topmost worker: {step} when you consolidate. {new}"
    lowest = "Your lowest worker has this colour: no second bonus when you consolidate."
    assert told("red blue blue blue", "red") == f"{lowest} {same}"


def test_starting_tokens_tell_what_is_gained_and_what_the_first_of_them_does():
    state = state_of(Match.start("zaibatsu", players=2, seed=2))
    state.pairs = [("ship", "b1"), ("worker", "b8")]
    match = Match(ZAIBATSU, msgspec.msgpack.encode(state), state.box)
    ship = match.pending[0].options[0]
    assert words.tell(ship.label) == "Begin with a ship and 5 VP"
    assert hints(match)[ship.id].startswith("You gain 5 VP, 13 money and 3 coal. The ship is built at once:")
    assert words.say("zaibatsu.start.coal:does").startswith("Besides, 3 coal lie on this token")
    play(match, "pair.worker.b8")
    assert hints(match)["worker.blue"].startswith("Your lowest worker: 3 money when you consolidate.")


def test_a_ship_tells_the_department_in_amounts_before_and_after():
    match = position(iron=3, ships=2, factories="cotton1a:0/2 paper1a:0/1", upgraded=["black"])
    play(match, "ships worker.white")
    told = hints(match)
    assert told["ship.red"] == (
        "Costs 3 iron. Your red Department then gives 3 silk instead of 2. Its expert costs 3 money more in salaries. "
        "Also 3 silk (red Department)."
    ), "upgraded before the bonus of the column comes"
    assert told["ship.black"].startswith("Costs 3 iron. No upgrade: your black Department gives 3 coal already.")
    assert told["ship.black"].endswith("Also 2 silk (red Department).")


def test_going_back_tells_where_the_marker_is_then():
    for finance, then in ((1, 1), (2, 1), (6, 4)):
        match = position(offered="clocks3b", rd=6, money=6, finance=finance)
        play(match, "factory worker.red ship.red")
        assert hints(match)["accept"] == f"Costs 2 steps back on Finance: your marker is on space {then} then."


@pytest.mark.parametrize(
    ("made", "kept"),
    [
        ("pair.ship.b1 skip", 1),
        ("pair.old_factory.b1 old.paper", 2),
        ("factory worker.red build.clocks1b build.ship ship.red", 3),
        ("worker.red build.clocks1a ship.red", 2),
        ("machines worker.red machine.0 none machine.1", 2),
        ("investment worker.red spend.cotton contract.red", 2),
        ("trains worker.red train.0.0 money", 4),
        ("consolidate favor.1.rd", 2),
        ("favor.1.rd steps.1.0", 2),
        ("", 0),
    ],
)
def test_a_turn_of_rules_in_which_what_was_given_could_be_declined_goes_on_after_its_opening(made, kept):
    old = Old({}, [(0, choice) for choice in made.split()])
    what_is_given_is_built(old)
    assert [choice for _, choice in old.choices] == made.split()[:kept]
