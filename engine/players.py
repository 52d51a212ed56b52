"""The built-in players: each looks at a decision of its seat and names an option. Used by simulations, fuzzers and
tests, and by the service for a seat that a bot holds."""

from collections.abc import Callable, Sequence

from engine.chance import numbers
from engine.match import Match
from engine.scene import Decision

Player = Callable[[Match, Decision], str]

KINDS = ("random", "bot", "default")


def random_player(seed: int, draw: int = 0) -> Player:
    """Any option, with equal chance: a function of the seed and of how many choices it has made."""
    stream = numbers(seed, draw)

    def choose(match: Match, decision: Decision) -> str:
        options = decision.options
        return options[next(stream) % len(options)].id

    return choose


def bot_player(match: Match, decision: Decision) -> str:
    """What the game's own bot would do."""
    return match.bot_choice(decision.seat)


def default_player(match: Match, decision: Decision) -> str:
    """What happens to a seat that does not answer."""
    return decision.default


def seat_players(kinds: Sequence[str], players: int, seed: int) -> list[Player]:
    """A player for every seat; the last kind is used for the seats that are left."""
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise ValueError(f"no built-in player {unknown[0]!r}: there are {', '.join(KINDS)}")
    every = [*kinds, *[kinds[-1]] * players][:players]
    made: list[Player] = []
    for seat, kind in enumerate(every):
        made.append(random_player(seed, seat) if kind == "random" else bot_player if kind == "bot" else default_player)
    return made
