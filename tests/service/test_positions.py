"""Any earlier position of a game is the very one that was there, however little room it takes."""

import pytest
from sqlmodel import col, select

from engine import GAMES
from service.bulk import gathered
from service.db import db
from service.models import Game, GameStatus, Move, Snapshot
from service.play import positions, record
from tests.play import House
from tests.together import replayed

pytestmark = pytest.mark.both_databases


def play_on(game_id: int, moves: int) -> Game:
    """So many moves in one transaction, as when a bot plays on and on: a base may not be in the tables yet."""
    with db.writing() as session, gathered(session):
        game = record.lock(session, game_id)
        seats, match = record.seats_of(session, game), record.load(game)
        while match.pending and moves:
            seat, moves = seats[match.pending[0].seat], moves - 1
            record.move(session, game, match, seat, record.bot_choices(match, seat.no), decided_by="player")
        record.settle(session, game, seats, match, mover=None)
    return game


@pytest.mark.parametrize("kind", GAMES)
def test_every_position_of_a_whole_game_is_where_its_choices_lead(house: House, kind: str):
    game = house.begun(["Aiko", "Bruno"], kind=kind).game()
    with house.lose():
        while game.status is not GameStatus.FINISHED:
            game = play_on(game.id, positions.EVERY + 3)
    assert game.version > 2 * positions.EVERY
    with db.reading() as session:
        saves = [positions.snapshot(session, game, version) for version in range(game.version + 1)]
        moves = session.exec(select(Move).where(Move.game_id == game.id).order_by(col(Move.version))).all()
        assert saves == [position for position, _ in replayed(moves, saves[0])]
        room = sum(len(data) for data in session.exec(select(Snapshot.data)))
    assert saves[-1] == game.saved
    assert room < sum(map(len, saves)) / 3
