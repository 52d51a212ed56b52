"""A street of the town: an installation with its door on a port, and people with phones who come to it."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Response
from werkzeug.serving import make_server

from tests.browser.hands import EYES
from tests.play import House

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "has_touch": False, "is_mobile": False}


class Street:
    """The house with its door on a port, and a browser that notes whatever goes wrong in it."""

    def __init__(self, house: House, browser: Browser) -> None:
        self.house = house
        self.trouble: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._server = make_server("127.0.0.1", 0, house.app, threaded=True)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def tab(self, **how: Any) -> Page:
        context = self._browser.new_context(**{**PHONE, "reduced_motion": "reduce", **how})
        self._contexts.append(context)
        tab = context.new_page()
        tab.add_init_script(EYES)
        tab.on("console", lambda said: self.trouble.append(said.text) if said.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: self.trouble.append(str(error)))
        tab.on("response", self._note_refusal)
        return tab

    def _note_refusal(self, response: Response) -> None:
        if response.status >= 400:
            self.trouble.append(f"{response.status} for {response.request.method} {response.url}")

    def close(self) -> None:
        for context in self._contexts:
            context.close()
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
