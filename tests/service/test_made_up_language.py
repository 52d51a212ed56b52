"""Whoever reads in another language finds no English left: a walk over every page, letter, answer and error in a
made-up one (tests/madeup.py). A sentence that is not marked for translation stands out there, and fails the walk."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
import time_machine
from flask import Flask, request, request_started
from sqlmodel import col, select
from werkzeug.exceptions import ImATeapot
from werkzeug.test import TestResponse

from engine import GAMES
from service.config import Keep, Smtp
from service.db import db, utcnow
from service.inbox import receiving
from service.inbox.grammar import Command
from service.limits import TooMany
from service.models import (
    Bell,
    Complaint,
    GameStatus,
    Jury,
    Letter,
    LetterStatus,
    Person,
    Policy,
    Proposal,
    Relocation,
    Ring,
    Seat,
)
from service.play import making, tidying
from service.play.clocks import Pace
from service.post import bells, hooks, links, outbox, picture, push, wishes
from service.post.language import gettext, speaking
from service.post.letters import KINDS
from service.post.wishes import Wish
from tests import madeup
from tests.play import Browser, House, Page, Player, Table, body, link_in, mail_of, mint, parse
from tests.service.test_bounces import bounce_address
from tests.workers.test_ringer import Chat, Phone
from workers import adjudicator, timekeeper

MORNING = datetime(2026, 11, 17, 10, tzinfo=UTC)
PACE = Pace(timedelta(hours=8), grace=timedelta(hours=1), round_the_clock=True)
REASON = madeup.accented("They are ill.")
LOOK_EVERY = 20  # moves
BACK = """\
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; {mail}
Action: failed
Status: 5.1.1
"""
A_WHOLE_GAME = 10_000
CREW = madeup.accented("Thursday crew")

# What is the same in every language: names of people, places, titles and formats.
PEOPLE = {"Aiko", "Bruno", "Chidi", "Dana", "Emil", "Mika", "Nils", "Olga", "Rosa"}
PROPER = {
    "Hikyaku",
    "UTC",
    "HTML",
    "JSON",
    "TOML",
    *hooks.NAMES.values(),
    "Auckland",
    "Lagos",
    "Lizbona",
    "Tokio",
    "Yokohama",
    *(title.title for title in GAMES.values()),
}

LISTENER = madeup.Listener(PROPER | PEOPLE)


class Ear:
    """Has heard all that was said to anybody: what was plain English in it, and which pages and letters it was."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.plain: dict[str, str] = {}
        self.endpoints: set[str | None] = set()
        self.letters: set[int] = set()  # that were read

    def hear(self, texts: list[str], where: str) -> None:
        for text in texts:
            for found in LISTENER.plain(text):
                self.plain.setdefault(found, where)

    def see(self, drawing: str) -> bytes:
        """A picture of the board, before it is turned into pixels that nobody could hear."""
        self.hear(re.findall(r"<text[^>]*>([^<]*)</text>", drawing), "a picture")
        return b"pixels"

    def read_page(self, page: Page) -> None:
        kind = page.response.content_type
        if kind.startswith("text/html"):
            assert f'<html lang="{madeup.CODE}"' in page.html, page.url
            self.hear(madeup.seen(page.html), page.url)
        elif kind.startswith("text/plain"):
            self.hear(page.html.splitlines(), page.url)
        elif kind.startswith("text/calendar"):
            self.hear(re.findall(r"SUMMARY:(.*)", page.html), page.url)

    def told(self) -> str:
        return "\n".join(sorted(f"{where}: {found}" for found, where in self.plain.items()))

    def read_letter(self, letter: EmailMessage, kind: str) -> None:
        texts = [str(letter["Subject"]), *body(letter).splitlines(), *madeup.seen(body(letter, "html"))]
        self.hear(texts, f"letter {kind}")

    def read_letters(self, house: House) -> set[str]:
        """All that were sent; returns their kinds."""
        sent = house.all(Letter, Letter.status == LetterStatus.SENT)
        for letter in sent:
            # One that goes along with another has no source, and one of long ago none any more.
            if letter.source and letter.id not in self.letters:
                self.letters.add(letter.id)
                self.read_letter(parse(letter.source), letter.kind)
        return {letter.kind for letter in sent}


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """What is said does not depend on where it is kept."""
    return sqlite_url


@pytest.fixture
def ear(abroad: House, pictures: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ear]:
    """Listens to every browser of the house."""
    heard = Ear(abroad.app)
    made, landed = Browser.__init__, Browser._land

    def make(self: Browser, app: Flask) -> None:
        made(self, app)
        self.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = f"{madeup.CODE}, en;q=0.5"

    def land(self: Browser, url: str, response: TestResponse) -> Page:
        page = landed(self, url, response)
        heard.read_page(page)
        return page

    def begin(app: Flask, **more: Any) -> None:
        heard.endpoints.add(request.endpoint)

    monkeypatch.setattr(Browser, "__init__", make)
    monkeypatch.setattr(Browser, "_land", land)
    monkeypatch.setattr(picture, "rasterised", heard.see)
    with request_started.connected_to(begin, abroad.app):
        yield heard


def send(page: Page, url: str, **fields: Any) -> Page:
    """Post to this address as a form of the page would, with what it carries."""
    hidden = dict(re.findall(r'name="(csrf_token|stamp|version|step|sheet)"\s+value="([^"]*)"', page.html))
    return page.browser.post(url, data=hidden | fields)


# --- the walk, scene by scene


def the_way_in(house: House) -> None:
    page = house.browser().get("/")
    page.browser.get("/my")
    page.browser.get("/my/next")
    for title in GAMES:
        page.browser.get(f"/rules/{title}")
        page.browser.get(f"/rules/{title}/short")
        page.browser.get(f"/titles/{title}/style.css")
        page.browser.get(f"/titles/{title}/table.css")
        send(page, "/sample", kind=title, against="bots")
    send(page, "/sample", kind="osaka", against="people")
    page = page.browser.get("/links")
    send(page, "/links", mail="")
    send(page, "/links", mail="nowhere")
    send(page, "/links", mail=mail_of("Aiko"))
    send(page, "/links/open", link="nothing")


