"""Refresh the market and the farm."""

from engine.osaka.state import Osaka, Slot, cards_of, draw
from engine.scene import REVEAL, Scene


def refresh(state: Osaka) -> Scene:
    """The farm moves to the market, then new cards are dealt to both. Reservation pieces stay on their cards."""
    if state.deck or state.discard:
        yield REVEAL
    number = state.box.number
    moved = state.farm
    to_market = draw(state, number["market_refresh"])
    to_farm = draw(state, number["farm_refresh"])
    state.market += moved
    state.market += [Slot(card) for card in to_market]
    state.farm = [Slot(card) for card in to_farm]
    state.tell("osaka.refreshed", moved_cards=cards_of(moved), market_cards=to_market, farm_cards=to_farm)
