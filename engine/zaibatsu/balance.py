"""How well balanced the components are: built-in players of equal strength play many matches, and this tells who won
by turn order, what winners scored and where from, and what those scored who began with a token or built a factory.

Pure functions: whoever wants the report printed or its making timed does so.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from engine.game import Standing
from engine.match import Match
from engine.tally import Taken, take
from engine.zaibatsu.scoring import PARTS
from engine.zaibatsu.state import Zaibatsu

SEAT_BAR = 1.25
WINNING = range(120, 241)
MOSTLY = 0.9
MOST_OPTIONS = 60


class Balance(msgspec.Struct):
    """The figures of a number of matches with the same number of players. Seats are counted from the first player."""

    players: int
    games: int = 0
    wins: list[int] = []
    points: list[int] = []
    winners: list[int] = []
    parts: Counter[str] = msgspec.field(default_factory=Counter)
    winner_parts: Counter[str] = msgspec.field(default_factory=Counter)
    decisions: int = 0
    turns: int = 0
    widest: int = 0
    starts: dict[str, Taken] = {}
    factories: dict[str, Taken] = {}


def simulate(players: int, seeds: Iterable[int], options: Mapping[str, Any]) -> Balance:
    """Matches of built-in players against each other, or against the Automa."""
    balance = Balance(players, wins=[0] * players, points=[0] * players)
    for seed in seeds:
        match = Match.start("zaibatsu", players=players, seed=seed, options=options)
        while match.pending:
            decision = match.pending[0]
            balance.decisions += 1
            balance.widest = max(balance.widest, len(decision.options))
            match.choose(decision.seat, match.bot_choice(decision.seat))
        _add(balance, match)
    return balance


def _add(balance: Balance, match: Match) -> None:
    state, result = match._state, match.result
    assert isinstance(state, Zaibatsu)
    assert result is not None
    balance.games += 1
    balance.turns += match.turn
    mean = sum(standing.score for standing in result.ranking) / balance.players
    for standing in result.ranking:
        _add_seat(balance, state, standing, standing.score - mean)


def _add_seat(balance: Balance, state: Zaibatsu, standing: Standing, ahead: float) -> None:
    """A solo player who missed a goal ends in second place: nobody has won then."""
    seat, won = (standing.seat - state.first) % balance.players, standing.place == 1
    board = state.boards[standing.seat]
    balance.points[seat] += standing.score
    balance.parts.update(standing.parts)
    if won:
        balance.wins[seat] += 1
        balance.winners.append(standing.score)
        balance.winner_parts.update(standing.parts)
    for token in board.start:
        take(balance.starts, token, ahead, won)
    for factory in board.factories:
        if not factory.old:
            take(balance.factories, factory.tile, ahead, won)


def complaints(balance: Balance) -> list[str]:
    """Where the balance bar does not hold; empty when it does."""
    found = []
    fair = balance.games / balance.players
    if balance.players > 1:
        for seat, wins in enumerate(balance.wins):
            if wins > SEAT_BAR * fair:
                found.append(f"seat {seat + 1} from the first player wins {wins / fair:.2f} times its fair share")
    within = sum(score in WINNING for score in balance.winners)
    if within < MOSTLY * len(balance.winners):
        share = within / len(balance.winners)
        found.append(f"only {share:.0%} of the winners score {WINNING[0]} to {WINNING[-1]}")
    if balance.widest > MOST_OPTIONS:
        found.append(f"a decision had {balance.widest} options")
    return found


def report(balance: Balance) -> str:
    """The figures as text, for people."""
    games, seats = balance.games, balance.games * balance.players
    fair = games / balance.players
    winners = sorted(balance.winners)
    lines = [f"{games} games, {balance.players} players"]
    lines.append("wins by seat, counted from the first player: " + " ".join(map(str, balance.wins)))
    lines.append("as a multiple of the fair share: " + " ".join(f"{w / fair:.2f}" for w in balance.wins))
    lines.append("mean score by seat: " + " ".join(f"{p / games:.1f}" for p in balance.points))
    if winners:
        low, high = winners[len(winners) // 20], winners[-1 - len(winners) // 20]
        within = sum(score in WINNING for score in winners) / len(winners)
        lines.append(f"winning score: {sum(winners) / len(winners):.1f}, 5th to 95th percentile {low} to {high}")
        lines.append(f"winners with {WINNING[0]} to {WINNING[-1]}: {within:.1%}")
    lines.append(f"turns a game: {balance.turns / games:.1f}; decisions a game: {balance.decisions / games:.1f}")
    lines.append(f"most options of a decision: {balance.widest}")
    lines.append("points by source (all, winners):")
    for part in PARTS:
        own, best = balance.parts[part] / seats, balance.winner_parts[part] / max(1, len(winners))
        lines.append(f"  {part:12} {own:6.1f} {best:6.1f}")
    for name, table in (("Starting tokens", balance.starts), ("factories", balance.factories)):
        lines.append(f"{name} (had per game, points ahead of the table's mean, wins as a multiple of the fair share):")
        lines += _taken(table, balance)
    bar = complaints(balance)
    lines.append("balance bar: " + ("; ".join(bar) if bar else "holds"))
    return "\n".join(lines) + "\n"


def _taken(table: dict[str, Taken], balance: Balance) -> list[str]:
    return [
        f"  {name:12} {entry.n / balance.games:6.2f} {entry.ahead / entry.n:+6.1f} "
        f"{entry.won * balance.players / entry.n:6.2f}"
        for name, entry in sorted(table.items())
    ]
