"""The table of Yokohama as pages, letters and rules show it: drawn from true positions of the engine."""

import gzip
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as PageInBrowser

from engine import GAMES, Match
from service.post import render, words
from service.post.language import speaking
from service.web.table import Table
from tests.look.laid import environment, lay, on_disk
from tests.look.laid import render as drawn
from tests.look.test_templates import Page
from tests.sight import out_of_sight

NAMES = ["Aiko", "Bruno", "Chidi <b>", "Dana"]
EDITIONS = ("dlp", "okazu")
NAMED: Any = render.environment().get_template("titles/yokohama/names.txt").module
SHAPES = [(players, edition) for players in (2, 3, 4) for edition in EDITIONS]


@pytest.fixture(autouse=True)
def edition_spoken(request: pytest.FixtureRequest) -> Iterator[None]:
    """A table is shown in the dialect of its edition."""
    with speaking("en", request.getfixturevalue("edition") if "edition" in request.fixturenames else "dlp"):
        yield


@cache
def played(players: int, edition: str) -> dict[str, bytes]:
    """A match the built-in player plays, with some moves at random so that all is seen: the last position of each
    question, and that at the end."""
    seen: dict[str, bytes] = {}
    for seed in range(2):
        match = Match.start("yokohama", players=players, seed=seed, options={"edition": edition})
        random = Random(seed)
        while match.pending:
            decision = match.pending[0]
            seen[decision.prompt] = match.save()
            wild = random.random() < 0.1
            match.choose(decision.seat, random.choice(decision.options).id if wild else match.bot_choice(decision.seat))
        seen["over"] = match.save()
    return seen


def asked(prompt: str, players: int = 4, edition: str = "dlp") -> Match:
    return Match.load(played(players, edition)[f"yokohama.ask.{prompt}"])


def in_hand(match: Match, *choices: str) -> Table:
    """The page of the seat to move, with these choices of its turn made."""
    return lay(match, match.pending[0].seat, *choices)


def buttons(page: Page, kind: str) -> list[str]:
    """What can be touched on the board by buttons of this class."""
    found = page.all("button", name="option", form="choose")
    return [button["value"] for button in found if kind in button.get("class", "").split()]


@pytest.mark.parametrize(("players", "edition"), SHAPES)
def test_every_question_and_the_end_are_drawn_for_all_readers_and_light_enough_for_a_phone(
    players: int, edition: str
) -> None:
    for position in played(players, edition).values():
        match = Match.load(position)
        for seat in (match.pending[0].seat if match.pending else 0, None):
            html = drawn("table.html", lay(Match.load(position), seat))
            assert len(html.encode()) <= 160_000
            assert len(gzip.compress(html.encode())) <= 25_000
            page = Page(html)
            assert len([own for _, own in page.elements if "y-tile" in own.get("class", "").split()]) == len(
                match.view(None)["areas"]
            )
            for tag, attributes in page.elements:
                if tag == "svg":
                    assert attributes.get("aria-hidden") == "true" or attributes.get("aria-label")


def test_touching_an_area_places_one_and_touching_it_again_a_second_one() -> None:
    match = asked("begin")
    free = [option.id for option in match.pending[0].options if option.label.key == "yokohama.place"]
    first, second, third = (option.removeprefix("place.") for option in free[:3])
    page = Page(drawn("table.html", in_hand(Match.load(match.save()))))
    assert f"place.{first}" in buttons(page, "y-hit")
    assert f"pair.{first}" in buttons(page, "y-two")
    page = Page(drawn("table.html", in_hand(Match.load(match.save()), f"place.{first}")))
    assert f"again.{first}" in buttons(page, "y-hit")
    page = Page(drawn("table.html", in_hand(Match.load(match.save()), f"place.{first}", f"place.{second}")))
    touched = buttons(page, "y-hit")
    assert f"@0 place.{second}" in touched, "touched once more, the first one is taken back"
    assert "@1" in touched
    assert f"place.{third}" in touched


def test_what_came_back_to_the_hand_is_not_marked_as_placed_any_more() -> None:
    match, left = asked("begin"), set[int]()
    seat = match.pending[0].seat
    for pair in [option.id for option in match.pending[0].options if option.id.startswith("pair.")]:
        place = pair.removeprefix("pair.")
        if f"go.{place}" in {option.id for option in match.after(seat, pair).pending[0].options}:
            assert 'y-plus">+2<' in drawn("table.html", in_hand(Match.load(match.save()), pair))
            table = in_hand(Match.load(match.save()), pair, f"go.{place}")
            (there,) = [area["assistants"][seat] for area in table.view["areas"] if area["id"] == place]
            assert ('y-plus">+2<' in drawn("table.html", table)) == (there >= 2)
            left.add(there)
    assert 0 in left


