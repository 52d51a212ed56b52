"""Yokohama: merchants of the Meiji era place assistants, walk the city and trade with five countries. Two editions."""

from engine.game import Game, Setting
from engine.yokohama import balance
from engine.yokohama.bot import choose
from engine.yokohama.box import load_box
from engine.yokohama.prospects import foresee, gauges
from engine.yokohama.scoring import result, scores
from engine.yokohama.secrets import census, scramble
from engine.yokohama.setup import setup
from engine.yokohama.state import YokohamaState
from engine.yokohama.turn import next_scene
from engine.yokohama.view import changes, view

TITLE = Game(
    id="yokohama",
    title="Yokohama",
    players=range(2, 5),
    options=(Setting("edition", "dlp", ("dlp", "okazu")), Setting("open_information", True)),
    rules=1,
    state=YokohamaState,
    load_box=load_box,
    setup=setup,
    scene=next_scene,
    view=view,
    scores=scores,
    result=result,
    bot=choose,
    scramble=scramble,
    census=census,
    changes=changes,
    gauges=gauges,
    foresee=foresee,
    dialect="edition",
    balance=balance,
)

__all__ = ["TITLE"]
