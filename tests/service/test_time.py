"""Time-outs as a visible sequence: reminders, late, grace, the policy of the game; pauses, absences and outages."""

import json
import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from sqlalchemy import event

from engine import Match, OrderDoesNotFit
from engine.osaka.box import COLOURS
from engine.scene import Message
from service.db import db
from service.models import (
    Absence,
    Game,
    GameStatus,
    Heartbeat,
    Letter,
    LetterStatus,
    Move,
    Person,
    Policy,
    Ruling,
    Seat,
    Stage,
)
from service.play import turnclock
from service.play.clocks import Pace
from service.post.told import in_words
from tests.bench.sweep import open_games
from tests.play import House, Player, Table, body, link_in, mail_of, take_seat
from tests.service.test_desk import rule
from tests.service.test_votes import answer, propose
from workers import timekeeper

MORNING = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), reserve=timedelta(hours=2), grace=timedelta(hours=1), round_the_clock=True)


def begun(house: House, **plan) -> Table:
    with time_machine.travel(MORNING, tick=False):
        timekeeper.sweep()
        return house.begun(["Aiko", "Bruno"], **({"pace": PACE, "policy": Policy.PASS, **plan}))


def at(hours: float) -> time_machine.travel:
    return time_machine.travel(MORNING + timedelta(hours=hours), tick=False)


def stage_of(player: Player) -> Stage:
    return player.seat.stage


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
    assert stage_of(late) is Stage.WARNED
    sweep(8, 8.5)
    assert stage_of(late) is Stage.LATE
    told = {p.name: (len(p.letters("late")), len(p.letters("delay"))) for p in table.players}
    assert told == {p.name: (1, 0) if p is late else (0, 1) for p in table.players}
    assert table.game().version == 0
    sweep(8.75, 9.25)
    assert table.game().version == 1
    (move,) = house.all(Move, Move.version == 1)
    assert move.decided_by == "time-out"
    assert late.seat.misses == 1
    (missed,) = late.letters("missed")
    assert "This was played" in body(missed)
    assert in_words(house.one(Ruling).reason) == "The time was up."
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
    table = begun(house, policy=Policy.MODERATOR, moderator_hours=3, moderator=("Mika", "mika@players.example"))
    late = table.to_move()
    sweep(8, 9.5)
    assert stage_of(late) is Stage.DESK
    assert table.game().version == 0
    assert len(house.letters(kind="out-of-time")) == 1
    sweep(12.4, 12.6)
    assert table.game().version == 1
    assert in_words(house.one(Ruling).reason) == "The moderator was silent."


def test_the_bot_takes_over_after_so_many_misses_in_a_row(house: House):
    table = begun(house, policy=Policy.BOT, bot_after=2, silent_rounds=9)
    sweep(*range(1, 48))
    seats = table.seats()
    assert any(seat.bot for seat in seats)
    assert house.all(Ruling, Ruling.name == "bot")


def test_nobody_times_out_when_the_timekeeper_itself_was_away(house: House, monkeypatch: pytest.MonkeyPatch):
    table = begun(house, moderator=("Mika", mail_of("Mika")))
    before = table.to_move().deadline
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(minutes=15))
    sweep(20)
    assert table.game().version == 0
    assert table.to_move().seat.deadline == before + timedelta(hours=20)
    assert len(house.letters(kind="outage")) == 1


def test_another_sweep_that_comes_before_all_have_their_time_back_finds_nobody_out_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    table = begun(house)
    forgive, looked_at = timekeeper._forgive, list[int]()

    def meanwhile(games: list[int], gap: timedelta, now: datetime) -> None:
        looked_at.append(timekeeper.look_at_seats(now))
        forgive(games, gap, now)

    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(minutes=15))
    monkeypatch.setattr(timekeeper, "_forgive", meanwhile)
    sweep(20)
    assert looked_at == [0]
    assert table.to_move().seat.stage is Stage.ON_TIME
    assert table.to_move().seat.claimed_until is None


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
    before = table.to_move().deadline
    with at(1):
        propose(table.player("Aiko"), "pause", days=14)
        assert table.game().paused_at is None
        answer(table.player("Bruno"), "I agree")
    assert table.game().paused_at is not None
    assert len(table.player("Aiko").letters("paused")) == 1
    sweep(9, 24 * 14 + 1)
    assert table.game().paused_at is None
    assert table.game().version == 0
    assert abs(table.to_move().deadline - before - timedelta(days=14)) < timedelta(minutes=15)


def test_an_absence_puts_off_the_deadline_and_never_takes_time_away(house: House):
    table = begun(house)
    player = table.to_move()
    before = player.deadline
    with at(1):
        player.follow_link()
        page = player.browser.get(player.url("/settings"))
        page.press("Announce", first="2026-06-01", last="2026-06-03")
        assert player.deadline > before + timedelta(days=2)
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


