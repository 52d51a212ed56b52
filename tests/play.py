"""A small language in which tests play games the way people do: letters are read, links followed, buttons pressed.

    house = House(...)                                   # the fixture `house`: an installation on a fresh database
    table = house.game(["Aiko", "Bruno"])                # made with the form, invitations out
    table.player("Aiko").follow_link().press("Accept")   # through the letter and the page
    table.player("Aiko").play()                          # a whole turn, clicked together and sent

Pages are read as a browser without JavaScript reads them, hidden fields and all. What the queue is handed runs at
once in the same process, or is kept back (`house.hold`) or lost (`house.lose`) as a test wants it.
"""

import hashlib
import os
import re
import secrets
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import message_from_string
from email.message import EmailMessage
from email.policy import default as mail_policy
from email.utils import make_msgid
from functools import cache, cached_property, lru_cache
from pathlib import Path
from threading import Barrier
from time import sleep
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

import pytest
import sqlalchemy
import time_machine
from flask import Flask
from lxml import etree
from sqlalchemy import event, inspect, text
from sqlalchemy.orm import aliased
from sqlmodel import Session, SQLModel, col, func, select
from werkzeug.test import TestResponse

from engine import GAMES, Match
from service import db as database
from service import limits, queue
from service.config import Settings, Smtp
from service.db import db, utcnow
from service.inbox import receiving
from service.models import (
    Game,
    GameStatus,
    Heartbeat,
    Letter,
    LetterStatus,
    Moderator,
    Person,
    Seat,
    SeatStatus,
    Submission,
)
from service.play import making, moderators, reading, record, strangers
from service.post import links, outbox, picture, render
from service.post.language import ENGLISH, spoken
from service.web.app import create_app
from tests.servers import engine_of
from tests.shared import share_templates
from workers import adjudicator, courier, reader, ringer, timekeeper

SECRET = "only for tests: " + "x" * 32
HERE = "http://localhost"
LINK = re.compile(rf"{HERE}(/[lu]/[\w-]+)")
# Plain elements: those of lxml.html are chosen by a function in Python for every tag.
PARSER = etree.HTMLParser(remove_comments=True)
Row = TypeVar("Row", bound=SQLModel)
Picture = dict[sqlalchemy.Table, list[dict[str, Any]]]
_lead = aliased(Letter)
TOLD = (  # where several letters are told in one message, each is that message
    select(func.coalesce(_lead.source, Letter.source))
    .select_from(Letter)
    .outerjoin(_lead, col(Letter.along_with) == col(_lead.id))
    .join(Person, col(Person.id) == col(Letter.person_id))
    .where(Letter.status == LetterStatus.SENT)
)
SEATS = select(Seat).join(Game).where(col(Game.public_id) == sqlalchemy.bindparam("public_id")).order_by(col(Seat.no))
ANY_ROW = sqlalchemy.select(sqlalchemy.or_(*(table.select().exists() for table in SQLModel.metadata.sorted_tables)))


@dataclass
class Begun:
    """A game as it was when it had just begun, and what the queue had been handed until then."""

    public_id: str
    picture: Picture
    posted: list[tuple[str, tuple[Any, ...]]]
    until: datetime  # it has just begun, and nothing of it is due


BEGUN: dict[str, Begun] = {}
FRESH = timedelta(minutes=5)  # how long a game has just begun
MOST_LOOKS = 4_000  # for the end of a process
AHEAD = timedelta(minutes=1)  # and how long before anything of it is due that ends: a test takes its time
TITLES = dict(GAMES)


# --- pages


@dataclass
class Button:
    label: str
    name: str
    value: str
    action: str | None
    classes: str
    on_board: bool  # drawn on the board, not in the bar


@dataclass
class Form:
    id: str
    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[Button] = field(default_factory=list)


class _Reader:
    """Finds the forms of a page, with what each would send."""

    def __init__(self, html: str) -> None:
        page = etree.fromstring(html, PARSER) if html.strip() else etree.Element("html")
        self.words = "".join(page.itertext())
        inside = {it: Form(it.get("id", ""), it.get("action", ""), it.get("method", "get")) for it in page.iter("form")}
        self.forms = list(inside.values())
        for it in page.iter("input", "select"):
            form = inside.get(next(it.iterancestors("form"), None))
            if form is not None and (value := _value(it)) is not None:
                form.fields[it.get("name", "")] = value
        elsewhere = []
        for it in page.iter("button"):
            if "disabled" in it.attrib:
                continue
            if "form" in it.attrib:
                elsewhere.append(it)
            elif (form := inside.get(next(it.iterancestors("form"), None))) is not None:
                form.buttons.append(_button(it))
        for it in elsewhere:
            next(form for form in self.forms if form.id == it.get("form")).buttons.append(_button(it))


