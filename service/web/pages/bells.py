"""How somebody is told, by letter and by other bells, and of what; the hooks of a table; and the page that their posts
lead to, which anybody may open: it tells what the posts have told already."""

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, make_response, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from engine import GAMES
from service import limits
from service.db import db, utcnow
from service.models import Bell, GameStatus, Person
from service.play import record
from service.play.reading import BadInput, read_line
from service.post import bells, hooks, moments, outbox, outside, push, ringing, wishes
from service.post.bells import Rings
from service.post.language import gettext as _
from service.post.language import marked
from service.post.told import in_words
from service.post.wishes import Wish
from service.web import access, files
from service.web.access import open_bells_of_table, open_now, open_self, settings
from service.web.notices import back_to_form, say_at

pages = Blueprint("bells", __name__)

LONGEST_NAME = 60

WORDS = {
    Rings.TURN: (marked("When it is my turn"), marked("When it is somebody's turn")),
    Rings.REMINDER: (
        marked("When my time runs out, or somebody asks for my turn"),
        marked("When somebody's time runs out, or somebody asks for their turn"),
    ),
    Rings.OVER: (marked("When a game is over"), marked("When the game is over")),
    Rings.RULING: (marked("When something is decided or proposed"), marked("When something is decided or proposed")),
    Rings.TALK: (marked("When somebody speaks to me"), ""),
}
BY_LETTER = {  # what letters tell besides
    Rings.TURN: marked("a letter also when I have more time, or when a turn was played for me"),
    Rings.RULING: marked("a letter also when a game begins, and when somebody is late or leaves"),
    Rings.TALK: marked("all talk also comes with the next letter that goes out anyway"),
}
MADE_BY = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
RUNS_ON = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "Linux": "Linux",
}


# --- one's own


@pages.get("/my/settings/<int:who>/bells")
def own(who: int) -> ResponseReturnValue:
    with db.reading() as session:
        person = open_self(session, who)
        key = settings().push_key
        return render_template(
            "bells.html",
            game=None,
            rows=_rows(session, bells.of_person(session, person.id), person),
            push_key=push.public_key(key) if key else "",
            by_letter=[wish.rings for wish in Wish if wish.of(person)],
            hints=BY_LETTER,
            **_common(person, bells.OWN, 0),
        )


@pages.post("/my/settings/<int:who>/bells/choose")
def choose_own(who: int) -> ResponseReturnValue:
    """Of what I am told by letter and by each of my bells, in all my games."""
    hears = _choose_own(who)
    if hears:
        say_at("bells", _("Saved."))
    else:
        say_at("bells", _("Saved. Nothing tells you now when it is your turn, and your time runs."), "warn")
    return back_to_form(url_for("bells.own", who=who))


@db.transaction
def _choose_own(session: Session, who: int) -> bool:
    """Whether anything still tells them when it is their turn."""
    person = open_self(session, who, lock=True)
    wishes.choose(session, person, request.form.getlist("letters"))
    _choose(session, bells.of_person(session, person.id), bells.OWN)
    return person.turn_letters or bells.listens(session, person.id, Rings.TURN)


@pages.post("/my/settings/<int:who>/bells")
def add_own(who: int) -> ResponseReturnValue:
    return _added(url_for("bells.own", who=who), lambda: _add_own(who))


@db.transaction
def _add_own(session: Session, who: int) -> None:
    person = open_self(session, who)
    _add(session, person, None, bells.OWN)


@pages.post("/my/settings/<int:who>/bells/browser")
def add_browser(who: int) -> ResponseReturnValue:
    """This browser takes pushes from now on. What it sends was made by its own push service."""

    def add() -> None:
        access.remember_bell(_add_browser(who))

    return _added(url_for("bells.own", who=who), add, _("This browser rings from now on."))


@db.transaction
def _add_browser(session: Session, who: int) -> int:
    person = open_self(session, who)
    limits.count("bells", person.id)
    if settings().push_key is None:
        raise BadInput(_("Pushes are not set up here."))
    address = _address(request.form.get("endpoint", ""))
    try:
        keys = push.read_keys(request.form.get("p256dh", ""), request.form.get("auth", ""))
    except push.BadKeys:
        raise BadInput(_("The keys of this browser could not be read.")) from None
    bell = bells.add(session, person.id, None, bells.PUSH, address, bells.OWN, _browser(), keys)
    if bell is None:
        raise _too_many()
    return bell.id


