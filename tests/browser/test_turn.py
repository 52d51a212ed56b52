"""A person with a phone: from the link in a letter to a turn that is played, on the real pages in a real browser."""

import re
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine import GAMES
from service.db import db, utcnow
from service.models import Jury, Letter, LetterStatus, Person, Stage
from service.play import record
from service.post import links
from tests.browser.conftest import WIDE, Street
from tests.browser.hands import SEND, Hands
from tests.play import Player, Table, link_in, mint
from tests.service.test_votes import propose
from tests.sight import out_of_sight

STEP = ".dock input[name=step]"  # what the question was put at
WHERE = "(parts) => parts.map((part) => document.querySelector(part).getBoundingClientRect().toJSON())"


@pytest.fixture
def table(street: Street) -> Table:
    table = street.house.begun(["Aiko", "Bruno"])
    table.rush(2)
    return table


def open_letter(street: Street, player: Player, tab: Page) -> None:
    tab.goto(street.address + player.link())
    assert "/l/" not in tab.url
    expect(tab.locator(".clock")).to_contain_text(f"{player.name}, it is your turn.")


def play_from_the_list(tab: Page) -> int:
    """The first choice of every question, up to a turn that can be sent."""
    for made in range(30):
        if tab.locator(SEND).count():
            return made
        before = tab.locator(STEP).input_value()
        tab.locator(".list button[name=option]").first.tap()
        expect(tab.locator(STEP)).not_to_have_value(before)
    raise AssertionError("the turn does not end")


def sent(table: Table, tab: Page) -> None:
    expect(tab.locator(".notice.good")).to_contain_text("Your turn is played.")
    assert table.game().version == 3


def against(kind: str, most: int) -> list[str]:
    """Aiko and so many built-in players as fit at the table."""
    return ["Aiko", "Bruno*", "Chidi*", "Dana*"][: min(most, GAMES[kind].players[-1])]


@pytest.mark.parametrize("kind", GAMES)
def test_a_turn_is_touched_together_on_a_phone_and_sent_without_a_reload(street: Street, kind: str):
    table = street.house.begun(against(kind, 3), kind)
    table.rush(6)
    player, tab = table.player("Aiko"), street.tab(reduced_motion="reduce")
    open_letter(street, player, tab)
    tab.evaluate("window.stayed = true")
    version = table.game().version
    hands = Hands(player, tab)
    while table.game().version == version:
        hands.touch()
    assert tab.evaluate("window.stayed")  # never reloaded
    assert hands.trouble == []
    said, tabs, question = tab.evaluate(WHERE, [".notice.good", ".tabs", "#prompt"])
    assert tabs["bottom"] < said["top"] < said["bottom"] <= question["top"]  # it lies over nothing that is looked at
    hands.look()
    assert hands.trouble == []


@pytest.mark.parametrize("kind", GAMES)
def test_on_a_small_desktop_too_all_is_in_sight_and_nothing_moves_that_stays(street: Street, kind: str):
    table = street.house.begun(against(kind, 4), kind)
    table.rush(5)
    player, tab = table.player("Aiko"), street.tab(**{**WIDE, "viewport": {"width": 1000, "height": 760}})
    open_letter(street, player, tab)
    hands = Hands(player, tab)
    hands.play(turns=2)
    assert hands.trouble == []


UNDER_ANOTHER = """() => {
  const box = (el) => el.getBoundingClientRect(), over = [...document.querySelectorAll(".stage .pane.own, .dock")];
  const shown = (el) => {  /* as far as nothing around it cuts it off */
    const { left, right, top, bottom } = box(el), around = [];
    for (let up = el.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowY !== "visible") around.push(box(up).bottom);
    }
    return { left, right, top, bottom: Math.min(bottom, ...around) };
  };
  const under = (it) => over.some((other) => {
    const { top, bottom, left, right } = box(other);
    return it.bottom > top + 6 && it.top < bottom && it.left < right && it.right > left;
  });
  const parts = [...document.querySelectorAll(".stage .pane.board [data-part]")].filter((el) => el.checkVisibility());
  return parts.filter((el) => under(shown(el))).map((el) => el.dataset.part);
}"""


@pytest.mark.parametrize("kind", GAMES)
def test_on_a_low_screen_no_board_lies_under_what_is_below_it(street: Street, kind: str):
    table = street.house.begun(against(kind, 4), kind)
    table.rush(5)
    tab = street.tab(**WIDE)
    open_letter(street, table.player("Aiko"), tab)
    for width, height in ((1440, 860), (1280, 800), (1366, 768), (1280, 680)):
        tab.set_viewport_size({"width": width, "height": height})
        assert tab.evaluate(UNDER_ANOTHER) == [], f"{width} x {height}"


NOT_OF_TABLES = """async () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(await (await fetch("/static/pages.css")).text());
  const rules = (all) => [...all].flatMap((rule) => rule.selectorText ? [rule.selectorText] : rules(rule.cssRules));
  return rules(sheet.cssRules).filter((selector) => document.querySelector(selector));
}"""


@pytest.mark.parametrize("kind", GAMES)
def test_nothing_on_a_table_needs_the_style_that_only_other_pages_load(street: Street, kind: str):
    table = street.house.begun(against(kind, 4), kind)
    table.rush(9)
    tab = street.tab(**WIDE)
    open_letter(street, table.player("Aiko"), tab)
    for page in (table.player("Aiko").url(), *map(table.url, ("/board/1", "/watch", "/replay?move=3&seat=0"))):
        tab.goto(street.address + page)
        assert tab.evaluate(NOT_OF_TABLES) == [], page


