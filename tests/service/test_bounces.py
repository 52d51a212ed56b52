"""Letters that come back are noticed: whoever looks after a game is told, the clock stands still once, and nothing is
lost. Who only pretends that letters come back gains nothing by it."""

import random
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest
import time_machine
from sqlalchemy.exc import NoResultFound
from sqlmodel import col

from service.config import MailIn, Smtp
from service.inbox import bounce, receiving
from service.models import Draft, Letter, LetterStatus, Person, Received, Ruling
from service.play import returning
from service.play.clocks import Pace
from service.post import envelope, links
from tests.play import House, Page, Player, Table, body, mail_of, mint, parse
from tests.servers import MailServer
from tests.service.bounces import DELAYED, DELIVERED, EXIM_ITSELF, ON_HOLIDAY, POSTFIX, SHAPES
from workers import courier, reader, timekeeper

PACE = Pace(timedelta(hours=30), grace=timedelta(hours=2), round_the_clock=True)
NO_SUCH_USER = "550 5.1.1 Recipient address rejected: User unknown in local recipient table"


@pytest.fixture
def table(one_house: House) -> Table:
    return begun(one_house)


def begun(house: House) -> Table:
    return house.begun(["Aiko", "Bruno"], pace=PACE, moderator=("Mika", mail_of("Mika")))


def bounce_address(player: Player) -> str:
    """Of the newest letter that went out to them, be it come back."""
    theirs = Letter.person_id == person(player).id, col(Letter.source).is_not(None), col(Letter.sent_at).is_not(None)
    newest = max(player.house.all(Letter, *theirs), key=lambda letter: (letter.sent_at, letter.id))
    return str(parse(newest.source or "")["Reply-To"]).replace("play+", "bounce+")


def comes_back(player: Player, shape: str = POSTFIX, mail: str = "", to: str = "", mark: str = "1") -> Received:
    """The newest letter to them, or the one whose own address is given."""
    raw = shape.replace("{mail}", mail or player.mail) + f"\n{mark}\n"
    receiving.receive(raw.encode(), to or bounce_address(player))
    return player.house.all(Received)[-1]


def person(player: Player) -> Person:
    return player.house.one(Person, Person.mail == player.mail)


def told_of_it(house: House) -> list[str]:
    people = {person.id: person.name for person in house.all(Person)}
    return sorted(people[letter.person_id] for letter in house.all(Letter, Letter.kind == "returned"))


# --- reading


@pytest.mark.parametrize("shape", SHAPES)
def test_a_letter_that_came_back_for_good_marks_its_reader_whichever_server_says_so(table: Table, shape: str):
    player = table.to_move()
    comes_back(player, SHAPES[shape])
    assert person(player).returned_at is not None
    assert "5.1.1" in person(player).returned_why
    assert "players" not in person(player).returned_why
    assert "http" not in person(player).returned_why


def test_the_reason_is_the_servers_own_with_its_number_wherever_it_stands():
    def why(shape: str) -> str:
        report = bounce.read(shape.replace("{mail}", "aiko@players.example").encode())
        assert report is not None
        return envelope.reason(report.why, "aiko@players.example")

    assert why(EXIM_ITSELF) == "5.0.0 Unrouteable address"
    assert why(SHAPES["qmail"]) == "Sorry, no mailbox here by that name. (#5.1.1)"
    assert why(SHAPES["old exim"]) == "550 5.1.1 unrouteable address"
    assert why(DELAYED) == "4.4.1 connect to mx....[192.0.2.7]:25: Connection timed out"
    assert why(SHAPES["Gmail"]).startswith("550 5.1.1 The email account that you tried to reach does not exist.")


@pytest.mark.parametrize("shape", [DELAYED, DELIVERED, ON_HOLIDAY, "Subject: Hello\n\n{mail} does not exist: 550"])
def test_what_is_still_on_its_way_or_tells_of_nothing_marks_nobody(table: Table, shape: str):
    player = table.to_move()
    deadline = player.deadline
    row = comes_back(player, shape)
    assert row.note is not None
    assert person(player).returned_at is None
    assert player.deadline == deadline


