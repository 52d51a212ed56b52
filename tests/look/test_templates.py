"""The table page of every title through whole games: what it promises to the policy, and to those without JavaScript or
without eyes."""

import re
from functools import cache
from pathlib import Path

import pytest
from lxml.etree import fromstring

from engine import GAMES
from service.post import picture
from service.web.table import Table
from tests.look.laid import MOST, ROOT, environment, render, walk
from tests.play import PARSER

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)[^>]*?(/?)>")  # a > in a value is written &gt;
FORM_FIELDS = {"csrf_token", "version", "step"}
PAGES = [
    path
    for path in (ROOT / "templates").rglob("*.*")
    if path.parent.name != "letters" and path.name != "picture.svg" and path.suffix != ".toml"
]
each_title = pytest.mark.parametrize("kind", GAMES)


def check_nesting(html: str) -> None:
    open_tags: list[str] = []
    for closing, tag, itself in TAG.findall(html):
        if closing:
            assert open_tags, f"</{tag}> closes nothing"
            assert open_tags.pop() == tag, f"</{tag}> closes another element"
        elif tag not in VOID and not itself:
            open_tags.append(tag)
    assert open_tags == [], f"never closed: {open_tags}"


class Page:
    """A page's elements, with their text; complains about tags that do not match."""

    def __init__(self, html: str) -> None:
        check_nesting(html)
        self.html = html
        tree = fromstring(html, PARSER)
        self.elements: list[tuple[str, dict[str, str]]] = [(el.tag, dict(el.attrib)) for el in tree.iter("*")]
        self.text = "".join(tree.itertext())

    def all(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        return [own for name, own in self.elements if name == tag and attributes.items() <= own.items()]


@cache
def game(kind: str) -> list[tuple[Table, Page]]:
    return [(table, Page(render("table.html", table))) for table in walk(kind, MOST[kind], every=12)]


@each_title
def test_no_page_carries_inline_styles_or_scripts(kind: str):
    for _, page in game(kind):
        for tag, attributes in page.elements:
            assert "style" not in attributes, tag
            assert tag != "style"
            assert not [name for name in attributes if name.startswith("on")], tag
            assert tag != "script" or attributes.get("src"), "a script of its own"


@each_title
def test_every_position_to_the_last_can_be_drawn_for_a_letter(kind: str):
    for table, _ in game(kind):
        drawing = picture.draw(kind, table.view, [person.name for person in table.people], table.changed)
        assert "<text" in drawing
    assert table.view["over"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT / "templates")))
def test_no_template_of_a_page_carries_inline_styles_or_scripts(path: Path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"<style\b|\sstyle\s*=|<script(?![^>]*\bsrc=)|\son[a-z]+\s*=\s*[\"']", text)


def test_no_two_sentences_run_together():
    """The line break after the end of a translated sentence is none in what is made of it."""
    run_together = re.compile(r"endtrans %}\n(?: *{% trans|{{ *_\()")
    found = {
        path
        for path in (ROOT / "templates").rglob("*.*")
        if path.suffix != ".png" and run_together.search(path.read_text())
    }
    assert found == set()


def test_what_a_template_gives_to_be_translated_stands_in_it():
    """What comes from elsewhere, from a mail server say, is neither a pattern nor markup: `as_said` takes it."""
    elsewhere = re.compile(r"(?<![\w.])(?:_|n?gettext)\(\s*[^\s\"']")
    texts = [path for path in (ROOT / "templates").rglob("*.*") if path.suffix != ".png"]
    assert [path for path in texts if elsewhere.search(path.read_text())] == []


@each_title
def test_every_option_is_a_button_that_works_without_javascript(kind: str):
    for table, page in game(kind):
        buttons = page.all("button", name="option")
        listed = {button["value"] for button in buttons if "form" not in button}
        offered = {option.value for option in table.bar.options} if table.bar else set()
        assert offered <= listed
        assert all(button.get("form", "choose") == "choose" for button in buttons)
        if table.bar:
            assert len(page.all("form", id="choose", method="post", action="/g/k7f3/choose")) == 1
            assert {field["name"] for field in page.all("input", type="hidden")} == FORM_FIELDS


