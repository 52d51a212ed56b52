"""What a form has to say is said at the form: in the window, and read out first, with a script and without one."""

import pytest
from playwright.sync_api import Page

from service.post import links
from tests.browser.conftest import Street
from tests.play import mint


def heard(tab: Page) -> str:
    """What has the focus, if all of it can be seen."""
    said = tab.locator("#notice:focus")
    said.wait_for()
    box, window = said.bounding_box(), tab.viewport_size
    assert box
    assert window
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= window["height"]
    return said.inner_text()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_what_a_form_has_to_say_has_the_focus_and_is_in_the_window(street: Street, script: bool):
    house = street.house
    table = house.begun(["Aiko", "Bruno"], moderator=("Mika", "mika@players.example"))
    tab = street.tab(java_script_enabled=script)
    settings, desk, organise = table.url("/seat/0/settings"), table.url("/desk"), table.url("/organise")
    oneself = f"/my/settings/{table.seats()[0].person_id}"
    for key in (
        mint(house, links.mint_seat, table.seats()[0]),
        table.desk_link(),
        mint(house, links.mint_organiser, table.game()),
    ):
        tab.goto(street.address + key)
    for page, button, said in (
        (settings, "Save", "Saved."),
        (oneself, "Save", "Saved."),
        (settings, "Save my hours", "Saved. Running turns never get shorter"),
        (settings, "Make a calendar address", "Your new calendar address"),
        (organise, "Make a link for spectators", "The link for spectators"),
    ):
        tab.goto(street.address + page)
        tab.get_by_role("button", name=button, exact=True).click()
        assert heard(tab).startswith(said), button
    tab.goto(street.address + desk)
    tab.get_by_text("Give more time").click()
    fold = tab.locator("details[open]")
    fold.get_by_label("Reason").fill("Ill.")
    fold.get_by_role("button", name="Preview").click()
    assert "This will happen" in heard(tab)
    tab.get_by_role("button", name="Confirm").click()
    assert "has until" in heard(tab)
