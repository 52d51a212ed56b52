"""The worked examples of the rulebook, each as the position it describes and the outcome it states."""

from engine import Match
from tests.engine.duel.position import begin, empty_table, me, offered, play, refused, seat, state, table


def julien_at_the_silk_mill() -> Match:
    """Influence 3 and 4 in hand, a +1 Help card, his own trading house on the free silk mill."""
    return table(played=["tea", "fish", "", ""], help=[1, 0], houses=["silk"])


def test_example_of_the_place_action_silk_mill_at_level_5() -> None:
    match = play(julien_at_the_silk_mill(), "silk")
    assert offered(match) == ["3+0", "3+1"]
    play(match, "3+1")
    assert me(match).goods == [0, 0, 4, 0]
    assert me(match).yen == 1
    assert me(match).help == [0, 0]
    assert me(match).played == ["tea", "fish", "silk", ""]


def test_example_of_the_level_5_bonus_two_yen_and_no_more() -> None:
    match = play(julien_at_the_silk_mill(), "silk", "3+1")
    assert state(match).bonus_row[0] == "b01"
    play(match, "bonus.b01")
    assert me(match).yen == 1 + 2
    assert me(match).help == [0, 0]
    assert me(match).goods == [0, 0, 4, 0]


def test_example_of_the_foreign_trader_on_an_occupied_copper_mine() -> None:
    match = table(lambda s: setattr(s.seats[1], "played", ["copper", "", "", ""]), traders=1, recruited=["church"])
    assert refused(match)["duel.go:copper"] == "duel.why.occupied"
    play(match, "trader", "copper")
    assert me(match).goods == [0, 0, 0, 1]
    assert me(match).traders == 0
    assert match.pending[0].prompt == "duel.turn"
    assert me(match).shops == me(match).houses == []
    assert state(match).bonus_row == ["b01", "b02", "b03"]


def test_example_of_the_church_influence_7_is_faith_5_and_three_gifts_make_8() -> None:
    match = table(
        played=["tea", "fish", "", ""],
        improved=[False, False, False, True],
        help=[0, 1],
        shops=["church"],
        houses=["church"],
        goods=[0, 0, 1, 1],
        yen=0,
    )
    play(match, "church", "3+2")
    assert match.pending[0].args["n"] == 5
    play(match, "take.faith08")
    assert me(match).goods == [0, 0, 0, 0]
    assert me(match).yen == 0
    assert me(match).church == ["faith08"]
    assert me(match).help == [0, 1]


def test_example_of_the_port_five_cards_two_kept_for_two_yen() -> None:
    spec = empty_table()
    spec.seats[0].played = ["tea", "fish", "silk", ""]
    spec.seats[0].shops = ["port"]
    spec.seats[0].yen = 2
    match = play(begin(spec), "port")
    assert me(match).offer == ["o01", "o02", "o03", "o04", "o05"]
    play(match, "keep.o02", "keep.o04", "o03", "o05")
    assert me(match).yen == 0
    assert me(match).hand == ["o02", "o04"]
    assert state(match).orders[:3] == ["o01", "o05", "o03"]
    assert len(state(match).orders) == 28
    assert seat(match, 1).hand == []
