"""How well balanced the components are: bots of equal strength play many matches, and this tells who won, where the
points came from, how long it took, and what those scored who took a card, a building space or a token.

Pure functions: whoever wants the report printed or its making timed does so.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from engine.match import Match
from engine.tally import Taken, take
from engine.yokohama.state import EMPTY, SOURCES, YokohamaState

SHORTEST, LONGEST = 10, 40
SEAT_BAR = 1.25
SOURCE_BAR = 0.40


class Balance(msgspec.Struct):
    """The figures of a number of matches with the same number of players."""

    players: int
    games: int = 0
    wins: list[int] = []
    points: list[int] = []
    rounds: Counter[int] = msgspec.field(default_factory=Counter)
    endings: Counter[str] = msgspec.field(default_factory=Counter)
    sources: Counter[str] = msgspec.field(default_factory=Counter)
    winner_sources: Counter[str] = msgspec.field(default_factory=Counter)
    winning_points: int = 0
    technologies: dict[str, Taken] = {}
    orders: dict[str, Taken] = {}
    spaces: dict[str, Taken] = {}
    tokens: dict[str, Taken] = {}
    achievements: dict[str, Taken] = {}


def simulate(players: int, seeds: Iterable[int], options: Mapping[str, Any]) -> Balance:
    """Matches of bots against each other."""
    balance = Balance(players, wins=[0] * players, points=[0] * players)
    for seed in seeds:
        match = Match.start("yokohama", players=players, seed=seed, options=options)
        while match.pending:
            seat = match.pending[0].seat
            match.choose(seat, match.bot_choice(seat))
        _add(balance, match)
    return balance


def _add(balance: Balance, match: Match) -> None:
    state, result = match._state, match.result
    assert isinstance(state, YokohamaState)
    assert result is not None
    winner = result.ranking[0]
    balance.games += 1
    balance.wins[winner.seat] += 1
    balance.rounds[state.final_round] += 1
    balance.endings[state.triggers[0]] += 1
    balance.winning_points += winner.score
    balance.winner_sources.update(winner.parts)
    mean = sum(standing.score for standing in result.ranking) / balance.players
    for standing in result.ranking:
        balance.points[standing.seat] += standing.score
        balance.sources.update(standing.parts)
        _add_seat(balance, state, standing.seat, standing.score - mean, standing.place == 1)


def _add_seat(balance: Balance, state: YokohamaState, seat: int, ahead: float, won: bool) -> None:
    me, box = state.merchants[seat], state.box
    for tech in me.techs:
        take(balance.technologies, box.techs[tech].name, ahead, won)
    for order in me.fulfilled:
        take(balance.orders, order, ahead, won)
    for token in me.tokens:
        take(balance.tokens, token, ahead, won)
    for goal in state.goals:
        if seat in goal.seats:
            take(balance.achievements, goal.card, ahead, won)
    for area in state.areas:
        for n, owner in enumerate(area.shops, 1):
            if owner == seat != EMPTY:
                take(balance.spaces, f"{area.site} shop {n}", ahead, won)
        if area.house == seat:
            take(balance.spaces, f"{area.site} house", ahead, won)


def complaints(balance: Balance) -> list[str]:
    """Where the balance bar does not hold; empty when it does."""
    found = []
    fair = balance.games / balance.players
    for seat, wins in enumerate(balance.wins):
        if wins > SEAT_BAR * fair:
            found.append(f"seat {seat} wins {wins / fair:.2f} times its fair share")
    for source, points in balance.winner_sources.items():
        if points > SOURCE_BAR * balance.winning_points:
            found.append(f"{source} makes {points / balance.winning_points:.0%} of an average winner's score")
    outside = [rounds for rounds in balance.rounds if not SHORTEST <= rounds <= LONGEST]
    if outside:
        n = sum(balance.rounds[rounds] for rounds in outside)
        found.append(f"{n} of {balance.games} games took {min(outside)} to {max(outside)} rounds")
    return found


def report(balance: Balance) -> str:
    """The figures as text, for people."""
    games, seats = balance.games, balance.games * balance.players
    fair = games / balance.players
    lines = [f"{games} games, {balance.players} players"]
    lines.append("wins by seat, as a multiple of the fair share: " + " ".join(f"{w / fair:.2f}" for w in balance.wins))
    lines.append("mean score by seat: " + " ".join(f"{p / games:.1f}" for p in balance.points))
    lines.append(f"mean winning score: {balance.winning_points / games:.1f}")
    lines.append(f"rounds: {_rounds(balance)}")
    lines.append("first end condition: " + _shares(balance.endings, games))
    lines.append("points by source (all, winners, share of the winner's score):")
    for source in SOURCES:
        own, best = balance.sources[source] / seats, balance.winner_sources[source] / games
        lines.append(
            f"  {source:20} {own:6.1f} {best:6.1f} {balance.winner_sources[source] / balance.winning_points:6.1%}"
        )
    for name, table in (
        ("technologies", balance.technologies),
        ("orders fulfilled", balance.orders),
        ("tokens", balance.tokens),
        ("achievements", balance.achievements),
        ("building spaces", balance.spaces),
    ):
        lines.append(f"{name} (taken per game, points ahead of the table's mean, share of takers that won):")
        lines += _taken(table, games)
    bar = complaints(balance)
    lines.append("balance bar: " + ("; ".join(bar) if bar else "holds"))
    return "\n".join(lines) + "\n"


def _rounds(balance: Balance) -> str:
    total = sum(rounds * n for rounds, n in balance.rounds.items())
    return f"{min(balance.rounds)} to {max(balance.rounds)}, mean {total / balance.games:.1f}"


def _shares(counts: Counter[str], games: int) -> str:
    return ", ".join(f"{name} {n / games:.0%}" for name, n in counts.most_common())


def _taken(table: dict[str, Taken], games: int) -> list[str]:
    return [
        f"  {name:20} {entry.n / games:6.2f} {entry.ahead / entry.n:+6.1f} {entry.won / entry.n:6.0%}"
        for name, entry in sorted(table.items())
    ]
