"""Time-outs as a visible sequence: reminders, late, grace, the policy of the game; pauses, absences and outages."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from service import turnclock
from service.clocks import Pace
from service.db import db
from service.models import Absence, Game, GameStatus, Heartbeat, Letter, Move, Policy, Ruling, Seat, Stage
from tests.play import House, Table, body
from workers import timekeeper

MORNING = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), reserve=timedelta(hours=2), grace=timedelta(hours=1), round_the_clock=True)


def begun(house: House, **plan) -> Table:
    with time_machine.travel(MORNING, tick=False):
        timekeeper.sweep()
        return house.begun(["Aiko", "Bruno"], **({"pace": PACE, "policy": Policy.PASS} | plan))


def at(hours: float) -> time_machine.travel:
    return time_machine.travel(MORNING + timedelta(hours=hours), tick=False)


def sweep(*hours: float) -> None:
    for moment in hours:
        with at(moment):
            timekeeper.sweep()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweeps may be far apart here without being taken for an outage."""
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))


def test_a_turn_that_runs_out_is_warned_late_and_then_passed_with_a_letter_at_each_step(house: House):
    table = begun(house)
    late = table.to_move()
    sweep(3, 4.1, 6.8, 7.75)
    assert len(late.letters("reminder")) == 2  # at half and at a sixth of the time
    assert late.seat.stage is Stage.ON_TIME
    sweep(8, 8.5)
    assert late.seat.stage is Stage.LATE
    assert {len(table.player(name).letters("late")) for name in ("Aiko", "Bruno")} == {1}
    assert table.game().version == 0
    sweep(8.75, 9.25)
    assert table.game().version == 1
    (move,) = house.all(Move, Move.version == 1)
    assert move.decided_by == "time-out"
    assert late.seat.misses == 1
    (missed,) = late.letters("missed")
    assert "This was played" in body(missed)
    assert house.one(Ruling).reason == "The time was up."
    assert table.to_move().name != late.name


def test_a_sweep_run_twice_does_nothing_twice(house: House):
    table = begun(house)
    sweep(4.1, 4.1, 6.8, 6.8, 8, 8, 9, 9)
    letters = house.all(Letter)
    assert len({letter.key for letter in letters}) == len(letters)
    assert table.game().version == 1


def test_playing_in_the_grace_is_no_miss_and_uses_up_the_reserve(house: House):
    table = begun(house)
    late = table.to_move()
    sweep(8, 8.5)
    with at(8.5):
        late.play()
    assert late.seat.misses == late.seat.missed == 0
    assert late.seat.reserve == 0
    assert table.game().version == 1


def test_only_overruns_use_up_the_reserve(house: House):
    table = begun(house)
    player = table.to_move()
    with at(5.9):
        player.play()
    assert player.seat.reserve == 7200


def test_the_moderator_decides_and_the_fallback_comes_when_they_are_silent(house: House):
    table = begun(house, policy=Policy.MODERATOR, moderator_hours=3)
    late = table.to_move()
    sweep(8, 9.5)
    assert late.seat.stage is Stage.DESK
    assert table.game().version == 0
    assert len(house.letters(kind="desk")) == 1
    sweep(12.4, 12.6)
    assert table.game().version == 1
    assert house.one(Ruling).reason == "The moderator was silent."


def test_the_bot_takes_over_after_so_many_misses_in_a_row(house: House):
    table = begun(house, policy=Policy.BOT, bot_after=2)
    sweep(*range(1, 48))
    seats = table.seats()
    assert any(seat.bot for seat in seats)
    assert house.all(Ruling, Ruling.name == "bot")


def test_nobody_times_out_when_the_timekeeper_itself_was_away(house: House, monkeypatch: pytest.MonkeyPatch):
    table = begun(house)
    before = table.to_move().seat.deadline
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(minutes=15))
    sweep(20)
    assert table.game().version == 0
    assert table.to_move().seat.deadline == before + timedelta(hours=20)
    assert len(house.letters(kind="outage")) == 1


def test_one_seat_that_fails_is_set_aside_and_stops_nobody_else(house: House):
    broken, fine = begun(house), begun(house)
    sweep(8)
    with db.writing() as session:
        session.get_one(Game, broken.game().id).saved = b"not a match"
    sweep(9.25)
    assert fine.game().version == 1
    assert "UnknownSave" in next(seat.trouble for seat in broken.seats() if seat.asked is not None)


