"""What somebody reads before they choose: what it costs, what it brings, and why it may bring nothing."""

import pytest

from engine import Match
from engine.duel.state import Duel
from service.post import words
from tests.engine.duel.position import begin, empty_table, hint, me, play, state, table


def test_a_visit_names_what_the_place_gives_its_bonus_and_whether_one_may_build() -> None:
    match = play(table(played=["tea", "fish", "", ""], help=[1, 1], yen=1), "silk")
    assert [hint(match, way) for way in ("3+0", "3+1", "3+2")] == [
        "Influence 3: 2 silk.",
        "Influence 4: 3 silk and you may build.",
        "Influence 5: 4 silk, the first reward of a bonus card and you may build.",
    ]


def test_whoever_may_build_but_has_no_yen_or_no_lot_for_it_reads_so() -> None:
    strong = {"played": ["x", "x", "x", ""]}
    assert hint(table(**strong), "tea") == "Influence 4: 4 tea and you may build, but have no yen for it."
    assert hint(table(**strong), "bank") == "Influence 4: 4 yen and you may build."
    built = table(**strong, yen=9, shops=["tea"], houses=["tea"])
    assert hint(built, "tea").startswith("Influence 6: 5 tea and the first 2 rewards of a bonus card. ")
    assert "you may build." in hint(table(**strong, goods=[1, 0, 0, 0]), "chinatown")


def test_the_rent_is_told_apart_from_what_the_place_gives() -> None:
    match = table(lambda spec: spec.seats[1].houses.append("bank"), houses=["fish"])
    assert hint(match, "bank") == "Influence 1: 1 yen. The other gets 1 yen for their trading house."
    assert hint(match, "fish") == "Influence 2: 2 fish. You get 1 yen for your trading house."


def test_a_call_on_the_telephone_says_its_price_and_that_the_last_yen_cannot_build() -> None:
    match = play(table(technologies=["telephone"], yen=1, played=["x", "x", "", ""]), "fish")
    assert hint(match, "3+0t") == (
        "The call costs 1 yen. Influence 4: 4 fish and you may build, but have no yen for it."
    )
    assert "call" not in hint(match, "3+0")


@pytest.mark.parametrize(
    ("place", "why", "enough"),
    [
        ("church", "No church card is within your reach, even with all you could give.", {"goods": [1, 1, 0, 0]}),
        ("laboratory", "No technology is within your reach, even with all you could pay.", {"yen": 4}),
        ("chinatown", "You have nothing to trade.", {"yen": 1}),
    ],
)
def test_a_visit_in_vain_says_so_in_its_hint_and_in_the_view(place: str, why: str, enough: dict[str, object]) -> None:
    def idle(match: Match) -> str:
        (mine,) = [each["mine"] for each in match.view(0)["places"] if each["id"] == place]
        return str(mine["idle"])

    match = table()
    assert hint(match, place).endswith(why)
    assert idle(match) == "out_of_reach"
    assert match.pending[0].seat == 0
    assert play(match, place).pending[0].seat == 1, "nothing was asked"
    match = table(**enough)
    assert why not in hint(match, place)
    assert idle(match) == ""
    assert len(play(match, place).pending[0].options) > 1


def test_a_place_is_in_vain_only_if_it_is_so_with_help_and_with_any_card_that_may_be_played() -> None:
    def idle(**mine: object) -> str:
        return next(str(each["mine"]["idle"]) for each in table(**mine).view(0)["places"] if each["id"] == "church")

    assert idle(played=["x", "", "", ""]) == "out_of_reach"
    assert idle(played=["x", "", "", ""], help=[1, 0]) == ""
    assert idle(played=["x", "", "", ""], technologies=["post"]) == ""


def test_with_a_choice_of_cards_a_place_is_told_for_the_lowest_and_says_so() -> None:
    match = table(technologies=["post"])
    assert hint(match, "tea") == "Reckoned with your lowest card, the 1. Influence 1: 1 tea."


def test_a_visit_in_vain_reckons_with_the_rent_of_an_own_house() -> None:
    """Influence 2 and the yen of the house to give: faith 3."""
    match = table(houses=["church"])
    assert "No church card" not in hint(match, "church")
    assert "take.faith03" in [option.id for option in play(match, "church").pending[0].options]


def test_customs_and_the_port_promise_only_what_there_is() -> None:
    strong = {"played": ["x", "x", "", ""]}
    assert hint(table(**strong), "customs") == "Influence 3: no import to flip."
    assert hint(table(**strong, imports=1), "customs") == "Influence 3: 1 import flipped."
    two_left = table(lambda spec: spec.orders.__delitem__(slice(2, None)), **strong)
    assert hint(two_left, "port") == "Influence 3: a look at 2 orders."
    assert hint(table(lambda spec: spec.orders.clear(), **strong), "port") == (
        "Influence 3: no order is left in the deck."
    )


def test_an_order_says_what_becomes_of_the_points_for_most_orders() -> None:
    def fulfilled(mine: int, others: int) -> str:
        def fill(spec: Duel) -> None:
            spec.seats[1].fulfilled = [f"o1{n}" for n in range(others)]

        return hint(table(fill, goods=[2, 1, 0, 0], hand=["o02"], fulfilled=["o20", "o21"][:mine]), "fulfil.o02")

    leads = "You would have fulfilled the most orders: 6 points more, as it stands."
    levels = "You would have fulfilled as many orders as the other, who loses 6 points by that."
    assert fulfilled(0, 0) == f"4 points. {leads}"
    assert fulfilled(0, 1) == f"4 points. {levels}"
    assert fulfilled(1, 0) == "4 points."
    assert fulfilled(0, 2) == "4 points."


