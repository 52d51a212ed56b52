"""How somebody plays: their last games and how they ended, how long they think, and turns that they missed. Shown to
themselves and, before a game begins, to those they have agreed to sit with; there are no ratings. Read from the last
games and answers only, so that it costs the same however many there are. Knows no pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from statistics import median

from sqlmodel import Session, col, select

from engine import GAMES
from service.models import Game, GameStatus, Move, Seat, SeatStatus

MOST_GAMES = 50
MOST_ANSWERS = 200
FEWEST_ANSWERS = 5  # of which a middle says anything


@dataclass(frozen=True)
class Title:
    """What somebody made of one title."""

    name: str
    games: int
    won: int
    places: Sequence[tuple[int, int]]  # newest first: which of how many


@dataclass(frozen=True)
class Manner:
    """All of it that others may see, and nothing that names anybody else."""

    games: int  # that came to an end
    titles: Sequence[Title]
    answer: timedelta | None  # the middle one of their answers, in their own waking hours
    missed: int
    excused: int


def of(session: Session, person_id: int) -> Manner:
    played = session.exec(
        select(Seat, Game)
        .join(Game, col(Game.id) == col(Seat.game_id))
        .where(Seat.person_id == person_id, col(Game.started_at).is_not(None))
        .order_by(col(Seat.id).desc())
        .limit(MOST_GAMES)
    ).all()
    ended = [(seat, game) for seat, game in played if game.status is GameStatus.FINISHED and game.result]
    kinds = dict.fromkeys(game.kind for _, game in ended)
    return Manner(
        games=len(ended),
        titles=[_title(kind, [row for row in ended if row[1].kind == kind]) for kind in kinds],
        answer=_answer(session, person_id),
        missed=sum(seat.missed - seat.excused for seat, _ in played),
        excused=sum(seat.excused for seat, _ in played),
    )


def _title(kind: str, rows: Sequence[tuple[Seat, Game]]) -> Title:
    places = [(place, len(game.result or ())) for seat, game in rows if (place := _place(seat, game)) is not None]
    return Title(GAMES[kind].title, len(rows), sum(place == 1 for place, _ in places), places)


def _place(seat: Seat, game: Game) -> int | None:
    return next((row["place"] for row in game.result or () if row["seat"] == seat.no), None)


def _answer(session: Session, person_id: int) -> timedelta | None:
    took = session.exec(
        select(Move.took)
        .where(Move.person_id == person_id, col(Move.took).is_not(None))
        .order_by(col(Move.id).desc())
        .limit(MOST_ANSWERS)
    ).all()
    if len(took) < FEWEST_ANSWERS:
        return None
    return timedelta(seconds=median(seconds for seconds in took if seconds is not None))


def of_table(session: Session, seats: Sequence[Seat], reader: int | None) -> dict[int, Manner]:
    """Of those who have said yes to sitting with the reader, by seat; of whoever is only named nothing is told."""
    agreed = [seat for seat in seats if seat.status is SeatStatus.ACCEPTED and seat.person_id not in (None, reader)]
    return {seat.no: of(session, seat.person_id) for seat in agreed if seat.person_id is not None}


@dataclass(frozen=True)
class Past:
    """One game of a group: the score and place of each, in the order of the game that is looked at."""

    game: Game
    scores: Sequence[int]
    places: Sequence[int]


def of_group(session: Session, game: Game, seats: Sequence[Seat], reader: int) -> list[Past]:
    """The last games of the same title that just these people played to an end, oldest first, this one among them.
    Where a bot or nobody sits there is no group."""
    people = [seat.person_id for seat in seats]
    if None in people or len(people) < 2:
        return []
    recent = select(Seat.game_id).where(Seat.person_id == reader).order_by(col(Seat.id).desc()).limit(MOST_GAMES)
    rows = session.exec(
        select(Game, Seat)
        .join(Seat, col(Seat.game_id) == col(Game.id))
        .where(col(Game.id).in_(list(session.exec(recent))), Game.kind == game.kind)
        .where(Game.status == GameStatus.FINISHED, col(Game.result).is_not(None))
        .order_by(col(Game.finished_at), col(Game.id))
    ).all()
    sat: dict[int, dict[int | None, int]] = {}
    for other, seat in rows:
        sat.setdefault(other.id, {})[seat.person_id] = seat.no
    games = {other.id: other for other, _ in rows}
    same = [games[id] for id, by_person in sat.items() if by_person.keys() == set(people)]
    return [_past(other, [sat[other.id][person] for person in people]) for other in same]


def _past(game: Game, order: Sequence[int]) -> Past:
    by_seat = {row["seat"]: row for row in game.result or ()}
    return Past(game, [by_seat[no]["score"] for no in order], [by_seat[no]["place"] for no in order])
