"""Making a game: the form, the invitations, the organiser's page."""

import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass, replace
from typing import Any

import segno
from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask import session as cookie
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session
from werkzeug.datastructures import FileStorage

from engine import GAMES
from service import limits
from service.db import db, utcnow
from service.models import Game, GameStatus, Letter, Link, Person, Seat, SeatStatus
from service.play import (
    colours,
    holders,
    joining,
    leaving,
    making,
    manner,
    moderators,
    record,
    relocating,
    returning,
    turnclock,
)
from service.play.clocks import PACES
from service.play.reading import BadInput, zones
from service.post import hues, links, outbox
from service.post.language import gettext as _
from service.web import forms, oneself, seen
from service.web.access import (
    grant,
    new_key,
    open_invitation,
    open_organiser,
    open_organisers_page,
    open_seat,
    settings,
    visitor,
)
from service.web.notices import back_to_form, say_at

pages = Blueprint("making", __name__)


@pages.get("/new")
def new() -> ResponseReturnValue:
    if shut := closed():
        return shut
    cookie.setdefault("browser", secrets.token_urlsafe(16))
    values = {"kind": request.args.get("kind", ""), "sheet": secrets.token_urlsafe(16)}
    return _form(values | forms.NEW_GAME, {})


@pages.post("/new")
def create() -> ResponseReturnValue:
    if shut := closed():
        return shut
    try:
        read_code()
        plan = forms.read_plan(request.form, _component_file())
        limits.count_visitor("tables")
        game, seat, keys = _make(plan)
    except BadInput as error:
        return _form(request.form, error.errors), 400
    for key in keys:  # the browser that made the game is the organiser's
        grant(key)
    if seat is not None and game.status is GameStatus.RUNNING:
        return redirect(url_for("playing.table", public_id=game.public_id, no=seat.no), 303)
    if game.status is not GameStatus.MADE:
        flash(_("The game is made, and the invitations are on their way."), "good")
    return redirect(url_for("making.organise", public_id=game.public_id), 303)


def closed() -> ResponseReturnValue | None:
    """The operator may have closed the making of games; whoever is asked to play in one is not concerned."""
    who_may = settings().tables
    with db.reading() as session:
        known = visitor(session).has_opened_a_letter
    if who_may == "nobody" or (who_may == "known" and not known):
        return make_response(render_template("closed.html", who_may=who_may), 403)
    return None


def read_code() -> None:
    if settings().tables != "code":
        return
    limits.count_visitor("codes")  # before it is looked at, or who guesses would still see which one is right
    code = settings().code or ""
    if not hmac.compare_digest(request.form.get("code", "").strip().encode(), code.encode()):
        said = _("This is not the code. Whoever runs this service gives it to those who may make games.")
        raise BadInput(said, "code")


def _component_file() -> FileStorage | None:
    """Reading one is work, so it is done for those we know."""
    file = request.files.get("components")
    if file is None or not file.filename:
        return None
    with db.reading() as session:
        if not visitor(session).has_opened_a_letter:
            said = _("Please make a game without it first and confirm it: component files are for people we know.")
            raise BadInput(said, "components")
    limits.count_visitor("components")
    return file


Made = tuple[Game, Seat | None, list[Link]]


def _make(plan: making.Plan) -> Made:
    try:
        return _make_once(plan)
    except IntegrityError:  # the same form, sent twice at once: the other one has made the game by now
        return _make_once(plan)


@outbox.transaction
def _make_once(session: Session, plan: making.Plan) -> Made:
    """The game, the seat that the organiser has taken by making it, and the keys to both."""
    mail = plan.organiser[1]
    organiser = relocating.person_at(session, mail)
    known = visitor(session).is_known_as(organiser.id if organiser else None)
    here = known or organiser is None or _has_made_them(session, organiser)
    if known and organiser:
        limits.count("games", organiser.id)
    confirmed = known or settings().smtp is None  # letters that stay here trouble nobody
    game = making.create(session, replace(plan, present=here, confirmed=confirmed, sheet=_sheet(mail)))
    keys = [new_key(session, links.mint_organiser(session, game, mailed=known))]
    seat = next((seat for seat in record.seats_of(session, game) if seat.person_id == game.organiser_id), None)
    own = None
    if seat and here and seat.status is SeatStatus.ACCEPTED:
        own = new_key(session, links.mint_seat(session, seat, mailed=known))
    elif seat:
        own = links.unmailed(session, seat)  # the same form was sent before
    return game, seat if own else None, [*keys, own] if own else keys


