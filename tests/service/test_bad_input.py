"""What people, programs and accidents send that does not fit: it is said in plain words, and nothing is changed."""

import io
import re
import time
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

import engine
from engine.components import BadComponents
from engine.osaka import box
from service.models import Game, Letter, Move, Person, Seat, Submission, Verdict
from service.play.reading import BadInput, read_span
from service.post import links
from service.post.language import speaking
from service.post.told import in_words
from service.post.words import edition_of, say
from tests.play import House, Page, Table, at_once, body, mail_of, mint


@pytest.fixture
def table(house: House) -> Table:
    return house.begun(["Aiko", "Bruno"])


# --- keys


TOKENS = [
    "A" * 43,
    "short",
    "x" * 5000,
    "%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00",
    "ключключключключключключ",
    "../../../../etc/passwd-and-more-of-it",
    "' OR 1=1 -- ' OR 1=1 --",
]


def test_an_unknown_or_malformed_token_opens_nothing_and_the_page_offers_new_links(house: House):
    for token in TOKENS:
        for path in ("/l/", "/u/"):
            page = house.browser().get(path + token)
            assert page.status in (403, 404)
            assert "traceback" not in page.html.lower()
        assert "Mail me my links" in house.browser().get("/l/" + "A" * 43)


def test_a_revoked_token_opens_nothing_and_what_it_opened_is_shut(table: Table):
    player = table.to_move()
    link = player.link()
    player.follow_link().browser.get(player.url("/settings")).press("Void my links")
    assert player.browser.get(player.url()).status == 403
    assert table.house.browser().get(link).status == 403
    assert player.follow_link().status == 200  # through the letter that brought a new one
    assert player.browser.get(player.url()).status == 200


def test_a_key_to_one_seat_opens_no_other_seat_and_no_other_table(table: Table):
    elsewhere = table.house.begun(["Chidi", "Dana"])
    browser = table.player("Aiko").follow_link().browser
    yours = table.player("Bruno").no
    csrf = browser.get("/new").forms[0].fields["csrf_token"]
    before = table.house.dump()
    for seat in (table.url(f"/seat/{yours}"), elsewhere.url("/seat/0"), table.url("/seat/9")):
        assert browser.get(seat).status == 403
        for deed in ("choose", "undo", "restart", "rest", "send", "settings", "new-link", "invitation"):
            fields = {"csrf_token": csrf, "version": 0, "step": 0, "option": "token.red", "answer": "decline"}
            assert browser.post(f"{seat}/{deed}", fields).status == 403
    assert browser.get(table.url(f"/replay?seat={yours}")).status == 403
    assert browser.get(elsewhere.url("/log")).status == 403
    assert table.house.dump() == before


# --- forms


def test_a_post_without_the_forms_token_changes_nothing(table: Table):
    player = table.to_move()
    page = player.see()
    before = table.house.dump()
    url, data = page.request(page.options[0])
    for forged in ({}, {"csrf_token": "forged"}):
        answer = player.browser.post(url, {**data, "csrf_token": "", **forged})
        assert answer.status == 400
        assert "Nothing was changed" in answer
    assert table.house.dump() == before


