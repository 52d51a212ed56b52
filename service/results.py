"""Who has won: the ranking a finished game is left with, and what it says."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, col, select

from service.models import Game, Ruling

Ranking = list[dict[str, Any]]

# The names of rulings that end a game before its own end: one that somebody made, everybody has left, nobody came back.
ENDED, DESERTED, ABANDONED = "end", "deserted", "abandoned"


def as_it_stands(scores: Sequence[int]) -> Ranking:
    """The ranking of a game that is ended early: by the scores alone, equal ones sharing a place."""
    return [
        {"seat": no, "place": 1 + sum(other > score for other in scores), "score": score, "parts": {}, "tiebreak": {}}
        for no, score in sorted(enumerate(scores), key=lambda entry: -entry[1])
    ]


def winners(game: Game) -> list[int]:
    """The seats that have won: none while the game goes on, and none where all have lost."""
    return [standing["seat"] for standing in game.result or () if standing["place"] == 1]


def ended_by(session: Session, game: Game) -> Ruling | None:
    """The ruling that ended the game, if it did not come to its own end."""
    ending = select(Ruling).where(Ruling.game_id == game.id, col(Ruling.name).in_([ENDED, DESERTED, ABANDONED]))
    return session.exec(ending.order_by(col(Ruling.id).desc())).first() if game.finished_at else None
