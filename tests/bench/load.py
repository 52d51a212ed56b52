"""How many table pages a second two processes make for many who ask at once: wrk against `hikyaku web`."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from engine import GAMES
from service.config import Settings
from service.web.app import create_app
from tests.bench.installation import installation, new_game, postgres
from tests.bench.pages import ACCEPTED, LATE, table_of
from tests.bench.rows import Row
from tests.servers import free_port

GOALS = {"osaka": 150}
OTHERS = 80  # for the big titles
SECONDS, WARM = 4, 2
CONNECTIONS, MANY = 16, 200
NO_WRK = "not measured: there is no wrk here (Debian and Ubuntu: apt install wrk; macOS: brew install wrk)"


def load_rows() -> Iterator[Row]:
    if shutil.which("wrk") is None:
        yield Row("table pages a second", NO_WRK, f"{OTHERS}/s at the least", held=False)
        return
    with postgres() as url, installation(url) as settings, serving(settings) as address:
        app = create_app(settings)
        for number, title in enumerate(GAMES.values()):
            page, _ = table_of(app, new_game(number, title.players[-1], title.id, LATE))
            cookie = page.browser.client.get_cookie("hikyaku")
            assert cookie is not None
            asked = [f"{address}{page.url}", "-H", f"Cookie: hikyaku={cookie.value}"]
            ask(asked, CONNECTIONS, WARM)
            rate, lost = ask(asked, CONNECTIONS)
            goal, text = GOALS.get(title.id, OTHERS), f"{rate:,.0f}/s, {lost} lost"
            yield Row(f"{title.title}: table pages", text, f"{goal}/s", rate >= goal and not lost)
        rate, lost = ask(asked, MANY)
        yield Row(f"{MANY} connections at once", f"{rate:,.0f}/s, {lost} lost", "none lost", not lost)


def ask(request: list[str], connections: int, seconds: int = SECONDS) -> tuple[float, int]:
    """Answers a second, and how many were none, or not the page."""
    how = ["-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "20s"]
    how += [part for name, value in ACCEPTED.items() for part in ("-H", f"{name}: {value}")]
    said = subprocess.run(["wrk", *how, *request], capture_output=True, text=True, check=True).stdout
    rate = re.search(r"Requests/sec:\s+([0-9.]+)", said)
    assert rate, said
    refused = re.search(r"Non-2xx or 3xx responses: ([0-9]+)", said)
    errors = re.search(r"Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)", said)
    return float(rate[1]), int(refused[1] if refused else 0) + sum(map(int, errors.groups() if errors else ()))


@contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """The pages as `hikyaku web` serves them by itself."""
    listen = f"127.0.0.1:{free_port()}"
    environment = os.environ | {
        "HIKYAKU_VAR": str(settings.var),
        "HIKYAKU_DATABASE_URL": settings.database_url,
        "HIKYAKU_REDIS_URL": settings.redis_url or "",
        "HIKYAKU_SECRET_KEY": settings.secret_key,
        "HIKYAKU_LISTEN": listen,
    }
    process = subprocess.Popen([sys.executable, "-m", "workers.cli", "web"], env=environment)
    try:
        _wait_for(f"http://{listen}/healthz")
        yield f"http://{listen}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(address: str) -> None:
    give_up = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(address, timeout=5)
        except (urllib.error.URLError, OSError):
            if time.monotonic() > give_up:
                raise
            time.sleep(0.1)
        else:
            return
