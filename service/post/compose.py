"""A letter put into words, at the moment it is sent. The link in it is made here, because only its hash is kept
anywhere else. What is true of one kind of letter only is in service/post/letters/."""

import re
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cached_property
from typing import Any

from sqlmodel import Session, col, select

from engine import GAMES, UnknownSave
from service import results
from service.config import Settings
from service.models import Game, GameStatus, Letter, Person, Seat, SeatStatus
from service.play import record, turnclock
from service.post import envelope, links, moments, render, story
from service.post.language import gettext, speaking
from service.post.letters import KINDS
from service.post.told import in_words

PARTS = ("subject.txt", "txt", "html")
GAP = re.compile("\n{3,}")  # what a block that stays empty leaves in the text


def compose(session: Session, settings: Settings, letter: Letter, now: datetime) -> EmailMessage | None:
    """The message as it is sent now, or None if it is no longer true or no longer wanted. UnknownSave if it is about a
    position that the rules of today cannot read."""
    kind, occasion = KINDS[letter.kind], Occasion(session, settings, letter, now)
    game = occasion.game if letter.game_id else None
    dialect = GAMES[game.kind].dialect_of(game.options) if game else ""
    with speaking(occasion.person.language, dialect):
        unwanted = kind.wish is not None and not kind.wish.of(occasion.person)
        if unwanted or not kind.still_true(occasion):
            return None
        if letter.asked is not None and occasion.stranded:
            raise occasion.stranded  # nobody is called to a question that cannot be answered
        message = envelope.addressed(settings, letter, occasion.person, game, now)
        unsubscribe = occasion.unsubscribe_link() if kind.wish else None
        if unsubscribe:
            envelope.way_out(message, unsubscribe)
        context = _common(occasion, game) | {"unsubscribe": unsubscribe} | kind.context(occasion)
        subject, text, html = (render.render(f"letters/{kind.name}.{part}", **context) for part in PARTS)
        envelope.fill(message, subject, GAP.sub("\n\n", text), html)
    return message


def _common(occasion: "Occasion", game: Game | None) -> dict[str, Any]:
    """What every letter's templates may use."""
    return {
        "person": occasion.person,
        "game": game,
        "seat": occasion.seat if occasion.letter.seat_id else None,
        "title": GAMES[game.kind].title if game else "",
        "called": occasion.called(game) if game else "",
        "base_url": occasion.settings.base_url,
        "link": None,
    }


@dataclass
class Occasion:
    """A letter that is to be sent now: its row, its reader, and what a kind of letter may want to know or to link."""

    session: Session
    settings: Settings
    letter: Letter
    now: datetime

    @cached_property
    def person(self) -> Person:
        return self.session.get_one(Person, self.letter.person_id)

    @cached_property
    def game(self) -> Game:
        return self.session.get_one(Game, self.letter.game_id)

    @cached_property
    def seat(self) -> Seat:
        return self.session.get_one(Seat, self.letter.seat_id)

    @cached_property
    def seats(self) -> list[Seat]:
        return record.seats_of(self.session, self.game)

    @cached_property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @property
    def organiser(self) -> Person:
        return self.session.get_one(Person, self.game.organiser_id)

    @property
    def moderator(self) -> Person | None:
        return self.session.get(Person, self.game.moderator_id) if self.game.moderator_id else None

    @property
    def ending(self) -> dict[str, str] | None:
        """By whose ruling the game was ended, and why; None if it came to its own end."""
        ruling = results.ended_by(self.session, self.game)
        if ruling is None:
            return None
        by = self.session.get(Person, ruling.person_id) if ruling.person_id else None
        return {"by": by.name if by else "", "reason": in_words(ruling.reason, self.person.zone, self.names)}

    @cached_property
    def stranded(self) -> UnknownSave | None:
        """Why the game cannot go on, if it was saved under rules from which nothing leads to those of today."""
        return record.stranded(self.game) if self.game.rules != GAMES[self.game.kind].rules else None

    def at_the_table(self) -> bool:
        return any(seat.person_id == self.person.id for seat in self.seats)

    def still_asked(self, seat: Seat) -> bool:
        """The question the letter is about is still open."""
        return seat.asked is not None and seat.asked == self.letter.asked

    # what is said

    @property
    def pace(self) -> str:
        return turnclock.pace_words(self.game)

    def called(self, game: Game) -> str:
        """The title, and the name this game was given: 'Thursday crew'."""
        title = GAMES[game.kind].title
        return gettext("%(title)s, %(name)s", title=title, name=game.name) if game.name else title

    def until(self, moment: datetime) -> str:
        return moments.until(moment, self.person.zone, self.now)

    def told(self, name: str) -> str:
        """What the row keeps under this name, in words."""
        return in_words(self.letter.about[name], self.person.zone, self.names)

    def since_last_turn(self) -> list[str]:
        return story.paragraphs(story.since_last_turn(self.session, self.game, self.seat, self.names))

    def board(self) -> str:
        return render.board_text(self.game.kind, record.load(self.game).view(self.seat.no), self.names)

    # links, each a new key

    def _address(self, token: str) -> str:
        return f"{self.settings.base_url}/l/{token}"

    def seat_link(self, seat: Seat | None = None) -> str:
        return self._address(links.mint_seat(self.session, seat or self.seat))

    def organiser_link(self, game: Game | None = None) -> str:
        return self._address(links.mint_organiser(self.session, game or self.game))

    def desk_link(self, game: Game | None = None) -> str:
        return self._address(links.mint_desk(self.session, game or self.game))

    def offer_link(self) -> str:
        return self._address(links.mint_offer(self.session, self.seat))

    def operator_link(self) -> str | None:
        """For the operator of this installation only."""
        if parseaddr(self.settings.operator or "")[1].lower() != self.person.mail:
            return None
        return self._address(links.mint_operator(self.session, self.person))

    def unsubscribe_link(self) -> str:
        return f"{self.settings.base_url}/u/{links.mint_letters(self.session, self.person)}"

    # what is the reader's, and still of use

    def seats_held(self) -> list[tuple[Seat, Game]]:
        held = self.session.exec(
            select(Seat, Game)
            .join(Game, col(Game.id) == col(Seat.game_id))
            .where(
                Seat.person_id == self.person.id,
                col(Game.status) != GameStatus.CANCELLED,
                col(Seat.status) != SeatStatus.DECLINED,
            )
            .order_by(col(Game.created_at).desc())
            .limit(40)
        )
        return list(held)

    def organised(self) -> list[Game]:
        return self._games(Game.organiser_id == self.person.id, col(Game.status) == GameStatus.INVITED)

    def moderated(self) -> list[Game]:
        return self._games(Game.moderator_id == self.person.id, col(Game.status) == GameStatus.RUNNING)

    def _games(self, *where: Any) -> list[Game]:
        return list(self.session.exec(select(Game).where(*where).order_by(col(Game.created_at).desc()).limit(40)))
