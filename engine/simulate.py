"""Seeded matches between built-in players, what they teach about a game, and what went wrong in a form that can be
replayed. Pure functions: whoever wants times measured brings a clock."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from engine.game import Standing
from engine.match import IllegalChoice, Match
from engine.players import seat_players

Clock = Callable[[], float]
NO_CLOCK: Clock = float  # it is 0.0 whenever one looks
Kind = Literal["crash", "dead end", "endless", "bad undo"]
ENDLESS = 20_000
NOTHING_OFFERED = "a seat is asked, but has nothing to choose from"
NOBODY_ASKED = "nobody is asked anything, and the game is not over"


class Failure(msgspec.Struct):
    """A match that went wrong, and how to get there again."""

    kind: Kind
    error: str
    game: str
    players: int
    seed: int
    options: dict[str, Any]
    choices: list[tuple[int, str]]


class Played(msgspec.Struct):
    """One match: how it went, or how it failed."""

    decisions: int
    offered: int
    widest: int
    seconds: float
    slowest: float
    ranking: list[Standing]
    failure: Failure | None = None


class Spread(msgspec.Struct):
    low: float
    mean: float
    high: float


class Statistics(msgspec.Struct):
    """What a number of matches have in common."""

    games: int
    decisions: int
    seconds: float
    games_per_second: float
    decisions_per_second: float
    worst_decision_ms: float
    decisions_per_game: Spread
    options_per_decision: float
    most_options: int
    scores: Spread
    winning_scores: Spread
    mean_score_by_seat: list[float]
    win_share_by_seat: list[float]
    failures: list[Failure]


def play(
    game: str,
    *,
    players: int,
    seed: int,
    options: Mapping[str, Any] | None = None,
    kinds: Sequence[str] = ("random",),
    clock: Clock = NO_CLOCK,
    limit: int = ENDLESS,
    undo: bool = False,
) -> Played:
    """One match to its end. `undo`: take every choice back and make it again, as a check."""
    choices: list[tuple[int, str]] = []
    offered: list[int] = []
    played = Played(0, 0, 0, 0.0, 0.0, [])
    started = clock()
    problem = _play(game, players, seed, options, kinds, clock, limit, undo, choices, offered, played)
    played.seconds = clock() - started
    played.decisions, played.offered, played.widest = len(offered), sum(offered), max(offered, default=0)
    if problem:
        played.failure = Failure(problem[0], problem[1], game, players, seed, dict(options or {}), choices)
    return played


def _play(
    game: str,
    players: int,
    seed: int,
    options: Mapping[str, Any] | None,
    kinds: Sequence[str],
    clock: Clock,
    limit: int,
    undo: bool,
    choices: list[tuple[int, str]],
    offered: list[int],
    played: Played,
) -> tuple[Kind, str] | None:
    roster = seat_players(kinds, players, seed)
    try:
        match = Match.start(game, players=players, seed=seed, options=options)
        before, slowest = clock(), 0.0
        while pending := match.pending:
            if len(offered) == limit:
                return "endless", f"no end after {limit} decisions"
            decision = pending[0]
            seat = decision.seat
            if not decision.options:
                return "dead end", NOTHING_OFFERED
            option = roster[seat](match, decision)
            choices.append((seat, option))
            if undo and not _undo_restores(match, seat, option):
                return "bad undo", f"taking back {option} of seat {seat} does not restore the match"
            match.choose(seat, option)
            offered.append(len(decision.options))
            now = clock()
            if now - before > slowest:
                slowest = played.slowest = now - before
            before = now
        result = match.result
        if result is None:
            return "dead end", NOBODY_ASKED
        played.ranking = result.ranking
    except Exception as error:  # noqa: BLE001 - whatever a game raises is what a fuzzer looks for
        return "crash", f"{type(error).__name__}: {error}"
    return None


def _undo_restores(match: Match, seat: int, option: str) -> bool:
    """On a copy: make the choice and take it back. A choice that cannot be taken back counts as restored."""
    saved = match.save()
    copy = Match.load(saved)
    copy.choose(seat, option)
    try:
        copy.undo(seat)
    except IllegalChoice:
        return True
    return copy.save() == saved and copy.pending == match.pending


def replay(failure: Failure) -> str | None:
    """Go the way of a failed match again: the error it meets, or None when it now goes through."""
    try:
        match = Match.start(failure.game, players=failure.players, seed=failure.seed, options=failure.options)
        for seat, option in failure.choices:
            if failure.kind == "bad undo" and not _undo_restores(match, seat, option):
                return f"taking back {option} of seat {seat} does not restore the match"
            match.choose(seat, option)
    except Exception as error:  # noqa: BLE001 - see above
        return f"{type(error).__name__}: {error}"
    if failure.kind == "endless" and match.pending:
        return f"no end after {len(failure.choices)} decisions"
    if match.pending and not match.pending[0].options:
        return NOTHING_OFFERED
    return None if match.pending or match.over else NOBODY_ASKED


def statistics(matches: Iterable[Played]) -> Statistics:
    """What these matches have in common. Failed ones count for speed, not for scores."""
    every = list(matches)
    ended = [played for played in every if played.failure is None]
    decisions = sum(played.decisions for played in every)
    seconds = sum(played.seconds for played in every)
    seats = len(ended[0].ranking) if ended else 0
    scores = [[0] * seats for _ in ended]
    shares = [[0.0] * seats for _ in ended]
    for row, share, played in zip(scores, shares, ended, strict=True):
        winners = [standing.seat for standing in played.ranking if standing.place == 1]
        for standing in played.ranking:
            row[standing.seat] = standing.score
        for seat in winners:
            share[seat] = 1 / len(winners)
    return Statistics(
        games=len(every),
        decisions=decisions,
        seconds=seconds,
        games_per_second=len(every) / seconds if seconds else 0.0,
        decisions_per_second=decisions / seconds if seconds else 0.0,
        worst_decision_ms=1000 * max((played.slowest for played in every), default=0.0),
        decisions_per_game=_spread([played.decisions for played in ended]),
        options_per_decision=sum(played.offered for played in every) / decisions if decisions else 0.0,
        most_options=max((played.widest for played in every), default=0),
        scores=_spread([score for row in scores for score in row]),
        winning_scores=_spread([max(row) for row in scores]),
        mean_score_by_seat=[_mean([row[seat] for row in scores]) for seat in range(seats)],
        win_share_by_seat=[_mean([share[seat] for share in shares]) for seat in range(seats)],
        failures=[played.failure for played in every if played.failure],
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _spread(values: Sequence[float]) -> Spread:
    return Spread(min(values), _mean(values), max(values)) if values else Spread(0, 0, 0)
