"""A game that nobody plays any more. After a whole round in which everybody was stood in for it pauses itself and asks
whether anybody is still there; it goes on when one of its players acts or says so, and ends without a result after so
many days of silence. A moderator can let it go on too.

Everything runs inside the caller's transaction, with the game's row locked.
"""

from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from service import results
from service.bulk import write_gathered
from service.models import Game, GameStatus, Move, Seat
from service.play import moderators, pausing, record
from service.post import letters, outbox
from service.post.told import Told, ntold, told


def listen(session: Session, game: Game, now: datetime) -> None:
    """Somebody was just stood in for: was it everybody, all around?"""
    if game.status is not GameStatus.RUNNING or game.paused_at is not None:
        return
    people = sum(not seat.bot for seat in record.seats_of(session, game))
    if game.version - game.heard_version < people * game.silent_rounds:
        return  # there were too few moves since
    if _rounds(session, game) >= game.silent_rounds:
        reason = ntold(
            "Nobody has played for a whole round.",
            "Nobody has played for %(num)s whole rounds.",
            game.silent_rounds,
        )
        fall_silent(session, game, reason, now)


def _rounds(session: Session, game: Game) -> int:
    """How often everybody was stood in for since a player was last heard of."""
    write_gathered(session)
    times = dict(
        session.exec(
            select(Move.seat_no, func.count())
            .where(Move.game_id == game.id, Move.version > game.heard_version, col(Move.withdrawn).is_(False))
            .where(col(Move.decided_by).in_(["time-out", "moderator"]), col(Move.seat_no).is_not(None))
            .group_by(col(Move.seat_no))
        ).all()
    )
    return min((times.get(seat.no, 0) for seat in record.seats_of(session, game) if not seat.bot), default=0)


def wait_for(session: Session, game: Game, last: Seat, now: datetime) -> None:
    """The last person at the table is not replaced by a bot: the game waits for them."""
    reason = told("Without %(name)s only bots would be left.", name=last.name)
    fall_silent(session, game, reason, now, to_players=told("Without you only bots would be left."))


def fall_silent(session: Session, game: Game, reason: Told, now: datetime, *, to_players: Told | None = None) -> None:
    """All clocks stand still, and everybody is asked whether they are still there."""
    game.silent_since = now
    for seat in pausing.stop_clocks(session, game, timedelta(days=game.silent_days), now):
        outbox.write(session, letters.Silent(seat, now, to_players or reason))
    for reader in _from_outside(session, game):
        outbox.write(session, letters.SilentOutside(game, reader, now, reason))
    effect = told("The game is paused until somebody is there again, and ends on %(until)s.", until=game.paused_until)
    record.write_ruling(session, game, "silence", None, None, reason, effect)


def _from_outside(session: Session, game: Game) -> list[int]:
    """Who made the game or looks after it, and does not play."""
    players = {seat.person_id for seat in record.seats_of(session, game)}
    return sorted({game.organiser_id, *(moderator.id for moderator in moderators.of(session, game))} - players)


def broken(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """Somebody is still there: the game goes on for everybody."""
    if game.silent_since is not None:
        pausing.resume(session, game, told("%(name)s is still here.", name=seat.name), seat.person_id, now)


def end(session: Session, game: Game) -> None:
    """Nobody came back in time."""
    reason = ntold("Nobody was there for a day.", "Nobody was there for %(num)s days.", game.silent_days)
    effect = told(record.NO_RESULT)
    ruling = record.write_ruling(session, game, results.ABANDONED, None, None, reason, effect)
    record.break_off(session, game, record.seats_of(session, game), ruling)
