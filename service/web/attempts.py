"""A ruling as it is made on a page, at the desk or among the players: first a preview of exactly what will happen,
then, confirmed, the ruling itself, or the proposal of it. Who may open the page is the page's business."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from flask import request
from sqlmodel import Session

from service.db import db
from service.play import deciding, record
from service.play.reading import BadInput
from service.play.rulings import RULINGS, Case
from service.post import outbox
from service.post.language import gettext as _
from service.post.language import listed
from service.post.told import Told, in_words

Enter = Callable[[Session, dict[str, str]], Case]  # opens the page's game, locked, for whoever decides


@dataclass(frozen=True)
class Attempt:
    """What a ruling's form came to."""

    name: str
    form: dict[str, str]
    preview: Told | None = None
    asks: list[str] | None = None  # who must agree; None for a ruling that is made alone
    error: str = ""
    stale: bool = False  # something has happened since it was looked at
    done: str = ""  # what was decided or proposed

    @property
    def status(self) -> int:
        return 400 if self.error else 200


NONE = Attempt("", {})


def attempt(name: str, enter: Enter) -> Attempt:
    tried = Attempt(name, {key: value for key, value in request.form.items() if key != "csrf_token"})
    if name not in RULINGS:
        return replace(tried, error=_("There is no such ruling. Nothing was changed."))
    try:
        if "confirmed" in tried.form and (done := _decide(tried, enter)):
            return replace(tried, done=done)
        return replace(tried, stale="confirmed" in tried.form, **_look_ahead(tried, enter))
    except BadInput as error:
        return replace(tried, error=str(error))


@outbox.transaction
def _decide(session: Session, tried: Attempt, enter: Enter) -> str | None:
    """What was decided or proposed; nothing, and None, where the preview was about an earlier moment."""
    case = enter(session, tried.form)
    if tried.form.get("stamp") != deciding.stamp(session, case.game):
        return None
    proposal = deciding.decide(case, RULINGS[tried.name])
    if proposal is not None:
        names = deciding.asked_for(case, RULINGS[tried.name])
        return _("Proposed. It waits for an answer of %(names)s.", names=listed(names or []))
    return in_words(case.written.effect, case.person.zone, [seat.name for seat in record.seats_of(session, case.game)])


@db.transaction
def _look_ahead(session: Session, tried: Attempt, enter: Enter) -> dict[str, Any]:
    """What the ruling would do: played out under the game's lock, and thrown away."""
    case = enter(session, tried.form)
    asks = deciding.asked_for(case, RULINGS[tried.name])
    said = deciding.preview(case, RULINGS[tried.name])
    session.rollback()
    return {"preview": said, "asks": asks}
