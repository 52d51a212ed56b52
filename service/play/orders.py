"""Standing orders: a player's answers given in advance, followed for them some minutes after they are asked.

What orders a title knows and what they come to is the engine's business; everything runs inside the caller's
transaction, with the game's row locked.
"""

from sqlmodel import Session

from engine import OrderDoesNotFit
from service.models import Game, Seat
from service.play import record, turnclock
from service.post.told import engine_told


def follow(session: Session, game: Game, seat: Seat) -> bool:
    """Answer as the player ordered in advance; False if the player must be asked, with the reason kept for them."""
    seat.orders_at = None
    match = record.load(game)
    try:
        choices = record.ordered(match, seat)
    except OrderDoesNotFit as stop:
        seat.orders_stopped = engine_told(stop.reason)
        return False
    if not choices:
        return False
    seats = record.seats_of(session, game)
    seat = seats[seat.no]
    record.move(session, game, match, seat, choices, decided_by="order")
    turnclock.stop(seat)
    record.settle(session, game, seats, match, mover=None)
    return True
