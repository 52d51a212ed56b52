"""What leaves the table: what a seat may see, by whitelist, and what is new since an earlier look."""

from typing import Any

import msgspec

from engine.yokohama.box import COUNTRIES, GOODS, SHOP_PRICE, Space
from engine.yokohama.city import positions
from engine.yokohama.gains import house_price, lack
from engine.yokohama.prospects import ends, goal, power_there, price, tolls, ways
from engine.yokohama.scoring import country_points, icons
from engine.yokohama.state import EMPTY, NEUTRAL, SOURCES, Area, YokohamaState


def view(state: YokohamaState, seat: int | None) -> dict[str, Any]:
    playing = state.phase == "play"
    final = state.final_round
    reach = ways(state, seat) if seat is not None and playing else {}
    return {
        "edition": state.options["edition"],
        "phase": state.phase,
        "round": state.round,
        "active": state.seat if playing else None,
        "step": state.step,
        "trail": _trail(state),
        "used": {"agent": state.agent_used, "spinning_mill": state.spun, "university": state.studied},
        "final_round": None if final == EMPTY else final,
        "triggers": list(state.triggers),
        "areas": [_area(state, at, seat) for at in range(len(state.areas))],
        "ways": reach,
        "tolls": tolls(reach),
        "boards": {place: _board(state, place, seat) for place in state.boards},
        "decks": {"orders": len(state.order_deck), "technologies": len(state.tech_deck)},
        "church": _track(state.church, state.box.church),
        "customs": _track(state.customs, state.box.customs),
        "pawns_to_end": state.pawns_to_end,
        "achievements": [
            {
                **_plain(state.box.achievements[card.card]),
                "seats": list(card.seats),
                "mine": None if seat is None else goal(state, seat, card),
            }
            for card in state.goals
        ],
        "ends": ends(state),
        "agents": dict(state.agents),
        "seats": [_seat(state, other, seat) for other in range(state.players)],
        "provenance": {name: getattr(state.box.tables, name).provenance for name in state.box.tables.__struct_fields__},
    }


def _trail(state: YokohamaState) -> list[dict[str, str]]:
    """The steps of the turn, in order: what is past, what is asked about now, what is left. After an agent's action the
    additional phase it belongs to goes on."""
    if not state.step:
        return []
    at = state.trail.index(state.step)
    errand = [f"agent_{step}" for step in state.errand]
    steps = [*state.trail[:at], *errand, *state.trail[at:]]
    return [
        {"say": f"yokohama.step.{step}", "when": "past" if n < at else "ahead" if n > at else "now"}
        for n, step in enumerate(steps)
    ]


def _plain(value: Any) -> Any:
    """A struct of the box as JSON-able data, without what is zero."""
    return msgspec.to_builtins(value)


def _owner(holder: int) -> int | str | None:
    return None if holder == EMPTY else "neutral" if holder == NEUTRAL else holder


def _area(state: YokohamaState, at: int, viewer: int | None) -> dict[str, Any]:
    area, box = state.areas[at], state.box
    board = box.areas[area.id]
    row, col = positions(tuple(box.sizes[state.players].rows))[at]
    shown: dict[str, Any] = {
        "id": area.id,
        "kind": board.kind,
        "action": board.action,
        "power": list(board.power),
        "row": row,
        "col": col,
        "touches": [state.areas[other].id for other in state.streets[at]],
        "presidents": [seat for seat, merchant in enumerate(state.merchants) if merchant.president == at],
        "assistants": list(area.assistants),
        "station": state.station == at,
    }
    if area.site:
        shown["site"] = _site(state, area)
        shown["token"] = _plain(box.tokens[area.token]) if area.token else None
        shown["powers"] = [state.power(seat, at) for seat in range(state.players)]
        if viewer is not None:
            shown["mine"] = power_there(state, viewer, at)
    return shown


def _site(state: YokohamaState, area: Area) -> dict[str, Any]:
    site = state.box.sites[area.site]
    return {
        "id": site.id,
        "shops": [
            {"reward": _plain(reward), "seat": _owner(owner)}
            for reward, owner in zip(site.shops, area.shops, strict=True)
        ],
        "house": {"reward": _plain(site.house), "seat": _owner(area.house)},
    }


def _board(state: YokohamaState, place: str, viewer: int | None) -> list[dict[str, Any]]:
    box, cards = state.box, state.boards[place]
    if box.areas[place].action == "port":
        return [
            {"tier": tier, "order": _order(state, card, viewer) if card else None}
            for tier, card in zip(box.tiers, cards, strict=True)
        ]
    slots = []
    for surcharge, card in zip(box.surcharges, cards, strict=True):
        slot: dict[str, Any] = {"surcharge": surcharge, "tech": _plain(box.techs[card]) if card else None}
        if card and viewer is not None:
            slot["mine"] = price(state, viewer, state.where[place], card, surcharge)
        slots.append(slot)
    return slots


