"""What is hidden at this table, for the suite that proves that nothing leaks and no component gets lost."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.duel.state import Duel, Player

Shuffle = Callable[[list[Any]], list[Any]]


def scramble(state: Duel, seat: int | None, shuffle: Shuffle) -> None:
    """Permute what this seat may not know: every deck, the orders others hold or look at, the church cards left in the
    box; with closed information also the church cards others have."""
    others = [player for other, player in enumerate(state.seats) if other != seat]
    pool = shuffle(
        [*state.orders, *(card for player in others for card in (*player.hand, *player.offer, *player.aside))]
    )
    for player in others:
        player.hand = sorted(_deal(pool, len(player.hand)), key=state.box.order_rank.__getitem__)
        player.offer = _deal(pool, len(player.offer))
        player.aside = _deal(pool, len(player.aside))
    state.orders = pool
    state.technology_deck = shuffle(state.technology_deck)
    state.bonus_deck = shuffle(state.bonus_deck)
    if not state.open and state.step != "over":
        _scramble_church(state, others, shuffle)


def _scramble_church(state: Duel, others: list[Player], shuffle: Shuffle) -> None:
    pool = shuffle([*state.church_out, *(card for player in others for card in player.church)])
    for player in others:
        player.church = sorted(_deal(pool, len(player.church)), key=state.box.church_rank.__getitem__)
    state.church_out = pool


def _deal(pool: list[str], n: int) -> list[str]:
    dealt, pool[:] = pool[:n], pool[n:]
    return dealt


def census(state: Duel) -> Counter[str]:
    """Every card by its name, wherever it lies, and each player's Influence cards."""
    count = Counter([*state.orders, *state.technology_deck, *state.technology_discard, *state.church_out])
    count.update([*state.bonus_deck, *state.bonus_row, *state.bonus_discard])
    count.update(card for card in (*state.technology_row, *state.church_row) if card)
    for seat, player in enumerate(state.seats):
        count.update(
            [*player.hand, *player.offer, *player.aside, *player.fulfilled, *player.technologies, *player.church]
        )
        count[f"influence of {seat}"] = len(player.played)
    return count
