"""A friendly reminder to whoever thinks, from somebody who waits."""

from flask import Blueprint, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from service.db import utcnow
from service.play import nudging, record
from service.play.reading import BadInput
from service.post import outbox
from service.post.language import gettext as _
from service.web.access import open_seat

pages = Blueprint("nudging", __name__)


@pages.post("/g/<public_id>/seat/<int:no>/nudge")
def nudge(public_id: str, no: int) -> ResponseReturnValue:
    try:
        name, today = _nudge(public_id, no)
        if today:
            flash(_("%(name)s is reminded, and told that you ask.", name=name), "good")
        else:
            flash(
                _("%(name)s was reminded today. The next reminder, tomorrow, says that you ask, too.", name=name),
                "good",
            )
    except BadInput as error:
        flash(str(error), "warn")
    return redirect(url_for("playing.table", public_id=public_id, no=no), 303)


@outbox.transaction
def _nudge(session: Session, public_id: str, no: int) -> tuple[str, bool]:
    game, me = open_seat(session, public_id, no, lock=True)
    whom, _dot, asked = request.form.get("whom", "").partition(".")
    seats = record.seats_of(session, game)
    seat = next((seat for seat in seats if str(seat.no) == whom and seat.id != me.id), None)
    if seat is None or not (asked.isascii() and asked.isdecimal()):
        raise BadInput(_("Nobody like that sits here."))
    return seat.name, nudging.nudge(session, game, me, seat, int(asked[:9]), utcnow())
