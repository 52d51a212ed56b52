"""The state of Yokohama Duel as plain data, and the few questions every rule asks of it."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import ClassVar

import msgspec

from engine.duel.box import Box
from engine.duel.numbers import BONUS_LEVEL, TOP_LEVEL
from engine.scene import Event, State

STEPS = ("place", "influence", "act", "bonus", "build")


class Player(msgspec.Struct, array_like=True):
    """What lies in front of one player. `goods` counts tea, fish, silk and copper; `help` the +1 and +2 Help cards;
    `played` tells the place each of the four Influence cards lies on, "" while it is in hand; `offer` is the Order
    cards being looked at, and `aside` those that wait meanwhile; `traders` the Foreign Traders still available."""

    yen: int = 0
    goods: list[int] = msgspec.field(default_factory=lambda: [0, 0, 0, 0])
    imports: int = 0
    flipped: int = 0
    help: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    improved: list[bool] = msgspec.field(default_factory=lambda: [False] * 4)
    played: list[str] = msgspec.field(default_factory=lambda: [""] * 4)
    hand: list[str] = []
    offer: list[str] = []
    fulfilled: list[str] = []
    technologies: list[str] = []
    tilted: list[str] = []
    church: list[str] = []
    shops: list[str] = []
    houses: list[str] = []
    traders: int = 0
    recruited: list[str] = []
    aside: list[str] = []


class Visit(msgspec.Struct, array_like=True):
    """How far the action of a turn has come: its step, the place ("" before it is chosen), the influence there (0
    before a card is played), whether it is a Foreign Trader's, and how many exchanges it has left in Chinatown."""

    step: str = STEPS[0]
    place: str = ""
    influence: int = 0
    trader: bool = False
    exchanges: int = 0


class Duel(State):
    """Decks are drawn from their end; what goes under a deck goes to its beginning. A gap in a row is "".
    `used_bonus` is the bonus card whose rewards were taken in this turn, while it still lies in the row. `current` is
    whose turn it is, `step` what comes next. `visit` is the action of the turn, None between turns, and
    `errand` that of the Foreign Trader called last inside it."""

    box: ClassVar[Box]
    seats: list[Player] = []
    first: int = 0
    current: int = 0
    round: int = 1
    step: str = "dealing"
    station: str = ""
    orders: list[str] = []
    technology_deck: list[str] = []
    technology_row: list[str] = []
    technology_discard: list[str] = []
    bonus_deck: list[str] = []
    bonus_row: list[str] = []
    bonus_discard: list[str] = []
    used_bonus: str = ""
    church_row: list[str] = []
    church_out: list[str] = []
    visit: Visit | None = None
    errand: Visit | None = None

    @cached_property
    def open(self) -> bool:
        """Whether church cards once seen stay in sight."""
        return bool(self.options["open_information"])

    @property
    def acting(self) -> Visit:
        """The action that goes on: that of the Foreign Trader called last, or that of the turn."""
        visit = self.errand or self.visit
        assert visit is not None
        return visit

    @property
    def last_told(self) -> Event:
        return self.log[-1]

    def untell(self) -> None:
        """Take back what was told last, to tell it in other words."""
        self.log.pop()


def level_of(state: Duel, player: Player, card: int) -> int:
    """The level of one of a player's four Influence cards, as it lies now."""
    return state.box.influence[card][player.improved[card]]


@lru_cache(2**10)
def _cards(box: Box, improved: tuple[bool, ...], played: tuple[bool, ...]) -> Mapping[int, int]:
    held = [(box.influence[card][improved[card]], -card) for card, gone in enumerate(played) if not gone]
    return {level: -card for level, card in sorted(held)}


def cards_in_hand(state: Duel, player: Player) -> Mapping[int, int]:
    """The different levels a player still holds, lowest first, each with the card to play for it."""
    return _cards(state.box, tuple(player.improved), tuple(map(bool, player.played)))


def levels_in_hand(state: Duel, player: Player) -> list[int]:
    return list(cards_in_hand(state, player))


def lowest_in_hand(state: Duel, player: Player) -> int:
    return next(iter(cards_in_hand(state, player)))


def lowest_first(state: Duel, seat: int) -> bool:
    """Whether the lowest card must be played: it must, unless the Postal System gives a choice."""
    player = state.seats[seat]
    return not ready(player, "post") or len(cards_in_hand(state, player)) == 1


def occupied(state: Duel) -> set[str]:
    """Places with an Influence card on them, but for those that are always open."""
    first, second = state.seats
    return {*first.played, *second.played} - state.box.never_occupied


def house_owner(state: Duel, place: str) -> int | None:
    first, second = state.seats
    if place in first.houses:
        return 0
    return 1 if place in second.houses else None


def standing_influence(state: Duel, seat: int, place: str) -> int:
    """What a seat's buildings and the Station add on a place."""
    player = state.seats[seat]
    return (place in player.shops) + (place in player.houses) + (place == state.station)


def ready(player: Player, technology: str) -> bool:
    """Owned, and not tilted."""
    return technology in player.technologies and technology not in player.tilted


def ways_in(state: Duel, seat: int, place: str) -> list[str]:
    """Technologies that let this player choose an occupied place now."""
    player = state.seats[seat]
    ways = []
    if place == state.station and ready(player, "station"):
        ways.append("station")
    if place in player.houses and ready(player, "stagecoach"):
        ways.append("stagecoach")
    if ready(player, "tram"):
        ways.append("tram")
    return ways


def yields(state: Duel, place: str, influence: int) -> int:
    """What a place's own table gives: every level above the fifth counts as the fifth."""
    return state.box.levels[place][min(influence, TOP_LEVEL) - 1]


def at_hand(state: Duel) -> int:
    """What the place gives to the action that goes on."""
    visit = state.acting
    return yields(state, visit.place, visit.influence)


def what_it_gives(state: Duel, seat: int, place: str, influence: int) -> int:
    """What a place would give this player: Mining Technology adds a copper, only imports one has are flipped, and only
    orders that are left are looked at."""
    player = state.seats[seat]
    n = yields(state, place, influence)
    if place == "copper" and n and "mining" in player.technologies:
        return n + 1
    if place == "port":
        return min(n, len(state.orders))
    return min(n, player.imports) if place == "customs" else n


def rewards_at(influence: int) -> int:
    """How many rewards of a bonus card an influence brings."""
    return max(0, min(influence - BONUS_LEVEL + 1, 3))


@lru_cache(2**12)
def orders_within(box: Box, goods: tuple[int, ...]) -> frozenset[str]:
    """The orders that so many goods suffice for: asked at every question, and there are few ways to hold goods."""
    lacking = {order for order, needs in box.needs.items() for good, n in needs if goods[good] < n}
    return frozenset(box.needs.keys() - lacking)


def might_fulfil(state: Duel, player: Player) -> bool:
    """Whether, for all the table knows, this player holds an order that could be fulfilled now. Depends on nothing
    that is hidden, so that a question asked because of it tells nothing."""
    if not player.hand:
        return False
    first, second = state.seats
    return bool(orders_within(state.box, tuple(player.goods)).difference(first.fulfilled, second.fulfilled))
