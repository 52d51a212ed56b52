"""B 4 to 6: the 5-power bonus, building with its rewards, recovery."""

import msgspec
import pytest

from tests.engine.yokohama.board import Position, Script, site_with_house


def test_rulebook_token_example():
    """Power 5 in the silk mill: the token there gives 1 import and stays with its owner."""
    position = Position().token("silk1", imports=1)
    token = position.at("silk1").token
    script = position.act("silk1", 5)
    assert script.prompt == "token"
    script.do("take")
    assert script.me().imports == 1
    assert script.me().tokens == [token]
    assert script.at("silk1").token == ""


def test_the_token_is_optional_and_by_default_taken():
    """A default never declines what is free and only good."""
    script = Position().act("silk1", 5)
    assert script.asked.default == "take"
    script.do("done")
    assert script.at("silk1").token


def test_no_token_below_power_five_and_none_twice():
    script = Position().act("silk1", 4)
    assert script.prompt == "build"
    position = Position()
    position.at("silk1").token = ""
    assert position.act("silk1", 5).prompt == "build"


@pytest.mark.parametrize("power", [2, 3])
def test_no_building_below_power_four(power):
    script = Position().act("tea1", power)
    assert script.state.seat == 1


def test_rulebook_building_example():
    """Own shop in the silk mill already: no second one; a trading house for 9 points."""
    position = Position().shop(0, "silk1")
    position.at("silk1").site = site_with_house(position, vp=9)
    position.me().houses, position.me().stored_houses = 1, 3
    script = position.act("silk1", 5).do("done")
    assert script.prompt == "build"
    assert script.ids == ["done", "house"]
    assert [blocked.reason.key for blocked in script.asked.blocked] == ["yokohama.why.own_shop"]
    script.do("house")
    assert script.me().parts == {"buildings": 9}
    assert script.at("silk1").house == 0


def test_okazu_example_seiji_has_nothing_to_build_with():
    position = Position(edition="okazu")
    position.me().shops = 0
    script = position.act("church", 4).do("done")
    assert script.state.seat == 1
    assert not script.told("built.shop")


def test_any_free_shop_space_may_be_chosen():
    position = Position().shop(1, "tea1", space=1)
    script = position.act("tea1", 4)
    assert script.starting("shop.") == ["0", "2", "3"]
    script.do("shop.2")
    assert script.at("tea1").shops == [-1, 1, 0, -1]
    assert script.me().shops == 1


def test_a_trading_house_stands_alone_but_needs_no_shop():
    position = Position().house(1, "tea1")
    position.me().houses = 1
    script = position.act("tea1", 4)
    assert "house" not in script.ids
    assert [blocked.reason.key for blocked in script.asked.blocked] == ["yokohama.why.house_stands"]
    position = Position()
    position.me().houses = 1
    assert "house" in position.act("tea1", 4).ids


def test_pieces_are_built_from_hand_never_from_the_warehouse():
    position = Position()
    position.me().shops = 0
    script = position.act("tea1", 4)
    assert script.state.seat == 1


def test_whoever_has_a_house_and_no_shop_in_hand_is_told_so():
    position = Position()
    position.me().shops, position.me().houses = 0, 1
    script = position.act("tea1", 4)
    assert script.ids == ["done", "house"]
    assert [blocked.reason.key for blocked in script.asked.blocked] == ["yokohama.why.no_shop"]


@pytest.mark.parametrize(
    ("shops", "houses", "fill", "build"),
    [
        (1, 0, {}, True),
        (0, 1, {}, True),
        (0, 0, {}, False),
        (1, 0, {"shops": [0, -1, -1, -1]}, False),
        (1, 0, {"shops": [1, 2, 3, 4]}, False),
        (0, 1, {"house": 1}, False),
    ],
)
def test_what_an_area_would_bring_says_whether_something_can_be_built_there(shops, houses, fill, build):
    position = Position().staff(tea1=2)
    position.me().shops, position.me().houses, position.at("tea1").token = shops, houses, ""
    for name, value in fill.items():
        setattr(position.at("tea1"), name, value)
    hint = position.play().do("place.tea1", "done").asked.worked_out().option("go.tea1").hint
    assert hint
    assert hint.key == ("yokohama.outlook.build" if build else "yokohama.outlook")


@pytest.mark.parametrize(
    ("token", "shops", "key"),
    [(True, 1, "outlook.all"), (True, 0, "outlook.bonus"), (False, 1, "outlook.build"), (False, 0, "outlook")],
)
def test_what_an_area_would_bring_names_the_token_where_power_is_full(token, shops, key):
    position = Position().staff(tea1=3)
    position.me().shops = shops
    if not token:
        position.at("tea1").token = ""
    script = position.play().do("place.tea1", "done")
    assert script.asked.worked_out().option("go.tea1").hint.key == f"yokohama.{key}"


