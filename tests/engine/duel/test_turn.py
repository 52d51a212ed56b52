"""A turn: places, Influence and Help cards, rent, bonus cards, building, free actions, Foreign Traders."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engine import IllegalChoice, Match
from engine.duel import free, places, turn
from engine.duel.box import PLACES, load_box
from engine.duel.gains import gain
from engine.duel.state import Duel, rewards_at
from service.post import words
from tests.engine.duel.position import hint, me, offered, play, refused, seat, state, table, told


def other(**things: object) -> Callable[[Duel], None]:
    """Fill the other player's corner."""

    def fill(spec: Duel) -> None:
        for name, value in things.items():
            setattr(spec.seats[1], name, value)

    return fill


def test_every_place_can_be_chosen_on_an_empty_board() -> None:
    assert offered(table()) == list(PLACES)


def test_the_lowest_card_must_be_played() -> None:
    match = play(table(played=["", "bank", "", ""]), "tea")
    assert me(match).played == ["tea", "bank", "", ""]
    match = play(table(played=["bank", "tea", "", ""]), "fish")
    assert me(match).goods == [0, 3, 0, 0]
    assert me(match).played == ["bank", "tea", "fish", ""]


def test_an_improved_card_counts_with_its_new_level() -> None:
    match = play(table(improved=[True, False, False, False], played=["", "tea", "", ""]), "bank")
    assert me(match).yen == 2


def test_cards_of_either_player_occupy_a_place_but_never_the_laboratory_or_the_port() -> None:
    match = table(other(played=["bank", "laboratory", "", ""]), played=["tea", "port", "", ""])
    assert offered(match) == [p for p in PLACES if p not in ("bank", "tea")]
    assert refused(match) == {"duel.go:tea": "duel.why.occupied", "duel.go:bank": "duel.why.occupied"}
    assert [b.reason.args["by"] for b in match.pending[0].blocked] == [0, 1]


def test_a_place_without_effect_may_still_be_chosen() -> None:
    match = play(table(played=["", "", "", ""]), "copper")
    assert me(match).goods == [0, 0, 0, 0]
    assert match.pending[0].seat == 1


def test_only_one_help_card_is_played_and_it_goes_back() -> None:
    match = play(table(help=[2, 1]), "bank")
    assert offered(match) == ["1+0", "1+1", "1+2"]
    play(match, "1+2")
    assert me(match).yen == 3
    assert me(match).help == [2, 0]


def test_shop_house_and_station_each_add_one() -> None:
    match = table(lambda s: setattr(s, "station", "tea"), shops=["tea"], houses=["tea"])
    assert hint(match, "tea").startswith("Influence 4: ")
    play(match, "tea")
    assert me(match).goods == [4, 0, 0, 0]


def test_the_others_buildings_add_nothing() -> None:
    match = play(table(other(shops=["tea"], houses=["tea"])), "tea")
    assert me(match).goods == [1, 0, 0, 0]


def test_a_trading_house_earns_its_owner_a_yen_whoever_comes() -> None:
    match = play(table(other(houses=["tea"]), houses=["fish"]), "tea")
    assert (me(match).yen, seat(match, 1).yen) == (0, 1)
    play(match, "fish")
    assert (me(match).yen, seat(match, 1).yen) == (1, 1)
    match = play(table(houses=["fish"]), "fish")
    assert me(match).yen == 1


def test_influence_above_five_counts_as_five_for_the_place() -> None:
    match = play(table(played=["tea", "silk", "copper", ""], help=[0, 1], shops=["bank"]), "bank", "4+2")
    assert me(match).yen == 5


@pytest.mark.parametrize(("answer", "yen", "helps", "silk"), [("4+0", 7, 0, 0), ("4+1", 7, 1, 0), ("4+2", 7, 1, 1)])
def test_bonus_cards_give_one_two_or_three_rewards_at_5_6_and_7(answer: str, yen: int, helps: int, silk: int) -> None:
    match = table(played=["tea", "silk", "copper", ""], help=[1, 1], shops=["bank"])
    play(match, "bank", answer, "bonus.b01")
    held = 2 - (answer != "4+0")
    assert me(match).yen == yen
    assert sum(me(match).help) == held + helps
    assert me(match).goods[2] == silk


