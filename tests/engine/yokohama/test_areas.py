"""What is done in each area, at every power."""

import pytest

from service.post import words
from tests.engine.yokohama.board import Position, Script


def skip_building(script: Script) -> Script:
    while script.match.pending and script.prompt in ("token", "build") and script.asked.seat == 0:
        script.do("done")
    return script


@pytest.mark.parametrize(
    ("place", "kind", "amounts"),
    [
        ("copper1", 0, [0, 0, 1, 2, 3]),
        ("silk1", 1, [0, 1, 2, 3, 4]),
        ("tea1", 2, [1, 2, 3, 4, 5]),
        ("fish1", 3, [1, 2, 3, 4, 5]),
    ],
)
@pytest.mark.parametrize("power", [2, 3, 4, 5])
def test_production(place, kind, amounts, power):
    script = skip_building(Position().goods().act(place, power))
    assert script.me().goods[kind] == amounts[power - 1]


def test_power_one_is_a_lone_president_with_tram_in_okazu():
    position = Position(edition="okazu").teach("tram").goods()
    script = position.play().do("place.bank", "done", "go.tea1")
    assert script.me().goods == [0, 0, 1, 0]


@pytest.mark.parametrize("power", [2, 3, 4, 5])
def test_bank(power):
    script = skip_building(Position().act("bank", power))
    assert script.me().yen == 3 + power


def test_power_beyond_five_counts_as_five():
    position = Position().goods().shop(0, "tea1").house(0, "tea1").staff(tea1=5)
    script = skip_building(position.play().do("place.bank", "done", "go.tea1"))
    assert script.me().goods[2] == 5


def test_rulebook_area_action_example():
    """President, three assistants and a shop in the silk mill: power 5, 4 silk."""
    position = Position().goods().shop(0, "silk1").staff(silk1=3)
    script = position.play().do("place.bank", "done", "go.silk1")
    assert script.told("went")[-1] == {"seat": 0, "place": "silk1", "power": 5}
    assert script.me().goods[1] == 4


def test_the_owner_of_anothers_trading_house_earns_one_yen():
    script = Position().house(2, "tea1").act("tea1", 3)
    assert script.me(2).yen == 5


def test_the_own_trading_house_earns_nothing():
    script = Position().house(0, "tea1").act("tea1", 3)
    assert script.me().yen == 3


# Port and Dock


def reach(script: Script) -> list[str]:
    board = script.state.boards["port"]
    return [str(board.index(card) + 1) for card in script.starting("take.")]


@pytest.mark.parametrize(("power", "slots"), [(2, "12"), (3, "1234"), (4, "123456"), (5, "123456")])
def test_port_tiers_by_power(power, slots):
    assert "".join(reach(Position().act("port", power))) == slots


def test_port_with_power_one_gives_nothing():
    position = Position(edition="okazu").teach("tram")
    script = position.play().do("place.bank", "done", "go.port")
    assert script.state.seat == 1
    assert not script.me().orders


@pytest.mark.parametrize("power", [2, 3, 4])
def test_port_below_power_five_gives_no_points(power):
    assert Position().act("port", power).me().parts == {}


def test_port_with_power_five_gives_three_points_once():
    script = Position().act("port", 5)
    assert script.me().parts == {"port": 3}
    card = script.starting("take.")[0]
    script.do(f"take.{card}")
    script.do(f"yen.{script.starting('yen.')[0]}")
    assert script.me().parts == {"port": 3}


@pytest.mark.parametrize("place", ["port", "dock"])
@pytest.mark.parametrize("edition", ["okazu", "dlp"])
def test_rulebook_port_and_dock_example(edition, place):
    """Power 3: an order from the middle; 2 yen for another from the low ones."""
    position = Position(edition=edition)
    board = list(position.state.boards[place])
    script = position.act(place, 3).do(f"take.{board[2]}")
    assert script.prompt == "second_order"
    script.do(f"yen.{board[0]}")
    assert script.me().orders == [board[2], board[0]]
    assert script.me().yen == 1
    assert script.state.boards[place][:4] == [board[1], board[3], board[4], board[5]]
    assert all(script.state.boards[place])


def test_a_second_order_can_be_paid_with_an_import():
    position = Position()
    position.me().imports, position.me().yen = 1, 1
    board = list(position.state.boards["dock"])
    script = position.act("dock", 2).do(f"take.{board[0]}")
    assert not script.starting("yen.")
    script.do(f"imports.{board[1]}")
    assert script.me().imports == 0
    assert len(script.me().orders) == 2


