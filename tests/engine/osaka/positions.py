"""Positions of Osaka in a few words: "red5 blue2@1" is a red 5 and a blue 2 reserved by seat 1; "red5!" is insured."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from engine import GAMES, Match
from engine.osaka.box import COLOURS, KINDS, ORDER
from engine.osaka.state import Good, Osaka, Slot

OSAKA = GAMES["osaka"]


def cards(text: str) -> list[str]:
    return sorted(text.split(), key=ORDER.__getitem__)


def slots(text: str) -> list[Slot]:
    parted = [word.partition("@") for word in text.split()]
    return [Slot(card, int(by) if by else None) for card, _, by in parted]


def goods(text: str) -> list[Good]:
    words = sorted(text.split(), key=lambda word: ORDER[word.rstrip("!")])
    return [Good(word.rstrip("!"), word.endswith("!")) for word in words]


def position(
    *,
    market: str,
    farm: str = "",
    hands: Sequence[str] = (),
    had: Sequence[str] = (),
    tokens: Sequence[dict[str, int]] = (),
    vp: Sequence[int] = (),
    ships: dict[str, int] | None = None,
    deck: str | None = None,
    discard: str = "",
    players: int = 4,
    turn_of: int = 0,
    open_information: bool = True,
    components: str | None = None,
) -> Match:
    """A match at the beginning of a turn. `had`: the goods before each seat. The deck holds all other cards, or those
    given, the first one on top."""
    fill = lambda given, empty: [*given, *[empty] * players][:players]  # noqa: E731
    state = Osaka(
        players=players,
        options=OSAKA.read_options(players, {"open_information": open_information}),
        seed=1,
        draws=1,
        ships=dict.fromkeys(COLOURS, 0) | (ships or {}),
        market=slots(market),
        farm=slots(farm),
        discard=cards(discard),
        hands=[cards(hand) for hand in fill(hands, "")],
        goods=[goods(before) for before in fill(had, "")],
        tokens=[dict.fromkeys(COLOURS, 0) | won for won in fill(tokens, {})],
        vp=fill(vp, 0),
        earned=[dict.fromkeys(COLOURS, 0) for _ in range(players)],
        vp_cards=[[] for _ in range(players)],
        current=turn_of,
        opening=players,
        turn=9,
    )
    state.deck = _other_cards(state) if deck is None else deck.split()[::-1]
    return Match(OSAKA, msgspec.msgpack.encode(state), OSAKA.load_box(components))


def _other_cards(state: Osaka) -> list[str]:
    left = Counter({card: OSAKA.load_box(None).copies[card] for card in KINDS}) - OSAKA.census(state)
    return sorted(left.elements(), key=ORDER.__getitem__)


def do(match: Match, *choices: str) -> Match:
    """The seat that is asked makes these choices, one after the other."""
    for choice in choices:
        match.choose(match.pending[0].seat, choice)
    return match


def ids(match: Match) -> list[str]:
    return [option.id for option in match.pending[0].options]


def told(match: Match, key: str) -> list[dict[str, Any]]:
    """The arguments of all events of one kind."""
    return [event.args for event in match.events if event.key == f"osaka.{key}"]


def seat(match: Match, number: int) -> dict[str, Any]:
    mine: dict[str, Any] = match.view(number)["seats"][number]
    return mine


def state_of(match: Match) -> Osaka:
    state = match._state
    assert isinstance(state, Osaka)
    return state


def had(match: Match, number: int) -> str:
    """The goods before a seat, as `position` takes them."""
    return " ".join(good["card"] + "!" * good["insured"] for good in seat(match, number)["goods"])


def row(match: Match, name: str) -> str:
    """The market or the farm, as `position` takes it."""
    return " ".join(
        slot["card"] + ("" if slot["reserved"] is None else f"@{slot['reserved']}") for slot in match.view()[name]
    )
