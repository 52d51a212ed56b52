"""Who is looking, and what they may open: all checks of keys are here, and pages call `open_...`.

The links a browser has opened are kept as grants in a signed cookie. A grant is the id of a link; whether it still
opens anything is looked up each time, so a revoked link stops at once. One browser may hold several seats, also of the
same game.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from hmac import compare_digest
from ipaddress import IPv6Address, IPv6Network, ip_address

import sqlalchemy
from flask import abort, current_app, request
from flask import session as cookie
from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, select

from service import limits
from service.config import Settings
from service.db import LOCKED, db, utcnow
from service.models import Absence, Answer, Game, Jury, Link, Moderator, Person, Relocation, Seat, Unwanted
from service.play import colours, hearing, moderators, record, returning, strangers
from service.play.hearing import Listener
from service.post import bells, hues, language, links, outbox, words
from service.post.language import gettext as _
from service.post.wishes import Wish

MOST_GRANTS = 60  # what a cookie has room for; the oldest go first


class NoKey(Exception):
    """This browser holds no link to what was asked for. The text says what to do."""


def settings() -> Settings:
    found: Settings = current_app.extensions["hikyaku"]
    return found


def arrive() -> None:
    """Where the visitor is, for whatever is counted; of the newer addresses a whole network is one visitor."""
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        limits.visitor.set("somewhere")
        return
    network = IPv6Network((address, 64), strict=False) if isinstance(address, IPv6Address) else address
    limits.visitor.set(str(network))


# --- keys


def new_key(session: Session, token: str) -> Link:
    """The link of a token that was just made here, to be granted once all is committed."""
    link = links.find(session, token)
    assert link is not None
    return link


def grant(link: Link) -> None:
    """Remember an opened link in this browser: one for each seat or page, the newest."""
    place = f"{link.scope}:{link.seat_id or link.game_id or link.person_id or link.relocation_id}"
    grants = {k: v for k, v in cookie.get("grants", {}).items() if k != place}
    grants[place] = link.id
    cookie["grants"] = dict(list(grants.items())[-MOST_GRANTS:])
    cookie.permanent = True


def forget_browser() -> None:
    """All that this browser holds: Flask deletes a cookie in which nothing is left."""
    cookie.clear()


def remember_bell(bell_id: int) -> None:
    """That this browser takes pushes: when it forgets all it holds, it takes none any more."""
    cookie["bells"] = [*remembered_bells(), bell_id][-MOST_GRANTS:]


def remembered_bells() -> list[int]:
    return list(cookie.get("bells", []))


def holds_grants() -> bool:
    """Whether this browser has opened any link, be it void by now."""
    return bool(cookie.get("grants"))


@dataclass
class Visitor:
    """What this browser may open, and by which zone its reader lives."""

    links: list[Link]
    zone: str = "UTC"

    def seat_ids(self, game: Game | None = None) -> list[int]:
        held = [k for k in self.links if k.scope == links.SEAT and (game is None or k.game_id == game.id)]
        return [link.seat_id for link in held if link.seat_id is not None]

    def seats_of(self, person_id: int | None) -> list[int]:
        """The seats of one of those who use this browser."""
        held = [link for link in self.links if link.scope == links.SEAT and link.person_id == person_id]
        return [link.seat_id for link in held if link.seat_id is not None]

    def people(self) -> set[int]:
        """Of whom this browser has opened a letter. Where letters are open to all, everybody has."""
        opened = [link.person_id for link in self.links if link.mailed or settings().post_office]
        return {person_id for person_id in opened if person_id is not None}

    def is_known_as(self, person_id: int | None) -> bool:
        return person_id in self.people()

    @property
    def has_opened_a_letter(self) -> bool:
        """Whether this visitor is known as anybody. Where letters stay in the house, everybody is."""
        return settings().smtp is None or any(link.mailed and link.person_id is not None for link in self.links)

    def holds_any_of(self, person_id: int | None) -> bool:
        return any(link.person_id is not None and link.person_id == person_id for link in self.links)

    def game_ids(self, scope: str) -> list[int]:
        """The games whose organiser, or whose moderator, looks."""
        return [link.game_id for link in self.links if link.scope == scope and link.game_id is not None]

    def sits_at_desk(self, moderator: Moderator) -> bool:
        """Whether this browser holds this very moderator's link to the desk."""
        wanted = links.DESK, moderator.game_id, moderator.person_id
        return any((link.scope, link.game_id, link.person_id) == wanted for link in self.links)

    @property
    def has_keys(self) -> bool:
        return bool(self.links)

    @property
    def operates(self) -> bool:
        return any(link.scope == links.OPERATOR for link in self.links)

    def may_watch(self, game: Game) -> bool:
        return self.operates or any(link.game_id == game.id for link in self.links)