@pytest.mark.parametrize("kind", GAMES)
def test_a_tablet_shows_boards_players_and_story_at_once_and_is_played_by_touch(street: Street, kind: str):
    table = street.house.begun(against(kind, 4), kind)
    table.rush(9)
    player, tab = table.player("Aiko"), street.tab()
    open_letter(street, player, tab)
    hands = Hands(player, tab)
    for width, height in ((768, 1024), (1024, 1366), (1024, 768), (820, 1180)):
        tab.set_viewport_size({"width": width, "height": height})
        parts = ".stage .place.lit, .players .head, .choose-beside label"
        assert out_of_sight(tab, parts, whole=False, shown=True) == [], f"{width} x {height}"
        hands.look_closely(f"{width} x {height}")
        board, rail = tab.evaluate(WHERE, [".stage .pane.opened", "#pane-players"])
        assert rail["left"] >= board["right"] - 1 or rail["top"] >= board["bottom"] - 1
    hands.play(turns=1)
    assert hands.trouble == []


UNDER_BADGES = """[...document.querySelectorAll(".o-hand .place:has(.badge)")].filter((card) => {
  const box = (part) => card.querySelector(part).getBoundingClientRect();
  return box("use.o-good").bottom > box(".badge").top;
}).length"""


def test_what_a_card_of_a_large_hand_is_can_be_seen_while_one_pays_with_it(street: Street):
    table = street.house.begun(["Aiko", "Bruno*"])
    table.rush(18)
    assert len(table.match().view(0)["seats"][0]["hand"]) > 10
    player, tab = table.player("Aiko"), street.tab()
    open_letter(street, player, tab)
    tab.get_by_role("button", name="Buy").tap()
    expect(tab.locator(".o-hand .badge").first).to_be_visible()
    assert tab.evaluate(UNDER_BADGES) == 0


UNDER_LOTS = """[...document.querySelectorAll(".d-tile:has(.d-lots)")].filter((tile) => {
  const box = (part) => tile.querySelector(part).getBoundingClientRect(), lots = box(".d-lots").bottom;
  return [...tile.querySelectorAll(".d-sent, .d-pill")].some((piece) => piece.getBoundingClientRect().top < lots - 3);
}).length"""
COVERED = """[...document.querySelectorAll(".d-pieces :is(.d-pill, small)")].filter((told) => {
  const it = told.getBoundingClientRect(), tile = told.closest(".d-tile");
  return it.width && [...tile.querySelectorAll(".d-built, .d-sent, .d-more b, .d-band b")].some((piece) => {
    const { left, right, top, bottom } = piece.getBoundingClientRect();
    return left < it.right - 1 && right > it.left + 1 && top < it.bottom - 1 && bottom > it.top + 1;
  });
}).map((told) => told.closest(".d-tile").className)"""


def test_a_crowded_place_is_told_whole_at_every_size(street: Street):
    table = street.house.begun(["Aiko", "Bruno"], "duel")
    table.rush(26)  # in the silk mill: an Influence card, the Station, the way in and a bonus
    player, tab = table.to_move(), street.tab(**WIDE)
    open_letter(street, player, tab)
    hands = Hands(player, tab)
    assert tab.locator(".d-at-silk .d-why:visible + .d-pill:visible").count()
    for width, height in ((1280, 900), (1680, 1050), (1366, 768), (1000, 760), (390, 844)):
        tab.set_viewport_size({"width": width, "height": height})
        hands.look_closely(f"{width} x {height}")
    assert hands.trouble == []
    table.rush(12)  # in the silk mill: an Influence card, the Station, a bonus, Help and three buildings
    open_letter(street, table.to_move(), tab)
    assert tab.locator(".d-at-silk:has(.d-more):has(.d-built) .d-pill:visible").count()
    assert tab.evaluate(COVERED) == []
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.goto(f"{street.address}/rules/duel")
    assert tab.locator(".d-told .d-pill:visible").count()
    assert tab.evaluate(UNDER_LOTS) == 0


def test_all_that_somebody_holds_is_named_and_in_sight_on_every_desktop(street: Street):
    table = street.house.begun(["Aiko", "Bruno"], "duel")
    table.rush(2)  # both have two orders in hand
    tab = street.tab(**WIDE)
    open_letter(street, table.to_move(), tab)
    orders = tab.locator(".d-orders ul")
    assert orders.locator("li").count() == 2
    for width, height in ((960, 720), (1000, 760), (1179, 900), (1280, 720), (1366, 768)):
        tab.set_viewport_size({"width": width, "height": height})
        assert orders.evaluate("(el) => el.scrollWidth <= el.clientWidth"), f"{width} x {height}"
        assert out_of_sight(tab, ".d-mine h3") == [], f"{width} x {height}"


@pytest.mark.parametrize(
    ("kind", "drawn", "told"),
    [
        ("duel", ".d-purse .d-t", "yen"),
        ("duel", ".d-at-chinatown > .d-place", "1: 1 exchange, 2: 2 exchanges"),
        ("osaka", ".o-quay", "lacquer, if it lands now: nobody has any"),
        ("osaka", ".o-market .o-slot:has(.o-on ~ .o-on)", "insures 2 goods"),
    ],
)
def test_what_is_drawn_in_signs_says_what_it_is(street: Street, kind: str, drawn: str, told: str):
    table = street.house.begun(["Aiko", "Bruno"], kind)
    table.rush(4)
    waiting = next(seat for seat in table.seats() if seat.asked is None)
    link = mint(street.house, links.mint_seat, waiting)
    phone, desktop = street.tab(), street.tab(**WIDE)
    phone.goto(street.address + link)
    phone.locator(drawn).first.tap()
    expect(phone.locator(".peeking")).to_contain_text(told)
    desktop.goto(street.address + link)
    sign = desktop.locator(drawn.replace("purse", "stock")).first
    sign.hover()
    if sign.get_attribute("data-tells") == "asked":  # large, and it would be in the way of whoever plays with it
        expect(desktop.locator(".peeking")).to_have_count(0)
        sign.click()
    expect(desktop.locator(".peeking")).to_contain_text(told)