@pytest.mark.parametrize(
    ("mine", "others", "said"),
    [
        ([], [], "You would have the highest production cost: 6 points more, as it stands."),
        (["tram"], ["patents"], "You would have the highest production cost: 6 points go from the other to you."),
        (["gas_lamp"], ["tram"], "You would have the highest production cost: 6 points more, as it stands."),
        (["mining"], ["patents"], "You would have the same production cost as the other, who loses 6 points by that."),
        (["mining"], ["telegraph", "tram"], ""),
        (["tram"], [], ""),
    ],
)
def test_a_technology_says_what_becomes_of_the_points_for_production(
    mine: list[str], others: list[str], said: str
) -> None:
    """The Ball costs 5."""

    def fill(spec: Duel) -> None:
        spec.seats[1].technologies = others

    match = play(table(fill, technologies=mine, yen=9), "laboratory")
    assert hint(match, "take.ball").partition("you have fulfilled.")[2].strip() == said


def test_a_technology_says_what_it_is_paid_with_where_there_is_no_choice() -> None:
    def cost(**means: int) -> str:
        match = play(table(played=["x", "x", "", ""], **means), "laboratory")
        return hint(match, "take.brickworks").partition(" 2 points for")[0]

    assert cost(yen=5) == "Costs 4 yen."
    assert cost(yen=2, flipped=1) == "Costs 2 yen and 1 flipped import: you have no other way to pay."
    assert cost(yen=4, flipped=1) == "Costs 4 yen, or 2 imports, or a mixture."


def test_paying_names_the_card_and_the_points_that_each_way_takes_off_the_end() -> None:
    match = play(table(yen=3, imports=1, flipped=1, played=["x", "x", "x", ""]), "laboratory", "take.ball")
    assert words.prompt(match.pending[0]) == "How do you pay for the Ball?"
    assert [hint(match, way) for way in ("y2i0f0", "y0i1f0", "y0i0f1")] == [
        "1 point less in the end.",
        "1 point less in the end.",
        "4 points less in the end.",
    ]
    match = play(table(yen=3, flipped=1, played=["x", "x", "x", ""]), "laboratory", "take.brickworks")
    assert hint(match, "y0i0f1") == "6 points less in the end.", "what the Brickworks would make of it included"
    match = play(table(yen=2, imports=1, played=["x", "", "", ""]), "port", "keep.o01")
    assert hint(match, "keep.o02") == "Worth 4 points when fulfilled. Costs 2 yen or an import."
    assert words.prompt(play(match, "keep.o02").pending[0]) == (
        "How do you pay for the second, the order for 2 tea and 1 fish?"
    )
    match = play(table(flipped=1, played=["x", "", "", ""]), "port", "keep.o01")
    assert hint(match, "keep.o02") == "Worth 4 points when fulfilled. Costs 1 flipped import."


def test_the_station_says_what_the_next_card_would_do_there() -> None:
    def for_the_station(**mine: object) -> Match:
        def fill(spec: Duel) -> None:
            spec.technology_row = ["station"]
            spec.turn, spec.round = 6, 1

        return play(table(fill, yen=9, **mine), "laboratory", "take.station")

    match = for_the_station(played=["x", "x", "", ""])
    assert hint(match, "silk") == (
        "Your next card, 4, would have influence 5 there: 4 silk and the first reward of a bonus card."
    )
    match = for_the_station(played=["x", "x", "x", ""], shops=["silk"])
    assert hint(match, "silk") == "In the next round your 1 would have influence 3 there: 2 silk."
    assert hint(match, "copper").endswith(" would have influence 2 there: nothing, it takes influence 3.")


def test_the_station_adds_nothing_to_the_visit_in_which_it_is_taken_and_stays() -> None:
    match = table(lambda spec: setattr(spec, "technology_row", ["station"]), yen=5, played=["x", "x", "", ""])
    play(match, "laboratory", "take.station", "laboratory")
    assert match.pending[0].seat == 1, "influence 3, and so nothing to build"
    assert state(match).station == "laboratory"
    place = next(each for each in match.view(1)["places"] if each["id"] == "laboratory")
    assert place["mine"]["influence"] == 2


def test_the_way_on_says_what_ends() -> None:
    match = play(table(goods=[2, 1, 0, 0], hand=["o02"], traders=1, recruited=["church"]), "fish", "trader", "tea")
    assert words.prompt(match.pending[0]) == "More at the tea plantation before this visit ends?"
    assert hint(match, "end") == "Your own visit goes on."
    play(match, "end")
    assert words.prompt(match.pending[0]) == "More at the fishing ground before your turn ends?"
    assert hint(match, "end") == "Your turn ends."


def test_recruiting_is_for_what_one_has_and_keeps() -> None:
    match = table(technologies=["tram", "post", "mining"])
    option = match.pending[0].option("recruit.technologies")
    assert words.tell(option.label) == "Recruit a Foreign Trader for having 3 technologies"
    assert hint(match, option.id).endswith("What you have stays yours.")
    play(match, option.id)
    assert len(me(match).technologies) == 3


@pytest.mark.parametrize("open_information", [True, False])
def test_the_points_that_a_choice_would_change_are_those_that_stand_on_the_table(open_information: bool) -> None:
    spec = empty_table(open_information=open_information)
    spec.seats[0].yen, spec.seats[1].church, spec.seats[1].houses = 3, ["faith06"], ["bank"]
    spec.seats[1].yen = 1
    match = begin(spec)
    shown = [seat["points"] for seat in match.view(0)["seats"]]
    (other,) = [change for change in match.outlook(0, "bank") if change.gauge == ("points", 1, "")]
    assert (other.before, other.after) == (shown[1], shown[1] + 1)
