"""Leaving a game that is under way: what that means, asked once more, and done."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import GAMES
from service.db import db, utcnow
from service.models import Game, GameStatus
from service.play import leaving, record
from service.play.reading import BadInput
from service.post import outbox
from service.post.language import gettext as _
from service.web.access import open_seat

pages = Blueprint("leaving", __name__)


@pages.get("/g/<public_id>/seat/<int:no>/leave")
def ask(public_id: str, no: int) -> ResponseReturnValue:
    with db.reading() as session:
        game, seat = open_seat(session, public_id, no)
        if game.status is not GameStatus.RUNNING:
            return redirect(url_for("playing.game", public_id=public_id))
        others = [other for other in record.seats_of(session, game) if other.id != seat.id]
        return render_template(
            "leave.html", game=game, title=GAMES[game.kind].title, seat=seat, last=all(other.bot for other in others)
        )


@pages.post("/g/<public_id>/seat/<int:no>/leave")
def leave(public_id: str, no: int) -> ResponseReturnValue:
    try:
        game = _leave(public_id, no)
    except BadInput as error:
        flash(str(error), "warn")
        return redirect(url_for("playing.game", public_id=public_id), 303)
    if game.status is GameStatus.FINISHED:
        flash(_("You have left, and so the game has ended without a result."), "good")
    else:
        flash(_("You have left the game, and the others are told. Thank you for saying so."), "good")
    return redirect(url_for("mine.games"), 303)


@outbox.transaction
def _leave(session: Session, public_id: str, no: int) -> Game:
    game, seat = open_seat(session, public_id, no, lock=True)
    leaving.resign(session, game, seat, utcnow())
    return game
