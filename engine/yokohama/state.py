"""The state of a match of Yokohama: plain data between turns, and the few sums over it that every rule needs.

Asks nobody, and knows no phase of a turn.
"""

from collections import defaultdict
from functools import cached_property
from typing import ClassVar

import msgspec

from engine.scene import State
from engine.yokohama.box import (
    FAITH_YEN,
    GOODS_AT_FIRST,
    HAND_ASSISTANTS,
    HAND_SHOPS,
    LATER_YEN,
    MOST_POWER,
    STORED_ASSISTANTS,
    STORED_HOUSES,
    STORED_SHOPS,
    Box,
)
from engine.yokohama.city import streets

EMPTY = -1
NEUTRAL = 4  # the pawn that nobody plays, on the Church and Customs boards of a two-player dlp game

# The steps of a turn; an agent goes through those in an area.
AREA_STEPS = ("action", "bonus", "building", "recovery")
STEPS = ("opening", "placement", "movement", *AREA_STEPS, "closing")

# Score categories, in the order in which they are shown.
SOURCES = (
    "orders",
    "achievements",
    "buildings",
    "technologies",
    "church",
    "customs",
    "port",
    "tokens",
    "church_majority",
    "customs_majority",
    "technology_majority",
    "countries",
    "remainder",
)


class Merchant(msgspec.Struct):
    """One player's things. `first` is the order chosen in secret, while it is still in hand."""

    yen: int = LATER_YEN
    goods: list[int] = msgspec.field(default_factory=lambda: [GOODS_AT_FIRST] * 4)
    imports: int = 0
    assistants: int = HAND_ASSISTANTS
    shops: int = HAND_SHOPS
    houses: int = 0
    stored_assistants: int = STORED_ASSISTANTS
    stored_shops: int = STORED_SHOPS
    stored_houses: int = STORED_HOUSES
    president: int = EMPTY
    orders: list[str] = []
    first: str = ""
    dealt: list[str] = []
    rejected: list[str] = []
    fulfilled: list[str] = []
    techs: list[str] = []
    names: list[str] = []
    agents: list[str] = []
    spent_agents: list[str] = []
    tokens: list[str] = []
    parts: dict[str, int] = {}

    @property
    def score(self) -> int:
        return sum(self.parts.values())


class Area(msgspec.Struct):
    """One area on the table. `shops` and `house` hold seats; `token` is empty once it was taken."""

    id: str
    action: str
    site: str = ""
    token: str = ""
    assistants: list[int] = []
    shops: list[int] = []
    house: int = EMPTY


class Goal(msgspec.Struct):
    """An achievement card on the table and who has reached it, first come first."""

    card: str
    seats: list[int] = []


