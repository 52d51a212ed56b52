"""A player's own time: quiet hours and days off, days away, the wish for a pause, and the calendar of deadlines."""

from zoneinfo import ZoneInfo

from flask import Blueprint, Response, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select

from engine import GAMES, BadOptions
from service.db import db, utcnow
from service.models import Absence, Game, GameStatus, Seat
from service.play import absences, pausing, turnclock
from service.play.reading import BadInput
from service.post import calendar, links, outbox
from service.post.language import gettext as _
from service.post.language import marked, ngettext
from service.web import forms
from service.web.access import open_calendar, open_own, open_person, open_seat, settings
from service.web.notices import back_to_form, say_at

pages = Blueprint("hours", __name__)


def _back(public_id: str, no: int) -> ResponseReturnValue:
    return back_to_form(url_for("mine.settings", public_id=public_id, no=no))


@pages.post("/g/<public_id>/seat/<int:no>/hours")
def change_hours(public_id: str, no: int) -> ResponseReturnValue:
    try:
        relaid = _keep_hours(public_id, no)
    except BadInput as error:
        say_at("hours", str(error), "warn")
        return _back(public_id, no)
    say_at("hours", _("Saved. Running turns never get shorter by this.") if relaid else next_turn())
    return _back(public_id, no)


@db.transaction
def _keep_hours(session: Session, public_id: str, no: int) -> bool:
    _, _, person = open_person(session, public_id, no)
    quiet, days_off = forms.read_quiet(request.form), forms.read_days_off(request.form)
    before = turnclock.rhythms_by_seat(session, person.id)
    person.quiet_from, person.quiet_to = quiet
    person.days_off = days_off
    person.remind_at = [float(value) for value in request.form.getlist("remind") if value in REMINDERS]
    session.add(person)
    return turnclock.lay_out_again(session, person.id, before, utcnow(), turnclock.MOST_RELAID)


def next_turn() -> str:
    return ngettext(
        "Saved. Your running turn was laid out for other hours %(num)s time already, so it keeps its deadline; "
        "the new hours count from your next turn.",
        "Saved. Your running turn was laid out for other hours %(num)s times already, so it keeps its deadline; "
        "the new hours count from your next turn.",
        turnclock.MOST_RELAID,
    )


REMINDERS = {
    "0.75": marked("three quarters"),
    "0.5": marked("half"),
    "0.25": marked("a quarter"),
    "0.1667": marked("a sixth"),
}


@pages.post("/g/<public_id>/seat/<int:no>/orders")
def give_orders(public_id: str, no: int) -> ResponseReturnValue:
    """Answers in advance to out-of-turn questions; only this player ever sees them."""
    try:
        _keep_orders(public_id, no)
    except BadOptions:
        say_at("orders", _("Please choose the orders from the list."), "warn")
        return _back(public_id, no)
    say_at("orders", _("Your standing orders are kept. Nobody else can see them."))
    return _back(public_id, no)


@db.transaction
def _keep_orders(session: Session, public_id: str, no: int) -> None:
    game, seat = open_seat(session, public_id, no, lock=True)
    declared = GAMES[game.kind].orders
    given = {order.id: request.form.get(order.id, order.default) for order in declared}
    seat.orders = GAMES[game.kind].read_orders(given)
    session.add(seat)


@pages.post("/g/<public_id>/seat/<int:no>/away")
def go_away(public_id: str, no: int) -> ResponseReturnValue:
    """Announce days away, within the game's yearly budget."""
    try:
        _announce(public_id, no)
    except BadInput as error:
        say_at("away", str(error), "warn")
        return _back(public_id, no)
    say_at("away", _("The others can see that you are away, and your clock stands still on those days."))
    return _back(public_id, no)


@db.transaction
def _announce(session: Session, public_id: str, no: int) -> None:
    game, seat, person = open_person(session, public_id, no)
    first, last = forms.read_date(request.form, "first"), forms.read_date(request.form, "last")
    known = [(a.first, a.last) for a in session.exec(select(Absence).where(Absence.seat_id == seat.id))]
    today = utcnow().astimezone(ZoneInfo(person.zone)).date()
    used = absences.days_used(known, today.year)
    absences.check(known, first, last, today, game.away_days, used)
    before = turnclock.rhythms_by_seat(session, person.id)
    session.add(Absence(seat_id=seat.id, first=first, last=last))
    session.flush()
    turnclock.lay_out_again(session, person.id, before, utcnow())


@pages.post("/g/<public_id>/seat/<int:no>/back")
def come_back(public_id: str, no: int) -> ResponseReturnValue:
    """Take back days away that have not begun."""
    found = _take_back(public_id, no)
    say_at("away", _("Taken back.") if found else _("Those days are not announced any more."))
    return _back(public_id, no)


@db.transaction
def _take_back(session: Session, public_id: str, no: int) -> bool:
    _, seat, _ = open_person(session, public_id, no)
    absence = session.get(Absence, request.form.get("absence", 0, type=int))
    if absence is None or absence.seat_id != seat.id:
        return False
    session.delete(absence)
    return True


@pages.post("/g/<public_id>/seat/<int:no>/pause")
def vote(public_id: str, no: int) -> ResponseReturnValue:
    """I want a pause (or, in a pause, to go on); it happens when all want it."""
    try:
        said = _vote(public_id, no)
    except BadInput as error:
        said = str(error)
    say_at("pause", said)
    return _back(public_id, no)


@outbox.transaction
def _vote(session: Session, public_id: str, no: int) -> str:
    game, seat = open_seat(session, public_id, no, lock=True)
    return pausing.vote(session, game, seat, request.form.get("wants") == "yes", utcnow())


@pages.post("/g/<public_id>/seat/<int:no>/calendar")
def make_calendar(public_id: str, no: int) -> ResponseReturnValue:
    _mint_calendar(public_id, no)
    say_at("calendar", _("Your new calendar address stands below. It shows your deadlines to whoever has it."))
    return _back(public_id, no)


@db.transaction
def _mint_calendar(session: Session, public_id: str, no: int) -> None:
    _, _, person = open_own(session, public_id, no)
    links.mint_calendar(session, person)


@pages.get("/c/<token>.ics")
def my_calendar(token: str) -> ResponseReturnValue:
    with db.reading() as session:
        person = open_calendar(session, token)
        found = session.exec(
            select(Seat, Game)
            .join(Game, col(Game.id) == col(Seat.game_id))
            .where(Seat.person_id == person.id, col(Seat.asked).is_not(None), Game.status == GameStatus.RUNNING)
        ).all()
    dues = [
        calendar.Due(
            uid=f"{game.public_id}-{seat.no}-{seat.asked}",
            title=_("Your turn: %(game)s", game=", ".join(filter(None, (GAMES[game.kind].title, game.name)))),
            url=f"{settings().base_url}/g/{game.public_id}/seat/{seat.no}",
            start=seat.asked_at,
            deadline=seat.deadline,
        )
        for seat, game in found
        if seat.asked_at and seat.deadline
    ]
    return Response(calendar.feed("Hikyaku", dues, utcnow()), content_type="text/calendar; charset=utf-8")