def visitor(session: Session) -> Visitor:
    """What this browser may open. From here on the page speaks the language of whoever opened the newest link."""
    held = links.alive(session, list(cookie.get("grants", {}).values()))
    who = Visitor([link for link, _, _ in held])
    for _link, tongue, zone in held:
        if tongue and zone:
            language.in_language(tongue)
            who.zone = zone
    return who


def confirm(session: Session, person: Person) -> None:
    """Whoever acts in a browser that has opened a letter of theirs has said yes to letters from here."""
    if visitor(session).is_known_as(person.id):
        strangers.confirm(session, person)


def hear() -> None:
    """Whoever does something in a browser that has opened a letter of theirs is there: if letters to them came back,
    they are written to again. Reading changes nothing, for mail scanners open every link."""
    if request.method != "POST" or not holds_grants():
        return
    with db.reading() as session:
        unheard_of = links.unheard_of(session, list(cookie["grants"].values()), mailed=not settings().post_office)
    for person_id in unheard_of:
        _reach(person_id)


@outbox.transaction
def _reach(session: Session, person_id: int) -> None:
    returning.reach(session, record.lock_person(session, person_id), utcnow())


def _speak_to(person: Person) -> Person:
    language.in_language(person.language)
    return person


# --- by a token in the address


def open_link(session: Session, token: str) -> Link:
    """What a link in a letter opens; from now on this browser holds it."""
    link = links.find(session, token)
    if link is None or link.scope in (links.LETTERS, links.NEVER, links.CALENDAR, *Wish):
        raise NoKey(_("This link is not valid, or not any more. We can mail you new ones."))
    grant(links.first_like(session, link))
    return link


def open_preview(session: Session, token: str) -> "Reader":
    """The game that a spectator's link leads to, from outside. This browser is not given the link by it."""
    link = links.find(session, token)
    game = session.get_one(Game, link.game_id) if link and link.scope == links.WATCH else None
    if game is None or game.saved is None:
        abort(404)
    return look_on(session, game)


def open_letters(session: Session, token: str) -> tuple[Person, Game | None, Wish | None]:
    """Whose letters this token switches off and on: those of one wish in one game, or all."""
    found = links.find(session, token)
    if found is None or found.scope not in (links.LETTERS, *Wish):
        raise NoKey(_("This link is too old. We can mail you a new letter, and at its end is a link that works."))
    person, link = _person_of(session, token, (links.LETTERS, *Wish))
    game = session.get(Game, link.game_id) if link.game_id else None
    return person, game, Wish(link.scope) if game else None


def open_never(session: Session, token: str) -> tuple[str, Person | None, Game | None] | None:
    """The address at which this token came, whose reader may say that we never write there again; who that is, if they
    are known; and about which game it came. None if it is for something else."""
    link = links.find(session, token)
    if link is None or link.scope != links.NEVER:
        return None
    if link.relocation_id is not None:
        return session.get_one(Relocation, link.relocation_id).new, None, None
    person = _speak_to(session.get_one(Person, link.person_id))
    return person.address, person, session.get(Game, link.game_id) if link.game_id else None


