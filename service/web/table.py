"""What the table page shows to one reader. The engine's view is the only source of what is on the table."""

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from flask import render_template, request, url_for
from sqlmodel import Session

from engine import GAMES, Change, Decision, Gauge, Match, Setting
from service import results
from service.db import utcnow
from service.models import Game, GameStatus, Letter, LetterStatus, Seat, Submission, Verdict
from service.play import (
    absences,
    drafts,
    hearing,
    lateness,
    moderators,
    positions,
    record,
    returning,
    talking,
    tips,
    turnclock,
)
from service.play.clocks import Hours, awake
from service.play.notes import Written
from service.post import moments, story, words
from service.post.language import gettext as _
from service.post.language import in_turn, listed, ngettext
from service.post.told import in_words
from service.post.wishes import Wish
from service.web import seen, voices
from service.web.access import Reader
from service.web.motions import Motion, motions, standing
from service.web.voices import Talk, Thinker, Words

HAVE = "Hikyaku-Have"  # the header in which a page names the parts it has
# What is done from a table's page, each at an address of its own.
DEEDS = (
    *("choose", "undo", "restart", "rest", "send"),
    *("say", "unsay", "mute", "notes", "nudge", "here", "untip", "propose", "vote", "leave", "settings"),
)
A_WHILE = timedelta(minutes=5)  # waiting that is worth a word
MOST_ONWARD = 80  # answers to what options lead to: with more of them an answer to a choice would not be light


@dataclass(frozen=True)
class About:
    """Which game this is."""

    id: str
    kind: str
    title: str
    name: str
    status: str
    turn: int
    options: Sequence[str] = ()  # edition and modules, in words


@dataclass(frozen=True)
class Player:
    """Somebody at the table, as the reader sees them."""

    no: int
    name: str
    bot: bool = False
    me: bool = False
    to_act: bool = False
    local_time: str | None = None
    zone_city: str = ""
    asleep: bool = False
    since: str | None = None  # how long the others have waited, when that is worth a word
    note: str = ""  # late, or away
    board: str = ""  # the address of all they have before them


@dataclass(frozen=True)
class Clock:
    """Whose turn and until when; and how the reader was last told."""

    state: str  # yours, sent, waiting, paused, silent, over, replay
    headline: str
    short: str  # the headline in two words
    detail: str = ""
    deadline_local: str = ""
    deadline_utc: str = ""
    zone: str = ""
    left: str = ""
    late: str = ""  # in a word or two, when nothing is left
    grace: str = ""
    apart: str = ""  # what is left of the allowance, and of the reserve behind it
    told: str = ""
    told_failed: bool = False


@dataclass(frozen=True)
class Meant:
    """What an option stands for, as the rules have it: nothing takes its id apart."""

    means: tuple[Any, ...] = ()  # of the options that it stands for, in turn
    says: str = ""  # the key of its label: what is said the same way is the same to do

    def meant(self, what: str) -> Any:
        """The one of these that is of the type of this name, if there is one."""
        return next((each for each in self.means if type(each).__name__ == what), None)


@dataclass(frozen=True, kw_only=True)
class Choice(Meant):
    """Something to choose: one option, or one and the answers to what it leads to."""

    value: str  # what a form sends: the ids of the options, in turn
    label: str
    hint: str = ""
    brief: str = ""  # the hint where room is short, if it has words for that
    spots: tuple[str, ...] = ()  # where it lies on the board
    via: str = ""  # the option that leads to it, if that is another
    about: str = ""  # what that one would bring
    changes: Sequence[Change] = ()

    def change(self, what: str, seat: int | None = None, spot: str = "") -> Change | None:
        """What it would do to one gauge; None if nothing."""
        gauge = Gauge(what, seat, spot)
        return next((change for change in self.changes if change.gauge == gauge), None)


@dataclass(frozen=True, kw_only=True)
class Chosen(Meant):
    """A choice of the turn in the making."""

    label: str
    spots: tuple[str, ...] = ()
    back: str = ""  # what a form sends for the turn without it
    same: bool = False  # it answers the question that is open now, which is asked several times over


@dataclass(frozen=True)
class Blocked:
    """What cannot be chosen now, and why."""

    label: str
    reason: str


@dataclass(frozen=True)
class Step:
    """A step of the turn: done, now or to come."""

    text: str
    when: str


