"""The ten places, each by its table and its own rules."""

import pytest

from engine import IllegalChoice
from engine.duel.box import GOODS, load_box
from engine.duel.state import Duel, Player
from tests.engine.duel.position import begin, empty_table, hint, me, offered, play, refused, state, told

BOX = load_box()
COST = BOX.cost


def at_level(level: int, **mine: object) -> Duel:
    """Seat 0 to play with influence `level` on any place: its only card has that level or is helped up to it."""
    spec = empty_table()
    player = Player(played=["x", "x", "x", "x"])
    player.played[min(level, 4) - 1] = ""
    if level > 4:
        player.improved[3] = True
    for name, value in mine.items():
        setattr(player, name, value)
    spec.seats[0] = player
    return spec


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(
    ("place", "counts"),
    [("tea", [1, 2, 3, 4, 5]), ("fish", [1, 2, 3, 4, 5]), ("silk", [0, 1, 2, 3, 4]), ("copper", [0, 0, 1, 2, 3])],
)
def test_goods_by_level(place: str, counts: list[int], level: int) -> None:
    match = play(begin(at_level(level)), place)
    goods = dict(zip(("tea", "fish", "silk", "copper"), me(match).goods, strict=True))
    assert goods == {**dict.fromkeys(goods, 0), place: counts[level - 1]}


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_bank_by_level(level: int) -> None:
    assert me(play(begin(at_level(level)), "bank")).yen == level


@pytest.mark.parametrize(("level", "flipped"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)])
def test_customs_turns_over_imports_by_level(level: int, flipped: int) -> None:
    match = play(begin(at_level(level, imports=6)), "customs")
    assert (me(match).imports, me(match).flipped) == (6 - flipped, flipped)


def test_customs_turns_over_no_more_than_there_are() -> None:
    match = play(begin(at_level(5, imports=2, flipped=1)), "customs")
    assert (me(match).imports, me(match).flipped) == (0, 3)


# Chinatown


def test_chinatown_buys_and_sells_at_one_price() -> None:
    for good, price in (("tea", 1), ("fish", 1), ("silk", 2), ("copper", 2)):
        at = ("tea", "fish", "silk", "copper").index(good)
        match = play(begin(at_level(2, yen=price)), "chinatown", f"buy.{good}")
        assert (me(match).yen, me(match).goods[at]) == (0, 1)
        play(match, f"sell.{good}")
        assert (me(match).yen, me(match).goods[at]) == (price, 0)


def test_chinatown_names_what_cannot_be_bought_or_sold_and_nothing_else() -> None:
    match = play(begin(at_level(2, yen=1, goods=[1, 0, 0, 0])), "chinatown")
    named = [(no.label.key, no.label.args["gains"][0]["key"].rpartition(".")[2]) for no in match.pending[0].blocked]
    assert named == [
        *[("duel.buy", good) for good in ("silk", "copper", "imports")],
        *[("duel.sell", good) for good in ("fish", "silk", "copper")],
    ]
    assert offered(match) == ["buy.tea", "buy.fish", "sell.tea", "done"]


def test_chinatown_sells_imports_for_4_yen_and_never_buys_them() -> None:
    match = play(begin(at_level(2, yen=5)), "chinatown", "buy.imports")
    assert (me(match).yen, me(match).imports) == (1, 1)
    assert "sell.imports" not in offered(match)


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_chinatown_allows_as_many_exchanges_as_the_level(level: int) -> None:
    match = play(begin(at_level(level, goods=[9, 0, 0, 0])), "chinatown", *["sell.tea"] * level)
    assert me(match).yen == level
    assert match.pending[0].prompt != "duel.chinatown"


def test_chinatown_can_be_left_early() -> None:
    match = play(begin(at_level(3, yen=9)), "chinatown", "done")
    assert me(match).yen == 9
    assert match.pending[0].seat == 1


# Church


@pytest.mark.parametrize("level", [3, 4, 5])
def test_church_card_within_faith_costs_nothing(level: int) -> None:
    match = play(begin(at_level(level)), "church")
    assert offered(match) == [*[f"take.faith{faith:02d}" for faith in range(3, level + 1)], "none"]
    play(match, f"take.faith{level:02d}")
    assert me(match).church == [f"faith{level:02d}"]
    assert "duel.offered" not in told(match)


