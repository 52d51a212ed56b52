"""A player's clock runs in that player's own time, whatever the zone does; nobody ever loses time by a change."""

import struct
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from importlib import resources
from itertools import pairwise
from timeit import repeat
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.play.clocks import (
    PACES,
    REMIND_AT,
    Deadline,
    Hours,
    NoTime,
    Pace,
    awake,
    deadline,
    next_awake,
    recompute,
    reminder,
    reminders,
    running,
    settle_reserve,
    spend,
)

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NOTHING = timedelta(0)


def wall(zone: str, year: int, month: int, day: int, hour: int = 0, minute: int = 0, fold: int = 0) -> datetime:
    """A moment by the clock on the wall."""
    return datetime(year, month, day, hour, minute, tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)


def utc(*when: int) -> datetime:
    return wall("UTC", *when)


# --- A second opinion, slow and plain: look at the wall clock every minute -------------------------------------------


def looks_awake(moment, hours):
    local = moment.astimezone(ZoneInfo(hours.zone))
    today, now = local.date(), local.time()
    if today.weekday() in hours.days_off or any(first <= today <= last for first, last in hours.away):
        return False
    if hours.quiet is None or hours.quiet[0] == hours.quiet[1]:
        return True
    falls, lifts = hours.quiet
    return not (falls <= now < lifts if falls < lifts else now >= falls or now < lifts)


def minutes_awake(start, count, hours):
    return [looks_awake(start + n * MINUTE, hours) for n in range(count)]


# --- Worlds to try ---------------------------------------------------------------------------------------------------

# Places with every kind of change: each hemisphere, half an hour, at midnight, twice a year for Ramadan, a day left
# out, none at all, and offsets of a quarter of an hour; with days on which their clocks change.
CHANGES = {
    "Europe/Lisbon": [date(2026, 3, 29), date(2026, 10, 25)],
    "America/New_York": [date(2026, 3, 8), date(2026, 11, 1)],
    "America/St_Johns": [date(2006, 4, 2), date(2026, 11, 1)],
    "America/Santiago": [date(2026, 4, 5), date(2026, 9, 6)],
    "Pacific/Auckland": [date(2026, 4, 5), date(2026, 9, 27)],
    "Pacific/Chatham": [date(2026, 4, 5), date(2026, 9, 27)],
    "Australia/Lord_Howe": [date(2026, 4, 5), date(2026, 10, 4)],
    "Africa/Casablanca": [date(2026, 2, 15), date(2026, 3, 22)],
    "Africa/Cairo": [date(2026, 4, 24), date(2026, 10, 30)],
    "Pacific/Apia": [date(2011, 12, 29), date(2011, 12, 31)],
    "Pacific/Kwajalein": [date(1993, 8, 20), date(1993, 8, 22)],
    "America/Caracas": [date(2007, 12, 9), date(2016, 5, 1)],
    "Asia/Kathmandu": [date(1986, 1, 1), date(2026, 6, 1)],
    "Asia/Tokyo": [date(2026, 6, 1)],
    "UTC": [date(2026, 6, 1)],
}

ALL_ZONES = (resources.files("tzdata") / "zones").read_text().split()

times = st.builds(time, st.integers(0, 23), st.integers(0, 59))
fine_spans = st.timedeltas(NOTHING, 10 * DAY)


@st.composite
def worlds(draw, micro=False):
    """(hours, a moment), with a player who is awake now and then: mostly within days of a change of clocks, sometimes
    anywhere at any time."""
    if draw(st.integers(0, 3)):
        zone = draw(st.sampled_from(sorted(CHANGES)))
        change = draw(st.sampled_from(CHANGES[zone]))
    else:
        zone = draw(st.sampled_from(ALL_ZONES))
        change = draw(st.dates(date(1971, 1, 1), date(2040, 12, 31)))
    midnight = datetime.combine(change, time(), UTC)
    start = midnight + draw(st.integers(-4 * 1440, 2 * 1440)) * MINUTE
    if micro:
        start += timedelta(microseconds=draw(st.integers(0, 59_999_999)))
    quiet = draw(st.none() | st.tuples(times, times) | st.sampled_from([(time(2), time(3)), (time(2, 30), time(8))]))
    days_off = draw(st.frozensets(st.integers(0, 6), max_size=3))
    away = []
    for _ in range(draw(st.integers(0, 2))):
        first = change + timedelta(days=draw(st.integers(-3, 6)))
        away.append((first, first + timedelta(days=draw(st.integers(0, 3)))))
    return Hours(zone, quiet, days_off, tuple(away)), start


