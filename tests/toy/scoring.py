"""What lanterns and greetings are worth, and who has won."""

from engine.game import Result, Standing
from tests.toy.state import Toy


def scores(state: Toy) -> list[int]:
    return [_lanterns(state, seat) + state.greeted[seat] for seat in range(state.players)]


def _lanterns(state: Toy, seat: int) -> int:
    return sum(state.box.values[colour] for colour in state.taken[seat])


def result(state: Toy) -> Result:
    points = scores(state)
    order = sorted(range(state.players), key=lambda seat: -points[seat])
    return Result(
        [
            Standing(
                seat,
                1 + sum(other > points[seat] for other in points),
                points[seat],
                {"lanterns": _lanterns(state, seat), "greetings": state.greeted[seat]},
            )
            for seat in order
        ]
    )
