"""The moderator's desk: one game's, and all games that need somebody. A moderator sees the public view; anything more
is a ruling."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, delete, not_, or_, select

from engine import GAMES
from service.db import db, utcnow
from service.inbox import doubts, returns
from service.models import Complaint, Game, GameStatus, Letter, Link, Person, Reading, Remark, Ruling, Seat, Stage
from service.play import colours, deciding, hearing, holders, lateness, record, returning, talking, turnclock
from service.play.reading import BadInput
from service.play.rulings import Case
from service.post import envelope, hues, links, moments, outbox
from service.post.language import gettext as _
from service.post.told import in_words
from service.web import oneself, seen, voices
from service.web.access import Visitor, grant, look_on, new_key, open_all_desks, open_complaints, open_desk, open_offer
from service.web.attempts import NONE, Attempt, attempt
from service.web.motions import motions
from service.web.notices import back_to_form, say_at
from service.web.table import Told, lay, told_line

pages = Blueprint("desk", __name__)

AT_ONCE = 200
MOST_SAID = 50  # that stands at the desk
RECENTLY = timedelta(days=7)  # of messages that the operator is told of


@dataclass(frozen=True)
class Awaited:
    """Somebody a game waits for, in the list of all desks."""

    game: Game
    seat: Seat
    title: str
    late: str
    deadline: str
    over: bool  # the deadline has passed


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
    own: bool  # it is the moderator who has left it
    returned: str  # that letters to them come back, and why
    still: str  # that the clock of the open turn stands still for it


@pages.get("/desk")
def overview() -> ResponseReturnValue:
    """All games this moderator (or operator) looks after, those that need a decision first."""
    now = utcnow()
    with db.reading() as session:
        who = open_all_desks(session)
        rows = [_awaited(seat, game, who.zone, now) for seat, game in _waited_for(session, who)]
        complaints = _complaints(session) if who.operates else []
        unread = _came(session, Reading.UNREAD, who.zone, now) if who.operates else []
        doubted = _came(session, Reading.DOUBTED, who.zone, now) if who.operates else []
        unreached = returning.unreached(session, AT_ONCE) if who.operates else []
        reports = returns.lately(session, now - RECENTLY, AT_ONCE) if who.operates else []
    return render_template(
        "desks.html",
        rows=rows,
        operator=who.operates,
        complaints=complaints,
        unread=unread,
        doubted=doubted,
        unreached=unreached,
        reports=reports,
        zone=who.zone,
    )


def _waited_for(session: Session, who: Visitor) -> Sequence[tuple[Seat, Game]]:
    """Seats that have to play, those first about which something must be decided, and then by their deadlines. Two
    statements, each of which an index answers: an operator looks after all games there are."""
    query = select(Seat, Game).join(Game, col(Game.id) == col(Seat.game_id))
    query = query.where(col(Game.status) == GameStatus.RUNNING, col(Seat.asked).is_not(None))
    if not who.operates:
        query = query.where(col(Game.id).in_(who.game_ids(links.DESK)))
    out_of_time, in_trouble = col(Seat.stage) == Stage.DESK, col(Seat.trouble) != ""
    urgent = query.where(or_(out_of_time, in_trouble))
    urgent = urgent.order_by(out_of_time.desc(), in_trouble.desc(), col(Seat.deadline)).limit(AT_ONCE)
    others = query.where(not_(out_of_time), not_(in_trouble)).order_by(col(Seat.deadline))
    first = session.exec(urgent).all()
    return [*first, *session.exec(others.limit(AT_ONCE - len(first)))]


def _awaited(seat: Seat, game: Game, zone: str, now: datetime) -> Awaited:
    return Awaited(
        game=game,
        seat=seat,
        title=GAMES[game.kind].title,
        late=seat.trouble or lateness.words_for(game, seat, now),
        deadline=moments.both(seat.deadline, zone) if seat.deadline and game.paused_at is None else "",
        over=seat.deadline is not None and seat.deadline <= now,
    )


@dataclass(frozen=True)
class Came:
    """A message that came in by mail and was not followed, and why; what it says is for nobody else to read."""

    id: int
    at: datetime
    why: str


def _came(session: Session, became: Reading, zone: str, now: datetime) -> list[Came]:
    return [
        Came(row.id, row.created_at, envelope.without_addresses(in_words(row.note, zone, [])) if row.note else "")
        for row in doubts.lately(session, became, now - RECENTLY)
    ]


@dataclass(frozen=True)
class Complained:
    """A letter that somebody calls abuse: about which game it was, and who had it written."""

    complaint: Complaint
    game: Game
    title: str
    organiser: Person


def _complaints(session: Session) -> list[Complained]:
    found = session.exec(
        select(Complaint, Game, Person)
        .join(Game, col(Game.id) == col(Complaint.game_id))
        .join(Person, col(Person.id) == col(Game.organiser_id))
        .order_by(col(Complaint.at).desc())
        .limit(AT_ONCE)
    )
    return [Complained(complaint, game, GAMES[game.kind].title, organiser) for complaint, game, organiser in found]


@pages.post("/desk/complaints/<int:complaint_id>")
def settle(complaint_id: int) -> ResponseReturnValue:
    """The operator has seen to it."""
    _settle(complaint_id)
    return redirect(url_for("desk.overview"), 303)


@db.transaction
def _settle(session: Session, complaint_id: int) -> None:
    open_complaints(session)
    session.execute(delete(Complaint).where(col(Complaint.id) == complaint_id))


@pages.post("/desk/unreached/<int:person_id>")
def write_again(person_id: int) -> ResponseReturnValue:
    """The operator knows that mail to them works again, or wants to see whether it does."""
    _write_again(person_id)
    return redirect(url_for("desk.overview"), 303)


@outbox.transaction
def _write_again(session: Session, person_id: int) -> None:
    open_complaints(session)
    if session.get(Person, person_id) is not None:
        returning.reach(session, record.lock_person(session, person_id), utcnow(), again=True)


@pages.get("/g/<public_id>/desk")
def desk(public_id: str) -> ResponseReturnValue:
    return desk_page(public_id)


def desk_page(public_id: str, tried: Attempt = NONE, text: str = "", to: str = "") -> str:
    """With a ruling that was tried, or with what could not be said and to whom, for another try."""
    now = utcnow()
    with db.reading() as session:
        game, moderator = open_desk(session, public_id)
        sitting = seen.sitting_with_letters(session, game)
        hues.wear(colours.of([seat for seat, _, _ in sitting]))
        seats = [seat for seat, _person, _letter in sitting]
        history = seen.rulings(session, game)
        talk = _talk(session, game, moderator, seats, [ruling for ruling, _decided in history], now)
        return render_template(
            "desk.html",
            game=game,
            title=GAMES[game.kind].title,
            moderator=moderator,
            plays=any(seat.person_id == moderator.id for seat in seats),
            rows=[_row(session, game, moderator, *row, now) for row in sitting],
            seats=seats,
            proposals=motions(session, game, seats, moderator),
            addressees=[(talking.as_addressee(s), s.name) for s in seats if s.person_id not in (None, moderator.id)],
            talk=talk,
            unheard=sum(told.said.new for told in talk if told.said),
            offers=deciding.offered(Case(session, game, moderator, now, {})),
            history=history,
            stamp=deciding.stamp(session, game),
            attempt=tried,
            unwritten=outbox.unwritten(session, Letter.game_id == game.id),
            stranded=game.status is GameStatus.RUNNING and record.stranded(game) is not None,
            text=text[: talking.LONGEST * 2],
            to=to,
        )


def _talk(
    session: Session, game: Game, moderator: Person, seats: list[Seat], decided: Sequence[Ruling], now: datetime
) -> list[Told]:
    """What was said, newest first; of what is hidden, what it was, so that it can be shown again."""
    own = next((seat for seat in seats if seat.person_id == moderator.id), None)
    lines = hearing.lately(session, game, hearing.moderator(game, plays=own is not None), seats, MOST_SAID)
    new = voices.unheard_at_desk(moderator, lines, decided, own.moved_version if own else None)
    reader = look_on(session, game)
    return [_line(told_line(reader, line, now, new), line.remark, moderator, now) for line in reversed(lines)]


def _line(told: Told, remark: Remark, moderator: Person, now: datetime) -> Told:
    mine = remark.person_id == moderator.id
    said = replace(told.said, mine=mine, fresh=mine and talking.is_fresh(remark, now)) if told.said else None
    return replace(told, said=said, hidden_text=remark.text)


def _row(
    session: Session,
    game: Game,
    moderator: Person,
    seat: Seat,
    person: Person | None,
    letter: Letter | None,
    now: datetime,
) -> Row:
    runs = game.paused_at is None
    return Row(
        seat=seat,
        person=person,
        local=moments.clock_time(now, person.zone) if person else "",
        city=moments.city(person.zone) if person else "",
        deadline=moments.both(seat.deadline, person.zone if person else "UTC") if seat.deadline and runs else "",
        late=seat.trouble or lateness.words_for(game, seat, now),
        decide_by=seat.due_at if seat.stage is Stage.DESK and runs else None,
        letter=letter,
        reserve=_reserve(session, game, seat, now),
        own=holders.has_left(session, seat, moderator.id),
        returned=returning.words_for(person),
        still=returning.words_of_the_clock(game, seat, moderator.zone, now),
    )


def _reserve(session: Session, game: Game, seat: Seat, now: datetime) -> str:
    """What is left of it at this moment; nothing is said in a game that knows none."""
    if not game.pace["reserve"] or game.status is GameStatus.INVITED:
        return ""
    left = timedelta(seconds=seat.reserve)
    if seat.soft_at is not None:
        left = turnclock.left_of(game, seat, turnclock.rhythm_of(session, seat).hours, now).reserve
    return _("%(length)s of reserve", length=moments.clock_span(left)) if left else _("no reserve left")


@pages.post("/g/<public_id>/desk/<name>")
def ruling(public_id: str, name: str) -> ResponseReturnValue:
    def enter(session: Session, form: dict[str, str]) -> Case:
        game, moderator = open_desk(session, public_id, lock=True)
        return Case(session, game, moderator, utcnow(), form)

    tried = attempt(name, enter)
    if not tried.done:
        return desk_page(public_id, tried), tried.status
    if name == "open-view":
        with db.reading() as session:
            game, _moderator = open_desk(session, public_id)
            table = lay(session, look_on(session, game), through=int(tried.form["seat"]))
            return render_template("table.html", **table.shown())
    say_at("rulings", tried.done)
    return back_to_form(url_for("desk.desk", public_id=public_id))


# --- somebody takes over


@pages.get("/g/<public_id>/offer/<int:no>")
def offer(public_id: str, no: int) -> ResponseReturnValue:
    with db.reading() as session:
        game, seat, person = open_offer(session, public_id, no)
        table = lay(session, look_on(session, game))
        return render_template("offer.html", offered=seat, person=person, **table.shown())


@pages.get("/g/<public_id>/offer/<int:no>/take")
def take(public_id: str, no: int) -> ResponseReturnValue:
    """Whoever takes over says the same of themselves as everybody who accepts a seat."""
    with db.reading() as session:
        return _take_page(session, public_id, no, {})


def _take_page(session: Session, public_id: str, no: int, errors: dict[str, str]) -> str:
    game, seat, person = open_offer(session, public_id, no)
    return render_template(
        "take.html",
        game=game,
        title=GAMES[game.kind].title,
        seat=seat,
        **oneself.fields(person, errors),
    )


@pages.post("/g/<public_id>/offer/<int:no>")
def answer_offer(public_id: str, no: int) -> ResponseReturnValue:
    if request.form.get("answer") != "accept":
        _decline_offer(public_id, no)
        flash(_("You have declined. Thank you for looking."), "good")
        return redirect(url_for("start.home"), 303)
    try:
        _introduce(public_id, no)
        person, key = _accept_offer(public_id, no)
    except BadInput as error:
        with db.reading() as session:
            return _take_page(session, public_id, no, error.errors), 400
    grant(key)
    flash(_("The seat is yours, %(name)s.", name=person.name), "good")
    return redirect(url_for("playing.table", public_id=public_id, no=no), 303)


@db.transaction
def _introduce(session: Session, public_id: str, no: int) -> None:
    person = open_offer(session, public_id, no)[2]
    record.lock_all_of(session, person.id)
    oneself.keep(session, person)


@outbox.transaction
def _accept_offer(session: Session, public_id: str, no: int) -> tuple[Person, Link]:
    game, seat, person = open_offer(session, public_id, no, lock=True)
    holders.take_over(session, game, seat, person)
    return person, new_key(session, links.mint_seat(session, seat))


@outbox.transaction
def _decline_offer(session: Session, public_id: str, no: int) -> None:
    game, seat, person = open_offer(session, public_id, no, lock=True)
    holders.decline_offer(session, game, seat, person)