@given(worlds(), st.integers(0, 5 * 1440))
@settings(deadline=None, max_examples=150)
def test_running_is_what_a_look_at_the_wall_every_minute_counts(world, count):
    hours, start = world
    assert running(start, start + count * MINUTE, hours) == sum(minutes_awake(start, count, hours)) * MINUTE


@given(worlds(), st.integers(1, 3 * 1440))
@settings(deadline=None, max_examples=150)
def test_spend_ends_where_counting_minutes_ends(world, amount):
    hours, start = world
    counted, moment = 0, start
    while counted < amount and moment < start + 14 * DAY:
        counted += looks_awake(moment, hours)
        moment += MINUTE
    if counted == amount:
        assert spend(start, amount * MINUTE, hours) == moment
    else:
        assert spend(start, amount * MINUTE, hours) > moment


@given(worlds(micro=True))
@settings(deadline=None)
def test_awake_is_what_the_wall_shows_and_next_awake_is_the_first_such_moment(world):
    hours, moment = world
    assert awake(moment, hours) == looks_awake(moment, hours)
    woken = next_awake(moment, hours)
    assert looks_awake(woken, hours)
    assert woken >= moment
    assert running(moment, woken, hours) == NOTHING
    assert (woken == moment) == awake(moment, hours)


@given(worlds(micro=True), fine_spans, fine_spans)
@settings(deadline=None)
def test_spending_twice_is_spending_the_sum(world, a, b):
    hours, start = world
    assert spend(spend(start, a, hours), b, hours) == spend(start, a + b, hours)


@given(worlds(micro=True), fine_spans)
@settings(deadline=None)
def test_what_was_spent_is_what_ran_and_not_a_moment_later(world, amount):
    hours, start = world
    end = spend(start, amount, hours)
    assert running(start, end, hours) == amount
    if amount:
        assert running(start, end - timedelta(microseconds=1), hours) < amount


@given(worlds(micro=True), fine_spans, fine_spans, fine_spans)
@settings(deadline=None)
def test_more_time_or_a_later_start_never_ends_earlier(world, a, b, later):
    hours, start = world
    less, more = sorted((a, b))
    assert start <= spend(start, less, hours) <= spend(start, more, hours)
    assert spend(start, a, hours) <= spend(start + later, a, hours)


@given(worlds(micro=True), fine_spans, fine_spans)
@settings(deadline=None)
def test_running_adds_up_and_never_exceeds_the_real_time(world, a, b):
    hours, start = world
    middle, end = start + a, start + a + b
    assert running(start, middle, hours) + running(middle, end, hours) == running(start, end, hours)
    assert NOTHING <= running(start, end, hours) <= end - start
    assert running(end, start, hours) <= NOTHING


# --- Nights that are not eight hours ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "evening", "morning", "night"),
    [
        ("Europe/Lisbon", (2026, 3, 28, 22), (2026, 3, 29, 8), 9),
        ("Europe/Lisbon", (2026, 10, 24, 22), (2026, 10, 25, 8), 11),
        ("Pacific/Auckland", (2026, 9, 26, 22), (2026, 9, 27, 8), 9),
        ("Pacific/Auckland", (2026, 4, 4, 22), (2026, 4, 5, 8), 11),
        ("America/Santiago", (2026, 9, 5, 22), (2026, 9, 6, 8), 9),
        ("America/Santiago", (2026, 4, 4, 22), (2026, 4, 5, 8), 11),
        ("Australia/Lord_Howe", (2026, 10, 3, 22), (2026, 10, 4, 8), 9.5),
        ("Australia/Lord_Howe", (2026, 4, 4, 22), (2026, 4, 5, 8), 10.5),
        ("Asia/Tokyo", (2026, 3, 28, 22), (2026, 3, 29, 8), 10),
    ],
)
def test_the_night_of_a_change_is_as_long_as_it_is_and_costs_nothing(zone, evening, morning, night):
    hours = Hours(zone)
    falls, lifts = wall(zone, *evening), wall(zone, *morning)
    assert lifts - falls == night * HOUR
    assert running(falls, lifts, hours) == NOTHING
    assert next_awake(falls, hours) == lifts
    # An hour before the night and an hour after it.
    assert spend(falls - HOUR, 2 * HOUR, hours) == lifts + HOUR


