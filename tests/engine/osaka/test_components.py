"""Osaka's component file: a group's own file of the same shape is played with, a bad one is named table and row."""

import re
from importlib import resources

import pytest

from engine import Match
from engine.components import BadComponents
from engine.osaka.box import load_box

OWN = resources.files("engine.osaka").joinpath("components.toml").read_text(encoding="utf-8")


def test_the_box_holds_what_the_rulebook_lists():
    box = load_box()
    assert sum(box.copies.values()) == 108
    assert {sum(n for card, n in box.copies.items() if card.startswith(c)) for c in ("red", "blue")} == {27}
    assert [(box.copies[f"green{value}"], box.icons[f"green{value}"]) for value in (2, 3, 5)] == [
        (11, 2),
        (9, 1),
        (7, 0),
    ]
    assert box.kinds == ["port", "sea", "anchor", "waves", "waves", "edo"]


def test_every_table_says_where_it_comes_from():
    tables = load_box().tables
    assert [tables.cards.provenance, tables.route.provenance, tables.numbers.provenance] == [
        "rulebook",
        "secondary",
        "rulebook",
    ]
    assert all(table.source for table in (tables.cards, tables.route, tables.numbers))


BLUE3 = '{ card = "blue3", colour = "blue", value = 3, copies = 9, icons = 1 },'
RED3 = '{ card = "red3", colour = "red", value = 3, copies = 9, icons = 1 },'
RED2 = '{ card = "red2", colour = "red", value = 2, copies = 11, icons = 2 },'
FARM = '{ name = "farm", value = 3 }'
COINS = '{ name = "coins_per_vp", value = 5 }'


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (BLUE3, "", "table cards: no row for blue3"),
        (RED3, RED3.replace("copies = 9", "copies = 0"), "table cards, row 2, copies"),
        (RED2, RED2.replace('"red2"', '"red3"'), "table cards, row 1: card 'red3' must be called red2"),
        (RED3, RED2, "table cards, row 2: a second row for red2"),
        ('colour = "red", value = 5', 'colour = "red", value = 4', "table cards, row 3, value"),
        ("copies = 7", 'copies = "seven"', "table cards, row 3, copies: expected `int`, got `str`"),
        ('provenance = "secondary"', 'provenance = "hearsay"', "table route, provenance"),
        ('{ name = "oshima", kind = "sea" },', "", "table route: no row for oshima"),
        ('kind = "anchor"', 'kind = "sea"', "table route: exactly one row is the anchor"),
        ('kind = "port"', 'kind = "sea"', "table route: the route goes from one port"),
        ('kind = "anchor"', 'kind = "rocks"', "table route, row 3, kind"),
        ('{ name = "last_token", value = 8 },', "", "table numbers: no row for last_token"),
        (FARM, FARM.replace("farm", "market"), "table numbers, row 2: a second row for market"),
        (COINS, COINS.replace("5", "0"), "table numbers, row 6: coins_per_vp must be at least 1"),
        ("[numbers]", "[figures]", "figures"),
        ("[cards]", "[cards", "not valid TOML"),
    ],
)
def test_a_bad_file_is_refused_with_its_table_and_row(old, new, error):
    assert old in OWN
    with pytest.raises(BadComponents) as caught:
        load_box(OWN.replace(old, new, 1))
    assert error in str(caught.value)


def test_a_refresh_that_deals_nothing_is_refused():
    with pytest.raises(BadComponents, match="table numbers: a refresh must deal at least one card"):
        load_box(re.sub(r'_refresh", value = \d', '_refresh", value = 0', OWN))


def test_a_match_is_played_with_a_groups_own_file():
    own = OWN.replace(RED2, RED2.replace("copies = 11", "copies = 3"))
    own = own.replace('{ name = "market", value = 5 }', '{ name = "market", value = 7 }')
    match = Match.start("osaka", players=2, seed=1, components=own)
    assert len(match.view()["market"]) == 7
    assert match.game.census(match._state)["red2"] == 3
    again = Match.load(match.save(), components=own)
    assert again.view() == match.view()


def test_a_box_of_twelve_cards_can_be_played_to_the_end():
    own = re.sub(r"copies = \d+", "copies = 1", OWN)
    match = Match.start("osaka", players=2, seed=1, components=own)
    while match.pending:
        match.choose(match.pending[0].seat, match.pending[0].options[0].id)
    assert match.over
