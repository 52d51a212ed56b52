"""A turn in the making. Clicks build a draft on the server, checked by the engine at every click; undo is free until
the draft is sent. Sending writes a submission, safe on disk, for the adjudicator."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
from sqlmodel import Session, select

from engine import Decision, Event, IllegalChoice, Match
from service import queue
from service.db import db, utcnow
from service.models import Draft, Game, Seat, Submission, Verdict
from service.play import record
from service.post.language import gettext as _

LONGEST_LINE = 4000  # of what is kept to be said with a turn; what is too long to be said is refused when it is sent


class NotPossible(Exception):
    """The turn in the making does not stand where this can be done. The text says so; nothing was changed."""


class OutOfDate(NotPossible):
    """The page was about a question that is no longer open. Nothing was changed."""


@dataclass
class Turn:
    """A seat's turn in the making: the match with the draft applied, stopped before anything hidden is shown."""

    match: Match
    choices: list[str]
    said: list[Decision]  # the question behind each choice
    number: int  # which turn of the match these choices belong to
    told: int  # how much had been told before them
    left_out: int = 0  # choices of the draft that the rules of today do not offer any more
    line: str = ""  # to be said to all when it is sent
    draft: Draft | None = None  # where it was read: a session reads again what nobody holds

    @property
    def step(self) -> str:
        """Where the draft stands, for the page to say what it showed: a number would be the same for other choices."""
        return f"{len(self.choices)}.{_digest(self.choices)[:12]}"

    def decision(self, seat: int) -> Decision | None:
        """The open question, in this turn: when all others pass, the next one is this seat's too."""
        if self.match.turn != self.number:
            return None
        return next((d for d in self.match.pending if d.seat == seat), None)

    def make(self, seat: int, choice: str) -> None:
        """Make one more choice. IllegalChoice leaves everything as it was."""
        decision = self.decision(seat)
        if decision is None:
            raise IllegalChoice("this turn is complete already")
        self.match.choose(seat, choice)
        self.choices.append(choice)
        self.said.append(decision)

    def events(self, seat: int) -> list[Event]:
        """What these choices lead to in this turn, as far as the seat may know it."""
        end = len(self.match.events) if self.match.turn == self.number else self.match.told_before
        return [event for event in self.match.events[self.told : end] if event.known_to(seat)]

    def complete(self, seat: int) -> bool:
        return bool(self.choices) and self.decision(seat) is None


def lay_out(game: Game, seat: Seat, choices: list[str]) -> Turn:
    """The position with these choices made. IllegalChoice if they are not offered in this order."""
    match = record.load(game).draft()
    turn = Turn(match, [], [], match.turn, len(match.events))
    for choice in choices:
        turn.make(seat.no, choice)
    return turn


def current(session: Session, game: Game, seat: Seat) -> Turn:
    """The seat's draft as it stands."""
    return as_put_down(game, seat, session.get(Draft, seat.id))


def as_put_down(game: Game, seat: Seat, draft: Draft | None) -> Turn:
    """What was put down of the seat's turn; a draft that answers an older question is not looked at. Of one that was
    begun before the rules were corrected, as much as is still offered."""
    choices = draft.choices if draft and draft.asked == seat.asked else []
    turn = lay_out(game, seat, [])
    turn.draft = draft
    turn.line = draft.line if draft and draft.asked == seat.asked else ""
    try:
        for choice in choices:
            turn.make(seat.no, choice)
    except IllegalChoice:
        turn.left_out = len(choices) - len(turn.choices)
    return turn


def choose(
    session: Session,
    game: Game,
    seat: Seat,
    asked: int,
    step: str,
    options: Sequence[str],
    keep: int | None = None,
) -> None:
    """Add choices, one after the other: all of them or none. `keep`: of what was chosen before, only so many stay.
    `asked` and `step` say what the page showed, so a second click on it does nothing twice."""
    shown = _open(session, game, seat, asked, step)
    turn = shown if keep is None else lay_out(game, seat, shown.choices[:keep])
    for option in options:
        if turn.decision(seat.no) is None:
            raise NotPossible(_("This turn is complete already: send it or take a step back."))
        turn.make(seat.no, option)
    put_down(session, seat, turn.choices)


def rest(session: Session, game: Game, seat: Seat, asked: int, step: str) -> None:
    """Do the rest for me."""
    turn = _open(session, game, seat, asked, step)
    put_down(session, seat, [*turn.choices, *the_rest(turn, seat)])


