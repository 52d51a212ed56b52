"""A turn that runs out a second time, after more time, a pause or an outage, is told to everybody a second time."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from service.models import Policy, Stage
from service.play import turnclock
from service.play.clocks import Pace
from tests.play import House, Page, Player, Table, body, mail_of
from tests.service.test_desk import desk_of, rule
from workers import timekeeper

MORNING = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), grace=timedelta(hours=2), round_the_clock=True)
LATE, DESK = 6.5, 8.5  # hours after the question was put


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    monkeypatch.setattr(turnclock, "ORDERS_AFTER", [timedelta(0), timedelta(0)])
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


def sweep_on(clock: time_machine.Traveller, hours: float) -> None:
    """Minute by minute is not needed: a sweep at every half of an hour."""
    for _ in range(int(hours * 2)):
        clock.shift(timedelta(minutes=30))
        timekeeper.sweep()


def extend(page: Page, player: Player, clock: time_machine.Traveller) -> None:
    rule(page, "extend", seat=player.no, hours=5)


def pause(page: Page, player: Player, clock: time_machine.Traveller) -> None:
    rule(page, "pause", days=2)
    sweep_on(clock, 5)
    rule(page, "resume")


def outage(page: Page, player: Player, clock: time_machine.Traveller) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timekeeper, "OUTAGE", timedelta(minutes=15))
        clock.shift(timedelta(hours=5))
        timekeeper.sweep()


def told(table: Table, late: Player) -> dict[str, int]:
    """How often each was told that somebody is late, or that they must decide."""
    counts = {player.name: len(player.letters("late" if player is late else "delay")) for player in table.players}
    return counts | {"Mika": len(table.house.letters(mail_of("Mika"), "out-of-time"))}


@pytest.mark.parametrize("happens", [extend, pause, outage])
@pytest.mark.parametrize("at", [LATE, DESK])
def test_what_was_said_of_a_time_out_is_said_again_when_it_comes_at_another_moment(
    house: House, clock: time_machine.Traveller, at: float, happens: Callable[..., None]
):
    timekeeper.sweep()
    table, page = desk_of(house, pace=PACE, policy=Policy.MODERATOR, moderator_hours=24)
    late = table.to_move()
    sweep_on(clock, at)
    first = told(table, late)
    happens(page, late, clock)
    sweep_on(clock, 9)
    assert late.seat.stage is Stage.DESK
    second = told(table, late)
    assert second == {name: times + 1 for name, times in first.items()}
    (*_, asked) = house.letters(mail_of("Mika"), "out-of-time")
    due = late.seat.due_at
    assert due is not None
    assert f"{due:%H:%M} UTC" in body(asked)
    sweep_on(clock, 26)
    assert table.game().version == 1


def test_in_a_pause_no_letter_names_a_deadline_and_a_turn_played_in_it_costs_no_time(
    house: House, clock: time_machine.Traveller
):
    timekeeper.sweep()
    table, page = desk_of(house, pace=PACE)
    first = table.to_move()
    sweep_on(clock, 1)
    rule(page, "pause", days=2)
    clock.shift(timedelta(hours=10))
    first.play()
    second = table.to_move()
    (letter,) = second.letters("turn")
    assert "The game is paused: there is no hurry" in body(letter)
    assert "UTC" not in body(letter).split("Since your last turn")[0]
    clock.shift(timedelta(hours=4))
    rule(page, "resume")
    assert second.deadline == datetime.now(UTC) + PACE.allowance


def test_a_turn_played_in_a_pause_uses_up_no_reserve(house: House, clock: time_machine.Traveller):
    table, page = desk_of(house, pace=Pace(timedelta(hours=6), reserve=timedelta(hours=3), round_the_clock=True))
    player = table.to_move()
    clock.shift(timedelta(hours=7))
    rule(page, "pause", days=2)
    clock.shift(timedelta(hours=10))
    player.play()
    assert player.seat.reserve == 2 * 3600


def test_the_letter_says_when_this_miss_costs_the_seat(house: House, clock: time_machine.Traveller):
    timekeeper.sweep()
    table, _ = desk_of(house, pace=PACE, policy=Policy.BOT, bot_after=2)
    late = table.to_move()
    sweep_on(clock, LATE)
    assert "miss number 1 in a row; number 2 costs you the seat" in " ".join(body(late.letters("late")[0]).split())
    house.execute("UPDATE seat SET misses = 1 WHERE id = :id", id=late.seat.id)
    house.execute("UPDATE letter SET status = 'waiting', claimed_at = NULL WHERE kind = 'late'")
    clock.shift(timedelta(minutes=1))
    timekeeper.sweep()
    assert "you lose your seat to the bot" in body(late.letters("late")[0])


def test_in_a_game_without_grace_nobody_reads_of_one_and_all_is_said_in_one_letter(
    house: House, clock: time_machine.Traveller
):
    timekeeper.sweep()
    table, _ = desk_of(house, pace=Pace(timedelta(hours=6), round_the_clock=True))
    late = table.to_move()
    sweep_on(clock, 6)
    assert late.seat.stage is Stage.DESK
    other = next(player for player in table.players if player is not late)
    said = [*late.letters("late"), *other.letters("delay"), *house.letters(mail_of("Mika"), "out-of-time")]
    assert len(said) == 3
    assert not any("grace" in body(letter) for letter in said)
    assert "the moderator decides for you now. Until then your turn is open." in " ".join(body(said[0]).split())


def test_who_was_out_of_time_before_a_pause_reads_of_the_grace_and_not_of_a_deadline_that_has_passed(
    house: House, clock: time_machine.Traveller
):
    timekeeper.sweep()
    table, page = desk_of(house, pace=PACE)
    late = table.to_move()
    sweep_on(clock, LATE)
    pause(page, late, clock)
    clock.shift(timedelta(seconds=5))
    timekeeper.sweep()
    (letter,) = late.letters("resumed")
    assert letter["Message-ID"] == late.letters("late")[-1]["Message-ID"]  # told in one message
    grace = late.seat.grace_until
    assert grace is not None
    assert f"Your time was up, and there is a grace until Mon 1 Jun, {grace:%H:%M} UTC" in " ".join(
        body(letter).split()
    )


def test_the_desk_shows_what_is_left_of_the_reserve_now(house: House, clock: time_machine.Traveller):
    _, page = desk_of(house, pace=Pace(timedelta(hours=6), reserve=timedelta(hours=3), round_the_clock=True))
    assert page.text.count("3 hours of reserve") == 3
    clock.shift(timedelta(hours=7))
    page = page.browser.get(page.url)
    assert page.text.count("3 hours of reserve") == 2
    assert "2 hours of reserve" in page
    clock.shift(timedelta(hours=3))
    assert "no reserve left" in page.browser.get(page.url)


def test_who_is_late_sees_it_on_the_clock_and_so_do_those_who_wait(one_house: House, clock: time_machine.Traveller):
    table, desk = desk_of(one_house, pace=PACE)
    late = table.to_move()
    other = next(player for player in table.players if player is not late)
    assert f"{late.name} is thinking." in other.see()
    sweep_on(clock, LATE)
    assert "late, 1 h 30 min of grace" in late.see()
    assert f"{late.name} is late: 1 h 30 min of grace left." in other.see()
    sweep_on(clock, DESK - LATE)
    assert "out of time" in late.see()
    assert f"{late.name} is out of time: it is to be decided." in other.see()
    rule(desk, "pause", days=2)
    assert "Paused 2 days left" in other.see()
    assert "out of time" not in other.see()
