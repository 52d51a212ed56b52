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


# What a page draws for its reader


def test_the_power_i_would_have_if_my_president_came():
    position = Position().staff(bank=2, tea1=1).president(0, "tea1").shop(0, "bank").house(0, "fish1")
    position.state.station = position.state.areas.index(position.at("church"))
    mine = {area["id"]: area.get("mine") for area in position.play().match.view(0)["areas"]}
    assert (mine["bank"], mine["tea1"], mine["silk1"], mine["fish1"], mine["canal"]) == (4, 2, 1, 2, None)
    assert mine["church"] == 2, "the station counts for everybody"


def test_the_ways_my_president_has_and_where_each_fee_falls():
    position = Position().lay(tea1=6, agency=7, silk1=8, canal=9, port=10)
    position.president(0, "tea1").president(1, "agency").staff(agency=1, silk1=1, port=1)
    ways = position.play().match.view(0)["ways"]
    assert ways["silk1"]["path"] == ["agency", "silk1"]
    assert ways["silk1"]["fees"] == [{"at": "agency", "to": 1}]
    assert ways["port"]["path"] == ["agency", "silk1", "canal", "port"]
    assert ways["port"]["fees"] == [{"at": "agency", "to": 1}, {"at": "canal", "to": None}]
    assert position.play().match.view(0)["tolls"] == {"agency": [1], "canal": [None]}
    assert position.play().match.view(None)["ways"] == {}


def test_what_the_power_of_a_president_that_comes_is_made_of():
    position = Position().lay(tea1=6, agency=7, silk1=8).president(0, "tea1").staff(agency=2, silk1=1)
    position.shop(0, "agency").house(0, "agency").shop(1, "silk1")
    position.state.station = position.state.areas.index(position.at("silk1"))
    view = position.play().match.view(0)
    made_of = {place: way["power"] for place, way in view["ways"].items()}
    assert made_of["agency"] == {"president": 1, "assistants": 2, "shop": 1, "house": 1}
    assert made_of["silk1"] == {"president": 1, "assistants": 1, "station": 1}
    assert all(area["mine"] == sum(made_of[area["id"]].values()) for area in view["areas"] if area["id"] in made_of)


def test_an_order_says_what_its_reader_still_lacks():
    position = Position().board("port", "o18").goods(copper=1, fish=1).order("o26")
    view = position.play().match.view(0)
    assert view["boards"]["port"][0]["order"]["lack"] == {"tea": 1, "fish": 1}
    assert view["seats"][0]["orders"][0]["lack"] == {"silk": 3, "tea": 1}
    assert "lack" not in position.play().match.view(None)["boards"]["port"][0]["order"]


def test_a_technology_says_what_it_would_take_to_learn_it():
    position = Position().teach("letterpress").board("lab", "letterpress2", "mining1", "station").staff(lab=2)
    position.me().yen = 2
    slots = position.play().match.view(0)["boards"]["lab"]
    assert slots[0]["mine"] == {"units": 0, "owned": True, "in_reach": False}
    assert slots[1]["mine"] == {"units": 1, "owned": False, "in_reach": True}
    assert slots[2]["mine"] == {"units": 4, "owned": False, "in_reach": False}


def test_an_achievement_says_how_far_its_reader_is():
    position = Position().goal("commercial3", 1).shop(0, "bank").shop(0, "tea1")
    card = position.play().match.view(0)["achievements"][2]
    assert card["mine"]["progress"] == [
        {"what": "production", "have": 1, "need": 2},
        {"what": "commercial", "have": 1, "need": 3},
    ]
    assert card["mine"]["points"] == card["later"]


def test_how_far_the_end_is():
    position = Position(players=2).shop(1, "bank").house(0, "tea1")
    ends = {end["what"]: (end["n"], end["of"]) for end in position.play().match.view(None)["ends"]}
    assert ends == {"church": (1, 5), "customs": (1, 5), "shops": (1, 8), "houses": (1, 4), "orders": (10, None)}


def test_what_a_choice_changes_is_told_in_numbers():
    position = Position().president(1, "bank").staff(tea1=2)
    script = position.play()
    changes = {change.gauge[:2]: change.after - change.before for change in script.match.outlook(0, "place.bank")}
    assert changes == {("yen", 0): -1, ("yen", 1): 1, ("assistants", 0): -1}
    script.do("place.silk1", "done")
    went = {change.gauge[:2]: change.after - change.before for change in script.match.outlook(0, "go.tea1")}
    assert went == {("tea", 0): 3, ("assistants", 0): 2}


def test_what_is_foreseen_of_placing_is_what_comes_of_it():
    match = Match.start("yokohama", players=4, seed=5)
    seen = set()
    while match.turn < 40 and match.pending:
        decision = match.pending[0]
        seat, before = decision.seat, match.gauges(decision.seat)
        for option in decision.options:
            verb = option.id.partition(".")[0]
            if verb in ("place", "pair", "again"):
                after = match.after(seat, option.id).gauges(seat)
                tried = {(gauge, n, after[gauge]) for gauge, n in before.items() if after[gauge] != n}
                assert set(match.outlook(seat, option.id)) == tried
                seen.add((verb, len(tried)))
        match.choose(seat, match.bot_choice(seat))
    assert {("place", 1), ("place", 3), ("pair", 3), ("again", 1)} <= seen