NO_GAMES: list[dict[str, Any]] = [
    {"kind": "chess"},
    {"pace": "never"},
    {"pace": "own", "pace-allowance": "soon"},
    {"pace": "own", "pace-allowance": "9000 h"},
    {"policy": "never"},
    {"jury": "never"},
    {"jury": "player", "playing": "", "seat-2-name": "Chidi", "seat-2-mail": mail_of("Chidi")},
    {"bot-after": "x"},
    {"seat-1-name": ""},
    {"seat-1-mail": ""},
    {"seat-1-name": "", "seat-1-mail": ""},
    {"seat-1-mail": mail_of("Aiko")},
    {"name": "x" * 61},
    {"organiser-name": "x" * 41},
    {"organiser-mail": "nowhere"},
    {"playing": "", "seat-1-who": "bot"},
    {"kind": "zaibatsu", "zaibatsu-late_factories": "on", "zaibatsu-common_goals": "on"},
    {"kind": "zaibatsu", "zaibatsu-difficulty": "hard"},
    {"kind": "zaibatsu", "zaibatsu-difficulty": "never"},
    {"kind": "zaibatsu", "seat-1-name": "", "seat-1-mail": "", "zaibatsu-common_goals": "on"},
]


def a_new_game(house: House) -> None:
    page = house.browser().get("/new?kind=osaka")
    form = {"kind": "osaka", "organiser-name": "Aiko", "organiser-mail": mail_of("Aiko"), "playing": "on"}
    form |= {"seat-1-who": "person", "seat-1-name": "Bruno", "seat-1-mail": mail_of("Bruno"), "sheet": ""}
    form |= {"pace": "two-days", "policy": "moderator", "fallback": "pass", "zaibatsu-difficulty": "normal"}
    form |= {"moderator-hours": "24", "bot-after": "3", "away-days": "21", "zaibatsu-sides": "A"}
    form |= {"silent-rounds": "1", "silent-days": "30"}
    for change in NO_GAMES:
        assert send(page, "/new", **{**form, **change}).status == 400, change
    assert send(page, "/new", **form).status == 200


def invitations(house: House) -> None:
    """Accepted, declined, given to somebody else, begun with fewer; called off."""
    table = game(house, ["Aiko", "Bruno", "Chidi", "Dana"])
    page = table.organise()
    aiko, bruno, chidi, dana = table.players
    bruno.follow_link().press("decline")
    table.organise()
    dana.follow_link()
    here = table.url("/organise/")
    for deed, seat, more in [
        ("nonsense", 0, {}), ("resend", 7, {}), ("resend", 3, {}), ("replace", 1, {"who": "person"}),
        ("replace", 1, {"name": "Emil", "mail": mail_of("Aiko")}), ("replace", 1, {"who": "bot"}), ("start", 0, {}),
        ("watch", 0, {}),
    ]:  # fmt: skip
        send(page, f"{here}{deed}", seat=seat, **more)
    house.browser().get(mint(house, links.mint_watch, table.game()))
    send(aiko.follow_link(), aiko.url("/invitation"), answer="accept", name="", zone="UTC")
    send(aiko.follow_link(), aiko.url("/invitation"), answer="accept", name="Aiko", zone="Nowhere/Land")
    aiko.accept()
    chidi.accept(zone="Europe/Lisbon")
    aiko.follow_link()
    send(page, f"{here}resend", seat=0)
    aiko.browser.get("/my")
    send(page, f"{here}start")
    table.organise()
    send(page, f"{here}cancel")
    table = game(house, ["Aiko", "Bruno"])
    watch = mint(house, links.mint_watch, table.game())
    send(table.organise(), table.url("/organise/cancel"))
    table.organise()
    house.browser().get(watch)
    table.player("Bruno").follow_link()
    for _ in range(10):
        game(house, ["Nils", "Olga"])


def open_seats(house: House, clock: Any) -> None:
    """Asked for, taken, refused, taken again, confirmed once more or not."""
    house.app.extensions["hikyaku"] = replace(house.settings, open_tables=True)
    stranger = house.browser()
    for where in ("/manifest.webmanifest", "/", "/join", "/join?code=abcd-efgh"):
        stranger.get(where)
    table = game(house, ["Aiko"], **{"seat-1-who": "open", "seat-2-who": "open", "listed": "on", "colour": "1"})
    stranger.get("/")
    page = stranger.get(f"/join/{table.game().code}")
    send(page, page.url, name="", mail="nowhere", zone="Nowhere")
    for name in ("Bruno", "Chidi", "Dana", "Emil"):
        send(page, page.url, name=name, mail=mail_of(name), zone="Europe/Lisbon")
    letters = {name: house.letters(mail_of(name), "join")[-1] for name in ("Bruno", "Chidi", "Dana", "Emil")}
    asked = {name: house.browser().get(link_in(letter)) for name, letter in letters.items()}
    deed, seat = table.url("/organise/"), table.url("/seat/1/invitation")

    def sit(name: str, colour: str = "") -> None:
        wanted = {"turn-letters": "on", "news-letters": "on"}
        send(asked[name], table.url("/join"), name=name, zone="Europe/Lisbon", colour=colour, **wanted)

    for colour in ("1", "x", "0", "0"):
        sit("Bruno", colour)
    asked["Bruno"].browser.get(table.url("/join"))
    for _ in range(2):
        send(table.organise(), f"{deed}refuse", seat=1)
    for name in ("Chidi", "Dana", "Emil"):
        sit(name)
    asked["Emil"].browser.get(table.url("/join"))
    stranger.get(page.url)
    asked["Chidi"].browser.get(seat)
    send(asked["Chidi"], seat, answer="colour", colour="3")
    for form in ({"listed": "on"}, {}):
        send(table.organise(), f"{deed}list", **form)
    send(table.organise(), f"{deed}new-code")
    send(table.organise(), f"{deed}replace", seat=1, who="open")
    clock.shift(timedelta(days=3))
    send(table.organise(), f"{deed}start")
    table.organise()
    send(asked["Chidi"].browser.get(seat), seat, answer="again")
    timekeeper.sweep()
    clock.shift(timedelta(days=4))  # a week in all: on their days off people are not written to
    timekeeper.sweep()
    table.organise()
    house.app.extensions["hikyaku"] = house.settings


def the_next_game(house: House) -> None:
    """A turn is sent, another game comes up, and there is a way to stay."""
    tables = [house.begun(["Aiko", "Bruno"], name=CREW) for _ in range(2)]
    for table in tables:
        if table.to_move().name != "Aiko":
            table.rush(1)
    aiko = tables[0].player("Aiko")
    for table in tables:
        aiko.browser.get(mint(house, links.mint_seat, table.player("Aiko").seat))
    aiko._came = True
    send(aiko.play(), aiko.url("/stay"))


def game(house: House, names: list[str], **fields: Any) -> Table:
    """Made with the form, by the names of its fields."""
    page = house.browser().get("/new?kind=osaka")
    form, _ = page.form_with(words_of(page, "go"))
    seats = {f"seat-{row}-name": name for row, name in enumerate(names[1:], 1)}
    mails = {f"seat-{row}-mail": mail_of(name) for row, name in enumerate(names[1:], 1)}
    me = {"organiser-name": names[0], "organiser-mail": mail_of(names[0]), "playing": "on", "name": CREW}
    page = page.browser.post("/new", form.fields | seats | mails | me | fields)
    return Table(house, page.url.split("/")[-2], names, page.browser)


