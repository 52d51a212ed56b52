"""Answers by mail that may not be from whoever has the seat: what they say, and whether it shall be done."""

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import GAMES
from service import queue
from service.db import db
from service.inbox import doubts, message
from service.models import Game, Person, Received, Seat
from service.post.language import gettext as _
from service.post.told import in_words
from service.web.access import open_own

pages = Blueprint("answering", __name__)

MOST_LINES, LONGEST_LINE = 12, 200  # of a message that is shown


@pages.get("/g/<public_id>/seat/<int:no>/answers")
def ask(public_id: str, no: int) -> ResponseReturnValue:
    with db.reading() as session:
        game, seat, person = open_own(session, public_id, no)
        answers = [
            {"id": row.id, "at": row.created_at, "why": in_words(row.note, person.zone, []), "lines": _lines(row)}
            | _meaning(session, game, seat, row, person)
            for row in doubts.waiting(session, seat)
            if row.note
        ]
        return render_template(
            "answers.html", game=game, title=GAMES[game.kind].title, seat=seat, zone=person.zone, answers=answers
        )


def _meaning(session: Session, game: Game, seat: Seat, row: Received, person: Person) -> dict[str, Any]:
    """What it would do to the turn, step by step, and whether it sends it then."""
    understood = doubts.meaning(session, game, seat, row)
    if understood is None:
        return {"does": [], "sends": False}
    sends = understood.send or (person.send_complete and understood.completes(seat))
    return {"does": [in_words(told, person.zone, []) for told in understood.done], "sends": sends}


def _lines(row: Received) -> list[str]:
    written = [line[:LONGEST_LINE] for line in message.read(row.source).lines if line.strip()]
    return written[:MOST_LINES]


@pages.post("/g/<public_id>/seat/<int:no>/answers/<int:received_id>")
def settle(public_id: str, no: int, received_id: int) -> ResponseReturnValue:
    theirs = request.form.get("was") == "me"
    if not _settle(public_id, no, received_id, theirs):
        flash(_("That is settled already."), "warn")
    elif theirs:
        queue.post("read", received_id)
        flash(_("It is done as the answer says. A letter tells you what was understood."), "good")
    else:
        flash(_("Nothing is done. If it was a stranger, void your links in your settings."), "good")
    return redirect(url_for("playing.table", public_id=public_id, no=no), 303)


@db.transaction
def _settle(session: Session, public_id: str, no: int, received_id: int, theirs: bool) -> bool:
    _game, seat, _person = open_own(session, public_id, no)
    return doubts.settle(session, seat, received_id, theirs=theirs)
