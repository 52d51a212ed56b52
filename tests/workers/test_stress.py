"""All writers against each other on PostgreSQL, on the same few games and people: nobody is refused by the database,
nothing is lost and nothing is done twice."""

import random
import re
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import col
from werkzeug.test import TestResponse

from service.db import db, utcnow
from service.models import (
    Absence,
    Attempt,
    Game,
    GameStatus,
    Letter,
    LetterStatus,
    Link,
    Move,
    Policy,
    Ruling,
    Seat,
    SeatStatus,
    Snapshot,
    Submission,
    Tenure,
    Verdict,
)
from service.play import positions, record
from service.play.clocks import Pace
from service.post import links
from tests.play import Browser, House, Page, mail_of, mint
from tests.service.test_desk import ask
from workers import timekeeper

pytestmark = pytest.mark.both_databases

SECONDS = 15.0
AT_MOST = 60.0  # on a machine so busy that not everything has happened once in that time
WANTED = ("choice", "turn", "change", "absence", "links", "ruling", "game", "adjudicate", "deliver", "sweep")
PEOPLE = ["Aiko", "Bruno", "Chidi"]
GUESTS = ["Dana", "Emeka", "Fumi"]
HASTE = Pace(timedelta(seconds=2), grace=timedelta(seconds=1), round_the_clock=True)  # some turns run out meanwhile


Deed = Callable[["World", random.Random], None]


class Window(Browser):
    """A browser that cannot overlook a page that broke."""

    def __init__(self, world: "World") -> None:
        super().__init__(world.house.app)
        self.world = world

    def _land(self, url: str, response: TestResponse) -> Page:
        page = super()._land(url, response)
        if page.status >= 500:
            self.world.wrong.append(f"{page.status} at {page.url}")
        return page

    def send(self, url: str, **fields: Any) -> Page:
        """A form, without reading the page it stands on."""
        (token, *_) = re.findall(r'name="csrf_token"\s+value="([^"]+)"', self.get("/links").html)
        return self.post(url, {"csrf_token": token, **fields})


