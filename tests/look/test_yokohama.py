"""The table of Yokohama as pages, letters and rules show it: drawn from true positions of the engine."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jinja2 import Environment
from playwright.sync_api import Browser
from playwright.sync_api import Page as BrowserPage

from engine import GAMES, Match
from service.post import render, words
from service.post.language import speaking
from service.web.table import Table, choices
from tests.look.preview import on_disk
from tests.look.scenery import GAME, bar, page, people
from tests.look.test_templates import Page

NAMES = ["Aiko", "Bruno", "Chidi <b>", "Dana"]
EDITIONS = ("dlp", "okazu")
PROMPTS = (
    "yokohama.ask.keep",
    "yokohama.ask.opening",
    "yokohama.ask.place",
    "yokohama.ask.go",
    "yokohama.ask.route",
    "yokohama.ask.recall",
    "yokohama.ask.order",
    "yokohama.ask.second_order",
    "yokohama.ask.tech",
    "yokohama.ask.warehouse",
    "yokohama.ask.exchange",
    "yokohama.ask.church",
    "yokohama.ask.customs",
    "yokohama.ask.offer",
    "yokohama.ask.token",
    "yokohama.ask.build",
    "yokohama.ask.any",
    "yokohama.ask.move",
    "yokohama.ask.closing",
)
NAMED: Any = render.environment().get_template("titles/yokohama/names.txt").module
SHAPES = [(players, edition) for players in (2, 3, 4) for edition in EDITIONS]


@pytest.fixture(autouse=True)
def edition_spoken(request: pytest.FixtureRequest) -> Iterator[None]:
    """A table is shown in the dialect of its edition."""
    with speaking("en", request.getfixturevalue("edition") if "edition" in request.fixturenames else "dlp"):
        yield


@cache
def environment() -> Environment:
    env = render.environment().overlay()
    env.globals = {
        **env.globals,
        "url_for": lambda endpoint, **values: "/".join(["", endpoint, *map(str, values.values())]),
        "csrf_token": lambda: "c5rf",
    }
    return env


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


def context(match: Match, seat: int | None) -> Table:
    decision = next((d for d in match.pending if d.seat == seat), None)
    state = bar(words.prompt(decision, NAMES), *choices(decision, NAMES)) if decision else None
    told = [replace(person, name=NAMES[person.no]) for person in people(None, seat)[: match.players]]
    game = replace(GAME, kind="yokohama", title="Yokohama")
    return page(state, match.view(seat), people=told, game=game, changed=frozenset({"area:bank", "church:1"}), since=[])


def shown(match: Match, seat: int | None) -> Page:
    return Page(environment().get_template("table.html").render(**context(match, seat).shown()))


def open_page(tab: BrowserPage, match: Match, folder: Path) -> None:
    """The table as the seat to move sees it, in a browser."""
    html = environment().get_template("table.html").render(**context(match, match.pending[0].seat).shown())
    sheet = folder / "table.html"
    sheet.write_text(on_disk(html), encoding="utf-8")
    tab.goto(sheet.as_uri())


def asked(prompt: str) -> Match:
    """Somewhere somebody was asked this: mostly among sensible moves, else among wild ones."""
    for players, edition in SHAPES:
        if prompt in played(players, edition):
            return Match.load(played(players, edition)[prompt])
    for seed in range(40):
        match, random = Match.start("yokohama", players=4, seed=seed), Random(seed)
        while match.pending:
            decision = match.pending[0]
            if decision.prompt == prompt:
                return match
            wild = random.random() < 0.5
            match.choose(decision.seat, random.choice(decision.options).id if wild else match.bot_choice(decision.seat))
    raise AssertionError(f"never asked: {prompt}")


@pytest.mark.parametrize("prompt", PROMPTS)
def test_every_choice_that_has_a_place_is_a_button_there_and_every_choice_is_in_the_bar(prompt: str) -> None:
    match = asked(prompt)
    decision = match.pending[0]
    drawn = shown(match, decision.seat)
    buttons = drawn.all("button", type="submit", name="option")
    in_place = {button["value"] for button in buttons if button.get("form") == "choose"}
    in_the_bar = {button["value"] for button in buttons if "form" not in button}
    assert in_place == {option.id for option in decision.options if option.spots}
    assert in_the_bar == {option.id for option in decision.options}


@pytest.mark.parametrize(("players", "edition"), SHAPES)
def test_every_question_and_the_end_are_drawn_for_all_readers_within_the_content_policy(
    players: int, edition: str
) -> None:
    for position in played(players, edition).values():
        match = Match.load(position)
        for seat in (match.pending[0].seat if match.pending else 0, None):
            drawn = shown(match, seat)
            ids = [attributes["id"] for _, attributes in drawn.elements if "id" in attributes]
            assert len(ids) == len(set(ids))
            targets = {*ids, "choose"}
            assert len(drawn.all("script")) == 1
            for tag, attributes in drawn.elements:
                assert "style" not in attributes
                if tag == "use" or attributes.get("href", "").startswith("#"):
                    assert attributes["href"].removeprefix("#") in targets
                if tag == "svg":
                    assert attributes.get("aria-hidden") == "true" or attributes.get("aria-label")


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
            assert f"\n  {NAMED.place(area['id'])} (" in text
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
    view = asked("yokohama.ask.go").view(0)
    untrimmed = render.environment().overlay(trim_blocks=False, lstrip_blocks=False)
    text = untrimmed.get_template("titles/yokohama/text.txt").render(view=view, names=NAMES)
    assert text.strip("\n") == render.board_text("yokohama", view, NAMES)


def test_the_first_order_of_another_player_is_on_no_page_of_mine() -> None:
    match = Match.load(played(2, "dlp")["yokohama.ask.keep"])
    others = {card["id"] for card in match.view(1)["seats"][1]["dealt"]}
    drawn = environment().get_template("table.html").render(**context(match, 0).shown())
    assert others
    assert not any(f'value="keep.{card}"' in drawn for card in others)


@pytest.mark.parametrize(("players", "edition"), SHAPES)
def test_the_names_on_the_map_can_be_read_on_a_phone(
    players: int, edition: str, browser: Browser, tmp_path: Path
) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 844})
    open_page(tab, Match.load(played(players, edition)["yokohama.ask.place"]), tmp_path)
    names = tab.evaluate(
        """() => [...document.querySelectorAll(".yo-cell")].map((cell) => {
          const name = cell.querySelector(".cell-name");
          const box = name.getBoundingClientRect(), around = cell.getBoundingClientRect();
          const scale = around.width / cell.viewBox.baseVal.width;
          const inside = box.left >= around.left && box.right <= around.right;
          return [name.textContent, parseFloat(getComputedStyle(name).fontSize) * scale, inside];
        })"""
    )
    assert len(names) == (10, 14, 18)[players - 2]
    assert all(pixels >= 11 and inside for _, pixels, inside in names), names
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    tab.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_an_area_explains_itself_when_it_is_tapped_on_the_map(width: int, browser: Browser, tmp_path: Path) -> None:
    tab = browser.new_page(viewport={"width": width, "height": 844})
    open_page(tab, Match.load(played(4, "dlp")["yokohama.ask.go"]), tmp_path)
    cells = tab.locator(".yo-map a.spot")
    tile, another = (tab.locator(cells.nth(n).get_attribute("href") or "") for n in (0, 1))
    assert not tile.is_visible()
    tab.locator(".bar summary").click()  # folded away, so that the whole map is in reach
    cells.nth(0).click()
    assert tile.is_visible()
    assert "It touches" in tile.inner_text()
    assert not another.is_visible()
    tab.get_by_text("All areas in full").click()
    assert another.is_visible()
    tab.close()


def test_the_area_with_something_to_choose_in_it_shows_by_itself(browser: Browser, tmp_path: Path) -> None:
    tab = browser.new_page(viewport={"width": 390, "height": 844})
    match = asked("yokohama.ask.build")
    open_page(tab, match, tmp_path)
    assert tab.locator(".yo-area:visible").count() == 1
    assert tab.locator(".yo-area:visible button.lit").count() > 0
    tab.close()


def test_on_a_wide_screen_both_columns_are_about_as_long(browser: Browser, tmp_path: Path) -> None:
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    open_page(tab, Match.load(played(4, "dlp")["yokohama.ask.go"]), tmp_path)
    left, right = tab.evaluate(
        "[...document.querySelectorAll('.wrap.table > .stack')]"
        ".map(e => Math.max(...[...e.children].map(child => child.getBoundingClientRect().bottom)))"
    )
    people = tab.locator("#people").bounding_box()
    church = tab.locator("#at-church-track").bounding_box()
    assert people is not None
    assert church is not None
    assert people["y"] < church["y"]
    assert 0.6 < left / right < 1.6
    tab.close()


def test_names_cannot_break_out_of_the_page() -> None:
    match = Match.load(played(4, "dlp")["over"])
    assert "Chidi <b>" not in environment().get_template("table.html").render(**context(match, 0).shown())


def test_the_rules_page_says_where_every_table_comes_from_and_what_every_technology_does() -> None:
    title = GAMES["yokohama"]
    box = title.load_box(None)
    drawn = Page(environment().get_template("titles/yokohama/rules/en.html").render(title=title, box=box))
    for name in box.tables.__struct_fields__:
        assert getattr(box.tables, name).source in drawn.text
    for tech in box.techs.values():
        assert words.say(f"yokohama.effect.{tech.name}") in drawn.text
    assert not any("style" in attributes for _, attributes in drawn.elements)
