"""Lanterns: a small title of the shape that every title has, which only the tests know.

Everybody takes lanterns from a row, or one unseen from the pile; after each the next player may be asked to greet. It
has a seat more than any real title, an option of each kind, a standing order and an edition with words of its own.
"""

from engine.game import Game, Setting
from tests.toy.bot import choose
from tests.toy.box import load_box
from tests.toy.orders import ORDERS, follow
from tests.toy.scoring import result, scores
from tests.toy.secrets import census, scramble
from tests.toy.setup import setup
from tests.toy.state import Toy
from tests.toy.turn import next_scene
from tests.toy.view import changes, view

TITLE = Game(
    id="toy",
    title="Lanterns",
    players=range(2, 6),
    options=(
        Setting("greeting", True),
        Setting("length", "short", ("short", "long")),
        Setting("edition", "paper", ("paper", "silk")),
    ),
    rules=1,
    state=Toy,
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
    dialect="edition",
    orders=ORDERS,
    follow=follow,
)

__all__ = ["TITLE"]
