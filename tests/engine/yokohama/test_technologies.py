"""All twenty technologies, one by one, and in the combinations the rulebooks mention."""

import msgspec
import pytest

from tests.engine.yokohama.board import Position, Script
from tests.engine.yokohama.test_building import build, with_shop


def to_go(position: Position) -> Script:
    """Up to the movement step."""
    script = position.play()
    while script.prompt == "begin":
        script.do("done")
    if script.prompt == "place":
        script.do(f"place.{script.state.areas[17].id}")
        if script.prompt == "place":
            script.do("done")
    return script


def row() -> Position:
    """Tea plantation, beside it the agency, then the silk mill; the fishing ground is far off."""
    return Position().lay(tea1=6, agency=7, silk1=8, fish1=17, canal=15)


def fulfil(position: Position) -> Script:
    """The order for 1 copper and 1 fish."""
    return position.goods(copper=1, fish=1).order("o01").play().do("order.o01")


ORDER = {"vp": 4, "yen": 2}


def test_the_order_used_here():
    assert msgspec.to_builtins(Position().box.orders["o01"].reward) == ORDER


# Gaslight, Electric light


def test_gaslight_two_points_for_each_shop():
    position = Position().teach("gaslight")
    n = with_shop(position, "tea1", {"vp": 5})
    script = position.act("tea1", 4).do(f"shop.{n}")
    assert script.me().parts == {"buildings": 5, "technologies": 2}


def test_gaslight_gives_nothing_for_a_trading_house():
    position = Position().teach("gaslight")
    position.me().houses = 1
    script = position.act("tea1", 4).do("house")
    assert "technologies" not in script.me().parts


def test_electric_light_three_points_for_each_trading_house():
    position = Position().teach("electric_light")
    position.me().houses = 1
    script = position.act("tea1", 4).do("house")
    assert script.me().parts["technologies"] == 3


def test_electric_light_gives_nothing_for_a_shop():
    script = build(Position().teach("electric_light"), {"vp": 5})
    assert script.me().parts == {"buildings": 5}


# Station


def learn(position: Position, card: str) -> Script:
    position.board("lab", card)
    position.me().yen += 8
    script = position.act("lab", 5).do(f"take.{card}")
    if script.prompt == "pay_units":
        script.do(script.ids[0])
    return script


def test_station_is_placed_at_once_anywhere_but_in_the_canal():
    script = learn(Position(), "station")
    assert script.prompt == "station"
    assert len(script.ids) == 17
    assert "station.canal" not in script.ids
    assert script.asked.default == script.ids[0]
    script.do("station.tea1")
    assert script.state.station == script.state.where["tea1"]


def test_station_counts_one_power_for_everybody():
    position = Position().teach("station", seat=1).goods()
    position.state.station = position.state.areas.index(position.at("tea1"))
    position.staff(tea1=1)
    script = position.play().do("place.bank", "done", "go.tea1")
    assert script.me().goods[2] == 3


def at_station(position: Position, place: str) -> Position:
    position.teach("station")
    position.state.station = position.state.areas.index(position.at(place))
    return position


def test_the_owner_goes_to_the_station_free_beside_anybody_without_an_assistant():
    position = at_station(row().president(0, "tea1"), "silk1").president(1, "silk1").president(2, "silk1")
    position.me().yen = 0
    script = to_go(position)
    assert script.starting("go.") == ["silk1"]
    assert script.asked.option("go.silk1").label.key == "yokohama.go", "nobody is paid"
    script.do("go.silk1")
    assert script.told("paid") == []
    assert script.told("went")[-1] == {"seat": 0, "place": "silk1", "power": 2}
    assert [script.me(1).yen, script.me(2).yen] == [4, 4]


def test_the_station_is_reached_from_hand_too_and_only_by_its_owner():
    assert "silk1" in to_go(at_station(row(), "silk1")).starting("go.")
    position = row().teach("station", seat=1)
    position.state.station = 8
    assert "silk1" not in to_go(position).starting("go.")


