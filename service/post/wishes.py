"""Which letters somebody wants: of each kind everywhere, and of each kind in one game. What nobody can switch off has
no wish. Knows no letters."""

import enum

from sqlmodel import Session, col, delete, select

from service.db import LOCKED, utcnow
from service.models import Person, Unwanted
from service.post import bells


class Wish(enum.StrEnum):
    """What a reader may want to hear of, named after its column."""

    TURNS = "turn_letters"
    NEWS = "news_letters"

    def of(self, person: Person) -> bool:
        wanted: bool = getattr(person, self.value)
        return wanted


def wanted(session: Session, person: Person, game_id: int | None, wish: Wish) -> bool:
    return wish.of(person) and (game_id is None or wish not in unwanted(session, person, game_id))


def unwanted(session: Session, person: Person, game_id: int) -> set[Wish]:
    """What they do not want to hear of this game, whatever they want of others."""
    rows = select(Unwanted.wish).where(Unwanted.person_id == person.id, Unwanted.game_id == game_id)
    return {Wish(wish) for wish in session.exec(rows)}


def stop(session: Session, person: Person, game_id: int, wish: Wish) -> None:
    session.get_one(Person, person.id, with_for_update=LOCKED)  # mail programs may press the button twice at once
    if wish not in unwanted(session, person, game_id):
        session.add(Unwanted(person_id=person.id, game_id=game_id, wish=wish))


def stop_all(session: Session, person: Person) -> None:
    """Whoever wants to hear nothing any more hears nothing, by their other bells neither."""
    for wish in Wish:
        setattr(person, wish, False)
    bells.stop_all(session, person.id, utcnow())
    session.add(person)


def start_again(session: Session, person: Person, game_id: int | None) -> None:
    """Everything of this game, and of all others too if it was switched off for all."""
    if not any(wish.of(person) for wish in Wish):
        for wish in Wish:
            setattr(person, wish, True)
    session.add(person)
    session.execute(delete(Unwanted).where(col(Unwanted.person_id) == person.id, col(Unwanted.game_id) == game_id))
