"""How a match begins: three lanterns in the row, all others in the pile."""

from tests.toy.state import Toy


def setup(state: Toy) -> None:
    state.pile = state.shuffled(state.box.pile)
    state.row = [state.pile.pop() for _ in range(3)]
    state.taken = [[] for _ in range(state.players)]
    state.greeted = [0] * state.players
    state.tell("toy.set_up", n=len(state.pile))