class World:
    """Three tables with the same three people, who play and meddle all at once."""

    def __init__(self, house: House) -> None:
        self.house = house
        plan: dict[str, Any] = {"pace": HASTE, "policy": Policy.PASS, "away_days": 120, "silent_rounds": 9999}
        self.tables = [house.begun(PEOPLE, moderator=("Mika", mail_of("Mika")), **plan) for _ in range(3)]
        self.done: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._counting = threading.Lock()

    def count(self, what: str, happened: bool = True) -> None:
        with self._counting:
            self.done[what] += happened

    def run(self, deeds: list[Deed]) -> None:
        """Each deed in a thread of its own, again and again until the time is up."""
        start = time.monotonic()
        threads = [threading.Thread(target=self._repeat, args=(at, deed, start)) for at, deed in enumerate(deeds)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _repeat(self, number: int, deed: Deed, start: float) -> None:
        chance = random.Random(number)
        while time.monotonic() < start + (SECONDS if all(self.done[what] for what in WANTED) else AT_MOST):
            try:
                deed(self, chance)
            except Exception:  # noqa: BLE001  (whatever it is, the test shows it)
                self.wrong.append(traceback.format_exc())
                return

    def sit_down(self, chance: random.Random) -> tuple[Window, Page]:
        """Somebody's table, through a fresh link: others void links meanwhile."""
        seat = chance.choice(chance.choice(self.tables).seats())
        window = Window(self)
        return window, window.get(mint(self.house, links.mint_seat, seat))


# --- who does what


def play(world: World, chance: random.Random) -> None:
    """Choose, go back now and then, and send."""
    _, page = world.sit_down(chance)
    while page.options and not page.can_send:
        page = page.press("Undo" if has(page, "Undo") and chance.random() < 0.1 else chance.choice(page.options))
        world.count("choice")
    if page.can_send:
        world.count("turn", "Your turn is played" in page.press("/send"))


def meddle(world: World, chance: random.Random) -> None:
    """All that somebody can change about themselves."""
    day = (date.today() + timedelta(days=chance.randrange(1, 300))).isoformat()
    deeds: list[tuple[str, dict[str, Any]]] = [
        ("settings", {"name": chance.choice(PEOPLE), "zone": chance.choice(["UTC", "Asia/Tokyo"])}),
        ("hours", {"quiet-from": "22:00", "quiet-to": f"0{chance.randrange(1, 9)}:00", "remind": "0.5"}),
        ("orders", {}),
        ("away", {"first": day, "last": day}),
        (f"propose/{chance.choice(['pause', 'resume'])}", {"days": "3", "reason": "Why not?", "confirmed": "yes"}),
        ("vote", {"proposal": chance.randrange(1, 40), "answer": chance.choice(["yes", "no"])}),
        ("calendar", {}),
        ("new-link", {}),
    ]
    deed, fields = chance.choice(deeds)
    window, page = world.sit_down(chance)
    if page.status == 200:
        said = window.send(f"{page.url}/{deed}", **fields)
        world.count("change")
        world.count("absence", "The others can see that you are away" in said.html)


def ask_for_links(world: World, chance: random.Random) -> None:
    names = [*PEOPLE, *GUESTS, *newcomers()]
    Window(world).send("/links", mail=mail_of(chance.choice(names)))
    world.count("links")
    time.sleep(0.02)


def rule(world: World, chance: random.Random) -> None:
    table = chance.choice(world.tables)
    game = table.game()
    window = Window(world)
    window.get(table.desk_link())
    name = chance.choice(GUESTS)
    rulings: list[tuple[str, dict[str, Any]]] = [
        ("extend", {"seat": chance.randrange(3), "hours": 1}),
        ("excuse", {"seat": chance.randrange(3)}),
        ("auto-pass", {"seat": chance.randrange(3)}),
        ("bot-turn", {"seat": chance.randrange(3)}),
        ("substitute", {"seat": chance.randrange(3), "name": name, "mail": mail_of(name)}),
        ("rewind", {"version": max(0, game.version - chance.randrange(1, 4))}),
        ("pause", {"days": 1}),
        ("resume", {}),
    ]
    deed, fields = chance.choice(rulings)
    page = window.get(table.url("/desk"))
    if chance.random() < 0.3:
        ask(page, deed, reason="Only looking.", **fields)
    said = ask(page, deed, reason="So it is.", confirmed="yes", **fields)
    world.count("ruling", said.status == 200 and "This will happen" not in said)


def take_over(world: World, chance: random.Random) -> None:
    table = chance.choice(world.tables)
    for seat in [seat for seat in table.seats() if seat.offered_to]:
        window = Window(world)
        page = window.get(mint(world.house, links.mint_offer, seat))
        if page.status == 200 and chance.random() < 0.5:
            page.press("decline")
        elif page.status == 200 and (asked := window.get(f"{page.url}/take")).status == 200:
            world.count("taken over", "The seat is yours" in asked.press("Take the seat"))
    time.sleep(0.05)


def newcomers() -> list[str]:
    """Names that nobody has used before, new ones every half second; for all who ask in it the same."""
    number = int(time.monotonic() * 2)
    word = "".join("abcdefghij"[int(digit)] for digit in str(number))
    return [f"New {word} {letter}" for letter in "xyz"]


def make(world: World, chance: random.Random) -> None:
    """A game for newcomers, whom somebody else invites too, in another order; and what its organiser can do with it."""
    names = newcomers()
    chance.shuffle(names)
    window = Window(world)
    form = {"organiser-name": names[0], "organiser-mail": mail_of(names[0]), "playing": "on"}
    for row, name in enumerate(names[1:], 1):
        form |= {f"seat-{row}-name": name, f"seat-{row}-mail": mail_of(name)}
    page = window.get("/new?kind=osaka").press("Invite the players", **form)
    if page.status != 200:
        return
    world.count("game")
    organise = page.url
    page = page.press("Send the invitation again")
    invited = Seat.game_id == game_at(world, page).id, Seat.status == SeatStatus.INVITED
    for seat in chance.sample(world.house.all(Seat, *invited), 2):
        answering = Window(world)
        invitation = answering.get(mint(world.house, links.mint_seat, seat))
        invitation.press(chance.choice(["accept", "accept", "decline"]))
    page = window.get(organise)
    for deed in ("Start with those who accepted", "Call the game off"):
        if has(page, deed):
            page = page.press(deed)


def work(world: World, chance: random.Random) -> None:
    """Adjudicator and courier: take a task, now and then twice."""
    try:
        task, args = world.house.waiting.pop(0)
    except IndexError:
        time.sleep(0.01)
        return
    for _ in range(2 if chance.random() < 0.2 else 1):
        world.house.run(task, *args)
    world.count(task)


def sweep(world: World, chance: random.Random) -> None:
    timekeeper.sweep()
    world.count("sweep")
    time.sleep(0.1)


def has(page: Page, wanted: str) -> bool:
    buttons = [button for form in page.forms for button in form.buttons]
    return any(button.value == wanted or button.label.strip().startswith(wanted) for button in buttons)


def game_at(world: World, page: Page) -> Game:
    return world.house.one(Game, Game.public_id == page.url.split("/g/")[1].split("/")[0])


DEEDS: list[Deed] = [play, play, play, meddle, meddle, ask_for_links, ask_for_links, rule, take_over, make, make]
DEEDS += [work, work, work, work, sweep, sweep]


# --- what must hold afterwards


def check_game(house: House, game: Game) -> None:
    """Every version is one move and one snapshot, and those are asked whom the match waits for."""
    moves = house.all(Move, Move.game_id == game.id)
    assert sorted(move.version for move in moves) == list(range(game.version + 1))
    snapshots = house.all(Snapshot, Snapshot.game_id == game.id)
    assert sorted(snapshot.version for snapshot in snapshots) == list(range(game.version + 1))
    with db.reading() as session:
        assert positions.snapshot(session, game, game.version) == game.saved
    seats = house.all(Seat, Seat.game_id == game.id)
    pending = {decision.seat for decision in record.load(game).pending} if game.status is GameStatus.RUNNING else set()
    assert {seat.no for seat in seats if seat.asked is not None} == pending
    assert [seat.trouble for seat in seats if seat.trouble] == []
    for seat in seats:
        held = house.all(Tenure, Tenure.seat_id == seat.id, col(Tenure.to_version).is_(None))
        assert [tenure.person_id for tenure in held] == [seat.person_id]


def check_turns(house: House) -> None:
    """Every turn that was sent was decided, and every accepted one is one move."""
    sent = house.all(Submission)
    assert [s.id for s in sent if s.verdict is Verdict.RECEIVED] == []
    accepted = {s.id for s in sent if s.verdict is Verdict.ACCEPTED}
    assert {m.submission_id for m in house.all(Move, col(Move.submission_id).is_not(None))} == accepted


def check_letters(house: House) -> None:
    """Every letter that was due was carried once."""
    tries = Counter(attempt.letter_id for attempt in house.all(Attempt))
    for letter in house.all(Letter):
        assert letter.claimed_at is None
        if letter.status is LetterStatus.SENT:
            assert (letter.attempts, tries[letter.id]) == (1, 1)
        elif letter.status is LetterStatus.WAITING:
            assert letter.due_at > utcnow()
        else:
            assert letter.status is LetterStatus.OBSOLETE


def deadlocks() -> int:
    with db.reading() as session:
        found = text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        return int(session.execute(found).scalar_one())


@pytest.fixture
def world(tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    house = House(tmp_path, postgres_url, monkeypatch)
    yield World(house)
    house.close()


@pytest.mark.slow
def test_all_writers_at_once_wait_for_each_other_and_never_in_a_circle(world: World, caplog: pytest.LogCaptureFixture):
    house = world.house
    with house.hold() as waiting:
        world.run(DEEDS)
        while waiting:  # what was still on its way
            task, args = waiting.pop(0)
            house.run(task, *args)
    timekeeper.sweep()
    assert "\n".join(world.wrong) == ""
    assert [r.getMessage() for r in caplog.records if "is run again" in r.getMessage()] == []
    assert deadlocks() == 0

    assert [what for what in WANTED if not world.done[what]] == [], world.done
    for game in house.all(Game, col(Game.saved).is_not(None)):
        check_game(house, game)
    check_turns(house)
    check_letters(house)
    made = house.all(Game)
    assert len(made) == len(world.tables) + world.done["game"]
    assert len(house.all(Absence)) == world.done["absence"]
    theirs = [r for r in house.all(Ruling) if r.person_id is not None]
    assert len(theirs) == world.done["ruling"] + world.done["taken over"]
    calendars = house.all(Link, Link.scope == links.CALENDAR, col(Link.revoked_at).is_(None))
    assert len({link.person_id for link in calendars}) == len(calendars)
