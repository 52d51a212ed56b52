"""A page of rules and the engine cannot drift apart: its numbers come from the component tables, and every ruling of
docs/<title>.md is on the page that players read."""

import re
from pathlib import Path

import pytest

from engine import GAMES

ROOT = Path(__file__).resolve().parent.parent
PAGES = {title: sorted((ROOT / "templates" / "titles" / title / "rules").glob("*.html")) for title in GAMES}

# Numbers that are no component: how the rules themselves count. Each stands on its page word for word.
ALLOWED: dict[str, list[str]] = {"duel": [], "osaka": [], "yokohama": ["In two minutes"], "zaibatsu": []}

JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
HEADING = re.compile(r"<(h[1-6]|caption)\b.*?</\1>", re.DOTALL)
TAG = re.compile(r"<[^>]*>", re.DOTALL)
NUMBER = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty)\b", re.IGNORECASE
)


def typed(text: str, allowed: list[str]) -> list[str]:
    """The numbers that stand in a page by hand, each with a few words around it."""
    text = " ".join(TAG.sub(" ", HEADING.sub(" ", JINJA.sub(" ", text))).split())
    for phrase in allowed:
        text = text.replace(phrase, " ")
    return [text[max(0, found.start() - 30) : found.end() + 20] for found in NUMBER.finditer(text)]


@pytest.mark.parametrize("title", GAMES)
def test_no_number_on_a_page_of_rules_is_typed_by_hand(title: str):
    found = {page.name: typed(page.read_text(encoding="utf-8"), ALLOWED[title]) for page in PAGES[title]}
    found = {name: numbers for name, numbers in found.items() if numbers}
    assert found == {}


@pytest.mark.parametrize("title", GAMES)
def test_what_is_allowed_stands_on_the_page(title: str):
    pages = " ".join(" ".join(TAG.sub(" ", page.read_text(encoding="utf-8")).split()) for page in PAGES[title])
    assert [phrase for phrase in ALLOWED[title] if phrase not in pages] == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("<p>You have 3 yen.</p>", 1),
        ("<p>You have {{ box.yen }} yen.</p>", 0),
        ("<h2>One of three</h2><p>Take <b>two</b> cards.</p>", 1),
        ('{# 7 #}{% set n = 7 %}<p class="w2">One card.</p>', 0),
    ],
)
def test_a_number_typed_by_hand_would_be_noticed(text: str, numbers: int):
    assert len(typed(text, [])) == numbers


def in_docs(title: str) -> list[str]:
    """The numbers of the rulings in docs/<title>.md."""
    docs = (ROOT / "docs" / f"{title}.md").read_text(encoding="utf-8")
    rulings = re.search(r"^## Rulings\n(.*?)(?=^## |\Z)", docs, re.MULTILINE | re.DOTALL)
    assert rulings, f"docs/{title}.md has no rulings"
    return re.findall(r"^(\d+)\. ", rulings[1], re.MULTILINE)


@pytest.mark.parametrize("title", GAMES)
def test_every_ruling_of_the_docs_is_on_the_page_of_rules_and_none_besides(title: str):
    page = (ROOT / "templates" / "titles" / title / "rules" / "en.html").read_text(encoding="utf-8")
    shown = re.findall(r'id="ruling-(\d+)"', page)
    assert sorted(shown, key=int) == sorted(in_docs(title), key=int)