def with_shop(position: Position, place: str, reward: dict[str, int]) -> int:
    """Put a site with this shop reward on an area; the space that gives it."""
    for site in position.box.sites.values():
        for n, shop in enumerate(site.shops):
            if msgspec.to_builtins(shop) == reward:
                position.at(place).site = site.id
                return n
    raise LookupError(reward)


def build(position: Position, reward: dict[str, int]) -> Script:
    n = with_shop(position, "tea1", reward)
    return position.act("tea1", 4).do(f"shop.{n}")


def test_rewards_in_points_money_goods_and_imports():
    script = build(Position(), {"vp": 4, "yen": 2})
    assert script.me().parts == {"buildings": 4}
    assert script.me().yen == 5
    script = build(Position(), {"copper": 2})
    assert script.me().goods[0] == 3
    script = build(Position(), {"imports": 1})
    assert script.me().imports == 1
    assert received(script) == {"imports": 1}


def received(script: Script) -> dict[str, int]:
    """What the log says that came in with the last reward: that, and nothing of which there was none."""
    said = script.told("received")[-1]["gains"]
    return {each["key"].removeprefix("yokohama.gain."): each["args"]["n"] for each in said}


@pytest.mark.parametrize("reward", [{"vp": 4, "yen": 2}, {"copper": 2}, {"yen": 5}])
def test_a_reward_is_told_as_it_came_in(reward):
    assert received(build(Position(), reward)) == reward


def test_points_that_a_technology_adds_are_told_with_the_reward():
    assert received(build(Position().teach("gaslight"), {"vp": 4, "yen": 2})) == {"vp": 6, "yen": 2}


def test_goods_of_ones_choice():
    script = build(Position(), {"any": 1})
    assert script.prompt == "any"
    assert script.ids == ["copper", "silk", "tea", "fish"]
    script.do("silk")
    assert script.me().goods[1] == 2


def test_two_goods_of_ones_choice_may_differ():
    position = Position().token("tea1", any=2)
    script = position.act("tea1", 5).do("take", "copper", "fish")
    assert script.me().goods == [2, 1, 6, 2]


def test_warehouse_icons_take_pieces_at_the_usual_price_or_nothing():
    script = build(Position(), {"warehouse": 2})
    assert script.prompt == "warehouse"
    script.do("shop")
    assert script.me().yen == 1
    assert script.prompt == "warehouse"
    script.do("done")
    assert script.state.seat == 1
    assert build(Position(), {"warehouse": 2}).do("done").state.seat == 1, "who takes none is asked once"


def test_a_university_may_be_used_before_a_piece_is_taken():
    position = Position().teach("university")
    script = build(position, {"warehouse": 2}).do("study")
    assert (script.prompt, script.asked.args["n"]) == ("warehouse", 2)
    assert (script.me().houses, script.me().stored_houses) == (0, 4)


def test_movement_icons_move_assistants_without_fees():
    position = Position().staff(silk1=1).president(1, "bank")
    script = build(position, {"moves": 2})
    yen = script.me().yen
    script.do("hand", "to.bank")
    assert script.me().yen == yen
    assert script.at("bank").assistants[0] == 1 + (1 if "bank" in script.told("placed")[0]["places"] else 0)
    assert "to.canal" not in script.do("from.silk1").ids
    assert "to.silk1" not in script.ids
    script.do("to.customs")
    assert script.at("customs").assistants[0] == 1
    assert script.at("silk1").assistants[0] == 0


def test_whoever_has_no_assistant_to_move_is_told():
    for assistants, told in ((0, [{"seat": 0}]), (1, [])):
        position = Position().goods(tea=1, fish=2).order("o03")
        position.me().assistants = assistants
        script = position.play().do("order.o03")
        assert script.told("no_move") == told
        assert (script.prompt == "move") == bool(assistants)


def test_movement_icons_may_be_left_unused():
    script = build(Position(), {"moves": 2}).do("done")
    assert script.state.seat == 1


def test_rulebook_recovery_example():
    """All assistants of the area come back to hand, the president stays."""
    script = Position().act("silk1", 4).do("done")
    assert script.at("silk1").assistants[0] == 0
    assert script.me().president == script.state.where["silk1"]
    assert script.me().assistants == 7


def test_assistants_elsewhere_stay():
    position = Position().staff(customs=2)
    script = position.act("tea1", 3)
    assert script.at("customs").assistants[0] == 2
