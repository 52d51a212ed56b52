"""Whatever happens to a game, in whatever order: no question is forgotten, everybody it concerns is told once, and no
letter says what is not so. Courses are drawn by chance from a seed; a failing one names it."""

import os
import random
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from sqlmodel import Session, select

from service.models import RUNNING, Absence, Game, GameStatus, Letter, Person, Policy, Ruling, Seat, Stage
from service.play import deciding, rulings, turnclock
from service.play.clocks import Pace
from service.play.reading import BadInput
from service.post import links, outbox
from service.post.compose import compose
from service.post.letters.kind import stamp
from service.post.moments import both
from tests.play import House, Player, Table, body, mail_of, mint, take_seat
from tests.service.test_desk import rule
from workers import adjudicator, courier, timekeeper

THOROUGH = bool(os.environ.get("HIKYAKU_THOROUGH"))
COURSES, STEPS = (60, 80) if THOROUGH else (5, 18)

START = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=5), reserve=timedelta(hours=3), grace=timedelta(hours=2))
MOMENT = re.compile(r"\w{3} \d+ \w{3}, \d\d:\d\d UTC")
NAMES = ["Aiko", "Bruno", "Chidi"]


class Course:
    """A game, its clock and what chance does to them."""

    def __init__(self, house: House, clock: time_machine.Traveller, seed: int) -> None:
        self.house, self.clock, self.chance = house, clock, random.Random(seed)
        self.policy = self.chance.choice(list(Policy))
        timekeeper.sweep()
        self.table: Table = house.begun(
            NAMES,
            pace=PACE,
            policy=self.policy,
            fallback=self.chance.choice([Policy.PASS, Policy.BOT]),
            moderator=("Mika", mail_of("Mika")),
            moderator_hours=6,
            silent_rounds=self.chance.choice([1, 3]),
            silent_days=9,
        )
        self.newcomers: dict[int, datetime] = {}  # when somebody new took which seat

    # what may happen

    def a_turn(self) -> None:
        seat = self.chance.choice(self.asked())
        player = self.player(seat)
        adjudicator.adjudicate(player.submit(player.best()))

    def time_goes_by(self) -> None:
        """Sweeps are never far apart, or they are taken for an outage."""
        for _ in range(self.chance.randint(1, 45)):
            self.clock.shift(timedelta(minutes=14))
            timekeeper.sweep()

    def an_outage(self) -> None:
        self.clock.shift(timedelta(hours=self.chance.randint(1, 30)))
        timekeeper.sweep()

    def more_time(self) -> None:
        self.rule("extend", seat=self.chance.choice(self.asked()).no, hours=self.chance.randint(1, 12))

    def a_pause(self) -> None:
        self.rule("resume" if self.game().paused_at else "pause", days=self.chance.randint(1, 4))

    def a_vote(self) -> None:
        """On what is proposed; where nothing is, a pause is, or to go on."""
        page = self.come(self.chance.choice(self.people()))
        answers = [words for words in ("I agree", "I do not agree", "Take it back") if words in page]
        if answers:
            page.press(self.chance.choice(answers))
            return
        page = page.browser.get(f"{urlsplit(page.url).path}/propose")
        deed, fields = ("resume", {}) if self.game().paused_at else ("pause", {"days": "2"})
        if not self.game().silent_since:
            rule(page, deed, **fields)

    def a_resignation(self) -> None:
        self.come(self.chance.choice(self.people()), "/leave").press("Leave the game for good")

    def an_absence(self) -> None:
        seat = self.chance.choice(self.people())
        known = self.house.all(Absence, Absence.person_id == seat.person_id)
        page = self.come(seat, "/settings")
        if known and self.chance.random() < 0.6 and "Take back" in page:
            page.press("Take back")
        else:
            first = datetime.now(UTC).date() + timedelta(days=self.chance.randint(0, 3))
            last = first + timedelta(days=self.chance.randint(0, 4))
            page.press("Announce", first=first.isoformat(), last=last.isoformat())

    def a_substitution(self) -> None:
        seat, name = self.chance.choice(self.people()), f"New{'abcdefghijklmnopqrstuvwxyz'[len(self.newcomers)]}"
        self.rule("substitute", seat=seat.no, name=name, mail=mail_of(name))
        offered = next(s for s in self.table.seats() if s.no == seat.no)
        if offered.offered_to:
            offer = self.house.browser().get(mint(self.house, links.mint_offer, offered))
            take_seat(offer)
            self.newcomers[seat.no] = datetime.now(UTC)

    def a_rewind(self) -> None:
        if version := self.game().version:
            self.rule("rewind", version=self.chance.randint(max(0, version - 3), version - 1))

    def a_stand_in(self) -> None:
        self.rule(self.chance.choice(["auto-pass", "bot-turn"]), seat=self.chance.choice(self.asked()).no)

    def somebody_is_here(self) -> None:
        if self.game().silent_since:
            self.come(self.chance.choice(self.people())).press("I am still here")

    # who and what there is

    def game(self) -> Game:
        return self.table.game()

    def asked(self) -> list[Seat]:
        return [seat for seat in self.table.seats() if seat.asked is not None and not seat.bot]

    def people(self) -> list[Seat]:
        return [seat for seat in self.table.seats() if not seat.bot]

    def player(self, seat: Seat) -> Player:
        self.table.players[seat.no].name = seat.name
        return self.table.players[seat.no]

    def come(self, seat: Seat, rest: str = "") -> Any:
        browser = self.house.browser()
        browser.get(mint(self.house, links.mint_seat, seat))
        return browser.get(self.table.url(f"/seat/{seat.no}{rest}"))

    def rule(self, ruling: str, /, **form: object) -> None:
        """A ruling as the desk makes it; what is not possible now is refused, and changes nothing."""
        try:
            _rule(self.game().id, ruling, {"reason": "Chance.", **{key: str(value) for key, value in form.items()}})
        except BadInput:
            return


