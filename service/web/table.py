"""What the table page shows to one reader. The engine's view is the only source of what is on the table."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from flask import url_for
from sqlmodel import Session, col, or_, select

from engine import GAMES, Decision, Match, UnknownSave
from service.db import utcnow
from service.models import (
    Absence,
    Game,
    GameStatus,
    Letter,
    LetterStatus,
    Move,
    Person,
    Seat,
    Snapshot,
    Submission,
    Verdict,
)
from service.play import drafts, lateness, reading, record
from service.post import moments, story, words
from service.post.language import ngettext
from service.post.told import in_words
from service.web.access import Reader

A_WHILE = timedelta(minutes=5)  # waiting that is worth a word
NIGHT = (22, 8)  # local hours between which somebody is taken to be asleep


def lay(session: Session, game: Game, seat: Seat | None, *, through: int | None = None) -> dict[str, Any]:
    """The table now, for a seat or for a spectator (None). `through`: a moderator looks through this seat's eyes."""
    seats = record.seats_of(session, game)
    names = [other.name for other in seats]
    zone = session.get_one(Person, seat.person_id).zone if seat else "UTC"
    sent = _on_its_way(session, seat)
    turn = drafts.current(session, game, seat) if seat and seat.asked is not None else None
    match = turn.match if turn else record.load(game)
    view = match.view(seat.no if seat else through)
    bar = _bar(game, turn, seat, names, view.get("trail", ())) if turn and seat and sent is None else None
    return {
        **_frame(session, game, seat, seats, zone),
        "view": view,
        "version": game.version if bar is None else seat.asked if seat else None,
        "step": turn.step if turn else "",
        "clock": _clock(session, game, seat, seats, zone, sent),
        "bar": bar,
        # Where several choices share a spot, the first of them is the one to tap; the bar has them all.
        "lit": {spot: option for option in reversed(bar["options"]) for spot in option["spots"]} if bar else {},
        "outcome": _refused(session, game, seat) or _left_out(turn) or _orders_stopped(seat, names),
        "changed": _changed(session, game, seat, match),
        "since": _since(session, game, seat, names),
    }


def lay_past(session: Session, reader: Reader, version: int) -> dict[str, Any]:
    """The table after an earlier move, as this reader could see it then."""
    game, no = reader.game, reader.no
    seats = record.seats_of(session, game)
    names = [other.name for other in seats]
    match = Match.load(_snapshot(session, game, version), game.components)
    moves = session.exec(select(Move).where(Move.game_id == game.id, Move.version == version)).all()
    told = [_told(entry, utcnow()) for entry in story.entries(moves, no, names)]
    headline = f"After move {version} of {game.version}" if version else "The table as it was set up"
    return {
        **_frame(session, game, reader.seat, seats, reader.zone),
        "view": match.view(no),
        "version": version,
        "step": "",
        "clock": {"state": "replay", "headline": headline, "detail": ""},
        "bar": None,
        "lit": {},
        "outcome": None,
        "changed": _difference(game, _snapshot(session, game, version - 1), match, no) if version else set(),
        "since": told,
        "last": game.version,
    }


def _frame(session: Session, game: Game, seat: Seat | None, seats: list[Seat], zone: str) -> dict[str, Any]:
    """What is the same whether the table is shown as it is or as it was."""
    return {
        "game": {
            "id": game.public_id,
            "kind": game.kind,
            "title": GAMES[game.kind].title,
            "name": game.name,
            "status": game.status.value,
            "turn": game.turn,
        },
        "urls": _urls(game, seat),
        "me": seat.no if seat else None,
        "people": [_person(session, other, seat) for other in seats],
        "zone": zone,
    }


def _urls(game: Game, seat: Seat | None) -> dict[str, str]:
    pid = game.public_id
    here: dict[str, Any] = {"seat": seat.no} if seat else {}
    table = url_for("playing.table", public_id=pid, no=seat.no) if seat else url_for("playing.watch", public_id=pid)
    urls = {
        "my": url_for("mine.games"),
        "log": url_for("story.log", public_id=pid, **here),
        "replay": url_for("story.replay", public_id=pid, **here),
        "result": url_for("story.result", public_id=pid, **here),
        "text": url_for("story.text", public_id=pid, **here),
        "rules": url_for("start.rules", kind=game.kind),
        "pulse": url_for("playing.pulse", public_id=pid),
        "watch": table,
        "settings": "",
    }
    if seat:
        urls["settings"] = url_for("mine.settings", public_id=pid, no=seat.no)
        for deed in ("choose", "undo", "restart", "rest", "send"):
            urls[deed] = url_for(f"playing.{deed}", public_id=pid, no=seat.no)
    return urls


