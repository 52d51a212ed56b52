"""What somebody says of themselves, on every page that asks for it: what its form needs, and how the answer is kept.

Who may say it is the page's business. With all games of theirs locked: their hours count wherever they play.
"""

from typing import Any

from flask import request
from sqlmodel import Session

from service.models import Person, Seat
from service.play import making, turnclock
from service.play.reading import read_all, zones
from service.post import language
from service.web import forms


def fields(person: Person, errors: dict[str, str]) -> dict[str, Any]:
    """What templates/parts/oneself.html is given."""
    return {"person": person, "zones": zones(), "languages": language.names(), "errors": errors}


def keep(session: Session, person: Person, seat: Seat | None = None) -> bool:
    """All that the form says, or all that must change in it. Whether every running turn was laid out again by it."""

    def read() -> None:
        read_all(
            hours=lambda: forms.read_hours(request.form, person),
            oneself=lambda: making.introduce(session, person, seat, request.form),
        )

    return turnclock.change_hours(session, person, read)
