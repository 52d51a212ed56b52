"""Many rows in one statement, for what happens to many games at once.

PostgreSQL is handed all rows as one document, in a statement that is the same however many they are: it is prepared
once, and one journey. SQLite is no journey away, and takes them one by one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    Boolean,
    Insert,
    Integer,
    LargeBinary,
    Table,
    bindparam,
    cast,
    func,
    inspect,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlmodel import Session, SQLModel

Heard = Callable[[Session, Sequence[Any]], None]
Row = dict[str, Any]


@contextmanager
def gathered(session: Session) -> Iterator[None]:
    """Rows that are `put` in this block go into the tables at its end, all of a kind in one statement."""
    session.info["gathered"] = {}
    yield
    write_gathered(session)
    del session.info["gathered"]


def write_gathered(session: Session) -> None:
    """For what looks at such rows after all. What has changed of others is not written with them: by itself a session
    does so, one by one, before `write_changed` can."""
    kinds: dict[Insert, tuple[Heard | None, list[Row]]] = session.info.get("gathered", {})
    with session.no_autoflush:
        for statement, (heard, rows) in kinds.items():
            _insert(session, statement, rows, heard)
    kinds.clear()


def put(session: Session, statement: Insert, row: Row, heard: Heard | None = None) -> None:
    """Insert a row at which nothing in this transaction looks again. `heard` is given what the statement returns."""
    kinds = session.info.get("gathered")
    if kinds is None:
        _insert(session, statement, [row], heard)
    else:
        kinds.setdefault(statement, (heard, []))[1].append(row)


def _insert(session: Session, statement: Insert, rows: list[Row], heard: Heard | None) -> None:
    if _takes_documents(session):
        result = session.execute(_inserted(statement, tuple(rows[0])), _document(statement.table, rows))
    else:
        result = session.execute(statement, rows)
    if heard is not None:
        heard(session, result.all())


def write_changed(session: Session, model: type[SQLModel]) -> None:
    """Bring the changed rows of a kind into the tables in one statement, and let go of them: nothing looks at them any
    more. Left to itself the session has a statement for every set of columns that changed together."""
    rows: list[Any] = [row for row in session.dirty if isinstance(row, model)]
    if not rows:
        return
    mapper = inspect(model)
    same = frozenset.intersection(*(frozenset(inspect(row).unmodified) for row in rows))
    changed = {key: column.columns[0].name for key, column in mapper.column_attrs.items() if key not in same}
    values = [{name: getattr(row, key) for key, name in changed.items()} | {"id": row.id} for row in rows]
    _update(session, mapper.local_table, tuple(changed.values()), values)
    for row in rows:
        session.expunge(row)


def _update(session: Session, table: Any, names: tuple[str, ...], rows: list[Row]) -> None:
    """And nothing else that has changed."""
    with session.no_autoflush:
        if _takes_documents(session):
            session.execute(_updated(table, names), _document(table, rows))
        else:
            one = update(table).where(table.c.id == bindparam("row"))
            session.execute(one, [row | {"row": row.pop("id")} for row in rows])


# --- rows by their numbers


class _Among(FunctionElement[bool]):
    type = Boolean()
    inherit_cache = True


def among(column: Any, name: str) -> Any:
    """Whether this column is one of the numbers that come by that name. As `IN`, but one statement for any of them."""
    return _Among(column, bindparam(name, type_=JSON().with_variant(ARRAY(Integer), "postgresql")))


@compiles(_Among, "postgresql")
def _any_of(element: _Among, compiler: Any, **how: Any) -> str:
    column, numbers = (compiler.process(clause, **how) for clause in element.clauses)
    return f"{column} = ANY ({numbers})"


@compiles(_Among)
def _each_of(element: _Among, compiler: Any, **how: Any) -> str:
    column, numbers = (compiler.process(clause, **how) for clause in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({numbers}))"


# --- documents


def _takes_documents(session: Session) -> bool:
    return session.get_bind().dialect.name == "postgresql"


@cache
def _inserted(statement: Insert, names: tuple[str, ...]) -> Insert:
    given = _given(statement.table)
    return statement.from_select(names, select(*(given.c[name] for name in names)))


@cache
def _updated(table: Table, names: tuple[str, ...]) -> Any:
    given = _given(table)
    return update(table).where(table.c.id == given.c.id).values({name: given.c[name] for name in names})


def _given(table: Any) -> Any:
    """The rows of the document, as if they were some of this table."""
    like: Any = literal_column(f"NULL::{table.name}")
    rows = func.json_populate_recordset(like, cast(bindparam("document"), JSON))
    return rows.table_valued(*(column.name for column in table.c)).alias("given")


def _document(table: Any, rows: list[Row]) -> dict[str, str]:
    binary = [column.name for column in table.c if isinstance(column.type, LargeBinary)]
    for row in rows:
        for name in binary:
            if row.get(name) is not None:
                row[name] = f"\\x{row[name].hex()}"
    return {"document": msgspec.json.encode(rows).decode()}
