"""The doctor finds each thing that can be wrong with an installation, and says what to do about it."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from click.testing import CliRunner

from service.config import Settings
from tests.play import House
from tests.servers import MailServer, Redis, free_port
from workers import doctor, mailin, schema, timekeeper
from workers.cli import main

pytestmark = pytest.mark.both_databases


def findings(tmp_path: Path, **environ: str) -> dict[str, doctor.Finding]:
    settings = Settings.from_env({"HIKYAKU_VAR": str(tmp_path), **environ})
    return {finding.name: finding for finding in doctor.examine(settings)}


def test_all_is_well_where_all_is_there(
    tmp_path: Path, database_url: str, redis_server: Redis, mail_server: MailServer
):
    found = findings(
        tmp_path,
        HIKYAKU_DATABASE_URL=database_url,
        HIKYAKU_REDIS_URL=redis_server.url,
        HIKYAKU_SMTP_URL=mail_server.url,
    )
    assert [str(f) for f in found.values() if not f.fine] == []
    assert found.keys() == {
        "folder",
        "database",
        "work",
        "games",
        "letters",
        "answers",
        "returned",
        "kept",
        "programs",
        "redis",
        "mail",
        "mail in",
        "pictures",
        "time zones",
    }
    assert mail_server.messages == []


def test_a_fresh_private_installation_only_lacks_its_tables(tmp_path: Path):
    found = findings(tmp_path)
    assert [name for name, f in found.items() if not f.fine] == ["database"]
    assert "hikyaku migrate" in found["database"].text
    assert "hikyaku up" in found["redis"].text
    assert "post office" in found["mail"].text


def test_an_old_schema_is_told_from_a_new_one(tmp_path: Path, sqlite_url: str):
    assert findings(tmp_path, HIKYAKU_DATABASE_URL=sqlite_url)["database"].fine
    schema.downgrade(sqlite_url, "base")
    assert not findings(tmp_path, HIKYAKU_DATABASE_URL=sqlite_url)["database"].fine


def test_a_schema_of_a_newer_version_is_not_mistaken_for_an_old_one(tmp_path: Path, sqlite_url: str):
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    found = findings(tmp_path, HIKYAKU_DATABASE_URL=sqlite_url)["database"]
    assert not found.fine
    assert "newer than this version" in found.text
    assert "migrate" not in found.text


def test_work_that_nobody_does_is_found(tmp_path: Path, house: House, redis_server: Redis):
    environ = {"HIKYAKU_DATABASE_URL": house.settings.database_url, "HIKYAKU_REDIS_URL": redis_server.url}
    timekeeper.sweep()
    with house.hold():
        house.game(["Aiko", "Bruno"])
    assert findings(tmp_path, **environ)["work"].fine
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=10)):
        found = findings(tmp_path, **environ)["work"]
    assert not found.fine
    assert "s ago: nobody asks for it: is the beat running?" in found.text
    assert "is a worker for letters running?" in found.text


def test_the_sizes_of_what_is_kept_are_shown(tmp_path: Path, house: House):
    house.begun(["Aiko", "Bruno"])
    found = findings(tmp_path, HIKYAKU_DATABASE_URL=house.settings.database_url)["kept"]
    assert found.fine
    assert found.text.startswith("person 2, game 1, move 1, snapshot 1, submission 0, letter 5, ")
    assert found.text.endswith(" MB in all")


def test_a_door_for_answers_that_nobody_keeps_open_is_found(tmp_path: Path, house: House, redis_server: Redis):
    environ = {"HIKYAKU_DATABASE_URL": house.settings.database_url, "HIKYAKU_REDIS_URL": redis_server.url}
    assert "answers are not read" in findings(tmp_path, **environ)["mail in"].text
    found = findings(tmp_path, HIKYAKU_MAIL_IN="lmtp://127.0.0.1:8024", **environ)["mail in"]
    assert not found.fine
    assert "is hikyaku mail-in running" in found.text
    mailin.say_it_lives()
    assert findings(tmp_path, HIKYAKU_MAIL_IN="lmtp://127.0.0.1:8024", **environ)["mail in"].fine


def test_a_message_that_could_not_be_read_is_named(tmp_path: Path, house: House):
    player = house.begun(["Aiko", "Bruno*"]).player("Aiko")
    player.answer("1", From="stranger@players.example")
    found = findings(tmp_path, HIKYAKU_DATABASE_URL=house.settings.database_url)["answers"]
    assert found.fine
    assert "1 wait for a word" in found.text
    house.execute("UPDATE received SET status = 'unread'")
    found = findings(tmp_path, HIKYAKU_DATABASE_URL=house.settings.database_url)["answers"]
    assert not found.fine
    assert "1 could not be read" in found.text


def test_people_to_whom_letters_come_back_are_counted(tmp_path: Path, house: House):
    house.begun(["Aiko", "Bruno"])
    found = findings(tmp_path, HIKYAKU_DATABASE_URL=house.settings.database_url)["returned"]
    assert (found.fine, found.text) == (True, "none, as far as we were told")
    house.execute("UPDATE person SET returned_at = created_at")
    found = findings(tmp_path, HIKYAKU_DATABASE_URL=house.settings.database_url)["returned"]
    assert found.fine
    assert "mail to 2 people comes back" in found.text


def test_an_installation_that_was_stopped_is_not_ill(tmp_path: Path, house: House):
    timekeeper.sweep()
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=10)):
        found = findings(tmp_path, HIKYAKU_DATABASE_URL=house.settings.database_url)["work"]
    assert found.fine
    assert "not running" in found.text


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"HIKYAKU_POST_OFFICE": "on"}, "can read every letter"),
        ({"HIKYAKU_SMTP_URL": "smtp://mail.example.org"}, "HIKYAKU_MAIL_FROM"),
    ],
)
def test_letters_that_the_world_can_read_or_will_not_take_are_found(tmp_path: Path, environ: dict[str, str], said: str):
    public = {"HIKYAKU_BASE_URL": "https://games.example.org", "HIKYAKU_SECRET_KEY": "k" * 32}
    found = findings(tmp_path, **public, **environ)["mail"]
    assert not found.fine
    assert said in found.text


@pytest.mark.parametrize(
    ("check", "variable", "url"),
    [
        ("database", "HIKYAKU_DATABASE_URL", "postgresql://hikyaku:pw@127.0.0.1:{port}/hikyaku"),
        ("redis", "HIKYAKU_REDIS_URL", "redis://127.0.0.1:{port}/0"),
        ("mail", "HIKYAKU_SMTP_URL", "smtp://127.0.0.1:{port}"),
    ],
)
def test_a_server_that_does_not_answer_is_named_with_its_setting(tmp_path: Path, check: str, variable: str, url: str):
    found = findings(tmp_path, **{variable: url.format(port=free_port())})
    assert not found[check].fine
    assert variable in found[check].text


def test_a_mail_server_that_cannot_encrypt_is_not_well(tmp_path: Path, mail_server: MailServer):
    assert not findings(tmp_path, HIKYAKU_SMTP_URL=f"{mail_server.url}?starttls=1")["mail"].fine


def test_a_folder_that_cannot_be_made_is_not_well(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    assert not findings(tmp_path, HIKYAKU_VAR=str(tmp_path / "file" / "var"))["folder"].fine


def test_the_command_fails_when_something_is_wrong_and_names_it(tmp_path: Path, sqlite_url: str):
    environ = {"HIKYAKU_VAR": str(tmp_path), "HIKYAKU_DATABASE_URL": sqlite_url}
    well = CliRunner().invoke(main, ["doctor"], env=environ)
    assert well.exit_code == 0
    assert "not ok" not in well.output
    ill = CliRunner().invoke(
        main, ["doctor"], env=environ | {"HIKYAKU_REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    )
    assert ill.exit_code == 1
    assert "redis      not ok: cannot be reached" in ill.output
    confused = CliRunner().invoke(main, ["doctor"], env={"HIKYAKU_LISTEN": "8000"})
    assert confused.exit_code == 1
    assert "HIKYAKU_LISTEN must be host:port" in confused.output


@pytest.mark.parametrize(
    ("missing", "check"),
    [("kombu.transport.redis", "redis"), ("waitress", "programs"), ("celery.bin.celery", "programs")],
)
def test_a_package_that_web_worker_or_beat_would_miss_is_found(
    tmp_path: Path, sqlite_url: str, redis_server: Redis, missing: str, check: str
):
    environ = {"HIKYAKU_VAR": str(tmp_path), "HIKYAKU_DATABASE_URL": sqlite_url, "HIKYAKU_REDIS_URL": redis_server.url}
    without = f"import sys; sys.modules[{missing!r}] = None; from workers.cli import main; main(['doctor'])"
    ill = subprocess.run([sys.executable, "-c", without], env=os.environ | environ, capture_output=True, text=True)
    assert ill.returncode == 1, ill.stderr
    (found,) = [line for line in ill.stdout.splitlines() if "not ok" in line]
    assert found.startswith(f"{check:<10} not ok")
    assert missing.split(".")[0] in found