def test_no_bonus_card_below_influence_5() -> None:
    match = play(table(played=["tea", "silk", "copper", ""]), "bank")
    assert match.pending[0].prompt == "duel.build"


def test_a_used_bonus_card_is_replaced_and_the_discards_become_the_new_deck() -> None:
    def last_card(spec: Duel) -> None:
        spec.bonus_discard, spec.bonus_deck = spec.bonus_deck, []

    match = table(last_card, played=["tea", "silk", "copper", ""], shops=["bank"])
    play(match, "bank", "bonus.b02", "end")
    row = state(match).bonus_row
    assert [row[0], row[2]] == ["b01", "b03"]
    assert row[1] in {f"b{n:02d}" for n in (2, *range(4, 13))}
    assert len(state(match).bonus_deck) == 9
    assert state(match).bonus_discard == []


def test_a_new_bonus_card_is_a_reveal_that_comes_when_the_turn_ends() -> None:
    match = play(table(played=["tea", "silk", "copper", ""], shops=["bank"]), "bank", "bonus.b02")
    assert state(match).bonus_row == ["b01", "b02", "b03"]
    assert [card["used"] for card in match.view(1)["bonus"]] == [False, True, False]
    draft = play(match.copy().draft(), "end")
    assert (draft.held, draft.closing) == (True, True)
    match.undo(0)
    assert match.pending[0].prompt == "duel.bonus.which"
    play(match, "bonus.b02", "end")
    assert state(match).bonus_row == ["b01", "b04", "b03"]
    assert told(match).count("duel.bonus.turned") == 1


def test_the_new_bonus_card_can_be_seen_before_building_and_then_there_is_no_way_back() -> None:
    match = play(table(played=["tea", "silk", "copper", ""], shops=["bank"]), "bank", "bonus.b02")
    assert offered(match) == ["house", "end", "see"]
    draft = play(match.copy().draft(), "see")
    assert (draft.held, draft.closing) == (True, False), "the turn goes on"
    play(match, "see")
    assert state(match).bonus_row == ["b01", "b04", "b03"]
    assert offered(match) == ["house", "end"]
    with pytest.raises(IllegalChoice):
        match.undo(0)


def test_nothing_is_asked_only_because_a_new_bonus_card_could_be_seen() -> None:
    match = play(table(played=["x", "x", "x", ""], shops=["silk"], houses=["silk"]), "silk", "bonus.b02")
    assert match.pending[0].seat == 1
    assert state(match).bonus_row == ["b01", "b04", "b03"]


def test_whoever_takes_another_bonus_card_sees_the_new_one_before() -> None:
    strong = {"played": ["x", "x", "x", ""], "shops": ["bank"], "help": [0, 1]}
    match = play(with_traders(1, **strong), "bank", "4+0", "bonus.b02", "trader", "silk")
    draft = play(match.copy().draft(), "3+2")
    assert (draft.held, draft.closing) == (True, False)
    play(match, "3+2")
    assert [option for option in offered(match) if "bonus" in option] == ["bonus.b01", "bonus.b04", "bonus.b03"]


def test_building_needs_influence_4() -> None:
    match = play(table(played=["tea", "fish", "", ""], yen=9), "silk")
    assert match.pending[0].seat == 1
    match = play(table(played=["tea", "fish", "copper", ""], yen=9), "silk")
    assert offered(match) == ["shop", "house", "end"]


def test_a_shop_costs_1_yen_and_a_trading_house_4_5_6_7() -> None:
    match = play(table(played=["tea", "fish", "copper", ""], yen=1), "silk", "shop")
    assert (me(match).yen, me(match).shops) == (0, ["silk"])
    for built, price in enumerate((4, 5, 6, 7)):
        houses = ["tea", "fish", "copper"][:built]
        match = play(table(played=["tea", "fish", "copper", ""], yen=price, houses=houses), "silk", "house")
        assert (me(match).yen, me(match).houses) == (0, [*houses, "silk"])
        match = play(table(played=["tea", "fish", "copper", ""], yen=price - 1, houses=houses), "silk")
        assert refused(match)["duel.house:silk"] == "duel.why.yen"
        assert match.pending[0].blocked[-1].reason.args["price"] == price


