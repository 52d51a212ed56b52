"""Every kind of page as those meet it who cannot see or cannot use a mouse: axe-core finds nothing that matters."""

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from engine import GAMES
from service.models import Letter, Person
from service.post import links
from tests.browser.conftest import PHONE, WIDE, Street
from tests.play import Table, link_in, mint

AXE = Axe().axe_script + (Path(__file__).parent / "kinds.js").read_text()
# What is found is told by its markup. The frame that a letter is shown in runs no script, so nobody can answer in it.
WANTED = "resultTypes: ['violations'], selectors: false, iframes: false"
EVERYTHING = f"() => axe.run({{ {WANTED}, rules: {{ 'color-contrast': {{ enabled: false }} }} }})"
CONTRAST = f"""(seen) => {{
    const [include, kinds] = newKinds(seen);
    const run = include.length && axe.run({{ include }}, {{ {WANTED}, runOnly: ["color-contrast"] }});
    return Promise.resolve(run || {{ violations: [] }}).then((found) => ({{ ...found, kinds }}));
}}"""
MATTERS = {"moderate", "serious", "critical"}
# What has the focus: whether it is what is wanted, its words, and whether it is in the window with an edge around it.
FOCUSED = """(wanted) => {
    const el = document.activeElement, box = el.getBoundingClientRect();
    const edged = [el, el.parentElement].some((part) => getComputedStyle(part).outlineStyle !== "none");
    const seen = edged && box.bottom > 0 && box.top < innerHeight;
    return { fits: wanted !== "" && el.matches(wanted), text: el.innerText, seen, html: el.outerHTML.slice(0, 120) };
}"""


class Examiner:
    """Has axe look at pages. Whether a text stands out is asked once for all that look the same in the same
    surroundings, on whichever page: that is most of axe's work."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab
        self.found: list[str] = []
        self._seen: dict[str, list[str]] = {"light": [], "dark": []}

    def look(self, url: str, *, colours: bool = True) -> None:
        """All there is by day; by night nothing but colours differs."""
        self.tab.goto(url)
        self.tab.evaluate(AXE)
        self._note(self.tab.evaluate(EVERYTHING))
        for scheme in ("light", "dark") if colours else ():
            self.tab.emulate_media(color_scheme=scheme)
            answer = self.tab.evaluate(CONTRAST, self._seen[scheme])
            self._seen[scheme] += answer["kinds"]
            self._note(answer)
        self.tab.emulate_media(color_scheme="light")

    def _note(self, answer: dict[str, Any]) -> None:
        self.found += [
            f"{self.tab.url}: {violation['id']}: {node['html'][:120]} "
            f"{node['any'][0]['message'][:120] if node['any'] else ''}"
            for violation in answer["violations"]
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
    examiner = Examiner(street.tab(**how))
    for path in (asked, *map(table.url, ("/watch", "/board/0?seat=0", "/replay?move=5&seat=0"))):
        colours = how is WIDE or path == asked  # a phone shows less of it in the same colours
        examiner.look(street.address + path, colours=colours)
    assert not examiner.found, "\n".join(examiner.found)


def test_every_other_kind_of_page_and_that_company_is_kept_by_keyboard_alone(street: Street):
    house = street.house
    over: Table = house.begun(["Aiko", "Bruno"])
    over.rush()
    running: Table = house.begun(["Aiko", "Bruno"], moderator=("Mo", "mo@players.example"))
    running.rush(5)
    invited: Table = house.game(["Aiko", "Bruno"])
    open_table = house.game(["Aiko", "?"], **{"seat-1-who": "open"}).game()
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
        f"/my/settings/{me}/bells",
        f"/my/play/{me}",
        "/join",
        running.url("/bells"),
        running.url("/seat/0/notes"),
    ]
    pages += [*(f"/rules/{kind}/short" for kind in GAMES), over.url("/seat/0/rematch")]
    pages += [
        running.url("/seat/0/propose"),
        running.url("/desk"),
        running.url("/organise"),
        invited.url("/organise"),
        invited.url("/seat/0/invitation"),
    ]
    examiner = Examiner(tab)
    for path in pages:
        examiner.look(street.address + path)
    assert not examiner.found, "\n".join(examiner.found)
    for page, *keys, said in (
        (f"/my/settings/{me}/bells", ("[name=letters][value=talk]", "Space"), ("Save", "Enter"), "Saved."),
        (running.url("/seat/0/notes"), ("textarea", "Plan: tea"), ("Keep it", "Enter"), "Your notes are kept."),
        (over.url("/seat/0/rematch"), ("button.go", "Enter"), "You are in. The others are invited"),
        ("/join", ("[name=code]", str(open_table.code)), ("To the table", "Enter"), "Ask for a seat"),
    ):
        tab.goto(street.address + page)
        for wanted, key in keys:
            press(tab, wanted, key)
        expect(tab.locator("body")).to_contain_text(said)
    press(tab, "[name=name]", "Chidi")
    press(tab, "[name=mail]", "chidi@players.example")
    tab.keyboard.press("Enter")
    expect(tab.locator("body")).to_contain_text("We have written to chidi@players.example")
    assert not house.one(Person, Person.id == me).talk_letters


def press(tab: Page, wanted: str, key: str) -> None:
    """To something by the Tab key, which can be seen on all it passes; then this key, or these."""
    selector = wanted if any(sign in wanted for sign in "[.") or wanted == "textarea" else ""
    for _ in range(60):
        tab.keyboard.press("Tab")
        found = tab.evaluate(FOCUSED, selector)
        assert found["seen"], found
        if found["fits"] or found["text"] == wanted:
            break
    else:
        raise AssertionError(f"the Tab key never comes to {wanted}")
    if key in ("Space", "Enter"):
        tab.keyboard.press(key)
    else:
        tab.keyboard.type(key)
