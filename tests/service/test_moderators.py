"""Who looks after a game: asked first, free to decline, several, handed over; and the group, where nobody does."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from service.models import Answer, Game, Jury, Letter, Moderator, Person, Policy, Ruling, Stage
from service.play.clocks import Pace
from service.post.told import in_words
from tests.play import House, Page, Table, body, link_in, mail_of
from tests.service.test_desk import rule
from tests.service.test_votes import answer, propose
from workers import timekeeper

MORNING = datetime(2026, 11, 17, 9, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), grace=timedelta(hours=1), round_the_clock=True)
TIME = {"zone": "Asia/Tokyo", "quiet-from": "23:00", "quiet-to": "06:00"}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


def run_out(clock: time_machine.Traveller, *hours: float) -> None:
    for hour in hours or (6, 7):
        clock.move_to(MORNING + timedelta(hours=hour))
        timekeeper.sweep()


def with_moderator(house: House) -> Table:
    """Made with the form; Mika is asked to look after it."""
    mika = {"jury": "outsider", "moderator-name": "Mika", "moderator-mail": mail_of("Mika")}
    return house.game(["Aiko", "Bruno"], **mika)


def asked(house: House, name: str, kind: str = "asked") -> Page:
    (*_, letter) = house.letters(mail_of(name), kind)
    return house.browser().get(link_in(letter))


def words(house: House, name: str, kind: str) -> str:
    (*_, letter) = house.letters(mail_of(name), kind)
    return " ".join(body(letter).split())


def everybody_accepts(table: Table) -> None:
    for player in table.players:
        if player.seat.status != "accepted":
            player.accept()


def test_a_moderator_is_asked_first_says_which_time_is_theirs_and_may_decline(house: House):
    table = with_moderator(house)
    page = asked(house, "Mika")
    assert page.browser.get(table.url("/desk")).status == 403
    assert table.url("/desk") not in page.browser.get(table.url("/watch")).html
    page.press("Yes, I will", **TIME)
    mika = house.one(Person, Person.mail == mail_of("Mika"))
    assert (mika.zone, str(mika.quiet_from)) == ("Asia/Tokyo", "23:00:00")
    everybody_accepts(table)
    assert len(house.letters(mail_of("Mika"), "moderator")) == 1
    assert page.browser.get(table.url("/desk")).status == 200


def test_that_somebody_declines_is_told_to_the_organiser_who_can_ask_another(house: House):
    table = with_moderator(house)
    asked(house, "Mika").press("No, thank you")
    assert "Mika does not look after the game." in words(house, "Aiko", "answered")
    page = table.organise()
    assert "Declined: Mika." in page
    page.press("Ask them", name="Nils", mail=mail_of("Nils"))
    asked(house, "Nils").press("Yes, I will", **TIME)
    assert [m.status for m in house.all(Moderator)] == [Answer.DECLINED, Answer.ACCEPTED]
    assert "looked after by Nils" in table.organise()


def test_who_is_asked_again_is_written_to_again_within_the_hour_too(one_house: House, clock: time_machine.Traveller):
    table = with_moderator(one_house)
    asked(one_house, "Mika").press("No, thank you")
    clock.shift(timedelta(minutes=5))
    table.organise().press("Ask them", name="Mika", mail=mail_of("Mika"))
    assert len(one_house.letters(mail_of("Mika"), "asked")) == 2
    for _ in range(2):
        clock.shift(timedelta(minutes=5))
        table.organise().press("Ask them to be the organiser", name="Nils", mail=mail_of("Nils"))
    assert len(one_house.letters(mail_of("Nils"), "hand-over")) == 2


def test_until_somebody_accepts_the_fallback_is_what_happens(house: House, clock: time_machine.Traveller):
    mika = ("Mika", mail_of("Mika"))
    table = house.begun(["Aiko", "Bruno"], pace=PACE, policy=Policy.MODERATOR, moderator=mika)
    house.execute("UPDATE moderator SET status = 'asked'")
    run_out(clock)
    assert table.game().version == 1
    assert in_words(house.one(Ruling).reason) == "There is nobody to decide."
    (letter, *_) = house.letters(kind="late")
    assert "the least committing play is made for you" in " ".join(body(letter).split())


def test_a_game_can_have_several_moderators_and_each_is_asked(house: House, clock: time_machine.Traveller):
    mika = ("Mika", mail_of("Mika"))
    table = house.begun(["Aiko", "Bruno"], pace=PACE, policy=Policy.MODERATOR, moderator=mika)
    rule(table.desk(), "moderator", name="Nils", mail=mail_of("Nils"))
    assert "Nils is asked to look after the game." in words(house, "Bruno", "ruled")
    asked(house, "Nils").press("Yes, I will", **TIME)
    assert "Nils looks after the game from now on." in words(house, "Bruno", "ruled")
    run_out(clock)
    for name in ("Mika", "Nils"):
        assert len(house.letters(mail_of(name), "out-of-time")) == 1


def test_a_moderator_hands_over_and_keeps_the_desk_until_the_other_accepts(house: House):
    table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))
    desk = table.desk()
    rule(desk, "moderator", name="Nils", mail=mail_of("Nils"), instead="yes")
    assert desk.browser.get(desk.url).status == 200
    page = asked(house, "Nils").press("Yes, I will", **TIME)
    assert page.status == 200
    assert "The moderator's desk" in page
    assert desk.browser.get(desk.url).status == 403
    assert "Nils looks after this game now. Your links to its desk do not work any more." in words(
        house, "Mika", "answered"
    )
    assert [m.status for m in house.all(Moderator)] == [Answer.ACCEPTED]


def test_the_organiser_hands_over_to_somebody_who_is_asked_first(house: House):
    table = house.game(["Aiko", "Bruno"])
    table.organise().press("Ask them to be the organiser", name="Olga", mail=mail_of("Olga"))
    assert "Olga is asked to be the organiser" in table.organise()
    asked(house, "Olga", "hand-over").press("No, thank you")
    assert "It is still you." in words(house, "Aiko", "answered")
    table.organise().press("Ask them to be the organiser", name="Pia", mail=mail_of("Pia"))
    page = asked(house, "Pia", "hand-over").press("Yes, I will", **TIME)
    assert "You are the organiser of this game now." in page
    assert table.organise().status == 403
    assert house.one(Person, Person.id == house.one(Game).organiser_id).name == "Pia"
    assert "Pia is the organiser of this game now." in words(house, "Aiko", "answered")


def test_a_seat_that_is_declined_is_told_to_the_moderator(house: House):
    table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))
    rule(table.desk(), "substitute", seat=1, name="Emil", mail=mail_of("Emil"))
    asked(house, "Emil", "offer").press("No, thank you")
    assert "Emil does not take over from Bruno." in words(house, "Mika", "answered")


def test_where_nobody_stands_above_the_table_all_others_are_asked_and_decide(
    house: House, clock: time_machine.Traveller
):
    table = house.begun(["Aiko", "Bruno", "Chidi"], pace=PACE, policy=Policy.MODERATOR, moderator_hours=5)
    assert (table.game().jury, house.all(Moderator)) == (Jury.GROUP, [])
    late = table.to_move()
    first, second = (player for player in table.players if player.name != late.name)
    run_out(clock)
    assert late.seat.stage is Stage.DESK
    assert late.letters("together") == []
    for player in (first, second):
        assert f"{late.name} is out of time: what now?" in words(house, player.name, "together")
        assert "Propose what happens" in player.follow_link()
    propose(first, "auto-pass", seat=late.no)
    assert table.game().version == 0
    assert "about your seat" in words(house, late.name, "proposed")
    answer(second, "I agree")
    assert table.game().version == 1
    missed = words(house, late.name, "missed")
    assert "your time was up" not in missed
    assert f"Proposed by {first.name} and agreed by all who were asked" in missed


def test_what_the_group_does_not_decide_the_fallback_does(house: House, clock: time_machine.Traveller):
    table = house.begun(["Aiko", "Bruno", "Chidi"], pace=PACE, policy=Policy.MODERATOR, moderator_hours=5)
    run_out(clock, 6, 7, 12.1)
    assert table.game().version == 1
    assert in_words(house.one(Ruling).reason) == "The players did not agree on anything in time."


def test_late_players_answer_closes_what_the_others_proposed(house: House, clock: time_machine.Traveller):
    table = house.begun(["Aiko", "Bruno", "Chidi"], pace=PACE, policy=Policy.MODERATOR, moderator_hours=5)
    late = table.to_move()
    first, second = (player for player in table.players if player.name != late.name)
    run_out(clock)
    propose(first, "bot", seat=late.no)
    late.play()
    assert table.game().proposals == 0
    assert "The game has moved on" in words(house, second.name, "dropped")
    assert not late.seat.bot


def test_a_turn_played_for_somebody_before_their_time_was_up_is_not_told_as_late_and_no_miss(house: House):
    table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))
    late = table.to_move()
    rule(table.desk(), "auto-pass", seat=late.no)
    missed = words(house, late.name, "missed")
    assert "your time was up" not in missed
    assert "They are ill." in missed
    assert "Decided by Mika" in missed
    (other,) = (player for player in table.players if player.name != late.name)
    assert "Decided by Mika" in words(house, other.name, "ruled")
    other.follow_link()
    log = other.browser.get(table.url("/log"))
    assert "Decided by Mika: Tue 17 Nov" in log
    assert (late.seat.misses, late.seat.missed) == (0, 0)
    assert "You can be excused" not in missed


@pytest.mark.parametrize("kind", ["moderator", "out-of-time", "asked", "offer", "organiser"])
def test_a_letter_says_truly_what_its_link_is_a_key_to(house: House, clock: time_machine.Traveller, kind: str):
    with_moderator(house)
    mika = ("Mika", mail_of("Mika"))
    table = house.begun(["Aiko", "Bruno"], pace=PACE, policy=Policy.MODERATOR, moderator=mika)
    rule(table.desk(), "substitute", seat=1, name="Emil", mail=mail_of("Emil"))
    run_out(clock)
    (letter, *_) = house.letters(kind=kind)
    assert "plays as you" not in body(letter)
    assert "Keep this letter to yourself: whoever has a link from it acts as you." in " ".join(body(letter).split())


def test_a_moderator_who_plays_is_not_told_that_the_moderator_decides(one_house: House, clock: time_machine.Traveller):
    table = one_house.begun(["Aiko", "Bruno", "Chidi"], pace=PACE, policy=Policy.MODERATOR, jury=Jury.PLAYER,
                            moderator=("Aiko", mail_of("Aiko")))  # fmt: skip
    while table.to_move().name == "Aiko":
        table.rush(1)
    run_out(clock, 6)
    assert "After that, you decide at the desk." in words(one_house, "Aiko", "delay")
    other = next(player.name for player in table.players if player.name not in ("Aiko", table.to_move().name))
    assert "After that, the moderator decides." in words(one_house, other, "delay")


def test_a_moderators_table_leads_to_the_desk(house: House):
    table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))
    desk = table.desk()
    assert table.url("/desk") in desk.browser.get(table.url("/watch")).html
    assert table.url("/desk") not in table.player("Aiko").follow_link().html


def test_the_operator_gets_a_link_without_ever_having_played(house: House):
    house.begun(["Aiko", "Bruno"])
    house.settings = replace(house.settings, operator="Op <op@house.example>")
    house.app.extensions["hikyaku"] = house.settings
    house.browser().get("/links").press("Mail me my links", mail="op@house.example")
    (letter,) = house.letters("op@house.example", "links")
    page = house.browser().get(link_in(letter))
    assert page.url.endswith("/desk")
    assert page.status == 200
    house.browser().get("/links").press("Mail me my links", mail="nobody@house.example")
    assert house.all(Person, Person.mail == "nobody@house.example") == []
    assert house.all(Letter, Letter.kind == "links")[0].person_id
