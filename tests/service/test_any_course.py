"""Whatever happens to a game, in whatever order: no question is forgotten, everybody it concerns is told once, and no
letter says what is not so. Courses are drawn by chance from a seed; a failing one names it."""

import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from sqlmodel import Session, col, select

from service.db import db
from service.inbox import receiving
from service.models import (
    RUNNING,
    Absence,
    Game,
    GameStatus,
    Jury,
    Letter,
    Moderator,
    Person,
    Policy,
    Ruling,
    Seat,
    SeatStatus,
    Stage,
    Tenure,
)
from service.play import deciding, making, rulings, turnclock
from service.play.clocks import Pace
from service.play.reading import BadInput
from service.post import links, outbox
from service.post.compose import compose
from service.post.letters.kind import stamp
from service.post.moments import both, clock_span
from tests.play import House, Player, Table, body, mail_of, mint, parse, take_seat
from tests.service.bounces import POSTFIX
from tests.service.test_desk import rule
from workers import adjudicator, courier, timekeeper

THOROUGH = bool(os.environ.get("HIKYAKU_THOROUGH"))
COURSES, STEPS = (60, 80) if THOROUGH else (4, 18)

START = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=5), reserve=timedelta(hours=3), grace=timedelta(hours=2))
MOMENT = re.compile(r"\w{3} \d+ \w{3}, \d\d:\d\d UTC")
NAMES = ["Aiko", "Bruno", "Chidi"]


def now() -> datetime:
    return datetime.now(UTC)


class Course:
    """A game, its clock and what chance does to them."""

    def __init__(self, house: House, clock: time_machine.Traveller, seed: int) -> None:
        self.house, self.clock, self.chance = house, clock, random.Random(seed)
        jury = self.chance.choice(list(Jury))
        timekeeper.sweep()
        _know_the_operator()
        self.table: Table = house.begun(
            NAMES,
            pace=PACE,
            policy=self.chance.choice(list(Policy)),
            fallback=self.chance.choice([Policy.PASS, Policy.BOT]),
            jury=jury,
            moderator=("Mika", mail_of("Mika")) if jury is Jury.OUTSIDER else None,
            moderator_hours=6,
            silent_rounds=self.chance.choice([1, 3]),
            silent_days=9,
        )
        self.newcomers: dict[int, datetime] = {}  # when somebody new took which seat
        self.came = 0

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
        """Told to everybody who is left, once: to whoever can name somebody for the seat with where to."""
        left = self.chance.choice(self.people())
        self.come(left, "/leave").press("Leave the game for good")
        if self.game().status is not GameStatus.RUNNING:
            return
        told = self.house.all(Letter, col(Letter.kind).in_(["resigned", "vacant"]), Letter.created_at == now())
        readers = sorted(letter.person_id for letter in told if letter.about["left"] == left.no)
        outside = {self.game().organiser_id, *self.moderators()}
        assert readers == sorted({seat.person_id for seat in self.people() if seat.person_id} | outside)

    def an_empty_seat_is_taken(self) -> None:
        empty = [seat for seat in self.table.seats() if seat.resigned_at]
        if empty:
            organiser = self.house.browser().get(mint(self.house, links.mint_organiser, self.game()))
            name = self.newcomer()
            organiser.press("Ask them to take over", seat=empty[0].no, name=name, mail=mail_of(name))
            self.take(empty[0].no)

    def a_withdrawal(self) -> None:
        """From another game, which has not begun: the organiser is told."""
        table = self.house.game(["Olga", "Wim", "Zoe"])
        wim = table.player("Wim")
        wim.accept()
        wim.follow_link().press("Withdraw from this game")
        (declined,) = self.house.all(Letter, Letter.kind == "declined", Letter.game_id == table.game().id)
        assert declined.person_id == table.game().organiser_id

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
        seat, name = self.chance.choice(self.people()), self.newcomer()
        self.rule("substitute", seat=seat.no, name=name, mail=mail_of(name))
        self.take(seat.no)

    def newcomer(self) -> str:
        self.came += 1
        return f"New{'abcdefghijklmnopqrstuvwxyz'[self.came]}"

    def take(self, no: int) -> None:
        offered = self.table.seats()[no]
        if offered.offered_to:
            take_seat(self.house.browser().get(mint(self.house, links.mint_offer, offered)))
            self.newcomers[no] = now()

    def a_rewind(self) -> None:
        if version := self.game().version:
            self.rule("rewind", version=self.chance.randint(max(0, version - 3), version - 1))

    def a_stand_in(self) -> None:
        self.rule(self.chance.choice(["auto-pass", "bot-turn"]), seat=self.chance.choice(self.asked()).no)

    def a_letter_comes_back(self) -> None:
        """The newest to somebody, or an older one; and what is made up to look so."""
        seat = self.chance.choice(self.people())
        sent = self.house.all(Letter, Letter.person_id == seat.person_id, col(Letter.source).is_not(None))
        if sent:
            to = str(parse(self.chance.choice(sent[-2:]).source or "")["Reply-To"]).replace("play+", "bounce+")
            mail = self.house.one(Person, Person.id == seat.person_id).address
            receiving.receive(POSTFIX.replace("{mail}", mail).encode(), to)

    def somebody_is_there_again(self) -> None:
        unheard_of = self.house.all(Person, col(Person.returned_at).is_not(None))
        if seats := [seat for seat in self.people() if seat.person_id in {person.id for person in unheard_of}]:
            self.come(self.chance.choice(seats)).press("Write to me again")

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

    def moderators(self) -> list[int]:
        return [row.person_id for row in self.house.all(Moderator, Moderator.game_id == self.game().id)]

    def player(self, seat: Seat) -> Player:
        self.table.players[seat.no].name = seat.name
        return self.table.players[seat.no]

    def come(self, seat: Seat, rest: str = "") -> Any:
        browser = self.house.browser()
        browser.get(mint(self.house, links.mint_seat, seat))
        return browser.get(self.table.url(f"/seat/{seat.no}{rest}"))

    def rule(self, ruling: str, /, **form: object) -> None:
        """A ruling as the operator makes it; what is not possible now is refused, and changes nothing."""
        try:
            _rule(self.game().id, ruling, {"reason": "Chance.", **{key: str(value) for key, value in form.items()}})
        except BadInput:
            return