@dataclass(frozen=True)
class Bar:
    """The open question and the steps of the turn, or the finished turn ready to be sent."""

    prompt: str
    tip: str = ""  # what the question is about, for whoever is new to the title
    options: Sequence[Choice] = ()
    onward: Sequence[Choice] = ()  # an option with the answers to what it leads to, for places on the board
    main: Choice | None = None  # the way on without choosing anything more
    detour: Choice | None = None  # the same, but with the question it leads to
    last: bool = False  # that way on is the end of the turn: it can be sent at once
    reveals: bool = False  # and shows something that is hidden now
    blocked: Sequence[Blocked] = ()
    trail: Sequence[Step] = ()
    chosen: Sequence[Chosen] = ()
    done: bool = False
    held: bool = False
    rest: str | None = None  # what "do the rest for me" would do
    summary: str = ""

    @property
    def at(self) -> int:
        """How many choices were made so far."""
        return len(self.chosen)

    @property
    def declines(self) -> bool:
        """Whether the way on leaves out what is asked on the board, and not only more of what was chosen last."""
        asked = {option.says for option in self.options if option.spots}
        more = any(last.same or last.says in asked for last in self.chosen[-1:])
        return bool(asked) and not more

    @property
    def touched(self) -> list[Choice]:
        """What a touch chooses: where an option leads on, the answers it leads to in its stead."""
        led = _led(self.onward)
        return [*self.onward, *[option for option in self.options if option.value not in led]]

    @property
    def chips(self) -> list[Choice]:
        """What has no place on the board."""
        ways_on = {way.value for way in (self.main, self.detour) if way}
        loose = [option for option in self.touched if not option.spots and option.value not in ways_on]
        return [*loose, self.detour] if self.detour else loose


@dataclass(frozen=True)
class Notice:
    kind: str  # good, warn, bad
    text: str


@dataclass(frozen=True)
class Told:
    """What somebody did, in words."""

    who: int | None
    text: str
    when: str
    version: int = 0
    lines: Sequence[tuple[int | None, str]] = ()  # the same line by line, and about whom each is
    moves: Sequence[int] = ()  # the versions that it tells of
    said: Words | None = None  # if it is something said, and not a move
    hidden_text: str = ""  # what was said, for the moderator who can show it again


@dataclass(frozen=True)
class Line:
    """What happened while the reader was away, in a line."""

    who: int | None
    text: str
    moves: Sequence[int]  # the versions that it tells of
    mine: bool = False  # it happened to the reader


@dataclass(frozen=True)
class Sent:
    """The game in which the reader has just sent a turn, and from which they were taken on to this one."""

    game: str
    back: str
    stay: str  # to stay there, from now on; empty where the reader did not come by mail


@dataclass(frozen=True)
class Table:
    """All that table.html and the boards of the titles are given."""

    game: About
    urls: dict[str, str]
    me: int | None
    people: Sequence[Player]
    view: dict[str, Any]  # the engine's own
    version: int | None  # what a form that acts on this page answers
    clock: Clock
    step: str = ""
    bar: Bar | None = None
    outcome: Notice | None = None
    changed: frozenset[str] = frozenset()
    away: Sequence[Line] = ()
    lately: Sequence[Told] = ()  # newest first
    elsewhere: int = 0  # other games that wait for the reader
    sent: Sent | None = None
    proposals: Sequence[Motion] = ()  # what the players vote on
    undecided: Sequence[str] = ()  # who is out of time, where the players decide
    pane: str = ""  # the one to open, if it is not the one with something to choose
    returned: str | None = None  # why letters to the reader come back, if they do
    talk: Talk | None = None  # None: the reader has no voice here
    line: str = ""  # what is to be said with the turn
    note: Written | None = None  # the reader's own
    thinkers: Sequence[Thinker] = ()
    hears: bool = False  # talk there may be
    newest: int = 0  # the last that was said
    standing: str = ""  # see motions.standing
    unheard: int = 0  # how much of it is new to the reader

    @property
    def lit(self) -> dict[str, list[Choice]]:
        """What can be chosen where."""
        places: dict[str, list[Choice]] = {}
        for option in self.bar.touched if self.bar else ():
            for spot in option.spots:
                places.setdefault(spot, []).append(option)
        return places

    @property
    def taken(self) -> dict[str, Chosen]:
        """What was chosen where in this turn."""
        return {spot: chosen for chosen in (self.bar.chosen if self.bar else ()) for spot in chosen.spots}

    def shown(self) -> dict[str, Any]:
        """By name, as the templates call it all. `astir`: what stands before the last colon of the spots where
        something can be chosen, was chosen or is new; the rest of a board lies still."""
        lit, taken = self.lit, self.taken
        astir = {spot.rpartition(":")[0] or spot for spot in (*lit, *taken, *self.changed)}
        return {**vars(self), "lit": lit, "taken": taken, "astir": astir}