def words_of(page: Page, kind: str) -> str:
    """What stands on the page's button of this kind."""
    return next(button.label.strip() for form in page.forms for button in form.buttons if kind in button.classes)


def a_turn(house: House) -> None:
    """In the making, ready, sent, on its way, refused; watched; looked back at; over."""
    table = house.begun(["Aiko", "Bruno"], name=CREW)
    for player in table.players:
        player.follow_link()
    player = table.to_move()
    page = player.see()
    choices = player.best()
    send(page, player.url("/choose"), option="nonsense")
    send(page, player.url("/send"))
    for text in ("", "Aiko " * 300, "Aiko"):
        send(page, player.url("/say"), text=text)
    send(page, player.url("/unsay"), remark=99)
    send(page, player.url("/untip"))
    for choice in choices:
        page = page.press(choice)
    send(page, player.url("/choose"), option=choices[-1])
    send(page, player.url("/undo"))
    send(page, player.url("/undo"))  # in another window
    send(player.see(), player.url("/restart"))
    send(player.see(), player.url("/rest"))
    page = player.draft(choices)
    with house.hold():
        send(page, player.url("/send"))
    player.submit(["nonsense"])
    timekeeper.sweep()
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=3)):
        timekeeper.sweep()
        for task, args in list(house.waiting):
            house.run(task, *args)
        page = player.see()
        send(page, player.url("/choose"), option="nonsense", version="999")
    stranger = house.browser()
    stranger.get(mint(house, links.mint_watch, table.game()))
    other = next(p for p in table.players if p is not player)
    for browser in (player.browser, other.browser, stranger):
        for rest in ("", "/watch", "/board/0", "/log", "/replay", "/replay?move=0", "/where?move=1", "/text", "/pulse"):
            browser.get(table.url(rest))
        for rest in ("/result", "/export.json"):
            browser.get(table.url(rest))
    table.rush()
    assert table.game().status is GameStatus.FINISHED
    for browser in (player.browser, other.browser, stranger):
        for rest in ("", "/watch", "/log", "/log?page=0", "/replay", "/text", "/result", "/export.json"):
            browser.get(table.url(rest))
        browser.get("/my")
    once_more(table, player, other)


def once_more(table: Table, player: Player, other: Player) -> None:
    """A rematch, asked for by both, and how they play."""
    player.browser.get(f"{player.link()}?to=rematch")
    for asking in (player, other):
        page = asking.browser.get(asking.url("/rematch"))
        send(page, asking.url("/rematch"))
    other.browser.get(other.url("/rematch"))
    page = player.browser.get(f"/my/play/{player.seat.person_id}")
    with time_machine.travel(datetime.now(UTC) + timedelta(weeks=9)):
        send(page, player.url("/rematch"))
        player.browser.get(player.url("/rematch"))
    gathering = game(table.house, [player.name, other.name, "Chidi"])
    gathering.player(other.name).accept()
    gathering.organise()
    gathering.player("Chidi").follow_link()
    again = table.house.begun([player.name, other.name], name=CREW)
    again.rush()
    player.browser.get(mint(table.house, links.mint_seat, again.player(player.name).seat))
    player.browser.get(again.url("/result"))


def answers_by_mail(house: House) -> None:
    """Understood, not understood, and in doubt."""
    table = house.begun(["Aiko", "Bruno"], name=CREW)
    for player in table.players:
        player.follow_link()
    player = table.to_move()
    for text in ("0?", "99", "start over", "1, 99", "start over, help, board"):
        player.answer(text)
    for was in ("me", "not"):
        player.answer("1", From="stranger@players.example")
        page = player.browser.get(player.url("/answers"))
        (form,) = (form for form in page.forms if "/answers/" in form.action)
        for _ in range(2):
            send(page, form.action, was=was)
    player.browser.get(player.url("/answers"))


def my_settings(house: House) -> None:
    table = house.begun(["Aiko", "Bruno"], name=CREW, away_days=2)
    player = table.players[0]
    player.follow_link()
    page = player.browser.get(player.url("/settings"))
    may = {"name": "Aiko", "zone": "Europe/Lisbon", "language": madeup.CODE}
    send(page, player.url("/settings"), **may)
    send(page, player.url("/settings"), **may | {"name": ""})
    send(page, player.url("/settings"), **may | {"zone": "Nowhere"})
    quiet = {"quiet-from": "22:00", "quiet-to": "07:00"}
    for hours in (
        quiet,
        quiet | {"quiet-from": "x"},
        quiet | {"quiet-to": "21:00"},
        {**quiet, "day-off": list("0123")},
    ):
        send(page, player.url("/hours"), **hours)
    for n in range(4):
        send(page, player.url("/hours"), **{"quiet-from": f"{18 + n}:00", "quiet-to": "05:00", "remind": "0.5"})
        send(page, player.url("/settings"), **may | {"zone": ("Asia/Tokyo", "Europe/Lisbon")[n % 2]})
    for orders in ({}, {"insure.red": "nonsense"}, {"insure.red": "all"}):
        send(page, player.url("/orders"), **orders)
    house.execute(
        "UPDATE seat SET orders_stopped = :why", why='{"key": "osaka.order.why.which", "args": {"colour": "red"}}'
    )
    player.see()
    today = datetime.now(UTC).date()
    for first, last in [(5, 6), (5, 5), (3, 2), (-5, 2), (20, 90), (10, 20), (400, 401)]:
        first_day, last_day = today + timedelta(days=first), today + timedelta(days=last)
        send(page, player.url("/away"), first=first_day.isoformat(), last=last_day.isoformat())
    send(page, player.url("/away"), first="x")
    player.see()
    player.browser.get(player.url("/settings"))
    send(page, player.url("/back"), absence=1)
    send(page, player.url("/back"), absence=99)
    send(page, player.url("/calendar"))
    player.browser.get(f"/c/{house_token(house, links.mint_calendar)}.ics")
    for deed in ("pause", "resume"):
        decide_together(table, deed)
    for wish in (*Wish, None):
        with db.writing() as session:
            reader = session.get_one(Person, player.seat.person_id)
            token = links.mint_letters(session, reader, table.game(), wish)
        player.browser.get(f"/u/{token}")
        player.browser.post(f"/u/{token}")
        player.browser.get(player.url("/settings"))
        table.players[1].follow_link()
        player.browser.post(f"/u/{token}", {"letters": "all"})
        player.browser.post(f"/u/{token}", {"letters": "on"})
    for wish in Wish:
        with db.writing() as session:
            wishes.stop(session, session.get_one(Person, player.seat.person_id), table.game().id, wish)
    send(player.browser.get(player.url("/settings")), player.url("/letters"))
    page = player.browser.get(player.url("/settings"))
    send(page, player.url("/new-link"))
    player.follow_link()
    send(player.browser.get("/my"), "/my/forget")
    another_address(house)
    being_forgotten(house)
    ringing(house)