def _has_made_them(session: Session, organiser: Person) -> bool:
    """Nobody has ever opened a letter of theirs, and it was this browser that first gave their address."""
    return organiser.confirmed_at is None and visitor(session).holds_any_of(organiser.id)


def _sheet(mail: str) -> str | None:
    """The same form, from the same browser, with the same address. What is made from it opens to nobody else."""
    number, browser = request.form.get("sheet", ""), cookie.get("browser")
    if not number or not browser:
        return None
    return hashlib.sha256(json.dumps([browser, number, mail]).encode()).hexdigest()


def _form(values: Any, errors: dict[str, str]) -> str:
    return render_template(
        "new.html",
        titles=GAMES.values(),
        values=values,
        errors=errors,
        most_seats=forms.most_seats(),
        paces=PACES,
        zones=zones(),
        asks_for_code=settings().tables == "code",
        colours=colours.free([]),
        lists=settings().open_tables,
    )


@dataclass(frozen=True)
class Row:
    """A seat as the organiser sees it, and the last letter to whoever is to sit there."""

    seat: Seat
    mail: str  # if it is the organiser who has typed it: nobody else sees it
    letter: Letter | None
    offered: str  # who is asked to take over
    own: bool  # it is the organiser who has left it
    returned: str  # that letters to them come back, and why


@pages.get("/g/<public_id>/organise")
def organise(public_id: str) -> ResponseReturnValue:
    with db.reading() as session:
        game = open_organisers_page(session, public_id)
        rows = [_row(session, game, *row) for row in seen.sitting_with_letters(session, game)]
        seats = [row.seat for row in rows]
        hues.wear(colours.of(seats))
        accepted = [seat for seat in seats if seat.status is SeatStatus.ACCEPTED]
        fewer = (
            len(accepted) < len(seats)
            and len(accepted) in GAMES[game.kind].players
            and any(not seat.bot for seat in accepted)
        )
        return render_template(
            "organise.html",
            unwritten=outbox.unwritten(session, Letter.game_id == game.id),
            game=game,
            title=GAMES[game.kind].title,
            rows=rows,
            fewer=fewer,
            organiser=_known_organiser(session, game),
            watched=links.can_be_watched(session, game),
            moderators=[moderator.name for moderator in moderators.of(session, game)],
            asked=making.asked(session, game),
            made_by=session.get_one(Person, game.organiser_id),
            days=settings().keep.unconfirmed,
            begins=game.on_word and len(accepted) == len(seats),
            again=[seat.name for seat in making.to_ask_again(game, seats)],
            lists=settings().open_tables,
            manners=_manners(session, game, seats, game.organiser_id),
            **_way_in(game),
        )


def _manners(session: Session, game: Game, seats: list[Seat], reader: int | None) -> dict[int, manner.Manner]:
    """How those play whom the reader is about to play with."""
    return manner.of_table(session, seats, reader) if game.status is GameStatus.INVITED else {}


def _way_in(game: Game) -> dict[str, Any]:
    """How others find the open seats: a link, the code in it, and both as a picture for a phone."""
    if game.code is None or game.status is not GameStatus.INVITED:
        return {"join": "", "code": "", "qr": ""}
    where = settings().base_url + url_for("joining.table", code=game.code)
    picture = segno.make(where, error="m", micro=False)
    drawn = picture.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None)
    return {"join": where, "code": joining.shown(game.code), "qr": Markup(drawn)}


def _row(session: Session, game: Game, seat: Seat, person: Person | None, letter: Letter | None) -> Row:
    return Row(
        seat,
        mail=(person.mail or "") if person and seat.typed_by == game.organiser_id else "",
        letter=letter,
        offered=session.get_one(Person, seat.offered_to).name if seat.offered_to else "",
        own=holders.has_left(session, seat, game.organiser_id),
        returned=returning.words_for(person),
    )