def test_an_agent_is_sent_by_touching_an_area() -> None:
    match = asked("closing")
    while not (agents := [option.id for option in match.pending[0].options if option.id.startswith("agent.")]):
        match.choose(match.pending[0].seat, match.bot_choice(match.pending[0].seat))
    placing = match.pending[0].prompt == "yokohama.ask.begin"
    page = Page(drawn("table.html", lay(match, match.pending[0].seat)))
    assert set(agents) == set(buttons(page, "y-also" if placing else "y-hit"))
    assert bool(page.all("label", **{"data-uncovers": ".y-also"})) == placing, "on a phone it is taken up first"


def test_with_telegram_the_president_goes_in_the_touch_that_leaves_the_third_assistant_out() -> None:
    match = asked("telegram")
    seat = match.pending[0].seat
    ahead = match.after(seat, "done")
    page = drawn("table.html", in_hand(match))
    going = [option.id for option in ahead.pending[0].options if option.id.startswith("go.")]
    assert going
    assert all(f'value="done {choice}"' in page for choice in going)


def test_a_way_out_is_quieter_than_what_lies_on_the_board_and_the_way_on_is_not() -> None:
    def way_on(table: Table) -> list[str]:
        (button,) = [
            own["class"].split()
            for tag, own in Page(drawn("table.html", table)).elements
            if tag == "button" and "go" in own.get("class", "").split()
        ]
        return button

    ways_out = [table for ask in ("token", "build", "order", "tech") if not (table := in_hand(asked(ask))).bar.last]
    assert ways_out
    assert all("quiet" in way_on(table) for table in ways_out)
    match = asked("begin")
    first = next(option.id for option in match.pending[0].options if option.label.key == "yokohama.place")
    assert "quiet" not in way_on(in_hand(match, first))


def test_what_is_left_out_before_new_cards_come_up_is_sent_with_it() -> None:
    page = Page(drawn("table.html", in_hand(asked("second_order").draft())))
    (way_on,) = [button for button in page.all("button", name="last") if "go" in button["class"].split()]
    assert way_on["value"] == "done"
    assert "reveal" in way_on["class"].split()


def test_the_power_i_have_and_would_have_is_marked_on_every_track() -> None:
    match = asked("place")
    seat = match.pending[0].seat
    html = drawn("table.html", lay(match, seat))
    areas = [area for area in match.view(seat)["areas"] if area["action"] != "canal"]
    tracks = areas + [area for area in areas if area["action"] not in ("port", "lab")]  # on the map, and on tiles
    assert html.count("y-cell base") == len(tracks)
    assert html.count("y-cell would") == sum(area["mine"] < 5 for area in tracks)


def test_a_way_to_every_area_in_reach_is_drawn_with_what_it_costs() -> None:
    match = asked("go")
    seat = match.pending[0].seat
    ways = match.view(seat)["ways"]
    html = drawn("table.html", lay(match, seat))
    if match.view(seat)["seats"][seat]["president"]:
        lines = re.findall(r'class="y-way".*?d="([^"]*)"', html, re.DOTALL)
        assert len(lines) == len(ways)
        assert all(re.fullmatch(r"M\S+ [^VH]+([VH][^VH]+)+", line) for line in lines), "not across numbers"
    assert all(NAMED.power(way["power"]) in html for way in ways.values()), "how the power there comes about"
    paid = [place for place, way in ways.items() if way["fees"]]
    passed = set(match.view(seat)["tolls"]) - set(paid)
    assert html.count("badge y-fee") == 2 * len(paid) + 2 * len(passed), "on the tile and on a phone's map"


def test_the_cards_an_agent_chooses_from_lie_first_as_the_presidents_do() -> None:
    match = asked("closing")
    while not (agents := {"agent.port", "agent.lab"} & {option.id for option in match.pending[0].options}):
        match.choose(match.pending[0].seat, match.bot_choice(match.pending[0].seat))
    for agent in agents:
        html = drawn("table.html", in_hand(Match.load(match.save()), agent))
        (first,) = re.findall(r'class="y-shelf[^"]* here\b.*?data-part="([a-z]+)-1\.', html, re.DOTALL)
        assert first == agent.removeprefix("agent.")