def open_relocation(session: Session, relocation_id: int, scope: str) -> Relocation:
    """A change of address, by the link in the letter to the new one or to the old one."""
    held = [link for link in visitor(session).links if link.scope == scope and link.relocation_id == relocation_id]
    relocation = session.get(Relocation, relocation_id) if held else None
    if relocation is None:
        raise NoKey(_("This opens with the link in the letter that was sent to the address."))
    return relocation


def open_calendar(session: Session, token: str) -> Person:
    """Whose deadlines this token shows."""
    return _person_of(session, token, (links.CALENDAR,))[0]


def _person_of(session: Session, token: str, scopes: Collection[str]) -> tuple[Person, Link]:
    link = links.find(session, token)
    if link is None or link.scope not in scopes:
        abort(404)
    return _speak_to(session.get_one(Person, link.person_id)), link


def open_metrics() -> None:
    """For the machine that knows the token of the settings; where there is none, for nobody."""
    wanted, sent = settings().metrics_token, request.headers.get("Authorization", "")
    if wanted is None or not compare_digest(sent.encode(), f"Bearer {wanted}".encode()):
        raise NoKey(_("This page is for a machine that watches over the service, and that knows the token for it."))


# --- by what this browser holds


_GAME = select(Game).where(col(Game.public_id) == bindparam("game"))
_LOCKED_GAME = _GAME.with_for_update(**LOCKED).execution_options(populate_existing=True)


def _find_game(session: Session, public_id: str, lock: bool = False) -> Game:
    game = session.exec(_LOCKED_GAME if lock else _GAME, params={"game": public_id}).one_or_none()
    if game is None:
        abort(404)
    language.speak_of(words.edition_of(game))
    return game


def _seat_is_shut() -> NoKey:
    return NoKey(_("This seat opens only with the link from its own letters. We can mail you your links again."))


_HELD = (
    select(Seat, Person)
    .join(Person, col(Person.id) == col(Seat.person_id))
    .where(col(Seat.game_id) == bindparam("game"), col(Seat.no) == bindparam("no"))
)


def open_seat(session: Session, public_id: str, no: int, *, lock: bool = False) -> tuple[Game, Seat]:
    """The game and the seat, if this browser holds a link to just this seat."""
    game = _find_game(session, public_id, lock)
    found = session.exec(_HELD, params={"game": game.id, "no": no}).one_or_none()
    if found is None or found[0].id not in visitor(session).seat_ids(game):
        raise _seat_is_shut()
    seat, person = found
    _speak_to(person)
    return game, seat


def _not_by_mail() -> NoKey:
    return NoKey(_("This is yours in all your games, so it opens with the link in one of your letters only."))


def open_own(session: Session, public_id: str, no: int) -> tuple[Game, Seat, Person]:
    """The same and who holds the seat, for what is theirs in all their games: it takes a link that came by mail, since
    anybody can type an address."""
    game, seat = open_seat(session, public_id, no)
    if not visitor(session).is_known_as(seat.person_id):
        raise _not_by_mail()
    return game, seat, session.get_one(Person, seat.person_id)


def open_person(session: Session, public_id: str, no: int) -> tuple[Game, Seat, Person]:
    """The same with all games of theirs locked: their hours count in every one of them."""
    _lock_all_of_holder(session, public_id, no)
    return open_own(session, public_id, no)


def open_invitation(session: Session, public_id: str, no: int) -> tuple[Game, Seat, Person]:
    """The game, the seat and who is invited to it, with all games of theirs locked: who accepts says which hours they
    keep."""
    _lock_all_of_holder(session, public_id, no)
    game, seat = open_seat(session, public_id, no, lock=True)
    return game, seat, session.get_one(Person, seat.person_id)


def _lock_all_of_holder(session: Session, public_id: str, no: int) -> None:
    holder = select(Seat.person_id).join(Game, col(Game.id) == col(Seat.game_id))
    record.lock_all_of(session, session.exec(holder.where(Game.public_id == public_id, Seat.no == no)).one_or_none())


