"""The table of Nippon: Zaibatsu on real positions: every phase, every number of players, both modules."""

import gzip
import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from lxml.html import document_fromstring
from playwright.sync_api import Browser

from engine import GAMES, Match
from engine.zaibatsu.state import AUTOMA
from service.post import words
from service.post.render import board_text
from service.web.table import Table
from tests.engine.zaibatsu.positions import play, position
from tests.look.laid import NAMES, ROOT, environment, lay, on_disk
from tests.look.test_templates import Page

TABLES: dict[str, tuple[int, dict[str, Any]]] = {
    "solo": (1, {"difficulty": "hard"}),
    "two": (2, {"sides": "random"}),
    "three-late": (3, {"late_factories": True, "sides": "random"}),
    "four-goals": (4, {"common_goals": True}),
}
REGIONS = ("North", "Kanto", "Kansai", "West")
ONE_IN = 6  # a choice in so many is random, so that questions come up which the built-in player avoids
WINDOWS = {
    "small": (320, 640),
    "phone": (390, 844),
    "tablet": (1000, 760),
    "low": (1366, 768),
    "desktop": (1280, 900),
    "wide": (1680, 1050),
}
DESKTOP = 960  # CSS pixels, from which all of the table is on one screen
TOUCH = 44  # as high as a finger needs it
SMALLEST = 11  # of a letter
PAGE, COMPRESSED = 160_000, 25_000  # bytes
LONG = "Bartholomew-Maximilian of the Northern Provinces"

LETTERS = r"(?<!\{)\b[A-Za-z]+\b(?!\})"  # not the name of a gap
RAW = re.compile(r"zaibatsu\.\w|\{\w+\}|None\b|Undefined")  # a key without words, a gap left open

# Questions that hardly ever come up in play, and how to get there; what stands after @ tells two of a kind apart.
RARE: dict[str, Callable[[], Match]] = {
    "keep": lambda: played(position(factories="paper3b", workers="red", coal=2, money=3), "consolidate favor.1.rd"),
    "salary": lambda: played(
        position(workers="red blue grey white yellow", silk=3), "consolidate favor.1.rd steps.1.0"
    ),
    "modifier@region": lambda: played(
        position(factories="lenses3a", iron=6, money=1), "trains worker.red train.0.0 train.1.1"
    ),
    "modifier": lambda: played(position(factories="bento3a bento3b", money=9), "mining worker.red steps.1"),
    "modifier@later": lambda: played(position(factories="cotton4a paper4a", money=10), "machines worker.red machine.0"),
    "offer@back": lambda: played(position(offered="clocks3b", rd=6, money=6), "factory worker.red ship.red"),
    "goods_from": lambda: played(position(factories="cotton1a:2 cotton2a:2"), "investment worker.red"),
    "market_return": lambda: played(
        position(
            factories="clocks1a:3",
            cities={0: ["clocks", "paper", "bento", "bulbs"]},
            tokens={(0, 1): "2@1", (0, 2): "2@0"},
        ),
        "markets worker.red space.0.0 goods.1.vp",
    ),
    "good_in": lambda: played(
        position(offered="bulbs1a", factories="cotton1a paper1a bento1a", rd=6, money=6), "factory worker.red"
    ),
    "build_any": lambda: played(position(offered="clocks1b", rd=6, money=6), "factory worker.red"),
    "offer": lambda: played(position(offered="lenses2a", rd=4, money=12, iron=2), "factory worker.red train.0.0"),
    "favor_full": lambda: position(workers="red red red red red red", money=5),
    "favor_stuck": lambda: position(workers="red blue"),
    "favor_no_workers": lambda: position(workers="red blue", hiring="", money=9),
    "favor_final": lambda: position(workers="red blue", money=3, state={"stage": "final"}),
    "old_factory": lambda: begun("old_factory"),
    "start_worker": lambda: begun("worker"),
}


def played(match: Match, choices: str) -> Match:
    """These choices made, as far as they are asked: what has only one answer is not."""
    for choice in choices.split():
        if choice in [option.id for option in match.pending[0].options]:
            play(match, choice)
    return match


