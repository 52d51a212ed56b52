"""How a golden game is recorded, hashed and kept."""

from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from engine import GAMES, Match
from engine.players import seat_players
from tests.engine.tables import TABLES, Table, everything, observers

FOLDER = Path(__file__).parent
SEED = 20


class Golden(msgspec.Struct):
    game: str
    rules: int
    players: int
    options: dict[str, Any]
    seed: int
    choices: list[tuple[int, str]]
    hashes: str

    def start(self) -> Match:
        return Match.start(self.game, players=self.players, seed=self.seed, options=self.options)


def digest(match: Match, step: int) -> str:
    """Four letters for all that one of them gets, each in turn, and at both ends for all that anybody gets. The events
    of a whole round of looks are in it, so that nobody's are missed: enough to find where a game goes another way."""
    everybody = observers(match)
    seats = everybody if step == 0 or match.over else [everybody[step % len(everybody)]]
    seen = everything(match, since=max(0, len(match.events) - 12 * len(everybody)), seats=seats)
    return blake2b(seen, digest_size=2).hexdigest()


def path_of(table: Table) -> Path:
    return FOLDER / f"{str(table).replace('=', '-').lower()}.json"


def record(table: Table) -> Golden:
    """A game between a bot and random players, so that it goes where both good and foolish play lead."""
    players = seat_players(["bot", "random"], table.players, SEED)
    match = table.start(SEED)
    choices: list[tuple[int, str]] = []
    hashes = [digest(match, 0)]
    while match.pending:
        decision = match.pending[0]
        choice = decision.seat, players[decision.seat](match, decision)
        match.choose(*choice)
        choices.append(choice)
        hashes.append(digest(match, len(choices)))
    return Golden(table.game.id, table.game.rules, table.players, table.options, SEED, choices, "".join(hashes))


def record_all() -> list[Path]:
    """Write a golden game for every table, and remove those of tables that are no more."""
    wanted = {path_of(table): table for table in TABLES}
    for path in FOLDER.glob("*.json"):
        if path not in wanted:
            path.unlink()
    for path, table in wanted.items():
        path.write_bytes(msgspec.json.encode(record(table)) + b"\n")
    return list(wanted)


def kept() -> list[Path]:
    return sorted(FOLDER.glob("*.json"))


def read(path: Path) -> Golden:
    golden = msgspec.json.decode(path.read_bytes(), type=Golden)
    assert golden.game in GAMES, f"{path.name} is of a game that is not in the catalogue"
    return golden