def _value(it: Any) -> str | None:
    """What an input or a list of choices sends; nothing where it is not ticked."""
    if it.tag == "select":
        options = list(it.iter("option"))
        chosen = next((option for option in reversed(options) if "selected" in option.attrib), options[0])
        return str(chosen.get("value", chosen.text or ""))
    kind = it.get("type", "text")
    if kind in ("checkbox", "radio") and "checked" not in it.attrib:
        return None
    return str(it.get("value", "on" if kind == "checkbox" else ""))


def _button(it: Any) -> Button:
    label, board = "".join(it.itertext()), "form" in it.attrib
    return Button(label, it.get("name", ""), it.get("value", ""), it.get("formaction"), it.get("class", ""), board)


class Page:
    """What a browser shows, and what can be done with it."""

    def __init__(self, browser: "Browser", url: str, response: TestResponse) -> None:
        self.browser = browser
        self.url = url
        self.response = response
        self.status = response.status_code
        self.html = response.get_data().decode(errors="replace")  # of a picture too

    @cached_property
    def _read(self) -> _Reader:
        return _Reader(self.html)

    @property
    def forms(self) -> list[Form]:
        return self._read.forms

    @property
    def text(self) -> str:
        """The words of the page."""
        return " ".join(self._read.words.split())

    def __contains__(self, words: str) -> bool:
        return words in self.text

    @property
    def options(self) -> list[str]:
        """The ids of the choices in the bar."""
        return [b.value for f in self.forms for b in f.buttons if b.name == "option" and not b.on_board]

    @property
    def can_send(self) -> bool:
        """Whether the turn is complete; a way on that would complete it is sent with its choice, and does not count."""
        return any((b.action or "").endswith("/send") and not b.name for f in self.forms for b in f.buttons)

    def form_with(self, wanted: str) -> tuple[Form, Button]:
        """The button whose value or deed is this or whose words begin with it, and the form it belongs to."""
        found = [
            (form, button)
            for form in self.forms
            for button in form.buttons
            if (button.value == wanted and button.name != "last")
            or button.label.strip().startswith(wanted)
            or (wanted.startswith("/") and (button.action or "").endswith(wanted))
        ]
        assert found, f"no button {wanted!r} on {self.url} ({self.status}): {self.text[:600]}"
        return found[0]

    def request(self, wanted: str, **fields: Any) -> tuple[str, dict[str, Any]]:
        """Where this button sends what."""
        form, button = self.form_with(wanted)
        data: dict[str, Any] = {**form.fields, **fields}
        if button.name:
            data[button.name] = button.value
        return urljoin(self.url, button.action or form.action or self.url), data

    def press(self, wanted: str, **fields: Any) -> "Page":
        url, data = self.request(wanted, **fields)
        return self.browser.post(url, data)