def test_one_building_a_turn() -> None:
    match = play(table(played=["tea", "fish", "copper", ""], yen=9), "silk", "shop")
    assert match.pending[0].seat == 1


def test_one_shop_each_and_one_house_in_all_on_a_place() -> None:
    match = play(table(other(houses=["silk"], shops=["silk"]), played=["tea", "fish", "copper", ""], yen=9), "silk")
    assert offered(match) == ["shop", "end"]
    assert refused(match)["duel.house:silk"] == "duel.why.house_there"
    match = play(table(played=["tea", "fish", "copper", ""], shops=["silk"], yen=9), "silk", "bonus.b02")
    assert offered(match) == ["house", "end", "see"]
    assert refused(match)["duel.shop:silk"] == "duel.why.own_shop"


def test_eight_shops_and_four_houses_and_no_more() -> None:
    shops = [place for place in PLACES if place not in ("silk", "copper")]
    houses = ["tea", "fish", "church", "bank"]
    match = play(table(played=["tea", "fish", "copper", ""], shops=shops, houses=houses, yen=20), "silk")
    assert match.pending[0].seat == 1
    match = table(played=["tea", "fish", "copper", ""], shops=shops, houses=houses, yen=20, traders=1, recruited=["x"])
    play(match, "silk")
    assert refused(match) == {"duel.shop:silk": "duel.why.no_shop_left", "duel.house:silk": "duel.why.no_house_left"}


# Free actions


def test_an_order_is_fulfilled_with_its_goods_and_gives_its_reward() -> None:
    match = table(hand=["o03"], goods=[1, 2, 0, 0])
    assert "fulfil.o03" in offered(match)
    play(match, "fulfil.o03")
    assert me(match).goods == [0, 0, 0, 0]
    assert me(match).imports == 1
    assert (me(match).hand, me(match).fulfilled) == ([], ["o03"])
    assert match.pending[0].prompt == "duel.turn"


def test_an_order_that_cannot_be_paid_is_not_offered() -> None:
    assert "fulfil.o03" not in offered(table(hand=["o03"], goods=[1, 1, 0, 0]))


def test_orders_can_be_fulfilled_after_the_place_action_and_before_building() -> None:
    match = table(hand=["o09"], goods=[2, 1, 0, 0], played=["tea", "fish", "copper", ""])
    play(match, "silk")
    assert offered(match) == ["end", "fulfil.o09"]
    play(match, "fulfil.o09")
    assert me(match).yen == 2
    assert offered(match) == ["shop", "end"]


def test_orders_can_be_fulfilled_between_two_exchanges_in_chinatown() -> None:
    match = table(hand=["o03"], goods=[1, 1, 0, 0], yen=2, played=["", "", "", ""], shops=["chinatown"])
    play(match, "chinatown", "buy.fish", "fulfil.o03")
    assert match.pending[0].prompt == "duel.chinatown"
    assert match.pending[0].args["n"] == 1


def test_orders_can_be_fulfilled_while_looking_at_new_ones_and_pay_for_keeping_two() -> None:
    match = table(hand=["o09"], goods=[2, 1, 1, 0], played=["tea", "", "", ""])
    state(match).orders.remove("o09")
    play(match, "port")
    assert offered(match) == ["keep.o01", "keep.o02", "fulfil.o09"]
    play(match, "fulfil.o09", "keep.o01", "keep.o02")
    assert me(match).yen == 0
    assert me(match).hand == ["o01", "o02"]


@pytest.mark.parametrize(
    ("criterion", "things", "one_less"),
    [
        ("orders", {"fulfilled": ["o01", "o02", "o03"]}, {"fulfilled": ["o01", "o02"]}),
        (
            "technologies",
            {"technologies": ["ball", "mining", "exposition"]},
            {"technologies": ["ball", "mining"]},
        ),
        ("church", {"church": ["faith03", "faith04"]}, {"church": ["faith03"]}),
        ("flipped", {"flipped": 2}, {"flipped": 1, "imports": 5}),
    ],
)
def test_a_foreign_trader_is_recruited_once_for_each_criterion(
    criterion: str, things: dict[str, object], one_less: dict[str, object]
) -> None:
    assert f"recruit.{criterion}" not in offered(table(**one_less))
    match = table(**things)
    play(match, f"recruit.{criterion}")
    assert me(match).traders == 1
    assert f"recruit.{criterion}" not in offered(match)