def _person(session: Session, seat: Seat, me: Seat | None) -> dict[str, Any]:
    now = utcnow()
    person = session.get(Person, seat.person_id) if seat.person_id else None
    zone = person.zone if person and person.zone != "UTC" else None
    hour = now.astimezone(ZoneInfo(zone)).hour if zone else 12
    return {
        "no": seat.no,
        "name": seat.name,
        "bot": seat.bot,
        "me": me is not None and seat.id == me.id,
        "to_act": seat.asked is not None,
        "local_time": moments.clock_time(now, zone) if zone else None,
        "zone_city": reading.city(zone) if zone else "",
        "asleep": hour >= NIGHT[0] or hour < NIGHT[1],
        "since": moments.length(now - seat.asked_at) if seat.asked_at and now - seat.asked_at > A_WHILE else None,
        "note": _note(session, seat, now),
    }


def _note(session: Session, seat: Seat, now: datetime) -> str:
    """What everybody should know about this player: late, or away."""
    today = now.date()
    away = session.exec(
        select(Absence).where(Absence.seat_id == seat.id, Absence.last >= today).order_by(col(Absence.first)).limit(1)
    ).first()
    notes = [lateness.words_for(seat, now)] if seat.asked is not None else []
    if away:
        begun = "away until" if away.first <= today else f"away {moments.short_day(away.first)} to"
        notes.append(f"{begun} {moments.short_day(away.last)}")
    return "; ".join(note for note in notes if note)


def _on_its_way(session: Session, seat: Seat | None) -> Submission | None:
    """A turn that was sent and not decided yet."""
    if seat is None or seat.asked is None:
        return None
    return session.exec(
        select(Submission).where(
            Submission.seat_id == seat.id, Submission.asked == seat.asked, Submission.verdict == Verdict.RECEIVED
        )
    ).first()


def _refused(session: Session, game: Game, seat: Seat | None) -> dict[str, str] | None:
    """Why the last turn this seat sent was not played. It may have been decided when no page waited for it any more,
    so it stands on the table until the next one is sent."""
    if seat is None or game.status is not GameStatus.RUNNING:
        return None
    last = session.exec(
        select(Submission)
        .where(Submission.seat_id == seat.id, col(Submission.decided_at).is_not(None))
        .order_by(col(Submission.decided_at).desc())
        .limit(1)
    ).first()
    if last is None or last.verdict is not Verdict.REJECTED:
        return None
    return {"kind": "bad", "text": f"Your turn could not be played. {in_words(last.reason) if last.reason else ''}"}


def _left_out(turn: drafts.Turn | None) -> dict[str, str] | None:
    if turn is None or not turn.left_out:
        return None
    text = ngettext(
        "The rules were corrected after you had begun this turn: a choice of yours is not offered any more. "
        "Please look at your turn again.",
        "The rules were corrected after you had begun this turn: your last %(num)s choices are not offered any more. "
        "Please look at your turn again.",
        turn.left_out,
    )
    return {"kind": "warn", "text": text}


def _orders_stopped(seat: Seat | None, names: list[str]) -> dict[str, str] | None:
    if seat is None or not seat.orders_stopped:
        return None
    return {
        "kind": "warn",
        "text": f"Your standing orders could not answer this. {in_words(seat.orders_stopped, names=names)}",
    }


def _clock(
    session: Session, game: Game, seat: Seat | None, seats: list[Seat], zone: str, sent: Submission | None
) -> dict[str, Any]:
    now = utcnow()
    clock: dict[str, Any] = {
        "state": "waiting",
        "detail": _last_move(session, game, seats, now),
        "deadline_local": None,
    }
    if seat:
        clock |= _told_when(session, game, seat, now)
    asked = [other for other in seats if other.asked is not None]
    deadline = seat.deadline if seat and seat.deadline else min((s.deadline for s in asked if s.deadline), default=None)
    if game.status is GameStatus.FINISHED:
        won = " and ".join(seats[s["seat"]].name for s in game.result or [] if s["place"] == 1)
        headline = f"The game is over: {won} won." if won else "The game is over: it was lost."
        return clock | {"state": "over", "headline": headline, "detail": ""}
    if deadline:
        clock |= {
            "deadline_local": moments.day_and_time(deadline, zone),
            "zone": reading.city(zone),
            "deadline_utc": moments.utc_beside(deadline, zone) if zone != "UTC" else "",
            "left": moments.length(deadline - now) if deadline > now else "",
        }
        clock["reserve"] = moments.length(timedelta(seconds=seat.reserve)) if seat and seat.reserve else ""
    if game.paused_until:
        until = moments.both(game.paused_until, zone)
        return clock | {
            "state": "waiting",
            "headline": "The game is paused.",
            "detail": f"Until {until} at the latest.",
        }
    if sent:
        return clock | {
            "state": "sent",
            "headline": "Received, safe.",
            "detail": "Your turn will be played in a moment.",
        }
    if seat and seat.asked is not None:
        return clock | {"state": "yours", "headline": f"{seat.name}, it is your turn."}
    thinking = " and ".join(other.name for other in asked)
    return clock | {"headline": f"{thinking} is thinking." if len(asked) == 1 else f"{thinking} are thinking."}


