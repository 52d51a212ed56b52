"""What the people at a table say to each other and ask of each other, as a page shows it to one reader. Who hears what
is said in service/play/hearing.py."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import request
from sqlmodel import Session

from service.models import Audience, GameStatus, Person, Remark, Ruling
from service.play import absences, hearing, nudging, talking, turnclock
from service.play.clocks import Hours
from service.post import wishes
from service.post.language import gettext as _
from service.post.told import in_words
from service.post.wishes import Wish
from service.web import seen
from service.web.access import Reader
from service.web.gallery import called_here, said_here


@dataclass(frozen=True)
class Words:
    """What somebody said, as the reader hears it."""

    id: int
    no: int | None  # of their seat
    by: str
    heard_as: str = ""  # to whom: see hearing.heard_as
    to: str = ""  # by name, where the reader said it to one alone
    mine: bool = False
    fresh: bool = False  # it can be taken back
    hidden: str = ""  # by whom and why, instead of what was said
    answer: str = ""  # to whom an answer in private goes, as forms call them
    new: bool = False  # to the reader: see `unheard`


@dataclass(frozen=True)
class Talk:
    """What the reader has to talk with."""

    to: Sequence[tuple[str, str]] = ()  # beside all: what a form sends, and the name
    wanted: str = ""  # of these, whom the reader was just talking to
    asks: bool = False  # to whom has to be chosen
    text: str = ""  # what could not be said
    deaf: bool = False
    others: Sequence[tuple[int, str, bool]] = ()  # seat and name of each, and whether they are muted
    called: str = ""  # what somebody who looks on was last called


@dataclass(frozen=True)
class Thinker:
    """Somebody the reader waits for: why they cannot be asked for their turn now, if they cannot; and who asked."""

    no: int
    name: str
    asked: int
    why_not: str = ""
    askers: Sequence[str] = ()


def unheard(reader: Reader, said: Sequence[hearing.Line]) -> set[int]:
    """Of these lines those that others have said since the reader last moved or spoke at this table: what is new on the
    board is told from there, too. When they looked nobody knows, for looking changes nothing; a browser with a script
    remembers it, and knows better."""
    if reader.seat is None:
        return set()
    spoke = max((line.remark.id for line in said if _is_own(reader, line.remark)), default=0)
    moved = reader.seat.moved_version or 0
    later = (line.remark for line in said if line.remark.id > spoke and line.remark.version >= moved)
    return {remark.id for remark in later if remark.hidden_id is None}


def unheard_at_desk(
    moderator: Person, said: Sequence[hearing.Line], decided: Sequence[Ruling], moved: int | None
) -> set[int]:
    """The same at the desk: what others have said since whoever looks after the game last spoke or decided something
    there, or moved, if they play as well."""
    own = [line.remark.said_at for line in said if line.remark.person_id == moderator.id]
    own += [ruling.created_at for ruling in decided if ruling.person_id == moderator.id and not ruling.by_vote]
    since = max(own, default=None)
    later = (line.remark for line in said if since is None or line.remark.said_at > since)
    return {remark.id for remark in later if remark.hidden_id is None and remark.version >= (moved or 0)}


def words(reader: Reader, line: hearing.Line, now: datetime, *, new: bool = False) -> Words:
    remark, me = line.remark, reader.seat.person_id if reader.seat else None
    sitting = (seat for seat in reader.seats if seat.person_id is not None and seat.person_id == remark.person_id)
    who = next(sitting, None)
    mine = _is_own(reader, remark)
    private = remark.audience is Audience.ONE and not mine
    return Words(
        id=remark.id,
        no=who.no if who else None,
        by=line.by,
        heard_as=hearing.heard_as(remark, me),
        to=line.to,
        mine=mine,
        fresh=mine and talking.is_fresh(remark, now),
        hidden=_hidden(line, reader.zone),
        answer=talking.as_addressee(who) if private and who else "",
        new=new,
    )


def _hidden(line: hearing.Line, zone: str) -> str:
    """That it is hidden, by whom and why; nothing of what it was."""
    if line.hidden is None:
        return ""
    why = in_words(line.hidden.reason, zone)
    return _("%(name)s has hidden what was said here: %(why)s", name=line.hidden_by, why=why)


def _is_own(reader: Reader, remark: Remark) -> bool:
    """Whether the reader has said it; of those who look on, their browser."""
    if remark.audience is Audience.OUTSIDE:
        return reader.seat is None and remark.id in said_here()
    return reader.seat is not None and remark.person_id is not None and remark.person_id == reader.seat.person_id


def talk(reader: Reader, *, looked_after: bool) -> Talk | None:
    """The reader's voice: a player's, or one of the gallery's."""
    seat = reader.seat
    if seat is None:
        return Talk(called=called_here()) if reader.looks_on else None
    found = talking.addressees(reader.game, reader.seats, seat, looked_after)
    to = [(value, whom.name if whom else _("the moderator")) for value, whom in found]
    wanted = request.args.get("to", "")
    others = [other for other in reader.seats if other.person_id is not None and other is not seat]
    return Talk(
        to=to,
        wanted=wanted if wanted in dict(to) else "",
        asks=any(whom for _value, whom in found),
        deaf=seat.deaf,
        others=[(other.no, other.name, other.person_id in seat.muted) for other in others],
    )


def thinkers(session: Session, reader: Reader, rows: seen.Rows) -> list[Thinker]:
    """Whom the reader waits for and may ask for their turn, once a day."""
    game, me = reader.game, reader.seat
    if me is None or me.asked is not None or game.status is not GameStatus.RUNNING or game.paused_at is not None:
        return []
    found = []
    for seat, person in reader.sitting:
        if seat.asked is None or person is None:
            continue
        before = [nudge for nudge in rows.nudges if nudge.seat_id == seat.id]
        away = absences.within(reader.away.get(seat.no, ()), game.away_days)
        hours = Hours(person.zone, turnclock.quiet_of(person), frozenset(person.days_off), away)
        by_letter = Wish.REMINDERS not in reader.unwanted.get(seat.no, ())
        wanted = by_letter or wishes.hears(session, person, game.id, Wish.REMINDERS)
        why = nudging.why_not(game, me, seat, person, hours, before, rows.now, wanted=wanted, zone=reader.zone)
        asking = {nudge.person_id for nudge in before}
        askers = [other.name for other in reader.seats if other.person_id in asking and other is not me]
        found.append(Thinker(seat.no, seat.name, seat.asked, why, askers))
    return found
