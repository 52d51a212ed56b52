"""Forms as people fill them in, read into what the service works with. BadInput names the field that must change.

Knows what the fields are called, and no tables; who may send a form is checked before it is read.
"""

from collections.abc import Mapping
from datetime import date, time, timedelta
from functools import partial
from typing import Any

from werkzeug.datastructures import FileStorage, MultiDict

from engine import GAMES
from engine.game import Game as Title
from service.models import Jury, Person, Policy
from service.play import colours, making
from service.play.clocks import PACES, Pace
from service.play.making import Plan
from service.play.reading import (
    LONGEST_NAME,
    LONGEST_TITLE,
    BadInput,
    read_all,
    read_line,
    read_mail,
    read_name,
    read_span,
    read_whole,
    read_zone,
)
from service.post.language import gettext as _
from service.post.language import languages

Form = Mapping[str, str]

LONGEST_SPAN = timedelta(days=60)
MOST_QUIET = 14  # hours a day
MOST_DAYS_OFF = 3
WEEKDAYS = tuple("0123456")

# --- a new game

# What the form says before anybody has touched it.
NEW_GAME = {
    "pace": "two-days",
    "playing": "on",
    "order": "typed",
    "jury": "group",
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
    """All that the form says; or all that must change in it, at once."""
    own = components.read().decode("utf-8", errors="replace") if components and components.filename else None
    title = GAMES.get(form.get("kind", ""))
    read = read_all(
        kind=partial(_read_kind, form),
        name=lambda: read_line(form.get("name", ""), LONGEST_TITLE, "name"),
        organiser=partial(_read_person, form, "organiser"),
        zone=lambda: read_zone(form.get("zone", "") or "UTC"),
        seats=partial(_read_seats, form),
        order=partial(_read_order, form),
        colours=partial(_read_colour, form),
        options=lambda: _read_options(form, title) if title else {},
        pace=partial(_read_pace, form),
        policy=partial(_read_policy, form, "policy"),
        fallback=partial(_read_policy, form, "fallback"),
        moderator_hours=lambda: read_whole(form.get("moderator-hours", ""), 1, 24 * 14, "moderator-hours"),
        bot_after=lambda: read_whole(form.get("bot-after", ""), 1, 10, "bot-after"),
        away_days=lambda: read_whole(form.get("away-days", ""), 0, 120, "away-days"),
        silent_rounds=lambda: read_whole(form.get("silent-rounds", ""), 1, 10, "silent-rounds"),
        silent_days=lambda: read_whole(form.get("silent-days", ""), 1, 365, "silent-days"),
        whispers=lambda: "whispers" in form,
        jury=partial(_read_jury, form),
        moderator=partial(_read_moderator, form),
        components=lambda: making.read_components(title, own) if title else None,
    )
    return Plan(**read, listed="listed" in form)


def _read_order(form: Form) -> str:
    order = form.get("order", "typed")
    if order not in ("typed", "random"):
        raise BadInput(_("Please choose one of the list."), "order")
    return order


def _read_colour(form: Form) -> dict[str, int]:
    """Which colour the organiser wishes for, if they play; the others say so when they accept."""
    wish = colours.read_wish([], None, form.get("colour", ""))
    return {} if wish is None else {_says(form, "organiser-mail").lower(): wish}


def _read_kind(form: Form) -> str:
    kind = form.get("kind", "")
    if kind not in GAMES:
        raise BadInput(_("Please choose a game from the list."), "kind")
    return kind


def most_seats() -> int:
    """What the form has rows for."""
    return max(title.players[-1] for title in GAMES.values())


def _rows(form: Form) -> list[str]:
    """The seats of the form that are filled in, by the beginning of their fields' names."""
    rows = [f"seat-{row}" for row in range(1, most_seats() + 1)]
    return (["organiser"] if form.get("playing") else []) + [row for row in rows if _is_filled(form, row)]


def _is_filled(form: Form, row: str) -> bool:
    named = _says(form, f"{row}-name") or _says(form, f"{row}-mail")
    return bool(named) or _is_bot(form, row) or _is_open(form, row)


def _is_bot(form: Form, row: str) -> bool:
    return form.get(f"{row}-who") == "bot"


def _is_open(form: Form, row: str) -> bool:
    return form.get(f"{row}-who") == "open"


def _says(form: Form, name: str) -> str:
    return form.get(name, "").strip()


def _read_seats(form: Form) -> list[tuple[str, str | None]]:
    rows = _rows(form)
    return list(read_all(**{row: partial(_read_seat, form, row, rows[:at]) for at, row in enumerate(rows)}).values())


def _read_seat(form: Form, row: str, before: list[str]) -> tuple[str, str | None]:
    """One row, with an address that no row before it has."""
    if _is_bot(form, row):
        named = read_line(form.get(f"{row}-name", ""), LONGEST_NAME, f"{row}-name")
        return named or _("Bot %(number)s", number=row.removeprefix("seat-")), None
    if _is_open(form, row):
        return making.OPEN_SEAT
    name, mail = _read_person(form, row)
    people = [other for other in before if not _is_bot(form, other) and not _is_open(form, other)]
    if any(_says(form, f"{other}-mail").lower() == mail for other in people):
        raise BadInput(_("Two seats have the same mail address. Each player needs one of their own."), f"{row}-mail")
    return name, mail


def _read_jury(form: Form) -> Jury:
    try:
        return Jury(form.get("jury", "group"))
    except ValueError:
        raise BadInput(_("Please choose who decides."), "jury") from None


def _read_moderator(form: Form) -> tuple[str, str] | None:
    """Somebody who does not play: whoever is named, or an organiser who does not."""
    if form.get("jury") != "outsider":
        return None
    named = _says(form, "moderator-name") or _says(form, "moderator-mail")
    if not named and "organiser" not in _rows(form):
        return None
    name, mail = _read_person(form, "moderator")
    if any(_says(form, f"{row}-mail").lower() == mail for row in _rows(form)):
        said = _("This address has a seat at the table. Please name somebody who does not play.")
        raise BadInput(said, "moderator-mail")
    return name, mail


def _read_person(form: Form, prefix: str) -> tuple[str, str]:
    """Name and address from two fields of the form."""
    name, mail = f"{prefix}-name", f"{prefix}-mail"
    read = read_all(name=lambda: read_name(form.get(name, ""), name), mail=lambda: read_mail(form.get(mail, ""), mail))
    return read["name"], read["mail"]


def _read_options(form: Form, title: Title) -> dict[str, Any]:
    """The title's own options: a check box that is off is not sent at all."""
    given: dict[str, bool | str] = {}
    for setting in title.options:
        name = f"{title.id}-{setting.id}"
        given[setting.id] = name in form if isinstance(setting.default, bool) else form.get(name, "")
    return making.read_options(title, len(_rows(form)), given, "kind")


def _read_pace(form: Form) -> Pace:
    """A preset, or the organiser's own numbers."""
    chosen = form.get("pace", "")
    if chosen in PACES:
        return PACES[chosen]
    if chosen != "own":
        raise BadInput(_("Please choose a pace from the list."), "pace")
    spans = read_all(**{name: partial(_read_span, form, name) for name in ("allowance", "reserve", "refill", "grace")})
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


def read_whereabouts(form: Form, person: Person) -> None:
    """What somebody who does not play says of themselves: where they live, their language, and when they sleep."""
    read = read_all(quiet=lambda: read_quiet(form), zone=lambda: read_zone(form.get("zone", "")))
    person.zone = read["zone"]
    person.quiet_from, person.quiet_to = read["quiet"]
    if form.get("language") in languages():
        person.language = form["language"]


def read_hours(form: Form, person: Person) -> None:
    """When a player sleeps, where the form asks for it."""
    if "quiet-from" in form:
        person.quiet_from, person.quiet_to = read_quiet(form)


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
    days = sorted({int(day) for day in form.getlist("day-off") if day in WEEKDAYS})
    if len(days) > MOST_DAYS_OFF:
        said = _("At most %(most)s days of the week can be off, or the others wait for ever.", most=MOST_DAYS_OFF)
        raise BadInput(said, "day-off")
    return days


def row_id(text: str) -> int:
    """The number of a row, as a field's `type`: what no table can hold is no number."""
    number = int(text)
    if not 0 < number < 2**31:
        raise ValueError(f"there is no row {text[:20]}")
    return number


def read_date(form: Form, name: str) -> date:
    try:
        return date.fromisoformat(form.get(name, ""))
    except ValueError:
        raise BadInput(_("Please give both days as dates."), name) from None