def begun(token: str) -> Match:
    """A match in which the first to choose has taken this Starting token."""
    for seed in range(100):
        match = Match.start("zaibatsu", players=2, seed=seed)
        for option in match.pending[0].options:
            if option.id.startswith(f"pair.{token}."):
                return played(match, option.id)
    raise AssertionError(f"{token} is never among the Starting tokens")


def questions() -> set[str]:
    """Every question there are words for."""
    catalogue = (ROOT / "templates/titles/zaibatsu/words/en.toml").read_text(encoding="utf-8")
    asked = catalogue.partition("# Questions")[2].partition("# Answers")[0]
    return set(re.findall(r'^"(.*?)"', asked, re.MULTILINE))


@cache
def plays(table: str) -> list[tuple[str, bytes]]:
    """A whole match, saved at every question, and at its end."""
    players, options = TABLES[table]
    match, dice = Match.start("zaibatsu", players=players, seed=7, options=options), random.Random(7)
    saved = []
    while not match.over:
        asked = match.pending[0]
        saved.append((asked.prompt, match.save()))
        wild = dice.randrange(ONE_IN) == 0
        match.choose(asked.seat, dice.choice(asked.options).id if wild else match.bot_choice(asked.seat))
    return [*saved, ("over", match.save())]


def at(table: str, part: float) -> Match:
    """The match at a part of its length."""
    saved = plays(table)
    return Match.load(saved[int(part * len(saved))][1])


@cache
def moments(table: str) -> list[tuple[str, Table, Page]]:
    """The last position at which each question was asked, and the end: the table and the page."""
    found = []
    for prompt, data in dict(plays(table)).items():
        context = laid(Match.load(data))
        found.append((prompt, context, Page(drawn(context))))
    return found


def laid(match: Match, spectator: bool = False) -> Table:
    """The whole table for whoever is asked first, or for a spectator."""
    return lay(match, None if spectator else match.pending[0].seat if match.pending else 0)


def drawn(table: Table) -> str:
    return environment().get_template("table.html").render(**table.shown())


def buttons(drawing: Page) -> set[str]:
    return {button["value"] for button in drawing.all("button", name="option")}


@pytest.mark.parametrize("table", TABLES)
def test_every_phase_is_drawn_and_every_option_is_a_button(table: str) -> None:
    for prompt, context, drawing in moments(table):
        offered = {way.value for way in (*context.bar.options, *context.bar.onward)} if context.bar else set()
        assert buttons(drawing) == offered, prompt
        for tag, attributes in drawing.elements:
            assert "style" not in attributes, tag
            assert not [name for name in attributes if name.startswith("on")], tag
        ids = [attributes["id"] for _, attributes in drawing.elements if "id" in attributes]
        assert len(ids) == len(set(ids)), "an id stands twice"
        parts = [own["data-part"].partition(".")[0] for _, own in drawing.elements if "data-part" in own]
        assert len(parts) == len(set(parts)), "a part stands twice"


@pytest.mark.parametrize("table", TABLES)
def test_a_page_is_small_enough_for_a_phone_far_away(table: str) -> None:
    for prompt, _, drawing in moments(table):
        html = drawing.html.encode()
        assert len(html) <= PAGE, prompt
        assert len(gzip.compress(html)) <= COMPRESSED, prompt


@pytest.mark.parametrize("question", RARE)
def test_rare_questions_are_drawn_in_words(question: str) -> None:
    match = RARE[question]()
    asked, context = match.pending[0], laid(match)
    assert asked.prompt == f"zaibatsu.{question.split('@')[0]}"
    text = " ".join(Page(drawn(context)).text.split())
    assert not RAW.search(text), RAW.findall(text)
    assert context.bar is not None
    said = [context.bar.prompt, *(option.label for option in context.bar.options)]
    said += [option.hint for option in context.bar.options if option.hint]
    assert all(words in text for words in said)


def test_every_question_there_are_words_for_is_drawn() -> None:
    common = {prompt for table in TABLES for prompt, _ in plays(table)} - {"over"}
    assert common | {f"zaibatsu.{question.split('@')[0]}" for question in RARE} == questions()


