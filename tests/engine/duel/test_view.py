"""What each seat may see, and that the whole table can be drawn from it."""

import json
from random import Random

from engine import Match
from engine.duel.box import PLACES, load_box
from engine.duel.gauges import gauges
from tests.engine.duel.position import begin, empty_table, me, play, seat, state, table


def test_orders_in_hand_are_seen_by_their_owner_alone() -> None:
    match = table(hand=["o01", "o02"])
    assert [order["card"] for order in match.view(0)["seats"][0]["hand"]] == ["o01", "o02"]
    for viewer in (1, None):
        corner = match.view(viewer)["seats"][0]
        assert corner["hand"] is None
        assert corner["orders"] == 2


def test_orders_looked_at_in_the_port_are_seen_by_their_owner_alone() -> None:
    match = play(table(played=["x", "x", "", ""]), "port")
    assert [order["card"] for order in match.view(0)["seats"][0]["offer"]] == ["o01", "o02", "o03"]
    assert match.view(1)["seats"][0]["offer"] is None
    assert match.view(1)["seats"][0]["looking"] == 3
    play(match, "keep.o02", "o03")
    told = json.dumps([[event.key, event.args] for event in match.events_for(1)])
    assert "duel.saw" not in told
    assert "duel.kept.cards" not in told


def test_the_order_in_which_orders_go_under_the_deck_shows_to_nobody_else() -> None:
    one, another = (play(table(played=["x", "x", "", ""]), "port", "keep.o02", first) for first in ("o01", "o03"))
    assert state(one).orders[:2] != state(another).orders[:2]
    for viewer in (1, None):
        assert one.view(viewer) == another.view(viewer)
        assert one.events_for(viewer) == another.events_for(viewer)


def test_what_was_not_kept_is_forgotten() -> None:
    match = play(table(played=["x", "x", "", ""]), "port", "keep.o02", "o03")
    assert me(match).offer == []
    assert '"o01"' not in json.dumps(match.view(0))


def test_church_cards_stay_in_sight_with_open_information() -> None:
    match = table(church=["faith03"])
    row = load_box().church["faith03"]
    shown = {"card": "faith03", "faith": 3, "points": row.points, "reward": row.reward.things}
    assert match.view(1)["seats"][0]["church"] == [shown]
    assert match.view(1)["seats"][0]["score"]["church"] == row.points


def test_church_cards_lie_face_down_without_it() -> None:
    spec = empty_table(open_information=False)
    spec.seats[0].church = ["faith08"]
    match = begin(spec)
    for viewer in (1, None):
        corner = match.view(viewer)["seats"][0]
        assert corner["church"] is None
        assert corner["church_cards"] == 1
        assert "church" not in corner["score"]
        assert corner["points"] == 0
    assert match.view(0)["seats"][0]["points"] == load_box().church["faith08"].points


def test_a_church_card_taken_without_open_information_is_named_to_its_owner_alone() -> None:
    spec = empty_table(open_information=False)
    spec.seats[0].played = ["x", "x", "", ""]
    match = play(begin(spec), "church", "take.faith03")
    assert "duel.church.yours" in [event.key for event in match.events_for(0)]
    assert "duel.church.yours" not in [event.key for event in match.events_for(1)]
    assert "duel.church.took.unseen" in [event.key for event in match.events_for(1)]


def test_a_draft_of_the_last_turn_shows_no_church_card_that_lies_face_down() -> None:
    spec = empty_table(open_information=False)
    spec.turn, spec.round, spec.first = 31, 4, 1
    spec.seats[0].played = ["x", "x", "x", ""]
    spec.seats[1].church = ["faith08"]
    match = play(begin(spec).draft(), "tea")
    assert match.held
    assert not match.over
    assert match.view(0)["seats"][1]["church"] is None
    match = play(begin(spec), "tea")
    assert match.over
    assert [card["card"] for card in match.view(0)["seats"][1]["church"]] == ["faith08"]


def test_a_view_is_plain_data_and_shows_the_whole_board() -> None:
    match = Match.start("duel", players=2, seed=9)
    shown = json.loads(json.dumps(match.view(None)))
    assert [place["id"] for place in shown["places"]] == list(PLACES)
    assert len(shown["technologies"]) == 5
    assert len(shown["church"]) == 6
    assert len(shown["bonus"]) == 3
    assert shown["decks"] == {"orders": 24, "technologies": 15, "bonus": 9, "church_out": 3}