@pytest.mark.parametrize(
    ("seed", "moves"), [(11, 12), (21, 23)], ids=["a Foreign Trader to the church", "one from there to the laboratory"]
)
def test_cards_stay_where_they_are_when_a_foreign_trader_comes_to_the_church_or_from_there(
    street: Street, seed: int, moves: int
):
    street.house.seed(seed)
    table = street.house.begun(["Aiko", "Bruno"], "duel")
    table.rush(moves)
    player, tab = table.to_move(), street.tab(reduced_motion="reduce")
    open_letter(street, player, tab)
    assert "trader" in player.best() or table.match().view(player.no)["visit"]["trader"]
    version, hands = table.game().version, Hands(player, tab)
    while table.game().version == version:
        hands.touch()
    assert hands.trouble == []


@pytest.mark.parametrize("kind", GAMES)
def test_without_javascript_the_list_is_open_and_a_turn_is_played_from_it(street: Street, kind: str):
    table = street.house.begun(["Aiko", "Bruno*"], kind)
    table.rush(6)
    version = table.game().version
    tab = street.tab(java_script_enabled=False)
    open_letter(street, table.player("Aiko"), tab)
    assert play_from_the_list(tab) > 0
    tab.locator(SEND).tap()
    expect(tab.locator(".notice.good")).to_be_visible()
    assert table.game().version > version


@pytest.mark.parametrize("kind", GAMES)
def test_without_javascript_too_no_board_of_a_desktop_lies_over_what_is_chosen_from(street: Street, kind: str):
    table = street.house.begun(against(kind, 4), kind)
    table.rush(5)
    tab = street.tab(**WIDE, java_script_enabled=False)
    open_letter(street, table.player("Aiko"), tab)
    for part in (".stage .pane.opened", ".dock .ways"):
        expect(tab.locator(part).first).to_be_in_viewport(ratio=1)
    tab.locator(".dock .list button[name=option]").last.click(trial=True)
    tab.locator(".stage button[form=choose]:visible").last.click(trial=True)


@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without"])
def test_a_turn_can_be_played_with_the_keyboard_alone(street: Street, kind: str, script: bool):
    table = street.house.begun(["Aiko", "Bruno*"], kind)
    table.rush(6)
    version = table.game().version
    tab = street.tab(**WIDE, java_script_enabled=script)
    open_letter(street, table.player("Aiko"), tab)
    if script:
        before = tab.locator(STEP).input_value()
        _tab_to(tab, ".stage button.place.lit, .stage details.place.lit > summary")  # on the board as far as it goes
        for _ in range(2):
            assert tab.evaluate("getComputedStyle(document.activeElement).outlineWidth") == "3px"
            on_a_card = tab.evaluate("document.activeElement.localName === 'summary'")
            tab.keyboard.press("Enter")
            if not on_a_card:
                break
            tab.keyboard.press("Tab")
        expect(tab.locator(STEP)).not_to_have_value(before)
        expect(tab.locator("body")).not_to_be_focused()
        _tab_to(tab, "#list")
        tab.keyboard.press("Space")
    for _ in range(40):
        go = tab.locator(SEND).count() > 0
        before = tab.locator(STEP).input_value()
        _tab_to(tab, SEND if go else ".list button[name=option]")
        tab.keyboard.press("Enter")
        if go:
            break
        expect(tab.locator(STEP)).not_to_have_value(before)
    expect(tab.locator(".notice.good")).to_be_visible()
    assert table.game().version > version


def _tab_to(tab: Page, wanted: str) -> None:
    for _ in range(300):
        tab.keyboard.press("Tab")
        if tab.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"the Tab key never comes to {wanted}")


@pytest.mark.parametrize("how", [{**WIDE, "viewport": {"width": 390, "height": 844}}, WIDE], ids=["390", "1280"])
def test_a_turn_is_sent_with_a_line_by_one_click_while_the_line_is_still_being_written(
    street: Street, table: Table, how: dict[str, Any]
):
    """What shrinks when it loses the focus moves the button away from under the pointer, between its press and its
    release."""
    player, tab = table.to_move(), street.tab(**how)
    open_letter(street, player, tab)
    tab.locator(".list-switch").click()
    while not tab.locator(SEND).count():
        before = tab.locator(STEP).input_value()
        tab.locator(".list button[name=option]").first.click()
        expect(tab.locator(STEP)).not_to_have_value(before)
    tab.locator(".line-switch").click()
    field = tab.get_by_label("To all, with your turn")
    field.click()
    tab.keyboard.type("Mind the tea, all of you.\nI mean it.")
    send = tab.locator(SEND).bounding_box()
    assert send is not None
    tab.mouse.click(send["x"] + send["width"] / 2, send["y"] + 4)  # near the edge that would move first
    sent(table, tab)
    story = tab.locator(".story")
    expect(story).to_contain_text(f"{player.name}: Mind the tea, all of you.")


LONG = "Aiko placed two assistants at the Port, paid 1 yen to Bruno and went there with power 4. " * 6
LINES = """(el, text) => {
  el.textContent = text;
  return el.clientHeight / parseFloat(getComputedStyle(el).lineHeight);
}"""
# Of what was chosen, how many are seen whole, and how many in part.
RECALLED = """([first, ...rest]) => {
  const room = first.parentElement.getBoundingClientRect(), all = [first, ...rest];
  for (const el of all) (el.querySelector("span") || el).textContent = "One at the Fishing Ground, 1 yen to Bruno";
  const boxes = all.map((el) => el.getBoundingClientRect());
  const seen = boxes.filter((box) => box.bottom > room.top + 1 && box.top < room.bottom - 1);
  const inside = (box) => box.top >= room.top - 1 && box.bottom <= room.bottom + 1 && box.right <= room.right + 1;
  const whole = seen.filter(inside);
  return [whole.length, seen.length, whole.includes(boxes.at(-1))];
}"""