def test_standing_orders_are_kept_for_nobody_elses_eyes(house: House):
    table = begun(house)
    player = table.player("Aiko")
    with at(0):
        player.follow_link()
        page = player.browser.get(player.url("/settings"))
        page.press("Keep these orders", **{"insure.red": "never", "insure.blue": "all"})
    assert player.seat.orders["insure.blue"] == "all"
    other = table.player("Bruno")
    other.follow_link()
    for path in ("", "/settings"):
        assert "selected>All I can" not in other.browser.get(other.url(path)).html


def up_to_insurance(table: Table) -> Player:
    """Play on until somebody is asked out of turn; whoever that is."""
    while table.game().status is GameStatus.RUNNING:
        (question,) = table.match().pending
        if question.prompt == "osaka.insure" and question.seat != table.match().view()["current"]:
            return table.players[question.seat]
        table.rush(1)
    raise AssertionError("nobody was ever asked for insurance")


@pytest.mark.parametrize("order", ["all", "never"])
def test_a_standing_order_is_followed_after_some_minutes_and_nobody_is_written_to(house: House, order: str):
    table = begun(house)
    for seat in table.seats():
        orders = json.dumps({f"insure.{colour}": order for colour in COLOURS})
        house.execute("UPDATE seat SET orders = :orders WHERE id = :id", orders=orders, id=seat.id)
    with at(1):
        player = up_to_insurance(table)
    version = table.game().version
    assert player.seat.asked == version
    for minutes in (0, 1):
        sweep(1 + minutes / 60)
        assert table.game().version == version  # not yet: an answer at once would show that it was given in advance
    sweep(1 + 9 / 60)
    (move,) = house.all(Move, Move.version == version + 1)
    assert (move.decided_by, move.seat_no) == ("order", player.no)
    assert player.seat.missed == 0
    sweep(1 + 30 / 60)
    assert not house.all(
        Letter, Letter.seat_id == player.seat.id, Letter.asked == version, Letter.status == LetterStatus.SENT
    )


def test_a_player_who_wants_to_be_asked_is_written_to_at_once(house: House):
    table = begun(house)
    with at(1):
        player = up_to_insurance(table)
    version = table.game().version
    sweep(2)
    assert table.game().version == version
    (letter,) = house.all(Letter, Letter.seat_id == player.seat.id, Letter.asked == version, Letter.kind == "turn")
    assert letter.sent_at == MORNING + timedelta(hours=1)