def test_whatever_is_sent_there_is_read_in_no_time_and_never_breaks_anything():
    chance, began = random.Random(7), time.thread_time()
    for shape in [*SHAPES.values(), DELAYED, ON_HOLIDAY] * 20:
        lines = shape.splitlines()
        lines[3:] = chance.sample(lines[3:], k=len(lines) - 3)
        del lines[chance.randrange(len(lines)) :: chance.randrange(1, 9)]
        bounce.read("\n".join(lines).encode())
    for text in ("<a@b.example> ", "550 5.1.1 ", "a" * 70 + "\n", "Final-Recipient: x\nAction: failed\n\n"):
        for shape in (DELAYED, ON_HOLIDAY, "{mail}", "From: MAILER-DAEMON@yahoo.com\n\n{mail}"):
            bounce.read(shape.replace("{mail}", text * 20_000).encode())
    assert time.thread_time() - began < 10


def test_it_must_be_about_the_address_that_we_write_to(table: Table):
    comes_back(table.to_move(), mail="somebody@else.example")
    assert person(table.to_move()).returned_at is None
    report = bounce.read(POSTFIX.replace("{mail}", "Aiko@XN--BCHER-KVA.example").encode())
    assert report is not None
    assert any(envelope.same_mailbox(named, "aiko@bücher.example") for named in report.recipients)


def test_without_the_letters_own_address_nothing_comes_in(table: Table):
    for to in ("bounce@localhost", f"bounce+{'a' * 32}@localhost", "hikyaku@localhost"):
        with pytest.raises(receiving.NotForUs):
            comes_back(table.to_move(), to=to)
    assert all(person.returned_at is None for person in table.house.all(Person))


def test_a_servers_words_are_told_without_either_half_of_the_address(table: Table):
    said = 'unknown user: "aiko" <aiko@players.example> at players.example, see https://evil.example/aiko'
    assert envelope.reason(said, "aiko@players.example") == 'unknown user: "..." at ..., see ...'
    assert (
        envelope.reason("550-5.1.1 Not\n 550-5.1.1 here, 550 5.1.1  https://x.example", "a@b")
        == "550 5.1.1 Not here, ..."
    )
    assert len(envelope.reason("x" * 1000, "aiko@players.example")) == envelope.LONGEST_REASON


# --- what comes of it


@pytest.mark.both_databases
def test_the_clock_of_the_open_turn_stands_still_once_and_all_is_told_once(house: House):
    table = begun(house)
    player, now = table.to_move(), datetime.now(UTC)
    deadline = player.deadline
    comes_back(player)
    assert player.deadline == deadline + timedelta(hours=24)
    still = player.seat.still_until
    assert still is not None
    assert abs(still - now - timedelta(hours=24)) < timedelta(minutes=1)
    assert told_of_it(house) == sorted({"Aiko", "Mika"} - {player.name})
    (ruling,) = house.all(Ruling, Ruling.name == "returned")
    assert (ruling.seat_no, ruling.person_id) == (player.no, None)
    before = house.dump("received")
    comes_back(player, SHAPES["exim"])  # another report about the same letter
    assert reader.read(house.all(Received)[0].id, house.settings) is None
    assert house.dump("received") == before


def test_whoever_pretends_again_and_again_stops_no_clock_twice_in_a_turn_and_few_in_a_game(table: Table):
    player = table.player("Aiko")
    stood = 0
    for turn in range(6):
        while table.to_move() is not player:
            table.rush(1)
        deadline = player.deadline
        for n in range(3):
            comes_back(player, mark=f"{turn}.{n}")
            come(player).press("Write to me again")
            assert person(player).returned_at is None
            player.answer("help", to=bounce_address(player).replace("bounce+", "play+"))  # brings a new letter
        stood += player.deadline != deadline
        assert player.deadline - deadline in (timedelta(0), timedelta(hours=24))
        table.rush(1)
    assert stood == returning.MOST_TIMES
    assert len(told_of_it(table.house)) == 1  # Mika; Aiko herself has made the game


