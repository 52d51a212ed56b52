"""Final score calculation and Winning the game. Asks nobody."""

from engine.game import Result, Standing
from engine.scene import Scene
from engine.yokohama.box import (
    CHURCH_POINTS,
    COUNTRIES,
    CUSTOMS_POINTS,
    GOODS_FOR_A_POINT,
    NEUTRAL_INDUSTRY,
    SET_POINTS,
    TECHNOLOGY_POINTS,
    YEN_FOR_A_POINT,
)
from engine.yokohama.gains import count_icons
from engine.yokohama.state import EMPTY, NEUTRAL, SOURCES, Merchant, YokohamaState


def final_scoring(state: YokohamaState) -> Scene:
    """The five scorings, in their order."""
    _majority(state, "church_majority", _pawns(state.church), CHURCH_POINTS)
    _majority(state, "customs_majority", _pawns(state.customs), CUSTOMS_POINTS)
    _majority(state, "technology_majority", _industry(state), TECHNOLOGY_POINTS)
    for seat, merchant in enumerate(state.merchants):
        _award(state, seat, "countries", country_points(icons(state, merchant)))
    for seat, merchant in enumerate(state.merchants):
        _award(state, seat, "remainder", remainder(merchant))
    state.phase = "over"
    return
    yield


def _award(state: YokohamaState, seat: int, source: str, vp: int) -> None:
    if vp:
        state.score(seat, source, vp)
        state.tell(f"yokohama.scored.{source}", seat=seat, n=vp)


Rank = tuple[float, float]


def _pawns(track: list[int]) -> dict[int, Rank]:
    """Holder -> (pawns, rightmost pawn): the rightmost breaks ties."""
    found: dict[int, Rank] = {}
    for n, holder in enumerate(track):
        if holder != EMPTY:
            found[holder] = (found.get(holder, (0, 0))[0] + 1, n)
    return found


def _industry(state: YokohamaState) -> dict[int, Rank]:
    """Holder -> (sum of costs, closeness to the start player, who is seat 0). Nobody scores without technologies."""
    found: dict[int, Rank] = {}
    for seat, merchant in enumerate(state.merchants):
        if merchant.techs:
            found[seat] = (sum(state.box.techs[card].cost for card in merchant.techs), -seat)
    if state.players == 2 and state.dlp:
        found[NEUTRAL] = (NEUTRAL_INDUSTRY, 0)
    return found


def _majority(state: YokohamaState, source: str, ranks: dict[int, Rank], points: tuple[int, int]) -> None:
    """Most and second most score. The neutral pawn takes a place but no points."""
    best_first = sorted(ranks, key=ranks.__getitem__, reverse=True)
    for holder, vp in zip(best_first, points, strict=False):
        if holder != NEUTRAL:
            _award(state, holder, source, vp)


def icons(state: YokohamaState, merchant: Merchant) -> list[int]:
    return [count_icons(state, merchant, country) for country in COUNTRIES]


def country_points(counts: list[int]) -> int:
    """Sets of different countries, largest first."""
    left = list(counts)
    points = 0
    while size := sum(1 for n in left if n):
        points += SET_POINTS[size]
        left = [n - 1 if n else 0 for n in left]
    return points


def remainder(merchant: Merchant) -> int:
    """Unused agents and imports 1 each, 1 for 2 yen, 1 for 3 goods."""
    return (
        len(merchant.agents)
        + merchant.imports
        + merchant.yen // YEN_FOR_A_POINT
        + sum(merchant.goods) // GOODS_FOR_A_POINT
    )


def scores(state: YokohamaState) -> list[int]:
    """The points so far: all of them are on the table."""
    return [merchant.score for merchant in state.merchants]


def result(state: YokohamaState) -> Result:
    """Most points win; in a tie, whoever is closest to the start player."""
    order = sorted(range(state.players), key=lambda seat: (-state.merchants[seat].score, seat))
    ranking = [
        Standing(
            seat=seat,
            place=place,
            score=state.merchants[seat].score,
            parts={source: state.merchants[seat].parts.get(source, 0) for source in SOURCES},
            tiebreak={"turn_order": seat + 1},
        )
        for place, seat in enumerate(order, 1)
    ]
    return Result(ranking)
