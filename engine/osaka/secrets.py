"""What is hidden at this table, for the suite that proves that nothing leaks and no component gets lost."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.osaka.box import ORDER
from engine.osaka.state import Osaka

Shuffle = Callable[[list[Any]], list[Any]]


def scramble(state: Osaka, seat: int | None, shuffle: Shuffle) -> None:
    """Permute what this seat may not know: the draw pile; with closed information also the others' hands and points."""
    if state.open or state.ended:
        state.deck = shuffle(state.deck)
        return
    others = [other for other in range(state.players) if other != seat]
    pool = shuffle([*state.deck, *(card for other in others for card in state.hands[other])])
    for other in others:
        n = len(state.hands[other])
        state.hands[other] = sorted(pool[:n], key=ORDER.__getitem__)
        pool = pool[n:]
    state.deck = pool
    points = shuffle([(state.vp[other], state.earned[other]) for other in others])
    for other, (vp, earned) in zip(others, points, strict=True):
        state.vp[other], state.earned[other] = vp, earned


def census(state: Osaka) -> Counter[str]:
    """Every card by its kind, wherever it lies."""
    count = Counter([*state.deck, *state.discard])
    count.update(slot.card for slots in (state.market, state.farm) for slot in slots)
    for seat in range(state.players):
        count.update(state.hands[seat])
        count.update(good.card for good in state.goods[seat])
        count.update(state.vp_cards[seat])
    return count