@db.transaction
def _know_the_operator(session: Session) -> None:
    making.person_for(session, "Operator", mail_of("Operator"))


@outbox.transaction
def _rule(session: Session, game_id: int, name: str, form: dict[str, str]) -> None:
    game = session.get_one(Game, game_id)
    operator = session.exec(select(Person).where(Person.mail == mail_of("Operator"))).one()
    deciding.decide(rulings.Case(session, game, operator, now(), form), rulings.RULINGS[name])


DEEDS: list[tuple[int, Callable[[Course], None]]] = [
    (6, Course.a_turn),
    (8, Course.time_goes_by),
    (1, Course.an_outage),
    (2, Course.more_time),
    (2, Course.a_pause),
    (3, Course.a_vote),
    (2, Course.a_resignation),
    (2, Course.an_empty_seat_is_taken),
    (1, Course.a_withdrawal),
    (3, Course.an_absence),
    (1, Course.a_substitution),
    (1, Course.a_rewind),
    (1, Course.a_stand_in),
    (2, Course.somebody_is_here),
    (2, Course.a_letter_comes_back),
    (1, Course.somebody_is_there_again),
]


# --- what holds after every step


def check_that_no_question_is_forgotten(course: Course) -> None:
    """Each has exactly one of a moment to look at it, a pause, or a desk with an end."""
    game = course.game()
    for seat in course.table.seats():
        if seat.asked is None or game.status is not GameStatus.RUNNING:
            assert seat.due_at is None, (seat.name, seat.due_at)
        elif game.paused_at is not None:
            assert seat.due_at is None
            assert game.paused_until is not None
            assert game.paused_until > now()
        else:
            assert not seat.trouble, seat.trouble
            assert seat.due_at is not None, seat.stage
            assert seat.due_at > now()