LOW = ((1280, 720), (1366, 768), (1000, 760))


@pytest.mark.parametrize("players", [2, 4])
def test_on_a_low_screen_the_area_pointed_at_is_shown_whole_and_how_far_the_end_is(
    browser: Browser, tmp_path: Path, players: int
) -> None:
    page, tab = tmp_path / "city.html", browser.new_page()
    page.write_text(on_disk(drawn("table.html", in_hand(asked("begin", players)))), encoding="utf-8")
    for width, height in LOW:
        tab.set_viewport_size({"width": width, "height": height})
        tab.goto(page.as_uri())
        assert out_of_sight(tab, ".y-corner :is(li, .y-goal, .y-space, .y-near)") == [], (width, height)
        lit = tab.locator(".y-tile.lit:not(.focus)")
        for tile in (lit.first, lit.last):
            tile.locator(".y-hit").hover()
            face, told = tile.locator(".y-face").bounding_box(), tab.locator(".peeking").bounding_box()
            assert face, "the area"
            assert told, "what it would bring"
            assert told["x"] + told["width"] <= face["x"]
    tab.close()


def on_screen(browser: Browser, page: Path, table: Table) -> PageInBrowser:
    page.write_text(on_disk(drawn("table.html", table)), encoding="utf-8")
    tab = browser.new_page()
    tab.goto(page.as_uri())
    return tab


def offered(kind: str, leads: bool = False) -> Match:
    """A position in which an option of this kind is open, one that leads to another question if need be."""
    for seed in range(20):
        match = Match.start("yokohama", players=2, seed=seed, options={"edition": "dlp"})
        while match.pending:
            decision = match.pending[0]
            if any(option.id.startswith(kind) and option.leads >= leads for option in decision.options):
                return match
            match.choose(decision.seat, match.bot_choice(decision.seat))
    raise AssertionError(f"nobody is ever offered {kind}")


def test_on_a_low_screen_a_card_lies_over_all_else(browser: Browser, tmp_path: Path) -> None:
    tab = on_screen(browser, tmp_path / "city.html", in_hand(offered("space.", leads=True)))
    for width, height in LOW:
        tab.set_viewport_size({"width": width, "height": height})
        tab.reload()
        tab.locator(".y-church-board details.place summary").first.click()
        for choice in tab.locator(".y-church-board details[open] .card button").all():
            choice.click(trial=True)
    tab.close()


def test_on_a_low_screen_a_goal_that_can_be_claimed_is_as_high_as_the_others(browser: Browser, tmp_path: Path) -> None:
    tab = on_screen(browser, tmp_path / "city.html", in_hand(offered("achieve.")))
    for width, height in LOW:
        tab.set_viewport_size({"width": width, "height": height})
        boxes = [goal.bounding_box() or {"height": 0} for goal in tab.locator(".y-goal").all()]
        assert max(box["height"] for box in boxes) <= min(box["height"] for box in boxes) + 18
        expect(tab.locator(".y-goal.lit .y-what")).to_be_in_viewport(ratio=1)
    tab.close()


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("prompt", ["order", "tech"])
def test_on_a_laptop_all_orders_and_technologies_are_in_sight_at_once(
    browser: Browser, tmp_path: Path, prompt: str, edition: str
) -> None:
    tab = on_screen(browser, tmp_path / "cards.html", in_hand(asked(prompt, 4, edition)))
    for width, height in ((1280, 720), (1366, 768), (1280, 800), (1536, 730), (1000, 760)):
        tab.set_viewport_size({"width": width, "height": height})
        assert out_of_sight(tab, ".y-card") == [], (width, height)
        over = tab.locator(".y-card").evaluate_all("all => all.map(card => card.scrollHeight - card.clientHeight)")
        assert max(over) <= 2, (width, height)
        shelves = tab.locator(".pane:has(>.y-shelves)")
        assert shelves.evaluate("pane => pane.scrollHeight - pane.clientHeight") <= 0, "nothing to scroll"
    tab.close()


def third_at_a_port_or_laboratory() -> Match:
    """Where some areas are for a third assistant, among them a port or laboratory, and others for the president."""
    for seed in range(40):
        match = Match.start("yokohama", players=4, seed=seed, options={"edition": "dlp"})
        while match.pending:
            decision = match.pending[0]
            thirds = {option.id for option in decision.options} & {
                "place.port",
                "place.dock",
                "place.lab",
                "place.research",
            }
            if decision.prompt == "yokohama.ask.telegram" and thirds:
                return match
            match.choose(decision.seat, match.bot_choice(decision.seat))
    raise AssertionError("nobody ever can")


