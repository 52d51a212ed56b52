"""Talk at the table, in the gallery and from the desk. GET changes nothing: what was said is read on the table's own
pages. What cannot be said is shown again with the reason, so that nobody has to write it twice."""

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from service.db import db, utcnow
from service.limits import TooMany
from service.models import Audience, Game, Remark, Seat
from service.play import hearing, record, talking
from service.play.reading import BadInput, read_name
from service.post import outbox
from service.post.language import gettext as _
from service.web import forms, gallery
from service.web.access import open_desk, open_gallery, open_game, open_seat
from service.web.notices import back_to_form, say_at
from service.web.pages.desk import desk_page
from service.web.table import lay, show, with_words

pages = Blueprint("talking", __name__)


def _text() -> str:
    return request.form.get("text", "")


def _remark_id() -> int:
    return request.form.get("remark", 0, type=forms.row_id)


def _refusal(error: BadInput | TooMany) -> str:
    if isinstance(error, BadInput):
        return str(error)
    return _("You have said a lot in this hour. Please wait a little: this was said to nobody.")


# --- players


@pages.post("/g/<public_id>/seat/<int:no>/say")
def say(public_id: str, no: int) -> ResponseReturnValue:
    try:
        _say(public_id, no)
    except (BadInput, TooMany) as error:
        flash(_refusal(error), "warn")
        return _table_again(public_id, no), 400
    return _back(public_id, no, to=request.form.get("to", ""))


@outbox.transaction
def _say(session: Session, public_id: str, no: int) -> None:
    game, seat = open_seat(session, public_id, no, lock=True)
    _must_have_begun(game)
    talking.say(session, game, seat, _text(), utcnow(), request.form.get("to", "all"))


def _must_have_begun(game: Game) -> None:
    if game.saved is None:
        raise BadInput(_("The game has not begun yet."))


def _table_again(public_id: str, no: int | None) -> str:
    """The table with what was written, for another try."""
    with db.reading() as session:
        reader = open_game(session, public_id, no)
        if reader.game.saved is None:
            abort(400)
        reader = reader if no is not None else reader.from_outside()
        return show("table.html", with_words(lay(session, reader), _text(), request.form.get("to", "")))


@pages.post("/g/<public_id>/seat/<int:no>/unsay")
def unsay(public_id: str, no: int) -> ResponseReturnValue:
    if not _unsay(public_id, no):
        flash(_("That was said too long ago to be taken back."), "warn")
    return _back(public_id, no)


@db.transaction
def _unsay(session: Session, public_id: str, no: int) -> bool:
    game, seat = open_seat(session, public_id, no, lock=True)
    assert seat.person_id is not None
    return talking.take_back(session, _remark_id(), seat.person_id, game, utcnow())


@pages.post("/g/<public_id>/seat/<int:no>/mute")
def mute(public_id: str, no: int) -> ResponseReturnValue:
    """Somebody, or all talk; and the other way round."""
    whom = _mute(public_id, no)
    if whom is not None:
        flash(whom, "good")
    return _back(public_id, no)


@db.transaction
def _mute(session: Session, public_id: str, no: int) -> str | None:
    game, seat = open_seat(session, public_id, no, lock=True)
    hear = "hear" in request.form
    whom = request.form.get("hear") or request.form.get("mute") or ""
    if whom == "all":
        talking.mute(session, seat, None, hear=hear)
        return _("You hear what is said again.") if hear else _("You hear no talk here, until you want to again.")
    other = _seat_no(record.seats_of(session, game), whom)
    if other is None or other.person_id is None or other.id == seat.id:
        return None
    talking.mute(session, seat, other.person_id, hear=hear)
    if hear:
        return _("You hear %(name)s again.", name=other.name)
    return _("You do not hear %(name)s any more, and nobody is told.", name=other.name)


def _seat_no(seats: list[Seat], no: str) -> Seat | None:
    return next((seat for seat in seats if str(seat.no) == no), None)