def check_that_every_stage_was_told_once(course: Course) -> None:
    """Who is late, and everybody else at the table; at the desk those who decide: whoever looks after the game, but for
    themselves, or all others at the table."""
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
        late = Counter(
            (letter.kind, letter.person_id)
            for letter in told
            if letter.about.get("late", seat.no) == seat.no
            and (letter.kind != "out-of-time" or letter.seat_id == seat.id)
        )
        judges = [person for person in course.moderators() if person != seat.person_id]
        decides = int(seat.stage is Stage.DESK)
        for person in judges:
            assert late["out-of-time", person] == decides, late
        for other in course.people():
            if (came := course.newcomers.get(other.no)) and seat.deadline and came > seat.deadline:
                continue  # they came when it had been told already, and see it at the table
            person = other.person_id or 0
            if other.id == seat.id:
                assert (late["late", person], late["together", person]) == (1, 0), (other.name, late)
            else:
                assert (late["delay", person], late["together", person]) == (1, 0 if judges else decides), late


def check_that_the_end_was_told_to_all_who_ever_played(course: Course) -> None:
    """Once, to each: with a result or why there is none, and to who holds a seat or held one once."""
    sitting = {seat.person_id for seat in course.people()}
    held = {tenure.person_id for tenure in course.house.all(Tenure) if tenure.person_id is not None}
    for person in held | sitting:
        told = course.house.all(
            Letter, Letter.person_id == person, col(Letter.kind).in_(["over", "ended", "over-former", "ended-former"])
        )
        former = "-former" * (person not in sitting)
        assert [letter.kind for letter in told] == [("over" if course.game().result else "ended") + former]


class Ear:
    """Reads every letter as it is sent, against the tables as they are then."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read = 0
        monkeypatch.setattr(courier, "compose", self.listen)

    def listen(self, session: Session, settings: Any, letters: Any, now: datetime) -> Any:
        message, told = compose(session, settings, letters, now)
        if message is not None and told[0].game_id is not None:
            self.read += 1
            game, text = session.get_one(Game, told[0].game_id), " ".join(body(message).split())
            held = held_by_the_tables(session, game)
            for moment in MOMENT.findall(text):
                assert moment in held, (moment, [letter.kind for letter in told], held)
            check_who_decided(session, game, told[0].person_id, text)
            for letter in told:
                if letter.kind in FACTS:
                    FACTS[letter.kind](session, game, letter, text)
        return message, told


# --- what a letter says besides moments


def check_who_decided(session: Session, game: Game, reader: int, text: str) -> None:
    """Every decision a letter tells of is one in the log, by that person, alone or with all who were asked; the
    reader's own are told as theirs."""
    rows = session.exec(select(Ruling, Person.given).outerjoin(Person, col(Person.id) == col(Ruling.person_id))
                        .where(Ruling.game_id == game.id)).all()  # fmt: skip
    known = {
        ("Proposed" if ruling.by_vote else "Decided", "you" if ruling.person_id == reader else name or "itself")
        for ruling, name in rows
    }
    for said in re.findall(r"(Decided|Proposed) by (\w+)", text):
        assert said in known, (said, known)


def its_turn_is_open(session: Session, game: Game, letter: Letter, text: str) -> None:
    """It is the reader's turn, and the reserve is what they have left of it."""
    seat = session.get_one(Seat, letter.seat_id)
    assert (seat.asked, seat.person_id) == (letter.asked, letter.person_id)
    assert f"{seat.name}, " in text
    if (said := re.search(r"then your reserve of ([^.]*)\.", text)) and game.paused_at is None:
        assert said[1] == clock_span(timedelta(seconds=seat.reserve)), text


def somebody_is_late(session: Session, game: Game, letter: Letter, text: str) -> None:
    """Who it says is late, what it says comes next, and which miss that would be."""
    seats = session.exec(select(Seat).where(Seat.game_id == game.id).order_by(col(Seat.no))).all()
    own = session.get_one(Seat, letter.seat_id)
    seat = seats[letter.about.get("late", own.no)]
    assert seat.stage not in RUNNING
    assert f"{seat.name}, " in text if seat is own else seat.name in text
    if seat.stage is Stage.LATE:
        assert what_comes(session, game, seats, seat, own=seat is own) in text, text
    if said := re.search(r"miss number (\d+) in a row", text):
        assert int(said[1]) == seat.misses + 1


