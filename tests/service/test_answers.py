"""A turn can be played by answering its letter: in numbers, words and commands, on the same draft as the page's."""

import re
import textwrap
from collections import Counter
from email.message import EmailMessage

import pytest
import time_machine
from sqlmodel import col

from engine import GAMES, Match
from service.db import db
from service.inbox import grammar, receiving
from service.models import Draft, GameStatus, Letter, Reading, Received, Remark, Submission
from service.play import drafts
from service.post.menu import MANY, code, menu
from service.post.render import board_text
from tests.play import House, Player, body
from tests.service.test_replies import unmarked
from workers import reader, timekeeper

# What else has a place lies before the player, under its own name.
ON_THE_BOARD = ("area:", "order:", "city:", "train:", "factory:")


@pytest.fixture
def player(house: House) -> Player:
    """At their first real turn, with the letter about it: to take a card, say, and which."""
    player = house.begun(["Aiko", "Bruno*"]).player("Aiko")
    player.answer("1, send")
    return player


def choices(player: Player) -> list[str]:
    drafts = player.house.all(Draft, Draft.seat_id == player.seat.id)
    return list(drafts[0].choices) if drafts and drafts[0].asked == player.seat.asked else []


def said(player: Player, text: str, **headers: str) -> str:
    return " ".join(body(player.answer(text, **headers)).split())


def test_the_letter_asks_what_the_page_asks_each_answer_with_its_number(player: Player):
    letter = " ".join(body(player.letters("turn")[-1]).split())
    (decision,) = player.table.match().pending
    for answer in menu(decision, ["Aiko", "Bruno"]).answers:
        assert f"{answer.number}) {answer.label}: {answer.hint}" in letter
    assert [answer.id for answer in menu(decision, []).answers] == [option.id for option in decision.options]


def test_numbers_run_ahead_of_the_questions_and_the_answer_tells_what_they_would_do(player: Player):
    told = said(player, "1, 2")
    assert len(choices(player)) == 2
    assert "WHAT WE UNDERSTOOD - Take a coin - " in told
    assert "So far: Aiko took" in told
    assert "Your turn is complete. Answer “send” to play it" in told
    assert len(player.house.all(Submission, Submission.seat_id == player.seat.id)) == 1  # the one before


@pytest.mark.parametrize("text", ["1, 2, send", "1 2 send", "1; 2; SEND", "1.\n2.\n\nsend\n", "Take, 2, send"])
def test_a_turn_in_one_line_is_played(player: Player, text: str):
    version = player.table.game().version
    assert "Your turn is played" in said(player, text)
    assert player.table.game().version > version


def test_what_is_not_understood_stops_named_by_its_place_and_what_was_before_it_stays(player: Player):
    told = said(player, "1, whale, send")
    assert "“whale”, number 2 in your line: that is no answer to: " in told
    assert choices(player) == ["take"]
    assert "“99”, number 1 in your line" in said(player, "99")


def test_within_a_line_of_answers_any_word_of_a_label_will_do(player: Player):
    """Where all begin alike, nobody repeats that; but a line is no answer because such a word stands in it."""
    player.answer("1")
    (decision,) = drafts.lay_out(player.table.game(), player.seat, ["take"]).match.pending
    said = Counter(answer.label.split()[1] for answer in menu(decision, ["Aiko", "Bruno"]).answers)
    (good,) = [word for word, n in said.items() if n == 1][:1]
    player.answer(good)
    assert choices(player) == ["take"]
    player.answer(f"undo, 1, {good[:3].upper()}")
    assert len(choices(player)) == 2


def test_a_beginning_that_fits_several_is_asked_back(player: Player):
    player.answer("1")
    assert "“Take”, number 1 in your line: it may mean Take " in said(player, "Take")
    assert choices(player) == ["take"]


def test_undo_start_over_and_pass(player: Player):
    player.answer("1, 2")
    player.answer("undo")
    assert choices(player) == []
    player.answer("1, 2, start over, 2, 1")
    assert choices(player)[0] != "take"
    player.answer("start over, pass")
    assert "Your turn is played" in said(player, "send")


def test_help_and_board_change_nothing(player: Player):
    before = player.house.dump("letter", "attempt", "link", "returnaddress", "received")
    told = said(player, "help, board")
    assert "WHAT YOU CAN SAY" in told
    assert "THE SEA ROAD" in told
    assert player.house.dump("letter", "attempt", "link", "returnaddress", "received") == before


LONG = "It was a fine game while it lasted, and I should very much like to play another one of these, soon, and alone"
BROKEN = textwrap.fill(f"say {LONG}", 72)  # as programs break it


@pytest.mark.parametrize(
    ("text", "passed_on", "chosen"),
    [
        ("say Well met, Bruno; tea?", ["Well met, Bruno; tea?"], 0),
        ("1, 2, say oh, tea!", ["oh, tea!"], 2),
        ("Say: one\nSAY two\n\nsay three", ["one", "two", "three"], 0),
        (f"{BROKEN}\n\nAiko", [LONG], 0),
        ("1\n\nThanks to you.\nsay this is not for the table", [], 1),
        ("Hello all, say hi", [], 0),
        ("1, whale, say hi", [], 1),
    ],
)
def test_what_follows_say_is_for_the_others_at_the_table(player: Player, text: str, passed_on: list[str], chosen: int):
    told = said(player, text)
    assert [remark.text for remark in player.house.all(Remark)] == passed_on
    assert ("passed on to the table" in told) == bool(passed_on)
    assert len(choices(player)) == chosen


