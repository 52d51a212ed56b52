"""Links: a token is exchanged for a grant in the cookie; lost links are mailed again; letters are switched off.

GET never changes anything, because mail scanners open every link.
"""

import logging
import re

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import GAMES, UnknownSave
from service import limits
from service.db import db
from service.inbox import doubts
from service.models import Answer, Game, GameStatus, Seat
from service.play import making, moderators, record, relocating, strangers
from service.play.reading import LONGEST_NAME, BadInput, read_mail
from service.post import blocked, letters, links, outbox, picture, wishes
from service.post.language import gettext as _
from service.post.wishes import Wish
from service.web import access
from service.web.notices import back_to_form, say_at

log = logging.getLogger(__name__)

pages = Blueprint("keys", __name__)

FRESH = 300  # seconds for which a chat need not ask for a board again
IN_LETTERS = re.compile(r"/l/([A-Za-z0-9_-]{20,100})")


@pages.get("/l/<token>")
def open_link(token: str) -> ResponseReturnValue:
    limits.count_visitor("opened")
    with db.reading() as session:
        link = access.open_link(session, token)
        if link.scope == links.OPERATOR:
            return redirect(url_for("desk.overview"))
        if link.relocation_id is not None:
            where = "relocating.confirm_page" if link.scope == links.NEW_ADDRESS else "relocating.stop_page"
            return redirect(url_for(where, relocation_id=link.relocation_id))
        game = session.get_one(Game, link.game_id)
        if link.scope == links.ORGANISER:
            return redirect(url_for("making.organise", public_id=game.public_id))
        if link.scope == links.WATCH:
            return _door(session, game, token)
        if link.scope == links.DESK:
            asked = moderators.row(session, game, link.person_id)
            accepted = asked is not None and asked.status is Answer.ACCEPTED
            return redirect(url_for("desk.desk" if accepted else "asking.question", public_id=game.public_id))
        if link.scope == links.JOIN:
            return redirect(url_for("joining.confirm_page", public_id=game.public_id))
        if link.scope == links.HANDOVER:
            return redirect(url_for("asking.handover", public_id=game.public_id))
        seat = session.get_one(Seat, link.seat_id)
        if link.scope == links.OFFER:
            return redirect(url_for("desk.offer", public_id=game.public_id, no=seat.no))
        if game.status is GameStatus.FINISHED and request.args.get("to") == "rematch":
            return redirect(url_for("rematch.page", public_id=game.public_id, no=seat.no))
        gathering = game.status in (GameStatus.MADE, GameStatus.INVITED)
        where = "making.invitation" if gathering else "playing.table"
        if link.mailed and doubts.waiting(session, seat):
            where = "answering.ask"
        return redirect(url_for(where, public_id=game.public_id, no=seat.no))


def _door(session: Session, game: Game, token: str) -> ResponseReturnValue:
    """A browser goes on to the spectators' table at once. A chat that shows where a link leads comes without our
    cookie, and finds here all that it may show."""
    page = render_template(
        "door.html",
        game=game,
        title=GAMES[game.kind].title,
        names=[seat.name for seat in record.seats_of(session, game)],
        picture=access.settings().base_url + url_for("keys.preview", token=token) if game.saved else "",
    )
    return page, {"Refresh": f"0; url={url_for('playing.watch', public_id=game.public_id)}"}


@pages.get("/l/<token>/board.png")
def preview(token: str) -> ResponseReturnValue:
    """The board as everybody may see it, for whoever has a spectator's link. It opens nothing."""
    limits.count_visitor("opened")
    with db.reading() as session:
        reader = access.open_preview(session, token)
    try:
        board = picture.of(reader.game.kind, record.load(reader.game).view(None), reader.names)
    except (picture.NoPicture, UnknownSave) as error:
        log.warning("no preview of game %s: %s", reader.game.public_id, error)
        abort(404)
    response = Response(board, content_type="image/png", headers={"Cache-Control": f"public, max-age={FRESH}"})
    response.add_etag()
    return response.make_conditional(request)


