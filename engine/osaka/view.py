"""What leaves the table: what a seat may see. By whitelist."""

from collections.abc import Sequence
from typing import Any

from engine.osaka.box import COLOUR, COLOURS, ORDER
from engine.osaka.buying import ends, payment_plan, voyage
from engine.osaka.payment import at_risk, proceeds
from engine.osaka.state import Osaka, Slot, reserved_at, within_reach, worth
from engine.scene import Gauge

STEPS = ("action", "pay", "insure")


def view(state: Osaka, seat: int | None) -> dict[str, Any]:
    box = state.box
    playing = not state.ended
    purchase = _purchase(state, seat) if playing and state.opening == state.players else None
    return {
        "ships": dict(state.ships),
        "route": [{"name": row.name, "kind": row.kind} for row in box.tables.route.rows],
        "market": [_slot(slot) for slot in state.market],
        "farm": [_slot(slot) for slot in state.farm],
        "icons": box.icons,
        "deck": len(state.deck),
        "discard": len(state.discard),
        "discarded": sorted(state.discard, key=ORDER.__getitem__) if state.open else None,
        "turn": state.turn,
        "current": state.current if playing else None,
        "first": state.first,
        "opening": state.opening < state.players,
        "last_token": box.number["last_token"],
        "trail": _trail(state),
        "price": purchase["price"] if purchase else 0,
        "purchase": purchase,
        "paying": _paying(state, seat),
        "sinking": list(state.sinking),
        "spent": list(state.spent),
        "seats": [_seat(state, other, _shown(state, other, seat)) for other in range(state.players)],
    }


def gauges(state: Osaka, seat: int) -> dict[Gauge, int]:
    """Tokens and goods of every player, points and coins of those whose hand is seen."""
    seen = dict[Gauge, int]()
    for other in range(state.players):
        if _shown(state, other, seat):
            seen[Gauge("vp", other)] = state.vp[other]
            seen[Gauge("coins", other)] = worth(state.hands[other])
        seen[Gauge("tokens", other)] = sum(state.tokens[other].values())
        seen[Gauge("goods", other)] = len(state.goods[other])
    return seen


def _shown(state: Osaka, other: int, seat: int | None) -> bool:
    """Whether this seat may see what the other has in hand and under the trader piece."""
    return state.open or state.ended or other == seat


def _trail(state: Osaka) -> list[dict[str, str]]:
    """The steps of a turn: choosing what to do, paying, saving what would sink."""
    if state.ended or state.opening < state.players:
        return []
    now = STEPS.index("insure" if state.sinking else "pay" if state.price else "action")
    return [
        {"say": f"osaka.step.{step}", "when": "past" if n < now else "ahead" if n > now else "now"}
        for n, step in enumerate(STEPS)
        if n <= max(now, 1)
    ]


def _purchase(state: Osaka, seat: int | None) -> dict[str, Any] | None:
    """What buying would cost whose turn it is, and do to the ships and to that player's goods."""
    buyer = state.current
    bought = [slot.card for slot in within_reach(state, buyer)]
    if not bought:
        return None
    price, coins = worth(bought), worth(state.hands[buyer]) + worth(state.spent)
    shown = _shown(state, buyer, seat)
    trip = voyage(state, bought)
    over = ends(state, buyer, trip, bought)
    sinks = [] if over else trip.sinks
    return {
        "seat": buyer,
        "cards": bought,
        "price": price,
        "short": max(0, price - coins) if shown else None,
        "to": trip.to,
        "lands": trip.lands,
        "sinks": sinks,
        "ends": over,
        "at_risk": [_at_risk(state, other, sinks, bought if other == buyer else ()) for other in range(state.players)],
        "sets": _sets(state, buyer, bought),
    }


def _paying(state: Osaka, seat: int | None) -> dict[str, Any] | None:
    """The purchase that is being paid: how much is still owed, and the cards with which that wastes least."""
    if not state.price:
        return None
    owing = state.price - worth(state.spent)
    shown = _shown(state, state.current, seat)
    return {
        "price": state.price,
        "owing": owing,
        "plan": payment_plan(state, state.current, owing) if shown else None,
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
        "sets": _sets(state, seat),
        "at_risk": _at_risk(state, seat, state.sinking),
        "tokens": dict(state.tokens[seat]),
        "vp": state.vp[seat] if shown else None,
        "reserving": {"where": placed[0], "at": placed[1]} if placed else None,
    }


def _at_risk(state: Osaka, seat: int, sinks: list[str], extra: Sequence[str] = ()) -> dict[str, int]:
    """How many of this seat's goods, and of these besides, the waves would take if nothing more was insured."""
    lost = {colour: len(at_risk(state, seat, colour)) for colour in sinks}
    for card in extra:
        if COLOUR[card] in lost:
            lost[COLOUR[card]] += 1
    return {colour: n for colour, n in lost.items() if n}


def _sets(state: Osaka, seat: int, extra: Sequence[str] = ()) -> dict[str, dict[str, int]]:
    """What this seat's goods, and these besides, would bring by colour if their ship came to Edo now."""
    held: dict[str, list[str]] = {}
    for card in (*[good.card for good in state.goods[seat]], *extra):
        held.setdefault(COLOUR[card], []).append(card)
    per = state.box.coins_per_vp
    return {
        colour: proceeds(held[colour], state.tokens[seat][colour], per)._asdict()
        for colour in COLOURS
        if colour in held
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
