"""Rulings as data: a name, what the form asks for, a preview of what exactly will happen, and the effect.

A new ruling is one small class in this file. Who may make it, and who can only propose it, is not decided here
(service/play/deciding.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from sqlmodel import Session, col, update

from engine import Match
from service.models import Draft, Game, Move, Person, Seat
from service.models import Ruling as Written
from service.play import holders, making, moderators, pausing, positions, record, standin, turnclock
from service.play.reading import BadInput, read_mail, read_name, read_whole
from service.post import letters, outbox
from service.post.language import gettext as _
from service.post.language import marked
from service.post.told import Told, ntold, told

LONGEST_EXTENSION = 14 * 24


@dataclass
class Case:
    """What a ruling is about: the game, who decides, when, and what the form said."""

    session: Session
    game: Game
    person: Person
    now: datetime
    form: Mapping[str, str]
    moderates: bool = True  # at the desk; else one of the players, at the table
    written: Written = field(init=False)  # the row of what is decided, for the letters that tell of it

    @cached_property
    def seats(self) -> list[Seat]:
        return record.seats_of(self.session, self.game)

    def seat(self) -> Seat:
        for seat in self.seats:
            if str(seat.no) == self.form.get("seat"):
                return seat
        raise BadInput(_("Please say which player this is about."), "seat")

    def open_seat(self) -> Seat:
        seat = self.seat()
        if seat.asked is None:
            raise BadInput(_("%(name)s has no open question now.", name=seat.name), "seat")
        return seat

    def number(self, field: str, least: int, most: int) -> int:
        return read_whole(self.form.get(field, ""), least, most, field)

    def plays(self) -> bool:
        """Whoever plays is a party, at the desk too."""
        return any(seat.person_id == self.person.id for seat in self.seats)


@dataclass(frozen=True)
class Field:
    """One input of a ruling's form; its label is put into words where it is shown."""

    name: str
    label: str
    kind: str = "seat"  # seat, number, text, email, check
    value: str = ""


class Ruling:
    """`preview` says what would happen and changes nothing that is kept; `apply` does it and says what was done."""

    name: str
    label: str
    help: str
    fields: tuple[Field, ...] = (Field("seat", marked("Which player?")),)
    hangs_on: tuple[str, ...] = ()  # what must not change while it is voted on: see service/play/proposals.py
    plays_for: bool = False  # it takes a turn or the seat from somebody
    needs_position: bool = False  # it cannot be made where no rules of today lead on from it
    secret: bool = False  # told only when the game is over

    @property
    def is_about_a_seat(self) -> bool:
        return bool(self.fields) and self.fields[0].name == "seat"

    def fits(self, case: Case, seat: Seat | None) -> bool:
        """Whether it could do anything now, to this seat if it is about one: else it is not offered."""
        return True

    def preview(self, case: Case) -> Told:
        raise NotImplementedError

    def apply(self, case: Case) -> Told:
        raise NotImplementedError

    def proposed(self, case: Case) -> Told:
        """What it would do whenever the others agree, so it names no moment that is counted from now."""
        return self.preview(case)

    def writes_to(self, case: Case) -> list[int | None]:
        """Whom it tells by a letter of its own, which says more than the one that goes to all others."""
        return []

    def seat(self, case: Case) -> Seat | None:
        return case.seat() if self.is_about_a_seat else None


