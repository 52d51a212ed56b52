"""Writing down what happened in a match: moves, snapshots, rulings, who is asked next, and the letters that follow.

Everything here runs inside the caller's transaction, with the game's row locked. Knows no rules.
"""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import bindparam
from sqlmodel import Session, SQLModel, and_, col, insert, or_, select

from engine import Match, OrderDoesNotFit, UnknownSave
from engine.scene import Event
from service import results
from service.bulk import among, put
from service.db import LOCKED, utcnow
from service.models import Game, GameStatus, Move, Person, Policy, Ruling, Seat, Tenure
from service.play import moderators, positions, proposals, turnclock
from service.post import letters, outbox
from service.post.language import marked
from service.post.told import Told

# Somebody who is asked again right after a move of their own is most likely still at the table: the letter waits,
# and is not sent if they have answered by then.
STILL_AT_THE_TABLE = timedelta(minutes=10)

# Nothing in a transaction looks at a row of the log again, so they go straight into the tables.
_NEW_MOVE = insert(SQLModel.metadata.tables["move"])

NO_RESULT = marked("The game ends now, without a result.")

ORDERS_TAKE = timedelta(minutes=2)


def lock(session: Session, game_id: int) -> Game:
    """The game's row, locked until the transaction ends (SQLite: the whole database already is)."""
    locked = select(Game).where(Game.id == game_id).with_for_update(**LOCKED)
    return session.exec(locked.execution_options(populate_existing=True)).one()


_ALL_GAMES = (
    select(Game)
    .where(among(col(Game.id), "games"))
    .order_by(col(Game.id))
    .with_for_update(**LOCKED)
    .execution_options(populate_existing=True)
)


def lock_all(session: Session, ids: Iterable[int]) -> dict[int, Game]:
    """The rows of all these games, locked in the one order there is."""
    return {game.id: game for game in session.exec(_ALL_GAMES, params={"games": list(ids)})}


def lock_all_of(session: Session, person_id: int | None) -> None:
    """Every game that this person is in and that is not over: for what changes their clocks wherever they play."""
    theirs = select(Seat.game_id).where(Seat.person_id == person_id)
    going_on = col(Game.status).in_([GameStatus.INVITED, GameStatus.RUNNING])
    session.exec(
        select(Game.id).where(col(Game.id).in_(theirs), going_on).order_by(col(Game.id)).with_for_update(**LOCKED)
    ).all()


def lock_with(session: Session, game_id: int, person_id: int | None) -> None:
    """The same and this game, in which they are not yet."""
    theirs = select(Seat.game_id).where(Seat.person_id == person_id)
    going_on = and_(col(Game.id).in_(theirs), col(Game.status).in_([GameStatus.INVITED, GameStatus.RUNNING]))
    wanted = select(Game).where(or_(going_on, col(Game.id) == game_id)).order_by(col(Game.id))
    session.exec(wanted.with_for_update(**LOCKED).execution_options(populate_existing=True)).all()


def lock_person(session: Session, person_id: int) -> Person:
    """Somebody's row, after their seats: the order of locks is in service/db.py."""
    theirs = select(Seat.id).where(Seat.person_id == person_id).order_by(col(Seat.id))
    session.exec(theirs.with_for_update(**LOCKED)).all()
    return session.get_one(Person, person_id, with_for_update=LOCKED, populate_existing=True)


_SEATS = select(Seat).where(col(Seat.game_id) == bindparam("game")).order_by(col(Seat.no))


def seats_of(session: Session, game: Game) -> list[Seat]:
    tables: dict[int, list[Seat]] = session.info.get("tables", {})
    return list(tables.get(game.id) or session.exec(_SEATS, params={"game": game.id}))


# Locked as whoever changes a person's own time locks them, in one order.
_ALL_SEATS = select(Seat).where(among(col(Seat.game_id), "games")).order_by(col(Seat.id)).with_for_update(**LOCKED)


def seats_of_all(session: Session, games: Iterable[Game]) -> dict[int, list[Seat]]:
    """The seats of each of these games, locked, in their order at the table. In this transaction none comes or goes."""
    tables: dict[int, list[Seat]] = {game.id: [] for game in games}
    for seat in session.exec(_ALL_SEATS, params={"games": list(tables)}):
        tables[seat.game_id].append(seat)
    for seats in tables.values():
        seats.sort(key=lambda seat: seat.no)
    session.info["tables"] = tables
    return tables


def load(game: Game) -> Match:
    """The match as it stands."""
    if game.saved is None:
        raise ValueError(f"game {game.public_id} has not started")
    return Match.load(game.saved, game.components)


def stranded(game: Game) -> UnknownSave | None:
    """Why a game that has begun cannot go on under the rules of today, if it cannot."""
    try:
        load(game)
    except UnknownSave as error:
        return error
    return None


