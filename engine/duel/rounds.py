"""What happens around the turns: the orders dealt at the start, and the change from one round to the next."""

from collections.abc import Generator

from engine.duel import choices
from engine.duel.gains import gain_help, receive
from engine.duel.state import TECHNOLOGY_ROW, Duel
from engine.duel.turn import turn
from engine.scene import REVEAL, Decision, Option, Scene, ask, together


def scene(state: Duel) -> Scene | None:
    """What comes next; None when the game is over."""
    if state.step == "turn":
        return turn(state)
    if state.step == "dealing":
        return dealing(state)
    return change_of_round(state) if state.step == "improving" else None


def dealing(state: Duel) -> Scene:
    """Setting up: both keep two of the three orders they were dealt; the third goes under the deck, unseen."""
    returned = yield together({seat: _return_one(state, seat) for seat in (0, 1)})
    for seat, player in enumerate(state.seats):
        for card in player.offer:
            if card != returned[seat]:
                receive(state, seat, card)
        player.offer = []
        state.orders.insert(0, returned[seat])
        kept = [choices.order_in_words(state.things.needed[card]) for card in player.hand]
        state.tell("duel.dealt.kept", who=(seat,), seat=seat, cards=kept)
    state.step = "turn"
    state.tell("duel.round", n=state.round, seat=state.first)


def _return_one(state: Duel, seat: int) -> Generator[Decision, str, str]:
    box = state.things
    options = [
        choices.put_back_dealt(card, box.needed[card], box.orders[card].points) for card in state.seats[seat].offer
    ]
    return (yield ask(seat, "duel.dealt", options, options[-1].id))


def change_of_round(state: Duel) -> Scene:
    """Preparing a new round."""
    state.tell("duel.round.over", n=state.round)
    for player in state.seats:
        player.played = [""] * 4
    improved = yield together({seat: _improve(state, seat) for seat in (0, 1)})
    for seat, player in enumerate(state.seats):
        if improved[seat] is not None:
            _pay_improvement(state, seat, improved[seat])
        player.tilted = []
    yield REVEAL
    state.technology_discard += [card for card in state.technology_row if card]
    state.technology_row = [state.technology_deck.pop() for _ in range(TECHNOLOGY_ROW)]
    state.first = state.current = 1 - state.first
    state.round += 1
    state.step = "turn"
    state.tell("duel.round", n=state.round, seat=state.first)
    state.tell("duel.technologies.new", cards=list(state.technology_row))
    for seat in (state.first, 1 - state.first):
        if "newspaper" in state.seats[seat].technologies:
            state.tell("duel.newspaper", seat=seat, gains=choices.in_words([("help1", 1)]))
            yield from gain_help(state, seat, 1)


def _price(state: Duel, seat: int, card: int) -> int:
    """What improving a card costs: nothing with a University."""
    return 0 if "university" in state.seats[seat].technologies else state.things.improvement[card]


def _improve(state: Duel, seat: int) -> Generator[Decision, str, int | None]:
    """Step 1: one Influence card may be turned to its better side, and stays so."""
    player = state.seats[seat]
    options: list[Option] = []
    blocked = []
    for card, done in enumerate(player.improved):
        if done:
            continue
        level, better = state.things.influence[card]
        price = _price(state, seat, card)
        if price <= player.yen:
            options.append(choices.improve(card, level, better, price))
        else:
            blocked.append(choices.improve_blocked(level, better, price))
    options.append(choices.IMPROVE_NOTHING)
    choice = yield ask(seat, "duel.improve.which", options, "none", blocked=blocked)
    return None if choice == "none" else int(choice.removeprefix("card"))


def _pay_improvement(state: Duel, seat: int, card: int) -> None:
    player = state.seats[seat]
    price = _price(state, seat, card)
    level, better = state.things.influence[card]
    player.yen -= price
    player.improved[card] = True
    state.tell("duel.improved" if price else "duel.improved.free", seat=seat, level=level, better=better, price=price)
