"""A calendar of deadlines as text (iCalendar, RFC 5545), for the calendar programs people already look at.

Knows no tables and no clock: it is given what is due, and when it was asked.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

LONGEST_LINE = 75  # octets, as the RFC counts them
REFRESH = "PT1H"


@dataclass(frozen=True)
class Due:
    """One turn waiting for its player. `uid` stays the same while its deadline moves, so that calendars move it too."""

    uid: str
    title: str
    url: str
    start: datetime
    deadline: datetime
    alarms: tuple[datetime, ...] = ()  # when to ring


def feed(name: str, dues: Iterable[Due], now: datetime) -> str:
    """The whole feed, one event per turn from the moment it was asked until its deadline."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Hikyaku//Deadlines//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESH}",
        f"X-PUBLISHED-TTL:{REFRESH}",
    ]
    for due in dues:
        lines += _event(due, now)
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _event(due: Due, now: datetime) -> list[str]:
    end = _stamp(due.deadline)
    begin = min(_stamp(due.start), end)
    return [
        "BEGIN:VEVENT",
        f"UID:{_text(due.uid)}",
        f"DTSTAMP:{_stamp(now)}",
        f"DTSTART:{begin}",
        # An end must be later than its beginning; an event without one is a moment.
        *([f"DTEND:{end}"] if begin < end else []),
        f"SUMMARY:{_text(due.title)}",
        # Many programs do not show the URL of an event, all show its description.
        f"DESCRIPTION:{_text(due.url)}",
        f"URL:{_uri(due.url)}",
        # A turn that waits does not make the day busy.
        "TRANSP:TRANSPARENT",
        *(line for alarm in due.alarms for line in _alarm(due, alarm)),
        "END:VEVENT",
    ]


def _alarm(due: Due, at: datetime) -> list[str]:
    """At its own moment, not so long before the end: nights in between are nobody's time."""
    return [
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"TRIGGER;VALUE=DATE-TIME:{_stamp(at)}",
        f"DESCRIPTION:{_text(due.title)}",
        "END:VALARM",
    ]


def _stamp(moment: datetime) -> str:
    """To the second, rounded down: a deadline is never shown later than it is."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs a time zone")
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(value: str) -> str:
    """A TEXT value: line breaks are kept as such, other control characters are not allowed and left out."""
    value = value.replace("\r\n", "\n").replace("\r", "\n")
    value = "".join(c for c in value if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs"))
    return value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _uri(value: str) -> str:
    """An address goes in as it is, so it must be one: nothing in it may end the line."""
    if any(c.isspace() or unicodedata.category(c) in ("Cc", "Cs") for c in value):
        raise ValueError("an address has no spaces, line breaks or control characters")
    return value


def _folded(line: str) -> str:
    """The line in pieces of at most 75 octets, continued after a line break and a space, no character cut in two."""
    pieces, piece, room = [], "", LONGEST_LINE
    for character in line:
        size = len(character.encode())
        if size > room:
            pieces.append(piece)
            piece, room = "", LONGEST_LINE - 1
        piece += character
        room -= size
    return "\r\n ".join([*pieces, piece])
