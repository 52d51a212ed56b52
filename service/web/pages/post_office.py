"""The post office: where no mail server is set, every letter can be read here as its reader would see it."""

import time
from email import message_from_string, policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select

from service.db import db
from service.inbox import receiving
from service.models import Letter, Person
from service.post import addresses
from service.post.language import gettext
from service.web import forms
from service.web.access import settings

pages = Blueprint("post_office", __name__, url_prefix="/post-office")

# A letter's own style is inline; it may not run anything, and its links open in the page around it.
LETTER_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation allow-popups"
)
AT_ONCE = 60
LONGEST_ANSWER = 2000

# So long for what comes back to an answer, in seconds.
WAIT = 1.5
LOOK_EVERY = 0.05


@pages.before_request
def only_without_mail_server() -> None:
    if not settings().post_office:
        abort(404)


@pages.get("")
def letters() -> ResponseReturnValue:
    """The newest letters, of everybody or of one person."""
    with db.reading() as session:
        people = session.exec(
            select(Person).where(col(Person.mail).is_not(None)).order_by(col(Person.given), col(Person.id))
        ).all()
        chosen = request.args.get("person", type=forms.row_id)
        query = select(Letter, Person).join(Person, col(Person.id) == col(Letter.person_id))
        query = query.where(col(Letter.source).is_not(None))
        if chosen is not None:
            query = query.where(Letter.person_id == chosen)
        found = session.exec(query.order_by(col(Letter.id).desc()).limit(AT_ONCE)).all()
    return render_template("post_office.html", people=people, chosen=chosen, letters=found)


def _message(session: Session, letter_id: int) -> tuple[Letter, Person, EmailMessage]:
    letter = session.get(Letter, letter_id)
    if letter is None or letter.source is None:
        abort(404)
    message = message_from_string(letter.source, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return letter, session.get_one(Person, letter.person_id), message


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content())


@pages.get("/<int:letter_id>")
def letter(letter_id: int) -> ResponseReturnValue:
    with db.reading() as session:
        letter, person, message = _message(session, letter_id)
    headers = [
        (name, str(value)) for name, value in message.items() if not name.lower().startswith(("content-", "mime"))
    ]
    return render_template(
        "letter.html", letter=letter, person=person, headers=headers, text=_body(message, "plain"), asks=_asks(message)
    )


def _asks(message: EmailMessage) -> bool:
    with db.reading() as session:
        found = addresses.find(session, str(message["Reply-To"]))
    return found is not None and found[1].seat_id is not None


@pages.post("/<int:letter_id>/answer")
def answer(letter_id: int) -> ResponseReturnValue:
    """As if its reader had answered the letter by mail; then what comes back to them."""
    with db.reading() as session:
        _, person, message = _message(session, letter_id)
        newest = _newest(session, person)
    reply = EmailMessage()
    reply["From"] = Address(person.name, addr_spec=person.address)
    reply["Message-ID"] = make_msgid(domain="post-office.invalid")
    reply.set_content(request.form.get("answer", "")[:LONGEST_ANSWER])
    try:
        receiving.receive(bytes(reply), str(message["Reply-To"]))
    except receiving.NotForUs:
        flash(gettext("This letter is too old to be answered."), "warn")
        return redirect(url_for("post_office.letter", letter_id=letter_id), 303)
    return redirect(url_for("post_office.letter", letter_id=_wait_for_answer(person, newest) or letter_id), 303)


def _newest(session: Session, person: Person) -> int:
    theirs = select(Letter.id).where(Letter.person_id == person.id, col(Letter.source).is_not(None))
    return session.exec(theirs.order_by(col(Letter.id).desc()).limit(1)).one()


def _wait_for_answer(person: Person, newest: int) -> int | None:
    """The letter that comes back, if it comes soon."""
    give_up = time.monotonic() + WAIT
    while time.monotonic() < give_up:
        with db.reading() as session:
            if (letter_id := _newest(session, person)) != newest:
                return letter_id
        time.sleep(LOOK_EVERY)
    flash(gettext("Your answer is taken. If something comes back, it is in the post office in a moment."), "good")
    return None


def _with_pictures(page: str, message: EmailMessage) -> str:
    """What a letter carries along stands in the page itself: it may load nothing."""
    for part in message.walk():
        if cid := part["Content-ID"]:
            encoded = "".join(str(part.get_payload()).split())
            page = page.replace(f"cid:{cid.strip('<>')}", f"data:{part.get_content_type()};base64,{encoded}")
    return page


@pages.get("/<int:letter_id>/html")
def html(letter_id: int) -> ResponseReturnValue:
    with db.reading() as session:
        _, _, message = _message(session, letter_id)
    body = _body(message, "html").replace("<head>", '<head><base target="_top">', 1)
    return Response(
        _with_pictures(body, message),
        content_type="text/html; charset=utf-8",
        headers={"Content-Security-Policy": LETTER_POLICY},
    )