def _browser() -> str:
    """What its owner knows it by."""
    agent = request.user_agent.string
    made_by = next((name for mark, name in MADE_BY.items() if mark in agent), "")
    runs_on = next((name for mark, name in RUNS_ON.items() if mark in agent), "")
    return ", ".join(filter(None, (made_by, runs_on)))


@pages.post("/my/settings/<int:who>/bells/<int:bell_id>/<any('on', 'try', 'remove'):deed>")
def act_on_own(who: int, bell_id: int, deed: str) -> ResponseReturnValue:
    say_at(f"bell-{bell_id}", *_done(deed, found=_act_on_own(who, bell_id, deed)))
    return back_to_form(url_for("bells.own", who=who))


@outbox.transaction
def _act_on_own(session: Session, who: int, bell_id: int, deed: str) -> bool:
    person = open_self(session, who)
    return _act(session, person, bells.of_person(session, person.id), bell_id, deed)


# --- a table's


@pages.get("/g/<public_id>/bells")
def of_table(public_id: str) -> ResponseReturnValue:
    with db.reading() as session:
        game, person = open_bells_of_table(session, public_id)
        rows = _rows(session, bells.of_table(session, game.id), person)
    common = _common(person, bells.OF_TABLE, 1)
    return render_template("bells.html", game=game, rows=rows, push_key="", by_letter=None, hints={}, **common)


@pages.post("/g/<public_id>/bells")
def add_to_table(public_id: str) -> ResponseReturnValue:
    return _added(url_for("bells.of_table", public_id=public_id), lambda: _add_to_table(public_id))


@db.transaction
def _add_to_table(session: Session, public_id: str) -> None:
    game, person = open_bells_of_table(session, public_id, lock=True)
    _add(session, person, game.id, bells.OF_TABLE)


@pages.post("/g/<public_id>/bells/choose")
def choose_for_table(public_id: str) -> ResponseReturnValue:
    _choose_for_table(public_id)
    say_at("bells", _("Saved."))
    return back_to_form(url_for("bells.of_table", public_id=public_id))


@db.transaction
def _choose_for_table(session: Session, public_id: str) -> None:
    game, _person = open_bells_of_table(session, public_id, lock=True)
    _choose(session, bells.of_table(session, game.id), bells.OF_TABLE)


@pages.post("/g/<public_id>/bells/<int:bell_id>/<any('on', 'try', 'remove'):deed>")
def act_on_table(public_id: str, bell_id: int, deed: str) -> ResponseReturnValue:
    say_at(f"bell-{bell_id}", *_done(deed, found=_act_on_table(public_id, bell_id, deed)))
    return back_to_form(url_for("bells.of_table", public_id=public_id))


@outbox.transaction
def _act_on_table(session: Session, public_id: str, bell_id: int, deed: str) -> bool:
    game, person = open_bells_of_table(session, public_id, lock=True)
    return _act(session, person, bells.of_table(session, game.id), bell_id, deed)


# --- both


def _common(person: Person, rings: Sequence[Rings], no: int) -> dict[str, Any]:
    return {
        "person": person,
        "title": "",
        "choices": {ring: WORDS[ring][no] for ring in rings},
        "kinds": hooks.NAMES,
        "off": settings().hooks == "off",
    }


def _rows(session: Session, found: Sequence[Bell], person: Person) -> list[dict[str, Any]]:
    """What is shown of each: never the whole address, not even to whoever typed it."""
    now, again = utcnow(), bells.next_tries(session, [bell for bell in found if bell.off_at is None])
    return [
        {
            "bell": bell,
            "browser": bell.kind == bells.PUSH,
            "called": bell.name or hooks.NAMES.get(bell.kind) or _("A browser"),
            "where": hooks.shortened(bell.address),
            "tail": hooks.shortened(bell.address).rpartition("/")[2],
            "rung": moments.ago(bell.rung_at, now) if bell.rung_at else "",
            "error": in_words(bell.error, person.zone) if bell.error else "",
            "failed": moments.ago(bell.error_at, now) if bell.error_at else "",
            "again": moments.day_and_time(again[bell.hash], person.zone) if bell.hash in again else "",
        }
        for bell in found
    ]


