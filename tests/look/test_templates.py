"""The table page in every state: what it promises to the policy, and to those without JavaScript or without eyes."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from service.web.table import Table
from tests.look.preview import ROOT, environment, render
from tests.look.scenery import STATES

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
FORM_FIELDS = {"csrf_token", "version", "step"}
PAGES = [path for path in (ROOT / "templates").rglob("*.*") if path.parent.name != "letters" and path.suffix != ".toml"]


class Page(HTMLParser):
    """A page's elements, with their text; complains about tags that do not match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        return [own for name, own in self.elements if name == tag and attributes.items() <= own.items()]


@pytest.fixture(params=list(STATES))
def state(request: pytest.FixtureRequest) -> Table:
    return STATES[request.param]()


@pytest.fixture
def page(state: Table) -> Page:
    return Page(render("table.html", state))


def test_no_page_carries_inline_styles_or_scripts(page):
    for tag, attributes in page.elements:
        assert "style" not in attributes, tag
        assert tag != "style"
        assert not [name for name in attributes if name.startswith("on")], tag
        assert tag != "script" or attributes.get("src"), "a script of its own"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_template_of_a_page_carries_inline_styles_or_scripts(path: Path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<style\b|\sstyle\s*=|<script(?![^>]*\bsrc=)|\son[a-z]+\s*=\s*[\"']", text)


def test_every_option_is_a_button_that_works_without_javascript(state, page):
    offered = {option.value for option in (*state.bar.options, *state.bar.onward)} if state.bar else set()
    buttons = page.all("button", type="submit", name="option")
    assert {button["value"] for button in buttons if not button["value"].startswith("@")} == offered
    if state.bar:
        form = page.all("form", id="choose", method="post", action=state.urls["choose"])
        assert len(form) == 1
        assert {field["name"] for field in page.all("input", type="hidden")} == FORM_FIELDS
        assert all(button.get("form", "choose") == "choose" for button in buttons)


def test_every_lit_place_can_be_tapped(state, page):
    on_the_board = [button["value"] for button in page.all("button", type="submit", name="option", form="choose")]
    assert sorted(on_the_board) == sorted(choice.value for choices in state.lit.values() for choice in choices)


def test_what_is_not_possible_is_shown_with_its_reason(state, page):
    blocked = state.bar.blocked if state.bar else ()
    assert all(no.label in page.text and no.reason in page.text for no in blocked)


def test_a_complete_turn_has_one_way_to_be_sent_and_a_way_back(state, page):
    ready = state.bar is not None and (state.bar.done or state.bar.held)
    undoable = state.bar is not None and bool(state.bar.chosen)
    assert len(page.all("button", formaction=state.urls["send"])) == int(ready)
    assert len([back for back in page.all("button", formaction=state.urls["undo"]) if "disabled" not in back]) == int(
        undoable
    )
    assert ("no way back" in page.text) == bool(state.bar and state.bar.held)


def test_ids_are_unique_and_what_refers_to_them_finds_them(page):
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.elements:
        if tag == "use":
            assert attributes["href"].removeprefix("#") in ids
        for name in ("aria-labelledby", "form", "for"):
            assert attributes.get(name, ids[0]) in ids, f"{tag} {name}"


def test_drawings_are_told_in_words_or_left_to_the_words_beside_them(page):
    for attributes in page.all("svg"):
        assert attributes.get("aria-hidden") == "true" or (attributes.get("role") == "img" and attributes["aria-label"])


def test_names_that_try_to_break_out_stay_text(state, page):
    assert len(page.all("script")) == 1, "the page's own"
    for person in state.people:
        assert person.name in page.text


def test_a_page_that_waits_follows_and_one_that_is_over_does_not():
    assert 'data-pulse="/g/k7f3/pulse" data-version="27"' in render("table.html", STATES["waiting"]())
    assert "data-pulse" not in render("table.html", STATES["over"]())


def test_the_browser_tab_says_whose_turn_it_is():
    assert "<title>● Your turn" in render("table.html", STATES["your_turn"]())
    assert "icon-turn.svg" in render("table.html", STATES["your_turn"]())
    assert "icon-turn.svg" not in render("table.html", STATES["waiting"]())


LETTER = """{% extends "letters/base.KIND" %}{% block body %}It is <your> turn, {{ name }}.{% endblock %}"""
SENT = {"title": "Traders of Osaka", "game": None, "base_url": "https://example.org", "name": "<b>"}


@pytest.mark.parametrize("link", [None, "https://example.org/l/abc"])
@pytest.mark.parametrize("kind", ["html", "txt"])
def test_a_letter_has_its_link_its_way_out_and_no_tables(kind, link):
    env = environment().overlay(autoescape=kind == "html")
    made = env.from_string(LETTER.replace("KIND", kind)).render(
        link=link, unsubscribe="https://example.org/u/1", **SENT
    )
    assert "https://example.org/u/1" in made
    assert ("https://example.org/l/abc" in made) == bool(link)
    assert "<table" not in made
    assert "<script" not in made
    assert ("&lt;b&gt;" in made) == (kind == "html")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def schemes() -> dict[str, dict[str, str]]:
    css = (ROOT / "service/web/static/hikyaku.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2]
    light, dark = (
        {name: f"#{''.join(c * 2 for c in value)}" if len(value) == 3 else f"#{value}" for name, value in found}
        for found in (re.findall(r"--([a-z0-9-]+): #([0-9a-f]{6}|[0-9a-f]{3});", block) for block in blocks)
    )
    return {"light": light, "dark": light | dark}


GROUNDS = ("paper", "card", "well")
INKS = ("ink", "soft", "indigo-ink", "vermilion-ink", "leaf-ink", "gold-ink")
TEXT_ON = [
    *[(text, ground) for text in INKS for ground in GROUNDS],
    *[("ink", ground) for ground in ("blush", "cream", "mint", "face")],
    *[(f"{colour}-on", f"{colour}-fill") for colour in ("red", "blue", "yellow", "green")],
    ("on-header", "header"),
    ("on-header-soft", "header"),
    ("on-vermilion", "vermilion"),
    ("vermilion-ink", "blush"),
    ("chart", "card"),
]
SHAPE_ON = [(f"{colour}", ground) for colour in ("red", "blue", "yellow", "green") for ground in ("face", "card")]
SHAPE_ON += [(f"p{no}", "card") for no in range(4)] + [("on-p", f"p{no}") for no in range(4)]
SHAPE_ON += [("vermilion", "card"), ("edge", "card")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_aa_for_text_and_for_shapes(scheme):
    colours = schemes()[scheme]
    faint = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in TEXT_ON}
    assert {pair: ratio for pair, ratio in faint.items() if ratio < 4.5} == {}
    vague = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in SHAPE_ON}
    assert {pair: ratio for pair, ratio in vague.items() if ratio < 3} == {}
