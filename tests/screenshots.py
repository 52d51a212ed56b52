"""`make screenshots`: the pictures in docs/, taken of a real game in a real browser.

Starts a whole installation in a temporary folder, plays a sample game through its letters, and photographs it at the
width of a phone and of a desk; then a game of Yokohama for four at its opening, in the middle and at the end.
`python -m tests.screenshots yokohama` takes only the latter.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from service import links
from tests.browser.conftest import Street
from tests.play import House, mint
from tests.servers import BROWSER_FLAGS, find_browser, free_port
from workers import schema

DOCS = Path(__file__).resolve().parent.parent / "docs"
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
TALL = 1800
TURNS_BEFORE_THE_PICTURE = 9
MOVES_TO_THE_MIDDLE = 41


@contextmanager
def installation() -> Iterator[str]:
    """`hikyaku up` on a free port; yields its address."""
    with tempfile.TemporaryDirectory(prefix="hikyaku-pictures-") as var:
        listen = f"127.0.0.1:{free_port()}"
        environment = os.environ | {"HIKYAKU_VAR": var, "HIKYAKU_LISTEN": listen}
        up = subprocess.Popen([sys.executable, "-m", "workers.cli", "up"], env=environment, stdout=subprocess.DEVNULL)
        try:
            _wait_until_ready(f"http://{listen}/readyz")
            yield f"http://{listen}"
        finally:
            up.send_signal(signal.SIGINT)
            up.wait(timeout=30)


def _wait_until_ready(url: str) -> None:
    give_up = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:  # not there yet, or too busy to answer
            if time.monotonic() > give_up:
                raise
            time.sleep(0.3)


def take_turn(page: Page) -> None:
    """Play as a hurried person would: the first choice of every question, then send."""
    for _ in range(20):
        if page.locator("form.bar button.go").count():
            break
        page.locator("form.bar ul.options button:not([disabled])").first.click()
        page.wait_for_load_state("networkidle")
    page.locator("form.bar button.go").click()
    page.wait_for_load_state("networkidle")


def photograph(page: Page, name: str, *, height: int | None = None) -> None:
    for size, suffix in ((PHONE, "phone"), (DESK, "desk")):
        page.set_viewport_size({"width": size["width"], "height": height or size["height"]})
        path = DOCS / f"{name}-{suffix}.png"
        page.screenshot(path=path)
        print(path.relative_to(DOCS.parent))
    page.set_viewport_size(PHONE)


def yokohama(browser: Browser) -> None:
    """A game for four, played by sensible players, as the one whose turn it is sees it."""
    with tempfile.TemporaryDirectory(prefix="hikyaku-pictures-") as var, pytest.MonkeyPatch.context() as patch:
        database = f"sqlite:///{var}/pictures.db"
        schema.upgrade(database)
        house = House(Path(var), database, patch)
        street = Street(house, browser)
        table = house.begun(["Aiko", "Bruno", "Chidi", "Dana"], "yokohama", name="Lisbon to Auckland")
        for player in table.players:
            player.play()
        for name, moves in (("opening", 0), ("middle", MOVES_TO_THE_MIDDLE), ("end", 1000)):
            table.rush(moves)
            asked = [seat for seat in table.seats() if seat.asked is not None] or table.seats()
            page = street.tab(viewport=PHONE)
            page.goto(street.address + mint(house, links.mint_seat, asked[0]))
            photograph(page, f"yokohama-{name}", height=TALL)
        street.close()
        house.close()


def main() -> None:
    chromium = find_browser()
    if chromium is None:
        sys.exit("Chromium is needed for pictures: put it in PATH, or name it in HIKYAKU_CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=BROWSER_FLAGS)
        if sys.argv[1:] != ["yokohama"]:
            osaka(browser)
        yokohama(browser)
        browser.close()


def osaka(browser: Browser) -> None:
    """The sample game of the first page, and a letter of it."""
    with installation() as base:
        # Without JavaScript every click is a page of its own, so that nothing is photographed half swapped.
        page = browser.new_page(viewport=PHONE, java_script_enabled=False)
        page.goto(base)
        photograph(page, "start")
        page.click("button[value=bots]")
        page.wait_for_load_state("networkidle")
        for _ in range(TURNS_BEFORE_THE_PICTURE):
            take_turn(page)
        page.reload()  # without the notice that the turn is played
        photograph(page, "table")
        page.goto(f"{base}/post-office")
        page.locator(".letters a").first.click()
        page.wait_for_load_state("networkidle")
        photograph(page, "letter")


if __name__ == "__main__":
    main()
