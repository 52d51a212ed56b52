"""Somebody with a script would write letters through us: what they type stays one line, whom they name is let alone."""

import re

import pytest
from sqlmodel import select

from service.config import Smtp
from service.db import db
from service.models import Letter, LetterStatus, Person
from service.play import reading
from service.play.reading import BadInput, read_line, read_mail
from tests.play import House, mail_of
from tests.servers import MailServer

INJECTIONS = [
    "=?utf-8?q?=0aReply-To:_evil@evil.example=0a=0aGo?=",
    "=?utf-8?b?ClJlcGx5LVRvOiBldmlsQGV2aWwuZXhhbXBsZQoKR28=?=",
    "hello =?us-ascii?Q?=0d=0aBcc:_all@evil.example?= there",
    "=\u200b?utf-8?q?=0aReply-To:_evil@evil.example?=",  # whole once what is not seen is left out
]
ADDRESS = "=?utf-8?q?=0aReply-To=3a_evil=40evil.example?=@evil.example"
HEADERS = {
    "From", "To", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted", "List-Id", "List-Unsubscribe",
    "Reply-To", "List-Unsubscribe-Post", "Subject", "MIME-Version", "Content-Type",
}  # fmt: skip


@pytest.mark.parametrize("line", INJECTIONS)
def test_encoded_words_are_refused_wherever_a_line_is_read(line: str):
    with pytest.raises(BadInput, match="leave out the signs"):
        read_line(line, 200)


def test_an_encoded_word_is_no_address_either():
    with pytest.raises(BadInput):
        read_mail(ADDRESS)


@pytest.mark.parametrize("field", ["name", "organiser-name", "organiser-mail", "seat-1-name", "seat-1-mail", "bot"])
def test_no_field_of_the_form_takes_an_encoded_word(one_house: House, field: str):
    form = {"organiser-name": "Eve", "organiser-mail": "eve@evil.example", "playing": "on"}
    form |= {"seat-1-name": "Bruno", "seat-1-mail": mail_of("Bruno")}
    wrong = {field: ADDRESS if field.endswith("mail") else INJECTIONS[0]}
    if field == "bot":
        wrong = {"seat-1-who": "bot", "seat-1-name": INJECTIONS[0]}
    page = one_house.browser().get("/new").press("Invite the players", **form | wrong)
    assert page.status == 400
    assert one_house.all(Letter) == []


def header_names(raw: bytes) -> set[str]:
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("ascii")
    return {line.partition(":")[0] for line in head.split("\n") if not line.startswith((" ", "\t"))}


@pytest.mark.parametrize("column", ["person.name", "game.name", "person.mail"])
def test_what_was_stored_before_it_was_refused_puts_no_header_on_the_wire(
    public_house: House, mail_server: MailServer, column: str
):
    table, name = column.split(".")
    with public_house.lose():
        begun = public_house.begun(["Aiko", "Bruno"])
    turn = public_house.one(Letter, Letter.kind == "turn")
    written = ADDRESS if name == "mail" else "=?utf-8?q?=0aBcc:_all@evil.example?="
    owner = turn.person_id if table == "person" else begun.game().id
    public_house.execute(f"UPDATE {table} SET {name} = :value WHERE id = :id", value=written, id=owner)
    public_house.run("deliver", turn.id)
    letter = public_house.one(Letter, Letter.id == turn.id)
    assert letter.status is (LetterStatus.SENT if mail_server.raw else LetterStatus.FAILED)
    assert all(header_names(raw) <= HEADERS for raw in mail_server.raw)  # some Pythons write such a name out safely


def test_every_letter_that_goes_out_has_our_headers_and_no_others(public_house: House, mail_server: MailServer):
    public_house.begun(["Aiko ? =", "Bruno"], name="Line\u2028break ?=utf-8? q ?")
    assert mail_server.raw
    for raw in mail_server.raw:
        assert header_names(raw) <= HEADERS
        assert not re.search(rb"(?<!\r)\n|\r(?!\n)", raw)


def test_a_mailbox_in_another_script_is_refused_with_the_reason_where_the_mail_server_cannot_write_to_it(
    public_house: House,
):
    page = public_house.browser().get("/links").press("Mail me", mail="müller@players.example")
    assert page.status == 400
    assert "plain letters (a to z) before the @" in page


def test_a_mail_server_that_can_is_believed(
    public_house: House, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reading, "_mail_in_any_script", True)
    assert read_mail("Müller@Players.example") == "müller@players.example"
    assert Smtp("localhost", 25).utf8 is False


def test_a_domain_in_another_script_goes_out_in_plain_letters(public_house: House, mail_server: MailServer):
    with public_house.lose():
        public_house.begun(["Aiko", "Bruno"])
    turn = public_house.one(Letter, Letter.kind == "turn")
    public_house.execute("UPDATE person SET mail = 'aiko@bücher.example' WHERE id = :id", id=turn.person_id)
    public_house.run("deliver", turn.id)
    assert mail_server.recipients == [["aiko@xn--bcher-kva.example"]]
    assert b"aiko@xn--bcher-kva.example" in mail_server.raw[0]
    with db.reading() as session:
        assert session.exec(select(Person.mail).where(Person.id == turn.person_id)).one() == "aiko@bücher.example"