def ringing(house: House) -> None:
    """A hook of Rosa's own, one of her table's, and her browser; all sentences that they say, and what fails."""
    house.settings = replace(house.settings, hooks="loopback", push=push.new_key())
    house.app.extensions["hikyaku"] = house.settings
    chat = Chat()
    table = house.begun(["Rosa", "Bruno"], name=CREW, moderator=("Mika", mail_of("Mika")))
    rosa = house.browser()
    rosa.get(mint(house, links.mint_seat, table.seats()[0]))
    rosa.get(mint(house, links.mint_organiser, table.game()))
    own, shared = f"/my/settings/{table.seats()[0].person_id}/bells", table.url("/bells")
    every = [ring.value for ring in bells.OWN]
    for where, address in ((own, "x"), (own, "https://10.0.0.1/"), (own, chat.at()), (shared, chat.at("/2"))):
        send(rosa.get(where), where, address=address, rings=every)
        send(rosa.get(where), where, address="https://ntfy.sh/", rings=every)
    endpoint = {"endpoint": chat.at("/push/1234"), **Phone().keys}
    for keys in (endpoint | {"auth": ""}, endpoint):
        send(rosa.get(own), f"{own}/browser", **keys)
    house.execute("UPDATE person SET quiet_from = NULL, quiet_to = NULL")
    house.execute("UPDATE bell SET rings = :every", every=json.dumps(every))
    table.rush(2)
    desk, fields = table.desk(), {"days": "3", "reason": REASON}
    send(send(desk, table.url("/desk/pause"), **fields), table.url("/desk/pause"), **fields, confirmed="yes")
    house.browser().get(table.url("/now"))
    fields = {"reason": REASON}
    desk = desk.browser.get(table.url("/desk"))
    send(send(desk, table.url("/desk/resume"), **fields), table.url("/desk/resume"), **fields, confirmed="yes")
    assert house.all(Ring, Ring.rings == "ruling")
    house.browser().get(table.url("/now"))
    for bell in house.all(Bell):
        where = shared if bell.game_id else own
        send(rosa.get(where), f"{where}/{bell.id}/try")
        rosa.get(where)
    for chat.status in (500, 404):
        table.rush(2)
        send(rosa.get(own), f"{own}/{house.all(Bell)[0].id}/try")
        rosa.get(own)
    table.rush()
    send(rosa.get(own), f"{own}/{house.all(Bell)[0].id}/on")
    send(rosa.get(shared), f"{shared}/choose", shown=[])
    for chosen in ([], every):
        send(rosa.get(own), f"{own}/choose", letters=chosen, shown=[str(bell.id) for bell in house.all(Bell)])
    send(rosa.get(own), f"{own}/{house.all(Bell)[0].id}/remove")
    rosa.get(table.url("/log"))
    house.browser().get(table.url("/now"))
    said = [post for n, (path, _, _) in enumerate(chat.posts) if path != "/push/1234" for post in [chat.said(n)]]
    assert {post["ring"] for post in said} >= {"turn", "over", "ruling", "test"}
    for post in said:
        assert not [plain for line in post["text"].splitlines() for plain in LISTENER.plain(line)], post["text"]
    chat.shutdown()
    chat.server_close()


def another_address(house: House) -> None:
    """Olga moves, and takes it back; her first try was nonsense, her second one she thought better of."""
    table = house.begun(["Olga", "Bruno"])
    page = house.browser().get(mint(house, links.mint_seat, table.seats()[0]))
    where = f"/my/data/{table.seats()[0].person_id}/address"
    page.browser.get("/privacy")
    house.browser().get("/privacy")
    for rest in ("", "/file"):
        page.browser.get(where.replace("/address", rest))
    for mail in ("x", mail_of("Olga"), mail_of("Bruno"), mail_of("Nobody")):
        send(page.browser.get(where), where, mail=mail)
    send(page.browser.get(where), where, deed="cancel")
    send(page.browser.get(where), where, mail=mail_of("Nowhere"))
    relocation = house.all(Relocation)[-1]
    new, old = house.browser(), house.browser()
    for browser, scope in ((new, links.NEW_ADDRESS), (old, links.OLD_ADDRESS)):
        browser.get(mint(house, links.mint_relocation, relocation, scope))
    for browser, deed in ((new, "confirm"), (old, "stop")):
        send(browser.get(f"/my/address/{relocation.id}/{deed}"), f"/my/address/{relocation.id}/{deed}")
        new.get(f"/my/address/{relocation.id}/confirm")
        old.get(f"/my/address/{relocation.id}/stop")


def being_forgotten(house: House) -> None:
    """Emil plays, organises and looks after games that are under way, and is gone."""
    over = house.begun(["Emil", "Bruno"])
    over.rush(2)
    house.begun(["Emil", "Bruno", "Chidi"], moderator=("Emil", mail_of("Emil")), jury=Jury.PLAYER)
    page = house.browser().get(mint(house, links.mint_seat, over.seats()[0]))
    where = f"/my/data/{over.seats()[0].person_id}/delete"
    send(page.browser.get(where), where)
    send(page.browser.get(where), where, sure="on")
    bruno = house.browser()
    bruno.get(mint(house, links.mint_seat, over.seats()[1]))
    for rest in ("", "/log", "/text"):
        bruno.get(over.url(rest))


def decide_together(table: Table, deed: str) -> None:
    """Proposed, taken back, refused, and agreed; and what cannot be proposed."""
    player, other = table.players
    for answers in ([(player, "no")], [(other, "no")], [(other, "yes"), (other, "yes")]):
        page = player.browser.get(player.url("/propose"))
        fields = {"reason": REASON, "days": "3"}
        page = send(page, player.url(f"/propose/{deed}"), **fields)
        send(page, player.url(f"/propose/{deed}"), **fields, confirmed="yes")
        page = player.browser.get(player.url("/propose"))
        page = send(page, player.url(f"/propose/{deed}"), **fields)
        send(page, player.url(f"/propose/{deed}"), **fields, confirmed="yes")
        for voter, said in answers:
            page = voter.follow_link()
            newest = str(max(proposal.id for proposal in table.house.all(Proposal)))
            send(page, voter.url("/vote"), proposal=newest, answer=said)
            voter.see()
            player.see()
    send(other.see(), other.url("/vote"), proposal="99", answer="yes")
    send(player.see(), player.url("/propose/excuse"), seat="0", reason=REASON)


