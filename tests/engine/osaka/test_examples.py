"""The worked examples of the rulebook, each in the position it stands in, with the outcome it gives."""

import pytest

from engine.osaka.box import load_box
from engine.osaka.setup import start_player
from engine.osaka.state import Osaka, worth
from tests.engine.osaka.positions import cards, do, had, ids, position, row, seat, told


def test_preparation_step_7_the_start_player_has_the_lowest_value_and_the_fewest_cards():
    state = Osaka(players=4, options={}, seed=1, draws=0)
    state.attach([], load_box())
    state.hands = [
        cards("red5 red3"),
        cards("red5 blue5"),
        cards("red2 blue2 green5"),
        cards("red2 blue2 green2 yellow2"),
    ]
    assert [worth(hand) for hand in state.hands] == [8, 10, 9, 8]
    assert start_player(state) == 0
    assert state.draws == 0  # no chance was needed


def test_buy_goods_a_hand_of_2_2_3_5_is_worth_12_coins():
    match = position(market="red5 blue5 green2", hands=["red2 blue2 green3 yellow5"])
    assert seat(match, 0)["coins"] == 12
    do(match, "buy", "pay.red2", "pay.blue2", "pay.green3")  # the last card is the only one left
    assert told(match, "bought")[0]["price"] == 12
    assert sorted(told(match, "bought")[0]["paid_cards"]) == sorted(["red2", "blue2", "green3", "yellow5"])
    assert had(match, 0) == "red5 blue5 green2"


def test_advancing_ships_two_yellow_goods_move_it_two_steps_and_one_red_good_one():
    match = position(market="yellow2 yellow3 red2", hands=["red5 blue5"])
    do(match, "buy", "pay.red5")
    assert match.view()["ships"] == {"red": 1, "blue": 0, "yellow": 2, "green": 0}


def test_advancing_ships_three_blue_goods_are_two_steps_and_green_reaches_edo_and_is_paid():
    match = position(
        market="blue2 blue2 blue3 green3", hands=["red5 yellow5"], had=["", "green2"], ships={"green": 4, "blue": 0}
    )
    do(match, "buy", "pay.red5")
    assert [(sailed["colour"], sailed["n"], sailed["place"]) for sailed in told(match, "sailed")] == [
        ("blue", 2, "anori"),
        ("green", 1, "edo"),
    ]
    assert [(paid["seat"], paid["colour"], paid["vp"]) for paid in told(match, "scored")] == [
        (0, "green", 1),
        (1, "green", 1),
    ]
    assert match.view()["ships"] == {"red": 0, "blue": 2, "yellow": 0, "green": 0}


def test_reservation_effects_others_reserved_cards_stay_in_the_market_when_buying():
    match = position(market="red2@1 blue3@0 green2 yellow5@2", hands=["red5 blue3"])
    assert match.view()["price"] == 5
    do(match, "buy", "pay.red5")
    assert had(match, 0) == "blue3 green2"
    assert row(match, "market").startswith("red2@1 yellow5@2")
    assert seat(match, 0)["reserving"] is None


def test_reservation_effects_when_taking_one_chooses_an_unreserved_card_or_ones_own():
    match = position(market="red2@1 blue3@0 green2 yellow5@2")
    assert match.pending[0].prompt == "osaka.take"  # an empty hand buys nothing, and the piece is out
    assert ids(match) == ["take.green2", "take.own"]


def test_refresh_the_farm_moves_up_two_cards_join_the_market_and_three_the_farm():
    match = position(
        market="red2",
        farm="blue2@1 green3 yellow3",
        hands=["red2 red3"],
        deck="red5 blue5 green5 yellow5 red3 red2",
    )
    do(match, "buy", "pay.red2")
    assert row(match, "market") == "blue2@1 green3 yellow3 red5 blue5"
    assert row(match, "farm") == "green5 yellow5 red3"
    assert match.view()["deck"] == 1


PINK = 0


def test_payment_example_1_red_and_yellow_score_three_and_one():
    match = position(
        market="red2 yellow2",
        hands=["green5"],
        had=["red5 red3", ""],
        ships={"red": 4, "yellow": 4},
    )
    do(match, "buy")
    red, yellow = told(match, "scored")
    assert (red["price"], red["n"], red["value"], red["vp"]) == (5, 3, 15, 3)
    assert (yellow["price"], yellow["n"], yellow["total"], yellow["value"], yellow["vp"]) == (2, 1, 2, 5, 1)
    assert seat(match, PINK)["vp"] == 4


