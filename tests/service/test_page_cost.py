"""What a table page costs: few statements, and the match loaded once, and once more for what has changed."""

import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from sqlalchemy import event
from werkzeug.test import TestResponse

from engine import GAMES, Match
from service.db import db, utcnow
from service.models import Game, Jury, Nudge, Policy, Remark
from service.play import record
from service.post import links
from tests.engine.zaibatsu.positions import position
from tests.play import Browser, House, Page, Player, Table, link_in, mint
from tests.service.test_votes import others, propose
from workers import adjudicator

MOST_STATEMENTS = 9
NAMES = ("Aiko", "Bruno", "Chidi", "Dana")


@dataclass
class Cost:
    statements: int = 0
    loads: int = 0


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cost]:
    """Everything that is asked of the database, and every match that is set up from bytes."""
    cost = Cost()
    load = Match.load

    def one_more(connection: object, cursor: object, statement: str, *_: object) -> None:
        cost.statements += statement != "BEGIN"  # which SQLite is told, and PostgreSQL by its driver

    def load_one_more(data: bytes, components: str | None = None) -> Match:
        cost.loads += 1
        return load(data, components)

    event.listen(db.engine, "before_cursor_execute", one_more)
    with monkeypatch.context() as patch:
        patch.setattr(Match, "load", load_one_more)
        yield cost
    event.remove(db.engine, "before_cursor_execute", one_more)


@pytest.fixture(params=GAMES)
def table(request: pytest.FixtureRequest, house: House) -> Table:
    return under_way(house, request.param)


def under_way(house: House, kind: str) -> Table:
    """A game with as many people as it takes, each of whom has moved."""
    title = GAMES[kind]
    table = house.begun(NAMES[: title.players[-1]], kind)
    for _ in range(2 * title.players[-1]):
        play_on(table)
    return table


def somebody_asked(table: Table) -> Player:
    return table.player(next(seat.name for seat in table.seats() if seat.asked is not None))


def play_on(table: Table) -> None:
    player = somebody_asked(table)
    adjudicator.adjudicate(player.submit(player.best()))


def look(browser: Browser, where: str, monkeypatch: pytest.MonkeyPatch) -> Cost:
    with counted(monkeypatch) as cost:
        assert browser.client.get(where).status_code == 200
    assert cost.statements <= MOST_STATEMENTS
    return cost


def test_a_table_page_takes_few_statements_and_one_match(table: Table, monkeypatch: pytest.MonkeyPatch):
    for seat in table.seats():  # those who are asked, and those who wait
        player = table.player(seat.name)
        player.see()
        assert look(player.browser, player.url(), monkeypatch).loads <= 2
    spectator = table.house.browser()
    spectator.get(mint(table.house, links.mint_watch, table.game()))
    assert look(spectator, table.url("/watch"), monkeypatch).loads == 1


