"""All kinds of letters: one small class each, which holds everything that is true of that kind.

`outbox.write(session, letters.Reminder(seat, threshold=0.5))` writes one. Its words are in templates/letters/, three
templates a kind: NAME.subject.txt, NAME.txt and NAME.html.
"""

from service.post.letters.addresses import NewAddress, OldAddress
from service.post.letters.answers import Doubted, Understood
from service.post.letters.bells import BellOff
from service.post.letters.company import Nudge, Said
from service.post.letters.invitations import (
    Again,
    Cancelled,
    Confirmation,
    Declined,
    Invitation,
    Join,
    Joined,
    Lapsed,
    NoSeat,
    Organiser,
    Seated,
    Without,
)
from service.post.letters.keys import Links
from service.post.letters.kind import Kind
from service.post.letters.lateness import Delay, Late, Missed, OutOfTime, Reminder, Silent, SilentOutside, Together
from service.post.letters.leaving import Inherited, Resigned, Vacant
from service.post.letters.returned import Returned
from service.post.letters.rulings import (
    Answered,
    Asked,
    Dropped,
    Ended,
    EndedFormer,
    Extended,
    HandOver,
    Left,
    Moderator,
    Offer,
    Outage,
    Paused,
    Proposed,
    Resumed,
    Ruled,
    Stranded,
)
from service.post.letters.turns import Over, OverFormer, Started, Turn

KINDS: dict[str, type[Kind]] = {
    kind.name: kind
    for kind in (
        Confirmation, Organiser, Invitation, Join, Seated, Joined, Again, NoSeat, Declined, Without, Cancelled, Lapsed,
        Started, Turn, Understood, Doubted, Over, OverFormer, Said, Nudge,
        Reminder, Late, Delay, OutOfTime, Together, Missed, Silent, SilentOutside,
        Asked, HandOver, Answered,
        Moderator, Ruled, Proposed, Dropped, Extended, Offer, Left, Paused, Resumed, Ended, EndedFormer,
        Stranded, Outage,
        Resigned, Vacant, Inherited,
        Links, NewAddress, OldAddress, Returned, BellOff,
    )
}  # fmt: skip

__all__ = [
    "KINDS",
    "Again",
    "Answered",
    "Asked",
    "BellOff",
    "Cancelled",
    "Confirmation",
    "Declined",
    "Delay",
    "Doubted",
    "Dropped",
    "Ended",
    "EndedFormer",
    "Extended",
    "HandOver",
    "Inherited",
    "Invitation",
    "Join",
    "Joined",
    "Kind",
    "Lapsed",
    "Late",
    "Left",
    "Links",
    "Missed",
    "Moderator",
    "NewAddress",
    "NoSeat",
    "Nudge",
    "Offer",
    "OldAddress",
    "Organiser",
    "OutOfTime",
    "Outage",
    "Over",
    "OverFormer",
    "Paused",
    "Proposed",
    "Reminder",
    "Resigned",
    "Resumed",
    "Returned",
    "Ruled",
    "Said",
    "Seated",
    "Silent",
    "SilentOutside",
    "Started",
    "Stranded",
    "Together",
    "Turn",
    "Understood",
    "Vacant",
    "Without",
]
