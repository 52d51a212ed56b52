"""Every line in a log has a time and a level, can be JSON, and shows no secret, whoever wrote it."""

import json
import logging
import re
import secrets
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from service import logs
from service.config import LogForm, Settings
from service.db import make_engine
from workers import app as workers_app

STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
ANSWERS = "qy3v" * 8  # the token of an address that letters are answered at


@pytest.fixture(autouse=True)
def as_it_was():
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    logging.captureWarnings(False)
    root.handlers[:], root.level = handlers, level


def settings(form: LogForm) -> Settings:
    return Settings(var=Path("/nonexistent"), database_url="sqlite:////nonexistent", log=form)


def test_a_line_has_a_time_and_a_level(capsys: pytest.CaptureFixture[str]):
    logs.configure(settings("text"), "info")
    logging.getLogger("workers.courier").info("letter %s is gone", 7)
    logging.getLogger("somebody.else").debug("too fine")
    assert re.fullmatch(STAMP + r" INFO workers.courier: letter 7 is gone\n", capsys.readouterr().err)


def test_a_line_can_be_json_with_its_exception_in_it(capsys: pytest.CaptureFixture[str]):
    logs.configure(settings("json"))
    try:
        raise ValueError("häßlich\nin two lines")
    except ValueError:
        logging.getLogger("a").exception('it "broke"')
    line = json.loads(capsys.readouterr().err)
    assert re.fullmatch(STAMP, line["time"])
    assert (line["level"], line["logger"], line["message"]) == ("error", "a", 'it "broke"')
    assert line["exception"].endswith("ValueError: häßlich\nin two lines")


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_key_token_or_password_reaches_a_line(form: LogForm, capsys: pytest.CaptureFixture[str]):
    logs.configure(settings(form))
    token = secrets.token_urlsafe(32)
    log = logging.getLogger("waitress")
    log.error("Exception while serving /l/%s", token)
    log.error("Invalid HTTP request line: 'GET /u/%s?x HTT'", token[:30])
    log.error("no calendar http://games.example.org/c/%s.ics", token)
    log.error("no token %r", token)
    log.error("recip: play+%s@games.example", ANSWERS)
    log.error("cannot reach redis://:wordpass@redis:6379/0 or smtp://me:pass%2Fword@mail")
    try:
        raise ConnectionError(f"https://games.example.org/l/{token}")
    except ConnectionError:
        log.exception("failed")
    written = capsys.readouterr().err
    assert token[:20] not in written
    assert ANSWERS not in written
    assert "wordpass" not in written
    assert "pass%2Fword" not in written
    assert written.count("redis:6379") == 1  # where it is, may be known


def test_a_statement_that_fails_is_logged_without_what_people_wrote(database_url: str):
    engine = make_engine(database_url)
    with engine.connect() as connection, pytest.raises(DBAPIError) as failed:
        connection.execute(text("SELECT nothing FROM nowhere WHERE mail = :mail"), {"mail": "aiko@example.org"})
    assert "nowhere" in str(failed.value)
    assert "aiko" not in str(failed.value)


def test_web_worker_and_beat_write_the_same_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("HIKYAKU_LOG", "json")
    logs.configure(Settings.from_env())
    logging.getLogger("waitress").warning("from the web")
    workers_app._log(loglevel=logging.WARNING)
    logging.getLogger("celery.worker").warning("from a worker")
    said = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["level"], line["message"]) for line in said] == [
        ("warning", "from the web"),
        ("warning", "from a worker"),
    ]
