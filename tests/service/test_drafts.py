"""A turn in the making is kept on the server: undo is free until it is sent, and nothing hidden is shown before."""

import re

import pytest

from engine import Match
from service.models import Draft, Submission
from tests.play import House, Page, Player, Table


@pytest.fixture
def table(house: House) -> Table:
    """Two players, both with a token, the first at their first real turn."""
    table = house.begun(["Aiko", "Bruno"])
    table.rush(2)
    return table


@pytest.fixture
def player(table: Table) -> Player:
    player = table.to_move()
    player.see()
    return player


def choices(player: Player) -> list[str]:
    drafts = player.house.all(Draft, Draft.seat_id == player.seat.id)
    return drafts[0].choices if drafts else []


def test_another_browser_goes_on_where_the_first_one_was(player: Player):
    player.choose("take")
    elsewhere = player.house.browser()
    page = player.follow_link(elsewhere)
    assert choices(player) == ["take"]
    page.press(page.options[0])
    assert "Undo" in player.see().html
    assert len(choices(player)) == 2


def test_undo_takes_back_a_touch_and_start_over_all_of_them(player: Player):
    """ "Take a card" only leads to the question which one: both were one touch."""
    first = player.see()
    page = player.choose("take")
    second = page.press(page.options[-1])
    assert len(choices(player)) == 2
    page = second.press("Undo")
    assert choices(player) == []
    page = player.choose("take")
    assert page.press("Undo").options == first.options
    page = player.choose("take")
    page = page.press(page.options[0]).press("Start over")
    assert choices(player) == []
    assert page.options == first.options


def touch(player: Player, value: str, page: Page | None = None) -> Page:
    """What a place on the board sends."""
    where, data = (page or player.see()).request("take")
    return player.browser.post(where, {**data, "option": value})


def test_a_touch_may_stand_for_several_questions_in_a_row(player: Player):
    card = player.choose("take").options[0]
    player.see().press("Undo")
    touch(player, f"take {card}")
    assert choices(player) == ["take", card]


def test_of_several_choices_in_a_row_all_are_made_or_none(player: Player):
    for refused in ("take nothing", "nothing", "", "take take", "@0 take nothing"):
        assert "not offered now" in touch(player, refused)
        assert choices(player) == []


def test_a_page_may_take_choices_back_to_where_it_wants_others(player: Player):
    page = player.see()
    one, other = player.choose("take").options[:2]
    player.see().press("Undo")
    touch(player, f"take {one}")
    where, data = player.see().request("/undo")
    send = where.replace("/undo", "/choose")
    player.browser.post(send, {**data, "option": f"@1 {other}"})
    assert choices(player) == ["take", other]
    assert "another window" in touch(player, "@0", page)  # a page that is out of date takes nothing back
    assert choices(player) == ["take", other]
    where, data = player.see().request("/undo")
    player.browser.post(send, {**data, "option": "@0"})
    assert choices(player) == []


def test_do_the_rest_for_me_ends_the_run_of_questions(house: House):
    table = house.begun(["Aiko", "Bruno"])
    for _ in range(200):
        player = table.to_move()
        page = player.see()
        for choice in player.best():
            page = page.press(choice)
            if any((b.action or "").endswith("/rest") for f in page.forms for b in f.buttons):
                question = page.html.split('id="prompt"')[1][:200]
                after = page.press("/rest")
                assert after.status == 200
                assert after.can_send or after.html.split('id="prompt"')[1][:200] != question
                assert len(choices(player)) > 1
                return
        page.press("/send")
    raise AssertionError("nobody was ever offered to have the rest done")


