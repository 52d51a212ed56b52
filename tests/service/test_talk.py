"""Talk at the table: who says what to whom, who hears it, and what letters bring of it. What is said to one alone is
heard by those two and by nobody else, wherever it could come out; and nothing that is said does anything else."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import lxml.html
import pytest
import time_machine

from service.db import db, utcnow
from service.models import Draft, Game, Jury, Letter, LetterStatus, Person, Remark, Ruling, Seat
from service.play import forgetting, hearing, holders, reading
from service.post import links, outbox
from tests.play import Browser, House, Page, Player, Table, body, mail_of, mint
from workers import adjudicator, doctor, timekeeper

START = "2026-06-01T12:00:00+00:00"
SECRET = "Let us corner the tea"


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def table(house: House, clock: time_machine.Traveller) -> Table:
    return house.begun(["Aiko", "Bruno"])


@pytest.fixture
def three(one_house: House, clock: time_machine.Traveller) -> Table:
    """Three who may talk to one alone, and somebody who looks after the game."""
    return one_house.begun(["Aiko", "Bruno", "Chidi"], whispers=True, moderator=("Mika", mail_of("Mika")))


def say(player: Player, text: str, to: str = "all") -> Page:
    whom = f"{player.table.player(to).no}:{to}" if to in {p.name for p in player.table.players} else to
    return player.see().press("Say", text=text, to=whom)


def others(table: Table, player: Player) -> Player:
    return next(other for other in table.players if other is not player)


def later(clock: time_machine.Traveller, **span: float) -> None:
    clock.shift(timedelta(**span))
    timekeeper.sweep()


def watching(table: Table) -> Browser:
    browser = table.house.browser()
    browser.get(mint(table.house, links.mint_watch, table.game()))
    return browser


def in_gallery(browser: Browser, table: Table, text: str, called: str = "Zora") -> Page:
    return browser.get(table.url("/watch")).press("Say", text=text, called=called)


def hide(desk: Page, reason: str) -> Page:
    return desk.press("Hide it from everybody", reason=reason)


# --- to all


def test_however_much_is_said_a_table_shows_the_last_of_it_and_leads_to_all_of_it(table: Table):
    first, text = table.to_move(), "A long story about a ship in the storm. " * 20
    with db.writing() as session:
        for n in range(8):
            remark = Remark(
                game_id=table.game().id, person_id=first.seat.person_id, version=0, text=f"Part {n}. {text}"
            )
            session.add(remark)
    page = first.see()
    assert "Part 7." in page.text
    assert "Part 6." not in page.text
    story = page.browser.get(table.url("/log"))
    assert all(f"Part {n}." in story.text for n in range(8))
    say(first, "Short")
    assert "Part 7." in first.see().text


def test_what_is_said_stands_in_the_story_of_everybody_who_plays_and_of_no_spectator(table: Table):
    first = table.to_move()
    assert "Well met, all!" in say(first, "Well met, all!")
    assert f"{first.name}: Well met, all!" in others(table, first).see()
    spectator = watching(table)
    assert "Well met" not in spectator.get(table.url("/watch"))
    assert "Well met" not in spectator.get(table.url("/log"))
    assert "Well met, all!" in first.browser.get(table.url("/log"))


def test_it_travels_in_the_next_letter_that_goes_out_anyway_and_once(table: Table, clock: time_machine.Traveller):
    first = table.to_move()
    second = others(table, first)
    clock.shift(timedelta(minutes=1))
    say(first, "Mind the tea.\nsend")
    written = len(second.letters())
    later(clock, minutes=11)
    assert len(second.letters()) == written  # it is no letter of its own
    first.play()
    later(clock, minutes=11)
    letter = second.letters("turn")[-1]
    assert f"{first.name} said:" in body(letter)
    quoted = [line for line in body(letter).splitlines() if line.startswith(">")]
    assert quoted == ["> Mind the tea.", "> send"]  # so it never reads like an answer to the letter
    assert "Mind the tea." in body(letter, "html")
    assert "Mind the tea." not in body(first.letters()[-1])
    second.play()
    first.play()
    later(clock, minutes=11)
    assert "Mind the tea." not in body(second.letters("turn")[-1])


def test_it_can_be_taken_back_for_ten_minutes_and_only_by_who_said_it(table: Table, clock: time_machine.Traveller):
    first = table.to_move()
    say(first, "Oops")
    remark = table.house.one(Remark)
    second = others(table, first)
    assert "Take it back" not in second.see()
    url, data = first.see().request("Take it back")
    second.browser.post(second.url("/unsay"), second.see().request("Say")[1] | {"remark": str(remark.id)})
    assert table.house.one(Remark)
    clock.shift(timedelta(minutes=9))
    assert "Oops" not in first.browser.post(url, data)
    assert not table.house.all(Remark)
    url, data = say(first, "It stays").request("Take it back")
    clock.shift(timedelta(minutes=11))
    assert "too long ago" in first.browser.post(url, data)
    assert "It stays" in second.see()


def test_nothing_and_too_much_is_refused_with_the_reason_and_what_was_written(table: Table):
    assert "Please write something first." in say(table.to_move(), " \u202e ")
    page = say(table.to_move(), "x" * 1001)
    assert page.status == 400
    assert "This is 1001 characters long; 1000 is the most." in page
    assert "x" * 1001 in page.html
    assert not table.house.all(Remark)


def test_it_is_plain_text_and_the_same_words_twice_at_once_are_said_once(table: Table):
    player = table.to_move()
    page = player.see()
    for _ in range(2):
        shown = page.press("Say", text="<b>https://x.example</b>\u202e")
    assert "&lt;b&gt;https://x.example&lt;/b&gt;" in shown.html
    assert [remark.text for remark in table.house.all(Remark)] == ["<b>https://x.example</b>"]


def test_tidy_keeps_signs_that_are_joined_empty_lines_few_and_no_heaps_of_marks():
    assert reading.tidy("Vie\u0323\u0302t Z" + "\u0301" * 40 + "algo") == "Vie\u0323\u0302t Z" + "\u0301" * 5 + "algo"
    assert reading.tidy(" a\ta \r\n\n\n\n b\0 👩‍🚀 ") == "a a\n\nb 👩‍🚀"


# --- to one alone


def everywhere(table: Table, browser: Browser, seat: int | None = None) -> str:
    """All that a browser is shown of the game, and what the pages fetch by themselves."""
    whose = f"?seat={seat}" if seat is not None else ""
    places = ["", "/watch", f"/log{whose}", f"/replay{whose}", f"/text{whose}", "/board/0", "/desk", "/export.json"]
    places += [f"/seat/{seat}", f"/seat/{seat}/settings", f"/seat/{seat}/notes"] if seat is not None else []
    return "".join(browser.get(table.url(place)).html for place in places)


def letters_to(house: House, name: str) -> str:
    found = house.letters(mail_of(name))
    return "".join(str(letter["Subject"]) + body(letter) + body(letter, "html") for letter in found)


def file_of(player: Player) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(player.browser.get(f"/my/data/{player.seat.person_id}/file").html)
    return found


def test_what_is_said_to_one_alone_reaches_those_two_and_nobody_else_by_any_way_not_even_after_the_end(
    three: Table, clock: time_machine.Traveller
):
    house, (aiko, bruno, chidi) = three.house, three.players
    clock.shift(timedelta(minutes=1))
    assert f"Aiko to Bruno alone: {SECRET}" in say(aiko, SECRET, "Bruno")
    assert f"Aiko to you alone: {SECRET}" in bruno.see()
    desk, spectator = house.browser(), watching(three)
    desk.get(three.desk_link())
    organiser = house.browser()
    organiser.get(mint(house, links.mint_organiser, three.game()))
    chidi.see()

    def nobody_else_knows() -> None:
        later(clock, hours=20)
        assert SECRET in letters_to(house, "Bruno")
        assert "“tell Aiko:” and your words. To answer to all" in " ".join(letters_to(house, "Bruno").split())
        for name in ("Aiko", "Chidi", "Mika"):
            assert SECRET not in letters_to(house, name), name
        assert SECRET not in everywhere(three, chidi.browser, chidi.no)
        for browser in (desk, spectator, organiser):
            assert SECRET not in everywhere(three, browser)
        assert SECRET in json.dumps(file_of(aiko)["said"])
        for other in (bruno, chidi):
            assert SECRET not in json.dumps({**file_of(other), "letters": []})
        assert SECRET not in json.dumps(file_of(chidi))
        pulses = {browser: json.loads(browser.get(three.url("/pulse")).html)["said"] for browser in (desk, spectator)}
        assert set(pulses.values()) == {0}
        assert json.loads(chidi.browser.get(three.url("/pulse")).html)["said"] == 0
        assert json.loads(bruno.browser.get(three.url("/pulse")).html)["said"] > 0

    nobody_else_knows()
    three.rush()
    nobody_else_knows()
    assert SECRET in bruno.browser.get(three.url("/log?page=0"))
    assert SECRET not in json.dumps(bruno.browser.get(three.url("/export.json")).html)
    for ruling in house.all(Ruling):
        assert SECRET not in json.dumps([ruling.reason, ruling.effect])


def test_neither_calendar_nor_preview_nor_picture_nor_the_doctor_knows_of_talk_or_notes(three: Table, pictures: None):
    """Not of anybody's, also not those of the two who heard it: their addresses are passed on."""
    house, (aiko, bruno, _) = three.house, three.players
    crawler = house.app.test_client(use_cookies=False)
    door = mint(house, links.mint_watch, three.game())
    people = [house.one(Person, Person.id == player.seat.person_id) for player in three.players]
    calendars = [f"/c/{mint(house, links.mint_calendar, person)[3:]}.ics" for person in people]

    def shown() -> list[bytes]:
        answers = [crawler.get(place) for place in (door, f"{door}/board.png", *calendars)]
        assert [answer.status_code for answer in answers] == [200] * 5
        return [answer.data for answer in answers]

    before = shown()
    say(aiko, SECRET, "Bruno")
    bruno.see().press("Keep it", text=SECRET)
    house.execute("UPDATE letter SET status = 'failed', error = 'no words', subject = '' WHERE kind = 'said'")
    assert shown() == before
    told = "".join(f"{finding.name} {finding.text}" for finding in doctor.examine(house.settings))
    assert "(said, to Bruno)" in told  # which letter could not be written
    assert SECRET not in told


