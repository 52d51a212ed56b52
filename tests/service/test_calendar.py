"""The calendar feed is what calendar programs expect, and says exactly what it was given."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.post.calendar import Due, feed

NOW = datetime(2026, 11, 16, 9, tzinfo=UTC)
TURN = Due(
    uid="seat-12-turn-7@hikyaku.example",
    title="Your turn in Osaka",
    url="https://hikyaku.example/g/12?seat=2&from=calendar",
    start=NOW,
    deadline=NOW + timedelta(days=2),
)


def read(text):
    """The events of a feed as dicts, and the calendar's own properties: unfold, split, unescape."""
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    calendar: dict[str, str] = {}
    events: list[dict[str, str]] = []
    told = calendar
    for line in text.replace("\r\n ", "").split("\r\n")[:-1]:
        name, value = re.fullmatch(r"([A-Z-]+)(?:;[^:]*)?:(.*)", line, re.DOTALL).groups()
        if (name, value) == ("BEGIN", "VEVENT"):
            told = {}
            events.append(told)
        elif (name, value) == ("END", "VEVENT"):
            told = calendar
        elif name not in ("BEGIN", "END"):
            assert name not in told, "a property twice"
            told[name] = value if name == "URL" else plain(value)
    assert text.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert text.endswith("END:VCALENDAR\r\n")
    return calendar, events


def plain(value):
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] in "nN" else m[1], value)


def moment(value):
    return datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


def test_an_event_rings_at_its_alarms_and_at_no_other_moment():
    moments = (NOW + timedelta(days=1), NOW + timedelta(days=1, hours=20))
    ringing = feed("Mine", [replace(TURN, alarms=moments)], NOW)
    assert ringing.count("BEGIN:VALARM") == ringing.count("END:VALARM") == 2
    assert re.findall("TRIGGER;VALUE=DATE-TIME:(.*)\r", ringing) == ["20261117T090000Z", "20261118T050000Z"]
    assert "VALARM" not in feed("Mine", [TURN], NOW)


def test_every_turn_is_an_event_from_its_asking_to_its_deadline():
    second = replace(TURN, uid="seat-3-turn-1@hikyaku.example", title="Your turn in Kyoto")
    calendar, events = read(feed("My deadlines", [TURN, second], NOW))
    assert calendar["X-WR-CALNAME"] == calendar["NAME"] == "My deadlines"
    assert [e["UID"] for e in events] == [TURN.uid, second.uid]
    assert [e["SUMMARY"] for e in events] == [TURN.title, second.title]
    event = events[0]
    assert (moment(event["DTSTART"]), moment(event["DTEND"])) == (TURN.start, TURN.deadline)
    assert moment(event["DTSTAMP"]) == NOW
    assert event["URL"] == event["DESCRIPTION"] == TURN.url
    assert event["TRANSP"] == "TRANSPARENT"


def test_a_feed_of_nothing_is_still_a_calendar():
    calendar, events = read(feed("My deadlines", [], NOW))
    assert events == []
    assert calendar["PRODID"]


def test_moments_of_any_zone_are_written_in_utc_and_never_later_than_they_are():
    tokyo = timezone(timedelta(hours=9))
    late = replace(TURN, deadline=datetime(2026, 11, 20, 8, 30, 59, 999_999, tzinfo=tokyo))
    _, [event] = read(feed("", [late], NOW))
    assert event["DTEND"] == "20261119T233059Z"


def test_a_moment_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        feed("", [replace(TURN, deadline=datetime(2026, 11, 20))], NOW)


def test_a_deadline_that_is_no_later_than_its_asking_is_a_moment_not_a_span():
    for start in (TURN.deadline, TURN.deadline + timedelta(hours=1)):
        _, [event] = read(feed("", [replace(TURN, start=start)], NOW))
        assert moment(event["DTSTART"]) == TURN.deadline
        assert "DTEND" not in event


def test_nothing_typed_by_a_person_can_add_a_line_of_its_own():
    evil = replace(TURN, title="Ha\r\nEND:VEVENT\rBEGIN:VEVENT\nUID:other; a, b \\n \x00\x85")
    _, [event] = read(feed("x\r\nMETHOD:REQUEST", [evil], NOW))
    assert event["SUMMARY"] == "Ha\nEND:VEVENT\nBEGIN:VEVENT\nUID:other; a, b \\n "
    assert event["UID"] == TURN.uid


@pytest.mark.parametrize("url", ["https://a.example/\r\nX:1", "https://a.example/a b", "https://a.example/\x00"])
def test_an_address_that_would_break_the_line_is_refused(url):
    with pytest.raises(ValueError, match="address"):
        feed("", [replace(TURN, url=url)], NOW)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.just("\n"), max_size=300))
@settings(deadline=None)
def test_any_title_comes_back_whole_from_lines_of_at_most_75_octets(title):
    text = feed(title, [replace(TURN, title=title)], NOW)
    calendar, [event] = read(text)
    assert event["SUMMARY"] == calendar["NAME"] == title
    # Encoded line by line: a character cut in two would not survive.
    assert all(len(line) <= 75 and line.decode() for line in text.encode().split(b"\r\n")[:-1])
