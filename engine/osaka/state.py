"""The state of Traders of Osaka as plain data, and the few moves cards make between piles."""

from bisect import insort
from functools import cached_property
from typing import ClassVar

import msgspec

from engine.osaka.box import ORDER, VALUE, Box, Card
from engine.scene import State

Tokens = dict[str, int]


class Slot(msgspec.Struct, array_like=True):
    """A card in the market or the farm, and the seat whose reservation piece lies on it."""

    card: Card
    by: int | None = None


class Good(msgspec.Struct, array_like=True):
    """A piece of merchandise in front of a player."""

    card: Card
    insured: bool = False


class Osaka(State):
    """`deck` is drawn from its end. `vp_cards` lie face down: only how many there are is ever looked at; `vp` also
    counts points for which there was no card left."""

    box: ClassVar[Box]
    ships: dict[str, int] = {}
    market: list[Slot] = []
    farm: list[Slot] = []
    deck: list[Card] = []
    discard: list[Card] = []
    hands: list[list[Card]] = []
    goods: list[list[Good]] = []
    tokens: list[Tokens] = []
    vp: list[int] = []
    earned: list[dict[str, int]] = []  # the same points by colour, for the score sheet
    vp_cards: list[list[Card]] = []
    first: int = 0
    current: int = 0
    opening: int = 0
    passes: int = 0
    ended: bool = False
    price: int = 0  # of the purchase that is being paid
    sinking: list[str] = []  # the colours whose ships go down in the payment under way
    spent: list[Card] = []  # the cards laid down so far, for the purchase or as one seat's insurance

    @cached_property
    def open(self) -> bool:
        """Whether hands and points are shown to all."""
        return bool(self.options["open_information"])


def worth(cards: list[str]) -> int:
    coins = 0
    for card in cards:
        coins += VALUE[card]
    return coins


def receive(hand: list[str], card: str) -> None:
    """Put a card into a hand, which is kept sorted."""
    insort(hand, card, key=ORDER.__getitem__)


def draw(state: Osaka, n: int) -> list[str]:
    """Cards off the draw pile; the discards are shuffled when it runs out. Fewer when there are no more."""
    drawn: list[str] = []
    while len(drawn) < n and (state.deck or state.discard):
        if not state.deck:
            state.deck, state.discard = state.shuffled(state.discard), []
            state.tell("osaka.reshuffled", n=len(state.deck))
        drawn.append(state.deck.pop())
    return drawn


def cards_of(slots: list[Slot]) -> list[str]:
    return [slot.card for slot in slots]


def seats_from(state: Osaka, seat: int) -> list[int]:
    """All seats, this one first, then clockwise."""
    return [*range(seat, state.players), *range(seat)]


def reserved_at(state: Osaka, seat: int) -> tuple[str, int] | None:
    """Where this seat's reservation piece lies; None while it is in front of its owner."""
    for where, slots in (("market", state.market), ("farm", state.farm)):
        for at, slot in enumerate(slots):
            if slot.by == seat:
                return where, at
    return None


def within_reach(state: Osaka, seat: int) -> list[Slot]:
    """The cards of the market that this seat may buy or take: all but those others have reserved."""
    return [slot for slot in state.market if slot.by is None or slot.by == seat]