def _known_organiser(session: Session, game: Game) -> Person | None:
    """The organiser, if this browser has opened a letter of theirs: their own settings open with that only."""
    known = visitor(session).is_known_as(game.organiser_id)
    return session.get_one(Person, game.organiser_id) if known else None


# Where on the page it is said what came of a deed; all others are about a seat.
PLACES = {
    "cancel": "begin",
    "start": "begin",
    "watch": "watch",
    "moderator": "people",
    "hand-over": "people",
    "list": "open",
    "new-code": "open",
}


@pages.post("/g/<public_id>/organise/confirm")
def confirm(public_id: str) -> ResponseReturnValue:
    """The organiser's yes. It comes through the letter to their address, so this browser gets their seat as well: the
    game may have been made in another."""
    if own := _confirm(public_id):
        grant(own)
    say_at("confirm", _("Thank you. The game is confirmed."))
    return back_to_form(url_for("making.organise", public_id=public_id))


@outbox.transaction
def _confirm(session: Session, public_id: str) -> Link | None:
    game, organiser = open_organiser(session, public_id, lock=True)
    if organiser.confirmed_at and game.status is not GameStatus.MADE:
        return None  # nothing was left to confirm
    making.confirm(session, game)
    taken = [seat for seat in record.seats_of(session, game) if seat.status is SeatStatus.ACCEPTED]
    seat = next((seat for seat in taken if seat.person_id == organiser.id), None)
    return new_key(session, links.mint_seat(session, seat)) if seat else None


@pages.post("/g/<public_id>/organise/<deed>")
def act(public_id: str, deed: str) -> ResponseReturnValue:
    """What an organiser can do before the game has begun, and the spectators' link at any time."""
    place = PLACES.get(deed, f"seat-{request.form.get('seat', '')}")
    try:
        say_at(place, _do(public_id, deed))
    except BadInput as error:
        say_at("seats" if error.field == "seat" else place, str(error), "warn")
    return back_to_form(url_for("making.organise", public_id=public_id))


@outbox.transaction
def _do(session: Session, public_id: str, deed: str) -> str:
    game = open_organisers_page(session, public_id, lock=True)
    if deed == "cancel":
        making.cancel(session, game)
        return _("The game is called off, and everybody invited is told.")
    if deed == "start":
        making.start_with_fewer(session, game)
        if game.status is GameStatus.INVITED:
            return _("Some took their seats days ago, and are asked once more. It begins when they have said yes.")
        return _("The game has begun with those who accepted.")
    if deed == "watch":
        links.revoke_watch(session, game)
        token = links.mint_watch(session, game)
        return _("The link for spectators: %(url)s", url=f"{settings().base_url}/l/{token}")
    if deed == "list":
        making.list_table(session, game, wanted="listed" in request.form and settings().open_tables)
        listed = _("The table is in the list of open tables now.")
        return listed if game.listed else _("The table is not in the list of open tables.")
    if deed == "new-code":
        joining.new_code(session, game)
        return _("There is a new code. The old one, and its link, lead nowhere any more.")
    name, mail = request.form.get("name", ""), request.form.get("mail", "")
    if deed == "moderator":
        person = making.ask_moderator(session, game, name, mail)
        return _("%(name)s is asked to look after the game.", name=person.name)
    if deed == "hand-over":
        person = making.hand_over(session, game, name, mail)
        return _("%(name)s is asked to be the organiser. Until they accept it is you.", name=person.name)
    return _do_for_seat(session, game, _chosen_seat(session, game), deed, name.strip(), mail)


def _do_for_seat(session: Session, game: Game, seat: Seat, deed: str, name: str, mail: str) -> str:
    if deed == "resend":
        making.resend(session, game, seat)
        return _("The invitation to %(name)s goes out again.", name=seat.name)
    if deed == "refuse":
        return _("%(name)s is told that they have no seat here.", name=joining.refuse(session, game, seat))
    if deed == "replace" and request.form.get("who") == "open":
        making.leave_open(session, game, seat, sure="sure" in request.form)
        return _("The seat is open for whoever comes with the code.")
    if deed == "replace":
        bot = request.form.get("who") == "bot"
        name = name or (_("Bot %(number)s", number=seat.no + 1) if bot else "")
        making.replace(session, game, seat, name, None if bot else mail, sure="sure" in request.form)
        return _("The seat is now for %(name)s.", name=seat.name)
    if deed == "substitute":
        person = leaving.ask_somebody(session, game, seat, name, mail, utcnow())
        return _("%(name)s is asked to take over.", name=person.name)
    if deed == "write-again":
        returning.try_again(session, seat.person_id, by=game.organiser_id)
        return _("We write to %(name)s again, beginning with what has come back.", name=seat.name)
    raise BadInput(_("There is no such button. Nothing was changed."), "seat")


