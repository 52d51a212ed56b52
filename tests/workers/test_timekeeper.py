"""Redis may lose anything at any moment: the sweep finds in the tables what is due or was lost, and nothing else."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from service.models import GameStatus, Heartbeat, Letter, LetterStatus, Submission, Verdict
from service.web.pages import playing
from tests.play import SECRET, House, at_once
from tests.servers import Redis
from workers import timekeeper
from workers.timekeeper import LOST_AFTER

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).resolve().parent.parent.parent


def after(span: timedelta) -> time_machine.travel:
    return time_machine.travel(datetime.now(UTC) + span + timedelta(seconds=1))


@pytest.fixture
def redis_house(
    tmp_path: Path, database_url: str, redis_server: Redis, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    monkeypatch.setattr(playing, "WAIT", 0.1)
    it = House(tmp_path, database_url, monkeypatch, redis_url=redis_server.url)
    yield it
    it.close()


def test_a_turn_sent_while_redis_is_down_is_safe_and_is_played_when_it_is_back(redis_house: House, redis_server: Redis):
    house = redis_house
    table = house.begun(["Aiko", "Bruno"])
    player = table.to_move()
    page = player.draft()
    redis_server.stop()
    with house.really_post():
        page = page.press("/send")
    assert page.status == 200
    assert "Received, safe." in page
    assert house.one(Submission).verdict is Verdict.RECEIVED
    assert "Received, safe." in player.see()
    redis_server.start()
    assert timekeeper.sweep() == 0  # a message may still be on its way
    with after(LOST_AFTER):
        timekeeper.sweep()
    assert house.one(Submission).verdict is Verdict.ACCEPTED
    assert table.game().version == 1
    assert len(table.to_move().letters("turn")) == 1
    assert "Received" not in player.see()


def test_a_game_goes_on_though_every_message_is_lost(house: House):
    with house.lose():
        table = house.begun(["Aiko", "Bruno"])
    house.patch.setattr(playing, "WAIT", 0)
    moment = datetime.now(UTC)
    for _ in range(6):
        moment += timedelta(minutes=11)
        with time_machine.travel(moment, tick=False):
            timekeeper.sweep()
            player = table.to_move()
            with house.lose():
                player.play()
        with time_machine.travel(moment + LOST_AFTER + timedelta(seconds=1), tick=False):
            timekeeper.sweep()
    assert table.game().version >= 6
    assert {s.verdict for s in house.all(Submission)} == {Verdict.ACCEPTED}
    assert max(letter.attempts for letter in house.all(Letter)) == 1


def test_a_sweep_posts_what_was_lost_once_and_what_is_done_or_not_due_never(house: House):
    with house.hold():
        table = house.begun(["Aiko", "Bruno"])
        table.to_move().submit(["token.red"])
        written = len(house.all(Letter))
        assert timekeeper.sweep() == 0
        with after(LOST_AFTER):
            assert timekeeper.sweep() == written + 1
            assert timekeeper.sweep() == 0
    for task, args in house.waiting:
        house.run(task, *args)
    with after(LOST_AFTER * 3):
        timekeeper.sweep()
        assert timekeeper.sweep() == 0
    assert {beat.name for beat in house.all(Heartbeat)} == {"sweep", "tidying"}


def test_a_sweep_takes_a_batch_and_the_next_one_the_rest(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(timekeeper, "BATCH", 3)
    with house.lose():
        for _ in range(3):
            house.begun(["Aiko", "Bruno"])
    waiting = len(house.all(Letter, Letter.status == LetterStatus.WAITING))
    assert waiting > 6
    with after(LOST_AFTER):
        found = []
        while swept := timekeeper.sweep():
            found.append(swept)
    assert found[:2] == [3, 3]  # some of the others went along with these
    assert house.all(Letter, Letter.status == LetterStatus.WAITING) == []


def test_two_sweeps_at_once_do_no_harm(house: House):
    with house.lose():
        table = house.begun(["Aiko", "Bruno"])
        table.to_move().submit(["token.red"])
    with after(LOST_AFTER):
        at_once([timekeeper.sweep for _ in range(3)])
    assert table.game().version == 1
    assert max(letter.attempts for letter in house.all(Letter)) == 1


def test_every_task_delivered_again_changes_nothing(house: House):
    table = house.begun(["Aiko", "Bruno*"])
    while table.game().version < 6:
        table.player("Aiko").play()
    done = [task for task in house.posted if task[0] != "sweep"]
    assert {name for name, _ in done} == {"adjudicate", "deliver"}
    before = house.dump()
    for task, args in done * 2:
        house.run(task, *args)
    assert house.dump() == before


# --- with a real worker


@pytest.fixture
def worker(redis_house: House) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Starts a worker process as it runs in production."""
    started: list[subprocess.Popen[bytes]] = []
    settings = redis_house.settings
    environ = {name: value for name, value in os.environ.items() if not name.startswith("HIKYAKU_")} | {
        "HIKYAKU_VAR": str(settings.var),
        "HIKYAKU_DATABASE_URL": settings.database_url,
        "HIKYAKU_REDIS_URL": str(settings.redis_url),
        "HIKYAKU_BASE_URL": settings.base_url,
        "HIKYAKU_SECRET_KEY": SECRET,
    }

    def start() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "workers.cli", "worker", "--concurrency", "1"]
        process = subprocess.Popen(command, cwd=ROOT, env=environ, start_new_session=True)
        started.append(process)
        return process

    yield start
    for process in started:
        os.killpg(process.pid, 9)
        process.wait()


def eventually(true: Callable[[], bool], seconds: float = 40) -> bool:
    give_up = time.monotonic() + seconds
    while not (found := true()) and time.monotonic() < give_up:
        time.sleep(0.05)
    return found


def test_a_real_worker_plays_turns_and_carries_letters_and_an_emptied_redis_loses_nothing(
    redis_house: House, redis_server: Redis, worker: Callable[[], object], monkeypatch: pytest.MonkeyPatch
):
    house = redis_house
    table = house.begun(["Aiko", "Bruno"])
    with house.really_post():
        table.to_move().play()
        assert table.game().version == 0  # nobody works yet
        redis_server.client().flushall()
        worker()
        with after(LOST_AFTER):
            assert timekeeper.sweep() >= 1
        assert eventually(lambda: table.game().version == 1)
        assert eventually(lambda: len(table.to_move().letters("turn")) == 1)
        monkeypatch.setattr(playing, "WAIT", 20)
        page = table.to_move().play()
        assert "Your turn is played." in page
        version = table.game().version
        for row in house.all(Submission):
            assert house.real_post("adjudicate", row.id)
        for letter in house.all(Letter):
            house.real_post("deliver", letter.id)
        house.execute("DELETE FROM heartbeat")
        house.real_post("sweep")
        assert eventually(lambda: bool(house.all(Heartbeat)))  # all that was posted before it is done
    assert table.game().version == version
    assert table.game().status is GameStatus.RUNNING
    assert max(letter.attempts for letter in house.all(Letter)) == 1