class Extend(Ruling):
    name, label = "extend", marked("Give more time")
    help = marked("The deadline of the open turn moves; nobody is late any more.")
    fields = (Field("seat", marked("Which player?")), Field("hours", marked("Hours more"), "number", "24"))
    hangs_on = ("asked",)

    def fits(self, case: Case, seat: Seat | None) -> bool:
        return seat is not None and seat.asked is not None

    def writes_to(self, case: Case) -> list[int | None]:
        return [case.seat().person_id]

    def preview(self, case: Case) -> Told:
        seat = case.open_seat()
        hours = case.number("hours", 1, LONGEST_EXTENSION)
        turnclock.extend(case.session, case.game, seat, timedelta(hours=hours), case.now)
        assert seat.deadline is not None
        if case.game.paused_at is not None:  # until when is known only once the clocks run again
            return self.proposed(case)
        return told("%(name)s has until %(deadline)s.", name=seat.name, deadline=seat.deadline)

    def proposed(self, case: Case) -> Told:
        name, hours = case.open_seat().name, case.number("hours", 1, LONGEST_EXTENSION)
        return ntold("%(name)s has %(num)s hour more.", "%(name)s has %(num)s hours more.", hours, name=name)

    def apply(self, case: Case) -> Told:
        said = self.preview(case)
        outbox.write(case.session, letters.Extended(case.open_seat(), case.written))
        return said


class Excuse(Ruling):
    name, label = "excuse", marked("Excuse the misses")
    help = marked("The count of misses goes to nothing, the reserve is full again.")

    def fits(self, case: Case, seat: Seat | None) -> bool:
        if seat is None or seat.bot:
            return False
        return seat.misses > 0 or seat.reserve < case.game.pace["reserve"]

    def preview(self, case: Case) -> Told:
        seat = case.seat()
        if not self.fits(case, seat):
            raise BadInput(_("There is nothing to excuse: no miss in a row, and the reserve is full."))
        if not seat.misses:
            return told("%(name)s: there is no miss to excuse, and the reserve is full again.", name=seat.name)
        return ntold(
            "%(name)s: the missed turn is excused, and the reserve is full again.",
            "%(name)s: %(num)s misses in a row are excused, and the reserve is full again.",
            seat.misses,
            name=seat.name,
        )

    def apply(self, case: Case) -> Told:
        said, seat = self.preview(case), case.seat()
        seat.excused += seat.misses
        seat.misses, seat.reserve = 0, max(seat.reserve, case.game.pace["reserve"])
        case.session.add(seat)
        return said


class AutoPass(Ruling):
    name, label = "auto-pass", marked("Auto-pass")
    help = marked("The least committing legal play is made for the player.")
    hangs_on, plays_for, needs_position = ("asked",), True, True

    def fits(self, case: Case, seat: Seat | None) -> bool:
        return seat is not None and seat.asked is not None

    def writes_to(self, case: Case) -> list[int | None]:
        return [case.seat().person_id]

    def choices(self, case: Case, match: Match, seat: Seat) -> list[str]:
        return record.default_choices(match, seat.no)

    def preview(self, case: Case) -> Told:
        seat = case.open_seat()
        match = record.load(case.game)
        return standin.foresee(match, seat, self.choices(case, match, seat))

    def apply(self, case: Case) -> Told:
        return standin.auto_pass(case.session, case.game, case.open_seat(), case.written)


class BotTurn(AutoPass):
    name, label = "bot-turn", marked("Let the bot play this turn")
    help = marked("The built-in player makes a sensible move; the player keeps the seat.")

    def choices(self, case: Case, match: Match, seat: Seat) -> list[str]:
        return record.bot_choices(match, seat.no)

    def apply(self, case: Case) -> Told:
        return standin.bot_turn(case.session, case.game, case.open_seat(), case.written)


class BotFromNowOn(Ruling):
    name, label = "bot", marked("Let the bot play from now on")
    help = marked("The player loses the seat; their links stop working, and the game goes on with the bot.")
    plays_for, needs_position = True, True

    def fits(self, case: Case, seat: Seat | None) -> bool:
        return seat is not None and not seat.bot and not holders.last_person(case.seats, seat)

    def writes_to(self, case: Case) -> list[int | None]:
        return [case.seat().person_id]

    def preview(self, case: Case) -> Told:
        seat = case.seat()
        if seat.bot:
            raise BadInput(_("%(name)s is a bot already.", name=seat.name), "seat")
        if holders.last_person(case.seats, seat):
            raise BadInput(_("Nobody but bots would be left. End the game instead."), "seat")
        record.load(case.game)
        return told("%(name)s leaves the game, and the bot plays on in their place.", name=seat.name)

    def apply(self, case: Case) -> Told:
        self.preview(case)
        return holders.give_to_bot(case.session, case.game, case.seat(), case.written)


