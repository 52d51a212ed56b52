"""Investment and Contracts: goods spent for steps on Finance or for contracts, with its modifiers."""

from functools import cache

from engine.scene import Blocked, Message, Option, Scene, ask, later
from engine.zaibatsu.box import GOODS, Box
from engine.zaibatsu.departments import department_gives
from engine.zaibatsu.effects import resolve
from engine.zaibatsu.factories import Modifier, modifier_option, modifiers_of, modify, modify_at_the_end
from engine.zaibatsu.gains import Agenda, advance, along, amounts, bonus_effect, income_at, on_the_way, thresholds_met
from engine.zaibatsu.goods import spend_goods
from engine.zaibatsu.markets import DONE
from engine.zaibatsu.numbers import FINANCE_STEPS, MOST
from engine.zaibatsu.state import Board, Zaibatsu

NEEDED = {"": 0, "contract": 1, "two_contracts": 2}


def can_invest(state: Zaibatsu, board: Board) -> bool:
    return board.goods() > 0


def investment_action(state: Zaibatsu, seat: int, action: str, worker: str) -> Scene:
    """Investment and Contracts action: 1, then 2, then 3 goods, of different types."""
    board, tiles = state.boards[seat], state.box.tiles
    modifiers = modifiers_of(state, board, action)
    spent: list[str] = []
    contracts = 0
    while len(spent) < MOST:
        need = len(spent) + 1
        stock = board.stock()
        goods = [good for good in GOODS if good not in spent and stock.get(good, 0) >= need]
        if not goods:
            break
        options = [_spend_option(board, good, need) for good in goods]
        ships = [modifier for modifier in modifiers if contracts and "ship" in tiles[modifier.tile].row.gains]
        if spent:
            options += [*map(modifier_option, ships), DONE]
        default, main = (DONE, DONE.id) if spent else (options[0], "")
        chosen = yield ask(seat, "zaibatsu.investment", options, default.id, main=main, n=need)
        if chosen is None:
            break
        if isinstance(chosen, Modifier):
            modifiers = []
            yield from modify(state, seat, chosen, worker)
            continue
        yield from spend_goods(state, seat, chosen, need)
        spent.append(chosen)
        contracts += yield from _deal(state, seat, spent)
    met = [modifier for modifier in modifiers if contracts >= NEEDED[tiles[modifier.tile].row.when]]
    yield from modify_at_the_end(state, seat, met, worker)


def _spend_option(board: Board, good: str, n: int) -> Option:
    label = Message("zaibatsu.spend", {"goods": amounts(((good, n),))})
    spots = tuple(f"own_factory:{at}" for at, own in enumerate(board.factories) if own.goods and own.good == good)
    return Option(f"spend.{good}", label, Message("zaibatsu.hint.spend"), spots, means=good)


def _deal(state: Zaibatsu, seat: int, spent: list[str]) -> Scene:
    """Two steps on Finance, or a contract. Returns how many contracts were fulfilled."""
    board, box = state.boards[seat], state.box
    levels = {box.level[good] for good in spent}
    options = [_invest_option(_invested(box, board))]
    blocked = []
    for row in box.contracts.values():
        if row.id in board.contracts:
            continue
        if not row.level or row.level in levels:
            options.append(_contract_option(row.id))
        else:
            blocked.append(_no_such_good(row.id, row.level))
    hints = later(_deal_hint, state, board)
    contract = yield ask(seat, "zaibatsu.deal", options, options[0].id, blocked=blocked, hints=hints)
    agenda: Agenda = []
    if contract is None:
        advance(state, seat, "finance", FINANCE_STEPS, agenda)
    else:
        board.contracts.append(contract)
        state.tell("zaibatsu.fulfilled", seat=seat, contract=contract)
        agenda.append(bonus_effect(box.contracts[contract].gives))
    yield from resolve(state, seat, agenda)
    return int(contract is not None)


def _invested(box: Box, board: Board) -> int:
    """The space of Finance to which an investment leads."""
    return min(board.finance + FINANCE_STEPS, box.last_space["finance"])


@cache
def _invest_option(to: int) -> Option:
    return Option("invest", Message("zaibatsu.invest"), None, (f"track:finance:{to}",), means=None)


@cache
def _contract_option(contract: str) -> Option:
    label = Message("zaibatsu.contract.fulfil", {"contract": contract})
    return Option(f"contract.{contract}", label, None, (f"contract:{contract}",), means=contract)


def _deal_hint(state: Zaibatsu, board: Board, contract: str | None) -> Message:
    return _investment_hint(state.box, board) if contract is None else _contract_hint(state, board, contract)


def _investment_hint(box: Box, board: Board) -> Message:
    at, to = board.finance, _invested(box, board)
    if to == at:
        return Message("zaibatsu.hint.invest_end")
    bonuses = on_the_way(box, "finance", at, to)
    more = along(box, board.upgraded, "finance", income_at(box, "finance", to), bonuses)
    return Message("zaibatsu.hint.invest", {"to_space": to, "more": more + thresholds_met(box, "finance", at, to)})


def _contract_hint(state: Zaibatsu, board: Board, contract: str) -> Message:
    gives = state.box.contracts[contract].gives
    if gives == "any":
        return Message("zaibatsu.hint.any_department")
    return Message("zaibatsu.hint.gain", {"gains": amounts((department_gives(state, board, gives),))})


@cache
def _no_such_good(contract: str, level: int) -> Blocked:
    label = Message("zaibatsu.contract.fulfil", {"contract": contract})
    return Blocked(label, Message("zaibatsu.why.contract", {"level": str(level)}))
