"""Each of the twenty technologies, and the tilting and righting of those used once a round."""

import pytest

from engine import Match
from engine.duel.box import PLACES, load_box
from engine.duel.scoring import parts
from engine.duel.state import Duel
from tests.engine.duel.position import begin, empty_table, hint, me, offered, play, seat, state, table, told
from tests.engine.duel.test_turn import other

COST = load_box().cost


def technology_points(match: Match) -> int:
    return parts(state(match), 0)["technologies"]


def end_of_round(spec: Duel) -> None:
    """One turn of seat 0 is left in the round."""
    spec.turn = 7
    spec.first = 1
    spec.seats[0].played[:3] = ["tea", "fish", "laboratory"]
    spec.seats[1].played = ["customs", "church", "port", "port"]


def test_ball_is_a_point_for_each_fulfilled_order() -> None:
    assert technology_points(table(technologies=["ball"], fulfilled=["o01", "o02"], hand=["o03"])) == 2


@pytest.mark.parametrize(("yen", "then"), [(0, 1), (1, 2), (2, 2), (5, 5)])
def test_stock_exchange_is_a_yen_at_the_start_of_a_turn_with_none_or_one(yen: int, then: int) -> None:
    assert me(table(technologies=["stock_exchange"], yen=yen)).yen == then


def test_stock_exchange_does_nothing_for_a_foreign_trader() -> None:
    match = play(table(technologies=["stock_exchange"], traders=1, recruited=["x"]), "trader", "tea")
    assert me(match).yen == 1


def test_brickworks_is_two_points_for_each_flipped_import() -> None:
    assert technology_points(table(technologies=["brickworks"], flipped=3, imports=2)) == 6


def test_brewery_is_two_points_for_each_church_card() -> None:
    assert technology_points(table(technologies=["brewery"], church=["faith03", "faith04"])) == 4


def test_stagecoach_opens_an_occupied_place_with_ones_own_trading_house_once_a_round() -> None:
    match = table(other(played=["tea", "fish", "", ""]), technologies=["stagecoach"], houses=["tea"])
    assert "tea.stagecoach" in offered(match)
    assert "fish.stagecoach" not in offered(match)
    play(match, "tea.stagecoach")
    assert me(match).goods[0] == 2
    assert me(match).tilted == ["stagecoach"]
    play(match, "bank")
    assert "tea.stagecoach" not in offered(match)


def test_electric_light_is_three_points_for_each_trading_house() -> None:
    assert technology_points(table(technologies=["electric_light"], houses=["tea", "bank"])) == 6


def test_language_school_is_a_yen_for_each_order_fulfilled() -> None:
    match = table(technologies=["language_school"], hand=["o01", "o02"], goods=[2, 2, 0, 1])
    play(match, "fulfil.o01", "fulfil.o02")
    assert me(match).yen == 2


def test_exposition_is_eight_points() -> None:
    assert technology_points(table(technologies=["exposition"])) == 8


def test_spinning_mill_turns_a_silk_into_two_yen_once_a_round() -> None:
    match = table(technologies=["spinning_mill"], goods=[0, 0, 2, 0])
    play(match, "spin")
    assert (me(match).goods[2], me(match).yen) == (1, 2)
    assert "spin" not in offered(match)
    assert "spin" not in offered(table(technologies=["spinning_mill"]))


def test_spinning_mill_works_after_the_place_action_too() -> None:
    match = play(table(technologies=["spinning_mill"], played=["tea", "fish", "copper", ""]), "silk")
    assert offered(match) == ["end", "spin"]


def obtaining(card: str, **mine: object) -> Match:
    """Seat 0 in the laboratory, takes this card."""
    spec = empty_table()
    spec.technology_deck.append(spec.technology_row[0])
    if card in spec.technology_deck:
        spec.technology_deck.remove(card)
    spec.technology_row[0] = card
    spec.seats[0].yen = 16
    for name, value in mine.items():
        setattr(spec.seats[0], name, value)
    return play(begin(spec), "laboratory", f"take.{card}")


