"""The rules of Osaka one by one, and the rulings where the rulebook leaves something open."""

from importlib import resources
from typing import Any

import pytest

from engine import IllegalChoice, Match
from engine.osaka.box import load_box
from engine.osaka.buying import payment_plan
from engine.osaka.setup import start_player
from engine.osaka.state import Osaka, worth
from tests.engine.osaka.positions import cards, do, had, ids, position, row, seat, state_of, told

# Preparation


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_match_is_set_up_as_the_rulebook_says(players):
    match = Match.start("osaka", players=players, seed=5)
    view = match.view()
    hands = [corner["hand"] for corner in view["seats"]]
    assert len(view["market"]) == 5
    assert len(view["farm"]) == 3
    assert view["ships"] == {"red": 0, "blue": 0, "yellow": 0, "green": 0}
    assert all(8 <= worth(hand) <= 12 for hand in hands)
    assert view["deck"] == 108 - 8 - sum(map(len, hands))
    assert view["price"] == 0
    assert [corner["vp"] for corner in view["seats"]] == [0] * players
    assert all(set(earned.values()) == {0} for earned in state_of(match).earned)
    assert [(args["seat"], args["cards"]) for args in told(match, "opened")] == list(enumerate(hands))
    assert told(match, "starts") == [{"seat": view["first"]}]


def test_no_card_is_drawn_beyond_an_opening_value_of_8():
    for seed in range(30):
        for opened in told(Match.start("osaka", players=4, seed=seed), "opened"):
            assert any(opened["coins"] - worth([card]) < 8 for card in opened["cards"])


def test_a_tie_for_start_player_is_broken_by_chance():
    starts = set()
    for seed in range(40):
        state = Osaka(players=3, options={}, seed=seed, draws=0)
        state.attach([], load_box())
        state.hands = [cards("red5 red3"), cards("red5 red5"), cards("blue3 blue5")]
        starts.add(start_player(state))
    assert starts == {0, 2}


def test_from_the_start_player_on_everybody_takes_one_token():
    match = Match.start("osaka", players=3, seed=5)
    first = match.view()["first"]
    order = []
    for colour in ("green", "green", "blue"):
        order.append(match.pending[0].seat)
        assert ids(match) == ["token.red", "token.blue", "token.yellow", "token.green"]
        do(match, f"token.{colour}")
    assert order == [first, (first + 1) % 3, (first + 2) % 3]
    assert [seat(match, who)["tokens"]["green"] for who in order] == [1, 1, 0]
    assert match.pending[0].seat == first
    assert match.view()["turn"] == 1


def test_the_default_opening_token_is_of_the_colour_with_the_fewest_out():
    match = Match.start("osaka", players=3, seed=5)
    do(match, "token.red")
    assert match.pending[0].default == "token.blue"


# Buy goods


def test_buying_is_offered_only_if_the_hand_can_pay():
    assert "buy" in ids(position(market="red5 blue2", hands=["green5 green2"]))
    poor = position(market="red5 blue2", hands=["green3 green3"])
    assert "buy" not in ids(poor)
    with pytest.raises(IllegalChoice):
        poor.choose(0, "buy")


def test_no_change_is_given():
    match = position(market="red2 blue2", hands=["green5 green5"])
    do(match, "buy")
    assert told(match, "bought")[0]["coins"] == 5
    assert match.view()["discard"] == 1
    assert seat(match, 0)["hand"] == ["green5"]


def test_paying_goes_on_card_by_card_until_the_price_is_reached():
    match = position(market="red5 blue2", hands=["green2 yellow3 blue5"])
    do(match, "buy")
    assert ids(match) == ["pay.blue5", "pay.yellow3", "pay.green2"]
    do(match, "pay.yellow3")
    assert match.pending[0].args["owing"] == 4
    do(match, "pay.blue5")
    assert seat(match, 0)["hand"] == ["green2"]


