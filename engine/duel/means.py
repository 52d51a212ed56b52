"""What a player could give to the church, pay in the laboratory and the port, and build. Asks nobody, and changes
nothing."""

from engine.duel.box import GOODS
from engine.duel.numbers import FREE_TECHNOLOGIES, SHOP_PRICE, SHOPS, UNIT
from engine.duel.state import Duel, Player, house_owner

RESOURCES = (*GOODS, "yen", "imports", "flipped")
OFFERINGS = ("fish", "tea", "yen", "silk", "copper", "imports", "flipped")

Payment = tuple[int, int, int]  # yen, imports, flipped imports


def held(player: Player) -> dict[str, int]:
    numbers = (*player.goods, player.yen, player.imports, player.flipped)
    return dict(zip(RESOURCES, numbers, strict=True))


def givable(player: Player, given: tuple[str, ...] = ()) -> list[str]:
    """The kinds of resource that can still be given: an import counts once, whichever face it shows."""
    has, gone = held(player), set(given)
    if gone & {"imports", "flipped"}:
        gone |= {"imports", "flipped"}
    return [name for name in OFFERINGS if has[name] and name not in gone]


def reach(player: Player, faith: int) -> int:
    """The faith a player can come to who has this much from the place: an import counts once, whichever its face."""
    return faith + len(givable(player)) - bool(player.imports and player.flipped)


def due(state: Duel, player: Player, card: str, production: int) -> int:
    """How many times 2 yen or one import this technology costs a player."""
    surcharge = len(player.technologies) >= FREE_TECHNOLOGIES
    return max(0, state.box.cost[card] - production) + surcharge


def units_held(player: Player) -> int:
    """How many units of 2 yen or one import a player can pay."""
    return player.yen // UNIT + player.imports + player.flipped


def several_ways(player: Player, units: int) -> bool:
    """Whether there is a choice of what to pay."""
    kinds = (player.yen >= UNIT) + bool(player.imports) + bool(player.flipped)
    return units > 0 and kinds > 1 and units_held(player) > units


def ways_to_pay(player: Player, units: int) -> list[Payment]:
    """Units of 2 yen or one import of either face, in any mixture; what is worth least in the end comes first."""
    return [
        (UNIT * yen, imports, flipped)
        for yen in range(min(units, player.yen // UNIT), -1, -1)
        for imports in range(min(units - yen, player.imports), -1, -1)
        if (flipped := units - yen - imports) <= player.flipped
    ]


def lots(state: Duel, seat: int, place: str) -> dict[str, int | None]:
    """What a shop and a trading house would cost a player on a place; None where that cannot be."""
    player, prices = state.seats[seat], state.box.house_price
    shop = place not in player.shops and len(player.shops) < SHOPS
    house = house_owner(state, place) is None and len(player.houses) < len(prices)
    return {"shop": SHOP_PRICE if shop else None, "house": prices[len(player.houses)] if house else None}
