"""Who hears what of the talk at a table. All pages and letters ask here: what was said to one alone is heard by those
two, whoever looks after the game and however it ended, and by nobody who sits on their seats later.

Only looks, and changes nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy
from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, func, or_, select

from service import names
from service.models import Audience, Game, GameStatus, Person, Remark, Ruling, Seat

NOBODY = -1  # no row has this number


@dataclass(frozen=True)
class Listener:
    """Somebody as far as it matters for what they hear: what is said to all of these audiences, and what was said by
    this person or to them; but not what those say whom they have muted."""

    audiences: frozenset[Audience]
    person_id: int = NOBODY
    muted: tuple[int, ...] = ()

    @property
    def hears(self) -> bool:
        return bool(self.audiences) or self.person_id != NOBODY


DEAF = Listener(frozenset())


def player(game: Game, seat: Seat, *, moderates: bool = False) -> Listener:
    """Whoever holds the seat. What those said who looked on is heard at the table once the game is over."""
    if seat.deaf or seat.person_id is None:
        return DEAF
    audiences = {Audience.ALL}
    if moderates:
        audiences.add(Audience.DESK)
    if game.status is GameStatus.FINISHED:
        audiences.add(Audience.OUTSIDE)
    return Listener(frozenset(audiences), seat.person_id, tuple(seat.muted))


def moderator(game: Game, *, plays: bool) -> Listener:
    """Whoever looks after the game, at the desk or looking on: nothing that was said to one player alone."""
    audiences = {Audience.ALL, Audience.DESK}
    if not plays or game.status is GameStatus.FINISHED:
        audiences.add(Audience.OUTSIDE)
    return Listener(frozenset(audiences))


def onlooker(game: Game, *, plays: bool) -> Listener:
    """Whoever looks on; who plays as well hears it after the end."""
    return DEAF if plays and game.status is not GameStatus.FINISHED else Listener(frozenset({Audience.OUTSIDE}))


@dataclass(frozen=True)
class Line:
    """Something said, and who said it to whom, as they are called now."""

    remark: Remark
    by: str
    to: str = ""  # whom alone
    hidden: Ruling | None = None
    hidden_by: str = ""


_author, _hearer, _decider = aliased(Person), aliased(Person), aliased(Person)

_HEARD = and_(
    col(Remark.game_id) == bindparam("game"),
    or_(
        col(Remark.audience).in_(bindparam("audiences", expanding=True)),
        and_(
            col(Remark.audience).in_([Audience.ONE, Audience.DESK]),
            or_(col(Remark.person_id) == bindparam("me"), col(Remark.to_id) == bindparam("me")),
        ),
    ),
    or_(col(Remark.person_id).is_(None), col(Remark.person_id).not_in(bindparam("muted", expanding=True))),
)
_LINES = (
    sqlalchemy.select(Remark, col(_author.given), col(_hearer.given), Ruling, col(_decider.given))
    .outerjoin(_author, col(_author.id) == col(Remark.person_id))
    .outerjoin(_hearer, col(_hearer.id) == col(Remark.to_id))
    .outerjoin(Ruling, col(Ruling.id) == col(Remark.hidden_id))
    .outerjoin(_decider, col(_decider.id) == col(Ruling.person_id))
    .where(_HEARD)
)
_LATELY = _LINES.order_by(col(Remark.id).desc()).limit(bindparam("most"))
_BETWEEN = _LINES.where(col(Remark.version) >= bindparam("first"), col(Remark.version) < bindparam("end")).order_by(
    col(Remark.id)
)
_UNHEARD = (
    _LINES.where(
        col(Remark.hidden_id).is_(None),
        or_(col(Remark.person_id).is_(None), col(Remark.person_id) != bindparam("reader")),
        col(Remark.audience) != Audience.OUTSIDE,
        or_(col(Remark.id) > bindparam("after"), col(Remark.said_at) > bindparam("since")),
    )
    .order_by(col(Remark.id).desc())
    .limit(bindparam("most"))
)
_NEWEST = select(func.max(Remark.id)).where(_HEARD)


def lately(session: Session, game: Game, listener: Listener, seats: Sequence[Seat], most: int) -> list[Line]:
    """The last that was said, oldest first."""
    return _lines(session, _LATELY, game, listener, seats, most=most)[::-1]


def between(
    session: Session, game: Game, listener: Listener, seats: Sequence[Seat], first: int, end: int
) -> list[Line]:
    """What was said from the move of one version to before that of another, oldest first."""
    return _lines(session, _BETWEEN, game, listener, seats, first=first, end=end)


def unheard(
    session: Session,
    game: Game,
    listener: Listener,
    seats: Sequence[Seat],
    reader: int,
    after: int | None,
    since: datetime,
    most: int,
) -> list[Line]:
    """The last that others said after that remark, oldest first; where none is known, since that moment."""
    told = {"after": after, "since": None} if after is not None else {"after": None, "since": since}
    return _lines(session, _UNHEARD, game, listener, seats, reader=reader, most=most, **told)[::-1]


def newest(session: Session, game: Game, listener: Listener) -> int:
    """The number of the last remark that is heard, for pages to see whether there is a new one."""
    return session.exec(_NEWEST, params=_asked(game, listener)).one() or 0 if listener.hears else 0


def last(session: Session, game: Game) -> int:
    """The number of the last remark there is, whoever may hear it: what comes after it was not said yet."""
    return session.exec(select(func.max(Remark.id)).where(Remark.game_id == game.id)).one() or 0


def is_for(remark: Remark, person_id: int, names: Sequence[str]) -> bool:
    """Whether it was said to this person alone, to the moderator who hears it, or names them."""
    if remark.audience is not Audience.ALL:
        return remark.to_id in (None, person_id)
    return any(is_named(remark.text, name) for name in names)


def is_named(text: str, name: str) -> bool:
    """Whether somebody is named there, as they are called at the table."""
    return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text.casefold()) is not None


def heard_as(remark: Remark, person_id: int | None) -> str:
    """How somebody hears it: as one of all, alone, from whoever looks after the game, or as they; as one who looks on;
    or they have said it to one themselves."""
    if remark.audience is Audience.ALL:
        return "" if remark.seat_id is not None else "from the desk"
    if remark.audience is Audience.OUTSIDE:
        return "outside"
    if remark.to_id is None:
        return "desk"
    if remark.to_id == person_id:
        return "me" if remark.audience is Audience.ONE else "me from the desk"
    return "one"


def _lines(
    session: Session, query: Any, game: Game, listener: Listener, seats: Sequence[Seat], **more: Any
) -> list[Line]:
    if not listener.hears:
        return []
    called_here = {seat.person_id: seat.name for seat in seats if seat.person_id is not None}

    def called(person_id: int | None, given: str) -> str:
        return called_here.get(person_id) or given or names.nameless() if person_id is not None else ""

    return [
        Line(
            remark,
            called(remark.person_id, author) or remark.called,
            called(remark.to_id, hearer),
            ruling,
            called(ruling.person_id, decider) if ruling else "",
        )
        for remark, author, hearer, ruling, decider in session.execute(query, _asked(game, listener) | more)
    ]


def _asked(game: Game, listener: Listener) -> dict[str, Any]:
    return {
        "game": game.id,
        "audiences": sorted(listener.audiences),
        "me": listener.person_id,
        "muted": list(listener.muted),
    }
