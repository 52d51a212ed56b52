"""What the table holds for one merchant: power if it came, ways and their fees, what cards still ask for, how far the
end is; and the numbers worth watching while one chooses.

For pages only: no rule asks here, and nothing here asks anybody.
"""

from collections.abc import Mapping
from typing import Any

from engine.scene import Gauge
from engine.yokohama.additional import progress
from engine.yokohama.areas import later_fee
from engine.yokohama.box import GOODS
from engine.yokohama.city import CANAL, Route, receivers
from engine.yokohama.means import Placing
from engine.yokohama.movement import destinations
from engine.yokohama.state import EMPTY, Goal, YokohamaState


def power_there(state: YokohamaState, seat: int, at: int) -> int:
    """The power an action would have if the president came."""
    return min(state.power(seat, at) + (state.merchants[seat].president != at), 5)


def ways(state: YokohamaState, seat: int) -> dict[str, dict[str, Any]]:
    """Where the president could go now: the areas it would come through, who is paid in which of them, and what its
    power there would be made of."""
    others = state.presidents(seat)
    return {
        state.areas[at].id: {
            "path": [state.areas[step].id for step in found[0][1]],
            "fees": _fees(state, others, found[0]),
            "power": _power(state, seat, at),
        }
        for at, found in sorted(destinations(state, seat).items())
    }


def _power(state: YokohamaState, seat: int, at: int) -> dict[str, int]:
    """What counts for the president that comes to an area, and how much."""
    area = state.areas[at]
    counts = {
        "president": 1,
        "assistants": area.assistants[seat],
        "shop": int(seat in area.shops),
        "house": int(area.house == seat),
        "station": int(state.station == at),
    }
    return {what: n for what, n in counts.items() if n}


def _fees(state: YokohamaState, others: dict[int, int], way: Route) -> list[dict[str, Any]]:
    """Each toll where it falls first: the seat that is paid, nobody for the Canal."""
    toll, path = way
    found: list[dict[str, Any]] = []
    for at in path:
        paid = CANAL if state.areas[at].action == "canal" else others.get(at, 0)
        for bit in range(5):
            if paid & toll & 1 << bit:
                toll &= ~(1 << bit)
                found.append({"at": state.areas[at].id, "to": bit if 1 << bit != CANAL else None})
    return found


def tolls(ways: dict[str, dict[str, Any]]) -> dict[str, list[int | None]]:
    """Where on these ways somebody is paid, and who: the seats, nobody for the Canal."""
    found: dict[str, list[int | None]] = {}
    for way in ways.values():
        for fee in way["fees"]:
            paid = found.setdefault(fee["at"], [])
            if fee["to"] not in paid:
                paid.append(fee["to"])
    return found


def price(state: YokohamaState, seat: int, at: int, card: str, surcharge: int) -> dict[str, Any]:
    """What learning a technology in this area would take: its cost, and the units beyond the power one would have."""
    me, tech = state.merchants[seat], state.box.techs[card]
    cost = tech.cost + surcharge
    industry = state.box.areas[state.areas[at].id].power[power_there(state, seat, at) - 1]
    units = max(0, cost - industry) + later_fee(state, seat)
    owned = tech.name in me.names
    return {"units": units, "owned": owned, "in_reach": not owned and units <= me.imports + me.yen // 2}


def goal(state: YokohamaState, seat: int, card: Goal) -> dict[str, Any]:
    """How far this merchant is, and what reaching it now would bring."""
    achievement = state.box.achievements[card.card]
    have = [{"what": what, "have": n, "need": need} for what, n, need in progress(state, seat, card.card)]
    return {"progress": have, "points": achievement.later if card.seats else achievement.first}


def ends(state: YokohamaState) -> list[dict[str, Any]]:
    """What can end the game, and how far that is: pawns on the boards, buildings of whoever has built most, cards."""
    built = {
        "shops": [8 - m.shops - m.stored_shops for m in state.merchants],
        "houses": [4 - m.houses - m.stored_houses for m in state.merchants],
    }
    of = {"church": state.pawns_to_end, "customs": state.pawns_to_end, "shops": 8, "houses": 4}
    pawns = {
        name: sum(1 for holder in track if holder != EMPTY)
        for name, track in (("church", state.church), ("customs", state.customs))
    }
    done = {**pawns, **{what: max(each) for what, each in built.items()}}
    found: list[dict[str, Any]] = [{"what": what, "n": done[what], "of": of[what]} for what in of]
    found.append({"what": "orders", "n": len(state.order_deck), "of": None})
    return found


def gauges(state: YokohamaState, seat: int) -> Mapping[Gauge, int]:
    """Points and money of all, and what this merchant has: goods, pieces in hand, power in every area."""
    found = {Gauge("vp", other): merchant.score for other, merchant in enumerate(state.merchants)}
    for other, merchant in enumerate(state.merchants):
        found[Gauge("yen", other)] = merchant.yen
    me = state.merchants[seat]
    for good, n in zip(GOODS, me.goods, strict=True):
        found[Gauge(good, seat)] = n
    found[Gauge("imports", seat)] = me.imports
    found[Gauge("assistants", seat)] = me.assistants
    found[Gauge("agents", seat)] = len(me.agents)
    return found


def foresee(state: YokohamaState, seat: int, choice: object) -> Mapping[Gauge, int] | None:
    """Assistants that are placed leave the hand, and each pays every other president there."""
    if not isinstance(choice, Placing):
        return None
    place, n, _ = choice
    more = {Gauge("yen", other): n for other in receivers(state.presidents(seat).get(state.where[place], 0))}
    return {**more, Gauge("yen", seat): -n * len(more), Gauge("assistants", seat): -n}
