"""A letter is broken into lines so that none of them reads like an answer: it may come back without any mark."""

import re

import pytest

from engine import GAMES, Match
from service.inbox import grammar
from service.post import words
from service.post.lines import broken
from service.post.menu import menu

NAMES = ["Aiko", "Bruno"]


def heard(line: str) -> bool:
    """Whether a line begins with something that is a number in answers: alone, or before a comma."""
    first = re.split("[,;]", line)[0].split()
    return bool(first) and all(grammar._number(word) is not None for word in first)


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("Aiko sold to all of them lacquer 3, rice 5", 33, ["Aiko sold to all of them", "lacquer 3, rice 5"]),
        ("(coins in your hand 8 → 11)", 24, ["(coins in your hand 8", "→ 11)"]),
        ("trading houses cost 4, 5, 6, 7 yen", 26, ["trading houses", "cost 4, 5, 6, 7 yen"]),
        ("aaaaaaaaaaaaaa bbbbbbbbbbbbbb, c", 20, ["aaaaaaaaaaaaaa", "bbbbbbbbbbbbbb, c"]),
        ("one\ntwo three", 20, ["one", "two three"]),
    ],
)
def test_what_stands_before_a_comma_or_last_keeps_the_word_before_it(text: str, width: int, lines: list[str]):
    assert broken(text, width).splitlines() == lines


@pytest.mark.parametrize("kind", GAMES)
def test_no_line_of_a_question_or_of_the_story_begins_like_an_answer(kind: str):
    match, told = Match.start(kind, players=2, seed=6), 0
    while match.pending and match.turn < 30:
        asked = menu(match.pending[0], NAMES, match)
        texts = [asked.prompt, *(f"{answer.label}: {answer.consequence}" for answer in asked.answers)]
        texts += [words.tell(event, NAMES) for event in match.events[told:]]
        told = len(match.events)
        lines = [line for text in texts for line in broken(text, 67).splitlines()[1:]]
        assert [line for line in lines if heard(line)] == []
        match.choose(match.pending[0].seat, match.bot_choice(match.pending[0].seat))