def bring_along(session: Session, game: Game) -> None:
    """Save a game of older rules as one of today's, and ask whom they ask. UnknownSave if no mend leads there."""
    settle(session, game, seats_of(session, game), load(game), mover=None)


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
    ruled_by: int | None = None,
    submission_id: int | None = None,
) -> None:
    """Make these choices for this seat and write them down as one move. IllegalChoice leaves nothing behind."""
    first_event = len(match.events)
    for choice in choices:
        match.choose(seat.no, choice)
    now = utcnow()
    game.version += 1
    seat.moved_version = game.version
    turnclock.answered(session, game, seat, now)
    if decided_by == "player":
        seat.misses, game.heard_version = 0, game.version
    _write_down(
        session,
        game,
        match,
        seat,
        choices,
        first_event,
        now,
        decided_by=decided_by,
        person_id=seat.person_id if decided_by in ("player", "order") else ruled_by,
        submission_id=submission_id,
        took=turnclock.thought(session, game, seat, now) if decided_by == "player" else None,
    )


def settle(session: Session, game: Game, seats: list[Seat], match: Match, mover: Seat | None) -> None:
    """After a move: let the bots answer, ask who is next, end the game."""
    _let_bots_play(session, game, seats, match)
    game.saved, game.rules = match.save(), match.game.rules
    if match.result is not None:
        _finish(session, game, seats, match)
    else:
        _ask(session, game, seats, match, mover)
    proposals.review(session, game, seats)


def _let_bots_play(session: Session, game: Game, seats: list[Seat], match: Match) -> None:
    while bots := [d.seat for d in match.pending if seats[d.seat].bot]:
        seat = seats[bots[0]]
        if seat.resigned_at is None:
            move(session, game, match, seat, bot_choices(match, seat.no), decided_by="bot")
        else:
            move(session, game, match, seat, _choices_for_nobody(game, match, seat), decided_by="nobody")


def _choices_for_nobody(game: Game, match: Match, seat: Seat) -> list[str]:
    """How an empty seat is played: as the game's policy says, or what it says for when nobody decides."""
    policy = game.fallback if game.policy is Policy.MODERATOR else game.policy
    return bot_choices(match, seat.no) if policy is Policy.BOT else default_choices(match, seat.no)


def bot_choices(match: Match, seat: int) -> list[str]:
    """How the built-in player would play this seat's turn."""
    return _to_the_end(match, seat, lambda trial: trial.bot_choice(seat))


def default_choices(match: Match, seat: int) -> list[str]:
    """Auto-pass: the least committing legal play to the end of the turn."""
    return _to_the_end(match, seat, lambda trial: next(d.default for d in trial.pending if d.seat == seat))


def _to_the_end(match: Match, seat: int, choose: Callable[[Match], str]) -> list[str]:
    """The choices of one turn, found on a copy, so that the move is made and written down in the one way there is."""
    trial = match.copy()
    choices: list[str] = []
    while any(d.seat == seat for d in trial.pending) and trial.turn == match.turn:
        choices.append(choose(trial))
        trial.choose(seat, choices[-1])
    return choices


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
    person_id: int | None = None,
    submission_id: int | None = None,
    took: int | None = None,
) -> None:
    game.turn, game.moved_at = match.turn, now
    row = {
        "game_id": game.id,
        "version": game.version,
        "turn": game.turn,
        "seat_no": seat.no if seat else None,
        "choices": choices,
        "decided_by": decided_by,
        "withdrawn": False,
        "person_id": person_id,
        "submission_id": submission_id,
        "events": [pack(event) for event in match.events[first_event:]],
        "scores": match.scores,
        "took": took,
        "created_at": now,
    }
    put(session, _NEW_MOVE, row)
    positions.keep(session, game, match)


def pack(event: Event) -> dict[str, Any]:
    packed: dict[str, Any] = msgspec.to_builtins(event)
    return packed


def unpack(event: dict[str, Any]) -> Event:
    return msgspec.convert(event, Event)


def write_ruling(
    session: Session,
    game: Game,
    name: str,
    person_id: int | None,
    seat: Seat | None,
    reason: Told,
    effect: Told | None = None,
) -> Ruling:
    """What was decided about the game and why, for all its players to read. What it does may be known only later."""
    ruling = Ruling(
        game_id=game.id,
        version=game.version,
        name=name,
        person_id=person_id,
        seat_no=seat.no if seat else None,
        reason=reason,
        effect=effect or {},
    )
    session.add(ruling)
    session.flush()
    return ruling


def tell_ruling(session: Session, seats: list[Seat], ruling: Ruling, besides: Collection[int | None] = ()) -> None:
    """To everybody at the table, besides those whom another letter tells of it; who decided it alone knows."""
    for seat in seats:
        alone = seat.person_id == ruling.person_id and not ruling.by_vote
        if not alone and seat.person_id not in besides:
            outbox.write(session, letters.Ruled(seat, ruling))


