"""A and C: additional actions before and after the main action: orders, achievements, agents."""

import pytest

from tests.engine.yokohama.board import Position

O_SMALL = "o01"  # 1 copper, 1 fish


def small_order(position: Position) -> str:
    """Fulfilled with copper and fish; gives 4 points and 2 yen."""
    order = position.box.orders[O_SMALL]
    assert order.goods == (1, 0, 0, 1)
    return O_SMALL


def test_orders_before_and_after_the_main_action():
    position = Position().goods(copper=1, fish=1)
    position.order(small_order(position))
    script = position.play()
    assert script.prompt == "begin"
    assert "order.o01" in script.ids
    script.do("done", "place.bank", "done", "go.bank")
    assert script.prompt == "closing"
    script.do("order.o01")
    me = script.me()
    assert me.fulfilled == ["o01"]
    assert me.orders == []
    assert me.goods == [0, 0, 0, 0]
    assert me.parts == {"orders": position.box.orders["o01"].reward.vp}
    assert me.yen == 3 + 2 + position.box.orders["o01"].reward.yen


def test_an_order_asks_for_all_its_goods():
    position = Position().goods(copper=1).order("o01").goal("yen")
    position.me().yen = 10
    script = position.play()
    assert "order.o01" not in script.ids
    assert [blocked.reason.key for blocked in script.asked.blocked] == ["yokohama.why.goods"]


def test_additional_actions_in_any_number_and_order():
    position = Position().goods(copper=5, fish=1).order("o01").goal("copper").goal("yen").staff(tea1=2)
    position.me().yen = 10
    position.me().agents = ["france"]
    script = position.play()
    script.do("achieve.copper", "order.o01", "achieve.yen", "agent.tea1")
    assert script.prompt == "place"
    assert script.me().fulfilled == ["o01"]


def test_rulebook_achievement_example():
    """5 copper; two others were faster: 6 points, and the copper is kept."""
    position = Position().goods(copper=5).goal("copper", 1, 2)
    script = position.play()
    hand = script.me().assistants
    script.do("achieve.copper")
    assert script.me().parts == {"achievements": 6}
    assert script.me().goods[0] == 5
    assert script.me().assistants == hand - 1
    assert script.state.goals[0].seats == [1, 2, 0]


def test_the_first_to_achieve_scores_more_and_nobody_twice():
    position = Position().goods(copper=5).goal("copper")
    script = position.play().do("achieve.copper")
    assert script.me().parts == {"achievements": position.box.achievements["copper"].first}
    assert script.prompt == "place"


def test_an_achievement_needs_an_assistant_in_hand():
    position = Position().goods(copper=5).goal("copper").staff(tea1=8)
    position.me().agents = ["france"]
    script = position.play()
    assert "achieve.copper" not in script.ids
    assert [blocked.reason.key for blocked in script.asked.blocked] == ["yokohama.why.no_assistant"]


@pytest.mark.parametrize(
    ("card", "just", "short"),
    [
        ("copper", {"copper": 5}, {"copper": 4}),
        ("silk", {"silk": 6}, {"silk": 5}),
        ("tea", {"tea": 7}, {"tea": 6}),
        ("fish", {"fish": 7}, {"fish": 6}),
    ],
)
def test_achievements_a(card, just, short):
    assert f"achieve.{card}" in Position().goods(**just).goal(card).play().ids
    assert f"achieve.{card}" not in Position().goods(**short).goal(card).play().ids


def test_achievement_ten_yen():
    for yen, reached in ((10, True), (9, False)):
        position = Position().goal("yen")
        position.me().yen = yen
        assert ("achieve.yen" in position.play().ids) == reached


def test_achievement_tokens_counts_tokens_and_agents_used_or_not():
    for tokens, reached in ((["t01", "t02"], True), (["t01"], False)):
        position = Position().goal("tokens")
        me = position.me()
        me.tokens, me.agents, me.spent_agents = tokens, ["france"], ["france", "germany"]
        assert ("achieve.tokens" in position.play().ids) == reached


def test_achievement_orders_and_technologies():
    for n in (4, 5):
        position = Position().goal("orders")
        position.me().fulfilled = [f"o{card:02}" for card in range(1, n + 1)]
        assert ("achieve.orders" in position.play().ids) == (n == 5)
    for names in (["ball", "winery", "stock"], ["ball", "winery", "stock", "postal"]):
        position = Position().goal("technologies").teach(*names)
        assert ("achieve.technologies" in position.play().ids) == (len(names) == 4)


@pytest.mark.parametrize(
    ("card", "built", "reached"),
    [
        ("production4", "tea1 tea2 silk1 fish1", True),
        ("production4", "tea1 tea2 silk1 bank", False),
        ("commercial4", "bank church port lab", True),
        ("commercial4", "bank church port tea1", False),
        ("production3", "tea1 tea2 silk1 bank port", True),
        ("production3", "tea1 tea2 bank port lab", False),
        ("commercial3", "tea1 tea2 bank port lab", True),
        ("commercial3", "tea1 tea2 silk1 bank port", False),
    ],
)
def test_achievements_c(card, built, reached):
    position = Position().goal(card)
    for place in built.split():
        position.at(place).shops[0] = 0
    assert (f"achieve.{card}" in position.play().ids) == reached