def _order(state: YokohamaState, card: str, viewer: int | None) -> dict[str, Any]:
    """An order, and what its reader still lacks for it."""
    order = state.box.orders[card]
    shown: dict[str, Any] = _plain(order)
    if viewer is not None:
        shown["lack"] = lack(state.merchants[viewer], order)
    return shown


def _track(holders: list[int], spaces: list[Space]) -> list[dict[str, Any]]:
    return [
        {"cost": space.cost, "reward": _plain(space.reward), "holder": _owner(holder)}
        for space, holder in zip(spaces, holders, strict=True)
    ]


def _seat(state: YokohamaState, seat: int, viewer: int | None) -> dict[str, Any]:
    me, box = state.merchants[seat], state.box
    own = seat == viewer
    counts = icons(state, me)
    return {
        "seat": seat,
        "score": me.score,
        "parts": {source: me.parts[source] for source in SOURCES if source in me.parts},
        "yen": me.yen,
        "goods": dict(zip(GOODS, me.goods, strict=True)),
        "imports": me.imports,
        "hand": {"assistants": me.assistants, "shops": me.shops, "houses": me.houses},
        "warehouse": {
            "assistants": me.stored_assistants,
            "shops": me.stored_shops,
            "houses": me.stored_houses,
            "shop_price": SHOP_PRICE,
            "house_price": house_price(me) if me.stored_houses else None,
        },
        "president": None if me.president == EMPTY else state.areas[me.president].id,
        "orders": [
            _order(state, card, viewer) if own or _known(state, seat, card) else None
            for card in _hand(state, seat, own)
        ],
        "first_order": me.first if own and me.first else None,
        "dealt": [_order(state, card, viewer) for card in me.dealt] if own else [],
        "fulfilled": [_plain(box.orders[card]) for card in me.fulfilled],
        "technologies": [_plain(box.techs[card]) for card in me.techs],
        "industry": sum(box.techs[card].cost for card in me.techs),
        "agents": {"ready": list(me.agents), "spent": list(me.spent_agents)},
        "tokens": [_plain(box.tokens[card]) for card in me.tokens],
        "icons": dict(zip(COUNTRIES, counts, strict=True)),
        "country_points": country_points(counts),
    }


def _known(state: YokohamaState, seat: int, card: str) -> bool:
    """Open information: orders taken from a port are known to all; the first one, chosen in secret, is not."""
    return state.open and card != state.merchants[seat].first


def _hand(state: YokohamaState, seat: int, own: bool) -> list[str]:
    """The orders in hand; for others in an order that tells nothing about when they came."""
    orders = state.merchants[seat].orders
    if own:
        return list(orders)
    return sorted(orders, key=lambda card: (not _known(state, seat, card), card if _known(state, seat, card) else ""))


def changes(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """The spots that look different: areas, sites and tokens, cards new on a board, spaces and achievements taken."""
    spots: set[str] = set()
    for then, now in zip(before["areas"], after["areas"], strict=True):
        spots |= _area_changes(then, now)
    for place, slots in after["boards"].items():
        spots |= _cards(slots) - _cards(before["boards"][place])
    for track in ("church", "customs"):
        pairs = zip(before[track], after[track], strict=True)
        spots |= {f"{track}:{n}" for n, (then, now) in enumerate(pairs) if then["holder"] != now["holder"]}
    for then, now in zip(before["achievements"], after["achievements"], strict=True):
        if then["seats"] != now["seats"]:
            spots.add(f"achievement:{now['id']}")
    return spots


def _area_changes(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    place = after["id"]
    spots = set()
    if any(before[what] != after[what] for what in ("presidents", "assistants", "station")):
        spots.add(f"area:{place}")
    if "site" in after:
        if before["token"] != after["token"]:
            spots.add(f"token:{place}")
        shops = zip(before["site"]["shops"], after["site"]["shops"], strict=True)
        spots |= {f"shop:{place}.{n}" for n, (then, now) in enumerate(shops) if then != now}
        if before["site"]["house"] != after["site"]["house"]:
            spots.add(f"house:{place}")
    return spots


def _cards(slots: list[dict[str, Any]]) -> set[str]:
    return {f"{kind}:{slot[kind]['id']}" for slot in slots for kind in ("order", "tech") if slot.get(kind)}
