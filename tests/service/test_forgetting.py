"""Whoever wants to be forgotten is: nothing of theirs is left in any table, and what others played stays whole."""

import re

import pytest
from click.testing import CliRunner

from service.db import db, utcnow
from service.models import Game, GameStatus, Jury, Letter, LetterStatus, Link, Person, Policy, Proposal, Ruling, Seat
from service.play import forgetting, moderators, record
from service.post import letters, links, outbox
from service.post.told import in_words
from tests.play import Browser, House, Table, mail_of, mint
from tests.service.test_desk import rule
from workers import courier
from workers.cli import main

XENIA = mail_of("Xenia")


def comes(house: House, table: Table, name: str) -> Browser:
    browser = house.browser()
    browser.get(mint(house, links.mint_seat, table.player(name).seat))
    return browser


def page_to_delete(house: House) -> str:
    return f"/my/data/{house.one(Person, Person.mail == XENIA).id}/delete"


def delete(house: House, browser: Browser) -> None:
    page = browser.get(page_to_delete(house)).press("Delete me for good", sure="on")
    assert "You are forgotten" in page


def everywhere(house: House) -> Table:
    """Xenia has something to do with games in every way there is; the table is one that is over."""
    over = house.begun(["Xenia", "Bruno"], name="over")
    over.rush()
    running = house.begun(["Bruno", "Xenia", "Chidi"], name="running", jury=Jury.GROUP)
    aside = comes(house, running, "Xenia")
    rule_at_table(aside, running, "pause", days="3")
    house.begun(["Xenia", "Bruno"], name="hers", policy=Policy.BOT)
    looked_after = house.begun(["Bruno", "Chidi"], name="looked after", moderator=("Xenia", XENIA))
    rule(looked_after.desk(), "extend", seat=looked_after.to_move().no, hours=5)
    house.game(["Bruno", "Xenia"], name="invited to")
    house.game(["Xenia", "Bruno"], name="gathering")
    offered = house.begun(["Bruno", "Chidi"], name="offered", moderator=("Mika", mail_of("Mika")))
    rule(offered.desk(), "substitute", seat=0, name="Xenia", mail=XENIA)
    rule(offered.desk(), "moderator", name="Xenia", mail=XENIA)
    return over


def rule_at_table(browser: Browser, table: Table, deed: str, **fields: str) -> None:
    page = browser.get(table.url(f"/seat/{table.player('Xenia').no}/propose"))
    csrf = page.forms[0].fields["csrf_token"]
    where = table.url(f"/seat/{table.player('Xenia').no}/propose/{deed}")
    data = {"csrf_token": csrf, "reason": "I am Xenia and ill.", **fields}
    (stamp, *_) = re.findall(r'name="stamp" value="([^"]+)"', browser.post(where, data).html)
    browser.post(where, data | {"confirmed": "yes", "stamp": stamp})


@pytest.mark.both_databases
def test_nothing_of_whoever_is_forgotten_is_left_in_any_table(house: House):
    over = everywhere(house)
    assert "Xenia" in str(house.dump())
    delete(house, comes(house, over, "Xenia"))
    for table, rows in house.dump().items():
        assert not [row for row in rows if re.search("xenia", row, re.IGNORECASE)], table
    (gone,) = house.all(Person, Person.mail == None)  # noqa: E711
    assert (gone.given, gone.confirmed_at, gone.turn_letters) == ("", None, False)
    assert house.all(Link, Link.person_id == gone.id) == []
    theirs = house.all(Letter, Letter.person_id == gone.id)
    assert not [letter for letter in theirs if letter.status is LetterStatus.WAITING or letter.subject or letter.source]


@pytest.mark.both_databases
def test_the_games_go_on_without_them_and_nobody_organises_or_looks_after_one_who_is_gone(house: House):
    over = everywhere(house)
    delete(house, comes(house, over, "Xenia"))
    gone = house.one(Person, Person.given == "").id
    games = {game.name: game for game in house.all(Game)}
    seats = {name: house.all(Seat, Seat.game_id == game.id) for name, game in games.items()}
    assert games["running"].status is GameStatus.RUNNING
    assert seats["running"][1].resigned_at is not None
    assert house.one(Person, Person.id == games["hers"].organiser_id).name == "Bruno"
    assert games["gathering"].status is GameStatus.CANCELLED
    assert seats["invited to"][1].status == "declined"
    assert seats["offered"][0].offered_to is None
    with db.reading() as session:
        assert not any(moderators.of(session, game) for name, game in games.items() if name == "looked after")
    for game in games.values():
        assert game.status is not GameStatus.RUNNING or game.organiser_id != gone
    assert len(house.letters(mail_of("Bruno"), "inherited")) == 1
    assert house.all(Proposal, Proposal.outcome == "open") == []
    table = Table(house, games["running"].public_id, ["Bruno", "a former player", "Chidi"], house.browser())
    table.rush(3)
    assert table.game().version > games["running"].version