def _ask(session: Session, game: Game, seats: list[Seat], match: Match, mover: Seat | None) -> None:
    """Put the open questions to their seats. A seat that was asked before and has not moved keeps its question."""
    now = utcnow()
    to_act = {decision.seat for decision in match.pending}
    for seat in seats:
        if seat.no not in to_act:
            if seat.asked is not None:
                turnclock.stop(seat)
        elif seat.asked is None or seat is mover:
            seat.asked = game.version
            turnclock.wind(session, game, seat, now)
            due = now + STILL_AT_THE_TABLE if seat is mover else _after_orders(match, seat)
            outbox.write(session, letters.Turn(seat, due, aloud_at=partial(_after_any_orders, match, seat, due)))
    if game.version == 0:
        for moderator in moderators.of(session, game):
            outbox.write(session, letters.Moderator(game, moderator.id))
        for seat in seats:
            if seat.asked is None:
                outbox.write(session, letters.Started(seat))


def take_note(session: Session, game: Game, match: Match) -> None:
    """A version without a move: a ruling has changed something, and the match goes on from here."""
    _write_down(session, game, match, None, [], len(match.events), utcnow(), decided_by="moderator")


def _after_orders(match: Match, seat: Seat) -> datetime | None:
    """A player whose standing orders answer this is written to only if they were not followed after all."""
    try:
        followed = bool(ordered(match, seat))
    except OrderDoesNotFit:
        followed = False
    return seat.orders_at + ORDERS_TAKE if followed and seat.orders_at else None


def _after_any_orders(match: Match, seat: Seat, due: datetime | None) -> datetime | None:
    """Where others can hear whom a game waits for, a question that orders could answer is told of when they would have
    been followed, whether there are some or not."""
    if seat.orders_at is None or not _could_be_ordered(match, seat.no):
        return due
    return seat.orders_at + ORDERS_TAKE


def _could_be_ordered(match: Match, seat: int) -> bool:
    declared = match.game.orders
    for nth in range(max((len(order.choices) for order in declared), default=0)):
        try:
            if match.follow_orders(
                seat, {order.id: order.choices[min(nth, len(order.choices) - 1)] for order in declared}
            ):
                return True
        except OrderDoesNotFit:
            return True
    return False


def ordered(match: Match, seat: Seat) -> list[str] | None:
    """The choices by which the seat's standing orders answer what is asked now; OrderDoesNotFit if they cannot."""
    orders = match.game.still_orders(seat.orders)
    return match.follow_orders(seat.no, orders) if orders else None


def put_back(session: Session, game: Game, seats: list[Seat], match: Match) -> None:
    """Go on from an earlier position. Versions only ever count up, so whatever was about a later one is out of date."""
    game.version += 1
    take_note(session, game, match)
    for seat in seats:
        seat.moved_version = min(seat.moved_version, game.version)
    settle(session, game, seats, match, mover=None)


def finish_early(session: Session, game: Game, seats: list[Seat]) -> None:
    """End the game now, with the scores as they stand: those in the log where the rules of today cannot count them."""
    try:
        match = load(game)
        scores, game.saved, game.rules = match.scores, match.save(), match.game.rules
    except UnknownSave:
        last = select(Move.scores).where(Move.game_id == game.id, Move.version == game.version)
        scores = list(session.exec(last).one())
    game.status, game.finished_at = GameStatus.FINISHED, utcnow()
    game.result = results.as_it_stands(scores)
    _close(session, game, seats)


def break_off(session: Session, game: Game, seats: list[Seat], ruling: Ruling) -> None:
    """End the game now, without a result. It stays to be looked at, as any that is over."""
    game.status, game.finished_at = GameStatus.FINISHED, utcnow()
    _stop(session, game, seats)
    for seat in seats:
        outbox.write(session, letters.Ended(seat, ruling))
    for person_id in _former_holders(session, seats):
        outbox.write(session, letters.EndedFormer(game, person_id, ruling))


def _finish(session: Session, game: Game, seats: list[Seat], match: Match) -> None:
    assert match.result is not None
    game.status, game.finished_at = GameStatus.FINISHED, utcnow()
    game.result = msgspec.to_builtins(match.result.ranking)
    _close(session, game, seats)


def _close(session: Session, game: Game, seats: list[Seat]) -> None:
    _stop(session, game, seats)
    for seat in seats:
        outbox.write(session, letters.Over(seat))
    for person_id in _former_holders(session, seats):
        outbox.write(session, letters.OverFormer(game, person_id))


def _former_holders(session: Session, seats: list[Seat]) -> list[int]:
    """Who held one of these seats once, and holds none of them now."""
    once = select(Tenure.person_id).where(col(Tenure.seat_id).in_([seat.id for seat in seats])).distinct()
    now = {seat.person_id for seat in seats}
    return sorted(person_id for person_id in session.exec(once) if person_id is not None and person_id not in now)


def _stop(session: Session, game: Game, seats: list[Seat]) -> None:
    """No clock runs, no pause ends and nothing is voted on in a game that is over."""
    game.paused_at = game.paused_until = game.silent_since = None
    session.add(game)
    for seat in seats:
        turnclock.stop(seat)
        session.add(seat)
    proposals.review(session, game, seats)