def test_a_kind_held_twice_is_one_option_that_lights_both_cards():
    match = do(position(market="red5", hands=["red2 red2 red3 blue5"]), "buy")
    assert {option.id: option.spots for option in match.pending[0].options} == {
        "pay.red2": ("hand:0", "hand:1"),
        "pay.red3": ("hand:2",),
        "pay.blue5": ("hand:3",),
    }


@pytest.mark.parametrize(
    ("hand", "owing", "plan"),
    [
        ("red2 red3 red5", 5, "red5"),  # no waste either way: the fewer cards, which keeps the insurance
        ("red2 red2 red5", 4, "red2 red2"),  # the least waste
        ("red2 red3 red3 red5 red5", 7, "red2 red5"),
        ("red3 red3 red3 red2 red2 red5", 9, "red3 red3 red3"),  # as many cards, but fewer icons
        ("red5 red5", 3, "red5"),
        ("blue2 red2", 2, "red2"),  # blue goods are at stake
        ("blue2 green2", 2, "green2"),
        ("blue3 green3", 3, "green3"),
        ("blue2 blue2 green2", 4, "blue2 green2"),
    ],
)
def test_the_default_payment_wastes_least_and_is_what_the_rest_says(hand, owing, plan):
    match = position(market="yellow2", hands=[hand], had=["blue3 blue5"])
    assert sorted(payment_plan(state_of(match), 0, owing)) == sorted(plan.split())


def test_following_the_defaults_pays_exactly_what_was_announced():
    match = do(position(market="red5 blue5 green3", hands=["red2 red3 blue3 blue5 yellow3 yellow2 green5"]), "buy")
    announced = match.pending[0].rest.args["cards"]
    while not told(match, "bought"):
        do(match, match.pending[0].default)
    assert told(match, "bought")[0]["paid_cards"] == announced
    assert worth(announced) == 13


def test_the_hint_of_buying_foretells_ships_payments_and_sinking():
    match = position(
        market="red2 blue2",
        hands=["green5"],
        had=["red3", "red5", "yellow5"],
        tokens=[{"red": 1}],
        ships={"red": 4, "yellow": 3, "blue": 1, "green": 2},
    )
    hint = match.pending[0].options[0].hint
    assert hint.args["price"] == 4
    assert [(then["key"].rpartition(".")[2], then["args"]) for then in hint.args["then"]] == [
        ("sails", {"colour": "blue", "place": "anori"}),
        ("sails", {"colour": "red", "place": "edo"}),
        ("paid", {"seat": 0, "colour": "red", "vp": 2}),
        ("paid", {"seat": 1, "colour": "red", "vp": 1}),
        ("sinks", {"colour": "yellow"}),
    ]
    do(match, "buy")
    assert [(paid["seat"], paid["vp"]) for paid in told(match, "scored")] == [(0, 2), (1, 1)]


# Advancing ships: ruling 1


def test_a_ship_that_would_pass_edo_stops_there():
    match = do(position(market="red2 red2", hands=["green5"], ships={"red": 4}), "buy")
    assert told(match, "sailed") == [{"colour": "red", "n": 1, "place": "edo"}]


def test_all_ships_move_before_any_payment():
    """Blue sails out of the harbour into the waves with the same purchase, and sinks in the payment for red."""
    match = do(position(market="red2 blue3", hands=["green5"], ships={"red": 4, "blue": 2}), "buy")
    assert told(match, "lost") == [{"seat": 0, "colour": "blue", "cards": ["blue3"], "n": 1}]
    assert match.view()["ships"]["blue"] == 2


def test_the_last_step_out_of_the_waves_saves_a_ship():
    match = do(position(market="red2 blue3", hands=["green5"], ships={"red": 4, "blue": 4}), "buy")
    assert told(match, "lost") == []
    assert [paid["colour"] for paid in told(match, "scored")] == ["red", "blue"]


# Payment: rulings 2, 3 and 4


