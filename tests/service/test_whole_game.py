"""A whole game by mail: four people, every turn through a link in a letter or the page it opened, up to the result."""

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
import time_machine

from engine import Match
from service.models import GameStatus, Letter, LetterStatus, Move, Submission, Unwanted, Verdict
from service.play.record import STILL_AT_THE_TABLE
from service.post import links
from tests.play import House, Table, body, link_in, mint, news
from workers import timekeeper

ZONES = {
    "Aiko": "Asia/Tokyo",
    "Bruno": "Europe/Lisbon",
    "Chidi": "Africa/Lagos",
    "Dana": "Pacific/Auckland",
}


@pytest.fixture
def finished(house: House) -> Table:
    """From the form to the last turn, by clicks alone."""
    table = house.game(list(ZONES), name="Thursday crew")
    for player in table.players:
        player.accept(zone=ZONES[player.name])
    while table.game().status is GameStatus.RUNNING:
        player = table.to_move()
        if player.seat.asked != player.seat.moved_version or not player.seat.asked:  # a letter has just come
            player.follow_link()
        page = player.play()
        assert page.status == 200
        assert "Your turn is played." in page
        assert table.game().version < 400
    return table


def test_a_whole_game_is_played_through_letters_and_pages_and_leaves_a_true_record(finished: Table):
    table, house = finished, finished.house
    browser = table.player("Aiko").browser
    ranking = table.game().result
    assert ranking is not None
    _check_result_page(table, browser.get(table.url("/result?seat=0")).html)
    _check_log(table)
    _check_replay(table)
    _check_export(table, browser.client.get(table.url("/export.json")).get_data())
    _check_letters(table)
    _check_over_letters(table)
    assert {move.decided_by for move in house.all(Move)} == {"nobody", "player"}


def _check_result_page(table: Table, html: str) -> None:
    ranking = table.game().result or []
    winner = table.players[ranking[0]["seat"]].name
    assert f"<h1>{winner} wins</h1>" in html
    assert html.count("<polyline") == 4
    for standing in ranking:
        assert f'<b class="total">{standing["score"]}</b>' in html
        assert sum(standing["parts"].values()) == standing["score"]


