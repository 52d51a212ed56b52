"""Ships, machines and trains: where they can go, what building one does, and those that effects give for nothing."""

from collections.abc import Sequence
from functools import lru_cache

from engine.scene import Blocked, Message, Option, Scene, ask, later
from engine.zaibatsu.box import Box
from engine.zaibatsu.gains import (
    Agenda,
    Said,
    also,
    amounts,
    bonus_effect,
    costs,
    gain,
    named,
    priced,
    thresholds_met,
    withdraw_offers,
)
from engine.zaibatsu.goods import produce
from engine.zaibatsu.numbers import PIECES, SALARY, WORKER_ROOM
from engine.zaibatsu.state import Board, Worker, Zaibatsu, machine_room, train_influence

Ways = later[dict[str, list[Said]]]  # to pay for a piece, each to be said


def column_bonuses(state: Zaibatsu, board: Board, kind: str) -> tuple[str, ...]:
    """The bonuses that the next ship, machine or train gives: one lies between two rows, and is gained when both its
    spaces are empty."""
    count = getattr(board, kind) + 1
    found = []
    for upper, lower, bonuses in state.box.columns:
        if kind in (upper, lower) and count in bonuses:
            other = lower if kind == upper else upper
            if getattr(board, other) >= count:
                found.append(bonuses[count])
    return tuple(found)


def comes_with(state: Zaibatsu, board: Board, kind: str, upgraded: Sequence[str]) -> list[Said]:
    """The bonuses and the threshold that the next ship, machine or train reaches, to be said."""
    count: int = getattr(board, kind)
    bonuses = column_bonuses(state, board, kind)
    return named(state.box, upgraded, bonuses) + thresholds_met(state.box, kind, count, count + 1)


def built(state: Zaibatsu, seat: int, kind: str, agenda: Agenda) -> None:
    """A ship, machine or train leaves its space."""
    board = state.boards[seat]
    agenda.extend(map(bonus_effect, column_bonuses(state, board, kind)))
    setattr(board, kind, getattr(board, kind) + 1)


# Ships


def open_docks(state: Zaibatsu, board: Board) -> list[str]:
    """Destinations (by their colour) this board can send a ship to, the price aside."""
    if board.ships == PIECES or len(board.workers) >= WORKER_ROOM:
        return []
    room = state.sides
    return [colour for colour in state.experts if len(state.docks[colour]) < room]


def closed_docks(state: Zaibatsu) -> list[Blocked]:
    """Destinations that nobody can send a ship to now, and why."""
    shut = []
    for colour, place in state.box.destination.items():
        if len(state.docks[colour]) >= state.sides:
            shut.append(_closed(place, colour, "full"))
        elif colour not in state.experts:
            shut.append(_closed(place, colour, "no_expert"))
    return shut


def _closed(place: str, colour: str, why: str) -> Blocked:
    return Blocked(Message("zaibatsu.ship.to", {"place": place, "colour": colour}), Message(f"zaibatsu.why.{why}"))


def launch(state: Zaibatsu, seat: int, colour: str, agenda: Agenda) -> None:
    """Build a Ship, steps 2 to 4."""
    board = state.boards[seat]
    state.docks[colour].append(seat)
    state.experts.remove(colour)
    board.workers.append(Worker(colour, True))
    if colour not in board.upgraded and state.upgrades[colour]:
        state.upgrades[colour] -= 1
        board.upgraded.append(colour)
    built(state, seat, "ships", agenda)
    state.tell("zaibatsu.launched", seat=seat, place=state.box.destination[colour], colour=colour)


def ship_options(box: Box, colours: list[str], leads: bool = False) -> list[Option]:
    """`leads`: how to pay for it is asked next."""
    return [_ship_option(box.destination[colour], colour, leads) for colour in colours]


def _payable(ways: Ways | None) -> list[list[Said]]:
    return list(ways().values()) if ways else []


def dock_spot(place: str) -> str:
    return f"destination:{place}"


@lru_cache(2**8)
def _ship_option(place: str, colour: str, leads: bool) -> Option:
    label = Message("zaibatsu.ship.to", {"place": place, "colour": colour})
    return Option(f"ship.{colour}", label, None, (dock_spot(place),), means=colour, leads=leads)


