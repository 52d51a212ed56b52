"""Letters put into words, at the moment they are sent: one function a kind of letter.

Each says whether the letter still tells the truth (None: it does not, and is not sent) and what its templates need:
templates/letters/KIND.subject.txt, KIND.txt and KIND.html, or those of `notice` for a few plain sentences. The link in
a letter is made here, because only its hash is kept anywhere else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from typing import Any
from urllib.parse import urlsplit

from sqlmodel import Session, col, select

from engine import GAMES
from service.config import Settings
from service.models import RUNNING, Game, GameStatus, Letter, Person, Seat, SeatStatus
from service.play import record, turnclock
from service.post import links, moments, render, story
from service.post.language import speaking
from service.post.told import in_words

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
    person, game = (
        session.get_one(Person, letter.person_id),
        session.get(Game, letter.game_id) if letter.game_id else None,
    )
    dialect = GAMES[game.kind].dialect_of(game.options) if game else ""
    with speaking(person.language, dialect):
        return _compose(session, settings, letter, now)


def _compose(session: Session, settings: Settings, letter: Letter, now: datetime) -> EmailMessage | None:
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
    template = "notice" if "heading" in context else letter.kind
    parts = {end: render.render(f"letters/{template}.{end}", **common, **context) for end in PARTS}
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
        "pace": turnclock.pace_words(game),
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
        "since": story.paragraphs(since),
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
        "pace": turnclock.pace_words(game),
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
        "since": story.paragraphs(story.since_last_turn(desk.session, game, seat, names)),
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
    desks = desk.session.exec(
        select(Game).where(Game.moderator_id == desk.person.id, col(Game.status) == GameStatus.RUNNING).limit(40)
    ).all()
    operator = desk.settings.operator is not None and parseaddr(desk.settings.operator)[1].lower() == desk.person.mail
    return {
        "desks": [
            {"title": GAMES[g.kind].title, "name": g.name, "link": desk.url(links.mint_desk(desk.session, g))}
            for g in desks
        ],
        "operator": desk.url(links.mint_operator(desk.session, desk.person)) if operator else None,
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


def _notice(heading: str, *sentences: str, link: str | None = None, action: str = "Open the table") -> dict[str, Any]:
    """A short letter: a heading that is the subject too, some sentences, and one thing to do."""
    return {"heading": heading, "sentences": [s for s in sentences if s], "link": link, "action": action}


def _when(desk: Desk, moment: datetime) -> str:
    """'Tue 17 Nov, 20:00 (Lisbon), 20:00 UTC (in 3 hours)'."""
    left = f" (in {moments.length(moment - desk.now)})" if moment > desk.now else ""
    return moments.both(moment, desk.person.zone) + left


def _told(desk: Desk, name: str) -> str:
    return in_words(desk.letter.about[name], desk.person.zone, [seat.name for seat in desk.seats()])


def _seat_link(desk: Desk) -> str:
    return desk.url(links.mint_seat(desk.session, desk.the_seat))


def _reminder(desk: Desk) -> dict[str, Any] | None:
    """Only while the same question is open with the same deadline."""
    seat = desk.the_seat
    same = seat.deadline is not None and f"{seat.deadline:%Y%m%d%H%M%S}" == desk.letter.about.get("deadline")
    if not desk.holds_seat() or seat.asked != desk.letter.asked or not same or desk.the_game.paused_at is not None:
        return None
    assert seat.deadline is not None
    return _notice(
        f"{moments.length(seat.deadline - desk.now)} left for your turn",
        f"{seat.name}, the others wait for you, until {moments.both(seat.deadline, desk.person.zone)}.",
        link=_seat_link(desk),
        action="Play your turn",
    )


def _late(desk: Desk) -> dict[str, Any] | None:
    """To everybody, and to the late player in other words."""
    late = desk.seats()[desk.letter.about.get("late", desk.the_seat.no)]
    if not desk.holds_seat() or late.asked != desk.letter.asked or late.grace_until is None or late.stage in RUNNING:
        return None
    until = _when(desk, late.grace_until)
    then = {
        "pass": "the least committing play is made",
        "moderator": "the moderator decides",
        "bot": "the least committing play is made, or the bot takes over after several misses",
    }[desk.the_game.policy]
    if late.id == desk.the_seat.id:
        return _notice(
            "Your time is up, but you can still play",
            f"{late.name}, there is a grace until {until}. After that, {then} for you.",
            link=_seat_link(desk),
            action="Play your turn",
        )
    return _notice(
        f"{late.name} is late",
        f"The time for {late.name}'s turn is used up. There is a grace until {until}; after that, {then}.",
        link=_seat_link(desk),
    )


def _desk(desk: Desk) -> dict[str, Any] | None:
    seat = desk.the_seat
    if seat.asked != desk.letter.asked or seat.stage != "desk" or seat.due_at is None:
        return None
    fallback = {"pass": "the least committing play is made", "bot": "the bot plays"}.get(desk.the_game.fallback, "")
    return _notice(
        f"{seat.name} is out of time: please decide",
        f"{seat.name} did not answer in time, nor in the grace period. The desk shows what each ruling would do.",
        f"If you say nothing until {_when(desk, seat.due_at)}, {fallback}.",
        link=desk.url(links.mint_desk(desk.session, desk.the_game)),
        action="To the desk",
    )


def _moderator(desk: Desk) -> dict[str, Any] | None:
    if desk.the_game.status is not GameStatus.RUNNING:
        return None
    return _notice(
        "You look after this game",
        f"The game has begun, with {', '.join(seat.name for seat in desk.seats())}.",
        "Should somebody run out of time, we write to you. Keep this letter: its link is the moderator's desk.",
        link=desk.url(links.mint_desk(desk.session, desk.the_game)),
        action="To the desk",
    )


def _missed(desk: Desk) -> dict[str, Any] | None:
    if not desk.holds_seat():
        return None
    moderator = desk.session.get(Person, desk.the_game.moderator_id) if desk.the_game.moderator_id else None
    return _notice(
        "Your turn was played for you",
        f"{desk.the_seat.name}, your time was up. This was played: {_told(desk, 'played')}.",
        f"You can be excused: ask {moderator.name}, who looks after the game." if moderator else "",
        link=_seat_link(desk),
    )


def _without(desk: Desk) -> dict[str, Any] | None:
    if any(seat.person_id == desk.person.id for seat in desk.seats()):
        return None
    return _notice(
        "The game has begun without you",
        f"A game of {GAMES[desk.the_game.kind].title} you were invited to did not wait for your answer any longer. "
        "Your invitation does not work any more, and there is nothing for you to do.",
    )


def _left(desk: Desk) -> dict[str, Any] | None:
    if any(seat.person_id == desk.person.id for seat in desk.seats()):
        return None
    return _notice("Your seat is with somebody else now", "Your links to this game do not work any more. Thank you.")


def _offer(desk: Desk) -> dict[str, Any] | None:
    seat = desk.the_seat
    if seat.offered_to != desk.person.id or desk.the_game.status is not GameStatus.RUNNING:
        return None
    return _notice(
        f"Would you take over from {seat.name}?",
        f"A game of {GAMES[desk.the_game.kind].title} needs somebody: it is under way, turn {desk.the_game.turn}.",
        "Look at the position first. The seat is yours when you accept.",
        link=desk.url(links.mint_offer(desk.session, seat)),
        action="Look and decide",
    )


def _extended(desk: Desk) -> dict[str, Any] | None:
    seat = desk.the_seat
    if not desk.holds_seat() or seat.asked != desk.letter.asked or seat.deadline is None:
        return None
    return _notice(
        "You have more time",
        f"The moderator has given you until {_when(desk, seat.deadline)}.",
        link=_seat_link(desk),
        action="Play your turn",
    )


def _paused(desk: Desk) -> dict[str, Any] | None:
    until = desk.the_game.paused_until
    if not desk.holds_seat() or until is None:
        return None
    last = f"The clocks stand still until {_when(desk, until)} at the latest."
    return _notice("The game is paused", _told(desk, "reason"), last, link=_seat_link(desk))


def _resumed(desk: Desk) -> dict[str, Any] | None:
    if not desk.holds_seat() or desk.the_game.paused_at is not None or desk.the_game.status is not GameStatus.RUNNING:
        return None
    seat = desk.the_seat
    yours = f"It is your turn, until {_when(desk, seat.deadline)}." if seat.deadline else ""
    return _notice("The game goes on", _told(desk, "reason"), yours, link=_seat_link(desk))


def _rewound(desk: Desk) -> dict[str, Any] | None:
    if not desk.holds_seat():
        return None
    return _notice("The game goes back", _told(desk, "effect"), "The reason is in the log.", link=_seat_link(desk))


def _ended(desk: Desk) -> dict[str, Any] | None:
    if not desk.holds_seat():
        return None
    return _notice("The game was ended", "The moderator has ended it without a result. The reason is in the log.")


def _outage(desk: Desk) -> dict[str, Any] | None:
    minutes = desk.letter.about["minutes"]
    return _notice(
        "We were away, and all deadlines have moved",
        f"The service was not running for {minutes} minutes. Nobody timed out: all deadlines here move by that.",
    )


KINDS: dict[str, Callable[[Desk], dict[str, Any] | None]] = {
    "invitation": _invitation,
    "turn": _turn,
    "started": _started,
    "over": _over,
    "cancelled": _cancelled,
    "declined": _declined,
    "organiser": _organiser,
    "links": _links,
    "reminder": _reminder,
    "late": _late,
    "delay": _late,
    "out-of-time": _desk,
    "moderator": _moderator,
    "missed": _missed,
    "without": _without,
    "left": _left,
    "offer": _offer,
    "extended": _extended,
    "paused": _paused,
    "resumed": _resumed,
    "rewound": _rewound,
    "ended": _ended,
    "outage": _outage,
}

UNSUBSCRIBABLE = {"turn", "started", "over", "reminder", "late", "delay"}
