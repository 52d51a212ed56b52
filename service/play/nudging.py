"""A friendly reminder: somebody who waits asks whoever thinks for their turn, and a letter says who asks. Each asks
once a day, and one letter a day is written however many ask. Everything runs inside the caller's transaction, with the
game's row locked."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from service.models import Game, GameStatus, Letter, LetterStatus, Nudge, Person, Seat, Stage
from service.play import turnclock
from service.play.clocks import Hours, spend
from service.play.reading import BadInput
from service.post import letters, moments, outbox, wishes
from service.post.language import gettext as _
from service.post.wishes import Wish

A_DAY = timedelta(days=1)
TO_THINK = timedelta(hours=6)  # of their own time that everybody has in peace; in a quick game a quarter of a turn


def nudge(session: Session, game: Game, me: Seat, seat: Seat, asked: int, now: datetime) -> bool:
    """The holder of one seat asks that of another; whether they are told today. BadInput says why not; twice at once is
    once."""
    if seat.asked is None or seat.asked != asked or seat.person_id is None:
        raise BadInput(_("%(name)s has played in the meantime.", name=seat.name))
    assert me.person_id is not None
    person = session.get_one(Person, seat.person_id)
    before = session.exec(select(Nudge).where(Nudge.seat_id == seat.id, Nudge.asked == asked)).all()
    if any(_is_lately(one, me, now) for one in before):
        return True
    hours = turnclock.rhythm_of(session, seat).hours
    wanted = wishes.hears(session, person, game.id, Wish.REMINDERS)
    if why := why_not(game, me, seat, person, hours, before, now, wanted=wanted, zone=_zone(session, me)):
        raise BadInput(why)
    row = Nudge(seat_id=seat.id, person_id=me.person_id, asked=asked, at=now)
    session.add(row)
    session.flush()
    return _write(session, seat, row, now, by_letter=person.reminder_letters)


def why_not(
    game: Game,
    me: Seat,
    seat: Seat,
    person: Person,
    hours: Hours,
    before: Iterable[Nudge],
    now: datetime,
    *,
    wanted: bool,
    zone: str,
) -> str:
    """Why this player cannot be asked for their turn now; nothing if they can. `hours` are theirs, the zone is that of
    whoever would ask; `before` is who has asked already."""
    if game.status is not GameStatus.RUNNING or game.paused_at is not None or seat.asked_at is None:
        return _("The game is paused.")
    if me.asked is not None:
        return _("The game waits for you, too.")
    today = now.astimezone(ZoneInfo(person.zone)).date()
    if any(first <= today <= last for first, last in hours.away):
        return _("%(name)s is away.", name=seat.name)
    if seat.stage is Stage.DESK:
        return _("%(name)s is out of time, and it is being decided what happens.", name=seat.name)
    if not wanted or not person.remind_at:
        return _("%(name)s wants no reminders.", name=seat.name)
    if person.returned_at is not None:
        return _("Letters to %(name)s come back.", name=seat.name)
    if any(_is_lately(one, me, now) for one in before):
        return _("You have asked %(name)s today.", name=seat.name)
    pace = turnclock.pace_of(game)
    from_then = spend(seat.asked_at, min(TO_THINK, pace.allowance / 4), pace.applied_to(hours))
    if now < from_then:
        when = moments.day_and_time(from_then, zone)
        return _("%(name)s has not had much time yet; you can ask from %(time)s on.", name=seat.name, time=when)
    return ""


def askers(session: Session, seat: Seat, first: int, seats: Sequence[Seat]) -> list[str]:
    """Who of those at the table has asked since that nudge, and is heard by whoever sits here."""
    since = select(Nudge.person_id).where(Nudge.seat_id == seat.id, Nudge.asked == seat.asked, Nudge.id >= first)
    asking = set(session.exec(since)) - set(seat.muted)
    return [other.name for other in seats if other.person_id in asking]


def _is_lately(one: Nudge, me: Seat, now: datetime) -> bool:
    return one.person_id == me.person_id and now - one.at < A_DAY


def _zone(session: Session, me: Seat) -> str:
    return session.get_one(Person, me.person_id).zone


def _write(session: Session, seat: Seat, row: Nudge, now: datetime, *, by_letter: bool) -> bool:
    """A letter, at once or a day after the last, and whether it is today; who asks while one waits is named in it.
    For whoever hears it by their bells alone no letter is ever sent, but each stands for what has rung."""
    before = select(Letter).where(Letter.kind == letters.Nudge.name, Letter.seat_id == seat.id)
    if by_letter:
        before = before.where(col(Letter.status) != LetterStatus.OBSOLETE)
    last = session.exec(before.where(Letter.asked == seat.asked).order_by(col(Letter.id).desc())).first()
    if last is not None and last.status in (LetterStatus.WAITING, LetterStatus.HELD) and last.claimed_at is None:
        return last.due_at <= now
    due = (last.sent_at or last.created_at) + A_DAY if last is not None else now
    outbox.write(session, letters.Nudge(seat, row.id, due if due > now else None))
    return due <= now
