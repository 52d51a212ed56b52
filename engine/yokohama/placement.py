"""Placement step (B 1 of a turn): assistants from hand to areas."""

from collections import defaultdict
from functools import cache, lru_cache

from engine.components import GROUPS_AT_ONCE
from engine.scene import Blocked, Message, Option, Scene, ask, later
from engine.yokohama.areas import yields
from engine.yokohama.box import MOST_AREAS, MOST_WITH_NEWSPAPER, Box
from engine.yokohama.city import YEN, fee, receivers
from engine.yokohama.gains import Said, at_any_time, done, use_at_any_time
from engine.yokohama.state import YokohamaState

MOST_PIECES = 24  # of one merchant in one area: president, all assistants, shop, house and station
AGAIN = "again"  # a second assistant where the first one went
NO_THIRD = Option("done", Message("yokohama.done.telegram"), leads=True)  # then the president goes: both in one touch

Placing = tuple[str, int]  # an area, and how many assistants go there
Fees = defaultdict[int, int]  # what others were paid


def placement(state: YokohamaState, seat: int, first: Placing | None = None) -> Scene:
    """One assistant each in up to three areas (Newspaper: four), or two in one (Telegram: and one beside it). `first`:
    where the first of them goes, if that has been chosen. Returns where they went."""
    placed: list[str] = []
    fees: Fees = defaultdict(int)
    if first:
        place, n = first
        _place(state, seat, place, n, placed, fees)
    yield from _place_up_to(
        state, seat, MOST_WITH_NEWSPAPER if "newspaper" in state.merchants[seat].names else MOST_AREAS, placed, fees
    )
    if placed:
        _tell_placed(state, seat, placed)
    elif not state.merchants[seat].assistants:
        state.tell("yokohama.none_placed", seat=seat)
    for other, n in fees.items():
        state.tell("yokohama.paid", seat=seat, to=other, n=n)
    return placed


def _tell_placed(state: YokohamaState, seat: int, placed: list[str]) -> None:
    first, *more = placed
    if first not in more:
        state.tell("yokohama.placed", seat=seat, places=placed, n=len(placed))
    elif len(more) == 1:
        state.tell("yokohama.placed_two", seat=seat, place=first)
    else:
        state.tell("yokohama.placed_two_and_one", seat=seat, place=first, beside_place=more[-1])


def _place_up_to(state: YokohamaState, seat: int, most: int, placed: list[str], fees: Fees) -> Scene:
    """The choices of the placement step; notes where assistants went and who was paid."""
    me = state.merchants[seat]
    others = state.presidents(seat)
    stop = done("place")
    while len(placed) < most and not _two_in_one(placed):
        choices = offer_placing(state, seat, placed)
        default = _least_committing(state, seat, others, choices) if choices and not placed else stop
        if default is stop:
            choices.insert(0, stop)
        choices += at_any_time(state, seat)
        if choices == [stop]:
            return
        choice = yield ask(
            seat,
            "yokohama.ask.place",
            choices,
            default.id,
            blocked=later(_too_dear, state, seat, placed),
            main="done" if default is stop else "",
            n=most - len(placed),
            yen=me.yen,
            limit=_limit(len(placed), min(most - len(placed), me.assistants)),
        )
        if choice == "done":
            return
        if use_at_any_time(state, seat, choice):
            continue
        place, n = (placed[0], 1) if choice == AGAIN else choice
        _place(state, seat, place, n, placed, fees)
    if _two_in_one(placed):
        yield from telegram(state, seat, state.where[placed[0]], placed, fees)


@cache
def _limit(placed: int, more: int) -> Said:
    """How many more can be placed, and where: what is left in hand says so too."""
    first = "first" if not placed else "second" if placed == 1 else "more"
    return {"key": f"yokohama.limit.{first if more else 'none'}", "args": {"n": more}}


def _too_dear(state: YokohamaState, seat: int, placed: list[str]) -> list[Blocked]:
    """Areas where even one assistant costs more than there is."""
    me, others = state.merchants[seat], state.presidents(seat)
    found = []
    for at, mask in others.items():
        place = state.areas[at].id
        if me.assistants and YEN[mask] > me.yen and place not in placed:
            why = Message("yokohama.why.yen", {"n": YEN[mask], "yen": me.yen})
            found.append(Blocked(fee("yokohama.place", mask, place=place), why))
    return found


def _two_in_one(placed: list[str]) -> bool:
    return len(placed) > 1 and placed[0] == placed[1]


