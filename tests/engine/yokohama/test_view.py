"""The view is complete enough to draw the whole table, and shows secrets to their owner only."""

from engine import Match
from engine.yokohama.secrets import census
from engine.yokohama.view import changes
from tests.engine.yokohama.board import Position


def test_every_area_with_place_kind_site_token_and_pieces():
    position = Position().staff(bank=2).president(1, "bank").shop(2, "bank", space=1).house(3, "bank")
    position.state.station = position.state.areas.index(position.at("bank"))
    view = position.play().match.view(0)
    assert len(view["areas"]) == 18
    assert {(area["row"], area["col"]) for area in view["areas"]} == {
        (row, col) for row, width in enumerate((6, 5, 4, 3)) for col in range(width)
    }
    bank = next(area for area in view["areas"] if area["id"] == "bank")
    assert bank["kind"] == "commercial"
    assert bank["presidents"] == [1]
    assert bank["assistants"] == [2, 0, 0, 0]
    assert bank["station"]
    assert bank["powers"] == [3, 2, 2, 2]
    assert bank["site"]["shops"][1]["seat"] == 2
    assert bank["site"]["house"]["seat"] == 3
    assert len(bank["site"]["shops"]) == 4
    assert bank["token"]["reward"]
    canal = next(area for area in view["areas"] if area["id"] == "canal")
    assert "site" not in canal


def test_boards_tracks_achievements_and_supply():
    view = Position(players=2).play().match.view(None)
    assert [slot["tier"] for slot in view["boards"]["port"]] == [1, 1, 2, 2, 3, 3]
    assert [slot["surcharge"] for slot in view["boards"]["lab"]] == [0, 0, 1, 1, 2, 2]
    assert all(slot["order"]["reward"] for slot in view["boards"]["port"])
    assert view["church"][2]["holder"] == "neutral"
    assert [space["cost"] for space in view["customs"]] == [1, 1, 2, 2, 3, 3, 4]
    assert view["pawns_to_end"] == 5
    assert len(view["achievements"]) == 3
    assert view["agents"]["britain"] == 3
    assert view["decks"] == {"orders": 10, "technologies": 24}


def test_players_with_all_they_own():
    position = Position().teach("ball").goods(tea=2)
    me = position.me()
    me.agents, me.spent_agents, me.tokens, me.fulfilled = ["france"], ["germany"], ["t01"], ["o01"]
    seat = position.play().match.view(1)["seats"][0]
    assert seat["goods"] == {"copper": 0, "silk": 0, "tea": 2, "fish": 0}
    assert seat["hand"] == {"assistants": 8, "shops": 2, "houses": 0}
    assert seat["warehouse"]["house_price"] == 4
    assert [tech["name"] for tech in seat["technologies"]] == ["ball"]
    assert seat["agents"] == {"ready": ["france"], "spent": ["germany"]}
    assert seat["icons"]["france"] == 1
    assert [order["id"] for order in seat["fulfilled"]] == ["o01"]


def hands(position: Position, viewer: int | None) -> list[str | None]:
    orders = position.play().match.view(viewer)["seats"][0]["orders"]
    return [order["id"] if order else None for order in orders]


def test_open_information_shows_all_orders_but_the_first():
    position = Position().goods().order("o20", first=True).order("o21")
    assert hands(position, 0) == ["o20", "o21"]
    assert hands(position, 1) == ["o21", None]
    assert hands(position, None) == ["o21", None]


def test_closed_information_shows_how_many_orders_only():
    position = Position(open_information=False).goods().order("o20", first=True).order("o21")
    assert hands(position, 0) == ["o20", "o21"]
    assert hands(position, 1) == [None, None]


def test_taking_an_order_is_told_by_name_only_with_open_information():
    for open_information in (True, False):
        position = Position(open_information=open_information)
        card = position.state.boards["port"][0]
        script = position.act("port", 2).do(f"take.{card}")
        told = [event for event in script.match.events_for(1) if event.key == "yokohama.took_order"]
        assert bool(told) == open_information
        assert [event for event in script.match.events_for(0) if event.key == "yokohama.took_order"]


def test_dealt_orders_are_seen_by_their_owner_only():
    match = Match.start("yokohama", players=2, seed=4)
    assert len(match.view(0)["seats"][0]["dealt"]) == 2
    assert match.view(0)["seats"][1]["dealt"] == []
    assert match.view(None)["seats"][0]["dealt"] == []


def test_decks_and_removed_orders_are_nowhere_in_a_view():
    position = Position(players=2)
    hidden = {*position.state.order_deck, *position.state.removed, *position.state.tech_deck}
    text = str(position.play().match.view(0))
    assert not [card for card in hidden if f"'id': '{card}'" in text]


def test_provenance_of_every_table_is_shown():
    provenance = Position().play().match.view(None)["provenance"]
    assert provenance["areas"] == "rulebook"
    assert provenance["orders"] == "house"
    assert provenance["ports"] == "secondary"


def test_the_census_counts_every_component():
    count = census(Position().state)
    assert count["assistants 0"] == 20
    assert count["shops 3"] == 8
    assert count["houses 1"] == 4
    assert count["agent britain"] == 3
    assert count["tokens"] == 17
    assert sum(1 for name in count if name.startswith("o") and name[1:].isdigit()) == 36


def test_changes_name_the_spots_that_look_different():
    position = Position().goal("copper").goods(copper=5)
    script = position.act("port", 4)
    before = script.match.view(1)
    card = script.state.boards["port"][0]
    script.do(f"take.{card}", "done", "shop.2", "achieve.copper")
    after = script.match.view(1)
    new = script.state.boards["port"][5]
    assert changes(before, after) == {"area:port", f"order:{new}", "shop:port.2", "achievement:copper"}


def test_changes_on_tracks_and_tokens():
    before = Position().play().match.view(0)
    position = Position().house(1, "bank")
    position.state.church[2], position.state.customs[0] = 1, 0
    position.at("tea1").token = ""
    assert changes(before, position.play().match.view(0)) == {"church:2", "customs:0", "token:tea1", "house:bank"}


def test_nothing_changes_between_equal_views():
    view = Position().play().match.view(0)
    assert changes(view, view) == set()