def the_rest(turn: Turn, seat: Seat) -> list[str]:
    """The defaults that would be followed, as long as the same thing is asked or the same rest is left."""
    ahead = replace(turn, match=turn.match.copy().draft())
    first = decision = ahead.decision(seat.no)
    followed: list[str] = []
    while first and decision and decision.rest and (decision.prompt == first.prompt or decision.rest == first.rest):
        followed.append(decision.default)
        ahead.match.choose(seat.no, decision.default)
        decision = ahead.decision(seat.no)
    return followed


def undo(session: Session, game: Game, seat: Seat, asked: int, step: str) -> None:
    """Take back the last choice: what only led to it is one with it to whoever made it."""
    turn = _open(session, game, seat, asked, step)
    put_down(session, seat, turn.choices[: before_the_last(turn)])


def before_the_last(turn: Turn) -> int:
    """How many choices are left when the last is taken back, and with it what only led to it."""
    left = len(turn.choices) - 1
    while left > 0 and turn.said[left - 1].option(turn.choices[left - 1]).leads:
        left -= 1
    return max(left, 0)


def restart(session: Session, game: Game, seat: Seat, asked: int, step: str) -> None:
    _open(session, game, seat, asked, step)
    put_down(session, seat, [])


def _open(session: Session, game: Game, seat: Seat, asked: int, step: str) -> Turn:
    if seat.asked is None or seat.asked != asked:
        raise OutOfDate(_("The game has moved on since this page was made. This is the position now."))
    turn = current(session, game, seat)
    if turn.step != step:
        raise OutOfDate(_("This was chosen already, or in another window. This is where the turn stands."))
    return turn


def _digest(choices: list[str]) -> str:
    """Short, for an index holds that of every turn there ever was; and it only has to tell answers to one question
    apart."""
    return hashlib.sha256(msgspec.json.encode(choices)).hexdigest()[:16]


def put_down(session: Session, seat: Seat, choices: list[str]) -> None:
    """The draft of this seat's open question, from now on."""
    assert seat.asked is not None
    draft = session.get(Draft, seat.id) or Draft(seat_id=seat.id, asked=seat.asked)
    if draft.asked != seat.asked:
        draft.line = ""
    draft.asked, draft.choices, draft.updated_at = seat.asked, choices, utcnow()
    session.add(draft)


def keep_line(session: Session, seat: Seat, asked: int, line: str) -> None:
    """What is to be said with the turn, as it stands in the form: nothing of it is lost when a choice, or the turn
    itself, is not possible."""
    if seat.asked is None or seat.asked != asked:
        return
    line = line[:LONGEST_LINE]
    draft = session.get(Draft, seat.id)
    if draft is None or draft.asked != asked:
        if not line:
            return
        put_down(session, seat, [])
        draft = session.get_one(Draft, seat.id)
    if draft.line != line:
        draft.line = line
        session.add(draft)


def send(game_id: int, seat_id: int, asked: int, step: str, last: str = "", line: str = "") -> tuple[int, bool]:
    """Write the submission and hand it to the adjudicator. Returns its id, the same turn twice being the same row, and
    whether the queue took it: else the sweep will, and no word of it comes soon.
    `last`: choices to be made before, with which the turn is complete. `line`: what is said with it."""
    submission_id = submit(game_id, seat_id, asked, step, last, line)
    return submission_id, queue.post("adjudicate", submission_id)


@db.transaction
def submit(session: Session, game_id: int, seat_id: int, asked: int, step: str, last: str = "", line: str = "") -> int:
    """Write the submission, and leave it at that."""
    game = record.lock(session, game_id)  # two clicks at once are made to queue up here
    seat = session.get_one(Seat, seat_id)
    if seat.asked != asked:
        # A second click may come when the first is through: then it is about a turn that was sent.
        done = session.exec(
            select(Submission.id).where(
                Submission.seat_id == seat.id, Submission.asked == asked, Submission.verdict == Verdict.ACCEPTED
            )
        ).first()
        if done is not None:
            return done
    turn = _open(session, game, seat, asked, step)
    for choice in last.split():
        turn.make(seat.no, choice)
    if not turn.complete(seat.no):
        raise NotPossible(_("This turn is not complete yet: choose on."))
    return submission(session, seat, turn, line)


def submission(session: Session, seat: Seat, turn: Turn, line: str = "") -> int:
    """The row of this turn, which is complete: a new one, or that of the same turn sent before."""
    digest = _digest(turn.choices)
    same = session.exec(
        select(Submission).where(
            Submission.seat_id == seat.id, Submission.asked == seat.asked, Submission.digest == digest
        )
    ).one_or_none()
    if same is None:
        assert seat.asked is not None
        same = Submission(
            game_id=seat.game_id, seat_id=seat.id, asked=seat.asked, choices=turn.choices, digest=digest, line=line
        )
        session.add(same)
        session.flush()
    return same.id
