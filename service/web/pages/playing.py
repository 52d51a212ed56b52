"""The table: the position, what happened, the legal choices, and the turn in the making."""

import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, abort, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import IllegalChoice
from service import limits, queue
from service.db import db, utcnow
from service.limits import TooMany
from service.models import Game, GameStatus, Person, Seat, Submission, Verdict
from service.play import drafts, hearing, record, silence, talking, tips
from service.play.reading import BadInput, tidy
from service.post import outbox
from service.post.language import gettext as _
from service.web import seen
from service.web.access import open_game, open_own, open_seat, visitor
from service.web.motions import motions, standing
from service.web.table import HAVE, lay, show

pages = Blueprint("playing", __name__)

# A page waits this long for the adjudicator's word before it says "received, safe".
WAIT = 1.5
LOOK_EVERY = 0.05

BACK_TO = re.compile("@([0-9]{1,4})")


@pages.get("/g/<public_id>")
def game(public_id: str) -> ResponseReturnValue:
    """The way in for whoever holds any link to this game."""
    with db.reading() as session:
        reader = open_game(session, public_id)
    if reader.seat is None:
        return redirect(url_for("playing.watch", public_id=public_id))
    return redirect(url_for("playing.table", public_id=public_id, no=reader.seat.no))


@pages.get("/g/<public_id>/seat/<int:no>")
def table(public_id: str, no: int) -> ResponseReturnValue:
    with db.reading() as session:
        reader = open_game(session, public_id, no)
        if reader.game.status in (GameStatus.MADE, GameStatus.INVITED, GameStatus.CANCELLED):
            return redirect(url_for("making.invitation", public_id=public_id, no=no))
        return show("table.html", lay(session, reader))


@pages.get("/g/<public_id>/watch")
def watch(public_id: str) -> ResponseReturnValue:
    with db.reading() as session:
        reader = open_game(session, public_id)
        if reader.game.saved is None:
            return render_template("not_begun.html", game=reader.game)
        return show("table.html", lay(session, reader.from_outside()))


@pages.get("/g/<public_id>/board/<int:whose>")
def board(public_id: str, whose: int) -> ResponseReturnValue:
    """All that one player has before them, as the reader may see it."""
    with db.reading() as session:
        reader = open_game(session, public_id, request.args.get("seat", type=int))
        if reader.game.saved is None or whose >= len(reader.seats):
            abort(404)
        return show("sheet.html", lay(session, reader), no=whose)


@pages.get("/g/<public_id>/pulse")
def pulse(public_id: str) -> ResponseReturnValue:
    """Has anything changed? Asked by open pages every few seconds, each for what it shows."""
    with db.reading() as session:
        reader = open_game(session, public_id, request.args.get("seat", type=int))
        reader = reader.from_outside() if "outside" in request.args else reader
        game = reader.game
        said = hearing.newest(session, game, reader.listener)
        stands = standing(game, reader.seats, motions(session, game, reader.seats, reader.person))
    return jsonify(version=game.version, status=game.status.value, said=said, standing=stands)


def _asked() -> int:
    """The question the page was about; -1, which is never asked, for what is no number a database can hold."""
    try:
        asked = int(request.form.get("version", ""))
    except ValueError:
        return -1
    return asked if 0 <= asked < 2**31 else -1


def _step() -> str:
    return request.form.get("step", "")


def _edit(public_id: str, no: int, change: Callable[[Session, Game, Seat, int, str], Any]) -> ResponseReturnValue:
    """Change the draft and show the table again. What does not fit is said, and nothing is half done."""
    try:
        _change(public_id, no, change)
    except (drafts.NotPossible, IllegalChoice) as error:
        _keep_line(public_id, no)
        flash(_refusal(error), "warn")
    return _back_to_table(public_id, no)


def _back_to_table(public_id: str, no: int) -> ResponseReturnValue:
    """The table again: at once for a page that only changes what it shows, by its own address for all others."""
    if HAVE in request.headers:
        return table(public_id, no)
    return redirect(url_for("playing.table", public_id=public_id, no=no), 303)


@db.transaction
def _change(session: Session, public_id: str, no: int, change: Callable[[Session, Game, Seat, int, str], Any]) -> None:
    game, seat = open_seat(session, public_id, no, lock=True)  # two windows may change one draft
    change(session, game, seat, _asked(), _step())
    drafts.keep_line(session, seat, _asked(), request.form.get("line", ""))


@db.transaction
def _keep_line(session: Session, public_id: str, no: int) -> None:
    seat = open_seat(session, public_id, no, lock=True)[1]
    drafts.keep_line(session, seat, _asked(), request.form.get("line", ""))


def _refusal(error: Exception) -> str:
    """The engine's own text is for developers: pages offer what is legal, so only a page that is old or was tampered
    with ever asks for anything else."""
    if isinstance(error, BadInput):
        return _("What you want to say with your turn: %(why)s Your turn was not sent.", why=str(error))
    if isinstance(error, TooMany):
        return _("You have said a lot in this hour. Your turn was not sent: please send it without a word, or later.")
    return str(error) if isinstance(error, drafts.NotPossible) else _("That is not possible: it is not offered now.")


def _read_line(line: str, seat: Seat) -> str:
    """What is said with the turn, if anything is."""
    if not tidy(line):
        return ""
    words = talking.read_line(line)
    limits.count("remarks", seat.person_id)
    return words


