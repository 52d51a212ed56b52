"""A letter put into words, at the moment it is sent. The link in it is made here, because only its hash is kept
anywhere else. What is true of one kind of letter only is in service/post/letters/."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from functools import cached_property
from typing import Any, ClassVar

import sqlalchemy
from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, or_, select

from engine import GAMES, Match, UnknownSave
from service import results
from service.config import Settings
from service.models import (
    Absence,
    Answer,
    Game,
    GameStatus,
    Letter,
    LetterStatus,
    Moderator,
    Person,
    Proposal,
    Relocation,
    Ruling,
    Seat,
    SeatStatus,
)
from service.play import (
    colours,
    drafts,
    hearing,
    holders,
    making,
    moderators,
    notes,
    nudging,
    positions,
    record,
    relocating,
    turnclock,
)
from service.post import addresses, envelope, hues, links, moments, picture, render, story, wishes
from service.post.decided import decided
from service.post.language import Edition, gettext, ngettext, speaking
from service.post.letters import KINDS, Kind, Turn
from service.post.menu import Menu, menu
from service.post.told import Told, in_words
from service.post.wishes import Wish
from service.post.words import edition_of

log = logging.getLogger(__name__)

MOST_SAID = 20  # of what was said, in one letter
MOST_LOOKED_AT = 200  # to find what is for the reader
GAP = re.compile("\n{3,}")  # what a block that stays empty leaves in the text

# What is asked for nearly every letter is put together once: that takes longer than to ask it.
_lead = aliased(Letter)
_TURN_LETTERS = (
    select(func.coalesce(_lead.message_id, Letter.message_id))
    .select_from(Letter)
    .outerjoin(_lead, col(_lead.id) == col(Letter.along_with))
    .where(col(Letter.seat_id) == bindparam("seat"), col(Letter.asked) == bindparam("asked"), Letter.kind == Turn.name)
    .where(col(Letter.person_id) == bindparam("person"), Letter.status == LetterStatus.SENT)
    .where(col(Letter.id) != bindparam("letter"))
    .order_by(col(Letter.id))
)
_WRITTEN = sqlalchemy.select(func.max(Letter.sent_at), func.max(Letter.heard)).where(
    col(Letter.person_id) == bindparam("person"),
    col(Letter.game_id) == bindparam("game"),
    col(Letter.status) == LetterStatus.SENT,
)
_ANNOUNCED = (
    select(Seat, Absence)
    .join(Absence, col(Absence.person_id) == col(Seat.person_id))
    .where(col(Seat.game_id) == bindparam("game"), col(Seat.person_id) != bindparam("person"))
    .where(col(Absence.last) >= bindparam("today"), col(Absence.announced_at) > bindparam("since"))
    .order_by(col(Absence.first), col(Seat.no))
)


def compose(
    session: Session, settings: Settings, letters: Sequence[Letter], now: datetime
) -> tuple[EmailMessage | None, list[Letter]]:
    """One message, as it is sent now, that tells all of these letters to one person about one game; without those that
    are no longer true or no longer wanted. And which it tells, the one that leads it first. UnknownSave if one of them
    is about a position that the rules of today cannot read."""
    occasions = [Occasion(session, settings, letter, now) for letter in letters]
    if not occasions:
        return None, []
    person, game = occasions[0].person, occasions[0].game if letters[0].game_id else None
    edition = edition_of(game) if game else Edition()
    with speaking(person.language, *edition), hues.wearing(colours.of(occasions[0].seats) if game else ()):
        told = sorted(filter(_is_told, occasions), key=lambda occasion: occasion.kind.rank)
        if not told:
            return None, []
        rows = [occasion.letter for occasion in told]
        message = envelope.addressed(settings, rows, told[0].to, game, now, told[0].answered_letter())
        envelope.answerable(message, told[0].answers_to(told) if settings.reads_answers else settings.no_reply)
        wish = next((occasion.kind.wish for occasion in told if occasion.kind.wish), None)
        unsubscribe = told[0].unsubscribe_link(wish) if wish else None
        never = told[0].never_link() if any(occasion.kind.to_strangers for occasion in told) else None
        if way_out := unsubscribe or never:
            envelope.way_out(message, way_out)
        board = told[0].picture()
        ends = {"unsubscribe": unsubscribe, "wish": wish, "never": never}
        shown = {"picture": envelope.PICTURE if board else ""}
        news, text, html = _in_words(told, game, ends | shown)
        envelope.fill(message, _subject(told[0], game, news), text, html, board)
        heard = hearing.last(session, game) if game else None
        for row in rows:
            row.subject, row.heard = news, heard
    return message, rows


def _subject(lead: "Occasion", game: Game | None, news: str) -> str:
    """The same in all letters about a game, for mail readers to keep them together; their news is in the first line.
    Letters to strangers are no part of any game yet."""
    return news if game is None or lead.kind.to_strangers else lead.called(game)


def _is_told(occasion: "Occasion") -> bool:
    kind, letter = occasion.kind, occasion.letter
    if occasion.person.confirmed_at is None and not kind.to_strangers:
        return False  # somebody has typed their address, and they have said nothing yet
    wanted = kind.wish is None or wishes.wanted(occasion.session, occasion.person, letter.game_id, kind.wish)
    if not wanted or not kind.still_true(occasion):
        return False
    if letter.asked is not None and occasion.stranded:
        raise occasion.stranded  # nobody is called to a question that cannot be answered
    return True


def _in_words(told: Sequence["Occasion"], game: Game | None, around: dict[str, Any]) -> tuple[str, str, str]:
    """The news in a line, text and html: the first letter as it is, with what is around it, and within it the others,
    each a part."""
    lead, *others = told
    besides = [_common(other, game) | {"part": True} | other.kind.context(other) for other in others]
    away = lead.away() if game and game.status is GameStatus.RUNNING else []
    talk = lead.talk() if game and not lead.kind.to_strangers else []
    context = _common(lead, game) | around | {"away": away, "talk": talk} | lead.kind.context(lead)
    text, html = (
        render.render(
            f"letters/{lead.kind.name}.{part}",
            **context,
            besides=[
                render.render(f"letters/{other.kind.name}.{part}", **their)
                for other, their in zip(others, besides, strict=True)
            ],
        )
        for part in ("txt", "html")
    )
    news = " ".join(render.render(f"letters/{lead.kind.name}.subject.txt", **context).split())
    if others:
        news = ngettext(
            "%(subject)s (and one thing more)", "%(subject)s (and %(num)s things more)", len(others), subject=news
        )
    return news, GAP.sub("\n\n", text), html


def _common(occasion: "Occasion", game: Game | None) -> dict[str, Any]:
    """What every letter's templates may use."""
    return {
        "person": occasion.person,
        "game": game,
        "seat": occasion.seat if occasion.letter.seat_id else None,
        "title": GAMES[game.kind].title if game else "",
        "called": occasion.called(game) if game else "",
        "base_url": occasion.settings.base_url,
        "answers": occasion.settings.reads_answers and occasion.holds_its_seat() and occasion.game.saved is not None,
        "link": None,
        "unsubscribe": None,
        "never": None,
        "picture": "",
        "part": False,
    }