def test_the_order_after_buying_is_goods_ships_payment_tokens_sinking_return_refresh():
    match = position(
        market="red2",
        farm="blue2",
        hands=["green2 green3"],
        had=["", "blue5 red3"],
        ships={"red": 4, "blue": 3},
    )
    do(match, "buy", "pay.green2")
    keys = [event.key.removeprefix("osaka.") for event in match.events]
    assert keys == [
        "bought",
        "sailed",
        "scored",
        "scored",
        "won_token",
        "won_token",
        "lost",
        "sunk",
        "returned",
        "takings",
        "refreshed",
    ]
    takings = match.events[-2].args["then"]
    assert [(each["args"]["seat"], each["args"]["vp"]) for each in takings] == [(0, 1), (1, 1)]


@pytest.mark.parametrize(
    ("sold", "tokens", "vp"),
    [("red2", 0, 1), ("red2 red2 red2", 0, 2), ("red3 red2", 0, 2), ("red5 red2 red2", 0, 3), ("red2", 4, 2)],
)
def test_a_set_is_worth_its_highest_card_and_tokens_times_its_size_in_fives(sold, tokens, vp):
    match = position(
        market="red2 blue2", hands=["green5"], had=["", sold], tokens=[{}, {"red": tokens}], ships={"red": 4}
    )
    do(match, "buy")
    assert seat(match, 1)["vp"] == vp


def test_the_lowest_cards_of_a_set_become_points_and_the_rest_are_discarded():
    match = position(market="blue2 red2", hands=["green5"], had=["", "red2 red2 red2 red2 red3"], ships={"red": 4})
    do(match, "buy")
    assert state_of(match).vp_cards[1] == ["red2", "red2", "red2"]  # 3 x 5 = 15
    assert state_of(match).earned[1] == {"red": 3, "blue": 0, "yellow": 0, "green": 0}
    assert sorted(state_of(match).discard) == ["green5", "red2", "red3"]


def test_missing_points_come_off_the_draw_pile_and_the_discards_are_shuffled_when_it_is_empty():
    match = position(
        market="red2",
        hands=["green2 green3"],
        had=["red5 red5"],
        tokens=[{"red": 3}],
        ships={"red": 4},
        deck="blue2",
        discard="yellow2 yellow3 yellow5",
    )
    do(match, "buy", "pay.green2")
    assert seat(match, 0)["vp"] == 5  # (5 + 3) x 3 = 24
    assert len(state_of(match).vp_cards[0]) == 5
    assert told(match, "reshuffled") == [{"n": 4}]


def test_when_both_piles_are_empty_a_point_is_a_plain_counter():
    match = position(
        market="red2",
        hands=["green2 green3"],
        had=["red5 red5"],
        tokens=[{"red": 3}],
        ships={"red": 4},
        deck="",
    )
    do(match, "buy", "pay.green2")
    assert seat(match, 0)["vp"] == 5
    assert len(state_of(match).vp_cards[0]) == 4  # three of the set and the card just paid, shuffled into a new pile


def test_points_are_counted_even_if_no_card_is_left_at_all():
    match = position(
        market="red2 blue2",
        hands=["green5 green3"],
        had=["", "red2"],
        tokens=[{}, {"red": 5}],
        ships={"red": 4},
        deck="",
    )
    do(match, "buy", "pay.green5")
    assert seat(match, 1)["vp"] == 2
    assert seat(match, 0)["vp"] == 1


def test_insured_goods_are_sold_like_all_others():
    match = do(position(market="red2", hands=["green2"], had=["", "red5! red3"], ships={"red": 4}), "buy")
    assert seat(match, 1)["vp"] == 2
    assert had(match, 1) == ""


