"""A player who leaves a game that is under way: asked once more, told to all, played for, and taken over from."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from service.models import Game, GameStatus, Move, Person, Policy, Ruling, Tenure
from service.post.told import in_words
from tests.play import House, Page, Player, Table, body, link_in, mail_of, news, take_seat


def flat(letter) -> str:
    return " ".join(body(letter).split())


@pytest.fixture
def table(house: House) -> Table:
    table = house.begun(["Aiko", "Bruno", "Chidi"], policy=Policy.PASS)
    for player in table.players:
        player.follow_link()
    return table


def leave(player: Player) -> Page:
    page = player.browser.get(player.url("/leave"))
    assert "Leave the game?" in page
    return page.press("Leave the game for good")


def test_leaving_asks_once_more_and_shuts_the_seat(table: Table):
    player = table.to_move()
    url = player.url()
    assert "/leave" in player.see().html
    before = table.house.dump("heartbeat")
    player.browser.get(player.url("/leave"))
    assert table.house.dump("heartbeat") == before
    assert "You have left the game" in leave(player)
    assert player.browser.get(url).status == 403
    assert player.seat.resigned_at is not None
    assert player.seat.person_id is None


def test_an_empty_seat_is_played_at_once_by_the_games_policy_and_nobody_waits(table: Table):
    player = table.to_move()
    no = player.no
    leave(player)
    played = table.house.all(Move, Move.seat_no == no)
    assert [move.decided_by for move in played] == ["nobody"]
    table.rush(6)
    assert {move.decided_by for move in table.house.all(Move, Move.seat_no == no)} == {"nobody"}
    assert all(seat.asked is None for seat in table.seats() if seat.no == no)
    assert len(player.letters("turn")) == 1  # the one before they left


def test_the_others_are_told_and_whoever_can_name_somebody_is_led_to_where(table: Table):
    player = next(p for p in table.players if p.name != "Aiko")
    other = next(p for p in table.players if p.name not in ("Aiko", player.name))
    leave(player)
    (told,) = other.letters("resigned")
    assert f"{player.name} has left the game. Until somebody takes over" in flat(told)
    assert "the least committing play is made" in flat(told)
    assert other.letters("vacant") == []
    (asked,) = table.house.letters(mail_of("Aiko"), "vacant")
    assert table.player("Aiko").letters("resigned") == []
    assert table.house.browser().get(link_in(asked)).url.endswith("/organise")
    assert "has left; the seat is free" in other.see()
    log = other.browser.get(table.url("/log"))
    assert f"{player.name} has left the game." in log


def test_the_organiser_names_a_substitute_who_looks_first_and_takes_the_seat(table: Table):
    house = table.house
    player = next(p for p in table.players if p.name != "Aiko")
    leave(player)
    organiser = house.browser().get(link_in(house.letters(mail_of("Aiko"), "vacant")[0]))
    again = organiser.press("Ask them to take over", name="Bo", mail=mail_of("Aiko"))
    assert "has a seat at the table already" in again
    assert "Dana is asked to take over." in again.press("Ask them to take over", name="Dana", mail=mail_of("Dana"))
    offer = house.browser().get(link_in(house.letters(mail_of("Dana"), "offer")[0]))
    assert f"would you take over from {player.name}?" in offer
    assert "The seat is yours, Dana." in take_seat(offer)
    (seat,) = (seat for seat in table.seats() if seat.name == "Dana")
    assert (seat.resigned_at, seat.bot) == (None, False)
    holders = [tenure.person_id for tenure in house.all(Tenure, Tenure.seat_id == seat.id)]
    assert holders == [holders[0], None, seat.person_id]


def test_who_declined_a_seat_can_be_asked_again_at_once(one_house: House):
    table = one_house.begun(["Aiko", "Bruno", "Chidi"])
    table.player("Bruno").follow_link()
    leave(table.player("Bruno"))
    organiser = one_house.browser().get(link_in(one_house.letters(mail_of("Aiko"), "vacant")[0]))
    for times in (1, 2):
        with time_machine.travel(datetime.now(UTC) + timedelta(minutes=times)):
            organiser.press("Ask them to take over", name="Dana", mail=mail_of("Dana"))
        offers = one_house.letters(mail_of("Dana"), "offer")
        assert len(offers) == times
        one_house.browser().get(link_in(offers[-1])).press("No, thank you")


def test_where_nobody_but_bots_would_be_left_the_game_ends_without_a_result_and_says_so(house: House):
    table = house.begun(["Aiko", "Bot*"])
    aiko = table.player("Aiko")
    aiko.follow_link()
    assert "the game ends without a result" in aiko.browser.get(aiko.url("/leave"))
    assert "You have left, and so the game has ended without a result." in leave(aiko)
    game = house.one(Game)
    assert (game.status, game.result) == (GameStatus.FINISHED, None)
    ruling = house.one(Ruling)
    assert in_words(ruling.reason) == "Aiko was the last person at the table, and has left."
    (letter,) = aiko.letters("ended")
    assert "You were the last person at the table, and have left. Decided by you" in flat(letter)
    result = aiko.browser.get(table.url("/result"))
    assert "Ended without a result" in result
    assert "Everybody has left the game." in result
    assert "ruling" not in result


def test_who_organises_and_leaves_reads_of_themselves_as_you(one_house: House):
    table = one_house.begun(["Aiko", "Bruno", "Chidi"], moderator=("Aiko", mail_of("Aiko")))
    aiko = table.player("Aiko")
    aiko.follow_link()
    leave(aiko)
    (letter,) = aiko.letters("vacant")
    assert news(letter) == "A seat is empty"
    for kind in ("plain", "html"):
        words = " ".join(body(letter, kind).split())
        assert "You have left the game. Until somebody takes over your seat" in words
        assert "Aiko has left" not in words
    organiser = one_house.browser().get(link_in(letter))
    assert organiser.url.endswith("/organise")
    for page in (organiser, table.desk()):
        assert "Aiko your seat: you have left the game, and it is free" in page
    table.player("Bruno").follow_link()
    leave(table.player("Bruno"))
    assert "Bruno has left the game; the seat is free" in organiser.browser.get(organiser.url)
    assert "Bruno has left the game. Until somebody" in flat(aiko.letters("vacant")[-1])


def test_the_last_but_one_who_leaves_is_not_kept_waiting_for(table: Table):
    leave(table.player("Bruno"))
    leave(table.player("Chidi"))
    leave(table.player("Aiko"))
    assert table.game().status is GameStatus.FINISHED
    assert table.game().result is None


def test_who_takes_over_is_asked_for_name_zone_hours_and_letters_like_everybody_else(table: Table):
    house = table.house
    leave(table.player("Bruno"))
    organiser = house.browser().get(link_in(house.letters(mail_of("Aiko"), "vacant")[0]))
    organiser.press("Ask them to take over", name="Dana", mail=mail_of("Dana"))
    offer = house.browser().get(link_in(house.letters(mail_of("Dana"), "offer")[0]))
    wrong = take_seat(offer, name="", zone="Mars/Olympus")
    assert wrong.status == 400
    assert "Please give a name." in wrong
    assert "time zone is not known" in wrong
    said = {"zone": "Asia/Tokyo", "quiet-from": "23:00", "quiet-to": "07:30"}
    page = take_seat(offer, name="Dana D.", **said)
    assert "The seat is yours, Dana D." in page
    person = house.one(Person, Person.mail == mail_of("Dana"))
    assert (person.name, person.zone, str(person.quiet_from), str(person.quiet_to)) == (
        "Dana D.", "Asia/Tokyo", "23:00:00", "07:30:00",
    )  # fmt: skip
    assert "Dana D." in [seat.name for seat in table.seats()]