def test_whoever_takes_over_a_seat_hears_nothing_that_was_for_whoever_sat_there_before(three: Table):
    aiko, bruno, _ = three.players
    say(aiko, SECRET, "Bruno")
    say(bruno, "Please do not tell Mika", "desk")
    page = bruno.see()
    with db.writing() as session:
        carla = Person(mail=mail_of("Carla"), given="Carla", confirmed_at=utcnow())
        session.add(carla)
        session.flush()
        seat = session.get_one(Seat, bruno.seat.id)
        holders.take_over(session, session.get_one(Game, seat.game_id), seat, carla)
    browser = three.house.browser()
    browser.get(mint(three.house, links.mint_seat, three.seats()[1]))
    seen = everywhere(three, browser, 1)
    assert SECRET not in seen
    assert "Please do not tell Mika" not in seen
    assert page.press("Say", text="x", to="all").status == 403
    stale = aiko.browser.post(aiko.url("/say"), aiko.see().request("Say")[1] | {"text": SECRET, "to": "1:Bruno"})
    assert "does not sit there any more" in stale
    assert len(three.house.all(Remark)) == 2
    assert SECRET in aiko.see()


def test_to_whom_has_to_be_chosen_where_there_is_a_choice_and_a_private_talk_stays_private(three: Table):
    aiko = three.players[0]
    page = aiko.see().press("Say", text=SECRET)
    assert page.status == 400
    assert "Please choose to whom" in page
    assert SECRET in page.html  # in the field, to be sent again
    assert not three.house.all(Remark)
    too_long = page.press("Say", text="x" * 1001, to="all")
    assert "Please choose" not in too_long  # she has chosen
    page = say(aiko, SECRET, "Bruno").press("Say", text="And the silk")
    assert [remark.audience.value for remark in three.house.all(Remark)] == ["one", "one"]


