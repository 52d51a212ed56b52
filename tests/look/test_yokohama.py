"""The table of Yokohama as pages, letters and rules show it: drawn from true positions of the engine."""

import re
from functools import cache
from random import Random
from typing import Any

import pytest
from jinja2 import Environment

from engine import GAMES, Match
from service import render, words
from service.table import _options
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
NAMED: Any = render.environment().get_template("boards/yokohama/names.txt").module
SHAPES = [(players, edition) for players in (2, 3, 4) for edition in EDITIONS]


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
            seen[decision.prompt.removesuffix("@okazu")] = match.save()
            wild = random.random() < 0.1
            match.choose(decision.seat, random.choice(decision.options).id if wild else match.bot_choice(decision.seat))
        seen["over"] = match.save()
    return seen


def context(match: Match, seat: int | None) -> dict[str, Any]:
    decision = next((d for d in match.pending if d.seat == seat), None)
    state = bar(words.prompt(decision, NAMES), *_options(decision, NAMES)) if decision else None
    told = [{**person, "name": NAMES[person["no"]]} for person in people(None, seat)[: match.players]]
    game = {**GAME, "kind": "yokohama", "title": "Yokohama"}
    return page(state, match.view(seat), people=told, game=game, changed={"area:bank", "church:1"}, since=[])


def shown(match: Match, seat: int | None) -> Page:
    return Page(environment().get_template("table.html").render(**context(match, seat)))


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
            assert len(drawn.all("script")) == 1
            for tag, attributes in drawn.elements:
                assert "style" not in attributes
                if tag == "use" or attributes.get("href", "").startswith("#"):
                    assert attributes["href"].removeprefix("#") in [*ids, "choose"]
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
            assert f"\n  {NAMED.place(edition, area['id'])} (row " in text
        assert text.count("power 1 to 5") == sum(bool(area["power"]) for area in view["areas"])
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


def test_the_text_reads_the_same_however_blocks_are_trimmed() -> None:
    view = asked("yokohama.ask.go").view(0)
    untrimmed = render.environment().overlay(trim_blocks=False, lstrip_blocks=False)
    text = untrimmed.get_template("boards/yokohama/text.txt").render(view=view, names=NAMES)
    assert text.strip("\n") == render.board_text("yokohama", view, NAMES)


def test_the_page_says_what_an_edition_calls_by_another_name() -> None:
    """Every word of the kinds the page says itself that has a twin in the catalogue is said by that twin."""
    renamed: list[str] = NAMED.RENAMED
    kinds = {entry.partition(".")[0] for entry in renamed}
    twins = {key.removeprefix("yokohama.").partition("@")[0] for key in words.catalogue() if "@okazu" in key}
    assert {twin for twin in twins if twin.partition(".")[0] in kinds and twin.count(".") == 1} == set(renamed)


def test_the_first_order_of_another_player_is_on_no_page_of_mine() -> None:
    match = Match.load(played(2, "dlp")["yokohama.ask.keep"])
    others = {card["id"] for card in match.view(1)["seats"][1]["dealt"]}
    drawn = environment().get_template("table.html").render(**context(match, 0))
    assert others
    assert not any(f'value="keep.{card}"' in drawn for card in others)


def test_names_cannot_break_out_of_the_page() -> None:
    match = Match.load(played(4, "dlp")["over"])
    assert "Chidi <b>" not in environment().get_template("table.html").render(**context(match, 0))


def test_the_rules_page_says_where_every_table_comes_from_and_what_every_technology_does() -> None:
    game = GAMES["yokohama"]
    box = game.load_box(None)
    drawn = Page(environment().get_template("rules/yokohama.html").render(game=game, box=box))
    for name in box.tables.__struct_fields__:
        assert getattr(box.tables, name).source in drawn.text
    for tech in box.techs.values():
        assert words.say(f"yokohama.effect.{tech.name}") in drawn.text
    assert not any("style" in attributes for _, attributes in drawn.elements)
