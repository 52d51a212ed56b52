"""Who decides about a game: a moderator alone, or its players together. Every ruling needs a reason, is written into
the game's public log, and is told to all players by letter.

Whoever plays is a party. Over their own seat, and over the whole game, a moderator who plays can only propose, and over
another's seat they rule once that seat is out of time. A player who is no moderator can only ever propose: in a game
of the group anything, else what any player may, and what happens to a moderator who is out of time themselves.
Everything runs inside the caller's transaction, with the game's row locked.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, func, select

from engine import UnknownSave
from service.models import Game, GameStatus, Jury, Outcome, Person, Proposal, Seat, Stage, Vote
from service.models import Ruling as Written
from service.play import moderators, proposals, record
from service.play.reading import BadInput, read_line
from service.play.rulings import RULINGS, Case, Ruling
from service.post.language import gettext as _
from service.post.told import Told, verbatim

LONGEST_REASON = 300

FOR_ALL_PLAYERS = ("pause", "resume", "end")  # what any player may propose in any game


@dataclass(frozen=True)
class Offered:
    """A ruling that somebody can make or propose now, and the seats it can be about."""

    ruling: Ruling
    seats: list[Seat]


def offered(case: Case) -> list[Offered]:
    """What can be decided now by whoever looks; what could do nothing, or is not for them, is left out."""
    if case.game.status is not GameStatus.RUNNING:
        return []
    found = []
    playable = record.stranded(case.game) is None
    for ruling in RULINGS.values():
        if ruling.needs_position and not playable:
            continue
        places: list[Seat | None] = [*case.seats] if ruling.is_about_a_seat else [None]
        fitting = [seat for seat in places if ruling.fits(case, seat) and not _bar(case, ruling, seat)]
        if fitting:
            found.append(Offered(ruling, [seat for seat in fitting if seat]))
    return found


def stamp(session: Session, game: Game) -> str:
    """What a preview was about. A ruling is confirmed only while it is still so: a second click rules nothing twice."""
    ruled = session.exec(select(func.max(Written.id)).where(Written.game_id == game.id)).one()
    proposed = session.exec(select(func.max(Proposal.id)).where(Proposal.game_id == game.id)).one()
    return f"{game.version}-{ruled or 0}-{proposed or 0}"


def preview(case: Case, ruling: Ruling) -> Told:
    """What the ruling would do; the session it was played out in is to be thrown away."""
    _read_reason(case.form)
    _check(case, ruling)
    with _rules_of_today():
        return ruling.proposed(case) if _needs_agreement(case, ruling) else ruling.preview(case)


def asked_for(case: Case, ruling: Ruling) -> list[str] | None:
    """Who must agree, by name; None for a ruling that is made alone."""
    if not _needs_agreement(case, ruling):
        return None
    whom = proposals.voters(_proposal(case, ruling, {}), case.seats)
    return [seat.name for seat in case.seats if seat.person_id in whom]


def decide(case: Case, ruling: Ruling) -> Proposal | None:
    """Make the ruling, or propose it where others must agree: then the proposal is returned."""
    _check(case, ruling)
    if not _needs_agreement(case, ruling):
        _enact(case, ruling, by_vote=False)
        return None
    with _rules_of_today(), case.session.begin_nested() as trial:
        effect = ruling.proposed(case)
        trial.rollback()
    if any(other.name == ruling.name for other in proposals.open_ones(case.session, case.game)):
        raise BadInput(_("This is proposed already: the answers to that come first."))
    proposal = _proposal(case, ruling, effect)
    if not proposals.voters(proposal, case.seats):
        _enact(case, ruling, by_vote=False)
        return None
    proposals.put(case.session, case.game, case.seats, proposal)
    return proposal


def vote(session: Session, game: Game, person: Person, proposal: Proposal, agrees: bool, now: datetime) -> Outcome:
    """One person's answer. A no closes it, whoever proposed it can take it back, and the last yes makes the ruling."""
    seats = record.seats_of(session, game)
    voters = proposals.voters(proposal, seats)
    if proposal.outcome is not Outcome.OPEN:
        raise BadInput(_("This proposal is closed already."))
    if person.id not in voters and (agrees or person.id != proposal.proposed_by):
        raise BadInput(_("You are not asked about this."))
    votes = proposals.votes_on(session, proposal)
    mine = votes.setdefault(person.id, Vote(proposal_id=proposal.id, person_id=person.id, agrees=agrees))
    mine.agrees, mine.at = agrees, now
    session.add(mine)
    if not agrees:
        proposals.close(session, game, seats, proposal, Outcome.REFUSED, by=person.id)
    elif proposals.all_agree(session, proposal, seats):
        _carry_out(session, game, proposal, now)
    return proposal.outcome