def test_in_a_game_for_one_evening_nobody_waits_until_tomorrow(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"], pace=Pace(timedelta(minutes=15), round_the_clock=True))
    deadline = table.to_move().deadline
    comes_back(table.to_move())
    assert table.to_move().deadline == deadline + timedelta(minutes=15)


def test_after_that_the_clock_runs_on_and_the_turn_runs_out_as_any(table: Table):
    player = table.to_move()
    comes_back(player)
    with time_machine.travel(player.deadline - timedelta(minutes=1), tick=False) as clock:
        timekeeper.sweep()
        version = table.game().version
        while table.game().version == version:
            clock.shift(timedelta(minutes=14))
            timekeeper.sweep()
    assert table.game().version > version


def test_a_letter_of_a_game_that_is_over_marks_its_reader_and_no_more(table: Table):
    table.rush()
    player = table.player("Bruno")
    letters = len(table.house.all(Letter))
    comes_back(player)
    assert person(player).returned_at is not None
    assert len(table.house.all(Letter)) == letters


def test_where_the_organiser_cannot_be_reached_and_nobody_else_looks_after_the_game_the_players_are_told(
    one_house: House,
):
    table = one_house.begun(["Aiko", "Bruno", "Chidi"], pace=PACE)
    comes_back(table.player("Aiko"))
    assert told_of_it(one_house) == ["Bruno", "Chidi"]


# --- what waits meanwhile


@pytest.mark.both_databases
def test_what_else_there_is_to_tell_waits_and_goes_out_when_they_are_there_again(house: House):
    table = begun(house)
    player = table.to_move()
    comes_back(player)
    rush_back_to(player)
    held = house.all(Letter, Letter.status == LetterStatus.HELD)
    assert {letter.person_id for letter in held} == {player.seat.person_id}
    timekeeper.sweep()
    assert house.all(Letter, Letter.status == LetterStatus.HELD) == held
    page = player.browser.get(mint(house, links.mint_seat, player.seat))
    assert person(player).returned_at is not None  # GET changes nothing
    page.press("Write to me again")
    assert person(player).returned_at is None
    by_kind = {letter.kind: letter for letter in house.all(Letter, col(Letter.id).in_([row.id for row in held]))}
    assert by_kind["turn"].status is LetterStatus.SENT
    assert by_kind["turn"].asked == player.seat.asked
    assert house.all(Letter, Letter.status == LetterStatus.HELD) == []


def rush_back_to(player: Player) -> None:
    """Their turn, the others', and theirs again."""
    player.table.rush(1)
    while player.table.to_move() is not player:
        player.table.rush(1)


def test_what_waited_and_is_not_true_any_more_is_dropped(table: Table):
    player = table.to_move()
    comes_back(player)
    rush_back_to(player)
    (turn,) = table.house.all(Letter, Letter.status == LetterStatus.HELD, Letter.kind == "turn")
    table.rush(1)
    come(player).press("Write to me again")
    assert table.house.one(Letter, Letter.id == turn.id).status is LetterStatus.OBSOLETE


def come(player: Player) -> Page:
    return player.browser.get(mint(player.house, links.mint_seat, player.seat))


def test_whatever_they_do_by_a_link_of_theirs_shows_that_they_are_there(table: Table):
    player = table.to_move()
    comes_back(player)
    come(player).press(player.best()[0])
    assert person(player).returned_at is None
    assert table.house.all(Draft)


def test_what_was_sent_before_they_were_heard_of_and_comes_back_later_is_no_news(table: Table):
    player = table.to_move()
    old = bounce_address(player)
    comes_back(player)
    come(player).press("Write to me again")
    comes_back(player, to=old, mark="2")
    assert person(player).returned_at is None


def test_an_answer_by_mail_shows_it_too(table: Table):
    player = table.to_move()
    to = str(player.letters()[-1]["Reply-To"])
    comes_back(player)
    mail, player.mail = player.mail, "somebody@evil.example"
    with pytest.raises(NoResultFound):  # nothing is sent
        player.answer("1", to=to)
    player.mail = mail
    assert person(player).returned_at is not None
    player.answer("1", to=to)
    assert person(player).returned_at is None
    assert player.letters("understood")


def test_another_address_that_is_confirmed_mends_it_and_brings_what_came_back(table: Table):
    player, house = table.to_move(), table.house
    comes_back(player)
    (turn,) = house.all(Letter, Letter.status == LetterStatus.RETURNED, Letter.kind == "turn")
    browser = come(player).browser
    house.execute("UPDATE person SET reached_at = NULL")
    page = browser.get(f"/my/data/{player.seat.person_id}/address")
    page.press("Write to both", mail="new@players.example")
    house.execute("UPDATE person SET returned_at = created_at WHERE mail = :mail", mail=player.mail)
    house.execute("UPDATE letter SET status = 'returned' WHERE id = :id", id=turn.id)
    (letter,) = house.letters(kind="new-address")
    assert "new@players.example" in str(letter["To"])
    link = next(word for word in body(letter).split() if "/l/" in word)
    house.browser().get(link).press("Yes")
    moved = house.one(Person, Person.mail == "new@players.example")
    assert moved.returned_at is None
    again = house.one(Letter, Letter.id == turn.id)
    assert again.status is LetterStatus.SENT
    assert "new@players.example" in house.letters("new@players.example", "turn")[0]["To"]


def test_links_that_somebody_asks_for_are_sent_also_where_letters_come_back(table: Table):
    player = table.to_move()
    comes_back(player)
    table.house.browser().get("/links").press("Mail me", mail=player.mail)
    assert player.letters("links")


# --- who reads of it, and what


def pages_of(table: Table, player: Player) -> dict[str, Page]:
    """As everybody who may look at the game sees it, the player themselves last."""
    house, game = table.house, table.game()
    (other,) = [someone for someone in table.players if someone is not player]
    operator = house.browser()
    operator.get(mint(house, links.mint_operator, house.one(Person, Person.mail == mail_of("Mika"))))
    return {
        "spectator": house.browser().get(mint(house, links.mint_watch, game)),
        "other": come(other),
        "organiser": house.browser().get(mint(house, links.mint_organiser, game)),
        "desk": table.desk(),
        "operator": operator.get("/desk"),
        "player": come(player),
    }


def test_everybody_who_may_know_reads_that_letters_come_back_and_nobody_reads_the_address(one_house: House):
    table = begun(one_house)
    player = next(player for player in table.players if player is table.to_move())
    one_house.execute("UPDATE seat SET typed_by = NULL")
    comes_back(player)
    said, pages = f"letters to them come back: {NO_SUCH_USER}", pages_of(table, player)
    for who in ("other", "organiser", "desk"):
        assert said in pages[who], who
    for who in ("other", "desk"):
        assert "the clock stands still until" in pages[who], who
    assert NO_SUCH_USER in pages["operator"]
    assert NO_SUCH_USER not in pages["spectator"]
    assert f"Letters to you come back. A mail server says: {NO_SUCH_USER}" in pages["player"]
    assert "Use another address" in pages["player"]
    for who, page in pages.items():
        assert player.mail not in page.html, who
    (letter,) = one_house.letters(mail_of("Mika"), "returned")
    told = " ".join(body(letter).split())
    assert f"The mail server of {player.name} does not take our letters: {NO_SUCH_USER}" in told
    assert f"the clock of {player.name} stands still until" in told
    assert player.mail not in letter.as_string()


def test_the_words_of_a_mail_server_stand_on_every_page_as_they_are_whatever_they_are(
    mail_house: House, mail_server: MailServer
):
    mail_server.deferred, mail_server.why_later = {mail_of("Aiko"), mail_of("Bruno")}, "100% full, %(of)s <b>5</b> %s"
    table, said = begun(mail_house), f"451 4.7.1 {mail_server.why_later}"
    player = table.to_move()
    player.browser.get(mint(mail_house, links.mint_seat, player.seat))
    pages = [player.browser.get(player.url(place)) for place in ("", "/settings")]
    organiser = mail_house.browser().get(mint(mail_house, links.mint_organiser, table.game()))
    for page in (*pages, organiser, table.desk()):
        assert said in page
        assert "<b>5</b>" not in page.html


def test_who_typed_the_address_sees_it_beside_why_it_does_not_work_and_can_have_it_tried_again(one_house: House):
    table = one_house.game(["Aiko", "Bruno"])
    bruno = table.player("Bruno")
    comes_back(bruno)
    page = table.organise()
    assert f"{bruno.mail} · letters to them come back: {NO_SUCH_USER}" in page
    page.press("Try their mail again", seat=bruno.no)
    assert person(bruno).returned_at is None
    (invitation,) = one_house.all(Letter, Letter.kind == "invitation", Letter.person_id == person(bruno).id)
    assert invitation.status is LetterStatus.SENT
    assert "come back" not in table.organise()


def test_an_invitation_that_is_sent_again_goes_out_though_the_last_one_came_back(one_house: House):
    table = one_house.game(["Aiko", "Bruno"])
    bruno = table.player("Bruno")
    comes_back(bruno)
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=3)):
        table.organise().press("Send the invitation again", seat=bruno.no)
    assert person(bruno).returned_at is None
    assert len(bruno.letters("invitation")) == 1


