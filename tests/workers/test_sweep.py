"""Sweeps over turns that have run out: killed in the middle, many at once, and again and again."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from sqlmodel import Session

from service.models import Game, Letter, Move, Policy, Ruling, Seat, Stage
from service.play import lateness, turnclock
from service.play.clocks import Pace
from tests.play import House, Table, at_once, killed_at
from workers import timekeeper

pytestmark = pytest.mark.both_databases

START = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), grace=timedelta(hours=1), round_the_clock=True)
LATE, OUT = START + timedelta(hours=6), START + timedelta(hours=7)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweeps may be far apart here without being taken for an outage."""
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))


def sweep_at(moment: datetime) -> None:
    with time_machine.travel(moment, tick=False):
        timekeeper.sweep()


def late_table(house: House, seed: int = 7) -> Table:
    """A game whose first player is late, with the grace still running."""
    house.seed(seed)
    with time_machine.travel(START, tick=False):
        table = house.begun(["Aiko", "Bruno"], pace=PACE, policy=Policy.PASS)
    sweep_at(LATE)
    assert Stage.LATE in {seat.stage for seat in table.seats()}
    return table


def passed_once(table: Table) -> None:
    house, game = table.house, table.game()
    assert game.version == 1
    (move,) = house.all(Move, Move.game_id == game.id, Move.version == 1)
    assert move.decided_by == "time-out"
    assert [r.name for r in house.all(Ruling, Ruling.game_id == game.id)] == ["auto-pass"]
    (missed,) = house.all(Letter, Letter.game_id == game.id, Letter.kind == "missed")
    assert missed.attempts == 1
    assert sorted(seat.missed for seat in table.seats()) == [0, 1]


def test_a_sweep_killed_between_any_two_statements_passes_a_turn_once(house: House):
    table = late_table(house)
    late = house.picture()
    step, killed = 0, True
    while killed:
        step += 1
        house.come_back_to(late)
        with time_machine.travel(OUT, tick=False):
            killed = killed_at(step, timekeeper.sweep)
        sweep_at(OUT + timekeeper.CLAIM + timedelta(seconds=1))
        passed_once(table)
    assert 10 < step < 80


def test_many_sweeps_at_once_pass_every_turn_once(house: House):
    tables = [late_table(house, seed) for seed in range(10)]
    with time_machine.travel(OUT, tick=False):
        at_once([timekeeper.sweep] * 5)
        for table in tables:
            passed_once(table)
        before = house.dump()
        at_once([timekeeper.sweep] * 3)
        assert house.dump() == before


def test_to_remind_somebody_nobody_elses_time_is_read_and_to_play_on_everybodys_is(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    read: list[set[str]] = []
    read_ahead = turnclock.read_ahead

    def noted(session: Session, games: Mapping[int, Game], seats: Iterable[Seat]) -> None:
        wanted = list(seats)
        read.append({seat.name for seat in wanted})
        read_ahead(session, games, wanted)

    monkeypatch.setattr(turnclock, "read_ahead", noted)
    with time_machine.travel(START, tick=False):
        table = house.begun(["Aiko", "Bruno"], pace=PACE, policy=Policy.PASS)
    asked, everybody = table.to_move().seat.name, {"Aiko", "Bruno"}
    # Are there standing orders? Two reminders, then late, then out of time.
    for hours, names in ((1, everybody), (3, {asked}), (5, {asked}), (6, {asked}), (7, everybody)):
        read.clear()
        sweep_at(START + timedelta(hours=hours))
        assert read == [names]
    passed_once(table)


def test_a_seat_that_cannot_be_looked_at_is_set_aside_and_those_looked_at_with_it_are_not(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    bad, *good = [late_table(house, seed) for seed in range(3)]
    look = lateness.look

    def break_down(session: Session, game: Game, seat: Seat, now: datetime) -> None:
        if game.id == bad.game().id:
            raise RuntimeError("a defect")
        look(session, game, seat, now)

    monkeypatch.setattr(lateness, "look", break_down)
    sweep_at(OUT)
    for table in good:
        passed_once(table)
    assert bad.game().version == 0
    assert [seat.trouble for seat in bad.seats() if seat.asked is not None] == ["RuntimeError: a defect"]


def test_a_claim_moves_no_deadline_and_ends_with_the_work_or_by_itself(house: House):
    table = late_table(house)
    (seat_id,) = timekeeper.due_seats(OUT)
    before = house.one(Seat, Seat.id == seat_id)
    assert timekeeper.claim(OUT) == [(seat_id, before.game_id)]
    assert timekeeper.claim(OUT) == []
    claimed = house.one(Seat, Seat.id == seat_id)
    assert claimed.claimed_until == OUT + timekeeper.CLAIM
    assert claimed.model_dump(exclude={"claimed_until"}) == before.model_dump(exclude={"claimed_until"})
    sweep_at(OUT)  # it is in hand
    assert table.game().version == 0
    sweep_at(OUT + timekeeper.CLAIM)  # whoever had it must have died
    passed_once(table)
    assert {seat.claimed_until for seat in table.seats()} == {None}
