"""What a choice would bring, told before it is made: an action with the power it would have, and whether the president
can come there in this turn at all.

Hints only, worked out when somebody reads them: no rule asks here. "Nothing" and "no way" are said only where that is
certain, whatever else is done until then.
"""

from collections.abc import Sequence

from engine.scene import Message
from engine.yokohama.action import can_build
from engine.yokohama.areas import gifts, later_fee, yields
from engine.yokohama.box import (
    BEST_PORT_POINTS,
    EXTRA_YEN,
    LEAST_TO_BUILD,
    MOST_AREAS,
    MOST_ORDERS,
    MOST_POWER,
    MOST_WITH_NEWSPAPER,
    PRICES,
    SHOP_PRICE,
    UNIT_YEN,
    Space,
)
from engine.yokohama.city import CANAL, YEN, Door, through
from engine.yokohama.gains import SPIN, STUDY, Said, at_any_time, because, gain, house_price
from engine.yokohama.means import Going, Placing
from engine.yokohama.state import EMPTY, YokohamaState

NOTHING: Said = {"key": "yokohama.yields.none"}
IN_VAIN = ("yokohama.yields.none", "yokohama.yields.idle", "yokohama.yields.port.full")


def arriving(state: YokohamaState, seat: int, choice: Going) -> Message:
    """What the president would do in an area, after paying its way there."""
    return _outlook(state, seat, state.where[choice.place], 1, choice.yen)


def sending(state: YokohamaState, seat: int, at: int) -> Message:
    """What an agent would do there. It acts now, and once: if that brings nothing, it is said."""
    said = _outlook(state, seat, at, 0, 0)
    in_vain = said.key == "yokohama.outlook" and said.args["yield"]["key"] in IN_VAIN
    return Message("yokohama.outlook.in_vain", said.args) if in_vain else said


def placing(state: YokohamaState, seat: int, placed: Sequence[str], choice: object) -> Message | None:
    """What the president would do where assistants are placed, and whether it can come there in this turn. `placed`:
    where others went before."""
    if not isinstance(choice, Placing):
        return None
    place, n, _ = choice
    at = state.where[place]
    power = min(state.powers(seat)[at] + n, MOST_POWER)
    fee = n * YEN[state.presidents(seat).get(at, 0)]
    more = _more_on_the_way(state, seat, at, n, fee, placed)
    if isinstance(more, str):
        return Message(f"yokohama.place.hint.{more}", {"power": power, "yield": _later(state, seat, at, power)})
    brings = _brings(state, seat, at, power, state.merchants[seat].yen - fee)
    if brings is NOTHING:
        brings = yields(state.box, place, power)
    if more:
        return Message("yokohama.place.hint.way", {"n": more, "power": power, "yield": brings})
    return Message("yokohama.place.hint", {"power": power, "yield": brings})


def _later(state: YokohamaState, seat: int, at: int, power: int) -> Said:
    """What an action in this area brings in a later turn; of what may be missing then, imports are said."""
    area = state.areas[at]
    n = state.box.areas[area.id].power[power - 1]
    return _customs(state, seat, n) if n and area.action == "customs" else yields(state.box, area.id, power)


def _customs(state: YokohamaState, seat: int, n: int) -> Said:
    imports = state.merchants[seat].imports
    kind = "mine" if imports else "none"
    return {"key": f"yokohama.yields.customs.{kind}", "args": {"n": n, "mine": gain("imports", imports)}}


def _outlook(state: YokohamaState, seat: int, at: int, coming: int, fee: int) -> Message:
    """What an action in this area would bring, once so many more pieces have come there for this fee, and whether token
    and building site are to be had afterwards."""
    area, power = state.areas[at], min(state.power(seat, at) + coming, MOST_POWER)
    bonus = power >= MOST_POWER and bool(area.token)
    build = power >= LEAST_TO_BUILD and can_build(state, seat, at)
    after = ".all" if bonus and build else ".bonus" if bonus else ".build" if build else ""
    brings = _brings(state, seat, at, power, state.merchants[seat].yen - fee)
    return Message(f"yokohama.outlook{after}", {"power": power, "yield": brings})


def _brings(state: YokohamaState, seat: int, at: int, power: int, yen: int) -> Said:
    """What the action itself would bring this merchant: yields, with what is in hand and so much money."""
    area, me = state.areas[at], state.merchants[seat]
    n = state.box.areas[area.id].power[power - 1]
    if not n:
        return NOTHING
    if SPIN in at_any_time(state, seat):
        yen += EXTRA_YEN["spinning_mill"]
    if area.action == "port" and len(me.orders) >= MOST_ORDERS:
        points = ".points" if power == MOST_POWER else ""
        return {"key": f"yokohama.yields.port.full{points}", "args": {"n": MOST_ORDERS, "vp": BEST_PORT_POINTS}}
    if why := _in_vain(state, seat, at, n, yen):
        return {"key": "yokohama.yields.idle", "args": {"why": because(why)}}
    return _customs(state, seat, n) if area.action == "customs" else yields(state.box, area.id, power)


