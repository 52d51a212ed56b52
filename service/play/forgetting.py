"""Somebody who wants to be forgotten. They leave whatever they have a part in, and then nothing personal is kept: no
address, no name, no hours, no links, no words of theirs. What others played with them stays whole, so a row without
anything in it stays too, and is called a former player wherever their name stood.

All in one transaction, with all games of theirs locked: it has happened or not, and happens once.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, update
from sqlmodel import Session, SQLModel, col, or_, select

from service.db import LOCKED
from service.models import (
    Absence,
    Attempt,
    Draft,
    Game,
    GameStatus,
    Jury,
    Letter,
    LetterStatus,
    Moderator,
    Note,
    Nudge,
    Outcome,
    Person,
    Proposal,
    Relocation,
    Remark,
    ReturnAddress,
    Ruling,
    Seat,
    SeatStatus,
    Tenure,
    Unwanted,
)
from service.play import deciding, holders, leaving, making, moderators, proposals, record, turnclock
from service.post import bells, letters, links, outbox
from service.post.language import marked, nameless, speaking
from service.post.told import NAMELESS, QUOTED, told
from service.post.wishes import Wish

GONE = marked("whom it was for is not here any more")
UNSAID = told(marked("What they wrote is not kept any more."))

# The rulings that name whoever they are by, as they were called then.
BY_THEMSELVES = ("resign", "deserted", "substitute", "moderator")


def forget(session: Session, person_id: int, now: datetime) -> None:
    """Done twice it is done once."""
    games = _lock_games(session, person_id)
    person = session.get_one(Person, person_id, with_for_update=LOCKED, populate_existing=True)
    if person.gone:
        return
    for game in games:
        _leave(session, game, person, now)
    session.flush()
    known_as = _names(session, person)
    for game in games:
        _take_out_of_record(session, game, person, known_as)
    _take_out_of_forms(session, person)
    _take_out_of_letters(session, [game.id for game in games], known_as)
    _close_letters(session, person)
    _empty(session, person, now)


def games_of(session: Session, person_id: int) -> list[int]:
    """Every game that any row connects with them, by whatever table."""
    found: set[int] = set()
    for table in SQLModel.metadata.sorted_tables:
        naming = [column for column in table.c if _refers_to(column, "person")]
        if naming and (game := _game_of(table)) is not None:
            found.update(
                session.execute(select(game).where(or_(*(column == person_id for column in naming)))).scalars()
            )
    return sorted(game for game in found if game is not None)


def _refers_to(column: Any, name: str) -> bool:
    return any(key.column.table.name == name for key in column.foreign_keys)


def _game_of(table: Any) -> Any:
    """How a row of this table says which game it is about: itself, or by the seat or the proposal that it names."""
    if table.name == "game":
        return table.c.id
    if "game_id" in table.c:
        return table.c.game_id
    for name in ("seat", "proposal"):
        if f"{name}_id" in table.c:
            other = SQLModel.metadata.tables[name]
            return select(other.c.game_id).where(other.c.id == table.c[f"{name}_id"]).scalar_subquery()
    return None


def _lock_games(session: Session, person_id: int) -> Sequence[Game]:
    theirs = select(Game).where(col(Game.id).in_(games_of(session, person_id))).order_by(col(Game.id))
    return session.exec(theirs.with_for_update(**LOCKED).execution_options(populate_existing=True)).all()


# --- what they have a part in


def _leave(session: Session, game: Game, person: Person, now: datetime) -> None:
    """As if they had left, declined, or handed over by themselves; the others are told as ever."""
    if game.status is GameStatus.MADE and game.organiser_id == person.id:
        session.delete(game)  # nobody else knows of it
        return
    if game.offered_to == person.id:
        making.succeed(session, game, accepts=False)
    if game.status is GameStatus.INVITED and game.organiser_id == person.id:
        making.cancel(session, game)
    if game.status is GameStatus.RUNNING and game.organiser_id == person.id:
        _hand_on(session, game)
    if not moderators.is_over(game):
        _leave_desk(session, game, person)
    for seat in record.seats_of(session, game):
        _leave_seat(session, game, seat, person, now)
    if game.status is GameStatus.RUNNING:
        proposals.review(session, game, record.seats_of(session, game))
        deciding.recount(session, game, now)


def _leave_seat(session: Session, game: Game, seat: Seat, person: Person, now: datetime) -> None:
    if seat.offered_to == person.id:
        holders.decline_offer(session, game, seat, person)
    if seat.typed_by == person.id:
        seat.typed_by = None
        session.add(seat)
    if seat.person_id != person.id:
        return
    if draft := session.get(Draft, seat.id):
        session.delete(draft)
    if game.status is GameStatus.INVITED and seat.status is not SeatStatus.DECLINED:
        making.decline(session, game, seat)
    elif game.status is GameStatus.RUNNING and record.stranded(game):
        holders.vacate(session, game, seat, now)
        turnclock.stop(seat)
    elif game.status is GameStatus.RUNNING:
        leaving.resign(session, game, seat, now)


def _hand_on(session: Session, game: Game) -> None:
    """To whoever looks after the game, else to the first who plays in it; where there is nobody it is left as it is."""
    players = [seat.person_id for seat in record.seats_of(session, game) if seat.person_id is not None]
    heirs = [moderator.id for moderator in moderators.of(session, game)] + players
    heir = next((who for who in heirs if who != game.organiser_id), None)
    if heir is None:
        return
    links.revoke_organiser(session, game)
    game.organiser_id = heir
    session.add(game)
    outbox.write(session, letters.Inherited(game))


def _leave_desk(session: Session, game: Game, person: Person) -> None:
    session.execute(_at_once(update(Moderator).where(col(Moderator.instead_of) == person.id).values(instead_of=None)))
    row = moderators.row(session, game, person.id)
    if row is None:
        return
    moderators.decline(session, game, row)
    session.delete(row)
    session.flush()
    if game.jury is Jury.PLAYER and not moderators.of(session, game):
        game.jury = Jury.GROUP
        session.add(game)


# --- what is written of them


def _names(session: Session, person: Person) -> set[str]:
    """What they were called here, at one table or another and by the log of what they did."""
    seats = select(Seat).where(col(Seat.id).in_(_held(person)))
    found = {
        person.given,
        *(seat.given for seat in session.exec(seats) if holders.named_after(session, seat) == person.id),
    }
    rulings = select(Ruling).where(Ruling.person_id == person.id, col(Ruling.name).in_(BY_THEMSELVES))
    for ruling in session.exec(rulings):
        found |= {said["args"]["name"] for said in (ruling.effect, ruling.reason) if "name" in said.get("args", {})}
    return {name for name in found if isinstance(name, str) and name}


def _held(person: Person) -> Any:
    """Seats that they hold or have held."""
    return (
        select(Tenure.seat_id)
        .where(Tenure.person_id == person.id)
        .union(select(Seat.id).where(Seat.person_id == person.id))
    )


def _take_out_of_record(session: Session, game: Game, person: Person, known_as: Collection[str]) -> None:
    for seat in record.seats_of(session, game):
        if holders.named_after(session, seat) == person.id:
            seat.given = ""
            session.add(seat)
    if game.organiser_id == person.id:
        game.sheet = None  # a hash in which their address is
        session.add(game)
    for ruling in session.exec(select(Ruling).where(Ruling.game_id == game.id)):
        _rewrite(session, ruling, known_as, ruling.person_id == person.id)
    for proposal in session.exec(select(Proposal).where(Proposal.game_id == game.id)):
        _rewrite(session, proposal, known_as, proposal.proposed_by == person.id)


def _rewrite(session: Session, row: Ruling | Proposal, known_as: Collection[str], own: bool) -> None:
    reason = UNSAID if own and row.reason.get("text") == QUOTED else _without(row.reason, known_as)
    row.reason, row.effect = reason, _without(row.effect, known_as)
    session.add(row)


def _without(kept: Any, known_as: Collection[str]) -> Any:
    """The same, with nobody's name where theirs was."""
    if isinstance(kept, dict):
        return {key: _without(value, known_as) for key, value in kept.items()}
    if isinstance(kept, list):
        return [_without(value, known_as) for value in kept]
    return NAMELESS if isinstance(kept, str) and kept in known_as else kept


