"""What players say to each other at a table: to all who play there and to those who look after the game, and to no
spectator. It stands in the story where it was said, and travels in the next letter that goes out anyway.

Everything runs inside the caller's transaction. Knows no rules: what is said changes nothing in the game.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from service import limits
from service.models import Game, Person, Remark, Seat
from service.play.reading import BadInput
from service.post.language import gettext as _

LONGEST = 1000  # characters
SECOND_THOUGHTS = timedelta(minutes=10)  # in which something said can be taken back
ONE_CLICK = timedelta(minutes=1)  # the same words again within it were said once

Said = tuple[Remark, str]  # and the name of who said it


def say(session: Session, game: Game, seat: Seat, text: str, now: datetime) -> None:
    """To everybody at the table. Raises BadInput, and TooMany where somebody says a great deal."""
    assert seat.person_id is not None
    words = tidy(text)
    if not words:
        raise BadInput(_("Please write something first."), "text")
    if len(words) > LONGEST:
        raise BadInput(
            _("This is %(length)s characters long; %(most)s is the most.", length=len(words), most=LONGEST), "text"
        )
    mine = select(Remark).where(Remark.game_id == game.id, Remark.person_id == seat.person_id)
    last = session.exec(mine.order_by(col(Remark.id).desc())).first()
    if last and last.text == words and now - last.said_at < ONE_CLICK:
        return
    limits.count("remarks", seat.person_id)
    session.add(
        Remark(
            game_id=game.id, seat_id=seat.id, person_id=seat.person_id, version=game.version, text=words, said_at=now
        )
    )


def tidy(text: str) -> str:
    """Plain text: without what nobody sees, and without more than one empty line in a row."""
    lines = ("".join(filter(_is_seen, line)).strip() for line in text.splitlines())
    return re.sub("\n{3,}", "\n\n", "\n".join(lines)).strip()


def _is_seen(character: str) -> bool:
    """Control characters could turn around what others read; joiners make letters and signs."""
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn") or character in "\u200c\u200d"


def take_back(session: Session, seat: Seat, remark_id: int, now: datetime) -> bool:
    """Whether it was theirs, and said so lately that it can be."""
    remark = session.get(Remark, remark_id)
    if remark is None or remark.seat_id != seat.id or not can_be_taken_back(remark, seat, now):
        return False
    session.delete(remark)
    return True


def can_be_taken_back(remark: Remark, seat: Seat | None, now: datetime) -> bool:
    return seat is not None and remark.person_id == seat.person_id and now - remark.said_at < SECOND_THOUGHTS


_LATELY = (
    select(Remark, Person)
    .join(Person, col(Person.id) == col(Remark.person_id))
    .where(col(Remark.game_id) == bindparam("game"))
    .order_by(col(Remark.id).desc())
    .limit(bindparam("most"))
)


def lately(session: Session, game: Game, most: int) -> list[Said]:
    """The last that was said, oldest first."""
    found = session.exec(_LATELY, params={"game": game.id, "most": most}).all()
    return [(remark, person.name) for remark, person in reversed(found)]


def between(session: Session, game: Game, first: int, end: int) -> Sequence[Said]:
    """What was said from the move of one version to before that of another, oldest first."""
    found = session.exec(
        select(Remark, Person)
        .join(Person, col(Person.id) == col(Remark.person_id))
        .where(Remark.game_id == game.id, Remark.version >= first, Remark.version < end)
        .order_by(col(Remark.id))
    )
    return [(remark, person.name) for remark, person in found]


def unheard(session: Session, game: Game, reader: int, since: datetime, most: int) -> Sequence[Said]:
    """The last that others said since then, oldest first."""
    found = session.exec(
        select(Remark, Person)
        .join(Person, col(Person.id) == col(Remark.person_id))
        .where(Remark.game_id == game.id, Remark.person_id != reader, Remark.said_at > since)
        .order_by(col(Remark.id).desc())
        .limit(most)
    ).all()
    return [(remark, person.name) for remark, person in reversed(found)]
