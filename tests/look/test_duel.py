"""The table of Yokohama Duel as pages, letters and rules show it: drawn from true positions of the engine."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from jinja2 import Environment

from engine import GAMES, Match
from service.post import render, words
from service.web.table import Table, choices
from tests.engine.duel.position import table
from tests.look.scenery import GAME, bar, page, people
from tests.look.test_templates import Page

NAMES = ["Aiko", "Chidi <b>"]
PROMPTS = (
    "duel.dealt",
    "duel.turn",
    "duel.port",
    "duel.laboratory",
    "duel.church",
    "duel.bonus.which",
    "duel.improve.which",
)


def environment() -> Environment:
    env = render.environment().overlay()
    env.globals["url_for"] = lambda endpoint, **values: "/".join(["", endpoint, *map(str, values.values())])
    env.globals["csrf_token"] = lambda: "c5rf"
    return env


def reached(prompt: str | None, options: dict[str, Any] | None = None) -> Match:
    """A match in which somebody is asked this; None: one that is over."""
    for seed in range(20):
        match, random = Match.start("duel", players=2, seed=seed, options=options), Random(seed)
        while match.pending:
            if match.pending[0].prompt == prompt and match.turn != 1:
                return match
            decision = match.pending[0]
            match.choose(decision.seat, random.choice(decision.options).id)
        if prompt is None:
            return match
    raise AssertionError(f"never asked: {prompt}")


def context(match: Match, seat: int | None) -> Table:
    decision = next((d for d in match.pending if d.seat == seat), None)
    state = bar(words.prompt(decision, NAMES), *choices(decision, NAMES)) if decision else None
    told = [replace(person, name=NAMES[person.no]) for person in people(None, seat)[:2]]
    game = replace(GAME, kind="duel", title="Yokohama Duel")
    return page(state, match.view(seat), people=told, game=game, changed=frozenset({"place:bank"}), since=[])


def test_free_actions_are_lit_where_they_lie() -> None:
    """A trader to call, one to recruit, silk to spin, an order to fulfil."""
    mine = {"traders": 1, "fulfilled": ["o01", "o02", "o03"], "goods": [1, 1, 1, 1], "hand": ["o04"]}
    match = table(technologies=["spinning_mill"], **mine)
    drawn = Page(environment().get_template("table.html").render(**context(match, 0).shown()))
    on_the_board = {button["value"] for button in drawn.all("button", type="submit", name="option", form="choose")}
    assert {"trader", "recruit.orders", "spin", "fulfil.o04"} <= on_the_board


@pytest.fixture(params=PROMPTS)
def shown(request: pytest.FixtureRequest) -> tuple[Table, Page]:
    match = reached(request.param)
    laid = context(match, match.pending[0].seat)
    return laid, Page(environment().get_template("table.html").render(**laid.shown()))


def test_every_lit_place_can_be_tapped(shown: tuple[Table, Page]) -> None:
    laid, drawn = shown
    on_the_board = [button["value"] for button in drawn.all("button", type="submit", name="option", form="choose")]
    assert sorted(on_the_board) == sorted(option.id for option in laid.lit.values())


def test_the_page_keeps_to_the_content_policy_and_says_what_it_draws(shown: tuple[Table, Page]) -> None:
    _, drawn = shown
    ids = [attributes["id"] for _, attributes in drawn.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in drawn.elements:
        assert "style" not in attributes
        if tag == "use":
            assert attributes["href"].removeprefix("#") in ids
        if tag == "svg":
            assert attributes.get("aria-hidden") == "true" or attributes.get("aria-label")
    assert len(drawn.all("script")) == 1


@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_table_is_drawn_for_players_and_spectators_and_when_it_is_over(seat: int | None) -> None:
    for prompt in ("duel.turn", None):
        html = environment().get_template("table.html").render(**context(reached(prompt), seat).shown())
        assert "Tea plantation" in html
        assert "Chidi <b>" not in html


def test_orders_of_the_other_player_are_on_no_page_of_mine() -> None:
    match = reached("duel.turn")
    seat = match.pending[0].seat
    html = environment().get_template("table.html").render(**context(match, 1 - seat).shown())
    for card in match.view(seat)["seats"][seat]["hand"]:
        assert f"hand:{card['card']}" not in html
    assert html.count("only you see them") == 1


@pytest.mark.parametrize("prompt", ["duel.turn", "duel.port", None])
def test_the_text_board_fits_a_letter_and_names_every_place(prompt: str | None) -> None:
    match = reached(prompt)
    for seat in (0, 1, None):
        text = render.board_text("duel", match.view(seat), ["Aiko", "D" * 40])
        assert max(len(line) for line in text.splitlines()) <= 72
        for place in ("Tea plantation", "Customs house", "Laboratory", "Port"):
            assert place in text
        assert not re.search(r"[{}]|None|Undefined", text)


def test_the_text_board_reads_the_same_however_blocks_are_trimmed() -> None:
    view = reached("duel.turn").view(0)
    untrimmed = render.environment().overlay(trim_blocks=False, lstrip_blocks=False)
    text = untrimmed.get_template("titles/duel/text.txt").render(view=view, names=NAMES)
    assert text.strip("\n") == render.board_text("duel", view, NAMES)


def test_hidden_church_cards_are_said_to_be_missing_from_the_points() -> None:
    match = reached("duel.turn", {"open_information": False})
    seat = match.pending[0].seat
    html = environment().get_template("table.html").render(**context(match, seat).shown())
    assert html.count("VP and church") == 1


def test_the_rules_page_says_where_every_table_comes_from_and_what_every_technology_does() -> None:
    title = GAMES["duel"]
    box = title.load_box(None)
    drawn = Page(environment().get_template("titles/duel/rules/en.html").render(title=title, box=box))
    for name in box.tables.__struct_fields__:
        assert getattr(box.tables, name).source in drawn.text
    for card in box.cost:
        assert words.say(f"duel.effect.{card}") in drawn.text