def test_each_kind_of_resource_adds_one_faith_once() -> None:
    match = play(begin(at_level(2, goods=[5, 0, 0, 0])), "church")
    assert offered(match) == ["take.faith03", "none"]
    match = play(begin(at_level(2, goods=[5, 1, 1, 1], yen=3, imports=1, flipped=1)), "church")
    assert offered(match)[-2] == "take.faith08"


def test_faith_eleven_is_the_most_a_player_can_reach() -> None:
    spec = at_level(5, goods=[1, 1, 1, 1], yen=1, flipped=1)
    spec.church_row, spec.church_out = spec.church_out + spec.church_row[:3], spec.church_row[3:]
    match = play(begin(spec), "church", "take.faith11")
    assert me(match).church == ["faith11"]
    assert (me(match).yen, me(match).flipped) == (0, 0)
    assert sum(me(match).goods) == sum(BOX.church_reward["faith11"].get(good, 0) for good in GOODS)


def test_offerings_can_be_left_to_what_there_is_most_of_and_are_named() -> None:
    match = play(begin(at_level(3, goods=[1, 4, 2, 0], imports=1, flipped=3)), "church", "take.faith06")
    (asked,) = match.pending
    assert asked.rest is not None
    named = [each["key"].rpartition(".")[2] for each in asked.rest.args["gains"]]
    assert named == ["fish", "flipped", "silk"]
    for given, gift in enumerate(named):
        assert match.pending[0].default == gift
        assert match.pending[0].args["n"] == 3 - given
        play(match, gift)
    assert me(match).church == ["faith06"]
    offered_gains = [
        each["key"] for event in match.events if event.key == "duel.offered" for each in event.args["gains"]
    ]
    assert offered_gains == ["duel.gain.fish", "duel.gain.flipped", "duel.gain.silk"]


def test_an_import_of_either_face_can_be_given_but_only_one() -> None:
    match = play(begin(at_level(3, goods=[1, 0, 0, 0], imports=1, flipped=1)), "church")
    assert offered(match)[-2] == "take.faith05"
    play(match, "take.faith05")
    assert offered(match) == ["tea", "imports", "flipped"]
    play(match, "flipped")
    assert (me(match).goods[0], me(match).imports, me(match).flipped) == (0, 1, 0)


def test_cards_out_of_reach_are_named_with_the_reason() -> None:
    match = play(begin(at_level(3)), "church")
    assert {b.reason.key for b in match.pending[0].blocked} == {"duel.why.faith"}
    assert len(match.pending[0].blocked) == 5


def test_the_church_reward_comes_at_once() -> None:
    match = play(begin(at_level(3)), "church", "take.faith03")
    assert me(match).yen == BOX.church_reward["faith03"]["yen"]


def test_nothing_need_be_taken_in_the_church() -> None:
    match = play(begin(at_level(3)), "church", "none")
    assert me(match).church == []
    assert "duel.nothing.church" not in told(match), "it was a choice"


def test_a_taken_church_card_is_not_replaced() -> None:
    match = play(begin(at_level(3)), "church", "take.faith03")
    assert state(match).church_row == ["", "faith04", "faith05", "faith06", "faith07", "faith08"]


# Laboratory: the row shows ball, stock exchange (3), brickworks, brewery and stagecoach (3)


def test_a_technology_within_the_production_value_costs_nothing() -> None:
    match = play(begin(at_level(3)), "laboratory")
    within = [card for card in state(match).technology_row if COST[card] <= 3]
    assert hint(match, "take.stagecoach").startswith("Costs nothing more. ")
    assert offered(match) == [*[f"take.{card}" for card in within], "none"]
    play(match, "take.stagecoach")
    assert me(match).technologies == ["stagecoach"]
    assert "duel.paid" not in told(match)
    assert state(match).technology_row == ["ball", "stock_exchange", "brickworks", "brewery", ""]


def test_two_yen_or_an_import_of_either_face_add_one_production() -> None:
    match = play(begin(at_level(COST["ball"] - 2, yen=5, imports=1, flipped=1)), "laboratory")
    assert hint(match, "take.ball").startswith("Costs 4 yen, or 2 imports, or a mixture. ")
    play(match, "take.ball")
    assert offered(match) == ["y4i0f0", "y2i1f0", "y2i0f1", "y0i1f1"]
    assert match.pending[0].default == "y4i0f0"
    named = [[gain["key"] for gain in option.label.args["gains"]] for option in match.pending[0].options]
    assert named[:2] == [["duel.gain.yen"], ["duel.gain.yen", "duel.gain.imports"]], "only what is paid"
    play(match, "y2i0f1")
    assert (me(match).yen, me(match).imports, me(match).flipped) == (3, 1, 0)


