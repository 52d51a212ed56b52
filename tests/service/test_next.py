"""After a turn the game comes up that has waited longest, for those who want that; and a way back."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from service.models import Person
from service.post import links
from tests.play import House, Page, Table, mint

START = datetime(2030, 1, 1, 12, tzinfo=UTC)


def asked_of_aiko(house: House, hours: int, name: str) -> Table:
    """A game that has waited for Aiko since so many hours after the start."""
    with time_machine.travel(START + timedelta(hours=hours), tick=False):
        table = house.begun(["Aiko", "Bruno"], name=name)
        if table.to_move().name != "Aiko":
            table.rush(1)
        return table


def sends(table: Table, browser_of: Table) -> Page:
    """Aiko plays here, in the browser in which she has opened all her games."""
    aiko = table.player("Aiko")
    aiko.browser, aiko._came = browser_of.player("Aiko").browser, True
    return aiko.play()


@pytest.fixture
def three(house: House) -> list[Table]:
    """The newest, the one that has waited longest, and one in between: all in one browser of Aiko's."""
    tables = [asked_of_aiko(house, 3, "here"), asked_of_aiko(house, 1, "longest"), asked_of_aiko(house, 2, "other")]
    for table in tables:
        tables[0].player("Aiko").browser.get(mint(house, links.mint_seat, table.player("Aiko").seat))
    return tables


def test_after_a_turn_comes_the_game_that_has_waited_longest_and_says_where_the_turn_was_sent(three: list[Table]):
    here, longest, other = three
    page = sends(here, here)
    assert longest.public_id in page.url
    assert re.search("Your turn in [^.]*, here is sent", page.text)
    assert "Next game (1)" in page
    assert here.url("/seat/") in page.html
    page = sends(longest, here)
    assert other.public_id in page.url
    assert "Next game" not in page
    page = sends(other, here)
    assert other.public_id in page.url
    assert "No other game waits for you." in page


def test_whoever_wants_to_stay_stays_from_one_click_on(three: list[Table]):
    here, longest, _ = three
    page = sends(here, here).press("Always stay there")
    assert here.public_id in page.url
    assert "From now on you stay" in page
    page = sends(longest, here)
    assert longest.public_id in page.url
    assert "Your turn is played." in page
    assert "Next game (1)" in page
    (aiko, *_) = here.house.all(Person, Person.mail == here.player("Aiko").mail)
    assert aiko.stays
    settings = page.browser.get(longest.player("Aiko").url("/settings"))
    assert "checked" in settings.html.split('name="stays"')[1].split(">")[0]


def test_what_waits_for_somebody_else_in_the_same_browser_is_not_next(house: House):
    here, elsewhere = asked_of_aiko(house, 2, "here"), house.begun(["Chidi", "Dana"])
    for table in (here, elsewhere):
        here.player("Aiko").browser.get(mint(house, links.mint_seat, table.to_move().seat))
    page = sends(here, here)
    assert here.public_id in page.url
    assert "Next game" not in page
    assert "is sent" not in page.browser.get(f"{here.player('Aiko').url()}?sent={elsewhere.public_id}")
