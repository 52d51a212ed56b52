"""Setting up: the decks and rows, the kits, and the orders dealt. Keeping two of the orders is in rounds.py."""

from engine.duel.box import GOODS, TECHNOLOGIES
from engine.duel.numbers import BONUS_ROW, CHURCH_ROW, DEALT, TECHNOLOGY_ROW
from engine.duel.state import Duel, Player


def setup(state: Duel) -> None:
    """Setting up. The first player is drawn by lot."""
    box = state.box
    state.first = state.current = state.shuffled([0, 1])[0]
    state.orders = state.shuffled(box.orders)
    state.technology_deck = state.shuffled(TECHNOLOGIES)
    state.technology_row = [state.technology_deck.pop() for _ in range(TECHNOLOGY_ROW)]
    state.bonus_deck = state.shuffled(box.bonus)
    state.bonus_row = [state.bonus_deck.pop() for _ in range(BONUS_ROW)]
    church = state.shuffled(box.church)
    state.church_row = sorted(church[:CHURCH_ROW], key=box.church_rank.__getitem__)
    state.church_out = church[CHURCH_ROW:]
    state.seats = [_player(state, seat) for seat in range(2)]
    state.tell("duel.starts", seat=state.first)


def _player(state: Duel, seat: int) -> Player:
    kit = state.box.kits[0 if seat == state.first else 1]
    return Player(
        yen=kit.get("yen", 0),
        goods=[kit.get(good, 0) for good in GOODS],
        imports=kit.get("imports", 0),
        help=[kit.get("help1", 0), kit.get("help2", 0)],
        offer=[state.orders.pop() for _ in range(DEALT)],
    )
