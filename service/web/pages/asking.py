"""Whoever is asked to look after a game, or to be its organiser from now on, says yes or no here, and which time is
theirs. GET changes nothing, and until they accept nothing changes at all."""

from collections.abc import Callable

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import GAMES
from service.db import db
from service.models import Game, GameStatus, Link, Person
from service.play import colours, making, moderators, record, turnclock
from service.play.reading import BadInput
from service.post import hues, links, outbox
from service.post.language import gettext as _
from service.post.told import told
from service.web import forms, oneself
from service.web.access import confirm, grant, new_key, open_handover, open_question

pages = Blueprint("asking", __name__)


def _page(session: Session, game: Game, person: Person, asked: str, errors: dict[str, str]) -> str:
    seats = record.seats_of(session, game)
    hues.wear(colours.of(seats))
    return render_template(
        "asked.html",
        game=game,
        title=GAMES[game.kind].title,
        asked=asked,
        organiser=session.get_one(Person, game.organiser_id),
        seats=seats,
        **oneself.fields(person, errors),
    )


@pages.get("/g/<public_id>/moderate")
def question(public_id: str) -> ResponseReturnValue:
    with db.reading() as session:
        game, _row, person = open_question(session, public_id)
        return _page(session, game, person, "desk", {})


@pages.post("/g/<public_id>/moderate")
def answer(public_id: str) -> ResponseReturnValue:
    if request.form.get("answer") != "accept":
        _decline(public_id)
        flash(_("You have declined. Thank you for looking."), "good")
        return redirect(url_for("start.home"), 303)
    try:
        _keep_time(public_id, _asked)
        _accept(public_id)
    except BadInput as error:
        with db.reading() as session:
            game, _row, person = open_question(session, public_id)
            return _page(session, game, person, "desk", error.errors), 400
    flash(_("Thank you. This is the desk from which you look after the game."), "good")
    return redirect(url_for("desk.desk", public_id=public_id), 303)


@outbox.transaction
def _accept(session: Session, public_id: str) -> None:
    game, asked, person = open_question(session, public_id, lock=True)
    seats = record.seats_of(session, game)
    moderators.accept(session, game, seats, asked)
    if game.status is GameStatus.RUNNING:
        effect = told("%(name)s looks after the game from now on.", name=person.name)
        reason = told("%(name)s was asked, and has accepted.", name=person.name)
        ruling = record.write_ruling(session, game, "moderator", person.id, None, reason, effect)
        record.tell_ruling(session, seats, ruling)


@outbox.transaction
def _decline(session: Session, public_id: str) -> None:
    game, asked, _person = open_question(session, public_id, lock=True)
    moderators.decline(session, game, asked)


def _asked(session: Session, public_id: str) -> Person:
    return open_question(session, public_id)[2]


def _successor(session: Session, public_id: str) -> Person:
    return open_handover(session, public_id)[1]


@db.transaction
def _keep_time(session: Session, public_id: str, find: Callable[[Session, str], Person]) -> None:
    """With all games of theirs locked: where they play, their hours count too."""
    person = find(session, public_id)
    record.lock_all_of(session, person.id)
    turnclock.change_hours(session, person, lambda: forms.read_whereabouts(request.form, person))
    confirm(session, person)


@pages.get("/g/<public_id>/hand-over")
def handover(public_id: str) -> ResponseReturnValue:
    with db.reading() as session:
        game, person = open_handover(session, public_id)
        return _page(session, game, person, "game", {})


@pages.post("/g/<public_id>/hand-over")
def answer_handover(public_id: str) -> ResponseReturnValue:
    accepts = request.form.get("answer") == "accept"
    try:
        if accepts:
            _keep_time(public_id, _successor)
        key = _succeed(public_id, accepts)
    except BadInput as error:
        with db.reading() as session:
            game, person = open_handover(session, public_id)
            return _page(session, game, person, "game", error.errors), 400
    if key is None:
        flash(_("You have declined. Thank you for looking."), "good")
        return redirect(url_for("start.home"), 303)
    grant(key)
    flash(_("You are the organiser of this game now."), "good")
    return redirect(url_for("making.organise", public_id=public_id), 303)


@outbox.transaction
def _succeed(session: Session, public_id: str, accepts: bool) -> Link | None:
    game, _person = open_handover(session, public_id, lock=True)
    making.succeed(session, game, accepts)
    return new_key(session, links.mint_organiser(session, game)) if accepts else None
