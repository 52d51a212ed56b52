"""The way in: what this is, a new game, a sample game, the rules."""

import json
import logging
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from functools import lru_cache

from flask import Blueprint, Response, abort, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from jinja2 import Template
from sqlmodel import Session, col, select

from engine import GAMES, example
from service.db import db, utcnow
from service.models import Game, Link, Person
from service.play import joining, making, record, strangers, turnclock
from service.play.making import Plan
from service.post import links, moments, outbox, picture
from service.post.language import ENGLISH, Speech, spoken
from service.post.language import gettext as _
from service.web import files
from service.web.access import grant, new_key, settings, visitor

log = logging.getLogger(__name__)
pages = Blueprint("start", __name__)

# For a home screen: file, size, format, and whether a phone may cut it to its own shape.
ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-maskable-512.png", "512x512", "image/png", "maskable"),
)

FRESH = 3600  # seconds for which a browser need not ask for a picture again
SAMPLE = [("Aiko", "Asia/Tokyo"), ("Bruno", "Europe/Lisbon"), ("Chidi", "Africa/Lagos"), ("Dana", "Pacific/Auckland")]


@pages.get("/")
def home() -> ResponseReturnValue:
    with db.reading() as session:
        held = visitor(session).has_keys
        tables = [_open_table(*row, utcnow()) for row in joining.listed(session)] if settings().open_tables else None
    return render_template("start.html", titles=GAMES.values(), held=held, sample=settings().post_office, tables=tables)


@dataclass(frozen=True)
class OpenTable:
    """A table in the list, with what a stranger may know of it."""

    code: str
    title: str
    seats: int
    open: int
    pace: str
    waits: str  # for how long


def _open_table(game: Game, seats: int, open: int, now: datetime) -> OpenTable:
    pace, waits = turnclock.pace_words(game), moments.length(now - game.created_at)
    return OpenTable(game.code or "", GAMES[game.kind].title, seats, open, pace, waits)


@pages.get("/privacy")
def privacy() -> ResponseReturnValue:
    """What is kept about people, in plain words; the numbers are those of the settings."""
    with db.reading() as session:
        known_as = session.exec(select(Person).where(col(Person.id).in_(visitor(session).people()))).all()
        return render_template(
            "privacy.html",
            keep=settings().keep,
            cookie_days=current_app.permanent_session_lifetime.days,
            operator=parseaddr(settings().operator or "")[0],
            operators_mail=settings().operators_mail,
            known_as=known_as,
        )


@pages.post("/sample")
def sample() -> ResponseReturnValue:
    """A game that has begun, for one person to try: four seats through the post office, or one against bots."""
    if not settings().post_office:
        abort(404)
    kind, bots = request.form.get("kind", ""), request.form.get("against") == "bots"
    if kind not in GAMES:
        abort(400)
    players = min(len(SAMPLE), GAMES[kind].players[-1])
    people = [(name, f"{name.lower()}@sample.example") for name, _ in SAMPLE[:players]]
    seats = [(name, None if bots and at else mail) for at, (name, mail) in enumerate(people)]
    game, key = _begin_sample(Plan(kind=kind, organiser=people[0], seats=seats, name=_("A sample game")))
    if bots:
        grant(key)
        return redirect(url_for("playing.table", public_id=game.public_id, no=0), 303)
    flash(_("The sample game has begun. Open a letter that says it is somebody's turn, and follow its link."), "good")
    return redirect(url_for("post_office.letters"), 303)


@outbox.transaction
def _begin_sample(session: Session, plan: Plan) -> tuple[Game, Link]:
    """The game with every seat taken, and a link to the first."""
    game = making.create(session, plan)
    seats = record.seats_of(session, game)
    for seat, (_name, zone) in zip(seats, SAMPLE, strict=False):
        if seat.person_id:
            person = session.get_one(Person, seat.person_id)
            person.zone = zone
            strangers.confirm(session, person)
            making.accept(session, game, seat, seat.name)
    return game, new_key(session, links.mint_seat(session, seats[0]))


@pages.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """What a phone needs to put "my games" on its home screen, from where alone some phones take pushes. There it has
    no buttons of a browser, so every page has a way on; and it may share nothing with the browser that holds the keys,
    so "my games" takes a link from a letter, too."""
    icons = [
        {"src": url_for("static", filename=name), "sizes": sizes, "type": kind, "purpose": purpose}
        for name, sizes, kind, purpose in ICONS
    ]
    told = {
        "id": url_for("mine.games"),
        "name": _("Hikyaku: my games"),
        "short_name": "Hikyaku",
        "lang": spoken().language,
        "start_url": url_for("mine.games"),
        "scope": "/",
        "display": "standalone",
        "theme_color": "#1f3a5f",
        "background_color": "#1f3a5f",
        "icons": icons,
    }
    return Response(json.dumps(told), content_type="application/manifest+json")


@pages.get("/rules/<kind>")
def rules(kind: str) -> ResponseReturnValue:
    return _told(kind, "{}.html")


@pages.get("/rules/<kind>/board.png")
def board(kind: str) -> ResponseReturnValue:
    """What it looks like: a position that built-in players have come to."""
    if kind not in GAMES:
        abort(404)
    try:
        drawn = _drawn(kind, spoken())
    except picture.NoPicture as error:
        log.warning("no picture of %s: %s", kind, error)
        abort(404)
    response = Response(drawn, content_type="image/png", headers={"Cache-Control": f"public, max-age={FRESH}"})
    response.add_etag()
    return response.make_conditional(request)


@lru_cache(64)
def _drawn(kind: str, speech: Speech) -> bytes:
    """Made once in a process; `speech` is what is spoken."""
    view = example.position(kind)
    return picture.of(kind, view, [name for name, _ in SAMPLE[: len(view["seats"])]])


@pages.get("/rules/<kind>/short")
def short(kind: str) -> ResponseReturnValue:
    """How it plays, in two minutes."""
    return _told(kind, "short.{}.html")


def _told(kind: str, file: str) -> ResponseReturnValue:
    """The page of rules of this name, in English where there is none in the reader's language."""
    if kind not in GAMES:
        abort(404)
    told_in: list[str | Template] = [
        f"titles/{kind}/rules/{file.format(code)}" for code in (spoken().language, ENGLISH)
    ]
    return render_template(told_in, title=GAMES[kind], box=GAMES[kind].load_box(None))


@pages.get("/titles/<kind>/style.css")
def style(kind: str) -> ResponseReturnValue:
    """What the boards of one title look like; linked only where that title is shown."""
    if kind not in GAMES:
        abort(404)
    return files.send(files.sheet_of(kind))


@pages.get("/titles/<kind>/table.css")
def table_style(kind: str) -> ResponseReturnValue:
    """The same with all else that a table needs."""
    if kind not in GAMES:
        abort(404)
    return files.send(*files.sheets_of(kind))
