"""Making a game: the form, the invitations, the organiser's page."""

import secrets
from datetime import timedelta
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from engine import GAMES
from service.db import db
from service.models import Game, GameStatus, Letter, Link, Person, Policy, Seat, SeatStatus
from service.play import making, record, turnclock
from service.play.clocks import PACES, Pace
from service.play.reading import BadInput, read_mail, read_name, read_span, zones
from service.post import links, outbox
from service.web.access import grant, open_desk, open_seat, settings

pages = Blueprint("making", __name__)

LONGEST_SPAN = timedelta(days=60)

DEFAULTS = {
    "pace": "two-days",
    "playing": "on",
    "policy": "moderator",
    "fallback": "pass",
    "moderator-hours": "24",
    "bot-after": "3",
    "away-days": "21",
    "pace-allowance": "24 h",
    "pace-reserve": "24 h",
    "pace-refill": "2 h",
    "pace-grace": "4 h",
}

MOST_SEATS = max(game.players[-1] for game in GAMES.values())


@pages.get("/new")
def new() -> ResponseReturnValue:
    return _form({"kind": request.args.get("kind", ""), "sheet": secrets.token_urlsafe(16)} | DEFAULTS, {})


@pages.post("/new")
def create() -> ResponseReturnValue:
    try:
        game, link = _make(_plan())
    except BadInput as error:
        return _form(request.form, {error.field: str(error)}), 400
    grant(link)
    flash("The game is made, and the invitations are on their way.", "good")
    return redirect(url_for("making.organise", public_id=game.public_id), 303)


def _make(plan: making.Plan) -> tuple[Game, Link]:
    try:
        return _make_once(plan)
    except IntegrityError:  # the same form, sent twice at once: the other one has made the game by now
        return _make_once(plan)


@outbox.transaction
def _make_once(session: Session, plan: making.Plan) -> tuple[Game, Link]:
    game = making.create(session, plan)
    return game, _organisers_link(session, game)


def _organisers_link(session: Session, game: Game) -> Link:
    """The browser that made the game holds its desk at once."""
    token = links.mint_organiser(session, game)
    session.flush()
    link = links.find(session, token)
    assert link is not None
    return link


def _form(values: Any, errors: dict[str, str]) -> str:
    return render_template(
        "new.html", games=GAMES.values(), values=values, errors=errors, most_seats=MOST_SEATS, paces=PACES
    )


def _plan() -> making.Plan:
    """The form as a plan; BadInput names the field."""
    form = request.form
    kind = form.get("kind", "")
    if kind not in GAMES:
        raise BadInput("Please choose a game from the list.", "kind")
    me = _named_person("organiser")
    seats: list[tuple[str, str | None]] = [me] if form.get("playing") else []
    for row in range(1, MOST_SEATS + 1):
        who, name, mail = (form.get(f"seat-{row}-{part}", "").strip() for part in ("who", "name", "mail"))
        if who == "bot":
            seats.append((name or f"Bot {row}", None))
        elif name or mail:
            seats.append(_named_person(f"seat-{row}"))
    moderator = None
    if form.get("moderator-name", "").strip() or form.get("moderator-mail", "").strip():
        moderator = _named_person("moderator")
    file = request.files.get("components")
    text = file.read().decode("utf-8", errors="replace") if file and file.filename else None
    return making.Plan(
        kind=kind,
        organiser=me,
        seats=seats,
        options=_options(kind),
        pace=_pace(),
        policy=_choice("policy", Policy),
        fallback=_choice("fallback", Policy),
        moderator_hours=_whole("moderator-hours", 1, 24 * 14),
        bot_after=_whole("bot-after", 1, 10),
        away_days=_whole("away-days", 0, 120),
        name=form.get("name", ""),
        moderator=moderator,
        components=text,
        sheet=form.get("sheet", "")[:64],
    )


def _whole(name: str, least: int, most: int) -> int:
    try:
        value = int(request.form.get(name, ""))
    except ValueError:
        value = -1
    if not least <= value <= most:
        raise BadInput(f"Please give a whole number from {least} to {most}.", name)
    return value


def _choice(name: str, kind: type[Policy]) -> Policy:
    try:
        return kind(request.form.get(name, ""))
    except ValueError:
        raise BadInput("Please choose one of the list.", name) from None


def _pace() -> Pace:
    """A preset, or the organiser's own numbers."""
    chosen = request.form.get("pace", "")
    if chosen in PACES:
        return PACES[chosen]
    if chosen != "own":
        raise BadInput("Please choose a pace from the list.", "pace")
    spans = {name: _span(name) for name in ("allowance", "reserve", "refill", "grace")}
    return Pace(**spans, round_the_clock="pace-nights" in request.form)


def _span(name: str) -> timedelta:
    least = timedelta(minutes=1) if name == "allowance" else timedelta(0)
    return read_span(request.form.get(f"pace-{name}", "") or "0", least, LONGEST_SPAN, f"pace-{name}")


def _named_person(prefix: str) -> tuple[str, str]:
    """Name and address from two fields of the form."""
    name, mail = f"{prefix}-name", f"{prefix}-mail"
    return read_name(request.form.get(name, ""), name), read_mail(request.form.get(mail, ""), mail)


def _options(kind: str) -> dict[str, bool | str]:
    """The game's own options: a check box that is off is not sent at all."""
    given: dict[str, bool | str] = {}
    for setting in GAMES[kind].options:
        name = f"{kind}-{setting.id}"
        given[setting.id] = name in request.form if isinstance(setting.default, bool) else request.form.get(name, "")
    return given