def test_the_first_order_and_the_second_are_two_questions_and_there_is_no_third():
    position = Position()
    position.me().yen, position.me().imports = 9, 2
    board = list(position.state.boards["port"])
    script = position.act("port", 3)
    assert (script.prompt, script.asked.args["n"], script.asked.args["power"]) == ("order", 0, 3)
    assert script.told("no_order") == []
    script.do(f"take.{board[2]}")
    assert (script.prompt, script.asked.args["n"]) == ("second_order", 1)
    script.do(f"imports.{board[0]}")
    assert script.prompt not in ("order", "second_order")
    assert len(script.me().orders) == 2


def test_a_port_without_a_second_order_says_so_and_not_what_one_would_cost():
    position = Position()
    position.state.boards["port"][1:] = [""] * 5
    position.state.order_deck = []
    script = position.act("port", 2).do(f"take.{position.state.boards['port'][0]}")
    assert [told["why"]["key"] for told in script.told("no_second_order")] == ["yokohama.because.no_orders"]


def test_an_order_is_named_by_the_goods_it_asks_for_and_no_others():
    script = Position().board("port", "o01").act("port", 2)
    goods = script.asked.option("take.o01").label.args["order"]["args"]["goods"]
    assert {good["key"].rpartition(".")[2]: good["args"]["n"] for good in goods} == {"copper": 1, "fish": 1}


def test_orders_within_reach_do_not_move_before_the_action_ends():
    position = Position()
    board = list(position.state.boards["port"])
    script = position.act("port", 2).do(f"take.{board[0]}")
    assert script.starting("yen.") == [board[1]]


def test_at_most_three_orders_in_hand():
    position = Position().order("o01").order("o02").order("o03").goods()
    script = position.act("port", 3)
    assert script.state.seat == 1
    position = Position().order("o01").order("o02").goods()
    position.state.boards["port"][0] = "o30"
    script = position.act("port", 3).do("take.o30")
    assert script.prompt != "second_order"
    assert len(script.me().orders) == 3


def test_declining_the_port_changes_nothing():
    position = Position()
    board = list(position.state.boards["port"])
    script = position.act("port", 3).do("done")
    assert script.state.boards["port"] == board
    assert script.state.seat == 1


def test_a_port_without_new_orders_reveals_nothing():
    position = Position()
    position.state.order_deck = []
    script = position.act("port", 3)
    draft = script.match.draft()
    script.do(f"take.{script.starting('take.')[0]}", "done")
    assert not draft.held


def test_taking_an_order_is_a_reveal_only_when_the_turn_is_refilled():
    script = Position().act("port", 3)
    card = script.starting("take.")[0]
    draft = script.match.draft()
    script.do(f"take.{card}")
    assert not draft.held
    script.do("done")
    assert draft.held


# Laboratory and Research centre


def test_okazu_tram_example_slot_three_adds_one():
    """The Tram on the third slot costs 5 + 1; power 5 and 2 yen pay for it."""
    position = Position(edition="okazu")
    rest = [card for card in position.state.boards["lab"] if card != "tram"]
    position.board("lab", rest[0], rest[1], "tram", *rest[2:5])
    position.shop(0, "lab")
    script = position.act("lab", 5)
    option = next(option for option in script.asked.options if option.id == "take.tram")
    assert option.hint
    assert words.tell(option.hint).endswith(
        "Costs 6 (5 printed, 1 for its slot); one beyond your power, for 2 yen or 1 import."
    )
    script.do("take.tram")
    assert script.me().yen == 1
    assert script.me().names == ["tram"]


@pytest.mark.parametrize("power", [2, 3, 4, 5])
def test_power_is_industry(power):
    position = Position().board("lab", "stagecoach", "exposition")
    position.me().yen = 0
    script = position.act("lab", power)
    offered = script.starting("take.")
    assert ("stagecoach" in offered) == (power >= 3)
    assert "exposition" not in offered


def test_industry_is_paid_with_imports_and_pairs_of_yen_in_any_mix():
    position = Position().board("lab", "exposition")
    position.me().yen, position.me().imports = 5, 2
    script = position.act("lab", 4).do("take.exposition")
    assert script.prompt == "pay_units"
    assert script.ids == ["pay.1", "pay.2"]
    assert script.asked.default == "pay.1", "money before imports"
    script.do("pay.2")
    assert script.me().imports == 0
    assert script.me().yen == 3