def house_token(house: House, make: Any) -> str:
    with db.writing() as session:
        person = session.exec(select(Person).where(Person.mail == mail_of("Aiko"))).one()
        return str(make(session, person))


def leaving(house: House) -> None:
    """Before it begins, while it is played, and as the last one; the seat is offered to somebody else."""
    table = game(house, ["Aiko", "Bruno", "Chidi"])
    bruno = table.player("Bruno")
    bruno.accept()
    page = table.organise()
    send(page, table.url("/organise/replace"), seat=1, who="person", name="Emil", mail=mail_of("Emil"))
    send(bruno.follow_link(), bruno.url("/invitation"), answer="decline")
    for fallback in (Policy.PASS, Policy.BOT):
        table = house.begun(["Aiko", "Bruno", "Chidi"], name=CREW, policy=fallback)
        for player in table.players:
            player.follow_link()
        first, second, last = table.player("Bruno"), table.player("Chidi"), table.player("Aiko")
        page = first.browser.get(first.url("/leave"))
        send(page, page.url)
        page = house.browser().get(mint(house, links.mint_organiser, table.game()))
        for seat, name, mail in ((0, "Emil", "Emil"), (1, "", "Emil"), (1, "Emil", "Aiko"), (1, "Emil", "Emil")):
            send(page, table.url("/organise/substitute"), seat=seat, name=name, mail=mail_of(mail))
        settings = page.browser.get(f"/my/settings/{last.seat.person_id}")
        send(settings, settings.url, name="", zone="Nowhere")
        send(settings, settings.url, **settings.forms[0].fields)
        page.browser.get(table.url("/organise"))
        last.see()
        last.browser.get(table.url("/log"))
        for player in (second, last):
            send(player.browser.get(player.url("/leave")), player.url("/leave"))
        last.browser.get(last.url("/leave"))
        send(last.see(), last.url("/leave"))


def being_late(house: House, clock: time_machine.Traveller) -> None:
    """Reminded, late, at the desk, and played for; a game of several with the bot as the fallback."""
    for fallback in (Policy.PASS, Policy.BOT):
        plan: dict[str, Any] = {"policy": Policy.MODERATOR, "fallback": fallback, "moderator_hours": 5, "bot_after": 1}
        table = house.begun(["Aiko", "Bruno"], pace=PACE, moderator=("Mika", mail_of("Mika")), name=CREW, **plan)
        desk = house.browser().get(link_in(house.letters(mail_of("Mika"), "moderator")[-1]))
        late = table.to_move()
        other = next(player for player in table.players if player is not late)
        began = datetime.now(UTC)
        for hours in (0.2, 4.1, 8, 9, 14.1):
            clock.move_to(began + timedelta(hours=hours))
            timekeeper.sweep()
            for browser in (other.browser, desk.browser):
                other.follow_link()
                browser.get("/my")
            if table.game().status is GameStatus.RUNNING:
                desk.browser.get(table.url("/desk"))
                desk.browser.get("/desk")
                desk.browser.get(table.url("/watch"))
        other.browser.get(table.url("/log"))
    house.patch.setattr(timekeeper, "OUTAGE", timedelta(minutes=15))
    clock.shift(timedelta(hours=1))
    timekeeper.sweep()
    house.patch.setattr(timekeeper, "OUTAGE", timedelta(days=60))


def nobody_plays(house: House, clock: time_machine.Traveller) -> None:
    """Until the game asks whether anybody is there; somebody is, and the next time nobody. And the last person."""
    for policy in (Policy.PASS, Policy.BOT):
        plan: dict[str, Any] = {"pace": PACE, "name": CREW, "policy": policy, "bot_after": 2, "silent_rounds": 2}
        table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")), **plan)
        for _ in range(2):
            for _ in range(20):
                clock.shift(timedelta(hours=3))
                timekeeper.sweep()
            player = next(table.player(seat.name) for seat in table.seats() if not seat.bot)
            page = player.browser.get(link_in(player.letters("silent")[-1]))
            house.browser().get(link_in(house.letters(mail_of("Mika"), "silent-outside")[-1])).browser.get("/my")
            page.browser.get(table.url("/log"))
            send(page, player.url("/here"))
        clock.shift(timedelta(days=40))
        timekeeper.sweep()


def the_desk(house: House) -> None:
    """Every ruling: what it would do, that it needs a reason, and what it did."""
    table = house.begun(["Aiko", "Bruno", "Chidi"], moderator=("Mika", mail_of("Mika")), name=CREW)
    desk = house.browser().get(link_in(house.letters(mail_of("Mika"), "moderator")[-1]))
    table.rush(2)
    wrong: list[tuple[str, dict[str, str]]] = [
        ("nonsense", {}),
        ("extend", {"hours": "x"}),
        ("extend", {"hours": "5", "seat": "9"}),
        ("extend", {"hours": "5", "seat": idle(table)}),
        ("rewind", {"version": "99"}),
        ("resume", {}),
        ("substitute", {"name": "Emil", "mail": mail_of("Aiko")}),
        ("pause", {"days": "99"}),
    ]
    for deed, more in wrong:
        seat = {"seat": str(table.to_move().no), "reason": REASON}
        send(desk, table.url(f"/desk/{deed}"), **seat | more)
    send(desk, table.url("/desk/pause"))
    for deed, more in [
        ("extend", {"hours": "5"}), ("excuse", {}), ("auto-pass", {}), ("excuse", {"seat": "last"}), ("bot-turn", {}),
        ("substitute", {"name": "Emil", "mail": mail_of("Emil")}), ("pause", {"days": "7"}), ("pause", {"days": "7"}),
        ("resume", {}), ("rewind", {"version": "1"}), ("moderator", {"name": "Nils", "mail": mail_of("Nils")}),
        ("moderator", {"name": "Olga", "mail": mail_of("Olga"), "instead": "yes"}), ("open-view", {}),
    ]:  # fmt: skip
        asked = table.to_move()
        fields = {"seat": str(asked.no), "reason": REASON} | more
        if fields["seat"] == "last":
            fields["seat"] = str(missed(table))
        if deed == "auto-pass":
            house.execute("UPDATE seat SET stage = 'late' WHERE id = :id", id=asked.seat.id)
        page = send(desk, table.url(f"/desk/{deed}"), **fields)
        send(page, table.url(f"/desk/{deed}"), **fields, stamp="old", confirmed="yes")
        send(page, table.url(f"/desk/{deed}"), **fields, confirmed="yes")
        asked.follow_link()
    offers(house, table)
    desk = desk.browser.get(table.url("/desk"))
    desk.browser.get(table.url("/log"))
    for no in (0, 0, 1, 2):
        leaving = {"seat": str(no), "reason": REASON}
        page = send(desk, table.url("/desk/bot"), **leaving)
        send(page, table.url("/desk/bot"), **leaving, confirmed="yes")
    for result in ("", "yes"):
        table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")), name=CREW)
        desk = house.browser().get(link_in(house.letters(mail_of("Mika"), "moderator")[-1]))
        leaving = {"seat": "0", "reason": REASON}
        page = send(desk, table.url("/desk/bot"), **leaving)
        send(page, table.url("/desk/bot"), **leaving, confirmed="yes")
        fields = {"reason": REASON, "result": result}
        page = send(desk, table.url("/desk/end"), **fields)
        send(page, table.url("/desk/end"), **fields, confirmed="yes")
        send(page, table.url("/desk/end"), **fields, confirmed="yes")
        table.players[0].follow_link()