@pytest.mark.parametrize("table", TABLES)
def test_no_page_shows_a_raw_key(table: str) -> None:
    for prompt, _, drawing in moments(table):
        assert not RAW.search(drawing.text), prompt


@pytest.mark.parametrize("table", TABLES)
def test_everything_that_has_a_place_is_chosen_by_touching_it(table: str) -> None:
    """What leads on is touched together with what it leads to."""
    for prompt, context, drawing in moments(table):
        touched = {button["value"] for button in drawing.all("button", form="choose", name="option")}
        ways = (*context.bar.onward, *context.bar.options) if context.bar else ()
        led = {way.value.partition(" ")[0] for way in ways if way.via}
        assert touched == {way.value for way in ways if way.spots and way.value not in led}, prompt


def test_a_worker_is_hired_together_with_an_action_of_its_space() -> None:
    match = position(hiring=["red blue", "", "", "", ""], money=3, coal=2, factories="cotton1a", workers="red")
    drawing = Page(drawn(laid(match)))
    assert {"rd worker.blue", "rd worker.red", "production worker.blue", "production worker.red"} <= buttons(drawing)
    assert "Salaries" in drawing.text
    assert "no worker left" in drawing.text


def test_a_market_tells_what_a_delivery_would_change_for_everybody() -> None:
    match = position(
        factories="clocks1a:2",
        cities={0: ["clocks", "paper", "bento", "bulbs"]},
        tokens={(0, 0): "5@1"},
        state={"round": 5},
    )
    play(match, "markets worker.red")
    drawing = Page(drawn(laid(match)))
    text = " ".join(drawing.text.split())
    assert {way.split(".")[-2] for way in buttons(drawing) if way.startswith("space.0.0 ")} <= {"2"}, "5 beats no 5"
    assert "Sapporo asks for clocks" in text
    assert "0 → 6" in text
    assert "5 → 0" in text


def test_a_market_promises_the_automa_no_points() -> None:
    goods = ["clocks", "paper", "bento", "bulbs"]
    match = position(1, factories="clocks1a:2", cities={0: goods}, tokens={(0, 1): f"3@{AUTOMA}"}, state={"round": 5})
    play(match, "markets worker.red")
    told = card(match, "city:0:0")
    assert "the Automa 3" in told
    assert not re.search(r"the Automa 3 \d+ VP", told)


def card(match: Match, spot: str) -> str:
    """What is read where a place is touched."""
    (place,) = document_fromstring(drawn(laid(match))).xpath(f"//*[@data-spot='{spot}']")
    return " ".join(place.text_content().split())


@pytest.mark.parametrize(
    ("action", "what", "spot", "brings"),
    [
        ("ships", "ship.to", "destination:london", "Your blue Department then gives 5 money instead of 3."),
        ("trains", "train.in", "train:north:0", "Gives 1 coal."),
    ],
)
def test_where_the_ways_to_pay_are_chosen_it_says_once_what_is_paid_for(
    action: str, what: str, spot: str, brings: str
) -> None:
    match = position(iron=4, money=5)
    play(match, f"{action} worker.red")
    told = card(match, spot)
    assert brings in told
    assert told.count(words.say(f"zaibatsu.{what}", {"place": spot.split(":")[1], "n": 1})) == 1, "over the ways to pay"


def test_after_the_last_scoring_nobody_is_promised_points_for_influence() -> None:
    assert 'class="z-now"' in drawn(laid(RARE["favor_full"]()))
    assert 'class="z-now"' not in drawn(laid(RARE["favor_final"]()))


@pytest.mark.parametrize(("stage", "ends"), [("turn", True), ("final", False)])
def test_when_nobody_hires_any_more_nothing_is_promised_of_the_queue(stage: str, ends: bool) -> None:
    match = position(workers="red blue", money=9, queue="", state={"stage": stage})
    told = Page(drawn(laid(match))).text
    assert (words.say("zaibatsu.table.queue_empty") in told) is ends
    assert (words.say("zaibatsu.panel.queue") in told) is ends


