"""A bell that is to ring now: who still wants to hear it, whether it is still true, and what it says.

All it says of a game is what everybody may know: it looks through nobody's seat. Sends nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, cast

from sqlmodel import Session

from engine import GAMES
from service import results
from service.config import Settings
from service.models import Bell, Game, GameStatus, Letter, Outcome, Person, Proposal, Ring, Ruling, Seat
from service.play import record
from service.post import bells, blocked, hooks, moments, push, wishes, words
from service.post.bells import Rings
from service.post.compose import Occasion
from service.post.language import Edition, listed, speaking
from service.post.language import gettext as _
from service.post.letters import KINDS, Nudge
from service.post.told import in_words

QUESTION = ":kind"  # of a prompt: what kind of question it is, for those who are not asked


def prompts(game: Game) -> dict[int, str]:
    """What each seat is asked, as the spectators' view has it."""
    return {asked["seat"]: asked["prompt"] for asked in record.load(game).view(None)["pending"]}


def in_brief(prompt: str | None) -> str:
    """What kind of question that is; nothing where nobody has put it into words."""
    return words.say(f"{prompt}{QUESTION}") if prompt and words.knows(f"{prompt}{QUESTION}") else ""


@dataclass
class Ringing:
    """A row that is to be posted now, and what there is to know about it."""

    session: Session
    settings: Settings
    ring: Ring
    now: datetime

    @cached_property
    def game(self) -> Game:
        return self.session.get_one(Game, self.ring.game_id)

    @cached_property
    def seats(self) -> list[Seat]:
        return record.seats_of(self.session, self.game)

    @cached_property
    def asked(self) -> list[Seat]:
        """Those to whom the question was put that it tells of, and who have not answered."""
        if self.game.status is not GameStatus.RUNNING or record.stranded(self.game):
            return []
        return [seat for seat in self.seats if seat.asked is not None and seat.asked == self.ring.asked]

    # who hears it

    @cached_property
    def heard_by(self) -> list[Bell]:
        """The bells at its address that ring for it, the oldest first."""
        there = bells.at(self.session, self.ring.hash)
        if self.ring.rings == Rings.TEST:
            return [bell for bell in there if bell.id == self.ring.about["bell"]]
        return [bell for bell in there if self._wants(bell)] if self._is_true() else []

    def _is_true(self) -> bool:
        if self.ring.rings == Rings.TURN:
            return bool(self.asked)
        if self.ring.rings == Rings.OVER:
            return self.game.status is GameStatus.FINISHED
        return KINDS[self.ring.kind].still_rings(self._occasion)

    @cached_property
    def _occasion(self) -> Occasion:
        """A ring has all that is asked of a letter here."""
        return Occasion(self.session, self.settings, cast(Letter, self.ring), self.now)

    def _wants(self, bell: Bell) -> bool:
        person = self.session.get_one(Person, bell.person_id)
        if self.ring.rings not in bell.rings or person.gone:
            return False
        if blocked.is_blocked(self.session, self.settings, person.address):
            return False
        if bell.game_id is not None:
            return bell.game_id == self.ring.game_id
        wish = KINDS[self.ring.kind].wish
        stopped = wish is not None and wish in wishes.unwanted(self.session, person, self.game.id)
        return self._concerns(person.id) and not stopped

    def _concerns(self, person_id: int) -> bool:
        if self.ring.rings == Rings.TURN:
            return any(seat.person_id == person_id for seat in self.asked)
        if self.ring.rings in (Rings.OVER, Rings.RULING):
            at_table = any(seat.person_id == person_id for seat in self.seats)
            return at_table or self.ring.person_id == person_id
        return self.ring.person_id == person_id

    def listeners(self, bell: Bell) -> set[int]:
        """In whose own time it may ring: its owner's; that of a table in the time of those it is about."""
        if bell.game_id is not None and self.ring.rings == Rings.TURN:
            return {seat.person_id for seat in self.asked if seat.person_id is not None}
        if bell.game_id is not None and self.ring.rings == Rings.REMINDER:
            return {self.ring.person_id}
        return {bell.person_id}

    # what it says

    def notice(self) -> hooks.Notice:
        """In the language and zone of whoever has put up the first bell that hears it."""
        reader = self.session.get_one(Person, self.heard_by[0].person_id)
        edition = words.edition_of(self.game) if self.ring.game_id else Edition()
        with speaking(reader.language, *edition):
            return hooks.Notice(
                self.ring.key.partition(":")[2], self._title, self._lines(reader), self._link, self._about
            )

    @property
    def to_browser(self) -> bool:
        return self.heard_by[0].kind == bells.PUSH

    @property
    def _title(self) -> str:
        if not self.ring.game_id:
            return "Hikyaku"
        title = GAMES[self.game.kind].title
        return _("%(title)s, %(name)s", title=title, name=self.game.name) if self.game.name else title

    @property
    def _own(self) -> bool:
        """It goes to one person's browser, and can say "you"."""
        return self.to_browser and len({bell.person_id for bell in self.heard_by}) == 1

    @cached_property
    def told_of(self) -> list[Seat]:
        """The seats it tells of; all of them, where the table has asked for it."""
        if self.ring.rings == Rings.TURN:
            everybody = any(bell.game_id is not None for bell in self.heard_by)
            listening = {bell.person_id for bell in self.heard_by}
            return [seat for seat in self.asked if everybody or seat.person_id in listening]
        if self.ring.rings == Rings.REMINDER:
            return [seat for seat in self.seats if seat.id == self.ring.seat_id]
        return []

    @cached_property
    def _prompts(self) -> dict[int, str]:
        return prompts(self.game)

    def question(self, seat: Seat) -> str:
        return in_brief(self._prompts.get(seat.no))

    def _until(self, seat: Seat) -> datetime | None:
        return seat.deadline if self.game.paused_at is None else None

    def _lines(self, reader: Person) -> tuple[str, ...]:
        match Rings(self.ring.rings):
            case Rings.TURN:
                return tuple(self._turn(seat, reader) for seat in self.told_of)
            case Rings.REMINDER:
                asked = [self._asked_for(seat) for seat in self.told_of if self._askers]
                return (*asked, *(self._reminder(seat, reader) for seat in self.told_of))
            case Rings.OVER:
                return (self._ending(),)
            case Rings.RULING:
                return (self._ruling(reader),)
            case Rings.TALK:
                return (_("Somebody has said something to you at the table."),)
            case Rings.TEST:
                return (_("This is how it rings. Nothing has happened."),)

    def _turn(self, seat: Seat, reader: Person) -> str:
        question, until = self.question(seat), self._until(seat)
        if self._own:
            said = _("It is your turn: %(question)s.", question=question) if question else _("It is your turn.")
        elif question:
            said = _("%(name)s is to play: %(question)s.", name=seat.name, question=question)
        else:
            said = _("%(name)s is to play.", name=seat.name)
        return _("%(said)s Until %(time)s.", said=said, time=moments.both(until, reader.zone)) if until else said

    def _reminder(self, seat: Seat, reader: Person) -> str:
        until = self._until(seat)
        if until is None or until <= self.now:
            return _("Your time is up.") if self._own else _("The time of %(name)s is up.", name=seat.name)
        time = moments.until(until, reader.zone, self.now)
        if self._own:
            return _("It is still your turn, until %(time)s.", time=time)
        return _("%(name)s is still to play, until %(time)s.", name=seat.name, time=time)

    @property
    def _askers(self) -> list[str]:
        """Who asks for the turn, if it rings because somebody does."""
        return self._occasion.askers if self.ring.kind == Nudge.name else []

    def _asked_for(self, seat: Seat) -> str:
        names = listed(self._askers)
        if self._own:
            return _("%(names)s would love to see your turn.", names=names)
        return _("%(names)s would love to see the turn of %(name)s.", names=names, name=seat.name)

    def _ending(self) -> str:
        names = [self.seats[no].name for no in results.winners(self.game)] if self.game.result else []
        return _("The game is over. Won by %(names)s.", names=listed(names)) if names else _("The game is over.")

    def _ruling(self, reader: Person) -> str:
        """What was decided or is proposed, which all who watch can read; not why."""
        names = [seat.name for seat in self.seats]
        if "proposal" in self.ring.about:
            proposal = self.session.get_one(Proposal, self.ring.about["proposal"])
            effect = in_words(proposal.effect, reader.zone, names)
            if proposal.outcome is Outcome.OPEN:
                return _("Something is proposed: %(effect)s", effect=effect)
            return _("A proposal came to nothing: %(effect)s", effect=effect)
        ruling = self.session.get_one(Ruling, self.ring.about["ruling"])
        return _("A ruling: %(effect)s", effect=in_words(ruling.effect, reader.zone, names))

    @property
    def _link(self) -> str:
        """A page that needs no key. For a browser of one's own the seat itself, which opens by what the browser has."""
        base = self.settings.base_url
        if not self.ring.game_id:
            return f"{base}/my" if self.to_browser else f"{base}/"
        own = [seat for seat in self.seats if seat.person_id == self.heard_by[0].person_id] if self._own else []
        mine = next((seat for seat in own if seat.id == self.ring.seat_id), own[0] if own else None)
        return f"{base}/g/{self.game.public_id}/seat/{mine.no}" if mine else f"{base}/g/{self.game.public_id}/now"

    @property
    def _about(self) -> dict[str, Any]:
        """The same for machines."""
        about: dict[str, Any] = {"ring": self.ring.rings}
        if not self.ring.game_id:
            return about
        game = self.game
        about["game"] = {"id": game.public_id, "title": GAMES[game.kind].title, "name": game.name}
        about["seats"] = [self._seat(seat) for seat in self.told_of]
        if self._askers:
            about["askers"] = self._askers
        if self.ring.rings == Rings.OVER:
            about["ranking"] = [
                {"place": row["place"], "name": self.seats[row["seat"]].name, "score": row["score"]}
                for row in game.result or []
            ]
        return about

    def _seat(self, seat: Seat) -> dict[str, Any]:
        until = self._until(seat)
        question = {"question": self._prompts.get(seat.no, ""), "words": self.question(seat)}
        return {"no": seat.no, "name": seat.name, **question, "until": until.isoformat() if until else None}


def parcel(ringing: Ringing, now: datetime) -> hooks.Parcel:
    """What is posted. Where bells of several kinds have one address, it speaks as the oldest does."""
    bell, notice = ringing.heard_by[0], ringing.notice()
    if bell.kind == bells.PUSH:
        return push.parcel(ringing.settings, bell.address, bell.secrets, notice, now)
    return hooks.parcel(bell.kind, bell.address, notice)
