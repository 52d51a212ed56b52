"""Tips for whoever is new to a title: in their first turns at it, each question comes with a line about what it means,
until they have had enough of them. What the lines say is in the catalogue of the title."""

from sqlmodel import Session

from service.db import LOCKED
from service.models import Game, Person

FIRST_MOVES = 10  # at a title, in which there are tips to it


def wanted(person: Person | None, game: Game, moves: int) -> bool:
    """Whether this person, who has made so many moves at the title, is still told what its questions mean."""
    return person is not None and moves < FIRST_MOVES and game.kind not in person.untipped


def enough(session: Session, person_id: int, kind: str) -> None:
    """No more tips to this title for them, in any game. Done twice it is done once."""
    person = session.get_one(Person, person_id, with_for_update=LOCKED, populate_existing=True)
    person.untipped = sorted({*person.untipped, kind})
    session.add(person)