def show(template: str, table: Table, **more: Any) -> str:
    """The table in this frame. A page that only changes what it shows names the parts it has and is sent the others."""
    have = frozenset(request.headers.get(HAVE, "").split())
    return render_template(template, have=have, **table.shown(), **more)


def lay(session: Session, reader: Reader, *, through: int | None = None) -> Table:
    """The table now. `through`: a moderator looks through this seat's eyes."""
    game, seat, names = reader.game, reader.seat, reader.names
    rows = seen.look(session, reader)
    proposed = motions(session, game, reader.seats, reader.person)
    turn = drafts.as_put_down(game, seat, rows.draft) if seat and seat.asked is not None else None
    match = turn.match if turn else record.load(game)
    view = match.view(seat.no if seat else through)
    sent = _on_its_way(seat, rows.submission)
    told = story.entries(rows.lately, reader.no, names, after=rows.after)
    new = voices.unheard(reader, rows.said)
    bar = _bar(turn, seat, names, view.get("trail", ())) if turn and seat and not sent else None
    if bar and turn and seat and tips.wanted(reader.person, game, rows.moves):
        bar = replace(bar, tip=_tip(turn.decision(seat.no)))
    return Table(
        game=_about(game, len(reader.seats)),
        urls=_urls(reader),
        me=reader.no,
        people=_people(reader, rows.now),
        view=view,
        version=game.version if bar is None or seat is None else seat.asked,
        step=turn.step if turn else "",
        clock=_clock(reader, rows, sent),
        bar=bar,
        outcome=_refused(game, rows.submission) or _left_out(turn) or _orders_stopped(seat, names),
        changed=positions.changed(game, rows.before, match, view, reader.no),
        away=_away(told, rows.since, reader.no) if turn else (),
        lately=_lately(told, rows.now, [told_line(reader, said, rows.now, new) for said in rows.said]),
        elsewhere=rows.elsewhere,
        sent=_sent(session, reader, request.args.get("sent", "")),
        proposals=proposed,
        undecided=_undecided(session, reader),
        pane=request.args.get("pane", ""),
        returned=reader.person.returned_why if reader.person and reader.person.returned_at else None,
        talk=voices.talk(reader, looked_after=rows.looked_after),
        line=turn.line if turn else "",
        note=rows.note,
        thinkers=voices.thinkers(session, reader, rows),
        hears=reader.listener.hears or seat is not None,
        newest=rows.said[-1].remark.id if rows.said else 0,
        standing=standing(game, reader.seats, proposed),
        unheard=len(new),
    )


def with_words(table: Table, text: str, to: str) -> Table:
    """The same with what could not be said, for another try."""
    if table.talk is None:
        return table
    wanted = to if to == "all" or to in dict(table.talk.to) else ""
    return replace(table, pane="talk", talk=replace(table.talk, text=text[: talking.LONGEST * 2], wanted=wanted))


def lay_past(session: Session, reader: Reader, version: int) -> Table:
    """The table after an earlier move, as this reader could see it then."""
    game, no, now = reader.game, reader.no, utcnow()
    match = Match.load(positions.snapshot(session, game, version), game.components)
    before = positions.snapshot(session, game, version - 1) if version else None
    view = match.view(no)
    headline = (
        _("After move %(move)s of %(last)s", move=version, last=game.version)
        if version
        else _("The table as it was set up")
    )
    return Table(
        game=replace(_about(game, len(reader.seats)), turn=match.turn),
        urls=_urls(reader),
        me=no,
        people=_people(replace(reader, away={}), now),
        view=view,
        version=version,
        clock=Clock("replay", headline, _("Replay")),
        changed=positions.changed(game, before, match, view, no),
        lately=_lately(story.page_of_log(session, game, no, reader.names, version, 1), now),
    )