def what_comes(session: Session, game: Game, seats: Sequence[Seat], seat: Seat, *, own: bool) -> str:
    looking = set(session.exec(select(Moderator.person_id).where(Moderator.game_id == game.id)))
    alone = all(other.bot or other is seat for other in seats)
    policy = game.policy
    if policy is Policy.MODERATOR:
        if looking - {seat.person_id}:
            return "After that, the moderator decides"
        if not alone:
            return "After that, the others decide" if own else "After that, you decide together"
        policy = game.fallback
    if policy is Policy.BOT and seat.misses + 1 >= game.bot_after:
        if alone:
            return "After that, the game is paused"
        return "you lose your seat to the bot" if own else "the bot takes the seat"
    return "the least committing play is made"


def a_seat_is_empty(session: Session, game: Game, letter: Letter, text: str) -> None:
    """Who has left, and what plays meanwhile."""
    left = session.exec(select(Seat).where(Seat.game_id == game.id, Seat.no == letter.about["left"])).one()
    assert left.resigned_at is not None
    policy = game.fallback if game.policy is Policy.MODERATOR else game.policy
    plays = "the bot plays it" if policy is Policy.BOT else "the least committing play is made for it"
    held = select(Tenure.person_id).where(Tenure.seat_id == left.id, col(Tenure.person_id).is_not(None))
    own = session.exec(held.order_by(col(Tenure.id).desc())).first() == letter.person_id
    said = "You have left the game. Until somebody takes over your" if own else f"{left.name} has left the game. Until"
    assert said in text
    assert f"seat, {plays} at once." in text


def a_seat_is_free_again(session: Session, game: Game, letter: Letter, text: str) -> None:
    seat = session.get_one(Seat, letter.seat_id)
    assert seat.status is SeatStatus.DECLINED
    assert seat.name in text


FACTS: dict[str, Callable[[Session, Game, Letter, str], None]] = {
    "turn": its_turn_is_open,
    "reminder": its_turn_is_open,
    "late": somebody_is_late,
    "delay": somebody_is_late,
    "resigned": a_seat_is_empty,
    "vacant": a_seat_is_empty,
    "declined": a_seat_is_free_again,
}


def held_by_the_tables(session: Session, game: Game) -> set[str]:
    """Every moment that may be named now; in a pause no deadline is one of them."""
    seats = session.exec(select(Seat).where(Seat.game_id == game.id)).all()
    held: list[datetime | None] = [game.paused_until]
    if game.paused_at is None:
        for seat in seats:
            held += [seat.deadline, seat.grace_until, seat.due_at, seat.still_until]
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
    run(one_house, clock, monkeypatch, seed)


def test_so_it_is_on_postgresql(
    tmp_path: Path, postgres_url: str, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
):
    house = House(tmp_path, postgres_url, monkeypatch)
    run(house, clock, monkeypatch, seed=COURSES)
    house.close()


def run(house: House, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    ear = Ear(monkeypatch)
    course = Course(house, clock, seed)
    weights, deeds = zip(*DEEDS, strict=True)
    for step in range(STEPS):
        if course.game().status is not GameStatus.RUNNING or not course.asked():
            break
        (deed,) = course.chance.choices(deeds, weights)
        try:
            deed(course)
            clock.shift(timedelta(seconds=5))
            timekeeper.sweep()
            check_that_no_question_is_forgotten(course)
            check_that_every_stage_was_told_once(course)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, step {step}, after {deed.__name__}: {error}") from error
    if course.game().status is GameStatus.FINISHED:
        check_that_the_end_was_told_to_all_who_ever_played(course)
    assert ear.read
    assert [letter.error for letter in house.all(Letter, Letter.status == "failed", Letter.subject == "")] == []