def test_whoever_runs_the_service_sees_who_cannot_be_reached_and_what_is_late_and_can_try_again(table: Table):
    house, player = table.house, table.to_move()
    comes_back(player, DELAYED)
    operator = house.browser()
    page = operator.get(mint(house, links.mint_operator, house.one(Person, Person.mail == mail_of("Mika"))))
    assert "The letter is still on its way: 4.4.1 connect to mx....[192.0.2.7]:25: Connection timed out" in page
    comes_back(player)
    (turn,) = house.all(Letter, Letter.status == LetterStatus.RETURNED, Letter.kind == "turn")
    operator.get("/desk").press("Try again")
    assert person(player).returned_at is None
    assert house.one(Letter, Letter.id == turn.id).status is LetterStatus.SENT


@pytest.mark.both_databases
def test_an_address_that_is_refused_at_once_is_as_one_from_which_a_letter_came_back(
    mail_house: House, mail_server: MailServer
):
    mail_server.refused = {mail_of("Aiko"), mail_of("Bruno")}
    table = begun(mail_house)
    player = table.to_move()
    assert person(player).returned_why == "550 5.1.1 no such mailbox"
    assert player.seat.still_until is not None
    assert len(mail_house.all(Ruling, Ruling.name == "returned")) == 1
    assert told_of_it(mail_house).count("Mika") == 2  # about either of them
    assert {letter.status for letter in mail_house.all(Letter, Letter.kind == "turn")} == {LetterStatus.RETURNED}
    mail_server.refused = set()
    come(player).press("Write to me again")
    rush_back_to(player)
    assert mail_server.to(player.mail)


