"""Traders of Osaka: ships carry goods to Edo past the Black Tide; cards are coins, goods and insurance."""

from engine.game import Game, Setting
from engine.osaka.bot import choose
from engine.osaka.box import load_box
from engine.osaka.orders import ORDERS, follow
from engine.osaka.scoring import result, scores
from engine.osaka.secrets import census, scramble
from engine.osaka.setup import setup
from engine.osaka.state import Osaka
from engine.osaka.turn import next_scene
from engine.osaka.view import changes, gauges, view

TITLE = Game(
    id="osaka",
    title="Traders of Osaka",
    players=range(2, 5),
    options=(Setting("open_information", True),),
    rules=1,
    state=Osaka,
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
    orders=ORDERS,
    follow=follow,
)

__all__ = ["TITLE"]
