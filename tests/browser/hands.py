"""Somebody who plays by touching the board: never by the list of choices, which is for those who cannot.

They play what the built-in player would play, so that games end in their usual length. What stands on the screen is
measured on the way: it fits, can be read, can be hit, and stays where it was.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page

from service.db import db
from service.models import GameStatus
from service.play import drafts
from tests.play import Player

MORE_TOUCHES_THAN_ANY_GAME_TAKES = 2500
RAW_KEY = re.compile(r"\b(?:osaka|yokohama|duel|zaibatsu|words)\.[a-z_]|@okazu|for which we have no words")
HEAVIEST, HEAVIEST_SENT = 60_000, 12_000  # bytes of the answer to a choice
FURTHEST_PLAN = 6  # as many choices as a touch ever stands for
SEND = '.dock button.go[formaction$="/send"]'

EYES = f"globalThis.eyes = {(Path(__file__).parent / 'hands.js').read_text()}"  # a script that pages begin with


@dataclass
class Hands:
    """One person at one table, whose tab was opened with EYES."""

    player: Player
    tab: Page
    taps: dict[int, int] = field(default_factory=dict)  # by turn of the game
    asked: set[str] = field(default_factory=set)  # prompts that were looked at closely
    trouble: list[str] = field(default_factory=list)

    @property
    def phone(self) -> bool:
        size = self.tab.viewport_size
        return size is not None and (size["width"] < 740 or (size["width"] < 960 and size["height"] < 880))

    @property
    def typical_turn(self) -> float:
        return median(self.taps.values())

    def play(self, turns: int = MORE_TOUCHES_THAN_ANY_GAME_TAKES) -> None:
        """To the end of the game, or for so many turns of this player."""
        for _ in range(MORE_TOUCHES_THAN_ANY_GAME_TAKES):
            game = self.player.table.game()
            if game.status is GameStatus.FINISHED or (len(self.taps) > turns and game.turn not in self.taps):
                return
            self.touch()
        raise AssertionError("the game does not end")

    def touch(self) -> None:
        """Answer one question, or send the turn."""
        seen = self.look()
        plan = self.wish()
        sends = (seen["sends"] or "").split()
        if plan and (not sends or plan[: len(sends)] != sends):
            self.choose(plan)
            self.compare(seen["parts"], self._eyes("answered", {"step": seen["step"]}), plan)
        else:
            self.tap(self._eyes("spotOf", SEND))
            self._eyes("answered", {"version": seen["version"]})

    def wish(self) -> list[str]:
        """What the built-in player would do from where the draft stands, as far as that can be planned; nothing when it
        is ready."""
        seat = self.player.seat
        with db.reading() as session:
            turn = drafts.current(session, self.player.table.game(), seat)
        plan = list[str]()
        asked = turn.decision(seat.no)
        while turn.decision(seat.no) and len(plan) < FURTHEST_PLAN:
            plan.append(turn.match.bot_choice(seat.no))
            turn.make(seat.no, plan[-1])
        nothing_first = asked is not None and not asked.main and plan[0] == asked.default
        at_once = nothing_first and any(option.id in plan[1:2] for option in asked.options)
        return plan[1:] if at_once else plan  # nobody says that they do nothing first who can do the next thing at once

    def choose(self, plan: list[str]) -> None:
        """Touch as much of it as one touch stands for; if need be after its tab, and after its place, which then shows
        what it means."""
        touch = {"kind": None}
        values = [" ".join(plan[:n]) for n in range(len(plan), 0, -1)]
        while touch["kind"] != "choice":
            touch = self._eyes("nextTouch", {"values": values, "last": touch["kind"]})
            if touch["kind"] == "tab" and not touch["marked"]:
                self.trouble.append(f"the tab of {values[-1]} is not marked")
            if touch.get("bursts"):
                self.trouble.append(f"more than its card holds: {touch['bursts']}")
            self.tap(touch)

    def tap(self, spot: dict[str, Any]) -> None:
        turn = self.player.table.game().turn  # before the touch, which may end it
        finger = self.tab.touchscreen.tap if self.phone else self.tab.mouse.click
        finger(spot["x"], spot["y"])
        self.taps[turn] = self.taps.get(turn, 0) + 1

    def look(self) -> dict[str, Any]:
        """What every page must be; closely where a question comes for the first time."""
        seen: dict[str, Any] = self._eyes("look", SEND)
        size = self.tab.viewport_size
        assert size is not None
        where = f"{size['width']} px, {seen['prompt']!r}"
        note = self.trouble.append
        if seen["wide"] > size["width"]:
            note(f"{where}: scrolls sideways, {seen['wide']}")
        if seen["high"] > size["height"] * (2 if self.phone else 1):
            note(f"{where}: {seen['high']} px high")
        if seen["dock"] > size["height"] * (0.22 if self.phone else 0.10) and seen["lit"]:
            note(f"{where}: the dock is {seen['dock']:.0f} px high")
        if seen["cut"]:
            note(f"{where}: the question does not fit the dock")
        if seen["veils"]:
            note(f"{where}: the pointer hides what lies under {seen['veils']}")
        for bare, sent in seen["weights"]:
            if bare > HEAVIEST or sent > HEAVIEST_SENT:
                note(f"{where}: the answer before it weighs {bare} bytes, {sent} as it was sent")
        if seen["veiled"]:
            note(f"{where}: a notice lies over {seen['veiled'][:4]}")
        if self.phone and seen["peeks"]:
            note(f"{where}: nobody points at anything, but {seen['peeks']} lies there")
        if not self.phone and seen["gap"] > 20:
            note(f"{where}: {seen['gap']:.0f} px above the boards are empty")
        if seen["hidden"]:
            note(f"{where}: nothing that is lit is in sight")
        if self.phone and seen["clipped"]:
            note(f"{where}: nothing that is lit is in sight with what its badge says")
        if not self.phone and seen["outside"]:
            note(f"{where}: lit out of sight {seen['outside'][:4]}")
        question = re.sub(r"\d+", "n", seen["prompt"])
        if question not in self.asked:
            self.asked.add(question)
            self.look_closely(where)
        return seen

    def look_closely(self, where: str) -> None:
        seen: dict[str, Any] = self._eyes("lookClosely", self.phone)
        if raw := RAW_KEY.search(seen["words"]):
            self.trouble.append(f"{where}: says {seen['words'][max(0, raw.start() - 60) : raw.end() + 60]!r}")
        for kind in ("small", "cuts", "overlaps", "targets", "spills"):
            if seen[kind]:
                self.trouble.append(f"{where}: {kind} {seen[kind][:6]}")

    def compare(self, before: dict[str, list[float]], now: dict[str, list[float]], plan: list[str]) -> None:
        """What stays on the board stays where it is."""
        for part in before.keys() & now.keys():
            shift = max(abs(a - b) for a, b in zip(before[part], now[part], strict=True))
            if shift > 8:
                self.trouble.append(f"after {plan[0]} {part} has moved by {shift:.0f} px")
                return

    def _eyes(self, see: str, what: Any) -> Any:
        """One trip to the browser."""
        return self.tab.evaluate(f"(what) => eyes.{see}(what)", what)
