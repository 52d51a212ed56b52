"""Who looks after a game. A moderator is asked first, and may decline; there may be several, and one can hand the game
over to another. Knows no rulings. Everything runs inside the caller's transaction, with the game's row locked."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from service.bulk import among
from service.models import Answer, Game, GameStatus, Jury, Moderator, Person, Seat, Stage
from service.play import strangers
from service.play.reading import BadInput
from service.post import letters, links, outbox
from service.post.language import gettext as _

_ACCEPTED = (
    select(Moderator.game_id, Person)
    .join(Person, col(Person.id) == col(Moderator.person_id))
    .where(among(col(Moderator.game_id), "games"), col(Moderator.status) == Answer.ACCEPTED)
    .order_by(col(Moderator.id))
)


def of(session: Session, game: Game) -> Sequence[Person]:
    """Those who have accepted, the first first."""
    ahead: dict[int, list[Person]] = session.info.get("moderators", {})
    if game.id in ahead:
        return ahead[game.id]
    return [person for _, person in session.exec(_ACCEPTED, params={"games": [game.id]})]


def read_ahead(session: Session, games: Iterable[int]) -> None:
    """Those of all these games, in one statement; in this transaction nobody becomes one, or ceases to be."""
    ahead: dict[int, list[Person]] = {game_id: [] for game_id in games}
    for game_id, person in session.exec(_ACCEPTED, params={"games": list(ahead)}):
        ahead[game_id].append(person)
    session.info["moderators"] = ahead


def left_to_players(session: Session, game: Game, seats: Sequence[Seat]) -> list[Seat]:
    """The seats that are out of time and about which the players decide: all in a game of the group, and elsewhere that
    of the only moderator, who is a party. Where nobody is out of time nothing is asked of the tables."""
    late = [seat for seat in seats if seat.stage is Stage.DESK]
    if not late or game.jury is Jury.GROUP:
        return late
    looking = {moderator.id for moderator in of(session, game)}
    return [seat for seat in late if looking == {seat.person_id}]


def or_players(session: Session, game: Game, seats: Sequence[Seat]) -> list[int]:
    """Who is told what concerns the whole game: those who look after it, or where nobody does, its players."""
    found = [moderator.id for moderator in of(session, game)]
    return found or [seat.person_id for seat in seats if seat.person_id is not None]


def row(session: Session, game: Game, person_id: int | None) -> Moderator | None:
    theirs = select(Moderator).where(Moderator.game_id == game.id, Moderator.person_id == person_id)
    return session.exec(theirs).one_or_none()


def must_be_new(session: Session, game: Game, person: Person) -> None:
    known = row(session, game, person.id)
    if known is not None and known.status is Answer.ACCEPTED:
        raise BadInput(_("%(name)s looks after the game already.", name=person.name), "mail")


def ask(
    session: Session, game: Game, person: Person, now: datetime, *, by: Person, instead_of: int | None = None
) -> None:
    """Until they accept nothing changes. `instead_of`: a moderator who hands the game over to them."""
    must_be_new(session, game, person)
    strangers.may_be_written_to(by, person)
    asked = row(session, game, person.id) or Moderator(game_id=game.id, person_id=person.id)
    asked.status, asked.instead_of = Answer.ASKED, instead_of
    session.add(asked)
    outbox.write(session, letters.Asked(game, person.id, now))


def accept(session: Session, game: Game, seats: Sequence[Seat], asked: Moderator) -> None:
    """From now on they decide; whoever has handed over to them does not any more."""
    asked.status = Answer.ACCEPTED
    if asked.instead_of is not None and (before := row(session, game, asked.instead_of)):
        links.revoke_desk(session, game, before.person_id)
        session.delete(before)
        name = session.get_one(Person, asked.person_id).name
        outbox.write(session, letters.Answered(game, before.person_id, asked.person_id, name, what="handed-over"))
    plays = any(seat.person_id == asked.person_id for seat in seats)
    game.jury = Jury.PLAYER if plays else Jury.OUTSIDER
    session.add_all([game, asked])


def decline(session: Session, game: Game, asked: Moderator) -> None:
    """Whoever asked them is told: the organiser, and a moderator who wanted to hand over."""
    asked.status = Answer.DECLINED
    session.add(asked)
    name = session.get_one(Person, asked.person_id).name
    for reader in {game.organiser_id, asked.instead_of or game.organiser_id}:
        outbox.write(session, letters.Answered(game, reader, asked.person_id, name, what="desk"))


def is_over(game: Game) -> bool:
    return game.status not in (GameStatus.INVITED, GameStatus.RUNNING)
