"""Everything that is kept about somebody, as plain data, for themselves: docs/personal-data.md tells what is in it.

Each table that names people is a section here, and says which of its columns are left out, and why. Nothing of anybody
else is in it: of games only what the person did, and of what happened only what their seat may know.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session, SQLModel, and_, col, or_, select

from service.config import Settings
from service.models import (
    Absence,
    Attempt,
    Bell,
    Complaint,
    Draft,
    Game,
    GameStatus,
    Letter,
    Link,
    Moderator,
    Move,
    Note,
    Nudge,
    Person,
    Proposal,
    Received,
    Relocation,
    Remark,
    ReturnAddress,
    Ring,
    Ruling,
    Seat,
    Submission,
    Tenure,
    Unwanted,
    Vote,
)
from service.play import record
from service.post import blocked

FORMAT = "hikyaku-person-1"

SECRET = "a key, or what keys are compared with"
OTHERS = "names somebody else"
HIDDEN = "the position, with what the other players may not know"
INNER = "how the service finds its rows again, and nothing about anybody"


@dataclass(frozen=True)
class Section:
    """A table. A row is theirs whole if `own` leads to them; where it only names them `besides`, it says just where."""

    model: type[SQLModel]
    own: str = "person_id"
    besides: tuple[str, ...] = ()
    through: str = ""  # the section whose rows `own` leads to, if that is not the person
    left_out: Mapping[str, str] = field(default_factory=dict)


SECTIONS: dict[str, Section] = {
    "person": Section(Person, own="id"),
    "changes_of_address": Section(Relocation),
    "days_away": Section(Absence),
    "unwanted_letters": Section(Unwanted),
    "complaints": Section(Complaint),
    "games": Section(
        Game,
        own="organiser_id",
        besides=("offered_to",),
        left_out={"saved": HIDDEN, "sheet": SECRET, "code": SECRET, "turn": INNER, "rematch_of": INNER},
    ),
    "seats": Section(
        Seat,
        besides=("offered_to", "typed_by"),
        left_out={"claimed_until": INNER, "trouble": INNER, "muted": OTHERS},
    ),
    "tenures": Section(Tenure),
    "drafts": Section(Draft, own="seat_id", through="seats"),
    "turns_sent": Section(Submission, own="seat_id", through="tenures", left_out={"digest": INNER}),
    "moves": Section(Move, left_out={"submission_id": INNER}),
    "moderators": Section(Moderator, besides=("instead_of",)),
    "proposals": Section(Proposal, own="proposed_by", left_out={"about": INNER}),
    "votes": Section(Vote),
    "rulings": Section(Ruling),
    "said": Section(Remark, besides=("to_id",), left_out={"hidden_id": INNER}),
    "notes": Section(Note),
    "nudges": Section(Nudge),
    "letters": Section(Letter, left_out={"key": INNER, "along_with": INNER, "heard": INNER}),
    "attempts": Section(Attempt, own="letter_id", through="letters"),
    "return_addresses": Section(ReturnAddress, own="letter_id", through="letters", left_out={"hash": SECRET}),
    "answers": Section(Received, own="address_id", through="return_addresses", left_out={"digest": SECRET}),
    "bells": Section(Bell, left_out={"address": SECRET, "hash": SECRET, "secrets": SECRET}),
    "rings": Section(Ring, left_out={"key": INNER, "hash": SECRET}),
    "links": Section(Link, left_out={"hash": SECRET, "token": SECRET}),
}

# Tables in which nobody is named. Of an address that wants no letters only a hash is kept; whether theirs is one of
# them is said under "blocked".
ABOUT_NOBODY = {"blocked", "heartbeat", "snapshot"}

Row = dict[str, Any]


def about(session: Session, settings: Settings, person: Person, now: datetime) -> Row:
    """The whole file."""
    found = _Finder(session, person)
    whole: Row = {"format": FORMAT, "made_at": now}
    for name, section in SECTIONS.items():
        rows = [found.told(section, row) for row in found.rows(name)]
        whole[name] = rows[0] if name == "person" else rows
    whole["blocked"] = blocked.is_blocked(session, settings, person.address)
    return whole


@dataclass
class _Finder:
    session: Session
    person: Person
    _found: dict[str, Sequence[Any]] = field(default_factory=dict)

    def rows(self, name: str) -> Sequence[Any]:
        """Each section after the one that it goes through."""
        if name not in self._found:
            model: Any = SECTIONS[name].model
            query = select(model).where(self._is_theirs(SECTIONS[name])).order_by(*model.__table__.primary_key)
            self._found[name] = self.session.exec(query).all()
        return self._found[name]

    def _is_theirs(self, section: Section) -> Any:
        model: Any = section.model
        if section.model is Submission:
            return or_(*(self._sent_in(tenure) for tenure in self.rows("tenures")), False)
        if section.through:
            ids = [row.id for row in self.rows(section.through) if self._owns(SECTIONS[section.through], row)]
            return col(getattr(model, section.own)).in_(ids)
        return or_(*(getattr(model, name) == self.person.id for name in (section.own, *section.besides)))

    def _sent_in(self, tenure: Tenure) -> Any:
        """What was sent from a seat while they held it."""
        here = and_(col(Submission.seat_id) == tenure.seat_id, col(Submission.asked) >= tenure.from_version)
        return here if tenure.to_version is None else and_(here, col(Submission.asked) < tenure.to_version)

    def _owns(self, section: Section, row: Any) -> bool:
        return bool(section.through) or getattr(row, section.own) == self.person.id

    def told(self, section: Section, row: Any) -> Row:
        """A row by the names of its columns; where it only names them, just where that is and as what."""
        named = {name for name in (section.own, *section.besides) if getattr(row, name) == self.person.id}
        if not self._owns(section, row):
            return self._place(row) | {"as": sorted(named)}
        values: Row = row.model_dump(exclude={*section.left_out, section.own, *section.besides})
        values |= self._place(row) | ({"as": sorted(named)} if section.besides else {})
        if isinstance(row, (Person, Seat)):
            values["name"] = values.pop("given")
        if isinstance(row, Move):
            return values | self._of_move(row)
        if isinstance(row, Proposal):
            values["form"] = {name: value for name, value in row.form.items() if name != "mail"}
        if isinstance(row, Received):
            values["source"] = row.source.decode(errors="replace")
        return values

    def _place(self, row: Any) -> Row:
        """Which game, and which seat of it, as they are called everywhere else."""
        if isinstance(row, Game):
            return {"game": row.public_id}
        place: Row = {}
        seat = row if isinstance(row, Seat) else self._other(Seat, row, "seat_id")
        proposal = self._other(Proposal, row, "proposal_id")
        game = self._other(Game, seat or proposal or row, "game_id")
        if game is not None:
            place["game"] = game.public_id
        if seat is not None:
            place["seat"] = seat.no
        return place

    def _other(self, model: type[Any], row: Any, name: str) -> Any:
        key = getattr(row, name, None)
        return self.session.get(model, key) if key is not None else None

    def _of_move(self, move: Move) -> Row:
        """What they decided for their own seat, and what came of it as far as that seat may know; points are hidden
        until the game is over, and so is what was decided for somebody else."""
        game = self.session.get_one(Game, move.game_id)
        over = game.status is GameStatus.FINISHED
        own = move.decided_by in ("player", "order")
        return {
            "choices": move.choices if own or over else None,
            "scores": move.scores if over else None,
            "events": list(self._known(move, move.seat_no if own else None, over)),
        }

    def _known(self, move: Move, seat: int | None, over: bool) -> Iterator[Any]:
        for event in move.events:
            if over or record.unpack(event).known_to(seat):
                yield event
