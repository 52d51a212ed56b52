"""Those who look on are nobody we know: what they are called, and which lines are theirs, their browser remembers."""

from flask import session as cookie

MOST_LINES = 5  # of one's own that can be taken back from this browser


def called_here() -> str:
    return str(cookie.get("called", ""))


def said_here() -> list[int]:
    return list(cookie.get("said", []))


def remember(called: str, remark_id: int) -> None:
    cookie["called"] = called
    cookie["said"] = [*said_here(), remark_id][-MOST_LINES:]
