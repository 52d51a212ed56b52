"""What the players of a game decide together: they propose, and vote. GET changes nothing."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import GAMES
from service.db import db, utcnow
from service.models import Outcome, Person, Proposal
from service.play import deciding, moderators
from service.play.reading import BadInput
from service.play.rulings import Case
from service.post import outbox
from service.post.language import gettext as _
from service.post.language import marked
from service.web import forms
from service.web.access import open_seat
from service.web.attempts import NONE, Attempt, attempt
from service.web.motions import motions
from service.web.notices import back_to_form, say_at

pages = Blueprint("voting", __name__)

CAME_TO = {
    Outcome.OPEN: marked("You agree. The others have yet to answer."),
    Outcome.AGREED: marked("All agree: it is done."),
    Outcome.REFUSED: marked("The proposal is closed, and the others are told."),
}


@pages.get("/g/<public_id>/seat/<int:no>/propose")
def propose(public_id: str, no: int) -> ResponseReturnValue:
    return _page(public_id, no, NONE)


def _page(public_id: str, no: int, tried: Attempt) -> ResponseReturnValue:
    with db.reading() as session:
        game, seat = open_seat(session, public_id, no)
        person = session.get_one(Person, seat.person_id)
        case = Case(session, game, person, utcnow(), {}, moderates=False)
        page = render_template(
            "propose.html",
            game=game,
            title=GAMES[game.kind].title,
            seat=seat,
            seats=case.seats,
            person=person,
            proposals=motions(session, game, case.seats, person),
            offers=deciding.offered(case),
            left_to_us=[late.name for late in moderators.left_to_players(session, game, case.seats)],
            stamp=deciding.stamp(session, game),
            attempt=tried,
        )
    return page, tried.status


@pages.post("/g/<public_id>/seat/<int:no>/propose/<name>")
def ruling(public_id: str, no: int, name: str) -> ResponseReturnValue:
    def enter(session: Session, form: dict[str, str]) -> Case:
        game, seat = open_seat(session, public_id, no, lock=True)
        return Case(session, game, session.get_one(Person, seat.person_id), utcnow(), form, moderates=False)

    tried = attempt(name, enter)
    if not tried.done:
        return _page(public_id, no, tried)
    say_at("rulings", tried.done)
    return back_to_form(url_for("voting.propose", public_id=public_id, no=no))


@pages.post("/g/<public_id>/seat/<int:no>/vote")
def vote(public_id: str, no: int) -> ResponseReturnValue:
    """Yes or no to an open proposal; from whoever made it, no takes it back."""
    try:
        flash(_(CAME_TO[_vote(public_id, no)]), "good")
    except BadInput as error:
        flash(str(error), "warn")
    return redirect(url_for("playing.table", public_id=public_id, no=no), 303)


@outbox.transaction
def _vote(session: Session, public_id: str, no: int) -> Outcome:
    game, seat = open_seat(session, public_id, no, lock=True)
    proposal = session.get(Proposal, request.form.get("proposal", 0, type=forms.row_id))
    if proposal is None or proposal.game_id != game.id:
        raise BadInput(_("There is no such proposal."))
    person = session.get_one(Person, seat.person_id)
    return deciding.vote(session, game, person, proposal, request.form.get("answer") == "yes", utcnow())