def test_something_can_be_said_after_the_turn_is_sent_and_when_it_is_somebody_elses(one_house: House):
    player = one_house.begun(["Aiko", "Bruno"]).player("Aiko")
    player.answer("1, send\nsay Your turn!")
    assert player.seat.asked is None
    assert "There is nothing for you to do now" in said(player, "say Hurry up\n\nAiko")
    assert "passed on to the table" in said(player, "1, 2, send, say Too early")
    assert "passed on" not in said(player, "Hello all, say hi")
    assert [remark.text for remark in one_house.all(Remark)] == ["Your turn!", "Hurry up", "Too early"]
    assert "is 1001 characters long" in said(player, "say " + "x" * 1001)


def test_whoever_waits_for_the_others_can_ask_for_the_board_and_for_help_too(house: House):
    table = house.begun(["Aiko", "Bruno"])
    (waits,) = [player for player in table.players if player is not table.to_move()]
    told = said(waits, "Hello!\n\nboard, help\n2, send")
    assert f"{table.to_move().name} to play" in told
    assert "WHAT YOU CAN SAY" in told
    assert "THE SEA ROAD" in told
    assert "THE SEA ROAD" not in said(waits, "The board is lost on me.\nboard games are, help!")
    table.rush()
    assert "THE SEA ROAD" in said(waits, "board")


def test_an_invitation_says_that_answers_to_it_are_not_read_and_who_answers_all_the_same_learns_it(one_house: House):
    player = one_house.game(["Aiko", "Bruno"]).player("Bruno")
    assert "Nobody reads answers to this letter" in body(player.letters("invitation")[-1])
    one_house.execute("UPDATE person SET confirmed_at = created_at")
    told = said(player, "board\n\nYes, I play!")
    assert "The game has not begun yet. To accept or to decline, please use the link." in told
    assert "over" not in told


def test_a_greeting_above_and_a_signature_below_are_not_for_us(player: Player):
    player.answer("Hi Bruno, how are you?\n\n1, 2\n\nAiko\n-- \n3 Sea Road, Osaka")
    assert len(choices(player)) == 2


def test_a_letter_without_any_answer_is_told_so(player: Player):
    assert "We have found no answer" in said(player, "What a nice game this is!")


def test_an_old_letter_changes_nothing_and_the_present_question_comes_back(player: Player):
    """Its numbers mean something else by now."""
    (old,) = player.letters()[-1:]
    player.answer("1, 2, send")
    before = choices(player)
    told = said(player, "1", to=str(old["Reply-To"]))
    assert "The game has moved on since the letter that you answered" in told
    assert "1) " in told
    assert choices(player) == before


def test_what_was_chosen_on_the_page_meanwhile_is_not_answered_by_an_older_letter(player: Player):
    player.choose("take")
    assert "Your turn has gone on since the letter" in said(player, "1")
    assert choices(player) == ["take"]


def test_a_page_and_answers_work_on_one_draft(player: Player):
    player.answer("1")
    assert choices(player) == ["take"]
    assert "Undo" in player.see().html
    (first, *_) = player.see().options
    player.choose(first)
    assert len(choices(player)) == 2


def test_who_wants_it_sends_a_complete_turn_without_the_word(player: Player):
    player.house.execute("UPDATE person SET send_complete = true WHERE mail = :mail", mail=player.mail)
    assert "Your turn is played" in said(player, "1, 2")


def test_a_message_is_read_once_however_often_it_comes(player: Player):
    player.answer("1", Message_ID="<same@players.example>")
    after = choices(player)
    count = len(player.letters())
    (row,) = player.house.all(Received)[-1:]
    assert reader.read(row.id) is None
    receiving.receive(row.source, _address(player, -2))
    assert (choices(player), len(player.letters())) == (after, count)


def _address(player: Player, which: int = -1) -> str:
    return str(player.letters()[which]["Reply-To"])


@pytest.mark.both_databases
def test_a_message_that_the_queue_lost_is_read_by_the_sweep(player: Player):
    with player.house.lose():
        player.answer("1")
    assert choices(player) == []
    with time_machine.travel(player.table.game().moved_at.timestamp() + 120):
        timekeeper.sweep(player.house.settings)
    assert choices(player) == ["take"]