class Substitute(Ruling):
    name, label = "substitute", marked("Find somebody to take over")
    help = marked(
        "They get a letter, see the position, and take the seat when they accept. Until then nothing changes."
    )
    fields = (
        Field("seat", marked("Whose seat?")),
        Field("name", marked("The newcomer's name"), "text"),
        Field("mail", marked("Their mail address"), "email"),
    )
    plays_for, needs_position = True, True

    def _who(self, case: Case) -> tuple[Seat, Person]:
        seat = case.seat()
        person = holders.newcomer(case.session, case.seats, case.form.get("name", ""), case.form.get("mail", ""))
        record.load(case.game)
        return seat, person

    def preview(self, case: Case) -> Told:
        seat, person = self._who(case)
        return told("%(name)s is asked to take over from %(holder)s.", name=person.name, holder=seat.name)

    def apply(self, case: Case) -> Told:
        seat, person = self._who(case)
        holders.offer(case.session, seat, person, case.now, by=case.person)
        return told("%(name)s is asked to take over from %(holder)s.", name=person.name, holder=seat.name)


class Pause(Ruling):
    name, label, help = "pause", marked("Pause the game"), marked("All clocks stand still. It ends by itself.")
    fields = (Field("days", marked("For how many days at most?"), "number", "7"),)
    hangs_on = ("paused",)

    def fits(self, case: Case, seat: Seat | None) -> bool:
        return case.game.paused_at is None

    def writes_to(self, case: Case) -> list[int | None]:
        return [seat.person_id for seat in case.seats]

    def _days(self, case: Case) -> timedelta:
        return timedelta(days=case.number("days", 1, pausing.LONGEST.days))

    def preview(self, case: Case) -> Told:
        if case.game.paused_at is not None:
            raise BadInput(_("The game is paused already."))
        return told(pausing.STAND_STILL, until=case.now + self._days(case))

    def proposed(self, case: Case) -> Told:
        self.preview(case)
        return ntold(
            "All clocks stand still for %(num)s day at most.",
            "All clocks stand still for %(num)s days at most.",
            self._days(case).days,
        )

    def apply(self, case: Case) -> Told:
        return pausing.stand_still(case.session, case.game, self._days(case), case.written, case.now)


class Resume(Ruling):
    name, label, help = "resume", marked("Go on after a pause"), pausing.RUN_ON
    fields = ()
    hangs_on = ("paused",)

    def fits(self, case: Case, seat: Seat | None) -> bool:
        return case.game.paused_at is not None

    def writes_to(self, case: Case) -> list[int | None]:
        return [seat.person_id for seat in case.seats]

    def preview(self, case: Case) -> Told:
        if case.game.paused_at is None:
            raise BadInput(_("The game is not paused."))
        return told(pausing.RUN_ON)

    def apply(self, case: Case) -> Told:
        return pausing.run_on(case.session, case.game, case.written, case.now)


class AskModerator(Ruling):
    name, label = "moderator", marked("Ask somebody to look after the game")
    help = marked("They get a letter, and look after the game once they accept. Until then nothing changes.")
    fields = (
        Field("name", marked("Their name"), "text"),
        Field("mail", marked("Their mail address"), "email"),
        Field("instead", marked("In my place: I hand the game over to them"), "check"),
    )

    def _who(self, case: Case) -> Person:
        name, mail = read_name(case.form.get("name", "")), read_mail(case.form.get("mail", ""))
        person = making.person_for(case.session, name, mail)
        moderators.must_be_new(case.session, case.game, person)
        return person

    def _hands_over(self, case: Case) -> bool:
        looks_after = any(moderator.id == case.person.id for moderator in moderators.of(case.session, case.game))
        return bool(case.form.get("instead")) and looks_after

    def preview(self, case: Case) -> Told:
        name, before = self._who(case).name, case.person.name
        if self._hands_over(case):
            return told("%(name)s is asked to look after the game in place of %(before)s.", name=name, before=before)
        return told("%(name)s is asked to look after the game.", name=name)

    def apply(self, case: Case) -> Told:
        said = self.preview(case)
        instead_of = case.person.id if self._hands_over(case) else None
        moderators.ask(case.session, case.game, self._who(case), case.now, by=case.person, instead_of=instead_of)
        return said