def test_a_flipped_import_alone_pays_for_a_technology() -> None:
    match = play(begin(at_level(COST["ball"] - 1, flipped=1)), "laboratory", "take.ball")
    assert (me(match).technologies, me(match).flipped) == (["ball"], 0)


def test_a_technology_leads_to_a_question_only_where_it_can_be_paid_for_in_several_ways() -> None:
    several = ({"yen": 2, "imports": 1}, {"yen": 2, "flipped": 1}, {"imports": 1, "flipped": 1})
    one = ({"yen": 1, "imports": 1}, {"yen": 2}, {"flipped": 2})
    for means, leads in [*((each, True) for each in several), *((each, False) for each in one)]:
        match = play(begin(at_level(COST["ball"] - 1, **means)), "laboratory")
        assert match.pending[0].option("take.ball").leads is leads, means


def test_from_the_fourth_technology_on_one_payment_more_is_due_even_with_production_to_spare() -> None:
    three = ["mining", "gas_lamp", "university"]
    match = play(begin(at_level(5, technologies=three, recruited=["technologies"])), "laboratory")
    assert match.pending[0].prompt == "duel.bonus.which"
    assert len(me(match).technologies) == 3
    match = play(begin(at_level(5, technologies=three, recruited=["technologies"], yen=2)), "laboratory")
    play(match, "take.stock_exchange")
    assert me(match).yen == 0
    assert len(me(match).technologies) == 4
    match = play(begin(at_level(5, technologies=three[:2])), "laboratory", "take.stock_exchange")
    assert len(me(match).technologies) == 3


def test_the_laboratory_may_be_left_without_a_card() -> None:
    assert me(play(begin(at_level(3)), "laboratory", "none")).technologies == []


def test_an_empty_laboratory_asks_nothing() -> None:
    spec = at_level(3)
    spec.technology_row = [""] * 5
    assert play(begin(spec), "laboratory").pending[0].seat == 1


# Port


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_port_shows_as_many_orders_as_the_level(level: int) -> None:
    match = begin(at_level(level))
    play(match, "port")
    if level == 1:
        assert me(match).hand == ["o01"]
    else:
        assert me(match).offer == [f"o{n:02d}" for n in range(1, level + 1)]


def test_keeping_one_order_is_free_and_the_rest_goes_under_the_deck() -> None:
    match = play(begin(at_level(2)), "port", "keep.o02")
    assert me(match).hand == ["o02"]
    assert state(match).orders[0] == "o01"
    assert refused(play(begin(at_level(2)), "port")) == {"duel.keep.two:": "duel.why.keep_two"}
    assert refused(play(begin(at_level(2, yen=2)), "port")) == {}


def test_with_one_order_to_be_seen_there_is_no_second_to_think_of() -> None:
    match = play(begin(at_level(1, goods=[9, 9, 9, 9], hand=["o30"])), "port")
    assert (match.pending[0].prompt, refused(match)) == ("duel.port", {}), "an order could be fulfilled first"
    match = play(begin(at_level(1, yen=4, goods=[9, 9, 9, 9], hand=["o30"])), "port", "keep.o01")
    assert match.pending[0].prompt != "duel.port.second"


@pytest.mark.parametrize(
    ("means", "left"),
    [({"yen": 3}, (1, 0, 0)), ({"imports": 1}, (0, 0, 0)), ({"flipped": 1}, (0, 0, 0)), ({"yen": 2}, (0, 0, 0))],
)
def test_keeping_two_costs_2_yen_or_an_import_of_either_face(means: dict[str, int], left: tuple[int, int, int]) -> None:
    match = play(begin(at_level(2, **means)), "port", "keep.o02", "keep.o01")
    assert me(match).hand == ["o01", "o02"]
    assert (me(match).yen, me(match).imports, me(match).flipped) == left


def test_the_way_to_pay_for_two_orders_is_a_choice() -> None:
    match = play(begin(at_level(2, yen=2, imports=1, flipped=1)), "port", "keep.o01")
    assert offered(match) == ["keep.o02", "done"]
    play(match, "keep.o02")
    assert offered(match) == ["y2i0f0", "y0i1f0", "y0i0f1"]