@outbox.transaction
def _rule(session: Session, game_id: int, name: str, form: dict[str, str]) -> None:
    game = session.get_one(Game, game_id)
    moderator = session.exec(select(Person).where(Person.mail == mail_of("Mika"))).one()
    deciding.decide(rulings.Case(session, game, moderator, datetime.now(UTC), form), rulings.RULINGS[name])


@outbox.transaction
def _propose(session: Session, game_id: int, no: int, name: str) -> None:
    game = session.get_one(Game, game_id)
    seat = session.exec(select(Seat).where(Seat.game_id == game_id, Seat.no == no)).one()
    player, form = session.get_one(Person, seat.person_id), {"reason": "Chance.", "days": "3"}
    case = rulings.Case(session, game, player, datetime.now(UTC), form, moderates=False)
    if not game.proposals:
        deciding.decide(case, rulings.RULINGS[name])


DEEDS: list[tuple[int, Callable[[Course], None]]] = [
    (6, Course.a_turn),
    (8, Course.time_goes_by),
    (1, Course.an_outage),
    (2, Course.more_time),
    (2, Course.a_pause),
    (3, Course.a_vote),
    (1, Course.a_resignation),
    (3, Course.an_absence),
    (1, Course.a_substitution),
    (1, Course.a_rewind),
    (1, Course.a_stand_in),
    (2, Course.somebody_is_here),
]


# --- what holds after every step


def check_that_no_question_is_forgotten(course: Course) -> None:
    """Each has exactly one of a moment to look at it, a pause, or a desk with an end."""
    game, now = course.game(), datetime.now(UTC)
    for seat in course.table.seats():
        if seat.asked is None or game.status is not GameStatus.RUNNING:
            assert seat.due_at is None, (seat.name, seat.due_at)
        elif game.paused_at is not None:
            assert seat.due_at is None
            assert game.paused_until is not None
            assert game.paused_until > now
        else:
            assert not seat.trouble, seat.trouble
            assert seat.due_at is not None, seat.stage
            assert seat.due_at > now


def check_that_every_stage_was_told_once(course: Course) -> None:
    """Who is late, and everybody else at the table; at the desk the moderator."""
    game = course.game()
    if game.paused_at is not None or game.status is not GameStatus.RUNNING:
        return
    for seat in course.asked():
        if seat.stage in RUNNING:
            continue
        told = [
            letter
            for letter in course.house.all(Letter, Letter.game_id == game.id, Letter.asked == seat.asked)
            if letter.about.get("deadline") == stamp(seat.deadline)
        ]
        late = [(letter.kind, letter.person_id) for letter in told if letter.about.get("late", seat.no) == seat.no]
        for other in course.people():
            if (came := course.newcomers.get(other.no)) and seat.deadline and came > seat.deadline:
                continue  # they came when it had been told already, and see it at the table
            kind = "late" if other.id == seat.id else "delay"
            assert late.count((kind, other.person_id or 0)) == 1, (kind, other.name, late)
        desks = [letter for letter in told if letter.kind == "out-of-time" and letter.seat_id == seat.id]
        assert len(desks) == (seat.stage is Stage.DESK)


class Ear:
    """Reads every letter as it is sent, against the tables as they are then."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read = 0
        monkeypatch.setattr(courier, "compose", self.listen)

    def listen(self, session: Session, settings: Any, letters: Any, now: datetime) -> Any:
        message, told = compose(session, settings, letters, now)
        if message is not None and told[0].game_id is not None:
            self.read += 1
            held = held_by_the_tables(session, session.get_one(Game, told[0].game_id))
            for moment in MOMENT.findall(" ".join(body(message).split())):
                assert moment in held, (moment, [letter.kind for letter in told], held)
        return message, told


def held_by_the_tables(session: Session, game: Game) -> set[str]:
    """Every moment that may be named now; in a pause no deadline is one of them."""
    seats = session.exec(select(Seat).where(Seat.game_id == game.id)).all()
    held: list[datetime | None] = [game.paused_until]
    if game.paused_at is None:
        held += [moment for seat in seats for moment in (seat.deadline, seat.grace_until, seat.due_at)]
    said = " ".join(str(ruling.effect) + str(ruling.reason) for ruling in session.exec(select(Ruling)))
    held += [datetime.fromisoformat(found) for found in re.findall(r"'moment': '([^']+)'", said)]
    held += list(session.exec(select(Ruling.created_at)).all())
    return {both(moment, "UTC") for moment in held if moment is not None}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(turnclock, "ORDERS_AFTER", [timedelta(minutes=3), timedelta(minutes=3)])
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.mark.parametrize("seed", range(COURSES))
def test_whatever_happens_no_question_is_forgotten_all_are_told_once_and_no_letter_says_what_is_not_so(
    one_house: House, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch, seed: int
):
    ear = Ear(monkeypatch)
    course = Course(one_house, clock, seed)
    weights, deeds = zip(*DEEDS, strict=True)
    for step in range(STEPS):
        if course.game().status is not GameStatus.RUNNING or not course.asked():
            break
        (deed,) = course.chance.choices(deeds, weights)
        deed(course)
        clock.shift(timedelta(seconds=5))
        timekeeper.sweep()
        try:
            check_that_no_question_is_forgotten(course)
            check_that_every_stage_was_told_once(course)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, step {step}, after {deed.__name__}: {error}") from error
    assert ear.read
    assert not one_house.all(Letter, Letter.status == "failed")