@pytest.mark.parametrize(
    "header",
    [{"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"Return_Path": "<>"}, {"X_Autoreply": "yes"}],
)
def test_what_no_person_wrote_is_filed_and_never_answered(player: Player, header: dict[str, str]):
    count = len(player.letters())
    player.answer("1, 2, send", **header)
    assert len(player.letters()) == count
    assert choices(player) == []
    assert player.house.all(Received)[-1].status is Reading.FILED


def test_what_comes_to_where_letters_come_back_is_no_answer_whoever_wrote_it(player: Player):
    """Nobody has looked there whether it is from whom it says."""
    count = len(player.letters())
    player.answer("1, 2, send", to=_address(player).replace("play+", "bounce+"))
    assert len(player.letters()) == count
    assert choices(player) == []
    assert player.house.all(Received)[-1].status is Reading.FILED


def test_the_question_stands_before_what_else_the_letter_tells(one_house: House):
    """It belongs to the turn, and not to the news below."""
    (letter,) = one_house.begun(["Aiko", "Bruno*"]).player("Aiko").letters("turn")
    for kind, mark in (("plain", "* * *"), ("html", "Your game is made")):
        words = body(letter, kind)
        assert words.index("answer this letter with numbers") < words.index(mark)


def test_an_address_that_was_never_given_out_is_refused(house: House):
    with pytest.raises(receiving.NotForUs):
        receiving.receive(b"From: a@b.example\n\n1", "play+" + "a" * 32 + "@localhost")


def test_no_line_of_a_letter_reads_like_an_answer(player: Player):
    """It may come back beneath an answer without any mark that it is quoted."""
    for letter in player.letters():
        sent = player.house.all(Received)
        player.answer("\n".join(["Sorry, I am on a train.", *unmarked(letter)]).replace("\n-- \n", "\n"))
        assert "We have found no answer" in " ".join(body(player.letters()[-1]).split()), body(letter)
        assert len(player.house.all(Received)) == len(sent) + 1


def test_the_post_office_has_a_box_to_answer_a_letter_and_shows_what_comes_back(player: Player):
    browser = player.house.browser()
    (letter, *_) = player.house.all(Letter, col(Letter.source).is_not(None), Letter.kind == "turn")[-1:]
    back = browser.get(f"/post-office/{letter.id}").press("Send the answer", answer="1, 2")
    assert "So far: Aiko took" in back
    assert len(choices(player)) == 2
    played = back.press("Send the answer", answer="send")
    assert "Your turn is played" in played


@pytest.mark.parametrize("kind", ["yokohama", "zaibatsu"])
def test_where_there_are_many_answers_those_on_the_board_have_codes_which_the_text_board_shows(kind: str):
    names, seen = ["Aiko", "Bruno", "Chidi", "Dana"], set()
    match = Match.start(kind, players=4, seed=3)
    while match.pending and match.turn < 60:
        decision = match.pending[0]
        answers = menu(decision, names).answers
        codes = {answer.code for answer in answers if answer.code}
        assert bool(codes) == (len(answers) > MANY and any(option.spots for option in decision.options))
        assert len(codes) == sum(bool(answer.code) for answer in answers)  # no two are the same
        places = {spot for option in decision.options for spot in option.spots if spot.startswith(ON_THE_BOARD)}
        if codes and places:
            board = board_text(kind, match.view(decision.seat), names)
            assert {code(spot) for spot in places} <= set(re.findall(r"\[(\w+)\]", board))
            seen |= codes
        match.choose(decision.seat, match.bot_choice(decision.seat))
    assert len(seen) > MANY


def test_a_code_is_as_good_as_a_number(one_house: House):
    player = one_house.begun(["Aiko", "Bruno*"], kind="yokohama").player("Aiko")
    match = player.table.match().draft()
    while len((asked := menu(match.pending[0], ["Aiko", "Bruno"])).answers) <= MANY:
        player.answer("pass, send")
        match = player.table.match().draft()
    coded = next(answer for answer in asked.answers if answer.code)
    player.answer(coded.code)
    assert choices(player) == [coded.id]


@pytest.mark.parametrize("kind", GAMES)
def test_a_whole_game_is_played_by_answers_alone(house: House, kind: str):
    """In plain text, without opening a page once; a sensible player reads the menus."""
    table = house.begun(["Aiko", "Bruno*"], kind=kind)
    player = table.player("Aiko")
    for _ in range(400):
        if table.game().status is not GameStatus.RUNNING:
            break
        _play_by_mail(player)
    assert table.game().status is GameStatus.FINISHED
    assert player.letters("over")


def _play_by_mail(player: Player) -> None:
    """One turn, up to where it can be sent, in one line: each answer by its number in the menu then."""
    match, words = player.table.match().draft(), []
    for choice in player.best():
        (decision,) = [d for d in match.pending if d.seat == player.no]
        words.append(str([option.id for option in decision.options].index(choice) + 1))
        match.choose(player.no, choice)
    version = player.table.game().version
    answer = player.answer(", ".join([*words, "send"]))
    assert player.table.game().version > version, body(answer)
    if version % 8 == 0 and player.seat.asked is not None:
        assert not _heard(player, answer)


def _heard(player: Player, letter: EmailMessage) -> bool:
    """Whether anything in our own letter would be taken for an answer to what is asked now."""
    with db.reading() as session:
        turn = drafts.current(session, player.table.game(), player.seat)
    names = [seat.name for seat in player.table.seats()]
    return not grammar.understand(player.table.game(), player.seat, turn, unmarked(letter), names).nothing