def offer_placing(state: YokohamaState, seat: int, placed: list[str]) -> list[Option]:
    """One assistant in each area without a new one; two in one while nothing is placed, or a second in the only one."""
    me = state.merchants[seat]
    if not me.assistants:
        return []
    free, powers = _free(state.box), state.powers(seat)
    ways = [free[area.id][power] for area, power in zip(state.areas, powers, strict=True)]
    for at, mask in state.presidents(seat).items():
        ways[at] = _affordable(_placings(state.box, state.areas[at].id, mask, powers[at]), YEN[mask], me.yen)
    if not placed:
        pairs = [pair for _, pair, _ in ways if pair] if me.assistants > 1 else []
    else:
        taken = [state.where[place] for place in placed]
        pairs = [again] if len(placed) == 1 and (again := ways[taken[0]][2]) else []
        for at in taken:
            ways[at] = NO_WAYS
    return [one for one, _, _ in ways if one] + pairs


# One, two, and a second one: the ways to place in an area, as far as there are any.
Ways = tuple[Option | None, Option | None, Option | None]
NO_WAYS: Ways = (None, None, None)


def _affordable(ways: Ways, price: int, yen: int) -> Ways:
    one, pair, again = ways
    return (one if price <= yen else None, pair if 2 * price <= yen else None, again if price <= yen else None)


# Built once for each meaning and shared: there are up to 34 of them at every step of the placement.
@lru_cache(GROUPS_AT_ONCE)
def _free(box: Box) -> dict[str, list[Ways]]:
    """The ways to place where nobody is to be paid, by the power that a president would have there."""
    return {
        place: [
            NO_WAYS if area.action == "canal" else _placings(box, place, 0, min(power, 5))
            for power in range(MOST_PIECES + 1)
        ]
        for place, area in box.areas.items()
    }


@lru_cache(2**12)
def _placings(box: Box, place: str, toll: int, power: int) -> Ways:
    """The ways to place in an area, where a president would have this power."""
    ways = (("place", power + 1), ("pair", power + 2), (AGAIN, power + 1))
    one, pair, again = (_placing(box, place, verb, toll, power) for verb, power in ways)
    return one, pair, again


def _placing(box: Box, place: str, verb: str, toll: int, power: int) -> Option:
    n, most = 2 if verb == "pair" else 1, min(power, 5)
    label = fee(f"yokohama.{verb}", toll, n, place=place)
    hint = Message("yokohama.place.hint", {"power": most, "yield": yields(box, place, most)})
    means = AGAIN if verb == AGAIN else (place, n)
    return Option(f"{verb}.{place}", label, hint, (f"area:{place}",), means=means)


def _least_committing(state: YokohamaState, seat: int, others: dict[int, int], choices: list[Option]) -> Option:
    """One assistant where it costs nothing, the own president's area first."""
    here = state.merchants[seat].president
    free = [at for at, area in enumerate(state.areas) if at not in others and area.action != "canal"]
    place = state.areas[here if here in free else free[0]].id
    return next(option for option in choices if option.meaning == (place, 1))


def _place(state: YokohamaState, seat: int, place: str, n: int, placed: list[str], fees: Fees) -> None:
    """Put assistants from hand into an area: 1 yen each to every other president there."""
    at = state.where[place]
    me, area = state.merchants[seat], state.areas[at]
    for other in receivers(state.presidents(seat).get(at, 0)):
        me.yen -= n
        state.merchants[other].yen += n
        fees[other] += n
    me.assistants -= n
    area.assistants[seat] += n
    placed += [place] * n


def telegram(state: YokohamaState, seat: int, beside: int, placed: list[str], fees: Fees) -> Scene:
    """Telegram: after two in one area, one more in an area that touches it, at the usual fee."""
    me = state.merchants[seat]
    if "telegram" not in me.names:
        return
    others = state.presidents(seat)
    while True:
        choices = [NO_THIRD]
        if me.assistants:
            powers = state.powers(seat)
            for at in state.streets[beside]:
                area, mask = state.areas[at], others.get(at, 0)
                if area.action != "canal" and YEN[mask] <= me.yen:
                    choices.append(_placing(state.box, area.id, "place", mask, powers[at] + 1))
        choices += at_any_time(state, seat)
        choice = yield ask(seat, "yokohama.ask.telegram", choices, "done", main="done")
        if choice == "done":
            return
        if not use_at_any_time(state, seat, choice):
            place, n = choice
            _place(state, seat, place, n, placed, fees)
            return
