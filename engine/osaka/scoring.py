"""Victory: the points, who has won, and by what."""

from engine.game import Result, Standing
from engine.osaka.state import Osaka


def scores(state: Osaka) -> list[int]:
    return list(state.vp)


def result(state: Osaka) -> Result:
    """The most points, then the most tokens; those still tied have won together."""
    rank = [(state.vp[seat], sum(state.tokens[seat].values())) for seat in range(state.players)]
    order = sorted(range(state.players), key=lambda seat: rank[seat], reverse=True)
    return Result(
        [
            Standing(
                seat,
                1 + sum(other > rank[seat] for other in rank),
                rank[seat][0],
                dict(state.earned[seat]),
                {"tokens": rank[seat][1]},
            )
            for seat in order
        ]
    )