def _take_out_of_forms(session: Session, person: Person) -> None:
    """Somebody may have proposed them for a seat or a desk, wherever."""
    for proposal in session.exec(select(Proposal).where(col(Proposal.name).in_(["substitute", "moderator"]))):
        if proposal.form.get("mail", "").strip().lower() == person.mail:
            if proposal.outcome is Outcome.OPEN:
                game = record.lock(session, proposal.game_id)
                proposals.close(session, game, record.seats_of(session, game), proposal, Outcome.OVERTAKEN)
            proposal.form = {}
            session.add(proposal)


def _take_out_of_letters(session: Session, games: Sequence[int], known_as: Collection[str]) -> None:
    """Of letters to others: what is not yet put into words, and the subjects of those that were. Whole letters lie only
    in the post office, and are thrown away there."""
    about_games = col(Letter.game_id).in_(games)
    session.execute(_at_once(update(Letter).where(about_games).values(source=None)))
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(known_as)))
    rows = select(Letter, Person).join(Person, col(Person.id) == col(Letter.person_id)).where(about_games)
    for letter, reader in session.exec(rows):
        letter.about = _without(letter.about, known_as)
        with speaking(reader.language):
            letter.subject = pattern.sub(nameless(), letter.subject)
        session.add(letter)


# --- what is theirs alone


