"""Measures and prints the table.

python -m tests.bench            everything but what takes long
python -m tests.bench engine     only the parts named

Ends with 1 if a floor was missed: a target is a floor where it names no other.
"""

import sys
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.table import Table

from tests.bench.engine import engine_rows
from tests.bench.growth import growth_rows
from tests.bench.killed import killed_rows
from tests.bench.load import load_rows
from tests.bench.pages import page_rows, weight_rows
from tests.bench.pictures import picture_rows
from tests.bench.room import room_rows
from tests.bench.rows import Row
from tests.bench.sweep import sweep_rows
from tests.bench.together import together_rows
from tests.bench.turns import turn_rows

PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    "engine": engine_rows,
    "pages": page_rows,
    "weights": weight_rows,
    "load": load_rows,
    "turns": turn_rows,
    "sweep": sweep_rows,
    "pictures": picture_rows,
    "room": room_rows,
}
LONG: dict[str, Callable[[], Iterator[Row]]] = {  # only when named
    "growth": growth_rows,
    "together": together_rows,
    "killed": killed_rows,
}


def main(wanted: list[str]) -> int:
    parts = PARTS | LONG
    if unknown := [name for name in wanted if name not in parts]:
        print(f"There is no part {', '.join(unknown)}; there are {', '.join(parts)}.", file=sys.stderr)
        return 2
    console = Console(width=140)
    table = Table("what", "measured", "target", "", title="Hikyaku, measured on this machine in one run")
    missed = 0
    for name in wanted or PARTS:
        for row in parts[name]():
            table.add_row(row.what, row.measured, row.target, row.verdict)
            console.print(f"{row.what}: {row.measured}", style="dim")
            missed += not row.held
    console.print(table)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
