"""The life of a game around the match: made, invited, accepted, started, cancelled. Knows no rules and no pages."""

import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from engine import GAMES, BadOptions
from engine.components import BadComponents
from engine.game import Game as Title
from engine.game import OptionsClash
from service.db import utcnow
from service.models import (
    Answer,
    Game,
    GameStatus,
    Jury,
    Letter,
    Moderator,
    Person,
    Policy,
    Seat,
    SeatStatus,
    Tenure,
)
from service.play import colours, moderators, record, relocating, returning, strangers, turnclock
from service.play.clocks import PACES, Pace
from service.play.reading import LONGEST_TITLE, BadInput, read_all, read_line, read_mail, read_name, read_zone
from service.post import letters, links, outbox, words
from service.post.language import gettext as _
from service.post.language import languages, ngettext, spoken

# The same invitation once more: not at once, and not for ever.
SENT_AGAIN_AFTER = timedelta(minutes=5)
MOST_INVITATIONS_A_DAY = 4

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 8

# Whoever said yes to an open table longer ago is asked once more before its first turn, and has so long to answer.
FRESH = timedelta(days=2)
ASKED_AGAIN_FOR = timedelta(days=2)

OPEN_SEAT = ("", None)


@dataclass
class Plan:
    """What the form asks for. A seat is (name, mail); a bot has no mail, and OPEN_SEAT no name either."""

    kind: str
    organiser: tuple[str, str]
    seats: list[tuple[str, str | None]]
    zone: str = "UTC"  # the organiser's, if they are new here
    present: bool = False  # nobody but the organiser can have sent this: they need not be invited
    confirmed: bool = True  # they have opened a letter of ours in that browser: others may be written to at once
    options: dict[str, Any] = field(default_factory=dict)
    pace: Pace = PACES["two-days"]
    policy: Policy = Policy.MODERATOR
    fallback: Policy = Policy.PASS
    moderator_hours: int = 24
    bot_after: int = 3
    away_days: int = 21
    silent_rounds: int = 1
    silent_days: int = 30
    whispers: bool = False
    name: str = ""
    order: str = "typed"  # of the seats, or "random"
    listed: bool = False  # among the open tables
    typed: bool = True  # it was the organiser who typed the addresses
    colours: dict[str, int] = field(default_factory=dict)  # who wishes which, by address
    rematch_of: int | None = None
    jury: Jury | None = None  # None: by who organises and who plays
    moderator: tuple[str, str] | None = None
    components: str | None = None
    sheet: str | None = None  # hash of the form's own number and of its browser: sent twice, it makes one game


def person_for(session: Session, name: str, mail: str, zone: str = "UTC") -> Person:
    """The person at this address, made if need be. An existing person is never changed by somebody else."""
    person = relocating.person_at(session, mail)
    if person is None:
        person = Person(mail=mail, given=name, zone=zone, language=spoken().language)  # until they say otherwise
        try:
            with session.begin_nested():
                session.add(person)
        except IntegrityError:  # invited by somebody else at this very moment
            return session.exec(select(Person).where(Person.mail == mail)).one()
    return person


def _people(session: Session, plan: Plan) -> dict[str, Person]:
    """Everybody in the plan, by address: made in that order, so that two plans with the same newcomers do not wait for
    each other in a circle. Who is named twice goes by the first name."""
    named = [plan.organiser, *([plan.moderator] if plan.moderator else [])]
    named += [(name, mail) for name, mail in plan.seats if mail]
    names = {mail: name for name, mail in reversed(named)}
    zones = {plan.organiser[1]: plan.zone}
    return {mail: person_for(session, names[mail], mail, zones.get(mail, "UTC")) for mail in sorted(names)}


