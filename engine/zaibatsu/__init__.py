"""Nippon: Zaibatsu: factories, goods and influence in Meiji Japan over three periods; also against the Automa."""

from collections.abc import Mapping
from typing import Any

from engine.game import Game, Old, Setting
from engine.scene import Message
from engine.zaibatsu import balance
from engine.zaibatsu.bot import choose
from engine.zaibatsu.box import load_box
from engine.zaibatsu.gauges import gauges
from engine.zaibatsu.scoring import result, scores
from engine.zaibatsu.secrets import census, scramble
from engine.zaibatsu.setup import setup
from engine.zaibatsu.state import Zaibatsu
from engine.zaibatsu.turn import next_scene
from engine.zaibatsu.view import changes, view

DIFFICULTY = "normal"


def settings_clash(players: int, options: Mapping[str, Any]) -> Message | None:
    """The modules serve the same purpose and are not combined; the solo game is played with neither. The difficulty
    is the Automa's: at a table of several it would be accepted and mean nothing."""
    late, goals = options["late_factories"], options["common_goals"]
    if late and goals:
        return Message("zaibatsu.clash.modules")
    if players == 1 and (late or goals):
        return Message("zaibatsu.clash.solo")
    if players > 1 and options["difficulty"] != DIFFICULTY:
        return Message("zaibatsu.clash.difficulty")
    return None


DELIVERY = ("space.", "goods.", "from.", "return.", "region", "vp")


def deliveries_in_one_choice(old: Old) -> None:
    """Rules 3 ask in one question how much is delivered and what is taken for it. Since the amount was not always
    asked, a turn that was saved at a Local Market goes on before its first delivery."""
    made = [choice for _, choice in old.choices]
    if "investment" not in made:
        kept = next((n for n, choice in enumerate(made) if choice.startswith(DELIVERY)), len(made))
        del old.choices[kept:]


PLAIN_ACTIONS = ("rd", "mining", "production", "ships", "trains", "markets", "consolidate")
UNTOUCHED = (*PLAIN_ACTIONS, "favor.", "keep.", "silk.", "reward.")
OPENING = ("factory", "machines", "investment", "worker.", "build.", "pair.", "old.")
PIECES = ("build.ship", "build.machine", "build.train")


def what_is_given_is_built(old: Old) -> None:
    """In rules 4 what a token or a factory gives is built, a step back on Finance can always be paid, and a modifier
    that builds is asked for. A turn in which any of that may have been answered goes on after how it was opened: the
    Starting tokens, or the action with its worker and factory."""
    made = [choice for _, choice in old.choices]
    if made and not made[0].startswith(UNTOUCHED):
        opened = (choice.startswith(OPENING) and choice not in PIECES for choice in made)
        del old.choices[next((n for n, opens in enumerate(opened) if not opens), len(made)) :]


TITLE = Game(
    id="zaibatsu",
    title="Nippon: Zaibatsu",
    players=range(1, 5),
    options=(
        Setting("late_factories", False),
        Setting("common_goals", False),
        Setting("sides", "A", ("A", "random")),
        Setting("difficulty", DIFFICULTY, ("easy", "normal", "hard"), alone=True),
    ),
    rules=4,
    state=Zaibatsu,
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
    balance=balance,
    settings_clash=settings_clash,
    older={2: deliveries_in_one_choice, 3: what_is_given_is_built},
    gauges=gauges,
)

__all__ = ["TITLE"]