@pytest.mark.parametrize("to", ["1:Bruno", "0:Aiko", "desk", "9:Nobody", "nonsense"])
def test_where_the_game_does_not_allow_it_nothing_is_said_to_anybody(table: Table, to: str):
    aiko = table.player("Aiko")
    page = aiko.see()
    assert "alone</option>" not in page.html
    assert page.press("Say", text=SECRET, to=to).status == 400
    assert not table.house.all(Remark)


# --- to the moderator, and from there


def test_whoever_looks_after_the_game_alone_is_not_offered_to_talk_to_themselves(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"], jury=Jury.PLAYER)
    aiko, bruno = table.players
    assert "the moderator alone" in bruno.see()
    assert "the moderator alone" not in aiko.see()
    url, data = aiko.see().request("Say", text="Well, well", to="desk")
    assert "said to nobody" in aiko.browser.post(url, data)


def test_what_is_said_to_the_moderator_is_heard_at_the_desk_and_answered_there(
    three: Table, clock: time_machine.Traveller
):
    aiko, bruno, _ = three.players
    clock.shift(timedelta(minutes=1))
    say(aiko, "Bruno is rude", "desk")
    later(clock, minutes=11)
    assert "Aiko said to the moderator:" in letters_to(three.house, "Mika")
    desk = three.desk()
    assert "Aiko to the moderator: Bruno is rude" in desk
    assert desk.html.count('id="talk"') == 1  # where links to it lead
    desk.press("Say", text="I shall talk to him", to="0:Aiko")
    later(clock, minutes=11)
    assert "Mika as the moderator, to you alone: I shall talk to him" in aiko.see()
    assert "Mika, as the moderator, said to you alone:" in letters_to(three.house, "Aiko")
    for text in ("Bruno is rude", "I shall talk to him"):
        assert text not in bruno.see()
        assert text not in letters_to(three.house, "Bruno")
    desk.press("Say", text="Be kind, all", to="all")
    assert "Mika as the moderator: Be kind, all" in bruno.see()


def test_what_cannot_be_said_from_the_desk_stays_in_the_field_with_whom_it_is_for(three: Table):
    page = three.desk().press("Say", text="x" * 1001, to="1:Bruno")
    assert page.status == 400
    assert "This is 1001 characters long; 1000 is the most." in page
    assert "x" * 1001 in page.html
    assert page.press("Say", text="Shorter").status == 200
    assert three.house.one(Remark).to_id == three.player("Bruno").seat.person_id


def test_a_moderator_hides_a_line_for_all_and_everybody_sees_that_it_is_hidden_by_whom_and_why(three: Table):
    aiko, bruno, _ = three.players
    say(aiko, "Bruno is a fool")
    hide(three.desk(), "Be kind.")
    for player in (aiko, bruno):
        page = player.see()
        assert "Bruno is a fool" not in page.html
        assert "Mika has hidden what was said here: “Be kind.”" in page
        log = player.browser.get(three.url("/log"))
        assert "Something that Aiko said is hidden." in log
        assert "Bruno is a fool" not in log.html
    three.desk().press("Show it again")
    assert "Bruno is a fool" in bruno.see()
    assert "Something that Aiko said is shown again." in bruno.browser.get(three.url("/log"))


def test_a_hidden_line_is_in_no_letter_and_one_said_to_one_alone_cannot_be_hidden(
    three: Table, clock: time_machine.Traveller
):
    aiko = three.players[0]
    clock.shift(timedelta(minutes=1))
    with three.house.hold():
        say(aiko, "Bruno is a fool")
        hide(three.desk(), "Be kind.")
    later(clock, hours=7)
    assert "a fool" not in letters_to(three.house, "Bruno")
    say(aiko, SECRET, "Bruno")
    private = three.house.all(Remark)[-1]
    desk = three.desk()
    url, data = desk.request("Show it again")
    del data["show"]
    page = desk.browser.post(url, data | {"remark": str(private.id), "reason": "Be kind."})
    assert "There is no such line." in page
    assert three.house.one(Remark, Remark.id == private.id).hidden_id is None


# --- a letter of its own


def said_letters(table: Table, name: str) -> int:
    timekeeper.sweep()
    return len(table.house.letters(mail_of(name), "said"))


def test_whom_it_names_or_who_alone_is_told_gets_a_letter_at_most_once_in_six_waking_hours(
    three: Table, clock: time_machine.Traveller
):
    aiko = three.players[0]
    clock.shift(timedelta(minutes=1))
    say(aiko, "What about you, bruno?")
    assert said_letters(three, "Bruno") == 0  # it can still be taken back
    clock.shift(timedelta(minutes=11))
    assert said_letters(three, "Bruno") == 1
    assert said_letters(three, "Chidi") == 0
    say(aiko, SECRET, "Bruno")
    say(aiko, "Brunonia is a plant, Chidi")
    clock.shift(timedelta(minutes=11))
    assert said_letters(three, "Chidi") == 1
    later(clock, hours=5, minutes=45)
    assert said_letters(three, "Bruno") == 1
    later(clock, minutes=5)
    assert said_letters(three, "Bruno") == 2
    newest = body(three.house.letters(mail_of("Bruno"), "said")[-1])
    assert SECRET in newest
    assert "What about you" not in newest
    later(clock, hours=1, minutes=47)  # it is eight in the evening, and quiet hours begin at ten
    say(aiko, "One more, Bruno")
    later(clock, hours=10)
    assert said_letters(three, "Bruno") == 2
    later(clock, hours=3)  # nine in the morning: four hours in the evening, one since eight
    assert said_letters(three, "Bruno") == 2
    later(clock, hours=2)
    assert said_letters(three, "Bruno") == 3


def test_no_letter_is_left_of_a_line_that_was_taken_back_or_came_with_another_letter(
    three: Table, clock: time_machine.Traveller
):
    aiko = three.players[0]
    clock.shift(timedelta(minutes=1))
    say(aiko, SECRET, "Bruno").press("Take it back")
    later(clock, minutes=11)
    assert said_letters(three, "Bruno") == 0
    (letter,) = three.house.all(Letter, Letter.kind == "said")
    assert letter.status is LetterStatus.OBSOLETE


def test_tasks_delivered_twice_bring_one_letter(three: Table, clock: time_machine.Traveller):
    clock.shift(timedelta(minutes=1))
    say(three.players[0], SECRET, "Bruno")
    clock.shift(timedelta(minutes=11))
    with three.house.hold() as tasks:
        timekeeper.sweep()
    for task, args in tasks * 2:
        three.house.run(task, *args)
    assert said_letters(three, "Bruno") == 1


# --- not to hear


def test_whoever_is_muted_is_not_shown_and_not_mailed_until_they_are_heard_again(
    three: Table, clock: time_machine.Traveller
):
    aiko, bruno, chidi = three.players
    clock.shift(timedelta(minutes=1))
    assert "You do not hear Aiko any more" in bruno.see().press("Mute Aiko")
    say(aiko, "Bruno, hear me")
    say(aiko, SECRET, "Bruno")
    assert "hear me" not in bruno.see()
    assert "hear me" in chidi.see()
    later(clock, hours=7)
    assert "hear me" not in letters_to(three.house, "Bruno")
    assert SECRET not in bruno.see()
    bruno.see().press("Hear Aiko again")
    assert "hear me" in bruno.see()
    assert SECRET in bruno.see()
    later(clock, hours=7)


def test_whoever_mutes_all_talk_is_shown_nothing_of_it_until_they_want_to(three: Table, clock: time_machine.Traveller):
    aiko, bruno, _ = three.players
    clock.shift(timedelta(minutes=1))
    bruno.see().press("Mute all talk")
    say(aiko, "Bruno, hear me")
    later(clock, hours=7)
    assert "hear me" not in bruno.see()
    assert "hear me" not in bruno.browser.get(three.url("/log"))
    assert "hear me" not in letters_to(three.house, "Bruno")
    bruno.see().press("Hear it again")
    assert "hear me" in bruno.see()


def test_what_others_said_since_one_last_moved_or_spoke_is_marked_as_new_without_any_script(three: Table):
    aiko, bruno, chidi = three.players

    def new(player: Player) -> list[str]:
        page = lxml.html.document_fromstring(player.see().html)
        marked = [line.text_content() for line in page.xpath("//li[@class='unheard']//*[@class='words']")]
        lines = page.xpath("//div[@class='talk']//*[@class='words']")
        assert len(page.xpath("//ol[@class='log lines']/li")) == len(lines)
        counts = {mark.text_content() for mark in page.xpath("//i[@class='new' and not(@hidden)]")}
        assert counts == ({str(len(marked))} if marked else set())
        return marked

    say(aiko, "Good morning")
    say(bruno, "And to you")
    assert (new(aiko), new(bruno), new(chidi)) == (["And to you"], [], ["And to you", "Good morning"])
    assert new(chidi) == ["And to you", "Good morning"]  # to look changes nothing
    mover = three.to_move()
    waiting = next(player for player in three.players if player is not mover)
    say(waiting, "Your turn")
    assert "Your turn" in new(mover)
    three.rush(1)
    assert new(mover) == []


def test_at_the_desk_what_others_said_since_one_last_spoke_or_decided_there_is_marked_as_new(
    three: Table, clock: time_machine.Traveller
):
    aiko, bruno, _ = three.players
    desk = three.house.browser()

    def new(page: Page) -> list[str]:
        html = lxml.html.document_fromstring(page.html)
        counts = [mark.text_content() for mark in html.xpath("//i[@class='new' and not(@hidden)]")]
        marked = [line.text_content() for line in html.xpath("//li[@class='unheard']//*[@class='words']")]
        assert counts == ([str(len(marked))] if marked else [])
        return marked

    def later_on(player: Player, text: str, to: str = "all") -> None:
        clock.shift(timedelta(minutes=1))
        say(player, text, to)
        clock.shift(timedelta(minutes=1))

    later_on(aiko, "Good morning")
    later_on(bruno, "Please look", "desk")
    assert new(desk.get(three.desk_link())) == ["Please look", "Good morning"]
    assert new(desk.get(three.url("/desk"))) == ["Please look", "Good morning"]  # to look changes nothing
    assert new(desk.get(three.url("/desk")).press("Say", text="I look", to="all")) == []
    later_on(aiko, "Thank you")
    assert new(desk.get(three.url("/desk"))) == ["Thank you"]
    desk.get(three.url("/desk")).press("Hide it from everybody", remark=three.house.all(Remark)[0].id, reason="Morning")
    assert new(desk.get(three.url("/desk"))) == []


def test_a_moderator_takes_their_own_line_back_for_ten_minutes_and_nobody_elses(
    three: Table, clock: time_machine.Traveller
):
    aiko, *_ = three.players
    say(aiko, "Mine to take back")
    desk = three.house.browser()
    desk.get(three.desk_link()).press("Say", text="Said too soon", to="all")
    theirs, own = three.house.all(Remark)
    page = desk.get(three.url("/desk"))
    assert page.html.count('name="unsay"') == 1
    assert "too long ago" in page.press("Take it back", remark=theirs.id)
    assert "You have taken it back" in desk.get(three.url("/desk")).press("Take it back", remark=own.id)
    assert "Said too soon" not in aiko.see()
    assert "Mine to take back" in aiko.see()
    desk.get(three.url("/desk")).press("Say", text="Said for good", to="all")
    clock.shift(timedelta(minutes=10, seconds=1))
    assert "Take it back" not in desk.get(three.url("/desk"))


# --- those who look on


def test_those_who_look_on_talk_among_themselves_and_players_read_it_after_the_end(three: Table):
    zora, yuri = watching(three), watching(three)
    aiko = three.players[0]
    page = in_gallery(zora, three, "Aiko has all the silk")
    assert "Zora looking on: Aiko has all the silk" in page
    assert "data-line" not in page.html  # it is no news to her
    assert "Aiko has all the silk" in (seen := yuri.get(three.url("/watch")))
    assert "data-line" in seen.html
    for player in three.players:
        player.see()
        assert "all the silk" not in everywhere(three, player.browser, player.no)
    aiko.browser.get(mint(three.house, links.mint_watch, three.game()))  # she looks on in the same browser
    assert "all the silk" not in everywhere(three, aiko.browser, aiko.no)
    assert aiko.browser.post(three.url("/watch/say"), aiko.see().request("Say")[1]).status == 403
    assert "all the silk" in three.desk()
    three.rush()
    assert "all the silk" in aiko.see()
    assert "all the silk" in aiko.browser.get(three.url("/log?page=0"))
    assert "all the silk" not in letters_to(three.house, "Aiko")


def test_somebody_who_looks_on_takes_back_their_own_line_and_nobody_elses(three: Table):
    zora, yuri = watching(three), watching(three)
    url, data = in_gallery(zora, three, "Oops").request("Take it back")
    yuri.post(url, yuri.get(three.url("/watch")).request("Say")[1] | {"remark": data["remark"]})
    assert three.house.all(Remark)
    zora.post(url, data)
    assert not three.house.all(Remark)


def test_a_moderator_who_plays_does_not_hear_the_gallery_before_the_end(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"], moderator=("Aiko", mail_of("Aiko")))
    in_gallery(watching(table), table, "Aiko has all the silk")
    assert "all the silk" not in table.desk()
    aiko = one_house.browser()
    aiko.get(table.desk_link())
    assert "all the silk" not in everywhere(table, aiko)


# --- with a turn


def test_a_line_goes_with_the_turn_and_stands_at_its_move_and_in_the_letter_about_it(
    table: Table, clock: time_machine.Traveller
):
    first = table.to_move()
    second = others(table, first)
    clock.shift(timedelta(minutes=1))
    first.draft().press("/send", line="Your move!")
    (remark,) = table.house.all(Remark)
    assert (remark.text, remark.version, remark.audience.value) == ("Your move!", table.game().version, "all")
    later(clock, minutes=11)
    assert "Your move!" in body(second.letters("turn")[-1])
    assert "Your move!" in second.see()


def test_a_line_is_kept_when_the_turn_cannot_be_sent_and_through_every_click_and_is_said_once(table: Table):
    player = table.to_move()
    choices = player.best()
    page = player.see()
    for choice in choices[:-1]:
        page = page.press(choice)
    page = page.press(choices[-1], line="Wait for it")
    assert "Wait for it" in page.html
    url, data = page.request("/send", line="x" * 1001)
    page = player.browser.post(url, data)
    assert "1001 characters long" in page
    assert "Your turn was not sent." in page
    assert "x" * 1001 in page.html
    assert not table.house.all(Remark)
    with table.house.hold() as tasks:
        for _ in range(2):
            player.browser.post(url, data | {"line": "Here it comes"})
    for task, args in tasks * 2:
        table.house.run(task, *args)
    assert [remark.text for remark in table.house.all(Remark)] == ["Here it comes"]


def test_a_line_with_a_turn_that_is_refused_is_not_said_and_stays_in_the_form(table: Table):
    player = table.to_move()
    url, data = player.draft().request("/send", line="Checkmate")
    with table.house.hold() as tasks:
        player.browser.post(url, data)
    with db.writing() as session:
        session.get_one(Game, table.game().id).saved = None
    args = next(args for task, args in tasks if task == "adjudicate")
    with pytest.raises(ValueError, match="has not started"):
        adjudicator.adjudicate(*args)
    assert not table.house.all(Remark)
    assert table.house.one(Draft).line == "Checkmate"


# --- by mail


def test_tell_reaches_one_alone_and_what_is_not_clear_is_said_to_nobody(three: Table):
    aiko = three.players[0]
    assert "is passed on to Bruno alone." in body(aiko.answer(f"tell bruno: {SECRET}"))
    assert "is passed on to the moderator alone." in body(aiko.answer("tell moderator: a word"))
    assert "is passed on to Chidi alone." in body(aiko.answer("say to Chidi: psst"))
    for text in (f"tell {SECRET}", f"tell Nobody: {SECRET}", f"say to the tea: {SECRET}"):
        assert "said to nobody" in " ".join(body(aiko.answer(text)).split()), text
    said = [(remark.audience.value, remark.text) for remark in three.house.all(Remark)]
    assert said == [("one", SECRET), ("desk", "a word"), ("one", "psst")]


def test_tell_says_nothing_where_the_game_does_not_allow_it(table: Table):
    assert "players talk to all of the others only" in body(table.to_move().answer(f"tell Bruno: {SECRET}"))
    assert not table.house.all(Remark)


# --- forgotten


def test_what_somebody_said_goes_with_them_and_what_was_said_to_them_stays_with_who_said_it(three: Table):
    aiko, bruno, chidi = three.players
    say(aiko, SECRET, "Bruno")
    say(bruno, "My answer", "Aiko")
    chidi.see()
    assert bruno.seat.person_id is not None
    outbox.transaction(forgetting.forget)(bruno.seat.person_id, utcnow())
    assert [remark.text for remark in three.house.all(Remark)] == [SECRET]
    page = aiko.see()
    assert f"alone: {SECRET}" in page
    assert not re.search(r"to Bruno alone", page.text)
    assert SECRET not in chidi.see()


def test_nobody_is_named_by_part_of_a_word():
    assert hearing.is_named("ask ANNA-Lena, or Anna!", "anna")
    assert not hearing.is_named("Annabel", "Anna")
    assert hearing.is_named("(C++ Fan) plays", "C++ Fan")
