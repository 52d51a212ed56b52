"""Talk at the table. GET changes nothing: what was said is read on the table's own pages."""

from flask import Blueprint, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from service.db import db, utcnow
from service.play import talking
from service.play.reading import BadInput
from service.post.language import gettext as _
from service.web import forms
from service.web.access import open_seat

pages = Blueprint("talking", __name__)


@pages.post("/g/<public_id>/seat/<int:no>/say")
def say(public_id: str, no: int) -> ResponseReturnValue:
    try:
        _say(public_id, no)
    except BadInput as error:
        flash(str(error), "warn")
    return _back(public_id, no)


@db.transaction
def _say(session: Session, public_id: str, no: int) -> None:
    game, seat = open_seat(session, public_id, no)
    talking.say(session, game, seat, request.form.get("text", ""), utcnow())


@pages.post("/g/<public_id>/seat/<int:no>/unsay")
def unsay(public_id: str, no: int) -> ResponseReturnValue:
    if not _unsay(public_id, no):
        flash(_("That was said too long ago to be taken back."), "warn")
    return _back(public_id, no)


@db.transaction
def _unsay(session: Session, public_id: str, no: int) -> bool:
    seat = open_seat(session, public_id, no)[1]
    return talking.take_back(session, seat, request.form.get("remark", 0, type=forms.row_id), utcnow())


def _back(public_id: str, no: int) -> ResponseReturnValue:
    return redirect(url_for("playing.table", public_id=public_id, no=no, pane="story"), 303)