class Rewind(Ruling):
    name, label = "rewind", marked("Go back to an earlier move")
    help = marked("The game goes on from there. All later moves are kept in the log, marked as withdrawn.")
    fields = (Field("version", marked("Back to the position after move number"), "number"),)
    hangs_on, needs_position = ("version",), True

    def fits(self, case: Case, seat: Seat | None) -> bool:
        return case.game.version > 0

    def _position(self, case: Case) -> tuple[int, Match]:
        version = case.number("version", 0, case.game.version - 1)
        return version, Match.load(positions.snapshot(case.session, case.game, version), case.game.components)

    def preview(self, case: Case) -> Told:
        version, _match = self._position(case)
        return ntold(
            "Back to the position after move %(move)s: %(num)s move is withdrawn.",
            "Back to the position after move %(move)s: %(num)s moves are withdrawn.",
            case.game.version - version,
            move=version,
        )

    def apply(self, case: Case) -> Told:
        said, game, session = self.preview(case), case.game, case.session
        version, match = self._position(case)
        session.execute(
            update(Move)
            .where(col(Move.game_id) == game.id, col(Move.version) > version)
            .values(withdrawn=True)
            .execution_options(synchronize_session=False)
        )
        seats = case.seats
        for seat in seats:
            turnclock.stop(seat)
            if draft := session.get(Draft, seat.id):
                session.delete(draft)
        record.put_back(session, game, seats, match)
        return said


class End(Ruling):
    name, label = "end", marked("End the game")
    help = marked("With a result, the scores as they stand decide; without one, the game simply stops.")
    fields = (Field("result", marked("Count the scores as they stand"), "check"),)

    def writes_to(self, case: Case) -> list[int | None]:
        return [seat.person_id for seat in case.seats]

    def preview(self, case: Case) -> Told:
        if case.form.get("result") and record.stranded(case.game):
            return told("The game ends now, and the scores of its last move decide, as they were counted then.")
        if case.form.get("result"):
            return told("The game ends now, and the scores as they stand decide.")
        return told(record.NO_RESULT)

    def apply(self, case: Case) -> Told:
        said, game, seats = self.preview(case), case.game, case.seats
        if case.form.get("result"):
            record.finish_early(case.session, game, seats)
            return said
        record.break_off(case.session, game, seats, case.written)
        return said


class OpenView(Ruling):
    name, label = "open-view", marked("Look at a hidden view")
    help = marked("You see the table as this player does. The players are told at the end of the game.")
    needs_position, secret = True, True

    def fits(self, case: Case, seat: Seat | None) -> bool:
        return not case.plays() and seat is not None and not seat.bot

    def preview(self, case: Case) -> Told:
        if case.plays():
            raise BadInput(_("You play in this game: a player can never look at another's cards."))
        record.load(case.game)
        return told("You see the table once as %(name)s sees it.", name=case.seat().name)

    def apply(self, case: Case) -> Told:
        self.preview(case)
        moderator, name = case.person.name, case.seat().name
        return told("%(moderator)s saw the table once as %(name)s saw it.", moderator=moderator, name=name)


RULINGS: dict[str, Ruling] = {
    kind.name: kind()
    for kind in (
        Extend, Excuse, AutoPass, BotTurn, BotFromNowOn, Substitute, Pause, Resume, Rewind, End, AskModerator, OpenView
    )
}  # fmt: skip
