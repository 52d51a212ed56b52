"""Plays many matches of equal bots and writes what they say about the balance of the Duel's own values.

python -m tests.engine.duel.balance 2000    writes docs/duel-balance.md, all but its last section
"""

import sys
from collections import Counter
from math import sqrt
from pathlib import Path

from engine import Match
from engine.duel.box import TECHNOLOGIES, load_box
from engine.duel.scoring import parts
from engine.duel.state import Duel

SEED = 800_000
FEW = 0.02  # cards taken in fewer matches than this are told apart: their ratio says little
DOC = Path(__file__).resolve().parents[3] / "docs" / "duel-balance.md"
KEPT = "## What was changed, and why"  # written by hand, and kept when the report is made anew


class Tally:
    """What is counted over all matches."""

    def __init__(self) -> None:
        self.games = self.shared = 0
        self.first = 0.0
        self.winners: Counter[str] = Counter()
        self.losers: Counter[str] = Counter()
        self.points: list[Counter[str]] = [Counter(), Counter()]

    def add(self, match: Match) -> None:
        state = match._state
        assert isinstance(state, Duel)
        assert match.result is not None
        # Four rounds: who began the last one was second in the first.
        began = 1 - state.first
        winners = match.result.winners
        self.games += 1
        self.first += (began in winners) / len(winners)
        self.shared += len(winners) > 1
        for seat, player in enumerate(state.seats):
            self.points[seat != began].update(parts(state, seat))
            if len(winners) == 1:
                (self.winners if seat in winners else self.losers).update([*player.technologies, *player.church])


def play(games: int) -> Tally:
    tally = Tally()
    for seed in range(SEED, SEED + games):
        match = Match.start("duel", players=2, seed=seed)
        while match.pending:
            seat = match.pending[0].seat
            match.choose(seat, match.bot_choice(seat))
        tally.add(match)
    return tally


def report(tally: Tally) -> str:
    share = tally.first / tally.games
    spread = 1.96 * sqrt(share * (1 - share) / tally.games)
    lines = [
        "# Balance of Yokohama Duel",
        "",
        f"{tally.games} matches of two equal built-in players with the game's own components, seeds from {SEED}.",
        "Made by",
        f"`python -m tests.engine.duel.balance {tally.games}`.",
        "",
        f"The first player won {share:.1%}, plus or minus {spread:.1%} (wanted: 45% to 55%).",
        f"Shared victories: {tally.shared}. The values were settled on other seeds than these.",
        "",
        "## Points by category",
        "",
        "| category | first player | second player |",
        "|---|---:|---:|",
    ]
    for name in tally.points[0]:
        first, second = (each[name] / tally.games for each in tally.points)
        lines.append(f"| {name.replace('_', ' ')} | {first:.1f} | {second:.1f} |")
    first, second = (sum(each.values()) / tally.games for each in tally.points)
    lines += [f"| **all** | **{first:.1f}** | **{second:.1f}** |", ""]
    lines += cards(tally, "Technologies", list(TECHNOLOGIES))
    lines += cards(tally, "Church cards", list(load_box().church))
    return "\n".join(lines)


def cards(tally: Tally, title: str, names: list[str]) -> list[str]:
    """How often winners and losers took each card, the most one-sided first."""
    rows = sorted(names, key=lambda name: -ratio(tally, name))
    common = [name for name in rows if tally.winners[name] + tally.losers[name] >= FEW * tally.games]
    above = [name for name in rows if ratio(tally, name) > 2]
    told = [name if name in common else f"{name} (rare)" for name in above]
    lines = [
        f"## {title}",
        "",
        f"Taken by winners more than twice as often as by losers: {', '.join(told) or 'none'}.",
        f"(Cards taken in fewer than {FEW:.0%} of the matches are rare and marked with *: their ratio is uncertain.)",
        "",
        "| card | winners | losers | ratio |",
        "|---|---:|---:|---:|",
    ]
    for name in rows:
        rare = "" if name in common else " *"
        lines.append(f"| {name}{rare} | {tally.winners[name]} | {tally.losers[name]} | {ratio(tally, name):.2f} |")
    return [*lines, ""]


def ratio(tally: Tally, name: str) -> float:
    return tally.winners[name] / max(1, tally.losers[name])


if __name__ == "__main__":
    kept = DOC.read_text(encoding="utf-8").partition(KEPT)[2]
    DOC.write_text(f"{report(play(int(sys.argv[1])))}\n{KEPT}{kept}", encoding="utf-8")
