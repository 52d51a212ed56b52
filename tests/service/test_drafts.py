"""A turn in the making is kept on the server: undo is free until it is sent, and nothing hidden is shown before."""

import pytest

from engine import Match
from service.models import Draft, Submission
from tests.play import House, Player, Table


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


def test_undo_takes_back_the_last_choice_and_start_over_all_of_them(player: Player):
    first = player.see()
    page = player.choose("take")
    second = page.press(page.options[-1])
    assert len(choices(player)) == 2
    page = second.press("Undo")
    assert choices(player) == ["take"]
    page = page.press(page.options[0]).press("Start over")
    assert choices(player) == []
    assert page.options == first.options


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
    """The market as the page draws it."""
    row = html.split('aria-label="Market"')
    drawn = row[1].split("</ul>")[0] if len(row) > 1 else ""
    return [
        card.split('"')[0] + card.split('class="value on"')[1].split(">")[1][0]
        for card in drawn.split("card good-")[1:]
    ]


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
