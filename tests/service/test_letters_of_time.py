"""The letters of time: each as text and as html, saying the same, with every moment in the reader's zone and in UTC."""

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest
import time_machine

from service.models import Policy
from service.play.clocks import Pace
from tests.play import House, Table, body, mail_of
from tests.service.test_desk import desk_of, rule
from workers import timekeeper

MORNING = datetime(2026, 6, 1, 21, 0, tzinfo=UTC)  # nine in Auckland
PACE = Pace(timedelta(hours=6), reserve=timedelta(hours=2), grace=timedelta(hours=1), round_the_clock=True)
MOMENT = re.compile(r"\w{3} \d+ \w{3}, \d\d:\d\d \(Auckland\), (?:\w{3} \d+ \w{3}, )?\d\d:\d\d UTC")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


@pytest.fixture
def table(house: House) -> Table:
    mika = ("Mika", mail_of("Mika"))
    with house.hold() as waiting:
        table = house.begun(["Aiko", "Bruno"], pace=PACE, policy=Policy.MODERATOR, moderator=mika, moderator_hours=5)
        house.execute("UPDATE person SET zone = 'Pacific/Auckland'")
    for task, args in waiting:
        house.run(task, *args)
    return table


def both_parts(message: EmailMessage) -> tuple[str, str]:
    """The words of both parts, which must say the same."""
    text = " ".join(body(message).split())
    page = " ".join(
        html.unescape(re.sub(r"<(style|title).*?</\1>|<[^>]+>", " ", body(message, "html"), flags=re.S)).split()
    )
    return text, page


def check(message: EmailMessage, *says: str, moment: bool = True, link: bool = True) -> None:
    for part in both_parts(message):
        for sentence in says:
            assert sentence in part
        assert bool(MOMENT.search(part)) == moment, part
        assert "{" not in part
        assert "None" not in part
    assert ("/l/" in body(message)) == link
    assert ("/l/" in body(message, "html")) == link


def sweep(clock: time_machine.Traveller, hours: float) -> None:
    clock.move_to(MORNING + timedelta(hours=hours))
    timekeeper.sweep()


def test_reminder_late_desk_and_missed(house: House, table: Table, clock: time_machine.Traveller):
    late = table.to_move()
    other = next(player for player in table.players if player is not late)
    sweep(clock, 4.1)
    (reminder,) = late.letters("reminder")
    check(reminder, "3 h 54 min left", "the game waits for you")
    sweep(clock, 8)
    (own,) = late.letters("late")
    check(own, "until")
    (told,) = other.letters("delay")
    check(told, late.name, "the moderator decides")
    sweep(clock, 9)
    (asked,) = house.letters(mail_of("Mika"), "out-of-time")
    check(asked, late.name)
    sweep(clock, 14.1)
    (missed,) = late.letters("missed")
    check(missed, "your time was up", "This was played", "ask Mika", moment=False)


def test_more_time_a_pause_and_a_rewind(house: House, clock: time_machine.Traveller):
    table, page = desk_of(house, pace=PACE)
    house.execute("UPDATE person SET zone = 'Pacific/Auckland'")
    player = table.to_move()
    rule(page, "extend", seat=player.no, hours=12)
    check(player.letters("extended")[0], "You have more time", "UTC (in 20 hours)")
    rule(page, "pause", days=2)
    check(player.letters("paused")[0], "The game is paused", "They are ill.", "UTC (in 2 days) at the latest")
    clock.shift(timedelta(hours=3))
    rule(page, "resume")
    check(player.letters("resumed")[0], "The game goes on", "It is your turn")
    table.to_move().play()
    rule(page, "rewind", version=0)
    check(player.letters("ruled")[-1], "This was decided", "withdrawn")  # and it is their turn
    rule(page, "end")
    check(player.letters("ended")[0], "The game was ended", "Decided by Mika")


def test_an_offer_and_a_farewell(house: House):
    table, page = desk_of(house, pace=PACE)
    player = table.to_move()
    rule(page, "substitute", seat=player.no, name="Emil", mail=mail_of("Emil"))
    (offer,) = house.letters(mail_of("Emil"), "offer")
    check(offer, f"Would you take over from {player.name}?", moment=False)
    other = next(p for p in table.players if p.no != player.no)
    rule(page, "bot", seat=other.no)
    check(other.letters("left")[0], "The bot plays your seat now", "Decided by Mika", moment=False, link=False)
