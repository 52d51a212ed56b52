"""Who looks after a game. A moderator is asked first, and may decline; there may be several. Knows no rulings."""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from service.models import Answer, Game, Moderator, Person


def of(session: Session, game: Game) -> Sequence[Person]:
    """Those who have accepted, the first first."""
    return session.exec(
        select(Person)
        .join(Moderator, col(Moderator.person_id) == col(Person.id))
        .where(Moderator.game_id == game.id, Moderator.status == Answer.ACCEPTED)
        .order_by(col(Moderator.id))
    ).all()
