"""A turn: a lantern from the row, or one unseen from the pile; then the next player may greet."""

from engine.scene import REVEAL, Message, Option, Scene, ask
from tests.toy.state import Toy

UNSEEN = "unseen"
GREETINGS = [
    Option("greet.yes", Message("toy.greet.yes"), means=True),
    Option("greet.no", Message("toy.greet.no"), means=False),
]


def next_scene(state: Toy) -> Scene | None:
    return turn(state) if state.turn < state.last_turn else None


def turn(state: Toy) -> Scene:
    state.turn += 1
    seat = state.current
    colour = yield ask(seat, "toy.take", lanterns(state), UNSEEN)
    yield REVEAL
    drawn = state.pile.pop()
    if colour == UNSEEN:
        colour = drawn
    else:
        state.row[state.row.index(colour)] = drawn
    state.taken[seat].append(colour)
    state.tell("toy.took", seat=seat, colour=colour)
    if state.options["greeting"]:
        yield from greeting(state, (seat + 1) % state.players)


def lanterns(state: Toy) -> list[Option]:
    row = [
        Option(colour, Message("toy.from_row", {"colour": colour}), spots=(f"row:{colour}",))
        for colour in dict.fromkeys(state.row)
    ]
    return [*row, Option(UNSEEN, Message("toy.from_pile", {"n": len(state.pile)}), spots=("pile",))]


def greeting(state: Toy, seat: int) -> Scene:
    if (yield ask(seat, "toy.greet", GREETINGS, "greet.no")):
        state.greeted[seat] += 1
        state.tell("toy.greeted", seat=seat)
