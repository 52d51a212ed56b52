"""What each seat may see, and that the whole table can be drawn from it."""

import json
from random import Random

from engine import Match
from engine.duel.box import PLACES, load_box
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
    assert place["cards"] == [{"seat": 0, "level": 1}]
    assert (place["house"], place["shops"], place["occupied"]) == (0, [0], True)
    assert place["influence"] == [2, 0]


def test_changes_name_what_is_new_since_an_earlier_view() -> None:
    match = table(played=["x", "x", "x", ""], shops=["silk"], yen=4)
    before = match.view(1)
    play(match, "silk", "bonus.b02", "house")
    new = state(match).bonus_row[1]
    assert match.game.changes(before, match.view(1)) == {"place:silk", f"bonus:{new}"}
    assert seat(match, 0).houses == ["silk"]


def test_a_spot_on_the_board_never_stands_for_two_options() -> None:
    for seed in range(3):
        match = Match.start("duel", players=2, seed=seed)
        random = Random(seed)
        while match.pending:
            for decision in match.pending:
                spots = [spot for option in decision.options for spot in option.spots]
                assert len(spots) == len(set(spots)), decision
            decision = match.pending[0]
            match.choose(decision.seat, random.choice(decision.options).id)