@pages.post("/links/open")
def open_pasted() -> ResponseReturnValue:
    """A link that was copied from a letter: an app on the home screen of some phones opens none by touch, but leaves it
    to the browser beside it."""
    found = IN_LETTERS.search(request.form.get("link", ""))
    if found is None:
        say_at(
            "link", _("That is no link from a letter of ours: it has “/l/” in it and many letters after that."), "warn"
        )
        return back_to_form(url_for("mine.games"))
    return redirect(url_for("keys.open_link", token=found[1]), 303)


@pages.get("/links")
def ask_links() -> ResponseReturnValue:
    return render_template("links.html", error=None, mail="", asked=False)


@pages.post("/links")
def mail_links() -> ResponseReturnValue:
    """The answer is the same whether the address is known or not."""
    typed = request.form.get("mail", "")
    try:
        mail = read_mail(typed)
    except BadInput as error:
        return render_template("links.html", error=str(error), mail=typed, asked=False), 400
    limits.count_visitor("links")
    limits.count_visitor("own_links", blocked.counted_as(mail))
    _write_links(mail)
    return render_template("links.html", error=None, mail=mail, asked=True)


@outbox.transaction
def _write_links(session: Session, mail: str) -> None:
    known = relocating.person_at(session, mail)
    if known is None and mail == access.settings().operators_mail:
        known = making.person_for(session, mail.partition("@")[0][:LONGEST_NAME], mail)
    outbox.write(session, letters.Links(known.id if known else None))


@pages.get("/u/<token>")
def ask_unsubscribe(token: str) -> ResponseReturnValue:
    with db.reading() as session:
        return _never_page(session, token, done="") or _letters_page(session, token, done="")


@pages.post("/u/<token>")
def unsubscribe(token: str) -> ResponseReturnValue:
    """One click in a mail reader says nothing more: it stops what the letter was about."""
    what = request.form.get("letters", "these")
    never = _say_never(token, what)
    if not never:
        _switch_letters(token, what)
    with db.reading() as session:
        return (_never_page if never else _letters_page)(session, token, done=what)


@db.transaction
def _say_never(session: Session, token: str, what: str) -> bool:
    """The same at the end of a letter to somebody who has not said yes: never again, or not so after all; or abuse."""
    found = access.open_never(session, token)
    if found is None:
        return False
    mail, person, game = found
    if what == "on":
        blocked.unblock(session, access.settings(), mail)
    elif what == "abuse" and person:
        strangers.complain(session, game, person)
    else:
        blocked.block(session, access.settings(), mail)
    return True


def _never_page(session: Session, token: str, *, done: str) -> str:
    found = access.open_never(session, token)
    if found is None:
        return ""
    mail, _person, game = found
    shut = blocked.is_blocked(session, access.settings(), mail)
    return render_template("never.html", mail=mail, game=game, blocked=shut, done=done, token=token)


@db.transaction
def _switch_letters(session: Session, token: str, what: str) -> None:
    person, game, wish = access.open_letters(session, token)
    if what == "on":
        wishes.start_again(session, person, game.id if game else None)
    elif game is None or wish is None or what == "all":
        wishes.stop_all(session, person)
    else:
        wishes.stop(session, person, game.id, wish)


def _letters_page(session: Session, token: str, *, done: str) -> str:
    person, game, wish = access.open_letters(session, token)
    stops = wish.stops if game and wish else ()
    return render_template(
        "unsubscribe.html",
        person=person,
        called=", ".join(filter(None, (GAMES[game.kind].title, game.name))) if game else "",
        wish=wish,
        these=game is not None and any(wishes.wanted(session, person, game.id, one) for one in stops),
        any=any(wish.of(person) for wish in Wish),
        done=done,
        token=token,
    )