def test_payment_example_2_two_green_tokens_make_three_cards_worth_25():
    match = position(
        market="green2 red2 red2",
        hands=["yellow5 yellow2"],
        had=["green5 green3"],
        tokens=[{"green": 2}],
        ships={"green": 4},
    )
    deck = match.view()["deck"]
    do(match, "buy", "pay.yellow5")
    (green,) = told(match, "scored")
    assert (green["price"], green["tokens"], green["n"], green["total"]) == (5, 2, 3, 21)
    assert (green["value"], green["vp"]) == (25, 5)
    assert seat(match, PINK)["vp"] == 5
    drawn_for_refresh = 5
    assert match.view()["deck"] == deck - 2 - drawn_for_refresh
    assert match.view()["discard"] == 2  # what was paid: none of the set is left over
    assert seat(match, PINK)["tokens"]["green"] == 3


def test_insurance_example_three_cards_insure_four_goods_when_blue_and_red_sink():
    match = position(
        market="green2",
        hands=["yellow2 blue2 blue3 red3 yellow3"],
        had=["blue5 blue3 blue2 red5", "blue2 red2"],
        ships={"green": 4, "blue": 3, "red": 4},
    )
    do(match, "buy", "pay.yellow2", "insure.blue2", "insure.blue3", "insure.red3")
    assert sorted(told(match, "insured")[0]["cards"]) == ["blue2", "blue3", "blue5", "red5"]
    assert had(match, 0) == "red5! blue2! blue3! blue5!"
    assert had(match, 1) == ""
    assert match.view()["ships"] == {"red": 2, "blue": 2, "yellow": 0, "green": 0}


GREY, WHITE, PINK_OF_FOUR, TAN = range(4)


@pytest.fixture
def round_of_four():
    """Turn order Grey, White, Pink, Tan; 18 coins' worth of goods in the market."""
    return position(
        market="blue5 red5 yellow3 yellow3 yellow2",
        farm="green2 green3 blue2",
        hands=["green5 green3", "red3 blue3", "green5 blue5 red3", "red5 blue2"],
    )


def test_four_player_round_grey_cannot_pay_18_and_takes_the_blue_5(round_of_four):
    match = round_of_four
    assert match.view()["price"] == 18
    assert ids(match) == ["take", "reserve"]
    (reason,) = [blocked.reason for blocked in match.pending[0].blocked]
    assert reason.args == {"price": 18, "coins": 8}
    do(match, "take", "take.blue5")
    assert seat(match, GREY)["hand"] == ["blue5", "green3", "green5"]


def test_four_player_round_white_reserves_the_red_5(round_of_four):
    match = do(round_of_four, "take", "take.blue5")
    assert match.pending[0].seat == WHITE
    do(match, "reserve", "reserve.market.red5")
    assert row(match, "market") == "red5@1 yellow3 yellow3 yellow2"


def test_four_player_round_pink_could_buy_but_takes_the_yellow_3(round_of_four):
    match = do(round_of_four, "take", "take.blue5", "reserve", "reserve.market.red5")
    assert match.pending[0].seat == PINK_OF_FOUR
    assert ids(match) == ["buy", "take", "reserve"]
    do(match, "take", "take.yellow3")
    assert seat(match, PINK_OF_FOUR)["coins"] == 16


def test_four_player_round_tan_buys_all_but_the_reserved_card_for_5(round_of_four):
    match = do(round_of_four, "take", "take.blue5", "reserve", "reserve.market.red5", "take", "take.yellow3")
    assert match.pending[0].seat == TAN
    assert match.view()["price"] == 5
    do(match, "buy", "pay.red5")
    assert had(match, TAN) == "yellow2 yellow3"
    assert match.view()["ships"]["yellow"] == 2
    assert row(match, "market").startswith("red5@1 green2 green3 blue2 ")
    assert len(match.view()["market"]) == 6
    assert len(match.view()["farm"]) == 3
    assert match.pending[0].seat == GREY