def test_the_station_cannot_be_passed_through_for_free():
    """Whoever moves to the station stops there; further areas need the usual route."""
    position = at_station(row().president(0, "tea1"), "agency").staff(silk1=1)
    assert to_go(position).starting("go.") == ["agency"]


def test_the_station_is_no_destination_from_itself():
    position = at_station(row().president(0, "tea1"), "tea1").staff(tea1=1, agency=1)
    assert to_go(position).starting("go.") == ["agency"]


# Mining technology, through every source of copper


@pytest.mark.parametrize(("power", "copper"), [(2, 0), (3, 2), (4, 3), (5, 4)])
def test_mining_technology_in_the_copper_mine(power, copper):
    """At power 4 the rulebook's example: 2 copper and 1 more."""
    script = Position().teach("mining").goods().act("copper1", power)
    assert script.me().goods[0] == copper


def test_mining_technology_in_chinatown_for_each_exchange():
    position = Position().teach("mining").goods()
    position.me().yen = 4
    script = position.act("chinatown", 2).do("buy.copper", "buy.copper")
    assert script.me().goods[0] == 4
    assert script.me().yen == 0


def test_mining_technology_with_a_token():
    script = Position().teach("mining").goods().token("tea1", copper=2).act("tea1", 5).do("take")
    assert script.me().goods[0] == 3


def test_mining_technology_with_goods_of_ones_choice_once_per_reward():
    script = Position().teach("mining").goods().token("tea1", any=2).act("tea1", 5).do("take", "copper", "copper")
    assert script.me().goods[0] == 3


def test_mining_technology_with_a_building():
    script = build(Position().teach("mining").goods(), {"copper": 2})
    assert script.me().goods[0] == 3


def test_mining_technology_does_not_touch_other_goods():
    script = Position().teach("mining").goods().act("silk1", 3)
    assert script.me().goods == [0, 2, 0, 0]


# Spinning mill


def test_spinning_mill_sells_one_silk_for_two_yen_once_per_turn():
    script = Position().teach("spinning_mill").goods(silk=3).play()
    assert script.prompt == "begin"
    script.do("spin")
    assert (script.me().goods[1], script.me().yen) == (2, 5)
    assert "spin" not in script.ids


def test_spinning_mill_sells_silk_gained_in_the_same_turn():
    script = Position().teach("spinning_mill").goods().act("silk1", 3)
    assert script.prompt == "closing"
    script.do("spin")
    assert (script.me().goods[1], script.me().yen) == (1, 5)


def test_spinning_mill_again_in_the_next_turn():
    position = Position(players=2).teach("spinning_mill").goods(silk=3)
    script = position.play().do("spin", "place.bank", "done", "recall")
    while script.state.seat == 0:
        script.default()
    while script.state.seat == 1:
        script.default()
    assert "spin" in script.ids


def test_spinning_mill_pays_a_fee_in_the_middle_of_a_turn():
    position = row().teach("spinning_mill").goods(silk=1).president(0, "tea1").president(1, "agency")
    position.staff(agency=1, silk1=1).me().yen = 0
    script = to_go(position)
    assert "silk1" not in script.starting("go.")
    script.do("spin")
    assert "silk1" in script.starting("go.")


# Stagecoach, Postal system


def between() -> Position:
    """Blue stands on the agency, between the tea plantation and the silk mill."""
    position = row().president(0, "tea1").president(1, "agency").staff(agency=1, silk1=1)
    position.me().yen = 0
    return position


def test_stagecoach_passes_presidents_for_nothing_but_does_not_stop_there():
    script = to_go(between().teach("stagecoach"))
    assert script.starting("go.") == ["silk1"]
    script.do("go.silk1")
    assert script.me(1).yen == 4


def test_stagecoach_still_pays_for_the_canal():
    position = (
        Position().lay(tea1=6, canal=7, silk1=8, fish1=17).president(0, "tea1").staff(silk1=1).teach("stagecoach")
    )
    position.me().yen = 0
    assert to_go(position).prompt == "recall"
    position.me().yen = 1
    assert to_go(position).starting("go.") == ["silk1"]