def test_an_address_that_is_put_off_marks_nobody(mail_house: House, mail_server: MailServer):
    mail_server.deferred = {mail_of("Aiko"), mail_of("Bruno")}
    table = begun(mail_house)
    assert person(table.to_move()).returned_at is None
    assert mail_house.all(Letter, Letter.status == LetterStatus.HELD) == []


def test_a_new_address_that_does_not_exist_is_not_held_against_the_old_one(mail_house: House, mail_server: MailServer):
    table = begun(mail_house)
    player = table.to_move()
    mail_server.refused = {"new@players.example"}
    page = come(player).browser.get(f"/my/data/{player.seat.person_id}/address")
    page.press("Write to both", mail="new@players.example")
    assert mail_house.one(Letter, Letter.kind == "new-address").status is LetterStatus.FAILED
    assert person(player).returned_at is None


def test_a_letter_that_is_back_before_it_is_written_down_as_sent_has_come_back(
    mail_house: House, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
):
    """The mail server of the same machine is as quick as that."""
    mail_house.settings = replace(mail_house.settings, mail_in=MailIn("pipe"))
    hand_over = courier.hand_over

    def and_back(smtp: Smtp, message: EmailMessage) -> None:
        hand_over(smtp, message)
        if not mail_house.all(Received):
            raw = POSTFIX.replace("{mail}", str(message["To"].addresses[0].addr_spec))
            receiving.receive(raw.encode(), str(message["Reply-To"]).replace("play+", "bounce+"))

    monkeypatch.setattr(courier, "hand_over", and_back)
    begun(mail_house)
    (marked,) = mail_house.all(Person, col(Person.returned_at).is_not(None))
    (letter, *_) = mail_house.all(Letter, Letter.person_id == marked.id)
    assert letter.status is LetterStatus.RETURNED