def test_quiet_hours_in_the_skipped_hour_do_not_exist_that_night():
    hours = Hours("Europe/Berlin", quiet=(time(2), time(3)))
    noon, next_noon = wall("Europe/Berlin", 2026, 3, 28, 12), wall("Europe/Berlin", 2026, 3, 29, 12)
    assert running(noon, next_noon, hours) == next_noon - noon == 23 * HOUR


def test_quiet_hours_in_the_repeated_hour_last_twice():
    hours = Hours("Europe/Berlin", quiet=(time(2), time(3)))
    noon, next_noon = wall("Europe/Berlin", 2026, 10, 24, 12), wall("Europe/Berlin", 2026, 10, 25, 12)
    assert next_noon - noon == 25 * HOUR
    assert running(noon, next_noon, hours) == 23 * HOUR


def test_quiet_hours_that_begin_in_the_repeated_hour_are_left_and_entered_again_as_the_wall_says():
    hours = Hours("Europe/Berlin", quiet=(time(2, 30), time(8)))
    first, second = (wall("Europe/Berlin", 2026, 10, 25, 2, 30, fold=fold) for fold in (0, 1))
    assert [awake(m, hours) for m in (first - MINUTE, first, first + HOUR / 2, second - MINUTE, second)] == [
        True,
        False,
        True,
        True,
        False,
    ]


def test_a_day_off_in_a_week_that_has_no_such_day_costs_nothing_and_a_day_away_there_neither():
    """Samoa went from Thursday 29 to Saturday 31 December 2011."""
    thursday, saturday = wall("Pacific/Apia", 2011, 12, 29, 12), wall("Pacific/Apia", 2011, 12, 31, 12)
    assert saturday - thursday == DAY
    plain = Hours("Pacific/Apia")
    no_friday = Hours("Pacific/Apia", days_off=frozenset({4}), away=((date(2011, 12, 30), date(2011, 12, 30)),))
    assert running(thursday, saturday, plain) == running(thursday, saturday, no_friday) == 14 * HOUR


def test_a_day_off_that_lasts_longer_is_off_all_of_it():
    """Caracas moved half an hour back at 3:00 on Sunday 9 December 2007."""
    sunday_off = Hours("America/Caracas", quiet=None, days_off=frozenset({6}))
    saturday, monday = wall("America/Caracas", 2007, 12, 8, 12), wall("America/Caracas", 2007, 12, 10, 12)
    assert monday - saturday == 48.5 * HOUR
    assert running(saturday, monday, sunday_off) == DAY


def test_no_zone_changes_twice_within_a_day():
    """What the day-by-day arithmetic rests on, checked against the zone data it is used with."""
    assert len(ALL_ZONES) > 400
    assert min(gap for zone in ALL_ZONES for gap in gaps(zone)) > DAY


def gaps(zone):
    """The times between two changes of a zone's offset since 1970, from its compiled file (RFC 8536, version 2)."""
    data = (resources.files("tzdata") / "zoneinfo" / zone).read_bytes()
    utc_marks, std_marks, leaps, count, kinds, letters = struct.unpack(">6l", data[20:44])
    data = data[44 + count * 5 + kinds * 6 + letters + leaps * 8 + std_marks + utc_marks :]
    count, kinds = struct.unpack(">2l", data[32:40])
    at = struct.unpack(f">{count}q", data[44 : 44 + 8 * count])
    which = data[44 + 8 * count : 44 + 9 * count]
    offsets = [struct.unpack_from(">l", data, 44 + 9 * count + 6 * kind)[0] for kind in range(kinds)]
    known = [(moment, offsets[kind]) for moment, kind in zip(at, which, strict=True) if moment >= 0]
    changes = [b[0] for a, b in pairwise(known) if a[1] != b[1]]
    return [timedelta(seconds=b - a) for a, b in pairwise(changes)]


# --- Hours -----------------------------------------------------------------------------------------------------------


def test_days_off_and_days_away_are_whole_local_days():
    hours = Hours("Asia/Tokyo", None, frozenset({5, 6}), ((date(2026, 11, 17), date(2026, 11, 18)),))
    friday = wall("Asia/Tokyo", 2026, 11, 13, 23)
    assert spend(friday, HOUR, hours) == wall("Asia/Tokyo", 2026, 11, 14)
    assert next_awake(friday + HOUR, hours) == wall("Asia/Tokyo", 2026, 11, 16)
    assert running(friday, friday + 7 * DAY, hours) == 3 * DAY
    assert not awake(wall("Asia/Tokyo", 2026, 11, 18, 23, 59), hours)
    assert awake(wall("Asia/Tokyo", 2026, 11, 19), hours)


