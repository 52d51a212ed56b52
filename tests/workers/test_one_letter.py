"""Several things to tell one person about one game at one moment are one letter, however many couriers there are and
wherever one of them dies."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import time_machine

from service.models import Attempt, Letter, LetterStatus, Policy, Stage
from service.play.clocks import Pace
from service.post import letters
from tests.play import House, Table, at_once, body, killed_at, mail_of, news
from tests.servers import MailServer
from workers import courier, timekeeper

pytestmark = pytest.mark.both_databases

MORNING = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), grace=timedelta(hours=2), round_the_clock=True)
NAMES = ["Aiko", "Bruno", "Chidi"]
MIKA = mail_of("Mika")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


def all_asked(house: House) -> Table:
    """The Duel's bigger sister asks everybody at once which cards to keep."""
    timekeeper.sweep()
    plan = {"policy": Policy.MODERATOR, "moderator": ("Mika", MIKA), "pace": PACE}
    table = house.begun(NAMES, kind="yokohama", **plan)
    assert all(seat.asked is not None for seat in table.seats())
    return table


def later(clock: time_machine.Traveller, hours: float) -> None:
    clock.shift(timedelta(hours=hours))
    timekeeper.sweep()


def test_three_late_players_make_one_letter_for_each_reader(
    mail_house: House, mail_server: MailServer, clock: time_machine.Traveller
):
    table = all_asked(mail_house)
    before = len(mail_server.messages)
    later(clock, 6)
    assert {seat.stage for seat in table.seats()} == {Stage.LATE}
    sent = mail_server.messages[before:]
    assert sorted(str(m["To"].addresses[0].addr_spec) for m in sent) == sorted(mail_of(name) for name in NAMES)
    (bruno,) = [m for m in sent if m["To"].addresses[0].addr_spec == mail_of("Bruno")]
    assert news(bruno) == "Your time is up, but you can still play"
    for part in ("plain", "html"):
        words = " ".join(re.sub(r"<[^>]+>", " ", body(bruno, part)).split())
        assert words.index("Bruno, there is a grace until") < words.index("Aiko is late") < words.index("Chidi is late")
        assert words.count("carries board games by mail") == 1
    later(clock, 2)
    assert {seat.stage for seat in table.seats()} == {Stage.DESK}
    asked = mail_server.messages[before + 3 :]
    assert [m["To"].addresses[0].addr_spec for m in asked] == [MIKA]
    for name in NAMES:
        assert f"{name} is out of time: please decide" in body(asked[0])


def test_what_needs_an_answer_most_leads_a_letter():
    """What ends or is lost without one, one's own turn, what others ask, and last what is only told."""
    order = ["missed", "paused", "turn", "proposed", "silent", "ruled", "late", "together", "started"]
    led = sorted(order, key=lambda name: letters.KINDS[name].rank)
    assert led == ["silent", "late", "turn", "proposed", "together", "missed", "paused", "ruled", "started"]


def test_each_row_remains_the_record_and_is_closed_with_the_one_that_leads_it(
    house: House, clock: time_machine.Traveller
):
    all_asked(house)
    later(clock, 6)
    rows = house.all(Letter, Letter.kind.in_(["late", "delay"]))  # type: ignore[attr-defined]
    assert len(rows) == 9
    assert {(row.status, row.attempts) for row in rows} == {(LetterStatus.SENT, 1)}
    leads = {row.id: row for row in rows if row.along_with is None}
    assert sorted(row.kind for row in leads.values()) == ["late"] * 3
    for row in rows:
        lead = leads[row.along_with or row.id]
        assert (row.person_id, row.game_id, row.subject) == (lead.person_id, lead.game_id, lead.subject)
        assert (row.source is not None) == (row is lead)
        assert len(house.all(Attempt, Attempt.letter_id == row.id)) == 1
    shown = house.browser().get("/post-office")
    assert shown.html.count("your time is up") == 3


def test_letters_about_two_games_and_to_two_people_stay_apart(house: House):
    with house.hold() as waiting:
        for name in ("One", "Two"):
            house.begun(["Aiko", "Bruno"], name=name)
    for task, args in waiting:
        house.run(task, *args)
    rows = {row.id: row for row in house.all(Letter)}
    for row in rows.values():
        lead = rows[row.along_with or row.id]
        assert (row.person_id, row.game_id) == (lead.person_id, lead.game_id)
    sent = [row for row in rows.values() if row.status is LetterStatus.SENT]
    assert len([row for row in sent if row.along_with is None]) == 4


def test_what_is_no_longer_true_is_left_out_and_what_cannot_be_written_fails_alone(
    house: House, clock: time_machine.Traveller
):
    table = all_asked(house)
    with house.hold() as waiting:
        later(clock, 6)
        house.execute("UPDATE seat SET stage = 'on-time' WHERE name = 'Chidi'")
        aiko = table.player("Aiko").seat
        house.execute("UPDATE letter SET about = '{}' WHERE kind = 'delay' AND seat_id = :id", id=aiko.id)
    for task, args in waiting:
        house.run(task, *args)
    of_bruno = {row.kind: row for row in house.all(Letter, Letter.seat_id == table.player("Bruno").seat.id)}
    assert of_bruno["late"].status is LetterStatus.SENT
    (message,) = table.player("Bruno").letters("late")
    assert "Aiko is late" in body(message)
    assert "Chidi is late" not in body(message)
    of_aiko = [row for row in house.all(Letter, Letter.seat_id == aiko.id) if row.kind in ("late", "delay")]
    assert sorted((row.kind, row.status.value) for row in of_aiko) == [
        ("delay", "failed"), ("delay", "failed"), ("late", "sent")
    ]  # fmt: skip


def test_two_couriers_at_once_make_one_message_of_it(
    mail_house: House, mail_server: MailServer, clock: time_machine.Traveller
):
    all_asked(mail_house)
    before = len(mail_server.messages)
    with mail_house.hold() as waiting:
        later(clock, 6)
        handed = [letter_id for task, args in waiting if task == "deliver" for letter_id in args]
    assert len(handed) == 9
    at_once([partial(courier.deliver, no, mail_house.settings) for no in handed])
    assert len(mail_server.messages) - before == 3
    assert {row.attempts for row in mail_house.all(Letter)} == {1}


def test_a_mail_server_that_is_down_gets_all_of_it_together_again(
    mail_house: House, mail_server: MailServer, clock: time_machine.Traveller
):
    all_asked(mail_house)
    before = len(mail_server.messages)
    mail_server.stop()
    later(clock, 6)
    mail_server.start()
    later(clock, 0.1)
    assert len(mail_server.messages) - before == 3


def test_a_courier_killed_anywhere_loses_nothing_and_sends_nothing_else(
    mail_house: House, mail_server: MailServer, clock: time_machine.Traveller
):
    all_asked(mail_house)
    with mail_house.hold() as waiting:
        later(clock, 6)
        first = waiting[0][1][0]
    step, killed = 0, True
    while killed:
        step += 1
        killed = killed_at(step, lambda: courier.deliver(first, mail_house.settings))
        clock.shift(courier.CLAIM + timedelta(seconds=1))
    assert step > 5
    timekeeper.sweep()
    late = mail_house.all(Letter, Letter.kind == "late")
    assert {row.status for row in late} == {LetterStatus.SENT}
    ids = {str(m["Message-ID"]) for m in mail_server.messages if "Your time is up" in news(m)}
    assert len(ids) == 3  # one message for each reader, perhaps more than once, but under one id