@pytest.mark.parametrize(("had", "sums"), [(["", ""], 0), (["", "green3"], 1)])
def test_what_a_payment_came_to_is_told_where_several_sold(had, sums):
    match = position(market="green2", hands=["yellow2"], had=had, ships={"green": 4}, players=2, vp=[3, 1])
    takings = told(do(match, "buy"), "takings")
    assert len(takings) == sums
    assert [then["args"] for told in takings for then in told["then"]] == [
        {"seat": who, "vp": 1} for who in range(2 * sums)
    ]


def test_only_players_who_scored_get_a_token_and_one_for_each_payment():
    match = position(market="red2 blue2", hands=["green5"], had=["", "blue2", "yellow5"], ships={"red": 4, "blue": 4})
    do(match, "buy")
    assert [sum(seat(match, who)["tokens"].values()) for who in range(4)] == [2, 1, 0, 0]


# The end of the game


def one_token_short(**more):
    return position(
        market="red2",
        hands=["green2 green3"],
        tokens=[{"red": 4, "blue": 3}],
        had=["", "blue5"],
        ships={"red": 4, "blue": 3},
        **more,
    )


def test_the_game_ends_with_the_eighth_token_before_anything_sinks():
    match = do(one_token_short(), "buy", "pay.green2")
    assert match.over
    assert told(match, "lost") == []
    assert told(match, "refreshed") == []
    assert had(match, 1) == "blue5"
    assert match.view()["current"] is None
    with pytest.raises(IllegalChoice, match="over"):
        match.choose(1, "take")


def test_what_the_last_payment_came_to_is_told_too():
    match = position(
        market="red2", hands=["green2"], tokens=[{"red": 4, "blue": 3}], had=["", "red5"], ships={"red": 4}, players=2
    )
    assert do(match, "buy").over
    assert len(told(match, "takings")) == 1


def test_seven_tokens_do_not_end_the_game():
    match = position(market="red2", hands=["green2"], tokens=[{"red": 3, "blue": 3}], ships={"red": 4})
    do(match, "buy")
    assert not match.over
    assert sum(seat(match, 0)["tokens"].values()) == 7


def test_most_points_win_then_most_tokens_then_all_who_are_tied():
    match = do(one_token_short(vp=[3, 9, 6, 1]), "buy", "pay.green2")
    assert [(s.seat, s.place, s.score) for s in match.result.ranking] == [(1, 1, 9), (2, 2, 6), (0, 3, 5), (3, 4, 1)]
    tied = do(one_token_short(vp=[4, 6, 0, 0]), "buy", "pay.green2")
    assert seat(tied, 0)["vp"] == 6
    assert tied.result.winners == [0]
    assert tied.result.ranking[0].tiebreak == {"tokens": 8}


def test_players_tied_in_points_and_tokens_win_together():
    match = one_token_short(vp=[0, 9, 9, 2])
    do(match, "buy", "pay.green2")
    assert match.result.winners == [1, 2]
    assert [standing.place for standing in match.result.ranking] == [1, 1, 3, 4]
    assert told(match, "over") == [{"seats": [1, 2], "vp": 9}]


def test_goods_and_hands_are_worth_nothing_in_the_end():
    match = do(one_token_short(), "buy", "pay.green2")
    assert [match.scores[who] for who in range(4)] == [2, 0, 0, 0]


# Take coins and reserve cards: rulings 6 and 7


def test_equal_cards_are_one_option_that_lights_all_of_them():
    match = do(position(market="red2 blue3 red2 red2@1"), "take")
    assert {option.id: option.spots for option in match.pending[0].options} == {
        "take.red2": ("market:0", "market:2"),
        "take.blue3": ("market:1",),
    }


def test_the_default_coin_is_the_lowest_and_ones_own_reserved_card_comes_last():
    assert position(market="red5 blue3 green2@0").pending[0].default == "take.blue3"
    lone = do(position(market="green2@0 red5@1", hands=["red5 blue5"]), "take")
    assert told(lone, "took_reserved")[0] == {"seat": 0, "card": "green2"}  # the only coin: taken without asking


