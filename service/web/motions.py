"""Open proposals as the people at the table see them: what is proposed, by whom and why, and who has not answered; and
whether anything but a move has changed at a table that somebody looks at."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from service.models import Game, Person, Seat
from service.play import proposals
from service.post import moments
from service.post.language import gettext as _
from service.post.render import digest
from service.post.told import in_words


@dataclass(frozen=True)
class Motion:
    """One proposal. `answers` says of each who is asked what they have said, and since when they have said nothing."""

    id: int
    proposer: str
    effect: str
    reason: str
    answers: Sequence[str]
    mine: bool  # the reader has proposed it, and can take it back
    open_to_me: bool  # the reader is asked, and has not answered


def motions(session: Session, game: Game, seats: Sequence[Seat], reader: Person | None) -> list[Motion]:
    """What is voted on in this game. Nothing is asked of the tables where nothing is."""
    zone, names = reader.zone if reader else "UTC", [seat.name for seat in seats]
    called = {seat.person_id: seat.name for seat in seats}
    shown = []
    for proposal, votes in proposals.voted_on(session, game):
        agreed = {vote.person_id for vote in votes}
        asked = proposals.voters(proposal, seats)
        since = moments.day_and_time(proposal.created_at, zone)
        shown.append(
            Motion(
                id=proposal.id,
                proposer=called.get(proposal.proposed_by, ""),
                effect=in_words(proposal.effect, zone, names),
                reason=in_words(proposal.reason),
                answers=[
                    _own_answer(since, person in agreed)
                    if reader is not None and person == reader.id
                    else _answer(called[person], since, person in agreed)
                    for person in asked
                ],
                mine=reader is not None and proposal.proposed_by == reader.id,
                open_to_me=reader is not None and reader.id in asked and reader.id not in agreed,
            )
        )
    return shown


def standing(game: Game, seats: Sequence[Seat], proposed: Sequence[Motion]) -> str:
    """What can change without a move and without a word: what is voted on and who has answered, whether the game rests,
    who sits where and has how long. An open page compares it with its own."""
    clocks = [(seat.person_id, seat.asked, seat.stage, seat.deadline, seat.grace_until) for seat in seats]
    return digest(repr((game.status, game.paused_at, game.paused_until, clocks, proposed)))


def _answer(name: str, since: str, agrees: bool) -> str:
    if agrees:
        return _("%(name)s agrees.", name=name)
    return _("%(name)s has not answered since %(day)s.", name=name, day=since)


def _own_answer(since: str, agrees: bool) -> str:
    return _("You agree.") if agrees else _("You were asked on %(day)s.", day=since)
