"""The reader: takes a message that came in, follows what it says about the writer's turn, and answers it once.

What it did to the draft, the turn that was sent with it, the answer and that it was read are one transaction under the
game's lock. Killed anywhere in it, nothing has happened; delivered again after it, there is nothing left to do.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlmodel import Session, col, select, update

from service import limits
from service.config import Settings
from service.db import LOCKED, db, utcnow
from service.inbox import grammar, message, returns, trust
from service.models import (
    Game,
    GameStatus,
    Letter,
    LetterStatus,
    Person,
    Reading,
    Received,
    ReturnAddress,
    Seat,
)
from service.play import drafts, moderators, notes, record, returning, talking
from service.play.reading import BadInput
from service.post import letters, outbox
from service.post.language import speaking
from service.post.told import Told, told, verbatim
from service.post.words import edition_of
from workers import adjudicator

log = logging.getLogger(__name__)

ASK_AGAIN = timedelta(hours=1)

MOVED_ON = told("The game has moved on since the letter that you answered, so nothing was changed.")
CHOSEN_SINCE = told("Your turn has gone on since the letter that you answered, so nothing was changed.")
NOTHING_FOUND = told(
    "We have found no answer in what you wrote, so nothing was changed. “help” tells what you can say."
)


def read(received_id: int, settings: Settings | None = None) -> Reading | None:
    """Read one message. Returns what became of it, or None if there was nothing (more) to do."""
    settings = settings or Settings.from_env()
    with db.reading() as session:
        row = session.get(Received, received_id)
    if row is None or row.status is not Reading.WAITING:
        return None
    with outbox.at_one_moment():
        try:
            if row.came_back:
                return returns.take_note(row.id, settings.stands_still)
            became, sent = _follow(row.id, _is_disowned(row, settings))
        except (OperationalError, InterfaceError):
            raise  # the database's trouble and not the message's: the sweep has it read again
        except Exception as error:
            log.exception("message %s cannot be read", received_id)
            return _set_aside(received_id, f"{type(error).__name__}: {error}")
        if sent is not None:
            adjudicator.adjudicate(sent)
            _say_at_once(received_id)
    return became


def _is_disowned(row: Received, settings: Settings) -> bool:
    """Looked at before the game is locked, for it may take a while: the DNS may be asked."""
    return not row.vouched and trust.is_disowned(row.source, settings.mail_authserv)


@dataclass
class _Case:
    """A message and whom and what it is about. Without a seat it answers a letter that asked nothing."""

    row: Received
    address: ReturnAddress
    person: Person
    game: Game | None
    seat: Seat | None


@outbox.transaction
def _follow(session: Session, received_id: int, disowned: bool) -> tuple[Reading | None, int | None]:
    """What became of the message, and the turn that was sent with it."""
    case = _open(session, received_id)
    if case is None:
        return None, None
    became, note, sent = _what_to_do(session, case, disowned)
    case.row.status, case.row.note, case.row.read_at = became, note, utcnow()
    session.add(case.row)
    return became, sent


def _open(session: Session, received_id: int) -> _Case | None:
    """The message, if it waits, with its game locked."""
    found = session.exec(
        select(ReturnAddress, Letter, Seat)
        .join(Received, col(Received.address_id) == col(ReturnAddress.id))
        .join(Letter, col(Letter.id) == col(ReturnAddress.letter_id))
        .outerjoin(Seat, col(Seat.id) == col(ReturnAddress.seat_id))
        .where(Received.id == received_id)
    ).one_or_none()
    if found is None:
        return None
    address, letter, seat = found
    game = record.lock(session, seat.game_id) if seat else None
    if seat:
        session.refresh(seat)  # as it is under the lock
    row = session.get_one(Received, received_id, with_for_update=LOCKED, populate_existing=True)
    if row.status is not Reading.WAITING:
        return None
    return _Case(row, address, session.get_one(Person, letter.person_id), game, seat)


Outcome = tuple[Reading, Told | None, int | None]


def _what_to_do(session: Session, case: _Case, disowned: bool) -> Outcome:
    incoming = message.read(case.row.source)
    if incoming.automatic:
        return Reading.FILED, told("No person wrote it."), None
    if case.game is None or case.seat is None or case.seat.person_id != case.person.id:
        return Reading.FILED, told("It is about nothing that could be answered."), None
    if case.game.saved is not None and record.stranded(case.game):
        return Reading.FILED, told("This game was begun under older rules, and cannot go on."), None
    doubt = None if case.row.vouched else trust.doubt(incoming, case.person, disowned)
    if doubt:
        _ask_whether_it_was_them(session, case.seat, case.row, doubt)
        return Reading.DOUBTED, doubt, None
    try:
        limits.count("replies", case.seat.id)
    except limits.TooMany:
        return Reading.FILED, told("Too many answers came in one hour."), None
    if case.person.returned_at is not None:
        returning.reach(session, record.lock_person(session, case.person.id), utcnow())
    with speaking(case.person.language, *edition_of(case.game)):
        return Reading.FOLLOWED, None, _answer(session, case, case.game, case.seat, incoming.lines)


def _ask_whether_it_was_them(session: Session, seat: Seat, row: Received, doubt: Told) -> None:
    """At most once an hour, however many such answers come: the page shows all of them."""
    asked = select(Letter.id).where(Letter.seat_id == seat.id, Letter.kind == letters.Doubted.name)
    lately = asked.where(col(Letter.created_at) > utcnow() - ASK_AGAIN)
    if seat.asked is not None and session.exec(lately).first() is None:
        outbox.write(session, letters.Doubted(seat, row.id, doubt))


def _answer(session: Session, case: _Case, game: Game, seat: Seat, lines: Sequence[str]) -> int | None:
    """Do what the lines say, and write back what was understood. Returns the turn that was sent with it."""
    if game.status is not GameStatus.RUNNING or seat.asked is None:
        wanted = grammar.asked_for(lines)
        board, help = grammar.Command.BOARD in wanted and game.saved is not None, grammar.Command.HELP in wanted
        done, stopped = _say_all(session, game, seat, grammar.said_in(lines) if game.saved else [])
        answer = letters.Understood(seat, case.row.id, done=done, stopped=stopped, board=board, help=help)
        outbox.write(session, answer)
        return None
    turn = drafts.current(session, game, seat)
    before, names = list(turn.choices), [other.name for other in record.seats_of(session, game)]
    understood = grammar.understand(game, seat, turn, lines, names, _outdated(case.address, seat, turn))
    if understood.turn.choices != before:
        drafts.put_down(session, seat, understood.turn.choices)
    sent = None
    if understood.send or (case.person.send_complete and understood.completes(seat)):
        sent = drafts.submission(session, seat, understood.turn)
    done, unsaid = _say_all(session, game, seat, understood.said)
    answer = letters.Understood(
        seat,
        case.row.id,
        done=understood.done + done,
        stopped=NOTHING_FOUND if understood.nothing else understood.stopped or unsaid,
        submission_id=sent,
        board=understood.board,
        help=understood.help,
    )
    outbox.write(session, answer)
    return sent


def _say_all(
    session: Session, game: Game, seat: Seat, said: Sequence[grammar.Saying]
) -> tuple[list[Told], Told | None]:
    """To the others at the table, to one of them, or to oneself. What was done, and why no more of it."""
    done: list[Told] = []
    for saying in said:
        try:
            done.append(_say(session, game, seat, saying))
        except Unsaid as unsaid:
            return done, unsaid.why
        except BadInput as error:
            return done, verbatim(str(error))
        except limits.TooMany:
            return done, told("You have said a lot in this hour: what you said last was not passed on.")
    return [one for n, one in enumerate(done) if one not in done[:n]], None


def _say(session: Session, game: Game, seat: Seat, saying: grammar.Saying) -> Told:
    if saying.verb is grammar.Verb.NOTE:
        notes.add(session, seat, saying.text, utcnow())
        return told("It stands under your notes.")
    if saying.verb is grammar.Verb.SAY:
        talking.say(session, game, seat, saying.text, utcnow())
        return told("What you said is passed on to the table.")
    seats = record.seats_of(session, game)
    found = talking.addressees(game, seats, seat, bool(moderators.of(session, game)))
    to = grammar.addressee(saying.to, [(value, whom.name if whom else "") for value, whom in found])
    if to is None:
        raise Unsaid(_why_nobody(game, saying))
    talking.say(session, game, seat, saying.text, utcnow(), to)
    whom = dict(found)[to]
    if whom is None:
        return told("What you said is passed on to the moderator alone.")
    return told("What you said is passed on to %(name)s alone.", name=whom.name)


class Unsaid(Exception):
    """It was not passed on; `why` says so to whoever wrote it."""

    def __init__(self, why: Told) -> None:
        self.why = why


def _why_nobody(game: Game, saying: grammar.Saying) -> Told:
    if not saying.to:
        return told("After “tell” comes a name, then a colon, then your words. It was said to nobody.")
    if not game.whispers:
        return told("In this game players talk to all of the others only. This was said to nobody.")
    return told("It is not clear who “%(name)s” is, so it was said to nobody.", name=saying.to[:60])


def _outdated(address: ReturnAddress, seat: Seat, turn: drafts.Turn) -> grammar.Outdated | None:
    """Whether the numbers in the letter mean something else now."""
    if address.asked != seat.asked:
        return grammar.Outdated(MOVED_ON, for_good=True)
    return grammar.Outdated(CHOSEN_SINCE, for_good=False) if address.step != turn.step else None


@outbox.transaction
def _say_at_once(session: Session, received_id: int) -> None:
    """Whoever plays by mail is not at the table: if their turn goes on, the letter about that does not wait."""
    turn = session.exec(
        select(Letter)
        .join(Seat, col(Seat.id) == col(Letter.seat_id))
        .join(ReturnAddress, col(ReturnAddress.seat_id) == col(Seat.id))
        .join(Received, col(Received.address_id) == col(ReturnAddress.id))
        .where(Received.id == received_id, Letter.kind == letters.Turn.name, col(Letter.asked) == col(Seat.asked))
        .where(Letter.status == LetterStatus.WAITING, col(Letter.posted_at).is_(None))
        .with_for_update(of=Letter, **LOCKED)
    ).first()
    if turn is not None:
        outbox.hurry(session, turn)


@db.transaction
def _set_aside(session: Session, received_id: int, error: str) -> Reading:
    """It is not tried again, and the operator sees it."""
    waits = col(Received.id) == received_id, col(Received.status) == Reading.WAITING
    values = {"status": Reading.UNREAD, "note": verbatim(error), "read_at": utcnow()}
    session.execute(update(Received).where(*waits).values(**values).execution_options(synchronize_session=False))
    return Reading.UNREAD
