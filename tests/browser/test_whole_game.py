"""Whole games on a phone: a person plays against the built-in player, by tapping buttons of real pages, to the result.

The person plays what the built-in player would play, so that games end in their usual length. Every page on the way is
looked at: it fits the phone, says what is asked, offers something, and has words for everything. Of a title that was
played so before, the first turns of another edition are played without pages (not so in `make thorough`).
"""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from service.db import db
from service.models import GameStatus
from service.play import drafts
from tests.browser.conftest import PHONE, Street
from tests.engine.tables import THOROUGH
from tests.play import Player

MORE_TAPS_THAN_ANY_GAME_TAKES = 1500
WITH_A_TRAIL = {"yokohama"}  # the steps of the turn stand above the question
RAW_KEY = re.compile(r"\b(?:osaka|yokohama|duel|zaibatsu|words)\.[a-z_]|@okazu|for which we have no words")

# All that is checked on a page, in one trip to the browser.
LOOK = """() => {
  const shown = (el) => el && el.checkVisibility() ? el.innerText.trim() : "";
  const all = [...document.querySelectorAll("body *")];
  const labels = all.flatMap((el) => [el.getAttribute("aria-label"), el.getAttribute("title")]).filter(Boolean);
  return {
    wide: document.documentElement.scrollWidth,
    headline: shown(document.querySelector("h1")),
    prompt: shown(document.querySelector("#prompt")),
    choices: document.querySelectorAll(".bar .options button[name=option]").length,
    now: [...document.querySelectorAll(".bar .trail .now")].map(shown),
    send: document.querySelectorAll(".bar button.go").length,
    version: document.querySelector("main").dataset.version,
    step: document.querySelector("input[name=step]")?.value,
    words: document.body.innerText + "\\n" + labels.join("\\n"),
  };
}"""


def look(tab: Page) -> dict[str, Any]:
    """What every page of a game must be, whatever it shows."""
    seen: dict[str, Any] = tab.evaluate(LOOK)
    assert seen["wide"] <= PHONE["viewport"]["width"], f"{tab.url} scrolls sideways: {seen['wide']}"
    assert seen["headline"], f"{tab.url} has no headline"
    raw = RAW_KEY.search(seen["words"])
    assert raw is None, f"{tab.url} says {seen['words'][max(0, raw.start() - 60) : raw.end() + 60]!r}"
    return seen


def sensible_choice(player: Player) -> str | None:
    """What the built-in player would do where this player's draft stands; None when it is ready to be sent."""
    seat = player.seat
    with db.reading() as session:
        turn = drafts.current(session, player.table.game(), seat)
    return turn.match.bot_choice(seat.no) if turn.decision(seat.no) else None


def tap_on(player: Player, tab: Page) -> None:
    """One tap: a choice, or the turn is sent."""
    seen = look(tab)
    assert seen["prompt"]
    choice = sensible_choice(player)
    if choice is None:
        assert seen["send"] == 1
        tab.locator(".bar button.go").tap()
        tab.locator(f'main:not([data-version="{seen["version"]}"]) .notice.good').wait_for()
    else:
        assert seen["choices"] > 0
        if player.table.game().kind in WITH_A_TRAIL and player.table.game().turn:
            assert len(seen["now"]) == 1
            assert seen["now"][0]
        tab.locator(f'.bar .options button[name=option][value="{choice}"]').tap()
        tab.locator(f'input[name=step]:not([value="{seen["step"]}"])').wait_for(state="attached")


def play_to_the_end(street: Street, player: Player, tab: Page) -> None:
    for _ in range(MORE_TAPS_THAN_ANY_GAME_TAKES):
        if player.table.game().status is GameStatus.FINISHED:
            return
        tap_on(player, tab)
        assert street.trouble == []
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    ("kind", "names", "options", "first"),
    [
        ("osaka", ["Aiko", "Bruno*"], {}, 0),
        ("duel", ["Aiko", "Bruno*"], {}, 0),
        ("yokohama", ["Aiko", "Bruno*"], {"edition": "dlp"}, 0),
        ("yokohama", ["Aiko", "Bruno*"], {"edition": "okazu"}, 20),
        ("zaibatsu", ["Aiko", "Bruno*"], {}, 0),
        ("zaibatsu", ["Aiko"], {}, 15),
    ],
    ids=["osaka", "duel", "yokohama dlp", "yokohama okazu", "zaibatsu", "zaibatsu solo"],
)
def test_a_whole_game_is_played_on_a_phone_to_its_result(
    street: Street, kind: str, names: list[str], options: dict[str, Any], first: int
) -> None:
    player = street.house.begun(names, kind, options=options).player("Aiko")
    player.table.rush(0 if THOROUGH else first)
    tab = street.tab()
    tab.goto(street.address + player.link())
    play_to_the_end(street, player, tab)
    look(tab)
    expect(tab.locator(".clock h1")).to_contain_text("The game is over")
    tab.get_by_role("link", name="The result").tap()
    expect(tab.get_by_role("heading", name="Ranking")).to_be_visible()
    look(tab)
    result = player.table.game().result
    assert result is not None
    for standing in result:
        expect(tab.locator("table.scores .total").nth(result.index(standing))).to_have_text(str(standing["score"]))
