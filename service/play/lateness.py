"""What happens when a turn runs out: reminders, the visible steps of being late, and how the game goes on.

on time -> (reminders) -> late, everybody is told -> grace -> what the game's policy says: auto-pass, the moderator with
a fallback, or the bot. Everything runs inside the caller's transaction, with the game's row locked.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from engine import GAMES, UnknownSave
from service.models import RUNNING, Game, GameStatus, Jury, Policy, Seat, Stage
from service.play import deciding, holders, moderators, orders, record, silence, standin, turnclock
from service.play.turnclock import Reminders
from service.post import letters, moments, outbox
from service.post.language import gettext as _
from service.post.language import marked
from service.post.told import told

TIMEKEEPER = marked("The time was up.")


def look(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    """Do for this seat what is due now, and set when to look again. Doing it twice does nothing twice."""
    if game.status is not GameStatus.RUNNING or game.paused_at is not None or seat.asked is None:
        seat.due_at = None
    elif game.rules != GAMES[game.kind].rules:
        _under_new_rules(session, game, seat)
    elif seat.orders_at is not None and now >= seat.orders_at and orders.follow(session, game, seat):
        return
    elif seat.stage in RUNNING:
        rhythm, reminders = turnclock.rhythm_of(session, seat), Reminders()
        if seat.deadline is not None and now >= seat.deadline:
            _late(session, game, seat)
            if seat.grace_until == seat.deadline:  # in this game there is no grace
                return _out_of_time(session, game, seat, now)
        else:
            reminders = turnclock.reminders_of(game, seat, rhythm)
            _remind(session, seat, reminders, now)
        turnclock.look_again(game, seat, rhythm, now, reminders)
    elif seat.stage is Stage.LATE and seat.grace_until is not None and now >= seat.grace_until:
        _out_of_time(session, game, seat, now)
    elif seat.stage is Stage.DESK and seat.due_at is not None and now >= seat.due_at:
        silent = marked("The players did not agree on anything in time.")
        together = moderators.left_to_players(session, game, [seat])
        reason = silent if together else marked("The moderator was silent.")
        _decide(session, game, seat, game.fallback, reason, now)
    session.add(seat)


def _under_new_rules(session: Session, game: Game, seat: Seat) -> None:
    """The rules were corrected since this question was put. The game goes on under those of today, and the seat is
    looked at again at once; or it cannot, and the seat is set aside: nobody is late for what cannot be played."""
    try:
        record.bring_along(session, game)
    except UnknownSave as error:
        seat.due_at, seat.trouble = None, str(error)
        for reader in moderators.or_players(session, game, record.seats_of(session, game)):
            outbox.write(session, letters.Stranded(game, reader))


def _remind(session: Session, seat: Seat, reminders: Reminders, now: datetime) -> None:
    """Doing it again writes no second letter; a moved deadline arms it again by itself."""
    due = [threshold for threshold, moment in reminders if moment <= now]
    if due:
        seat.stage = Stage.WARNED
        threshold = min(due)  # when several were slept through, the last one says it all
        outbox.write(session, letters.Reminder(seat, threshold))


def _late(session: Session, game: Game, seat: Seat) -> None:
    seat.stage = Stage.LATE
    for other in record.seats_of(session, game):
        outbox.write(session, letters.Late(seat) if other.id == seat.id else letters.Delay(other, late=seat))


def _out_of_time(session: Session, game: Game, seat: Seat, now: datetime) -> None:
    if game.policy is not Policy.MODERATOR:
        return _decide(session, game, seat, game.policy, TIMEKEEPER, now)
    question = _question(session, game, seat)
    if not question:
        return _decide(session, game, seat, game.fallback, marked("There is nobody to decide."), now)
    seat.stage, seat.due_at = Stage.DESK, now + timedelta(hours=game.moderator_hours)
    for letter in question:
        outbox.write(session, letter)


def _question(session: Session, game: Game, seat: Seat) -> list[letters.Kind]:
    """What to do about this seat, put to those who decide: the moderators who have accepted, or all other players where
    there is none but whoever sits there. Nothing where nobody has accepted."""
    looking = moderators.of(session, game)
    judges = [moderator for moderator in looking if moderator.id != seat.person_id]
    if judges or not (looking or game.jury is Jury.GROUP):
        return [letters.OutOfTime(game, seat, moderator.id) for moderator in judges]
    return [letters.Together(other, late=seat) for other in record.seats_of(session, game) if _may_say(other, seat)]


def _may_say(other: Seat, late: Seat) -> bool:
    return not other.bot and other.id != late.id


def _decide(session: Session, game: Game, seat: Seat, policy: Policy, reason: str, now: datetime) -> None:
    """Go on without the player, as the game's policy says. The bot takes over after so many misses in a row, but never
    the last person's seat: then the game waits for them."""
    holder = seat.person_id
    if policy is Policy.BOT and seat.misses + 1 >= game.bot_after:
        if holders.last_person(record.seats_of(session, game), seat):
            return silence.wait_for(session, game, seat, now)
        ruling = record.write_ruling(session, game, "bot", None, seat, told(reason))
        ruling.effect = holders.give_to_bot(session, game, seat, ruling)
    else:
        effect = standin.auto_pass(session, game, seat)
        ruling = record.write_ruling(session, game, "auto-pass", None, seat, told(reason), effect)
    record.tell_ruling(session, record.seats_of(session, game), ruling, besides=[holder])
    deciding.recount(session, game, now)
    return silence.listen(session, game, now)


def words_for(game: Game, seat: Seat, now: datetime) -> str:
    """How late a seat is, for everybody's eyes. In a pause nobody is."""
    if game.paused_at is not None:
        return ""
    if seat.stage is Stage.WARNED:
        return _("has been reminded")
    if seat.stage is Stage.LATE and seat.grace_until:
        return _("late; %(length)s of grace left", length=moments.length(seat.grace_until - now))
    if seat.stage is not Stage.DESK:
        return ""
    return _("out of time; the group decides") if game.jury is Jury.GROUP else _("out of time; to be decided")


def in_brief(seat: Seat) -> str:
    """The same in a word or two, for the clock."""
    if seat.stage is Stage.LATE:
        return _("late")
    return _("out of time") if seat.stage is Stage.DESK else ""


def sentence_about(game: Game, seat: Seat, now: datetime) -> str:
    """The same for those who wait."""
    if seat.stage is Stage.LATE and seat.grace_until:
        left = moments.length(seat.grace_until - now)
        return _("%(name)s is late: %(length)s of grace left.", name=seat.name, length=left)
    if seat.stage is not Stage.DESK:
        return ""
    if game.jury is Jury.GROUP:
        return _("%(name)s is out of time: the group decides.", name=seat.name)
    return _("%(name)s is out of time: it is to be decided.", name=seat.name)
