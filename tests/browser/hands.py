"""Somebody who plays by touching the board: never by the list of choices, which is for those who cannot.

They play what the built-in player would play, so that games end in their usual length. What stands on the screen is
measured on the way: it fits, can be read, can be hit, and stays where it was.
"""

import re
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from playwright.sync_api import Locator, Page, Position

from service.db import db
from service.models import GameStatus
from service.play import drafts
from tests.play import Player

MORE_TOUCHES_THAN_ANY_GAME_TAKES = 2500
RAW_KEY = re.compile(r"\b(?:osaka|yokohama|duel|zaibatsu|words)\.[a-z_]|@okazu|for which we have no words")
SEND = '.dock button.go[formaction$="/send"]'

# What is measured on every page, in one trip to the browser.
LOOK = """() => {
  const seen = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const lit = [...document.querySelectorAll(".stage .lit, .stage button[form=choose]")].filter(seen);
  const outside = lit.filter((el) => {
    const box = el.getBoundingClientRect();
    const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    return x < 0 || y < 44 || x > innerWidth || y > Math.min(innerHeight, dock.top);
  });
  return {
    wide: document.documentElement.scrollWidth, high: document.documentElement.scrollHeight, dock: dock.height,
    lit: lit.length, outside: outside.map((el) => `${el.localName}.${[...el.classList].join(".")}`),
    prompt: document.querySelector("#prompt")?.innerText || "",
  };
}"""

# What is measured where a question comes for the first time.
LOOK_CLOSELY = """(phone) => {
  const seen = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const text = (el) => (el.innerText || el.textContent || "").trim().slice(0, 30);
  const name = (el) => `${el.localName}.${[...el.classList].join(".")} "${text(el)}"`;
  const seenOf = (el, box) => {  // as much of it as nothing around it cuts off
    let { left, top, right, bottom } = box;
    for (let at = el; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at), edge = at.getBoundingClientRect();
      if (style.clipPath !== "none") return { left: 0, top: 0, right: 0, bottom: 0 };
      if (style.overflow === "visible") continue;
      left = Math.max(left, edge.left), top = Math.max(top, edge.top);
      right = Math.min(right, edge.right), bottom = Math.min(bottom, edge.bottom);
    }
    return { left, top, right, bottom };
  };
  const texts = [], small = [];
  for (const el of document.querySelectorAll("header *, main *")) {
    const own = [...el.childNodes].filter((n) => n.nodeType === 3 && n.data.trim());
    if (!own.length || !seen(el) || el.closest(".visually-hidden, .peek, script, symbol, option, datalist")) continue;
    const box = el.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const scale = el.ownerSVGElement ? el.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(el).fontSize) * scale;
    if (size < 10.9) small.push(`${name(el)} ${size.toFixed(1)}px`);
    if (el.closest(".stage") && !el.closest(".badge, .card")) {
      const range = document.createRange();
      range.selectNodeContents(own[0]);
      texts.push([el, seenOf(el, range.getBoundingClientRect())]);
    }
  }
  const overlaps = [];
  for (let i = 0; i < texts.length; i++) for (let j = i + 1; j < texts.length; j++) {
    const [a, p] = texts[i], [b, q] = texts[j];
    const w = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const h = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    const fan = a.closest(".place") && b.closest(".place") && a.closest(".place") !== b.closest(".place");
    if (w > 3 && h > 5 && !fan && !a.contains(b) && !b.contains(a)) overlaps.push(`${name(a)} over ${name(b)}`);
  }
  const targets = [];
  for (const el of phone ? document.querySelectorAll("button, summary, .tab, header a") : []) {
    const { width, height } = el.getBoundingClientRect();
    if (seen(el) && width && Math.min(width, height) < 43.5) targets.push(`${name(el)} ${width | 0}x${height | 0}`);
  }
  const all = [...document.querySelectorAll("body *")];
  const labels = all.flatMap((el) => [el.getAttribute("aria-label"), el.title]).filter(Boolean);
  return { small, overlaps, targets, words: document.body.innerText + "\\n" + labels.join("\\n") };
}"""

# Where the parts of the board lie, on the page and not on the screen. Pieces may move: that is what was chosen.
PARTS = """() => {
  const shown = [...document.querySelectorAll(".stage [data-part]")].filter((el) => el.checkVisibility());
  const at = ({ x, y }) => [x + scrollX, y + scrollY];
  return Object.fromEntries(shown.map((el) => [el.dataset.part.split(".")[0], at(el.getBoundingClientRect())]));
}"""

WHERE = """(el) => ({
  tab: el.closest(".pane")?.checkVisibility() ?? true ? null : /\\bn(\\d)\\b/.exec(el.closest(".pane").className)[1],
  card: Boolean(el.closest("details:not([open]) .card")),
})"""

