"""What leaves the table: what a seat may see. By whitelist."""

from typing import Any

from engine.osaka.box import VALUE
from engine.osaka.state import Osaka, Slot, reserved_at, within_reach, worth


def view(state: Osaka, seat: int | None) -> dict[str, Any]:
    box = state.box
    playing = not state.ended
    on_turn = playing and state.opening == state.players
    return {
        "ships": dict(state.ships),
        "route": [{"name": row.name, "kind": row.kind} for row in box.tables.route.rows],
        "market": [_slot(slot) for slot in state.market],
        "farm": [_slot(slot) for slot in state.farm],
        "icons": box.icons,
        "deck": len(state.deck),
        "discard": len(state.discard),
        "turn": state.turn,
        "current": state.current if playing else None,
        "first": state.first,
        "price": sum(VALUE[slot.card] for slot in within_reach(state, state.current)) if on_turn else 0,
        "seats": [_seat(state, other, state.open or state.ended or other == seat) for other in range(state.players)],
    }


def _slot(slot: Slot) -> dict[str, Any]:
    return {"card": slot.card, "reserved": slot.by}


def _seat(state: Osaka, seat: int, shown: bool) -> dict[str, Any]:
    """A seat's corner of the table. `shown`: with what is in the hand and under the trader piece."""
    hand = state.hands[seat]
    placed = reserved_at(state, seat)
    return {
        "hand": list(hand) if shown else None,
        "cards": len(hand),
        "coins": worth(hand) if shown else None,
        "goods": [{"card": good.card, "insured": good.insured} for good in state.goods[seat]],
        "tokens": dict(state.tokens[seat]),
        "vp": state.vp[seat] if shown else None,
        "reserving": {"where": placed[0], "at": placed[1]} if placed else None,
    }


def changes(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Ships that sailed, and cards that were not in their row or before their player."""
    spots = {f"ship:{colour}" for colour, at in after["ships"].items() if at != before["ships"][colour]}
    for row in ("market", "farm"):
        spots |= _new(row, before[row], after[row])
    for seat, (then, now) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        spots |= _new(f"goods:{seat}", then["goods"], now["goods"])
    return spots


def _new(place: str, before: list[dict[str, Any]], after: list[dict[str, Any]]) -> set[str]:
    """Which cards of a row are new: it closes up when one is taken, so position tells nothing."""
    old = list(before)
    spots = set()
    for at, card in enumerate(after):
        if card in old:
            old.remove(card)
        else:
            spots.add(f"{place}:{at}")
    return spots