def test_the_order_under_the_deck_is_the_players_choice() -> None:
    match = play(begin(at_level(4)), "port", "keep.o04")
    assert offered(match) == ["o01", "o02", "o03", "done"]
    play(match, "o02")
    assert offered(match) == ["o01", "o03", "done"]
    play(match, "o03")
    assert state(match).orders[:3] == ["o01", "o03", "o02"]


def test_who_does_not_care_puts_them_under_the_deck_as_they_lie() -> None:
    match = play(begin(at_level(4)), "port", "keep.o04", "done")
    assert state(match).orders[:3] == ["o03", "o02", "o01"]


def test_a_second_order_can_be_left() -> None:
    match = play(begin(at_level(2, yen=2)), "port", "keep.o01", "done")
    assert (me(match).hand, me(match).yen) == (["o01"], 2)


def test_an_order_seen_says_what_it_brings_its_reward_included() -> None:
    match = play(begin(at_level(3, yen=2)), "port")
    assert [hint(match, f"keep.{card}") for card in ("o02", "o03")] == [
        "Worth 4 points when fulfilled. Free.",
        "Worth 4 points and 1 import when fulfilled. Free.",
    ]


def test_drawing_orders_ends_the_undo_and_the_turn_goes_on() -> None:
    match = play(begin(at_level(3, help=[1, 0])), "port", "3+0")
    with pytest.raises(IllegalChoice):
        match.undo(0)
    play(match, "keep.o01")
    match.undo(0)
    assert me(match).offer == ["o01", "o02", "o03"]


def test_a_draft_stops_before_orders_are_drawn() -> None:
    match = begin(at_level(3)).draft()
    play(match, "port")
    assert match.held
    assert me(match).offer == []


def test_a_port_with_few_orders_left_shows_those_and_an_empty_one_nothing() -> None:
    spec = at_level(3)
    spec.orders = ["o05", "o06"]
    assert me(play(begin(spec), "port")).offer == ["o06", "o05"]
    spec.orders = []
    match = play(begin(spec), "port")
    assert match.pending[0].seat == 1
    assert "duel.looked" not in told(match)


def test_exchanges_of_one_kind_are_told_as_one() -> None:
    match = play(begin(at_level(4, goods=[3, 0, 1, 0])), "chinatown", "sell.tea", "sell.tea", "sell.silk", "sell.tea")
    sold = [event.args for event in match.events if event.key == "duel.sold"]
    assert [(each["gains"][0]["key"], each["gains"][0]["args"]["n"], each["price"]) for each in sold] == [
        ("duel.gain.tea", 2, 2),
        ("duel.gain.silk", 1, 2),
        ("duel.gain.tea", 1, 1),
    ]
    match = play(begin(at_level(3, yen=6)), "chinatown", "buy.tea", "buy.tea", "buy.imports")
    bought = [event.args for event in match.events if event.key == "duel.bought"]
    assert [(each["gains"][0]["key"], each["gains"][0]["args"]["n"], each["price"]) for each in bought] == [
        ("duel.gain.tea", 2, 2),
        ("duel.gain.imports", 1, 4),
    ]


def test_a_church_card_says_how_much_is_still_to_be_given_for_it() -> None:
    match = play(begin(at_level(4, goods=[1, 1, 1, 0])), "church")
    assert [hint(match, f"take.faith0{faith}").partition(".")[0] for faith in (3, 4, 5, 6, 7)] == [
        "3 points and 3 yen",
        "4 points and 1 import",
        "Give one resource",
        "Give 2 resources of different kinds",
        "Takes 1 fish, 1 tea and 1 silk, all that you could give",
    ]
    play(match, "take.faith07")
    assert me(match).goods == [0, 0, 0, 0], "and so it is not asked"


def test_a_technology_out_of_reach_says_whether_influence_or_the_surcharge_is_lacking() -> None:
    match = play(begin(at_level(3, traders=1)), "laboratory")
    assert {no.reason.key for no in match.pending[0].blocked} == {"duel.why.production"}
    three = ["mining", "gas_lamp", "university"]
    match = play(begin(at_level(5, technologies=three, recruited=["technologies"], traders=1)), "laboratory")
    assert {no.reason.key for no in match.pending[0].blocked} == {"duel.why.surcharge"}


def test_no_more_yen_are_offered_in_payment_than_there_are() -> None:
    match = play(begin(at_level(COST["ball"] - 2, yen=3, imports=2)), "laboratory", "take.ball")
    assert offered(match) == ["y2i1f0", "y0i2f0"]