def _chosen_seat(session: Session, game: Game) -> Seat:
    no = request.form.get("seat", "")
    for seat in record.seats_of(session, game):
        if str(seat.no) == no:
            return seat
    raise BadInput(_("That seat is not at this table any more. Nothing was changed."), "seat")


@pages.get("/g/<public_id>/seat/<int:no>/invitation")
def invitation(public_id: str, no: int) -> ResponseReturnValue:
    with db.reading() as session:
        game, seat = open_seat(session, public_id, no)
        if game.status in (GameStatus.RUNNING, GameStatus.FINISHED):
            return redirect(url_for("playing.table", public_id=public_id, no=no))
        return _invitation_page(session, game, seat, {})


def _invitation_page(session: Session, game: Game, seat: Seat, errors: dict[str, str]) -> str:
    person, seats = session.get_one(Person, seat.person_id), record.seats_of(session, game)
    hues.wear(colours.of(seats))
    return render_template(
        "invitation.html",
        game=game,
        title=GAMES[game.kind].title,
        seat=seat,
        seats=seats,
        organiser=session.get_one(Person, game.organiser_id),
        moderators=[moderator.name for moderator in moderators.of(session, game)],
        pace=turnclock.pace_words(game),
        colours=colours.free(seats, seat),
        again=seat in making.to_ask_again(game, seats),
        manners=_manners(session, game, seats, seat.person_id),
        **oneself.fields(person, errors),
    )


@pages.post("/g/<public_id>/seat/<int:no>/invitation")
def answer(public_id: str, no: int) -> ResponseReturnValue:
    answers = {"decline": _decline, "again": _say_again, "colour": _wish}
    said = request.form.get("answer", "")
    declined = said == "decline"
    try:
        game = answers.get(said, _accept)(public_id, no)
    except BadInput as error:
        with db.reading() as session:
            game, seat = open_seat(session, public_id, no)
            if game.status is not GameStatus.INVITED:
                flash(str(error), "warn")
                return redirect(url_for("playing.table", public_id=public_id, no=no), 303)
            return _invitation_page(session, game, seat, error.errors), 400
    if declined:
        flash(_("Your seat is free again. The organiser is told."), "good")
        with db.reading() as session:
            theirs = visitor(session).seat_ids(game)  # a seat that was open is so again, and theirs no more
        if not theirs:
            return redirect(url_for("mine.games"), 303)
        return redirect(url_for("making.invitation", public_id=public_id, no=no), 303)
    if said == "colour":
        flash(_("Your wish is noted."), "good")
        return redirect(url_for("making.invitation", public_id=public_id, no=no), 303)
    begun = game.status is GameStatus.RUNNING
    flash(_("You are in. The game has begun!") if begun else _("You are in. We write when it begins."), "good")
    return redirect(url_for("playing.table", public_id=public_id, no=no), 303)


@outbox.transaction
def _accept(session: Session, public_id: str, no: int) -> Game:
    game, seat, person = open_invitation(session, public_id, no)
    oneself.keep(session, person, seat)
    seat.colour = colours.read_wish(record.seats_of(session, game), seat, request.form.get("colour", ""))
    making.accept(session, game, seat, person.name)
    return game


@outbox.transaction
def _say_again(session: Session, public_id: str, no: int) -> Game:
    game, seat = open_seat(session, public_id, no, lock=True)
    making.say_again(session, game, seat)
    return game


@db.transaction
def _wish(session: Session, public_id: str, no: int) -> Game:
    game, seat = open_seat(session, public_id, no, lock=True)
    making.wish_for(session, game, seat, request.form.get("colour", ""))
    return game


@outbox.transaction
def _decline(session: Session, public_id: str, no: int) -> Game:
    game, seat = open_seat(session, public_id, no, lock=True)
    making.decline(session, game, seat)
    return game