class YokohamaState(State):
    """A match of Yokohama. `trail` are the steps of this turn, without those that will not come, and `step` is the
    present one; `errand` are the steps of an agent's action from the present one on, while an agent is at work."""

    box: ClassVar[Box]
    phase: str = "orders"
    step: str = ""
    trail: list[str] = []
    errand: list[str] = []
    agent_used: bool = False
    spun: bool = False
    studied: bool = False
    final_round: int = EMPTY
    triggers: list[str] = []
    station: int = EMPTY
    merchants: list[Merchant] = []
    areas: list[Area] = []
    boards: dict[str, list[str]] = {}
    church: list[int] = []
    customs: list[int] = []
    goals: list[Goal] = []
    agents: dict[str, int] = {}
    order_deck: list[str] = []
    tech_deck: list[str] = []
    removed: list[str] = []

    @property
    def seat(self) -> int:
        """Whose turn it is: the turn that began last."""
        return max(self.turn - 1, 0) % self.players

    @property
    def round(self) -> int:
        return max(self.turn - 1, 0) // self.players + 1

    def enter(self, step: str) -> None:
        """The next step begins. Those of an agent's action are told apart from those of the president's."""
        if self.errand:
            del self.errand[: self.errand.index(step)]
        else:
            self.step = step

    def skip(self, *steps: str) -> None:
        """These steps will not come, in the action that is carried out."""
        plan = self.errand or self.trail
        for step in steps:
            plan.remove(step)

    @property
    def finished(self) -> bool:
        """Between two turns: was that the last one of the last round?"""
        return self.final_round != EMPTY and self.turn >= self.final_round * self.players

    @cached_property
    def dlp(self) -> bool:
        return bool(self.options["edition"] == "dlp")

    @cached_property
    def open(self) -> bool:
        return bool(self.options["open_information"])

    @cached_property
    def streets(self) -> tuple[tuple[int, ...], ...]:
        return streets(self.box, self.players)

    @cached_property
    def layout(self) -> tuple[str, ...]:
        """The areas as they lie on the table, which never changes."""
        return tuple([area.id for area in self.areas])

    @cached_property
    def where(self) -> dict[str, int]:
        """The place of every area on the table."""
        return {place: at for at, place in enumerate(self.layout)}

    @cached_property
    def canal(self) -> int:
        """The place of the canal; a table for two has none."""
        return next((at for at, area in enumerate(self.areas) if area.action == "canal"), EMPTY)

    def score(self, seat: int, source: str, vp: int) -> None:
        if vp:
            parts = self.merchants[seat].parts
            parts[source] = parts.get(source, 0) + vp

    @cached_property
    def _others(self) -> dict[int, dict[int, int]]:
        """What `presidents` has found for a seat, until one of them moves."""
        return {}

    def presidents(self, seat: int) -> dict[int, int]:
        """Where the others' presidents stand: area -> seats as bits."""
        found = self._others.get(seat)
        if found is None:
            found = self._others[seat] = {}
            for other, merchant in enumerate(self.merchants):
                at = merchant.president
                if at >= 0 and other != seat:
                    found[at] = found.get(at, 0) | 1 << other
        return found

    def move_president(self, seat: int, at: int) -> None:
        """To an area, or back to hand (EMPTY)."""
        self.merchants[seat].president = at
        self._others.clear()

    @cached_property
    def built(self) -> defaultdict[tuple[int, str], int]:
        """(seat, kind) -> in how many areas of this kind the seat has a shop or a trading house."""
        found: defaultdict[tuple[int, str], int] = defaultdict(int)
        for area in self.areas:
            for seat in {area.house, *area.shops}:
                found[seat, self.box.areas[area.id].kind] += 1
        return found

    def build_shop(self, seat: int, at: int, space: int) -> None:
        self.areas[at].shops[space] = seat
        self.__dict__.pop("built", None)

    def build_house(self, seat: int, at: int) -> None:
        self.areas[at].house = seat
        self.__dict__.pop("built", None)

    def power(self, seat: int, at: int) -> int:
        """Area action step: president, each assistant, shop, trading house and station count 1; 5 is the most."""
        area = self.areas[at]
        power = area.assistants[seat] + (self.merchants[seat].president == at) + (seat in area.shops)
        power += (area.house == seat) + (self.station == at)
        return power if power < MOST_POWER else MOST_POWER

    def powers(self, seat: int) -> list[int]:
        """The same for every area at once, if the president came there and without that limit."""
        found = [1 + area.assistants[seat] + (seat in area.shops) + (area.house == seat) for area in self.areas]
        if self.station != EMPTY:
            found[self.station] += 1
        return found

    def trigger(self, reason: str) -> None:
        """End of the game: this round is played to its end, and one more."""
        if reason not in self.triggers:
            self.triggers.append(reason)
            if self.final_round == EMPTY:
                self.final_round = self.round + 1
                self.tell("yokohama.last_round", reason=reason, round=self.final_round)

    @property
    def pawns_to_end(self) -> int:
        size = self.box.sizes[self.players]
        return size.end_dlp if self.dlp else size.end_okazu

    @property
    def faith_price(self) -> int:
        """What one faith costs in the Church, in yen."""
        return FAITH_YEN[self.options["edition"]]

    def hides_order(self, seat: int) -> bool:
        """Does this seat hold an order that the table does not know?"""
        merchant = self.merchants[seat]
        return bool(merchant.first) if self.open else bool(merchant.orders)
