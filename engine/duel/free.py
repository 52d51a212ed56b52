"""Free actions: fulfilling orders, recruiting Foreign Traders and calling them, using the Spinning Mill. They may be
taken at any moment of one's turn, so every menu of a turn offers them next to its own choices and comes back when they
are done. What a Foreign Trader does is a whole action of its own: see turn.py.

What an option of a menu means begins with a verb, ("fulfil", card), and is the verb alone where that says it all."""

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

from engine.duel.box import CRITERIA, GOODS
from engine.duel.gains import Things, gain, gain_yen, in_words, order_in_words
from engine.duel.state import Duel, Player, can_fulfil, might_fulfil, ready
from engine.scene import Blocked, Message, Option, Scene, ask, later

Offer = tuple[list[Option], str, list[Blocked] | later[list[Blocked]]]

SILK = GOODS.index("silk")
SPIN = Option("spin", Message("duel.spin"), Message("duel.hint.spin"), ("owned:spinning_mill",))
CALL = Option("trader", Message("duel.call"), Message("duel.hint.call"), ("traders",))


class Moment(Protocol):
    """A question of a turn that comes back until something other than a free action is chosen, be it a Foreign
    Trader's whole action. `way_on`: the option that chooses nothing more."""

    def __call__(
        self, state: Duel, seat: int, prompt: str, offer: Callable[[], Offer], /, *, way_on: str = "", **args: Any
    ) -> Scene: ...


def menu(state: Duel, seat: int, prompt: str, offer: Callable[[], Offer], *, way_on: str = "", **args: Any) -> Scene:
    """Ask until something other than a free action is chosen, or a Foreign Trader is called. Which orders are in hand
    is hidden, so the question is put whenever the table might think that one could be fulfilled."""
    while True:
        options, default, blocked = offer()
        options += free_actions(state, seat)
        secret = len(options) == 1 and might_fulfil(state, state.seats[seat])
        choice = yield ask(seat, prompt, options, default, blocked=blocked, secret=secret, main=way_on, **args)
        match choice:
            case ("fulfil", card):
                yield from _fulfil(state, seat, card)
            case ("recruit", criterion):
                _recruit(state, seat, criterion)
            case "spin":
                _spin(state, seat)
            case _:
                return choice


def free_actions(state: Duel, seat: int) -> list[Option]:
    player, box = state.seats[seat], state.box
    options = [CALL] if player.traders else []
    options += [
        _fulfil_option(card, box.needed[card], box.orders[card].points, box.order_gains[card])
        for card in player.hand
        if can_fulfil(state, player, card)
    ]
    if len(player.recruited) < len(CRITERIA):
        recruiting = box.recruiting.items()
        options += [_recruit_option(each) for each, n in recruiting if _may_recruit(player, each, n)]
    if player.goods[SILK] and ready(player, "spinning_mill"):
        options.append(SPIN)
    return options


@cache
def _fulfil_option(card: str, needs: Things, vp: int, gains: Things) -> Option:
    return Option(
        f"fulfil.{card}",
        Message("duel.fulfil", {"card": order_in_words(needs)}),
        Message("duel.hint.fulfil.more" if gains else "duel.hint.fulfil", {"vp": vp, "gains": in_words(gains)}),
        (f"hand:{card}",),
        means=("fulfil", card),
    )


def _recruit_option(criterion: str) -> Option:
    return Option(
        f"recruit.{criterion}",
        Message("duel.recruit", {"criterion": criterion}),
        Message("duel.hint.recruit"),
        (f"recruit:{criterion}",),
        means=("recruit", criterion),
    )


def unfulfilled(state: Duel, seat: int) -> list[Blocked]:
    """What is missing for the orders in hand."""
    player, box = state.seats[seat], state.box
    return [
        _unfulfilled(
            box.needed[card],
            tuple((GOODS[good], n - player.goods[good]) for good, n in box.needs[card] if n > player.goods[good]),
        )
        for card in player.hand
        if not can_fulfil(state, player, card)
    ]


def _unfulfilled(needs: Things, missing: Things) -> Blocked:
    return Blocked(
        Message("duel.fulfil", {"card": order_in_words(needs)}),
        Message("duel.why.missing", {"gains": in_words(missing)}),
    )


def _may_recruit(player: Player, criterion: str, n: int) -> bool:
    """Recruiting a Foreign Trader: once for each criterion."""
    return counted(player, criterion) >= n and criterion not in player.recruited


def counted(player: Player, criterion: str) -> int:
    if criterion == "orders":
        return len(player.fulfilled)
    if criterion == "technologies":
        return len(player.technologies)
    return len(player.church) if criterion == "church" else player.flipped


def _fulfil(state: Duel, seat: int, card: str) -> Scene:
    """Free action A: the goods go back, the card is laid open, its reward comes in."""
    player, box = state.seats[seat], state.box
    for good, n in box.needs[card]:
        player.goods[good] -= n
    player.hand.remove(card)
    player.fulfilled.append(card)
    state.tell("duel.fulfilled", seat=seat, card=order_in_words(box.needed[card]), vp=box.orders[card].points)
    yield from gain(state, seat, box.order_reward[card], "order")
    if "language_school" in player.technologies:
        gain_yen(state, seat, 1, "language_school")


def _recruit(state: Duel, seat: int, criterion: str) -> None:
    """Free action B."""
    player = state.seats[seat]
    player.recruited.append(criterion)
    player.traders += 1
    state.tell("duel.recruited", seat=seat, criterion=criterion)


def _spin(state: Duel, seat: int) -> None:
    """Spinning Mill: one silk for 2 yen, once a round."""
    player = state.seats[seat]
    player.tilted.append("spinning_mill")
    player.goods[SILK] -= 1
    gain_yen(state, seat, 2, "spinning_mill")