def test_the_same_name_twice_is_not_offered():
    position = Position().teach("ball").board("lab", "ball2")
    script = position.act("lab", 5)
    assert "ball2" not in script.starting("take.")
    assert "yokohama.why.owned" in [blocked.reason.key for blocked in script.asked.blocked]


@pytest.mark.parametrize(
    ("edition", "owned", "units"), [("dlp", 2, 0), ("dlp", 3, 1), ("okazu", 3, 0), ("okazu", 4, 1)]
)
def test_surcharge_from_the_fourth_card_in_dlp_and_the_fifth_in_okazu(edition, owned, units):
    names = ["gaslight", "winery", "postal", "stock"][:owned]
    position = Position(edition=edition).teach(*names).board("lab", "stagecoach")
    script = position.act("lab", 3)
    option = next(option for option in script.asked.options if option.id == "take.stagecoach")
    assert option.hint.key == f"yokohama.tech.price.{'later' if units else 'covered'}"
    assert option.hint.args["have"] == owned
    script.do("take.stagecoach")
    assert script.me().yen == 3 - 2 * units


def test_the_surcharge_can_be_paid_with_an_import_and_without_either_nothing_is_learned():
    position = Position().teach("gaslight", "winery", "postal").board("lab", "stagecoach")
    position.me().yen, position.me().imports = 1, 1
    script = position.act("lab", 5).do("take.stagecoach")
    assert (script.me().yen, script.me().imports) == (1, 0)
    position = Position().teach("gaslight", "winery", "postal").board("lab", "stagecoach")
    position.me().yen = 1
    assert position.act("lab", 5).starting("take.") == []


@pytest.mark.parametrize(("yen", "imports", "leads"), [(2, 1, True), (2, 0, False), (0, 1, False)])
def test_a_technology_leads_to_a_question_only_where_it_can_be_paid_for_in_several_ways(yen, imports, leads):
    position = Position()
    card = next(tech.id for tech in position.box.techs.values() if tech.cost == 4)
    position.board("lab", card).me().yen, position.me().imports = yen, imports
    assert position.act("lab", 3).asked.option(f"take.{card}").leads is leads


def test_laboratory_cards_move_left_and_one_is_added():
    position = Position()
    position.me().yen = 30
    board = list(position.state.boards["lab"])
    script = position.act("lab", 4)
    card = script.starting("take.")[0]
    at = board.index(card)
    script.do(f"take.{card}")
    while script.state.boards["lab"].count("") or script.prompt in ("pay_units", "station"):
        script.do(script.ids[0])
    assert script.state.boards["lab"][:5] == board[:at] + board[at + 1 :]
    assert script.state.boards["lab"][5]


@pytest.mark.parametrize("new", [True, False])
def test_a_new_technology_is_a_reveal_where_there_is_one(new):
    position = Position().board("lab", "stagecoach")
    if not new:
        position.state.tech_deck = []
    script = position.act("lab", 3)
    draft = script.match.draft()
    script.do("take.stagecoach")
    assert draft.held is new


def test_an_empty_technology_deck_leaves_the_last_slot_empty():
    position = Position().board("lab", "stagecoach")
    position.state.tech_deck = []
    script = position.act("lab", 3).do("take.stagecoach")
    assert script.state.boards["lab"][5] == ""
    assert script.state.final_round == -1


# Employment agency