def test_taking_ones_own_reserved_card_brings_the_piece_back():
    match = position(market="red5@0 blue3")
    assert seat(match, 0)["reserving"] == {"where": "market", "at": 0}
    do(match, "take.own")
    assert seat(match, 0)["reserving"] is None


def test_with_the_piece_on_a_card_nothing_more_can_be_reserved_and_the_reason_is_given():
    match = position(market="red5 blue3", farm="green5@0", hands=["red5 red5"])
    assert ids(match) == ["buy", "take"]
    (blocked,) = match.pending[0].blocked
    assert blocked.reason.key == "osaka.why.piece_farm"
    assert blocked.reason.args == {"card": "green5"}


def test_the_reasons_stay_visible_when_taking_is_the_only_action():
    match = position(market="red5 blue3", farm="green5@0", hands=["red5"])
    assert match.pending[0].prompt == "osaka.take"
    assert [blocked.reason.key for blocked in match.pending[0].blocked] == ["osaka.why.coins", "osaka.why.piece_farm"]


def test_whoever_is_not_asked_at_all_reads_the_reasons_in_their_own_story():
    match = position(market="red5@0", hands=["red2"], players=2)
    assert [no["why"]["key"] for no in told(match, "not_possible")] == ["osaka.why.coins", "osaka.why.piece_market"]
    assert {event.known_to(1) for event in match.events if event.key == "osaka.not_possible"} == {False}
    assert len(told(match, "took_reserved")) == 1


def test_whoever_has_a_card_to_choose_is_told_nothing_besides():
    match = do(position(market="red5@0 red3", hands=["red2"], players=2), "take.red3")
    assert told(match, "not_possible") == []


@pytest.mark.parametrize("open_information", [True, False])
def test_where_there_was_another_action_the_reasons_were_said_with_it_and_not_again(open_information):
    match = position(market="red5 blue3", hands=["red5"], open_information=open_information)
    assert [blocked.reason.key for blocked in match.pending[0].blocked] == ["osaka.why.coins"]
    assert do(match, "take").pending[0].blocked == ()


def test_any_unreserved_card_of_market_or_farm_can_be_reserved():
    match = do(position(market="red5@1 blue3", farm="green5 green5 blue3"), "reserve")
    assert ids(match) == ["reserve.market.blue3", "reserve.farm.green5", "reserve.farm.blue3"]
    do(match, "reserve.farm.green5")
    assert row(match, "farm") == "green5@0 green5 blue3"


def test_the_default_reservation_is_the_first_free_card_of_the_market():
    match = do(position(market="red2@1 blue5 red3", farm="green2"), "reserve")
    assert match.pending[0].default == "reserve.market.blue5"


def test_another_players_reserved_card_can_be_neither_taken_nor_reserved():
    match = position(market="red5@1 blue3 green3")
    with pytest.raises(IllegalChoice):
        do(match, "take", "take.red5")
    with pytest.raises(IllegalChoice):
        do(position(market="red5@1 blue3 green3"), "reserve", "reserve.market.red5")


def test_the_piece_stays_on_its_card_when_the_farm_moves_to_the_market():
    match = do(position(market="red2", farm="blue5@3 blue5", hands=["green2"]), "buy")
    assert row(match, "market").startswith("blue5@3 blue5 ")


# Refreshing: ruling 5


def test_an_empty_market_is_refreshed_at_the_start_of_the_turn():
    match = position(market="", farm="red2 red3", deck="blue2 blue3 blue5 green2 green3 green5")
    assert row(match, "market") == "red2 red3 blue2 blue3"
    assert row(match, "farm") == "blue5 green2 green3"
    assert match.pending[0].seat == 0


def test_a_market_of_others_reserved_cards_is_refreshed_at_the_start_of_the_turn():
    assert row(position(market="red2@1", farm="red3", deck="blue2 blue3"), "market") == "red2@1 red3 blue2 blue3"


