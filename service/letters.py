"""Letters put into words, at the moment they are sent: one function a kind of letter.

Each says whether the letter still tells the truth (None: it does not, and is not sent) and what its templates need:
templates/letters/KIND.subject.txt, KIND.txt and KIND.html. The link in a letter is made here, because only its hash
is kept anywhere else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from typing import Any
from urllib.parse import urlsplit

from sqlmodel import Session, col, select

from engine import GAMES
from service import links, moments, record, render, story
from service.config import Settings
from service.models import Game, GameStatus, Letter, Person, Seat, SeatStatus

POLICY = SMTP.clone(max_line_length=78)


@dataclass
class Desk:
    """What a letter is made from."""

    session: Session
    settings: Settings
    letter: Letter
    person: Person
    game: Game | None
    seat: Seat | None
    now: datetime

    @property
    def the_game(self) -> Game:
        assert self.game is not None
        return self.game

    @property
    def the_seat(self) -> Seat:
        assert self.seat is not None
        return self.seat

    def url(self, token: str) -> str:
        return f"{self.settings.base_url}/l/{token}"

    def seats(self) -> list[Seat]:
        return record.seats_of(self.session, self.the_game)

    def holds_seat(self) -> bool:
        """The seat may have been given to somebody else since."""
        return self.seat is not None and self.seat.person_id == self.person.id


def compose(session: Session, settings: Settings, letter: Letter, now: datetime) -> EmailMessage | None:
    """The message as it is sent now, or None if it is no longer true or no longer wanted."""
    desk = Desk(
        session,
        settings,
        letter,
        session.get_one(Person, letter.person_id),
        session.get(Game, letter.game_id) if letter.game_id else None,
        session.get(Seat, letter.seat_id) if letter.seat_id else None,
        now,
    )
    context = KINDS[letter.kind](desk)
    if context is None:
        return None
    common = {
        "person": desk.person,
        "game": desk.game,
        "seat": desk.seat,
        "title": GAMES[desk.game.kind].title if desk.game else "",
        "base_url": settings.base_url,
        "zone": desk.person.zone,
        "now": now,
        "unsubscribe": None,
    }
    if letter.kind in UNSUBSCRIBABLE:
        token = links.mint_letters(session, desk.person)
        common["unsubscribe"] = f"{settings.base_url}/u/{token}"
    parts = {end: render.render(f"letters/{letter.kind}.{end}", **common, **context) for end in PARTS}
    return _message(desk, " ".join(parts["subject.txt"].split()), parts["txt"], parts["html"], common["unsubscribe"])


PARTS = ("subject.txt", "txt", "html")


def _message(desk: Desk, subject: str, text: str, html: str, unsubscribe: Any) -> EmailMessage:
    sender_name, sender = parseaddr(desk.settings.mail_from)
    host = urlsplit(desk.settings.base_url).hostname or "localhost"
    message = EmailMessage(policy=POLICY)
    message["Subject"] = subject
    message["From"] = Address(sender_name, addr_spec=sender)
    message["To"] = Address(desk.person.name, addr_spec=desk.person.mail)
    message["Date"] = format_datetime(desk.now)
    # The same letter sent again after a crash has the same id, so that a mail reader can show it once.
    message["Message-ID"] = f"<letter-{desk.letter.id}-{desk.letter.created_at:%Y%m%d%H%M%S}@{host}>"
    if desk.game:
        root = f"<game-{desk.game.public_id}@{host}>"
        message["In-Reply-To"] = root
        message["References"] = root
    message["Auto-Submitted"] = "auto-generated"
    if unsubscribe:
        message["List-Unsubscribe"] = f"<{unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    return message


def _invitation(desk: Desk) -> dict[str, Any] | None:
    seat, game = desk.the_seat, desk.the_game
    if not desk.holds_seat() or seat.status is not SeatStatus.INVITED or game.status is not GameStatus.INVITED:
        return None
    return {
        "link": desk.url(links.mint_seat(desk.session, seat)),
        "organiser": desk.session.get_one(Person, game.organiser_id),
        "others": [other.name for other in desk.seats() if other.id != seat.id],
    }


def _turn(desk: Desk) -> dict[str, Any] | None:
    seat, game = desk.the_seat, desk.the_game
    if not desk.holds_seat() or seat.asked is None or seat.asked != desk.letter.asked or not desk.person.turn_letters:
        return None
    match = record.load(game)
    names = [other.name for other in desk.seats()]
    since = story.since_last_turn(desk.session, game, seat, names)
    assert seat.deadline is not None
    return {
        "link": desk.url(links.mint_seat(desk.session, seat)),
        "started": seat.moved_version == 0,
        "since": since,
        "names": names,
        "board": render.board_text(game.kind, match.view(seat.no), names),
        "deadline": moments.both(seat.deadline, desk.person.zone),
        "left": moments.length(seat.deadline - desk.now),
    }


def _started(desk: Desk) -> dict[str, Any] | None:
    seat, game = desk.the_seat, desk.the_game
    if not desk.holds_seat() or game.status is not GameStatus.RUNNING or not desk.person.news_letters:
        return None
    seats = desk.seats()
    return {
        "link": desk.url(links.mint_seat(desk.session, seat)),
        "names": [other.name for other in seats],
        "to_act": [other.name for other in seats if other.asked is not None],
        "pace": moments.length(timedelta(hours=game.pace_hours)),
    }


def _over(desk: Desk) -> dict[str, Any] | None:
    seat, game = desk.the_seat, desk.the_game
    if not desk.holds_seat() or game.result is None or not desk.person.news_letters:
        return None
    names = [other.name for other in desk.seats()]
    return {
        "link": desk.url(links.mint_seat(desk.session, seat)),
        "ranking": game.result,
        "names": names,
        "winners": [names[standing["seat"]] for standing in game.result if standing["place"] == 1],
        "won": any(standing["place"] == 1 and standing["seat"] == seat.no for standing in game.result),
        "since": story.since_last_turn(desk.session, game, seat, names),
    }


def _cancelled(desk: Desk) -> dict[str, Any] | None:
    if not desk.holds_seat() or desk.the_game.status is not GameStatus.CANCELLED:
        return None
    return {"organiser": desk.session.get_one(Person, desk.the_game.organiser_id)}


def _declined(desk: Desk) -> dict[str, Any] | None:
    if desk.the_game.status is not GameStatus.INVITED or desk.the_seat.status is not SeatStatus.DECLINED:
        return None
    return {"link": desk.url(links.mint_organiser(desk.session, desk.the_game))}


def _organiser(desk: Desk) -> dict[str, Any] | None:
    if desk.the_game.status is GameStatus.CANCELLED:
        return None
    return {
        "link": desk.url(links.mint_organiser(desk.session, desk.the_game)),
        "seats": desk.seats(),
    }


def _links(desk: Desk) -> dict[str, Any] | None:
    """Fresh links to every seat and desk of this person that is still of use."""
    held = desk.session.exec(
        select(Seat, Game)
        .join(Game, col(Game.id) == col(Seat.game_id))
        .where(
            Seat.person_id == desk.person.id,
            col(Game.status) != GameStatus.CANCELLED,
            col(Seat.status) != SeatStatus.DECLINED,
        )
        .order_by(col(Game.created_at).desc())
        .limit(40)
    ).all()
    organised = desk.session.exec(
        select(Game)
        .where(Game.organiser_id == desk.person.id, col(Game.status) == GameStatus.INVITED)
        .order_by(col(Game.created_at).desc())
        .limit(20)
    ).all()
    return {
        "places": [
            {
                "title": GAMES[game.kind].title,
                "name": game.name,
                "status": game.status.value,
                "your_turn": seat.asked is not None,
                "link": desk.url(links.mint_seat(desk.session, seat)),
            }
            for seat, game in held
        ],
        "organised": [
            {
                "title": GAMES[game.kind].title,
                "name": game.name,
                "link": desk.url(links.mint_organiser(desk.session, game)),
            }
            for game in organised
        ],
    }


KINDS: dict[str, Callable[[Desk], dict[str, Any] | None]] = {
    "invitation": _invitation,
    "turn": _turn,
    "started": _started,
    "over": _over,
    "cancelled": _cancelled,
    "declined": _declined,
    "organiser": _organiser,
    "links": _links,
}

UNSUBSCRIBABLE = {"turn", "started", "over"}