def test_shop_and_trading_house_in_one_area_count_once():
    position = Position().goal("commercial4")
    for place in ("bank", "church", "port"):
        position.at(place).shops[0] = 0
    position.at("bank").house = 0
    assert "achieve.commercial4" not in position.play().ids
    position.at("lab").house = 0
    assert "achieve.commercial4" in position.play().ids


# Foreign agents


def test_rulebook_agent_example():
    """Two assistants and a trading house in the copper mine: power 3, 1 copper, nothing to build; both come back."""
    position = Position().goods().staff(copper1=2).house(0, "copper1")
    position.me().agents = ["britain"]
    script = position.play().do("agent.copper1")
    assert script.me().goods == [1, 0, 0, 0]
    assert script.at("copper1").assistants[0] == 0
    assert script.me().assistants == 8
    assert (script.me().agents, script.me().spent_agents) == ([], ["britain"])
    assert script.me().president == -1


def test_agents_go_beside_other_presidents_for_nothing_but_not_to_the_own():
    position = Position().staff(tea1=1, bank=1, silk1=1).president(1, "tea1").president(0, "bank")
    position.me().agents = ["britain"]
    script = position.play()
    assert set(script.starting("agent.")) == {"tea1", "silk1"}
    yen = script.me().yen
    script.do("agent.tea1")
    assert script.me().yen == yen
    assert script.me(1).yen == 4


def test_an_agent_can_take_the_token_and_build():
    position = Position().staff(tea1=5)
    position.me().agents = ["britain"]
    script = position.play().do("agent.tea1")
    assert script.prompt == "token"
    script.do("done")
    assert script.prompt == "build"


def test_one_agent_per_turn():
    position = Position().staff(tea1=1, silk1=1)
    position.me().agents = ["britain", "france"]
    script = position.play().do("agent.tea1")
    assert script.prompt == "place"
    script.do("place.bank", "done", "recall", "done")
    assert script.state.seat == 1


def test_an_agent_may_be_used_after_the_main_action():
    position = Position().staff(tea1=1)
    position.me().agents = ["britain"]
    script = position.play().do("done", "place.bank", "done", "go.bank")
    assert script.prompt == "closing"
    assert script.starting("agent.") == ["tea1"]


# Matching country icons


def icon(position: Position, kind: str, country: str, n: int = 0) -> str:
    rows = position.box.orders if kind == "order" else position.box.techs
    return [row.id for row in rows.values() if row.country == country][n]


def test_rulebook_pair_example_two_orders():
    """okazu: a fulfilled British order, a French technology; a second British order brings a British agent."""
    position = Position(edition="okazu")
    position.me().fulfilled = [icon(position, "order", "britain")]
    position.me().techs = [icon(position, "tech", "france")]
    order = position.box.orders[icon(position, "order", "britain", 1)]
    position.me().goods = list(order.goods)
    script = position.order(order.id).play().do(f"order.{order.id}")
    assert script.me().agents == ["britain"]
    assert script.state.agents["britain"] == 2


def test_rulebook_pair_example_order_and_technology():
    """dlp: a British technology and then a British order."""
    position = Position()
    position.me().techs = [icon(position, "tech", "britain")]
    order = position.box.orders[icon(position, "order", "britain")]
    position.me().goods = list(order.goods)
    script = position.order(order.id).play().do(f"order.{order.id}")
    assert script.me().agents == ["britain"]


@pytest.mark.parametrize(("before", "agents"), [(1, 1), (2, 0), (3, 1), (5, 1)])
def test_an_agent_on_every_second_fourth_and_sixth_icon(before, agents):
    position = Position()
    position.me().fulfilled = [icon(position, "order", "britain", n) for n in range(before)]
    order = position.box.orders[icon(position, "order", "britain", before)]
    position.me().goods = list(order.goods)
    script = position.order(order.id).play().do(f"order.{order.id}")
    assert len(script.me().agents) == agents


def test_no_agent_when_none_is_left():
    position = Position()
    position.state.agents["netherlands"] = 0
    position.me().fulfilled = [icon(position, "order", "netherlands")]
    order = position.box.orders[icon(position, "order", "netherlands", 1)]
    position.me().goods = list(order.goods)
    script = position.order(order.id).play().do(f"order.{order.id}")
    assert script.me().agents == []


def test_a_technology_completes_a_pair_too():
    position = Position().board("lab", "stagecoach")
    position.me().fulfilled = [icon(position, "order", "america")]
    script = position.act("lab", 3).do("take.stagecoach")
    assert script.me().agents == ["america"]


# What is skipped, and what may not be


def test_without_anything_to_do_the_phase_is_skipped():
    assert Position().play().prompt == "place"


def test_a_hidden_order_that_might_be_fulfilled_is_asked_about_even_if_it_cannot():
    position = Position().goods(copper=2, fish=1).order("o26", first=True)
    script = position.play()
    assert script.prompt == "begin"
    assert not [name for name in script.ids if name.startswith("order.")]
    position.me().assistants = 0
    script = position.play()
    assert script.prompt == "opening"
    assert script.ids == ["done"]
    assert script.asked.secret


def test_with_goods_that_fill_no_order_of_the_box_nothing_is_asked():
    position = Position().goods(copper=1).order("o26", first=True)
    assert position.play().prompt == "place"


def test_with_closed_information_any_order_in_hand_is_hidden():
    goods = {"copper": 2, "fish": 1}
    assert Position(open_information=False).goods(**goods).order("o26").play().prompt == "begin"
    assert Position().goods(**goods).order("o26").play().prompt == "place"
