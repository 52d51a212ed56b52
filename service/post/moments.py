"""Times in words, in the reader's language, zone and in UTC. Pure functions."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from math import ceil
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_skeleton, get_day_names
from babel.numbers import format_decimal

from service.post.language import gettext as _
from service.post.language import locale, ngettext

MINUTE = timedelta(minutes=1)
MOST_KEPT = 4096  # moments in words


def day_and_time(moment: datetime, zone: str) -> str:
    """'Tue 17 Nov, 20:00'."""
    return _("%(day)s, %(time)s", day=_written("MMMEd", moment, zone), time=clock_time(moment, zone))


def utc_beside(moment: datetime, zone: str) -> str:
    """'19:00 UTC', with the day where it is another one than in the reader's zone."""
    same_day = moment.astimezone(UTC).date() == moment.astimezone(ZoneInfo(zone)).date()
    return _("%(time)s UTC", time=clock_time(moment, "UTC") if same_day else day_and_time(moment, "UTC"))


def both(moment: datetime, zone: str) -> str:
    """'Tue 17 Nov, 20:00 (Lisbon), 19:00 UTC'; only the UTC time for a reader who lives by it."""
    if zone == "UTC":
        return _("%(time)s UTC", time=day_and_time(moment, zone))
    return _(
        "%(time)s (%(city)s), %(utc)s",
        time=day_and_time(moment, zone),
        city=city(zone),
        utc=utc_beside(moment, zone),
    )


def short_day(day: date) -> str:
    """'17 Nov'."""
    return format_skeleton("MMMd", _noon(day), locale=locale())


def day_of_year(day: date) -> str:
    """'Tue, 17 Nov 2026'."""
    return format_skeleton("yMMMEd", _noon(day), locale=locale())


def weekdays() -> list[str]:
    """'Mon' to 'Sun'."""
    names = get_day_names("abbreviated", "stand-alone", locale())
    return [names[day] for day in range(7)]


def clock_time(moment: datetime, zone: str) -> str:
    """'20:00'."""
    return _written("Hm", moment, zone)


def city(zone: str) -> str:
    """'Pacific/Auckland' -> 'Auckland'."""
    known = locale().time_zones.get(zone, {})
    return str(known.get("city") or ZoneInfo(zone).key.rsplit("/", 1)[-1].replace("_", " "))


def length(span: timedelta) -> str:
    """'1 day 4 h', '3 hours', '1 h 59 min', '20 minutes', 'a moment'. A begun minute counts: of two hours that have
    just begun to run, two hours are left."""
    minutes = max(0, ceil(span / MINUTE))
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        words = ngettext("%(num)s day", "%(num)s days", days)
        return _("%(days)s %(hours)s h", days=words, hours=hours) if hours and days < 10 else words
    if hours and minutes % 60 and hours < 10:
        return _("%(hours)s h %(minutes)s min", hours=hours, minutes=minutes % 60)
    if hours:
        return ngettext("%(num)s hour", "%(num)s hours", hours)
    if minutes:
        return ngettext("%(num)s minute", "%(num)s minutes", minutes)
    return _("a moment")


def clock_span(span: timedelta) -> str:
    """A stretch of a clock, which knows no days: '28 hours', '1 h 59 min'."""
    minutes = ceil(span / MINUTE)
    return hours(minutes // 60) if minutes >= 10 * 60 else length(span)


def hours(number: float) -> str:
    """'28 hours', also where a day is over, '1.5 hours'."""
    return ngettext("%(said)s hour", "%(said)s hours", ceil(number), said=format_decimal(number, locale=locale()))


def until(moment: datetime, zone: str, now: datetime) -> str:
    """'Tue 17 Nov, 20:00 (Lisbon), 19:00 UTC (in 3 hours)', as long as it is to come."""
    if moment <= now:
        return both(moment, zone)
    return _("%(when)s (in %(length)s)", when=both(moment, zone), length=length(moment - now))


def ago(moment: datetime, now: datetime) -> str:
    if now - moment < MINUTE:
        return _("just now")
    return _("%(length)s ago", length=length((now - moment) // MINUTE * MINUTE))


def _written(skeleton: str, moment: datetime, zone: str) -> str:
    return _in_place(skeleton, moment, zone, locale())


@lru_cache(MOST_KEPT)
def _in_place(skeleton: str, moment: datetime, zone: str, place: Locale) -> str:
    """The deadline of a turn is told on every page of it."""
    return format_skeleton(skeleton, moment, tzinfo=ZoneInfo(zone), locale=place)


def _noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