def test_they_are_a_former_player_on_every_page_of_what_was_played(one_house: House):
    over = one_house.begun(["Xenia", "Bruno"], name="over")
    over.rush()
    bruno = comes(one_house, over, "Bruno")
    delete(one_house, comes(one_house, over, "Xenia"))
    for rest in ("/log", "/log?page=0", "/result", "/replay", "/text", "/export.json"):
        page = bruno.get(over.url(rest))
        assert page.status == 200
        assert "Xenia" not in page.html
        assert "former player" in page.text, rest
    assert "A former player opened with" in bruno.get(over.url("/log?page=0"))
    assert not re.search(r"<h1>\s*a former|<strong>\s*a former player:", bruno.get(over.url("/result")).html)


def test_a_name_that_is_gone_is_said_in_the_readers_own_language(abroad: House):
    over = abroad.begun(["Xenia", "Bruno"])
    over.rush()
    bruno = comes(abroad, over, "Bruno")
    xenia = abroad.one(Person, Person.mail == XENIA)
    outbox.transaction(forgetting.forget)(xenia.id, utcnow())
    page = bruno.get(over.url("/result"))
    assert "former player" not in page.text
    assert "ƒóŕɱéŕ ƥłáýéŕ" in page.text


def test_who_held_a_seat_before_under_another_name_is_forgotten_there_too(one_house: House):
    table = one_house.begun(["Xenia", "Bruno", "Chidi"])
    xenia = comes(one_house, table, "Xenia")
    other = one_house.begun(["Xenia", "Bruno"])
    xenia.get(mint(one_house, links.mint_seat, other.seats()[0]))
    xenia.get(table.url("/seat/0/leave")).press("Leave the game for good")
    xenia.get(other.url("/seat/0/settings")).press("Save", name="Xandra")
    delete(one_house, xenia)
    assert "Xenia" not in str(one_house.dump())
    assert "Xandra" not in str(one_house.dump())
    assert in_words(one_house.all(Ruling, Ruling.name == "resign")[0].effect) == "A former player has left the game."


@pytest.mark.both_databases
def test_it_happens_whole_or_not_at_all_and_only_once(house: House, monkeypatch: pytest.MonkeyPatch):
    over = everywhere(house)
    browser = comes(house, over, "Xenia")
    where = page_to_delete(house)
    page = browser.get(where)
    before = house.dump()
    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "_empty", lambda *_: 1 / 0)
        house.app.config["PROPAGATE_EXCEPTIONS"] = False
        assert page.press("Delete me for good", sure="on").status == 500
    assert house.dump() == before
    assert "You are forgotten" in page.press("Delete me for good", sure="on")
    after = house.dump()
    assert "You are forgotten" in page.press("Delete me for good", sure="on")  # a second click
    assert house.dump() == after


def test_it_is_asked_once_more_and_says_what_happens_to_which_games(one_house: House):
    table = one_house.begun(["Xenia", "Bruno"], name="Thursday crew")
    browser = comes(one_house, table, "Xenia")
    page = browser.get(page_to_delete(one_house))
    assert "Thursday crew" in page
    before = one_house.dump()
    refused = page.press("Delete me for good")
    assert refused.status == 400
    assert "Please say that you are sure" in refused
    assert one_house.dump() == before


@pytest.mark.both_databases
def test_no_letter_is_sent_to_whoever_is_gone_and_it_says_why(house: House):
    table = house.begun(["Xenia", "Bruno"])
    gone = house.one(Person, Person.mail == XENIA)
    delete(house, comes(house, table, "Xenia"))
    with house.hold():
        outbox.transaction(lambda session: outbox.write(session, letters.OverFormer(table.game(), gone.id)))()
    (letter,) = house.all(Letter, Letter.status == LetterStatus.WAITING)
    assert courier.deliver(letter.id, house.settings) is LetterStatus.OBSOLETE
    assert house.one(Letter, Letter.id == letter.id).error == forgetting.GONE


def test_the_same_address_can_come_again_as_somebody_new(one_house: House):
    table = one_house.begun(["Xenia", "Bruno"])
    old = table.seats()[0].person_id
    delete(one_house, comes(one_house, table, "Xenia"))
    again = one_house.begun(["Bruno", "Xenia"])
    assert again.seats()[1].person_id != old
    assert one_house.letters(XENIA)


def test_a_game_of_older_rules_is_left_too(one_house: House):
    table = one_house.begun(["Xenia", "Bruno"])
    one_house.execute("UPDATE game SET saved = :saved", saved=b"nothing that can be read")
    with db.reading() as session:
        assert record.stranded(session.get_one(Game, table.game().id))
    delete(one_house, comes(one_house, table, "Xenia"))
    assert table.seats()[0].resigned_at is not None


def test_the_operator_can_do_it_by_hand(one_house: House, monkeypatch: pytest.MonkeyPatch):
    one_house.begun(["Xenia", "Bruno"])
    monkeypatch.setenv("HIKYAKU_DATABASE_URL", one_house.settings.database_url)
    monkeypatch.setenv("HIKYAKU_VAR", str(one_house.settings.var))
    assert CliRunner().invoke(main, ["delete", XENIA], input="n\n").exit_code == 1
    assert one_house.all(Person, Person.mail == XENIA)
    done = CliRunner().invoke(main, ["delete", XENIA.upper(), "--yes"])
    assert done.exit_code == 0, done.output
    assert one_house.all(Person, Person.mail == XENIA) == []
    unknown = CliRunner().invoke(main, ["delete", XENIA, "--yes"])
    assert unknown.exit_code == 1
    assert "Nobody here has the address" in unknown.output
