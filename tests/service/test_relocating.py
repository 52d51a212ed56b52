"""Another mail address: the new one confirms it, the old one can stop it and take it back, and nobody learns who has
which."""

import re
from datetime import timedelta
from email.message import EmailMessage

import pytest
import time_machine
from sqlmodel import select

from service.db import db, utcnow
from service.models import Letter, LetterStatus, Person, Relocation
from service.play import tidying
from service.post import blocked, links
from tests.play import Browser, House, Page, Table, body, link_in, mail_of, mint
from tests.servers import MailServer

AIKO, NEW = mail_of("Aiko"), "aiko@elsewhere.example"


def aiko(house: House, table: Table) -> Browser:
    browser = house.browser()
    browser.get(mint(house, links.mint_seat, table.seats()[0]))
    return browser


def where(house: House, table: Table) -> str:
    return f"/my/data/{table.seats()[0].person_id}/address"


def ask(house: House, table: Table, mail: str = NEW, browser: Browser | None = None) -> Page:
    return (browser or aiko(house, table)).get(where(house, table)).press("Write to both", mail=mail)


def letter(server: MailServer, mail: str, said: str) -> EmailMessage:
    (found,) = [letter for letter in server.to(mail) if said in str(letter["Subject"])]
    return found


def answer(house: House, server: MailServer, mail: str, said: str) -> Page:
    return house.browser().get(link_in(letter(server, mail, said)))


NEW_SAYS, OLD_SAYS, MOVED_SAYS = "come to this address", "Are your letters to go", "go to another address now"


@pytest.fixture
def table(mail_house: House) -> Table:
    return mail_house.begun(["Aiko", "Bruno"])


@pytest.mark.both_databases
def test_letters_go_to_the_new_address_once_it_has_confirmed_by_its_button_and_not_before(
    mail_house: House, mail_server: MailServer, table: Table
):
    browser = aiko(mail_house, table)
    assert "Two letters are on their way" in ask(mail_house, table, browser=browser)
    page = answer(mail_house, mail_server, NEW, NEW_SAYS)
    assert mail_house.one(Person, Person.id == table.seats()[0].person_id).mail == AIKO  # the link alone does nothing
    with mail_house.hold() as waiting:
        table.rush(1)
    assert "Done." in page.press("Yes, this address is mine")
    assert "Done." in page.press("Yes, this address is mine")  # a second click
    letters = len(mail_server.to(NEW))
    for task, args in waiting:
        mail_house.run(task, *args)
    table.rush(1)
    assert len(mail_server.to(NEW)) > letters
    assert browser.get(table.url("/seat/0")).status == 200  # keys stay as they were
    assert browser.get(where(mail_house, table)).status == 200


def test_whoever_reads_the_new_address_is_nobody_until_they_confirm_and_sees_nothing_of_the_old_one(
    mail_house: House, mail_server: MailServer, table: Table
):
    ask(mail_house, table)
    sent = letter(mail_server, NEW, NEW_SAYS)
    assert not re.search(f"{AIKO}|Aiko", sent.as_string() + body(sent) + body(sent, "html"))
    page = answer(mail_house, mail_server, NEW, NEW_SAYS)
    assert AIKO not in page.html
    assert page.browser.get(where(mail_house, table)).status == 403
    assert page.browser.get(table.url("/seat/0")).status == 403
    old = letter(mail_server, AIKO, OLD_SAYS)
    assert NEW not in old.as_string() + body(old) + body(old, "html")


@pytest.mark.both_databases
def test_the_old_address_can_stop_it_and_then_every_link_is_void(
    mail_house: House, mail_server: MailServer, table: Table
):
    thief = aiko(mail_house, table)
    ask(mail_house, table, browser=thief)
    confirming = answer(mail_house, mail_server, NEW, NEW_SAYS)
    page = answer(mail_house, mail_server, AIKO, OLD_SAYS)
    assert "It is stopped" in page.press("Stop it")
    assert "It is stopped" in page.press("Stop it")
    assert "This is over" in confirming.press("Yes, this address is mine")
    assert mail_house.one(Person, Person.id == table.seats()[0].person_id).mail == AIKO
    assert thief.get(table.url("/seat/0")).status == 403
    assert mail_house.browser().get(link_in(letter(mail_server, AIKO, "Your links"))).status == 200


@pytest.mark.both_databases
def test_the_old_address_can_take_it_back_within_days_with_all_that_was_done_since(
    mail_house: House, mail_server: MailServer, table: Table
):
    ask(mail_house, table)
    answer(mail_house, mail_server, NEW, NEW_SAYS).press("Yes, this address is mine")
    ask(mail_house, table, "further@elsewhere.example")
    answer(mail_house, mail_server, "further@elsewhere.example", NEW_SAYS).press("Yes, this address is mine")
    page = answer(mail_house, mail_server, AIKO, MOVED_SAYS)
    assert "It is stopped" in page.press("Take it back")
    assert mail_house.one(Person, Person.id == table.seats()[0].person_id).mail == AIKO
    assert "This is over" in answer(mail_house, mail_server, "further@elsewhere.example", NEW_SAYS)


