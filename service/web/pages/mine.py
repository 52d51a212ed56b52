"""What is mine: the games this browser holds seats of, longest waiting first, and my settings."""

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select

from engine import GAMES
from service.db import db, utcnow
from service.models import Absence, Game, GameStatus, Letter, Person, Seat
from service.play import record, turnclock
from service.play.making import introduce
from service.play.reading import BadInput, zones
from service.post import language, letters, links, moments, outbox
from service.post.language import gettext as _
from service.web.access import open_person, open_seat, visitor
from service.web.pages.hours import REMINDERS, next_turn

pages = Blueprint("mine", __name__)


@pages.get("/my")
def games() -> ResponseReturnValue:
    now = utcnow()
    with db.reading() as session:
        who = visitor(session)
        held = session.exec(
            select(Seat, Game).join(Game, col(Game.id) == col(Seat.game_id)).where(col(Seat.id).in_(who.seat_ids()))
        ).all()
        organised = session.exec(
            select(Game).where(col(Game.id).in_(who.game_ids(links.ORGANISER)), col(Game.status) == GameStatus.INVITED)
        ).all()
        people = {
            p.id: p for p in session.exec(select(Person).where(col(Person.id).in_([s.person_id for s, _ in held])))
        }
    waiting: list[dict[str, Any]] = []
    running: list[dict[str, Any]] = []
    invited: list[dict[str, Any]] = []
    past: list[dict[str, Any]] = []
    for seat, game in held:
        row = {
            "seat": seat,
            "game": game,
            "title": GAMES[game.kind].title,
            "since": moments.length(now - seat.asked_at) if seat.asked_at else None,
            "deadline": moments.both(seat.deadline, people[seat.person_id or 0].zone) if seat.deadline else None,
            "moved": moments.ago(game.moved_at, now) if game.moved_at else None,
        }
        if game.status is GameStatus.INVITED:
            invited.append(row)
        elif game.status is GameStatus.RUNNING:
            (waiting if seat.asked is not None else running).append(row)
        else:
            past.append(row)
    waiting.sort(key=lambda row: row["seat"].asked_at)
    return render_template(
        "my.html", waiting=waiting, running=running, invited=invited, past=past, organised=organised, titles=GAMES
    )


@pages.get("/my/next")
def longest_waiting() -> ResponseReturnValue:
    """Take me to the game that has waited longest for me."""
    with db.reading() as session:
        waiting = session.exec(
            select(Seat, Game)
            .join(Game, col(Game.id) == col(Seat.game_id))
            .where(col(Seat.id).in_(visitor(session).seat_ids()), col(Seat.asked).is_not(None))
            .order_by(col(Seat.asked_at))
        ).all()
    found = next((row for row in waiting if not record.stranded(row[1])), None)
    if found is None:
        flash(_("No game waits for you."), "good")
        return redirect(url_for("mine.games"))
    seat, game = found
    return redirect(url_for("playing.table", public_id=game.public_id, no=seat.no))


@pages.get("/g/<public_id>/seat/<int:no>/settings")
def settings(public_id: str, no: int) -> ResponseReturnValue:
    return _settings_page(public_id, no, {})


def _settings_page(public_id: str, no: int, errors: dict[str, str]) -> str:
    with db.reading() as session:
        game, seat = open_seat(session, public_id, no)
        person = session.get_one(Person, seat.person_id)
        written = session.exec(
            select(Letter)
            .where(Letter.person_id == person.id, Letter.game_id == game.id)
            .order_by(col(Letter.id).desc())
            .limit(10)
        ).all()
        away = session.exec(select(Absence).where(Absence.seat_id == seat.id).order_by(col(Absence.first))).all()
    return render_template(
        "settings.html",
        game=game,
        title=GAMES[game.kind].title,
        seat=seat,
        person=person,
        zones=zones(),
        languages=language.names(),
        weekdays=moments.weekdays(),
        letters=written,
        away=away,
        orders=GAMES[game.kind].orders,
        reminders=REMINDERS,
        today=utcnow().date(),
        errors=errors,
    )


@pages.post("/g/<public_id>/seat/<int:no>/settings")
def change_settings(public_id: str, no: int) -> ResponseReturnValue:
    try:
        relaid = _introduce_again(public_id, no)
    except BadInput as error:
        return _settings_page(public_id, no, {error.field: str(error)}), 400
    flash(_("Saved.") if relaid else next_turn(), "good")
    return redirect(url_for("mine.settings", public_id=public_id, no=no), 303)


@db.transaction
def _introduce_again(session: Session, public_id: str, no: int) -> bool:
    _, seat, person = open_person(session, public_id, no)
    before = turnclock.rhythms_by_seat(session, person.id)
    introduce(session, person, seat, request.form)
    return turnclock.lay_out_again(session, person.id, before, utcnow(), turnclock.MOST_RELAID)


@pages.post("/g/<public_id>/seat/<int:no>/new-link")
def new_link(public_id: str, no: int) -> ResponseReturnValue:
    """My link got into the wrong hands: all links to this seat stop working, this browser's too, and a letter brings
    a new one."""
    _renew_links(public_id, no)
    flash(_("All links to this seat are void now, in this browser too. A letter with a new one is on its way."), "good")
    return redirect(url_for("mine.games"), 303)


@outbox.transaction
def _renew_links(session: Session, public_id: str, no: int) -> None:
    _, seat = open_seat(session, public_id, no, lock=True)
    links.revoke_seat(session, seat)
    outbox.write(session, letters.Links(seat.person_id, renewed=True))
