"""What is told and the engine cannot drift apart: the numbers on a page of rules, in a hint, a tip or an effect come
from the component tables, and every ruling of docs/<title>.md is on the page that players read."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import GAMES
from service.post import words
from service.post.language import speaking

ROOT = Path(__file__).resolve().parent.parent
PAGES = {title: sorted((ROOT / "templates" / "titles" / title / "rules").glob("*.html")) for title in GAMES}

# Numbers that are no component: how the rules themselves count. Each stands on its page word for word.
ALLOWED: dict[str, list[str]] = {"duel": [], "osaka": [], "yokohama": [], "zaibatsu": []}

# The same for what the title says in a game, with the reason: no box can change any of these.
ONE = "what is counted one by one"
NAME = "part of a name"
ALLOWED_WORDS: dict[str, dict[str, str]] = {
    "duel": {
        "Help +1": NAME,
        "Help +2": NAME,
        "1 more": "a building, the Station, a call or a technology is one more",
        "adds 1": "the same",
    },
    "osaka": {
        "for 1 more": "a token counts one",
        **{f"Up to {n} goods": "a standing order, as its id says" for n in (2, 3, 4)},
        **{f"{good} {value}": NAME for good in ("lacquer", "indigo", "rice", "tea") for value in (2, 3, 5)},
    },
    "yokohama": {
        "1 yen": "each president passed is paid one yen, and so is the bank",
        "1 import": "a unit is one import",
        "1 silk": ONE,
        "1 power": "a station or a building is one more piece",
        "1 more": ONE,
        "leave 1": ONE,
        "adds 1, once": "a gift is one faith",
        "two rulebooks": "the editions are two",
        "two-player": "a number of players",
        "these two": "of the first orders one is kept: the choice is between two",
        "power 1-5": "the columns of every area's table",
        "placing 2": "two in one area: a way to place of its own",
        "place 1": ONE,
        "two in one": "the same",
        "Two in one": "the same",
        "Two at": "the same",
        "the two": "the same",
        "placed two": "the same",
        **{
            f"{name} 2": NAME
            for name in ("Mine", "Mill", "Plantation", "Ground", "Copper", "Silk", "Tea", "Fish", "Fishing")
        },
    },
    "zaibatsu": {
        "two Solo Goals": "what the difficulty means",
        "three Solo Goals": "the same",
        "two modules": "the modules are two",
        "for 1, 2 or 3 steps": "how the prices are counted",
        "1, then 2, then 3": "the same",
        "come 2, then 3": "the same",
        "1 to": ONE,
        "1 iron": "the rules take one iron away",
        "holds 1": "the Old Factory begins with one good",
        "two more workers": "the one hired and the expert",
        "token 3": NAME,
        "token 5": NAME,
        "token 7": NAME,
        "F+1": NAME,
        "2 contracts": "a condition with that name, two_contracts",
        "two contracts": "the same",
    },
}
# Signs that are nothing but a name, by their key.
SIGNS = ("zaibatsu.sign.token",)

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


def told(title: str) -> Iterator[tuple[str, str]]:
    """All that a title says, by its key, without what is put in; a form for one thing may well say 1."""
    catalogue = ROOT / "templates" / "titles" / title / "words" / "en.toml"
    for key, said in tomllib.loads(catalogue.read_text(encoding="utf-8")).items():
        for category, text in {"": said}.items() if isinstance(said, str) else said.items():
            text = ARGUMENT.sub("_", text)
            yield key, re.sub(r"\b1\b", "_", text) if category == "one" else text


ARGUMENT = re.compile(r"\{[^{}]*\}")


@pytest.mark.parametrize("title", GAMES)
def test_no_number_of_the_box_is_typed_in_what_a_title_says(title: str):
    allowed = list(ALLOWED_WORDS[title])
    found = {key: typed(text, allowed) for key, text in told(title) if not key.startswith(SIGNS)}
    assert {key: numbers for key, numbers in found.items() if numbers} == {}


@pytest.mark.parametrize("title", GAMES)
def test_what_is_allowed_is_said(title: str):
    everything = "\n".join(text for _, text in told(title))
    assert [phrase for phrase in ALLOWED_WORDS[title] if phrase not in everything] == []


def test_a_group_reads_the_numbers_of_its_own_box():
    own = (ROOT / "engine" / "zaibatsu" / "components.toml").read_text(encoding="utf-8")
    own = own.replace(
        '{ id = "bento1a", kind = "immediate", gains = { mining = 3 } }',
        '{ id = "bento1a", kind = "immediate", gains = { mining = 1 } }',
    )
    assert words.say("zaibatsu.effect.bento1a") == "At once: 3 steps on Mining."
    with speaking("en", "", "zaibatsu", own):
        assert words.say("zaibatsu.effect.bento1a") == "At once: 1 step on Mining."
        assert words.say("zaibatsu.effect.bento2a") == "At once: 4 coal."
    with speaking("en", "", "zaibatsu", own.replace("{ mining = 1 } }", "{ coal = 9 } }")):
        assert words.say("zaibatsu.effect.bento1a") == "At once: 3 steps on Mining."  # what it is about is not there


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