def test_do_the_rest_for_me_leaves_out_the_optional_steps_of_a_turn(house: House):
    table = house.begun(["Aiko", "Bruno"], "yokohama")
    for player in table.players:
        player.play()
    for _ in range(60):
        player = table.to_move()
        page = player.see()
        for choice in player.best():
            page = page.press(choice)
            if any((b.action or "").endswith("/rest") for f in page.forms for b in f.buttons):
                before = len(choices(player))
                assert page.press("/rest").can_send
                assert len(choices(player)) > before + 1  # more than one question, else a choice of its own would do
                return
        page.press("/send")
    raise AssertionError("nobody was ever offered to have the rest done")


def test_a_page_that_is_out_of_date_says_so_shows_the_position_and_changes_nothing(table: Table, player: Player):
    stale = player.see()
    requests = [stale.request(option) for option in stale.options]
    player.play()
    while table.to_move() is not player:
        table.to_move().play()
    before = table.house.dump()
    for url, data in requests:
        page = player.browser.post(url, data)
        assert page.status == 200
        assert "The game has moved on since this page was made" in page
        assert page.options
    for deed in ("undo", "restart", "rest"):
        page = player.browser.post(url.replace("/choose", f"/{deed}"), data)
        assert "moved on" in page
    assert table.house.dump() == before


def test_an_old_page_sends_nothing_once_somebody_else_is_to_play(table: Table, player: Player):
    stale = player.draft()
    undo = stale.request("Undo")
    stale.press("/send")
    before = table.house.dump()
    assert "moved on" in player.browser.post(*undo)
    assert table.house.dump() == before


def test_a_second_click_on_an_option_does_nothing_twice(player: Player):
    page = player.see()
    request = page.request("take")
    player.browser.post(*request)
    again = player.browser.post(*request)
    assert again.status == 200
    assert "chosen already" in again
    assert choices(player) == ["take"]


def test_a_turn_that_is_not_complete_cannot_be_sent(player: Player):
    page = player.choose("take")
    assert not page.can_send
    url, data = page.request("Undo")
    answer = player.browser.post(url.replace("/undo", "/send"), data)
    assert "not complete yet" in answer
    assert (
        player.house.all(Submission, Submission.seat_id == player.seat.id, Submission.asked == int(data["version"]))
        == []
    )


def test_what_a_choice_would_reveal_is_not_shown_before_the_turn_is_sent(house: House):
    table = house.begun(["Aiko", "Bruno"])
    for _ in range(200):
        player = table.to_move()
        turn = player.best()
        page = player.draft(turn)
        held = _drafted(player, turn)
        if held.held and held.view(player.no)["market"] != _played(player, turn).view(player.no)["market"]:
            break
        page.press("/send")
    else:
        raise AssertionError("no turn of the game reveals anything")
    assert "New cards come up" in page
    shown, hidden = _cards(held, player), _cards(_played(player, turn), player)
    assert shown != hidden
    assert _cards_on(page.html) == shown
    assert _cards_on(page.press("/send").html) != shown


def _drafted(player: Player, turn: list[str]) -> Match:
    match = player.table.match().draft()
    for choice in turn:
        match.choose(player.no, choice)
    return match


def _played(player: Player, turn: list[str]) -> Match:
    match = player.table.match()
    for choice in turn:
        match.choose(player.no, choice)
    return match


def _cards(match: Match, player: Player) -> list[str]:
    return [slot["card"] for slot in match.view(player.no)["market"]]


def _cards_on(html: str) -> list[str]:
    """The market as the page draws it: the words of its places."""
    return re.findall(r'data-spot="market:\d"(?:[^<]*|>\s*<summary[^<]*)aria-label="([a-z]+ \d)', html)


def test_a_choice_that_can_be_taken_back_is_a_draft_and_leaves_the_game_alone(table: Table, player: Player):
    before = table.house.dump("draft")
    player.draft()
    assert table.house.dump("draft") == before


def test_a_draft_for_an_old_question_is_not_used_for_a_new_one(table: Table, player: Player):
    player.draft()
    table.house.execute("UPDATE draft SET asked = asked - 1")
    page = player.see()
    assert not page.can_send
    assert "take" in page.options
