"""Standing orders of Osaka: insurance decided in advance, colour by colour, for when others buy."""

from importlib import resources
from itertools import product
from typing import Any

import pytest

from engine import BadOptions, Match, OrderDoesNotFit
from engine.osaka.box import COLOURS
from engine.scene import Message
from tests.engine.osaka.positions import OSAKA, do, had, ids, position, told
from tests.engine.tables import everything

BUYER, OWNER = 1, 0
CHOICES = ("ask", "never", "1", "2", "3", "4", "all")


def sinking(*sunk: str, hand: str, goods: str, **more: Any) -> Match:
    """Seat 1 has bought; the ships of these colours sink, and seat 0, who has the goods, is asked next."""
    paid = next(colour for colour in COLOURS if colour not in sunk)
    given: dict[str, Any] = {
        "market": f"{paid}2",
        "ships": {paid: 4} | dict.fromkeys(sunk, 3),
        "hands": [hand, f"{paid}2"],
        "had": [goods],
        "turn_of": BUYER,
        "players": 3,
    }
    match = do(position(**given | more), "buy")
    return do(match, f"pay.{paid}2") if match.pending[0].prompt == "osaka.pay" else match


def follow(match: Match, **orders: str) -> list[str] | None:
    return match.follow_orders(OWNER, {f"insure.{colour}": choice for colour, choice in orders.items()})


def obey(match: Match, **orders: str) -> Match:
    """The owner's orders give the answers, and the match goes on by them."""
    for choice in follow(match, **orders):
        match.choose(OWNER, choice)
    return match


def why_not(match: Match, **orders: str) -> Message:
    with pytest.raises(OrderDoesNotFit) as stopped:
        follow(match, **orders)
    return stopped.value.reason


either = pytest.mark.parametrize("open_information", [True, False])
each_colour = pytest.mark.parametrize("colour", COLOURS)

# What can be ordered


def test_insurance_is_ordered_colour_by_colour_and_the_default_is_to_be_asked():
    assert [(order.id, order.choices, order.default) for order in OSAKA.orders] == [
        (f"insure.{colour}", CHOICES, "ask") for colour in ("red", "blue", "yellow", "green")
    ]
    asked = {f"insure.{colour}": "ask" for colour in COLOURS}
    assert OSAKA.read_orders(None) == OSAKA.read_orders({}) == asked
    assert OSAKA.read_orders({"insure.blue": "2"}) == asked | {"insure.blue": "2"}


@pytest.mark.parametrize("choice", ["5", "0", "", "ALL", 2, None, True, [], {}])
def test_a_choice_that_cannot_be_ordered_is_refused_by_name(choice):
    for attempt in (OSAKA.read_orders, lambda given: Match.start("osaka", players=2, seed=1).follow_orders(0, given)):
        with pytest.raises(BadOptions, match=r"standing order insure\.red is one of ask, never, 1, 2, 3, 4, all, not"):
            attempt({"insure.red": choice})


def test_an_order_that_does_not_exist_is_refused_by_name():
    with pytest.raises(
        BadOptions, match=r"Traders of Osaka has no standing order insure\.pink \(it has: insure\.red, "
    ):
        OSAKA.read_orders({"insure.pink": "all", "insure.red": "all"})


# Each choice, in each colour


@either
@each_colour
@pytest.mark.parametrize(
    ("order", "spent", "kept"),
    [
        ("never", "", ""),
        ("1", "2", "5 5"),  # a 2 is the lowest card for it, and its second icon protects one more
        ("2", "2", "5 5"),
        ("3", "2 3", "5 5 3"),
        ("4", "2 3 3", "5 5 3 2"),
        ("all", "2 3 3", "5 5 3 2"),
    ],
)
def test_an_order_insures_the_highest_goods_with_the_fewest_and_lowest_cards(
    colour, order, spent, kept, open_information
):
    cards = lambda values, mark="": sorted(f"{colour}{value}{mark}" for value in values.split())  # noqa: E731
    match = sinking(
        colour,
        hand=f"{colour}5 {colour}3 {colour}3 {colour}2",
        goods=f"{colour}2 {colour}2 {colour}3 {colour}5 {colour}5",
        open_information=open_information,
    )
    obey(match, **{colour: order})
    assert sorted(had(match, OWNER).split()) == cards(kept, "!")
    assert [sorted(event["paid_cards"]) for event in told(match, "insured")] == ([cards(spent)] if spent else [])


