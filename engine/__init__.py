"""The rules and nothing else: no I/O, no clock, no database, no Flask. Import it in a REPL and play.

>>> from engine import GAMES, Match
>>> match = Match.start("osaka", players=3, seed=7)
>>> decision = match.pending[0]
>>> match.choose(decision.seat, decision.default)
"""

from engine.duel import DUEL
from engine.game import BadOptions, Game, OrderDoesNotFit, Result, Setting, Standing, StandingOrder
from engine.match import IllegalChoice, Match, UnknownSave
from engine.osaka import OSAKA
from engine.scene import Decision, Event, Message, Option
from engine.yokohama import YOKOHAMA
from engine.zaibatsu import ZAIBATSU

GAMES: dict[str, Game] = {game.id: game for game in (OSAKA, YOKOHAMA, DUEL, ZAIBATSU)}

__all__ = [
    "GAMES",
    "BadOptions",
    "Decision",
    "Event",
    "Game",
    "IllegalChoice",
    "Match",
    "Message",
    "Option",
    "OrderDoesNotFit",
    "Result",
    "Setting",
    "Standing",
    "StandingOrder",
    "UnknownSave",
]
