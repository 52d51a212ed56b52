"""The moderator's desk: one game's, and all games that need somebody. A moderator sees the public view; anything more
is a ruling."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, func, select

from engine import GAMES
from service.db import db, utcnow
from service.models import Game, GameStatus, Letter, Link, Person, Ruling, Seat, Stage
from service.play import holders, lateness, record
from service.play.reading import BadInput
from service.play.rulings import RULINGS, Case, preview, rule
from service.play.rulings import Ruling as Kind
from service.post import links, moments, outbox
from service.post.language import gettext as _
from service.post.told import Told, in_words
from service.web import seen
from service.web.access import grant, look_on, new_key, open_all_desks, open_desk, open_offer
from service.web.notices import back_to_form, say_at
from service.web.table import lay

pages = Blueprint("desk", __name__)

AT_ONCE = 200


@dataclass(frozen=True)
class Awaited:
    """Somebody a game waits for, in the list of all desks."""

    game: Game
    seat: Seat
    title: str
    late: str
    deadline: str


@dataclass(frozen=True)
class Row:
    """One player, as the moderator of their game sees them."""

    seat: Seat
    person: Person | None
    local: str  # what time it is where they are
    city: str
    deadline: str
    late: str
    decide_by: datetime | None
    letter: Letter | None  # the last one to them
    reserve: str


@pages.get("/desk")
def overview() -> ResponseReturnValue:
    """All games this moderator (or operator) looks after, those that need a decision first."""
    now = utcnow()
    with db.reading() as session:
        who = open_all_desks(session)
        query = select(Seat, Game).join(Game, col(Game.id) == col(Seat.game_id))
        query = query.where(col(Game.status) == GameStatus.RUNNING, col(Seat.asked).is_not(None))
        if not who.operates:
            query = query.where(col(Game.id).in_(who.game_ids(links.DESK)))
        urgent = (col(Seat.stage) == Stage.DESK).desc(), (col(Seat.trouble) != "").desc()
        found = session.exec(query.order_by(*urgent, col(Seat.deadline)).limit(AT_ONCE)).all()
    rows = [
        Awaited(
            game=game,
            seat=seat,
            title=GAMES[game.kind].title,
            late=seat.trouble or lateness.words_for(seat, now),
            deadline=moments.both(seat.deadline, "UTC") if seat.deadline else "",
        )
        for seat, game in found
    ]
    return render_template("desks.html", rows=rows, operator=who.operates)


@pages.get("/g/<public_id>/desk")
def desk(public_id: str) -> ResponseReturnValue:
    with db.reading() as session:
        game, moderator = open_desk(session, public_id)
        return _desk_page(session, game, moderator)


def _desk_page(session: Session, game: Game, moderator: Person, **more: Any) -> str:
    now = utcnow()
    rulings = session.exec(select(Ruling).where(Ruling.game_id == game.id).order_by(col(Ruling.id).desc()).limit(50))
    return render_template(
        "desk.html",
        game=game,
        title=GAMES[game.kind].title,
        moderator=moderator,
        rows=[_row(*sitting, now) for sitting in seen.sitting_with_letters(session, game)],
        kinds=RULINGS.values(),
        history=rulings.all(),
        stamp=stamp(session, game),
        unwritten=outbox.unwritten(session, Letter.game_id == game.id),
        stranded=game.status is GameStatus.RUNNING and record.stranded(game) is not None,
        **{"chosen": None, "preview": None, "error": None, "form": {}, "stale": False} | more,
    )


def _row(seat: Seat, person: Person | None, letter: Letter | None, now: datetime) -> Row:
    return Row(
        seat=seat,
        person=person,
        local=moments.clock_time(now, person.zone) if person else "",
        city=moments.city(person.zone) if person else "",
        deadline=moments.both(seat.deadline, person.zone if person else "UTC") if seat.deadline else "",
        late=seat.trouble or lateness.words_for(seat, now),
        decide_by=seat.due_at if seat.stage is Stage.DESK else None,
        letter=letter,
        reserve=moments.clock_span(timedelta(seconds=seat.reserve)) if seat.reserve else _("nothing"),
    )


@pages.post("/g/<public_id>/desk/<name>")
def ruling(public_id: str, name: str) -> ResponseReturnValue:
    """First a preview of exactly what will happen, then, confirmed, the ruling itself."""
    kind = RULINGS.get(name)
    if kind is None:
        say_at("rulings", _("There is no such ruling. Nothing was changed."), "warn")
        return back_to_form(url_for("desk.desk", public_id=public_id))
    form = {key: value for key, value in request.form.items() if key != "csrf_token"}
    if "confirmed" not in form:
        return _preview(public_id, name, form)
    try:
        said = _rule(public_id, kind, form)
    except Stale:
        return _preview(public_id, name, form, stale=True)
    except BadInput as error:
        with db.reading() as session:
            game, moderator = open_desk(session, public_id)
            return _desk_page(session, game, moderator, chosen=name, error=str(error), form=form), 400
    if name == "open-view":
        with db.reading() as session:
            game, _moderator = open_desk(session, public_id)
            table = lay(session, look_on(session, game), through=int(form["seat"]))
            return render_template("table.html", **table.shown())
    say_at("rulings", said)
    return back_to_form(url_for("desk.desk", public_id=public_id))


class Stale(Exception):
    """The preview was about an earlier moment. Nothing was ruled."""


@outbox.transaction
def _rule(session: Session, public_id: str, kind: Kind, form: dict[str, str]) -> str:
    game, moderator = open_desk(session, public_id, lock=True)
    if form.get("stamp") != stamp(session, game):
        raise Stale
    effect = rule(Case(session, game, moderator, utcnow(), form), kind)
    return in_words(effect, moderator.zone, [seat.name for seat in record.seats_of(session, game)])


def stamp(session: Session, game: Game) -> str:
    """What a preview was about. A ruling is confirmed only while it is still so: a second click rules nothing twice."""
    last = session.exec(select(func.max(Ruling.id)).where(Ruling.game_id == game.id)).one()
    return f"{game.version}-{last or 0}"


def _preview(public_id: str, name: str, form: dict[str, str], *, stale: bool = False) -> ResponseReturnValue:
    said = error = None
    try:
        said = _play_out(public_id, RULINGS[name], form)
    except BadInput as wrong:
        error = str(wrong)
    with db.reading() as session:
        game, moderator = open_desk(session, public_id)
        page = _desk_page(session, game, moderator, chosen=name, preview=said, error=error, form=form, stale=stale)
    return page, 400 if error else 200


@db.transaction
def _play_out(session: Session, public_id: str, kind: Kind, form: dict[str, str]) -> Told:
    """What the ruling would do: played out under the game's lock, and thrown away."""
    game, moderator = open_desk(session, public_id, lock=True)
    said = preview(Case(session, game, moderator, utcnow(), form), kind)
    session.rollback()
    return said