def _last_move(session: Session, game: Game, seats: list[Seat], now: datetime) -> str:
    last = session.exec(select(Move).where(Move.game_id == game.id, Move.version == game.version)).first()
    if last is None or last.seat_no is None:
        return "The game has just begun."
    return f"{seats[last.seat_no].name} played {moments.ago(last.created_at, now)}."


def _told_when(session: Session, game: Game, seat: Seat, now: datetime) -> dict[str, Any]:
    """When this player was last written to about this game, and whether it worked."""
    letter = session.exec(
        select(Letter)
        .where(
            Letter.person_id == seat.person_id,
            Letter.seat_id == seat.id,
            col(Letter.status) != LetterStatus.OBSOLETE,
            or_(col(Letter.due_at) <= now, col(Letter.attempts) > 0),  # one that failed is due again only later
        )
        .order_by(col(Letter.id).desc())
        .limit(1)
    ).first()
    if letter is None:
        return {"told": "", "told_failed": False}
    if letter.status is LetterStatus.SENT and letter.sent_at:
        return {"told": f"You were last written to {moments.ago(letter.sent_at, now)}.", "told_failed": False}
    if letter.error:
        later = ", we go on trying" if letter.status is LetterStatus.WAITING else ""
        return {"told": f"Our last letter to you did not get through ({letter.error}){later}.", "told_failed": True}
    return {"told": "A letter to you is on its way.", "told_failed": False}


def _bar(
    game: Game, turn: drafts.Turn, seat: Seat, names: list[str], trail: Iterable[dict[str, str]]
) -> dict[str, Any]:
    """The action bar: the open question and the steps of the turn, or the finished turn ready to be sent."""
    decision = turn.decision(seat.no)
    chosen = [_label(said, choice, names) for said, choice in zip(turn.said, turn.choices, strict=True)]
    held = turn.match.held
    if decision is None:
        prompt = "Your turn is ready. Nothing is final until you send it."
    else:
        prompt = words.prompt(decision, names)
    return {
        "prompt": prompt,
        "trail": [{"text": words.say(step["say"]), "when": step["when"]} for step in trail] if decision else [],
        "options": _options(decision, names),
        "blocked": [
            {"label": words.tell(no.label, names), "reason": words.tell(no.reason, names)}
            for no in (decision.blocked if decision else ())
        ],
        "chosen": chosen,
        "can_undo": bool(chosen),
        "done": decision is None,
        "held": held,
        **_warning(turn.match.game.id),
        "rest": _rest(game, turn, seat, decision, names),
        "summary": story.in_a_paragraph(turn.events(seat.no), names) or ", then ".join(chosen),
    }


def _rest(game: Game, turn: drafts.Turn, seat: Seat, decision: Decision | None, names: list[str]) -> str | None:
    """What "do the rest for me" would do; nothing where it is no more than one of the choices."""
    if decision is None or decision.rest is None or len(drafts.the_rest(game, seat, turn)) < 2:
        return None
    return words.tell(decision.rest, names)


def _warning(kind: str) -> dict[str, str]:
    """What sending a turn shows, where that is no card."""
    return {"warning": words.say(f"{kind}.held")} if words.knows(f"{kind}.held") else {}


def _options(decision: Decision | None, names: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "id": option.id,
            "label": words.tell(option.label, names),
            "hint": words.tell(option.hint, names) if option.hint else "",
            "spots": list(option.spots),
        }
        for option in (decision.options if decision else ())
    ]


def _label(decision: Decision, choice: str, names: list[str]) -> str:
    return next(words.tell(option.label, names) for option in decision.options if option.id == choice)


def _snapshot(session: Session, game: Game, version: int) -> bytes:
    return session.get_one(Snapshot, (game.id, version)).data


def _difference(game: Game, before: bytes, match: Match, no: int | None) -> set[str]:
    try:
        return match.game.changes(Match.load(before, game.components).view(no), match.view(no))
    except UnknownSave:  # a position of older rules that cannot be laid beside one of today's
        return set()


def _changed(session: Session, game: Game, seat: Seat | None, match: Match) -> set[str]:
    """What is new on the board since this seat's last move; since before it for somebody who moves twice running."""
    if seat is None:
        return set()
    since = seat.moved_version
    if since == game.version:
        if not since or seat.asked is None:
            return set()
        since -= 1
    return _difference(game, _snapshot(session, game, since), match, seat.no)


def _since(session: Session, game: Game, seat: Seat | None, names: list[str]) -> list[dict[str, Any]]:
    now = utcnow()
    if seat is not None:
        return [_told(entry, now) for entry in story.since_last_turn(session, game, seat, names)]
    first = max(0, game.version - len(names) + 1)
    return [_told(entry, now) for entry in story.page_of_log(session, game, None, names, first, len(names))]


def _told(entry: story.Entry, now: datetime) -> dict[str, Any]:
    return asdict(entry) | {"when": moments.ago(entry.at, now)}
