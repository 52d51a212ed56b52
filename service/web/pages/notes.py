"""A player's own notes: a page, and the form that lies beside the board too. A page that is out of date overwrites
nothing: whoever wrote is shown both, and says what stays."""

from flask import Blueprint, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import GAMES
from service.db import db, utcnow
from service.models import Note
from service.play import notes
from service.play.reading import BadInput
from service.post.language import gettext as _
from service.web.access import open_seat

pages = Blueprint("notes", __name__)


@pages.get("/g/<public_id>/seat/<int:no>/notes")
def page(public_id: str, no: int) -> ResponseReturnValue:
    return _page(public_id, no)


def _page(public_id: str, no: int, mine: str | None = None, error: str = "") -> str:
    """`mine` is what was written and is not kept."""
    with db.reading() as session:
        game, seat = open_seat(session, public_id, no)
        note = notes.of(session, seat)
        title = GAMES[game.kind].title
        return render_template("notes.html", game=game, seat=seat, title=title, note=note, mine=mine, error=error)


@pages.post("/g/<public_id>/seat/<int:no>/notes")
def keep(public_id: str, no: int) -> ResponseReturnValue:
    text, quietly = request.form.get("text", ""), request.accept_mimetypes.best == "application/json"
    try:
        note = _keep(public_id, no, text)
    except notes.OutOfDate:
        if quietly:
            return jsonify(kept=False), 409
        return _page(public_id, no, mine=text), 409
    except BadInput as error:
        if quietly:
            return jsonify(kept=False, why=str(error)), 400
        return _page(public_id, no, mine=text, error=str(error)), 400
    if quietly:
        return jsonify(kept=True, revision=note.revision)
    flash(_("Your notes are kept."), "good")
    return redirect(url_for("playing.table", public_id=public_id, no=no, pane="notes"), 303)


@db.transaction
def _keep(session: Session, public_id: str, no: int, text: str) -> Note:
    seat = open_seat(session, public_id, no, lock=True)[1]
    return notes.keep(session, seat, text, request.form.get("revision", -1, type=int), utcnow())
