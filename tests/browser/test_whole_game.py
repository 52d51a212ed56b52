"""Whole games by touch, on a phone and on a desktop: a person plays against the built-in player on real pages to the
result, and every screen on the way is measured. What was played whole on a phone is mostly played from its middle on
a desktop, and another edition with a full table (not so in `make thorough`); of the others a few turns at one."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import WIDE, Street
from tests.browser.hands import Hands
from tests.engine.tables import THOROUGH

MOST_TAPS = {"osaka": 3, "duel": 4, "zaibatsu": 4, "yokohama": 7}  # in a typical turn, sending included
# Where a desktop begins. Of the Duel, whose first turns are as short as its last are long, only the whole is typical.
MIDDLE = {"osaka": 16, "duel": 0, "zaibatsu": 13, "yokohama": 21}


@pytest.mark.parametrize("how", [{}, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize(
    ("kind", "names", "options", "first"),
    [
        ("osaka", ["Aiko", "Bruno*"], {}, 0),
        ("duel", ["Aiko", "Bruno*"], {}, 0),
        ("yokohama", ["Aiko", "Bruno*"], {"edition": "dlp"}, 0),
        ("yokohama", ["Aiko", "Bruno*", "Chidi*", "Dana*"], {"edition": "okazu"}, 14),
        ("zaibatsu", ["Aiko", "Bruno*"], {}, 0),
        ("zaibatsu", ["Aiko"], {}, 15),
    ],
    ids=["osaka", "duel", "yokohama dlp", "yokohama okazu", "zaibatsu", "zaibatsu solo"],
)
def test_a_whole_game_is_played_by_touching_the_board(
    street: Street, kind: str, names: list[str], options: dict[str, Any], first: int, how: dict[str, Any]
) -> None:
    player = street.house.begun(names, kind, options=options).player("Aiko")
    player.table.rush(0 if THOROUGH else first or (MIDDLE[kind] if how is WIDE else 0))
    tab = street.tab(**how, reduced_motion="reduce")  # what travels is not where it belongs
    tab.goto(street.address + player.link())
    hands = Hands(player, tab)
    hands.play()
    assert not hands.trouble, "\n".join(sorted(set(hands.trouble)))
    assert hands.typical_turn <= MOST_TAPS[kind]
    expect(tab.locator(".clock")).to_contain_text("The game is over")
    tab.locator(".dock").get_by_role("link", name="How it ended").click()
    expect(tab.get_by_role("heading", name="Ranking")).to_be_visible()
    tab.wait_for_load_state()  # and with its style, which a busy machine brings later
    assert tab.evaluate("document.documentElement.scrollWidth") <= tab.evaluate("innerWidth")
    result = player.table.game().result
    assert result is not None
    for standing in result:
        expect(tab.locator(".ranking .total").nth(result.index(standing))).to_have_text(str(standing["score"]))


@pytest.mark.parametrize("how", [{}, WIDE], ids=["phone", "desktop"])
@pytest.mark.parametrize(
    ("kind", "options"),
    [("osaka", {"open_information": False}), ("zaibatsu", {"common_goals": True})],
    ids=["osaka", "zaibatsu"],
)
def test_a_full_table_is_as_easy_to_play_at(
    street: Street, kind: str, options: dict[str, Any], how: dict[str, Any]
) -> None:
    player = street.house.begun(["Aiko", "Bruno*", "Chidi*", "Dana*"], kind, options=options).player("Aiko")
    player.table.rush(8)
    tab = street.tab(**how, reduced_motion="reduce")
    tab.goto(street.address + player.link())
    hands = Hands(player, tab)
    hands.play(turns=40 if THOROUGH else 4)
    assert not hands.trouble, "\n".join(sorted(set(hands.trouble)))
    assert hands.typical_turn <= MOST_TAPS[kind]