def _back(public_id: str, no: int, to: str = "") -> ResponseReturnValue:
    """Whoever has talked to one alone goes on to do so, until they choose otherwise."""
    again = to if to not in ("", "all") else None
    return redirect(url_for("playing.table", public_id=public_id, no=no, pane="talk", to=again), 303)


# --- those who look on


@pages.post("/g/<public_id>/watch/say")
def say_outside(public_id: str) -> ResponseReturnValue:
    try:
        remark = _say_outside(public_id)
    except (BadInput, TooMany) as error:
        flash(_refusal(error), "warn")
        return _table_again(public_id, None), 400
    gallery.remember(remark.called, remark.id)
    return redirect(url_for("playing.watch", public_id=public_id, pane="talk"), 303)


@db.transaction
def _say_outside(session: Session, public_id: str) -> Remark:
    game = open_gallery(session, public_id, lock=True)
    _must_have_begun(game)
    return talking.say_outside(session, game, read_name(request.form.get("called", "")), _text(), utcnow())


@pages.post("/g/<public_id>/watch/unsay")
def unsay_outside(public_id: str) -> ResponseReturnValue:
    if not _unsay_outside(public_id):
        flash(_("That was said too long ago to be taken back."), "warn")
    return redirect(url_for("playing.watch", public_id=public_id, pane="talk"), 303)


@db.transaction
def _unsay_outside(session: Session, public_id: str) -> bool:
    game = open_gallery(session, public_id, lock=True)
    remark = session.get(Remark, _remark_id())
    if remark is None or remark.game_id != game.id or remark.audience is not Audience.OUTSIDE:
        return False
    if remark.id not in gallery.said_here() or not talking.is_fresh(remark, utcnow()):
        return False
    session.delete(remark)
    return True


# --- the desk


@pages.post("/g/<public_id>/desk/say")
def say_from_desk(public_id: str) -> ResponseReturnValue:
    try:
        _say_from_desk(public_id)
    except (BadInput, TooMany) as error:
        say_at("talk", _refusal(error), "bad")
        return desk_page(public_id, text=_text(), to=request.form.get("to", "")), 400
    say_at("talk", _("That is said."))
    return back_to_form(url_for("desk.desk", public_id=public_id))


@outbox.transaction
def _say_from_desk(session: Session, public_id: str) -> None:
    game, moderator = open_desk(session, public_id, lock=True)
    _must_have_begun(game)
    talking.say_from_desk(session, game, moderator, _text(), utcnow(), request.form.get("to", "all"))


@pages.post("/g/<public_id>/desk/hide")
def hide(public_id: str) -> ResponseReturnValue:
    """And shown again; or the moderator's own line, taken back."""
    try:
        done = _hide(public_id)
        say_at("talk", done)
    except BadInput as error:
        say_at("talk", str(error), "bad")
    return back_to_form(url_for("desk.desk", public_id=public_id))


@db.transaction
def _hide(session: Session, public_id: str) -> str:
    game, moderator = open_desk(session, public_id, lock=True)
    remark = session.get(Remark, _remark_id())
    plays = any(seat.person_id == moderator.id for seat in record.seats_of(session, game))
    heard = hearing.moderator(game, plays=plays).audiences
    if remark is None or remark.game_id != game.id or remark.audience not in heard:
        raise BadInput(_("There is no such line. Nothing was changed."))
    if "unsay" in request.form:
        if not talking.take_back(session, remark.id, moderator.id, game, utcnow()):
            raise BadInput(_("That was said too long ago to be taken back."))
        return _("You have taken it back.")
    if "show" in request.form:
        talking.show_again(session, game, remark, moderator)
        return _("It is shown again, and that stands in the log.")
    talking.hide(session, game, remark, moderator, request.form.get("reason", ""))
    return _("It is hidden, and that stands in the log with your name and the reason.")