def test_a_long_turn_is_recalled_in_whole_lines_what_was_chosen_last_in_sight_and_all_of_it_at_a_touch(street: Street):
    table = street.house.begun(["Aiko", "Bruno*"], "yokohama")
    table.rush(6)
    player, tab = table.player("Aiko"), street.tab(**WIDE)
    open_letter(street, player, tab)
    hands, chosen = Hands(player, tab), tab.locator(".dock .chosen li")
    while chosen.filter(visible=True).count() < 3:
        hands.touch()
    for width in (1280, 1600):
        tab.set_viewport_size({"width": width, "height": 900})
        whole, seen, newest = chosen.evaluate_all(RECALLED)
        assert whole == seen > 0
        assert newest
    ready = street.house.begun(["Aiko", "Bruno*"], "zaibatsu").player("Aiko")
    ready.draft()
    open_letter(street, ready, tab)
    summary = tab.locator(".dock .summary")
    for width, height in ((1280, 900), (1280, 680), (1000, 760), (390, 844)):
        tab.set_viewport_size({"width": width, "height": height})
        lines = summary.evaluate(LINES, LONG)
        assert abs(lines - round(lines)) < 0.1, f"{width} x {height}"
        expect(summary).to_be_in_viewport(ratio=1)
        summary.click()
        assert summary.evaluate("(el) => el.scrollHeight <= el.clientHeight + 1")
        expect(tab.locator(SEND)).to_be_in_viewport(ratio=1)
        tab.locator("#prompt").focus()


def test_undo_and_the_next_device_go_on_where_the_first_was(street: Street, table: Table):
    player, phone = table.to_move(), street.tab()
    open_letter(street, player, phone)
    Hands(player, phone).touch()
    undo = phone.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    wide = street.tab(**WIDE)
    wide.goto(street.address + player.link())
    wide.get_by_role("button", name="Undo").click()
    expect(wide.get_by_role("button", name="Undo")).to_be_disabled()
    undo.tap()
    expect(phone.locator(".notice.warn")).to_contain_text("another window")
    expect(undo).to_be_disabled()


def test_a_double_click_is_one_choice(street: Street, table: Table):
    tab = street.tab()
    open_letter(street, table.to_move(), tab)
    posts: list[str] = []
    tab.on("request", lambda asked: posts.append(asked.url) if asked.method == "POST" else None)
    step = tab.locator(STEP).input_value()
    tab.evaluate(
        "() => { const b = document.querySelector('.list button[name=option]'); b.click(); b.click(); b.click(); }"
    )
    expect(tab.locator(STEP)).not_to_have_value(step)
    assert len(posts) == 1


def test_when_the_quiet_way_fails_the_plain_way_is_taken(street: Street, table: Table):
    tab = street.tab()
    open_letter(street, table.to_move(), tab)
    tab.route("**/choose", lambda route: route.abort() if route.request.resource_type == "fetch" else route.fallback())
    tab.evaluate("window.stayed = true")
    step = tab.locator(STEP).input_value()
    tab.evaluate("document.querySelector('.list button[name=option]').click()")
    expect(tab.locator(STEP)).not_to_have_value(step)
    assert not tab.evaluate("window.stayed")  # the browser submitted the form itself
    street.trouble = [said for said in street.trouble if "ERR_FAILED" not in said]


def test_where_the_table_cannot_be_reached_the_page_stays_and_says_so(street: Street, table: Table):
    tab = street.tab()
    open_letter(street, table.to_move(), tab)
    step, choice = tab.locator(STEP).input_value(), "document.querySelector('.list button[name=option]').click()"
    tab.context.set_offline(True)
    tab.evaluate(choice)
    lost = tab.locator(".notice.bad")
    expect(lost).to_contain_text("cannot be reached")
    expect(lost).to_be_in_viewport(ratio=1)
    expect(tab.locator(STEP)).to_have_value(step)
    tab.context.set_offline(False)
    tab.evaluate(choice)
    expect(tab.locator(STEP)).not_to_have_value(step)
    expect(lost).to_have_count(0)
    tab.context.set_offline(True)
    tab.locator(".top .scores a").first.tap()  # another player's board
    expect(lost).to_be_in_viewport(ratio=1)
    street.trouble = [said for said in street.trouble if "ERR_INTERNET_DISCONNECTED" not in said]


def test_a_choice_leaves_tab_fold_focus_and_scroll_as_they_were_and_says_what_is_asked(street: Street):
    table = street.house.begun(["Aiko", "Bruno*"], "zaibatsu")
    table.rush(8)
    tab = street.tab(**WIDE)
    open_letter(street, table.player("Aiko"), tab)
    tab.locator(".list-switch").click()
    tab.locator(".story").evaluate("(el) => el.scrollTo(0, 40)")
    scrolled = tab.locator(".story").evaluate("(el) => el.scrollTop")
    step = tab.locator(STEP).input_value()
    tab.locator(".list button[name=option]").first.click()
    expect(tab.locator(STEP)).not_to_have_value(step)
    expect(tab.locator("#list")).to_be_checked()
    assert tab.locator(".story").evaluate("(el) => el.scrollTop") == scrolled
    asked = tab.locator("#prompt").inner_text()
    tab.wait_for_function("(asked) => document.getElementById('said').textContent.includes(asked)", arg=asked)
    tab.reload()
    expect(tab.locator("#list")).to_be_checked()  # as it was left