def open_self(session: Session, person_id: int, *, lock: bool = False) -> Person:
    """Somebody, by a link that came to them by mail: for what is theirs, whether they play, look after a game or
    organise one. Locked with all games of theirs."""
    if lock:
        record.lock_all_of(session, person_id)
    if not visitor(session).is_known_as(person_id):
        raise _not_by_mail()
    return _speak_to(session.get_one(Person, person_id))


def is_gone(session: Session, person_id: int) -> bool:
    """Whether they were forgotten: then nothing is left that anybody could open."""
    person = session.get(Person, person_id)
    return person is not None and person.gone


def open_organisers_page(session: Session, public_id: str, *, lock: bool = False) -> Game:
    """The game, if this browser holds its organiser's link."""
    game = _find_game(session, public_id, lock)
    if game.id not in visitor(session).game_ids(links.ORGANISER):
        raise NoKey(_("This page is for the organiser of the game. We can mail you your links again."))
    return game


def open_organiser(session: Session, public_id: str, *, lock: bool = False) -> tuple[Game, Person]:
    """The same and who it is, for what is theirs in all their games."""
    game = open_organisers_page(session, public_id, lock=lock)
    if not visitor(session).is_known_as(game.organiser_id):
        raise _not_by_mail()
    return game, session.get_one(Person, game.organiser_id)


def open_desk(session: Session, public_id: str, *, lock: bool = False) -> tuple[Game, Person]:
    """The game and a moderator of it, if this browser holds the link of one who has accepted, or an operator's."""
    game = _find_game(session, public_id, lock)
    accepted = [moderator.id for moderator in moderators.of(session, game)]
    for link in visitor(session).links:
        desk = link.scope == links.DESK and link.game_id == game.id and link.person_id in accepted
        if desk or link.scope == links.OPERATOR:
            return game, _speak_to(session.get_one(Person, link.person_id))
    raise NoKey(_("This desk opens with the moderator's link. We can mail you your links again."))


def open_bells_of_table(session: Session, public_id: str, *, lock: bool = False) -> tuple[Game, Person]:
    """The game and its organiser or a moderator of it, who say where it is told of."""
    game = _find_game(session, public_id, lock)
    who = visitor(session)
    if game.id in who.game_ids(links.ORGANISER) and who.is_known_as(game.organiser_id):
        return game, _speak_to(session.get_one(Person, game.organiser_id))
    return open_desk(session, public_id)


def open_now(session: Session, public_id: str) -> tuple[Game, bool]:
    """The game, whose players are told of at some hook, for anybody who has followed its post; and whether they hold
    more of a key."""
    game = _find_game(session, public_id)
    holds_key = visitor(session).may_watch(game)
    if not holds_key and not bells.post_of(session, game):
        raise NoKey(_("This game opens only with a link: a player's own, or one for spectators."))
    return game, holds_key


def open_question(session: Session, public_id: str, *, lock: bool = False) -> tuple[Game, Moderator, Person]:
    """The game, and whoever is asked to look after it, by the link in the letter that asks."""
    game = _find_game(session, public_id, lock)
    for link in visitor(session).links:
        if link.scope == links.DESK and link.game_id == game.id:
            asked = moderators.row(session, game, link.person_id)
            if asked is not None and asked.status is not Answer.ACCEPTED and not moderators.is_over(game):
                return game, asked, _speak_to(session.get_one(Person, link.person_id))
    raise NoKey(_("This question does not stand any more."))


def open_joining(session: Session, public_id: str, *, lock: bool = False) -> tuple[Game, Person]:
    """The game, and whoever asked for a seat at it, by the link in the letter to them. With all games of theirs locked:
    who sits down says which hours they keep."""
    game = _find_game(session, public_id)
    for link in visitor(session).links:
        if link.scope == links.JOIN and link.game_id == game.id:
            if lock:
                record.lock_with(session, game.id, link.person_id)
            person = session.get_one(Person, link.person_id)
            return game, _speak_to(person)
    raise NoKey(_("This opens with the link in the letter to whoever asked for a seat."))