# --- who plays what


def _about(game: Game, seats: int) -> About:
    return About(
        id=game.public_id,
        kind=game.kind,
        title=GAMES[game.kind].title,
        name=game.name,
        status=game.status.value,
        turn=game.turn,
        options=options(game, seats),
    )


def options(game: Game, seats: int) -> list[str]:
    """Edition and modules, in words."""
    title = GAMES[game.kind]
    settings = [setting for setting in title.options if seats == 1 or not setting.alone]
    told = [_option(title.id, setting, game.options.get(setting.id, setting.default)) for setting in settings]
    return [option for option in told if option]


def _option(kind: str, setting: Setting, value: bool | str) -> str:
    """How this option is set, in words; nothing for one that is off."""
    key = f"{kind}.option.{setting.id}"
    if isinstance(value, bool):
        return words.say(key) if value else ""
    return words.say(f"{key}.{value}")


def _urls(reader: Reader) -> dict[str, str]:
    """Where the page leads. (The address of the game is put together once: a page needs a score of those below it.)"""
    game, seat = reader.game, reader.seat
    at = url_for("playing.game", public_id=game.public_id)
    whose = f"?seat={seat.no}" if seat else ""
    urls = {
        "my": url_for("mine.games"),
        "rules": url_for("start.rules", kind=game.kind),
        "short": url_for("start.short", kind=game.kind),
        "next": url_for("mine.longest_waiting", after=game.public_id, who=seat.person_id if seat else None),
        "pulse": f"{at}/pulse{whose or '?outside'}",
        "watch": f"{at}/watch",
        "say_outside": f"{at}/watch/say",
        "unsay_outside": f"{at}/watch/unsay",
        "settings": "",
        "desk": f"{at}/desk" if reader.moderates else "",
    }
    urls |= {page: f"{at}/{page}{whose}" for page in ("log", "replay", "result", "text", "where")}
    if seat:
        urls |= {deed: f"{at}/seat/{seat.no}/{deed}" for deed in DEEDS}
        urls["watch"] = f"{at}/seat/{seat.no}"
        urls["reached"] = f"{at}/seat/{seat.no}/reached" if reader.known else ""
        urls["address"] = url_for("relocating.address", who=seat.person_id) if reader.known else ""
    return urls


def _people(reader: Reader, now: datetime) -> list[Player]:
    """Everybody at the table. (An address is put together once: the page needs as many as there are people.)"""
    of_each = url_for("playing.board", public_id=reader.game.public_id, whose=0, seat=reader.no).partition("/board/0")
    return [_player(reader, seat, now, f"{of_each[0]}/board/{seat.no}{of_each[2]}") for seat in reader.seats]


def _player(reader: Reader, seat: Seat, now: datetime, board: str) -> Player:
    person = reader.holder(seat)
    zone = person.zone if person and person.zone != "UTC" else None
    return Player(
        no=seat.no,
        name=seat.name,
        bot=seat.bot and seat.resigned_at is None,
        me=seat is reader.seat,
        to_act=seat.asked is not None,
        local_time=moments.clock_time(now, zone) if zone else None,
        zone_city=moments.city(zone) if zone else "",
        asleep=person is not None
        and seat is not reader.seat
        and not awake(now, Hours(person.zone, turnclock.quiet_of(person))),
        since=moments.length(now - seat.asked_at) if seat.asked_at and now - seat.asked_at > A_WHILE else None,
        note=_note(reader, seat, now),
        board=board,
    )


def _note(reader: Reader, seat: Seat, now: datetime) -> str:
    """What everybody should know about this player: gone, late, away, or not told when it is their turn."""
    if seat.resigned_at is not None:
        return _("has left; the seat is free")
    notes = [lateness.words_for(reader.game, seat, now)] if seat.asked is not None else []
    if gone := _gone(reader, seat, now):
        first, last = map(moments.short_day, gone.days)
        notes.append(
            _("away until %(last)s", last=last)
            if gone.begun
            else _("away %(first)s to %(last)s", first=first, last=last)
        )
    notes.append(_unwritten(reader.unwanted.get(seat.no, ())))
    notes.append(_unreached(reader, seat, now))
    return "; ".join(note for note in notes if note)


class Gone(NamedTuple):
    """Days away of somebody that are now, or come next."""

    days: tuple[date, date]
    begun: bool