def ship_hint(state: Zaibatsu, seat: int, ways: Ways | None, colour: str | None) -> Message | None:
    """The Department is upgraded before the bonuses of the column come. `ways` to pay for it."""
    if colour is None:
        return None
    board = state.boards[seat]
    same = any(worker.colour == colour for worker in board.workers)
    salary = {"key": "zaibatsu.salary.same"} if same else {"key": "zaibatsu.salary.more", "args": {"n": SALARY}}
    what, basic, better = state.box.department[colour]
    args = {"colour": colour, "salary": salary, "basic": basic, "gains": amounts(((what, better),))}
    key = "zaibatsu.hint.ship_again" if colour in board.upgraded else "zaibatsu.hint.ship"
    more = comes_with(state, board, "ships", (*board.upgraded, colour))
    return priced(also(Message(key, args), more), _payable(ways))


def free_ship(state: Zaibatsu, seat: int, agenda: Agenda, and_department: bool = False) -> Scene:
    """By default to where its expert asks for no salary of his own."""
    board = state.boards[seat]
    colours = open_docks(state, board)
    if not colours:
        state.tell("zaibatsu.no_ship", seat=seat)
        withdraw_offers(agenda)
        return
    options = ship_options(state.box, colours)
    mine = {worker.colour for worker in board.workers}
    default = next((option for option in options if option.means in mine), options[0])
    colour = yield ask(seat, "zaibatsu.ship", options, default.id, hints=later(ship_hint, state, seat, None))
    bonuses: Agenda = []
    launch(state, seat, colour, bonuses)
    if and_department:
        bonuses.append(("department", colour))
    agenda.extend(bonuses)


# Trains


def room_for_train(state: Zaibatsu, board: Board) -> bool:
    """Whether this board has a train left and any region a free space."""
    if board.trains == PIECES:
        return False
    limit = state.train_spaces
    return any(None in spaces[:limit] for spaces in state.trains)


def open_spaces(state: Zaibatsu, board: Board, barred: tuple[int, ...] = ()) -> list[tuple[int, int]]:
    """(region, space) for a new train, the price aside: the topmost free space of each kind of bonus."""
    if not room_for_train(state, board):
        return []
    limit = state.train_spaces
    found = []
    for region, spaces in enumerate(state.trains):
        if region in barred:
            continue
        for alike in state.box.alike_spaces[region]:
            for space in alike:
                if space < limit and spaces[space] is None:
                    found.append((region, space))
                    break
    found.sort()
    return found


def lay(state: Zaibatsu, seat: int, region: int, space: int, agenda: Agenda, times: int = 1) -> None:
    """Build a Train, steps 2 and 3."""
    state.trains[region][space] = seat
    state.tell("zaibatsu.laid", seat=seat, place=state.box.regions[region])
    bonus = state.box.train_bonus[region][space]
    if bonus:
        gain(state, seat, bonus[0], bonus[1] * times)
    built(state, seat, "trains", agenda)


def rail_spot(place: str, space: int) -> str:
    return f"train:{place}:{space}"


def train_options(box: Box, spaces: list[tuple[int, int]], leads: bool = False) -> list[Option]:
    """`leads`: how to pay for it is asked next."""
    return [_train_option(box.regions[region], region, space, leads) for region, space in spaces]


def _present(state: Zaibatsu, seat: int, region: int) -> bool:
    """Trains count only in a region with a token of their owner."""
    cities = state.cities[2 * region : 2 * region + 2]
    return any(token is not None and token.owner == seat for city in cities for token in city.tokens)


@lru_cache(2**8)
def _train_option(place: str, region: int, space: int, leads: bool) -> Option:
    label = Message("zaibatsu.train.in", {"place": place, "n": space + 1})
    return Option(
        f"train.{region}.{space}", label, None, (rail_spot(place, space),), means=(region, space), leads=leads
    )