def test_what_a_third_assistant_adds_does_not_hide_the_power_there_is(browser: Browser, tmp_path: Path) -> None:
    tab = on_screen(browser, tmp_path / "city.html", in_hand(third_at_a_port_or_laboratory()))
    tab.set_viewport_size({"width": 1280, "height": 900})
    hidden = """() => [...document.querySelectorAll(".y-tile:has(>.y-hit[value^='place.']) .y-pw")].map((power) => {
      const hit = power.closest(".y-tile").querySelector(".y-hit"), badge = getComputedStyle(hit, "::after");
      const left = hit.getBoundingClientRect().right - parseFloat(badge.right) - parseFloat(badge.width);
      return power.getBoundingClientRect().right - left;
    })"""
    over = tab.evaluate(hidden)
    assert over
    assert max(over) <= 0
    tab.close()


def test_what_is_said_of_a_shelf_is_not_torn_apart_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    tab = on_screen(browser, tmp_path / "cards.html", in_hand(asked("tech")))
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.locator(".tabs input").nth(1).click()
    notes = tab.locator(".y-shelf h2 small").all()
    assert len(notes) == 4
    for note in notes:
        assert note.evaluate("note => new Set([...note.getClientRects()].map(({ top }) => top)).size") == 1
        assert (note.bounding_box() or {"height": 99})["height"] < 20, "in one line"
    tab.close()


def test_orders_in_hand_say_what_is_still_lacking() -> None:
    match = asked("place")
    for seat in range(match.players):
        text = Page(drawn("table.html", lay(Match.load(match.save()), seat))).text
        for order in match.view(seat)["seats"][seat]["orders"]:
            lack = NAMED.amounts(order["lack"])
            assert (f"lack {lack}" if lack else words.say("yokohama.table.in_store")) in text


def two_that_lack_much() -> Table:
    """The page of somebody with two orders in hand, each of which lacks several goods."""
    for seed in range(20):
        match = Match.start("yokohama", players=3, seed=seed, options={"edition": "dlp"})
        while match.pending:
            seat = match.pending[0].seat
            orders = match.view(seat)["seats"][seat]["orders"]
            if len(orders) == 2 and all(len(order["lack"]) > 1 for order in orders):
                return in_hand(match)
            match.choose(seat, match.bot_choice(seat))
    raise AssertionError("nobody ever has two such orders")


def test_what_two_orders_lack_is_in_sight_on_every_desktop(browser: Browser, tmp_path: Path) -> None:
    table = two_that_lack_much()
    tab = on_screen(browser, tmp_path / "orders.html", table)
    lacks = [NAMED.amounts(order["lack"]) for order in table.view["seats"][table.me]["orders"]]
    for width, height in ((1280, 900), *LOW, (1680, 1050)):
        tab.set_viewport_size({"width": width, "height": height})
        for lack, card in zip(lacks, tab.locator(".y-chit").all(), strict=True):
            (told,) = [line for line in card.locator(".y-gap").all() if line.is_visible()]
            expect(told).to_be_in_viewport(ratio=1)
            assert f"lack {lack}" in (told.get_attribute("aria-label") or told.inner_text())
            over = card.evaluate("card => [card.scrollHeight - card.clientHeight, card.scrollWidth - card.clientWidth]")
            assert max(over) <= 1, (width, height, over, card.inner_text())
    tab.close()


def test_goods_are_traded_where_they_lie() -> None:
    match = asked("exchange")
    page = Page(drawn("table.html", lay(match, match.pending[0].seat)))
    on_board = {option.id for option in match.pending[0].options if option.spots}
    assert on_board
    assert on_board <= set(buttons(page, "place"))


def test_another_player_has_a_sheet_with_all_that_is_known_of_them() -> None:
    match = Match.load(played(4, "dlp")["over"])
    sheet = {"no": 2, "have": frozenset(), **lay(match, 0).shown()}
    page = Page(drawn("sheet.html", sheet))
    for card in match.view(0)["seats"][2]["technologies"]:
        assert words.say(f"yokohama.effect.{card['name']}") in page.text