def test_ones_own_reserved_card_is_enough_to_leave_the_market_alone():
    match = position(market="red2@0 red3@1", farm="red5", hands=["blue5"])
    assert ids(match) == ["buy", "take"]
    assert told(match, "refreshed") == []


def test_refreshing_ends_when_no_cards_remain():
    match = position(market="", farm="red2@1", deck="")
    assert len(told(match, "refreshed")) == 1
    assert told(match, "passed")[0] == {"seat": 0}


@pytest.mark.parametrize(("deck", "held"), [("", False), ("green2", True)])
def test_a_draft_waits_before_new_cards_and_not_where_there_are_none(deck, held):
    """The next player finds an empty market, which the farm fills up."""
    draft = do(position(market="red2@0", farm="blue2 blue3", deck=deck, hands=["red3"], players=2).draft(), "take")
    assert draft.held is held


def test_refreshing_goes_on_while_there_is_nothing_to_touch_and_cards_remain():
    """A box may be made to deal nothing to the market: the cards then reach it by way of the farm."""
    own = resources.files("engine.osaka").joinpath("components.toml").read_text(encoding="utf-8")
    slow = own.replace('"market_refresh", value = 2', '"market_refresh", value = 0')
    match = position(market="red2@1", deck="red3 red5 blue2 blue3", components=slow)
    assert len(told(match, "refreshed")) == 2
    assert row(match, "market") == "red2@1 red3 red5 blue2"
    assert row(match, "farm") == "blue3"


def test_the_discards_are_shuffled_when_the_draw_pile_runs_out_and_what_there_is_is_placed():
    match = position(market="", deck="red2", discard="blue2 blue3")
    assert told(match, "reshuffled") == [{"n": 2}]
    assert len(match.view()["market"]) == 2
    assert len(match.view()["farm"]) == 1


# The only pass


def test_a_player_who_can_do_nothing_passes_and_is_not_asked():
    match = position(market="red2@1 red3@2", deck="", players=3)
    assert told(match, "passed")[0] == {"seat": 0}


def test_a_whole_round_of_passes_ends_the_game():
    """All cards are in hands and before players: nothing could ever happen again."""
    match = position(market="", deck="", hands=["red5", "red3"], vp=[2, 3], players=2)
    assert match.over
    assert [args["seat"] for args in told(match, "passed")] == [0, 1]
    assert len(told(match, "stranded")) == 1
    assert match.result.winners == [1]


def test_whoever_can_act_again_begins_the_count_of_passes_anew():
    """Seat 1 passes before and after seat 0 takes its reserved card: that is no whole round of passes."""
    match = position(market="red2@0", deck="", players=2, turn_of=1)
    assert [args["seat"] for args in told(match, "passed")] == [1, 1, 0]
    assert len(told(match, "took_reserved")) == 1
    assert match.over


def test_a_table_of_absent_players_comes_to_an_end():
    match = Match.start("osaka", players=2, seed=3)
    while match.pending:
        do(match, match.pending[0].default)
    assert match.over
    assert len(told(match, "bought")) == 0


# Insurance: ruling 8


def sinking(**more: Any) -> Match:
    """Seat 1 buys; green is paid and blue sinks."""
    given: dict[str, Any] = {"market": "green2", "ships": {"green": 4, "blue": 3}, "turn_of": 1, "players": 3} | more
    return position(**given)


def test_the_buyer_is_asked_first_then_clockwise():
    match = sinking(hands=["blue2", "yellow2 blue2", "blue2"], had=["blue2", "blue2", "blue2"])
    do(match, "buy", "pay.yellow2")
    order = []
    while match.pending[0].prompt == "osaka.insure":
        order.append(match.pending[0].seat)
        do(match, "done")
    assert order == [1, 2, 0]
    assert [lost["seat"] for lost in told(match, "lost")] == [1, 2, 0]