def create(session: Session, plan: Plan) -> Game:
    """Make the game and write the invitations, or first the letter that lets them go; it begins at once if there is
    nobody to wait for. BadInput names the fields that must change."""
    title = _check(plan)
    people = _people(session, plan)
    organiser = people[plan.organiser[1]]
    if plan.sheet and (made := session.exec(select(Game).where(Game.sheet == plan.sheet)).one_or_none()):
        return made
    jury, moderator = _read_jury(plan)
    seats = random.SystemRandom().sample(plan.seats, len(plan.seats)) if plan.order == "random" else plan.seats
    game = Game(
        public_id=_public_id(session),
        sheet=plan.sheet,
        kind=plan.kind,
        name=read_line(plan.name, LONGEST_TITLE, "name"),
        options=read_options(title, len(plan.seats), plan.options, "kind"),
        components=plan.components,
        rules=title.rules,
        status=GameStatus.INVITED if plan.confirmed or _is_alone(plan) else GameStatus.MADE,
        organiser_id=organiser.id,
        jury=jury,
        pace=turnclock.pack(plan.pace),
        policy=plan.policy,
        fallback=plan.fallback,
        moderator_hours=plan.moderator_hours,
        bot_after=plan.bot_after,
        away_days=plan.away_days,
        silent_rounds=plan.silent_rounds,
        silent_days=plan.silent_days,
        rematch_of=plan.rematch_of,
        whispers=plan.whispers,
    )
    session.add(game)
    session.flush()
    for no, (name, mail) in enumerate(seats):
        person = people[mail] if mail else None
        seat = _add_seat(session, game, no, name, person, accepted=plan.present and person is organiser)
        seat.typed_by = _typed_by(game, person, mail) if plan.typed else None
        seat.colour = plan.colours.get(mail or "")
    if OPEN_SEAT in seats:
        open_table(session, game, listed=plan.listed)
    if moderator:
        _appoint(session, game, people[moderator])
    if plan.confirmed:
        outbox.write(session, letters.Organiser(game))
        confirm(session, game)
    else:
        outbox.write(session, letters.Confirmation(game, organiser.address))
        start_if_complete(session, game)
    return game


def open_table(session: Session, game: Game, *, listed: bool) -> None:
    """From now on strangers find the open seats with a code; so the game begins when its organiser has seen them."""
    game.code = game.code or _code(session)
    game.listed, game.on_word = listed, True
    session.add(game)


def _code(session: Session) -> str:
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        if session.exec(select(Game.id).where(Game.code == code)).first() is None:
            return code


def _is_alone(plan: Plan) -> bool:
    """Nobody but who makes the game, in their own browser, and bots: there is nobody to write to."""
    if OPEN_SEAT in plan.seats:
        return False
    mails = {mail for _, mail in [*plan.seats, *([plan.moderator] if plan.moderator else [])] if mail}
    return plan.present and mails == {plan.organiser[1]}


def confirm(session: Session, game: Game) -> None:
    """The organiser means it: from now on we write to them, and to those they invite."""
    organiser = session.get_one(Person, game.organiser_id)
    strangers.confirm(session, organiser)
    if game.status is GameStatus.MADE:
        _take_own_seat(session, game)
    if game.status in (GameStatus.MADE, GameStatus.INVITED):
        game.status = GameStatus.INVITED
        session.add(game)
        _write_to_all(session, game, organiser)
        start_if_complete(session, game)


def _take_own_seat(session: Session, game: Game) -> None:
    """Who confirms has come by their own letter, and needs no invitation."""
    for seat in record.seats_of(session, game):
        if seat.person_id == game.organiser_id:
            seat.status, seat.said_at = SeatStatus.ACCEPTED, utcnow()
            session.add(seat)


def _write_to_all(session: Session, game: Game, organiser: Person) -> None:
    """Everybody whose answer the game waits for is invited, or asked."""
    for seat in record.seats_of(session, game):
        if seat.status is SeatStatus.INVITED:
            _invite(session, game, seat)
    asked = select(Moderator).where(Moderator.game_id == game.id, Moderator.status == Answer.ASKED)
    for row in session.exec(asked).all():
        moderators.ask(session, game, session.get_one(Person, row.person_id), utcnow(), by=organiser)


def _appoint(session: Session, game: Game, moderator: Person) -> None:
    """Somebody else is asked first, with the invitations; who makes the game, or plays in it, knows of it."""
    knows = game.jury is Jury.PLAYER or moderator.id == game.organiser_id
    status = Answer.ACCEPTED if knows else Answer.ASKED
    session.add(Moderator(game_id=game.id, person_id=moderator.id, status=status))
    session.flush()


