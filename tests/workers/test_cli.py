"""The command `hikyaku`: what each subcommand turns into, and how it fails."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from service import shape
from workers import schema
from workers.cli import main


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The programs that the process turned into, instead of really doing so."""
    seen: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda program, arguments: seen.append([program, *arguments[1:]]))
    return seen


def test_migrate_goes_to_the_newest_tables_and_back(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/new/hikyaku.db"
    environ = {"HIKYAKU_DATABASE_URL": url}
    up = CliRunner().invoke(main, ["migrate"], env=environ)
    assert up.output == f"The database is at {shape.newest()}.\n"
    down = CliRunner().invoke(main, ["migrate", "--down", "base", "--yes"], env=environ)
    assert down.output == "The database is at nothing.\n"
    assert schema.current(url) is None


@pytest.mark.parametrize("answer", ["n\n", "\n", ""])
def test_nobody_loses_all_games_by_a_command_typed_too_fast(tmp_path: Path, answer: str):
    url = f"sqlite:///{tmp_path}/hikyaku.db"
    schema.upgrade(url)
    asked = CliRunner().invoke(main, ["migrate", "--down", "base"], env={"HIKYAKU_DATABASE_URL": url}, input=answer)
    assert asked.exit_code == 1
    assert "All games, people and letters are lost by that. Go back to base? [y/N]" in asked.output
    assert schema.current(url) == shape.newest()


@pytest.mark.parametrize("command", ["up", "web", "worker", "beat", "migrate", "doctor"])
def test_no_process_starts_with_a_setting_it_does_not_understand(command: str, became: list[list[str]]):
    result = CliRunner().invoke(main, [command], env={"HIKYAKU_BASE_URL": "games.example.org"})
    assert result.exit_code == 1
    assert "HIKYAKU_BASE_URL must be http://host or https://host" in result.output
    assert became == []