@pytest.mark.parametrize(("players", "edition"), SHAPES)
def test_the_text_fits_a_letter_and_names_every_area_and_card(players: int, edition: str) -> None:
    long_names = ["Aiko", "D" * 40, "Chidi", "E" * 38]
    for prompt in ("yokohama.ask.keep", "yokohama.ask.place", "over"):
        view = Match.load(played(players, edition)[prompt]).view(0)
        text = render.board_text("yokohama", view, long_names[:players])
        flat = " ".join(text.split())
        assert max(len(line) for line in text.splitlines()) <= 72
        assert not re.search(r"[{}]|None|Undefined|@okazu", text)
        for area in view["areas"]:
            assert f"\n  {NAMED.place(area['id'])} [{area['id']}] (" in text
            assert NAMED.short(area["id"]) in text
        assert flat.count("power 1-5:") == sum(bool(area["power"]) for area in view["areas"])
        for cards in view["boards"].values():
            for slot in cards:
                if slot.get("tech"):
                    assert words.say(f"yokohama.tech.{slot['tech']['name']}") in flat
                if slot.get("order"):
                    assert words.say(f"yokohama.country.{slot['order']['country']}").removeprefix("the ") in flat
        for goal in view["achievements"]:
            assert f"{goal['first']} VP for the first, then {goal['later']}" in flat
        assert ("Port A" in text, "Seafood" in text.title()) == ((True, True) if edition == "okazu" else (False, False))
        assert ("Import Store" in text) == (edition == "dlp")


@pytest.mark.parametrize(("players", "edition"), SHAPES)
def test_the_text_begins_with_what_its_reader_holds_and_is_short(players: int, edition: str) -> None:
    view = Match.load(played(players, edition)["yokohama.ask.closing"]).view(1)
    text = render.board_text("yokohama", view, NAMES[:players])
    headings = re.findall(r"^[A-Z][A-Z <>]+\b", text, re.MULTILINE)
    assert headings[:3] == ["YOKOHAMA", "BRUNO", "THE CITY"]
    assert text.index("BRUNO (you)") < text.index("THE CITY") < text.index("AIKO")
    assert len(text.splitlines()) <= 75 + 30 * players


def test_a_spectator_reads_of_everybody_after_the_city() -> None:
    view = Match.load(played(2, "dlp")["yokohama.ask.closing"]).view(None)
    text = render.board_text("yokohama", view, NAMES[:2])
    assert text.index("THE CITY") < text.index("AIKO") < text.index("BRUNO")


def test_the_rows_of_the_text_lie_like_those_of_the_map() -> None:
    """Each area stands half a cell right of the one it touches in the row above, so that neighbours can be seen."""
    view = Match.load(played(4, "dlp")["yokohama.ask.closing"]).view(0)
    lines = render.board_text("yokohama", view, NAMES).split("THE CITY\n")[1].splitlines()
    for area in view["areas"]:
        row, col = area["row"], area["col"]
        start = 2 + 11 * row // 2 + 11 * col
        assert lines[row][start : start + 11].strip() == NAMED.short(area["id"])


def test_the_text_reads_the_same_however_blocks_are_trimmed() -> None:
    view = asked("go").view(0)
    untrimmed = render.environment().overlay(trim_blocks=False, lstrip_blocks=False)
    text = untrimmed.get_template("titles/yokohama/text.txt").render(view=view, names=NAMES)
    assert text.strip("\n") == render.board_text("yokohama", view, NAMES)


def test_the_first_order_of_another_player_is_on_no_page_of_mine() -> None:
    match = Match.load(played(2, "dlp")["yokohama.ask.keep"])
    others = {card["id"] for card in match.view(1)["seats"][1]["dealt"]}
    html = drawn("table.html", lay(match, 0))
    assert others
    assert not any(f'value="keep.{card}"' in html for card in others)


def test_names_cannot_break_out_of_the_page() -> None:
    assert "Chidi <b>" not in drawn("table.html", lay(Match.load(played(4, "dlp")["over"]), 0))


def test_the_rules_page_says_where_every_table_comes_from_and_what_every_technology_does() -> None:
    title = GAMES["yokohama"]
    box = title.load_box(None)
    page = Page(environment().get_template("titles/yokohama/rules/en.html").render(title=title, box=box))
    for name in box.tables.__struct_fields__:
        assert getattr(box.tables, name).source in page.text
    for tech in box.techs.values():
        assert words.say(f"yokohama.effect.{tech.name}") in page.text
    assert not any("style" in attributes for _, attributes in page.elements)