def ask_moderator(session: Session, game: Game, name: str, mail: str) -> Person:
    """The organiser looks for somebody to look after the game, as long as nobody does."""
    if game.jury is not Jury.OUTSIDER or moderators.of(session, game):
        raise BadInput(_("This is for those who play, or for whoever looks after the game."), "mail")
    person = person_for(session, read_name(name), read_mail(mail))
    if any(seat.person_id == person.id for seat in record.seats_of(session, game)):
        raise BadInput(_("This address has a seat at the table. Please name somebody who does not play."), "mail")
    moderators.ask(session, game, person, utcnow(), by=session.get_one(Person, game.organiser_id))
    return person


def asked(session: Session, game: Game) -> dict[str, list[str]]:
    """Who was asked to look after the game, or to be its organiser, and has not said yes: by their answer."""
    rows = session.exec(
        select(Moderator.status, Person)
        .join(Person, col(Person.id) == col(Moderator.person_id))
        .where(Moderator.game_id == game.id)
    ).all()
    found: dict[str, list[str]] = {
        answer.value: [person.name for status, person in rows if status is answer] for answer in Answer
    }
    if game.offered_to is not None:
        found["successor"] = [session.get_one(Person, game.offered_to).name]
    return found


def hand_over(session: Session, game: Game, name: str, mail: str) -> Person:
    """Ask somebody to be the organiser from now on. Until they accept nothing changes."""
    person = person_for(session, read_name(name), read_mail(mail))
    if person.id == game.organiser_id:
        raise BadInput(_("%(name)s is the organiser already.", name=person.name), "mail")
    strangers.may_be_written_to(session.get_one(Person, game.organiser_id), person)
    game.offered_to = person.id
    session.add(game)
    outbox.write(session, letters.HandOver(game, utcnow()))
    return person


def succeed(session: Session, game: Game, accepts: bool) -> None:
    """What they answer is told to the organiser; who accepts is the organiser from now on."""
    person, before = session.get_one(Person, game.offered_to), game.organiser_id
    game.offered_to = None
    if accepts:
        links.revoke_organiser(session, game)
        game.organiser_id = person.id
    session.add(game)
    outbox.write(
        session, letters.Answered(game, before, person.id, person.name, what="accepted" if accepts else "game")
    )


def _read_jury(plan: Plan) -> tuple[Jury, str | None]:
    """Who decides about the game, and the address of its moderator if it has one. Where an organiser who plays names
    nobody, it is the group."""
    players = {mail for _, mail in plan.seats}
    named = plan.moderator[1] if plan.moderator else None
    moderator = named or plan.organiser[1]
    jury = plan.jury
    if jury is None:
        jury = Jury.OUTSIDER if moderator not in players else Jury.PLAYER if named else Jury.GROUP
    if jury is Jury.GROUP:
        return jury, None
    if jury is Jury.OUTSIDER and moderator in players:
        raise BadInput(_("Please name somebody who does not play to look after the game."), "moderator-mail")
    if jury is Jury.PLAYER and moderator not in players:
        raise BadInput(_("Whoever looks after the game does not play in it. Please choose that instead."), "jury")
    return jury, moderator


def _check(plan: Plan) -> Title:
    title = GAMES.get(plan.kind)
    if title is None:
        raise BadInput(_("Please choose a game from the list."), "kind")
    if all(mail is None for _, mail in plan.seats):
        raise BadInput(_("At least one seat needs a person with a mail address."), "seats")
    mails = [mail for _, mail in plan.seats if mail]
    if len(set(mails)) < len(mails):
        raise BadInput(_("Two seats have the same mail address. Each player needs one of their own."), "seats")
    read_components(title, plan.components)
    return title


def read_components(title: Title, components: str | None) -> str | None:
    """A group's own tables, if they make a box of this title."""
    try:
        title.load_box(components)
    except BadComponents as error:  # named as the file names its tables, rows and keys
        raise BadInput(_("This component file cannot be used: %(why)s.", why=error), "components") from error
    return components


