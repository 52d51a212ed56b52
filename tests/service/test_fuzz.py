"""However odd a request is, it is answered: nothing breaks, looking changes nothing, and strangers change no game.

`make fuzz` sends many more, to a running service."""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice

import pytest

from tests.fuzz import Knock, Knocks
from tests.play import SECRET, House
from tests.servers import free_port

pytestmark = pytest.mark.both_databases

A_FEW = 100
MANY = int(os.environ.get("HIKYAKU_FUZZ", "0"))  # requests to a running service, on each kind of database
AT_ONCE = 4
A_BATCH = 1000
MAY_SAY_503 = {"health.readyz"}


def check(
    house: House, knocks: Knocks, each: int, answer: Callable[[Iterator[Knock]], list[tuple[Knock, int]]]
) -> None:
    before = house.dump()
    broken = answer(knocks.looks(each))
    assert house.dump() == before, "looking has changed something"
    broken += answer(knocks.of_strangers(each))
    assert house.dump() == before, "a stranger has changed something"
    broken += answer(knocks.deeds(each))
    told = {(knock.method, knock.endpoint, knock.path[:90], knock.body[:300], status) for knock, status in broken}
    assert not told, "\n".join(map(str, sorted(told)[:20]))


def is_broken(knock: Knock, status: int) -> bool:
    return status >= 500 and not (status == 503 and knock.endpoint in MAY_SAY_503)


@pytest.mark.slow
@pytest.mark.both_databases
def test_odd_requests_break_nothing_and_looking_and_strangers_change_nothing(house: House):
    knocks = Knocks(house, seed=7)

    def answer(sent: Iterator[Knock]) -> list[tuple[Knock, int]]:
        return [(knock, status) for knock in sent if is_broken(knock, status := send(knock))]

    def send(knock: Knock) -> int:
        client = knocks.browsers[knock.who].client
        return client.open(knock.path, method=knock.method, data=knock.body, headers=knock.headers).status_code

    with house.hold():
        check(house, knocks, A_FEW, answer)


@pytest.mark.both_databases
@pytest.mark.skipif(not MANY, reason="make fuzz")
def test_a_running_service_takes_any_number_of_odd_requests(house: House):
    knocks = Knocks(house, seed=int(os.environ.get("HIKYAKU_FUZZ_SEED", "1")))
    cookies = {who: _cookie(knocks, who) for who in knocks.browsers}
    with running(house) as port, ThreadPoolExecutor(AT_ONCE) as pool:

        def send(knock: Knock) -> tuple[Knock, int]:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            headers = {"Cookie": cookies[knock.who], **knock.headers}
            connection.request(knock.method, knock.path, knock.body, headers)
            status = connection.getresponse().status
            connection.close()
            return knock, status

        def answer(sent: Iterator[Knock]) -> list[tuple[Knock, int]]:
            broken: list[tuple[Knock, int]] = []
            while batch := list(islice(sent, A_BATCH)):
                broken += [(knock, status) for knock, status in pool.map(send, batch) if is_broken(knock, status)]
            return broken

        check(house, knocks, MANY // 3, answer)


def _cookie(knocks: Knocks, who: str) -> str:
    found = knocks.browsers[who].client.get_cookie("hikyaku")
    return f"hikyaku={found.value}" if found else ""


@contextmanager
def running(house: House) -> Iterator[int]:
    """`hikyaku web` on the tables of this house; nobody works on its queue."""
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("HIKYAKU_")} | {
        "HIKYAKU_VAR": str(house.settings.var),
        "HIKYAKU_DATABASE_URL": house.settings.database_url,
        "HIKYAKU_LISTEN": f"127.0.0.1:{port}",
        "HIKYAKU_SECRET_KEY": SECRET,
    }
    process = subprocess.Popen([sys.executable, "-m", "workers.cli", "web"], env=environ)
    try:
        give_up = time.monotonic() + 60
        while not _answers(port):
            assert process.poll() is None
            assert time.monotonic() < give_up
            time.sleep(0.1)
        yield port
        assert process.poll() is None
    finally:
        process.terminate()
        process.wait()


def _answers(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
