"""Days away belong to a person: they count in every game within its budget, everybody can read of them, and whoever
announces and takes back moves nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from service.models import Absence, Letter, LetterStatus, Policy
from service.play.clocks import PACES, Pace
from tests.play import House, Page, Player, Table, body, mail_of, news
from tests.servers import MailServer
from tests.service.test_desk import desk_of, rule
from workers import timekeeper

MONDAY = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=28), grace=timedelta(hours=4))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    with time_machine.travel(MONDAY, tick=False) as traveller:
        yield traveller


def begun(house: House, names: list[str] | None = None, **plan) -> Table:
    timekeeper.sweep()
    return house.begun(names or ["Aiko", "Bruno"], **{"pace": PACE, "policy": Policy.PASS, **plan})


def settings_of(player: Player) -> Page:
    player.follow_link()
    return player.browser.get(player.url("/settings"))


def announce(player: Player, first: str, last: str) -> Page:
    return settings_of(player).press("Announce", first=f"2026-{first}", last=f"2026-{last}")


def test_announcing_and_taking_back_never_moves_a_deadline(house: House, clock: time_machine.Traveller):
    table = begun(house, away_days=200)
    player = table.to_move()
    before = player.deadline, player.seat.soft_at, player.seat.grace_until
    for first, last in [("06-02", "06-20"), ("06-03", "07-30"), ("06-02", "06-02")]:
        announce(player, first, last)
        assert player.deadline > before[0]
        clock.shift(timedelta(minutes=20))
        settings_of(player).press("Take back")
        assert (player.deadline, player.seat.soft_at, player.seat.grace_until) == before
    assert house.all(Absence) == []


def test_two_absences_taken_back_in_any_order_give_all_their_time_back(house: House, clock: time_machine.Traveller):
    table = begun(house, away_days=200)
    player = table.to_move()
    before = player.deadline
    announce(player, "06-02", "06-05")
    clock.shift(timedelta(hours=3))
    announce(player, "06-08", "06-20")
    settings_of(player).press("Take back")
    announce(player, "06-03", "06-03")
    settings_of(player).press("Take back")
    settings_of(player).press("Take back")
    assert player.deadline == before


def test_an_extension_between_stays_when_the_absence_is_taken_back(house: House, clock: time_machine.Traveller):
    timekeeper.sweep()
    table, page = desk_of(house, pace=PACE)
    player = table.to_move()
    before = player.deadline
    announce(player, "06-02", "06-09")
    rule(page, "extend", seat=player.no, hours=5)
    settings_of(player).press("Take back")
    assert player.deadline == before + timedelta(hours=5)


def test_one_that_has_begun_ends_with_today_and_no_time_is_lost(house: House, clock: time_machine.Traveller):
    table = begun(house)
    player = table.to_move()
    announce(player, "06-02", "06-09")
    clock.move_to(datetime(2026, 6, 4, 12, tzinfo=UTC))
    timekeeper.sweep()
    settings_of(player).press("Take back")
    (absence,) = house.all(Absence)
    assert absence.last.isoformat() == "2026-06-04"
    # 13 hours of the 28 had run on Monday; the 15 that are left begin on Friday morning.
    assert player.deadline == datetime(2026, 6, 6, 9, tzinfo=UTC)


def test_days_away_count_in_all_games_of_a_person_each_within_its_budget(house: House, clock: time_machine.Traveller):
    games = [begun(house, ["Aiko", "Bruno*"], name=name, away_days=days) for name, days in [("Short", 2), ("Long", 30)]]
    before = [table.player("Aiko").deadline for table in games]
    page = announce(games[1].player("Aiko"), "06-02", "06-11")
    assert "in all your games" in page
    assert "In Short only the first 2 days count" in page
    short, long = (table.player("Aiko").deadline - then for table, then in zip(games, before, strict=True))
    assert (long, short) == (timedelta(days=10), timedelta(days=2))


def test_the_others_see_them_and_read_of_them_in_their_next_letter_once(house: House, clock: time_machine.Traveller):
    table = begun(house)
    first, second = table.to_move(), next(p for p in table.players if p is not table.to_move())
    clock.shift(timedelta(minutes=1))
    announce(second, "06-20", "06-24")
    assert "away 20 Jun to 24 Jun" in first.see()
    sentence = f"{second.name} is away from Sat, 20 Jun 2026 to Wed, 24 Jun 2026."
    clock.shift(timedelta(minutes=11))
    first.play()
    second.play()
    clock.shift(timedelta(minutes=11))
    timekeeper.sweep()
    letter = first.letters("turn")[-1]
    assert sentence in " ".join(body(letter).split())
    assert sentence in body(letter, "html")
    first.play()
    second.play()
    clock.shift(timedelta(minutes=11))
    timekeeper.sweep()
    assert sentence not in " ".join(body(first.letters("turn")[-1]).split())


def test_whose_turn_it_is_and_who_is_away_is_not_said_to_be_thinking(house: House, clock: time_machine.Traveller):
    table = begun(house)
    first, second = table.to_move(), next(p for p in table.players if p is not table.to_move())
    assert f"{first.name} is thinking." in second.see()
    announce(first, "06-01", "06-03")
    announce(first, "06-04", "06-05")
    page = second.see()
    assert f"{first.name} is away until 5 Jun." in page  # the days that follow on each other are one absence
    assert "is thinking" not in page


@pytest.mark.parametrize("reason", ["day off", "away"])
def test_nobody_is_written_to_on_a_day_off_or_away(
    mail_house: House, mail_server: MailServer, clock: time_machine.Traveller, reason: str
):
    with mail_house.lose():
        table = begun(mail_house, pace=PACES["day"])
        player = table.to_move()
        if reason == "day off":
            mail_house.execute("UPDATE person SET days_off = '[0]'")
        else:
            mail_house.execute(
                "INSERT INTO absence (person_id, first, last, announced_at)"
                " SELECT id, '2026-06-01', '2026-06-01', '2026-06-01' FROM person WHERE mail = :m",
                m=mail_of(player.name),
            )
    clock.shift(timedelta(minutes=1))
    timekeeper.sweep()
    (turn,) = mail_house.all(Letter, Letter.kind == "turn")
    tuesday = datetime(2026, 6, 2, 8, tzinfo=UTC)
    assert (turn.status, turn.due_at) == (LetterStatus.WAITING, tuesday)
    clock.move_to(tuesday)
    timekeeper.sweep()
    assert any("it is your turn" in news(m) for m in mail_server.to(player.mail))
