"""Yokohama Duel: two merchants, four rounds, and a harbour that opens to the world."""

from engine.duel import balance
from engine.duel.bot import choose
from engine.duel.box import load_box
from engine.duel.gauges import gauges
from engine.duel.mends import imports_and_traders, orders_are_kept_one_by_one
from engine.duel.orders import ORDERS, follow
from engine.duel.scoring import result, scores
from engine.duel.secrets import census, scramble
from engine.duel.setup import setup
from engine.duel.state import Duel
from engine.duel.turn import next_scene
from engine.duel.view import changes, view
from engine.game import Game, Setting, nothing_changes

TITLE = Game(
    id="duel",
    title="Yokohama Duel",
    players=range(2, 3),
    options=(Setting("open_information", True),),
    rules=5,
    state=Duel,
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
    older={2: orders_are_kept_one_by_one, 3: imports_and_traders, 4: nothing_changes},
    balance=balance,
    orders=ORDERS,
    follow=follow,
)

__all__ = ["TITLE"]
