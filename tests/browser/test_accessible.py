"""Every kind of page as those meet it who cannot see or cannot use a mouse: axe-core finds nothing that matters."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from engine import GAMES
from service.models import Letter
from service.post import links
from tests.browser.conftest import PHONE, WIDE, Street
from tests.play import Table, link_in, mint

AXE = Axe().axe_script
RUN = "(options) => axe.run({ resultTypes: ['violations'], ...options }).then((found) => found.violations)"
MATTERS = {"moderate", "serious", "critical"}


def findings(tab: Page, *, colours: bool = True) -> list[str]:
    """All there is by day; by night nothing but colours differs."""
    tab.evaluate(AXE)
    by_day: list[dict[str, Any]] = tab.evaluate(RUN, {"rules": {"color-contrast": {"enabled": colours}}})
    by_night: list[dict[str, Any]] = []
    if colours:
        tab.emulate_media(color_scheme="dark")
        by_night = tab.evaluate(RUN, {"runOnly": ["color-contrast"]})
        tab.emulate_media(color_scheme="light")
    return [
        f"{tab.url}: {violation['id']}: {node['html'][:120]} {node['any'][0]['message'][:120] if node['any'] else ''}"
        for violation in by_day + by_night
        if violation["impact"] in MATTERS
        for node in violation["nodes"][:3]
    ]


@pytest.mark.parametrize("how", [PHONE, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize("kind", GAMES)
def test_a_table_of_every_title_in_turn_waiting_and_looked_back_on(street: Street, kind: str, how: dict[str, Any]):
    names = ["Aiko", "Bruno", "Chidi", "Dana"][: GAMES[kind].players[-1]]
    table = street.house.begun([names[0], *(f"{name}*" for name in names[1:])], kind)
    table.rush(9)
    asked = mint(street.house, links.mint_seat, table.seats()[0])
    tab = street.tab(**how)
    found = []
    for path in (asked, *map(table.url, ("/watch", "/board/0?seat=0", "/replay?move=5&seat=0"))):
        tab.goto(street.address + path)
        found += findings(tab, colours=how is WIDE or path == asked)  # a phone shows less of it in the same colours
    assert not found, "\n".join(found)


def test_every_other_kind_of_page(street: Street):
    house = street.house
    over: Table = house.begun(["Aiko", "Bruno"])
    over.finish()
    running: Table = house.begun(["Aiko", "Bruno"], moderator=("Mo", "mo@players.example"))
    running.rush(5)
    invited: Table = house.game(["Aiko", "Bruno"])
    tab = street.tab(**PHONE)
    for table in (over, running, invited):
        for path in (mint(house, links.mint_seat, table.seats()[0]), mint(house, links.mint_organiser, table.game())):
            tab.goto(street.address + path)
    tab.goto(street.address + running.desk_link())
    letter = house.all(Letter, Letter.kind == "turn")[-1].id
    pages = ["/", "/new", "/my", "/links", "/privacy", *(f"/rules/{kind}" for kind in GAMES), "/post-office"]
    pages += [f"/post-office/{letter}", link_in(house.letters(kind="turn")[-1], "u")]
    pages += [over.url("/seat/0"), over.url("/result"), over.url("/log"), running.url("/seat/0/settings")]
    me = running.seats()[0].person_id
    pages += [running.url("/seat/0/leave"), f"/my/data/{me}", f"/my/data/{me}/address", f"/my/data/{me}/delete"]
    pages += [
        running.url("/seat/0/propose"),
        running.url("/desk"),
        running.url("/organise"),
        invited.url("/organise"),
        invited.url("/seat/0/invitation"),
    ]
    found = []
    for path in pages:
        tab.goto(street.address + path)
        found += findings(tab)
    assert not found, "\n".join(found)