def a_moderator_who_plays(house: House) -> None:
    table = house.begun(["Aiko", "Bruno", "Chidi"], jury=Jury.PLAYER, name=CREW)
    desk = table.desk()
    for deed, seat in [("auto-pass", 0), ("auto-pass", 1), ("bot", 2), ("open-view", 1), ("end", 0), ("rewind", 0)]:
        fields = {"reason": REASON, "seat": str(seat), "version": "0"}
        page = send(desk, table.url(f"/desk/{deed}"), **fields)
        send(page, table.url(f"/desk/{deed}"), **fields, confirmed="yes")
    table.desk()
    table.rush(1)  # what was about the open question is overtaken
    for player in table.players:
        player.follow_link()


def looking_after(house: House, clock: time_machine.Traveller) -> None:
    """Asked, declined, accepted, handed over; and a table above which nobody stands."""
    table = game(
        house, ["Aiko", "Bruno"], **{"jury": "outsider", "moderator-name": "Mika", "moderator-mail": mail_of("Mika")}
    )
    mika = house.browser().get(link_in(house.letters(mail_of("Mika"), "asked")[-1]))
    send(mika, mika.url, answer="accept", zone="Nowhere")
    send(mika, mika.url, answer="decline")
    organise = table.organise()
    for name, mail in [("Nils", mail_of("Aiko")), ("Nils", mail_of("Nils"))]:
        send(organise, table.url("/organise/moderator"), name=name, mail=mail)
    table.organise()
    nils = house.browser().get(link_in(house.letters(mail_of("Nils"), "asked")[-1]))
    time_of_day = {"zone": "Europe/Lisbon", "quiet-from": "23:00", "quiet-to": "06:00"}
    desk = send(nils, nils.url, answer="accept", **time_of_day)
    desk.browser.get("/my")
    send(table.organise(), table.url("/organise/moderator"), name="Olga", mail=mail_of("Olga"))
    for said in ("decline", "accept"):
        for mail in (mail_of("Aiko"), mail_of("Olga")):
            send(table.organise(), table.url("/organise/hand-over"), name="Olga", mail=mail)
        table.organise()
        olga = house.browser().get(mint(house, links.mint_handover, table.game()))
        send(olga, olga.url, answer="accept", zone="Nowhere")
        send(olga, olga.url, answer=said, **time_of_day)
    table.organise()
    group = house.begun(["Aiko", "Bruno", "Chidi"], pace=PACE, policy=Policy.MODERATOR, name=CREW)
    began, late = datetime.now(UTC), group.to_move()
    for hours in (8, 9, 33.1):
        clock.move_to(began + timedelta(hours=hours))
        timekeeper.sweep()
        for player in group.players:
            player.follow_link()
            player.browser.get(player.url("/propose"))
    send(late.see(), late.url("/propose/moderator"), name="Mika", mail=mail_of("Mika"), reason=REASON)


def idle(table: Table) -> str:
    return str(next(seat.no for seat in table.seats() if seat.asked is None))


def missed(table: Table) -> int:
    return next(seat.no for seat in table.seats() if seat.misses)


def offers(house: House, table: Table) -> None:
    offer = house.letters(mail_of("Emil"), "offer")[-1]
    page = house.browser().get(link_in(offer))
    send(page, page.url, answer="decline")
    page.browser.get(page.url)
    with db.writing() as session:
        seat = session.exec(select(Seat).where(Seat.game_id == table.game().id, Seat.no == table.to_move().no)).one()
        seat.offered_to = session.exec(select(Person.id).where(Person.mail == mail_of("Emil"))).one()
        session.add(seat)
    page = house.browser().get(mint(house, links.mint_offer, seat))
    page.browser.get(f"{page.url}/take")
    send(page, page.url, answer="accept", name="", zone="Nowhere")
    send(page, page.url, answer="accept", name="Emil", zone="UTC", language=madeup.CODE)


def strangers(house: House) -> None:
    """A game that waits for its organiser, and a letter that is not wanted."""
    people = [(name, mail_of(name)) for name in ("Aiko", "Bruno")]
    plan = making.Plan(kind="osaka", organiser=people[0], seats=[*people], name=CREW, confirmed=False)
    waiting = outbox.transaction(making.create)(plan)
    page = house.browser().get(mint(house, links.mint_organiser, waiting))
    send(page, f"/g/{waiting.public_id}/organise/confirm")
    table = game(house, ["Aiko", "Bruno", "Chidi"])
    way_out = link_in(house.letters(mail_of("Bruno"), "invitation")[-1], "u")
    never = house.browser().get(way_out)
    for said in ("abuse", "never"):
        send(never, way_out, letters=said)
    before = f"{utcnow() - timedelta(days=2):%Y-%m-%d %H:%M:%S}"
    house.execute("UPDATE letter SET created_at = :before WHERE kind = 'invitation'", before=before)
    send(table.organise(), table.url("/organise/resend"), seat="1")
    table.organise()
    send(never, way_out, letters="on")
    desk = house.browser().get(mint(house, links.mint_operator, house.all(Person)[0]))
    send(desk, f"/desk/complaints/{house.all(Complaint)[0].id}")


def making_is_closed(house: House) -> None:
    settings = house.settings
    for who_may in ("nobody", "known", "code"):
        house.app.extensions["hikyaku"] = replace(
            settings, smtp=Smtp("localhost", 25), post_office=False, tables=who_may, code="x"
        )
        page = house.browser().get("/new")
    send(page, "/new")
    house.app.extensions["hikyaku"] = settings


