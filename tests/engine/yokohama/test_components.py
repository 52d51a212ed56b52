"""The component file keeps to everything that is known, and to the bounds of the value model where values are ours."""

from collections import Counter

import msgspec
import pytest

from engine.components import BadComponents
from engine.yokohama.box import COUNTRIES, GOODS, TECHNOLOGIES, Reward, load_box

BOX = load_box()
WORTH = {
    "vp": 1,
    "yen": 0.6,
    "tea": 0.8,
    "fish": 0.8,
    "silk": 1.4,
    "copper": 1.6,
    "any": 1.6,
    "imports": 3,
    "warehouse": 1.2,
    "moves": 0.8,
}


def worth(reward: Reward) -> float:
    given: dict[str, int] = msgspec.to_builtins(reward)
    return round(sum(WORTH[kind] * n for kind, n in given.items()), 6)


def source_text() -> str:
    from importlib import resources

    return resources.files("engine.yokohama").joinpath("components.toml").read_text("utf-8")


def test_areas_are_eight_for_production_nine_for_commerce_and_the_canal():
    kinds = Counter(area.kind for area in BOX.areas.values())
    assert kinds == {"production": 8, "commercial": 9, "canal": 1}
    assert Counter(a.action for a in BOX.areas.values() if a.kind == "production") == dict.fromkeys(GOODS, 2)


@pytest.mark.parametrize(
    ("players", "left_out"),
    [
        (2, {"research", "dock", "chinatown", "canal", "copper2", "silk2", "tea2", "fish2"}),
        (3, {"research", "copper2", "silk2", "tea2"}),
        (4, set()),
    ],
)
def test_areas_left_out_by_number_of_players(players, left_out):
    assert {area.id for area in BOX.areas.values() if players not in area.players} == left_out


@pytest.mark.parametrize(
    ("area", "power"),
    [
        ("copper1", [0, 0, 1, 2, 3]),
        ("silk1", [0, 1, 2, 3, 4]),
        ("tea1", [1, 2, 3, 4, 5]),
        ("fish1", [1, 2, 3, 4, 5]),
        ("bank", [1, 2, 3, 4, 5]),
        ("chinatown", [1, 2, 3, 4, 5]),
        ("church", [1, 2, 3, 4, 5]),
        ("customs", [0, 1, 2, 3, 4]),
        ("agency", [0, 1, 2, 3, 4]),
        ("port", [0, 1, 2, 3, 3]),
        ("dock", [0, 1, 2, 3, 3]),
        ("lab", [1, 2, 3, 4, 5]),
        ("research", [1, 2, 3, 4, 5]),
    ],
)
def test_power_tables_are_those_of_the_rulebook(area, power):
    assert BOX.areas[area].power == power


def test_sizes_of_the_table():
    assert {n: (s.rows, s.orders_removed, s.end_okazu, s.end_dlp) for n, s in BOX.sizes.items()} == {
        2: ([4, 3, 2, 1], 16, 4, 5),
        3: ([5, 4, 3, 2], 5, 5, 5),
        4: ([6, 5, 4, 3], 0, 6, 6),
    }


def test_agents():
    assert BOX.agents == {"britain": 3, "america": 2, "france": 2, "germany": 2, "netherlands": 1}


def test_boards_have_six_slots_in_three_tiers_and_surcharges_by_the_value_model():
    assert BOX.tiers == [1, 1, 2, 2, 3, 3]
    assert BOX.surcharges == [0, 0, 1, 1, 2, 2]


def test_orders_by_country_and_kind_of_goods():
    orders = BOX.orders.values()
    assert len(orders) == 36
    countries = Counter(order.country for order in orders)
    assert countries == dict(zip(COUNTRIES, (10, 8, 7, 7, 4), strict=True))
    for kind in range(4):
        assert 17 <= sum(1 for order in orders if order.goods[kind]) <= 19
    assert all(sum(1 for n in order.goods if n) in (2, 3) for order in orders)


def test_orders_twelve_of_each_size_with_price_and_worth_in_their_bounds():
    bounds = {"small": (3, 4, 5, 7), "middling": (5, 6, 8, 11), "large": (7, 9, 12, 16)}
    assert Counter(order.size for order in BOX.orders.values()) == dict.fromkeys(bounds, 12)
    for order in BOX.orders.values():
        cheap, dear, least, most = bounds[order.size]
        assert cheap <= order.price <= dear, order
        assert least <= worth(order.reward) <= most, order


def test_orders_give_points_and_at_most_one_extra_and_twelve_give_imports():
    extras = {"imports": (1, 2), "yen": (1, 2, 3), "warehouse": (1,), "moves": (2,)}
    for order in BOX.orders.values():
        given = msgspec.to_builtins(order.reward)
        assert given.pop("vp") > 0
        assert len(given) <= 1, order
        assert all(n in extras[kind] for kind, n in given.items()), order
    assert sum(1 for order in BOX.orders.values() if order.reward.imports) == 12


def test_technologies_are_twenty_names_ten_of_them_twice():
    copies = Counter(tech.name for tech in BOX.techs.values())
    assert len(BOX.techs) == 30
    assert sorted(copies) == sorted(TECHNOLOGIES)
    assert Counter(copies.values()) == {1: 10, 2: 10}
    assert copies["station"] == copies["exposition"] == 1