def test_all_four_criteria_make_four_traders() -> None:
    match = table(
        fulfilled=["o01", "o02", "o03"],
        technologies=["ball", "mining", "exposition"],
        church=["faith03", "faith04"],
        flipped=2,
    )
    play(match, "recruit.orders", "recruit.technologies", "recruit.church", "recruit.flipped")
    assert me(match).traders == 4
    assert not [answer for answer in offered(match) if answer.startswith("recruit")]


def test_a_foreign_trader_acts_takes_a_bonus_and_builds_and_the_turn_goes_on() -> None:
    match = table(traders=2, recruited=["church", "orders"], help=[0, 1], yen=4)
    play(match, "trader", "bank", "3+2")
    assert me(match).yen == 9
    play(match, "bonus.b02")
    assert me(match).help == [1, 0]
    assert offered(match) == ["shop", "house", "end", "trader", "see"]
    play(match, "house", "end")
    assert me(match).houses == ["bank"]
    assert match.pending[0].prompt == "duel.turn"
    assert "bank" in offered(match)
    assert me(match).played == ["", "", "", ""]
    assert "trader" in offered(match)


def test_a_trader_can_be_recruited_and_called_in_one() -> None:
    match = table(fulfilled=["o01", "o02", "o03"], church=["faith03", "faith04"])
    assert match.pending[0].option("trader").label.key == "duel.call.recruit"
    play(match, "trader", "bank")
    assert (me(match).traders, me(match).recruited, me(match).yen) == (0, ["orders"], 3)
    play(match, "recruit.church")
    assert match.pending[0].option("trader").label.key == "duel.call"
    play(match, "trader", "tea")
    assert "trader" not in offered(match)


def with_traders(n: int, *fills: Callable[[Duel], None], **mine: object) -> Match:
    return table(*fills, traders=n, recruited=["church", "orders", "flipped"][:n], **mine)


def test_a_trader_can_be_called_after_the_main_action() -> None:
    match = play(with_traders(2, played=["tea", "fish", "", ""]), "silk")
    assert offered(match) == ["end", "trader"]
    play(match, "trader", "bank", "end")
    assert me(match).yen == 3
    assert offered(match) == ["end", "trader"]


def test_a_trader_can_be_called_inside_anothers_action_and_each_is_played_to_its_end() -> None:
    match = play(with_traders(2, shops=["bank"], yen=1), "trader", "bank")
    assert offered(match) == ["house", "end", "trader"]
    play(match, "trader", "tea")
    assert me(match).goods == [3, 0, 0, 0]
    assert (match.pending[0].prompt, match.pending[0].args["place"]) == ("duel.build", "bank")
    visit = match.view(0)["visit"]
    assert (visit["place"], visit["influence"], visit["step"], visit["trader"]) == ("bank", 4, "build", True)
    play(match, "house")
    assert me(match).houses == ["bank"]
    assert me(match).traders == 0
    assert match.pending[0].prompt == "duel.turn"


def test_with_no_yen_in_the_port_a_trader_fetches_some_for_the_second_order() -> None:
    match = play(with_traders(1, played=["tea", "", "", ""]), "port", "keep.o01")
    assert offered(match) == ["done", "trader"]
    assert [blocked.reason.key for blocked in match.pending[0].blocked] == ["duel.why.keep_two"]
    play(match, "trader", "bank")
    assert offered(match) == ["keep.o02", "done"]
    play(match, "keep.o02")
    assert me(match).hand == ["o01", "o02"]
    assert me(match).yen == 1


