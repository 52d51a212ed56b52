"""What happens when a turn runs out: reminders, the visible steps of being late, and how the game goes on.

on time -> (reminders) -> late, everybody is told -> grace -> what the game's policy says: auto-pass, the moderator with
a fallback, or the bot. Everything runs inside the caller's transaction, with the game's row locked.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from engine import GAMES, Match, OrderDoesNotFit, UnknownSave
from engine.scene import Event
from service.models import RUNNING, Game, GameStatus, Person, Policy, Ruling, Seat, Stage
from service.play import record, turnclock
from service.play.turnclock import Rhythm
from service.post import links, moments, outbox, words

TIMEKEEPER = "The time was up."


def look(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """Do for this seat what is due now, and set when to look again. Doing it twice does nothing twice."""
    if game.status is not GameStatus.RUNNING or game.paused_at is not None or seat.asked is None:
        seat.due_at = None
    elif game.rules != GAMES[game.kind].rules:
        _under_new_rules(session, game, seat)
    elif seat.orders_at is not None and now >= seat.orders_at and follow_orders(session, game, seat):
        return
    elif seat.stage in RUNNING:
        rhythm = turnclock.rhythm_of(session, seat)
        if seat.deadline is not None and now >= seat.deadline:
            _late(session, game, seat)
        else:
            _remind(session, game, seat, rhythm, now)
        turnclock.look_again(game, seat, rhythm, now)
    elif seat.stage is Stage.LATE and seat.grace_until is not None and now >= seat.grace_until:
        _out_of_time(session, game, seat, now)
    elif seat.stage is Stage.DESK and seat.due_at is not None and now >= seat.due_at:
        _decide(session, game, seat, game.fallback, "The moderator was silent.")
    session.add(seat)


def _under_new_rules(session: Session, game: Game, seat: Seat) -> None:
    """The rules were corrected since this question was put. The game goes on under those of today, and the seat is
    looked at again at once; or it cannot, and the seat is set aside: nobody is late for what cannot be played."""
    try:
        record.bring_along(session, game)
    except UnknownSave as error:
        seat.due_at, seat.trouble = None, str(error)


def follow_orders(session: Session, game: Game, seat: Seat) -> bool:
    """Answer as the player ordered in advance; False if the player must be asked, with the reason kept for them."""
    seat.orders_at = None
    match = record.load(game)
    try:
        choices = record.ordered(match, seat)
    except OrderDoesNotFit as stop:
        seats = record.seats_of(session, game)
        seat.orders_stopped = words.tell(stop.reason, [other.name for other in seats])
        return False
    if not choices:
        return False
    seats = record.seats_of(session, game)
    seat = seats[seat.no]
    record.move(session, game, match, seat, choices, decided_by="order")
    turnclock.stop(seat)
    record.settle(session, game, seats, match, mover=None)
    return True


def _remind(session: Session, game: Game, seat: Seat, rhythm: Rhythm, now: datetime) -> None:
    """One letter for each (seat, deadline, threshold); a moved deadline arms it again by itself."""
    due = [threshold for threshold, moment in turnclock.reminders_of(game, seat, rhythm) if moment <= now]
    if due:
        seat.stage = Stage.WARNED
        threshold = min(due)  # when several were slept through, the last one says it all
        key = f"reminder:{seat.id}:{seat.deadline:%Y%m%d%H%M%S}:{threshold:.4f}"
        stamp = f"{seat.deadline:%Y%m%d%H%M%S}"
        outbox.write(session, "reminder", seat.person_id, key, game=game, seat=seat, asked=seat.asked, deadline=stamp)


def _late(session: Session, game: Game, seat: Seat) -> None:
    seat.stage = Stage.LATE
    for other in record.seats_of(session, game):
        key = f"late:{seat.id}:{seat.asked}:{other.id}"
        outbox.write(session, "late", other.person_id, key, game=game, seat=other, asked=seat.asked, late=seat.no)


def _out_of_time(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    policy = game.policy
    if policy is Policy.MODERATOR:
        seat.stage, seat.due_at = Stage.DESK, now + timedelta(hours=game.moderator_hours)
        key = f"desk:{seat.id}:{seat.asked}"
        outbox.write(session, "desk", game.moderator_id, key, game=game, seat=seat, asked=seat.asked)
        return
    _decide(session, game, seat, policy, TIMEKEEPER)


def _decide(session: Session, game: Game, seat: Seat, policy: Policy, reason: str) -> None:
    """Go on without the player, as the game's policy says. The bot takes over after so many misses in a row."""
    if policy is Policy.BOT and seat.misses + 1 >= game.bot_after:
        effect = give_to_bot(session, game, seat)
    else:
        effect = auto_pass(session, game, seat)
    name = "bot" if seat.bot else "auto-pass"
    write_ruling(session, game, name, None, seat, reason, effect)


