"""What the server does for a table page and for the answer to a choice, and what travels."""

import math
import re
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from typing import NamedTuple
from unittest.mock import patch

import brotli
from flask import Flask
from werkzeug.test import TestResponse

from engine import GAMES
from service import rubbish
from service.db import db
from service.models import Game
from service.play import record
from service.post import links
from service.web.app import create_app
from service.web.table import HAVE
from tests.bench.installation import installation, new_game, play_on
from tests.bench.rows import Row
from tests.play import Browser, Page

PAGES = 40
PAGE_MS = 15
EARLY, LATE = 3, 50  # turns
EVERY = 3  # turns from one weighing to the next
FIRST_KB, ANSWER_KB = 40, 20
ACCEPTED = {"Accept-Encoding": "gzip, deflate, br, zstd"}  # by all browsers of today


def page_rows() -> Iterator[Row]:
    """What the server does for a table page and for the answer to a choice, in time of its processor: early and late in
    a game of each title, and with few and many games."""
    with installation() as settings, patch("secrets.randbits", return_value=3):  # the same games in every run
        app = create_app(settings)
        rubbish.seldom()  # as `hikyaku web` does
        asked: dict[Hashable, Request] = {"bare": bare_page()}
        for number, title in enumerate(GAMES.values()):
            for turns in (EARLY, LATE):
                game_id = new_game(number * 10 + turns, title.players[-1], title.id, turns)
                asked[title.id, "table page", turns] = looking(app, game_id)
                asked[title.id, "answer to a choice", turns] = choosing(app, game_id)
        times = cpu_ms(asked)
        bare = times["bare"]
        yield Row("a bare page of Flask and Jinja", f"{bare:.2f} ms", "yardstick", True)
        for title in GAMES.values():
            for what in ("table page", "answer to a choice"):
                early, late = (times[title.id, what, turns] for turns in (EARLY, LATE))
                text = f"{early:.1f} ms early, {late:.1f} ms late = {max(early, late) / bare:.0f} bare pages"
                yield Row(f"{title.title}: {what}", text, f"under {PAGE_MS} ms", max(early, late) < PAGE_MS)
        page = looking(app, new_game(1_000, 4))
        alone = cpu_ms({"page": page})["page"]
        for number in range(300):
            new_game(2_000 + number)
        crowded = cpu_ms({"page": page})["page"]
        text = f"{alone:.1f} ms, {crowded:.1f} ms among 300 games more"
        yield Row("table page among many games", text, "flat in the games", crowded < 1.5 * alone)


class Request(NamedTuple):
    """What is asked of the server, and what is done after it that does not count."""

    ask: Callable[[], TestResponse]
    after: Callable[[TestResponse], object] = lambda answer: None


def cpu_ms(requests: Mapping[Hashable, Request]) -> dict[Hashable, float]:
    """Milliseconds of the processor for each, the best of many. They take turns: a machine has slow seconds."""
    best = dict.fromkeys(requests, math.inf)
    for _ in range(PAGES):
        for name, request in requests.items():
            start = time.thread_time()
            answer = request.ask()
            best[name] = min(best[name], (time.thread_time() - start) * 1000)
            assert answer.status_code == 200, answer.status
            request.after(answer)
    return best


def bare_page() -> Request:
    """The least that such a page can be: one template that says hello."""
    app = Flask("bare")
    template = app.jinja_env.from_string("<!DOCTYPE html><title>{{ name }}</title><p>Hello, {{ name }}.</p>")
    app.add_url_rule("/", view_func=lambda: template.render(name="Aiko"))
    return Request(partial(app.test_client().get, "/"))


def table_of(app: Flask, game_id: int) -> tuple[Page, str]:
    """The table as the player who is to act sees it, and what a sensible one would choose there."""
    with db.writing() as session:
        game = session.get_one(Game, game_id)
        seat = next(seat for seat in record.seats_of(session, game) if seat.asked is not None)
        choice = record.bot_choices(record.load(game), seat.no)[0]
        token = links.mint_seat(session, seat)
    return Browser(app).get(f"/l/{token}"), choice


def looking(app: Flask, game_id: int) -> Request:
    page, _ = table_of(app, game_id)
    return Request(partial(page.browser.client.get, page.url, headers=ACCEPTED))


def choosing(app: Flask, game_id: int) -> Request:
    """As the page's script does it, which has everything else already; and how it is taken back."""
    page, choice = table_of(app, game_id)
    return Request(_choice(page, choice), lambda answer: Page(page.browser, page.url, _unpacked(answer)).press("/undo"))


def _choice(page: Page, choice: str) -> Callable[[], TestResponse]:
    have = " ".join(re.findall(r'data-part="([^"]+)"', page.html))
    where, data = page.request(choice)
    return partial(page.browser.client.post, where, data=data, headers=ACCEPTED | {HAVE: have})


def _unpacked(answer: TestResponse) -> TestResponse:
    answer.set_data(brotli.decompress(answer.data))
    del answer.headers["Content-Encoding"]
    return answer


def weight_rows() -> Iterator[Row]:
    """The heaviest of a whole game, as they travel, with their headers: the first page of a table with its style and
    script, and the answer to a choice."""
    with installation() as settings, patch("secrets.randbits", return_value=3):
        app = create_app(settings)
        for number, title in enumerate(GAMES.values()):
            game_id = new_game(number, title.players[-1], title.id)
            first, answer = 0.0, 0.0
            while all(play_on(game_id) for _ in range(EVERY)):
                page, choice = table_of(app, game_id)
                along = re.findall(r'(?:rel="stylesheet" href|script src)="([^"]+)"', page.html)
                first = max(first, sum(_kilobytes(_fetched(page, address)) for address in (page.url, *along)))
                answer = max(answer, _kilobytes(_choice(page, choice)()))
            text = f"{first:.1f} kB with style and script, the answer to a choice {answer:.1f} kB"
            target = f"{FIRST_KB} kB, {ANSWER_KB} kB"
            yield Row(f"{title.title}: heaviest first page", text, target, first <= FIRST_KB and answer <= ANSWER_KB)


def _fetched(page: Page, address: str) -> TestResponse:
    return page.browser.client.get(address, headers=ACCEPTED)


def _kilobytes(answer: TestResponse) -> float:
    assert answer.status_code == 200, answer.status
    return (len(str(answer.headers)) + len(answer.data)) / 1000