def test_a_reload_finds_what_was_looked_at_and_a_new_question_opens_its_own_pane(street: Street):
    table = street.house.begun(["Aiko", "Bruno*"], "zaibatsu")
    table.rush(8)
    player, tab = table.player("Aiko"), street.tab(**WIDE)
    open_letter(street, player, tab)
    unlike = tab.locator(".tab.board:not(:has(:checked)) input").first.input_value()
    other = tab.locator(f'.tabs input[value="{unlike}"]')
    notes = tab.locator('[name=beside][value="notes"]')
    notes.check()
    other.check()
    tab.reload()
    expect(notes).to_be_checked()
    expect(other).to_be_checked()
    tab.goto(street.address + "/privacy")
    tab.go_back()
    expect(notes).to_be_checked()
    expect(other).to_be_checked()
    player.draft(player.best()[:1])  # on another device
    tab.reload()
    expect(notes).to_be_checked()
    expect(tab.locator(f'.tabs input[value="{tab.locator("main").get_attribute("data-open")}"]')).to_be_checked()
    tab.goto(street.address + player.url("?pane=talk"))  # by a link that says what is to be read
    expect(tab.locator('[name=beside][value="talk"]')).to_be_checked()
    notes.check()
    tab.reload()
    expect(notes).to_be_checked()
    elsewhere = street.house.begun(["Aiko", "Bruno*"], "zaibatsu")  # of another table nothing is known
    tab.goto(street.address + mint(street.house, links.mint_seat, elsewhere.player("Aiko").seat))
    expect(tab.locator('[name=beside][value="story"]')).to_be_checked()
    expect(tab.locator(f'.tabs input[value="{tab.locator("main").get_attribute("data-open")}"]')).to_be_checked()


# Where each piece lies on its stage, and from where those set out that are on their way.
PIECES = """() => {
  const on = document.querySelector(".stage").getBoundingClientRect(), lies = {}, from = {};
  for (const move of document.getAnimations()) {
    const [{ translate }] = move.effect.getKeyframes();
    if (!translate) continue;
    from[move.effect.target.dataset.piece] = translate.split(" ").map(parseFloat);
    move.finish();
  }
  for (const el of document.querySelectorAll(".stage [data-piece]")) {
    const { x, y } = el.getBoundingClientRect();
    lies[el.dataset.piece] = [x - on.x, y - on.y];
  }
  for (const piece in from) from[piece] = [from[piece][0] + lies[piece][0], (from[piece][1] || 0) + lies[piece][1]];
  return { lies, from };
}"""


def test_pieces_travel_from_where_they_lay_and_numbers_count_to_what_is_true(street: Street):
    table = street.house.begun(["Aiko", "Bruno*", "Chidi*", "Dana*"])
    table.rush(3)
    tab = street.tab(reduced_motion="no-preference")
    open_letter(street, table.player("Aiko"), tab)
    tab.clock.install()
    tab.clock.pause_at(utcnow() + timedelta(hours=1))  # so that a number is still on its way when the next answer comes
    tab.locator(".away [data-dismiss]").tap()
    counts, travelled = tab.locator("[data-count]"), 0
    true = counts.all_inner_texts()

    def answered(button: str) -> None:
        nonlocal travelled
        before, version = tab.evaluate(PIECES)["lies"], table.game().version
        with tab.expect_response(lambda answer: answer.request.method == "POST"):
            tab.locator(button).first.evaluate("(el) => el.click()")
        expect(tab.locator("button.busy")).to_have_count(0)
        after = tab.evaluate(PIECES)
        if table.game().version != version:
            expect(tab.locator(".away")).to_be_visible()  # the stage is lower for it, and its pieces with it
        for piece, start in after["from"].items():
            assert start == pytest.approx(before[piece], abs=1.5)
            assert after["lies"][piece] != pytest.approx(before[piece], abs=8)
        travelled += len(after["from"])

    answered('.stage button[value^="take "]')
    answered(".dock .undo")
    tab.clock.run_for(400)
    assert counts.all_inner_texts() == true
    answered('.stage button[value^="take "]')
    answered(SEND)
    assert travelled > 3
    tab.clock.run_for(400)
    counted = counts.all_inner_texts()
    assert counted != true
    tab.reload()
    assert counts.all_inner_texts() == counted


HALT = """{  /* before their first step */
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    const move = animate.apply(this, how);
    move.pause();
    return move;
  };
}"""
ALIKE = """() => {
  const on = document.querySelector(".stage").getBoundingClientRect(), lies = {}, came = {};
  const middle = (el) => {
    const { x, y, width, height } = el.getBoundingClientRect();
    return [x + width / 2 - on.x, y + height / 2 - on.y];
  };
  for (const move of document.getAnimations()) {
    const { target } = move.effect;
    if (!move.effect.getKeyframes()[0].translate) continue;
    came[target.dataset.piece] = middle(target);
    move.finish();
  }
  /* the first to be seen wins */
  const all = [...document.querySelectorAll(".frame [data-piece]")], hidden = (el) => !el.checkVisibility();
  for (const el of [...all.filter(hidden), ...all.filter((el) => !hidden(el)).reverse()]) {
    const tab = document.querySelectorAll(".tab")[/\\bn(\\d)\\b/.exec(el.closest(".pane").className)[1] - 1];
    lies[el.dataset.piece] = hidden(el) ? [middle(tab)[0]] : middle(el);  /* the board scrolls away under a tab */
  }
  return { lies, came };
}"""


@pytest.mark.parametrize(
    ("how", "kinds"),
    [
        ({}, ["a token i0@[0-9]:[0-9]=", "a train t0@[a-z]"]),
        (WIDE, ["a worker [a-z]+@m", "a token i0@[0-9]:[0-9]=", "a train t0@[a-z]"]),
    ],
    ids=["phone", "desktop"],
)
def test_pieces_that_are_alike_travel_from_where_one_of_them_lies_no_more(
    street: Street, how: dict[str, Any], kinds: list[str]
):
    table = street.house.begun(["Aiko", "Bruno*", "Chidi*"], "zaibatsu")
    table.rush(14)
    tab = street.tab(**how | {"reduced_motion": "no-preference"})
    tab.add_init_script(HALT)
    open_letter(street, table.player("Aiko"), tab)
    hands, missing = Hands(table.player("Aiko"), tab), list(kinds)
    for _ in range(20):
        if not missing:
            break
        before, version = tab.evaluate(ALIKE)["lies"], table.game().version
        hands.touch()
        after = tab.evaluate(ALIKE)
        if table.game().version != version:
            continue  # the others have played, and the page has changed more than once
        for piece, start in after["came"].items():
            kind = piece.split("@")[0] + "@"
            where = [it for it in before if it.startswith(kind) and (it in (kind, piece) or it not in after["lies"])]
            assert any(start[: len(before[it])] == pytest.approx(before[it], abs=2) for it in where), piece
        missing = [kind for kind in missing if not any(re.match(kind.split()[-1], piece) for piece in after["came"])]
    assert missing == []


