"""Pauses: by vote of all players, or by a moderator who does not play. The clocks stand still meanwhile."""

from datetime import datetime, timedelta

from sqlmodel import Session

from service.models import Game, GameStatus, Seat
from service.play import record, turnclock
from service.play.reading import BadInput
from service.post import letters, outbox
from service.post.language import gettext as _
from service.post.language import marked, ngettext
from service.post.told import Told, told

LONGEST = timedelta(days=30)
BY_VOTE = timedelta(days=14)

STAND_STILL = marked("All clocks stand still until %(until)s at the latest.")
RUN_ON = marked("All clocks run on from where they stood.")


def vote(session: Session, game: Game, seat: Seat, wants: bool, now: datetime) -> str:
    """One player's wish; the game pauses when all share it. The same way ends a pause early."""
    if game.status is not GameStatus.RUNNING:
        raise BadInput(_("This game is not under way."))
    players = {s.no for s in record.seats_of(session, game) if not s.bot}
    votes = (set(game.pause_votes) & players) | {seat.no} if wants else set(game.pause_votes) - {seat.no}
    game.pause_votes = sorted(votes)
    session.add(game)
    if votes != players:
        return _votes(len(votes), len(players), to_go_on=game.paused_at is not None)
    if game.paused_at:
        resume(session, game, told("All players want to go on."), None, now)
        return _("All agree: the game goes on.")
    pause(session, game, BY_VOTE, told("All players want a pause."), None, now)
    return _("All agree: the game is paused.")


def _votes(given: int, players: int, *, to_go_on: bool) -> str:
    if to_go_on:
        return ngettext(
            "%(num)s of %(players)s wants to go on.", "%(num)s of %(players)s want to go on.", given, players=players
        )
    return ngettext(
        "%(num)s of %(players)s wants a pause.", "%(num)s of %(players)s want a pause.", given, players=players
    )


def pause(session: Session, game: Game, span: timedelta, reason: Told, person_id: int | None, now: datetime) -> Told:
    if game.paused_at is not None:
        raise BadInput(_("The game is paused already."))
    if not timedelta(0) < span <= LONGEST:
        raise BadInput(_("A pause is at least a day and at most %(days)s days long.", days=LONGEST.days), "days")
    game.paused_at, game.paused_until, game.pause_votes = now, now + span, []
    for seat in record.seats_of(session, game):
        seat.due_at = None
        session.add(seat)
        outbox.write(session, letters.Paused(seat, now, reason))
    session.add(game)
    effect = told(STAND_STILL, until=game.paused_until)
    record.write_ruling(session, game, "pause", person_id, None, reason, effect)
    return effect


def resume(session: Session, game: Game, reason: Told, person_id: int | None, now: datetime) -> Told:
    """The clocks run on from where they stood."""
    if game.paused_at is None:
        raise BadInput(_("The game is not paused."))
    since, game.paused_at, game.paused_until = game.paused_at, None, None
    game.silent_since, game.heard_version = None, game.version
    game.pause_votes = []
    for seat in record.seats_of(session, game):
        turnclock.run_on(session, game, seat, since, now)
        outbox.write(session, letters.Resumed(seat, now, reason))
    session.add(game)
    effect = told(RUN_ON)
    record.write_ruling(session, game, "resume", person_id, None, reason, effect)
    return effect
