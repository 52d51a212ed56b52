"""What people say at a table: players to all, to one of them where the game allows it, or to whoever looks after it;
those who look on among themselves. It stands in the story where it was said, and travels in the next letter that goes
out anyway; whom it names, or who alone is told, is written to, at most once in six hours of their own waking time.

Everything runs inside the caller's transaction, with the game's row locked. Knows no rules: what is said changes
nothing in the game. Who hears it is said in service/play/hearing.py.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from service import limits
from service.models import Audience, Game, Letter, LetterStatus, Person, Remark, Ruling, Seat
from service.play import hearing, moderators, record, turnclock
from service.play.clocks import spend
from service.play.reading import BadInput, tidy
from service.post import letters, outbox
from service.post.language import gettext as _
from service.post.told import Told, told, verbatim

LONGEST = 1000  # characters
SECOND_THOUGHTS = timedelta(minutes=10)  # in which something said can be taken back
ONE_CLICK = timedelta(minutes=1)  # the same words again within it were said once
SELDOM = timedelta(hours=6)  # of the reader's own time, in which they are written to once for the sake of talk


def say(session: Session, game: Game, seat: Seat, text: str, now: datetime, to: str = "all") -> None:
    """To whom is what `addressees` calls them. Raises BadInput, and TooMany where somebody says a great deal."""
    assert seat.person_id is not None
    seats = record.seats_of(session, game)
    audience, to_id = _read_addressee(session, game, seats, seat, to)
    remark = _by(game, seat, read_line(text), now, audience=audience, to_id=to_id)
    if _is_said_again(session, remark):
        return
    limits.count("remarks", seat.person_id)
    _utter(session, game, seats, remark, now)


def say_with_turn(session: Session, game: Game, seat: Seat, text: str, now: datetime) -> None:
    """What was sent with a turn, read and counted then, once the turn is played."""
    _utter(session, game, record.seats_of(session, game), _by(game, seat, text, now), now)


def _by(game: Game, seat: Seat, text: str, now: datetime, **to: Any) -> Remark:
    return Remark(
        game_id=game.id,
        seat_id=seat.id,
        person_id=seat.person_id,
        version=game.version,
        text=text,
        said_at=now,
        **{"audience": Audience.ALL, **to},
    )


def say_from_desk(session: Session, game: Game, moderator: Person, text: str, now: datetime, to: str) -> None:
    """Whoever looks after the game, to all or to one player, as the moderator."""
    seats = record.seats_of(session, game)
    whom = None if to == "all" else _read_seat(seats, to)
    remark = Remark(
        game_id=game.id,
        person_id=moderator.id,
        audience=Audience.DESK if whom else Audience.ALL,
        to_id=whom.person_id if whom else None,
        version=game.version,
        text=read_line(text),
        said_at=now,
    )
    if _is_said_again(session, remark):
        return
    limits.count("remarks", moderator.id)
    _utter(session, game, seats, remark, now)


def say_outside(session: Session, game: Game, called: str, text: str, now: datetime) -> Remark:
    """Somebody who looks on, to the others who do."""
    limits.count_visitor("onlookers")
    remark = Remark(
        game_id=game.id,
        called=called,
        audience=Audience.OUTSIDE,
        version=game.version,
        text=read_line(text),
        said_at=now,
    )
    same = [Remark.game_id == game.id, Remark.audience == Audience.OUTSIDE, Remark.called == called]
    last = session.exec(select(Remark).where(*same).order_by(col(Remark.id).desc())).first()
    if last and last.text == remark.text and now - last.said_at < ONE_CLICK:
        return last
    session.add(remark)
    session.flush()
    return remark


def _is_said_again(session: Session, remark: Remark) -> bool:
    mine = select(Remark).where(Remark.game_id == remark.game_id, Remark.person_id == remark.person_id)
    last = session.exec(mine.order_by(col(Remark.id).desc())).first()
    if last is None or remark.said_at - last.said_at >= ONE_CLICK:
        return False
    return (last.text, last.audience, last.to_id) == (remark.text, remark.audience, remark.to_id)


def read_line(text: str) -> str:
    words = tidy(text)
    if not words:
        raise BadInput(_("Please write something first."), "text")
    if len(words) > LONGEST:
        raise BadInput(
            _("This is %(length)s characters long; %(most)s is the most.", length=len(words), most=LONGEST), "text"
        )
    return words


# --- to whom


def addressees(game: Game, seats: Sequence[Seat], me: Seat, looked_after: bool) -> list[tuple[str, Seat | None]]:
    """Whom a player can talk to beside all: what a form sends for each, and the seat, or None for the moderator. A seat
    goes by the name it bears, so that nothing reaches whoever has taken it over since the page was made."""
    found: list[tuple[str, Seat | None]] = []
    if game.whispers:
        others = [seat for seat in seats if seat.person_id is not None and seat.id != me.id]
        found += [(as_addressee(seat), seat) for seat in others]
    return found + ([("desk", None)] if looked_after else [])


def as_addressee(seat: Seat) -> str:
    return f"{seat.no}:{seat.name}"


def _read_addressee(
    session: Session, game: Game, seats: Sequence[Seat], me: Seat, to: str
) -> tuple[Audience, int | None]:
    if to == "all":
        return Audience.ALL, None
    if not to:
        raise BadInput(_("Please choose to whom you say this. It was said to nobody."), "to")
    if to == "desk":
        if all(moderator.id == me.person_id for moderator in moderators.of(session, game)):
            raise BadInput(_("Nobody looks after this game, so this was said to nobody."), "to")
        return Audience.DESK, None
    if not game.whispers:
        raise BadInput(_("In this game players talk to all of the others only. This was said to nobody."), "to")
    whom = _read_seat(seats, to)
    if whom.id == me.id:
        raise BadInput(_("Please choose to whom you say this. It was said to nobody."), "to")
    return Audience.ONE, whom.person_id


def _read_seat(seats: Sequence[Seat], to: str) -> Seat:
    for seat in seats:
        if seat.person_id is not None and to == as_addressee(seat):
            return seat
    raise BadInput(_("Whom this was for does not sit there any more, so it was said to nobody."), "to")


# --- a letter for the sake of talk


def _utter(session: Session, game: Game, seats: Sequence[Seat], remark: Remark, now: datetime) -> None:
    session.add(remark)
    session.flush()
    for reader, seat in _called(session, game, seats, remark):
        if reader != remark.person_id:
            _call(session, game, reader, seat, remark, now)


def _called(session: Session, game: Game, seats: Sequence[Seat], remark: Remark) -> Iterator[tuple[int, Seat | None]]:
    """Whom it was said to alone, or whom it names; and by which seat, if they play."""
    to_all = remark.audience is Audience.ALL
    for seat in seats:
        if seat.person_id is None or seat.deaf or remark.person_id in seat.muted:
            continue
        if remark.to_id == seat.person_id or (to_all and hearing.is_named(remark.text, seat.name)):
            yield seat.person_id, seat
    if remark.audience is Audience.DESK and remark.to_id is None:
        sitting = {seat.person_id: seat for seat in seats}
        for moderator in moderators.of(session, game):
            yield moderator.id, sitting.get(moderator.id)


def _call(session: Session, game: Game, reader: int, seat: Seat | None, remark: Remark, now: datetime) -> None:
    """Write to them, once it cannot be taken back any more, or when they may be written to for this again. What is said
    meanwhile comes with it."""
    last = session.exec(
        select(Letter)
        .where(Letter.person_id == reader, Letter.game_id == game.id, Letter.kind == letters.Said.name)
        .where(col(Letter.status) != LetterStatus.OBSOLETE)
        .order_by(col(Letter.id).desc())
    ).first()
    waits = last is not None and last.status in (LetterStatus.WAITING, LetterStatus.HELD)
    if last is not None and waits and last.claimed_at is None:
        return
    due = now + SECOND_THOUGHTS
    if last is not None:
        hours = turnclock.pace_of(game).applied_to(turnclock.rhythm_in(session, game.id, reader).hours)
        due = max(due, spend(last.sent_at or last.created_at, SELDOM, hours))
    outbox.write(session, letters.Said(game, reader, seat, remark.id, due))


# --- taken back, muted, hidden


def take_back(session: Session, remark_id: int, person_id: int, game: Game, now: datetime) -> bool:
    """Whether it was theirs, and said so lately that it can be."""
    remark = session.get(Remark, remark_id)
    if remark is None or (remark.game_id, remark.person_id) != (game.id, person_id) or not is_fresh(remark, now):
        return False
    session.delete(remark)
    return True


def is_fresh(remark: Remark, now: datetime) -> bool:
    """Whether whoever said it can still take it back."""
    return now - remark.said_at < SECOND_THOUGHTS and remark.hidden_id is None


def mute(session: Session, seat: Seat, whom: int | None, *, hear: bool) -> None:
    """What one person says, or all talk, is not shown or mailed to whoever sits here, until they want to hear it."""
    if whom is None:
        seat.deaf = not hear
    elif whom != seat.person_id:
        seat.muted = [other for other in seat.muted if other != whom] + ([] if hear else [whom])
    session.add(seat)


def hide(session: Session, game: Game, remark: Remark, moderator: Person, reason: str) -> None:
    """Nobody is shown it any more but that, by whom and why; that stands in the game's log too."""
    if remark.hidden_id is not None:
        return
    words = tidy(reason)
    if not words:
        raise BadInput(_("Please give a reason: the players will read it."), "reason")
    effect = told("Something that %(name)s said is hidden.", name=_name_of(session, game, remark))
    remark.hidden_id = _rule(session, game, remark, moderator, "hide", verbatim(words[:300]), effect).id
    session.add(remark)


def show_again(session: Session, game: Game, remark: Remark, moderator: Person) -> None:
    if remark.hidden_id is None:
        return
    effect = told("Something that %(name)s said is shown again.", name=_name_of(session, game, remark))
    _rule(session, game, remark, moderator, "show-again", told("On second thoughts."), effect)
    remark.hidden_id = None
    session.add(remark)


def _rule(
    session: Session, game: Game, remark: Remark, moderator: Person, name: str, reason: Told, effect: Told
) -> Ruling:
    seat = session.get(Seat, remark.seat_id) if remark.seat_id else None
    return record.write_ruling(session, game, name, moderator.id, seat, reason, effect)


def _name_of(session: Session, game: Game, remark: Remark) -> str:
    if remark.person_id is None:
        return remark.called
    sitting = (seat.name for seat in record.seats_of(session, game) if seat.person_id == remark.person_id)
    return next(sitting, None) or session.get_one(Person, remark.person_id).name