def test_a_place_shows_who_stands_and_has_built_there() -> None:
    match = play(table(shops=["tea"], houses=["tea"]), "tea")
    place = match.view(1)["places"][0]
    assert place["cards"] == [{"seat": 0, "level": 1, "card": 0}]
    assert (place["house"], place["shops"], place["occupied"]) == (0, [0], True)
    assert place["influence"] == [2, 0]


def test_changes_name_what_is_new_since_an_earlier_view() -> None:
    match = table(played=["x", "x", "x", ""], shops=["silk"], yen=4)
    before = match.view(1)
    play(match, "silk", "bonus.b02", "house")
    new = state(match).bonus_row[1]
    assert match.game.changes(before, match.view(1)) == {"place:silk", f"bonus:{new}"}
    assert seat(match, 0).houses == ["silk"]


def test_a_place_says_what_it_would_be_to_a_player_who_came_next() -> None:
    match = table(played=["x", "x", "x", ""], shops=["silk"], houses=["silk"], technologies=["mining", "tram"])
    places = {place["id"]: place for place in match.view(0)["places"]}
    silk = {"influence": 6, "level": 5, "helped": [], "gives": 4, "rewards": 2, "builds": True, "ways": ["tram"]}
    silk["idle"] = ""
    assert places["silk"]["mine"] == silk
    assert places["copper"]["mine"]["gives"] == 3
    assert places["customs"]["mine"]["gives"] == 0, "there is no import to flip"
    assert places["silk"]["lots"] == {"shop": None, "house": None}
    assert places["tea"]["lots"] == {"shop": 1, "house": 5}
    assert match.view(None)["places"][0]["mine"] is None
    other = match.view(1)["places"][0]
    assert (other["mine"]["influence"], other["lots"]["house"]) == (1, 4)


def test_while_somebody_acts_the_view_says_where_and_with_which_influence() -> None:
    match = play(table(help=[1, 0], yen=4, shops=["church"], played=["x", "x", "", ""]), "church")
    assert match.view(0)["visit"]["step"] == "influence"
    play(match, "3+1")
    visit = {"place": "church", "influence": 5, "rewards": 1, "step": "act", "trader": False, "exchanges": 0}
    for viewer in (0, 1, None):
        assert match.view(viewer)["visit"] == visit
    church = next(place for place in match.view(0)["places"] if place["id"] == "church")
    assert church["mine"]["influence"] == 5
    assert [card["due"] for card in match.view(0)["church"] if card["faith"] in (4, 6)] == [0, 1]


def test_the_trail_leaves_out_what_the_influence_rules_out_and_a_trader_comes_in_between() -> None:
    def steps() -> list[tuple[str, str]]:
        return [(step["say"].removeprefix("duel.step."), step["when"]) for step in match.view(0)["trail"]]

    match = table(traders=1, yen=1, technologies=["tram", "post", "ball"], recruited=["technologies"])
    assert [step for step, _ in steps()] == ["place", "influence", "act", "bonus", "build"]
    play(match, "tea", "1+0")
    assert match.pending[0].prompt == "duel.finish"
    assert steps() == [("place", "past"), ("influence", "past"), ("act", "past"), ("build", "now")]
    play(match, "trader")
    assert steps()[-2:] == [("trader", "now"), ("build", "ahead")]
    assert match.view(0)["visit"]["trader"]


def test_an_order_says_what_its_owner_lacks_and_a_technology_what_it_would_cost() -> None:
    match = table(hand=["o09"], goods=[1, 1, 0, 0], yen=2, technologies=["tram", "post", "station"])
    assert match.view(0)["seats"][0]["hand"][0]["lacks"] == {"tea": 1, "silk": 1}
    cost = load_box().cost["ball"]
    ball = match.view(0)["technologies"][0]
    assert (ball["due"], ball["can"]) == (cost - 1 + 1, False), "production 1, and a fourth technology costs one more"
    assert match.view(None)["technologies"][0]["due"] is None