class Browser:
    """One browser with its own cookies. Follows redirects, and remembers where it ended."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def twin(self) -> "Browser":
        """Another window with the same cookies, for use in a thread of its own."""
        other = Browser(self.client.application)
        other.client._cookies = dict(self.client._cookies or {})
        return other

    def get(self, url: str) -> Page:
        return self._land(url, self.client.get(_path(url)))

    def post(self, url: str, data: dict[str, Any] | None = None, **how: Any) -> Page:
        return self._land(url, self.client.post(_path(url), data=data or {}, **how))

    def _land(self, url: str, response: TestResponse) -> Page:
        while response.status_code in (301, 302, 303, 307, 308) or "Refresh" in response.headers:
            onward = response.headers.get("Location") or response.headers["Refresh"].removeprefix("0; url=")
            url = urljoin(url, onward)
            response = self.client.get(_path(url))
        return Page(self, url, response)


def _path(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


# --- the house


@cache
def _app(post_office: bool) -> Flask:
    """Templates are compiled once; which database and settings are used is changed by each House."""
    smtp = None if post_office else Smtp("localhost", 25)
    app = create_app(_settings(Path("/nonexistent"), "sqlite:////nonexistent", post_office=post_office, smtp=smtp))
    for environment in (app.jinja_env, render.environment()):
        share_templates(environment)
    return app


def _settings(var: Path, database_url: str, **more: Any) -> Settings:
    return Settings(var=var, database_url=database_url, base_url=HERE, secret=SECRET, **more)


class House:
    """An installation in this process. Letters stay in the post office unless it has a mail server."""

    def __init__(self, var: Path, database_url: str, monkeypatch: pytest.MonkeyPatch, **more: Any) -> None:
        self.patch = monkeypatch
        self.settings = _settings(var, database_url, **{"post_office": "smtp" not in more, **more})
        self.app = _app(self.settings.post_office)
        self.app.extensions["hikyaku"] = self.settings
        db.configure(database_url)
        queue.configure(self.settings)
        reading.configure(self.settings)
        limits.configure(self.settings)
        self.waiting: list[tuple[str, tuple[Any, ...]]] = []
        self.posted: list[tuple[str, tuple[Any, ...]]] = []
        self._how: Callable[..., bool] = self.run
        self.real_post = queue.post
        monkeypatch.setattr(queue, "post", self._post)
        self.seed(7)

    def close(self) -> None:
        if database.make_engine is engine_of:  # it was lent, and its connections are kept for the next house
            db._engine = None
        else:
            db.close()
        queue.configure(Settings.from_env({}))

    def seed(self, seed: int) -> None:
        """Games begun from now on are shuffled like this."""
        self.patch.setattr(secrets, "randbits", lambda bits: seed)

    # what becomes of tasks

    def _post(self, task: str, *args: Any) -> bool:
        self.posted.append((task, args))
        return self._how(task, *args)

    def run(self, task: str, *args: Any) -> bool:
        """Do what a worker would do."""
        if task == "adjudicate":
            adjudicator.adjudicate(*args)
        elif task == "deliver":
            for letter_id in args:
                courier.deliver(letter_id, self.settings)
        elif task == "ring":
            (ring_id,) = args
            ringer.ring(ring_id, self.settings)
        elif task == "read":
            (received_id,) = args
            reader.read(received_id, self.settings)
        else:
            assert task == "sweep"
            timekeeper.sweep()
        return True

    @contextmanager
    def hold(self) -> Iterator[list[tuple[str, tuple[Any, ...]]]]:
        """Tasks wait in a list; nobody works on them."""
        self.waiting = []
        with self._kept_in(self.waiting):
            yield self.waiting

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Tasks are done at the end: what nobody needs any more by then is not even put into words."""
        tasks: list[tuple[str, tuple[Any, ...]]] = []
        with self._kept_in(tasks):
            yield
        for task, args in tasks:
            self._how(task, *args)

    @contextmanager
    def lose(self) -> Iterator[None]:
        """The queue takes nothing."""
        with self._handled_by(lambda task, *args: False):
            yield

    @contextmanager
    def really_post(self) -> Iterator[None]:
        """Tasks go to the Redis of the settings."""
        with self._handled_by(self.real_post):
            yield

    def _kept_in(self, tasks: list[tuple[str, tuple[Any, ...]]]) -> AbstractContextManager[None]:
        def keep(task: str, *args: Any) -> bool:
            tasks.append((task, args))
            return True

        return self._handled_by(keep)

    @contextmanager
    def _handled_by(self, how: Callable[..., bool]) -> Iterator[None]:
        before, self._how = self._how, how
        try:
            yield
        finally:
            self._how = before

    # people and tables

    def browser(self) -> Browser:
        return Browser(self.app)

    def game(self, names: Sequence[str], kind: str = "osaka", **fields: Any) -> "Table":
        """A new game made with the form; the first named is the organiser and plays. A name ending in * is a bot."""
        browser = self.browser()
        form: dict[str, Any] = {"organiser-name": names[0], "organiser-mail": mail_of(names[0]), "playing": "on"}
        for row, name in enumerate(names[1:], 1):
            if name.endswith("*"):
                form |= {f"seat-{row}-who": "bot", f"seat-{row}-name": name[:-1]}
            else:
                form |= {f"seat-{row}-name": name, f"seat-{row}-mail": mail_of(name)}
        page = browser.get(f"/new?kind={kind}")
        page = page.press("Invite the players", **form | fields)
        assert page.status == 200, page.text
        public_id = urlsplit(page.url).path.split("/")[2]
        if page.url.endswith("/organise") and "Is this your address?" in page:
            self._confirm(browser, public_id)
        return Table(self, public_id, [name.rstrip("*") for name in names], browser)

    def _confirm(self, browser: Browser, public_id: str) -> None:
        """Through the link in the letter to whoever has made the game."""
        game = self.one(Game, Game.public_id == public_id)
        browser.get(mint(self, links.mint_organiser, game)).press("Yes, this is my game")

    def begun(self, names: Sequence[str], kind: str = "osaka", **plan: Any) -> "Table":
        """A game that everybody has accepted already, the short way."""
        people = [(n.rstrip("*"), None if n.endswith("*") else mail_of(n)) for n in names]
        organiser = (people[0][0], mail_of(names[0]))
        public_id = self._begin(making.Plan(kind=kind, organiser=organiser, seats=people, **plan))
        return Table(self, public_id, [name for name, _ in people], self.browser())

    def _begin(self, plan: making.Plan) -> str:
        """Most tests begin with a game that an earlier one has begun too, letters and all: it is taken from there."""
        if (key := self._like(plan)) is None:
            return _begin(plan).public_id
        begun = BEGUN.get(key)
        if begun is None or utcnow() > begun.until:
            already = len(self.posted)
            public_id = _begin(plan).public_id
            until = min([utcnow() + FRESH, *(seat.due_at - AHEAD for seat in self.all(Seat) if seat.due_at)])
            BEGUN[key] = Begun(public_id, self.picture(), self.posted[already:], until)
            return public_id
        self._write(begun.picture)
        self.posted += begun.posted
        return begun.public_id

    def _like(self, plan: making.Plan) -> str | None:
        """What games have in common that begin alike; None where this one is the test's own."""
        own = [self.settings.smtp, self._how != self.run, spoken().language != ENGLISH]
        own += [GAMES[plan.kind] is not TITLES.get(plan.kind), picture.of.__module__ == picture.__name__]
        moment = utcnow() if time_machine.escape_hatch.is_travelling() else None
        if any(own) or (moment and moment != utcnow()) or self._is_used():
            return None
        return repr((plan, moment, secrets.randbits(32), replace(self.settings, var=Path(), database_url="")))

    def _is_used(self) -> bool:
        with db.reading() as session:
            return bool(session.execute(ANY_ROW).scalar())

    # what is on disk

    def all(self, model: type[Row], *where: Any) -> list[Row]:
        """In the order in which they were written."""
        with db.reading() as session:
            return list(session.exec(select(model).where(*where).order_by(*inspect(model).primary_key)))

    def one(self, model: type[Row], *where: Any) -> Row:
        (row,) = self.all(model, *where)
        return row

    def dump(self, *without: str) -> dict[str, list[str]]:
        """Every row of every table: two dumps are equal when nothing has changed."""
        tables = [t for t in SQLModel.metadata.sorted_tables if t.name not in without]
        with db.reading() as session:
            return {t.name: sorted(repr(row) for row in session.execute(t.select())) for t in tables}

    def picture(self) -> Picture:
        """All that is on disk, to come back to."""
        picture: Picture = {}
        with db.reading() as session:
            for table in SQLModel.metadata.sorted_tables:
                to_its_like = [key.parent.is_not(None) for key in table.foreign_keys if key.column.table is table]
                rows = session.execute(table.select().order_by(*to_its_like))  # what others refer to comes first
                picture[table] = [row._asdict() for row in rows]
        return picture

    def come_back_to(self, picture: Picture) -> None:
        """All is as it was when the picture was taken, be it in another house; quicker than playing up to there."""
        with db.writing() as session:
            for table in reversed(picture):
                session.execute(table.delete())
        self._write(picture)

    def _write(self, picture: Picture) -> None:
        with db.writing() as session:
            for table, rows in picture.items():
                if rows:
                    session.execute(table.insert(), rows)
            counted = [table for table, rows in picture.items() if rows and "id" in table.c]
            if self.settings.database_url.startswith("postgresql"):
                session.execute(select(*map(_counts_on, counted)))

    def execute(self, sql: str, **values: Any) -> None:
        with db.writing() as session:
            session.execute(text(sql), values)

    def letters(self, mail: str | None = None, kind: str | None = None) -> list[EmailMessage]:
        """Letters in the post office, oldest first; several that are told in one message are each that message."""
        with db.reading() as session:
            query = TOLD.order_by(col(Letter.id))
            if mail:
                query = query.where(Person.mail == mail)
            if kind:
                query = query.where(Letter.kind == kind)
            return [parse(source or "") for source in session.exec(query)]


