"""Rulings that need agreement, as rows: put to the others, voted on, closed and told. What a ruling does, and who must
propose it instead of making it, is not known here (service/play/deciding.py)."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from service.db import utcnow
from service.models import Game, GameStatus, Outcome, Proposal, Seat, Vote
from service.post import letters, outbox


def situation(game: Game, seats: Sequence[Seat], seat_no: int | None) -> dict[str, Any]:
    """What a proposal may hang on."""
    seat = seats[seat_no] if seat_no is not None else None
    return {
        "version": game.version,
        "paused": game.paused_at is not None,
        "asked": seat.asked if seat else None,
        "stage": seat.stage.value if seat else None,
        "holder": seat.person_id if seat else None,
    }


def people_of(seats: Iterable[Seat]) -> list[int]:
    return sorted(seat.person_id for seat in seats if seat.person_id is not None)


_VOTED_ON = (
    select(Proposal, Vote)
    .outerjoin(Vote, col(Vote.proposal_id) == col(Proposal.id))
    .where(col(Proposal.game_id) == bindparam("game"), col(Proposal.outcome) == Outcome.OPEN)
    .order_by(col(Proposal.id))
)


def open_ones(session: Session, game: Game) -> Sequence[Proposal]:
    return [proposal for proposal, _ in voted_on(session, game)]


def voted_on(session: Session, game: Game) -> list[tuple[Proposal, list[Vote]]]:
    """What is open, with the answers so far. The game counts them: where there are none, as nearly always, nothing is
    asked of the tables."""
    if not game.proposals:
        return []
    found: dict[int, tuple[Proposal, list[Vote]]] = {}
    for proposal, vote in session.exec(_VOTED_ON, params={"game": game.id}):
        votes = found.setdefault(proposal.id, (proposal, []))[1]
        votes.extend([vote] if vote else [])
    return list(found.values())


def voters(proposal: Proposal, seats: Sequence[Seat]) -> list[int]:
    """Whose agreement it takes: that of all people at the table but whoever proposes it. Where it is about the seat of
    somebody else, who is silent, it does not wait for them."""
    silent = seats[proposal.seat_no].person_id if proposal.seat_no is not None else None
    return [person for person in people_of(seats) if person not in (proposal.proposed_by, silent)]


def all_agree(session: Session, proposal: Proposal, seats: Sequence[Seat]) -> bool:
    """Everybody at the table now whose agreement it takes."""
    votes = votes_on(session, proposal)
    return all(voter in votes and votes[voter].agrees for voter in voters(proposal, seats))


def votes_on(session: Session, proposal: Proposal) -> dict[int, Vote]:
    return {vote.person_id: vote for vote in session.exec(select(Vote).where(Vote.proposal_id == proposal.id))}


def put(session: Session, game: Game, seats: Sequence[Seat], proposal: Proposal) -> None:
    """To everybody at the table but whoever proposes it."""
    game.proposals += 1
    session.add_all([game, proposal])
    session.flush()
    for seat in seats:
        if seat.person_id != proposal.proposed_by:
            outbox.write(session, letters.Proposed(seat, proposal))


def put_to_newcomer(session: Session, game: Game, seat: Seat) -> None:
    """Who comes to the table has a vote like everybody else."""
    for proposal in open_ones(session, game):
        outbox.write(session, letters.Proposed(seat, proposal))


def close(
    session: Session,
    game: Game,
    tell: Sequence[Seat],
    proposal: Proposal,
    outcome: Outcome,
    by: int | None = None,
    why: str = "",
) -> None:
    """What became of it, told to these but for whoever closed it. That all agreed is told by the ruling itself."""
    proposal.outcome, proposal.decided_at = outcome, utcnow()
    game.proposals -= 1
    session.add_all([game, proposal])
    for seat in tell:
        if by is None or seat.person_id != by:
            outbox.write(session, letters.Dropped(seat, proposal, by, why))


def review(session: Session, game: Game, seats: Sequence[Seat]) -> None:
    """After anything that happened to the game: what is not so any more is closed, and told. Of a game that is over
    that is told already."""
    for proposal in open_ones(session, game):
        if game.status is not GameStatus.RUNNING:
            close(session, game, (), proposal, Outcome.OVERTAKEN)
        elif why := _what_changed(game, seats, proposal):
            close(session, game, seats, proposal, Outcome.OVERTAKEN, why=why)


def _what_changed(game: Game, seats: Sequence[Seat], proposal: Proposal) -> str:
    """What the proposal hung on and is not so any more. Who votes may change: its people are counted anew."""
    if proposal.proposed_by not in people_of(seats):
        return "proposer"
    present = situation(game, seats, proposal.seat_no)
    changed = [name for name, value in proposal.about.items() if name in present and present[name] != value]
    return "holder" if "holder" in changed else changed[0] if changed else ""