def _must_fit(title: Title, players: int, field: str) -> None:
    least, most = title.players[0], title.players[-1]
    if players in title.players:
        return
    if least == most:
        said = ngettext(
            "%(title)s is for %(most)s players, and there is %(num)s.",
            "%(title)s is for %(most)s players, and there are %(num)s.",
            players,
            title=title.title,
            most=most,
        )
        raise BadInput(said, field)
    said = ngettext(
        "%(title)s is for %(least)s to %(most)s players, and there is %(num)s.",
        "%(title)s is for %(least)s to %(most)s players, and there are %(num)s.",
        players,
        title=title.title,
        least=least,
        most=most,
    )
    raise BadInput(said, field)


def read_options(title: Title, players: int, given: Mapping[str, Any], field: str = "") -> dict[str, Any]:
    _must_fit(title, players, field)
    try:
        return title.read_options(players, given)
    except OptionsClash as error:
        raise BadInput(words.tell(error.reason), field) from error
    except BadOptions as error:
        raise BadInput(_("Please choose the options of the game from the list."), field) from error


def _public_id(session: Session) -> str:
    while True:
        public_id = "".join(secrets.choice(ALPHABET) for _ in range(8))
        if session.exec(select(Game.id).where(Game.public_id == public_id)).first() is None:
            return public_id


def _add_seat(session: Session, game: Game, no: int, name: str, person: Person | None, *, accepted: bool) -> Seat:
    """Bots do not mind, and an organiser who plays has said so by making the game; all others are invited, but to an
    open seat nobody is."""
    ready = SeatStatus.ACCEPTED if name else SeatStatus.OPEN
    seat = Seat(
        game_id=game.id,
        no=no,
        given=name,
        person_id=person.id if person else None,
        status=ready if accepted or person is None else SeatStatus.INVITED,
        said_at=utcnow() if accepted else None,
    )
    session.add(seat)
    session.flush()
    return seat


def _typed_by(game: Game, person: Person | None, mail: str | None) -> int | None:
    """The organiser, if that is the address they have typed; somebody may have another one by now."""
    return game.organiser_id if person and person.mail == mail else None


def _invite(session: Session, game: Game, seat: Seat) -> None:
    if seat.person_id != game.organiser_id:
        organiser, person = (session.get_one(Person, who) for who in (game.organiser_id, seat.person_id))
        strangers.may_be_written_to(organiser, person)
    outbox.write(session, letters.Invitation(seat, nth=len(_invitations(session, seat)) + 1))


def _invitations(session: Session, seat: Seat) -> list[datetime]:
    """When whoever is to sit here was invited to this seat, the last time last."""
    written = select(Letter.created_at).where(
        Letter.kind == letters.Invitation.name, Letter.seat_id == seat.id, Letter.person_id == seat.person_id
    )
    return list(session.exec(written.order_by(col(Letter.id))))


def resend(session: Session, game: Game, seat: Seat) -> None:
    _must_be_open(game)
    if seat.status is not SeatStatus.INVITED:
        raise BadInput(_("%(name)s has answered already.", name=seat.name))
    since_yesterday = [at for at in _invitations(session, seat) if at > utcnow() - timedelta(days=1)]
    if since_yesterday and since_yesterday[-1] > utcnow() - SENT_AGAIN_AFTER:
        raise BadInput(_("An invitation to %(name)s has just gone out. Please wait some minutes.", name=seat.name))
    if len(since_yesterday) >= MOST_INVITATIONS_A_DAY:
        said = ngettext(
            "%(num)s invitation to %(name)s went out since yesterday. Please wait a day, or ask another way.",
            "%(num)s invitations to %(name)s went out since yesterday. Please wait a day, or ask another way.",
            len(since_yesterday),
            name=seat.name,
        )
        raise BadInput(said)
    if not returning.try_again(session, seat.person_id, by=game.organiser_id):  # else what came back goes out again
        _invite(session, game, seat)


