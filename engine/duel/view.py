"""What leaves the table: what a seat may see. By whitelist, and complete enough to draw the whole table."""

from typing import Any

from engine.duel.box import CRITERIA, GOODS, PLACES
from engine.duel.free import counted
from engine.duel.scoring import parts, production, technology_points
from engine.duel.state import (
    ROUNDS,
    SHOPS,
    TURNS,
    Duel,
    house_owner,
    level_of,
    occupied,
    standing_influence,
)


def view(state: Duel, seat: int | None) -> dict[str, Any]:
    return {
        "round": state.round,
        "rounds": ROUNDS,
        "turns": TURNS,
        "first": state.first,
        "current": state.current if state.step == "turn" else None,
        "step": state.step,
        "places": _places(state),
        "station": state.station or None,
        "technologies": [_technology(state, card) if card else None for card in state.technology_row],
        "church": [_church(state, card) if card else None for card in state.church_row],
        "bonus": [{"card": card, "rewards": state.box.bonus_rewards[card]} for card in state.bonus_row],
        "decks": {
            "orders": len(state.orders),
            "technologies": len(state.technology_deck),
            "bonus": len(state.bonus_deck),
            "church_out": len(state.church_out),
        },
        "discards": {"technologies": list(state.technology_discard), "bonus": list(state.bonus_discard)},
        "prices": dict(state.box.price),
        "recruiting": dict(state.box.recruiting),
        "seats": [_seat(state, other, mine=other == seat) for other in range(2)],
    }


def _places(state: Duel) -> list[dict[str, Any]]:
    box, taken = state.box, occupied(state)
    return [
        {
            "id": place,
            "levels": list(box.levels[place]),
            "always_open": place in box.always_open,
            "occupied": place in taken,
            "station": place == state.station,
            "house": house_owner(state, place),
            "shops": [seat for seat in range(2) if place in state.seats[seat].shops],
            "cards": [
                {"seat": seat, "level": level_of(state, player, card)}
                for seat, player in enumerate(state.seats)
                for card, where in enumerate(player.played)
                if where == place
            ],
            "influence": [standing_influence(state, seat, place) for seat in range(2)],
        }
        for place in PLACES
    ]


def _technology(state: Duel, card: str) -> dict[str, Any]:
    return {"card": card, "cost": state.box.cost[card], "once": card in state.box.once}


def _church(state: Duel, card: str) -> dict[str, Any]:
    row = state.box.church[card]
    return {"card": card, "faith": row.faith, "points": row.points, "reward": state.box.church_reward[card]}


def _order(state: Duel, card: str) -> dict[str, Any]:
    row = state.box.orders[card]
    return {
        "card": card,
        "needs": dict(state.box.needed[card]),
        "points": row.points,
        "reward": state.box.order_reward[card],
    }


def _seat(state: Duel, seat: int, *, mine: bool) -> dict[str, Any]:
    """A seat's corner of the table. `mine`: with the orders in hand and the church cards' faces."""
    player, box = state.seats[seat], state.box
    church_shown = mine or state.open or state.step == "over"
    score = parts(state, seat)
    if not church_shown:
        del score["church"]
    houses = len(player.houses)
    return {
        "yen": player.yen,
        "goods": dict(zip(GOODS, player.goods, strict=True)),
        "imports": player.imports,
        "flipped": player.flipped,
        "help": {"1": player.help[0], "2": player.help[1]},
        "influence": [
            {
                "level": level_of(state, player, card),
                "better": None if player.improved[card] else box.influence[card][1],
                "price": None if player.improved[card] else box.improvement[card],
                "at": place or None,
            }
            for card, place in enumerate(player.played)
        ],
        "orders": len(player.hand),
        "hand": [_order(state, card) for card in player.hand] if mine else None,
        "looking": len(player.offer),
        "offer": [_order(state, card) for card in player.offer] if mine else None,
        "fulfilled": [_order(state, card) for card in player.fulfilled],
        "technologies": [
            {
                **_technology(state, card),
                "tilted": card in player.tilted,
                "points": technology_points(state, player, card),
            }
            for card in player.technologies
        ],
        "production": production(state, player),
        "church_cards": len(player.church),
        "church": [_church(state, card) for card in player.church] if church_shown else None,
        "shops": list(player.shops),
        "shops_left": SHOPS - len(player.shops),
        "houses": list(player.houses),
        "next_house": box.house_price[houses] if houses < len(box.house_price) else None,
        "traders": player.traders,
        "recruiting": {
            criterion: {
                "has": counted(player, criterion),
                "needs": box.recruiting[criterion],
                "done": criterion in player.recruited,
            }
            for criterion in CRITERIA
        },
        "score": score,
        "points": sum(score.values()),
    }


def changes(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Places where something was put, cards new in a row, and what a player has newly laid out."""
    spots = set()
    for then, now in zip(before["places"], after["places"], strict=True):
        if any(then[what] != now[what] for what in ("station", "house", "shops", "cards")):
            spots.add(f"place:{now['id']}")
    for row, spot in (("technologies", "technology"), ("bonus", "bonus")):
        old = {entry["card"] for entry in before[row] if entry}
        spots |= {f"{spot}:{entry['card']}" for entry in after[row] if entry and entry["card"] not in old}
    for seat, (then, now) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        for row in ("fulfilled", "technologies"):
            old = {entry["card"] for entry in then[row]}
            spots |= {f"{row}:{seat}:{entry['card']}" for entry in now[row] if entry["card"] not in old}
    return spots