@pages.post("/g/<public_id>/seat/<int:no>/choose")
def choose(public_id: str, no: int) -> ResponseReturnValue:
    """One option or several in a row; "@2" before them keeps the first two choices of the draft and no more."""
    options = request.form.get("option", "").split() or [""]
    back = BACK_TO.fullmatch(options[0])
    keep = int(back[1]) if back else None
    return _edit(public_id, no, partial(drafts.choose, options=options[1:] if back else options, keep=keep))


@pages.post("/g/<public_id>/seat/<int:no>/undo")
def undo(public_id: str, no: int) -> ResponseReturnValue:
    return _edit(public_id, no, drafts.undo)


@pages.post("/g/<public_id>/seat/<int:no>/restart")
def restart(public_id: str, no: int) -> ResponseReturnValue:
    return _edit(public_id, no, drafts.restart)


@pages.post("/g/<public_id>/seat/<int:no>/rest")
def rest(public_id: str, no: int) -> ResponseReturnValue:
    return _edit(public_id, no, drafts.rest)


@pages.post("/g/<public_id>/seat/<int:no>/send")
def send(public_id: str, no: int) -> ResponseReturnValue:
    with db.reading() as session:
        game, seat = open_seat(session, public_id, no)
    line = request.form.get("line", "").strip()
    if line:
        _keep_line(public_id, no)
    try:
        line = _read_line(line, seat)
        submission_id, on_its_way = drafts.send(game.id, seat.id, _asked(), _step(), request.form.get("last", ""), line)
    except (drafts.NotPossible, IllegalChoice, BadInput, TooMany) as error:
        flash(_refusal(error), "warn")
        return _back_to_table(public_id, no)
    if _verdict(submission_id, patience=WAIT if on_its_way else 0) is not Verdict.ACCEPTED:
        return _back_to_table(public_id, no)
    if _same_turn_goes_on(game, seat):
        flash(_("Your turn goes on with what has come up."), "good")
        return _back_to_table(public_id, no)
    return _onward(game, seat)


def _onward(game: Game, seat: Seat) -> ResponseReturnValue:
    """To the game that has waited longest for whoever has just played; not away from a table that asks them again, nor
    where they would rather stay."""
    with db.reading() as session:
        others = [other for other in visitor(session).seats_of(seat.person_id) if other != seat.id]
        found = seen.waiting_longest(session, others, game.public_id)
        stays = session.get_one(Person, seat.person_id).stays or session.get_one(Seat, seat.id).asked is not None
    if found and not stays:
        following, elsewhere = found
        there = url_for("playing.table", public_id=elsewhere.public_id, no=following.no, sent=game.public_id)
        return redirect(there, 303)
    played = _("Your turn is played.")
    flash(played if found or not others else " ".join((played, _("No other game waits for you."))), "good")
    return _back_to_table(game.public_id, seat.no)


@pages.post("/g/<public_id>/seat/<int:no>/here")
def still_here(public_id: str, no: int) -> ResponseReturnValue:
    """To a game that has paused itself because nobody played: somebody is there."""
    _say_so(public_id, no)
    flash(_("Good to have you back. The game goes on."), "good")
    return _back_to_table(public_id, no)


@outbox.transaction
def _say_so(session: Session, public_id: str, no: int) -> None:
    game, seat = open_seat(session, public_id, no, lock=True)
    silence.broken(session, game, seat, utcnow())


@pages.post("/g/<public_id>/seat/<int:no>/untip")
def untip(public_id: str, no: int) -> ResponseReturnValue:
    """Whoever plays knows enough now. (A wish about this title for all their games, but it opens nothing of theirs.)"""
    _untip(public_id, no)
    return _back_to_table(public_id, no)


@db.transaction
def _untip(session: Session, public_id: str, no: int) -> None:
    game, seat = open_seat(session, public_id, no)
    assert seat.person_id is not None  # nobody else has a key to it
    tips.enough(session, seat.person_id, game.kind)


@pages.post("/g/<public_id>/seat/<int:no>/reached")
def reached(public_id: str, no: int) -> ResponseReturnValue:
    """Somebody whose letters come back is there: to do anything is enough (`access.hear`), and here is nothing else."""
    with db.reading() as session:
        open_own(session, public_id, no)
    flash(_("We write to you again. If a letter comes back once more, please check your address."), "good")
    return _back_to_table(public_id, no)


def _same_turn_goes_on(before: Game, seat: Seat) -> bool:
    """Whether what was sent ended at something new in the middle of a turn, so that the same player is asked on."""
    with db.reading() as session:
        asked = session.get_one(Seat, seat.id).asked
        now = session.get_one(Game, before.id)
        return asked is not None and record.load(now).turn == record.load(before).turn


def _verdict(submission_id: int, patience: float) -> Verdict:
    """The tables say what it is; the adjudicator says when to look, and without Redis we look every few moments."""
    until = time.monotonic() + patience
    while True:
        with db.reading() as session:
            submission = session.get_one(Submission, submission_id)
        if submission.verdict is not Verdict.RECEIVED or time.monotonic() >= until:
            return submission.verdict
        if not queue.hear(submission_id):
            time.sleep(LOOK_EVERY)
