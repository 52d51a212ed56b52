"""How saves of older rules become saves of today's. Knows what those rules wrote, and nothing of any page."""

from engine.duel.box import PLACES
from engine.game import Old

TRADERS = 15  # which field of a player counts the Foreign Traders at hand
ASKING = ("church", "chinatown", "laboratory", "port")
REWARDED = {f"fulfil.{order}" for order in ("o06", "o18", "o27")}  # otherwise, since rules 4
REWARDED |= {f"take.{card}" for card in ("faith04", "faith07", "faith10")}


def orders_are_kept_one_by_one(old: Old) -> None:
    """Rules 3 ask in the Port for one order and then for a second; rules 2 asked for both at once ("keep.o01+o02").
    Where only one was kept, nobody knows from here whether a second would have been asked about: that turn is taken up
    again at this point."""
    for at, (seat, choice) in enumerate(old.choices):
        if not choice.startswith("keep."):
            continue
        first, _, second = choice.removeprefix("keep.").partition("+")
        kept = [(seat, f"keep.{card}") for card in (first, second) if card]
        old.choices[at:] = [*kept, *old.choices[at + 1 :]] if second else kept
        return


def imports_and_traders(old: Old) -> None:
    """What rules 4 have changed: see below."""
    some_rewards_are_imports(old)
    traders_are_called_at_any_moment(old)


def some_rewards_are_imports(old: Old) -> None:
    """Six cards give an import since rules 4, most of them in place of yen. What was done with the yen in the same
    turn may not be possible now: the turn is taken up again right after such a card."""
    for at, (_, choice) in enumerate(old.choices):
        if choice in REWARDED:
            del old.choices[at + 1 :]
            return


def traders_are_called_at_any_moment(old: Old) -> None:
    """Rules 4 offer a Foreign Trader at every moment of a turn, so with one at hand they ask where rules 3 had only one
    answer: inside four of the places, and inside the action of another trader. Such a turn is taken up again there. The
    order of a bonus card's rewards is a further option, and nobody is asked about the Newspaper's Help card any more:
    whoever was goes on."""
    if old.state["step"] != "turn":
        return
    traders = old.state["seats"][old.state["current"]][TRADERS]
    called = False
    for at, (_, choice) in enumerate(old.choices):
        place = choice.partition(".")[0]
        traders += place == "recruit"
        traders -= called
        if place in PLACES and traders and (called or place in ASKING):
            helped = at + 1 < len(old.choices) and "+" in old.choices[at + 1][1]
            del old.choices[at + 1 + helped :]
            return
        called = choice == "trader"
