"""How a saved match is recorded and kept: the bytes of the save, and beside them what was to be seen."""

import json
from pathlib import Path
from typing import Any

import msgspec

from engine import Match
from engine.match import Saved
from engine.players import seat_players
from tests.engine.tables import TABLES, Table, choices_since

FOLDER = Path(__file__).parent
SEED = 30


def path_of(table: Table) -> Path:
    """By title, rules, players and what is not as usual."""
    options = [f"{name}-{value}" for name, value in table.options.items()]
    parts = [table.game.id, str(table.game.rules), str(table.players), *options]
    return FOLDER / f"{'-'.join(parts).lower()}.save"


def record(table: Table) -> bytes:
    """From the middle of a game between a bot and random players, with some choices of a scene made."""
    match, players = table.start(SEED), seat_players(["bot", "random"], table.players, SEED)
    saves = []
    while match.pending:
        decision = match.pending[0]
        match.choose(decision.seat, players[decision.seat](match, decision))
        if match.pending and choices_since(match):
            saves.append(match.save())
    return saves[len(saves) // 2]


def seen(match: Match) -> dict[str, Any]:
    """What is asked, and what the first of those asked sees."""
    asked = [[d.seat, d.prompt, [option.id for option in d.options], d.default] for d in match.pending]
    return {"asked": asked, "view": match.view(match.pending[0].seat)}


def record_missing() -> list[Path]:
    """Write a save for every table without one of the rules of today, and what is seen where that is missing."""
    written = []
    for table in TABLES:
        save = path_of(table)
        if not save.exists():
            save.write_bytes(record(table))
            written.append(save)
        view = save.with_suffix(".json")
        if not view.exists():
            view.write_text(json.dumps(seen(Match.load(save.read_bytes())), sort_keys=True) + "\n", encoding="utf-8")
            written.append(view)
    return written


def kept() -> list[Path]:
    return sorted(FOLDER.glob("*.save"))


def read(path: Path) -> Saved:
    return msgspec.msgpack.decode(path.read_bytes(), type=Saved)