def open_handover(session: Session, public_id: str, *, lock: bool = False) -> tuple[Game, Person]:
    """The game, and whoever is asked to be its organiser."""
    game = _find_game(session, public_id, lock)
    for link in visitor(session).links:
        if link.scope == links.HANDOVER and link.game_id == game.id and link.person_id == game.offered_to:
            return game, _speak_to(session.get_one(Person, link.person_id))
    raise NoKey(_("This question does not stand any more."))


def open_all_desks(session: Session) -> Visitor:
    """A moderator of some game, or an operator, who looks after all of them."""
    who = visitor(session)
    if not who.operates and not who.game_ids(links.DESK):
        raise NoKey(_("This page is for moderators. We can mail you your links again."))
    return who


def open_complaints(session: Session) -> None:
    """For the operator alone."""
    if not visitor(session).operates:
        raise NoKey(_("This page is for whoever runs the service. We can mail you your links again."))


def open_offer(session: Session, public_id: str, no: int, *, lock: bool = False) -> tuple[Game, Seat, Person]:
    """The game, the seat that is offered, and whom it is offered to."""
    game = _find_game(session, public_id, lock)
    for link in visitor(session).links:
        seat = session.get(Seat, link.seat_id) if link.scope == links.OFFER else None
        if seat and seat.game_id == game.id and seat.no == no and seat.offered_to == link.person_id:
            return game, seat, _speak_to(session.get_one(Person, link.person_id))
    raise NoKey(_("This offer does not stand any more."))


@dataclass
class Reader:
    """Somebody looking at a game, through a seat of theirs or from outside, and whom they see there."""

    game: Game
    sitting: Sequence[tuple[Seat, Person | None]]  # a bot's seat is held by nobody
    seat: Seat | None = None
    others: Sequence[int] = ()  # seats of the same person that this browser holds beside this one
    moderates: bool = False  # the reader looks after the game too, so the page shows where its desk is
    known: bool = False  # by a link that came by mail: what is their own opens
    watches: bool = False  # by a link of their own, whichever it is
    plays: bool = False  # in this browser somebody is known who has a seat here
    looks_on: bool = False  # by a link for spectators, and does not play
    unwanted: Mapping[int, Collection[Wish]] = field(default_factory=dict)  # what holders want no letters about here
    away: Mapping[int, Sequence[tuple[date, date]]] = field(default_factory=dict)  # by seat: what may not be over yet

    @property
    def no(self) -> int | None:
        return self.seat.no if self.seat else None

    @property
    def seats(self) -> list[Seat]:
        return [seat for seat, holder in self.sitting]

    @property
    def names(self) -> list[str]:
        return [seat.name for seat, holder in self.sitting]

    def holder(self, seat: Seat) -> Person | None:
        return self.sitting[seat.no][1]

    @property
    def person(self) -> Person | None:
        return self.holder(self.seat) if self.seat else None

    @property
    def zone(self) -> str:
        return self.person.zone if self.person else "UTC"

    @property
    def listener(self) -> Listener:
        """Which talk the reader hears."""
        if self.seat:
            return hearing.player(self.game, self.seat, moderates=self.moderates)
        if self.moderates:
            return hearing.moderator(self.game, plays=self.plays)
        return hearing.onlooker(self.game, plays=self.plays) if self.watches else hearing.DEAF

    def from_outside(self) -> "Reader":
        """Somebody with a seat may want to see what a spectator sees."""
        return replace(self, seat=None)


