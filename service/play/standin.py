"""A turn played for somebody who does not play it: the least committing play, or the bot's. And what it would be, for
those who have to decide whether it is. Everything runs inside the caller's transaction, with the game's row locked."""

from sqlmodel import Session

from engine import Match
from engine.scene import Event
from service.models import RUNNING, Game, Ruling, Seat
from service.play import record, turnclock
from service.post import letters, outbox
from service.post.told import Told, engine_told, steps, told


def auto_pass(session: Session, game: Game, seat: Seat, ruling: Ruling | None = None) -> Told:
    """Play the engine's defaults to the end of the turn. Says what was played. Without a ruling the time was up."""
    match = record.load(game)
    return _play_for(session, game, seat, match, record.default_choices(match, seat.no), ruling)


def bot_turn(session: Session, game: Game, seat: Seat, ruling: Ruling) -> Told:
    """Let the built-in player play this one turn."""
    match = record.load(game)
    return _play_for(session, game, seat, match, record.bot_choices(match, seat.no), ruling)


def _play_for(
    session: Session, game: Game, seat: Seat, match: Match, choices: list[str], ruling: Ruling | None
) -> Told:
    """Make these choices for the player. Says what everybody may know of them; the player is told all of it. It is a
    miss if their time was up, and none if a ruling came before that."""
    seats = record.seats_of(session, game)
    seat, first = seats[seat.no], len(match.events)
    played = _own_words(match, seat, choices)
    decided_by, ruled_by = ("moderator", ruling.person_id) if ruling else ("time-out", None)
    record.move(session, game, match, seat, choices, decided_by=decided_by, ruled_by=ruled_by)
    done = match.events[first:]
    missed = seat.stage not in RUNNING
    seat.misses += missed
    seat.missed += missed
    turnclock.stop(seat)
    record.settle(session, game, seats, match, mover=None)
    outbox.write(session, letters.Missed(seat, game.version, played, ruling, counts=missed))
    return told("For %(name)s: %(played)s", name=seat.name, played=_public_words(done))


def foresee(match: Match, seat: Seat, choices: list[str]) -> Told:
    """What everybody will know of these choices, up to where luck or something hidden comes into it: a moderator who
    looks before deciding learns nothing that the players do not."""
    trial = match.draft()
    first = len(trial.events)
    for choice in choices:
        if trial.held:
            break
        trial.choose(seat.no, choice)
    played = _public_words(trial.events[first:])
    if trial.held:
        played.append(told("Then the turn goes on with what is drawn."))
    return told("For %(name)s: %(played)s", name=seat.name, played=played)


def _public_words(events: list[Event]) -> list[Told]:
    known = [engine_told(event) for event in events if event.known_to(None)]
    return known or [told("A choice that only the player may know.")]


def _own_words(match: Match, seat: Seat, choices: list[str]) -> Told:
    """These choices as the player would name them; for nobody else's eyes."""
    trial = match.copy()
    said = []
    for choice in choices:
        decision = next(d for d in trial.pending if d.seat == seat.no)
        said.append(next(option.label for option in decision.options if option.id == choice))
        trial.choose(seat.no, choice)
    return steps(said)
