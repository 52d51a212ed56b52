"""End of the game: each condition, the rest of the round and one more, the five scorings, ties, the winner."""

from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest

from engine.yokohama.scoring import country_points, final_scoring, remainder, result
from engine.yokohama.state import NEUTRAL
from tests.engine.yokohama.board import Position, Script
from tests.engine.yokohama.test_building import with_shop


def play_out(script: Script) -> list[int]:
    """Follow defaults to the end; the seats that still had a turn."""
    turns = []
    seen = -1
    while script.match.pending:
        if script.state.turn != seen:
            seen = script.state.turn
            turns.append(script.state.seat)
        script.default()
    return turns


def test_okazu_end_example():
    """The third of four builds the fourth trading house: the fourth player ends the round, then everybody once more."""
    position = Position(edition="okazu", turn=2)
    for place in ("bank", "port", "lab"):
        position.house(2, place)
    position.me(2).houses, position.me(2).stored_houses = 1, 0
    script = position.act("tea1", 4, seat=2).do("house")
    assert script.state.triggers == ["houses"]
    assert play_out(script) == [3, 0, 1, 2, 3]
    assert script.match.over


def test_a_game_does_not_end_by_itself():
    position = Position()
    script = position.play()
    for _ in range(200):
        script.default()
    assert not script.match.over


def test_eighth_shop_ends_the_game():
    position = Position()
    for place in ("bank", "port", "lab", "dock", "agency", "customs", "church"):
        position.at(place).shops[0] = 0
    position.me().shops, position.me().stored_shops = 1, 0
    n = with_shop(position, "tea1", {"vp": 5})
    script = position.act("tea1", 4).do(f"shop.{n}")
    assert script.state.triggers == ["shops"]
    assert script.state.final_round == 2


def test_seventh_shop_does_not():
    position = Position()
    position.me().shops, position.me().stored_shops = 2, 0
    n = with_shop(position, "tea1", {"vp": 5})
    assert position.act("tea1", 4).do(f"shop.{n}").state.triggers == []


def test_a_port_that_cannot_be_refilled_ends_the_game():
    position = Position()
    position.state.order_deck = position.state.order_deck[:1]
    board = list(position.state.boards["port"])
    script = position.act("port", 2).do(f"take.{board[0]}", "done")
    assert script.state.triggers == []
    assert all(script.state.boards["port"])
    position = Position()
    position.state.order_deck = position.state.order_deck[:1]
    script = position.act("port", 2).do(f"take.{board[0]}", f"yen.{board[1]}")
    assert script.state.triggers == ["orders"]
    assert script.state.boards["port"][5] == ""


PAWNS = [(2, "okazu", 4), (3, "okazu", 5), (4, "okazu", 6), (2, "dlp", 5), (3, "dlp", 5), (4, "dlp", 6)]


@pytest.mark.parametrize(("players", "edition", "pawns"), PAWNS)
@pytest.mark.parametrize("board", ["church", "customs"])
def test_pawns_on_a_board_end_the_game(players, edition, pawns, board):
    for missing, ends in ((1, True), (2, False)):
        position = Position(players=players, edition=edition)
        track = getattr(position.state, board)
        free = [n for n, holder in enumerate(track) if holder == -1]
        already = len(track) - len(free)
        for n in free[1 : 1 + pawns - missing - already]:
            track[n] = 1
        position.me().imports = 1
        script = position.act(board, 3).do("space.0", "area")
        assert script.state.triggers == ([board] if ends else [])


def test_a_second_condition_does_not_move_the_end():
    position = Position(turn=5)
    position.state.trigger("church")
    position.state.turn = 9
    position.state.trigger("customs")
    assert position.state.final_round == 3
    assert position.state.triggers == ["church", "customs"]


def test_a_condition_met_in_the_last_round_changes_nothing():
    position = Position(turn=3)
    position.state.final_round = 1
    position.me(3).shops, position.me(3).stored_shops = 1, 0
    n = with_shop(position, "tea1", {"yen": 5})
    script = position.act("tea1", 4, seat=3).do(f"shop.{n}")
    assert script.match.over


# Final scorings


def scored(position: Position) -> list[dict[str, int]]:
    """The points of the final scorings alone."""
    for merchant in position.state.merchants:
        merchant.parts = {}
        merchant.yen = 0
        merchant.goods = [0, 0, 0, 0]
    assert list(final_scoring(position.state)) == []
    return [merchant.parts for merchant in position.state.merchants]


def majority(position: Position, source: str) -> list[int]:
    return [parts.get(source, 0) for parts in scored(position)]


def test_rulebook_church_majority_example():
    """Red 2, Blue 2, Yellow 1; Blue has the rightmost pawn: Blue 6, Red 3."""
    position = Position()
    position.state.church = [0, 3, 1, 0, -1, 1, -1, -1]
    assert majority(position, "church_majority") == [3, 6, 0, 0]


def test_two_pawns_count_more_than_one_further_right():
    position = Position()
    position.state.church = [0, 0, -1, -1, -1, -1, -1, 1]
    assert majority(position, "church_majority") == [6, 3, 0, 0]


def test_rulebook_customs_majority_example():
    """Red 1, Green 3, Yellow 1; Yellow is further right than Red: Green 8, Yellow 4."""
    position = Position()
    position.state.customs = [2, 0, 2, -1, 3, 2, -1]
    assert majority(position, "customs_majority") == [0, 0, 8, 4]


