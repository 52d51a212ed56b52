"""What happens around the turns: the orders dealt at the start, and the change from one round to the next."""

from collections.abc import Generator
from functools import cache

from engine.duel.gains import in_words, order_in_words, receive
from engine.duel.numbers import HELP_LIMIT, TECHNOLOGY_ROW
from engine.duel.prospects import order_worth
from engine.duel.state import Duel
from engine.scene import REVEAL, Blocked, Decision, Message, Option, Scene, ask, together

IMPROVE_NOTHING = Option("none", Message("duel.improve.nothing"), Message("duel.hint.improve.nothing"), means=None)


def dealing(state: Duel) -> Scene:
    """Setting up: both keep two of the three orders they were dealt; the third goes under the deck, unseen."""
    returned = yield together({seat: _return_one(state, seat) for seat in (0, 1)})
    for seat, player in enumerate(state.seats):
        for card in player.offer:
            if card != returned[seat]:
                receive(state, seat, card)
        player.offer = []
        state.orders.insert(0, returned[seat])
        kept = [order_in_words(state.box.needed[card]) for card in player.hand]
        state.tell("duel.dealt.kept", who=(seat,), seat=seat, cards=kept)
    state.step = "turn"
    state.tell("duel.round", n=state.round, seat=state.first)


def _return_one(state: Duel, seat: int) -> Generator[Decision, str, str]:
    options = [_return_option(state, card) for card in state.seats[seat].offer]
    return (yield ask(seat, "duel.dealt", options, options[-1].id))


def _return_option(state: Duel, card: str) -> Option:
    return Option(
        card,
        Message("duel.dealt.return", {"card": order_in_words(state.box.needed[card])}),
        order_worth(state, card),
        (f"offer:{card}",),
    )


def change_of_round(state: Duel) -> Scene:
    """Preparing a new round."""
    state.tell("duel.round.over", n=state.round)
    for player in state.seats:
        player.played = [""] * 4
    improved = yield together({seat: _improve(state, seat) for seat in (0, 1)})
    yield REVEAL
    for seat, player in enumerate(state.seats):
        if improved[seat] is not None:
            _pay_improvement(state, seat, improved[seat])
        player.tilted = []
    state.technology_discard += [card for card in state.technology_row if card]
    state.technology_row = [state.technology_deck.pop() for _ in range(TECHNOLOGY_ROW)]
    state.first = state.current = 1 - state.first
    state.round += 1
    state.step = "turn"
    state.tell("duel.round", n=state.round, seat=state.first)
    state.tell("duel.technologies.new", cards=list(state.technology_row))
    for seat, player in enumerate(state.seats):
        if "newspaper" in player.technologies:
            _newspaper(state, seat)


def _newspaper(state: Duel, seat: int) -> None:
    """A Help card of 1 at the start of a round. With four in hand one goes back (General rules): it is a 1, which is
    never worth more than a 2, so that nobody need be asked outside of their turn."""
    held = state.seats[seat].help
    state.tell("duel.newspaper", seat=seat, gains=in_words([("help1", 1)]))
    if sum(held) < HELP_LIMIT:
        held[0] += 1
    else:
        state.tell("duel.gaveback", seat=seat, help=1)


def improvement_price(state: Duel, seat: int, card: int) -> int:
    """What improving a card costs: nothing with a University."""
    return 0 if "university" in state.seats[seat].technologies else state.box.improvement[card]


def _improve(state: Duel, seat: int) -> Generator[Decision, int | None, int | None]:
    """Step 1: one Influence card may be turned to its better side, and stays so."""
    player = state.seats[seat]
    options: list[Option] = []
    blocked = []
    for card, done in enumerate(player.improved):
        if done:
            continue
        level, better = state.box.influence[card]
        price = improvement_price(state, seat, card)
        if price <= player.yen:
            options.append(_improve_option(card, level, better, price))
        else:
            blocked.append(_too_dear(level, better, price))
    options.append(IMPROVE_NOTHING)
    return (
        yield ask(seat, "duel.improve.which", options, IMPROVE_NOTHING.id, blocked=blocked, main=IMPROVE_NOTHING.id)
    )


@cache
def _improve_option(card: int, level: int, better: int, price: int) -> Option:
    return Option(
        f"card{card}",
        Message("duel.improve", {"level": level, "better": better}),
        Message("duel.hint.improve", {"price": price}) if price else Message("duel.hint.improve.free"),
        (f"influence:{card}",),
        means=card,
    )


@cache
def _too_dear(level: int, better: int, price: int) -> Blocked:
    return Blocked(
        Message("duel.improve", {"level": level, "better": better}), Message("duel.why.yen", {"price": price})
    )


def _pay_improvement(state: Duel, seat: int, card: int) -> None:
    player = state.seats[seat]
    price = improvement_price(state, seat, card)
    level, better = state.box.influence[card]
    player.yen -= price
    player.improved[card] = True
    state.tell("duel.improved" if price else "duel.improved.free", seat=seat, level=level, better=better, price=price)
