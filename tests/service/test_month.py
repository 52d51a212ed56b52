"""A month in the life of a game: four people in four time zones, over the end of summer time, with a real mail server.

One of them falls silent, one goes on holiday, one is replaced, and the moderator takes a few moves back. The clock is
moved an hour at a time, with a sweep at every step, as the timekeeper would.
"""

import random
from collections import Counter
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from engine import Match
from service.models import Game, GameStatus, Letter, LetterStatus, Move, Person, Policy, Ruling, Seat
from service.play.clocks import PACES
from service.post import links
from tests.play import House, Page, Table, mail_of, mint, take_seat
from tests.servers import MailServer
from tests.service.test_desk import rule
from workers import adjudicator, timekeeper

FIRST_DAY = datetime(2026, 10, 14, 12, 0, tzinfo=UTC)
STEP = timedelta(hours=1)
ZONES = {
    "Aiko": "Pacific/Auckland",
    "Bruno": "Europe/Berlin",
    "Chidi": "Africa/Lagos",
    "Dana": "America/New_York",
    "Emil": "America/Sao_Paulo",
}
NIGHT, MORNING = time(22), time(8)
SEED = 7


class Month:
    """The game, the people with their habits, and the clock."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.now = FIRST_DAY
        self.habits = random.Random(SEED)
        self.silent: set[str] = set()
        with time_machine.travel(self.now, tick=False):
            timekeeper.sweep()
            self.table = self._begin()

    def _begin(self) -> Table:
        names = list(ZONES)[:4]
        with self.house.lose():  # letters wait until everybody's zone is known
            table = self.house.begun(
                names, pace=PACES["day"], policy=Policy.PASS, moderator=("Mika", mail_of("Mika")), name="The long one"
            )
        for name in names:
            self.house.execute("UPDATE person SET zone = :zone WHERE mail = :m", zone=ZONES[name], m=mail_of(name))
        return table

    @property
    def day(self) -> int:
        return (self.now - FIRST_DAY).days

    def live(self, days: int) -> None:
        """Days go by: sweeps run, and whoever is awake and in the mood plays."""
        until = self.now + timedelta(days=days)
        while self.now < until and self.game().status is GameStatus.RUNNING:
            self.now += STEP
            with time_machine.travel(self.now, tick=False):
                timekeeper.sweep()
                self._somebody_plays()

    def _somebody_plays(self) -> None:
        for seat in self.house.all(Seat, Seat.asked != None):  # noqa: E711
            awake = not asleep(self.now, ZONES[seat.name])
            if seat.name not in self.silent and awake and self.habits.random() < 0.4:
                player = self.table.player(seat.name)
                adjudicator.adjudicate(player.submit(player.best()))

    def at_desk(self, deed: str, **fields: object) -> None:
        with time_machine.travel(self.now, tick=False):
            desk = self.table.desk()
            rule(desk, deed, **fields)

    def page(self, name: str, rest: str) -> Page:
        seat = next(seat for seat in self.table.seats() if seat.name == name)
        browser = self.house.browser()
        browser.get(mint(self.house, links.mint_seat, seat))
        return browser.get(self.table.url(f"/seat/{seat.no}{rest}"))

    def game(self) -> Game:
        return self.table.game()

    def missed(self) -> dict[str, int]:
        return {seat.name: seat.missed for seat in self.table.seats()}


def asleep(moment: datetime, zone: str) -> bool:
    wall = moment.astimezone(ZoneInfo(zone)).time()
    return wall >= NIGHT or wall < MORNING


@pytest.fixture
def month(mail_house: House, monkeypatch: pytest.MonkeyPatch) -> Month:
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(hours=2))
    return Month(mail_house)


def test_a_month_in_four_zones_ends_with_the_right_result_and_nobody_is_written_to_twice_or_at_night(
    month: Month, mail_server: MailServer
):
    house, table = month.house, month.table

    month.live(3)
    assert sum(month.missed().values()) == 0, "nobody misses a turn who plays when awake"

    month.silent.add("Dana")
    month.live(8)
    assert month.missed()["Dana"] >= 1
    assert sum(month.missed().values()) == month.missed()["Dana"]
    assert all(r.name == "auto-pass" for r in house.all(Ruling))

    with time_machine.travel(month.now, tick=False):
        first = (month.now + timedelta(days=1)).date()
        page = month.page("Bruno", "/settings").press(
            "Announce", first=first.isoformat(), last=(first + timedelta(days=2)).isoformat()
        )
        assert "The others can see that you are away" in page
    month.at_desk("substitute", seat=3, name="Emil", mail=mail_of("Emil"))
    month.silent.add("Bruno")  # on holiday, and really away
    month.live(1)
    with time_machine.travel(month.now, tick=False):
        offer = house.browser().get(mint(house, links.mint_offer, table.seats()[3]))
        take_seat(offer)
        house.execute("UPDATE person SET zone = :zone WHERE mail = :m", zone=ZONES["Emil"], m=mail_of("Emil"))
    assert [seat.name for seat in table.seats()] == ["Aiko", "Bruno", "Chidi", "Emil"]
    table.players[3].name = "Emil"
    month.live(3)
    assert month.missed()["Bruno"] == 0, "an announced absence is no miss"
    month.silent.clear()

    version = month.game().version
    month.at_desk("rewind", version=version - 3)
    assert [m.version for m in house.all(Move, Move.withdrawn)] == [version - 2, version - 1, version]

    month.live(60)
    game = month.game()
    assert game.status is GameStatus.FINISHED
    assert month.now - FIRST_DAY >= timedelta(days=20)

    check_the_result(house, game)
    check_the_letters(house, mail_server)


def check_the_result(house: House, game: Game) -> None:
    """The moves that stand, played again from the shuffle, end the same way."""
    match = Match.start("osaka", players=4, seed=SEED)
    for move in sorted(house.all(Move, Move.withdrawn == False), key=lambda move: move.version):  # noqa: E712
        for choice in move.choices:
            assert move.seat_no is not None
            match.choose(move.seat_no, choice)
    assert match.result is not None
    assert game.result is not None
    told = [(row["seat"], row["place"], row["score"]) for row in game.result]
    assert told == [(r.seat, r.place, r.score) for r in match.result.ranking]


def check_the_letters(house: House, mail_server: MailServer) -> None:
    letters = house.all(Letter)
    assert {letter.status for letter in letters} == {LetterStatus.SENT, LetterStatus.OBSOLETE}
    sent = [letter for letter in letters if letter.status is LetterStatus.SENT]
    assert {"turn", "reminder", "late", "missed", "offer", "left", "ruled", "over"} <= {letter.kind for letter in sent}
    assert max(letter.attempts for letter in letters) == 1
    received = Counter(str(message["Message-ID"]) for message in mail_server.messages)
    assert len(received) == sum(letter.along_with is None for letter in sent)
    assert set(received.values()) == {1}
    people = {person.id: person for person in house.all(Person)}
    players = {seat.id: seat for seat in house.all(Seat)}
    for letter in sent:
        if letter.kind in ("invitation", "offer") or letter.seat_id not in players:
            continue  # to somebody whose hours nobody knows yet
        zone = people[letter.person_id].zone
        assert letter.sent_at is not None
        assert not asleep(letter.sent_at, zone), f"{letter.kind} at {letter.sent_at.astimezone(ZoneInfo(zone))}"
