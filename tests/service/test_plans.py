"""What is asked of the tables again and again finds its rows by an index: nothing gets slower because there are many
other games. (`make bench ARGS=growth` measures it, with a million.)"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from service.db import db
from service.models import Person
from service.post import links
from service.web.pages import metrics
from tests.play import House, mail_of, mint
from workers import timekeeper

# Counted, by an index alone; a row for each recurring job; and what holds few rows however many games there are.
WHOLE = {"ix_game_status", "heartbeat", "alembic_version"}
WHOLE |= {"ix_seat_late", "ix_seat_trouble", "ix_seat_deadline", "ix_person_returned"}
# In tables that are nearly empty these are as good as any other way.
LAST_RESORTS = ("seqscan", "mergejoin", "hashjoin")


@pytest.fixture
def house(tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    house = House(tmp_path, postgres_url, monkeypatch, open_tables=True)
    yield house
    house.close()


@contextmanager
def explained() -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """Every statement, and every part of PostgreSQL's plan for it."""
    nodes: list[tuple[str, dict[str, Any]]] = []

    def explain(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        asks = statement.lstrip().startswith(("SELECT", "UPDATE", "DELETE", "WITH"))
        if many or not asks or "FROM complaint" in statement:  # of which there are few, and all are read
            return
        with connection.connection.cursor() as beside:
            for way in LAST_RESORTS:
                beside.execute(f"SET LOCAL enable_{way} = off")
            beside.execute(f"EXPLAIN (FORMAT JSON) {statement}", parameters)
            (told,) = beside.fetchone()
        plan = told if isinstance(told, list) else json.loads(told)
        nodes.extend((statement, node) for node in parts(plan[0]["Plan"]))

    event.listen(db.engine, "before_cursor_execute", explain)
    yield nodes
    event.remove(db.engine, "before_cursor_execute", explain)


def parts(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from parts(part)


def reads_all(node: dict[str, Any]) -> str:
    """What this part of a plan reads from one end to the other."""
    if node["Node Type"] == "Seq Scan":
        return str(node["Relation Name"])
    by_index = node["Node Type"] in ("Index Scan", "Index Only Scan", "Bitmap Index Scan")
    return str(node["Index Name"]) if by_index and "Index Cond" not in node else ""


def test_nothing_that_is_asked_again_and_again_reads_a_whole_table(house: House):
    table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))
    player, operator = table.to_move(), house.browser()
    operator.get(mint(house, links.mint_operator, house.one(Person, Person.mail == mail_of("Mika"))))
    timekeeper.sweep()
    with explained() as nodes:
        assert player.see().status == 200
        player.play()
        for page in ("/", "/my", "/desk"):
            assert operator.get(page).status == 200
        assert player.browser.get(table.url("/replay?move=0")).status == 200
        list(metrics._of_the_tables())
        timekeeper.sweep()
    assert len({statement for statement, _ in nodes}) > 40
    assert {(what, statement) for statement, node in nodes if (what := reads_all(node)) not in WHOLE | {""}} == set()


def test_a_turn_changes_its_game_within_the_page_and_writes_none_of_its_indexes(house: House):
    """Else it would write to a page of each of eleven, and among many games hardly ever to the same one twice."""
    table = house.begun(["Aiko", "Bruno"])
    event.listen(db.engine, "begin", lambda it: it.exec_driver_sql(COUNTED))
    before = changes("game")
    for _ in range(6):
        table.to_move().play()
    written, within = (now - then for now, then in zip(changes("game"), before, strict=True))
    assert written >= 6
    assert within == written


# By a server that counts nothing otherwise; and to be read as soon as it is committed.
COUNTED = "SELECT set_config('track_counts', 'on', false), pg_stat_force_next_flush()"


def changes(table: str) -> tuple[int, int]:
    """How many rows were changed so far, and how many of them without a word to an index."""
    counted = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = %(table)s"
    with db.reading() as session:
        written, within = session.connection().exec_driver_sql(counted, {"table": table}).one()
    return written, within