def _in_vain(state: YokohamaState, seat: int, at: int, n: int, yen: int) -> str:
    """Why an action that yields so much would still bring nothing; empty where it may bring something."""
    me = state.merchants[seat]
    match state.areas[at].action:
        case "customs":
            if not me.imports:
                return "no_imports"
            return "" if _is_free(state.customs, state.box.customs, min(n, me.imports)) else "no_space"
        case "church":
            faith = n + len(gifts(me, yen, state.faith_price))
            return "" if _is_free(state.church, state.box.church, faith) else "no_space"
        case "lab":
            return "" if _can_learn(state, seat, at, n, yen) else "no_tech"
        case "agency":
            house = me.stored_houses and house_price(me) <= yen
            return "" if me.stored_assistants or (me.stored_shops and yen >= SHOP_PRICE) or house else "no_piece"
        case "chinatown":
            return "" if any(me.goods) or yen >= min(PRICES) else "no_exchange"
    return ""


def _is_free(track: list[int], spaces: Sequence[Space], within: int) -> bool:
    return any(holder == EMPTY and space.cost <= within for holder, space in zip(track, spaces, strict=True))


def _can_learn(state: YokohamaState, seat: int, at: int, industry: int, yen: int) -> bool:
    me, box = state.merchants[seat], state.box
    purse = me.imports + yen // UNIT_YEN - later_fee(state, seat)
    cards = zip(state.boards[state.areas[at].id], box.surcharges, strict=True)
    return purse >= 0 and any(
        box.techs[card].cost + surcharge - industry <= purse and box.techs[card].name not in me.names
        for card, surcharge in cards
        if card
    )


def _more_on_the_way(state: YokohamaState, seat: int, at: int, n: int, fee: int, placed: Sequence[str]) -> int | str:
    """How many more assistants it takes to walk to an area where `n` are placed for this fee; or why the president
    cannot come there in this turn, however the others are placed."""
    me, others = state.merchants[seat], state.presidents(seat)
    if me.president == at:
        return "own"
    if state.station == at and "station" in me.names:
        return 0
    if at in others and "postal" not in me.names:
        return "taken"
    if "tram" in me.names and at not in others:
        return 0
    yen = me.yen - fee + (EXTRA_YEN["spinning_mill"] if SPIN in at_any_time(state, seat) else 0)
    toll = 0 if "stagecoach" in me.names else others.get(at, 0)
    if me.president == EMPTY:
        return 0 if YEN[toll] <= yen else "far"
    room, most = _still_to_place(state, seat, at, n, placed)
    ways = through(me.president, state.streets, _doors(state, seat, room), yen)
    found = [
        more
        for beside in state.streets[at]
        for passed, fees, more in ways.get(beside, ())
        if more <= most and fees + YEN[passed | toll] <= yen
    ]
    return min(found, default="far")


def _still_to_place(
    state: YokohamaState, seat: int, at: int, n: int, placed: Sequence[str]
) -> tuple[tuple[int, ...] | None, int]:
    """Where assistants can be placed after these (None: anywhere), and how many: after two in one area Telegram's."""
    me = state.merchants[seat]
    hand = me.assistants - n + (STUDY in at_any_time(state, seat))
    if n == 2 or state.areas[at].id in placed:
        return state.streets[at], min(hand, 1 if "telegram" in me.names else 0)
    if len(placed) > 1 and placed[0] == placed[1]:
        return None, 0
    most = MOST_WITH_NEWSPAPER if "newspaper" in me.names else MOST_AREAS
    return None, min(hand, most - len(placed) - 1)


def _doors(state: YokohamaState, seat: int, room: tuple[int, ...] | None) -> tuple[Door | None, ...]:
    """What coming through each area takes: where one has no assistant yet, one more and its fee, if there is `room`."""
    others, free = state.presidents(seat), "stagecoach" in state.merchants[seat].names
    found: list[Door | None] = []
    for at, area in enumerate(state.areas):
        toll = others.get(at, 0)
        passing = 0 if free else toll
        if area.action == "canal":
            found.append((CANAL, 0, 0))
        elif area.assistants[seat]:
            found.append((passing, 0, 0))
        else:
            found.append((passing, YEN[toll], 1) if room is None or at in room else None)
    return tuple(found)
