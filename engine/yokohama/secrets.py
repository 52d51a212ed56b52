"""What is hidden at this table, for the suite that proves that nothing leaks and no component gets lost."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.yokohama.state import EMPTY, NEUTRAL, Merchant, YokohamaState

Shuffle = Callable[[list[Any]], list[Any]]


def scramble(state: YokohamaState, seat: int | None, shuffle: Shuffle) -> None:
    """Permute what this seat may not know: both decks, the removed orders, and the others' secret orders."""
    state.tech_deck = shuffle(state.tech_deck)
    others = [merchant for other, merchant in enumerate(state.merchants) if other != seat]
    piles = [state.order_deck, state.removed]
    for merchant in others:
        piles += [merchant.dealt, merchant.rejected]
    hidden = [_hidden_orders(state, merchant) for merchant in others]
    pool = shuffle([card for pile in (*piles, *hidden) for card in pile])
    for pile in piles:
        pile[:] = [pool.pop() for _ in pile]
    for merchant, cards in zip(others, hidden, strict=True):
        swap = {card: pool.pop() for card in cards}
        merchant.orders = [swap.get(card, card) for card in merchant.orders]
        merchant.first = swap.get(merchant.first, merchant.first)


def _hidden_orders(state: YokohamaState, merchant: Merchant) -> list[str]:
    """The orders in this hand that the table does not know."""
    return [card for card in merchant.orders if not state.open or card == merchant.first]


def census(state: YokohamaState) -> Counter[str]:
    """Every card, piece and token, wherever it lies."""
    count: Counter[str] = Counter()
    _count_cards(state, count)
    for seat in range(state.players):
        _count_pieces(state, seat, count)
    for area in state.areas:
        count["tokens"] += bool(area.token)
        count["sites"] += bool(area.site)
    count["neutral"] = [*state.church, *state.customs].count(NEUTRAL)
    for country, n in state.agents.items():
        count[f"agent {country}"] += n
    return count


def _count_cards(state: YokohamaState, count: Counter[str]) -> None:
    count.update([*state.order_deck, *state.tech_deck, *state.removed])
    for board in state.boards.values():
        count.update(card for card in board if card)
    for merchant in state.merchants:
        count.update([*merchant.orders, *merchant.dealt, *merchant.rejected, *merchant.fulfilled, *merchant.techs])


def _count_pieces(state: YokohamaState, seat: int, count: Counter[str]) -> None:
    me = state.merchants[seat]
    placed = sum(area.assistants[seat] for area in state.areas) + sum(goal.seats.count(seat) for goal in state.goals)
    on_boards = state.church.count(seat) + state.customs.count(seat)
    count[f"assistants {seat}"] = me.assistants + me.stored_assistants + placed + on_boards
    count[f"shops {seat}"] = me.shops + me.stored_shops + sum(area.shops.count(seat) for area in state.areas)
    count[f"houses {seat}"] = me.houses + me.stored_houses + sum(area.house == seat for area in state.areas)
    count[f"presidents {seat}"] = 1 if EMPTY <= me.president < len(state.areas) else 0
    count["tokens"] += len(me.tokens)
    for country in (*me.agents, *me.spent_agents):
        count[f"agent {country}"] += 1
