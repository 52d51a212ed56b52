"""Preparation: the opening market, farm and hands, and who starts."""

from engine.osaka.box import COLOURS, KINDS
from engine.osaka.state import Osaka, Slot, draw, receive, worth


def setup(state: Osaka) -> None:
    """Preparation, all but the opening tokens."""
    box, players = state.box, state.players
    state.deck = state.shuffled(card for card in KINDS for _ in range(box.copies[card]))
    state.ships = dict.fromkeys(COLOURS, 0)
    state.market = [Slot(card) for card in draw(state, box.number["market"])]
    state.farm = [Slot(card) for card in draw(state, box.number["farm"])]
    state.goods = [[] for _ in range(players)]
    state.tokens = [dict.fromkeys(COLOURS, 0) for _ in range(players)]
    state.vp = [0] * players
    state.earned = [dict.fromkeys(COLOURS, 0) for _ in range(players)]
    state.vp_cards = [[] for _ in range(players)]
    state.hands = [opening_hand(state) for _ in range(players)]
    state.first = state.current = start_player(state)
    for seat, hand in enumerate(state.hands):
        state.tell("osaka.opened", seat=seat, cards=list(hand), coins=worth(hand))
    state.tell("osaka.starts", seat=state.first)


def opening_hand(state: Osaka) -> list[str]:
    """Preparation, step 7: card by card until they are worth enough."""
    hand: list[str] = []
    while worth(hand) < state.box.number["opening_coins"] and (drawn := draw(state, 1)):
        receive(hand, drawn[0])
    return hand


def start_player(state: Osaka) -> int:
    """The lowest total; then the fewest cards; then chance."""
    rank = [(worth(hand), len(hand)) for hand in state.hands]
    tied = [seat for seat in range(state.players) if rank[seat] == min(rank)]
    return tied[0] if len(tied) == 1 else state.shuffled(tied)[0]
