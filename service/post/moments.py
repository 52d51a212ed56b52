"""Times in words, in the reader's zone and in UTC. Pure functions."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day_and_time(moment: datetime, zone: str) -> str:
    """'Tue 17 Nov, 20:00'."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{DAYS[local.weekday()]} {local.day} {MONTHS[local.month - 1]}, {local:%H:%M}"


def utc_beside(moment: datetime, zone: str) -> str:
    """'19:00 UTC', with the day where it is another one than in the reader's zone."""
    world, local = moment.astimezone(UTC), moment.astimezone(ZoneInfo(zone))
    if world.date() == local.date():
        return f"{world:%H:%M} UTC"
    return f"{day_and_time(moment, 'UTC')} UTC"


def both(moment: datetime, zone: str) -> str:
    """'Tue 17 Nov, 20:00 (Lisbon), 19:00 UTC'; only the UTC time for a reader who lives by it."""
    if zone == "UTC":
        return f"{day_and_time(moment, zone)} UTC"
    city = zone.rsplit("/", 1)[-1].replace("_", " ")
    return f"{day_and_time(moment, zone)} ({city}), {utc_beside(moment, zone)}"


def short_day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]}"


def clock_time(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"


def length(span: timedelta) -> str:
    """'1 day 4 h', '3 hours', '20 minutes', 'a moment'."""
    minutes = max(0, int(span.total_seconds() // 60))
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        words = f"{days} day{'s' * (days > 1)}"
        return f"{words} {hours} h" if hours and days < 10 else words
    if hours:
        return f"{hours} hour{'s' * (hours > 1)}"
    if minutes:
        return f"{minutes} minute{'s' * (minutes > 1)}"
    return "a moment"


def ago(moment: datetime, now: datetime) -> str:
    return "just now" if now - moment < timedelta(minutes=1) else f"{length(now - moment)} ago"