def _check_log(table: Table) -> None:
    browser, version = table.player("Bruno").browser, table.game().version
    seen: set[int] = set()
    for page in range(version // 40 + 1):
        found = browser.get(table.url(f"/log?seat=1&page={page}"))
        assert found.status == 200
        seen |= {int(no) for no in re.findall(r">move (\d+)<", found.html)}
    assert seen == set(range(version + 1))


def _check_replay(table: Table) -> None:
    browser, version = table.player("Chidi").browser, table.game().version
    for move in [*range(version + 1), -1, version + 9]:
        assert browser.get(table.url(f"/replay?seat=2&move={move}")).status == 200
    assert f"After move {version} of {version}" in browser.get(table.url("/replay"))
    assert browser.get(table.url("/replay?move=x")).status == 200


def _check_export(table: Table, exported: bytes) -> None:
    whole = msgspec.json.decode(exported)
    match = Match.load(bytes.fromhex(whole["start"]))
    for move in whole["moves"][1:]:
        for choice in move["choices"]:
            match.choose(move["seat"], choice)
        assert match.scores == move["scores"]
    assert match.result is not None
    assert msgspec.to_builtins(match.result.ranking) == table.game().result == whole["result"]


def _check_letters(table: Table) -> None:
    """One letter a question and none twice; those that were answered before they were due were not sent."""
    house = table.house
    with time_machine.travel(datetime.now(UTC) + STILL_AT_THE_TABLE + timedelta(minutes=1), tick=False):
        timekeeper.sweep()
    movers = {move.version: move.seat_no for move in house.all(Move)}
    seats = {seat.id: seat for seat in table.seats()}
    questions = {(s.seat_id, s.asked) for s in house.all(Submission, Submission.verdict == Verdict.ACCEPTED)}
    written = house.all(Letter, Letter.kind == "turn")
    assert {(letter.seat_id, letter.asked) for letter in written} == questions
    assert len(written) == len(questions)
    for letter in written:
        at_the_table = movers[letter.asked or 0] == seats[letter.seat_id or 0].no
        assert letter.status is (LetterStatus.OBSOLETE if at_the_table else LetterStatus.SENT)
        assert letter.attempts == 1
    messages = house.letters()
    sent = [letter for letter in house.all(Letter, Letter.status == LetterStatus.SENT) if letter.along_with is None]
    assert len({str(m["Message-ID"]) for m in messages}) == len(sent)
    root = f"<game-{table.public_id}@localhost>"
    for message in messages:
        assert message["In-Reply-To"] == message["References"] == root
        text, html = (part.get_content_type() for part in message.iter_parts())
        assert text == "text/plain"
        assert html in ("text/html", "multipart/related")  # with the picture of the board
        assert body(message).strip()
        assert "</html>" in body(message, "html")


def _check_over_letters(table: Table) -> None:
    winner = (table.game().result or [])[0]["seat"]
    for player in table.players:
        (over,) = player.letters("over")
        assert ("You won!" in news(over)) == (player.no == winner)
        page = table.house.browser().get(link_in(over))
        assert "The game is over" in page


def test_a_turn_letter_tells_what_happened_the_board_and_the_deadline_in_the_readers_zone_and_in_utc(house: House):
    table = house.game(["Aiko", "Bruno"], pace="week")
    for player in table.players:
        player.accept(zone=ZONES[player.name])
    first = table.to_move()
    first.play()
    second = table.to_move()
    (letter,) = second.letters("turn")
    zone, deadline = ZoneInfo(ZONES[second.name]), second.seat.deadline
    assert deadline is not None
    # A week's turn is 98 waking hours, the reserve another 49: ten and a half days of fourteen.
    assert timedelta(days=9) < deadline - datetime.now(UTC) < timedelta(days=12)
    city = ZONES[second.name].split("/")[1]
    for kind in ("plain", "html"):
        text = body(letter, kind)
        assert f"{deadline.astimezone(zone):%H:%M} ({city})" in text
        assert f"{deadline:%H:%M} UTC" in text
        assert first.name in text
        assert "Enshunada" in text or "Osaka" in text  # the board
    assert re.search(r"9[78] hours, then your reserve of 49 hours", " ".join(body(letter).split()))


def test_one_click_on_unsubscribe_ends_the_letters_and_only_a_post_does_it(house: House):
    table = house.begun(["Aiko", "Bruno"])
    player = table.to_move()
    (letter,) = player.letters("turn")
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = str(letter["List-Unsubscribe"]).strip(" <>")
    assert url.endswith(link_in(letter, "u"))
    mailer = house.browser()
    assert mailer.get(url).status == 200
    assert house.all(Unwanted) == []
    assert mailer.post(url, {"List-Unsubscribe": "One-Click"}).status == 200
    stopped = {(row.person_id, row.game_id, row.wish) for row in house.all(Unwanted)}
    assert stopped == {(player.seat.person_id, table.game().id, wish) for wish in ("turn_letters", "reminder_letters")}
    player.play()
    table.to_move().play()
    while table.to_move() is not player:
        table.to_move().play()
    assert len(player.letters("turn")) == 1
    again = mailer.get(url).press("Write to me again")
    assert "on again" in again
    assert house.all(Unwanted) == []


def test_a_letters_key_opens_no_seat_and_a_seats_key_no_letters(house: House):
    table = house.begun(["Aiko", "Bruno"])
    (letter,) = table.to_move().letters("turn")
    stranger = house.browser()
    assert stranger.get(link_in(letter, "u").replace("/u/", "/l/")).status == 403
    assert stranger.get(link_in(letter, "l").replace("/l/", "/u/")).status == 403
    assert stranger.get(table.url("/seat/0")).status == 403


def test_a_finished_game_is_shown_to_a_spectator_too(finished_quickly: Table):
    table, house = finished_quickly, finished_quickly.house
    watcher = house.browser()
    watcher.get(mint(house, links.mint_watch, table.game()))
    for path in ("/watch", "/result", "/log", "/replay?move=0", "/replay", "/text", "/export.json"):
        assert watcher.get(table.url(path)).status == 200


def test_before_the_end_there_is_no_result_and_nothing_to_export(house: House):
    table = house.begun(["Aiko", "Bruno"])
    browser = table.to_move().see().browser
    assert "/seat/" in browser.get(table.url("/result")).url
    assert browser.get(table.url("/export.json")).status == 404


@pytest.fixture
def finished_quickly(house: House) -> Table:
    """One person against a bot, up to the end."""
    table = house.begun(["Aiko", "Bruno*"])
    table.rush()
    return table


def test_against_a_bot_every_question_is_the_players_own_and_the_record_says_who_decided(finished_quickly: Table):
    deciders = Counter(move.decided_by for move in finished_quickly.house.all(Move))
    assert set(deciders) == {"nobody", "player", "bot"}
    assert deciders["bot"] > 10
    assert finished_quickly.house.all(Letter, Letter.person_id != 1) == []