def test_a_new_turn_opens_the_board_of_its_step_whatever_was_looked_at_when_the_last_was_sent(street: Street):
    table = street.house.begun(["Aiko", "Bruno*"], "zaibatsu")
    table.rush(6)
    player, tab = table.player("Aiko"), street.tab(reduced_motion="reduce")
    open_letter(street, player, tab)
    hands, main, lit_there_too = Hands(player, tab), tab.locator("main"), False
    for _ in range(6):
        while hands.wish():
            hands.touch()
        tab.locator('.tab:has(input[value="4"])').tap()  # my own board, on which a consolidation may be lit next
        tab.evaluate("scrollTo(0, 400)")
        expect(tab.locator(".own .z-purse")).to_be_in_viewport(ratio=1)  # what one pays with, beside every price
        hands.touch()
        expect(tab.locator(".have, .own .z-purse").filter(visible=True)).to_be_in_viewport(ratio=1)
        opened, lit = main.get_attribute("data-open"), main.get_attribute("data-lit")
        expect(tab.locator(f'.tabs input[value="{opened}"]')).to_be_checked()
        if opened == "1":  # and its top, where one reads what happened meanwhile
            expect(tab.locator(".away a").first).to_be_in_viewport(ratio=1)
        lit_there_too |= opened == "1" and "4" in (lit or "").split()
    assert lit_there_too


def test_a_choice_that_is_looked_at_shows_in_the_chart_what_it_would_change(street: Street):
    table = street.house.begun(["Aiko", "Bruno*"], "zaibatsu")
    player, tab = table.player("Aiko"), street.tab(**WIDE)
    open_letter(street, player, tab)
    hands, lit = Hands(player, tab), tab.locator(".z-japan .place.lit:has([data-would])")
    while not lit.count():
        hands.touch()
    changed = tab.locator("[data-then]")
    expect(changed).to_have_count(0)
    lit.first.hover()
    would = lit.first.locator("[data-would]").first.get_attribute("data-would") or ""
    for gauge, then in (change.split("=") for change in would.split()):
        expect(tab.locator(f'[data-gauge="{gauge}"]').last).to_have_attribute("data-then", then)
    tab.mouse.move(2, 2)
    expect(changed).to_have_count(0)
    every_token = "(el) => { el.querySelector('.z-at-hand').innerText = '1 2 3 3 4 5 5 6 7 7'; return el.offsetHeight }"
    assert tab.locator(".z-hired").first.evaluate(every_token) < 24  # in one line, so that nobody below moves
    for width, height in ((1366, 768), (1440, 790), (1280, 720), (1000, 760)):
        tab.set_viewport_size({"width": width, "height": height})
        assert out_of_sight(tab, ".z-chart") == []
        assert tab.locator(".dock").evaluate("(el) => el.offsetHeight") <= height / 10
    tab.locator(".tab.own").click()  # which is a tab of its own where a desktop is narrow or low
    edges = tab.locator(".tab:visible").evaluate_all("(all) => all.map((el) => getComputedStyle(el).borderBottomColor)")
    assert len([edge for edge in edges if edge != "rgba(0, 0, 0, 0)"]) == 1  # only one looks open


OPENED = """async () => {
  const place = [...document.querySelectorAll("details.place")].find((el) => el.checkVisibility());
  const where = () => [place.querySelector(".card").style.left, place.querySelector(".card").style.top];
  place.querySelector("summary").click();
  await Promise.resolve();  /* nothing has been painted yet */
  const first = where();
  await new Promise((later) => setTimeout(later, 200));
  return [first, where()];
}"""


def test_a_card_lies_beside_its_place_from_the_first_moment_it_is_seen(street: Street):
    table = street.house.begun(against("zaibatsu", 2), "zaibatsu")
    table.rush(6)
    tab = street.tab(**WIDE)
    open_letter(street, table.player("Aiko"), tab)
    first, settled = tab.evaluate(OPENED)
    assert first == settled
    assert all(first)


def test_a_waiting_page_follows_when_the_turn_comes_round(street: Street, table: Table):
    waiting = next(player for player in table.players if player is not table.to_move())
    tab = street.tab()
    tab.goto(street.address + mint(street.house, links.mint_seat, waiting.seat))
    expect(tab.locator(".clock")).to_contain_text("is thinking")
    table.rush(1)
    tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(tab.locator(".clock")).to_contain_text(f"{waiting.name}, it is your turn.")
    assert tab.title().startswith("● Your turn")
    assert (tab.locator("link[rel=icon]").get_attribute("href") or "").startswith("/static/icon-turn.svg")


def test_what_happened_while_i_was_away_is_told_once_a_turn(street: Street, table: Table):
    tab = street.tab()
    open_letter(street, table.to_move(), tab)
    away = tab.locator(".away")
    expect(away).to_be_visible()
    away.get_by_role("button", name="Close").tap()
    expect(away).to_be_hidden()
    tab.reload()
    expect(away).to_be_hidden()


