"""How well balanced the components are: built-in players of equal strength play many matches, and this tells how often
the first player won, where the points came from, and which cards winners took more often than losers.

Pure functions: whoever wants the report printed or its making timed does so.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt
from typing import Any

import msgspec

from engine.duel.box import PLACES
from engine.duel.scoring import parts
from engine.duel.state import Duel
from engine.match import Match
from engine.tally import Taken, take

FIRST_WINS = (0.45, 0.55)
CARD_BAR = 2.0
VISITED = 0.02  # of all actions: a place that is gone to less often is not worth the way
FEW = 0.02  # cards taken in fewer matches than this are told apart: their ratio says little


class Balance(msgspec.Struct):
    """The figures of a number of matches. `points`: by category, of the first player and of the second;
    `visits`: how often each place was gone to, Foreign Traders included."""

    games: int = 0
    first: float = 0.0
    shared: int = 0
    points: tuple[Counter[str], Counter[str]] = msgspec.field(default_factory=lambda: (Counter(), Counter()))
    technologies: dict[str, Taken] = {}
    church: dict[str, Taken] = {}
    visits: dict[str, Taken] = {}


def simulate(players: int, seeds: Iterable[int], options: Mapping[str, Any]) -> Balance:
    """Matches of built-in players against each other."""
    balance = Balance()
    for seed in seeds:
        match = Match.start("duel", players=players, seed=seed, options=options)
        while match.pending:
            seat = match.pending[0].seat
            match.choose(seat, match.bot_choice(seat))
        _add(balance, match)
    return balance


def _add(balance: Balance, match: Match) -> None:
    state, result = match._state, match.result
    assert isinstance(state, Duel)
    assert result is not None
    winners = result.winners
    began = 1 - state.first  # four rounds: who began the last one was second in the first
    balance.games += 1
    balance.first += (began in winners) / len(winners)
    balance.shared += len(winners) > 1
    scores = match.scores
    for seat, player in enumerate(state.seats):
        balance.points[seat != began].update(parts(state, seat))
        ahead = (scores[seat] - scores[1 - seat]) / 2
        for table, cards in ((balance.technologies, player.technologies), (balance.church, player.church)):
            for card in cards:
                take(table, card, ahead, winners == [seat])
    for event in match.events:
        if event.key in ("duel.went", "duel.sent"):
            take(balance.visits, event.args["place"], 0, winners == [event.args["seat"]])


def complaints(balance: Balance) -> list[str]:
    """Where the balance bar does not hold; empty when it does."""
    found = []
    share = balance.first / balance.games
    low, high = FIRST_WINS
    if not low <= share <= high:
        found.append(f"the first player wins {share:.1%}, not {low:.0%} to {high:.0%}")
    for card, entry in (*balance.technologies.items(), *balance.church.items()):
        if _ratio(entry) > CARD_BAR and not _rare(balance, entry):
            found.append(f"{card} is taken by winners {_ratio(entry):.2f} times as often as by losers")
    visits = sum(entry.n for entry in balance.visits.values())
    for place in PLACES if visits else ():
        if (share := balance.visits.get(place, Taken()).n / visits) < VISITED:
            found.append(f"{place} is gone to in {share:.1%} of all actions, less than {VISITED:.0%}")
    return found


def report(balance: Balance) -> str:
    """The figures as text, for people."""
    games = balance.games
    share = balance.first / games
    spread = 1.96 * sqrt(share * (1 - share) / games)
    lines = [f"{games} games, 2 players"]
    lines.append(f"the first player won {share:.1%}, plus or minus {spread:.1%}; shared victories: {balance.shared}")
    lines.append("points by category (first player, second player):")
    first, second = balance.points
    for part in first:
        lines.append(f"  {part:16} {first[part] / games:6.1f} {second[part] / games:6.1f}")
    lines.append(f"  {'all':16} {first.total() / games:6.1f} {second.total() / games:6.1f}")
    for name, table in (("technologies", balance.technologies), ("church cards", balance.church)):
        lines.append(f"{name} (taken by winners, by losers, ratio; * in fewer than {FEW:.0%} of the matches):")
        lines += [
            f"  {card + ' *' * _rare(balance, entry):16} {entry.won:6} {entry.n - entry.won:6} {_ratio(entry):6.2f}"
            for card, entry in sorted(table.items(), key=lambda item: -_ratio(item[1]))
        ]
    visits = sum(entry.n for entry in balance.visits.values())
    lines.append("places (share of all actions; gone to by winners, by losers):")
    lines += [
        f"  {place:16} {entry.n / visits:6.1%} {entry.won:6} {entry.n - entry.won:6}"
        for place, entry in sorted(balance.visits.items(), key=lambda item: -item[1].n)
    ]
    bar = complaints(balance)
    lines.append("balance bar: " + ("; ".join(bar) if bar else "holds"))
    return "\n".join(lines) + "\n"


def _ratio(entry: Taken) -> float:
    return entry.won / max(1, entry.n - entry.won)


def _rare(balance: Balance, entry: Taken) -> bool:
    return entry.n < FEW * balance.games
