"""`hikyaku up` starts as one and ends as one: whatever ends it, no process stays behind."""

import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.servers import free_port
from workers import up

ROOT = Path(__file__).resolve().parent.parent.parent
PARTS = {"redis", "web", "worker-turns", "worker-letters", "worker-bells", "beat"}
pytestmark = pytest.mark.slow


class Installation:
    """One `hikyaku up` in a folder of its own."""

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.port = port or free_port()
        self.environ = {name: value for name, value in os.environ.items() if not name.startswith("HIKYAKU_")} | {
            "HIKYAKU_VAR": str(folder),
            "HIKYAKU_LISTEN": f"127.0.0.1:{self.port}",
        }
        self.folder = folder
        self.output = folder.with_suffix(".out")
        with open(self.output, "w") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "workers.cli", "up"],
                cwd=ROOT,
                env=self.environ,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.family: list[psutil.Process] = []

    def said(self) -> str:
        return self.output.read_text()

    def wait_until_running(self) -> None:
        _eventually(lambda: "Press Ctrl-C" in self.said() or self.process.poll() is not None, 90)
        assert self.process.poll() is None, self.said()
        _eventually(lambda: len(self._children()) >= 7, 30)  # the pools of web and worker are there too
        self.family = self._children()

    def get(self, path: str) -> int:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return int(answer.status)

    def part(self, word: str) -> psutil.Process:
        return next(child for child in self.family if word in child.cmdline())

    def survivors(self) -> list[psutil.Process]:
        _, alive = psutil.wait_procs(self.family, timeout=10)
        return list(alive)

    def kill(self) -> None:
        for process in [*self.family, self.process]:
            if process.poll() is None if isinstance(process, subprocess.Popen) else process.is_running():
                process.kill()
        self.process.wait()

    def _children(self) -> list[psutil.Process]:
        return list(psutil.Process(self.process.pid).children(recursive=True))


def _eventually(true, seconds: float) -> None:
    give_up = time.monotonic() + seconds
    while not true() and time.monotonic() < give_up:
        time.sleep(0.1)


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    it = Installation(tmp_path / "var")
    try:
        it.wait_until_running()
        yield it
    finally:
        it.kill()


def test_it_serves_pages_tells_where_refuses_a_second_one_and_ctrl_c_ends_it_all(installation: Installation):
    assert installation.get("/healthz") == 200
    assert installation.get("/readyz") == 200
    assert installation.get("/") == 200
    assert installation.get("/post-office") == 200
    assert f"http://127.0.0.1:{installation.port}/post-office" in installation.said()
    assert {path.stem for path in (installation.folder / "log").glob("*.log")} == PARTS
    assert installation.folder.stat().st_mode & 0o077 == 0  # the letters in it hold keys

    second = Installation(installation.folder)
    assert second.process.wait(30) == 1
    assert "already running" in second.said()
    elsewhere = Installation(installation.folder.with_name("other"), installation.port)
    assert elsewhere.process.wait(30) == 1
    assert f"Cannot listen on 127.0.0.1:{installation.port}" in elsewhere.said()

    installation.process.send_signal(signal.SIGINT)
    assert installation.process.wait(20) == 0
    assert installation.survivors() == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other kernels do not tell children of this")
def test_a_killed_parent_leaves_no_process_and_no_lock_and_the_death_of_a_child_ends_the_others(
    installation: Installation,
):
    installation.process.kill()
    installation.process.wait()
    assert installation.survivors() == []

    again = Installation(installation.folder, installation.port)
    try:
        again.wait_until_running()
        again.part("beat").kill()
        assert again.process.wait(20) == 1
        assert "beat ended (status -9)" in again.said()
        assert again.survivors() == []
    finally:
        again.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_whichever_signal_asks_for_it_stops_in_order(number: signal.Signals):
    stop = threading.Event()
    with up.stopping_on_signals(stop):
        os.kill(os.getpid(), number)
        assert stop.wait(10)