def test_after_these_days_it_cannot_be_taken_back_and_the_old_address_is_forgotten(
    mail_house: House, mail_server: MailServer, table: Table
):
    ask(mail_house, table)
    answer(mail_house, mail_server, NEW, NEW_SAYS).press("Yes, this address is mine")
    page = answer(mail_house, mail_server, AIKO, MOVED_SAYS)
    with time_machine.travel(utcnow() + timedelta(days=15)):
        assert "The time for this is over" in page.press("Take it back")
        tidying.tidy(mail_house.settings.keep, utcnow())
        assert AIKO not in str(mail_house.dump())
    assert mail_house.all(Relocation) == []


def test_an_address_that_somebody_has_is_not_told_on_the_page_but_in_the_letter_there(
    mail_house: House, mail_server: MailServer, table: Table
):
    free, taken = (ask(mail_house, table, mail).text.replace(mail, "") for mail in (NEW, mail_of("Bruno")))
    assert free == taken
    sent = letter(mail_server, mail_of("Bruno"), NEW_SAYS)
    assert "two people cannot share one" in " ".join(body(sent).split())
    assert "/l/" not in body(sent)
    assert len(mail_server.to(AIKO)) >= 2


@pytest.mark.both_databases
def test_an_address_that_was_taken_meanwhile_cannot_be_confirmed(
    mail_house: House, mail_server: MailServer, table: Table
):
    ask(mail_house, table)
    page = answer(mail_house, mail_server, NEW, NEW_SAYS)
    with db.writing() as session:
        session.add(Person(mail=NEW, given="Zoe"))
    assert "Somebody has this address here already" in page.press("Yes, this address is mine")
    assert mail_house.one(Person, Person.id == table.seats()[0].person_id).mail == AIKO


@pytest.mark.both_databases
def test_nobody_else_can_be_made_with_the_old_address_while_it_can_be_taken_back(
    mail_house: House, mail_server: MailServer, table: Table
):
    ask(mail_house, table)
    answer(mail_house, mail_server, NEW, NEW_SAYS).press("Yes, this address is mine")
    again = mail_house.begun(["Bruno", "Aiko"])
    assert again.seats()[1].person_id == table.seats()[0].person_id
    organiser = mail_house.browser()
    organiser.get(mint(mail_house, links.mint_organiser, again.game()))
    assert NEW not in organiser.get(again.url("/organise")).html  # Bruno has typed another one
    assert "It is stopped" in answer(mail_house, mail_server, AIKO, MOVED_SAYS).press("Take it back")


def test_an_organiser_who_typed_the_old_address_does_not_see_the_new_one(mail_house: House, mail_server: MailServer):
    table = mail_house.begun(["Bruno", "Aiko"])
    organiser = mail_house.browser()
    organiser.get(mint(mail_house, links.mint_organiser, table.game()))
    assert AIKO in organiser.get(table.url("/organise")).html
    browser = mail_house.browser()
    browser.get(mint(mail_house, links.mint_seat, table.seats()[1]))
    browser.get(f"/my/data/{table.seats()[1].person_id}/address").press("Write to both", mail=NEW)
    answer(mail_house, mail_server, NEW, NEW_SAYS).press("Yes, this address is mine")
    page = organiser.get(table.url("/organise")).html
    assert AIKO not in page
    assert NEW not in page


def test_a_blocked_address_gets_no_letter_and_its_reader_can_block_it_by_that_letter(
    mail_house: House, mail_server: MailServer, table: Table
):
    ask(mail_house, table)
    way_out = link_in(letter(mail_server, NEW, NEW_SAYS), "u")
    page = mail_house.browser().get(way_out)
    assert NEW in page
    assert AIKO not in page.html
    page.press("Never write to me again")
    with db.reading() as session:
        assert blocked.is_blocked(session, mail_house.settings, NEW)
        assert not blocked.is_blocked(session, mail_house.settings, AIKO)
    written = len(mail_server.to(NEW))
    with time_machine.travel(utcnow() + timedelta(days=1)):
        assert "Two letters are on their way" in ask(mail_house, table)
    assert len(mail_server.to(NEW)) == written
    assert mail_house.all(Letter, Letter.kind == "new-address")[-1].status is LetterStatus.OBSOLETE


def test_it_is_counted_like_other_letters_to_strangers(mail_house: House, mail_server: MailServer, table: Table):
    browser = aiko(mail_house, table)
    answers = [ask(mail_house, table, f"victim+{n}@elsewhere.example", browser).status for n in range(8)]
    assert answers[0] == 200
    assert answers[-1] == 429
    assert len([letter for letter in mail_server.messages if "elsewhere" in str(letter["To"])]) <= 6


def test_what_was_asked_for_can_be_seen_taken_back_and_mended(mail_house: House, mail_server: MailServer, table: Table):
    browser = aiko(mail_house, table)
    page = browser.get(where(mail_house, table))
    refused = page.press("Write to both", mail="nonsense")
    assert refused.status == 400
    assert "This is not a mail address" in refused
    assert "This is your address already" in page.press("Write to both", mail=AIKO)
    asked = page.press("Write to both", mail=NEW)
    assert NEW in asked
    confirming = answer(mail_house, mail_server, NEW, NEW_SAYS)
    assert "Nothing changes" in asked.press("I do not want it any more")
    assert NEW not in browser.get(where(mail_house, table)).text
    assert "This is over" in confirming.press("Yes, this address is mine")
    with db.reading() as session:
        assert session.exec(select(Relocation)).one().closed_at is not None
