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