def train_hint(state: Zaibatsu, seat: int, times: int, ways: Ways | None, at: tuple[int, int] | None) -> Message | None:
    """`times`: how often the bonus of the space is gained. `ways` to pay for it."""
    if at is None:
        return None
    region, space = at
    gives: dict[str, object] = {"key": "zaibatsu.hint.no_bonus"}
    if bonus := state.box.train_bonus[region][space]:
        gives = {"key": "zaibatsu.hint.gain", "args": {"gains": amounts(((bonus[0], bonus[1] * times),))}}
    influence = train_influence(state, seat) if _present(state, seat, region) else 0
    key = "zaibatsu.hint.train" if influence else "zaibatsu.hint.train_idle"
    board = state.boards[seat]
    hint = also(
        Message(key, {"first": gives, "influence": influence}), comes_with(state, board, "trains", board.upgraded)
    )
    return priced(hint, _payable(ways))


def free_train(state: Zaibatsu, seat: int, agenda: Agenda, times: int = 1, barred: tuple[int, ...] = ()) -> Scene:
    spaces = open_spaces(state, state.boards[seat], barred)
    if not spaces:
        state.tell("zaibatsu.no_train", seat=seat)
        withdraw_offers(agenda)
        return
    options = train_options(state.box, spaces)
    hints = later(train_hint, state, seat, times, None)
    region, space = yield ask(seat, "zaibatsu.train", options, options[0].id, hints=hints)
    lay(state, seat, region, space, agenda, times)
    for at, effect in enumerate(agenda):
        if effect[0] == "offer":
            agenda[at] = (*effect[:2], region)


# Machines


def machine_sites(board: Board, barred: tuple[int, ...] = ()) -> list[int]:
    """Own factories with room for a machine; the second space of a factory asks for 1 iron."""
    if board.machines == PIECES:
        return []
    return [
        at
        for at, factory in enumerate(board.factories)
        if at not in barred and machine_room(factory) and (factory.machines == 0 or board.iron)
    ]


def install(state: Zaibatsu, seat: int, at: int, agenda: Agenda) -> None:
    """Build a Machine, step 2: the free space first."""
    board = state.boards[seat]
    factory = board.factories[at]
    if factory.machines:
        board.iron -= 1
    factory.machines += 1
    built(state, seat, "machines", agenda)
    state.tell("zaibatsu.installed", seat=seat, tile=factory.tile)


def machine_options(state: Zaibatsu, board: Board, sites: list[int], price: int) -> list[Option]:
    return [_machine_option(state, board, at, price) for at in sites]


def _machine_option(state: Zaibatsu, board: Board, at: int, price: int) -> Option:
    label = Message("zaibatsu.machine.in", {"tile": board.factories[at].tile})
    hint = later(_machine_hint, state, board, at, price)
    return Option(f"machine.{at}", label, hint, (f"own_factory:{at}",), means=at)


def _machine_hint(state: Zaibatsu, board: Board, at: int, price: int) -> Message:
    machines = board.factories[at].machines
    hint = Message("zaibatsu.hint.machine_free", {"n": machines + 2})
    if prices := [*costs(board, price), *amounts((("iron", machines),))]:
        hint = Message("zaibatsu.hint.machine", {"prices": prices, "n": machines + 2})
    return also(hint, comes_with(state, board, "machines", board.upgraded))


def free_machine(
    state: Zaibatsu, seat: int, agenda: Agenda, barred: tuple[int, ...] = (), more: int = 0, produce: bool = False
) -> Scene:
    """A machine without its 5 money; `more` further ones in other factories; `produce` there at once."""
    board = state.boards[seat]
    sites = machine_sites(board, barred)
    if not sites:
        return
    options = machine_options(state, board, sites, 0)
    at = yield ask(seat, "zaibatsu.machine", options, options[0].id)
    install(state, seat, at, agenda)
    if produce:
        produce_once(state, seat, at)
    if more:
        yield from free_machine(state, seat, agenda, (*barred, at), more - 1)


def produce_once(state: Zaibatsu, seat: int, at: int) -> None:
    """Produce by a factory's effect: coal is spent as always, and without it there are no goods."""
    board = state.boards[seat]
    coal = state.box.tiles[board.factories[at].tile].coal
    if board.all_coal() >= coal:
        produce(state, seat, at, coal)


def buildable(state: Zaibatsu, board: Board, kind: str) -> bool:
    """Whether this board can build a ship, a machine or a train now, their price aside."""
    if kind == "ship":
        return bool(open_docks(state, board))
    return bool(machine_sites(board)) if kind == "machine" else room_for_train(state, board)
