"""Machines are told whether the service lives and whether it can do its work, and what is missing."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from service.db import db
from tests.play import House
from tests.servers import Redis, free_port
from workers import timekeeper


@pytest.fixture
def redis_house(
    tmp_path: Path, database_url: str, redis_server: Redis, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    it = House(tmp_path, database_url, monkeypatch, redis_url=redis_server.url)
    yield it
    it.close()


def ready(house: House) -> tuple[int, dict[str, object]]:
    response = house.browser().client.get("/readyz")
    return response.status_code, response.get_json()


def test_ready_when_database_and_redis_answer_and_the_sweep_has_run(redis_house: House):
    timekeeper.sweep()
    assert ready(redis_house) == (200, {"ready": True, "database": "ok", "redis": "ok", "sweep": "ok"})


def test_not_ready_when_the_sweep_never_ran_or_not_lately(redis_house: House):
    status, said = ready(redis_house)
    assert status == 503
    assert "never ran" in str(said["sweep"])
    timekeeper.sweep()
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=5)):
        status, said = ready(redis_house)
    assert status == 503
    assert said["sweep"] == "last ran 300 s ago"


def test_not_ready_without_redis_but_alive(redis_house: House, redis_server: Redis):
    timekeeper.sweep()
    redis_server.stop()
    status, said = ready(redis_house)
    assert status == 503
    assert "not reachable" in str(said["redis"])
    assert said["database"] == "ok"
    assert redis_house.browser().client.get("/healthz").status_code == 200


def test_not_ready_without_the_database_but_alive(redis_house: House):
    db.configure(f"postgresql+psycopg://nobody@127.0.0.1:{free_port()}/none")
    status, said = ready(redis_house)
    assert status == 503
    assert "not reachable" in str(said["database"])
    assert said["redis"] == "ok"
    assert redis_house.browser().client.get("/healthz").get_json() == {"alive": True}
    page = redis_house.browser().get("/my")
    assert page.status in (200, 500)
    assert "Traceback" not in page.html