def letters_that_fail(house: House) -> None:
    """What a mail server says, or an error of ours, is shown as it is: here it is accented."""
    asked = {"jury": "outsider", "moderator-name": "Mika", "moderator-mail": mail_of("Mika")}
    table = game(house, ["Aiko", "Bruno", "Chidi"], **asked)
    mika = house.browser().get(table.desk_link())
    send(mika, mika.url, answer="accept", zone="UTC", **{"quiet-from": "22:00", "quiet-to": "08:00"})
    trouble = madeup.accented("550 no such mailbox")
    for status in ("waiting", "failed"):
        house.execute("UPDATE letter SET status = :status, error = :why, subject = ''", status=status, why=trouble)
        table.organise()
    for player in table.players:
        player.browser.get(mint(house, links.mint_seat, player.seat))
        send(
            player.browser.get(player.url("/invitation")),
            player.url("/invitation"),
            answer="accept",
            name=player.name,
            zone="UTC",
        )
    desk = table.desk()
    for status in ("waiting", "failed"):
        house.execute("UPDATE letter SET status = :status, error = :why, attempts = 2", status=status, why=trouble)
        for player in table.players:
            player.browser.get(player.url())
            player.browser.get(player.url("/settings"))
        desk.browser.get(table.url("/desk"))
        table.organise()


def letters_that_come_back(house: House) -> None:
    """To a player and to two who are invited; with a reason and without one, late, and what is no news. The organiser
    has one of them written to again, and the operator the other."""
    table = house.begun(["Aiko", "Bruno"], name=CREW, pace=PACE, moderator=("Mika", mail_of("Mika")))
    invited = game(house, ["Aiko", "Chidi", "Dana"])
    player, operator = table.to_move(), house.browser()
    shapes = {"": BACK, "Status: 5.1.1": BACK, "delayed": BACK.replace("failed", "delayed"), "other": BACK}
    for mark, shape in shapes.items():
        for someone in (player, invited.player("Chidi"), invited.player("Dana")):
            mail = "somebody@else.example" if mark == "other" else someone.mail
            raw = shape.replace("{mail}", mail).replace("Status: 5.1.1", f"Status: {'5.1.1' * bool(mark)}")
            receiving.receive(f"{raw}\n{mark}".encode(), bounce_address(someone))
        receiving.receive(b"Subject: 0\n\n0", bounce_address(player))
        table.rush(2)
        invited.organise()
        table.desk()
        operator.get(mint(house, links.mint_operator, house.one(Person, Person.mail == mail_of("Mika"))))
        for anybody in table.players:
            anybody.browser.get(mint(house, links.mint_seat, anybody.seat))
            anybody.browser.get(anybody.url("/log"))
        old = bounce_address(player)
        send(player.browser.get(player.url()), player.url("/reached"))
        receiving.receive(BACK.replace("{mail}", player.mail).encode(), old)
        send(invited.organise(), invited.url("/organise/write-again"), seat=1)
    receiving.receive(BACK.replace("{mail}", player.mail).encode() + b"\n", bounce_address(player))
    page = operator.get("/desk")
    for unreached in house.all(Person, col(Person.returned_at).is_not(None)):
        send(page, f"/desk/unreached/{unreached.id}")


