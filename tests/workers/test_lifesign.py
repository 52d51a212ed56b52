"""The dead-man's switch hears of every minute in which the sweep works, and neither delays it nor fails it."""

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import time_machine

from tests.play import House
from tests.servers import free_port
from workers import lifesign, timekeeper

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


class Switch(BaseHTTPRequestHandler):
    """Listens for signs of life. `answers` is kept shut by a test that wants no answer yet."""

    heard: list[str] = []
    status = 200
    answers = threading.Event()

    def do_GET(self) -> None:
        self.heard.append(self.path)
        self.answers.wait(10)
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *said: object) -> None:
        """Nothing: the test knows."""


@pytest.fixture
def switch(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Switch, "heard", [])
    Switch.answers.set()
    server = HTTPServer(("127.0.0.1", free_port()), Switch)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/secret-of-the-switch"
    Switch.answers.set()
    server.shutdown()
    thread.join()
    server.server_close()


def arrived() -> None:
    """Wait until nothing is on its way."""
    assert lifesign._on_its_way.acquire(timeout=15)
    lifesign._on_its_way.release()


def test_it_is_sent_after_a_sweep_and_once_a_minute(one_house: House, switch: str):
    settings = replace(one_house.settings, ping_url=switch)
    for seconds, times in ((0, 1), (5, 1), (59, 1), (60, 2), (65, 2)):
        with time_machine.travel(NOON + timedelta(seconds=seconds), tick=False):
            timekeeper.sweep(settings)
        arrived()
        assert len(Switch.heard) == times, seconds


def test_a_sweep_that_fails_sends_none(one_house: House, switch: str, monkeypatch: pytest.MonkeyPatch):
    def fails(now: datetime) -> int:
        raise OSError("the disk is full")

    monkeypatch.setattr(timekeeper, "look_at_seats", fails)
    with pytest.raises(OSError, match="the disk is full"):
        timekeeper.sweep(replace(one_house.settings, ping_url=switch))
    assert Switch.heard == []


def test_a_switch_that_does_not_answer_delays_no_sweep(one_house: House, switch: str):
    Switch.answers.clear()
    began = time.monotonic()
    timekeeper.sweep(replace(one_house.settings, ping_url=switch))
    assert lifesign.send(switch) is None  # one at a time
    assert time.monotonic() - began < lifesign.PATIENCE
    Switch.answers.set()
    arrived()


def test_what_became_of_it_is_logged_without_its_address(
    switch: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    lifesign.send(switch)
    arrived()
    monkeypatch.setattr(Switch, "status", 404)
    lifesign.send(switch)
    arrived()
    lifesign.send(f"http://127.0.0.1:{free_port()}/secret-of-the-switch")
    arrived()
    assert [record.getMessage() for record in caplog.records] == [
        "the sign of life was answered with 200",
        "the sign of life was answered with 404",
        "the sign of life did not arrive: ConnectionRefusedError",
    ]
    assert "secret" not in caplog.text
