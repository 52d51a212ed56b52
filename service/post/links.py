"""Links are the keys: 256 random bits each, only the hash stored, scoped to one seat or page, revocable."""

import hashlib
import secrets
from collections.abc import Sequence

from sqlalchemy import ColumnElement, bindparam, delete
from sqlmodel import Session, col, or_, select, update

from service.bulk import among
from service.db import LOCKED, utcnow
from service.models import Game, Link, Person, Relocation, Seat
from service.post.wishes import Wish

SEAT = "seat"  # play this seat
ORGANISER = "organiser"  # invite, replace, start, cancel
WATCH = "watch"  # see what everybody may see
DESK = "desk"  # moderate this game
OPERATOR = "operator"  # see all games that need a moderator
OFFER = "offer"  # take over this seat
HANDOVER = "handover"  # be the organiser of this game from now on
JOIN = "join"  # sit down at this game, if a seat is open
CALENDAR = "calendar"  # read one person's deadlines
OLD_ADDRESS = "old-address"  # stop a change of address, or take it back
NEW_ADDRESS = "new-address"  # confirm it
NEVER = "never"  # never be written to again, or say that a letter was abuse
LETTERS = "letters"  # choose which letters a person gets; a wish of one game has the wish for its scope


# What a link opens, and to whom: of those that have all this in common, one is as good as another.
PLACE = "scope", "game_id", "seat_id", "person_id", "relocation_id", "mailed"


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _mint(session: Session, link: Link) -> str:
    token = secrets.token_urlsafe(32)
    link.hash = digest(token)
    session.add(link)
    return token


def mint_seat(session: Session, seat: Seat, *, mailed: bool = True) -> str:
    link = Link(hash="", scope=SEAT, game_id=seat.game_id, seat_id=seat.id, person_id=seat.person_id, mailed=mailed)
    return _mint(session, link)


def unmailed(session: Session, seat: Seat) -> Link | None:
    """The link to this seat that was given to the browser that made the game."""
    given = select(Link).where(Link.seat_id == seat.id, Link.scope == SEAT, col(Link.mailed).is_(False))
    return session.exec(given.where(col(Link.revoked_at).is_(None)).order_by(col(Link.id))).first()


def mint_organiser(session: Session, game: Game, *, mailed: bool = True) -> str:
    return _mint(session, Link(hash="", scope=ORGANISER, game_id=game.id, person_id=game.organiser_id, mailed=mailed))


def mint_desk(session: Session, game: Game, moderator_id: int) -> str:
    return _mint(session, Link(hash="", scope=DESK, game_id=game.id, person_id=moderator_id))


def mint_operator(session: Session, person: Person) -> str:
    return _mint(session, Link(hash="", scope=OPERATOR, person_id=person.id))


def mint_offer(session: Session, seat: Seat) -> str:
    return _mint(session, Link(hash="", scope=OFFER, game_id=seat.game_id, seat_id=seat.id, person_id=seat.offered_to))


def mint_handover(session: Session, game: Game) -> str:
    return _mint(session, Link(hash="", scope=HANDOVER, game_id=game.id, person_id=game.offered_to))


def mint_join(session: Session, game: Game, person: Person) -> str:
    return _mint(session, Link(hash="", scope=JOIN, game_id=game.id, person_id=person.id))


def mint_calendar(session: Session, person: Person) -> str:
    """A new one makes the old ones void; of two made at once the later one is left."""
    session.get_one(Person, person.id, with_for_update=LOCKED)
    session.execute(
        update(Link)
        .where(col(Link.person_id) == person.id, col(Link.scope) == CALENDAR, col(Link.revoked_at).is_(None))
        .values(revoked_at=utcnow())
        .execution_options(synchronize_session=False)
    )
    link = Link(hash="", scope=CALENDAR, person_id=person.id)
    link.token = _mint(session, link)
    return link.token


def calendar_of(session: Session, person: Person) -> str | None:
    """The token of the calendar they have, to be shown to them again."""
    live = select(Link.token).where(Link.person_id == person.id, Link.scope == CALENDAR)
    return session.exec(live.where(col(Link.revoked_at).is_(None)).order_by(col(Link.id).desc())).first()


def mint_watch(session: Session, game: Game) -> str:
    return _mint(session, Link(hash="", scope=WATCH, game_id=game.id))


def can_be_watched(session: Session, game: Game) -> bool:
    """Whether a link for spectators was given out, and works."""
    live = select(Link.id).where(Link.game_id == game.id, Link.scope == WATCH, col(Link.revoked_at).is_(None))
    return session.exec(live).first() is not None


def mint_letters(session: Session, person: Person, game: Game | None = None, wish: Wish | None = None) -> str:
    """To stop letters of one kind about one game, or all of them."""
    of_one = {"scope": wish, "game_id": game.id} if game and wish else {"scope": LETTERS}
    return _mint(session, Link(hash="", person_id=person.id, **of_one))