def test_time_ends_at_the_first_moment_it_is_used_up_not_on_the_next_morning():
    hours = Hours("UTC")
    assert spend(utc(2026, 11, 16, 20), 2 * HOUR, hours) == utc(2026, 11, 16, 22)
    assert spend(utc(2026, 11, 16, 23), NOTHING, hours) == utc(2026, 11, 16, 23)


def test_quiet_hours_that_end_as_they_begin_are_none():
    assert running(utc(2026, 1, 1), utc(2026, 1, 2), Hours("UTC", (time(8), time(8)))) == DAY


def test_moments_of_any_zone_are_understood_and_answers_are_in_utc():
    start = datetime(2026, 11, 16, 12, tzinfo=ZoneInfo("Asia/Tokyo"))
    end = spend(start, HOUR, Hours("Asia/Tokyo"))
    assert end == utc(2026, 11, 16, 4)
    assert end.tzinfo is UTC


def test_a_moment_without_a_zone_is_refused():
    with pytest.raises(TypeError):
        spend(datetime(2026, 11, 16), HOUR, Hours("UTC"))


def test_time_is_never_spent_backwards():
    with pytest.raises(ValueError, match="backwards"):
        spend(utc(2026, 1, 1), -HOUR, Hours("UTC"))


@pytest.mark.parametrize(
    "hours",
    [
        Hours("Europe/Lisbon", days_off=frozenset(range(7))),
        Hours("Europe/Lisbon", away=((date(2026, 1, 1), date(2030, 1, 1)),)),
    ],
    ids=["every day off", "away for years"],
)
def test_hours_without_any_time_are_told_apart_at_once(hours):
    with pytest.raises(NoTime, match="no waking time"):
        spend(utc(2026, 6, 1), HOUR, hours)
    with pytest.raises(NoTime):
        next_awake(utc(2026, 6, 1), hours)
    assert running(utc(2026, 6, 1), utc(2029, 6, 1), hours) == NOTHING


def test_a_long_absence_is_waited_for():
    hours = Hours("UTC", away=((date(2026, 1, 1), date(2027, 6, 30)),))
    assert next_awake(utc(2026, 1, 1, 12), hours) == utc(2027, 7, 1, 8)


@pytest.mark.parametrize(
    "wrong",
    [{"days_off": frozenset({7})}, {"away": ((date(2026, 1, 2), date(2026, 1, 1)),)}],
    ids=["an eighth weekday", "an absence that ends before it begins"],
)
def test_hours_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValueError, match=r"days off|absence"):
        Hours("UTC", **wrong)


def test_the_deadline_of_a_week_takes_microseconds():
    hours = Hours("Pacific/Auckland", days_off=frozenset({6}), away=((date(2026, 4, 7), date(2026, 4, 8)),))
    start = wall("Pacific/Auckland", 2026, 4, 2, 12)
    spend(start, 98 * HOUR, hours)
    # The best of many short runs, so that a busy machine does not matter. About twenty where this was written.
    best = min(repeat(lambda: spend(start, 98 * HOUR, hours), number=10, repeat=100)) / 10
    assert best < 100e-6


# --- Turns -----------------------------------------------------------------------------------------------------------

LISBON = Hours("Europe/Lisbon")
MONDAY_NOON = wall("Europe/Lisbon", 2026, 11, 16, 12)


@pytest.mark.parametrize(("pace", "days"), [("day", 1), ("two-days", 2), ("week", 7)])
def test_with_usual_hours_a_turn_is_due_at_the_same_time_so_many_days_on(pace, days):
    due = deadline(MONDAY_NOON, PACES[pace], PACES[pace].reserve, LISBON)
    assert due.soft == MONDAY_NOON + days * DAY
    assert due.soft < due.hard < due.end


def test_over_a_change_of_clocks_a_turn_is_still_due_at_the_same_time_on_the_wall():
    saturday_noon = wall("Europe/Lisbon", 2026, 10, 24, 12)
    due = deadline(saturday_noon, PACES["day"], NOTHING, LISBON)
    assert due.soft == due.hard == wall("Europe/Lisbon", 2026, 10, 25, 12)
    assert due.end == wall("Europe/Lisbon", 2026, 10, 25, 16)