@each_title
def test_every_choice_that_has_a_place_can_be_touched_there(kind: str):
    for table, page in game(kind):
        touched = {button["value"] for button in page.all("button", name="option", form="choose")}
        ways = {id for value in touched for id in [value, *value.split()]}
        for option in table.bar.options if table.bar else ():
            assert not option.spots or option.value in ways, f"{option.value} is lit nowhere: {option.spots}"


@each_title
def test_what_is_not_possible_is_shown_with_its_reason(kind: str):
    for table, page in game(kind):
        text = " ".join(page.text.split())
        for no in table.bar.blocked if table.bar else ():
            assert " ".join(no.reason.split()) in text


@each_title
def test_ids_are_unique_and_what_refers_to_them_finds_them(kind: str):
    for _, page in game(kind):
        ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
        assert sorted(ids) == sorted(set(ids))
        for tag, attributes in page.elements:
            if tag == "use":
                assert attributes["href"].removeprefix("#") in ids, attributes["href"]
            for name in ("aria-labelledby", "for"):
                for id in attributes.get(name, ids[0]).split():
                    assert id in ids, f"{tag} {name}"


@each_title
def test_parts_of_a_page_have_names_of_their_own(kind: str):
    for _, page in game(kind):
        names = [own["data-part"].partition(".")[0] for _, own in page.elements if "data-part" in own]
        assert sorted(names) == sorted(set(names))


@each_title
def test_an_answer_leaves_out_what_the_page_has_already(kind: str):
    for table, page in game(kind)[:5]:
        have = {own["data-part"] for _, own in page.elements if "data-part" in own}
        if have:
            again = render("table.html", {**table.shown(), "have": have})
            assert len(Page(again).all("div", **{"data-same": ""})) + len(Page(again).elements) < len(page.elements)


@each_title
def test_drawings_are_told_in_words_or_left_to_the_words_beside_them(kind: str):
    for _, page in game(kind):
        for own in page.all("svg"):
            assert own.get("aria-hidden") == "true" or (own.get("role") == "img" and own["aria-label"])


@each_title
def test_names_that_try_to_break_out_stay_text(kind: str):
    for table, page in game(kind):
        assert len(page.all("script")) == 1, "the page's own"
        for person in table.people:
            assert person.name in page.text


def test_a_page_that_waits_follows_and_one_that_is_over_does_not():
    html = [render("table.html", table) for table in walk("osaka", 2, every=1000)]
    assert 'data-pulse="/g/k7f3/pulse" data-version="27"' in html[0]


def test_the_browser_tab_says_whose_turn_it_is():
    first = next(walk("osaka", 2))
    assert "<title>● Your turn" in render("table.html", first)
    assert "icon-turn.svg" in render("table.html", first)


def test_the_rules_page_says_where_every_table_comes_from():
    title = GAMES["osaka"]
    box = title.load_box(None)
    page = Page(render("titles/osaka/rules/en.html", {"title": title, "box": box}))
    for name in box.tables.__struct_fields__:
        assert getattr(box.tables, name).source in page.text


LETTER = """{% extends "letters/base.KIND" %}{% block body %}It is <your> turn, {{ name }}.{% endblock %}"""
SENT = {"title": "Traders of Osaka", "game": None, "base_url": "https://example.org", "name": "<b>"}
ALONE = {"part": False, "besides": [], "away": [], "talk": [], "wish": "turn_letters", "answers": False}


@pytest.mark.parametrize("link", [None, "https://example.org/l/abc"])
@pytest.mark.parametrize("kind", ["html", "txt"])
def test_a_letter_has_its_link_its_way_out_and_no_tables(kind, link):
    env = environment().overlay(autoescape=kind == "html")
    made = env.from_string(LETTER.replace("KIND", kind)).render(
        link=link, unsubscribe="https://example.org/u/1", never=None, **SENT, **ALONE
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
    sheets = [(ROOT / sheet).read_text(encoding="utf-8") for sheet in SHEETS]
    blocks = zip(*(re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2] for css in sheets), strict=True)
    light, dark = (
        {name: f"#{''.join(c * 2 for c in value)}" if len(value) == 3 else f"#{value}" for name, value in found}
        for found in (re.findall(r"--([a-z0-9-]+): #([0-9a-f]{6}|[0-9a-f]{3});", "".join(block)) for block in blocks)
    )
    return {"light": light, "dark": light | dark}


SHEETS = ("service/web/static/hikyaku.css", "templates/titles/osaka/style.css")  # what all share, and colours of goods
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
