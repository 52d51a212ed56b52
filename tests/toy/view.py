"""What leaves the table: everything but the order of the pile."""

from typing import Any

from tests.toy.scoring import scores
from tests.toy.state import Toy


def view(state: Toy, seat: int | None) -> dict[str, Any]:
    return {
        "row": list(state.row),
        "pile": len(state.pile),
        "seats": [
            {"taken": list(taken), "score": score} for taken, score in zip(state.taken, scores(state), strict=True)
        ],
    }


def changes(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    new = {f"row:{colour}" for colour in after["row"] if after["row"].count(colour) > before["row"].count(colour)}
    return new | ({"pile"} if before["pile"] != after["pile"] else set())