def replace(session: Session, game: Game, seat: Seat, name: str, mail: str | None, *, sure: bool = False) -> None:
    """Give a seat to somebody else, or to a bot. The old invitation stops working; who had accepted it is told."""
    _must_be_open(game)
    taken = seat.status is SeatStatus.ACCEPTED and not seat.bot
    if taken and not sure:
        said = _("%(name)s has accepted. Please confirm that they lose the seat, or ask them first.", name=seat.name)
        raise BadInput(said, "sure")
    name = read_name(name)
    if mail is not None:
        mail = read_mail(mail)
    others = [s for s in record.seats_of(session, game) if s.id != seat.id]
    person = person_for(session, name, mail) if mail else None
    if person and any(other.person_id == person.id for other in others):
        raise BadInput(_("This address has another seat at the table. Each player needs one of their own."), "mail")
    if person is None and all(other.bot for other in others):
        raise BadInput(_("At least one seat needs a person."), "mail")
    if taken:
        outbox.write(session, letters.Left(game, seat))
    links.revoke_seat(session, seat)
    _seat_for(session, seat, name, person, SeatStatus.INVITED if person else SeatStatus.ACCEPTED)
    seat.typed_by = _typed_by(game, person, mail)
    if person:
        _invite(session, game, seat)
    start_if_complete(session, game)


def _seat_for(session: Session, seat: Seat, name: str, person: Person | None, status: SeatStatus) -> None:
    """The seat is somebody else's, with nothing left of who had it before."""
    seat.given, seat.person_id, seat.status = name, person.id if person else None, status
    seat.typed_by, seat.said_at, seat.joined, seat.colour = None, None, False, None
    session.add(seat)


def leave_open(session: Session, game: Game, seat: Seat, *, sure: bool = False) -> None:
    """The seat is for whoever comes with the code. Who had accepted it is told; an invitation stops working."""
    _must_be_open(game)
    if seat.status is SeatStatus.ACCEPTED and not seat.bot and not sure:
        said = _("%(name)s has accepted. Please confirm that they lose the seat, or ask them first.", name=seat.name)
        raise BadInput(said, "sure")
    if all(other.person_id in (None, seat.person_id) for other in record.seats_of(session, game)):
        raise BadInput(_("At least one seat needs a person."), "mail")
    if seat.status is SeatStatus.ACCEPTED:
        outbox.write(session, letters.Left(game, seat))
    reopen(session, seat)
    open_table(session, game, listed=game.listed)


def reopen(session: Session, seat: Seat) -> None:
    links.revoke_seat(session, seat)
    _seat_for(session, seat, "", None, SeatStatus.OPEN)


def introduce(session: Session, person: Person, seat: Seat | None, form: Mapping[str, str]) -> None:
    """What a player says of themselves when they accept a seat, and changes later."""
    said = read_all(name=lambda: read_name(form.get("name", "")), zone=lambda: read_zone(form.get("zone", "")))
    person.given, person.zone = said["name"], said["zone"]
    if form.get("language") in languages():
        person.language = form["language"]
    person.pictures = "pictures" in form
    person.send_complete = "send-complete" in form
    person.stays = "stays" in form
    session.add(person)
    if seat:
        seat.given = person.given
        session.add(seat)


def accept(session: Session, game: Game, seat: Seat, name: str) -> None:
    _must_be_open(game)
    seat.given, seat.status, seat.said_at = read_name(name), SeatStatus.ACCEPTED, utcnow()
    session.add(seat)
    start_if_complete(session, game)


def decline(session: Session, game: Game, seat: Seat) -> None:
    """No to an invitation, or a yes taken back before the game has begun."""
    _must_be_open(game)
    outbox.write(session, letters.Declined(game, seat, withdrawn=seat.status is SeatStatus.ACCEPTED))
    if seat.joined:
        reopen(session, seat)
    else:
        seat.status = SeatStatus.DECLINED
        session.add(seat)


def wish_for(session: Session, game: Game, seat: Seat, colour: str) -> None:
    """Until the game begins a player may wish for another colour."""
    _must_be_open(game)
    seat.colour = colours.read_wish(record.seats_of(session, game), seat, colour)
    session.add(seat)


