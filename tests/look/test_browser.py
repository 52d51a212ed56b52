"""The table page in a real browser, under the service's own content policy: layout on a phone and on a wide screen, and
what hikyaku.js adds. The pages are rendered from tests/look/scenery.py and served by the test itself."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Thread
from typing import Any

import pytest
from flask import Flask, Response, jsonify, redirect, request, send_file
from playwright.sync_api import Browser, BrowserContext, FloatRect, Page, ViewportSize
from werkzeug.serving import BaseWSGIServer, make_server

from service.web.app import CONTENT_POLICY
from service.web.table import Table as Laid
from tests.look.preview import ROOT, render
from tests.look.scenery import STATES, paying, taking, waiting

PHONE = ViewportSize(width=360, height=740)
WIDE = ViewportSize(width=1280, height=860)

TITLES = ROOT / "templates/titles"


class Table:
    """A table whose state the test sets, and a browser tab that looks at it. Remembers what was asked of the server."""

    def __init__(self) -> None:
        self.state: Callable[[], Laid] = STATES["your_turn"]
        self.after: Callable[[], Laid] | None = None
        self.version = 27
        self.posts: list[tuple[str, dict[str, str]]] = []
        self.loads = 0
        self.trouble: list[str] = []
        self.server: BaseWSGIServer = make_server("127.0.0.1", 0, self._app(), threaded=True)
        self.address = f"http://127.0.0.1:{self.server.server_port}/table"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def _app(self) -> Flask:
        app = Flask("table", static_folder=str(ROOT / "service/web/static"), static_url_path="/static")
        app.add_url_rule("/table", "table", self._page)
        app.add_url_rule("/start.style/<kind>", "style", lambda kind: send_file(TITLES / kind / "style.css"))
        app.add_url_rule("/g/k7f3/pulse", "pulse", lambda: jsonify(version=self.version))
        app.add_url_rule("/g/k7f3/<deed>", "deed", self._deed, methods=["POST"])
        return app

    def _page(self) -> Response:
        self.loads += request.headers.get("Sec-Fetch-Mode") == "navigate"
        html = render("table.html", replace(self.state(), version=self.version))
        return Response(html, headers={"Content-Security-Policy": CONTENT_POLICY}, content_type="text/html")

    def _deed(self, deed: str) -> Any:
        self.posts.append((deed, request.form.to_dict()))
        self.state = self.after or self.state
        return redirect("/table", 303)

    def sit_down(self, context: BrowserContext) -> None:
        self.tab = context.new_page()
        self.tab.on("console", lambda said: self.trouble.append(said.text) if said.type == "error" else None)
        self.tab.on("pageerror", lambda error: self.trouble.append(str(error)))

    def open(self, state: str = "your_turn") -> Page:
        self.state = STATES[state]
        self.tab.goto(self.address)
        return self.tab


@pytest.fixture
def laid() -> Iterator[Table]:
    """A table nobody looks at yet."""
    table = Table()
    yield table
    table.server.shutdown()


@pytest.fixture
def table(laid: Table, browser: Browser) -> Iterator[Table]:
    context = browser.new_context(viewport=PHONE)
    laid.sit_down(context)
    yield laid
    context.close()


def box(tab: Page, selector: str) -> FloatRect:
    found = tab.locator(selector).first.bounding_box()
    assert found is not None, selector
    return found


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_nothing_scrolls_sideways_and_the_policy_has_nothing_to_say(table, size):
    table.tab.set_viewport_size(size)
    for state in STATES:
        tab = table.open(state)
        assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"], state
        assert table.trouble == [], state


@pytest.mark.parametrize("state", ["your_turn", "paying", "held", "crowded"])
def test_on_a_phone_the_bar_is_in_reach_and_leaves_room_for_the_board(table, state):
    tab = table.open(state)
    bar = box(tab, ".bar")
    assert bar["y"] + bar["height"] == pytest.approx(PHONE["height"], abs=1)
    assert bar["height"] <= PHONE["height"] * 0.6
    low = [b for b in tab.locator(".bar button").all() if (found := b.bounding_box()) and found["height"] < 46]
    assert low == []


def test_on_a_phone_what_i_hold_comes_before_the_board_and_the_others(table):
    tab = table.open()
    tops = [box(tab, name)["y"] for name in (".clock", ".mine", ".market", "svg.board", ".players", ".since")]
    assert tops == sorted(tops)


def test_on_a_wide_screen_people_stand_beside_the_board(table):
    table.tab.set_viewport_size(WIDE)
    tab = table.open()
    assert box(tab, ".players")["x"] > box(tab, ".market")["x"] + box(tab, ".market")["width"]


def test_a_choice_changes_the_page_in_place_and_says_so(table):
    tab = table.open("your_turn")
    table.after = taking
    tab.get_by_role("button", name="Take coins").click()
    tab.locator("#prompt", has_text="Which card do you take as coins?").wait_for()
    assert table.loads == 1, "the page itself was loaded once"
    assert table.posts == [("choose", {"option": "take", "version": "27", "step": "0", "csrf_token": "c5rf"})]
    assert tab.evaluate("document.activeElement.id") == "prompt"
    tab.wait_for_function("document.getElementById('said').textContent.includes('Which card do you take')")


def test_a_lit_card_on_the_board_is_the_same_choice(table):
    tab = table.open("taking")
    table.after = STATES["done"]
    tab.locator("button.spot.lit").nth(1).click()
    tab.get_by_role("button", name="Send my turn").wait_for()
    assert table.posts[0][1]["option"] == "take.blue2"


def test_undo_goes_where_undo_goes(table):
    tab = table.open("taking")
    table.after = STATES["your_turn"]
    tab.get_by_role("button", name="Undo").click()
    tab.locator("#prompt", has_text="Buy the market, take a card as coins").wait_for()
    assert [deed for deed, _ in table.posts] == ["undo"]


def test_a_double_click_is_one_choice(table):
    tab = table.open("your_turn")
    tab.evaluate("() => { const b = document.querySelector('.bar .options button'); b.click(); b.click(); b.click(); }")
    tab.wait_for_timeout(300)
    assert len(table.posts) == 1


def test_when_the_quiet_way_fails_the_plain_way_is_taken(table):
    tab = table.open("your_turn")
    table.after = taking
    quietly = lambda route: route.abort() if route.request.resource_type == "fetch" else route.fallback()  # noqa: E731
    tab.route("**/choose", quietly)
    tab.get_by_role("button", name="Take coins").click()
    tab.locator("#prompt", has_text="Which card do you take as coins?").wait_for()
    assert len(table.posts) == 1
    assert table.loads == 2, "the browser submitted the form itself"


def test_without_javascript_the_same_buttons_work(laid, browser):
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    laid.sit_down(context)
    tab = laid.open("taking")
    laid.after = STATES["done"]
    tab.locator("button.spot.lit").first.click()
    tab.get_by_role("button", name="Send my turn").wait_for()
    assert laid.posts[0][1]["option"] == "take.yellow5"
    context.close()


def test_a_waiting_table_follows_by_itself_and_the_tab_says_so(table):
    table.tab.clock.install()
    tab = table.open("waiting")
    assert "Your turn" not in tab.title()
    tab.clock.run_for(16_000)
    assert table.loads == 1
    table.state, table.version = STATES["your_turn"], 28
    tab.clock.run_for(16_000)
    tab.locator(".clock h1", has_text="Aiko, it is your turn.").wait_for()
    assert tab.title().startswith("● Your turn")
    assert tab.locator("link[rel=icon]").get_attribute("href") == "/static/icon-turn.svg"
    assert table.loads == 1


def test_what_was_unfolded_stays_unfolded_while_the_table_moves_on(table):
    table.tab.clock.install()
    tab = table.open("waiting")
    tab.locator("summary", has_text="The table in words").click()
    table.state, table.version = lambda: replace(waiting(), lately=[]), 28
    tab.clock.run_for(16_000)
    tab.get_by_text("Nothing yet.").wait_for()
    assert tab.locator("details[data-keep=plain]").get_attribute("open") is not None


UNDER_THE_BAR = """() => {
  const el = document.activeElement, bar = document.querySelector(".bar");
  return Boolean(el.closest(".wrap")) && el.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1;
}"""


def test_by_keyboard_nothing_that_has_the_focus_is_under_the_bar(table):
    tab = table.open("paying")
    on_the_board = len(paying().lit)
    for _ in range(on_the_board + 8):
        tab.keyboard.press("Tab")
        assert not tab.evaluate(UNDER_THE_BAR)
