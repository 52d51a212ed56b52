"""What happens to many games at once is written in few statements, whatever of it has changed."""

import pytest
from sqlalchemy import event
from sqlmodel import Session

from service.bulk import gathered, write_changed
from service.db import db
from service.models import Letter, Seat
from service.play import record
from service.post import letters, outbox
from tests.play import House

pytestmark = pytest.mark.both_databases


class Note(letters.Kind):
    """A kind that tells its readers apart by nothing."""

    name, wish, may_wake = "note", None, False


def test_what_is_to_be_said_to_two_is_said_to_each_of_them_once(house: House):
    """Also where both letters have the same key: it tells a letter from all others to its reader."""
    table = house.begun(["Aiko", "Bruno"])
    game, readers = table.game(), {seat.person_id for seat in table.seats()}

    @outbox.transaction
    def write(session: Session) -> None:
        with gathered(session):
            for reader in (*readers, *readers):
                outbox.write(session, Note(reader, game.id, game_id=game.id))

    write()
    write()
    assert {letter.person_id for letter in house.all(Letter, Letter.kind == Note.name)} == readers


def test_what_has_changed_of_many_rows_waits_for_its_one_statement(house: House):
    """By itself a session writes it as soon as anything else is said to the database, by each set of columns."""
    game_id = house.begun(["Aiko", "Bruno"]).game().id
    said: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        said.append(statement.split(" SET ")[0])

    with db.writing() as session:
        one, other = record.seats_of(session, record.lock(session, game_id))
        event.listen(db.engine, "before_cursor_execute", note)
        with gathered(session):
            one.misses += 1
            other.missed += 1
            outbox.write(session, letters.Late(one))
        write_changed(session, Seat)
    event.remove(db.engine, "before_cursor_execute", note)
    assert said.count("UPDATE seat") == 1
    assert [(seat.misses, seat.missed) for seat in house.all(Seat)] == [(1, 0), (0, 1)]
