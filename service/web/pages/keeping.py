"""What is kept about somebody, for themselves: to look at, to take along, and to be forgotten. Everything here opens
with a link that came to them by mail, and GET changes nothing."""

from dataclasses import dataclass

import msgspec
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import GAMES
from service.db import db, utcnow
from service.models import Game
from service.play import forgetting, kept
from service.post import language, outbox
from service.post.language import gettext as _
from service.web.access import is_gone, open_self, settings

pages = Blueprint("keeping", __name__)


@dataclass(frozen=True)
class Left:
    """A game that goes on without whoever is forgotten, or is called off."""

    game: Game
    title: str
    players: str


@pages.get("/my/data/<int:who>")
def page(who: int) -> ResponseReturnValue:
    with db.reading() as session:
        person = open_self(session, who)
        whole = kept.about(session, settings(), person, utcnow())
        counts = {name: len(rows) for name, rows in whole.items() if isinstance(rows, list)}
        return render_template("kept.html", person=person, counts=counts, keep=settings().keep)


@pages.get("/my/data/<int:who>/file")
def file(who: int) -> ResponseReturnValue:
    """All of it, for anybody's own tools; docs/personal-data.md tells its shape."""
    with db.reading() as session:
        whole = kept.about(session, settings(), open_self(session, who), utcnow())
    return Response(
        msgspec.json.format(msgspec.json.encode(whole), indent=1),
        content_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="hikyaku-about-me.json"'},
    )


@pages.get("/my/data/<int:who>/delete")
def ask_delete(who: int) -> ResponseReturnValue:
    return _delete_page(who, "")


def _delete_page(who: int, error: str) -> str:
    with db.reading() as session:
        person = open_self(session, who)
        left = [
            Left(game, GAMES[game.kind].title, language.listed(seat.name for seat in seats))
            for game, seats in forgetting.under_way(session, who)
        ]
        return render_template("delete.html", person=person, left=left, error=error)


@pages.post("/my/data/<int:who>/delete")
def delete(who: int) -> ResponseReturnValue:
    """A second click, or the page sent again, finds that it is done."""
    with db.reading() as session:
        done = is_gone(session, who)
    if not done and "sure" not in request.form:
        return _delete_page(who, _("Please say that you are sure: this cannot be taken back.")), 400
    if not done:
        _forget(who)
    return redirect(url_for("keeping.deleted"), 303)


@outbox.transaction
def _forget(session: Session, who: int) -> None:
    open_self(session, who)
    forgetting.forget(session, who, utcnow())


@pages.get("/my/deleted")
def deleted() -> ResponseReturnValue:
    """The same for everybody: nothing is left to tell whose page it is."""
    return render_template("deleted.html")
