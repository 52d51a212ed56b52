"""What leaves the table: what a seat may see. By whitelist, and complete enough to draw the whole table."""

from typing import Any

from engine.duel.box import CRITERIA, GOODS, PLACES
from engine.duel.free import achieved
from engine.duel.means import due, lots, reach, units_held
from engine.duel.numbers import BONUS_LEVEL, BUILDING_LEVEL, ROUNDS, SHOPS, TRADER_LEVEL, TURNS
from engine.duel.prospects import why_nothing
from engine.duel.rounds import improvement_price
from engine.duel.scoring import known_parts, production, technology_points
from engine.duel.state import (
    STEPS,
    Duel,
    Player,
    Visit,
    house_owner,
    level_of,
    levels_in_hand,
    lowest_first,
    occupied,
    ready,
    rewards_at,
    standing_influence,
    ways_in,
    what_it_gives,
    yields,
)


def view(state: Duel, seat: int | None) -> dict[str, Any]:
    acting = state.errand or state.visit
    player = None if state.step == "over" else seat  # who may still have plans
    other_cards = _changes_before(state, "laboratory")
    production = None if player is None or other_cards else _at(state, player, "laboratory")
    faith = None if player is None else _at(state, player, "church")
    return {
        "round": state.round,
        "rounds": ROUNDS,
        "turns": TURNS,
        "first": state.first,
        "current": state.current if state.step == "turn" else None,
        "step": state.step,
        "trail": _trail(state),
        "visit": _visit(acting) if acting else None,
        "places": _places(state, player),
        "station": state.station or None,
        "technologies": [_for_sale(state, player, card, production) if card else None for card in state.technology_row],
        "church": [_to_reach(state, player, card, faith) if card else None for card in state.church_row],
        "bonus": [
            {"card": card, "rewards": state.box.bonus_rewards[card], "used": card == state.used_bonus}
            for card in state.bonus_row
        ],
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


def _visit(acting: Visit) -> dict[str, Any]:
    return {
        "place": acting.place or None,
        "influence": acting.influence,
        "rewards": rewards_at(acting.influence),
        "step": acting.step,
        "trader": acting.trader,
        "exchanges": acting.exchanges,
    }


def _trail(state: Duel) -> list[dict[str, str]]:
    """The steps of the turn: what is past, what is asked about now, what is left; without those that an influence
    once known rules out. A Foreign Trader's action comes before the step in which it was called."""
    visit = state.visit
    if visit is None:
        return []
    short = {"bonus": BONUS_LEVEL, "build": BUILDING_LEVEL}
    steps = [step for step in STEPS if not visit.influence or visit.influence >= short.get(step, 0)]
    at = STEPS.index(visit.step)
    trail = [
        {"say": f"duel.step.{step}", "when": "past" if STEPS.index(step) < at else "ahead"}
        for step in steps
        if step != visit.step
    ]
    now = [{"say": f"duel.step.{visit.step}", "when": "ahead" if state.errand else "now"}]
    if state.errand:
        now.insert(0, {"say": "duel.step.trader", "when": "now"})
    past = sum(step["when"] == "past" for step in trail)
    return [*trail[:past], *now, *trail[past:]]


def _places(state: Duel, seat: int | None) -> list[dict[str, Any]]:
    box, taken = state.box, occupied(state)
    return [
        {
            "id": place,
            "levels": list(box.levels[place]),
            "always_open": place in box.always_open,
            "occupied": place in taken,
            "station": place == state.station,
            "house": house_owner(state, place),
            "shops": [owner for owner in range(2) if place in state.seats[owner].shops],
            "cards": [
                {"seat": owner, "level": level_of(state, player, card), "card": card}
                for owner, player in enumerate(state.seats)
                for card, where in enumerate(player.played)
                if where == place
            ],
            "influence": [standing_influence(state, owner, place) for owner in range(2)],
            "mine": None if seat is None else _if_i_came(state, seat, place),
            "lots": None if seat is None else lots(state, seat, place),
        }
        for place in PLACES
    ]


def _if_i_came(state: Duel, seat: int, place: str) -> dict[str, Any] | None:
    """What this place would be to a player who came next with the lowest card in hand, or to the trader just called;
    where somebody acts now, what it is to them. None when all cards are played."""
    acting = state.errand or state.visit
    if acting and acting.place == place and acting.influence and state.current == seat:
        influence = acting.influence
    elif state.errand and not state.errand.place and state.current == seat:
        influence = TRADER_LEVEL + standing_influence(state, seat, place)
    elif levels := levels_in_hand(state, state.seats[seat]):
        influence = levels[0] + standing_influence(state, seat, place)
    else:
        return None
    return {
        "influence": influence,
        "level": min(influence, len(state.box.levels[place])),
        "helped": _helped(state, seat, influence),
        "gives": what_it_gives(state, seat, place, influence),
        "rewards": rewards_at(influence),
        "builds": influence >= BUILDING_LEVEL,
        "ways": ways_in(state, seat, place),
        "idle": _idle(state, seat, place, influence),
    }


def _idle(state: Duel, seat: int, place: str, influence: int) -> str:
    """Why the place would have nothing for a player who came, whichever card and Help were played; "" where it has."""
    if _changes_before(state, place):
        return ""
    player, acting = state.seats[seat], state.errand or state.visit
    if acting and acting.place == place:
        return why_nothing(state, seat, place, influence)
    if not (acting and acting.trader) and not lowest_first(state, seat):
        levels = levels_in_hand(state, player)
        influence += levels[-1] - levels[0]
    return why_nothing(state, seat, place, influence + max(_aids(player), default=0))


def _changes_before(state: Duel, place: str) -> bool:
    """Whether a place will have other cards when somebody comes next: new technologies when the round is over."""
    return place == "laboratory" and state.step == "improving"


def _helped(state: Duel, seat: int, influence: int) -> list[int]:
    """The levels of a place that Help cards and the Telephone would bring a player to."""
    return sorted({min(influence + aid, 5) for aid in _aids(state.seats[seat])})


def _aids(player: Player) -> list[int]:
    """By how much a Help card, a call on the Telephone or both would raise an influence."""
    more = "telegraph" in player.technologies
    helps = [0, *(size + more for size in (1, 2) if player.help[size - 1])]
    calls = (0, 1) if player.yen and ready(player, "telephone") else (0,)
    return [by + call for by in helps for call in calls if by or call]


def _at(state: Duel, seat: int, place: str) -> int | None:
    """What a place yields to a player who acts there now, or would come next; None when all cards are played."""
    mine = _if_i_came(state, seat, place)
    return yields(state, place, mine["influence"]) if mine else None


def _technology(state: Duel, card: str) -> dict[str, Any]:
    return {"card": card, "cost": state.box.cost[card], "once": card in state.box.once}


def _for_sale(state: Duel, seat: int | None, card: str, production: int | None) -> dict[str, Any]:
    """`due`: how many times 2 yen or an import it would cost this player with the influence at hand; None where there
    is none."""
    if seat is None or production is None:
        return {**_technology(state, card), "due": None, "can": False}
    player = state.seats[seat]
    units = due(state, player, card, production)
    return {**_technology(state, card), "due": units, "can": units <= units_held(player)}


def _to_reach(state: Duel, seat: int | None, card: str, faith: int | None) -> dict[str, Any]:
    """`due`: how many different resources this player would have to give with the influence at hand; None where there
    is none."""
    if seat is None or faith is None:
        return {**_church(state, card), "due": None, "can": False}
    asked = state.box.faith[card]
    return {**_church(state, card), "due": max(0, asked - faith), "can": asked <= reach(state.seats[seat], faith)}


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


def _own_order(state: Duel, player: Player, card: str) -> dict[str, Any]:
    """With what its owner still lacks."""
    needs = state.box.needs[card]
    lacks = {GOODS[good]: n - player.goods[good] for good, n in needs if n > player.goods[good]}
    return {**_order(state, card), "lacks": lacks}


def _seat(state: Duel, seat: int, *, mine: bool) -> dict[str, Any]:
    """A seat's corner of the table. `mine`: with the orders in hand and the church cards' faces."""
    player, box = state.seats[seat], state.box
    score = known_parts(state, seat, mine=mine)
    church_shown = "church" in score
    houses = len(player.houses)
    return {
        "yen": player.yen,
        "goods": dict(zip(GOODS, player.goods, strict=True)),
        "imports": player.imports,
        "flipped": player.flipped,
        "help": {"1": player.help[0], "2": player.help[1]},
        "stock": {
            "yen": player.yen,
            **dict(zip(GOODS, player.goods, strict=True)),
            "imports": player.imports,
            "flipped": player.flipped,
            "help1": player.help[0],
            "help2": player.help[1],
        },
        "influence": [
            {
                "level": level_of(state, player, card),
                "better": None if player.improved[card] else box.influence[card][1],
                "price": None if player.improved[card] else improvement_price(state, seat, card),
                "at": place or None,
            }
            for card, place in enumerate(player.played)
        ],
        "orders": len(player.hand),
        "hand": [_own_order(state, player, card) for card in player.hand] if mine else None,
        "looking": len(player.offer) + len(player.aside),
        "offer": [_own_order(state, player, card) for card in player.offer] if mine else None,
        "aside": [_own_order(state, player, card) for card in player.aside] if mine else None,
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
                "has": has,
                "needs": box.recruiting[criterion],
                "done": criterion in player.recruited,
            }
            for criterion, has in zip(CRITERIA, achieved(player), strict=True)
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