def auto_pass(session: Session, game: Game, seat: Seat, decided_by: str = "time-out") -> str:
    """Play the engine's defaults to the end of the turn. Says in words what was played."""
    match = record.load(game)
    return _play_for(session, game, seat, match, record.default_choices(game, match, seat.no), decided_by)


def bot_turn(session: Session, game: Game, seat: Seat) -> str:
    """Let the built-in player play this one turn."""
    match = record.load(game)
    return _play_for(session, game, seat, match, record.bot_choices(game, match, seat.no), "moderator")


def _play_for(session: Session, game: Game, seat: Seat, match: Match, choices: list[str], decided_by: str) -> str:
    """Make these choices for the player. Says what everybody may know of them; the player is told all of it."""
    seats = record.seats_of(session, game)
    seat, names, first = seats[seat.no], [s.name for s in seats], len(match.events)
    played = _own_words(game, match, seat, names, choices)
    record.move(session, game, match, seat, choices, decided_by=decided_by)
    done = match.events[first:]
    seat.misses += 1
    seat.missed += 1
    turnclock.stop(seat)
    record.settle(session, game, seats, match, mover=None)
    key = f"missed:{seat.id}:{game.version}"
    outbox.write(session, "missed", seat.person_id, key, game=game, seat=seat, played=played)
    return f"For {seat.name}: {_public_words(done, names)}"


def foresee(match: Match, seat: Seat, names: list[str], choices: list[str]) -> str:
    """What everybody will know of these choices, up to where luck or something hidden comes into it: a moderator who
    looks before deciding learns nothing that the players do not."""
    trial = match.draft()
    first = len(trial.events)
    for choice in choices:
        if trial.held:
            break
        trial.choose(seat.no, choice)
    then = " Then the turn goes on with what is drawn." if trial.held else ""
    return f"For {seat.name}: {_public_words(trial.events[first:], names)}{then}"


def _public_words(events: list[Event], names: list[str]) -> str:
    told = [words.tell(event, names) for event in events if event.known_to(None)]
    return " ".join(told) or "A choice that only the player may know."


def _own_words(game: Game, match: Match, seat: Seat, names: list[str], choices: list[str]) -> str:
    """These choices as the player would name them; for nobody else's eyes."""
    trial = Match.load(match.save(), game.components)
    said = []
    for choice in choices:
        decision = next(d for d in trial.pending if d.seat == seat.no)
        said.append(next(words.tell(o.label, names) for o in decision.options if o.id == choice))
        trial.choose(seat.no, choice)
    return ", then ".join(said) + "."


def give_to_bot(session: Session, game: Game, seat: Seat) -> str:
    """The built-in player takes the seat from now on, and answers what is open at once."""
    seats = record.seats_of(session, game)
    seat = seats[seat.no]
    change_holder(session, game, seat, None)
    name = seat.name
    match = record.load(game)
    turnclock.stop(seat)
    record.settle(session, game, seats, match, mover=None)
    return f"The bot plays for {name} from now on."


def take_over(session: Session, game: Game, seat: Seat, person: Person) -> None:
    """Somebody new has accepted the seat: what is open is theirs, with a fresh clock and a letter of their own."""
    seats = record.seats_of(session, game)
    seat = seats[seat.no]
    old = seat.name
    change_holder(session, game, seat, person.id)
    seat.name, seat.reserve = person.name, game.pace["reserve"]
    turnclock.stop(seat)
    game.version += 1  # whatever the old holder had in hand is out of date
    record.take_note(session, game, record.load(game))
    record.settle(session, game, seats, record.load(game), mover=None)
    write_ruling(session, game, "substitute", None, seat, "Accepted.", f"{person.name} plays for {old} from now on.")


def change_holder(session: Session, game: Game, seat: Seat, person_id: int | None) -> None:
    """The seat goes to somebody else: tenure is recorded, the old links stop working, the old holder is told."""
    record.close_tenure(session, game, seat, person_id)
    key = f"left:{seat.id}:{seat.person_id}:{game.version}"
    outbox.write(session, "left", seat.person_id, key, game=game)
    links.revoke_seat(session, seat)
    seat.person_id, seat.offered_to, seat.misses, seat.orders = person_id, None, 0, {}
    session.add(seat)


def write_ruling(
    session: Session, game: Game, name: str, person_id: int | None, seat: Seat | None, reason: str, effect: str
) -> None:
    session.add(
        Ruling(
            game_id=game.id,
            version=game.version,
            name=name,
            person_id=person_id,
            seat_no=seat.no if seat else None,
            reason=reason,
            effect=effect,
        )
    )


def words_for(seat: Seat, now: datetime) -> str:
    """How late a seat is, for everybody's eyes."""
    if seat.stage is Stage.WARNED:
        return "has been reminded"
    if seat.stage is Stage.LATE and seat.grace_until:
        return f"late; {moments.length(seat.grace_until - now)} of grace left"
    if seat.stage is Stage.DESK:
        return "out of time; the moderator decides"
    return ""