@pytest.mark.parametrize("spot", ["hiring:0:red", "action:rd"])
def test_whoever_would_end_a_round_reads_it_where_they_hire(spot: str) -> None:
    match = position(hiring=["red", *["red blue"] * 4], queue="", money=9, coal=9, factories="cotton1a")
    assert words.say("zaibatsu.ends.round") in card(match, spot)


def test_spectators_see_the_table_without_anything_to_choose() -> None:
    for table in TABLES:
        drawing = Page(drawn(laid(at(table, 0.5), spectator=True)))
        assert buttons(drawing) == set()
        assert all(region in drawing.text for region in REGIONS)


@pytest.mark.parametrize("table", TABLES)
def test_the_text_names_every_region_and_factory_and_stays_narrow(table: str) -> None:
    for prompt, context, _ in moments(table):
        view = context.view
        text = board_text("zaibatsu", view, [LONG, *NAMES[1:]][: len(view["seats"])])
        assert all(len(row) <= 72 for row in text.splitlines()), prompt
        assert all(region in text for region in REGIONS)
        flat = " ".join(text.split())
        free = [row for column in view["supply"] for row in column["tiles"] if row["owner"] is None]
        for row in [*free, *(row for board in view["seats"] for row in board["factories"])]:
            name = words.say(f"zaibatsu.tile.{row['tile']}").replace(" Factory", "")
            assert (f"Old {row['good']}" if row["tile"].endswith("0o") else name) in flat, row["tile"]
            done = row["kind"] == "immediate" and row not in free
            assert done or words.say(f"zaibatsu.effect.{row['tile']}") in flat, (
                "an effect that is over need not be told"
            )


def blotted(said: words.Plural | str) -> words.Plural | str:
    """A sentence whose own letters cannot be read; what is put into it is left."""
    if isinstance(said, words.Plural):
        return words.Plural(said.category, {name: re.sub(LETTERS, "*", form) for name, form in said.forms.items()})
    return re.sub(LETTERS, "*", said)


