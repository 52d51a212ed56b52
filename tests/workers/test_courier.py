"""Letters are carried by a real mail server, sent once, tried again when it fails, and never when no longer true."""

import os
import re
import signal
import smtplib
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
import time_machine

from service.db import db
from service.models import Attempt, Letter, LetterStatus, Person, Unwanted
from service.play.clocks import PACES
from service.post import letters, links, outbox
from service.post.wishes import Wish
from tests.play import House, Page, Player, Table, at_once, body, link_in, mail_of, mint, news
from tests.servers import MailServer
from workers import adjudicator, courier, timekeeper

pytestmark = pytest.mark.both_databases

AIKO, BRUNO = mail_of("Aiko"), mail_of("Bruno")


def see(player: Player) -> Page:
    """The table, by a link of our own: letters cannot be read back once they are mailed."""
    player.browser.get(mint(player.house, links.mint_seat, player.seat))
    return player.browser.get(player.url())


def begun(house: House) -> Table:
    """With a moderator who does not play, so that nobody has two things to be told of."""
    return house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))


def first_letters(table: Table) -> list[Letter]:
    return table.house.all(Letter, Letter.kind == "turn")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(datetime.now(UTC), tick=False) as coordinates:
        yield coordinates


def test_a_letter_arrives_in_two_parts_with_all_its_headers(mail_house: House, mail_server: MailServer):
    table = mail_house.begun(["Aiko", "Bruno"], name="Thursday crew")
    (turn,) = [m for m in mail_server.messages if "it is your turn" in news(m)]
    assert turn["To"].addresses[0].addr_spec == table.to_move().mail
    assert turn["From"].addresses[0].addr_spec == "hikyaku@localhost"
    assert turn["Message-ID"].startswith("<letter-")
    assert turn["In-Reply-To"] == turn["References"] == f"<game-{table.public_id}@localhost>"
    assert turn["List-Id"] == f"<{table.public_id}.localhost>"
    assert turn["Auto-Submitted"] == "auto-generated"
    assert turn["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "/u/" in str(turn["List-Unsubscribe"])
    assert turn.get_content_type() == "multipart/alternative"
    assert link_in(turn) in body(turn, "html")
    page = mail_house.browser().get(link_in(turn))
    assert "it is your turn" in page
    assert "You were last written to just now." in page
    letter = mail_house.one(Letter, Letter.kind == "turn")
    assert letter.source is None  # a mailed letter holds a key, and is not kept
    assert mail_house.browser().get("/post-office").status == 404


@pytest.mark.parametrize("length", [20, 29, 30, 31, 40, 60, 90, 140, 200])
def test_addresses_and_ids_in_headers_are_whole_however_long_the_address_of_the_service_is(
    mail_house: House, mail_server: MailServer, length: int
):
    host = (("x" * 50 + ".") * 4)[len("https://a.org") - length :] + "a.org"
    settings = replace(mail_house.settings, base_url=f"https://{host}")
    assert len(settings.base_url) == length
    with mail_house.hold():
        table = begun(mail_house)
    (letter,) = first_letters(table)
    assert courier.deliver(letter.id, settings) is LetterStatus.SENT
    headers = mail_server.raw[-1].partition(b"\r\n\r\n")[0].decode("ascii").split("\r\n")
    lines = dict(line.split(": ", 1) for line in headers if not line.startswith((" ", "\t")))
    assert re.fullmatch(rf"<letter-[\d-]+-{letter.created_at:%Y%m%d%H%M%S}@{host}>", lines["Message-ID"])
    assert lines["In-Reply-To"] == lines["References"] == f"<game-{table.public_id}@{host}>"
    way_out = re.fullmatch(rf"<{re.escape(settings.base_url)}(/u/[\w-]{{43}})>", lines["List-Unsubscribe"])
    assert way_out
    assert mail_house.browser().post(way_out[1], {"List-Unsubscribe": "One-Click"}).status == 200
    unwanted = mail_house.all(Unwanted, Unwanted.person_id == letter.person_id)
    assert {row.wish for row in unwanted} == {Wish.TURNS, Wish.REMINDERS}


def test_names_in_any_script_survive_the_mail_server(mail_house: House, mail_server: MailServer):
    table = mail_house.begun(["Aiko", "Bruno"], name="木曜会 <b>")
    mail_house.execute("UPDATE person SET name = :name", name='Zoë "🎲" عربي, Jr.')
    table.rush(1)
    newest = mail_server.messages[-1]
    assert newest["To"].addresses[0].display_name == 'Zoë "🎲" عربي, Jr.'
    assert "木曜会 <b>" in str(newest["Subject"])
    assert "木曜会 &lt;b&gt;" in body(newest, "html")


def test_a_mail_server_that_is_down_is_tried_again_with_growing_delay_and_the_page_says_so(
    mail_house: House, mail_server: MailServer, clock: time_machine.Traveller
):
    mail_server.stop()
    table = begun(mail_house)
    (letter,) = first_letters(table)
    delays = []
    for _ in range(3):
        delays.append(letter.due_at - datetime.now(UTC))
        page = see(table.to_move())
        assert "did not get through (ConnectionRefusedError" in page
        assert "we go on trying" in page
        clock.move_to(letter.due_at - timedelta(seconds=1))
        timekeeper.sweep()
        assert mail_house.one(Letter, Letter.id == letter.id).attempts == letter.attempts
        clock.move_to(letter.due_at)
        timekeeper.sweep()
        (letter,) = first_letters(table)
    assert delays == [timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15)]
    assert len(mail_house.all(Attempt, Attempt.letter_id == letter.id, Attempt.error != "")) == 4
    mail_server.start()
    clock.move_to(letter.due_at)
    timekeeper.sweep()
    (letter,) = first_letters(table)
    assert (letter.status, letter.error, letter.attempts) == (LetterStatus.SENT, "", 5)
    assert len([m for m in mail_server.messages if "it is your turn" in news(m)]) == 1
    assert "You were last written to just now." in see(table.to_move())