def test_what_others_did_can_be_read_to_its_end_on_a_phone_what_happened_to_me_first(street: Street):
    table = street.house.begun(["Aiko", "Bruno*", "Chidi*", "Dana*"])
    table.rush(3)
    tab = street.tab()
    open_letter(street, table.player("Aiko"), tab)
    told, away = tab.locator(".away li"), tab.locator(".away").bounding_box()
    assert told.count() >= 3
    expect(told.first).to_be_in_viewport(ratio=1)
    assert away
    assert away["height"] < 60  # the board is in sight
    tab.get_by_role("checkbox", name="All of it").tap()
    for line in told.all():
        line.scroll_into_view_if_needed()
        expect(line).to_be_in_viewport(ratio=1)


def test_of_one_who_did_much_a_phone_tells_the_beginning_and_all_of_it_at_a_touch(street: Street):
    table = street.house.begun(["Aiko", "Bruno*"], "duel")
    table.rush(4)
    tab = street.tab()
    open_letter(street, table.player("Aiko"), tab)
    told, hidden = tab.locator(".away li span"), "(el) => el.scrollHeight - el.clientHeight"
    expect(told).to_have_count(1)
    assert told.evaluate(hidden) > 20
    tab.get_by_role("checkbox", name="All of it").tap()
    assert told.evaluate(hidden) == 0


def test_what_others_did_is_read_beside_the_boards_of_a_desktop_which_stay_where_they_are(street: Street):
    street.house.seed(9)
    table = street.house.begun(["Aiko", "Bruno*", "Chidi*", "Dana*"])
    table.rush(5)  # until ships have landed
    tab = street.tab(**WIDE, reduced_motion="reduce")
    open_letter(street, table.player("Aiko"), tab)
    hands, told = Hands(table.player("Aiko"), tab), tab.locator(".away li")
    assert told.count() > 6
    for width, height in ((1680, 1050), (1280, 900), (1000, 760)):
        tab.set_viewport_size({"width": width, "height": height})
        for line in told.all():
            expect(line).to_be_in_viewport(ratio=1)
    parts = hands.look()["parts"]
    tab.locator(".away").get_by_role("button", name="Close").click()
    expect(tab.locator(".away")).to_be_hidden()
    assert hands.look()["parts"] == parts


def test_what_opens_in_the_header_says_when_and_what_is_played(street: Street, table: Table):
    tab = street.tab()
    open_letter(street, table.to_move(), tab)
    tab.locator(".clock summary").tap()
    for said in tab.locator(".clock .until strong").all():
        expect(said).to_be_visible()
    tab.locator(".menu summary").tap()
    colour = "(el) => getComputedStyle(el).color"
    assert tab.locator(".menu .soft").evaluate(colour) == tab.locator(".clock .told").evaluate(colour)


def test_the_header_of_a_desktop_tells_the_round_whole_however_much_the_clock_says(street: Street):
    table = street.house.begun(["Aiko", "Bruno*"], "zaibatsu")
    with db.writing() as session:
        (seat, _) = record.seats_of(session, record.lock(session, table.game().id))
        seat.stage, seat.deadline, seat.grace_until = Stage.LATE, utcnow(), utcnow() + timedelta(hours=9)
    tab = street.tab(**WIDE)
    open_letter(street, table.player("Aiko"), tab)
    expect(tab.locator(".clock .late").first).to_have_text("late, 9 hours of grace")
    covered = """(told) => {
      const round = document.createRange();
      round.selectNode(told.lastChild);
      return round.getBoundingClientRect().right - told.closest(".brand").getBoundingClientRect().right;
    }"""
    assert tab.locator(".brand small").evaluate(covered) <= 0


def test_the_list_of_choices_takes_no_room_from_the_board_of_a_desktop(street: Street):
    table = street.house.begun(["Aiko", "Bruno*"], "zaibatsu")
    table.rush(4)
    tab = street.tab(**WIDE, reduced_motion="reduce")
    open_letter(street, table.player("Aiko"), tab)
    parts = Hands(table.player("Aiko"), tab).look()["parts"]
    tab.locator(".list-switch").click()
    expect(tab.locator(".list")).to_be_visible()
    assert Hands(table.player("Aiko"), tab).look()["parts"] == parts


def test_a_line_of_the_story_makes_its_place_blink(street: Street, table: Table):
    table.rush(4)
    tab = street.tab(**WIDE)
    open_letter(street, table.to_move(), tab)
    tab.evaluate("window.stayed = true")
    told = tab.locator(".story a[data-where]")
    moves = [link.get_attribute("data-where") for link in told.all()]
    where = tab.locator("main").get_attribute("data-where")
    places = [tab.request.get(f"{street.address}{where}&move={move}").json()["spots"] for move in moves]
    told.nth(next(at for at, spots in enumerate(places) if any(spot.startswith("market") for spot in spots))).click()
    tab.wait_for_function("() => document.getAnimations().some((a) => a.effect.target.dataset.spot)")
    assert tab.evaluate("window.stayed")
    tab.locator(".story").get_by_role("link", name="replay", exact=True).first.click()
    expect(tab.locator("form[data-replay]")).to_have_attribute("data-version", moves[0] or "")


def test_a_line_that_is_touched_on_a_phone_shows_its_place_where_it_is_out_of_sight(street: Street):
    table = street.house.begun(["Aiko", "Bruno*", "Chidi*", "Dana*"])
    table.rush(3)
    tab = street.tab(reduced_motion="reduce", viewport={"width": 390, "height": 500})
    open_letter(street, table.player("Aiko"), tab)
    tab.evaluate("scrollTo(0, 2000)")
    tab.evaluate("document.querySelector('.away a:last-of-type').click()")
    tab.wait_for_function(
        """() => document.getAnimations().some(({ effect: { target } }) => {
          const { top, bottom } = target.getBoundingClientRect(), thumb = document.querySelector(".thumb");
          return target.dataset.spot && top >= 40 && bottom <= thumb.getBoundingClientRect().top;
        })"""
    )


