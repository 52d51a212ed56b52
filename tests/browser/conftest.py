"""A street of the town: an installation with its door on a port, and people with phones who come to it."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response
from werkzeug.serving import make_server

from tests.play import House

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "has_touch": False, "is_mobile": False}


class Device:
    """A phone or a computer with one window, which costs a browser more to open than most pages in it: it is kept, and
    given to the next who asks for its like. What goes wrong in it is noted."""

    def __init__(self, browser: Browser, how: dict[str, Any]) -> None:
        self.how = how
        self.street: Street  # where it is just now
        self.tab = browser.new_context(**how).new_page()
        self.tab.on("console", lambda said: self._note(said.text) if said.type in ("error", "warning") else None)
        self.tab.on("pageerror", lambda error: self._note(str(error)))
        self.tab.on("response", self._note_refusal)

    def _note_refusal(self, response: Response) -> None:
        if response.status >= 400:
            self._note(f"{response.status} for {response.request.method} {response.url}")

    def _note(self, trouble: str) -> None:
        self.street.trouble.append(trouble)

    def wipe(self) -> None:
        """As it was when it was new."""
        self.tab.goto("about:blank")
        self.tab.unroute_all()
        self.tab.set_viewport_size(self.how["viewport"])
        self.tab.mouse.move(-9, -9)  # nobody points at anything
        self.tab.context.clear_cookies()


@cache
def idle_devices(browser: Browser) -> list[Device]:
    return []


def device(browser: Browser, how: dict[str, Any]) -> Device:
    idle = idle_devices(browser)
    found = next((it for it in idle if it.how == how), None)
    if found is None:
        return Device(browser, how)
    idle.remove(found)
    return found


class Street:
    """The house with its door on a port, and a browser that notes whatever goes wrong in it."""

    def __init__(self, house: House, browser: Browser) -> None:
        self.house = house
        self.trouble: list[str] = []
        self._browser = browser
        self._devices: list[Device] = []
        self._server = make_server("127.0.0.1", 0, house.app, threaded=True)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def tab(self, **how: Any) -> Page:
        it = device(self._browser, {**PHONE, "reduced_motion": "reduce", **how})
        it.street = self
        self._devices.append(it)
        return it.tab

    def close(self) -> None:
        for it in self._devices:
            it.wipe()
        idle_devices(self._browser).extend(self._devices)
        self._server.shutdown()
        self._thread.join()


@pytest.fixture
def street(browser: Browser, tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Street]:
    """What a browser shows does not depend on the database, so one kind is enough here."""
    house = House(tmp_path, sqlite_url, monkeypatch)
    street = Street(house, browser)
    yield street
    street.close()
    house.close()
    assert street.trouble == []
