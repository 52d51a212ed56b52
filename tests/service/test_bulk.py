"""What happens to many games at once is written in few statements, whatever of it has changed."""

import pytest
from sqlalchemy import event

from service.bulk import gathered, write_changed
from service.db import db
from service.models import Seat
from service.play import record
from service.post import letters, outbox
from tests.play import House

pytestmark = pytest.mark.both_databases


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
