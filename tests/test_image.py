"""The image starts: made by the very steps of the Dockerfile, without anything of the tests, and run as compose.yaml
says, it makes a game, plays a turn, and the letter about it arrives."""

import http.cookiejar
import os
import re
import signal
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from werkzeug.test import TestResponse
from werkzeug.wrappers import Response

from tests.image import Image, StepFailed, instructions, services
from tests.play import Browser, Page, body, mail_of, news
from tests.servers import MailServer, Postgres, Redis, free_port

PATIENCE = 60.0


class Web(Browser):
    """A browser over the network, with the forms and buttons that all tests use."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), cookies)

    def get(self, url: str) -> Page:
        return self._open(url, None)

    def post(self, url: str, data: dict[str, Any] | None = None, **how: Any) -> Page:
        return self._open(url, urllib.parse.urlencode(data or {}).encode())

    def _open(self, url: str, data: bytes | None) -> Page:
        try:
            answer = self._opener.open(urllib.parse.urljoin(self.base_url, url), data, timeout=20)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            response = Response(answer.read(), answer.status)
            return Page(self, answer.url, cast(TestResponse, response))


def eventually(what: str, found: Callable[[], Any]) -> Any:
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        if result := found():
            return result
        time.sleep(0.1)
    raise AssertionError(f"{what}: not within {PATIENCE:.0f} seconds")


def built(folder: Path) -> Image:
    image = Image(folder)
    try:
        image.build()
    except StepFailed as failure:
        pytest.fail(f"The Dockerfile cannot be carried out here. Its pip needs the index of this machine.\n{failure}")
    return image


@contextmanager
def running(image: Image, folder: Path, environ: dict[str, str]) -> Iterator[None]:
    """The services of compose.yaml that stay; none of them may end or break before the block does."""
    logs = {name: folder / f"{name}.log" for name, service in services().items() if name != "migrate"}
    processes = {name: image.start(services()[name].get("command", []), log, **environ) for name, log in logs.items()}
    try:
        yield
        assert {name: process.poll() for name, process in processes.items()} == dict.fromkeys(processes)
        assert [name for name, log in logs.items() if "Traceback" in log.read_text()] == []
    except AssertionError as error:
        said = "\n".join(f"--- {name}\n{log.read_text()[-2000:]}" for name, log in logs.items())
        raise AssertionError(f"{error}\n{said}") from error
    finally:
        for process in processes.values():
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.slow
def test_the_image_starts_and_plays_a_turn_to_its_letter(
    tmp_path: Path, postgres: Postgres, redis_server: Redis, mail_server: MailServer
):
    image = built(tmp_path / "image")
    check_what_is_in(image)
    port, database = free_port(), postgres.empty_database()
    given = {
        "HIKYAKU_DATABASE_URL": database,
        "HIKYAKU_REDIS_URL": redis_server.url,
        "HIKYAKU_BASE_URL": f"http://127.0.0.1:{port}",
        "HIKYAKU_SECRET_KEY": "s" * 48,
        "HIKYAKU_SMTP_URL": mail_server.url,
        "HIKYAKU_MAIL_FROM": "Hikyaku <hikyaku@games.example>",
    }
    assert given.keys() <= services()["web"]["environment"].keys()
    environ = given | {"HIKYAKU_LISTEN": f"127.0.0.1:{port}"}
    for command in (services()["migrate"]["command"], ["hikyaku", "doctor"]):
        done = image.run(command, **environ)
        assert done.returncode == 0, done.stdout + done.stderr
    with running(image, tmp_path, environ | {"HIKYAKU_MAIL_IN": f"lmtp://127.0.0.1:{free_port()}"}):
        play_a_turn(Web(given["HIKYAKU_BASE_URL"]), mail_server)
    postgres.drop(database)


def check_what_is_in(image: Image) -> None:
    """The command with all its parts, and nothing of the tests."""
    said = image.run(["hikyaku", "--help"])
    assert {"web", "worker", "beat", "migrate", "doctor"} <= set(said.stdout.split()), said.stderr
    assert services().keys() == {"migrate", "web", "turns", "letters", "bells", "beat", "mail-in"}
    listed = image.run(["python", "-c", "from importlib.metadata import *; print(*(d.name for d in distributions()))"])
    installed = {name.lower() for name in listed.stdout.split()}
    assert {"hikyaku", "celery", "flask", "sqlmodel"} <= installed
    assert installed & {"pytest", "ruff", "mypy", "hypothesis", "playwright", "djlint"} == set()
    assert not (image.root / "app" / "tests").exists()


def play_a_turn(organiser: Web, mail_server: MailServer) -> None:
    """Through pages and letters alone."""

    def link(name: str, told: str) -> str:
        """The link in the letter that tells this player so, once it is there."""

        def found() -> str | None:
            received = mail_server.to(mail_of(name))
            letters = [body(letter) for letter in received if told in f"{letter['Subject']} {news(letter)}"]
            return re.findall(rf"{organiser.base_url}/l/[\w-]+", letters[-1])[0] if letters else None

        return cast(str, eventually(f"a letter '{told}' to {name}", found))

    eventually("the pages", lambda: _answers(organiser))
    form = {"organiser-name": "Aiko", "organiser-mail": mail_of("Aiko"), "playing": "on", "pace": "evening"}
    form |= {"seat-1-name": "Bruno", "seat-1-mail": mail_of("Bruno")}
    made = organiser.get("/new?kind=osaka").press("Invite the players", **form)
    assert made.status == 200, made.text
    assert "The game is confirmed" in organiser.get(link("Aiko", "Is this your game")).press("Yes, this is my game")
    accepted = Web(organiser.base_url).get(link("Bruno", "invit")).press("accept")
    assert "You are in" in accepted
    first = eventually("the first turn", lambda: _asked(mail_server))
    page = Web(organiser.base_url).get(link(first, "it is your turn"))
    while not page.can_send:
        page = page.press(page.options[0])
    page.press("/send")
    (second,) = {"Aiko", "Bruno"} - {first}
    assert Web(organiser.base_url).get(link(second, "it is your turn")).options


def _answers(web: Web) -> bool:
    try:
        return web.get("/healthz").status == 200
    except urllib.error.URLError:
        return False


def _asked(mail_server: MailServer) -> str | None:
    """Whose turn it is, by the letters."""
    for name in ("Aiko", "Bruno"):
        if any("it is your turn" in news(letter) for letter in mail_server.to(mail_of(name))):
            return name
    return None


def test_nothing_old_runs_while_the_tables_change():
    """Compose stops what depends on `migrate` in this way before it is made anew."""
    waiting = {name: service["depends_on"]["migrate"] for name, service in services().items() if name != "migrate"}
    assert len(waiting) >= 4
    for name, how in waiting.items():
        assert how == {"condition": "service_completed_successfully", "restart": True}, name


def test_the_reader_of_the_dockerfile_reads_lines_that_go_on():
    read = list(instructions('# why\nFROM a AS b\nRUN one \\\n # not this\n && two\nCMD ["x"]\n'))
    assert read == [("FROM", "a AS b"), ("RUN", "one   && two"), ("CMD", '["x"]')]
