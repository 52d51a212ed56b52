"""The component file: every count, fixed point and bound that is known of the printed cards or asked of our own."""

from pathlib import Path

import pytest

from engine.components import BadComponents
from engine.duel import box as boxes
from engine.duel.box import GOODS, PLACES, TECHNOLOGIES, load_box

BOX = load_box()
TABLES = BOX.tables
TEXT = Path(boxes.__file__).with_name("components.toml").read_text(encoding="utf-8")
WORTH = {
    "yen": 1.0,
    "tea": 1.0,
    "fish": 1.0,
    "silk": 2.0,
    "copper": 2.0,
    "imports": 2.5,
    "flips": 2.0,
    "help1": 1.5,
    "help2": 2.5,
    "orders": 1.5,
}


def worth(reward: dict[str, int]) -> float:
    return sum(WORTH[name] * n for name, n in reward.items())


def test_every_table_says_where_it_comes_from() -> None:
    assert {name: getattr(TABLES, name).provenance for name in TABLES.__struct_fields__} == {
        "places": "rulebook",
        "kits": "rulebook",
        "influence": "secondary",
        "improvements": "house",
        "prices": "secondary",
        "houses": "rulebook",
        "recruiting": "rulebook",
        "technologies": "rulebook",
        "technology_costs": "house",
        "church": "house",
        "bonus": "house",
        "orders": "house",
    }
    assert all(getattr(TABLES, name).source for name in TABLES.__struct_fields__)


def test_the_ten_places_give_what_the_rulebook_says() -> None:
    assert BOX.levels == {
        "tea": [1, 2, 3, 4, 5],
        "fish": [1, 2, 3, 4, 5],
        "silk": [0, 1, 2, 3, 4],
        "copper": [0, 0, 1, 2, 3],
        "church": [1, 2, 3, 4, 5],
        "customs": [0, 1, 2, 3, 4],
        "chinatown": [1, 2, 3, 4, 5],
        "bank": [1, 2, 3, 4, 5],
        "laboratory": [1, 2, 3, 4, 5],
        "port": [1, 2, 3, 4, 5],
    }
    assert list(BOX.levels) == list(PLACES)
    assert BOX.always_open == {"laboratory", "port"}


def test_starting_kits() -> None:
    goods = dict.fromkeys(GOODS, 1)
    assert BOX.kits == [{"yen": 3, **goods, "help1": 1}, {"yen": 4, **goods, "help1": 2}]


def test_influence_cards_and_their_improvement() -> None:
    assert BOX.influence == [(1, 2), (2, 3), (3, 4), (4, 5)]
    assert BOX.improvement == [1, 2, 3, 4]


def test_trading_house_prices_and_recruiting_criteria() -> None:
    assert BOX.house_price == [4, 5, 6, 7]
    assert BOX.recruiting == {"orders": 3, "technologies": 3, "church": 2, "flipped": 2}


def test_chinatown_prices() -> None:
    assert BOX.price == {"tea": 1, "fish": 1, "silk": 2, "copper": 2, "imports": 4}


def test_twenty_technologies_cost_3_to_8_and_the_exposition_8() -> None:
    assert len(TECHNOLOGIES) == len(BOX.cost) == 20
    assert all(3 <= cost <= 8 for cost in BOX.cost.values())
    assert BOX.cost["exposition"] == 8


def test_six_technologies_are_used_once_a_round() -> None:
    assert BOX.once == {"stagecoach", "spinning_mill", "station", "post", "telephone", "tram"}


def test_points_printed_on_technologies() -> None:
    assert {card: each for card, each in BOX.each.items() if each} == {
        "ball": 1,
        "brickworks": 2,
        "brewery": 2,
        "electric_light": 3,
        "exposition": 8,
        "gas_lamp": 1,
        "patents": 2,
    }


def test_nine_church_cards_of_faith_3_to_11() -> None:
    rows = TABLES.church.rows
    assert [row.faith for row in rows] == list(range(3, 12))
    # Faith 8 has the strongest reward, given by the rulebook, and pays for it with a point.
    assert all(abs(row.points - (row.faith - 1)) <= (2 if row.faith == 8 else 1) for row in rows)
    assert all(1 <= worth(row.reward.things) <= 4 for row in rows)


def test_the_church_card_of_the_worked_example() -> None:
    assert [row.reward.things for row in TABLES.church.rows if row.faith == 8] == [{"help2": 1}]


def test_church_and_order_rewards_give_no_copper_so_mining_technology_is_never_in_doubt() -> None:
    assert not any(row.reward.copper for row in TABLES.church.rows)
    assert not any(row.reward.copper for row in TABLES.orders.rows)


def test_twelve_bonus_cards_of_three_rewards_each() -> None:
    rows = TABLES.bonus.rows
    assert len(rows) == 12
    for row in rows:
        first, second, third = (worth(reward.things) for reward in row.rewards)
        assert 1 <= first <= 2, row.id
        assert 1 <= second <= 2, row.id
        assert 1.5 <= third <= 2.5, row.id
        assert 4 <= first + second + third <= 6, row.id


def test_one_bonus_card_begins_with_2_yen_and_some_give_copper() -> None:
    assert [row.id for row in TABLES.bonus.rows if row.rewards[0].things == {"yen": 2}] == ["b01"]
    assert any(reward.copper for row in TABLES.bonus.rows for reward in row.rewards)


def test_thirty_orders_of_two_or_three_goods_worth_3_to_9_yen() -> None:
    rows = TABLES.orders.rows
    assert len(rows) == 30
    assert len({BOX.needed[row.id] for row in rows}) == 30
    for row in rows:
        assert len(BOX.needed[row.id]) in (2, 3), row.id
        price = sum(BOX.price[good] * n for good, n in BOX.needed[row.id])
        assert 3 <= price <= 9, row.id
        assert abs(row.points - (0.9 * price + 1)) <= 1, row.id


def test_every_third_order_gives_something_more() -> None:
    extras = [row.reward.things for row in TABLES.orders.rows]
    assert all(bool(extra) == (number % 3 == 0) for number, extra in enumerate(extras, 1))
    assert {name for extra in extras for name in extra} <= {"imports", "help1", "help2", "yen"}


def test_orders_ask_for_the_two_cheap_and_the_two_dear_goods_alike() -> None:
    asked = dict.fromkeys(GOODS, 0)
    for needs in BOX.needed.values():
        for good, n in needs:
            asked[good] += n
    assert asked["tea"] == asked["fish"]
    assert asked["silk"] == asked["copper"]


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ('{ id = "bank", levels = [1, 2, 3, 4, 5] },', "", "table places: no row for bank"),
        ('{ id = "ball", cost', '{ id = "bell", cost', "table technology_costs, row 1: there is no 'bell'"),
        ('id = "o02"', 'id = "o01"', "table orders, row 2: a second row for o01"),
        ("needs = { fish = 1, copper = 1 }", "needs = {}", "table orders, row 1: an order needs at least one good"),
        ("faith = 3,", 'faith = "x",', "table church, row 1, faith: expected"),
        ("{ price = 6 }, { price = 7 }", "{ price = 6 }", "table houses: 3 rows, and the game has 4"),
    ],
)
def test_a_file_that_cannot_be_played_with_is_refused_by_table_and_row(old: str, new: str, names: str) -> None:
    assert old in TEXT
    with pytest.raises(BadComponents) as refusal:
        load_box(TEXT.replace(old, new, 1))
    assert names in str(refusal.value)


def test_a_group_can_play_with_its_own_file() -> None:
    assert load_box(TEXT.replace("faith = 11", "faith = 10")).church["faith11"].faith == 10