@pytest.mark.parametrize(("board", "points"), [("church", 6), ("customs", 8)])
def test_a_lone_merchant_on_a_board_scores_first_and_nobody_second(board, points):
    position = Position()
    getattr(position.state, board)[0] = 2
    assert majority(position, f"{board}_majority") == [0, 0, points, 0]


@pytest.mark.parametrize("source", ["church_majority", "customs_majority", "technology_majority"])
def test_nobody_scores_where_nobody_is(source):
    assert majority(Position(), source) == [0, 0, 0, 0]


@pytest.mark.parametrize(("board", "points"), [("church", (6, 3)), ("customs", (8, 4))])
def test_the_neutral_pawn_takes_a_place_in_the_majority(board, points):
    position = Position(players=2)
    track = getattr(position.state, board)
    assert track[2] == NEUTRAL
    track[0] = 0
    assert majority(position, f"{board}_majority") == [points[1], 0]
    position = Position(players=2)
    track = getattr(position.state, board)
    track[3], track[4], track[5] = 1, 1, 0
    assert majority(position, f"{board}_majority") == [points[1], points[0]]


def industry(position: Position, *sums: int) -> Position:
    """Technologies that add up to these costs, for the seats in turn."""
    for seat, total in enumerate(sums):
        cards = sorted(position.box.techs.values(), key=lambda tech: -tech.cost)
        held: list[str] = []
        while total:
            card = next(c for c in cards if c.cost == total or c.cost <= total - 3)
            held.append(card.id)
            total -= card.cost
        position.me(seat).techs = held
    return position


def test_rulebook_technology_example():
    """12, 20, 12 and 10: the second 10 points; of the tied ones the first in turn order 5."""
    assert majority(industry(Position(), 12, 20, 12, 10), "technology_majority") == [5, 10, 0, 0]


def test_a_tie_for_most_industry_goes_by_turn_order():
    assert majority(industry(Position(), 7, 12, 12, 0), "technology_majority") == [0, 10, 5, 0]


def test_a_lone_owner_of_technologies_scores_ten():
    assert majority(industry(Position(), 0, 0, 3, 0), "technology_majority") == [0, 0, 10, 0]


def test_the_neutral_has_industry_seven_and_a_half():
    assert majority(industry(Position(players=2), 7, 8), "technology_majority") == [0, 10]
    assert majority(industry(Position(players=2), 7, 4), "technology_majority") == [5, 0]
    assert majority(industry(Position(players=2), 8, 9), "technology_majority") == [5, 10]
    assert majority(industry(Position(players=2), 0, 4), "technology_majority") == [0, 5]
    assert majority(industry(Position(players=2, edition="okazu"), 7, 4), "technology_majority") == [10, 5]


@pytest.mark.parametrize(
    ("icons", "points"),
    [
        ([0, 0, 0, 0, 0], 0),
        ([3, 0, 0, 0, 0], 0),
        ([1, 1, 0, 0, 0], 2),
        ([1, 1, 1, 0, 0], 4),
        ([1, 1, 1, 1, 0], 8),
        ([1, 1, 1, 1, 1], 12),
        ([2, 2, 1, 1, 1], 14),
        ([2, 2, 2, 1, 1], 16),
        ([3, 2, 2, 2, 1], 20),
    ],
)
def test_country_sets_largest_first(icons, points):
    """The rulebooks' example comes to 16: a set of five and a set of three."""
    assert country_points(icons) == points


def test_only_fulfilled_orders_and_technologies_count_for_countries():
    position = Position().order("o01").order("o02")
    assert "countries" not in scored(position)[0]
    position.me().fulfilled = ["o01"]
    position.me().techs = ["gaslight1"]
    assert scored(position)[0]["countries"] == 2


def test_rulebook_remainder_example():
    """1 import, 3 yen, 7 goods: 1 + 1 + 2."""
    me = Position().goods(copper=2, silk=1, tea=1, fish=3).me()
    me.imports, me.yen = 1, 3
    assert remainder(me) == 4


def test_unused_agents_count_used_ones_do_not():
    me = Position().goods().me()
    me.yen, me.agents, me.spent_agents = 0, ["france", "britain"], ["germany"]
    assert remainder(me) == 2


def test_most_points_win_and_the_score_is_the_sum_of_its_parts():
    position = Position()
    for seat, vp in enumerate((10, 30, 20, 5)):
        position.state.score(seat, "orders", vp)
    ranking = result(position.state).ranking
    assert [standing.seat for standing in ranking] == [1, 2, 0, 3]
    assert [standing.place for standing in ranking] == [1, 2, 3, 4]
    assert all(standing.score == sum(standing.parts.values()) for standing in ranking)


def test_a_tie_is_won_by_whoever_is_closest_to_the_start_player():
    position = Position()
    for seat, vp in enumerate((5, 30, 20, 30)):
        position.state.score(seat, "orders", vp)
    final = result(position.state)
    assert final.winners == [1]
    assert [standing.seat for standing in final.ranking] == [1, 3, 2, 0]
    assert final.ranking[0].tiebreak == {"turn_order": 2}


@cache
def best_division(icons: tuple[int, ...]) -> int:
    """The most points any division into sets can bring, by trying all."""
    here = [n for n, count in enumerate(icons) if count]
    best = 0
    for size in range(2, len(here) + 1):
        for chosen in combinations(here, size):
            left = tuple(count - (n in chosen) for n, count in enumerate(icons))
            best = max(best, (0, 0, 2, 4, 8, 12)[size] + best_division(tuple(sorted(left))))
    return best


def test_largest_sets_first_is_the_best_division():
    for icons in combinations_with_replacement(range(4), 5):
        assert country_points(list(icons)) == best_division(icons)
