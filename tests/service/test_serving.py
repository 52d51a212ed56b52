"""Whoever speaks or listens slowly holds up nobody else, and no line that the server writes names an address."""

import http.client
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import psutil
import pytest
from flask import Flask
from waitress import wasyncore

from service import logs
from service.config import Settings
from service.db import db
from service.models import Person
from service.post import links
from service.web import serving as serving_module
from service.web.app import create_app
from service.web.serving import make_server, open_doors
from tests.play import House, link_in, mint
from tests.servers import free_port

SLOW = 200
PATIENCE = 10.0  # seconds; without an answer to slow clients an ordinary page would wait for ever
SLOWLY = {
    "in their headers": b"GET / HTTP/1.1\r\nHost: x\r\nX-",
    "in what they send": b"POST /links HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nmail=",
    "in reading": b"GET /static/hikyaku.css HTTP/1.1\r\nHost: x\r\n\r\n" * 2,
    "in asking at all": b"",
}


@contextmanager
def serving(app: Flask, settings: Settings) -> Iterator[int]:
    """The pages on a port of their own, from a thread."""
    (door,) = open_doors("127.0.0.1:0")
    port = door.getsockname()[1]
    server = make_server(app, settings, threads=2, door=door)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield port
    finally:
        server.trigger.pull_trigger(partial(wasyncore.close_all, server._map))  # it runs as long as something is open
        thread.join()
        server.task_dispatcher.shutdown()


def get(port: int, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    return answer.status, said


def slow_client(port: int, says: bytes) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    client.settimeout(PATIENCE)
    client.connect(("127.0.0.1", port))
    client.sendall(says)
    return client


@pytest.mark.parametrize("how", SLOWLY)
def test_two_hundred_slow_clients_hold_up_nobody(one_house: House, how: str):
    with ExitStack() as open_ones, serving(one_house.app, one_house.settings) as port:
        for _ in range(SLOW):
            open_ones.enter_context(slow_client(port, SLOWLY[how]))
        for _ in range(5):
            assert get(port, "/")[0] == 200


def test_not_even_an_error_of_the_server_itself_logs_an_address(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    settings = Settings(var=tmp_path, database_url=f"sqlite:///{tmp_path}/none.db", secret="s" * 32)
    app = create_app(settings)

    def broken(*_: object) -> None:
        raise RuntimeError("before any page")

    monkeypatch.setattr(app, "wsgi_app", broken)
    caplog.handler.setFormatter(logs.TextLines())
    with caplog.at_level(logging.DEBUG), serving(app, settings) as port:
        assert get(port, "/l/a-secret-token")[0] == 500
    assert "before any page" in caplog.text
    assert "a-secret-token" not in caplog.text
    db.close()


def test_a_walk_over_all_secret_addresses_leaves_none_of_them_in_any_log(
    one_house: House, caplog: pytest.LogCaptureFixture
):
    """Not those of a seat, of letters or of a calendar, and not when the database is gone in the middle of it."""
    caplog.handler.setFormatter(logs.TextLines())
    with caplog.at_level(logging.DEBUG), serving(one_house.app, one_house.settings) as port:
        table = one_house.begun(["Aiko", "Bruno"])
        calendar = mint(one_house, links.mint_calendar, one_house.all(Person)[0]).removeprefix("/l/")
        paths = [table.player("Aiko").link(), link_in(one_house.letters(kind="turn")[0], "u"), f"/c/{calendar}.ics"]
        assert [get(port, path)[0] for path in paths] == [302, 200, 200]
        db.configure(f"postgresql+psycopg://nobody@127.0.0.1:{free_port()}/none")
        assert [get(port, path)[0] for path in paths] == [503, 503, 503]
    assert "no database for GET keys.open_link" in caplog.text
    for path in paths:
        assert path[3:40] not in caplog.text


def test_whoever_comes_is_led_to_each_of_the_processes_and_nobody_else_listens_there():
    """Also those who come all at once and stay, as browsers and proxies do."""
    with ExitStack() as stack:
        doors = [stack.enter_context(door) for door in open_doors("127.0.0.1:0", 2)]
        address = doors[0].getsockname()
        for _ in range(64):
            stack.enter_context(socket.create_connection(address))
        for door in doors:
            door.settimeout(PATIENCE)
            stack.enter_context(door.accept()[0])
        for processes in (1, 2):
            with pytest.raises(OSError, match="in use"):
                open_doors(f"127.0.0.1:{address[1]}", processes)


def test_two_processes_share_an_address_and_one_that_is_killed_is_replaced(
    one_house: House, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(serving_module, "TOO_SOON", 0.0)
    port = free_port()
    settings = replace(one_house.settings, listen=f"127.0.0.1:{port}")
    parent = get_context("fork").Process(target=serving_module.serve, args=(settings, 2, 2))
    parent.start()
    try:
        first = both_of(parent.pid)
        assert get_once_open(port) == 200
        first[0].kill()
        second = both_of(parent.pid, besides=first[0])
        assert [get(port, "/healthz")[0] for _ in range(5)] == [200] * 5
    finally:
        parent.terminate()
        parent.join(PATIENCE)
    assert parent.exitcode == 0
    assert not psutil.wait_procs(second, timeout=PATIENCE)[1]


def test_killed_the_hard_way_they_leave_nobody_behind(one_house: House):
    settings = replace(one_house.settings, listen=f"127.0.0.1:{free_port()}")
    parent = get_context("fork").Process(target=serving_module.serve, args=(settings, 2, 2))
    parent.start()
    beside = both_of(parent.pid)
    parent.kill()
    parent.join(PATIENCE)
    assert not psutil.wait_procs(beside, timeout=PATIENCE)[1]


def test_also_before_they_are_open_whatever_they_do_then(one_house: House, monkeypatch: pytest.MonkeyPatch):
    def never_ready(settings: Settings) -> None:
        while True:
            with suppress(KeyboardInterrupt):
                time.sleep(PATIENCE)

    monkeypatch.setattr(serving_module, "create_app", never_ready)
    test_killed_the_hard_way_they_leave_nobody_behind(one_house)


def both_of(parent: int | None, besides: psutil.Process | None = None) -> list[psutil.Process]:
    give_up = time.monotonic() + PATIENCE
    while True:
        found = [child for child in psutil.Process(parent).children() if child != besides]
        if len(found) == 2:
            return found
        assert time.monotonic() < give_up
        time.sleep(0.02)


def get_once_open(port: int) -> int:
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            return get(port, "/healthz")[0]
        except ConnectionError:
            assert time.monotonic() < give_up
            time.sleep(0.02)