def list_table(session: Session, game: Game, *, wanted: bool) -> None:
    _must_be_open(game)
    game.listed = wanted and game.code is not None
    session.add(game)


def start_if_complete(session: Session, game: Game) -> None:
    seats = record.seats_of(session, game)
    if not game.on_word and all(seat.status is SeatStatus.ACCEPTED for seat in seats):
        _start_when_all_are_there(session, game, seats)


def _start_when_all_are_there(session: Session, game: Game, seats: list[Seat]) -> None:
    """Who said yes to an open table some days ago may have forgotten it: they are asked once more, once."""
    if game.code and game.again_until is None and any(_said_long_ago(seat, utcnow()) for seat in seats):
        game.again_until = utcnow() + ASKED_AGAIN_FOR
        session.add(game)
    silent = to_ask_again(game, seats)
    for seat in silent:
        outbox.write(session, letters.Again(game, seat))
    if not silent:
        game.again_until = None
        _start(session, game, seats)


def _said_long_ago(seat: Seat, now: datetime) -> bool:
    return not seat.bot and seat.said_at is not None and seat.said_at < now - FRESH


def to_ask_again(game: Game, seats: Sequence[Seat]) -> list[Seat]:
    """Those who must say once more that they play, and have not."""
    if game.again_until is None:
        return []
    asked_at = game.again_until - ASKED_AGAIN_FOR
    return [seat for seat in seats if seat.status is SeatStatus.ACCEPTED and _said_long_ago(seat, asked_at)]


def say_again(session: Session, game: Game, seat: Seat) -> None:
    """They still play."""
    _must_be_open(game)
    seat.said_at = utcnow()
    session.add(seat)
    start_if_complete(session, game)


def without_the_silent(session: Session, game: Game) -> None:
    """Who has not answered when asked once more has no seat any more: the organiser is told, and so are they."""
    for seat in to_ask_again(game, record.seats_of(session, game)):
        outbox.write(session, letters.Declined(game, seat, withdrawn=True, silent=True))
        outbox.write(session, letters.NoSeat(game, seat.person_id, "silent"))
        if seat.joined:
            reopen(session, seat)
        else:
            seat.status = SeatStatus.DECLINED
            session.add(seat)
    game.again_until = None
    session.add(game)


def start_with_fewer(session: Session, game: Game) -> None:
    """Begin with those who have accepted. Who has not answered is told, and their links stop working. Whoever
    organises it says by it that they play."""
    _must_be_open(game)
    game.on_word = False
    seats = record.seats_of(session, game)
    staying = [seat for seat in seats if seat.status is SeatStatus.ACCEPTED]
    if all(seat.bot for seat in staying):
        raise BadInput(_("Nobody has accepted yet."))
    for seat in staying:
        if seat.person_id == game.organiser_id:
            seat.said_at = utcnow()
    game.options = read_options(GAMES[game.kind], len(staying), game.options)
    for seat in seats:
        if seat not in staying:
            links.revoke_seat(session, seat)
            if seat.status is SeatStatus.INVITED:
                outbox.write(session, letters.Without(seat))
            session.delete(seat)
    session.flush()
    for no, seat in enumerate(staying):
        seat.no = no
        session.add(seat)
        session.flush()
    _start_when_all_are_there(session, game, staying)


def _start(session: Session, game: Game, seats: list[Seat]) -> None:
    colours.settle(seats)
    game.listed = False
    for seat in seats:
        seat.reserve = game.pace["reserve"]
        session.add(Tenure(seat_id=seat.id, person_id=seat.person_id))
    record.begin(session, game, seats, secrets.randbits(62))


def cancel(session: Session, game: Game) -> None:
    """Call the game off before it has begun; those who accepted are told."""
    _must_be_open(game)
    game.status, game.finished_at = GameStatus.CANCELLED, utcnow()
    session.add(game)
    for seat in record.seats_of(session, game):
        if seat.status is not SeatStatus.DECLINED:
            outbox.write(session, letters.Cancelled(seat))


def _must_be_open(game: Game) -> None:
    if game.status is not GameStatus.INVITED:
        raise BadInput(_("This game has begun or was called off; its seats cannot be changed here any more."))
