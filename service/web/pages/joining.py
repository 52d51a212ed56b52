"""Open seats: the page behind a join link or a code, and the one behind the letter that it sends. GET changes nothing,
and nobody sits before they have come by their letter."""

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import GAMES
from service import limits
from service.db import db
from service.models import Game, Link, Person, Seat
from service.play import colours, joining, record, turnclock
from service.play.reading import BadInput, read_all, read_mail, read_name, read_zone, zones
from service.post import hues, links, outbox
from service.post.language import gettext as _
from service.web import oneself
from service.web.access import grant, new_key, open_joining

pages = Blueprint("joining", __name__)


@pages.get("/join")
def ask_code() -> ResponseReturnValue:
    """For those who were told a code, and have no link."""
    typed = request.args.get("code", "")
    if not typed.strip():
        return render_template("code.html", typed="", error="")
    return redirect(url_for("joining.table", code=joining.read_code(typed) or "-"))


@pages.get("/join/<code>")
def table(code: str) -> ResponseReturnValue:
    limits.count_visitor("joins")  # before it is looked at, or who guesses would still see which one is right
    with db.reading() as session:
        return _table_page(session, code, {}, {})


@pages.post("/join/<code>")
def ask(code: str) -> ResponseReturnValue:
    limits.count_visitor("joins")
    try:
        said = read_all(
            name=lambda: read_name(request.form.get("name", "")),
            mail=lambda: read_mail(request.form.get("mail", "")),
            zone=lambda: read_zone(request.form.get("zone", "")),
        )
        asked = _ask(code, **said)
    except BadInput as error:
        with db.reading() as session:
            return _table_page(session, code, request.form, error.errors, status=400)
    with db.reading() as session:
        return _table_page(session, code, {}, {}, asked=said["mail"] if asked else "")


@outbox.transaction
def _ask(session: Session, code: str, name: str, mail: str, zone: str) -> bool:
    game = joining.find(session, joining.read_code(code))
    if game is None or not joining.open_seats(record.seats_of(session, game)):
        return False
    joining.ask(session, game, name, mail, zone)
    return True


def _table_page(
    session: Session, code: str, values: Any, errors: dict[str, str], *, asked: str = "", status: int = 200
) -> ResponseReturnValue:
    game = joining.find(session, joining.read_code(code))
    if game is None:
        error = _("No table with open seats has this code. Please look at it once more, or ask who gave it to you.")
        return render_template("code.html", typed=code, error=error), 404
    page = render_template(
        "join.html", values=values, errors=errors, asked=asked, zones=zones(), **_about(session, game)
    )
    return page, status


def _about(session: Session, game: Game) -> dict[str, Any]:
    """What a stranger sees of a table: no address, and nobody but those who sit there."""
    seats = record.seats_of(session, game)
    hues.wear(colours.of(seats))
    return {
        "game": game,
        "title": GAMES[game.kind].title,
        "seats": seats,
        "open_seats": len(joining.open_seats(seats)),
        "organiser": session.get_one(Person, game.organiser_id),
        "pace": turnclock.pace_words(game),
    }


@pages.get("/g/<public_id>/join")
def confirm_page(public_id: str) -> ResponseReturnValue:
    with db.reading() as session:
        return _confirm_page(session, *open_joining(session, public_id), {})


def _confirm_page(session: Session, game: Game, person: Person, errors: dict[str, str]) -> str:
    seats = record.seats_of(session, game)
    own = next((seat for seat in seats if seat.person_id == person.id), None)
    free = colours.free(seats)
    return render_template("sit.html", own=own, colours=free, **_about(session, game), **oneself.fields(person, errors))


@pages.post("/g/<public_id>/join")
def sit(public_id: str) -> ResponseReturnValue:
    try:
        seat, key = _sit(public_id)
    except BadInput as error:
        with db.reading() as session:
            game, person = open_joining(session, public_id)
            return _confirm_page(session, game, person, error.errors or {"seat": str(error)}), 400
    grant(key)
    flash(_("You are in. The organiser is told, and we write when it begins."), "good")
    return redirect(url_for("playing.table", public_id=public_id, no=seat.no), 303)


@outbox.transaction
def _sit(session: Session, public_id: str) -> tuple[Seat, Link]:
    game, person = open_joining(session, public_id, lock=True)
    oneself.keep(session, person)
    wish = colours.read_wish(record.seats_of(session, game), None, request.form.get("colour", ""))
    seat = joining.sit(session, game, person, wish)
    return seat, new_key(session, links.mint_seat(session, seat))