@pages.get("/g/<public_id>/organise")
def organise(public_id: str) -> ResponseReturnValue:
    with db.reading() as session:
        game = open_desk(session, public_id)
        seats = record.seats_of(session, game)
        rows = [
            {"seat": seat, "letter": _last_letter(session, seat), "person": _person(session, seat)} for seat in seats
        ]
        accepted = [seat for seat in seats if seat.status is SeatStatus.ACCEPTED]
        fewer = (
            len(accepted) < len(seats)
            and len(accepted) in GAMES[game.kind].players
            and any(not seat.bot for seat in accepted)
        )
        return render_template(
            "organise.html",
            game=game,
            title=GAMES[game.kind].title,
            rows=rows,
            fewer=fewer,
        )


def _last_letter(session: Session, seat: Seat) -> Letter | None:
    return session.exec(
        select(Letter)
        .where(Letter.seat_id == seat.id, Letter.person_id == seat.person_id)
        .order_by(col(Letter.id).desc())
        .limit(1)
    ).first()


def _person(session: Session, seat: Seat) -> Person | None:
    return session.get(Person, seat.person_id) if seat.person_id else None


@pages.post("/g/<public_id>/organise/<deed>")
def act(public_id: str, deed: str) -> ResponseReturnValue:
    """What an organiser can do before the game has begun, and the spectators' link at any time."""
    back = redirect(url_for("making.organise", public_id=public_id), 303)
    try:
        said = _do(public_id, deed)
    except BadInput as error:
        flash(str(error), "warn")
        return back
    flash(said, "good")
    return back


@outbox.transaction
def _do(session: Session, public_id: str, deed: str) -> str:
    game = open_desk(session, public_id, lock=True)
    if deed == "cancel":
        making.cancel(session, game)
        return "The game is called off, and everybody invited is told."
    if deed == "start":
        making.start_with_fewer(session, game)
        return "The game has begun with those who accepted."
    if deed == "watch":
        links.revoke_watch(session, game)
        token = links.mint_watch(session, game)
        return f"The link for spectators: {settings().base_url}/l/{token}"
    seat = _chosen_seat(session, game)
    if deed == "resend":
        making.resend(session, game, seat)
        return f"The invitation to {seat.name} goes out again."
    if deed == "replace":
        bot = request.form.get("who") == "bot"
        name = request.form.get("name", "").strip() or (f"Bot {seat.no + 1}" if bot else "")
        making.replace(session, game, seat, name, None if bot else request.form.get("mail", ""))
        return f"The seat is now for {seat.name}."
    raise BadInput("There is no such button. Nothing was changed.")


def _chosen_seat(session: Session, game: Game) -> Seat:
    no = request.form.get("seat", "")
    for seat in record.seats_of(session, game):
        if str(seat.no) == no:
            return seat
    raise BadInput("That seat is not at this table any more. Nothing was changed.")


@pages.get("/g/<public_id>/seat/<int:no>/invitation")
def invitation(public_id: str, no: int) -> ResponseReturnValue:
    with db.reading() as session:
        game, seat = open_seat(session, public_id, no)
        if game.status in (GameStatus.RUNNING, GameStatus.FINISHED):
            return redirect(url_for("playing.table", public_id=public_id, no=no))
        return _invitation_page(session, game, seat, {})


def _invitation_page(session: Session, game: Game, seat: Seat, errors: dict[str, str]) -> str:
    person = session.get_one(Person, seat.person_id)
    return render_template(
        "invitation.html",
        game=game,
        title=GAMES[game.kind].title,
        seat=seat,
        person=person,
        seats=record.seats_of(session, game),
        organiser=session.get_one(Person, game.organiser_id),
        moderator=session.get(Person, game.moderator_id),
        zones=zones(),
        pace=turnclock.pace_words(game),
        errors=errors,
    )


@pages.post("/g/<public_id>/seat/<int:no>/invitation")
def answer(public_id: str, no: int) -> ResponseReturnValue:
    declined = request.form.get("answer") == "decline"
    try:
        game = _decline(public_id, no) if declined else _accept(public_id, no)
    except BadInput as error:
        with db.reading() as session:
            game, seat = open_seat(session, public_id, no)
            if game.status is not GameStatus.INVITED:
                flash(str(error), "warn")
                return redirect(url_for("playing.table", public_id=public_id, no=no), 303)
            return _invitation_page(session, game, seat, {error.field: str(error)}), 400
    if declined:
        flash("You have declined. The organiser is told.", "good")
        return redirect(url_for("making.invitation", public_id=public_id, no=no), 303)
    flash(
        "You are in. " + ("The game has begun!" if game.status is GameStatus.RUNNING else "We write when it begins."),
        "good",
    )
    return redirect(url_for("playing.table", public_id=public_id, no=no), 303)


@outbox.transaction
def _accept(session: Session, public_id: str, no: int) -> Game:
    game, seat = open_seat(session, public_id, no, lock=True)
    person = session.get_one(Person, seat.person_id)
    making.introduce(session, person, seat, request.form)
    making.accept(session, game, seat, person.name)
    return game


@outbox.transaction
def _decline(session: Session, public_id: str, no: int) -> Game:
    game, seat = open_seat(session, public_id, no, lock=True)
    making.decline(session, game, seat)
    return game