def test_technology_costs_and_countries():
    costs: dict[str, set[int]] = {}
    for tech in BOX.techs.values():
        costs.setdefault(tech.name, set()).add(tech.cost)
    assert all(len(every) == 1 and 3 <= min(every) <= 7 for every in costs.values())
    assert (costs["tram"], costs["station"], costs["exposition"]) == ({5}, {6}, {7})
    countries = Counter(tech.country for tech in BOX.techs.values())
    assert countries == dict(zip(COUNTRIES, (9, 7, 6, 5, 3), strict=True))
    pairs = {(tech.name, tech.country) for tech in BOX.techs.values()}
    assert len(pairs) == 30


def test_church_spaces():
    assert [space.cost for space in BOX.church] == [3, 4, 5, 6, 7, 8, 9, 10]
    worths = [worth(space.reward) for space in BOX.church]
    assert worths == sorted(worths)
    assert worths[0] == 3
    assert 13 <= worths[-1] <= 15
    assert msgspec.to_builtins(BOX.church[3].reward) == {"vp": 5, "moves": 2}
    assert [space.neutral for space in BOX.church].index(True) == 2


def test_customs_spaces():
    assert [space.cost for space in BOX.customs] == [1, 1, 2, 2, 3, 3, 4]
    worths = [worth(space.reward) for space in BOX.customs]
    assert worths == sorted(worths)
    assert worths[0] == 4
    assert 20 <= worths[-1] <= 24
    assert msgspec.to_builtins(BOX.customs[1].reward) == {"vp": 4, "yen": 2}
    assert [space.neutral for space in BOX.customs].index(True) == 2


def test_tokens():
    assert len(BOX.tokens) == 20
    assert all(2.5 <= worth(token.reward) <= 4 for token in BOX.tokens.values())
    effects = {tuple(msgspec.to_builtins(token.reward)) for token in BOX.tokens.values()}
    assert len(effects) >= 8
    assert any(msgspec.to_builtins(token.reward) == {"imports": 1} for token in BOX.tokens.values())


def test_sites():
    assert len(BOX.sites) == 24
    for site in BOX.sites.values():
        assert [round(worth(shop) - about) for shop, about in zip(site.shops, (5, 4, 3, 2), strict=True)] == [0] * 4
        house = msgspec.to_builtins(site.house)
        if "imports" in house:
            assert house["imports"] == 1
            assert 4 <= house["vp"] <= 6
        else:
            assert set(house) == {"vp"}
            assert 6 <= house["vp"] <= 10
    assert any(msgspec.to_builtins(site.house) == {"vp": 9} for site in BOX.sites.values())


def test_achievements():
    needs = {card.id: card.needs for card in BOX.achievements.values()}
    assert list(needs.values()) == [
        {"copper": 5},
        {"silk": 6},
        {"tea": 7},
        {"fish": 7},
        {"yen": 10},
        {"tokens": 5},
        {"orders": 5},
        {"technologies": 4},
        {"production": 4},
        {"commercial": 4},
        {"production": 3, "commercial": 2},
        {"production": 2, "commercial": 3},
    ]
    bounds = {"a": (8, 10, 5, 6), "b": (8, 12, 5, 8), "c": (12, 14, 8, 9)}
    for card in BOX.achievements.values():
        low, high, later_low, later_high = bounds[card.deck]
        assert low <= card.first <= high
        assert later_low <= card.later <= later_high
    assert BOX.achievements["copper"].later == 6


def test_every_table_says_where_it_comes_from():
    for name in BOX.tables.__struct_fields__:
        table = getattr(BOX.tables, name)
        assert table.source
        assert table.provenance in ("rulebook", "secondary", "house")
    house = {name for name in BOX.tables.__struct_fields__ if getattr(BOX.tables, name).provenance == "house"}
    assert house == {"laboratories", "orders", "technologies", "church", "customs", "achievements", "tokens", "sites"}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('id = "o02"', 'id = "o01"', "table orders, row 2: the id o01 is used twice"),
        ('name = "tram"', 'name = "train"', "table technologies, row 30: there is no technology train"),
        ("{ tier = 1 },", "", "table ports: 6 rows are needed, there are 4"),
        ('country = "britain", n = 3', 'country = "britain", n = "three"', "table agents, row 1, n: expected `int`"),
        ("orders_removed = 16", "orders_taken = 16", "table tables, row 1"),
        ('id = "bank"', 'id = "bakery"', "table areas: the areas are"),
        ("neutral = true", "neutral = false", "table church: exactly one space is marked neutral"),
    ],
)
def test_a_bad_component_file_is_refused_with_table_and_row(old, new, complaint):
    text = source_text()
    assert old in text
    with pytest.raises(BadComponents, match=complaint.replace("`", ".")):
        load_box(text.replace(old, new) if "tier" in old else text.replace(old, new, 1))


def test_a_component_file_of_ones_own_is_played_with():
    box = load_box(source_text().replace("end_dlp = 6", "end_dlp = 7"))
    assert box.sizes[4].end_dlp == 7