def _added(back: str, add: Any, done: str = "") -> ResponseReturnValue:
    try:
        add()
    except BadInput as error:
        say_at("bells", str(error), "warn")
    else:
        say_at("bells", done or _("Added. Press “Try it” to see that it rings."))
    return back_to_form(back)


def _add(session: Session, person: Person, game_id: int | None, rings: Sequence[Rings]) -> None:
    limits.count("bells", person.id)
    address = _address(request.form.get("address", ""))
    parts = outside.read(address, settings().hooks)
    kind = request.form.get("kind", "")
    if kind not in hooks.KINDS:
        kind = hooks.kind_of(parts)
    if kind == "ntfy" and not parts.path.strip("/"):
        raise BadInput(_("The address of ntfy ends in the name of a topic."))
    name = read_line(request.form.get("name", ""), LONGEST_NAME, "name")
    if bells.add(session, person.id, game_id, kind, address, _chosen("rings", rings), name) is None:
        raise _too_many()


def _address(typed: str) -> str:
    if settings().hooks == "off":
        raise BadInput(_("Whoever runs this service has switched hooks and pushes off."))
    try:
        return outside.read(typed, settings().hooks).geturl()
    except outside.Refused as refused:
        raise BadInput(in_words(refused.why)) from None


def _too_many() -> BadInput:
    return BadInput(_("There are %(num)s already. Take one away first.", num=bells.MOST))


def _chosen(field: str, rings: Sequence[Rings]) -> list[str]:
    return [ring.value for ring in rings if ring.value in request.form.getlist(field)]


def _choose(session: Session, there: Sequence[Bell], rings: Sequence[Rings]) -> None:
    """For what each rings that the form shows. One that was put up meanwhile is not silenced by it."""
    shown = request.form.getlist("shown")
    for bell in there:
        if str(bell.id) in shown:
            bell.rings = _chosen(f"bell-{bell.id}", rings)
            session.add(bell)


def _act(session: Session, person: Person, there: Sequence[Bell], bell_id: int, deed: str) -> bool:
    bell = next((bell for bell in there if bell.id == bell_id), None)
    if bell is None:
        return False
    if deed == "remove":
        session.delete(bell)
    elif deed == "try":
        limits.count("bells", person.id)
        outbox.try_bell(session, bell)
    else:
        bell.off_at, bell.failures = None, 0
        session.add(bell)
    return True


def _done(deed: str, *, found: bool) -> tuple[str, str]:
    if not found:
        return _("It is not there any more."), "warn"
    if deed == "try":
        return _("It is on its way. Open this page again in a moment to see what became of it."), "good"
    return (_("Taken away.") if deed == "remove" else _("It rings again.")), "good"


# --- for everybody


@pages.get("/g/<public_id>/now")
def now(public_id: str) -> ResponseReturnValue:
    """Whom a game waits for, to anybody, as long as a hook tells it. All else needs a link."""
    with db.reading() as session:
        game, holds_key = open_now(session, public_id)
        seats = record.seats_of(session, game)
        running = game.status is GameStatus.RUNNING and not record.stranded(game)
        asked = [seat for seat in seats if running and seat.asked is not None]
        prompts = ringing.prompts(game) if running else {}
    waits = [
        {
            "name": seat.name,
            "question": ringing.in_brief(prompts.get(seat.no)),
            "until": moments.both(seat.deadline, "UTC") if seat.deadline and game.paused_at is None else "",
        }
        for seat in asked
    ]
    title, names = GAMES[game.kind].title, [seat.name for seat in seats]
    return render_template("now.html", game=game, title=title, names=names, waits=waits, holds_key=holds_key)


@pages.get("/bell-worker.js")
def worker() -> ResponseReturnValue:
    """At the root, so that it may open any page of ours when somebody touches what it shows."""
    response = make_response(files.static("bell-worker.js"))
    response.headers["Cache-Control"] = "no-store"
    return response