def open_game(session: Session, public_id: str, seat_no: int | None = None) -> Reader:
    """The game for anybody who may watch it; through a seat they hold if they hold one."""
    reader = _look(session, public_id)
    who = visitor(session)
    held = [seat for seat in reader.seats if seat.id in who.seat_ids(reader.game)]
    if seat_no is not None:
        held = [seat for seat in held if seat.no == seat_no]
        if not held:
            raise _seat_is_shut()
    if not who.may_watch(reader.game):
        raise NoKey(_("This game opens only with a link: a player's own, or one for spectators."))
    reader.seat = min(held, key=lambda seat: (seat.asked is None, seat.no), default=None)
    if reader.seat:
        reader.others = [seat for seat in who.seats_of(reader.seat.person_id) if seat != reader.seat.id]
    reader.known = reader.seat is not None and who.is_known_as(reader.seat.person_id)
    reader.moderates = who.operates or _looks_after(session, who, reader)
    reader.watches, reader.plays = True, _plays(who, reader.seats)
    reader.looks_on = not reader.plays and reader.game.id in who.game_ids(links.WATCH)
    if reader.person:
        _speak_to(reader.person)
    return reader


def _plays(who: Visitor, seats: Sequence[Seat]) -> bool:
    """Whether somebody is known in this browser, by whatever link, who has a seat here."""
    return any(seat.person_id is not None and who.holds_any_of(seat.person_id) for seat in seats)


def open_gallery(session: Session, public_id: str, *, lock: bool = False) -> Game:
    """The game for somebody who looks on, by a link for that, and does not play: they talk among themselves."""
    game = _find_game(session, public_id, lock)
    who = visitor(session)
    if game.id not in who.game_ids(links.WATCH) or _plays(who, record.seats_of(session, game)):
        raise NoKey(_("This is for those who look on by a spectator's link, and do not play."))
    return game


def _looks_after(session: Session, who: Visitor, reader: Reader) -> bool:
    """Whether this browser's reader has accepted to; nothing is asked of the tables for those who cannot have."""
    game = reader.game
    people = {link.person_id for link in who.links if link.scope == links.DESK and link.game_id == game.id}
    if reader.seat and game.jury is Jury.PLAYER:
        people.add(reader.seat.person_id)
    return bool(people) and any(moderator.id in people for moderator in moderators.of(session, game))


def look_on(session: Session, game: Game) -> Reader:
    """The game from outside, for somebody who was let in already."""
    return _look(session, game.public_id)


_UNWANTED_HERE = and_(col(Unwanted.person_id) == col(Seat.person_id), col(Unwanted.game_id) == col(Seat.game_id))
_NOT_OVER = and_(col(Absence.person_id) == col(Seat.person_id), col(Absence.last) >= bindparam("yesterday"))

_SITTING = (
    sqlalchemy.select(Game, Seat, Person, col(Unwanted.wish), col(Absence.first), col(Absence.last))
    .join(Seat, col(Seat.game_id) == col(Game.id))
    .outerjoin(Person, col(Person.id) == col(Seat.person_id))
    .outerjoin(Unwanted, _UNWANTED_HERE)
    .outerjoin(Absence, _NOT_OVER)
    .where(col(Game.public_id) == bindparam("game"))
    .order_by(col(Seat.no))
)


def _look(session: Session, public_id: str) -> Reader:
    """The game with everybody at its table, in one statement. Days away that ended yesterday are not over: somewhere it
    is still that day."""
    yesterday = utcnow().date() - timedelta(days=1)
    rows = session.execute(_SITTING, {"game": public_id, "yesterday": yesterday}).all()
    if not rows:
        abort(404)
    game = rows[0][0]
    language.speak_of(words.edition_of(game))
    sitting = {row.Seat.no: (row.Seat, row.Person) for row in rows}  # one who wants nothing is there twice
    hues.wear(colours.of([seat for seat, _ in sitting.values()]))
    stopped = {(row.Seat.no, row.wish) for row in rows}
    unwanted = {
        no: [wish for wish in Wish if (no, wish) in stopped or not wish.of(holder)]
        for no, (_, holder) in sitting.items()
        if holder
    }
    away = {no: sorted({(row.first, row.last) for row in rows if row.first and row.Seat.no == no}) for no in sitting}
    return Reader(game, list(sitting.values()), unwanted=unwanted, away=away)
