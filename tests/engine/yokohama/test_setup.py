"""Game Setup for 2, 3 and 4 players."""

from collections import Counter

import pytest

from engine import Match
from engine.yokohama.city import neighbours, positions
from engine.yokohama.state import EMPTY, NEUTRAL
from tests.engine.yokohama.board import Script, state_of


def start(players: int, edition: str = "dlp", seed: int = 3) -> Match:
    return Match.start("yokohama", players=players, seed=seed, options={"edition": edition})


@pytest.mark.parametrize(("players", "areas", "deck", "removed"), [(2, 10, 10, 16), (3, 14, 13, 5), (4, 18, 16, 0)])
def test_areas_and_decks(players, areas, deck, removed):
    state = state_of(start(players))
    assert len(state.areas) == areas
    assert len(state.order_deck) == deck
    assert len(state.removed) == removed
    assert all(len(board) == 6 and all(board) for board in state.boards.values())
    labs = sum(1 for area in state.areas if area.action == "lab")
    assert len(state.tech_deck) == 30 - 6 * labs


@pytest.mark.parametrize(
    ("players", "boards"),
    [(2, {"port", "lab"}), (3, {"port", "dock", "lab"}), (4, {"port", "dock", "lab", "research"})],
)
def test_management_boards(players, boards):
    assert set(state_of(start(players)).boards) == boards


@pytest.mark.parametrize("players", [2, 3, 4])
def test_site_and_token_on_every_area_but_the_canal(players):
    for area in state_of(start(players)).areas:
        assert bool(area.site) == bool(area.token) == (area.id != "canal")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_every_merchant_begins_with(players):
    for seat, me in enumerate(state_of(start(players)).merchants):
        assert me.yen == (3 if seat == 0 else 4)
        assert me.goods == [1, 1, 1, 1]
        assert (me.assistants, me.shops, me.houses) == (8, 2, 0)
        assert (me.stored_assistants, me.stored_shops, me.stored_houses) == (12, 6, 4)
        assert me.president == EMPTY
        assert me.imports == 0
        assert me.score == 0


@pytest.mark.parametrize(
    ("players", "edition", "neutral"), [(2, "dlp", 1), (2, "okazu", 0), (3, "dlp", 0), (4, "dlp", 0)]
)
def test_neutral_pawns_block_the_third_space_with_two_players_in_dlp(players, edition, neutral):
    state = state_of(start(players, edition))
    for track in (state.church, state.customs):
        assert track.count(NEUTRAL) == neutral
        if neutral:
            assert track[2] == NEUTRAL


def test_one_achievement_of_each_deck():
    match = start(4)
    assert [goal["deck"] for goal in match.view()["achievements"]] == ["a", "b", "c"]


def test_all_choose_their_first_order_at_once_and_in_secret():
    match = start(3)
    assert [decision.seat for decision in match.pending] == [0, 1, 2]
    second = match.pending[1]
    match.choose(1, second.options[1].id)
    kept = second.options[1].id.removeprefix("keep.")
    assert [decision.seat for decision in match.pending] == [0, 2]
    for seat in (0, 2):
        match.choose(seat, match.pending[0].options[0].id)
    state = state_of(match)
    assert state.merchants[1].orders == [kept]
    assert len(state.merchants[1].rejected) == 1
    assert match.view(1)["seats"][1]["orders"][0]["id"] == kept
    assert match.view(0)["seats"][1]["orders"] == [None]
    assert match.view(None)["seats"][1]["orders"] == [None]
    assert not [event for event in match.events_for(0) if event.key == "yokohama.kept" and event.args["seat"] == 1]


def test_by_default_the_cheaper_first_order_is_kept():
    match = start(4)
    box = state_of(match).box
    for decision in match.pending:
        prices = {option.id: box.orders[option.id.removeprefix("keep.")].price for option in decision.options}
        assert prices[decision.default] == min(prices.values())


def test_seat_0_begins_and_play_goes_clockwise():
    script = Script(start(3))
    while script.prompt == "keep":
        script.default()
    order = []
    for _ in range(3):
        seat = script.state.seat
        order.append(seat)
        while script.state.seat == seat:
            script.default()
    assert order == [0, 1, 2]


@pytest.mark.parametrize("rows", [(4, 3, 2, 1), (5, 4, 3, 2), (6, 5, 4, 3)])
def test_the_city_is_a_trapezium_in_which_areas_touch_both_ways(rows):
    touching = neighbours(rows)
    spots = positions(rows)
    assert len(spots) == sum(rows)
    for at, others in enumerate(touching):
        assert all(at in touching[other] for other in others)
        row, col = spots[at]
        expected = {
            (row, col - 1),
            (row, col + 1),
            (row + 1, col - 1),
            (row + 1, col),
            (row - 1, col),
            (row - 1, col + 1),
        }
        assert {spots[other] for other in others} == expected & set(spots)
    assert max(Counter(len(others) for others in touching)) <= 6


def test_layouts_differ_from_match_to_match():
    layouts = {tuple(area.id for area in state_of(start(4, seed=seed)).areas) for seed in range(5)}
    assert len(layouts) == 5
