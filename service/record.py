"""Writing down what happened in a match: moves, snapshots, who is asked next, and the letters that follow.

Everything here runs inside the caller's transaction, with the game's row locked. Knows no rules.
"""

from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from engine import Match
from engine.scene import Event
from service import outbox
from service.db import utcnow
from service.models import Game, GameStatus, Move, Seat, Snapshot

# Somebody who is asked again right after a move of their own is most likely still at the table: the letter waits,
# and is not sent if they have answered by then.
STILL_AT_THE_TABLE = timedelta(minutes=10)


def lock(session: Session, game_id: int) -> Game:
    """The game's row, locked until the transaction ends (SQLite: the whole database already is)."""
    locked = select(Game).where(Game.id == game_id).with_for_update().execution_options(populate_existing=True)
    return session.exec(locked).one()


def seats_of(session: Session, game: Game) -> list[Seat]:
    return list(session.exec(select(Seat).where(Seat.game_id == game.id).order_by(col(Seat.no))))


def load(game: Game) -> Match:
    """The match as it stands."""
    if game.saved is None:
        raise ValueError(f"game {game.public_id} has not started")
    return Match.load(game.saved, game.components)


def begin(session: Session, game: Game, seats: list[Seat], seed: int) -> Match:
    """Set the table: version 0."""
    match = Match.start(game.kind, players=len(seats), seed=seed, options=game.options, components=game.components)
    now = utcnow()
    game.status, game.started_at, game.version = GameStatus.RUNNING, now, 0
    _write_down(session, game, match, None, [], 0, now, decided_by="nobody")
    settle(session, game, seats, match, mover=None)
    return match


def move(
    session: Session,
    game: Game,
    match: Match,
    seat: Seat,
    choices: list[str],
    *,
    decided_by: str,
    submission_id: int | None = None,
) -> None:
    """Make these choices for this seat and write them down as one move. IllegalChoice leaves nothing behind."""
    first_event = len(match.events)
    for choice in choices:
        match.choose(seat.no, choice)
    game.version += 1
    seat.moved_version = game.version
    _write_down(
        session, game, match, seat, choices, first_event, utcnow(), decided_by=decided_by, submission_id=submission_id
    )


def settle(session: Session, game: Game, seats: list[Seat], match: Match, mover: Seat | None) -> None:
    """After a move: let the bots answer, ask who is next, end the game."""
    _let_bots_play(session, game, seats, match)
    game.saved = match.save()
    if match.result is not None:
        _finish(session, game, seats, match)
    else:
        _ask(session, game, seats, match, mover)
    session.add(game)
    session.add_all(seats)


def _let_bots_play(session: Session, game: Game, seats: list[Seat], match: Match) -> None:
    while bots := [d.seat for d in match.pending if seats[d.seat].bot]:
        bot = bots[0]
        # The choices are found on a copy, so that the move is made and written down in the one way there is.
        trial = Match.load(match.save(), game.components)
        choices: list[str] = []
        while any(d.seat == bot for d in trial.pending) and trial.turn == match.turn:
            choices.append(trial.bot_choice(bot))
            trial.choose(bot, choices[-1])
        move(session, game, match, seats[bot], choices, decided_by="bot")


def _write_down(
    session: Session,
    game: Game,
    match: Match,
    seat: Seat | None,
    choices: list[str],
    first_event: int,
    now: datetime,
    *,
    decided_by: str,
    submission_id: int | None = None,
) -> None:
    game.turn, game.moved_at = match.turn, now
    session.add(
        Move(
            game_id=game.id,
            version=game.version,
            turn=game.turn,
            seat_no=seat.no if seat else None,
            choices=choices,
            decided_by=decided_by,
            person_id=seat.person_id if seat else None,
            submission_id=submission_id,
            events=[pack(event) for event in match.events[first_event:]],
            scores=match.scores,
            created_at=now,
        )
    )
    session.add(Snapshot(game_id=game.id, version=game.version, data=match.save()))


def pack(event: Event) -> dict[str, Any]:
    packed: dict[str, Any] = msgspec.to_builtins(event)
    return packed


def unpack(event: dict[str, Any]) -> Event:
    return msgspec.convert(event, Event)


def _ask(session: Session, game: Game, seats: list[Seat], match: Match, mover: Seat | None) -> None:
    """Put the open questions to their seats. A seat that was asked before and has not moved keeps its question."""
    now = utcnow()
    to_act = {decision.seat for decision in match.pending}
    for seat in seats:
        if seat.no not in to_act:
            seat.asked = seat.asked_at = seat.deadline = None
        elif seat.asked is None or seat is mover:
            seat.asked, seat.asked_at = game.version, now
            seat.deadline = now + timedelta(hours=game.pace_hours)
            due = now + STILL_AT_THE_TABLE if seat is mover else None
            key = f"turn:{seat.id}:{seat.asked}"
            outbox.write(session, "turn", seat.person_id, key, game=game, seat=seat, asked=seat.asked, due_at=due)
    if game.version == 0:
        for seat in seats:
            if seat.asked is None:
                outbox.write(session, "started", seat.person_id, f"started:{seat.id}", game=game, seat=seat)


def _finish(session: Session, game: Game, seats: list[Seat], match: Match) -> None:
    assert match.result is not None
    game.status, game.finished_at = GameStatus.FINISHED, utcnow()
    game.result = msgspec.to_builtins(match.result.ranking)
    for seat in seats:
        seat.asked = seat.asked_at = seat.deadline = None
        outbox.write(session, "over", seat.person_id, f"over:{seat.id}", game=game, seat=seat)