def test_a_trader_in_the_port_while_orders_are_looked_at_there_keeps_them_apart() -> None:
    match = play(with_traders(1, played=["tea", "", "", ""], yen=2), "port", "trader", "port")
    assert me(match).offer == ["o03", "o04", "o05"]
    assert me(match).aside == ["o01", "o02"]
    mine, other = match.view(0)["seats"][0], match.view(1)["seats"][0]
    assert [card["card"] for card in mine["aside"]] == ["o01", "o02"]
    assert (other["aside"], other["looking"]) == (None, 5)
    play(match, "keep.o05", "done", "done")
    assert offered(match) == ["keep.o01", "keep.o02"]
    play(match, "keep.o02", "done")
    assert me(match).hand == ["o02", "o05"]
    assert (me(match).offer, me(match).aside) == ([], [])
    assert state(match).orders[:3] == ["o01", "o04", "o03"]


def test_a_trader_called_in_the_laboratory_pays_for_the_technology() -> None:
    match = play(with_traders(1), "laboratory")
    assert offered(match) == ["none", "trader"]
    play(match, "trader", "bank")
    assert "take.stock_exchange" not in offered(match)
    match = play(with_traders(1, played=["x", "", "", ""]), "laboratory", "trader", "bank", "take.stock_exchange")
    assert me(match).technologies == ["stock_exchange"]
    assert me(match).yen == 1


def test_a_trader_called_in_the_church_brings_what_is_given_there() -> None:
    match = play(with_traders(1, played=["x", "", "", ""]), "church")
    assert offered(match) == ["none", "trader"]
    play(match, "trader", "tea", "take.faith03")
    assert me(match).church == ["faith03"]
    assert me(match).goods == [2, 0, 0, 0]


def test_a_trader_called_in_chinatown_brings_what_is_sold_there_and_exchanges_are_left() -> None:
    match = play(with_traders(1, shops=["chinatown"]), "chinatown")
    assert offered(match) == ["done", "trader"]
    play(match, "trader", "silk", "sell.silk")
    assert me(match).yen == 2
    assert match.pending[0].args["n"] == 1


def test_a_trader_called_before_the_bonus_card_may_take_one_of_the_row() -> None:
    match = play(with_traders(1, played=["x", "x", "x", ""], shops=["silk"], help=[0, 1]), "silk", "4+0")
    assert match.pending[0].prompt == "duel.bonus.which"
    play(match, "trader", "bank", "3+2", "bonus.b03", "end")
    assert match.pending[0].prompt == "duel.bonus.which"
    assert "bonus.b03" not in offered(match)


def flip_before_import(spec: Duel) -> None:
    spec.bonus_row = ["b09", "b05", "b01"]


def test_the_order_of_a_bonus_cards_rewards_is_the_players_where_a_flip_would_be_lost() -> None:
    strong = {"played": ["x", "x", "x", ""], "shops": ["bank"], "help": [0, 1]}
    match = play(table(flip_before_import, **strong), "bank", "4+2")
    assert offered(match) == ["bonus.b09.flips_last", "bonus.b09", "bonus.b05", "bonus.b01"]
    hints = [option.hint and option.hint.key for option in match.pending[0].options]
    assert hints == ["duel.hint.bonus.flips_last", "duel.hint.bonus.in_vain", "duel.hint.bonus.in_vain", None]
    flipped = play(match.copy(), "bonus.b09.flips_last")
    assert (me(flipped).imports, me(flipped).flipped) == (0, 1)
    play(match, "bonus.b09")
    assert (me(match).imports, me(match).flipped) == (1, 0)


def test_the_order_of_a_bonus_cards_rewards_is_not_asked_where_nothing_hangs_on_it() -> None:
    strong = {"played": ["x", "x", "x", ""], "shops": ["bank"], "help": [1, 1]}
    assert offered(play(table(flip_before_import, **strong), "bank", "4+1"))[0] == "bonus.b09", "no import at 6"
    match = play(table(flip_before_import, **strong, imports=1), "bank", "4+2")
    assert offered(match) == ["bonus.b09", "bonus.b05", "bonus.b01"]
    assert me(play(match, "bonus.b09")).flipped == 1


def test_a_trader_called_before_building_can_pay_for_the_building() -> None:
    match = table(traders=1, recruited=["church"], played=["tea", "fish", "copper", ""], yen=1)
    play(match, "silk", "trader", "bank", "house")
    assert me(match).houses == ["silk"]
    assert me(match).yen == 0


