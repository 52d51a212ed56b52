"""A person with a phone: from the link in a letter to a turn that is played, on the real pages in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from service.models import Letter, LetterStatus, Person
from service.post import links
from tests.browser.conftest import Street
from tests.play import Player, Table, link_in, mint


@pytest.fixture
def table(street: Street) -> Table:
    table = street.house.begun(["Aiko", "Bruno"])
    table.rush(2)
    return table


def open_letter(street: Street, player: Player, tab: Page) -> None:
    tab.goto(street.address + player.link())
    assert "/l/" not in tab.url
    expect(tab.locator(".clock h1")).to_have_text(f"{player.name}, it is your turn.")


def tap_a_turn(tab: Page) -> list[str]:
    """Tap cards on the board where there are any to tap, else buttons; up to a turn that can be sent."""
    tapped = []
    while not tab.locator(".bar button.go").count():
        on_board = tab.locator("main button[form=choose]")
        choice = on_board.first if on_board.count() else tab.locator(".bar .options button[name=option]").first
        tapped.append(choice.get_attribute("value") or "")
        before = tab.locator("input[name=step]").input_value()
        choice.tap()
        expect(tab.locator("input[name=step]")).not_to_have_value(before)
        assert len(tapped) < 30
    return tapped


def sent(table: Table, tab: Page) -> None:
    expect(tab.locator(".notice.good")).to_have_text("Your turn is played.")
    expect(tab.locator(".clock h1")).to_have_text(re.compile("is thinking|it is your turn"))
    assert table.game().version == 3


def test_a_turn_is_tapped_together_on_a_phone_and_sent(street: Street, table: Table):
    player, tab = table.to_move(), street.tab()
    open_letter(street, player, tab)
    tab.evaluate("window.stayed = true")
    tapped = tap_a_turn(tab)
    assert len(tapped) > 1
    tab.locator(".bar button.go").tap()
    sent(table, tab)
    assert tab.evaluate("window.stayed")  # never reloaded
    assert table.to_move() is not player


def test_the_same_without_javascript(street: Street, table: Table):
    tab = street.tab(java_script_enabled=False)
    open_letter(street, table.to_move(), tab)
    tap_a_turn(tab)
    tab.locator(".bar button.go").tap()
    sent(table, tab)


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without"])
def test_a_turn_can_be_played_with_the_keyboard_alone(street: Street, table: Table, script: bool):
    tab = street.tab(
        has_touch=False, is_mobile=False, viewport={"width": 1100, "height": 800}, java_script_enabled=script
    )
    open_letter(street, table.to_move(), tab)
    for _ in range(30):
        go = tab.locator(".bar button.go").count() > 0
        before = tab.locator("input[name=step]").input_value()
        _tab_to(tab, "button.go" if go else ".bar button[name=option]")
        tab.keyboard.press("Enter")
        if go:
            break
        expect(tab.locator("input[name=step]")).not_to_have_value(before)
    sent(table, tab)


def _tab_to(tab: Page, wanted: str) -> None:
    for _ in range(120):
        tab.keyboard.press("Tab")
        if tab.locator(f"{wanted}:focus").count():
            return
    raise AssertionError(f"the Tab key never comes to {wanted}")


def test_undo_and_the_next_device_go_on_where_the_first_was(street: Street, table: Table):
    player, phone = table.to_move(), street.tab()
    open_letter(street, player, phone)
    phone.locator(".bar button[name=option][value=take]").tap()
    expect(phone.get_by_role("button", name="Undo")).to_be_visible()
    wide = street.tab(has_touch=False, is_mobile=False, viewport={"width": 1280, "height": 900})
    wide.goto(street.address + player.link())
    wide.get_by_role("button", name="Undo").click()
    expect(wide.locator(".bar button[value=take]")).to_be_visible()
    phone.get_by_role("button", name="Undo").tap()
    expect(phone.locator(".notice.warn")).to_contain_text("another window")
    expect(phone.locator(".bar button[value=take]")).to_be_visible()


def test_a_waiting_page_follows_when_the_turn_comes_round(street: Street, table: Table):
    waiting = next(player for player in table.players if player is not table.to_move())
    tab = street.tab()
    tab.goto(street.address + mint(street.house, links.mint_seat, waiting.seat))
    expect(tab.locator(".clock h1")).to_contain_text("is thinking")
    table.rush(1)
    tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(tab.locator(".clock h1")).to_have_text(f"{waiting.name}, it is your turn.")
    assert tab.title().startswith("● Your turn")


def test_the_time_zone_is_guessed_from_the_browser(street: Street):
    table = street.house.game(["Aiko", "Bruno"])
    tab = street.tab(timezone_id="Pacific/Auckland")
    tab.goto(street.address + table.player("Bruno").link())
    assert tab.locator("#zone").input_value() == "Pacific/Auckland"
    tab.get_by_role("button", name="Accept").tap()
    expect(tab.locator(".notice")).to_contain_text("You are in.")
    assert street.house.one(Person, Person.mail == table.player("Bruno").mail).zone == "Pacific/Auckland"


def test_a_game_is_made_with_the_form_on_a_phone(street: Street):
    tab = street.tab()
    tab.goto(f"{street.address}/new")
    tab.fill("#organiser-name", "Aiko")
    tab.fill("#organiser-mail", "aiko@players.example")
    tab.fill("#seat-1-name", "Bruno")
    tab.fill("#seat-1-mail", "not an address")
    tab.get_by_role("button", name="Invite the players").tap()
    expect(tab.locator("#seat-1-mail-error")).to_contain_text("not a mail address")
    tab.fill("#seat-1-mail", "bruno@players.example")
    with tab.expect_navigation():
        tab.get_by_role("button", name="Invite the players").tap()
    expect(tab.locator(".lead")).to_contain_text("answers are missing: Aiko and Bruno")
    street.trouble = [said for said in street.trouble if "400" not in said]  # the browser notes the refusal too


def test_no_page_is_wider_than_a_phone_and_none_breaks_its_own_rules(street: Street):
    house = street.house
    over = house.begun(["Aiko Tanaka-Wolfeschlegelsteinhausen", "Bruno"], name="A rather long name for a game")
    over.rush()
    running = house.begun(["Aiko", "Bruno", "Chidi", "Dana"])
    running.rush(9)
    invited = house.game(["Aiko", "Bruno"])
    letter = house.all(Letter, Letter.kind == "turn", Letter.status == LetterStatus.SENT)[-1].id
    tab = street.tab(viewport={"width": 390, "height": 844})
    for table in (over, running, invited):
        for path in (
            mint(house, links.mint_seat, table.seats()[0]),
            mint(house, links.mint_organiser, table.game()),
        ):
            tab.goto(street.address + path)
    unsubscribe = link_in(house.letters(kind="turn")[-1], "u")
    pages = ["/", "/new", "/my", "/links", "/rules/osaka", "/post-office", f"/post-office/{letter}", unsubscribe]
    for table in (over, running):
        pages += [
            table.url(p) for p in ("/seat/0", "/watch", "/log", "/replay?move=7", "/seat/0/settings", "/organise")
        ]
    pages += [over.url("/result"), invited.url("/organise"), invited.url("/seat/0/invitation")]
    for width in (390, 320):
        tab.set_viewport_size({"width": width, "height": 844})
        for path in pages:
            tab.goto(street.address + path)
            wide = tab.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{path} is {wide} wide on a screen of {width}"
    assert street.trouble == []
    tab.goto(f"{street.address}/g/nothing")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    street.trouble = [said for said in street.trouble if "404" not in said]