def test_after_the_last_attempt_a_letter_has_failed_and_is_left_alone(
    mail_house: House, mail_server: MailServer, clock: time_machine.Traveller
):
    mail_server.stop()
    table = begun(mail_house)
    mail_house.execute("UPDATE person SET quiet_from = NULL, quiet_to = NULL")  # a try at any hour
    (letter,) = first_letters(table)
    delays = []
    while letter.status is LetterStatus.WAITING:
        delays.append(letter.due_at - datetime.now(UTC))
        clock.move_to(letter.due_at)
        courier.deliver(letter.id, mail_house.settings)
        (letter,) = first_letters(table)
    assert letter.status is LetterStatus.FAILED
    assert delays == courier.RETRY_AFTER
    assert all(earlier < later for earlier, later in pairwise(delays))
    assert len(mail_house.all(Attempt, Attempt.letter_id == letter.id)) == letter.attempts == len(delays) + 1
    clock.shift(timedelta(days=30))
    timekeeper.sweep()
    assert first_letters(table)[0].attempts == letter.attempts


def test_a_slow_mail_server_is_given_up_on_and_tried_again(
    mail_house: House, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(courier, "PATIENCE", 0.2)
    mail_server.delay = 1.0
    with mail_house.hold() as waiting:
        table = begun(mail_house)
    (letter,) = first_letters(table)
    assert any(task == "deliver" and letter.id in args for task, args in waiting)
    assert courier.deliver(letter.id, mail_house.settings) is LetterStatus.WAITING
    (attempt,) = mail_house.all(Attempt, Attempt.letter_id == letter.id)
    assert "imed out" in attempt.error
    assert "did not get through" in see(table.to_move())


def test_an_address_that_is_refused_is_not_tried_again_and_no_other_letter_suffers(
    mail_house: House, mail_server: MailServer
):
    mail_server.refused = {BRUNO}
    table = mail_house.game(["Aiko", "Bruno"])
    assert len(mail_server.to(AIKO)) == 2  # what she has to know of her game, in one letter; and that Bruno's came back
    assert mail_server.to(BRUNO) == []
    (letter,) = mail_house.all(Letter, Letter.status == LetterStatus.RETURNED)
    assert letter.error.startswith("550 5.1.1 no such mailbox")
    assert letter.attempts == 1
    assert "letters to them come back: 550 5.1.1 no such mailbox" in table.organise()


def test_what_a_mail_server_says_of_an_address_is_kept_without_the_address(
    mail_house: House, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    said = f"5.1.1 <{BRUNO}>: Recipient address rejected: User unknown ({BRUNO})"

    def refuse(*_: object) -> None:
        raise smtplib.SMTPRecipientsRefused({BRUNO: (550, said.encode())})

    with mail_house.hold() as waiting:
        mail_house.game(["Aiko", "Bruno"])
    monkeypatch.setattr(courier, "hand_over", refuse)
    for task, args in waiting:
        mail_house.run(task, *args)
    returned = mail_house.all(Letter, Letter.status == LetterStatus.RETURNED)
    assert returned[0].error == "550 5.1.1 Recipient address rejected: User unknown (...)"
    assert BRUNO not in caplog.text + repr(mail_house.all(Attempt))


def test_an_address_that_is_put_off_is_tried_again(mail_house: House, mail_server: MailServer):
    mail_server.deferred = {BRUNO}
    mail_house.game(["Aiko", "Bruno"])
    (letter,) = mail_house.all(Letter, Letter.status == LetterStatus.WAITING)
    assert letter.error.startswith("451 4.7.1")
    mail_server.deferred = set()
    with time_machine.travel(letter.due_at + timedelta(seconds=1)):
        timekeeper.sweep()
    assert len(mail_server.to(BRUNO)) == 1


def test_two_couriers_never_carry_the_same_letter(mail_house: House, mail_server: MailServer):
    with mail_house.hold() as waiting:
        begun(mail_house)
        handed = [letter_id for task, args in waiting if task == "deliver" for letter_id in args]
    mail_server.delay = 0.1
    deeds = [lambda no=no: courier.deliver(no, mail_house.settings) for no in handed for _ in range(3)]
    at_once(deeds)
    sent = mail_house.all(Letter, Letter.status == LetterStatus.SENT)
    assert len([letter for letter in sent if letter.along_with is None]) == len(mail_server.messages)
    ids = [str(m["Message-ID"]) for m in mail_server.messages]
    assert len(set(ids)) == len(ids)
    assert {letter.attempts for letter in mail_house.all(Letter)} == {1}


def test_a_courier_that_died_after_the_handover_sends_the_same_letter_with_the_same_id(
    mail_house: House, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
):
    with mail_house.hold():
        table = begun(mail_house)
    (letter,) = first_letters(table)
    db.close()
    child = os.fork()
    if child == 0:
        monkeypatch.setattr(courier, "_sent", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        try:
            courier.deliver(letter.id, mail_house.settings)
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert courier.deliver(letter.id, mail_house.settings) is None  # it is still in the dead one's hand
    with time_machine.travel(datetime.now(UTC) + courier.CLAIM + timedelta(seconds=1)):
        assert courier.deliver(letter.id, mail_house.settings) is LetterStatus.SENT
    first, second = (m for m in mail_server.messages if "it is your turn" in news(m))
    assert first["Message-ID"] == second["Message-ID"]


# --- is it still true?


def test_a_turn_letter_is_not_sent_when_the_turn_was_played_meanwhile(house: House):
    with house.hold() as waiting:
        table = house.begun(["Aiko", "Bruno"])
        held = list(waiting)
    player = table.to_move()
    table.rush(1)
    for task, args in held:
        house.run(task, *args)
    (letter,) = house.all(Letter, Letter.kind == "turn", Letter.seat_id == player.seat.id)
    assert letter.status is LetterStatus.OBSOLETE
    assert player.letters("turn") == []


def test_letters_that_were_switched_off_are_not_sent(house: House):
    with house.hold() as waiting:
        table = house.begun(["Aiko", "Bruno"])
        held = list(waiting)
    house.execute("UPDATE person SET turn_letters = false, news_letters = false")
    for task, args in held:
        house.run(task, *args)
    table.rush(4)
    assert house.letters(kind="turn") == house.letters(kind="started") == []
    assert {letter.status for letter in house.all(Letter, Letter.kind == "turn")} <= {
        LetterStatus.OBSOLETE,
        LetterStatus.WAITING,
    }


def test_an_invitation_is_not_sent_when_it_was_answered_or_called_off_meanwhile(house: House):
    with house.hold() as waiting:
        table = house.game(["Aiko", "Bruno"])
        held = list(waiting)
    table.organise().press("Call the game off")
    for task, args in held:
        house.run(task, *args)
    assert house.letters(kind="invitation") == house.letters(kind="organiser") == []
    assert len(house.letters(kind="cancelled")) == 2


def test_a_letter_is_never_sent_before_it_is_due(house: House):
    table = house.begun(["Aiko", "Bruno"])
    person = house.one(Person, Person.mail == table.players[0].mail)
    with db.writing() as session:
        later = letters.Links(person.id)
        later.due_at = datetime.now(UTC) + timedelta(hours=1)
        outbox.write(session, later)
    (letter,) = house.all(Letter, Letter.key == later.key)
    assert courier.deliver(letter.id, house.settings) is None
    timekeeper.sweep()
    assert house.one(Letter, Letter.key == later.key).attempts == 0
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1, seconds=1)):
        timekeeper.sweep()
    assert house.one(Letter, Letter.key == later.key).status is LetterStatus.SENT


def test_what_is_said_twice_under_one_key_is_written_once(house: House):
    house.begun(["Aiko", "Bruno"])
    with db.writing() as session:
        for _ in range(3):
            outbox.write(session, letters.Links(1))
        outbox.write(session, letters.Links(None))  # a bot has no mail
    assert len(house.all(Letter, Letter.kind == "links")) == 1


def test_nobody_is_written_to_in_their_quiet_hours_except_in_a_game_for_one_evening(
    mail_house: House, mail_server: MailServer
):
    midnight = datetime(2026, 6, 2, 0, 30, tzinfo=UTC)
    with time_machine.travel(midnight, tick=False):
        slow = begun(mail_house)
        fast = mail_house.begun(["Chidi", "Dana"], pace=PACES["evening"])
    turns = {letter.game_id: letter for letter in mail_house.all(Letter, Letter.kind == "turn")}
    assert turns[fast.game().id].status is LetterStatus.SENT
    waiting = turns[slow.game().id]
    morning = midnight.replace(hour=8, minute=0)
    assert (waiting.status, waiting.due_at, waiting.attempts) == (LetterStatus.WAITING, morning, 0)
    for moment in (morning - timedelta(seconds=1), morning):
        with time_machine.travel(moment, tick=False):
            timekeeper.sweep()
    letter = mail_house.one(Letter, Letter.id == waiting.id)
    assert (letter.sent_at, letter.attempts) == (morning, 1)
    assert len(mail_server.to(slow.to_move().mail)) >= 1


def test_a_letter_held_back_at_night_is_never_sent_if_the_turn_was_played(mail_house: House):
    midnight = datetime(2026, 6, 2, 0, 30, tzinfo=UTC)
    with time_machine.travel(midnight, tick=False):
        table = begun(mail_house)
        player = table.to_move()
        adjudicator.adjudicate(player.submit(player.best()))  # awake after all
    with time_machine.travel(midnight.replace(hour=9), tick=False):
        timekeeper.sweep()
    (first, *_) = mail_house.all(Letter, Letter.kind == "turn")
    assert first.status is LetterStatus.OBSOLETE


def test_all_letters_about_a_game_have_one_subject_and_a_reminder_answers_the_letter_about_its_turn(
    mail_house: House, mail_server: MailServer
):
    """So that mail readers keep them together, also those that go by the subject."""
    table = mail_house.begun(["Aiko", "Bruno"], name="Thursday crew")
    player = table.to_move()
    (turn,) = [m for m in mail_server.to(player.mail) if "it is your turn" in news(m)]
    with time_machine.travel(player.deadline - timedelta(hours=2)):
        mail_house.execute("UPDATE person SET quiet_from = NULL, quiet_to = NULL")
        timekeeper.sweep()
        timekeeper.sweep()
    (reminder, *_) = [m for m in mail_server.to(player.mail) if "left for your turn" in news(m)]
    assert turn["Subject"] == reminder["Subject"] == "Traders of Osaka, Thursday crew"
    assert reminder["In-Reply-To"] == turn["Message-ID"]
    assert str(reminder["References"]).split() == [f"<game-{table.public_id}@localhost>", turn["Message-ID"]]
