"""The rules and nothing else: no I/O, no clock, no database, no Flask. Import it in a REPL and play.

>>> from engine import GAMES, Match
>>> match = Match.start(min(GAMES), players=2, seed=7)
>>> decision = match.pending[0]
>>> match.choose(decision.seat, decision.default)

Every folder in here is a title.
"""

from importlib import import_module
from pkgutil import iter_modules

from engine.game import BadOptions, Game, Old, OrderDoesNotFit, Result, Setting, Standing, StandingOrder
from engine.match import IllegalChoice, Match, OlderRules, UnknownSave
from engine.scene import Change, Decision, Event, Gauge, Message, Option

_FOLDERS = [import_module(f"engine.{module.name}") for module in iter_modules(__path__) if module.ispkg]

GAMES: dict[str, Game] = {folder.TITLE.id: folder.TITLE for folder in _FOLDERS}

__all__ = [
    "GAMES",
    "BadOptions",
    "Change",
    "Decision",
    "Event",
    "Game",
    "Gauge",
    "IllegalChoice",
    "Match",
    "Message",
    "Old",
    "OlderRules",
    "Option",
    "OrderDoesNotFit",
    "Result",
    "Setting",
    "Standing",
    "StandingOrder",
    "UnknownSave",
]
