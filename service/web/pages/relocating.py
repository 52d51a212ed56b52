"""Another address for one's letters: asked for on a page of one's own, confirmed through the letter to the new address,
stopped or taken back through the letter to the old one. GET changes nothing."""

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from service.db import db, utcnow
from service.play import relocating
from service.play.reading import BadInput, read_mail
from service.post import links, outbox
from service.post.language import gettext as _
from service.web.access import confirm as confirm_person
from service.web.access import open_relocation, open_self, settings
from service.web.notices import back_to_form, say_at

pages = Blueprint("relocating", __name__)


@pages.get("/my/data/<int:who>/address")
def address(who: int) -> ResponseReturnValue:
    return _page(who, "", "")


def _page(who: int, typed: str, error: str) -> str:
    with db.reading() as session:
        person = open_self(session, who)
        pending = relocating.pending(session, person, utcnow())
        days = settings().keep.addresses
        return render_template("address.html", person=person, pending=pending, days=days, typed=typed, error=error)


@pages.post("/my/data/<int:who>/address")
def ask(who: int) -> ResponseReturnValue:
    """The answer is the same whether the address is somebody's or not."""
    if request.form.get("deed") == "cancel":
        _cancel(who)
        say_at("address", _("Nothing changes: your letters go on coming to this address."))
        return back_to_form(url_for("relocating.address", who=who))
    typed = request.form.get("mail", "")
    try:
        _ask(who, typed)
    except BadInput as error:
        return _page(who, typed, str(error)), 400
    say_at("address", _("Two letters are on their way. Nothing changes until the new address has answered."))
    return back_to_form(url_for("relocating.address", who=who))


@outbox.transaction
def _ask(session: Session, who: int, typed: str) -> None:
    person = open_self(session, who, lock=True)
    confirm_person(session, person)
    relocating.ask(session, person, read_mail(typed), utcnow(), settings().keep.addresses)


@db.transaction
def _cancel(session: Session, who: int) -> None:
    relocating.cancel(session, open_self(session, who), utcnow())


@pages.get("/my/address/<int:relocation_id>/confirm")
def confirm_page(relocation_id: int) -> ResponseReturnValue:
    return _answer_page(relocation_id, links.NEW_ADDRESS)


@pages.post("/my/address/<int:relocation_id>/confirm")
def confirm(relocation_id: int) -> ResponseReturnValue:
    try:
        _confirm(relocation_id)
    except BadInput as error:
        say_at("address", str(error), "warn")
    return redirect(url_for("relocating.confirm_page", relocation_id=relocation_id), 303)


@outbox.transaction
def _confirm(session: Session, relocation_id: int) -> None:
    relocation = open_relocation(session, relocation_id, links.NEW_ADDRESS)
    relocating.confirm(session, relocation, utcnow(), settings().keep.addresses)


@pages.get("/my/address/<int:relocation_id>/stop")
def stop_page(relocation_id: int) -> ResponseReturnValue:
    return _answer_page(relocation_id, links.OLD_ADDRESS)


@pages.post("/my/address/<int:relocation_id>/stop")
def stop(relocation_id: int) -> ResponseReturnValue:
    try:
        _stop(relocation_id)
    except BadInput as error:
        say_at("address", str(error), "warn")
    return redirect(url_for("relocating.stop_page", relocation_id=relocation_id), 303)


@outbox.transaction
def _stop(session: Session, relocation_id: int) -> None:
    relocating.stop(session, open_relocation(session, relocation_id, links.OLD_ADDRESS), utcnow())


def _answer_page(relocation_id: int, scope: str) -> str:
    """What each is shown is their own address, and never the other one."""
    with db.reading() as session:
        relocation = open_relocation(session, relocation_id, scope)
        return render_template(
            "relocation.html",
            relocation=relocation,
            over=relocating.is_over(relocation, utcnow()),
            new=scope == links.NEW_ADDRESS,
            mail=relocation.new if scope == links.NEW_ADDRESS else relocation.old,
        )