def test_another_players_board_lies_over_the_table_and_the_focus_comes_back(street: Street, table: Table):
    tab = street.tab(**WIDE)
    open_letter(street, table.to_move(), tab)
    link = tab.locator(".players a[data-sheet]").last
    link.click()
    expect(tab.locator("dialog")).to_be_visible()
    tab.keyboard.press("Escape")
    expect(tab.locator("dialog")).to_have_count(0)
    expect(link).to_be_focused()


def test_a_game_is_looked_back_on_without_reloads(street: Street, table: Table):
    table.rush(6)
    tab = street.tab(**WIDE)
    tab.goto(street.address + mint(street.house, links.mint_seat, table.seats()[0]))
    tab.goto(street.address + table.url("/replay?move=3"))
    tab.evaluate("window.stayed = true")
    expect(tab.locator(".story")).to_contain_text(" took ")
    expect(tab.locator(".dock .summary")).to_be_hidden()  # it says no more than the story in sight
    assert tab.locator("#move").evaluate("(el) => el.offsetWidth") > 280
    for key, move in (("ArrowRight", 4), ("ArrowRight", 5), ("ArrowLeft", 4), ("Home", 0)):
        tab.locator("main").press(key)
        expect(tab.locator("#move")).to_have_value(str(move))
        expect(tab.locator("form[data-replay]")).to_have_attribute("data-version", str(move))
    play = tab.locator("[data-play]")
    play.click()
    expect(tab.locator("form[data-replay]")).to_have_attribute("data-version", "2", timeout=6000)
    expect(play).to_have_attribute("aria-pressed", "true")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "false")
    tab.locator("main").press("End")
    expect(tab.locator("#move")).to_have_value(str(table.game().version))
    play.click()
    expect(tab.locator("#move")).to_have_value("1")  # once more from the beginning
    play.click()
    assert tab.evaluate("window.stayed")
    assert tab.url.endswith(f"move={tab.locator('#move').input_value()}") or "move=" in tab.url


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
    expect(tab.locator(".lead")).to_contain_text("One answer is missing: Bruno")
    street.trouble = [said for said in street.trouble if "400" not in said]  # the browser notes the refusal too


def test_no_page_is_wider_than_a_phone_and_none_breaks_its_own_rules(street: Street):
    house = street.house
    over = house.begun(["Aiko Tanaka-Wolfeschlegelsteinhausen", "Bruno"], name="A rather long name for a game")
    over.rush()
    running = house.begun(["Aiko", "Bruno", "Chidi", "Dana"])
    running.rush(9)
    invited = house.game(["Aiko", "Bruno"])
    elsewhere = house.begun(["Aiko", "Bruno"])  # where Aiko is waited for, too
    letter = house.all(Letter, Letter.kind == "turn", Letter.status == LetterStatus.SENT)[-1].id
    tab = street.tab(viewport={"width": 390, "height": 844})
    for table in (over, running, invited, elsewhere):
        for path in (
            mint(house, links.mint_seat, table.seats()[0]),
            mint(house, links.mint_organiser, table.game()),
        ):
            tab.goto(street.address + path)
    unsubscribe = link_in(house.letters(kind="turn")[-1], "u")
    pages = ["/", "/new", "/my", "/links", "/rules/osaka", "/post-office", f"/post-office/{letter}", unsubscribe]
    for table in (over, running):
        pages += [
            table.url(p)
            for p in ("/seat/0", "/watch", "/log", "/replay?move=7", "/board/0", "/seat/0/settings", "/organise")
        ]
    pages += [over.url("/result"), invited.url("/organise"), invited.url("/seat/0/invitation")]
    for path in pages:
        tab.goto(street.address + path)
        for width in (390, 320):
            tab.set_viewport_size({"width": width, "height": 844})
            wide = tab.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{path} is {wide} wide on a screen of {width}"
            if path == running.url("/seat/0"):
                expect(tab.locator(".menu summary")).to_be_in_viewport(ratio=1)
    assert street.trouble == []
    tab.goto(f"{street.address}/g/nothing")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    street.trouble = [said for said in street.trouble if "404" not in said]


def test_a_vote_takes_no_room_from_the_board_of_a_desktop_and_is_read_first_on_a_phone(street: Street):
    table = street.house.begun(["Aiko", "Bruno", "Chidi", "Dana"], jury=Jury.GROUP)
    table.rush(9)
    player, tab = table.to_move(), street.tab(**WIDE)
    open_letter(street, player, tab)
    before = tab.locator(".stage").bounding_box()
    propose(next(other for other in table.players if other is not player), "pause", days=3)
    tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # an open page hears of it by itself
    expect(tab.get_by_role("button", name="I agree")).to_be_in_viewport()
    assert tab.locator(".stage").bounding_box() == before
    expect(tab.locator("#said")).to_contain_text("proposes:")
    phone = street.tab()
    open_letter(street, player, phone)
    expect(phone.get_by_role("button", name="I agree")).to_be_in_viewport(ratio=1)


def test_what_comes_under_a_pointer_that_rests_is_not_told_until_it_moves(street: Street):
    """Who has just chosen there looks at what became of it, and not at a card over it."""
    table = street.house.begun(["Aiko", "Bruno"], "yokohama")
    table.rush(6)
    desktop = street.tab(**WIDE)
    open_letter(street, table.to_move(), desktop)
    place = desktop.locator(".y-tile .place.lit").filter(visible=True).first
    place.hover()
    expect(desktop.locator(".peeking")).to_have_count(1)
    box = place.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    step = desktop.locator(STEP).input_value()
    desktop.mouse.click(x, y)
    expect(desktop.locator(STEP)).not_to_have_value(step)
    desktop.wait_for_timeout(300)  # a browser notices some frames later what lies under a pointer
    expect(desktop.locator(".peeking")).to_have_count(0)
    desktop.mouse.move(x + 1, y)
    expect(desktop.locator(".peeking")).to_have_count(1)
