"""Prometheus is told what waits and what things take, by whichever process it asks, and nobody else is."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from prometheus_client.parser import text_string_to_metric_families

from service.db import db
from service.measures import PAGES, TURNS, Measures, measures
from service.play.clocks import Pace
from tests.play import House, mail_of
from tests.servers import Redis, free_port
from workers import app as workers_app
from workers import timekeeper

TOKEN = "a token for tests, and for nothing else"


@pytest.fixture
def watched(tmp_path: Path, database_url: str, redis_server: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house whose metrics may be asked for; nothing is added up behind the test's back."""
    monkeypatch.setattr(Measures, "_keep_adding", lambda self: None)
    house = House(tmp_path, database_url, monkeypatch, redis_url=redis_server.url, metrics_token=TOKEN)
    measures.configure(house.settings)
    yield house
    measures.configure(replace(house.settings, metrics_token=None))
    house.close()


def metrics(house: House) -> dict[str, float]:
    answer = house.browser().client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(answer.get_data(as_text=True))
        for sample in family.samples
    }


@pytest.mark.parametrize("header", ["", "Bearer ", "Bearer wrong", TOKEN, f"Basic {TOKEN}", "Bearer ключ"])
def test_nobody_is_told_without_the_token(one_house: House, header: str):
    client = one_house.browser().client
    one_house.app.extensions["hikyaku"] = replace(one_house.settings, metrics_token=TOKEN)
    assert client.get("/metrics", headers={"Authorization": header.encode().decode("latin-1")}).status_code == 403
    one_house.app.extensions["hikyaku"] = replace(one_house.settings, metrics_token=None)
    assert client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 403
    assert client.get("/metrics", headers={"Authorization": "Bearer None"}).status_code == 403


def test_what_waits_and_since_when(watched: House):
    now = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
    with time_machine.travel(now, tick=False) as clock:
        timekeeper.sweep()
        table = watched.begun(["Aiko", "Bruno"], pace=Pace(timedelta(minutes=1), round_the_clock=True))
        watched.game(["Dora", "Emil"])
        with watched.hold():
            player = table.to_move()
            player.submit(player.best())
            watched.browser().get("/links").press("Mail me my links", mail=mail_of("Aiko"))
            clock.shift(timedelta(minutes=7))
            found = metrics(watched)
    assert found["hikyaku_turns_waiting"] == 1
    assert found["hikyaku_turns_oldest_seconds"] == 420
    assert found["hikyaku_letters_waiting"] >= 1
    assert found["hikyaku_letters_oldest_seconds"] == 420
    assert found["hikyaku_sweep_age_seconds"] == 420
    assert found["hikyaku_seats_due"] == 1
    assert found["hikyaku_seats_overdue"] == 0
    assert (found["hikyaku_games running"], found["hikyaku_games invited"], found["hikyaku_games finished"]) == (
        1,
        1,
        0,
    )
    assert (found["hikyaku_ready letters"], found["hikyaku_ready schema"]) == (0, 1)


def test_pages_turns_and_letters_are_timed_and_counted(watched: House):
    table = watched.begun(["Aiko", "Bruno"])
    with watched.hold() as waiting:
        player = table.to_move()
        workers_app.adjudicate(player.submit(player.best()))
        workers_app.adjudicate(0)  # of what was nothing to do, nothing is counted
        for task, args in waiting:
            getattr(workers_app, task)(*args)
        watched.browser().get("/links")
    found = metrics(watched)
    assert found["hikyaku_adjudication_seconds_count accepted"] == 1
    assert 0 < found["hikyaku_adjudication_seconds_sum accepted"] < 60
    assert found["hikyaku_delivery_seconds_count sent"] == sum(len(args) for _, args in waiting) > 0
    assert found["hikyaku_page_seconds_count keys.ask_links"] == 1
    assert found["hikyaku_page_seconds_bucket keys.ask_links +Inf"] == 1


def test_what_several_processes_count_is_added_up(watched: House):
    others = [Measures() for _ in range(3)]
    for one in others:
        one.configure(watched.settings)
        for seconds in (0.003, 0.2, 40.0):
            one.took(PAGES, "playing.table", seconds)
        one.add()
        one.add()  # there is nothing more to add
    found = metrics(watched)
    assert found["hikyaku_page_seconds_count playing.table"] == 9
    assert found["hikyaku_page_seconds_sum playing.table"] == pytest.approx(3 * 40.203)
    bounds = {bound: found[f"hikyaku_page_seconds_bucket playing.table {bound}"] for bound in ("0.005", "0.25", "10.0")}
    assert bounds == {"0.005": 3, "0.25": 6, "10.0": 6}


def test_counts_wait_while_redis_is_away_and_tables_are_told_all_the_same(watched: House, redis_server: Redis):
    redis_server.stop()
    measures.took(TURNS, "accepted", 0.1)
    found = metrics(watched)
    assert found["hikyaku_ready redis"] == 0
    assert found["hikyaku_turns_waiting"] == 0
    assert "hikyaku_adjudication_seconds_count accepted" not in found
    redis_server.start()
    assert metrics(watched)["hikyaku_adjudication_seconds_count accepted"] == 1


def test_without_the_database_it_says_just_that(watched: House):
    db.configure(f"postgresql+psycopg://nobody@127.0.0.1:{free_port()}/none")
    found = metrics(watched)
    assert found["hikyaku_ready database"] == 0
    assert found["hikyaku_ready redis"] == 1
    assert "hikyaku_games running" not in found


def test_where_nobody_asks_nothing_is_counted(one_house: House):
    own = Measures()
    own.configure(one_house.settings)
    own.took(PAGES, "start.home", 1.0)
    assert own._counts == {}
    assert own._process is None