@pytest.mark.parametrize(("power", "pieces"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_agency_pieces_by_power(power, pieces):
    script = Position().act("agency", power)
    before = script.me().stored_assistants
    for left in range(pieces, 0, -1):
        assert script.prompt == "warehouse"
        assert script.asked.args["n"] == left
        script.do("assistant")
    assert script.me().stored_assistants == before - pieces
    assert not script.match.pending or script.prompt != "warehouse"


def test_what_leaves_the_warehouse_is_in_hand():
    script = Position().act("agency", 5)
    hand, yen = script.me().assistants, script.me().yen
    assert script.do("assistant").me().assistants == hand + 1
    assert script.me().yen == yen, "assistants are free"


def test_prices_in_the_warehouse():
    position = Position()
    position.me().yen = 24
    script = position.act("agency", 5).do("house", "house", "house", "house")
    assert script.me().yen == 24 - 4 - 5 - 6 - 7
    assert script.me().houses == 4
    position = Position()
    position.me().yen = 5
    script = position.act("agency", 3).do("shop", "shop")
    assert script.me().yen == 1
    assert (script.me().shops, script.me().stored_shops) == (4, 4)


def test_what_is_too_dear_is_told():
    position = Position()
    position.me().yen = 1
    script = position.act("agency", 3)
    assert script.ids == ["done", "assistant"]
    assert [blocked.reason.args for blocked in script.asked.blocked] == [{"n": 2, "yen": 1}, {"n": 4, "yen": 1}]


def test_an_empty_warehouse_offers_nothing():
    position = Position()
    me = position.me()
    me.stored_assistants = me.stored_shops = me.stored_houses = 0
    script = position.act("agency", 3)
    assert script.state.seat == 1


# Chinatown


@pytest.mark.parametrize("power", [2, 3, 4, 5])
def test_chinatown_exchanges_by_power(power):
    position = Position()
    position.me().yen = 10
    script = position.act("chinatown", power)
    for left in range(power, 0, -1):
        assert script.asked.args["n"] == left
        script.do("buy.tea")
    assert script.me().yen == 10 - power
    assert not script.match.pending or script.prompt != "exchange"


@pytest.mark.parametrize(("good", "kind", "price"), [("copper", 0, 2), ("silk", 1, 2), ("tea", 2, 1), ("fish", 3, 1)])
def test_chinatown_prices_are_the_same_both_ways(good, kind, price):
    script = Position().act("chinatown", 2).do(f"sell.{good}")
    assert script.me().yen == 3 + price
    assert script.me().goods[kind] == 0
    script.do(f"buy.{good}")
    assert script.me().yen == 3
    assert script.me().goods == [1, 1, 1, 1], "one of that kind, and nothing else"


def test_chinatown_says_that_nothing_was_to_be_had_only_where_nothing_was():
    position = Position().goods()
    position.me().yen = 4
    script = position.act("chinatown", 3).do("buy.imports")
    assert script.told("idle") == []


def test_a_spinning_mill_in_chinatown_is_no_exchange():
    script = Position().teach("spinning_mill").goods(silk=2).act("chinatown", 3).do("spin")
    assert (script.prompt, script.asked.args["n"], script.me().goods) == ("exchange", 3, [0, 1, 0, 0])


def test_imports_are_bought_for_four_and_never_sold():
    position = Position()
    position.me().yen = 4
    script = position.act("chinatown", 3).do("buy.imports")
    assert (script.me().yen, script.me().imports) == (0, 1)
    assert "sell.imports" not in script.ids


# Church


def church(position: Position, power: int) -> Script:
    return position.act("church", power)


@pytest.mark.parametrize(("edition", "money"), [("okazu", 1), ("dlp", 2)])
def test_rulebook_church_example(edition, money):
    """Power 3, copper, silk and money (1 yen okazu, 2 yen dlp) make faith 6: 5 points and two moves."""
    position = Position(edition=edition)
    position.me().yen = 3
    script = church(position, 3).do("space.3")
    assert "silk+copper+yen" in script.ids
    script.do("silk+copper+yen")
    assert (script.prompt, script.asked.default) == ("pawn", "area")
    there, hand = script.at("church").assistants[0], script.me().assistants
    script.do("area")
    assert (script.at("church").assistants[0], script.me().assistants) == (there - 1, hand)
    assert script.me().parts["church"] == 5
    assert script.me().yen == 3 - money
    assert script.me().goods == [0, 0, 1, 1]
    assert script.state.church[3] == 0
    assert script.prompt == "move"
    assert script.asked.args["n"] == 2


def test_faith_for_money_needs_two_yen_in_dlp_and_one_in_okazu():
    for edition, offered in (("dlp", False), ("okazu", True)):
        position = Position(edition=edition).goods()
        position.me().yen = 1
        script = church(position, 2)
        assert ("space.0" in script.ids) == offered


def test_no_gift_counts_twice():
    position = Position().goods(tea=9)
    position.me().yen = 9
    script = church(position, 3)
    assert script.starting("space.") == ["0", "1", "2"]


def test_an_import_is_a_gift_and_is_given_away():
    position = Position().goods()
    position.me().imports, position.me().yen = 2, 0
    script = church(position, 3).do("space.1", "area")
    assert script.me().imports == 1
    assert script.told("offered") == [{"seat": 0, "gifts": [{"key": "yokohama.gain.imports", "args": {"n": 1}}]}]


def test_a_space_leads_to_a_question_only_where_there_is_a_choice_of_gifts():
    position = Position().goods(tea=1, fish=1)
    position.me().yen = 0
    offered = church(position, 3).asked
    assert [offered.option(f"space.{n}").leads for n in range(3)] == [False, True, False]


def test_church_offers_free_spaces_up_to_power_plus_gifts():
    position = Position()
    position.state.church[1] = 2
    position.me().imports = 1
    script = church(position, 4)
    assert script.starting("space.") == ["0", "2", "3", "4", "5", "6", "7"]


def test_excess_faith_is_lost_and_nothing_needs_to_be_given():
    script = church(Position(), 5).do("space.0", "area")
    assert script.me().goods == [1, 1, 1, 1]
    assert script.me().yen == 3


def test_the_pawn_may_come_from_hand():
    script = church(Position(), 3)
    hand = script.me().assistants
    script.do("space.0", "hand")
    assert script.at("church").assistants[0] == 0
    assert script.me().assistants == hand - 1 + 2


@pytest.mark.parametrize(("place", "space"), [("church", "space.0"), ("customs", "space.0")])
def test_the_pawn_comes_from_hand_when_none_stands_in_the_area_and_the_other_way_round(place, space):
    """Okazu's Tram comes to areas without an own assistant; a president in hand to where the last one stands."""
    position = Position(edition="okazu").teach("tram").shop(0, place)
    position.me().imports, position.me().assistants = 1, 2
    script = position.play().do(
        "place.bank", "done", f"go.{place}", *([space, "tea"] if place == "church" else [space])
    )
    assert script.me().assistants == 0
    assert (script.state.church if place == "church" else script.state.customs)[0] == 0
    position = Position().staff(**{place: 2})
    position.me().imports, position.me().assistants = 1, 0
    script = position.play().do(f"go.{place}", space)
    assert script.me().assistants == 1
    assert (script.state.church if place == "church" else script.state.customs)[0] == 0


def test_a_church_action_may_be_declined():
    script = church(Position(), 3).do("done")
    assert script.state.church == [-1] * 8
    assert script.state.seat == 1


def test_neutral_pawn_blocks_the_third_space_at_two_players_in_dlp():
    assert "2" not in church(Position(players=2), 5).starting("space.")
    assert "2" in church(Position(players=2, edition="okazu"), 5).starting("space.")


# Customs


@pytest.mark.parametrize(("power", "spaces"), [(2, "01"), (3, "0123"), (4, "012345"), (5, "0123456")])
def test_customs_imports_by_power(power, spaces):
    position = Position()
    position.me().imports = 9
    assert "".join(position.act("customs", power).starting("space.")) == spaces


def test_rulebook_customs_example():
    """okazu: power 2; dlp: power 3 but only one import: second space, 4 points and 2 yen."""
    for edition, power in (("okazu", 2), ("dlp", 3)):
        position = Position(edition=edition)
        position.me().imports = 1
        script = position.act("customs", power)
        assert script.starting("space.") == ["0", "1"]
        script.do("space.1", "area")
        assert script.me().parts == {"customs": 4}
        assert script.me().yen == 5
        assert script.me().imports == 0
        assert script.state.customs[1] == 0


@pytest.mark.parametrize(("staff", "most"), [(1, 1), (2, 2), (3, 3)])
def test_customs_says_how_many_imports_the_power_allows_and_how_many_there_are(staff, most):
    position = Position().staff(customs=staff - 1)
    position.me().imports = 4
    script = position.play().do("place.customs", "done")
    brings = script.asked.worked_out().option("go.customs").hint.args["yield"]
    assert (brings["args"]["n"], brings["args"]["mine"]["args"]["n"]) == (most, 4)


def test_customs_without_imports_offers_nothing():
    script = Position().act("customs", 3)
    assert script.state.seat == 1


def test_without_an_assistant_at_hand_or_in_the_area_no_space_can_be_taken():
    position = Position(edition="okazu").teach("tram").shop(0, "customs")
    position.me().imports, position.me().assistants = 3, 1
    script = position.play().do("place.bank", "go.customs")
    assert [told["why"]["key"] for told in script.told("idle")] == ["yokohama.because.no_pawn"]
    assert script.state.seat == 1
    assert script.state.customs == [-1] * 7


def test_a_space_of_the_church_says_how_many_gifts_it_takes():
    position = Position().goods(copper=1, silk=1, tea=1)
    script = position.act("church", 4)
    hints = {option.id: option.hint for option in script.asked.options if option.hint}
    assert hints["space.0"].key == hints["space.1"].key == "yokohama.gives", "faith 4 is just enough for the second"
    assert (hints["space.2"].key, hints["space.2"].args["n"]) == ("yokohama.gives_for_gifts", 1)
    assert (hints["space.3"].key, hints["space.3"].args["n"]) == ("yokohama.gives_for_gifts", 2)