@either
@each_colour
def test_without_an_order_for_the_colour_the_player_is_asked(colour, open_information):
    match = sinking(colour, hand=f"{colour}2", goods=f"{colour}5", open_information=open_information)
    others = {other: "all" for other in COLOURS if other != colour}
    assert follow(match) is None
    assert follow(match, **{colour: "ask"}, **others) is None


@pytest.mark.parametrize(
    ("hand", "goods", "order", "spent"),
    [
        ("blue2 blue3", "blue2", "1", "blue2"),
        ("blue3 blue5", "blue2 blue3", "1", "blue3"),
        ("blue2 blue2 blue3", "blue2 blue2 blue2 blue5", "3", "blue2 blue2"),  # two cards either way: the lower ones
        ("blue2 blue3 blue3", "blue2 blue2", "all", "blue2"),  # one card rather than two
        ("blue2 blue2 blue2", "blue2 blue2 blue5", "all", "blue2 blue2"),
        ("blue2", "blue2 blue3 blue5", "3", "blue2"),  # up to: fewer where the cards do not reach
        ("blue3 blue3", "blue2 blue3 blue5 blue5", "4", "blue3 blue3"),
        ("blue3 red2 green2", "blue2 blue3", "all", "blue3"),
        ("blue2 blue2", "blue5 blue5! blue3!", "4", "blue2"),  # what is insured already needs nothing
    ],
)
@either
def test_no_card_is_spent_beyond_what_the_order_needs(hand, goods, order, spent, open_information):
    match = obey(sinking("blue", hand=hand, goods=goods, open_information=open_information), blue=order)
    assert told(match, "insured")[0]["paid_cards"] == spent.split()


def test_icons_of_a_group_s_own_cards_are_reckoned_with():
    """A blue 5 with three icons: one card for three goods though two 2s are cheaper, but a 2 where it is enough."""
    own = resources.files("engine.osaka").joinpath("components.toml").read_text()
    blue5 = 'card = "blue5", colour = "blue", value = 5, copies = 7, icons = '
    assert f"{blue5}0" in own
    spent = {}
    for order in ("1", "3"):
        match = sinking(
            "blue",
            hand="blue2 blue2 blue5",
            goods="blue2 blue2 blue5",
            components=own.replace(f"{blue5}0", f"{blue5}3"),
        )
        spent[order] = told(obey(match, blue=order), "insured")[0]["paid_cards"]
    assert spent == {"1": ["blue2"], "3": ["blue5"]}


# Several colours at once


@either
def test_each_sinking_colour_follows_its_own_order(open_information):
    match = sinking(
        "red",
        "blue",
        "yellow",
        hand="red2 red3 blue2 blue3 yellow2",
        goods="red2 red5 blue2 blue3 blue5 yellow5",
        open_information=open_information,
    )
    obey(match, red="never", blue="1", yellow="all")
    assert had(match, OWNER) == "blue3! blue5! yellow5!"
    assert told(match, "insured")[0]["paid_cards"] == ["blue2", "yellow2"]


@either
def test_one_colour_to_be_asked_about_leaves_the_whole_question_to_the_player(open_information):
    match = sinking("red", "blue", hand="red2 blue2", goods="red5 blue5", open_information=open_information)
    assert follow(match, red="all") is None
    assert follow(match, blue="all") is None
    assert follow(match, red="all", blue="never") is not None


def test_an_open_hand_without_a_card_for_a_colour_has_nothing_to_be_asked_about_it():
    match = sinking("red", "blue", hand="red2", goods="red5 blue5")
    assert follow(match, red="all", blue="ask") == ["insure.red2"]


@either
def test_a_colour_of_which_nothing_is_at_risk_need_not_be_asked_about(open_information):
    match = sinking("red", "blue", hand="red2 blue2", goods="blue5", open_information=open_information)
    assert follow(match, blue="all", red="ask", yellow="never", green="never") == ["insure.blue2"]


def test_a_number_that_was_met_as_far_as_the_cards_reach_does_not_stop_the_next_colour():
    match = sinking("red", "blue", hand="red2 blue2", goods="red2 red3 red5 blue5")
    assert follow(match, red="3", blue="1") == ["insure.red2", "insure.blue2", "goods.red5", "goods.red3"]


def test_icons_too_many_for_one_colour_hide_no_good_of_another():
    match = do(sinking("red", "blue", hand="red2 blue2", goods="red5 blue5 blue3"), "insure.red2")
    args = match.pending[0].args
    assert (args["n"], args["uncovered"]) == (2, {"red": 0, "blue": 2})


