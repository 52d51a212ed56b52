"""A title's rules are corrected while games of it are played: every page, task and ruling, with a mend and without."""

import dataclasses
import logging
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
import time_machine
from sqlmodel import col

from engine import GAMES, Old
from engine.game import nothing_changes
from engine.match import Saved
from service.db import db, utcnow
from service.models import (
    Draft,
    Game,
    GameStatus,
    Letter,
    LetterStatus,
    Move,
    Policy,
    Ruling,
    Seat,
    Submission,
    Verdict,
)  # fmt: skip
from service.play import making, positions
from service.play.clocks import Pace
from service.play.rulings import RULINGS
from service.post import links
from tests.play import Browser, House, Page, Picture, Table, link_in, mail_of, mint, news
from tests.service.test_permissions import GETS, POSTS, address, visitors
from workers import adjudicator, doctor, timekeeper

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), reserve=timedelta(hours=2), grace=timedelta(hours=1), round_the_clock=True)
HONEST = "This game was begun under older rules"
NOT_OF_TODAY = "This position was reached under older rules"
FIELDS = {
    "seat": "0",
    "hours": "5",
    "name": "Nao",
    "mail": mail_of("Nao"),
    "days": "3",
    "version": "1",
    "result": "yes",
}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sweeps may be far apart here without being taken for an outage."""
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=1000))
    with time_machine.travel(NOON, tick=False):
        yield


def correct(house: House, kind: str = "osaka", mend=None) -> int:
    """The title's rules are corrected from now on. Returns their number."""
    title = GAMES[kind]
    older = {**title.older, title.rules: mend} if mend else {}
    house.patch.setitem(GAMES, kind, dataclasses.replace(title, rules=title.rules + 1, older=older))
    return title.rules + 1


def into_the_middle(house: House) -> Table:
    """Moves made, a draft begun, standing orders given, a seat on offer, letters written and not sent, a turn sent and
    not decided."""
    mika = ("Mika", mail_of("Mika"))
    table = house.begun(["Aiko", "Bruno", "Chidi"], pace=PACE, policy=Policy.PASS, moderator=mika)
    with house.put_off():
        table.rush(4)
    with house.lose():
        player = table.to_move()
        adjudicator.adjudicate(player.submit(player.best()))
        player = table.to_move()
        player.submit(player.best())
        with db.writing() as session:
            newcomer = making.person_for(session, "Nils", mail_of("Nils"))
            asked = player.seat.asked or 0
            session.add(Draft(seat_id=player.seat.id, asked=asked, choices=player.best()[:1]))
            for seat in table.seats():
                seat.orders = {order.id: order.choices[-1] for order in GAMES["osaka"].orders}
                seat.offered_to = newcomer.id if seat.no != player.no else None
                session.add(session.merge(seat))
    return table


LIVELY: list[tuple[str, Picture]] = []  # the game of `lively`, once it has been played


def lively(house: House) -> Table:
    """A game in the middle of everything, the only one in the house."""
    if not LIVELY:
        LIVELY.append((into_the_middle(house).public_id, house.picture()))
    ((public_id, picture),) = LIVELY
    house.come_back_to(picture)
    return Table(house, public_id, ["Aiko", "Bruno", "Chidi"], house.browser())


def saved(table: Table) -> Saved:
    return msgspec.msgpack.decode(table.game().saved or b"", type=Saved)


def moderator_of(table: Table) -> Page:
    browser = table.house.browser()
    browser.get(table.desk_link())
    return browser.get(table.url("/desk"))


def hidden(page: Page) -> dict[str, str]:
    return dict(re.findall(r'name="(csrf_token|stamp)"\s+value="([^"]+)"', page.html))


def ask(page: Page, deed: str, **fields: str) -> Page:
    return page.browser.post(f"{page.url}/{deed}", data=hidden(page) | {"reason": "Rules.", **FIELDS} | fields)


