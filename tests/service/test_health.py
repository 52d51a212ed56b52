"""Machines are told whether the service lives and whether it can do its work, and what is missing."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from sqlalchemy import text, update

from service import queue, shape
from service.config import Smtp
from service.db import db
from service.models import Letter, LetterStatus
from tests.play import House, mail_of
from tests.servers import Redis, free_port
from workers import timekeeper

pytestmark = pytest.mark.both_databases


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
    status, said = ready(redis_house)
    assert status == 200
    looked_at = "database", "schema", "sweep", "turns", "letters", "bells", "mail in", "redis", "sender", "post office"
    assert said == {"ready": True, **dict.fromkeys(looked_at, "ok")}


def sweep_at_a_moment() -> datetime:
    """However long it takes on a busy machine, the sweep is said to have run then."""
    now = datetime.now(UTC)
    with time_machine.travel(now, tick=False):
        timekeeper.sweep()
    return now


def test_not_ready_when_the_sweep_never_ran_or_not_lately(redis_house: House):
    status, said = ready(redis_house)
    assert status == 503
    assert "never ran" in str(said["sweep"])
    swept_at = sweep_at_a_moment()
    with time_machine.travel(swept_at + timedelta(minutes=5), tick=False):
        status, said = ready(redis_house)
    assert status == 503
    assert said["sweep"] == "last ran 300 s ago: nobody asks for it: is the beat running?"


def test_a_dead_worker_is_told_from_a_dead_beat(redis_house: House):
    swept_at = sweep_at_a_moment()
    with redis_house.really_post():
        queue.post("sweep")  # as the beat does, and nobody takes it
    with time_machine.travel(swept_at + timedelta(minutes=5), tick=False):
        assert ready(redis_house)[1]["sweep"] == "last ran 300 s ago: no worker takes the turns"


def test_not_ready_when_nobody_takes_turns_or_letters_though_the_sweep_runs(redis_house: House):
    table = redis_house.begun(["Aiko", "Bruno"])
    with redis_house.hold():
        player = table.to_move()
        player.submit(player.best())
        redis_house.browser().get("/links").press("Mail me my links", mail=mail_of("Aiko"))
        with time_machine.travel(datetime.now(UTC) + timedelta(minutes=6)):
            timekeeper.sweep()
            status, said = ready(redis_house)
    assert status == 503
    assert said["sweep"] == "ok"
    assert said["turns"] == "1 wait, the oldest for 6 min: is a worker for turns running?"
    assert re.fullmatch(r"\d wait, the oldest for 6 min: is a worker for letters running\?", str(said["letters"]))


def test_a_letter_that_waits_for_a_mail_server_is_no_fault_of_the_worker(redis_house: House):
    timekeeper.sweep()
    redis_house.game(["Aiko", "Bruno"])
    soon = datetime.now(UTC) + timedelta(hours=3)
    with db.writing() as session:
        session.execute(update(Letter).values(status=LetterStatus.WAITING, due_at=soon))
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1)):
        assert ready(redis_house)[1]["letters"] == "ok"


@pytest.mark.parametrize(("revision", "said"), [("0012", "run `hikyaku migrate`"), ("9999", "newer than this version")])
def test_not_ready_with_an_older_or_a_newer_schema(redis_house: House, revision: str, said: str):
    timekeeper.sweep()
    with db.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
    status, answer = ready(redis_house)
    with db.writing() as session:
        session.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": shape.newest()})
    assert status == 503
    assert said in str(answer["schema"])
    assert answer["sweep"] == "unknown"


def test_not_ready_with_the_post_office_open_to_the_world(redis_house: House):
    timekeeper.sweep()
    for address, fine in {
        "https://games.example.org": False,
        "http://93.184.215.14:8000": False,
        "http://192.168.1.5:8000": True,
        "http://raspberry.local": True,
        "http://localhost": True,
    }.items():
        redis_house.app.extensions["hikyaku"] = replace(redis_house.settings, base_url=address)
        assert (ready(redis_house)[1]["post office"] == "ok") is fine, address


def test_not_ready_when_letters_come_from_localhost(redis_house: House):
    timekeeper.sweep()
    mail = replace(redis_house.settings, smtp=Smtp("mail.example.org", 25), post_office=False)
    redis_house.app.extensions["hikyaku"] = mail
    status, said = ready(redis_house)
    assert status == 503
    assert "set HIKYAKU_MAIL_FROM" in str(said["sender"])
    redis_house.app.extensions["hikyaku"] = replace(mail, mail_from="Hikyaku <games@example.org>")
    assert ready(redis_house)[0] == 200


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
    assert page.status == 503
    assert "Traceback" not in page.html
