"""Placement step (B 1 of a turn): assistants from hand to areas."""

from collections import Counter
from functools import cache

from engine.scene import Message, Option, Scene, ask
from engine.yokohama.city import YEN, fee, receivers
from engine.yokohama.gains import DONE, at_any_time, use_at_any_time
from engine.yokohama.state import YokohamaState


def placement(state: YokohamaState, seat: int) -> Scene:
    """One assistant each in up to three areas (Newspaper: four), or two in one (Telegram: and one beside it)."""
    placed: list[str] = []
    fees: Counter[int] = Counter()
    yield from _place_up_to(state, seat, 4 if "newspaper" in state.merchants[seat].names else 3, placed, fees)
    if placed:
        _tell_placed(state, seat, placed)
    for other, n in fees.items():
        state.tell("yokohama.paid", seat=seat, to=other, n=n)


def _tell_placed(state: YokohamaState, seat: int, placed: list[str]) -> None:
    first, *more = placed
    if first not in more:
        state.tell("yokohama.placed", seat=seat, places=placed, n=len(placed))
    elif len(more) == 1:
        state.tell("yokohama.placed_two", seat=seat, place=first)
    else:
        state.tell("yokohama.placed_two_and_one", seat=seat, place=first, beside_place=more[-1])


def _place_up_to(state: YokohamaState, seat: int, most: int, placed: list[str], fees: Counter[int]) -> Scene:
    """The choices of the placement step; notes where assistants went and who was paid."""
    me = state.merchants[seat]
    others = state.presidents(seat)
    while len(placed) < most:
        choices = _offer_placing(state, seat, others, placed) if me.assistants else []
        default = _least_committing(state, seat, others, choices) if choices and not placed else DONE
        if default is DONE:
            choices.insert(0, DONE)
        choices += at_any_time(state, seat)
        if choices == [DONE]:
            return
        choice = yield ask(seat, "yokohama.ask.place", choices, default.id, n=most - len(placed), yen=me.yen)
        if choice == "done":
            return
        if use_at_any_time(state, seat, choice):
            continue
        place, n = choice
        _place(state, seat, place, n, placed, fees)
        if n == 2:
            yield from telegram(state, seat, state.where[place], placed, fees)
            return


def _offer_placing(state: YokohamaState, seat: int, others: dict[int, int], placed: list[str]) -> list[Option]:
    me = state.merchants[seat]
    singles, pairs = [], []
    may_pair = not placed and me.assistants > 1
    for at, area in enumerate(state.areas):
        if area.action == "canal" or area.id in placed:
            continue
        mask = others.get(at, 0)
        price = YEN[mask]
        if price > me.yen:
            continue
        power = state.power(seat, at) + (me.president != at)
        singles.append(_placing(area.id, 1, mask, power + 1))
        if may_pair and 2 * price <= me.yen:
            pairs.append(_placing(area.id, 2, mask, power + 2))
    return singles + pairs


# Built once for each meaning and shared: there are up to 34 of them at every step of the placement.
@cache
def _placing(place: str, n: int, toll: int, power: int) -> Option:
    verb = "place" if n == 1 else "pair"
    label = fee(f"yokohama.{verb}", toll, n, place=place)
    hint = Message("yokohama.place.hint", {"power": min(power, 5)})
    return Option(f"{verb}.{place}", label, hint, (f"area:{place}",), means=(place, n))


def _least_committing(state: YokohamaState, seat: int, others: dict[int, int], choices: list[Option]) -> Option:
    """One assistant where it costs nothing, the own president's area first."""
    here = state.merchants[seat].president
    free = [at for at, area in enumerate(state.areas) if at not in others and area.action != "canal"]
    place = state.areas[here if here in free else free[0]].id
    return next(option for option in choices if option.meaning == (place, 1))


def _place(state: YokohamaState, seat: int, place: str, n: int, placed: list[str], fees: Counter[int]) -> None:
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


def telegram(state: YokohamaState, seat: int, beside: int, placed: list[str], fees: Counter[int]) -> Scene:
    """Telegram: after two in one area, one more in an area that touches it, at the usual fee."""
    me = state.merchants[seat]
    if "telegram" not in me.names:
        return
    others = state.presidents(seat)
    while True:
        choices = [DONE]
        if me.assistants:
            choices += [
                _placing(area.id, 1, others.get(at, 0), state.power(seat, at) + (me.president != at) + 1)
                for at in state.streets[beside]
                if (area := state.areas[at]).action != "canal" and YEN[others.get(at, 0)] <= me.yen
            ]
        choices += at_any_time(state, seat)
        choice = yield ask(seat, "yokohama.ask.telegram", choices, "done")
        if choice == "done":
            return
        if not use_at_any_time(state, seat, choice):
            place, n = choice
            _place(state, seat, place, n, placed, fees)
            return