def _close_letters(session: Session, person: Person) -> None:
    theirs = select(Letter).where(Letter.person_id == person.id)
    for letter in session.exec(theirs.execution_options(populate_existing=True)):
        if letter.status in (LetterStatus.WAITING, LetterStatus.HELD):
            letter.status, letter.claimed_at, letter.error = LetterStatus.OBSOLETE, None, GONE
        else:
            letter.error = ""
        letter.key = f"gone:{letter.id}"  # in some keys is a hash of the address
        letter.subject, letter.source = "", None
        session.add(letter)
    ids = select(Letter.id).where(Letter.person_id == person.id)
    session.execute(_at_once(delete(Attempt).where(col(Attempt.letter_id).in_(ids))))
    session.execute(_at_once(delete(ReturnAddress).where(col(ReturnAddress.letter_id).in_(ids))))  # and their answers


def _empty(session: Session, person: Person, now: datetime) -> None:
    links.forget_person(session, person)
    theirs = or_(*(column == person.mail for column in (col(Relocation.old), col(Relocation.new))))
    session.execute(_at_once(delete(Relocation).where(or_(theirs, col(Relocation.person_id) == person.id))))
    session.execute(_at_once(delete(Absence).where(col(Absence.person_id) == person.id)))
    for theirs_alone in (Remark, Note, Nudge):
        session.execute(_at_once(delete(theirs_alone).where(col(theirs_alone.person_id) == person.id)))
    bells.forget(session, person.id)
    session.execute(_at_once(delete(Unwanted).where(col(Unwanted.person_id) == person.id)))
    blank = Person(mail=None, given="", created_at=now)
    for wish in Wish:
        setattr(blank, wish, False)
    for name in Person.model_fields.keys() - {"id"}:
        setattr(person, name, getattr(blank, name))
    session.add(person)


def _at_once(statement: Any) -> Any:
    return statement.execution_options(synchronize_session=False)


def under_way(session: Session, person_id: int) -> Iterator[tuple[Game, Sequence[Seat]]]:
    """The games that would go on without them, and who sits there."""
    going_on = col(Game.status).in_([GameStatus.INVITED, GameStatus.RUNNING])
    theirs = select(Game).where(col(Game.id).in_(games_of(session, person_id)), going_on)
    for game in session.exec(theirs.order_by(col(Game.id))):
        yield game, record.seats_of(session, game)