def mint_never(session: Session, person: Person, game: Game | None) -> str:
    return _mint(session, Link(hash="", scope=NEVER, person_id=person.id, game_id=game.id if game else None))


def mint_relocation(session: Session, relocation: Relocation, scope: str) -> str:
    """It opens one change of address, and nothing that is the person's own: the new address may be
    anybody's."""
    return _mint(session, Link(hash="", scope=scope, relocation_id=relocation.id))


def find(session: Session, token: str) -> Link | None:
    """The link this token opens; None for an unknown, malformed or revoked one."""
    if not token.isascii() or not 20 <= len(token) <= 100:
        return None
    link = session.exec(select(Link).where(Link.hash == digest(token))).one_or_none()
    return link if link and link.revoked_at is None else None


def first_like(session: Session, link: Link) -> Link:
    """The oldest link that opens the same to the same person, and is revoked with this one. A browser holds on to it:
    those of later letters may be tidied away."""
    values = {name: getattr(link, name) for name in PLACE}
    same = [
        col(getattr(Link, name)).is_(None) if value is None else getattr(Link, name) == value
        for name, value in values.items()
    ]
    return (
        session.exec(select(Link).where(*same, col(Link.revoked_at).is_(None)).order_by(col(Link.id))).first() or link
    )


_ALIVE = (
    select(Link, Person.language, Person.zone)
    .outerjoin(Person, col(Person.id) == col(Link.person_id))
    .outerjoin(Seat, col(Seat.id) == col(Link.seat_id))
    .where(among(col(Link.id), "ids"), col(Link.revoked_at).is_(None))
    .where(or_(col(Link.scope) != SEAT, col(Seat.person_id) == col(Link.person_id)))
    .order_by(col(Link.id))
)


def alive(session: Session, ids: list[int]) -> Sequence[tuple[Link, str | None, str | None]]:
    """Those of these links that still open something, with the language and the zone of whomever each was for; the
    newest last. A seat opens to whoever holds it: a letter may have been on its way, with a link made for the one
    before."""
    return session.exec(_ALIVE, params={"ids": ids}).all() if ids else []


_UNHEARD_OF = (
    select(Person.id)
    .join(Link, col(Link.person_id) == col(Person.id))
    .where(among(col(Link.id), "ids"), col(Link.revoked_at).is_(None))
    .where(col(Person.returned_at).is_not(None), col(Link.mailed).in_(bindparam("mailed", expanding=True)))
    .distinct()
    .order_by(col(Person.id))
)


def unheard_of(session: Session, ids: list[int], *, mailed: bool) -> Sequence[int]:
    """Those for whom these links are, and whose letters come back; with `mailed` by links that came by letter only."""
    return session.exec(_UNHEARD_OF, params={"ids": ids, "mailed": [True] if mailed else [True, False]}).all()


def revoke_seat(session: Session, seat: Seat) -> None:
    """No link to this seat works any more; new ones can be mailed."""
    session.execute(
        update(Link)
        .where(col(Link.seat_id) == seat.id, col(Link.revoked_at).is_(None))
        .values(revoked_at=utcnow())
        .execution_options(synchronize_session=False)
    )


def revoke_desk(session: Session, game: Game, moderator_id: int) -> None:
    """This moderator's links to the game's desk work no more."""
    _revoke(session, col(Link.game_id) == game.id, col(Link.scope) == DESK, col(Link.person_id) == moderator_id)


def revoke_person(session: Session, person: Person) -> None:
    """All links of theirs, wherever they lead; new ones can be mailed."""
    _revoke(session, col(Link.person_id) == person.id)


def revoke_join(session: Session, game: Game, person: Person) -> None:
    _revoke(session, col(Link.game_id) == game.id, col(Link.scope) == JOIN, col(Link.person_id) == person.id)


def revoke_organiser(session: Session, game: Game) -> None:
    _revoke(session, col(Link.game_id) == game.id, col(Link.scope) == ORGANISER)


def forget_person(session: Session, person: Person) -> None:
    """No link of theirs opens anything, and nothing is kept of them."""
    theirs = delete(Link).where(col(Link.person_id) == person.id)
    session.execute(theirs.execution_options(synchronize_session=False))


def _revoke(session: Session, *where: ColumnElement[bool]) -> None:
    session.execute(
        update(Link)
        .where(*where, col(Link.revoked_at).is_(None))
        .values(revoked_at=utcnow())
        .execution_options(synchronize_session=False)
    )


def revoke_watch(session: Session, game: Game) -> None:
    _revoke(session, col(Link.game_id) == game.id, col(Link.scope) == WATCH)