def test_an_evening_runs_through_quiet_hours_and_days_off_but_not_through_an_absence():
    late = wall("Europe/Lisbon", 2026, 11, 20, 23)
    weekend_off = Hours("Europe/Lisbon", days_off=frozenset({5, 6}))
    due = deadline(late, PACES["evening"], PACES["evening"].reserve, weekend_off)
    assert due == Deadline(late + HOUR, late + 1.5 * HOUR, late + 1.75 * HOUR)
    away = Hours("Europe/Lisbon", away=((date(2026, 11, 20), date(2026, 11, 20)),))
    assert deadline(late, PACES["evening"], NOTHING, away).soft == late + 2 * HOUR


def test_a_turn_answered_within_the_allowance_earns_the_refill_up_to_a_full_reserve():
    pace = PACES["day"]
    answered = MONDAY_NOON + DAY
    assert settle_reserve(MONDAY_NOON, answered, pace, 10 * HOUR, LISBON) == 12 * HOUR
    assert settle_reserve(MONDAY_NOON, answered, pace, 27 * HOUR, LISBON) == pace.reserve
    assert settle_reserve(MONDAY_NOON, answered, pace, 40 * HOUR, LISBON) == 40 * HOUR


def test_only_what_ran_beyond_the_allowance_comes_out_of_the_reserve():
    pace = PACES["day"]
    three_over = MONDAY_NOON + DAY + 3 * HOUR
    assert settle_reserve(MONDAY_NOON, three_over, pace, 10 * HOUR, LISBON) == 7 * HOUR
    overnight = wall("Europe/Lisbon", 2026, 11, 18, 9)
    assert settle_reserve(MONDAY_NOON, overnight, pace, 20 * HOUR, LISBON) == 9 * HOUR
    assert settle_reserve(MONDAY_NOON, MONDAY_NOON + 9 * DAY, pace, 10 * HOUR, LISBON) == NOTHING


def test_an_answer_before_the_promised_end_of_the_allowance_costs_nothing_after_a_change_of_hours():
    pace = PACES["day"]
    no_quiet = Hours("Europe/Lisbon", quiet=None)
    promised = deadline(MONDAY_NOON, pace, 10 * HOUR, LISBON)
    kept = recompute(promised, MONDAY_NOON + HOUR, pace, LISBON, no_quiet)
    assert settle_reserve(MONDAY_NOON, MONDAY_NOON + DAY, pace, 10 * HOUR, no_quiet, kept.soft) == 12 * HOUR
    assert settle_reserve(MONDAY_NOON, MONDAY_NOON + DAY, pace, 10 * HOUR, no_quiet) == NOTHING


@given(worlds(), st.timedeltas(NOTHING, 5 * DAY), st.timedeltas(NOTHING, 5 * DAY))
@settings(deadline=None, max_examples=60)
def test_answering_earlier_never_leaves_less_in_the_reserve(world, a, b):
    hours, asked = world
    sooner, later = sorted((a, b))
    pace = PACES["day"]
    left = [settle_reserve(asked, asked + after, pace, 10 * HOUR, hours) for after in (sooner, later)]
    assert left[0] >= left[1] >= NOTHING


def test_a_pace_that_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="allowance"):
        Pace(NOTHING)
    with pytest.raises(ValueError, match="allowance"):
        Pace(HOUR, grace=-HOUR)


# --- Changes during a turn -------------------------------------------------------------------------------------------


@given(worlds(), worlds(), st.timedeltas(NOTHING, 4 * DAY), st.sampled_from(sorted(PACES)))
@settings(deadline=None)
def test_a_change_of_hours_never_takes_time_from_a_running_turn(world, other, passed, name):
    (before, asked), (after, _) = world, other
    pace = PACES[name]
    promised = deadline(asked, pace, pace.reserve, before)
    changed_at = asked + passed
    new = recompute(promised, changed_at, pace, before, after)
    assert new.soft <= new.hard <= new.end
    for step in ("soft", "hard", "end"):
        was, now = getattr(promised, step), getattr(new, step)
        assert now >= was
        own_before, own_after = pace.applied_to(before), pace.applied_to(after)
        if was > changed_at:
            assert running(changed_at, now, own_after) >= running(changed_at, was, own_before)
        else:
            assert now == was


def test_an_absence_announced_during_a_turn_moves_what_is_left_behind_it():
    promised = deadline(MONDAY_NOON, PACES["day"], NOTHING, LISBON)
    away = Hours("Europe/Lisbon", away=((date(2026, 11, 17), date(2026, 11, 19)),))
    new = recompute(promised, MONDAY_NOON + HOUR, PACES["day"], LISBON, away)
    assert new.soft == promised.soft + 3 * DAY


