"""Whose mark and colour is which: a property of the seat, and not of its number. A game that began before people could
wish for one has that of the number. Knows seats, and nothing of how a colour looks.
"""

from collections.abc import Sequence

from service.models import Seat
from service.play.reading import BadInput
from service.post.language import gettext as _
from service.post.language import marked

# As in service/web/static/hikyaku.css and templates/parts/symbols.svg, by number.
COLOURS = marked("red circle"), marked("blue triangle"), marked("purple square"), marked("green diamond")


def of(seats: Sequence[Seat]) -> tuple[int, ...]:
    """The colour of each seat: what was wished for where it is free, the first come before the later, else the first
    that nobody has."""
    found: dict[int, int] = {}
    for seat in sorted(seats, key=lambda seat: (seat.colour is None, seat.no)):
        taken = set(found.values())
        free = [colour for colour in range(max(len(COLOURS), len(seats))) if colour not in taken]
        wished = seat.colour if seat.colour is not None else seat.no
        found[seat.no] = wished if wished in free else free[0]
    return tuple(found[seat.no] for seat in sorted(seats, key=lambda seat: seat.no))


def settle(seats: Sequence[Seat]) -> None:
    """The game begins: from now on nobody changes colour, whoever leaves or comes."""
    for seat, colour in zip(sorted(seats, key=lambda seat: seat.no), of(seats), strict=True):
        seat.colour = colour


def read_wish(seats: Sequence[Seat], own: Seat | None, typed: str) -> int | None:
    """Which colour somebody wishes for; one that another has wished for before is not free."""
    if not typed:
        return None
    if typed not in map(str, range(len(COLOURS))):
        raise BadInput(_("Please choose a colour from the list."), "colour")
    others = {seat.colour for seat in seats if seat is not own}
    if int(typed) in others:
        raise BadInput(_("Somebody at the table has that colour. Please choose another."), "colour")
    return int(typed)


def free(seats: Sequence[Seat], own: Seat | None = None) -> dict[int, str]:
    """What can be wished for, in words."""
    others = {seat.colour for seat in seats if seat is not own}
    return {no: _(colour) for no, colour in enumerate(COLOURS) if no not in others}