# Orders that do not fit


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("other", ["never", "all"])
def test_a_number_without_a_card_for_it_stops_with_the_reason_before_anything_is_spent(n, other):
    match = sinking("red", "blue", hand="red2 blue5", goods="red5 blue5")
    assert why_not(match, red=other, blue=str(n)) == Message("osaka.order.why.no_card", {"n": n, "colour": "blue"})
    assert ids(match) == ["insure.red2", "done"]


def test_an_order_never_to_insure_does_not_say_which_goods_to_insure():
    match = do(sinking("blue", hand="blue3", goods="blue2 blue5"), "insure.blue3")
    assert match.pending[0].prompt == "osaka.insure_goods"
    assert why_not(match, blue="never") == Message("osaka.order.why.which", {"colour": "blue"})
    assert follow(match) is None
    assert follow(match, blue="1") == ["goods.blue5"]


def test_as_many_as_the_cards_allow_is_none_without_a_card():
    match = sinking("red", "blue", hand="red2", goods="red5 blue5")
    assert follow(match, red="never", blue="all") == ["done"]


# Whose question it is


def every(choice: str) -> dict[str, str]:
    return {order.id: choice for order in OSAKA.orders}


@either
@pytest.mark.parametrize("order", CHOICES)
def test_the_buyer_is_asked_whatever_is_ordered(order, open_information):
    match = position(
        market="red2",
        ships={"red": 4, "blue": 3},
        hands=["blue2", "red2 blue2"],
        had=["blue5", "blue3 blue5"],
        turn_of=BUYER,
        players=2,
        open_information=open_information,
    )
    for choice in ("buy", "pay.red2", "insure.blue2"):
        assert match.pending[0].seat == BUYER
        assert match.follow_orders(BUYER, every(order)) is None
        do(match, choice)
    assert (match.pending[0].seat, match.pending[0].prompt) == (OWNER, "osaka.insure")


@either
def test_only_the_seat_that_is_asked_has_something_to_answer(open_information):
    match = sinking(
        "blue",
        hand="blue2",
        goods="",
        had=["blue5", "", "blue5"],
        hands=["blue2", "red2", "blue2"],
        open_information=open_information,
    )
    assert match.pending[0].seat == 2
    assert [match.follow_orders(seat, every("all")) for seat in range(3)] == [[], [], ["insure.blue2"]]
    assert match.follow_orders(3, every("all")) == match.follow_orders(True, every("all")) == []
    do(match, "insure.blue2")
    assert match.follow_orders(OWNER, every("all")) == ["insure.blue2"]


@either
@pytest.mark.parametrize("deck", ["green2 green3 green5 yellow2 yellow3", ""])
def test_orders_end_where_the_owner_s_own_turn_begins(deck, open_information):
    """Seat 2 follows the buyer: with no card left to deal its turn begins at once, and is not part of the run."""
    match = sinking(
        "blue",
        hand="",
        goods="",
        market="red2 red3@0",
        had=["", "", "blue5"],
        hands=["", "red2", "blue2"],
        deck=deck,
        open_information=open_information,
    )
    assert match.follow_orders(2, every("all")) == ["insure.blue2"]
    do(match, "insure.blue2")
    assert match.follow_orders(2, every("all")) is None


def test_a_draft_that_waits_to_be_sent_asks_nothing():
    match = sinking("blue", hand="blue2", goods="blue5", players=2).draft()
    obey(match, blue="all")
    assert match.held
    assert follow(match, blue="all") == []


# Secrecy


@either
def test_looking_ahead_changes_nothing_and_shows_nothing(open_information):
    for order in ("never", "1", "all"):
        match = sinking("blue", hand="blue2 blue3", goods="blue2 blue5", open_information=open_information)
        before, saved = everything(match), match.save()
        choices = follow(match, blue=order)
        assert (everything(match), match.save()) == (before, saved)
        by_hand = Match.load(saved)
        for choice in choices:
            match.choose(OWNER, choice)
            do(by_hand, choice)
        assert match.save() == by_hand.save()
        new = len(match.events) - len(by_hand.events)
        assert everything(match, since=new) == everything(by_hand)


def test_with_a_hidden_hand_only_the_orders_say_whether_the_player_is_asked():
    """Whoever is asked takes longer to answer: that must not depend on what is in the hand."""
    hands = ["", "red2", "blue3", "red2 blue2 blue3", "red5 blue5 green2"]
    for red, blue in product(CHOICES, CHOICES):
        asked = {
            follow(
                sinking("red", "blue", hand=hand, goods="red3 blue2 blue5", open_information=False), red=red, blue=blue
            )
            is None
            for hand in hands
        }
        assert asked == {"ask" in (red, blue)}