def errors(house: House) -> None:
    browser = house.browser()
    assert browser.get("/nowhere").status == 404
    assert browser.get("/l/nothing").status == 403
    assert browser.get("/desk").status == 403
    assert browser.post("/links", {"mail": mail_of("Aiko"), "csrf_token": "no"}).status == 400
    assert browser.post("/my").status == 405
    assert browser.post("/sample", {"kind": "chess"}).status == 400
    assert browser.post("/new", {"name": "x" * 300_000}).status == 413
    table = house.begun(["Aiko", "Bruno"])
    for rest in ("/seat/0", "/organise", "/desk", "/offer/0", "/watch"):
        assert browser.get(table.url(rest)).status == 403, rest
    for error in (TooMany(utcnow() + timedelta(hours=1)), ImATeapot(), ValueError("broken for a test")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(house.app.view_functions, "start.home", raising(error))
            assert browser.get("/").status in (418, 429, 500)


def raising(error: Exception) -> Any:
    def view() -> str:
        raise error

    return view


def never_begun(house: House) -> None:
    waiting = game(house, ["Aiko", "Bruno"])
    tidying._call_one_off(waiting.game().id, Keep(), datetime.now(UTC))


def the_post_office(house: House) -> None:
    browser = house.browser()
    browser.get("/post-office")
    browser.get("/post-office?person=1")
    newest = house.all(Letter, Letter.status == LetterStatus.SENT)[-1]
    browser.get(f"/post-office/{newest.id}")
    browser.get(f"/post-office/{newest.id}/html")
    browser.get("/my/forgotten")
    answering(house, browser)


def answering(house: House, browser: Browser) -> None:
    """All that can come back to an answer."""
    player = house.begun(["Aiko", "Bruno*"]).player("Aiko")
    with speaking(madeup.CODE):
        send_it, undo, again, rest, go_on, board, help_me = map(gettext, Command)
    lines = ("?", "1, 1", undo, undo, "99", rest, send_it, f"{help_me}, {board}", f"{again}, {go_on}, {send_it}", "?")
    for said in lines:
        newest = house.all(Letter, Letter.status == LetterStatus.SENT, col(Letter.source).is_not(None))[-1]
        send(browser.get(f"/post-office/{newest.id}"), f"/post-office/{newest.id}/answer", answer=said)
    (first, *_) = player.letters("turn")
    player.answer("1", to=str(first["Reply-To"]))
    player.choose("take")
    player.answer("1")


def company(house: House, clock: time_machine.Traveller) -> None:
    """Talk to all, to one, to the moderator and in the gallery, what is not said, what is hidden; notes and nudges."""
    three = ["Aiko", "Bruno", "Chidi"]
    table = house.begun(three, name=CREW, whispers=True, moderator=("Mika", mail_of("Mika")))
    for player in table.players:
        player.follow_link()
    clock.shift(timedelta(hours=7))
    asked = table.to_move()
    waits, other = [player for player in table.players if player is not asked]
    page = waits.see()
    for whom in (f"{asked.no}:{asked.name}", "all", "desk", "", "9:Nobody", "9"):
        send(page, waits.url("/say"), text=f"{asked.name} {REASON}", to=whom)
    send(page, waits.url("/say"), text="", to="all")
    for form in ({"mute": other.no}, {"hear": other.no}, {"mute": "all"}, {"hear": "all"}, {"mute": "x"}):
        send(waits.see(), waits.url("/mute"), **form)
        waits.see()
    for whom in (f"{asked.no}.{asked.seat.asked}", f"{asked.no}.9", "x"):
        send(page, waits.url("/nudge"), whom=whom)
    other.see()
    for revision, text in ((0, REASON), (0, CREW), (1, "0" * 5000)):
        send(page, waits.url("/notes"), revision=revision, text=text)
    waits.browser.get(waits.url("/notes"))
    desk = table.desk()
    hidden = re.findall(r'name="remark"\s+value="(\d+)"', desk.html)[0]
    for whom, text in (("all", REASON), (f"{asked.no}:{asked.name}", REASON), ("all", "")):
        send(desk, table.url("/desk/say"), text=text, to=whom)
    for line in ({"reason": ""}, {"reason": REASON}, {"show": "yes"}, {"reason": REASON, "remark": "9999"}):
        send(desk, table.url("/desk/hide"), **{"remark": hidden, **line})
        asked.see()
        table.desk()
    gallery = house.browser()
    gallery.get(mint(house, links.mint_watch, table.game()))
    page = gallery.get(table.url("/watch"))
    for called in ("", "Olga"):
        page = send(page, table.url("/watch/say"), called=called, text=REASON)
    send(page, table.url("/watch/unsay"), remark=9999)
    clock.shift(timedelta(minutes=11))
    timekeeper.sweep()
    with speaking(madeup.CODE):
        tell, moderator, note = gettext("tell"), gettext("moderator"), gettext("note")
    for said in (f"{tell} {waits.name}: 0", f"{tell} {moderator}: 0", f"{tell} 0: 0", f"{tell} 0", f"{note} 0"):
        asked.answer(said)
    send(waits.see(), waits.url("/nudge"), whom=f"{asked.no}.{asked.seat.asked}")
    page = asked.draft()
    send(page, asked.url("/send"), line="0" * 1001)
    send(asked.see(), asked.url("/send"), line=REASON)
    waits.browser.get(table.url("/log"))


def under_older_rules(house: House, clock: time_machine.Traveller) -> None:
    """A game that cannot go on, and one whose rules were corrected in the middle of a turn."""
    table = house.begun(["Aiko", "Bruno"], name=CREW, moderator=("Mika", mail_of("Mika")), pace=PACE)
    player = table.to_move()
    player.draft()
    desk = house.browser().get(link_in(house.letters(mail_of("Mika"), "moderator")[-1]))
    house.execute("UPDATE draft SET choices = :nonsense", nonsense='["nonsense", "too"]')
    player.see()
    house.patch.setitem(GAMES, "osaka", replace(GAMES["osaka"], rules=GAMES["osaka"].rules + 1, older={}))
    for rest in ("", "/replay", "/log", "/text", "/result"):
        player.browser.get(table.url(rest))
    desk = desk.browser.get(table.url("/desk"))
    for deed in ("auto-pass", "end"):
        send(desk, table.url(f"/desk/{deed}"), seat=player.no, reason=REASON, result="yes")
    clock.shift(timedelta(hours=9))
    timekeeper.sweep()
    player.browser.get("/my")


def test_nothing_that_is_shown_or_sent_is_left_in_english(abroad: House, ear: Ear):
    house = abroad
    house.patch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    house.patch.setattr(timekeeper, "TIDY_EVERY", timedelta(days=9999))  # all letters are read at the end
    with time_machine.travel(MORNING, tick=False) as clock:
        the_way_in(house)
        a_new_game(house)
        invitations(house)
        the_next_game(house)
        a_turn(house)
        answers_by_mail(house)
        my_settings(house)
        leaving(house)
        being_late(house, clock)
        letters_that_come_back(house)
        company(house, clock)
        open_seats(house, clock)
        ear.read_letters(house)  # before months go by
        nobody_plays(house, clock)
        ear.read_letters(house)
        the_desk(house)
        a_moderator_who_plays(house)
        looking_after(house, clock)
        errors(house)
        strangers(house)
        making_is_closed(house)
        under_older_rules(house, clock)
        the_post_office(house)
        never_begun(house)
        sent = ear.read_letters(house)
        letters_that_fail(house)
    assert not ear.plain, ear.told()
    machines = {"health.healthz", "health.readyz", "metrics.metrics", "static", "bells.worker", None}
    drawings = {"keys.preview", "start.board"}
    assert set(house.app.view_functions) - ear.endpoints - machines - drawings == set()
    assert set(KINDS) - sent == set()


def test_the_walk_hears_a_single_plain_word():
    heard = [
        LISTENER.plain(text)
        for text in (madeup.accented("Your turn, ") + "Aiko", "Ýóúŕ turn, Aiko: http://here.is/all")
    ]
    assert heard == [[], ["'turn' in 'Ýóúŕ turn, Aiko: http://here.is/all'"]]


# --- every title, from the first position to the result


def seated() -> Iterator[Any]:
    """Each title at its largest table, once in each edition, and where it can be played alone, to the end; with each
    option that is off by default, as far as the first rounds show what it brings."""
    for title in GAMES.values():
        most = title.players[-1]
        editions = next((setting.choices for setting in title.options if setting.id == title.dialect), ("",))
        for edition in editions:
            options = {title.dialect: edition} if edition else {}
            yield pytest.param(title.id, most, options, A_WHOLE_GAME, id=f"{title.id}{edition and '-' + edition}")
        if 1 in title.players:
            yield pytest.param(title.id, 1, {}, A_WHOLE_GAME, id=f"{title.id}-solo")
        for setting in title.options:
            if setting.default is False:
                yield pytest.param(title.id, most, {setting.id: True}, 2 * LOOK_EVERY, id=f"{title.id}-{setting.id}")


@pytest.mark.parametrize(("kind", "players", "options", "longest"), list(seated()))
def test_no_table_of_any_title_is_left_in_english(
    abroad: House, ear: Ear, kind: str, players: int, options: dict[str, Any], longest: int
):
    table = abroad.begun(["Aiko", "Bruno", "Chidi", "Dana"][:players], kind=kind, options=options, name=CREW)
    stranger = abroad.browser()
    stranger.get(mint(abroad, links.mint_watch, table.game()))
    for player in table.players:
        player.follow_link()
    moves = 0
    while table.game().status is GameStatus.RUNNING and moves < longest:
        asked = table.player(next(seat.name for seat in table.seats() if seat.asked is not None))
        if moves % LOOK_EVERY == 0:
            asked.draft()
            stranger.get(table.url("/watch"))
            stranger.get(table.url("/text"))
            adjudicator.adjudicate(asked.submit(asked.best()))
        else:
            with abroad.lose():  # between two looks nobody is written to
                adjudicator.adjudicate(asked.submit(asked.best()))
        moves += 1
    for rest in ("", "/result", "/replay?move=3", "/text", *(f"/log?page={page}" for page in range(moves // 40 + 1))):
        table.players[0].browser.get(table.url(rest))
    ear.read_letters(abroad)
    assert not ear.plain, ear.told()
