"""Free actions: fulfilling orders, recruiting Foreign Traders and calling them, using the Spinning Mill. They may be
taken at any moment of one's turn: see turn.py, also for what a Foreign Trader does.

What an option of a moment means begins with a verb, ("fulfil", card), and is the verb alone where that says it all."""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Protocol

from engine.duel.box import CRITERIA, GOODS, Box
from engine.duel.gains import Things, gain, gain_yen, in_words, order_in_words
from engine.duel.numbers import SCHOOL_YEN, SPINNING_YEN
from engine.duel.state import Duel, Player, orders_within, ready
from engine.scene import Blocked, Message, Option, Scene, later

Hint = Callable[[Duel, int, Any], Message]  # what a choice would bring to a seat
Offer = tuple[list[Option], str, list[Blocked] | later[list[Blocked]]]

SILK = GOODS.index("silk")
SPIN = Option("spin", Message("duel.spin"), Message("duel.hint.spin"), ("owned:spinning_mill",))
CALL = Option("trader", Message("duel.call"), Message("duel.hint.call"), ("traders",))
RECRUIT_AND_CALL = Option("trader", Message("duel.call.recruit"), Message("duel.hint.call"), ("traders",))


class Moment(Protocol):
    """A question of a turn that comes back until something other than a free action is chosen, be it a Foreign
    Trader's whole action. `way_on`: the option that chooses nothing more."""

    def __call__(
        self,
        state: Duel,
        seat: int,
        prompt: str,
        offer: Callable[[Duel, int], Offer],
        /,
        *,
        way_on: str = "",
        hint: Hint | None = None,
        **args: Any,
    ) -> Scene: ...


def free_actions(state: Duel, seat: int) -> list[Option]:
    player, box = state.seats[seat], state.box
    recruits = recruitable(state, player)
    options = [CALL] if player.traders else [RECRUIT_AND_CALL] if recruits else []
    within = orders_within(box, tuple(player.goods))
    for card in player.hand:
        if card in within:
            options.append(_fulfil_option(card, box.needed[card]))
    for criterion in recruits:
        options.append(_recruit_option(criterion))
    if player.goods[SILK] and ready(player, "spinning_mill"):
        options.append(SPIN)
    return options


@cache
def _fulfil_option(card: str, needs: Things) -> Option:
    label = Message("duel.fulfil", {"card": order_in_words(needs)})
    return Option(f"fulfil.{card}", label, None, (f"hand:{card}",), means=("fulfil", card))


@cache
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
    within = orders_within(box, tuple(player.goods))
    return [
        _unfulfilled(
            box.needed[card],
            tuple((GOODS[good], n - player.goods[good]) for good, n in box.needs[card] if n > player.goods[good]),
        )
        for card in player.hand
        if card not in within
    ]


def _unfulfilled(needs: Things, missing: Things) -> Blocked:
    return Blocked(
        Message("duel.fulfil", {"card": order_in_words(needs)}),
        Message("duel.why.missing", {"gains": in_words(missing)}),
    )


def achieved(player: Player) -> tuple[int, ...]:
    """How far a player has come with each of the CRITERIA for a Foreign Trader, who is recruited once for each."""
    return len(player.fulfilled), len(player.technologies), len(player.church), player.flipped


@lru_cache(2**12)
def _met(box: Box, achieved: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(name for name, has in zip(CRITERIA, achieved, strict=True) if has >= box.recruiting[name])


def recruitable(state: Duel, player: Player) -> list[str]:
    """The criteria for which a player could recruit a Foreign Trader now."""
    found = []
    for name in _met(state.box, achieved(player)):
        if name not in player.recruited:
            found.append(name)
    return found


def fulfil(state: Duel, seat: int, card: str) -> Scene:
    """Free action A: the goods go back, the card is laid open, its reward comes in."""
    player, box = state.seats[seat], state.box
    for good, n in box.needs[card]:
        player.goods[good] -= n
    player.hand.remove(card)
    player.fulfilled.append(card)
    state.tell("duel.fulfilled", seat=seat, card=order_in_words(box.needed[card]), vp=box.orders[card].points)
    yield from gain(state, seat, box.order_reward[card], "order")
    if "language_school" in player.technologies:
        gain_yen(state, seat, SCHOOL_YEN, "language_school")


def recruit(state: Duel, seat: int, criterion: str) -> None:
    """Free action B."""
    player = state.seats[seat]
    player.recruited.append(criterion)
    player.traders += 1
    state.tell("duel.recruited", seat=seat, criterion=criterion)


def spin(state: Duel, seat: int) -> None:
    """Spinning Mill: one silk for yen, once a round."""
    player = state.seats[seat]
    player.tilted.append("spinning_mill")
    player.goods[SILK] -= 1
    gain_yen(state, seat, SPINNING_YEN, "spinning_mill")