def test_stagecoach_does_not_change_fees_for_placing():
    position = Position().teach("stagecoach").president(1, "bank")
    position.me().yen = 0
    assert "bank" not in position.play().starting("place.")


def test_postal_system_stops_beside_others_and_pays_them():
    position = between().teach("postal")
    position.me().yen = 1
    script = to_go(position)
    assert set(script.starting("go.")) == {"agency", "silk1"}
    script.do("go.agency")
    assert (script.me().yen, script.me(1).yen) == (0, 5)
    assert script.told("went")[-1]["place"] == "agency"


def test_postal_system_without_money_stops_nowhere():
    assert to_go(between().teach("postal")).prompt == "recall"


def test_postal_system_from_hand_pays_too():
    position = row().staff(agency=1).president(1, "agency").president(2, "agency").teach("postal")
    position.me().yen = 2
    script = to_go(position).do("go.agency")
    assert (script.me().yen, script.me(1).yen, script.me(2).yen) == (0, 5, 5)


def test_stagecoach_with_postal_system_stops_beside_others_for_nothing():
    script = to_go(between().teach("stagecoach", "postal"))
    assert set(script.starting("go.")) == {"agency", "silk1"}
    script.do("go.agency")
    assert script.me(1).yen == 4


# Exposition, Ball, Language school


def test_exposition_ten_points_at_once():
    script = learn(Position(), "exposition")
    assert script.me().parts == {"technologies": 10}


def test_ball_two_points_for_each_order():
    script = fulfil(Position().teach("ball"))
    assert script.me().parts == {"orders": 4, "technologies": 2}


def test_language_school_one_yen_for_each_order():
    script = fulfil(Position().teach("language_school"))
    assert script.me().yen == 3 + 2 + 1


def test_ball_and_language_school_together():
    script = fulfil(Position().teach("ball", "language_school"))
    assert script.me().parts == {"orders": 4, "technologies": 2}
    assert script.me().yen == 6


# Letterpress, Patent system


def test_letterpress_one_yen_for_each_later_technology_not_for_itself():
    position = Position().board("lab", "letterpress1")
    script = position.act("lab", 5).do("take.letterpress1")
    assert script.me().yen == 3
    position = Position().teach("letterpress").board("lab", "stagecoach")
    script = position.act("lab", 5).do("take.stagecoach")
    assert script.me().yen == 4


def test_patent_system_two_points_for_each_later_technology_not_for_itself():
    script = Position().board("lab", "patent").act("lab", 5).do("take.patent")
    assert script.me().parts == {}
    script = Position().teach("patent").board("lab", "stagecoach").act("lab", 5).do("take.stagecoach")
    assert script.me().parts == {"technologies": 2}


# Winery, Brickyard


def test_winery_three_points_for_each_pawn_on_the_church():
    script = Position().teach("winery").act("church", 3).do("space.0", "area")
    assert script.me().parts == {"church": 3, "technologies": 3}


def test_winery_gives_nothing_when_no_pawn_is_placed():
    script = Position().teach("winery").act("church", 3).do("done")
    assert script.me().parts == {}


def test_brickyard_four_points_for_each_pawn_on_customs():
    position = Position().teach("brickyard")
    position.me().imports = 1
    script = position.act("customs", 2).do("space.0", "area")
    assert script.me().parts == {"customs": 4, "technologies": 4}


# Newspaper, Telegram


def test_newspaper_four_different_areas():
    script = Position().teach("newspaper").play().do("place.bank", "place.tea1", "place.silk1")
    assert script.prompt == "place"
    script.do("place.port")
    assert script.prompt == "go"


def test_newspaper_does_not_change_two_in_one_area():
    script = Position().teach("newspaper").play().do("pair.bank")
    assert script.prompt == "go"


def test_telegram_one_more_beside_two_in_one_area():
    script = row().teach("telegram").play().do("pair.agency")
    assert script.prompt == "telegram"
    touching = {script.state.areas[at].id for at in script.state.streets[7]} - {"canal"}
    assert set(script.starting("place.")) == touching
    script.do("place.silk1")
    assert script.at("silk1").assistants[0] == 1
    assert script.prompt == "go"