@pytest.mark.parametrize("table", TABLES)
def test_the_text_takes_all_its_words_from_the_catalogue(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = words.Catalogue({key: blotted(said) for key, said in words.catalogue().items()})
    monkeypatch.setattr(words, "catalogue", lambda *speech: foreign)
    for prompt, data in dict(plays(table)).items():
        view = Match.load(data).view(0)
        text = board_text("zaibatsu", view, ["1", "2", "3", "4"][: len(view["seats"])])
        assert not re.findall("[A-Za-z]+", re.sub(r"\[\w+\]", "", text)), prompt  # codes are the same in any language


@pytest.mark.parametrize("table", TABLES)
def test_what_lies_still_is_drawn_as_it_would_be_drawn_anew(table: str) -> None:
    class Everything(frozenset[str]):
        def __contains__(self, spot: object) -> bool:
            return True

    for prompt, context, kept in moments(table):
        anew = environment().get_template("table.html").render(context.shown() | {"astir": Everything()})
        assert kept.html.split() == anew.split(), prompt


@pytest.mark.parametrize("table", TABLES)
def test_the_board_says_what_everybody_would_score_in_every_region(table: str) -> None:
    match = at(table, 0.67)
    html = drawn(laid(match))
    for region in match.view(0)["regions"]:
        chart = html.partition(f'data-part="chart-{region["id"]}.')[2].partition("</table>")[0]
        bar, points = r'data-gauge="i[^>]*>(\d+)</span></td>', r"\s*<td>(?:<b data-count[^>]*>(\d+|–)</b>)?"
        told = re.findall(bar + points, chart)
        players = [(str(row["influence"]), str(row["vp"] or "–")) for row in region["standing"][: match.players]]
        assert told[: match.players] == players


def test_what_is_new_is_marked_on_the_board_and_on_the_boards_of_the_others() -> None:
    saved = plays("four-goals")
    turns = [data for prompt, data in saved if prompt == "zaibatsu.turn"]
    before, after = Match.load(turns[20]), Match.load(turns[24])
    context = laid(after)
    spots = GAMES["zaibatsu"].changes(before.view(context.me), after.view(context.me))
    assert not marked(drawn(context))
    shown = replace(context, changed=frozenset(spots))
    assert marked(drawn(shown)) == {spot for spot in spots if "/" not in spot}
    others = {spot.partition("/")[0] for spot in spots if "/" in spot}
    assert others, "somebody else's board has changed"
    for no in others:
        assert marked(sheet(shown, int(no))) == {spot for spot in spots if spot.startswith(f"{no}/")}


def sheet(table: Table, no: int) -> str:
    """Another player's board, as it is fetched when their name is touched."""
    return environment().get_template("sheet.html").render(**table.shown(), no=no)


def marked(html: str) -> set[str]:
    classes = ((attributes, attributes.get("class", "").split()) for _, attributes in Page(html).elements)
    return {attributes["data-spot"] for attributes, own in classes if "changed" in own}


@pytest.mark.parametrize("table", TABLES)
def test_the_board_of_another_player_is_the_whole_board_with_nothing_to_choose(table: str) -> None:
    context = laid(at(table, 0.6))
    for no in range(len(context.people)):
        drawing = Page(sheet(context, no))
        assert buttons(drawing) == set()
        assert not RAW.search(drawing.text)


def test_workers_never_differ_by_colour_alone() -> None:
    html = drawn(laid(at("four-goals", 0.4)))
    signs = dict(re.findall(r'<symbol id="z-(\w+)" viewBox="0 0 36 40"><use [^>]*>\s*<text[^>]*>(\w?)</text>', html))
    workers = re.findall(r'<svg class="z-pawn w-(\w+)"[^>]*>\s*<use href="#z-(\w+)"', html)
    assert len(workers) == html.count('class="z-pawn w-')
    letters = {colour: signs[sign] for colour, sign in workers}
    assert len(set(letters.values())) == len(letters) > 3


def test_the_rules_page_gives_the_provenance_of_every_table() -> None:
    title = GAMES["zaibatsu"]
    box = title.load_box(None)
    drawing = Page(environment().get_template("titles/zaibatsu/rules/en.html").render(title=title, box=box))
    for name in box.tables.__struct_fields__:
        assert getattr(box.tables, name).source in drawing.text, name


@pytest.mark.parametrize("table", TABLES)
def test_nothing_scrolls_sideways_text_can_be_read_and_lit_places_touched(
    table: str, browser: Browser, tmp_path: Path
) -> None:
    tab = browser.new_page()
    for prompt, data in list(dict(plays(table)).items())[::4]:
        page = tmp_path / f"{prompt}.html"
        page.write_text(on_disk(drawn(laid(Match.load(data)))), encoding="utf-8")
        tab.goto(page.as_uri())
        for window, (width, height) in WINDOWS.items():
            tab.set_viewport_size({"width": width, "height": height})
            panes = tab.evaluate(MEASURED, {"letter": SMALLEST, "touch": TOUCH})
            assert len(panes) > 1 or width >= DESKTOP, (prompt, window, "a pane behind each tab")
            for seen in panes:
                assert seen["wide"] <= width, (prompt, window)
                assert seen["small"] == [], (prompt, window)
                assert seen["bursting"] == [], (prompt, window)
                assert width < DESKTOP or seen["spilt"] == [], (prompt, window)
                assert width < DESKTOP or seen["unseen"] <= 1, (prompt, window, "of everybody's counters")
                assert window != "phone" or seen["narrow"] == [], (prompt, window)
                assert width < DESKTOP or seen["high"] <= height, (prompt, window)
    tab.close()


def test_what_is_drawn_in_signs_tells_what_it_is_and_all_that_is_lit_is_in_sight(
    browser: Browser, tmp_path: Path
) -> None:
    match = position(factories="cotton4b paper3b", workers="red blue", money=9)
    page = tmp_path / "favor.html"
    page.write_text(on_disk(drawn(laid(played(match, "consolidate")))), encoding="utf-8")
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    tab = phone.new_page()
    tab.goto(page.as_uri())
    header, thumb = (tab.locator(part).bounding_box() for part in ("header.top", ".thumb"))
    assert header is not None
    assert thumb is not None
    for place in tab.locator(".stage .lit:visible").all():
        box = place.bounding_box()
        assert box is not None
        assert header["height"] <= box["y"] <= box["y"] + box["height"] <= thumb["y"]
    told = tab.locator(".peeking")
    tab.locator("[data-spot='own_factory:1']").tap()
    sheet = told.bounding_box()
    assert words.say("zaibatsu.effect.paper3b") in " ".join(told.inner_text().split())
    assert sheet is not None
    assert 374 - sheet["width"] < 1, "as wide as the screen, less its edges"
    assert 0 < thumb["y"] - sheet["y"] - sheet["height"] < 12, "above the tabs"
    tab.locator(".z-caption").first.tap()
    assert told.count() == 0
    phone.close()
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    tab.goto(page.as_uri())
    tab.locator("[data-spot='own_factory:0']").hover()
    assert words.say("zaibatsu.effect.cotton4b") in " ".join(tab.locator(".peeking").inner_text().split())
    tab.locator(".z-caption").first.hover()
    assert tab.locator(".peeking").count() == 0
    tab.close()


SIGNS = {
    1: (
        ".z-port",
        ".z-plate",
        ".z-departments .place",
        ".z-crew small",
        ".z-track b[data-tells]",
        ".z-pieces b",
        ".z-hand",
    ),
    2: (".z-side", ".z-rail"),
    3: (".z-tile",),
}


def test_whoever_does_not_know_the_signs_learns_them_by_pointing_or_touching(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "signs.html"
    page.write_text(on_disk(drawn(laid(at("four-goals", 0.5)))), encoding="utf-8")
    wide = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    phone = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    for tab, at_table in ((wide, (*SIGNS[1], ".z-counters", ".z-mini", ".z-rounds")), (phone, SIGNS[1][:2])):
        tab.goto(page.as_uri())
        for pane, signs in {**SIGNS, 1: at_table}.items():
            tab.locator(f".tabs label:nth-child({pane})").click()
            for sign in signs:
                shown = tab.locator(f"{sign}:not(.lit):visible").first
                if tab is wide:
                    shown.hover()
                else:
                    shown.tap()
                label = " ".join((shown.get_attribute("aria-label") or "").split())
                assert label, sign
                told = " ".join(tab.locator(".peeking").inner_text().split())
                assert told.casefold() == label.casefold(), sign
        tab.close()


def test_on_a_desktop_all_ways_to_pay_the_salaries_are_in_sight_and_workers_in_the_bag_can_be_hit(
    browser: Browser, tmp_path: Path
) -> None:
    tab, page = browser.new_page(viewport={"width": 1280, "height": 900}), tmp_path / "rare.html"
    page.write_text(on_disk(drawn(laid(RARE["salary"]()))), encoding="utf-8")
    tab.goto(page.as_uri())
    chips = tab.locator(".loose").evaluate(
        "(el) => [el.scrollWidth - el.clientWidth, el.scrollHeight - el.clientHeight]"
    )
    assert max(chips) <= 1
    page.write_text(on_disk(drawn(laid(RARE["start_worker"]()))), encoding="utf-8")
    tab.goto(page.as_uri())
    for worker in tab.locator(".z-bag .lit").all():
        box = worker.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 30
    tab.close()


def test_with_all_goods_at_once_a_phone_shows_each_and_every_market_where_it_is(
    browser: Browser, tmp_path: Path
) -> None:
    everything = " ".join(f"{good}1a:4" for good in ("cotton", "paper", "bento", "lenses", "bulbs", "clocks"))
    rich = position(4, factories=everything, coal=12, silk=10, iron=11, money=12)
    page = tmp_path / "rich.html"
    page.write_text(on_disk(drawn(laid(played(rich, "markets worker.red")))), encoding="utf-8")
    tab = browser.new_page()
    for name in ("small", "phone"):
        width, height = WINDOWS[name]
        tab.set_viewport_size({"width": width, "height": height})
        tab.goto(page.as_uri())
        held = [item.bounding_box() for item in tab.locator(".have p > *").all()]
        assert len(held) == 4 + 6 + 1
        boxes = [(box["y"], box["x"], box["x"] + box["width"]) for box in held if box]
        assert all(left >= 0 and right <= width for _, left, right in boxes)
        assert all(y != later or right <= left for (y, _, right), (later, left, _) in pairwise(boxes))
        assert name != "phone" or len({y for y, _, _ in boxes}) == 1, "in one line"
    beside = """all => all.map(place => {
        const [outer, inner] = [place, place.querySelector("i")].map(e => e.getBoundingClientRect());
        return Math.abs(outer.top + outer.bottom - inner.top - inner.bottom) / 2;
    })"""
    assert max(tab.locator(".z-side.lit").evaluate_all(beside)) <= 2
    tab.close()


def test_a_factory_that_is_built_leaves_its_room_on_a_phone_so_that_nothing_moves_up(
    browser: Browser, tmp_path: Path
) -> None:
    """Among two there is room for words, which are not equally long."""
    tab = browser.new_page(viewport={"width": 390, "height": 844})
    page, tops = tmp_path / "supply.html", []
    for offered, built in (("bento1a bento1b bulbs1a", ""), ("bento1a bulbs1a", "bento1b")):
        match = position(offered=offered, factories=built, rd=6, money=9)
        page.write_text(on_disk(drawn(laid(match))), encoding="utf-8")
        tab.goto(page.as_uri())
        tab.locator(".tab", has_text="Factories").click()
        box = tab.locator('[data-spot="factory:bulbs1a"]').bounding_box()
        assert box is not None
        tops.append(box["y"])
    assert abs(tops[0] - tops[1]) <= 3
    tab.close()


# Every pane of a page, in one trip to the browser; where all of them lie side by side, no tab is to be seen.
MEASURED = """least => {
    const all = selector => [...document.querySelectorAll(selector)];
    const says = e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    const words = all(".stage *, .people *").filter(e => says(e) && !e.closest("svg, .visually-hidden"));
    const lit = all(".stage .lit");
    const drawn = e => !e.closest("svg, .card, .peek, .badge");
    const holders = all(".z-plank, .z-port, .z-region, .z-queue, .z-tile")
        .map(e => [e, [...e.querySelectorAll("*")].filter(drawn)]);
    lit.forEach(e => e.removeAttribute("name")); /* all may lie open at once: laid out once, not once for each */
    const measure = pane => {
        pane.checked = true;
        const boxes = lit.filter(e => e.checkVisibility()).map(e => [e.dataset.spot, e.getBoundingClientRect()]);
        const seen = {
            wide: document.getElementById("main").scrollWidth,
            high: document.documentElement.scrollHeight,
            small: words.filter(e => e.checkVisibility())
                .filter(e => parseFloat(getComputedStyle(e).fontSize) < least.letter - 0.01)
                .map(e => e.outerHTML.slice(0, 120)),
            unseen: document.querySelector(".people").scrollHeight - document.querySelector(".people").clientHeight,
            spilt: holders.filter(([e]) => e.checkVisibility()).filter(([e, inside]) => {
                const { bottom, right } = e.getBoundingClientRect();
                const boxes = inside.filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect());
                return boxes.some(box => box.height && (box.bottom > bottom + 1.5 || box.right > right + 1.5));
            }).map(([e]) => e.className + ": " + e.textContent.trim().slice(0, 30)),
            narrow: boxes.filter(([, box]) => box.height < least.touch - 0.5 || box.width < 20)
                .map(([spot, box]) => [spot, box.width, box.height]),
        };
        const places = lit.filter(e => e.checkVisibility() && e.matches("details"));
        const open = yes => places.forEach(place => { place.open = yes; });
        open(true);
        seen.bursting = places.map(e => [e.dataset.spot, e.querySelector(".card")])
            .filter(([, card]) => card.scrollWidth > card.clientWidth + 1).map(([spot]) => spot);
        open(false);
        return seen;
    };
    const tabs = all(".tabs input");
    return (document.querySelector(".tabs").checkVisibility() ? tabs : tabs.slice(0, 1)).map(measure);
}"""