def _gone(reader: Reader, seat: Seat, now: datetime) -> Gone | None:
    person = reader.holder(seat)
    if person is None:
        return None
    today = now.astimezone(ZoneInfo(person.zone)).date()
    days = absences.now_or_next(reader.away.get(seat.no, ()), today)
    return Gone(days, days[0] <= today) if days else None


def _unwritten(unwanted: Collection[Wish]) -> str:
    if len(unwanted) == len(Wish):
        return _("gets no letters")
    if Wish.TURNS in unwanted:
        if Wish.REMINDERS in unwanted:
            return _("gets no letters about their turns")
        return _("gets reminders, but no letters about their turns")
    return _("gets no news by letter") if Wish.NEWS in unwanted else ""


def _unreached(reader: Reader, seat: Seat, now: datetime) -> str:
    """That letters to this player come back, and until when their clock stands still: for those who play or look after
    the game, and not for whoever looks on."""
    if reader.seat is None and not reader.moderates:
        return ""
    notes = returning.words_for(reader.holder(seat)), returning.words_of_the_clock(reader.game, seat, reader.zone, now)
    return "; ".join(note for note in notes if note)


# --- how things stand for the reader


def _sent(session: Session, reader: Reader, public_id: str) -> Sent | None:
    found = seen.sent_from(session, reader, public_id) if public_id and reader.others else None
    if found is None:
        return None
    seat, game = found
    back = url_for("playing.table", public_id=game.public_id, no=seat.no)
    called = ", ".join(filter(None, (GAMES[game.kind].title, game.name)))
    return Sent(called, back, f"{back}/stay" if reader.known else "")


def _undecided(session: Session, reader: Reader) -> list[str]:
    """Who is out of time, if it is for the reader and the others to say what happens."""
    if reader.game.paused_at is not None or reader.seat is None:
        return []
    late = moderators.left_to_players(session, reader.game, reader.seats)
    return [seat.name for seat in late if seat is not reader.seat]


def _on_its_way(seat: Seat | None, last: Submission | None) -> bool:
    """A turn was sent and is not decided yet."""
    return bool(seat and last and last.verdict is Verdict.RECEIVED and last.asked == seat.asked)


def _refused(game: Game, last: Submission | None) -> Notice | None:
    """Why the last turn this seat sent was not played. It may have been decided when no page waited for it any more,
    so it stands on the table until the next one is sent."""
    if last is None or last.verdict is not Verdict.REJECTED or game.status is not GameStatus.RUNNING:
        return None
    why = in_words(last.reason) if last.reason else ""
    return Notice("bad", _("Your turn could not be played. %(why)s", why=why))


def _left_out(turn: drafts.Turn | None) -> Notice | None:
    if turn is None or not turn.left_out:
        return None
    text = ngettext(
        "The rules were corrected after you had begun this turn: a choice of yours is not offered any more. "
        "Please look at your turn again.",
        "The rules were corrected after you had begun this turn: your last %(num)s choices are not offered any more. "
        "Please look at your turn again.",
        turn.left_out,
    )
    return Notice("warn", text)


def _orders_stopped(seat: Seat | None, names: list[str]) -> Notice | None:
    if seat is None or not seat.orders_stopped:
        return None
    why = in_words(seat.orders_stopped, names=names)
    return Notice("warn", _("Your standing orders could not answer this. %(why)s", why=why))


def _clock(reader: Reader, rows: seen.Rows, sent: bool) -> Clock:
    game, seat = reader.game, reader.seat
    asked = [other for other in reader.seats if other.asked is not None]
    clock = _told_when(Clock("waiting", "", "", _last_move(reader, rows)), rows.letter, rows.now)
    if game.status is GameStatus.FINISHED:
        return replace(clock, state="over", headline=_how_it_ended(reader), short=_("Over"), detail="")
    if game.paused_until and game.silent_since:
        until = moments.both(game.paused_until, reader.zone)
        detail = _("It goes on when one of its players says so or plays; else it ends on %(time)s.", time=until)
        headline = _("Nobody plays any more, so the game has paused itself.")
        return replace(clock, state="silent", headline=headline, short=_("Paused"), detail=detail)
    if game.paused_until:
        until = moments.both(game.paused_until, reader.zone)
        detail = _("Until %(time)s at the latest.", time=until)
        clock = replace(clock, short=_("Paused"), left=moments.length(game.paused_until - rows.now))
        return replace(clock, state="paused", headline=_("The game is paused."), detail=detail)
    clock = _until(clock, reader, asked, rows.now)
    if sent:
        detail = _("Your turn will be played in a moment.")
        return replace(clock, state="sent", headline=_("Received, safe."), short=_("Sent"), detail=detail)
    if seat and seat.asked is not None:
        headline = _("%(name)s, it is your turn.", name=seat.name)
        return replace(clock, state="yours", headline=headline, short=_("Your turn"))
    late = " ".join(filter(None, (lateness.sentence_about(game, other, rows.now) for other in asked)))
    names = listed(other.name for other in asked)
    return replace(clock, headline=late or _doing(reader, asked, rows), short=_("%(names)s to play", names=names))


