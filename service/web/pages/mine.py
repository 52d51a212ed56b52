"""What is mine: the games this browser has a part in, what waits first, and my settings."""

from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, or_, select

from engine import GAMES
from service.db import db, utcnow
from service.models import Absence, Answer, Game, GameStatus, Letter, Moderator, Person, Seat, SeatStatus, Stage
from service.play.reading import BadInput
from service.post import bells, hooks, language, letters, links, moments, outbox, wishes
from service.post.language import gettext as _
from service.post.language import marked
from service.post.wishes import Wish
from service.web import access, forms, oneself, seen
from service.web.access import Visitor, open_own, open_person, open_seat, open_self, visitor
from service.web.notices import back_to_form, say_at
from service.web.pages.hours import REMINDERS, next_turn

pages = Blueprint("mine", __name__)

ABOUT = {  # what letters are about that somebody may not want
    Wish.TURNS: marked("your turns"),
    Wish.REMINDERS: marked("reminders"),
    Wish.OVER: marked("how it ended"),
    Wish.NEWS: marked("news of the game"),
    Wish.TALK: marked("what is said to you"),
}


@dataclass(frozen=True)
class Row:
    """A game in the list, through one seat of it."""

    seat: Seat
    game: Game
    title: str
    since: str  # how long it has waited for me
    deadline: str
    moved: str
    others: str  # who else plays


@dataclass(frozen=True)
class Care:
    """A game in the list that this browser looks after, organises or watches."""

    game: Game
    title: str
    players: str
    waits: str = ""  # why it waits for a decision


@pages.get("/my")
def games() -> ResponseReturnValue:
    now = utcnow()
    with db.reading() as session:
        who = visitor(session)
        held = session.exec(
            select(Seat, Game, Person)
            .join(Game, col(Game.id) == col(Seat.game_id))
            .join(Person, col(Person.id) == col(Seat.person_id))
            .where(col(Seat.id).in_(who.seat_ids()))
            .order_by(col(Seat.asked_at), col(Seat.id))
        ).all()
        desks = _cared_for(session, _desks(session, who, Answer.ACCEPTED), GameStatus.RUNNING)
        asked = _cared_for(session, _desks(session, who, Answer.ASKED), GameStatus.RUNNING, GameStatus.INVITED)
        gathering = _cared_for(session, who.game_ids(links.ORGANISER), GameStatus.MADE, GameStatus.INVITED)
        organised = _cared_for(session, who.game_ids(links.ORGANISER), GameStatus.RUNNING)
        watched = _cared_for(session, who.game_ids(links.WATCH), *GameStatus)
        known_as = session.exec(select(Person).where(col(Person.id).in_(who.people()))).all()
        names = _names(session, [game.id for seat, game, person in held])
    rows = [_row(seat, game, names[game.id], person.zone, now) for seat, game, person in held]
    running = [row for row in rows if row.game.status is GameStatus.RUNNING]
    invited = [row for row in rows if row.game.status is GameStatus.INVITED]
    return render_template(
        "my.html",
        waiting=[row for row in running if row.seat.asked is not None],
        to_decide=[care for care in desks if care.waits],
        to_answer=[row for row in invited if row.seat.status is SeatStatus.INVITED],
        running=[row for row in running if row.seat.asked is None],
        invited=[row for row in invited if row.seat.status is not SeatStatus.INVITED],
        past=[row for row in rows if row.game.status in (GameStatus.FINISHED, GameStatus.CANCELLED)],
        desks=[care for care in desks if not care.waits],
        asked=asked,
        gathering=gathering,
        organised=organised,
        watched=watched,
        operator=who.operates,
        known_as=known_as,
        has_keys=who.has_keys,
    )


@pages.post("/my/forget")
def forget() -> ResponseReturnValue:
    """On a machine that others use too: this browser holds nothing any more. Nobody is needed who may do that."""
    _silence(access.remembered_bells())
    access.forget_browser()
    return redirect(url_for("mine.forgotten"), 303)


@db.transaction
def _silence(session: Session, bell_ids: list[int]) -> None:
    bells.remove_browsers(session, bell_ids)


@pages.get("/my/forgotten")
def forgotten() -> ResponseReturnValue:
    return redirect(url_for("mine.games")) if access.holds_grants() else render_template("forgotten.html")


def _desks(session: Session, who: Visitor, answer: Answer) -> list[int]:
    """The games that whoever looks is asked to look after, or does, by the links this browser holds."""
    rows = select(Moderator).where(col(Moderator.game_id).in_(who.game_ids(links.DESK)), Moderator.status == answer)
    return [row.game_id for row in session.exec(rows) if who.sits_at_desk(row)]


def _cared_for(session: Session, ids: list[int], *status: GameStatus) -> list[Care]:
    """These games as far as they stand so, with what has to be decided in them."""
    found = select(Game).where(col(Game.id).in_(ids), col(Game.status).in_(status))
    games = session.exec(found.order_by(col(Game.created_at).desc())).all()
    late: dict[int, list[str]] = {}
    out_of_time = or_(col(Seat.stage) == Stage.DESK, col(Seat.trouble) != "")
    for seat in session.exec(select(Seat).where(col(Seat.game_id).in_([game.id for game in games]), out_of_time)):
        late.setdefault(seat.game_id, []).append(seat.name)
    names = _names(session, [game.id for game in games])
    return [
        Care(
            game,
            title=GAMES[game.kind].title,
            players=language.listed(names[game.id].values()),
            waits=_waits(game, late.get(game.id, [])),
        )
        for game in games
    ]


def _waits(game: Game, late: list[str]) -> str:
    if game.silent_since is not None:
        return _("nobody plays any more")
    return _("out of time: %(names)s", names=language.listed(late)) if late else ""