def test_a_trader_pays_rent_too() -> None:
    match = play(table(other(houses=["bank"]), traders=1, recruited=["church"]), "trader", "bank")
    assert seat(match, 1).yen == 1


def test_the_question_at_the_end_of_a_turn_does_not_depend_on_the_hand() -> None:
    for hand in (["o01"], ["o29"]):
        match = play(table(hand=hand, goods=[0, 1, 0, 1], played=["tea", "", "", ""]), "bank")
        assert match.pending[0].seat == 0, hand
        assert match.pending[0].prompt == "duel.finish"


def test_nobody_is_asked_for_an_end_when_no_order_could_be_fulfilled_at_all() -> None:
    match = play(table(hand=["o01"], goods=[1, 0, 0, 0], played=["tea", "", "", ""]), "bank")
    assert match.pending[0].seat == 1
    match = play(table(hand=["o01"], goods=[9, 0, 0, 0], played=["tea", "", "", ""]), "bank")
    assert match.pending[0].seat == 1, "goods enough, but no order wants tea alone"
    match = play(table(goods=[3, 3, 3, 3], played=["tea", "", "", ""]), "bank")
    assert match.pending[0].seat == 1, "an empty hand holds no order, and everybody sees that it is empty"


def test_the_default_is_the_bank_with_the_lowest_card_and_nothing_more() -> None:
    match = table(yen=9, help=[2, 2], goods=[3, 3, 3, 3], hand=["o01"], traders=1, recruited=["x"], shops=["bank"])
    while match.pending[0].seat == 0:
        play(match, match.pending[0].default)
    assert me(match).played == ["bank", "", "", ""]
    assert me(match).yen == 11
    assert me(match).help == [2, 2]
    assert me(match).hand == ["o01"]
    assert me(match).traders == 1


def test_the_default_is_the_first_free_place_when_the_bank_is_taken() -> None:
    match = table(other(played=["bank", "tea", "", ""]))
    assert match.pending[0].default == "fish"


# Help cards


def test_a_fifth_help_card_means_giving_one_back_by_choice() -> None:
    match = table(played=["tea", "fish", "copper", ""], shops=["silk"], help=[3, 1])
    play(match, "silk", "4+0", "bonus.b02")
    assert match.pending[0].prompt == "duel.help.limit"
    assert offered(match) == ["help1", "help2"]
    play(match, "help2")
    assert me(match).help == [4, 0]


def test_four_help_cards_can_be_held_and_of_five_a_lower_one_goes_back_by_default() -> None:
    match = table(played=["tea", "fish", "copper", ""], shops=["silk"], help=[2, 1])
    play(match, "silk", "4+0", "bonus.b02")
    assert me(match).help == [3, 1]
    assert match.pending[0].prompt != "duel.help.limit"
    match = table(played=["tea", "fish", "copper", ""], shops=["silk"], help=[3, 1])
    assert play(match, "silk", "4+0", "bonus.b02").pending[0].default == "help1"


def test_a_reward_of_orders_comes_off_the_deck_and_none_comes_off_an_empty_one() -> None:
    def orders_first(spec: Duel) -> None:
        spec.bonus_row = ["b07", "b01", "b02"]

    match = table(orders_first, played=["tea", "fish", "copper", ""], shops=["silk"])
    top = state(match).orders[-1]
    play(match, "silk", "bonus.b07")
    assert me(match).hand == [top]
    assert "duel.drew" in told(match)

    def no_deck(spec: Duel) -> None:
        orders_first(spec)
        spec.orders = []

    match = play(table(no_deck, played=["tea", "fish", "copper", ""], shops=["silk"]), "silk", "bonus.b07")
    assert me(match).hand == []


def test_two_bonus_cards_that_begin_alike_are_told_apart_by_what_is_out_of_reach() -> None:
    alike = ["b10", "b12"]
    assert {tuple(load_box().bonus_rewards[card][0].items()) for card in alike} == {(("yen", 1),)}

    def begin_alike(spec: Duel) -> None:
        spec.bonus_row = [*alike, "b01"]

    match = play(table(begin_alike, played=["tea", "fish", "copper", ""], shops=["silk"]), "silk")
    read = {words.tell(option.hint) for option in match.pending[0].options[:2] if option.hint}
    assert len(read) == 2


