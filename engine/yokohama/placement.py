"""Placement step (B 1 of a turn): assistants from hand to areas."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache

from engine.scene import Blocked, Message, Option, Scene, ask, later
from engine.yokohama.box import MOST_AREAS, MOST_WITH_NEWSPAPER
from engine.yokohama.city import YEN, fee, receivers
from engine.yokohama.gains import Said, at_any_time, because, done, use_at_any_time
from engine.yokohama.means import Placing
from engine.yokohama.outlook import placing
from engine.yokohama.state import EMPTY, YokohamaState

NO_THIRD = Option("done", Message("yokohama.done.telegram"), leads=True)  # then the president goes: both in one touch

Fees = defaultdict[int, int]  # what others were paid
Placings = tuple[Option | None, ...]  # by area, as far as there are any


def placement(state: YokohamaState, seat: int, first: Placing | None = None) -> Scene:
    """One assistant each in up to three areas (Newspaper: four), or two in one (Telegram: and one beside it). `first`:
    where the first of them goes, if that has been chosen. Returns where they went."""
    placed: list[str] = []
    fees: Fees = defaultdict(int)
    if first:
        _place(state, seat, first, placed, fees)
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
    stop = done("place")
    while len(placed) < most and not _two_in_one(placed):
        choices = offer_placing(state, seat, placed)
        default = _least_committing(state, seat) if choices and not placed else stop
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
            blocked=later(too_dear, state, seat, placed),
            hints=later(placing, state, seat, placed),
            main="done" if default is stop else "",
            n=most - len(placed),
            yen=me.yen,
            limit=_limit(len(placed), min(most - len(placed), me.assistants)),
        )
        if choice == "done":
            return
        if use_at_any_time(state, seat, choice):
            continue
        _place(state, seat, choice, placed, fees)
    if _two_in_one(placed):
        yield from telegram(state, seat, state.where[placed[0]], placed, fees)


@cache
def _limit(placed: int, more: int) -> Said:
    """How many more can be placed, and where: what is left in hand says so too."""
    first = "first" if not placed else "second" if placed == 1 else "more"
    return {"key": f"yokohama.limit.{first if more else 'none'}", "args": {"n": more}}


def too_dear(state: YokohamaState, seat: int, placed: Sequence[str]) -> list[Blocked]:
    """Areas where one assistant, or the second of two, would cost more than there is."""
    me, others = state.merchants[seat], state.presidents(seat)
    found = []
    for at, mask in others.items():
        place, price = state.areas[at].id, YEN[mask]
        if not me.assistants or 2 * price <= me.yen:
            continue
        if place not in placed:
            if price > me.yen:
                found.append(_unpaid("place", place, mask, 1, me.yen))
            elif not placed and me.assistants > 1:
                found.append(_unpaid("pair", place, mask, 2, me.yen))
        elif len(placed) == 1 and price > me.yen:
            found.append(_unpaid("again", place, mask, 1, me.yen))
    return found


def _unpaid(verb: str, place: str, mask: int, n: int, yen: int) -> Blocked:
    price = n * YEN[mask]
    return Blocked(fee(f"yokohama.{verb}", mask, n, place=place), Message("yokohama.why.yen", {"n": price, "yen": yen}))


def _two_in_one(placed: list[str]) -> bool:
    return len(placed) > 1 and placed[0] == placed[1]


def offer_placing(state: YokohamaState, seat: int, placed: list[str]) -> list[Option]:
    """One assistant in each area without a new one; two in one while nothing is placed, or a second in the only one."""
    me = state.merchants[seat]
    if not me.assistants:
        return []
    others = state.presidents(seat)
    ones, pairs = map(list, _free_placings(state.layout, state.canal))
    for at, toll in others.items():
        ones[at] = _placing(state.layout[at], "place", toll) if YEN[toll] <= me.yen else None
        pairs[at] = _placing(state.layout[at], "pair", toll) if 2 * YEN[toll] <= me.yen else None
    if placed:
        toll = others.get(state.where[placed[0]], 0)
        pairs = [_placing(placed[0], "again", toll)] if len(placed) == 1 and YEN[toll] <= me.yen else []
        for place in placed:
            ones[state.where[place]] = None
    elif me.assistants == 1:
        pairs = []
    return [*filter(None, ones), *filter(None, pairs)]


@lru_cache(2**8)
def _free_placings(layout: tuple[str, ...], canal: int) -> tuple[Placings, Placings]:
    """One assistant, and two, in every area but the canal, where nobody is to be paid."""
    ones = [None if at == canal else _placing(place, "place", 0) for at, place in enumerate(layout)]
    pairs = [None if at == canal else _placing(place, "pair", 0) for at, place in enumerate(layout)]
    return tuple(ones), tuple(pairs)


@cache
def _placing(place: str, verb: str, toll: int) -> Option:
    """Built once and shared: there are up to 34 of them at every step of the placement."""
    n = 2 if verb == "pair" else 1
    label = fee(f"yokohama.{verb}", toll, n, place=place)
    return Option(f"{verb}.{place}", label, None, (f"area:{place}",), means=Placing(place, n, verb == "again"))


def _least_committing(state: YokohamaState, seat: int) -> Option:
    """One assistant where it costs nothing, the own president's area first."""
    here, taken = state.merchants[seat].president, {*state.presidents(seat), state.canal}
    if here == EMPTY or here in taken:
        here = next(at for at in range(len(state.layout)) if at not in taken)
    return _placing(state.layout[here], "place", 0)


def _place(state: YokohamaState, seat: int, placing: Placing, placed: list[str], fees: Fees) -> None:
    """Put assistants from hand into an area: 1 yen each to every other president there."""
    place, n, _ = placing
    at = state.where[place]
    me, area = state.merchants[seat], state.areas[at]
    if toll := state.presidents(seat).get(at):
        for other in receivers(toll):
            me.yen -= n
            state.merchants[other].yen += n
            fees[other] += n
    me.assistants -= n
    area.assistants[seat] += n
    placed += [place] * n


def telegram(state: YokohamaState, seat: int, pair: int, placed: list[str], fees: Fees) -> Scene:
    """Telegram: after two in one area, one more in an area that touches it, at the usual fee."""
    me = state.merchants[seat]
    if "telegram" not in me.names:
        return
    others = state.presidents(seat)
    around = [at for at in state.streets[pair] if state.areas[at].action != "canal"]
    while True:
        choices = [NO_THIRD]
        if me.assistants:
            for at in around:
                toll = others.get(at, 0)
                if YEN[toll] <= me.yen:
                    choices.append(_placing(state.areas[at].id, "place", toll))
        choices += at_any_time(state, seat)
        if len(choices) == 1:
            state.tell("yokohama.no_third", seat=seat, why=because("dear_around" if me.assistants else "no_more"))
            return
        blocked = [no for no in too_dear(state, seat, placed) if state.where[no.label.args["place"]] in around]
        choice = yield ask(
            seat,
            "yokohama.ask.telegram",
            choices,
            "done",
            blocked=blocked,
            main="done",
            hints=later(placing, state, seat, placed),
        )
        if choice == "done":
            return
        if not use_at_any_time(state, seat, choice):
            _place(state, seat, choice, placed, fees)
            return