def _names(session: Session, games: list[int]) -> dict[int, dict[int, str]]:
    """Who plays in these games, by seat."""
    names: dict[int, dict[int, str]] = {game: {} for game in games}
    for seat in session.exec(select(Seat).where(col(Seat.game_id).in_(games)).order_by(col(Seat.no))):
        names[seat.game_id][seat.id] = seat.name
    return names


def _row(seat: Seat, game: Game, names: dict[int, str], zone: str, now: datetime) -> Row:
    return Row(
        seat=seat,
        game=game,
        title=GAMES[game.kind].title,
        since=moments.length(now - seat.asked_at) if seat.asked_at else "",
        deadline=moments.both(seat.deadline, zone) if seat.deadline and game.paused_at is None else "",
        moved=moments.ago(game.moved_at, now) if game.moved_at else "",
        others=language.listed(name for other, name in names.items() if other != seat.id),
    )


@pages.get("/my/next")
def longest_waiting() -> ResponseReturnValue:
    """Take me to the game that has waited longest for me, other than the one I come from."""
    person_id = request.args.get("who", type=forms.row_id)
    with db.reading() as session:
        who = visitor(session)
        seats = who.seat_ids() if person_id is None else who.seats_of(person_id)
        found = seen.waiting_longest(session, seats, request.args.get("after", ""))
    if found is None:
        flash(_("No game waits for you."), "good")
        return redirect(url_for("mine.games"))
    seat, game = found
    return redirect(url_for("playing.table", public_id=game.public_id, no=seat.no))


@pages.post("/g/<public_id>/seat/<int:no>/stay")
def stay(public_id: str, no: int) -> ResponseReturnValue:
    """I was taken on to another game after sending a turn here, and do not want that."""
    _stay(public_id, no)
    flash(_("From now on you stay at the table after sending. Your settings can change that again."), "good")
    return redirect(url_for("playing.table", public_id=public_id, no=no), 303)


@db.transaction
def _stay(session: Session, public_id: str, no: int) -> None:
    _game, _seat, person = open_own(session, public_id, no)
    person.stays = True
    session.add(person)


@pages.get("/g/<public_id>/seat/<int:no>/settings")
def settings(public_id: str, no: int) -> ResponseReturnValue:
    return _settings_page(public_id, no, {})


def _settings_page(public_id: str, no: int, errors: dict[str, str]) -> str:
    with db.reading() as session:
        game, seat, person = open_own(session, public_id, no)
        written = session.exec(
            select(Letter)
            .where(Letter.person_id == person.id, Letter.game_id == game.id)
            .order_by(col(Letter.id).desc())
            .limit(10)
        ).all()
        calendar = links.calendar_of(session, person)
        unwanted = wishes.unwanted(session, person, game.id)
        table_bells = bells.kinds_at_table(session, game.id)
        away = session.exec(select(Absence).where(Absence.person_id == person.id).order_by(col(Absence.first))).all()
    return render_template(
        "settings.html",
        game=game,
        title=GAMES[game.kind].title,
        seat=seat,
        weekdays=moments.weekdays(),
        letters=written,
        unwanted=[_(about) for wish, about in ABOUT.items() if wish in unwanted],
        kinds=len(Wish),
        visible=bool(unwanted & {Wish.TURNS, Wish.NEWS}),
        table_bells=[hooks.NAMES[kind] for kind in table_bells],
        away=away,
        orders=GAMES[game.kind].orders,
        reminders=REMINDERS,
        today=utcnow().date(),
        calendar=f"{access.settings().base_url}/c/{calendar}.ics" if calendar else None,
        **oneself.fields(person, errors),
    )


@pages.post("/g/<public_id>/seat/<int:no>/settings")
def change_settings(public_id: str, no: int) -> ResponseReturnValue:
    try:
        relaid = _introduce_again(public_id, no)
    except BadInput as error:
        return _settings_page(public_id, no, error.errors), 400
    say_at("me", _("Saved.") if relaid else next_turn())
    return back_to_form(url_for("mine.settings", public_id=public_id, no=no))


@db.transaction
def _introduce_again(session: Session, public_id: str, no: int) -> bool:
    _, seat, person = open_person(session, public_id, no)
    return oneself.keep(session, person, seat)


@pages.get("/my/settings/<int:who>")
def oneself_page(who: int) -> ResponseReturnValue:
    return _oneself_page(who, {})


def _oneself_page(who: int, errors: dict[str, str]) -> str:
    with db.reading() as session:
        return render_template("oneself.html", **oneself.fields(open_self(session, who), errors))


@pages.post("/my/settings/<int:who>")
def change_oneself(who: int) -> ResponseReturnValue:
    """What is somebody's own, whether they play or not: at the desk and for letters it counts too."""
    try:
        relaid = _keep_oneself(who)
    except BadInput as error:
        return _oneself_page(who, error.errors), 400
    say_at("me", _("Saved.") if relaid else next_turn())
    return back_to_form(url_for("mine.oneself_page", who=who))


@db.transaction
def _keep_oneself(session: Session, who: int) -> bool:
    return oneself.keep(session, open_self(session, who, lock=True))


@pages.post("/g/<public_id>/seat/<int:no>/letters")
def write_again(public_id: str, no: int) -> ResponseReturnValue:
    """I want the letters about this game after all."""
    _want_letters(public_id, no)
    say_at("letters", _("Letters are on again."))
    return back_to_form(url_for("mine.settings", public_id=public_id, no=no))


@db.transaction
def _want_letters(session: Session, public_id: str, no: int) -> None:
    game, _, person = open_own(session, public_id, no)
    wishes.start_again(session, person, game.id)


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