@outbox.transaction
def _begin(session: Session, plan: making.Plan) -> Game:
    """Where things were tidied up today already: a sweep has something to tidy up a day later."""
    session.merge(Heartbeat(name="tidying", at=utcnow()))
    game = making.create(session, plan)
    for asked in session.exec(select(Moderator).where(Moderator.game_id == game.id)):
        strangers.confirm(session, session.get_one(Person, asked.person_id))
        moderators.accept(session, game, record.seats_of(session, game), asked)
    for seat in record.seats_of(session, game):
        if not seat.bot:
            strangers.confirm(session, session.get_one(Person, seat.person_id))
            making.accept(session, game, seat, seat.name)
    return game


def _counts_on(table: sqlalchemy.Table) -> Any:
    """The next row gets the next number."""
    newest = select(func.max(table.c.id)).scalar_subquery()
    return func.setval(func.pg_get_serial_sequence(table.name, "id"), newest)


def mail_of(name: str) -> str:
    return f"{re.sub(r'[^a-z]', '', name.lower()) or 'somebody'}@players.example"


@lru_cache(1000)
def parse(source: str) -> EmailMessage:
    message = message_from_string(source, policy=mail_policy)
    assert isinstance(message, EmailMessage)
    return message


def body(message: EmailMessage, kind: str = "plain") -> str:
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def news(message: EmailMessage) -> str:
    """What a letter has to tell, in its first line."""
    return body(message).strip().splitlines()[0]