def _doing(reader: Reader, asked: list[Seat], rows: seen.Rows) -> str:
    """What those do whose turn it is, none of them late."""
    gone = [(seat, _gone(reader, seat, rows.now)) for seat in asked]
    thinking = [seat.name for seat, away in gone if not (away and away.begun)]
    said = [ngettext("%(names)s is thinking.", "%(names)s are thinking.", len(thinking), names=listed(thinking))]
    away_until = [
        _("%(name)s is away until %(last)s.", name=seat.name, last=moments.short_day(away.days[1]))
        for seat, away in gone
        if away and away.begun
    ]
    return " ".join((said if thinking else []) + away_until)


def _how_it_ended(reader: Reader) -> str:
    won = [reader.names[no] for no in results.winners(reader.game)]
    if reader.game.result is None:
        return _("The game was ended without a result.")
    return _("The game is over: %(names)s won.", names=listed(won)) if won else _("The game is over: it was lost.")


def _until(clock: Clock, reader: Reader, asked: list[Seat], now: datetime) -> Clock:
    """With the deadline: the reader's own, or the first that somebody has."""
    zone, mine = reader.zone, reader.seat is not None and reader.seat.deadline is not None
    whose = [reader.seat] if mine else asked
    deadlines = [(seat.deadline, seat.no) for seat in whose if seat and seat.deadline]
    if not deadlines:
        return clock
    deadline, no = min(deadlines)
    seat, left = reader.seats[no], _left(reader, reader.seats[no], now)
    return replace(
        clock,
        deadline_local=moments.day_and_time(deadline, zone),
        zone=moments.city(zone),
        deadline_utc=moments.utc_beside(deadline, zone) if zone != "UTC" else "",
        left=moments.length(deadline - now) if deadline > now else "",
        late=lateness.in_brief(seat),
        grace=moments.length(seat.grace_until - now) if seat.grace_until and now < seat.grace_until else "",
        apart=(left.words() if mine else left.words_of_another()) if left.reserve and deadline > now else "",
    )


def _left(reader: Reader, seat: Seat, now: datetime) -> turnclock.Left:
    """What is left of this seat's clock, by its holder's quiet hours and days off."""
    person = reader.holder(seat)
    hours = Hours(person.zone, turnclock.quiet_of(person), frozenset(person.days_off)) if person else turnclock.ALWAYS
    return turnclock.left_of(reader.game, seat, hours, now)


def _last_move(reader: Reader, rows: seen.Rows) -> str:
    last = rows.lately[-1] if rows.lately else None
    if last is None or last.version == 0:
        return _("The game has just begun.")
    ago = moments.ago(last.created_at, rows.now)
    if last.seat_no is None:
        return _("A ruling changed the game %(ago)s.", ago=ago)
    return _("%(name)s played %(ago)s.", name=reader.names[last.seat_no], ago=ago)


def _told_when(clock: Clock, letter: Letter | None, now: datetime) -> Clock:
    """With when this player was last written to about this game, and whether it worked."""
    if letter is None:
        return clock
    if letter.status is LetterStatus.SENT and letter.sent_at:
        return replace(clock, told=_("You were last written to %(ago)s.", ago=moments.ago(letter.sent_at, now)))
    if letter.status is LetterStatus.HELD:
        return replace(clock, told=_("A letter to you waits, for letters to you come back."), told_failed=True)
    if letter.error and letter.status is LetterStatus.WAITING:
        told = _("Our last letter to you did not get through (%(error)s), we go on trying.", error=letter.error)
        return replace(clock, told=told, told_failed=True)
    if letter.error:
        told = _("Our last letter to you did not get through (%(error)s).", error=letter.error)
        return replace(clock, told=told, told_failed=True)
    return replace(clock, told=_("A letter to you is on its way."))


