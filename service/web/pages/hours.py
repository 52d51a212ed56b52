"""A player's own time: quiet hours and days off, days away, and the calendar of deadlines."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select

from engine import GAMES, BadOptions
from service.db import db, utcnow
from service.models import Absence, Game, GameStatus, Person, Seat
from service.play import absences, turnclock
from service.play.reading import BadInput
from service.post import calendar, links
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

    def change() -> None:
        person.quiet_from, person.quiet_to = quiet
        person.days_off = days_off
        person.remind_at = [float(value) for value in request.form.getlist("remind") if value in REMINDERS]

    return turnclock.change_hours(session, person, change)


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
        short = _announce(public_id, no)
    except BadInput as error:
        say_at("away", str(error), "warn")
        return _back(public_id, no)
    said = _("The others can see that you are away, and your clock stands still on those days, in all your games.")
    say_at("away", " ".join([said, *(_only(game, days) for game, days in short)]))
    return _back(public_id, no)


def _only(game: Game, days: int) -> str:
    name = game.name or GAMES[game.kind].title
    if not days:
        return _("In %(game)s none of them counts: its budget is used up.", game=name)
    return ngettext(
        "In %(game)s only the first %(num)s day counts: then its budget is used up.",
        "In %(game)s only the first %(num)s days count: then its budget is used up.",
        days,
        game=name,
    )


@db.transaction
def _announce(session: Session, public_id: str, no: int) -> list[tuple[Game, int]]:
    """Returns the games of theirs in which not all of these days count, and how many do."""
    person = open_person(session, public_id, no)[2]
    first, last = forms.read_date(request.form, "first"), forms.read_date(request.form, "last")
    known = [(a.first, a.last) for a in session.exec(select(Absence).where(Absence.person_id == person.id))]
    absences.check(known, first, last, _today(person))
    before = turnclock.rhythms_by_seat(session, person.id)
    session.add(Absence(person_id=person.id, first=first, last=last))
    session.flush()
    turnclock.lay_out_absences(session, person.id, before, utcnow())
    known.append((first, last))
    theirs = select(Seat.game_id).where(Seat.person_id == person.id)
    playing = select(Game).where(col(Game.id).in_(theirs), Game.status == GameStatus.RUNNING)
    counted = [
        (game, absences.days_counted(known, game.away_days, first, last))
        for game in session.exec(playing.order_by(col(Game.id))).all()
    ]
    return [(game, days) for game, days in counted if days < absences.days_of(first, last)]


def _today(person: Person) -> date:
    return utcnow().astimezone(ZoneInfo(person.zone)).date()


@pages.post("/g/<public_id>/seat/<int:no>/back")
def come_back(public_id: str, no: int) -> ResponseReturnValue:
    """Take back days away; one that has begun ends with today."""
    found = _take_back(public_id, no)
    say_at("away", _("Taken back.") if found else _("Those days are not announced any more."))
    return _back(public_id, no)


@db.transaction
def _take_back(session: Session, public_id: str, no: int) -> bool:
    person = open_person(session, public_id, no)[2]
    absence = session.get(Absence, request.form.get("absence", 0, type=forms.row_id))
    if absence is None or absence.person_id != person.id:
        return False
    before = turnclock.rhythms_by_seat(session, person.id)
    if left := absences.cut_short(absence.first, absence.last, _today(person)):
        absence.last = left[1]
        session.add(absence)
    else:
        session.delete(absence)
    session.flush()
    turnclock.lay_out_absences(session, person.id, before, utcnow())
    return True


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
        alarms = {seat.id: _alarms(session, game, seat) for seat, game in found}
    dues = [
        calendar.Due(
            uid=f"{game.public_id}-{seat.no}-{seat.asked}",
            title=_("Your turn: %(game)s", game=", ".join(filter(None, (GAMES[game.kind].title, game.name)))),
            url=f"{settings().base_url}/g/{game.public_id}/seat/{seat.no}",
            start=seat.asked_at,
            deadline=seat.deadline,
            alarms=alarms[seat.id],
        )
        for seat, game in found
        if seat.asked_at and seat.deadline and game.paused_at is None
    ]
    return Response(calendar.feed("Hikyaku", dues, utcnow()), content_type="text/calendar; charset=utf-8")


def _alarms(session: Session, game: Game, seat: Seat) -> tuple[datetime, ...]:
    """When a letter would remind them; those that have rung do not ring again in a program that reads this only now."""
    now, reminders = utcnow(), turnclock.reminders_of(game, seat, turnclock.rhythm_of(session, seat))
    return tuple(sorted(at for _, at in reminders if at > now))