def test_taking_an_absence_back_keeps_the_deadline_it_gave():
    away = Hours("Europe/Lisbon", away=((date(2026, 11, 17), date(2026, 11, 19)),))
    promised = deadline(MONDAY_NOON, PACES["day"], NOTHING, away)
    assert recompute(promised, MONDAY_NOON + HOUR, PACES["day"], away, LISBON) == promised


def test_quiet_hours_laid_over_time_that_has_already_run_do_not_give_it_back():
    promised = deadline(MONDAY_NOON, PACES["day"], NOTHING, LISBON)
    all_day_quiet = Hours("Europe/Lisbon", quiet=(time(10), time(22)))
    assert deadline(MONDAY_NOON, PACES["day"], NOTHING, all_day_quiet).soft > promised.soft
    # Ten hours had run by ten in the evening; the four that were left end at two at night, so the promised noon stands.
    at_ten = MONDAY_NOON + 10 * HOUR
    assert recompute(promised, at_ten, PACES["day"], LISBON, all_day_quiet) == promised


def test_a_step_already_taken_stays_where_it_was():
    pace = PACES["day"]
    promised = deadline(MONDAY_NOON, pace, pace.reserve, LISBON)
    late = promised.soft + HOUR
    tokyo = Hours("Asia/Tokyo")
    new = recompute(promised, late, pace, LISBON, tokyo)
    assert new.soft == promised.soft
    assert running(late, new.hard, tokyo) >= pace.reserve - HOUR


# --- Reminders -------------------------------------------------------------------------------------------------------


def test_reminders_come_when_half_and_a_sixth_of_the_own_time_is_left():
    due = deadline(MONDAY_NOON, PACES["day"], NOTHING, LISBON).soft
    assert reminders(MONDAY_NOON, due, REMIND_AT, LISBON) == [MONDAY_NOON + 7 * HOUR, due - 14 * HOUR / 6]


def test_a_reminder_that_falls_on_the_evening_edge_waits_for_the_morning():
    asked = wall("Europe/Lisbon", 2026, 11, 16, 15)
    due = deadline(asked, PACES["day"], NOTHING, LISBON).soft
    assert reminder(asked, due, Fraction(1, 2), LISBON) == wall("Europe/Lisbon", 2026, 11, 17, 8)


def test_a_turn_without_waking_time_before_its_deadline_has_no_reminders():
    away = Hours("Europe/Lisbon", away=((date(2026, 11, 16), date(2026, 11, 20)),))
    assert reminders(MONDAY_NOON, MONDAY_NOON + DAY, REMIND_AT, away) == []
    assert reminders(MONDAY_NOON, MONDAY_NOON - DAY, REMIND_AT, LISBON) == []
    never = Hours("Europe/Lisbon", days_off=frozenset(range(7)))
    assert reminders(MONDAY_NOON, MONDAY_NOON + DAY, REMIND_AT, never) == []


def test_a_reminder_that_would_come_at_the_deadline_is_left_out():
    moment_later = MONDAY_NOON + timedelta(microseconds=1)
    assert reminder(MONDAY_NOON, moment_later, Fraction(1, 6), LISBON) is None


@pytest.mark.parametrize("fraction", [0, 1, 1.5, -0.5])
def test_a_reminder_at_no_time_or_all_of_it_is_refused(fraction):
    with pytest.raises(ValueError, match="fraction"):
        reminder(MONDAY_NOON, MONDAY_NOON + DAY, fraction, LISBON)


@given(worlds(), st.sampled_from(sorted(PACES)), st.lists(st.fractions(Fraction(1, 20), Fraction(19, 20)), max_size=4))
@settings(deadline=None)
def test_every_reminder_is_in_waking_hours_before_the_deadline_with_its_fraction_left(world, name, fractions):
    hours, asked = world
    due = deadline(asked, PACES[name], NOTHING, hours).soft
    whole = running(asked, due, hours)
    expected = set()
    for fraction in fractions:
        at = reminder(asked, due, fraction, hours)
        if at is None:
            assert whole == NOTHING
            continue
        expected.add(at)
        assert asked <= at < due
        assert looks_awake(at, hours)
        left = running(at, due, hours) / whole
        assert abs(left - float(fraction)) < 1e-6
    assert reminders(asked, due, fractions, hours) == sorted(expected)