def test_telegram_is_optional_and_only_for_two_in_one_area():
    script = row().teach("telegram").play().do("pair.agency", "done")
    assert script.prompt == "go"
    script = row().teach("telegram").play().do("place.agency", "done")
    assert script.prompt == "go"


def test_telegram_with_fees():
    position = row().teach("telegram").president(1, "silk1").president(2, "silk1")
    position.me().yen = 2
    script = position.play().do("pair.agency", "place.silk1")
    assert (script.me().yen, script.me(1).yen, script.me(2).yen) == (0, 5, 5)
    position.me().yen = 1
    script = position.play().do("pair.agency")
    assert "silk1" not in script.starting("place.")


def test_telegram_never_reaches_the_canal():
    position = row().lay(canal=8).teach("telegram")
    assert "canal" not in position.play().do("pair.agency").starting("place.")


# University, Telephone, System of stock, Tram


def test_university_one_assistant_for_one_yen_once_per_turn():
    script = Position().teach("university").play()
    assert script.prompt == "begin"
    script.do("study")
    me = script.me()
    assert (me.assistants, me.stored_assistants, me.yen) == (9, 11, 2)
    assert "study" not in script.ids


def test_university_needs_a_yen_and_an_assistant_in_the_warehouse():
    position = Position().teach("university")
    position.me().yen = 0
    assert position.play().prompt == "place"
    position.me().yen, position.me().stored_assistants = 3, 0
    assert position.play().prompt == "place"


def test_university_lets_an_empty_hand_place():
    position = Position().teach("university").staff(tea1=8)
    script = position.play().do("done")
    assert script.prompt == "place"
    assert script.ids == ["done", "study"]
    script.do("study")
    assert "place.bank" in script.ids


def test_telephone_may_leave_one_assistant():
    script = Position().teach("telephone").act("tea1", 3)
    assert script.prompt == "telephone"
    assert script.asked.default == "all"
    script.do("leave")
    assert script.at("tea1").assistants[0] == 1
    script = Position().teach("telephone").act("tea1", 3).do("all")
    assert script.at("tea1").assistants[0] == 0


def test_telephone_for_an_agent_too():
    position = Position().teach("telephone").staff(tea1=2)
    position.me().agents = ["france"]
    script = position.play().do("agent.tea1", "leave")
    assert script.at("tea1").assistants[0] == 1


@pytest.mark.parametrize(("yen", "after"), [(0, 2), (1, 2), (2, 2), (3, 3)])
def test_system_of_stock_fills_up_to_two_yen(yen, after):
    position = Position().teach("stock")
    position.me().yen = yen
    assert position.play().me().yen == after


def test_tram_in_okazu_any_area_without_another_president():
    position = Position(edition="okazu").teach("tram").president(1, "bank").president(0, "tea1")
    script = to_go(position)
    everywhere = {area.id for area in script.state.areas} - {"bank", "canal", "tea1"}
    assert set(script.starting("go.")) == everywhere


def test_tram_in_dlp_needs_an_own_assistant_there():
    position = row().teach("tram").president(0, "tea1").president(1, "bank").staff(silk1=1, bank=1)
    assert set(to_go(position).starting("go.")) == {"silk1", "fish1"}


def test_tram_pays_nobody_and_ends_the_movement():
    position = row().teach("tram").president(0, "tea1").president(1, "agency").staff(agency=1, silk1=1)
    position.me().yen = 0
    script = to_go(position).do("go.silk1")
    assert script.me(1).yen == 4
    assert script.told("went")[-1]["place"] == "silk1"


def test_a_technology_works_in_the_turn_in_which_it_is_learned():
    script = Position().board("lab", "spinning_mill1").act("lab", 3).do("take.spinning_mill1")
    assert (script.prompt, script.ids) == ("closing", ["done", "spin"])
    position = Position().board("lab", "gaslight1")
    vp = position.box.sites[position.at("lab").site].shops[0].vp
    script = position.act("lab", 4).do("take.gaslight1", "shop.0")
    assert (script.me().parts["buildings"], script.me().parts["technologies"]) == (vp, 2)