# --- somebody takes over


@pages.get("/g/<public_id>/offer/<int:no>")
def offer(public_id: str, no: int) -> ResponseReturnValue:
    with db.reading() as session:
        game, seat, person = open_offer(session, public_id, no)
        table = lay(session, look_on(session, game))
        return render_template("offer.html", offered=seat, person=person, **table.shown())


@pages.post("/g/<public_id>/offer/<int:no>")
def answer_offer(public_id: str, no: int) -> ResponseReturnValue:
    if request.form.get("answer") != "accept":
        _decline_offer(public_id, no)
        flash(_("You have declined. Thank you for looking."), "good")
        return redirect(url_for("start.home"), 303)
    person, key = _accept_offer(public_id, no)
    grant(key)
    flash(_("The seat is yours, %(name)s.", name=person.name), "good")
    return redirect(url_for("playing.table", public_id=public_id, no=no), 303)


@outbox.transaction
def _accept_offer(session: Session, public_id: str, no: int) -> tuple[Person, Link]:
    game, seat, person = open_offer(session, public_id, no, lock=True)
    holders.take_over(session, game, seat, person)
    return person, new_key(session, links.mint_seat(session, seat))


@db.transaction
def _decline_offer(session: Session, public_id: str, no: int) -> None:
    _, seat, _ = open_offer(session, public_id, no, lock=True)
    seat.offered_to = None
    session.add(seat)
