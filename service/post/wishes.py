"""Which letters somebody wants: of each kind everywhere, and of each kind in one game. What nobody can switch off has
no wish. Knows no letters."""

import enum
from collections.abc import Collection

from sqlmodel import Session, col, delete, select

from service.db import LOCKED, utcnow
from service.models import Person, Unwanted
from service.post import bells
from service.post.bells import Rings


class Wish(enum.StrEnum):
    """What a reader may want to hear of by letter, named after its column. Bells ring for the same (`rings`)."""

    TURNS = "turn_letters"
    REMINDERS = "reminder_letters"
    OVER = "over_letters"
    NEWS = "news_letters"
    TALK = "talk_letters"

    def of(self, person: Person) -> bool:
        wanted: bool = getattr(person, self.value)
        return wanted

    @property
    def rings(self) -> Rings:
        return RINGS[self]

    @property
    def stops(self) -> tuple["Wish", ...]:
        """What stops in a game for whoever wants no more letters like one that obeys this wish: with letters about
        their turns also the reminders of them, and all news of it."""
        return STOPS.get(self, (self,))


RINGS = {
    Wish.TURNS: Rings.TURN,
    Wish.REMINDERS: Rings.REMINDER,
    Wish.OVER: Rings.OVER,
    Wish.NEWS: Rings.RULING,
    Wish.TALK: Rings.TALK,
}
STOPS = {
    Wish.TURNS: (Wish.TURNS, Wish.REMINDERS),
    Wish.OVER: (Wish.OVER, Wish.NEWS),
    Wish.NEWS: (Wish.OVER, Wish.NEWS),
}


def wanted(session: Session, person: Person, game_id: int | None, wish: Wish) -> bool:
    return wish.of(person) and (game_id is None or wish not in unwanted(session, person, game_id))


def unwanted(session: Session, person: Person, game_id: int) -> set[Wish]:
    """What they do not want to hear of this game, whatever they want of others."""
    rows = select(Unwanted.wish).where(Unwanted.person_id == person.id, Unwanted.game_id == game_id)
    return {Wish(wish) for wish in session.exec(rows)}


def hears(session: Session, person: Person, game_id: int, wish: Wish) -> bool:
    """Whether anything tells them of it in this game: letters, or a bell of theirs."""
    if wish in unwanted(session, person, game_id):
        return False
    return wish.of(person) or bells.listens(session, person.id, wish.rings)


def choose(session: Session, person: Person, chosen: Collection[str]) -> None:
    """In all games: letters for these of what bells may ring for, and for nothing else that can be chosen."""
    for wish in Wish:
        setattr(person, wish, wish.rings in chosen)
    session.add(person)


def stop(session: Session, person: Person, game_id: int, wish: Wish) -> None:
    session.get_one(Person, person.id, with_for_update=LOCKED)  # mail programs may press the button twice at once
    there = unwanted(session, person, game_id)
    session.add_all(Unwanted(person_id=person.id, game_id=game_id, wish=one) for one in wish.stops if one not in there)


def stop_all(session: Session, person: Person) -> None:
    """Whoever wants to hear nothing any more hears nothing, by their other bells neither."""
    choose(session, person, ())
    bells.stop_all(session, person.id, utcnow())


def start_again(session: Session, person: Person, game_id: int | None) -> None:
    """Everything of this game, and of all others too if it was switched off for all."""
    if not any(wish.of(person) for wish in Wish):
        choose(session, person, bells.OWN)
    session.execute(delete(Unwanted).where(col(Unwanted.person_id) == person.id, col(Unwanted.game_id) == game_id))
