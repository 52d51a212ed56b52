"""Effects resolved one after the other, each completely before the next.

They are taken in the order of the agenda: all but offers (pay for more) commute, or are best taken as they come, so the
player is asked about the order only where an offer waits.
"""

from collections.abc import Mapping
from typing import Any

from engine.scene import Message, Option, Scene, ask
from engine.zaibatsu.departments import any_department, department, innovation, one_of_departments
from engine.zaibatsu.gains import Agenda, advance, amounts, costs, gain, go_back, pay, unlock
from engine.zaibatsu.goods import goods_in
from engine.zaibatsu.pieces import buildable, free_machine, free_ship, free_train, open_docks, open_spaces
from engine.zaibatsu.state import Board, Zaibatsu

SKIP = Option("skip", Message("zaibatsu.skip"), means=None)
LATER = Option("later", Message("zaibatsu.later"), Message("zaibatsu.later.hint"))


def resolve(state: Zaibatsu, seat: int, agenda: Agenda) -> Scene:
    """Resolve all effects, each completely before the next (General concepts)."""
    board = state.boards[seat]
    while agenda:
        effect = agenda.pop(0)
        kind = effect[0]
        if kind == "gain":
            gain(state, seat, effect[1], effect[2])
        elif kind == "advance":
            advance(state, seat, effect[1], effect[2], agenda)
        elif kind == "department":
            department(state, seat, effect[1], effect[1] in board.upgraded, agenda)
        elif kind == "token":
            unlock(state, seat, effect[1])
        else:
            yield from CHOICES[kind](state, seat, agenda, *effect[1:])


def build_any(state: Zaibatsu, seat: int, agenda: Agenda) -> Scene:
    """A ship, a machine or a train, as the player likes."""
    board = state.boards[seat]
    options = [_kind_option(kind) for kind in ("ship", "machine", "train") if buildable(state, board, kind)]
    if not options:
        return
    kind = yield ask(seat, "zaibatsu.build_any", options, options[0].id)
    agenda.insert(0, (kind,))


def _kind_option(kind: str) -> Option:
    return Option(f"build.{kind}", Message(f"zaibatsu.build.{kind}"), means=kind)


# Offers


def offer(state: Zaibatsu, seat: int, agenda: Agenda, tile: str, barred: int = -1) -> Scene:
    """Some factories let their builder pay once for more of the same. Bonuses that wait may be taken before."""
    board, row = state.boards[seat], state.box.tiles[tile].row
    what = "train" if "train" in row.gains else "ship" if "ship" in row.gains else "mining"
    if not _can_pay(board, row.offer) or not _possible(state, board, what, barred):
        if agenda:
            agenda.append(("offer", tile, barred))
        return
    options = [_offer_option(what, row.offer, board), SKIP]
    if agenda:
        options.insert(1, LATER)
    choice = yield ask(seat, "zaibatsu.offer", options, SKIP.id, main=SKIP.id, tile=tile)
    if choice == "later":
        agenda.append(("offer", tile, barred))
        return
    if choice is None:
        return
    pay(state, seat, row.offer.get("money", 0))
    board.iron -= row.offer.get("iron", 0)
    if back := row.offer.get("finance", 0):
        go_back(state, seat, back)
    if what == "mining":
        agenda.insert(0, ("advance", "mining", row.gains["mining"]))
    elif what == "ship":
        agenda.insert(0, ("ship",))
    else:
        agenda.insert(0, ("train", 1, (barred,)))


def _can_pay(board: Board, price: Any) -> bool:
    """Going back on Finance can always be paid: the marker stays on the first space."""
    return bool(board.purse() >= price.get("money", 0) and board.iron >= price.get("iron", 0))


def _possible(state: Zaibatsu, board: Board, what: str, barred: int) -> bool:
    if what == "mining":
        return board.mining < state.box.last_space["mining"]
    return bool(open_docks(state, board) if what == "ship" else open_spaces(state, board, (barred,)))


def _offer_option(what: str, price: Mapping[Any, int], board: Board) -> Option:
    others = (("back" if thing == "finance" else thing, n) for thing, n in price.items() if thing != "money")
    prices = costs(board, price.get("money", 0)) + amounts(others)
    hint = Message("zaibatsu.hint.offer", {"prices": prices})
    if back := price.get("finance", 0):
        hint = Message("zaibatsu.hint.offer_back", {"prices": prices, "to_space": max(1, board.finance - back)})
    return Option("accept", Message(f"zaibatsu.offer.{what}"), hint)


CHOICES: dict[str, Any] = {
    "any": any_department,
    "departments": one_of_departments,
    "steps": innovation,
    "ship": free_ship,
    "train": free_train,
    "machine": free_machine,
    "goods_in": goods_in,
    "build_any": build_any,
    "offer": offer,
}