def test_insuring_stops_when_all_goods_are_covered_and_superfluous_icons_are_lost():
    match = do(sinking(hands=["blue2 blue2", "yellow2"], had=["blue5"]), "buy", "insure.blue2")
    assert had(match, 0) == "blue5!"
    assert match.pending[0].prompt != "osaka.insure"


def test_a_card_promises_to_save_no_more_goods_than_are_still_at_risk():
    def promised(match: Match) -> dict[str, int]:
        options = [option for option in match.pending[0].worked_out().options if option.id != "done"]
        return {option.id: option.hint.args["n"] for option in options if option.hint}

    match = do(sinking(hands=["blue2 blue3", "yellow2"], had=["blue5 blue2!"]), "buy")
    assert promised(match) == {"insure.blue2": 1, "insure.blue3": 1}, "one of the two is safe already"
    match = do(sinking(hands=["blue2 blue2 blue3", "yellow2"], had=["blue5 blue3 blue2"]), "buy")
    assert promised(match) == {"insure.blue2": 2, "insure.blue3": 1}
    assert promised(do(match, "insure.blue2")) == {"insure.blue2": 1, "insure.blue3": 1}


def test_a_card_of_a_colour_that_is_covered_already_is_not_asked_for():
    ships = {"green": 4, "blue": 3, "red": 3}
    match = do(sinking(hands=["blue2 blue3 red2", "yellow2"], had=["blue5 red5"], ships=ships), "buy", "insure.blue2")
    assert ids(match) == ["insure.red2", "done"]


def test_insured_goods_never_sink_and_are_not_asked_about():
    match = do(sinking(hands=["blue2", "yellow2"], had=["blue5!"]), "buy")
    assert match.pending[0].prompt == "osaka.action"
    assert had(match, 0) == "blue5!"


def test_only_cards_of_the_sinking_colour_with_icons_insure():
    match = do(sinking(hands=["red2 blue2 blue2 blue3 blue5", "yellow2"], had=["blue5 blue3 red5"]), "buy")
    assert [(option.id, option.spots) for option in match.pending[0].options] == [
        ("insure.blue2", ("hand:1", "hand:2")),
        ("insure.blue3", ("hand:3",)),
        ("done", ()),
    ]
    assert match.pending[0].default == "insure.blue2"


def test_with_fewer_icons_than_goods_the_player_says_which_and_the_highest_is_the_default():
    match = do(sinking(hands=["blue3", "yellow2"], had=["blue2 blue3 blue5 blue5"]), "buy", "insure.blue3")
    decision = match.pending[0]
    assert decision.prompt == "osaka.insure_goods"
    assert [(option.id, option.spots) for option in decision.options] == [
        ("goods.blue5", ("goods:0:2", "goods:0:3")),
        ("goods.blue3", ("goods:0:1",)),
        ("goods.blue2", ("goods:0:0",)),
    ]
    assert decision.default == "goods.blue5"
    do(match, "goods.blue3")
    assert had(match, 0) == "blue3!"
    assert told(match, "lost") == [{"seat": 0, "colour": "blue", "cards": ["blue2", "blue5", "blue5"], "n": 3}]


def test_the_choice_of_goods_waits_until_all_cards_are_spent():
    match = do(sinking(hands=["blue3 blue3", "yellow2"], had=["blue2 blue3 blue5"]), "buy", "insure.blue3")
    assert match.pending[0].prompt == "osaka.insure"
    do(match, "insure.blue3", "goods.blue5", "goods.blue2")
    assert had(match, 0) == "blue2! blue5!"


def test_insurance_cards_and_sunk_goods_are_discarded_face_up():
    match = do(sinking(hands=["blue3", "yellow2"], had=["blue2 blue5"], farm=""), "buy", "insure.blue3", "goods.blue5")
    assert sorted(state_of(match).discard) == ["blue2", "blue3", "yellow2"]