def test_an_order_that_does_not_fit_stops_with_its_reason_and_the_player_is_asked(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    def stop(*_: object) -> None:
        raise OrderDoesNotFit(Message("osaka.order.why.no_card", {"n": 2, "colour": "red"}))

    table = begun(house)
    with at(1):
        player = up_to_insurance(table)
        orders = json.dumps({f"insure.{colour}": "2" for colour in COLOURS})
        house.execute("UPDATE seat SET orders = :orders WHERE id = :id", orders=orders, id=player.seat.id)
    monkeypatch.setattr(Match, "follow_orders", stop)
    version = table.game().version
    sweep(1.2)
    assert table.game().version == version
    assert "red" in in_words(player.seat.orders_stopped or {})
    with at(1.3):
        assert in_words(player.seat.orders_stopped or {}) in player.follow_link()


def test_a_legal_do_nothing_is_never_a_miss(house: House):
    table = begun(house)
    player = table.to_move()
    match, choices = table.match(), []
    with at(5):
        while any(d.seat == player.no for d in match.pending) and match.turn == table.match().turn:
            choices.append(next(d.default for d in match.pending))
            match.choose(player.no, choices[-1])
        player.play(choices)
    assert table.game().version == 1
    assert (player.seat.misses, player.seat.missed) == (0, 0)
    assert house.all(Ruling) == []


def test_changing_hours_to_and_fro_does_not_put_a_turn_off_for_ever(house: House):
    table = begun(house, pace=Pace(timedelta(hours=10)))
    player = table.to_move()
    deadlines = [player.deadline]
    with at(1):
        player.follow_link()
        for quiet in (("08:00", "22:00"), ("22:00", "08:00")) * 3:
            page = player.browser.get(player.url("/settings"))
            page = page.press("Save my hours", **{"quiet-from": quiet[0], "quiet-to": quiet[1]})
            deadlines.append(player.deadline)
    assert "the new hours count from your next turn" in page
    assert deadlines == sorted(deadlines)
    assert len(set(deadlines)) <= 1 + turnclock.MOST_RELAID


@pytest.mark.parametrize("by", ["an invitation", "an offer"])
def test_a_zone_given_with_another_seat_lays_out_the_running_turns_again(house: House, by: str):
    table = begun(house, pace=Pace(timedelta(hours=10)))
    player = table.to_move()
    before, zone = player.deadline, {"zone": "Asia/Tokyo"}
    with at(1):
        if by == "an invitation":
            house.game(["Emil", player.name]).player(player.name).accept(**zone)
        else:
            other = house.begun(["Emil", "Fay"], moderator=("Mika", mail_of("Mika")))
            rule(other.desk(), "substitute", seat=0, name=player.name, mail=player.mail)
            take_seat(house.browser().get(link_in(player.letters("offer")[0])), **zone)
    assert house.one(Person, Person.mail == player.mail).zone == "Asia/Tokyo"
    assert player.deadline > before  # it is evening there


BOTH_CHANGES = [
    # zone, a local noon before the night of the change, how long that noon-to-noon is
    ("Europe/Berlin", datetime(2026, 3, 28, 12), 23),
    ("Europe/Berlin", datetime(2026, 10, 24, 12), 25),
    ("America/New_York", datetime(2026, 3, 7, 12), 23),
    ("America/New_York", datetime(2026, 10, 31, 12), 25),
    ("Pacific/Auckland", datetime(2026, 4, 4, 12), 25),
    ("Pacific/Auckland", datetime(2026, 9, 26, 12), 23),
    ("America/Santiago", datetime(2026, 4, 4, 12), 25),
    ("America/Santiago", datetime(2026, 9, 5, 12), 23),
]


@pytest.mark.parametrize(("zone", "noon", "hours"), BOTH_CHANGES)
def test_a_turn_over_the_change_of_clocks_is_due_at_the_same_time_on_the_wall(
    house: House, zone: str, noon: datetime, hours: int
):
    """A day's turn asked at noon is due at the next noon, however long the night was; then the grace, then the pass."""
    place = ZoneInfo(zone)
    start = noon.replace(tzinfo=place).astimezone(UTC)
    with time_machine.travel(start - timedelta(minutes=1), tick=False):
        timekeeper.sweep()
        with db.writing() as session:
            session.add(Person(mail="aiko@players.example", given="X", zone=zone, remind_at=[0.5]))
    with time_machine.travel(start, tick=False):
        table = house.begun(["Aiko", "Bruno*"], pace=Pace(timedelta(hours=14), grace=timedelta(hours=2)))
        player = table.player("Aiko")
        page = player.follow_link()
    due = start + timedelta(hours=hours)
    assert player.seat.deadline == due
    assert due.astimezone(place).hour == 12
    assert f"{due.astimezone(place):%H:%M}" in page
    assert f"{due:%H:%M} UTC" in page
    assert f"{hours} hours" in page or "1 day" in page
    for moment, stage in ((-1, Stage.WARNED), (0, Stage.LATE), (119, Stage.LATE)):
        with time_machine.travel(due + timedelta(minutes=moment), tick=False):
            timekeeper.sweep()
        assert player.seat.stage is stage
    assert table.game().version == 0


def test_a_calendar_shows_deadlines_to_whoever_has_its_address(house: House):
    table = begun(house)
    player = table.to_move()
    with at(1):
        player.follow_link()
        page = player.browser.get(player.url("/settings")).press("Make a calendar address")
        (address,) = set(re.findall(r"/c/[\w-]+\.ics", page.html))
        feed = house.browser().get(address)
        assert "BEGIN:VEVENT" in feed.text
        assert feed.text.count("BEGIN:VALARM") == 2  # when letters would remind of it
        assert house.browser().get("/c/nonsense.ics").status == 404


def test_what_is_due_is_found_through_the_index_however_many_games_are_open(house: House):
    """The planner is free to choose: among many games that are not due it must not look at them all."""
    open_games(2_000, MORNING + timedelta(days=9))
    open_games(20, MORNING)
    house.execute("ANALYZE seat")
    seen: list[str] = []

    def explain(connection, cursor, statement, parameters, *_) -> None:
        if "due_at <=" in statement and "seat" in statement:
            how = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
            cursor.execute(f"{how} {statement}", parameters)
            seen.append(" ".join(str(row) for row in cursor.fetchall()))

    event.listen(db.engine, "before_cursor_execute", explain)
    assert len(timekeeper.due_seats(MORNING)) == 20
    event.remove(db.engine, "before_cursor_execute", explain)
    (plan,) = seen
    assert "ix_seat_due_at" in plan


def test_the_heartbeat_is_written_by_every_sweep(house: House):
    with at(3):
        timekeeper.sweep()
    assert house.one(Heartbeat, Heartbeat.name == "sweep").at == MORNING + timedelta(hours=3)


def test_a_finished_game_has_no_clock(house: House):
    table = begun(house)
    table.rush()
    assert table.game().status is GameStatus.FINISHED
    assert house.all(Seat, Seat.due_at != None) == []  # noqa: E711