# --- the turn in the making


def _bar(turn: drafts.Turn, seat: Seat, names: list[str], trail: Iterable[dict[str, str]]) -> Bar:
    decision = turn.decision(seat.no)
    chosen = _chosen(turn, decision, names)
    bar = Bar(
        prompt=_("Ready. Nothing is final until you send it."),
        chosen=chosen,
        done=decision is None,
        held=_reveals(turn.match),
        summary=story.in_a_paragraph(turn.events(seat.no), names) or in_turn(choice.label for choice in chosen),
    )
    if decision is None:
        return bar
    onward = _onward(turn, decision, names)
    options = choices(decision, names, turn.match, led=_led(onward))
    main, detour = _ways_on(turn, decision, options, names)
    ahead = turn.match.after(seat.no, *main.value.split()) if main else None
    return replace(
        bar,
        prompt=words.prompt(decision, names),
        trail=[Step(words.say(step["say"]), step["when"]) for step in trail],
        options=options,
        onward=onward,
        main=main,
        detour=detour,
        last=ahead is not None and not _asks(ahead, turn, seat),
        reveals=ahead is not None and _reveals(ahead),
        blocked=[Blocked(words.tell(no.label, names), words.tell(no.reason, names)) for no in decision.blocked],
        rest=_rest(turn, seat, decision, names),
    )


def _led(onward: Iterable[Choice]) -> set[str]:
    """The options in whose stead these are touched."""
    return {choice.value.partition(" ")[0] for choice in onward}


def _ways_on(
    turn: drafts.Turn, decision: Decision, options: Sequence[Choice], names: list[str]
) -> tuple[Choice | None, Choice | None]:
    """The way on without choosing anything more: with the like answer to the question that it leads to, if it leads to
    one, and then the way to that question too."""
    main = next((option for option in options if option.value == decision.main), None)
    if main is None or not decision.option(main.value).leads:
        return main, None
    asked = _led_to(turn, decision, main.value)
    if asked is None or not asked.main:
        return main, None
    detour = f"{asked.prompt}:detour"
    label = words.say(detour) if words.knows(detour) else words.prompt(asked, names)
    return replace(main, value=f"{main.value} {asked.main}"), replace(main, label=label)


def _tip(decision: Decision | None) -> str:
    return words.tip(decision) if decision else ""


def _reveals(match: Match) -> bool:
    """Whether sending shows something with which the turn goes on."""
    return match.held and not match.closing


def _asks(ahead: Match, turn: drafts.Turn, seat: Seat) -> bool:
    """Whether something more is asked of this seat in this turn, where the match would stand."""
    return ahead.turn == turn.number and any(decision.seat == seat.no for decision in ahead.pending)


def choices(
    decision: Decision, names: list[str], match: Match | None = None, *, led: Set[str] = frozenset()
) -> list[Choice]:
    """What is offered, in words. `match`: where it is offered, to tell what each choice on the board would change; but
    for those that are `led` on, which are not touched themselves."""
    now = match.gauges(decision.seat) if match else None
    told = {option.id for option in decision.options if match and option.spots} - led
    return [
        Choice(
            value=option.id,
            means=(option.meaning,),
            says=option.label.key,
            label=words.tell(option.label, names),
            hint=words.tell(hint, names) if (hint := decision.hint(option)) else "",
            brief=words.in_brief(hint, names) if hint and words.knows(f"{hint.key}:brief") else "",
            spots=tuple(option.spots),
            changes=match.outlook(decision.seat, option.id, now=now) if match and option.id in told else (),
        )
        for option in decision.options
    ]