def test_ships_on_their_way_are_safe_unless_they_are_in_the_waves():
    match = do(sinking(hands=["", "yellow2"], had=["blue5 red5"], ships={"green": 4, "blue": 2, "red": 1}), "buy")
    assert had(match, 0) == "red5 blue5"


# Open information: ruling 9


def test_with_open_information_hands_and_points_are_shown_to_all():
    view = position(market="red2", hands=["red5", "blue3"], vp=[1, 2]).view(None)
    assert [corner["hand"] for corner in view["seats"]] == [["red5"], ["blue3"], [], []]
    assert [corner["vp"] for corner in view["seats"]] == [1, 2, 0, 0]


def test_with_closed_information_only_ones_own_hand_and_points_are_shown():
    match = position(market="red2", hands=["red5", "blue3 blue2"], vp=[1, 2], players=2, open_information=False)
    own, other = match.view(1)["seats"][1], match.view(1)["seats"][0]
    assert (own["hand"], own["coins"], own["vp"]) == (["blue2", "blue3"], 5, 2)
    assert (other["hand"], other["coins"], other["vp"], other["cards"]) == (None, None, None, 1)


def test_everything_is_shown_when_the_game_is_over():
    match = do(one_token_short(open_information=False), "buy", "pay.green2")
    assert [corner["hand"] for corner in match.view(None)["seats"]] == [["green3"], [], [], []]
    assert [corner["vp"] for corner in match.view(None)["seats"]] == [2, 0, 0, 0]


@pytest.mark.parametrize("open_information", [True, False])
def test_a_draft_waits_before_hidden_hands_are_turned_up_at_the_end(open_information):
    draft = do(one_token_short(open_information=open_information).draft(), "buy", "pay.green2")
    assert (draft.held, draft.over) == (not open_information, open_information)


def test_with_open_information_a_player_without_an_insurance_card_is_not_asked():
    match = do(sinking(hands=["red2", "yellow2"], had=["blue5"]), "buy")
    assert match.pending[0].prompt == "osaka.action"


def test_with_closed_information_everybody_with_goods_at_risk_is_asked():
    match = do(sinking(hands=["red2", "yellow2"], had=["blue5"], open_information=False), "buy", "pay.yellow2")
    assert (match.pending[0].seat, match.pending[0].prompt, ids(match)) == (0, "osaka.insure", ["done"])


# Auto-pass: ruling 10


def test_following_defaults_takes_the_lowest_coin_and_neither_buys_nor_reserves():
    match = position(market="red5 blue3 green5", hands=["red5 red5 red5"])
    do(match, match.pending[0].default)
    do(match, match.pending[0].default)
    assert told(match, "took") == [{"seat": 0, "card": "blue3"}]


def test_following_defaults_insures_with_the_lowest_card_what_is_worth_more_than_it():
    match = do(sinking(hands=["blue2 blue3", "yellow2"], had=["blue5"]), "buy")
    do(match, match.pending[0].default)
    assert had(match, 0) == "blue5!"
    assert told(match, "insured")[0]["paid_cards"] == ["blue2"]


def test_following_defaults_counts_the_highest_goods_as_those_that_are_saved():
    match = do(sinking(hands=["blue3", "yellow2"], had=["blue2 blue5"]), "buy")
    assert match.pending[0].default == "insure.blue3"


def test_whoever_has_insured_something_stops_and_whoever_has_not_insures_nothing():
    match = do(sinking(hands=["blue3 blue3", "yellow2"], had=["blue2 blue5"]), "buy")
    assert match.pending[0].option("done").label.key == "osaka.insure.nothing"
    assert do(match, "insure.blue3").pending[0].option("done").label.key == "osaka.insure.done"


def test_following_defaults_spends_no_card_that_is_worth_as_much_as_what_it_saves():
    match = do(sinking(hands=["blue2", "yellow2"], had=["blue2"]), "buy")
    assert match.pending[0].default == "done"
