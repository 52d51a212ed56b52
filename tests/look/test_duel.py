"""The table of Yokohama Duel as pages, letters and rules show it: drawn from true positions of the engine."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any

import pytest
from lxml.html import fromstring
from playwright.sync_api import Browser

from engine import GAMES, Match
from engine.duel.box import TECHNOLOGIES
from engine.duel.state import Duel
from engine.example import turn_of
from service.post import render, words
from tests.engine.duel.position import play, table
from tests.look.laid import NAMES, ROOT, environment, lay, on_disk
from tests.look.laid import render as draw
from tests.look.test_templates import Page

BUTTONS = "//main//button[@name='option' or @name='last'][not(ancestor::*[@id='choices'])]"
PROMPTS = (
    "duel.dealt",
    "duel.turn",
    "duel.port",
    "duel.port.second",
    "duel.port.under",
    "duel.laboratory",
    "duel.church",
    "duel.church.pay",
    "duel.chinatown",
    "duel.bonus.which",
    "duel.build",
    "duel.finish",
    "duel.trader.place",
    "duel.station.where",
    "duel.improve.which",
)


def reached(prompt: str | None, options: dict[str, Any] | None = None) -> Match:
    """A match in which somebody is asked this; None: one that is over."""
    for seed in range(40):
        match, random = Match.start("duel", players=2, seed=seed, options=options), Random(seed)
        while match.pending:
            if match.pending[0].prompt == prompt and match.turn != 1:
                return match
            decision = match.pending[0]
            match.choose(decision.seat, random.choice(decision.options).id)
        if prompt is None:
            return match
    raise AssertionError(f"never asked: {prompt}")


def drawn(match: Match, seat: int | None, *choices: str) -> str:
    return draw("table.html", lay(match, seat, *choices))


def on_the_board(html: str) -> set[str]:
    """What can be posted by touching the board."""
    return {button["value"] for button in Page(html).all("button", name="option", form="choose")}


def tile(html: str, place: str) -> str:
    return html[html.index(f'data-spot="place:{place}"') :].split("data-part=", 1)[0]


@pytest.fixture(params=PROMPTS, scope="module")
def asked(request: pytest.FixtureRequest) -> Match:
    return reached(request.param)


def test_every_choice_can_be_made_by_touching_the_board_or_the_main_button(asked: Match) -> None:
    decision = asked.pending[0]
    touched = on_the_board(drawn(asked, decision.seat))
    for option in decision.options:
        if option.leads and option.id != decision.main:
            second = asked.after(decision.seat, option.id).pending[0]
            assert {f"{option.id} {each.id}" for each in second.options} <= touched
        else:
            assert option.id in touched or option.id == decision.main


def test_what_lights_up_lies_in_a_pane_that_is_named_for_it(asked: Match) -> None:
    """So that a phone opens the right one, and marks the others."""
    decision = asked.pending[0]
    context = lay(asked, decision.seat).shown()
    panes = environment().get_template("titles/duel/panes.html").make_module(context).PANES  # type: ignore[attr-defined]
    homes = {kind: pane["id"] for pane in panes for kind in pane["spots"]}
    html = drawn(asked, decision.seat)
    for option in decision.options:
        for spot in option.spots:
            pane = html.index(f'id="pane-{homes[spot.partition(":")[0]]}"')
            assert 'id="pane-' not in html[pane + 9 : html.index(f'data-spot="{spot}"')]


def test_the_page_keeps_to_the_content_policy_and_says_what_it_draws(asked: Match) -> None:
    shown = Page(drawn(asked, asked.pending[0].seat))
    ids = [attributes["id"] for _, attributes in shown.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in shown.elements:
        assert "style" not in attributes
        if tag == "use":
            assert attributes["href"].removeprefix("#") in ids
        if tag == "svg":
            assert attributes.get("aria-hidden") == "true" or attributes.get("aria-label")


def test_a_page_is_light(asked: Match) -> None:
    html = drawn(asked, asked.pending[0].seat).encode()
    assert len(html) < 100_000
    assert len(gzip.compress(html)) < 16_000


def test_free_actions_are_lit_where_they_lie() -> None:
    """A trader to call, one to recruit, silk to spin, an order to fulfil: beside the places, not in front of them."""
    mine = {"traders": 1, "fulfilled": ["o01", "o02", "o03"], "goods": [1, 1, 1, 1], "hand": ["o04"]}
    html = drawn(table(technologies=["spinning_mill"], **mine), 0)
    assert {"tea", "trader", "recruit.orders", "spin", "fulfil.o04"} <= on_the_board(html)
    assert 'data-open="1"' in html
    said = {el.get("data-spot"): el.xpath("string(.//*[@class='badge'])") for el in fromstring(html).xpath("//button")}
    assert (said["traders"], said["recruit:orders"], said["hand:o04"]) == ("call", "recruit", "fulfil")


def test_a_tile_marks_the_level_i_would_have_and_what_help_would_add() -> None:
    html = tile(drawn(table(help=[1, 0], played=["bank", "customs", "", ""]), 0), "tea")
    cells = re.findall(r'<span class="d-cell([^"]*)">', html)
    assert cells == ["", "", " d-me p0", " d-would", ""]


def test_the_level_i_act_with_is_set_and_its_bonus_shown() -> None:
    html = tile(drawn(play(table(help=[0, 1], yen=3, played=["bank", "customs", "", ""]), "silk", "3+2"), 0), "silk")
    assert re.findall(r'<span class="d-cell([^"]*)">', html)[4] == " d-set"
    assert "+1<small>bonus" in html


def test_a_place_that_is_occupied_says_so_and_a_way_in_is_named() -> None:
    taken = {"played": ["tea", "", "", ""]}
    html = drawn(table(**taken), 0)
    assert "occupied" in tile(html, "tea")
    assert "tea" not in on_the_board(html)
    html = drawn(table(technologies=["tram"], **taken), 0)
    assert "by Tram" in tile(html, "tea")
    assert "tea.tram" in on_the_board(html)


def test_lots_show_what_building_costs_me_and_light_up_when_i_may() -> None:
    match = play(table(yen=5, played=["bank", "customs", "fish", ""]), "tea")
    assert match.pending[0].prompt == "duel.build"
    assert {"shop", "house"} <= on_the_board(drawn(match, 0))
    assert 'data-spot="lot:tea:shop"' not in drawn(match, 1)


def test_an_order_kept_in_the_port_is_marked_and_a_second_can_be_touched() -> None:
    match = play(table(played=["bank", "customs", "", ""], yen=2), "port")
    assert not fromstring(drawn(match, 0)).xpath("//*[@class='badge']"), "the first is free"
    html = drawn(match, 0, "keep.o02")
    assert html.count('class="d-kept"') == 1
    assert {"keep.o01", "keep.o03"} <= on_the_board(html)
    prices = fromstring(html).xpath("//*[contains(@class, 'd-offer')]//*[@class='badge']")
    assert [price.text_content().strip() for price in prices] == ["2", "2"], "yen, which stand on what costs them"


def test_a_technology_that_can_be_paid_in_two_ways_offers_both_on_its_card() -> None:
    match = play(table(yen=8, imports=1, played=["bank", "customs", "fish", ""]), "laboratory")
    assert {"take.ball y2i0f0", "take.ball y0i1f0"} <= on_the_board(drawn(match, 0))


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_table_is_drawn_for_players_and_spectators_and_when_it_is_over(seat: int | None) -> None:
    for prompt in ("duel.turn", None):
        html = drawn(reached(prompt), seat)
        assert "Tea plantation" in html
        assert "Chidi <b>" not in html


def test_orders_of_the_other_player_are_on_no_page_of_mine() -> None:
    match = reached("duel.turn")
    seat = match.pending[0].seat
    html = drawn(match, 1 - seat)
    hand = match.view(seat)["seats"][seat]["hand"]
    assert hand
    for card in hand:
        assert f"hand:{card['card']}" not in html
    assert f"{len(hand)} orders in hand" in html or len(hand) == 1


@pytest.mark.parametrize("open_information", [True, False])
def test_a_players_board_by_itself_shows_what_the_reader_may_see(open_information: bool) -> None:
    match = reached("duel.finish", {"open_information": open_information})
    for no in (0, 1):
        shown = lay(match, 0).shown()
        sheet = environment().get_template("sheet.html").render(no=no, have=frozenset(), **shown)
        assert "Technologies" in sheet
        assert ("face down" in sheet) == (no == 1 and not open_information)


@pytest.mark.parametrize("prompt", ["duel.turn", "duel.port", None])
def test_the_text_board_fits_a_letter_and_names_every_place(prompt: str | None) -> None:
    match = reached(prompt)
    for seat in (0, 1, None):
        text = render.board_text("duel", match.view(seat), ["Aiko", "D" * 40])
        assert max(len(line) for line in text.splitlines()) <= 72
        for place in ("Tea plantation", "Customs house", "Laboratory", "Port"):
            assert place in text
        assert not re.search(r"[{}]|None|Undefined", text)


def test_the_text_board_tells_yields_costs_and_what_is_lacking_as_the_page_does() -> None:
    match = table(hand=["o09"], goods=[1, 1, 0, 0], yen=2, played=["bank", "", "", ""], recruited=["church"])
    text = render.board_text("duel", match.view(0), NAMES[:2])
    assert "1 2 3 4 5; 2 if you come" in text
    assert "you lack 1 tea, 1 silk" in re.sub(r"\s+", " ", text)
    assert "for you 6 yen or 3 imports more" in re.sub(r"\s+", " ", text)
    goals = "0 of 3 fulfilled orders, 0 of 3 technologies, 2 church cards (recruited), 0 of 2 flipped imports"
    assert f"towards Foreign Traders: {goals}" in re.sub(r"\s+", " ", text)


def test_the_text_board_promises_nothing_where_one_cannot_come_and_says_where_one_is() -> None:
    def town(match: Match) -> dict[str, str]:
        text = render.board_text("duel", match.view(0), NAMES[:2]).partition("THE TOWN\n")[2]
        return {line.split("  ")[1].strip(): line for line in text.partition("\n\n")[0].splitlines()}

    match = play(table(goods=[2, 1, 0, 0], played=["tea", "", "", ""]), "church")
    assert "if you come" not in town(match)["Tea plantation"], "it is occupied"
    assert "3 if you come" in town(match)["Fishing ground"]
    assert "you are here with influence 2" in town(match)["Church"]
    match = table(traders=1, recruited=["church"], played=["tea", "fish", "silk", ""])
    assert "3 if your trader comes" in town(play(match, "trader"))["Tea plantation"]
    done = play(table(played=["tea", "fish", "silk", ""], traders=1, recruited=["church"]), "bank")
    text = render.board_text("duel", done.view(0), NAMES[:2])
    assert "for you" not in text, "no card is left to go to the laboratory with"
    assert text.count("if you come") == 0


def test_the_text_board_reads_the_same_however_blocks_are_trimmed() -> None:
    view = reached("duel.turn").view(0)
    untrimmed = render.environment().overlay(trim_blocks=False, lstrip_blocks=False)
    text = untrimmed.get_template("titles/duel/text.txt").render(view=view, names=NAMES[:2])
    assert text.strip("\n") == render.board_text("duel", view, NAMES[:2])


def test_hidden_church_cards_are_said_to_be_missing_from_the_points() -> None:
    match = reached("duel.turn", {"open_information": False})
    assert drawn(match, match.pending[0].seat).count("church cards not counted") == 1


def test_the_rules_page_says_where_every_table_comes_from_and_what_every_technology_does() -> None:
    title = GAMES["duel"]
    box = title.load_box(None)
    shown = Page(environment().get_template("titles/duel/rules/en.html").render(title=title, box=box))
    for name in box.tables.__struct_fields__:
        assert getattr(box.tables, name).source in shown.text
    for card in box.cost:
        assert words.say(f"duel.effect.{card}") in shown.text


def rules_page() -> Page:
    title = GAMES["duel"]
    return Page(environment().get_template("titles/duel/rules/en.html").render(title=title, box=title.load_box(None)))


def test_the_turn_told_on_the_rules_page_goes_through_every_step_and_is_one_that_was_played() -> None:
    """Pick another seed and turn where the built-in player has changed its mind."""
    source = (ROOT / "templates/titles/duel/rules/en.html").read_text("utf-8")
    found = re.search(r'"seed": (\d+), "turn": (\d+)', source)
    assert found is not None
    steps = turn_of("duel", *map(int, found.groups()))
    prompts = [step.decision.prompt for step in steps]
    assert prompts[:2] == ["duel.turn", "duel.influence"]
    assert {"duel.bonus.which", "duel.build"} <= set(prompts)
    chosen = " ".join(step.chosen.id for step in steps)
    assert re.search(r"\+[12].* fulfil\..* bonus\..* (shop|house)", chosen)
    shown = rules_page().text
    for step in steps:
        assert words.prompt(step.decision, ["You", "You"]) in shown
        assert all(words.tell(event, ["You", "You"]) in shown for event in step.events)


def test_orders_set_aside_for_a_trader_are_named_in_the_tray() -> None:
    match = play(table(traders=1, recruited=["church"], played=["tea", "", "", ""]), "port", "trader", "port")
    html = drawn(match, 0)
    assert "2 orders wait until your trader is done" in html
    assert "1 fish, 1 copper (4)" in html


def test_a_bonus_card_that_can_be_taken_in_two_orders_asks_which() -> None:
    def row(spec: Duel) -> None:
        spec.bonus_row = ["b09", "b01", "b02"]

    match = table(row, played=["tea", "fish", "copper", ""], shops=["bank"], help=[0, 1])
    html = drawn(play(match, "bank", "4+2"), 0)
    assert {"bonus.b09", "bonus.b09.flips_last"} <= on_the_board(html)
    assert "You have no import for the flip: it is lost." in html


def touches_of_turns(seed: int, first: int) -> list[int]:
    """How many touches each turn from this one on takes on a desktop, sending included, when the built-in player plays:
    as much of its plan as a button stands for is one, or two where the button lies in a card that has to be opened."""
    match, counted = Match.start("duel", players=2, seed=seed), list[int]()
    while not match.over:
        seat, turn = match.pending[0].seat, match.turn
        plan, ahead = list[str](), match.copy().draft()
        while ahead.turn == turn and ahead.pending and ahead.pending[0].seat == seat:
            plan.append(ahead.bot_choice(seat))
            ahead.choose(seat, plan[-1])
        if turn >= first and match.view(seat)["step"] == "turn":
            if len(counted) == turn - first:
                counted.append(0)
            counted[-1] += touches(match, seat, plan)
        for choice in plan:
            match.choose(seat, choice)
    return counted


def touches(match: Match, seat: int, plan: list[str]) -> int:
    made, taps = 0, 0
    while made < len(plan):
        page = fromstring(drawn(match.copy(), seat, *plan[:made]))
        buttons = {button.get("value"): button for button in page.xpath(BUTTONS)}
        longest = next(n for n in range(len(plan), made, -1) if " ".join(plan[made:n]) in buttons)
        button = buttons[" ".join(plan[made:longest])]
        if button.get("name") == "last":
            return taps + 1
        taps += 1 + len(button.xpath("ancestor::details"))
        made = longest
    return taps + 1  # it is sent


def test_a_typical_late_turn_takes_four_touches_at_most() -> None:
    counted = [n for seed in (1, 2) for n in touches_of_turns(seed, first=17)]
    assert len(counted) == 2 * 16
    assert median(counted) <= 4
    assert fmean(counted) <= 4.5


def test_several_of_a_good_are_sold_in_one_touch() -> None:
    match = play(table(goods=[4, 1, 0, 0], played=["tea", "fish", "", ""]), "chinatown")
    touched = on_the_board(drawn(match, 0))
    assert "sell.tea sell.tea sell.tea" in touched, "three exchanges are all there are"
    assert "sell.fish sell.fish" not in touched


def test_a_technology_is_taken_and_paid_for_in_one_touch() -> None:
    match = play(table(yen=8, imports=1, played=["tea", "fish", "silk", ""]), "laboratory")
    page = fromstring(drawn(match, 0))
    for payment, text in (("y2i0f0", "2"), ("y0i1f0", "1")):
        (button,) = page.xpath(f"//button[@value='take.brickworks {payment}']")
        assert button.get("title") == "1 point less in the end."
        assert not button.xpath("ancestor::details")
        assert button.text_content().strip() == text


# What of each technology in the row is cut off: pixels of its effect, of what it costs below and on the right.
CUT = """() => [...document.querySelectorAll(".d-technologies .d-technology")].flatMap(card => {
    const effect = card.querySelector(".d-effect"), edge = card.getBoundingClientRect();
    const cut = [effect.scrollHeight - effect.clientHeight];
    for (const price of card.querySelectorAll(".d-due, .d-ways button")) {
        const { bottom, right } = price.getBoundingClientRect();
        cut.push(bottom - edge.bottom, right - edge.right);
    }
    return Math.max(...cut) > 1 ? [card.querySelector("b").innerText] : [];
})"""


# What of a place lies beyond its edge, or over something else on it.
ASTRAY = """() => [...document.querySelectorAll(".d-town .d-tile")].flatMap(tile => {
    const edge = tile.getBoundingClientRect();
    const lying = [...tile.querySelectorAll(".d-pieces > *, .d-lots > .lit, .d-built")]
        .filter(el => el.checkVisibility())
        .map(el => [el, el.getBoundingClientRect()]).filter(([, { width }]) => width);
    const beyond = lying.filter(([, { left, right, bottom }]) =>
        left < edge.left - 1 || right > edge.right + 1 || bottom > edge.bottom + 1);
    const fan = (a, b) => a.matches(".d-sent") && b.matches(".d-sent");
    const over = lying.filter(([one, a], n) => lying.slice(n + 1).some(([other, b]) => !fan(one, other) &&
        a.right > b.left + 2 && b.right > a.left + 2 && a.bottom > b.top + 2 && b.bottom > a.top + 2));
    return [...beyond, ...over].map(([el]) => `${tile.className}: ${el.className} ${el.innerText}`);
})"""


def test_at_any_size_what_lies_on_a_place_stays_there_and_over_nothing_else(browser: Browser, tmp_path: Path) -> None:
    """Cards, a way in, a bonus, the Station, and that there is nothing to be had: as much as can come together."""

    def fill(state: Duel) -> None:
        state.seats[1].played, state.station = ["tea", "silk", "laboratory", ""], "church"
        state.church_row = [""] * 6

    def many(state: Duel) -> None:
        state.seats[1].played, state.station = ["laboratory", "laboratory", "", ""], "laboratory"

    strong: dict[str, Any] = {
        "improved": [False] * 3 + [True],
        "shops": ["bank", "church"],
        "houses": ["bank", "laboratory"],
    }
    crowded = table(
        fill, played=["bank", "port", "laboratory", ""], technologies=["tram"], church=["faith03"], **strong
    )
    building = play(table(fill, played=["laboratory", "laboratory", "copper", ""], yen=5), "laboratory", "none")
    strong = {"shops": ["laboratory"], "houses": ["laboratory"]}
    busy = table(many, played=["laboratory", "laboratory", "laboratory", ""], **strong)
    tab, page = browser.new_page(), tmp_path / "town.html"
    for match, least in ((crowded, ".d-pill"), (building, ".d-lots .lit"), (busy, ".d-many .d-sent")):
        page.write_text(on_disk(drawn(match, 0)), encoding="utf-8")
        tab.goto(page.as_uri())
        assert tab.locator(least).count() > 1
        for width, height in ((390, 844), (1000, 760), (1179, 800), (1280, 900), (1366, 768)):
            tab.set_viewport_size({"width": width, "height": height})
            assert tab.evaluate(ASTRAY) == [], (width, height)
    tab.close()


def showing(row: list[str]) -> Callable[[Duel], None]:
    return lambda state: setattr(state, "technology_row", row)


def test_at_any_size_a_technology_tells_what_it_does_and_costs_and_is_paid_for(
    browser: Browser, tmp_path: Path
) -> None:
    tab, page, cards = browser.new_page(), tmp_path / "laboratory.html", list(TECHNOLOGIES)
    for first in range(0, len(cards), 5):
        row = cards[first : first + 5]
        owned = [card for card in cards if card not in row][:5]  # from the fourth on one more is due
        mine: dict[str, Any] = {"yen": 8, "imports": 1, "flipped": 1, "technologies": owned}
        match = table(showing(row), played=["tea", "fish", "silk", ""], **mine)
        page.write_text(on_disk(drawn(play(match, "laboratory"), 0)), encoding="utf-8")
        tab.goto(page.as_uri())
        assert tab.locator(".d-technologies .d-ways button").count() > 3
        for width, height in ((390, 844), (1280, 900), (1366, 768), (1000, 760)):
            tab.set_viewport_size({"width": width, "height": height})
            assert tab.evaluate(CUT) == [], (width, height)
    tab.close()


# Badges of the Foreign Traders that lie over a word or a number there; a line is higher than its letters.
HIDING = """() => [...document.querySelectorAll(".d-traders .badge")].filter(badge => {
    const it = badge.getBoundingClientRect(), text = document.createRange();
    return it.width && [...badge.closest(".d-traders").querySelectorAll("h3, .d-word, b")].some(word => {
        text.selectNodeContents(word);
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return left < it.right && right > it.left && top + 3 < it.bottom && bottom - 3 > it.top;
    });
}).map(badge => badge.textContent)"""


def test_at_any_size_what_can_be_done_about_a_foreign_trader_hides_no_word(browser: Browser, tmp_path: Path) -> None:
    goals: dict[str, Any] = {"technologies": ["tram", "ball", "station"], "flipped": 2}
    match = play(table(played=["tea", "fish", "silk", ""], **goals), "copper")
    tab, page = browser.new_page(), tmp_path / "traders.html"
    page.write_text(on_disk(drawn(match, 0)), encoding="utf-8")
    tab.goto(page.as_uri())
    assert tab.locator(".d-traders .badge").count() == 3
    for width, height in ((390, 844), (1000, 760), (1280, 900), (1366, 768)):
        tab.set_viewport_size({"width": width, "height": height})
        assert tab.locator(".d-ready .badge").is_visible() == (width in (390, 1280)), "elsewhere a pointer tells"
        assert tab.evaluate(HIDING) == [], (width, height)
    tab.close()


def test_a_bonus_card_that_was_used_says_that_a_new_one_comes_and_can_be_seen() -> None:
    match = table(played=["tea", "silk", "copper", ""], shops=["bank"])
    html = drawn(match, 0, "bank", "bonus.b02")
    assert "see" in on_the_board(html)
    assert "used bonus card: a new one comes when the turn ends" in html


def test_the_orders_that_are_not_kept_go_under_the_deck_with_one_touch_or_as_one_likes() -> None:
    match = play(table(played=["tea", "fish", "", ""], yen=2), "port")
    page = fromstring(drawn(match, 0, "keep.o01"))
    assert page.xpath("//button[@name='last']/@value") == ["done done"]
    (detour,) = page.xpath("//div[@class='loose']//button[@value='done']")
    assert "order the rest" in detour.text_content()


@pytest.mark.parametrize("file", ["en.html", "short.en.html"])
def test_no_number_of_the_rules_is_typed_by_hand(file: str) -> None:
    """But for ones: a piece adds 1, a point is 1."""
    source = (ROOT / "templates/titles/duel/rules" / file).read_text("utf-8")
    text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<[^>]*>", " ", source, flags=re.DOTALL)
    assert set(re.findall(r"\d+", text)) <= {"1"}
    spelt = set(re.findall(r"\b(three|four|five|six|seven|eight|nine|ten)\b", text, flags=re.IGNORECASE))
    assert spelt <= {"three"}, "all three rewards of a bonus card"
