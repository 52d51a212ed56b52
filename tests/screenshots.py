"""`make screenshots`: the pictures in docs/, taken of a real game in a real browser.

Starts a whole installation in a temporary folder and photographs its way in and a letter, at the size of a phone and of
a laptop. The tables are photographed in a house of their own, where built-in players lead to the moment that is wanted,
and with them the letter that calls to that table.
`make screenshots ARGS=zaibatsu` takes only those of that game.
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
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from sqlmodel import col

from service.models import GameStatus, Letter
from service.post import links
from service.post.letters import Turn
from tests.browser.conftest import Street
from tests.browser.hands import Hands
from tests.play import House, Table, mint
from tests.servers import BROWSER_FLAGS, find_browser, free_port
from workers import schema

DOCS = Path(__file__).resolve().parent.parent / "docs"
PHONE = ViewportSize(width=390, height=844)
LAPTOP = ViewportSize(width=1280, height=900)
SETTLED_MS = 500
LETTERS = {360: "phone", 600: "laptop"}  # how wide a mail reader shows them


class Moment(NamedTuple):
    """A picture of a game's board: who plays, after how many moves it is taken, and how far into a turn."""

    name: str
    kind: str
    players: list[str]
    moves: int
    touches: int = 0


FOUR = ["Aiko", "Bruno", "Chidi", "Dana"]
MOMENTS = [
    Moment("osaka-middle", "osaka", FOUR, 26),
    Moment("osaka-end", "osaka", FOUR, 1000),
    Moment("yokohama-opening", "yokohama", FOUR, 4),
    Moment("yokohama-middle", "yokohama", FOUR, 45),
    Moment("yokohama-end", "yokohama", FOUR, 1000),
    Moment("duel-opening", "duel", ["Aiko", "Bruno"], 3),
    Moment("duel-middle", "duel", ["Aiko", "Bruno"], 26),
    Moment("duel-end", "duel", ["Aiko", "Bruno"], 1000),
    Moment("zaibatsu-opening", "zaibatsu", FOUR, 8),
    Moment("zaibatsu-middle", "zaibatsu", FOUR, 74, touches=1),
    Moment("zaibatsu-end", "zaibatsu", FOUR, 1000),
    Moment("zaibatsu-solo", "zaibatsu", ["Aiko"], 17),
]


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


def photograph(page: Page, name: str) -> None:
    """What one sees at once, on a phone and on a laptop."""
    for size, suffix in ((PHONE, "phone"), (LAPTOP, "laptop")):
        page.set_viewport_size(size)
        page.wait_for_timeout(SETTLED_MS)  # a letter inside a page follows a moment later
        path = DOCS / f"{name}-{suffix}.png"
        page.screenshot(path=path)
        print(path.relative_to(DOCS.parent))
    page.set_viewport_size(PHONE)


def photograph_letter(page: Page, address: str, name: str) -> None:
    """A letter as a mail reader shows it, as far as its button."""
    for width, suffix in LETTERS.items():
        page.set_viewport_size(ViewportSize(width=width, height=844))
        page.goto(address)
        button = page.locator("p > a", has_text="Play your turn").bounding_box()
        assert button is not None
        path = DOCS / f"{name}-letter-{suffix}.png"
        page.screenshot(
            path=path,
            full_page=True,
            clip={"x": 0, "y": 0, "width": width, "height": button["y"] + button["height"] + 24},
        )
        print(path.relative_to(DOCS.parent))


def newest_letter(house: House, table: Table) -> str:
    """Where the post office shows the last letter that called somebody to this table."""
    sent = house.all(
        Letter, Letter.game_id == table.game().id, Letter.kind == Turn.name, col(Letter.source).is_not(None)
    )
    return f"/post-office/{max(letter.id for letter in sent)}/html"


def photograph_boards(browser: Browser, moments: list[Moment]) -> None:
    with tempfile.TemporaryDirectory(prefix="hikyaku-pictures-") as var, pytest.MonkeyPatch.context() as patch:
        database = f"sqlite:///{var}/hikyaku.db"
        schema.upgrade(database)
        house = House(Path(var), database, patch)
        street = Street(house, browser)
        for moment in moments:
            table = house.begun(moment.players, kind=moment.kind)
            table.rush(moment.moves)
            seats = table.seats()
            seat = next((seat for seat in seats if seat.asked is not None), seats[0])
            page = street.tab(viewport=PHONE, has_touch=False, is_mobile=False, reduced_motion="reduce")
            page.goto(street.address + mint(house, links.mint_seat, seat))
            page.set_viewport_size(LAPTOP)
            for _ in range(moment.touches):
                Hands(table.players[seat.no], page).touch()
            if moment.name.endswith("-middle"):
                photograph_letter(street.tab(), street.address + newest_letter(house, table), moment.kind)
            if table.game().status is GameStatus.FINISHED:
                page.goto(street.address + table.url("/result"))
            photograph(page, moment.name)
        street.close()
        house.close()


def main(wanted: list[str]) -> None:
    chromium = find_browser()
    if chromium is None:
        sys.exit("Chromium is needed for pictures: put it in PATH, or name it in HIKYAKU_CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=BROWSER_FLAGS)
        photograph_boards(browser, [moment for moment in MOMENTS if not wanted or moment.kind in wanted])
        if not wanted:
            photograph_a_house(browser)
        browser.close()


def photograph_a_house(browser: Browser) -> None:
    """The way in, and a letter."""
    with installation() as base:
        page = browser.new_page(viewport=PHONE, java_script_enabled=False)
        page.goto(base)
        photograph(page, "start")
        page.locator("button[value=people]").first.click()
        page.goto(f"{base}/post-office")
        turn = page.locator(".letters a", has_text="Your turn")
        while not turn.count():  # the courier is on the way
            page.wait_for_timeout(300)
            page.reload()
        turn.first.click()
        page.wait_for_load_state("networkidle")
        photograph(page, "letter")


if __name__ == "__main__":
    main(sys.argv[1:])