def link_in(message: EmailMessage, kind: str = "l") -> str:
    """The first link of a letter: /l/... to a seat or page, /u/... to switch letters off."""
    return next(found[1] for found in LINK.finditer(body(message)) if found[1].startswith(f"/{kind}/"))


def _opens(session: Session, path: str) -> str | None:
    link = links.find(session, path.rsplit("/", 1)[-1])
    return link.scope if link else None


class Table:
    """One game, its players and the browser that made it."""

    def __init__(self, house: House, public_id: str, names: list[str], organiser: Browser) -> None:
        self.house = house
        self.public_id = public_id
        self.organiser = organiser
        self.players = [Player(self, name) for name in names]

    def url(self, rest: str = "") -> str:
        return f"/g/{self.public_id}{rest}"

    def player(self, name: str) -> "Player":
        return next(player for player in self.players if player.name == name)

    def game(self) -> Game:
        return self.house.one(Game, Game.public_id == self.public_id)

    def seats(self) -> list[Seat]:
        with db.reading() as session:
            return list(session.exec(SEATS, params={"public_id": self.public_id}))

    def match(self) -> Match:
        return record.load(self.game())

    def to_move(self) -> "Player":
        """Whose turn it is; in Osaka only one player at a time."""
        (asked,) = (seat for seat in self.seats() if seat.asked is not None)
        return self.player(asked.name)

    def organise(self) -> Page:
        """The organiser's page."""
        return self.organiser.get(self.url("/organise"))

    def desk_link(self) -> str:
        """A new link of the first who looks after the game."""
        (first, *_) = self.house.all(Moderator, Moderator.game_id == self.game().id)
        return mint(self.house, links.mint_desk, self.game(), first.person_id)

    def desk(self) -> Page:
        """The moderator's desk, in a browser of its own."""
        return self.house.browser().get(self.desk_link())

    def rush(self, moves: int = 1000, *, letters: bool = False) -> None:
        """Play on without pages: sensible turns handed straight to the adjudicator; of several who are asked at once,
        the first. Letters are carried when all are played, so most are out of date and not even put into words; or each
        at its turn."""
        with nullcontext() if letters else self.house.put_off():
            for _ in range(moves):
                game = self.game()
                if game.status is not GameStatus.RUNNING:
                    return
                asked = next(seat for seat in self.seats() if seat.asked is not None)
                adjudicator.adjudicate(_submit(asked, _best(game, asked.no)))

    def follow_organisers_link(self) -> Page:
        """The organiser's page through the letter that brought its link, maybe among others."""
        (letter,) = self.house.letters(kind="organiser")[-1:]
        opened = [self.organiser.get(link) for link in LINK.findall(body(letter)) if link.startswith("/l/")]
        return next(page for page in opened if page.url.endswith("/organise"))