def test_every_post_but_one_click_unsubscribe_needs_the_forms_token(house: House):
    posts = [rule for rule in house.app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    assert len(posts) > 10
    for rule in posts:
        path = re.sub(r"<int:[^>]+>", "0", rule.rule)
        path = re.sub(r"<any\('(\w+)'[^>]*>", r"\1", path)
        path = re.sub(r"<[^>]+>", "a" * 43, path)
        page = house.browser().post(path)
        if rule.endpoint == "keys.unsubscribe":
            assert page.status == 403  # the token in its address is its key
        else:
            assert (page.status, "could not be checked" in page) == (400, True), rule


def test_ten_megabytes_are_refused_with_a_page_and_change_nothing(table: Table):
    player = table.to_move()
    page = player.see()
    url, data = page.request(page.options[0])
    before = table.house.dump()
    for address in (url, "/new", "/links"):
        answer = player.browser.post(address, {**data, "option": "x" * 10_000_000})
        assert answer.status == 413
        assert "larger than anything we can use" in answer
    assert table.house.dump() == before


def test_an_option_of_another_decision_is_refused_and_the_draft_is_as_it_was(table: Table):
    player = table.to_move()
    page = player.see()
    url, data = page.request(page.options[0])
    before = table.house.dump()
    for option in ("take", "buy", "pay.red2", "", "token.black", "x" * 4000, "'; DROP TABLE game"):
        answer = player.browser.post(url, {**data, "option": option})
        assert answer.status == 200
        assert "That is not possible" in answer
    assert table.house.dump() == before


@pytest.mark.parametrize("numbers", [("", ""), ("x", "0"), ("0", "-1"), ("99999999999999999999", "0"), ("1e9", "0")])
def test_a_page_number_that_is_none_is_out_of_date_and_changes_nothing(table: Table, numbers: tuple[str, str]):
    player = table.to_move()
    page = player.see()
    before = table.house.dump()
    url, data = page.request(page.options[0], version=numbers[0], step=numbers[1])
    for deed in ("choose", "send", "undo", "restart", "rest"):
        assert player.browser.post(url.replace("/choose", f"/{deed}"), data).status == 200
    assert table.house.dump() == before


# --- sending


def test_a_double_click_on_send_is_one_turn_and_the_second_answer_says_the_same(table: Table):
    player = table.to_move()
    url, data = player.draft().request("/send")
    first, second = player.browser.post(url, data), player.browser.post(url, data)
    assert "Your turn is played." in first
    assert "Your turn is played." in second
    assert len(table.house.all(Submission)) == 1
    assert table.game().version == 1


@pytest.mark.both_databases
def test_a_double_click_at_the_same_moment_is_one_turn(table: Table):
    player = table.to_move()
    url, data = player.draft().request("/send")
    windows = [player.browser.twin() for _ in range(4)]
    answers = at_once([partial(w.post, url, data) for w in windows])
    assert {answer.status for answer in answers} == {200}
    assert len(table.house.all(Submission)) == 1
    assert table.game().version == 1
    assert [move.version for move in table.house.all(Move)] == [0, 1]


@pytest.mark.both_databases
def test_two_browsers_that_send_different_turns_at_once_play_one_and_tell_the_other_why(table: Table):
    house = table.house
    player = table.to_move()
    page = player.see()
    one, other = page.options[:2]
    choose_other = page.request(other)
    page = page.press(other)
    send_other = page.request("/send")
    page = page.press("Undo").press(one)
    send_one, undo_one = page.request("/send"), page.request("Undo")
    first, second = player.browser, player.browser.twin()
    with house.hold():
        first.post(*send_one)
        second.post(*undo_one)
        second.post(*choose_other)
        assert "Received, safe" in second.post(*send_other)
    rows = [row.id for row in house.all(Submission)]
    assert len(rows) == 2
    at_once([partial(house.run, "adjudicate", row) for row in rows])
    verdicts = {row.verdict: row for row in house.all(Submission)}
    assert set(verdicts) == {Verdict.ACCEPTED, Verdict.REJECTED}
    assert "moved on" in in_words(verdicts[Verdict.REJECTED].reason or {})
    assert table.game().version == 1
    (played,) = house.all(Move, Move.version == 1)
    assert played.choices == verdicts[Verdict.ACCEPTED].choices
    # The answer may come when nobody waits for it any more: it stands on the table.
    assert "could not be played" in player.see()


def test_a_window_never_sends_what_another_window_has_chosen_since(table: Table):
    player = table.to_move()
    page = player.see()
    one, other = page.options[:2]
    send_one = page.press(one).request("/send")
    player.see().press("Undo").press(other)
    assert "in another window" in player.browser.post(*send_one)
    assert table.house.all(Submission) == []


@pytest.mark.both_databases
def test_two_browsers_changing_one_draft_at_once_leave_a_draft_that_holds(table: Table):
    player = table.to_move()
    page = player.see()
    pairs = [page.request(option) for option in page.options[:2]] * 2
    windows = [(player.browser.twin(), pair) for pair in pairs]
    answers = at_once([partial(w.post, *pair) for w, pair in windows])
    assert {answer.status for answer in answers} == {200}
    assert player.see().can_send


# --- names and addresses


MAILS = [
    "aiko@players.example\nBcc: all@players.example",
    "aiko@players.example\r\nSubject: hello",
    "aiko\n@players.example",
    "aiko@players.example,bruno@players.example",
    "aiko",
    "aiko@",
    "@players.example",
    "<aiko@players.example>",
    "a" * 300 + "@players.example",
    "",
]


def test_a_mail_address_that_is_none_is_refused_with_what_was_typed_kept(house: House):
    for mail in MAILS:
        browser = house.browser()
        form = {"organiser-name": "Aiko", "organiser-mail": "aiko@players.example", "playing": "on"}
        page = browser.get("/new").press("Invite the players", **form, **{"seat-1-name": "Bruno", "seat-1-mail": mail})
        assert page.status == 400
        assert "mail address" in page
        assert 'value="Bruno"' in page.html
        assert house.browser().get("/links").press("Mail me", mail=mail).status == 400
        assert [*house.all(Game), *house.all(Person), *house.all(Letter)] == []


NAMES = {
    "markup": "<script>alert(1)</script><b>&amp;",
    "quotes": "\"'></option><img src=x>, Jr.",
    "emoji": "Zoë 👩‍👩‍👧‍👦🎲",
    "right to left": "أيكو עברית",
    "template": "{{ 7*7 }}{% raw %}",
    "header": "?utf-8?q?Aiko?= <x@y.example>",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_any_name_is_shown_as_it_is_in_pages_and_letters_and_breaks_no_header(house: House, name: str):
    table = house.begun(["Aiko", "Bruno"], name=name)
    for player in table.players:
        player.follow_link().browser.get(player.url("/settings")).press("Save", name=name)
    table.players = []
    browser = house.browser()
    seat = house.all(Seat, Seat.asked.is_not(None))[0]
    browser.get(mint(house, links.mint_seat, seat))
    for path in (f"/seat/{seat.no}", "/log", "/replay", f"/seat/{seat.no}/settings"):
        page = browser.get(table.url(path))
        assert page.status == 200
        assert " ".join(name.split()) in page.text
        _nothing_of_it_is_markup(page.html)
    assert " ".join(name.upper().split()) in browser.get(table.url("/text")).text.upper()
    page = browser.get(table.url(f"/seat/{seat.no}"))
    page.press(page.options[0]).press("/send")
    letters = house.letters(kind="turn")
    assert len(letters) == 2
    for letter in letters:
        assert name in str(letter["Subject"])
        assert [a.addr_spec for a in letter["To"].addresses] == [
            house.one(Person, Person.mail == letter["To"].addresses[0].addr_spec).mail
        ]
        _nothing_of_it_is_markup(body(letter, "html"))
    assert name in body(letters[-1])
    assert letters[-1]["To"].addresses[0].display_name == name


def _nothing_of_it_is_markup(html: str) -> None:
    assert "<script>alert" not in html
    assert "<img src=x>" not in html
    assert "<b>&amp;<" not in html
    assert "49" not in re.findall(r">\s*(49)\s*<", html)


def test_marks_that_reorder_text_and_control_characters_are_taken_out_of_names(house: House):
    table = house.begun(["Aiko", "Bruno"])
    player = table.player("Aiko")
    page = player.follow_link().browser.get(player.url("/settings"))
    page.press("Save", name="Ai\u202eko\x01\r\nBcc: x\u2066 \u200bK")
    assert {seat.name for seat in table.seats()} == {"AikoBcc: x K", "Bruno"}


def test_a_name_that_is_too_long_or_empty_is_refused(house: House):
    table = house.begun(["Aiko", "Bruno"])
    player = table.player("Aiko")
    player.follow_link()
    for name, why in (("x" * 41, "room for 40 letters"), ("", "give a name"), (" \u200b\n", "give a name")):
        page = player.browser.get(player.url("/settings")).press("Save", name=name)
        assert page.status == 400
        assert why in page
    assert player.seat.name == "Aiko"


ZONES = ["Mars/Olympus", "", "../../etc/passwd", "UTC\nX", "<b>", "/etc/localtime"]


def test_an_unknown_time_zone_is_refused_where_it_is_typed(house: House):
    table = house.game(["Aiko", "Bruno"])
    player = table.player("Bruno")
    for zone in ZONES:
        page = player.accept(zone=zone)
        assert page.status == 400
        assert "time zone is not known" in page
        assert player.seat.status == "invited"
        assert house.one(Person, Person.mail == mail_of("Bruno")).zone == "UTC"


# --- component files


def _upload(house: House, text: str) -> Page:
    browser = house.browser()
    url, data = browser.get("/new?kind=osaka").request(
        "Invite the players",
        **{"organiser-name": "Aiko", "organiser-mail": mail_of("Aiko"), "playing": "on", "seat-1-who": "bot"},
    )
    data["components"] = (io.BytesIO(text.encode()), "mine.toml")
    return browser.post(url, data, content_type="multipart/form-data")


def test_a_component_file_with_a_missing_row_is_refused_with_table_and_row_named(house: House):
    page = _upload(house, re.sub(r'.*card = "blue3".*\n', "", _own_file()))
    assert page.status == 400
    assert "cards" in page
    assert "blue3" in page
    assert house.all(Game) == []


NO_COMPONENTS = ["", "not toml at all [", "\x00\x01", "[cards]\nrows = 3", "cards = []" * 1000]


def test_a_component_file_that_is_no_component_file_is_refused(house: House):
    for text in NO_COMPONENTS:
        page = _upload(house, text or " ")
        assert page.status == 400
        assert house.all(Game) == []


COSTLY = {
    "a key of many parts": ("a" + ".a" * 16_000 + " = 1", "line 1: a key has too many parts"),
    "a table of many parts": ("\n[" + "a." * 16_000 + "a]", "line 2: a key has too many parts"),
    "a quoted key of many parts": (r'"\""' + r'."\""' * 6_000 + " = 1", "line 1: a key has too many parts"),
    "deep lists": ("a = " + "[" * 16_000 + "]" * 16_000, "8 deep in each other"),
    "deep tables": ("a = " + "{b=" * 5_000 + "1" + "}" * 5_000, "8 deep in each other"),
    "many digits": ("a = " + "9" * 30_000, "line 1: a number has too many digits"),
    "a large number": (
        "[numbers]\nrows = [{value = 0xffffffffffffffffff}]",
        "table numbers, row 1, value: numbers go up to",
    ),
    "many rows": ("[cards]\nrows = [" + "{}," * 5_000 + "]", "table cards, rows: 5000 are too many"),
    "a text of nothing": ('[cards]\nsource = "\\u0000"', "table cards, source: a text has up to"),
    "too much of it": ("#" * 200_000, "200000 letters"),
}


@pytest.mark.parametrize(("text", "why"), COSTLY.values(), ids=COSTLY.keys())
def test_no_component_file_costs_much_and_what_is_wrong_with_it_is_said(one_house: House, text: str, why: str):
    before = time.process_time()
    with pytest.raises(BadComponents, match=re.escape(why)):
        box.load_box(text)
    assert time.process_time() - before < 0.1
    page = _upload(one_house, text)
    assert page.status == 400
    assert why in page
    assert one_house.all(Game) == []


def test_a_component_file_of_the_same_shape_is_played_with(house: House):
    page = _upload(house, _own_file())
    assert page.status == 200
    assert house.one(Game).components == _own_file()


def test_what_is_said_at_a_table_has_the_numbers_of_its_own_box(one_house: House):
    """One of these achievements is in play; our own box asks for other numbers."""
    theirs = re.sub(r"needs = \{ (copper|silk|tea|fish) = \d \}", r"needs = { \1 = 9 }", _own_file("yokohama"))
    table = one_house.begun(["Aiko", "Bruno"], kind="yokohama", components=theirs)
    goal = table.match().view()["achievements"][0]["id"]
    assert f"9 {goal}" in table.player("Aiko").see()
    with speaking("en", *edition_of(table.game())):
        assert say(f"yokohama.goal.{goal}") == f"9 {goal}"


def _own_file(title: str = "osaka") -> str:
    return (Path(engine.__file__).parent / title / "components.toml").read_text()


# --- asking for a game that cannot be


NO_GAMES = [
    ({"kind": "chess"}, "choose a game"),
    ({"pace": "never"}, "choose a pace"),
    ({"seat-1-who": "person", "seat-1-name": "", "seat-1-mail": ""}, "players"),
    ({"seat-2-name": "Bo", "seat-2-mail": mail_of("Aiko")}, "same mail address"),
    ({"playing": ""}, "players"),
    ({"organiser-name": ""}, "give a name"),
    ({"name": "x" * 61}, "room for 60 letters"),
    ({"jury": "outsider", "moderator-name": "Moe", "moderator-mail": "nowhere"}, "mail address"),
]


def test_a_game_that_cannot_be_made_is_refused_with_the_reason(house: House):
    for change, why in NO_GAMES:
        form = {"organiser-name": "Aiko", "organiser-mail": mail_of("Aiko"), "playing": "on"}
        form |= {"seat-1-who": "person", "seat-1-name": "Bruno", "seat-1-mail": mail_of("Bruno")}
        page = house.browser().get("/new").press("Invite the players", **{**form, **change})
        assert page.status == 400
        assert why in page
        assert house.all(Game) == []


@pytest.mark.parametrize(
    ("text", "minutes"), [("24", 1440), ("1.5 h", 90), ("1,5h", 90), ("90 min", 90), ("1m", 1), (" 2 Hours ", 120)]
)
def test_a_length_of_time_is_read_as_people_write_it(text: str, minutes: int):
    assert read_span(text, timedelta(0), timedelta(days=60), "pace") == timedelta(minutes=minutes)


@pytest.mark.parametrize("text", ["", "soon", "-3 h", "1 fortnight", "nan", "1e9", "100000", "0"])
def test_a_length_of_time_that_makes_no_sense_is_refused_with_what_to_write(text: str):
    with pytest.raises(BadInput, match=r"such as 24 h|from 1 minute to 60 days"):
        read_span(text, timedelta(minutes=1), timedelta(days=60), "pace")
