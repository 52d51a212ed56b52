"""The component file holds what the rulebook states, says where the rest comes from, and is refused if bad."""

import re
from itertools import product
from pathlib import Path

import pytest

import engine.zaibatsu.box as box_module
from engine.components import BadComponents
from engine.zaibatsu.box import COLOURS, GOODS, load_box

TEXT = Path(box_module.__file__).with_name("components.toml").read_text(encoding="utf-8")
BOX = load_box()
TABLES = BOX.tables


def test_every_table_says_where_it_comes_from():
    for name in TABLES.__struct_fields__:
        table = getattr(TABLES, name)
        assert table.provenance in ("rulebook", "secondary", "house"), name
        assert len(table.source) > 5, name


def test_levels_ask_for_research_and_coal_and_give_influence_as_the_rulebook_states():
    assert [(row.rd, row.coal, row.influence) for row in TABLES.levels.rows] == [
        (2, 2, [1, 2, 3]),
        (4, 3, [3, 4, 5]),
        (6, 4, [5, 6, 7]),
    ]


def test_departments_give_what_the_rulebook_states():
    assert {row.colour: (row.gains, row.basic, row.upgraded) for row in TABLES.departments.rows} == {
        "black": ("coal", 2, 3),
        "red": ("silk", 2, 3),
        "grey": ("iron", 2, 3),
        "blue": ("money", 3, 5),
        "white": ("steps", 1, 2),
        "yellow": ("vp", 2, 4),
    }


def test_favors_score_as_the_rulebook_states():
    assert [(row.lower, row.higher) for row in TABLES.favors.rows] == [(5, 10), (8, 16), (10, 20)]


def test_fixed_points_of_the_rulebook_hold():
    assert BOX.track_bonus["rd"][3] == "black"
    assert (BOX.track["mining"].income[0], BOX.track["finance"].income[0]) == (2, 12)
    assert (BOX.destination["red"], BOX.destination["white"]) == ("san_francisco", "berlin")
    assert sorted(row.value for row in TABLES.influence.rows if row.locked) == [3, 5, 7]
    assert BOX.columns[0][2][2] == "finance"
    assert BOX.columns[0][2][3] == "red"
    assert BOX.places == [[10, 8, 6, 2], [18, 14, 10, 3], [26, 20, 14, 4]]
    assert BOX.period_ends == [2, 4, 8]
    assert dict(BOX.region_bonus) == {"coal": 2, "silk": 2, "iron": 2, "money": 3}
    assert [(row.id, row.at_least) for row in BOX.ranks] == [
        ("favorite", 240),
        ("brilliant", 210),
        ("significant", 180),
        ("forgettable", 150),
        ("unessential", 0),
    ]


def test_the_nine_demand_tiles_lack_each_pair_once_and_show_each_good_six_times():
    tiles = [set(row.goods) for row in TABLES.demand.rows]
    lacking = [frozenset(set(GOODS) - tile) for tile in tiles]
    assert set(lacking) == {
        frozenset(pair) for pair in product(("cotton", "bento", "bulbs"), ("paper", "lenses", "clocks"))
    }
    assert all(sum(good in tile for tile in tiles) == 6 for good in GOODS)


def test_overseas_values_start_one_side_further_on_in_each_next_city():
    assert [city.index(0) for city in BOX.overseas] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert all(sorted(city) == [0, 1, 2, 3] for city in BOX.overseas)


def test_train_bonuses_are_turned_by_two_for_each_next_region():
    first, second = BOX.train_bonus[0], BOX.train_bonus[1]
    assert first == [("coal", 1), None, ("iron", 1), None, ("money", 2), None, ("vp", 2)]
    assert second == first[2:] + first[:2]
    assert BOX.train_bonus[3] == first[6:] + first[:6]


def test_there_are_48_sides_and_12_late_ones():
    assert len(TABLES.factories.rows) == 48
    assert len(TABLES.late_factories.rows) == 12
    assert {row.id for row in TABLES.factories.rows if row.provenance == "rulebook"} == {"cotton1a", "paper3a"}
    house = {row.id for row in TABLES.factories.rows if row.provenance == "house"}
    assert house == {"cotton3b", "paper3b", "paper4a", "bento4b", "lenses4b"}


def test_tracks_and_pieces_have_the_thresholds_and_incomes_of_the_tables():
    assert BOX.track["finance"].income == [12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 24, 26, 28]
    assert BOX.track["mining"].income == list(range(2, 11))
    assert BOX.thresholds["rd"] == [6, 9]
    assert BOX.thresholds["finance"] == [8, 13]
    assert BOX.thresholds["ships"] == [4, 6]
    assert BOX.points["factories"][5] == [12, 19, 24]
    assert BOX.points["contracts"][7] == [10, 16, 20]


def test_contracts_are_one_of_each_colour_and_two_for_better_goods():
    assert {row.gives for row in TABLES.contracts.rows if not row.level} == set(COLOURS)
    assert [(row.gives, row.level) for row in TABLES.contracts.rows if row.level] == [("any", 2), ("any", 3)]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('{ id = "cotton", level = 1 }', '{ id = "cotton", level = 4 }', "table goods, row 1, level"),
        ('{ id = "cotton1b"', '{ id = "cotton1a"', "table factories, row 2: a second row for cotton1a"),
        ('{ id = "cotton1b"', '{ id = "cotton9b"', "table factories, row 2: nothing is called 'cotton9b'"),
        ('{ goods = ["bento", "lenses", ', '{ goods = ["lenses", "lenses", ', "table demand, row 1: the four goods"),
        ("rows = [{ last = 2 }, { last = 4 }, ", "rows = [{ last = 4 }, ", "table rounds: it has 2 rows and needs 3"),
        ('3 = "black", 5', '13 = "black", 5', "table tracks, row 1: there is no space '13'"),
        ("income = [2, 3, ", "income = [3, ", "table tracks, row 2: 9 spaces need as many incomes"),
        ('["markets"]', "[]", "table hiring: no row for markets"),
        ("gains = { rd = 2 }, provenance", "gains = { tea = 2 }, provenance", "table factories, row 1"),
    ],
)
def test_a_file_that_cannot_be_played_with_is_refused_by_table_and_row(old, new, complaint):
    assert old in TEXT
    with pytest.raises(BadComponents, match=re.escape(complaint)):
        load_box(TEXT.replace(old, new, 1))


def test_a_group_s_own_file_of_the_same_shape_is_played_with():
    own = load_box(TEXT.replace("vp = [10, 8, 6, 2]", "vp = [11, 8, 6, 2]"))
    assert own.places[0][0] == 11