def test_a_pause_by_vote_of_all_stops_the_clocks_and_ends_by_itself(house: House):
    table = begun(house)
    before = table.to_move().seat.deadline
    with at(1):
        for name in ("Aiko", "Bruno"):
            assert table.game().paused_at is None
            player = table.player(name)
            player.follow_link()
            player.browser.get(player.url("/settings")).press("I want a pause")
    assert table.game().paused_at is not None
    assert len(table.player("Aiko").letters("paused")) == 1
    sweep(9, 24 * 14 + 1)
    assert table.game().paused_at is None
    assert table.game().version == 0
    assert abs(table.to_move().seat.deadline - before - timedelta(days=14)) < timedelta(minutes=15)


def test_an_absence_puts_off_the_deadline_and_never_takes_time_away(house: House):
    table = begun(house)
    player = table.to_move()
    before = player.seat.deadline
    with at(1):
        player.follow_link()
        page = player.browser.get(player.url("/settings"))
        page.press("Announce", first="2026-06-01", last="2026-06-03")
        assert player.seat.deadline > before + timedelta(days=2)
        assert "away until 3 Jun" in table.player("Aiko" if player.name == "Bruno" else "Bruno").follow_link()
        page = player.browser.get(player.url("/settings"))
        assert "already away" in page.press("Announce", first="2026-06-02", last="2026-06-04")
    assert len(house.all(Absence)) == 1


def test_quiet_hours_stop_the_clock_and_no_reminder_comes_at_night(house: House):
    night_pace = Pace(timedelta(hours=10))
    table = begun(house, pace=night_pace)
    player = table.to_move()
    # 9:00 to 22:00 are thirteen waking hours: ten of them are over at 19:00; asked at 20:00 they end at 16:00.
    assert player.seat.deadline == MORNING + timedelta(hours=10)
    with at(11):
        player.play()
    other = table.to_move()
    assert other.seat.deadline == MORNING + timedelta(hours=31)


def test_standing_orders_are_followed_without_the_player(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(turnclock, "ORDERS_AFTER", [timedelta(0), timedelta(0)])
    table = begun(house)
    player = table.player("Aiko")
    with at(0):
        player.follow_link()
        page = player.browser.get(player.url("/settings"))
        page.press("Keep these orders", **{"insure.red": "never", "insure.blue": "all"})
    assert player.seat.orders["insure.blue"] == "all"
    other = table.player("Bruno")
    other.follow_link()
    for page in ("", "/settings"):
        assert "selected>All I can" not in other.browser.get(other.url(page)).html


def test_a_calendar_shows_deadlines_to_whoever_has_its_address(house: House):
    table = begun(house)
    player = table.to_move()
    with at(1):
        player.follow_link()
        page = player.browser.get(player.url("/settings")).press("Make a calendar address")
        (address,) = re.findall(r"/c/[\w-]+\.ics", page.html)
        feed = house.browser().get(address)
        assert "BEGIN:VEVENT" in feed.text
        assert house.browser().get("/c/nonsense.ics").status == 404


def test_what_is_due_is_found_through_the_index(house: House):
    begun(house)
    with db.reading() as session:
        if session.get_bind().dialect.name == "sqlite":
            sql = "EXPLAIN QUERY PLAN SELECT id, due_at FROM seat WHERE due_at <= '2026-06-01' ORDER BY due_at LIMIT 5"
        else:
            session.connection().exec_driver_sql("SET enable_seqscan = off")
            sql = "EXPLAIN SELECT id, due_at FROM seat WHERE due_at <= '2026-06-01' ORDER BY due_at LIMIT 5"
        plan = " ".join(str(row) for row in session.connection().exec_driver_sql(sql).all())
    assert "ix_seat_due_at" in plan


def test_the_heartbeat_is_written_by_every_sweep(house: House):
    with at(3):
        timekeeper.sweep()
    assert house.one(Heartbeat).at == MORNING + timedelta(hours=3)


def test_a_finished_game_has_no_clock(house: House):
    table = begun(house)
    table.rush()
    assert table.game().status is GameStatus.FINISHED
    assert house.all(Seat, Seat.due_at != None) == []  # noqa: E711