def test_what_was_said_is_asked_for_only_where_anybody_has_said_something(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    table = under_way(house, "osaka")
    player = somebody_asked(table)
    player.see()
    silent = look(player.browser, player.url(), monkeypatch).statements
    with db.writing() as session:
        session.add(Remark(game_id=table.game().id, person_id=player.seat.person_id, version=1, text="Good luck!"))
    assert look(player.browser, player.url(), monkeypatch).statements == silent + 1
    assert "Good luck!" in player.see().text


@pytest.mark.both_databases
@pytest.mark.parametrize("who", ["asked", "looks after it and is asked", "waits", "looks after it and waits"])
def test_so_does_one_where_much_goes_on(house: House, monkeypatch: pytest.MonkeyPatch, who: str):
    """They talk, vote and remind each other, and another game waits for the reader in the same browser."""
    house.begun(["Aiko", "Bruno"], "duel")
    table = house.begun(["Aiko", "Bruno", "Chidi"], policy=Policy.MODERATOR, jury=Jury.PLAYER)
    looks_after, waits = "looks after it" in who, "waits" in who
    while (somebody_asked(table).name == "Aiko") is not (looks_after is not waits):
        play_on(table)
    reader = table.player("Aiko") if looks_after else somebody_asked(table)
    if waits and not looks_after:
        reader = next(player for player in table.players[1:] if player.name != somebody_asked(table).name)
    for player in others(table, reader.name):
        player.see().press("Say", text="Good luck!")
    propose(others(table, reader.name)[-1], "pause", days=3)
    asked = somebody_asked(table).seat
    with db.writing() as session:
        for other in others(table, somebody_asked(table).name):
            session.add(
                Nudge(seat_id=asked.id, person_id=other.seat.person_id or 0, asked=asked.asked or 0, at=utcnow())
            )
    for letter in reader.letters():
        reader.browser.get(link_in(letter))
    page = reader.see()
    assert "Good luck!" in page.text
    assert "All clocks stand still" in page.text
    look(reader.browser, reader.url(), monkeypatch)


def test_so_does_one_with_a_turn_half_made_and_a_click_on_it(table: Table, monkeypatch: pytest.MonkeyPatch):
    while len((player := somebody_asked(table)).best()) < 2:
        play_on(table)
    first, then = player.best()[:2]
    where, data = player.choose(first).request(then)
    assert look(player.browser, player.url(), monkeypatch).loads <= 2
    with counted(monkeypatch) as click:
        assert player.browser.client.post(where, data=data).status_code == 303
    assert click.statements <= MOST_STATEMENTS
    assert click.loads == 1
    assert look(player.browser, player.url(), monkeypatch).loads <= 2


def test_so_does_the_page_of_a_finished_game(table: Table, monkeypatch: pytest.MonkeyPatch):
    with db.writing() as session:
        game = record.lock(session, table.game().id)
        record.finish_early(session, game, record.seats_of(session, game))
    player = table.players[0]
    player.see()
    assert look(player.browser, player.url(), monkeypatch).loads <= 2


def weight(body: bytes) -> tuple[int, int]:
    """In kilobytes, as it is and as it travels."""
    return len(body) // 1000, len(gzip.compress(body, 6)) // 1000


def all_that_travels(player: Player) -> int:
    """Bytes for somebody who opens a table for the first time: the page, its style and its script, with headers."""
    accepted = {"Accept-Encoding": "gzip, deflate, br, zstd"}
    page = player.see()
    along = re.findall(r'(?:rel="stylesheet" href|script src)="([^"]+)"', page.html)
    answers = [player.browser.client.get(address, headers=accepted) for address in (page.url, *along)]
    assert all(answer.headers["Content-Encoding"] == "br" for answer in answers)
    return sum(len(str(answer.headers)) + len(answer.data) for answer in answers)


def touched(page: Page, button: str) -> TestResponse:
    """What a page that changes only what it shows is sent for this touch."""
    parts = " ".join(re.findall(r'data-part="([^"]+)"', page.html))
    where, data = page.request(button)
    answer = page.browser.client.post(where, data=data, headers={"Hikyaku-Have": parts or "-"})
    assert answer.status_code == 200
    return answer


@pytest.mark.parametrize("kind", GAMES)
def test_a_page_and_the_answer_to_a_choice_are_light(one_house: House, kind: str):
    """Looked at through many turns of the game: a full table weighs more than an early one."""
    table = under_way(one_house, kind)
    heaviest_page, heaviest_answer = (0, 0), (0, 0)
    for turn in range(30):
        play_on(table)
        if turn % 3:
            continue
        player = somebody_asked(table)
        page = player.see()
        heaviest_page = max(heaviest_page, weight(page.html.encode()))
        heaviest_answer = max(heaviest_answer, weight(touched(page, player.best()[0]).data))
    assert heaviest_page <= (160, 25)
    assert heaviest_page[1] <= 25
    assert all_that_travels(somebody_asked(table)) <= 40_000
    assert heaviest_answer <= (60, 12)
    assert heaviest_answer[1] <= 12


# The heaviest turns found in whole games by the built-in players: how many play, the shuffle, and the turns before it.
HEAVIEST = {
    "a period ends": (4, 7, 17),
    "much can be delivered": (2, 8, 17),
    "all others have done much": (4, 1, 16),
}


@pytest.mark.parametrize("moment", HEAVIEST)
def test_so_are_the_answers_of_the_heaviest_turns(one_house: House, moment: str):
    """What is sent brings all that the others have done since, and is no choice: it may weigh more."""
    players, seed, turns = HEAVIEST[moment]
    one_house.seed(seed)
    table = one_house.begun(["Aiko", "Bruno*", "Chidi*", "Dana*"][:players], "zaibatsu")
    table.rush(turns)
    player = table.player("Aiko")
    plan = player.best()
    while plan:
        page = player.see()
        touch = one_touch(page, plan)
        raw, packed = weight(touched(page, touch).data)
        assert raw < 60
        assert packed < 12
        plan = plan[len(touch.split()) :]
    raw, packed = weight(touched(player.see(), "/send").data)
    assert raw < 80
    assert packed < 12


# The most that markets were found to offer in 3,000 such games: as many ways to deliver as are ever shown at once, and
# nearly as many with everybody at the table.
MARKETS = {
    "among two": (2, {"sides": "random", "common_goals": True}, 3637, 35, 80),
    "among four": (4, {}, 3523, 61, 70),
}


@pytest.mark.parametrize("market", MARKETS)
def test_so_is_the_question_which_of_many_markets_to_serve(one_house: House, market: str):
    players, options, seed, turns, ways = MARKETS[market]
    one_house.seed(seed)
    table = one_house.begun(NAMES[:players], "zaibatsu", options=options)
    table.rush(turns)
    page = somebody_asked(table).see()
    answer = touched(page, offered(page, "markets")[0]).data
    assert answer.count(b" goods.") == ways
    assert is_light(answer)


def test_more_ways_than_a_page_can_carry_are_asked_one_after_the_other(one_house: House):
    """Somebody with all goods and all tokens, and nobody in the way."""
    table = one_house.begun(NAMES, "zaibatsu")
    while somebody_asked(table).no:
        play_on(table)
    everything = " ".join(f"{good}1a:4" for good in ("cotton", "paper", "bento", "lenses", "bulbs", "clocks"))
    match = position(4, factories=everything, money=9)
    with db.writing() as session:
        session.get_one(Game, table.game().id).saved = match.save()
    player = table.player("Aiko")
    page = player.see()
    markets = offered(page, "markets ")[0]
    assert is_light(touched(page, markets).data)
    page = player.see()
    spaces = offered(page, "space.")
    assert len(spaces) == 2 * 32  # on the board and in the list, without the amounts
    assert is_light(touched(page, spaces[0]).data)
    assert offered(player.see(), "goods.")


def is_light(answer: bytes) -> bool:
    raw, packed = weight(answer)
    return raw < 60 and packed < 12


def offered(page: Page, beginning: str) -> list[str]:
    values = [button.value for form in page.forms for button in form.buttons]
    return [value for value in values if value and value.startswith(beginning)]


def one_touch(page: Page, plan: list[str]) -> str:
    """As much of the plan as one touch stands for."""
    touches = offered(page, "")
    return next(" ".join(plan[:n]) for n in range(len(plan), 0, -1) if " ".join(plan[:n]) in touches)