class Player:
    """Somebody at a table, with a letter box and a browser."""

    def __init__(self, table: Table, name: str) -> None:
        self.table = table
        self.house = table.house
        self.name = name
        self.mail = mail_of(name)
        self.browser = self.house.browser()
        self._came = False

    @property
    def no(self) -> int:
        return next(seat.no for seat in self.table.seats() if seat.name == self.name)

    @property
    def seat(self) -> Seat:
        return next(seat for seat in self.table.seats() if seat.name == self.name)

    @property
    def deadline(self) -> datetime:
        """Of the turn this player has to play."""
        deadline = self.seat.deadline
        assert deadline is not None
        return deadline

    def url(self, rest: str = "") -> str:
        return self.table.url(f"/seat/{self.no}{rest}")

    def letters(self, kind: str | None = None) -> list[EmailMessage]:
        return self.house.letters(self.mail, kind)

    def link(self) -> str:
        """The link to a seat in the newest letter that has one."""
        kinds = ["invitation", "organiser", "turn", "started", "over", "links"]
        with db.reading() as session:
            newest = session.exec(
                TOLD.where(Person.mail == self.mail, col(Letter.kind).in_(kinds))
                .order_by(col(Letter.kind) == "organiser", col(Letter.id).desc())
                .limit(1)
            ).one()
            found = LINK.findall(body(parse(newest or "")))
            to_seats = [path for path in found if _opens(session, path) == links.SEAT]
        return str(to_seats[0] if to_seats else found[0])

    def follow_link(self, browser: Browser | None = None) -> Page:
        self._came = self._came or browser is None
        return (browser or self.browser).get(self.link())

    def accept(self, **fields: Any) -> Page:
        """Through the letter; an organiser has taken a seat by making the game, and only looks."""
        if self.seat.status is SeatStatus.ACCEPTED:
            return self.follow_link()
        return self.follow_link().press("accept", **fields)

    def decline(self) -> Page:
        return self.follow_link().press("decline")

    def see(self) -> Page:
        """The table as this player sees it now."""
        return self.browser.get(self.url()) if self._came else self.follow_link()

    def choose(self, option: str) -> Page:
        return self.see().press(option)

    def send(self) -> Page:
        return self.see().press("/send")

    def best(self) -> list[str]:
        """The choices a sensible player would make now, up to where a turn can be sent."""
        return _best(self.table.game(), self.no)

    def submit(self, choices: Sequence[str]) -> int:
        """The row that sending writes, with nobody told to work on it."""
        return _submit(self.seat, choices)

    def newest_letter(self) -> EmailMessage:
        with db.reading() as session:
            sent = select(Letter.source).join(Person, col(Person.id) == col(Letter.person_id))
            sent = sent.where(Person.mail == self.mail, Letter.status == LetterStatus.SENT)
            sent = sent.where(col(Letter.along_with).is_(None)).order_by(
                col(Letter.sent_at).desc(), col(Letter.id).desc()
            )
            return parse(session.exec(sent.limit(1)).one() or "")

    def answer(self, text: str, to: str | None = None, **headers: str) -> EmailMessage:
        """Answer the newest letter in plain words; returns what comes back."""
        to = to or str(self.newest_letter()["Reply-To"])
        reply = EmailMessage()
        reply["From"] = f"{self.name} <{self.mail}>"
        reply["Message-ID"] = make_msgid()
        for name, value in headers.items():
            del reply[name.replace("_", "-")]
            reply[name.replace("_", "-")] = value
        reply.set_content(text)
        receiving.receive(bytes(reply), to)
        return self.newest_letter()

    def draft(self, choices: Sequence[str] | None = None) -> Page:
        """Click a turn together, and leave it at that."""
        page = self.see()
        for choice in choices or self.best():
            page = page.press(choice)
        return page

    def play(self, choices: Sequence[str] | None = None) -> Page:
        """A whole turn: clicked together and sent."""
        return self.draft(choices).press("/send")