# What else a touch on the place of this button chooses, if that is not this button's card.
COVERING = """(el) => {
  const summary = el.closest("details:not([open])")?.querySelector("summary");
  const spot = summary && summary.dataset.spot;
  const other = spot && [...document.querySelectorAll(`button.place[data-spot="${CSS.escape(spot)}"]`)];
  return other?.find((button) => button.checkVisibility())?.value || "";
}"""


@dataclass
class Hands:
    """One person at one table."""

    player: Player
    tab: Page
    taps: dict[int, int] = field(default_factory=dict)  # by turn of the game
    asked: set[str] = field(default_factory=set)  # prompts that were looked at closely
    trouble: list[str] = field(default_factory=list)

    @property
    def phone(self) -> bool:
        size = self.tab.viewport_size
        return size is not None and size["width"] < 960

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
        self.look()
        path = self.wish()
        step = self.tab.locator("input[name=step]").input_value()
        before = self.tab.evaluate(PARTS)
        if path and not self.tab.locator(f'{SEND}[value="{path[0]}"]').count():
            self.choose(path)
            self.tab.locator(f'input[name=step]:not([value="{step}"])').wait_for(state="attached")
            self.compare(before, path)
        else:
            version = self.tab.locator("main").get_attribute("data-version")
            self.tap(self.tab.locator(SEND))
            self.tab.locator(f'main:not([data-version="{version}"])').wait_for(state="attached")

    def wish(self) -> list[str]:
        """What the built-in player would do where the draft stands: with what it leads to; nothing when it is ready."""
        seat = self.player.seat
        with db.reading() as session:
            turn = drafts.current(session, self.player.table.game(), seat)
        match, path = turn.match, list[str]()
        while decision := next((d for d in match.pending if d.seat == seat.no and match.turn == turn.number), None):
            path.append(match.bot_choice(seat.no))
            if not decision.option(path[-1]).leads:
                return path
            match = match.after(seat.no, path[-1])
        return path

    def choose(self, path: list[str]) -> None:
        for value in (" ".join(path), path[0]):
            found = self.tab.locator(f'main button[name=option][value="{value}"]:not(.list button)')
            if found.count():
                seen = any(button.is_visible() for button in found.all())
                covering = not seen and found.first.evaluate(COVERING)  # its place chooses at once: nothing is asked
                self.reach(self.tab.locator(f'main button[name=option][value="{covering}"]') if covering else found)
                return
        raise AssertionError(f"{path} can be touched nowhere: {self.tab.locator('#prompt').inner_text()}")

    def reach(self, found: Locator) -> None:
        """Touch it; if need be after its tab, and after its place, which then shows what it means."""
        button = next((one for one in found.all() if one.is_visible()), found.first)
        where: dict[str, Any] = button.evaluate(WHERE)
        if where["tab"]:
            tab = self.tab.locator(f'.tab:has(input[value="{where["tab"]}"])')
            if not tab.locator(".dot").count():
                self.trouble.append(f"the tab of {button.get_attribute('value')} is not marked")
            self.tap(tab)
            where = button.evaluate(WHERE)
        if where["card"]:
            self.tap(button.locator("xpath=ancestor::details[1]/summary"))
        self.tap(button)

    def tap(self, what: Locator) -> None:
        turn = self.player.table.game().turn  # before the touch, which may end it
        box = what.bounding_box()
        assert box is not None, what
        where = Position(x=min(14, box["width"] / 2), y=box["height"] / 2)  # of cards in a fan, the edge is to be seen
        what.tap(position=where) if self.phone else what.click(position=where)
        self.taps[turn] = self.taps.get(turn, 0) + 1

    def look(self) -> None:
        """What every page must be; closely where a question comes for the first time."""
        seen: dict[str, Any] = self.tab.evaluate(LOOK)
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
        if not self.phone and seen["outside"]:
            note(f"{where}: lit out of sight {seen['outside'][:4]}")
        question = re.sub(r"\d+", "n", seen["prompt"])
        if question not in self.asked:
            self.asked.add(question)
            self.look_closely(where)

    def look_closely(self, where: str) -> None:
        seen: dict[str, Any] = self.tab.evaluate(LOOK_CLOSELY, self.phone)
        if raw := RAW_KEY.search(seen["words"]):
            self.trouble.append(f"{where}: says {seen['words'][max(0, raw.start() - 60) : raw.end() + 60]!r}")
        for kind in ("small", "overlaps", "targets"):
            if seen[kind]:
                self.trouble.append(f"{where}: {kind} {seen[kind][:6]}")

    def compare(self, before: dict[str, list[float]], path: list[str]) -> None:
        """What stays on the board stays where it is."""
        now = self.tab.evaluate(PARTS)
        for part in before.keys() & now.keys():
            shift = max(abs(a - b) for a, b in zip(before[part], now[part], strict=True))
            if shift > 8:
                self.trouble.append(f"after {path} {part} has moved by {shift:.0f} px")
                return
