"""Forms as people fill them in, read into what the service works with. BadInput names the field that must change.

Knows what the fields are called, and no tables; who may send a form is checked before it is read.
"""

from collections.abc import Mapping
from datetime import date, time, timedelta

from werkzeug.datastructures import FileStorage, MultiDict

from engine import GAMES
from service.models import Policy
from service.play.clocks import PACES, Pace
from service.play.making import Plan
from service.play.reading import BadInput, read_mail, read_name, read_span, read_whole
from service.post.language import gettext as _

Form = Mapping[str, str]

LONGEST_SPAN = timedelta(days=60)
MOST_QUIET = 14  # hours a day
MOST_DAYS_OFF = 3

# --- a new game

# What the form says before anybody has touched it.
NEW_GAME = {
    "pace": "two-days",
    "playing": "on",
    "policy": "moderator",
    "fallback": "pass",
    "moderator-hours": "24",
    "bot-after": "3",
    "away-days": "21",
    "silent-rounds": "1",
    "silent-days": "30",
    "pace-allowance": "24 h",
    "pace-reserve": "24 h",
    "pace-refill": "2 h",
    "pace-grace": "4 h",
}


def read_plan(form: Form, components: FileStorage | None) -> Plan:
    kind = form.get("kind", "")
    if kind not in GAMES:
        raise BadInput(_("Please choose a game from the list."), "kind")
    organiser = _read_person(form, "organiser")
    return Plan(
        kind=kind,
        organiser=organiser,
        seats=([organiser] if form.get("playing") else []) + _read_seats(form),
        options=_read_options(form, kind),
        pace=_read_pace(form),
        policy=_read_policy(form, "policy"),
        fallback=_read_policy(form, "fallback"),
        moderator_hours=read_whole(form.get("moderator-hours", ""), 1, 24 * 14, "moderator-hours"),
        bot_after=read_whole(form.get("bot-after", ""), 1, 10, "bot-after"),
        away_days=read_whole(form.get("away-days", ""), 0, 120, "away-days"),
        silent_rounds=read_whole(form.get("silent-rounds", ""), 1, 10, "silent-rounds"),
        silent_days=read_whole(form.get("silent-days", ""), 1, 365, "silent-days"),
        name=form.get("name", ""),
        moderator=_read_moderator(form),
        components=components.read().decode("utf-8", errors="replace") if components and components.filename else None,
        sheet=form.get("sheet", "")[:64],
    )


def most_seats() -> int:
    """What the form has rows for."""
    return max(title.players[-1] for title in GAMES.values())


def _read_seats(form: Form) -> list[tuple[str, str | None]]:
    """The rows that are filled in."""
    seats: list[tuple[str, str | None]] = []
    for row in range(1, most_seats() + 1):
        who, name, mail = (form.get(f"seat-{row}-{part}", "").strip() for part in ("who", "name", "mail"))
        if who == "bot":
            seats.append((name or _("Bot %(number)s", number=row), None))
        elif name or mail:
            seats.append(_read_person(form, f"seat-{row}"))
    return seats


def _read_moderator(form: Form) -> tuple[str, str] | None:
    given = form.get("moderator-name", "").strip() or form.get("moderator-mail", "").strip()
    return _read_person(form, "moderator") if given else None


def _read_person(form: Form, prefix: str) -> tuple[str, str]:
    """Name and address from two fields of the form."""
    name, mail = f"{prefix}-name", f"{prefix}-mail"
    return read_name(form.get(name, ""), name), read_mail(form.get(mail, ""), mail)


def _read_options(form: Form, kind: str) -> dict[str, bool | str]:
    """The title's own options: a check box that is off is not sent at all."""
    given: dict[str, bool | str] = {}
    for setting in GAMES[kind].options:
        name = f"{kind}-{setting.id}"
        given[setting.id] = name in form if isinstance(setting.default, bool) else form.get(name, "")
    return given


def _read_pace(form: Form) -> Pace:
    """A preset, or the organiser's own numbers."""
    chosen = form.get("pace", "")
    if chosen in PACES:
        return PACES[chosen]
    if chosen != "own":
        raise BadInput(_("Please choose a pace from the list."), "pace")
    spans = {name: _read_span(form, name) for name in ("allowance", "reserve", "refill", "grace")}
    return Pace(**spans, round_the_clock="pace-nights" in form)


def _read_span(form: Form, name: str) -> timedelta:
    least = timedelta(minutes=1) if name == "allowance" else timedelta(0)
    return read_span(form.get(f"pace-{name}", "") or "0", least, LONGEST_SPAN, f"pace-{name}")


def _read_policy(form: Form, name: str) -> Policy:
    try:
        return Policy(form.get(name, ""))
    except ValueError:
        raise BadInput(_("Please choose one of the list."), name) from None


# --- a player's own time


def read_quiet(form: Form) -> tuple[time, time] | tuple[None, None]:
    if "no-quiet" in form:
        return None, None
    first, last = _read_time(form, "quiet-from"), _read_time(form, "quiet-to")
    minutes = ((last.hour - first.hour) * 60 + last.minute - first.minute) % (24 * 60)
    if not 0 < minutes <= MOST_QUIET * 60:
        raise BadInput(_("Quiet hours can be up to %(most)s hours of a day.", most=MOST_QUIET), "quiet-from")
    return first, last


def _read_time(form: Form, name: str) -> time:
    try:
        return time.fromisoformat(form.get(name, ""))
    except ValueError:
        raise BadInput(_("Please give quiet hours as times, for example 22:00 and 08:00."), name) from None


def read_days_off(form: "MultiDict[str, str]") -> list[int]:
    days = sorted({int(day) for day in form.getlist("day-off") if day in "0123456"})
    if len(days) > MOST_DAYS_OFF:
        said = _("At most %(most)s days of the week can be off, or the others wait for ever.", most=MOST_DAYS_OFF)
        raise BadInput(said, "day-off")
    return days


def read_date(form: Form, name: str) -> date:
    try:
        return date.fromisoformat(form.get(name, ""))
    except ValueError:
        raise BadInput(_("Please give both days as dates."), name) from None