def test_station_gives_everybody_one_influence_on_the_place_where_it_is_put() -> None:
    match = obtaining("station")
    assert offered(match) == list(PLACES)
    play(match, "silk")
    assert state(match).station == "silk"
    play(match, "silk")
    assert seat(match, 1).goods[2] == 1


def test_station_opens_its_place_to_its_owner_once_a_round() -> None:
    def built(spec: Duel) -> None:
        spec.station = "silk"
        spec.seats[1].played = ["silk", "fish", "", ""]

    match = table(built, technologies=["station"])
    assert "silk.station" in offered(match)
    assert "fish.station" not in offered(match)
    play(match, "silk.station")
    assert me(match).goods[2] == 1
    assert me(match).tilted == ["station"]
    play(match, "bank")
    assert "silk.station" not in offered(match)


def test_station_opens_nothing_to_the_other_player() -> None:
    def built(spec: Duel) -> None:
        spec.station = "silk"
        spec.seats[1].technologies = ["station"]
        spec.seats[1].played = ["silk", "", "", ""]

    assert not [answer for answer in offered(table(built)) if answer.startswith("silk")]


def test_printing_press_is_two_yen_for_each_technology_after_it() -> None:
    match = obtaining("printing_press", yen=16)
    assert me(match).yen == 16 - 2 * (COST["printing_press"] - 1)
    match = obtaining("mining", technologies=["printing_press"], yen=16)
    assert me(match).yen == 16 - 2 * (COST["mining"] - 1) + 2


def test_newspaper_is_a_help_card_at_once_and_at_the_start_of_each_round() -> None:
    match = obtaining("newspaper")
    assert me(match).help == [1, 0]
    match = table(end_of_round, technologies=["newspaper"])
    play(match, "silk")
    assert state(match).round == 2
    assert (me(match).help, seat(match, 1).help) == ([1, 0], [0, 0]), "its owner's alone"


@pytest.mark.parametrize("held", [[2, 2], [0, 4], [4, 0]])
def test_newspaper_keeps_to_the_limit_of_four_and_asks_nobody_outside_their_turn(held: list[int]) -> None:
    match = play(table(end_of_round, technologies=["newspaper"], help=held), "silk", "4+0")
    assert match.pending[0].prompt == "duel.turn"
    assert state(match).round == 2
    assert me(match).help == held
    assert told(match).count("duel.gaveback") == 1


def test_who_takes_the_newspaper_with_four_help_cards_chooses_which_goes_back() -> None:
    spec = empty_table()
    spec.technology_row[0] = "newspaper"
    spec.seats[0].yen, spec.seats[0].help = 16, [2, 2]
    match = play(begin(spec), "laboratory", "1+0", "take.newspaper")
    assert match.pending[0].prompt == "duel.help.limit"
    play(match, "help2")
    assert me(match).help == [3, 1]


def test_gas_lamp_is_a_point_for_each_shop() -> None:
    assert technology_points(table(technologies=["gas_lamp"], shops=["tea", "fish", "bank"])) == 3


def test_patents_are_two_points_for_each_technology_themselves_included() -> None:
    assert technology_points(table(technologies=["patents", "mining", "post"])) == 6


def test_postal_system_lets_any_card_be_played_once_a_round() -> None:
    match = play(table(technologies=["post"]), "bank")
    assert offered(match) == ["1+0", "2+0", "3+0", "4+0"]
    play(match, "3+0")
    assert me(match).played == ["", "", "bank", ""]
    assert me(match).tilted == ["post"]
    play(match, "tea", "fish")
    assert me(match).played == ["fish", "", "bank", ""]


def test_postal_system_is_not_used_up_by_the_lowest_card() -> None:
    assert me(play(table(technologies=["post"]), "bank", "1+0")).tilted == []


