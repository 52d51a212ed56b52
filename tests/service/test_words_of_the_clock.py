"""What is said about a clock is so: allowance and reserve apart, to the minute, and of the person whose clock it is."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from service.models import Policy
from service.play.clocks import PACES, Pace
from service.post import moments
from tests.play import House, Table, body, mail_of
from tests.service.test_desk import desk_of
from workers import timekeeper

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), reserve=timedelta(hours=2), grace=timedelta(hours=1), round_the_clock=True)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(119, "1 h 59 min"), (120, "2 hours"), (60, "1 hour"), (725, "12 hours"), (59, "59 minutes"), (1740, "1 day 5 h")],
)
def test_a_length_of_time_is_told_to_the_minute_while_that_matters(minutes: int, said: str):
    assert moments.length(timedelta(minutes=minutes)) == said
    assert moments.length(timedelta(minutes=minutes) - timedelta(seconds=5)) == said  # of what has just begun to run


def test_a_clock_that_has_just_begun_to_run_is_told_whole():
    assert moments.clock_span(timedelta(hours=28) - timedelta(seconds=2)) == "28 hours"
    assert moments.clock_span(timedelta(hours=27, minutes=58)) == "27 hours"


def test_a_turn_is_told_as_its_allowance_and_then_the_reserve(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"], pace=PACES["two-days"])
    player = table.to_move()
    assert "28 hours, then your reserve of 28 hours" in " ".join(body(player.letters("turn")[0]).split())
    assert "28 hours, then your reserve of 28 hours" in player.see()
    other = next(p for p in table.players if p is not player)
    assert "28 hours of your waking time, then your reserve of 28 hours" in " ".join(
        body(other.letters("started")[0]).split()
    )


def test_only_what_is_left_of_the_reserve_is_told_and_to_the_others_as_the_players(
    one_house: House, clock: time_machine.Traveller
):
    table: Table = one_house.begun(["Aiko", "Bruno"], pace=PACE)
    player = table.to_move()
    other = next(p for p in table.players if p is not player)
    one_house.execute("UPDATE seat SET reserve = 60 WHERE id = :id", id=other.seat.id)
    assert "6 hours, then a reserve of 2 hours" in other.see()
    clock.shift(timedelta(hours=6, minutes=30))
    assert "1 h 30 min of your reserve" in player.see()
    assert "1 h 30 min of the reserve" in other.see()


def test_where_there_is_no_reserve_nobody_speaks_of_one(one_house: House):
    table, page = desk_of(one_house, pace=Pace(timedelta(hours=6)), policy=Policy.PASS)
    assert "of reserve" not in page
    assert "no reserve left" not in page
    assert "reserve" not in table.to_move().see()


@pytest.mark.parametrize(("quiet", "asleep"), [(("12:00:00", "14:00:00"), True), (("22:00:00", "08:00:00"), False)])
def test_somebody_is_asleep_by_their_own_quiet_hours_and_never_to_themselves(
    one_house: House, quiet: tuple[str, str], asleep: bool
):
    """It is one in the afternoon in London."""
    table = one_house.begun(["Aiko", "Bruno"])
    one_house.execute(
        "UPDATE person SET quiet_from = :a, quiet_to = :b, zone = 'Europe/London' WHERE mail = :m",
        a=quiet[0],
        b=quiet[1],
        m=mail_of("Bruno"),
    )
    assert ("asleep" in table.player("Aiko").see()) == asleep
    assert "asleep" not in table.player("Bruno").see()
