"""A friendly reminder: once a day, one letter however many ask, that says who asks; and where it is not offered the
page says why."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
import time_machine
from sqlmodel import Session

from service.db import db, utcnow
from service.models import Absence, Letter, Nudge, Person, Ring, Seat, Stage
from service.play import pausing, record
from service.post import bells, outbox
from service.post.bells import Rings
from service.post.told import told
from tests.play import House, Page, Player, Table, at_once, body
from workers import timekeeper

START = datetime(2026, 6, 1, 10, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def table(one_house: House, clock: time_machine.Traveller) -> Table:
    """Somebody has thought for seven hours of their own time."""
    table = one_house.begun(["Aiko", "Bruno", "Chidi"])
    clock.shift(timedelta(hours=7))
    return table


def waiting(table: Table) -> list[Player]:
    return [player for player in table.players if player is not table.to_move()]


def remind(player: Player) -> Page:
    return player.see().press("Remind ")


def reminders(table: Table) -> list[str]:
    timekeeper.sweep()
    return [body(letter) for letter in table.to_move().letters("nudge")]


def change(table: Table, **values: object) -> None:
    """Something about whoever thinks."""
    with db.writing() as session:
        person = session.get_one(Person, table.to_move().seat.person_id)
        for name, value in values.items():
            setattr(person, name, value)


def test_the_letter_says_who_asks_and_each_asks_once_a_day(table: Table, clock: time_machine.Traveller):
    first, second = waiting(table)
    assert f"{table.to_move().name} is reminded, and told that you ask" in remind(first)
    (letter,) = reminders(table)
    assert f"{first.name} would love to see your turn." in letter
    page = first.see()
    assert f"You have asked {table.to_move().name} today." in page
    assert "Remind " not in page
    assert f"{first.name} has asked." in second.see()
    assert "was reminded today. The next reminder, tomorrow, says that you ask, too." in remind(second)
    assert len(reminders(table)) == 1  # one letter a day
    clock.shift(timedelta(hours=24, minutes=1))
    assert len(reminders(table)) == 2
    assert f"{second.name} would love to see your turn." in reminders(table)[-1]
    remind(first)


def test_several_who_ask_before_it_is_sent_are_one_letter(table: Table):
    first, second = waiting(table)
    with table.house.hold():
        remind(first)
        remind(second)
    table.house.execute("UPDATE letter SET posted_at = NULL WHERE kind = 'nudge'")
    (letter,) = reminders(table)
    assert f"{first.name} and {second.name} would love to see your turn." in letter


@pytest.mark.both_databases
def test_pressed_twice_at_once_it_is_asked_once(house: House, clock: time_machine.Traveller):
    table = house.begun(["Aiko", "Bruno"])
    clock.shift(timedelta(hours=7))
    player = next(p for p in table.players if p is not table.to_move())
    url, data = player.see().request("Remind ")
    at_once([partial(player.browser.twin().post, url, data) for _ in range(2)])
    assert len(house.all(Nudge)) == 1
    assert len(house.all(Letter, Letter.kind == "nudge")) == 1


def test_it_is_not_sent_to_somebody_who_has_played_meanwhile_and_not_for_another_turn(table: Table):
    first = waiting(table)[0]
    with table.house.hold():
        url, data = first.see().request("Remind ")
        first.browser.post(url, data)
    thinker = table.to_move()
    thinker.play()
    timekeeper.sweep()
    assert thinker.letters("nudge") == []
    assert "has played in the meantime" in first.browser.post(url, data)


def refuses(table: Table, why: str) -> None:
    """The page says it instead of the button, and so does the answer to a page that is out of date."""
    first = waiting(table)[0]
    page = first.see()
    assert why in page
    assert "Remind " not in page
    seat = table.to_move().seat
    before = len(table.house.all(Nudge))
    data = page.request("Keep it")[1] | {"whom": f"{seat.no}.{seat.asked}"}
    assert why in first.browser.post(first.url("/nudge"), data)
    assert len(table.house.all(Nudge)) == before


def test_it_is_not_offered_to_somebody_who_has_had_little_time(table: Table, clock: time_machine.Traveller):
    clock.move_to(START + timedelta(hours=5))
    refuses(table, "has not had much time yet; you can ask from")


def test_it_obeys_the_wish_for_reminders(table: Table):
    change(table, remind_at=[])
    refuses(table, "wants no reminders")
    change(table, remind_at=[0.5], reminder_letters=False)
    refuses(table, "wants no reminders")


def test_whoever_is_reminded_by_a_bell_alone_can_be_asked_and_it_rings_once_a_day_however_many_ask(table: Table):
    change(table, reminder_letters=False)
    with db.writing() as session:
        thinks = table.to_move().seat.person_id
        assert thinks is not None
        bells.add(session, thinks, None, "json", "https://chat.example/x", [Rings.REMINDER])
    first, second = waiting(table)
    assert "is reminded, and told that you ask" in remind(first)
    assert "was reminded today" in remind(second)
    assert reminders(table) == []
    assert len({ring.due_at for ring in table.house.all(Ring, Ring.due_at < utcnow() + timedelta(hours=12))}) == 1


def test_it_is_not_offered_to_whoever_is_away_or_cannot_be_reached_or_is_out_of_time(table: Table):
    change(table, returned_at=utcnow())
    refuses(table, "come back.")
    change(table, returned_at=None)
    table.house.execute("UPDATE seat SET stage = 'desk' WHERE id = :id", id=table.to_move().seat.id)
    refuses(table, "is out of time, and it is being decided")
    assert table.to_move().seat.stage is Stage.DESK
    with db.writing() as session:
        today = date(2026, 6, 1)
        person = session.get_one(Person, table.to_move().seat.person_id)
        session.add(Absence(person_id=person.id, first=today, last=today))
    refuses(table, "is away.")


def test_nobody_is_reminded_while_the_game_is_paused(table: Table):
    first = waiting(table)[0]
    url, data = first.see().request("Remind ")

    @outbox.transaction
    def pause(session: Session) -> None:
        game = record.lock(session, table.game().id)
        pausing.pause(session, game, timedelta(days=3), told("Rest."), None, utcnow())

    pause()
    page = first.see()
    assert "The game is paused." in page
    assert not any(said in page for said in ("Remind ", "remind", "you can ask from")), "nor promised for later"
    assert "The game is paused." in first.browser.post(url, data)


def test_whoever_is_muted_by_the_thinker_asks_in_vain_and_is_not_told(table: Table):
    first = waiting(table)[0]
    with db.writing() as session:
        asker = session.get_one(Person, first.seat.person_id)
        session.get_one(Seat, table.to_move().seat.id).muted = [asker.id]
    assert "is reminded, and told that you ask" in remind(first)
    assert reminders(table) == []


def test_nobody_asks_themselves_or_a_bot_or_from_nowhere(table: Table):
    first = waiting(table)[0]
    data = first.see().request("Keep it")[1]
    for whom in ("", "9.0", f"{first.no}.0", "0.x", "0.99999999999", f"{waiting(table)[1].no}.0"):
        first.browser.post(first.url("/nudge"), data | {"whom": whom})
    assert table.house.all(Nudge) == []