def test_a_fifth_help_card_of_one_kind_goes_back_by_itself() -> None:
    match = table(played=["tea", "fish", "copper", ""], shops=["silk"], help=[4, 0])
    play(match, "silk", "4+0", "bonus.b02")
    assert me(match).help == [4, 0]
    assert "duel.gaveback" in told(match)


def test_choices_can_be_taken_back_within_a_turn() -> None:
    match = play(table(hand=["o03"], goods=[1, 2, 0, 0], help=[1, 0]), "fulfil.o03", "bank")
    match.undo(0)
    match.undo(0)
    assert me(match).goods == [1, 2, 0, 0]
    assert me(match).hand == ["o03"]


def test_shared_options_stay_few_however_many_games_are_played() -> None:
    for seed in range(40):
        match, random = Match.start("duel", players=2, seed=seed), Random(seed)
        while match.pending:
            decision = match.pending[0]
            match.choose(decision.seat, random.choice(decision.options).id)
    kept = {made for module in (free, places, turn) for made in vars(module).values() if hasattr(made, "cache_info")}
    assert 100 < sum(made.cache_info().currsize for made in kept) < 4000


def test_free_actions_stand_behind_what_is_asked() -> None:
    match = table(hand=["o01"], goods=[0, 1, 0, 1], traders=1, recruited=["church"], technologies=["spinning_mill"])
    assert offered(match) == [*PLACES, "trader", "fulfil.o01"]
    play(match, "fish")
    assert offered(match) == ["end", "trader", "fulfil.o01"]


def test_an_order_that_cannot_be_fulfilled_says_what_is_missing_when_the_action_ends() -> None:
    match = play(table(hand=["o01", "o25"], goods=[3, 0, 2, 0]), "tea")
    missing = {
        tuple(need["key"] for need in blocked.reason.args["gains"]): [
            n["args"]["n"] for n in blocked.reason.args["gains"]
        ]
        for blocked in match.pending[0].blocked
        if blocked.label.key == "duel.fulfil"
    }
    assert missing == {
        ("duel.gain.fish", "duel.gain.copper"): [1, 1],
        ("duel.gain.silk", "duel.gain.copper"): [1, 1],
    }
    match = play(table(hand=["o01"], goods=[3, 1, 0, 0]), "tea")
    assert match.pending[0].blocked[-1].reason.args["gains"] == [{"key": "duel.gain.copper", "args": {"n": 1}}]
    match = play(table(hand=["o01"], goods=[3, 1, 0, 1]), "tea")
    assert "duel.fulfil" not in refused(match), "what is offered is not refused"


@pytest.mark.parametrize(("place", "least"), [("silk", 2), ("copper", 3), ("customs", 2)])
def test_a_place_that_would_give_nothing_says_that_the_influence_is_too_low_and_the_story_does_too(
    place: str, least: int
) -> None:
    assert "duel.nothing.influence" not in told(play(table(), "tea"))
    match = table(imports=3)
    assert hint(match, place) == f"Influence 1: nothing, it takes influence {least}."
    play(match, place)
    (event,) = [event for event in match.events if event.key == "duel.nothing.influence"]
    assert event.args == {"seat": 0, "place": place, "n": least}


def test_the_influence_says_how_many_rewards_of_a_bonus_card_it_brings() -> None:
    assert [rewards_at(influence) for influence in (4, 5, 6, 7, 8)] == [0, 1, 2, 3, 3]


def test_what_a_reward_does_not_bring_is_not_told() -> None:
    match = table(imports=1)
    list(gain(state(match), 0, {"yen": 2, "flips": 1}, "order"))
    list(gain(state(match), 0, {"yen": 2, "flips": 1}, "order"))
    list(gain(state(match), 0, {"flips": 1}, "order"))
    gained = [[each["key"] for each in event.args["gains"]] for event in state(match).log if event.key == "duel.gained"]
    assert gained == [["duel.gain.yen", "duel.gain.flips"], ["duel.gain.yen"]], "there was no second one to flip"