def recount(session: Session, game: Game, now: datetime) -> None:
    """Somebody has left the table: what all who are left agree to happens now."""
    for proposal in proposals.open_ones(session, game):
        seats = record.seats_of(session, game)
        if proposal.outcome is not Outcome.OPEN or not proposals.all_agree(session, proposal, seats):
            continue
        try:
            with session.begin_nested():
                _carry_out(session, game, proposal, now)
        except BadInput:  # it cannot be done any more
            proposals.close(session, game, seats, proposal, Outcome.OVERTAKEN)


def _carry_out(session: Session, game: Game, proposal: Proposal, now: datetime) -> None:
    proposals.close(session, game, (), proposal, Outcome.AGREED)
    proposer = session.get_one(Person, proposal.proposed_by)
    form = proposal.form | {"reason": proposal.reason["args"]["words"]}
    _enact(Case(session, game, proposer, now, form, moderates=False), RULINGS[proposal.name], by_vote=True)


def _check(case: Case, ruling: Ruling) -> None:
    """Whether it is for this person to decide or to propose at all."""
    if case.game.status is not GameStatus.RUNNING:
        raise BadInput(_("This game is not under way, so there is nothing to rule."))
    if bar := _bar(case, ruling, ruling.seat(case)):
        raise BadInput(bar, "seat")


def _bar(case: Case, ruling: Ruling, seat: Seat | None) -> str:
    """Why it is not for this person to decide or to propose this; nothing if it is."""
    if not case.moderates and not _is_for_players(case, ruling, seat):
        return _("This is for the moderator to decide.")
    if not (case.plays() and ruling.plays_for and seat):
        return ""
    vacant = seat.person_id is None and "asked" not in ruling.hangs_on  # nobody's seat can be filled at any time
    if seat.person_id == case.person.id or vacant or seat.stage is Stage.DESK:
        return ""
    return _("You play in this game, so this can be decided only once %(name)s is out of time.", name=seat.name)


def _is_for_players(case: Case, ruling: Ruling, seat: Seat | None) -> bool:
    if ruling.secret:
        return False
    if case.game.jury is Jury.GROUP or ruling.name in FOR_ALL_PLAYERS:
        return True
    return seat in moderators.left_to_players(case.session, case.game, case.seats)


def _needs_agreement(case: Case, ruling: Ruling) -> bool:
    if not case.plays():
        return False
    seat = ruling.seat(case)
    return not case.moderates or seat is None or seat.person_id in (None, case.person.id)


def _proposal(case: Case, ruling: Ruling, effect: Told) -> Proposal:
    seat = ruling.seat(case)
    present = proposals.situation(case.game, case.seats, seat.no if seat else None)
    hangs_on = {*ruling.hangs_on, "holder"}
    if seat and ruling.plays_for and seat.person_id != case.person.id:
        hangs_on.add("stage")
    fields = {field.name for field in ruling.fields}
    return Proposal(
        game_id=case.game.id,
        name=ruling.name,
        form={name: value for name, value in case.form.items() if name in fields},
        about={name: present[name] for name in sorted(hangs_on)},
        seat_no=seat.no if seat else None,
        proposed_by=case.person.id,
        reason=verbatim(_read_reason(case.form)),
        effect=effect,
        created_at=case.now,
    )


def _enact(case: Case, ruling: Ruling, *, by_vote: bool) -> None:
    """Make the ruling, write it into the public log, and tell it to all players."""
    reason, seat = verbatim(_read_reason(case.form)), ruling.seat(case)
    told_already = ruling.writes_to(case)
    case.written = record.write_ruling(case.session, case.game, ruling.name, case.person.id, seat, reason)
    case.written.by_vote = by_vote
    with _rules_of_today():
        case.written.effect = ruling.apply(case)
    case.written.version = case.game.version
    case.session.add_all([case.game, case.written])
    seats = case.seats
    proposals.review(case.session, case.game, seats)
    if not ruling.secret:
        record.tell_ruling(case.session, seats, case.written, told_already)
    recount(case.session, case.game, case.now)


def _read_reason(form: Mapping[str, str]) -> str:
    reason = read_line(form.get("reason", ""), LONGEST_REASON, "reason")
    if not reason:
        raise BadInput(_("Please give a reason: the players will read it."), "reason")
    return reason


@contextmanager
def _rules_of_today() -> Iterator[None]:
    """What a ruling that must look at the position or play on from it says where no mend leads to today's rules."""
    try:
        yield
    except UnknownSave as error:
        raise BadInput(
            _("This position was reached under older rules, and cannot be looked at or played on under those of today.")
        ) from error
