"""Final scoring: the eleven categories of the score sheet, in its order, and who has won."""

from engine.duel.numbers import (
    FLIPPED_POINTS,
    GOODS_A_POINT,
    HOUSE_POINTS,
    IMPORT_POINTS,
    MOST,
    SHOP_POINTS,
    YEN_A_POINT,
)
from engine.duel.state import Duel, Player
from engine.game import Result, Standing


def parts(state: Duel, seat: int) -> dict[str, int]:
    """A seat's points by category, as if the game ended now."""
    box, player, other = state.box, state.seats[seat], state.seats[1 - seat]
    return {
        "orders": sum(box.orders[card].points for card in player.fulfilled),
        "most_orders": MOST * (len(player.fulfilled) > len(other.fulfilled)),
        "technologies": sum(technology_points(state, player, card) for card in player.technologies),
        "most_technology": MOST * (production(state, player) > production(state, other)),
        "church": sum(box.church[card].points for card in player.church),
        "houses": HOUSE_POINTS * len(player.houses),
        "shops": SHOP_POINTS * len(player.shops),
        "flipped": FLIPPED_POINTS * player.flipped,
        "imports": IMPORT_POINTS * player.imports,
        "yen": player.yen // YEN_A_POINT,
        "goods": sum(player.goods) // GOODS_A_POINT,
    }


def known_parts(state: Duel, seat: int, *, mine: bool) -> dict[str, int]:
    """The same as far as their owner or somebody else may know it: without church cards that lie face down."""
    score = parts(state, seat)
    if not (mine or state.open or state.step == "over"):
        del score["church"]
    return score


def production(state: Duel, player: Player) -> int:
    """The printed costs of all one's technologies together."""
    cost = state.box.cost
    return sum(cost[card] for card in player.technologies)


def technology_points(state: Duel, player: Player, card: str) -> int:
    """What a technology is worth at the end (Technology cards)."""
    each = state.box.each[card]
    if not each:
        return 0
    if card == "ball":
        return each * len(player.fulfilled)
    if card == "brickworks":
        return each * player.flipped
    if card == "brewery":
        return each * len(player.church)
    if card == "electric_light":
        return each * len(player.houses)
    if card == "gas_lamp":
        return each * len(player.shops)
    return each * len(player.technologies) if card == "patents" else each


def scores(state: Duel) -> list[int]:
    return [sum(parts(state, seat).values()) for seat in range(2)]


def result(state: Duel) -> Result:
    """The most points; then category by category in the order of the sheet; then the victory is shared."""
    sheets = [parts(state, seat) for seat in range(2)]
    rank = [(sum(sheet.values()), *sheet.values()) for sheet in sheets]
    order = sorted(range(2), key=lambda seat: rank[seat], reverse=True)
    tied = _tiebreak(sheets) if rank[0][0] == rank[1][0] else None
    return Result(
        [
            Standing(
                seat,
                1 + (rank[1 - seat] > rank[seat]),
                rank[seat][0],
                sheets[seat],
                {tied: sheets[seat][tied]} if tied else {},
            )
            for seat in order
        ]
    )


def _tiebreak(sheets: list[dict[str, int]]) -> str | None:
    """The first category in which the two differ."""
    return next((name for name in sheets[0] if sheets[0][name] != sheets[1][name]), None)
