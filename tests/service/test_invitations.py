"""From the form to the first turn: invitations, answers, and what an organiser can do about those who are missing."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import time_machine

from service.models import Game, GameStatus, Letter, Person, Seat, SeatStatus, Tenure
from tests.play import House, Page, Player, at_once, body, link_in, mail_of, news


def test_everybody_invited_gets_one_letter_and_the_organiser_a_link_to_a_page_of_their_own(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"], name="Thursday crew")
    for player in table.players[1:]:
        (letter,) = player.letters("invitation")
        assert str(letter["Subject"]) == "You are invited to a game of Traders of Osaka"
        assert "28 hours of your waking time" in " ".join(body(letter).split())
    assert "answers are missing: Bruno and Chidi" in house.browser().get(
        link_in(house.letters(mail_of("Aiko"), "organiser")[0])
    )
    assert "2 answers are missing" in table.organise()


def test_an_answer_sets_name_zone_and_letters(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    page = table.player("Bruno").follow_link()
    assert "Aiko invites you" in page
    page.press("accept", name="Bruno B.", zone="America/New_York")
    person = house.one(Person, Person.mail == mail_of("Bruno"))
    assert (person.name, person.zone) == ("Bruno B.", "America/New_York")
    assert (person.turn_letters, person.news_letters) == (True, True)
    assert [seat.name for seat in table.seats()] == ["Aiko", "Bruno B.", "Chidi"]
    assert "One answer is missing: Chidi." in table.organise()


def test_the_game_begins_when_the_last_one_accepts_and_everybody_is_told_once(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    table.player("Chidi").accept()
    table.player("Aiko").accept()
    assert table.game().status is GameStatus.INVITED
    assert "You are in. We wait for Bruno" in table.player("Aiko").follow_link()
    page = table.player("Bruno").accept()
    assert "The game has begun!" in page
    assert table.game().status is GameStatus.RUNNING
    for player in table.players:
        told = player.letters("turn") + player.letters("started")
        assert len(told) == 1
    assert len(house.all(Tenure)) == 3
    assert "The game is under way" in table.organise()


@pytest.mark.both_databases
def test_accepting_twice_and_all_at_once_begins_the_game_once(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    requests = [(p.follow_link().browser, p.follow_link().request("accept")) for p in table.players[1:]]
    doubled = [(browser.twin(), request) for browser, request in requests for _ in range(2)]
    answers = at_once([partial(b.post, *r) for b, r in doubled])
    assert {answer.status for answer in answers} == {200}
    assert table.game().status is GameStatus.RUNNING
    assert len(house.all(Tenure)) == 3
    assert len(house.all(Letter, Letter.kind == "turn")) == 1


def test_a_refusal_is_told_to_the_organiser_and_can_be_taken_back(house: House):
    table = house.game(["Aiko", "Bruno"])
    bruno = table.player("Bruno")
    assert "Your seat is free again. The organiser is told." in bruno.decline()
    (letter,) = house.letters(mail_of("Aiko"), "declined")
    assert news(letter) == "Bruno has declined"
    assert "declined" in house.browser().get(link_in(letter))
    bruno.accept()
    table.player("Aiko").accept()
    assert table.game().status is GameStatus.RUNNING


def test_an_invitation_that_is_sent_again_goes_out_again_and_a_limit_is_told(house: House):
    table = house.game(["Aiko", "Bruno"])
    bruno = table.player("Bruno")

    def again(minutes: int) -> Page:
        with time_machine.travel(began + timedelta(minutes=minutes), tick=False):
            return table.organise().press("Send the invitation again", seat="1")

    began = datetime.now(UTC)
    assert "has just gone out" in again(1)
    assert len(bruno.letters("invitation")) == 1
    for count, minutes in enumerate((6, 12, 18), 2):
        assert "The invitation to Bruno goes out again." in again(minutes)
        assert len(bruno.letters("invitation")) == count
    assert "4 invitations to Bruno went out since yesterday" in again(24)
    assert len(bruno.letters("invitation")) == 4
    assert "goes out again" in again(25 * 60)
    found = {link_in(letter) for letter in bruno.letters("invitation")}
    assert len(found) == 5
    assert {house.browser().get(link).status for link in found} == {200}


def test_a_replaced_players_link_is_dead_and_the_new_one_is_invited(house: House):
    table = house.game(["Aiko", "Bruno"])
    old = table.player("Bruno").link()
    browser = table.player("Bruno").follow_link().browser
    page = table.organise().press("Invite them instead", seat="1", name="Dana", mail=mail_of("Dana"))
    assert "The seat is now for Dana." in page
    assert house.browser().get(old).status == 403
    assert browser.get(table.url("/seat/1/invitation")).status == 403
    (letter,) = house.letters(mail_of("Dana"), "invitation")
    house.browser().get(link_in(letter)).press("accept")
    table.player("Aiko").accept()
    assert table.game().status is GameStatus.RUNNING
    assert [seat.name for seat in table.seats()] == ["Aiko", "Dana"]


def test_a_letter_that_was_waiting_for_a_replaced_player_is_not_sent(house: House):
    with house.hold() as waiting:
        table = house.game(["Aiko", "Bruno"])
        held = list(waiting)
    table.organise().press("Invite them instead", seat="1", name="Dana", mail=mail_of("Dana"))
    for task, args in held:
        house.run(task, *args)
    assert table.player("Bruno").letters() == []


def test_bots_can_take_the_seats_of_those_who_are_missing(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    table.organise().press("bot", seat="1", name="")
    assert table.seats()[1].bot
    table.organise().press("bot", seat="2", name="")
    assert table.game().status is GameStatus.RUNNING


def test_one_address_cannot_hold_two_seats(house: House):
    table = house.game(["Aiko", "Bruno"])
    page = table.organise().press("Invite them instead", seat="1", name="Me too", mail=mail_of("Aiko"))
    assert "another seat at the table" in page
    assert table.seats()[1].name == "Bruno"


def test_starting_with_fewer_leaves_the_others_out_and_numbers_the_seats_anew(house: House):
    table = house.game(
        ["Aiko", "Bruno", "Chidi"], playing="", **{"seat-3-name": "Dana", "seat-3-mail": mail_of("Dana")}
    )
    table.players = [*table.players, Player(table, "Dana")]
    table.player("Bruno").accept()
    assert "Start with those" not in table.organise()
    late = table.player("Dana").link()
    table.player("Chidi").accept()
    page = table.organise().press("Start with those who accepted")
    assert "begun with those who accepted" in page
    assert [(seat.no, seat.name) for seat in table.seats()] == [(0, "Bruno"), (1, "Chidi")]
    assert house.browser().get(late).status == 403
    (told,) = house.letters(mail_of("Dana"), "without")
    assert "begun without you" in body(told)
    assert table.to_move().play().status == 200


def test_whoever_declined_is_not_told_that_a_game_did_not_wait_for_their_answer(one_house: House):
    table = one_house.game(["Aiko", "Bruno", "Chidi"])
    table.player("Chidi").decline()
    table.player("Bruno").accept()
    page = table.player("Bruno").follow_link()
    assert "You are in. Chidi has declined; the seat waits for somebody else. We write to you when" in page
    table.organise().press("Start with those who accepted")
    assert table.game().status is GameStatus.RUNNING
    assert one_house.letters(mail_of("Chidi"), "without") == []


def test_who_had_accepted_and_is_replaced_is_told_by_whom_each_time(one_house: House):
    table = one_house.game(["Aiko", "Bruno", "Chidi"])
    bruno = table.player("Bruno")
    for times in (1, 2):
        bruno.accept()
        with time_machine.travel(datetime.now(UTC) + timedelta(minutes=times)):
            table.organise().press("Invite them instead", seat="1", name="Emil", mail=mail_of("Emil"), sure="on")
            table.organise().press("Invite them instead", seat="1", name="Bruno", mail=mail_of("Bruno"))
        told = bruno.letters("left")
        assert len(told) == times
        assert "Aiko has given your seat to somebody else before the game began." in " ".join(body(told[-1]).split())


@pytest.mark.parametrize(("pace", "weeks"), [("two-days", True), ("evening", False)])
def test_an_invitation_to_one_evening_does_not_speak_of_weeks(one_house: House, pace: str, weeks: bool):
    table = one_house.game(["Aiko", "Bruno"], pace=pace)
    (letter,) = table.player("Bruno").letters("invitation")
    for kind in ("plain", "html"):
        assert ("over days or weeks" in " ".join(body(letter, kind).split())) is weeks


def test_calling_off_tells_everybody_who_has_not_declined(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    table.player("Bruno").accept()
    table.player("Chidi").decline()
    table.organise().press("Call the game off")
    assert table.game().status is GameStatus.CANCELLED
    assert len(house.letters(mail_of("Aiko"), "cancelled")) == 1
    assert len(house.letters(mail_of("Bruno"), "cancelled")) == 1
    assert house.letters(mail_of("Chidi"), "cancelled") == []
    assert "called this game off" in table.player("Aiko").browser.get(table.player("Bruno").link())
    assert "called off" in table.organise()


def test_once_begun_seats_and_game_cannot_be_changed_by_the_organiser(house: House):
    table = house.game(["Aiko", "Bruno"])
    page = table.organise()
    requests = [
        page.request("Call the game off"),
        page.request("Invite them instead", seat="1", name="X", mail="x@y.example"),
    ]
    for player in table.players:
        player.accept()
    before = house.dump()
    for request in requests:
        assert "has begun or was called off" in table.organiser.post(*request)
    assert house.dump() == before


def test_declining_when_the_game_has_begun_changes_nothing(house: House):
    table = house.game(["Aiko", "Bruno"])
    request = table.player("Bruno").follow_link().request("decline")
    for player in table.players:
        player.accept()
    page = table.player("Bruno").browser.post(*request)
    assert "has begun" in page
    assert {seat.status for seat in house.all(Seat)} == {SeatStatus.ACCEPTED}


def test_a_person_is_never_renamed_by_somebody_elses_form(house: House):
    house.game(["Aiko", "Bruno"])
    form = {"organiser-name": "Eve", "organiser-mail": "eve@players.example", "playing": "on"}
    form |= {"seat-1-name": "Silly", "seat-1-mail": mail_of("Aiko").upper()}
    assert house.browser().get("/new").press("Invite the players", **form).status == 200
    assert house.one(Person, Person.mail == mail_of("Aiko")).name == "Aiko"


@pytest.mark.both_databases
def test_two_games_made_at_once_with_the_same_new_address_know_one_person(house: House):
    def make(at: int):
        browser = house.browser()
        form = {"organiser-name": "Aiko", "organiser-mail": f"aiko{at}@players.example", "playing": "on"}
        form |= {"seat-1-name": "Bruno", "seat-1-mail": mail_of("Bruno")}
        page = browser.get("/new")
        return browser, page.request("Invite the players", **form)

    ready = [make(at) for at in range(4)]
    answers = at_once([partial(b.post, *r) for b, r in ready])
    assert [answer.status for answer in answers] == [200] * 4
    assert len(house.all(Person, Person.mail == mail_of("Bruno"))) == 1


@pytest.mark.both_databases
def test_the_form_of_a_new_game_sent_twice_makes_one_game(house: House):
    """Without a script nothing greys the button out; and both clicks may arrive at once."""
    page = house.browser().get("/new?kind=osaka")
    form = {"organiser-name": "Aiko", "organiser-mail": mail_of("Aiko"), "playing": "on"}
    form |= {"seat-1-name": "Bruno", "seat-1-mail": mail_of("Bruno")}
    url, data = page.request("Invite the players", **form)
    windows = [page.browser.twin() for _ in range(2)]
    landed = at_once([partial(window.post, url, data) for window in windows])
    landed.append(page.browser.post(url, data))
    (game,) = house.all(Game)
    assert {page.url for page in landed} == {f"/g/{game.public_id}/organise"}
    assert {page.status for page in landed} == {200}
    assert len(house.all(Letter, Letter.kind == "invitation")) == 1


def test_who_had_accepted_can_withdraw_and_the_organiser_is_told_each_time(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    bruno = table.player("Bruno")
    for minutes in (1, 2):
        bruno.accept()
        with time_machine.travel(datetime.now(UTC) + timedelta(minutes=minutes)):
            page = bruno.follow_link().press("Withdraw from this game")
        assert "The organiser is told." in page
        assert bruno.seat.status is SeatStatus.DECLINED
    first, second = house.letters(mail_of("Aiko"), "declined")
    for letter in (first, second):
        assert "Bruno had accepted, and has withdrawn" in body(letter)
    table.player("Chidi").accept()
    assert table.game().status is GameStatus.INVITED


def test_replacing_somebody_who_has_accepted_must_be_confirmed_and_is_told_to_them(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    table.player("Bruno").accept()
    instead = {"seat": "1", "name": "Dana", "mail": mail_of("Dana")}
    form = next(form for form in table.organise().forms if form.fields.get("seat") == "1" and "name" in form.fields)
    page = table.organiser.post(form.action, form.fields | instead | {"who": "person"})
    assert "Bruno has accepted. Please confirm" in page
    assert table.seats()[1].name == "Bruno"
    assert house.letters(mail_of("Bruno"), "left") == []
    page = table.organiser.post(form.action, form.fields | instead | {"who": "person", "sure": "on"})
    assert "The seat is now for Dana." in page
    (told,) = house.letters(mail_of("Bruno"), "left")
    assert "Your seat is with somebody else now" in body(told)
    assert len(house.letters(mail_of("Dana"), "invitation")) == 1


def test_what_cannot_be_taken_back_asks_once_more(one_house: House):
    table = one_house.game(["Aiko", "Bruno", "Chidi"])
    table.player("Bruno").accept()
    begun = one_house.begun(["Dana", "Emil"])
    settings = begun.player("Dana").follow_link().browser.get(begun.player("Dana").url("/settings"))
    settings = settings.press("Make a calendar address")
    table.organise().press("Make a link for spectators")
    for page, button in (
        (table.organise(), "Call the game off for good"),
        (table.organise(), "Start with those who accepted, now"),
        (table.player("Bruno").follow_link(), "Withdraw from this game"),
        (settings, "Void my links"),
        (settings, "Void the old address and make a new one"),
        (table.organise(), "Void the old link and make a new one"),
    ):
        assert page.form_with(button)
        unfolded = re.sub(r"<details.*?</details>", "", page.html, flags=re.DOTALL)
        assert button not in unfolded, button


def test_an_organiser_sees_with_each_address_when_it_was_last_written_to_and_nothing_where_it_was_not(one_house: House):
    table = one_house.begun(["Aiko", "Bruno", "Chidi"])
    table.rush(7)  # letters that were not needed any more
    page = table.follow_organisers_link()
    seats = re.findall(r"(\S+@players\.example)(.*?)</small>", page.html, flags=re.DOTALL)
    said = {mail: " ".join(rest.split()) for mail, rest in seats}
    assert said[mail_of("Bruno")].startswith("· written to, ")
    assert said[mail_of("Aiko")] == said[mail_of("Chidi")] == ""
