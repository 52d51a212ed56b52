"""The same people once more: a page with a button, for whoever held a seat at the end. GET changes nothing."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import GAMES
from service.db import db, utcnow
from service.models import Game, GameStatus, Link, Person, Seat
from service.play import colours, rematch, turnclock
from service.play.reading import BadInput
from service.post import hues, links, outbox
from service.post.language import gettext as _
from service.web.access import grant, new_key, open_own, open_seat, settings
from service.web.pages.making import closed, read_code

pages = Blueprint("rematch", __name__)


@pages.get("/g/<public_id>/seat/<int:no>/rematch")
def page(public_id: str, no: int) -> ResponseReturnValue:
    with db.reading() as session:
        game, seat = open_seat(session, public_id, no)
        if game.status is not GameStatus.FINISHED:
            return redirect(url_for("playing.table", public_id=public_id, no=no))
        return _page(session, game, seat, {})


def _page(session: Session, game: Game, seat: Seat, errors: dict[str, str]) -> str:
    asked_by, seats = rematch.asked_by(session, game), rematch.rotated(session, game)
    hues.wear(colours.of(seats))
    return render_template(
        "rematch.html",
        game=game,
        title=GAMES[game.kind].title,
        seat=seat,
        seats=seats,
        pace=turnclock.pace_words(game),
        possible=rematch.is_possible(game, utcnow()),
        until=rematch.until(game),
        zone=session.get_one(Person, seat.person_id).zone,
        asked_by=asked_by,
        seated=rematch.has_said_yes(session, game, seat.person_id),
        asks_for_code=settings().tables == "code" and not asked_by,
        errors=errors,
    )


@pages.post("/g/<public_id>/seat/<int:no>/rematch")
def ask(public_id: str, no: int) -> ResponseReturnValue:
    try:
        if not _is_made(public_id, no):
            if shut := closed():
                return shut
            read_code()
        again, seat, keys = _ask(public_id, no)
    except BadInput as error:
        with db.reading() as session:
            game, seat = open_seat(session, public_id, no)
            return _page(session, game, seat, error.errors or {"rematch": str(error)}), 400
    for key in keys:
        grant(key)
    flash(_("You are in. The others are invited, and we write when it begins."), "good")
    return redirect(url_for("playing.table", public_id=again.public_id, no=seat.no), 303)


def _is_made(public_id: str, no: int) -> bool:
    with db.reading() as session:
        game, _seat, _person = open_own(session, public_id, no)
        return rematch.made(session, game) is not None


@outbox.transaction
def _ask(session: Session, public_id: str, no: int) -> tuple[Game, Seat, list[Link]]:
    """The rematch, the seat of whoever asks, and the keys that they have come by in any case: of their own seat, and
    if they are the first, of the organiser's page."""
    open_seat(session, public_id, no, lock=True)
    game, _seat, person = open_own(session, public_id, no)
    again, seat = rematch.ask(session, settings(), game, person, utcnow())
    keys = [new_key(session, links.mint_seat(session, seat))]
    if again.organiser_id == person.id:
        keys.append(new_key(session, links.mint_organiser(session, again)))
    return again, seat, keys
