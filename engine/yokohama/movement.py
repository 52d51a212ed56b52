"""Movement step (B 2 of a turn): where the president goes and whom it pays on the way, or its return to hand."""

from collections.abc import Sequence
from functools import cache

from engine.scene import Blocked, Message, Option, Scene, ask, later
from engine.yokohama.box import MOST_POWER
from engine.yokohama.city import CANAL, YEN, Route, fee, receivers, routes
from engine.yokohama.gains import at_any_time, done, rest, use_at_any_time
from engine.yokohama.means import Going
from engine.yokohama.outlook import arriving
from engine.yokohama.state import AREA_STEPS, EMPTY, YokohamaState

RECALL = Option("recall", Message("yokohama.recall"), Message("yokohama.recall.hint"))
STAY_IN_HAND = Option("recall", Message("yokohama.stay"), Message("yokohama.stay.hint"))  # with the president in hand


def movement(state: YokohamaState, seat: int, placed: list[str]) -> Scene:
    """Move the president or take it back to hand. Returns whether there is an action to carry out."""
    me = state.merchants[seat]
    start = me.president
    while True:
        found = destinations(state, seat)
        closed = later(_blocked_ways, state, seat, start, found)
        choices = [RECALL if start >= 0 else STAY_IN_HAND]
        choices += [_going(state.areas[at].id, found[at][0][0], len(found[at])) for at in sorted(found)]
        choices += at_any_time(state, seat)
        choice = yield ask(
            seat,
            "yokohama.ask.go",
            choices,
            "recall",
            blocked=closed,
            hints=later(arriving, state, seat),
            yen=me.yen,
        )
        if not use_at_any_time(state, seat, choice):
            break
    if choice == "recall":
        if not found:
            state.tell("yokohama.nowhere", seat=seat)
        yield from recall(state, seat, placed, forced=not found, closed=[] if found else closed)
        return False
    at = state.where[choice.place]
    yield from _travel(state, seat, at, found[at])
    return True


@cache
def _going(place: str, toll: int, ways: int) -> Option:
    """To an area, and what the way there costs; where ways differ in whom they pay, that comes next."""
    if ways == 1:
        label = fee("yokohama.go", toll, place=place)
    else:
        label = Message("yokohama.go.ways", {"place": place, "n": ways, "yen": YEN[toll]})
    return Option(f"go.{place}", label, None, (f"area:{place}",), means=Going(place, YEN[toll]), leads=ways > 1)


def _blocked_ways(state: YokohamaState, seat: int, start: int, found: dict[int, list[Route]]) -> list[Blocked]:
    """Areas with an own assistant where no way led from `start`."""
    others = state.presidents(seat)
    closed = []
    for at, area in enumerate(state.areas):
        if area.assistants[seat] and at not in found and at != start:
            why = Message("yokohama.why.occupied" if at in others else "yokohama.why.unreachable")
            closed.append(Blocked(Message("yokohama.go", {"place": area.id}), why))
    return closed


def _travel(state: YokohamaState, seat: int, at: int, ways: list[Route]) -> Scene:
    me = state.merchants[seat]
    toll = ways[0][0]
    if len(ways) > 1:
        choices = [_route(state, way) for way in ways]
        toll = yield ask(seat, "yokohama.ask.route", choices, choices[0].id, place=state.areas[at].id)
    me.yen -= YEN[toll]
    for other in receivers(toll):
        state.merchants[other].yen += 1
        state.tell("yokohama.paid", seat=seat, to=other, n=1)
    if toll & CANAL:
        state.tell("yokohama.crossed_canal", seat=seat)
    state.move_president(seat, at)
    state.tell("yokohama.went", seat=seat, place=state.areas[at].id, power=state.power(seat, at))


def _route(state: YokohamaState, way: Route) -> Option:
    toll, path = way
    place = state.areas[path[-1]].id
    return Option(f"route.{toll}", fee("yokohama.route", toll, place=place), None, (f"area:{place}",), means=toll)


def recall(
    state: YokohamaState,
    seat: int,
    placed: list[str],
    forced: bool = False,
    closed: Sequence[Blocked] | later[list[Blocked]] = (),
) -> Scene:
    """The president returns to hand, with any assistants of one's choice; the main action ends. By default they stay,
    but one that was placed where power is full without it: missed turns cost least so, and do not pile up. `forced`:
    there was nowhere to go, for ways that were `closed`."""
    me = state.merchants[seat]
    state.skip(*AREA_STEPS)
    came = me.president >= 0
    how = "forced" if forced and came else "came" if came else "stayed"
    president = {"key": f"yokohama.back.{how}"}
    state.move_president(seat, EMPTY)
    back = 0
    idle = len(placed) == 1 and state.power(seat, state.where[placed[0]]) == MOST_POWER
    held = {area.id: n for area in state.areas if (n := area.assistants[seat])}
    while True:
        choices = [done("recall")]
        if len(held) > 1:
            label = Message("yokohama.fetch.everyone", {"n": sum(held.values())})
            choices.append(Option("everyone", label, means=tuple(held.items())))
        for place, n in held.items():
            choices += _fetching(place, n)
        default = f"fetch1.{placed[0]}" if idle and not back else "done"
        onward = rest(state) if default == "done" else None
        fetched = yield ask(
            seat,
            "yokohama.ask.recall",
            choices,
            default,
            blocked=() if back else closed,
            rest=onward,
            main="done",
            president=president,
        )
        if fetched == "done":
            break
        for place, n in fetched:
            state.areas[state.where[place]].assistants[seat] -= n
            me.assistants += n
            back += n
            held[place] -= n
        held = {place: n for place, n in held.items() if n}
    state.tell("yokohama.recalled" if came else "yokohama.stayed", seat=seat, n=back)


@cache
def _fetching(place: str, n: int) -> tuple[Option, ...]:
    """One of the assistants in an area, or all of them."""
    return (_fetch(place, 1), _fetch(place, n)) if n > 1 else (_fetch(place, 1),)


def _fetch(place: str, n: int) -> Option:
    label = Message("yokohama.fetch.all" if n > 1 else "yokohama.fetch", {"place": place, "n": n})
    return Option(f"fetch{n}.{place}", label, None, (f"area:{place}",), means=((place, n),))


def destinations(state: YokohamaState, seat: int) -> dict[int, list[Route]]:
    """Movement step: where the president may end, and the routes there that differ in whom they pay."""
    me = state.merchants[seat]
    stagecoach, postal = "stagecoach" in me.names, "postal" in me.names
    others = state.presidents(seat)
    start, canal = me.president, state.canal
    tolls = {at: others.get(at, 0) for at, area in enumerate(state.areas) if area.assistants[seat]}
    if stagecoach:
        tolls = dict.fromkeys(tolls, 0)
    if canal != EMPTY:
        tolls[canal] = CANAL
    found: dict[int, list[Route]]
    if start >= 0:
        found = routes(start, state.streets, tolls, me.yen)
    else:
        found = {at: [(toll, (at,))] for at, toll in tolls.items() if YEN[toll] <= me.yen}
    found.pop(canal, None)
    if not postal:
        for at in others:
            found.pop(at, None)
    if "tram" in me.names:
        for at, area in enumerate(state.areas):
            if at != start and at != canal and at not in others and (area.assistants[seat] or not state.dlp):
                found[at] = [(0, (at,))]
    if "station" in me.names and state.station != start:
        found[state.station] = [(0, (state.station,))]
    return found
