"""Whether anything gets slower by the number of games: the same things done among a thousand games and among a million
(BENCH_GAMES), in turns, in two databases of one PostgreSQL that has the memory docs/operations.md gives it. What the
rows are, and what of them is in memory, is told in tests/bench/crowd.py. All tables were vacuumed and analysed when
they were filled, and autovacuum is off: it has no part in what is measured.

In both as many games are played, from anywhere among them. So among many a turn meets hardly a page that one before it
has met, and all that follows of it counts: pages that the processor's caches do not hold, the biggest things that the
server's memory does not, and the whole image of each page that the log is given when it is changed for the first time
since a checkpoint, a dozen of them a turn. A thousand games have paid for theirs after some rounds, as they would in
life if as much were played in them."""

import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial

import psycopg
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlmodel import col, select
from werkzeug.test import TestResponse

from service.config import Keep
from service.db import db, make_engine, utcnow
from service.models import Person, Seat
from service.play import tidying
from service.post import links
from service.web.app import create_app
from tests.bench import crowd
from tests.bench.installation import installation, postgres
from tests.bench.rows import Row
from tests.bench.sweep import STAGES
from tests.bench.turns import submit
from tests.play import Browser
from workers import adjudicator, schema, timekeeper

FEW = 1_000
MANY = int(os.environ.get("BENCH_GAMES", 1_000_000))
PLAYED = 10  # turns of each game
ROUNDS = 20
SELDOM_ROUNDS = 3
TABLES = 20  # that are looked at in a round
TURNS = 50  # that are decided in a round
DUE = 100  # seats that are due in a round
BOUND = 1.3
TOKEN = "bench" * 10

REMINDED = text(STAGES["reminders"] + " AND id = ANY(:seats)")
DELIVERED = text("UPDATE letter SET status = 'sent' WHERE status = 'waiting'")


def growth_rows() -> Iterator[Row]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with postgres(shared_buffers=f"{memory * 2 // 5 // 2**20}MB") as url, installation(url) as settings:
        app = create_app(replace(settings, metrics_token=TOKEN, open_tables=True))
        few, many = (Place(app, url, games) for games in (FEW, MANY))
        for what, work in WORKS.items():
            yield compared(what, partial(work, few), partial(work, many), ROUNDS)
        for what, work in SELDOM.items():
            row = compared(what, partial(work, few), partial(work, many), SELDOM_ROUNDS)
            yield row._replace(target="as measured", held=True)
        for place in few, many:
            place.engine.dispose()


def compared(what: str, few: Callable[[], float], many: Callable[[], float], rounds: int) -> Row:
    """The first round warms up; of the others the best counts, as a machine has slow seconds."""
    measured_in = [(few(), many()) for _ in range(rounds + 1)]
    a, b = (min(times) for times in zip(*measured_in[1:], strict=True))
    measured = f"{a:.2f} ms among {FEW:,} games, {b:.2f} ms among {MANY:,} = {b / a:.2f} times"
    return Row(what, measured, f"within {BOUND}", b < BOUND * a)


class Place:
    """So many games in a database of their own, which this process is connected to while something is done there."""

    def __init__(self, app: Flask, server: str, games: int) -> None:
        self.app, self.games, self.chance = app, games, random.Random(games)
        url = make_url(server).set(database=f"among_{games}").render_as_string(hide_password=False)
        with psycopg.connect(server.replace("+psycopg", "", 1), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE among_{games}".encode())
        schema.upgrade(url)
        self.engine = make_engine(url)
        self.enter()
        crowd.fill(games, turns=PLAYED)

    def enter(self) -> None:
        db._engine = self.engine

    def some(self, count: int) -> list[int]:
        """Games from anywhere among them."""
        return self.chance.sample(range(1, self.games + 1), count)

    def timed(self, work: Callable[[], object], times: int = 1) -> float:
        start = time.perf_counter()
        work()
        return (time.perf_counter() - start) * 1000 / times

    @cached_property
    def readers(self) -> list[tuple[FlaskClient, str]]:
        """Browsers, each with a link to a table, at which they have looked once."""
        with db.writing() as session:
            seats = session.exec(select(Seat).where(col(Seat.game_id).in_(self.some(TABLES)), Seat.no == 0)).all()
            tokens = [links.mint_seat(session, seat) for seat in seats]
        return [self._reader(f"/l/{token}") for token in tokens]

    @cached_property
    def operator(self) -> tuple[FlaskClient, str]:
        with db.writing() as session:
            token = links.mint_operator(session, session.get_one(Person, 1))
        return self._reader(f"/l/{token}")

    def _reader(self, link: str) -> tuple[FlaskClient, str]:
        page = Browser(self.app).get(link)
        return page.browser.client, page.url


def table_page(place: Place) -> float:
    place.enter()
    readers = place.readers
    return place.timed(lambda: [_look(client, url) for client, url in readers], len(readers))


def my_games(place: Place) -> float:
    place.enter()
    readers = place.readers
    return place.timed(lambda: [_look(client, "/my") for client, _ in readers], len(readers))


def desks(place: Place) -> float:
    place.enter()
    client, _ = place.operator
    return place.timed(lambda: _look(client, "/desk"))


def start_page(place: Place) -> float:
    place.enter()
    return place.timed(lambda: _look(place.app.test_client(), "/"))


def health(place: Place) -> float:
    """What /readyz and /metrics ask the tables."""
    place.enter()
    return place.timed(lambda: place.app.test_client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}))


def _look(client: FlaskClient, url: str) -> TestResponse:
    answer = client.get(url)
    assert answer.status_code == 200, (url, answer.status)
    return answer


def adjudication(place: Place) -> float:
    """Turns that wait, decided as a worker does it."""
    place.enter()
    waiting = {submit(game) for game in place.some(TURNS)}

    def decide() -> None:
        while waiting:
            waiting.difference_update(adjudicator.adjudicate_waiting(next(iter(waiting))))

    return place.timed(decide, TURNS)


def sweep(place: Place) -> float:
    """A whole one, with so many players to be reminded, and no letters of before that nobody has taken."""
    place.enter()
    with db.writing() as session:
        session.execute(DELIVERED)
        asked = select(Seat.id).where(col(Seat.game_id).in_(place.some(DUE)), col(Seat.asked).is_not(None))
        seats = list(session.exec(asked))
        session.execute(REMINDED, {"seats": seats})
    return place.timed(timekeeper.sweep, len(seats))


def idle_sweep(place: Place) -> float:
    """One that finds nothing to do, as nearly all do."""
    place.enter()
    return place.timed(timekeeper.sweep)


def tidy(place: Place) -> float:
    """Once a day."""
    place.enter()
    return place.timed(lambda: tidying.tidy(Keep(), utcnow()))


WORKS: dict[str, Callable[[Place], float]] = {
    "a table page": table_page,
    "my games": my_games,
    "the start page": start_page,
    "the operator's desk": desks,
    "a turn decided": adjudication,
    "a seat looked at by the sweep": sweep,
    "a sweep that finds nothing": idle_sweep,
}
# These count or look through all there is, in the background.
SELDOM: dict[str, Callable[[Place], float]] = {"/metrics, once a minute": health, "tidying, once a day": tidy}