def everybody(table: Table) -> dict[str, Browser]:
    """All who may come, and a newcomer who was offered a seat."""
    found = visitors(table)
    newcomer = table.house.browser()
    seat = next(seat for seat in table.seats() if seat.offered_to) if table.game().status == "running" else None
    if seat:
        newcomer.get(mint(table.house, links.mint_offer, seat))
        assert newcomer.client.get(table.url(f"/offer/{seat.no}")).status_code in (200, 409)
    return found


def addresses(table: Table, patterns: set[str]) -> dict[str, str]:
    return dict(zip(sorted(patterns), address(table, " ".join(sorted(patterns))).split(), strict=True))


def walk_pages(table: Table) -> dict[str, set[int]]:
    """Every page for everybody, and every seat's and every earlier position's; the answers by address."""
    who = everybody(table)
    found: dict[str, set[int]] = {}
    places = {pattern for pattern, _ in GETS.values() if not pattern.startswith("/l/")}
    places |= {f"/g/{{id}}/replay?move={version}" for version in (0, 1, table.game().version // 2)}
    places |= {f"/g/{{id}}/offer/{no}" for no in range(len(table.players))}
    for pattern, where in addresses(table, places).items():
        found[pattern] = {browser.client.get(where).status_code for browser in who.values()}
    for player in table.players:
        seat = table.house.browser()
        seat.get(mint(table.house, links.mint_seat, player.seat))
        for rest in ("", "/settings", "/invitation"):
            found[f"{player.name}{rest}"] = {seat.get(player.url(rest)).status}
    return found


def walk_deeds(table: Table) -> dict[str, set[int]]:
    """Every button of every page, pressed by everybody."""
    who = everybody(table)
    found: dict[str, set[int]] = {}
    forms = {name: hidden(browser.get("/new")) for name, browser in who.items()}
    where = addresses(table, {pattern for pattern, _ in POSTS.values()})
    for endpoint, (pattern, _) in POSTS.items():
        asked = next((str(seat.asked) for seat in table.seats() if seat.asked is not None), "0")
        for name, browser in who.items():
            data = forms[name] | {"version": asked, "step": "", "kind": "x", "option": "x"}
            found.setdefault(endpoint, set()).add(browser.client.post(where[pattern], data=data).status_code)
    return found


def do_what_waits(house: House) -> None:
    """The tasks that were lost, and sweeps over the weeks that follow."""
    for submission in house.all(Submission, Submission.verdict == Verdict.RECEIVED):
        house.run("adjudicate", submission.id)
    for letter in house.all(Letter, Letter.status == LetterStatus.WAITING):
        house.run("deliver", letter.id)
    for hours in (0.2, 1, 4, 7, 8.5, 9.5, 30, 100, 101, 1000):
        with time_machine.travel(NOON + timedelta(hours=hours), tick=False):
            sweeps = 0
            while timekeeper.sweep():  # one may set the next one's work
                sweeps += 1
                assert sweeps < 4
            assert stuck(house) == []


def stuck(house: House) -> list[object]:
    """What is due now, and would be at every sweep to come."""
    now = utcnow()
    return [
        *timekeeper.due_seats(now),
        *house.all(Letter, Letter.status == LetterStatus.WAITING, col(Letter.due_at) <= now),
        *house.all(Submission, Submission.verdict == Verdict.RECEIVED),
    ]


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [entry.getMessage() for entry in caplog.records if entry.levelno >= logging.ERROR]


# --- with a mend


def test_with_a_mend_every_page_and_task_goes_on(one_house: House, caplog: pytest.LogCaptureFixture):
    table, over = lively(one_house), one_house.begun(["Gil", "Hana"], moderator=("Mika", mail_of("Mika")))
    over.rush()
    correct(one_house, mend=nothing_changes)
    for place in (table, over):
        pages = walk_pages(place)
        assert {status for answers in pages.values() for status in answers} <= {200, 302, 403, 404, 503}, pages
    deeds = walk_deeds(table)
    assert {status for answers in deeds.values() for status in answers} <= {200, 303, 400, 403}, deeds
    do_what_waits(one_house)
    assert errors(caplog) == []
    assert [seat for seat in one_house.all(Seat) if seat.trouble] == []


@pytest.mark.parametrize("deed", RULINGS)
def test_with_a_mend_every_ruling_is_made(one_house: House, caplog: pytest.LogCaptureFixture, deed: str):
    table = lively(one_house)
    one_house.execute("UPDATE seat SET misses = 1")  # something to excuse
    correct(one_house, mend=nothing_changes)
    page, asked = moderator_of(table), str(table.to_move().no)
    status = 400 if deed == "resume" else 200  # it is not paused
    preview = ask(page, deed, seat=asked)
    assert preview.status == status, preview.text
    assert ask(page, deed, **hidden(preview), confirmed="yes", seat=asked).status == status
    do_what_waits(one_house)
    assert errors(caplog) == []
    assert [seat for seat in one_house.all(Seat) if seat.trouble] == []


def test_a_game_that_is_mended_is_one_of_the_new_rules_from_its_next_move_on(one_house: House):
    table = lively(one_house)
    old = table.game().rules
    assert old == saved(table).rules
    new = correct(one_house, mend=nothing_changes)
    assert table.game().rules == old  # nobody has written anything yet
    (sent,) = one_house.all(Submission, Submission.verdict == Verdict.RECEIVED)
    assert adjudicator.adjudicate(sent.id) is Verdict.ACCEPTED
    game = table.game()
    assert (game.rules, saved(table).rules) == (new, new)
    with db.reading() as session:
        first = positions.snapshot(session, game, 0)
    assert msgspec.msgpack.decode(first, type=Saved).rules == old
    table.rush()
    assert table.game().status is GameStatus.FINISHED
    assert table.players[0].see().status == 200


def test_the_timekeeper_brings_a_game_along_and_asks_whom_the_new_rules_ask(house: House):
    """A mend may lead to another question: here the round begins anew, with somebody else to play."""
    table = house.begun(["Aiko", "Bruno"], pace=PACE, policy=Policy.PASS)
    begun = msgspec.msgpack.decode(saved(table).snapshot)

    def begin_anew(old: Old) -> None:
        old.state, old.choices = begun, []

    table.rush(1)
    waiting = table.to_move().name
    new = correct(house, mend=begin_anew)
    with time_machine.travel(NOON + timedelta(hours=4), tick=False):
        timekeeper.sweep()
        timekeeper.sweep()
    assert table.game().rules == new
    assert table.to_move().name != waiting
    assert table.to_move().play().status == 200


def test_a_draft_keeps_what_still_fits_and_its_player_is_told_of_the_rest(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    while len(table.to_move().best()) < 2:
        table.rush(1)
    player = table.to_move()
    kept = player.best()[:1]
    player.draft(kept)
    with db.writing() as session:
        draft = session.get_one(Draft, player.seat.id)
        draft.choices = [*kept, "not-any-more", "nor-this"]
        session.add(draft)
    correct(one_house, mend=nothing_changes)
    before = one_house.dump()
    page = player.see()
    assert "your last 2 choices are not offered any more" in page
    assert one_house.dump() == before  # looking changes nothing
    for choice in player.best()[1:]:
        page = page.press(choice)
    assert "not offered any more" not in page
    assert one_house.one(Draft).choices == player.best()
    assert "Your turn is played." in page.press("/send")


def test_a_turn_in_flight_that_the_new_rules_do_not_allow_is_sent_back_with_a_reason(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    player = table.to_move()
    sent = player.submit(["not-any-more"])
    correct(one_house, mend=nothing_changes)
    assert adjudicator.adjudicate(sent) is Verdict.REJECTED
    assert "The rules do not allow this turn" in player.see()


def test_standing_orders_that_the_new_rules_do_not_know_are_not_followed_and_break_nothing(
    one_house: House, caplog: pytest.LogCaptureFixture
):
    table = lively(one_house)
    one_house.patch.setitem(GAMES, "osaka", dataclasses.replace(GAMES["osaka"], orders=GAMES["osaka"].orders[1:]))
    correct(one_house, mend=nothing_changes)
    do_what_waits(one_house)
    table.rush()
    assert table.game().status is GameStatus.FINISHED
    assert errors(caplog) == []


def test_a_mend_that_fails_strands_its_game_and_nothing_else(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    correct(one_house, mend=lambda old: old.state.pop("no such thing"))
    assert HONEST in table.to_move().see()


# --- without one


def test_without_a_mend_every_page_is_honest_and_nothing_fails(one_house: House, caplog: pytest.LogCaptureFixture):
    table, over = lively(one_house), one_house.begun(["Gil", "Hana"], moderator=("Mika", mail_of("Mika")))
    over.rush()
    correct(one_house)
    for place in (table, over):
        pages = walk_pages(place)
        assert {status for answers in pages.values() for status in answers} <= {200, 302, 403, 404, 409, 503}, pages
        for pattern in ("/g/{id}/watch", "/g/{id}/text", "/g/{id}/replay", "/g/{id}/replay?move=0"):
            assert pages[pattern] == {409, 403}, pattern
        assert pages[place.players[0].name] == {409}
        for pattern in ("/g/{id}/log", "/g/{id}/pulse", "/g/{id}/desk", "/g/{id}/organise"):
            assert 200 in pages[pattern], pattern
            assert 409 not in pages[pattern], pattern
    deeds = walk_deeds(table)
    assert {status for answers in deeds.values() for status in answers} <= {200, 303, 400, 403, 409}, deeds
    do_what_waits(one_house)
    assert errors(caplog) == []


def test_the_honest_page_says_what_it_means_and_what_can_be_done(one_house: House):
    table = lively(one_house)
    correct(one_house)
    player = table.players[0]
    page = player.see()
    assert page.status == 409
    assert HONEST in page
    assert "Mika, who looks after this game, can end it" in page
    (log,) = set(re.findall(r'href="(/g/[^"]+/log[^"]*)"', page.html))
    assert page.browser.get(log).status == 200
    assert "Step through" not in page


@pytest.mark.parametrize("deed", ["choose", "undo", "restart", "rest", "send"])
def test_without_a_mend_nothing_can_be_clicked_together_and_nothing_changes(one_house: House, deed: str):
    table = lively(one_house)
    player = table.to_move()
    browser = one_house.browser()
    browser.get(mint(one_house, links.mint_seat, player.seat))
    correct(one_house)
    before = one_house.dump()
    data = hidden(browser.get("/new")) | {"version": str(player.seat.asked), "step": "", "option": "x"}
    answer = browser.post(player.url(f"/{deed}"), data=data)
    assert (answer.status, HONEST in answer) == (409, True)
    assert one_house.dump() == before


def test_of_a_finished_game_the_honest_page_leads_to_its_result_and_file(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    table.rush()
    correct(one_house)
    page = table.players[0].see()
    assert HONEST in page
    assert "can end it" not in page
    for rest in ("/result", "/export.json"):
        (where,) = set(re.findall(rf'href="(/g/[^"]+{rest}[^"]*)"', page.html))
        assert page.browser.get(where).status == 200
    assert "This game ended under older rules" in page.browser.get(table.url("/result"))


@pytest.mark.parametrize("deed", RULINGS)
def test_without_a_mend_a_ruling_is_made_if_it_needs_no_position_and_refused_if_it_does(one_house: House, deed: str):
    table = lively(one_house)
    one_house.execute("UPDATE seat SET misses = 1")  # something to excuse
    correct(one_house)
    page = moderator_of(table)
    assert "nobody can play on" in page
    without = ("extend", "excuse", "pause", "end", "moderator")
    assert (f'id="ruling-{deed}"' in page.html) == (deed in without)
    before = one_house.dump()
    asked = str(table.to_move().no)
    preview = ask(page, deed, seat=asked)
    assert one_house.dump() == before
    confirmed = ask(page, deed, **hidden(preview), confirmed="yes", seat=asked)
    if deed in without:
        assert (preview.status, confirmed.status) == (200, 200), confirmed.text
        assert one_house.all(Ruling, Ruling.name == deed)
    else:
        assert (preview.status, confirmed.status) == (400, 400), confirmed.text
        assert NOT_OF_TODAY in confirmed or "not paused" in confirmed
        assert one_house.all(Ruling) == []
    do_what_waits(one_house)


def test_a_game_without_a_mend_ends_with_the_last_scores_of_its_log(house: House):
    table = house.begun(["Aiko", "Bruno", "Chidi"], moderator=("Mika", mail_of("Mika")))
    while not any(table.match().scores):
        table.rush(1)
    scores = house.one(Move, Move.game_id == table.game().id, Move.version == table.game().version).scores
    correct(house)
    page = moderator_of(table)
    preview = ask(page, "end", result="yes")
    assert "the scores of its last move decide" in preview
    assert ask(page, "end", **hidden(preview), confirmed="yes").status == 200
    game = table.game()
    assert game.status is GameStatus.FINISHED
    assert {row["seat"]: row["score"] for row in game.result or []} == dict(enumerate(scores))
    assert house.all(Ruling, Ruling.name == "end")
    seat = house.browser()
    seat.get(mint(house, links.mint_seat, table.seats()[0]))
    result = seat.get(table.url("/result"))
    assert "This game ended under older rules (version 1)" in result
    assert all(str(score) in result for score in scores)
    over = house.letters(kind="over")
    assert len(over) == 3
    assert table.url("/export.json") in result.html
    assert house.browser().get(link_in(over[0])).status == 409


def test_without_a_mend_nobody_is_reminded_late_or_played_for_and_the_seat_is_set_aside_once(house: House):
    table = lively(house)
    version = table.game().version
    correct(house)
    do_what_waits(house)
    assert table.game().version == version
    assert house.all(Letter, col(Letter.kind).in_(["reminder", "late", "delay", "missed"])) == []
    turns = house.all(Letter, Letter.kind == "turn", Letter.status == LetterStatus.FAILED)
    assert turns
    assert all("rules 1 of Traders of Osaka" in letter.error for letter in turns)
    (told,) = house.letters(mail_of("Mika"), "stranded")
    assert "cannot go on" in news(told)
    assert "nobody can play on" in house.browser().get(link_in(told))
    (asked,) = (seat for seat in table.seats() if seat.asked is not None)
    assert asked.due_at is None
    assert "rules 1" in asked.trouble
    assert asked.trouble in moderator_of(table)
    with time_machine.travel(NOON + timedelta(days=60), tick=False):
        before = house.dump("heartbeat")
        timekeeper.sweep()
        assert house.dump("heartbeat") == before


def test_the_next_game_that_waits_is_one_that_can_be_played(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    player = table.to_move()
    player.see()
    correct(one_house)
    assert "No game waits for you." in player.browser.get("/my/next")


def test_the_doctor_names_the_games_that_cannot_go_on(house: House):
    table = house.begun(["Aiko", "Bruno"])
    other = house.begun(["Chidi", "Dana"], kind="duel")
    over = house.begun(["Eve", "Fay"])
    over.rush()

    def games() -> doctor.Finding:
        return next(finding for finding in doctor.examine(house.settings) if finding.name == "games")

    assert games().fine
    with pytest.MonkeyPatch.context() as patch:
        title = GAMES["osaka"]
        patch.setitem(GAMES, "osaka", dataclasses.replace(title, rules=9, older={}))
        assert not games().fine
        assert "1 cannot go on" in games().text
        assert table.public_id in games().text
        assert other.public_id not in games().text
        mends = dict.fromkeys(range(title.rules, 9), nothing_changes)
        patch.setitem(GAMES, "osaka", dataclasses.replace(title, rules=9, older=mends))
        assert games().fine


def test_a_game_that_was_only_invited_to_begins_under_the_new_rules(one_house: House):
    table = one_house.game(["Aiko", "Bruno"])
    new = correct(one_house)
    for player in table.players:
        assert player.accept().status == 200
    assert table.game().rules == new
    assert isinstance(table.game(), Game)
    assert table.to_move().play().status == 200