def _onward(turn: drafts.Turn, decision: Decision, names: list[str]) -> list[Choice]:
    """The answers to what some options lead to, each to be chosen in one go with the option itself. Where these are too
    many, none: then one is asked after the other."""
    match, seat = turn.match, decision.seat
    led = []
    for first in decision.options:
        asked = _led_to(turn, decision, first.id) if first.leads else None
        if asked and not (asked.main and first.id == decision.main):  # which the way on takes along
            led.append((first, asked))
    if sum(len(asked.options) for _, asked in led) > MOST_ONWARD:
        return []
    now, found = match.gauges(seat), []
    for first, asked in led:
        via = words.tell(first.label, names)
        about = words.tell(hint, names) if (hint := decision.hint(first)) else ""
        for second in choices(asked, names):
            path = (first.id, second.value)
            changes = match.outlook(seat, *path, now=now)
            means = (first.meaning, *second.means)
            found.append(replace(second, value=" ".join(path), means=means, via=via, about=about, changes=changes))
    return found


def _led_to(turn: drafts.Turn, decision: Decision, choice: str) -> Decision | None:
    """What is asked of the same seat after this choice, in the same turn."""
    ahead = turn.match.after(decision.seat, choice)
    return next((d for d in ahead.pending if d.seat == decision.seat), None) if ahead.turn == turn.number else None


def _chosen(turn: drafts.Turn, decision: Decision | None, names: list[str]) -> list[Chosen]:
    chosen = []
    for n, (said, choice) in enumerate(zip(turn.said, turn.choices, strict=True)):
        option = said.option(choice)
        chosen.append(
            Chosen(
                means=(option.meaning,),
                says=option.label.key,
                label=words.tell(option.label, names),
                spots=tuple(option.spots),
                back=" ".join([f"@{n}", *turn.choices[n + 1 :]]),
                same=decision is not None and all(d.prompt == decision.prompt for d in turn.said[n:]),
            )
        )
    return chosen


def _rest(turn: drafts.Turn, seat: Seat, decision: Decision, names: list[str]) -> str | None:
    """What "do the rest for me" would do; nothing where it is no more than one of the choices."""
    if decision.rest is None or len(drafts.the_rest(turn, seat)) < 2:
        return None
    return words.tell(decision.rest, names)


# --- what has happened


def _away(entries: Sequence[story.Entry], since: int, no: int | None) -> list[Line]:
    """What happened since the reader's last turn: first what happened to them, then a line for each of the others. Of
    their own last turn what they had not seen when they sent it: what an opponent without a seat did, say."""
    told = [entry for entry in entries if entry.version > since]
    mine = [Line(entry.who, line, [entry.version], mine=True) for entry in told for line in entry.mine]
    besides = [Line(None, " ".join(entry.besides), [entry.version]) for entry in told if entry.besides and entry.ends]
    rivals: dict[int | None, list[story.Entry]] = {}
    for entry in told:
        if entry.who != no and entry.brief:
            rivals.setdefault(entry.who, []).append(entry)
    return (
        mine
        + besides
        + [
            Line(who, " ".join(entry.brief for entry in played), [entry.version for entry in played])
            for who, played in rivals.items()
        ]
    )


def _lately(entries: Iterable[story.Entry], now: datetime, said: Sequence[Told] = ()) -> list[Told]:
    """The moves in words, newest first, those of one turn together; and what was said, each after its move. A short
    turn is a paragraph, a long one a list of lines."""
    turns: list[Told] = []
    for _of, made in groupby(entries, key=lambda entry: entry.of):
        turn = list(made)
        text, last = " ".join(entry.paragraph for entry in turn), turn[-1]
        lines = _once_each([told for entry in turn for told in zip(entry.subjects, entry.lines, strict=True)])
        shown = lines if len(text) > story.WALL else ()
        moves = [entry.version for entry in turn]
        turns.append(Told(last.who, text, moments.ago(last.at, now), last.version, shown, moves))
    return sorted([*turns, *said], key=lambda told: told.version)[::-1]


def _once_each(lines: Iterable[tuple[int | None, str]]) -> list[tuple[int | None, str]]:
    """What happened several times in a row is told once."""
    told = []
    for (who, line), same in groupby(lines):
        times = len(list(same))
        what = line.removesuffix(words.say("words.stop"))
        told.append((who, line if times == 1 else _("%(what)s, %(times)s times.", what=what, times=times)))
    return told


def told_line(reader: Reader, line: hearing.Line, now: datetime, new: Collection[int] = ()) -> Told:
    """Something said, to stand among the moves; `new` are the lines that are."""
    words = voices.words(reader, line, now, new=line.remark.id in new)
    text = "" if line.hidden else line.remark.text
    return Told(words.no, text, moments.ago(line.remark.said_at, now), line.remark.version, said=words)