@dataclass(frozen=True)
class Question:
    """Where the reader's turn stands. No menu: it is complete, and only has to be sent."""

    menu: Menu | None
    so_far: str  # what the choices made lead to
    held: bool  # sending it shows something new, and the turn goes on


@dataclass
class Occasion:
    """A letter that is to be sent now: its row, its reader, and what a kind of letter may want to know or to link."""

    session: Session
    settings: Settings
    letter: Letter
    now: datetime

    @property
    def kind(self) -> type[Kind]:
        return KINDS[self.letter.kind]

    @property
    def to(self) -> tuple[str, str]:
        """Name and address of whom it goes to."""
        return self.kind.to(self)

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

    @cached_property
    def moderators(self) -> Sequence[Person]:
        return moderators.of(self.session, self.game)

    def moderates(self) -> bool:
        return any(moderator.id == self.person.id for moderator in self.moderators)

    def is_asked_again(self) -> bool:
        return self.seat in making.to_ask_again(self.game, self.seats)

    def is_asked_to_moderate(self) -> bool:
        asked = moderators.row(self.session, self.game, self.person.id)
        return asked is not None and asked.status is Answer.ASKED

    @cached_property
    def proposal(self) -> Proposal:
        return self.session.get_one(Proposal, self.letter.about["proposal"])

    @cached_property
    def relocation(self) -> Relocation:
        return self.session.get_one(Relocation, self.letter.about["relocation"])

    def is_taken(self, mail: str) -> bool:
        return relocating.is_taken(self.session, mail, self.person)

    @property
    def ruling(self) -> dict[str, str] | None:
        """The ruling that the letter tells of, in words."""
        told_of = self.letter.about.get("ruling")
        return self._of(self.session.get_one(Ruling, told_of)) if told_of is not None else None

    @property
    def ending(self) -> dict[str, str] | None:
        """The ruling by which the game was ended, in words; None if it came to its own end."""
        ruling = results.ended_by(self.session, self.game)
        return self._of(ruling) if ruling else None

    def _of(self, ruling: Ruling) -> dict[str, str]:
        """What was decided, why, by whom and when."""
        who = self.name_of(ruling.person_id) if ruling.person_id is not None else None
        return {
            "effect": self.in_words(ruling.effect),
            "reason": self.in_words(ruling.reason),
            "decided": self.in_words(
                decided(who, ruling.created_at, by_vote=ruling.by_vote, by_reader=ruling.person_id == self.person.id)
            ),
        }

    @cached_property
    def stranded(self) -> UnknownSave | None:
        """Why the game cannot go on, if it was saved under rules from which nothing leads to those of today."""
        return record.stranded(self.game) if self.game.rules != GAMES[self.game.kind].rules else None

    def at_the_table(self) -> bool:
        return any(seat.person_id == self.person.id for seat in self.seats)

    def holds_its_seat(self) -> bool:
        """Whether the letter is about the reader's own seat."""
        return self.letter.seat_id is not None and self.seat.person_id == self.person.id

    def reader_left(self, seat: Seat) -> bool:
        return holders.has_left(self.session, seat, self.person.id)

    def reader_deserted(self) -> bool:
        """The game is over because the reader was the last person at the table, and has left."""
        ending = results.ended_by(self.session, self.game)
        return ending is not None and ending.name == results.DESERTED and ending.person_id == self.person.id

    def answered_letter(self) -> str | None:
        """The id of the message that told the reader of their turn, in a letter that is about the same turn."""
        if self.letter.asked is None or self.letter.seat_id is None:
            return None
        turn = {"seat": self.letter.seat_id, "asked": self.letter.asked}
        return self.session.exec(
            _TURN_LETTERS, params=turn | {"person": self.person.id, "letter": self.letter.id}
        ).first()

    def still_asked(self, seat: Seat) -> bool:
        """The question the letter is about is still open."""
        return seat.asked is not None and seat.asked == self.letter.asked

    # what is said

    @property
    def pace(self) -> str:
        return turnclock.pace_words(self.game)

    def left(self, seat: Seat) -> str:
        """What is left of the reader's own clock: '28 hours, then your reserve of 28 hours'."""
        hours = turnclock.rhythm_of(self.session, seat).hours
        return turnclock.left_of(self.game, seat, hours, self.now).words()

    def called(self, game: Game) -> str:
        """The title, and the name this game was given: 'Thursday crew'."""
        title = GAMES[game.kind].title
        return gettext("%(title)s, %(name)s", title=title, name=game.name) if game.name else title

    def until(self, moment: datetime) -> str:
        return moments.until(moment, self.person.zone, self.now)

    def in_words(self, told: Told) -> str:
        return in_words(told, self.person.zone, self.names)

    def told(self, name: str) -> str:
        """What the row keeps under this name, in words."""
        return self.in_words(self.letter.about[name])

    def named(self, kept: str | Told) -> str:
        """A name that the row keeps, as long as it is kept."""
        return kept if isinstance(kept, str) else self.in_words(kept)

    def name_of(self, person_id: int) -> str:
        return self.session.get_one(Person, person_id).name

    @cached_property
    def _written(self) -> tuple[datetime | None, int | None]:
        """When this reader was last written to about the game, and the last thing said that they read of."""
        sent_at, heard = self.session.execute(_WRITTEN, {"person": self.person.id, "game": self.game.id}).one()
        return sent_at, heard

    @property
    def last_written(self) -> datetime:
        """When that was, or else when the game was made."""
        return self._written[0] or self.game.created_at

    @cached_property
    def _unheard(self) -> list[hearing.Line]:
        """What the others have said since then, of what is for the reader to hear."""
        return self._said_after(self._written[1])

    def _said_after(self, heard: int | None) -> list[hearing.Line]:
        own = next((seat for seat in self.seats if seat.person_id == self.person.id), None)
        moderates = self.moderates()
        if own is None and not moderates:
            return []
        hears = (
            hearing.player(self.game, own, moderates=moderates) if own else hearing.moderator(self.game, plays=False)
        )
        return hearing.unheard(
            self.session, self.game, hears, self.seats, self.person.id, heard, self.last_written, MOST_LOOKED_AT
        )

    @cached_property
    def called_by(self) -> list[hearing.Line]:
        """What of it was said to the reader alone, or names them."""
        return self._for_reader(self._unheard)

    def called_from(self, remark_id: int) -> list[hearing.Line]:
        """The same from that remark on, whether a letter has told it or not."""
        return self._for_reader(self._said_after(remark_id - 1))

    def _for_reader(self, lines: list[hearing.Line]) -> list[hearing.Line]:
        names = [seat.name for seat in self.seats if seat.person_id == self.person.id]
        return [line for line in lines if hearing.is_for(line.remark, self.person.id, names)]

    def talk(self) -> list[dict[str, str]]:
        """The last of it, and whatever was for the reader, as letters tell it."""
        told = [line for line in self._unheard if line in self.called_by or line in self._unheard[-MOST_SAID:]]
        return [
            {"name": line.by, "text": line.remark.text, "to": hearing.heard_as(line.remark, self.person.id)}
            for line in told
        ]

    @cached_property
    def askers(self) -> list[str]:
        """Who has asked for the turn that the letter is about, since it was written."""
        return nudging.askers(self.session, self.seat, self.letter.about["nudge"], self.seats)

    def note(self) -> str:
        """What the reader has written down for themselves at this table."""
        return notes.of(self.session, self.seat).text

    def away(self) -> list[str]:
        """Who of the others has announced days away since this reader was last written to about the game."""
        since = {"today": self.now.date(), "since": self.last_written}
        found = self.session.exec(_ANNOUNCED, params={"game": self.game.id, "person": self.person.id, **since})
        return [
            gettext(
                "%(name)s is away from %(first)s to %(last)s.",
                name=seat.name,
                first=moments.day_of_year(absence.first),
                last=moments.day_of_year(absence.last),
            )
            for seat, absence in found
        ]

    def since_last_turn(self) -> list[str]:
        return story.paragraphs(story.since_last_turn(self.session, self.game, self.seat, self.names))

    @cached_property
    def turn(self) -> drafts.Turn:
        """The reader's turn in the making."""
        return drafts.current(self.session, self.game, self.seat)

    @cached_property
    def question(self) -> Question | None:
        """What is asked of the reader now, to be answered by mail."""
        if not self.settings.reads_answers or self.seat.asked is None or self.game.status is not GameStatus.RUNNING:
            return None
        decision = self.turn.decision(self.seat.no)
        return Question(
            menu=menu(decision, self.names, self.turn.match) if decision else None,
            so_far=story.in_a_paragraph(self.turn.events(self.seat.no), self.names) if self.turn.choices else "",
            held=self.turn.match.held and not self.turn.match.closing,
        )

    @cached_property
    def _match(self) -> Match:
        """As the reader's page would show it: with what they have chosen of their turn."""
        asked = self.letter.seat_id and self.seat.asked is not None and self.game.status is GameStatus.RUNNING
        return self.turn.match if asked else record.load(self.game)

    def board(self) -> dict[str, Any]:
        """The board in words: as text, and line by line."""
        of = self.game.kind, self._match.view(self.seat.no), self.names
        return {"board": render.board_text(*of), "lines": render.board_lines(*of)}

    def picture(self) -> bytes | None:
        """The board as the reader may see it, with what is new since their last turn marked, in letters that show it
        and to readers who want it. A letter goes out without it rather than not at all."""
        if not self.kind.shows_board(self) or not self.person.pictures or self.stranded:
            return None
        seat = self.seat if self.letter.seat_id else None
        view = self._match.view(seat.no if seat else None)
        before = positions.last_left(self.session, self.game, seat) if seat else None
        changed = positions.changed(self.game, before, self._match, view, seat.no if seat else None)
        try:
            return picture.of(self.game.kind, view, self.names, changed)
        except picture.NoPicture as error:
            log.warning("letter %s goes without its picture: %s", self.letter.id, error)
            return None

    # links and addresses, each a new key

    def answers_to(self, told: Sequence["Occasion"]) -> str:
        """Where an answer to the message goes that this letter leads: bound to the question the reader has then."""
        own = next(filter(Occasion.holds_its_seat, told), None)
        if own is None:
            return addresses.answers_to(self.settings, addresses.mint(self.session, self.letter))
        step = own.turn.step if own.question else ""
        return addresses.answers_to(self.settings, addresses.mint(self.session, self.letter, own.seat, step))

    def _address(self, token: str) -> str:
        return f"{self.settings.base_url}/l/{token}"

    def seat_link(self, seat: Seat | None = None) -> str:
        return self._address(links.mint_seat(self.session, seat or self.seat))

    def organiser_link(self, game: Game | None = None) -> str:
        return self._address(links.mint_organiser(self.session, game or self.game))

    def desk_link(self, game: Game | None = None) -> str:
        return self._address(links.mint_desk(self.session, game or self.game, self.person.id))

    def join_link(self) -> str:
        return self._address(links.mint_join(self.session, self.game, self.person))

    def handover_link(self) -> str:
        return self._address(links.mint_handover(self.session, self.game))

    def offer_link(self) -> str:
        return self._address(links.mint_offer(self.session, self.seat))

    def watch_link(self) -> str:
        return self._address(links.mint_watch(self.session, self.game))

    def operates(self) -> bool:
        return not self.person.gone and self.settings.operators_mail == self.person.mail

    def operator_link(self) -> str | None:
        """For the operator of this installation only."""
        if not self.operates():
            return None
        return self._address(links.mint_operator(self.session, self.person))

    def unsubscribe_link(self, wish: Wish) -> str:
        game = self.game if self.letter.game_id else None
        return f"{self.settings.base_url}/u/{links.mint_letters(self.session, self.person, game, wish)}"

    def never_link(self) -> str:
        if self.to[1] != self.person.mail:  # somebody else may read it: what they block is not the person's own address
            return f"{self.settings.base_url}/u/{links.mint_relocation(self.session, self.relocation, links.NEVER)}"
        game = self.game if self.letter.game_id else None
        return f"{self.settings.base_url}/u/{links.mint_never(self.session, self.person, game)}"

    def relocation_link(self, scope: str) -> str:
        return self._address(links.mint_relocation(self.session, self.relocation, scope))

    # what is the reader's, and still of use

    _GOING_ON: ClassVar[Any] = col(Game.status).in_([GameStatus.INVITED, GameStatus.RUNNING])

    def seats_held(self) -> list[tuple[Seat, Game]]:
        held = self.session.exec(
            select(Seat, Game)
            .join(Game, col(Game.id) == col(Seat.game_id))
            .where(
                Seat.person_id == self.person.id,
                col(Game.status).not_in([GameStatus.MADE, GameStatus.CANCELLED]),
                col(Seat.status) != SeatStatus.DECLINED,
            )
            .order_by(col(Game.created_at).desc())
            .limit(40)
        )
        return list(held)

    def organised(self) -> list[Game]:
        going_on = or_(self._GOING_ON, col(Game.status) == GameStatus.MADE)
        return self._games(Game.organiser_id == self.person.id, going_on)

    def moderated(self) -> list[Game]:
        theirs = select(Moderator.game_id).where(
            Moderator.person_id == self.person.id, Moderator.status != Answer.DECLINED
        )
        return self._games(col(Game.id).in_(theirs), self._GOING_ON)

    def _games(self, *where: Any) -> list[Game]:
        return list(self.session.exec(select(Game).where(*where).order_by(col(Game.created_at).desc()).limit(40)))