def test_every_choice_but_the_way_on_has_a_place_on_the_board() -> None:
    for seed in range(6):
        match = Match.start("duel", players=2, seed=seed)
        random = Random(seed)
        while match.pending:
            for decision in match.pending:
                without = {option.id for option in decision.options if not option.spots}
                assert without <= {decision.main}, decision.prompt
            decision = match.pending[0]
            match.choose(decision.seat, random.choice(decision.options).id)


def test_where_a_choice_leads_its_second_half_lies_on_the_same_place_or_card() -> None:
    led = set()
    for seed in range(12):
        match = Match.start("duel", players=2, seed=seed)
        random = Random(seed)
        while match.pending:
            decision = match.pending[0]
            for option in decision.options:
                if not option.leads or option.id == decision.main:
                    continue
                (question,) = match.after(decision.seat, option.id).pending
                assert len(question.options) > 1
                assert {spot for each in question.options for spot in each.spots} == set(option.spots)
                led.add((decision.prompt, question.prompt))
            match.choose(decision.seat, random.choice(decision.options).id)
    assert {("duel.turn", "duel.influence"), ("duel.trader.place", "duel.influence")} <= led


def test_keeping_only_one_order_leads_to_how_the_others_go_under_the_deck_where_that_is_asked() -> None:
    for influence, asked in ((2, False), (3, True)):
        match = play(table(played=["x"] * (influence - 1) + [""] * (5 - influence), yen=2), "port", "keep.o01")
        enough = match.pending[0].option("done")
        assert (match.pending[0].main, enough.leads) == ("done", asked)
        after = play(match, "done").pending[0]
        assert (after.prompt, after.main) == (("duel.port.under", "done") if asked else ("duel.turn", ""))


def test_a_second_order_leads_to_its_payment_where_that_is_a_choice() -> None:
    for means, choice in (({"yen": 2, "imports": 1}, True), ({"yen": 2}, False)):
        match = play(table(played=["x", "", "", ""], **means), "port", "keep.o01")
        assert match.pending[0].option("keep.o02").leads is choice


def test_in_chinatown_the_view_says_how_many_exchanges_are_left() -> None:
    match = play(table(played=["x", "x", "", ""], goods=[3, 0, 0, 0]), "chinatown", "sell.tea")
    assert match.view(0)["visit"]["exchanges"] == 2


def test_a_technology_leads_to_its_payment_where_that_is_a_choice() -> None:
    match = play(table(yen=8, imports=1, played=["x", "x", "x", ""]), "laboratory")
    leads = {option.id for option in match.pending[0].options if option.leads}
    assert leads == {f"take.{card}" for card in state(match).technology_row if load_box().cost[card] > 4}
    for choice in leads:
        assert match.after(0, choice).pending[0].prompt == "duel.laboratory.pay"


def test_with_a_choice_of_cards_each_lies_in_the_hand() -> None:
    match = table(technologies=["post"], help=[1, 0])
    assert not match.pending[0].option("tea").leads, "which card is a thought of its own"
    play(match, "tea")
    spots = [option.spots for option in match.pending[0].options]
    assert spots == [(f"influence:{card}",) for card in range(4) for _ in range(2)]


def test_a_choice_tells_what_it_would_change_and_nothing_hidden() -> None:
    match = table(lambda spec: spec.seats[1].houses.append("tea"), yen=1, goods=[2, 1, 1, 0], hand=["o09"])
    changes = {
        (change.gauge.what, change.gauge.seat): (change.before, change.after) for change in match.outlook(0, "tea")
    }
    assert changes[("tea", 0)] == (2, 3)
    assert changes[("yen", 1)] == (0, 1)
    fulfilled = {change.gauge.what: change.after for change in match.outlook(0, "fulfil.o09") if change.gauge.seat == 0}
    assert (fulfilled["orders"], fulfilled["yen"]) == (0, 3)


def test_nothing_worth_watching_tells_of_church_cards_that_lie_face_down() -> None:
    spec = empty_table(open_information=False)
    without, having = begin(spec), begin(spec)
    seat(having, 1).church = ["faith08"]
    assert gauges(state(having), 0) == gauges(state(without), 0)