def test_postal_system_does_not_concern_foreign_traders() -> None:
    match = play(table(technologies=["post"], traders=1, recruited=["x"]), "trader", "bank")
    assert me(match).yen == 3


def test_mining_is_one_copper_more_from_the_mine_chinatown_and_bonus_cards() -> None:
    match = play(table(technologies=["mining"], played=["tea", "fish", "", ""]), "copper")
    assert me(match).goods[3] == 2
    match = play(table(technologies=["mining"], yen=2), "chinatown", "buy.copper")
    assert me(match).goods[3] == 2
    match = table(
        lambda s: s.bonus_row.__setitem__(0, "b05"), technologies=["mining"], played=["x", "x", "x", ""], shops=["tea"]
    )
    play(match, "tea", "bonus.b05")
    assert me(match).goods[3] == 2


def test_mining_adds_nothing_where_there_is_no_copper() -> None:
    assert me(play(table(technologies=["mining"]), "copper")).goods[3] == 0


def test_telegraph_makes_help_cards_one_stronger_also_for_traders() -> None:
    match = table(technologies=["telegraph"], help=[1, 1], traders=1, recruited=["x"])
    play(match, "trader", "tea", "3+1")
    assert me(match).goods[0] == 5
    match = play(table(technologies=["telegraph"], help=[1, 1]), "tea", "1+2")
    assert me(match).goods[0] == 4
    match = play(table(technologies=["telegraph"], help=[1, 1]), "tea", "1+0")
    assert me(match).goods[0] == 1


def test_telephone_buys_one_influence_for_a_yen_once_a_round_also_for_traders() -> None:
    match = play(table(technologies=["telephone"], yen=3), "tea")
    assert offered(match) == ["1+0", "1+0t"]
    play(match, "1+0t")
    assert (me(match).goods[0], me(match).yen) == (2, 2)
    assert me(match).tilted == ["telephone"]
    play(match, "bank", "fish")
    assert me(match).goods[1] == 2
    match = table(technologies=["telephone"], yen=1, traders=1, recruited=["x"])
    play(match, "trader", "silk", "3+0t")
    assert me(match).goods[2] == 3


def test_telephone_needs_a_yen() -> None:
    match = play(table(technologies=["telephone"]), "tea")
    assert me(match).goods[0] == 1
    assert me(match).tilted == []


def test_tram_opens_any_occupied_place_once_a_round() -> None:
    match = table(other(played=["tea", "fish", "", ""]), technologies=["tram"], played=["", "silk", "", ""])
    assert {"tea.tram", "fish.tram", "silk.tram"} <= set(offered(match))
    play(match, "fish.tram")
    assert me(match).goods[1] == 1
    assert me(match).tilted == ["tram"]
    play(match, "bank")
    assert not [answer for answer in offered(match) if answer.endswith(".tram")]


def test_university_makes_the_one_improvement_free() -> None:
    match = play(table(end_of_round, technologies=["university"]), "silk")
    assert hint(match, "card3") == "Free with your University. It stays so to the end."
    assert offered(match) == ["card0", "card1", "card2", "card3", "none"]
    play(match, "card3", seat=0)
    assert me(match).improved == [False, False, False, True]
    assert me(match).yen == 0
    assert state(match).round == 2


def test_technologies_used_once_a_round_stand_up_again_in_the_next() -> None:
    used = ["stagecoach", "spinning_mill", "station", "post", "telephone", "tram"]
    match = table(end_of_round, technologies=list(used), tilted=list(used), recruited=["technologies"])
    play(match, "silk")
    assert state(match).round == 2
    assert me(match).tilted == []


@pytest.mark.parametrize("card", ["ball", "mining", "university"])
def test_other_technologies_bring_nothing_when_they_are_taken(card: str) -> None:
    match = obtaining(card)
    assert me(match).help == [0, 0]
    assert me(match).yen == 16 - 2 * (COST[card] - 1)
