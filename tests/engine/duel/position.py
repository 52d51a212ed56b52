"""Positions in a few lines: an empty table at the start of a turn, to be filled with what a test is about."""

from collections.abc import Callable
from typing import Any

import msgspec

from engine import Match
from engine.duel import TITLE
from engine.duel.box import TECHNOLOGIES, load_box
from engine.duel.state import Duel, Player
from service.post import words


def empty_table(**options: Any) -> Duel:
    """The first turn of a game, seat 0 to play: nobody owns anything, the rows show the first cards of each list."""
    box = load_box()
    orders, bonus, church = list(box.orders), list(box.bonus), list(box.church)
    technologies = list(TECHNOLOGIES)
    return Duel(
        players=2,
        options={"open_information": True, **options},
        seed=1,
        draws=0,
        seats=[Player(), Player()],
        step="turn",
        orders=orders[::-1],
        technology_row=technologies[:5],
        technology_deck=technologies[:4:-1],
        bonus_row=bonus[:3],
        bonus_deck=bonus[:2:-1],
        church_row=church[:6],
        church_out=church[6:],
    )


def begin(state: Duel) -> Match:
    """A match that stands exactly here."""
    return Match(TITLE, msgspec.msgpack.encode(state), load_box())


def table(*fills: Callable[[Duel], Any], **mine: Any) -> Match:
    """A match in which seat 0, to play, owns what is named."""
    state = empty_table()
    for name, value in mine.items():
        setattr(state.seats[0], name, value)
    for fill in fills:
        fill(state)
    return begin(state)


def play(match: Match, *answers: str, seat: int | None = None) -> Match:
    """Answer the open questions one after the other."""
    for answer in answers:
        match.choose(match.pending[0].seat if seat is None else seat, answer)
    return match


def me(match: Match) -> Player:
    return seat(match, 0)


def seat(match: Match, number: int) -> Player:
    return state(match).seats[number]


def state(match: Match) -> Duel:
    assert isinstance(match._state, Duel)
    return match._state


def offered(match: Match) -> list[str]:
    return [option.id for option in match.pending[0].options]


def refused(match: Match) -> dict[str, str]:
    """What is not possible now: the key of its label, its place or card, and the key of the reason."""
    found = {}
    for blocked in match.pending[0].blocked:
        what = blocked.label.args.get("place") or blocked.label.args.get("card") or ""
        found[f"{blocked.label.key}:{what}" if isinstance(what, str) else blocked.label.key] = blocked.reason.key
    return found


def hint(match: Match, choice: str) -> str:
    """What somebody reads who looks at one of the options."""
    decision = match.pending[0]
    said = decision.hint(decision.option(choice))
    return words.tell(said, ["Ann", "Bo"]) if said else ""


def told(match: Match) -> list[str]:
    return [event.key for event in match.events]