def _best(game: Game, no: int) -> list[str]:
    match = record.load(game).draft()
    turn, choices = match.turn, []
    while any(d.seat == no for d in match.pending) and match.turn == turn:
        choices.append(match.bot_choice(no))
        match.choose(no, choices[-1])
    return choices


def _submit(seat: Seat, choices: Sequence[str]) -> int:
    assert seat.asked is not None
    digest = hashlib.sha256(repr(choices).encode()).hexdigest()[:16]
    with db.writing() as session:
        row = Submission(game_id=seat.game_id, seat_id=seat.id, asked=seat.asked, choices=list(choices), digest=digest)
        session.add(row)
        session.flush()
        return row.id


def take_seat(offer: Page, **fields: Any) -> Page:
    """Accept an offer: from the table that shows the position, by the page that asks who takes over."""
    return offer.browser.get(f"{offer.url}/take").press("Take the seat", **fields)


def at_once(deeds: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do all of these in threads that begin together. What one of them raises is raised here."""
    with ThreadPoolExecutor(len(deeds)) as pool:
        gate = Barrier(len(deeds))

        def after_all_are_there(deed: Callable[[], Any]) -> Any:
            gate.wait()
            return deed()

        return list(pool.map(after_all_are_there, deeds))


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Do the work in a process that is killed with -9 before its Nth statement, commit or post.

    False if it came to its end before."""
    if db.engine.name == "sqlite":
        db.close()  # whose files know nothing of a child
    before = _backends()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            db.engine.dispose(close=False)  # no connection is shared
            _die_at(step)
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        _wait_for_its_end(before)
        return True
    assert os.WEXITSTATUS(status) == 0, "the work failed in the child"
    return False


def _backends(*known: int) -> set[int]:
    """The processes of PostgreSQL that serve this database, besides those that are known and the one that answers."""
    if db.engine.name == "sqlite":
        return set()
    with db.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        answers = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        return set(rows.scalars()) - {*known, answers} if known else set(rows.scalars())


def _wait_for_its_end(before: set[int]) -> None:
    """A server takes a moment to notice that somebody was killed. Until then it holds the locks of what they did, and
    whoever looks for work passes that over."""
    for _ in range(MOST_LOOKS):
        if not _backends(*before):
            return
        sleep(0.005)
    raise AssertionError("the database still serves somebody who was killed")


def _die_at(step: int) -> None:
    count = 0

    def tick(*_: object, **__: object) -> None:
        nonlocal count
        count += 1
        if count == step:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(db.engine, "before_cursor_execute", tick)
    event.listen(db.engine, "commit", tick)
    queue.post = tick  # type: ignore[assignment]


def mint(house: House, make: Any, *args: Any) -> str:
    """A link made as the service makes it; returns its path."""
    with db.writing() as session:
        return f"/l/{make(session, *args)}"


# --- fixtures


@pytest.fixture
def house(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """An installation without a mail server; tasks run at once."""
    it = House(tmp_path, database_url, monkeypatch)
    yield it
    it.close()


@pytest.fixture
def one_house(tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """The same on one kind of database, for what pages and letters say: that does not depend on it."""
    it = House(tmp_path, sqlite_url, monkeypatch)
    yield it
    it.close()


@contextmanager
def _mailing(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch, mail_server: Any) -> Iterator[House]:
    """An installation with a mail server, at noon: nobody is written to at night."""
    with time_machine.travel(datetime.now(UTC).replace(hour=12)):
        it = House(tmp_path, url, monkeypatch, smtp=Smtp(mail_server.host, mail_server.port))
        yield it
        it.close()


@pytest.fixture
def public_house(tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, mail_server: Any) -> Iterator[House]:
    """One that mails, on one kind of database, for what strangers can do to it."""
    with _mailing(tmp_path, sqlite_url, monkeypatch, mail_server) as it:
        yield it


@pytest.fixture
def mail_house(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch, mail_server: Any) -> Iterator[House]:
    with _mailing(tmp_path, database_url, monkeypatch, mail_server) as it:
        yield it