def test_building_that_the_influence_is_too_low_for_says_so() -> None:
    match = play(with_traders(1, played=["x", "x", "", ""], yen=9), "silk")
    assert refused(match) == {"duel.shop:silk": "duel.why.influence", "duel.house:silk": "duel.why.influence"}
    match = play(with_traders(1, played=["x", "x", "x", ""], yen=9), "silk", "shop")
    assert refused(match) == {"duel.shop:silk": "duel.why.built", "duel.house:silk": "duel.why.built"}


@pytest.mark.parametrize("place", ["church", "laboratory", "chinatown"])
def test_where_nothing_can_be_had_nothing_is_asked_and_that_is_told(place: str) -> None:
    match = play(table(), place)
    assert match.pending[0].seat == 1
    assert f"duel.nothing.{place}" in told(match)


def test_who_could_build_but_for_their_means_is_told_why_not() -> None:
    match = play(table(other(houses=["silk"]), played=["x", "x", "x", ""]), "silk")
    assert match.pending[0].seat == 1
    (event,) = [event for event in match.events if event.key == "duel.nothing.built"]
    assert event.who == (0,)
    assert (event.args["shop"]["key"], event.args["house"]["key"]) == ("duel.why.yen", "duel.why.house_there")
    assert "duel.nothing.built" not in told(play(table(played=["x", "x", "", ""]), "silk")), "never had the influence"
    assert "duel.nothing.built" not in told(play(table(played=["x", "x", "x", ""], yen=1), "silk", "end"))


def test_customs_without_imports_and_a_port_without_orders_say_so() -> None:
    match = play(table(lambda spec: spec.orders.clear(), played=["x", "", "", ""]), "customs")
    assert "duel.nothing.imports" in told(match)
    assert "duel.flipped" not in told(match)
    assert "duel.nothing.port" in told(play(match, "tea", "port"))


def test_the_question_of_a_turn_names_the_lowest_card_unless_any_may_be_played() -> None:
    assert table(played=["x", "", "", ""]).pending[0].args["card"]["args"] == {"level": 2}
    free_choice = table(technologies=["post"])
    assert free_choice.pending[0].args["card"]["key"] == "duel.card_to_play.any"


def test_the_default_keeps_the_first_order_seen_puts_the_rest_back_as_they_lie_and_takes_the_first_bonus() -> None:
    match = play(table(shops=["port"], played=["x", "x", "x", ""]), "port")
    while match.pending[0].seat == 0:
        play(match, match.pending[0].default)
    assert me(match).hand == ["o01"]
    assert state(match).orders[:4] == ["o05", "o04", "o03", "o02"]
    assert state(match).bonus_discard == ["b01"]
    assert me(match).houses == []


def test_the_default_returns_the_last_of_the_dealt_orders() -> None:
    match = Match.start("duel", players=2, seed=1)
    for decision in match.pending:
        assert decision.default == seat(match, decision.seat).offer[-1]


@pytest.mark.parametrize(
    ("mine", "leads"),
    [
        ({}, []),
        ({"help": [0, 1]}, PLACES),
        ({"yen": 1}, []),
        ({"yen": 1, "technologies": ["telephone"]}, PLACES),
        ({"technologies": ["telephone"]}, []),
        ({"technologies": ["telephone"], "houses": ["tea"]}, ["tea"]),  # where the rent pays for the call
    ],
)
def test_a_place_leads_on_where_there_is_a_choice_of_help_or_a_call(mine: dict[str, Any], leads: list[str]) -> None:
    assert [option.id for option in table(**mine).pending[0].options if option.leads] == list(leads)


def test_what_is_played_is_named_card_or_trader_with_its_help() -> None:
    def labels(match: Match) -> list[str]:
        return [option.label.key for option in match.pending[0].options]

    help_and_phone = {"help": [1, 0], "yen": 1, "technologies": ["telephone"]}
    ways = ["", ".phone", ".help", ".help.phone"]
    assert labels(play(table(**help_and_phone), "bank")) == [f"duel.play.card{way}" for way in ways]
    match = play(with_traders(1, **help_and_phone), "trader", "bank")
    assert labels(match) == [f"duel.play.trader{way}" for way in ways]
    assert match.pending[0].options[-1].label.args == {"level": 3, "help": 1}
