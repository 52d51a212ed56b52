"""The file of what is kept about somebody: all of it, and nothing of anybody else."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlmodel import SQLModel, select

from service.db import db, utcnow
from service.models import (
    Absence,
    Answer,
    Attempt,
    Audience,
    Bell,
    Complaint,
    Game,
    Jury,
    Letter,
    Link,
    Moderator,
    Move,
    Note,
    Nudge,
    Person,
    Proposal,
    Received,
    Relocation,
    Remark,
    ReturnAddress,
    Ring,
    Seat,
    Unwanted,
    Vote,
)
from service.play import holders, kept
from service.play.kept import ABOUT_NOBODY, SECTIONS
from service.post import links
from service.post.wishes import Wish
from tests.play import House, Table, mail_of, mint
from tests.service.test_desk import rule
from tests.service.test_votes import propose

DOCS = Path(__file__).resolve().parents[2] / "docs" / "personal-data.md"


def by_table() -> dict[str, kept.Section]:
    return {str(section.model.__tablename__): section for section in SECTIONS.values()}


def test_every_table_that_names_people_is_in_the_file_or_in_the_list_of_those_that_name_nobody():
    tables = {table.name for table in SQLModel.metadata.sorted_tables}
    assert tables == by_table().keys() | ABOUT_NOBODY
    assert not by_table().keys() & ABOUT_NOBODY


@pytest.mark.parametrize("table", SQLModel.metadata.sorted_tables, ids=lambda table: table.name)
def test_every_way_in_which_a_table_names_a_person_is_looked_for(table: Any):
    naming = {c.name for c in table.c if any(key.column.table.name == "person" for key in c.foreign_keys)}
    section = by_table().get(table.name)
    known = {section.own, *section.besides} if section else set()
    assert naming <= known, f"{table.name}: say in service/play/kept.py how its rows are somebody's"
    if section:
        keys = {name for name in section.model.model_fields if re.search("hash|token|digest|sheet|secret", name)}
        assert keys <= set(section.left_out) <= set(section.model.model_fields)


def test_the_document_names_every_section():
    assert set(re.findall(r"`(\w+)`(?=[,` ]*.*\|)", DOCS.read_text())) >= set(SECTIONS)


def furnished(house: House) -> tuple[Table, Person]:
    """Something about Xenia in every table."""
    xenia_mail = mail_of("Xenia")
    table = house.begun(["Xenia", "Bruno", "Chidi"], jury=Jury.GROUP, name="Crew")
    over = house.begun(["Bruno", "Xenia"], name="over")
    over.rush()
    player = table.player("Xenia")
    player.browser.get(mint(house, links.mint_seat, player.seat))
    player._came = True
    propose(player, "pause", days="3")
    while table.to_move().name != "Xenia":
        table.rush(1)
    player.draft(player.best()[:1])
    looked_after = house.begun(["Bruno", "Chidi"], moderator=("Xenia", xenia_mail))
    rule(looked_after.desk(), "auto-pass", seat=looked_after.to_move().no)
    person = house.one(Person, Person.mail == xenia_mail)
    bruno = house.one(Person, Person.mail == mail_of("Bruno"))
    with db.writing() as session:
        now, game = utcnow(), table.game()
        proposal = session.exec(select(Proposal)).one()
        letter = session.exec(select(Letter).where(Letter.person_id == person.id)).first()
        assert letter is not None
        session.add(Absence(person_id=person.id, first=now.date(), last=now.date()))
        session.add(Unwanted(person_id=person.id, game_id=game.id, wish=Wish.NEWS))
        session.add(Complaint(person_id=person.id, game_id=game.id))
        session.add(Relocation(person_id=person.id, old=xenia_mail, new="x@elsewhere.example", until=now))
        session.add(Moderator(person_id=bruno.id, game_id=game.id, instead_of=person.id, status=Answer.ASKED))
        session.add(Remark(person_id=person.id, game_id=game.id, seat_id=player.seat.id, version=0, text="Well met"))
        session.add(
            Remark(person_id=bruno.id, to_id=person.id, audience=Audience.ONE, game_id=game.id, version=0, text="A")
        )
        session.add(Note(person_id=person.id, seat_id=player.seat.id, text="Buy tea"))
        session.add(Nudge(person_id=person.id, seat_id=table.seats()[1].id, asked=0))
        hook: dict[str, Any] = {"kind": "json", "address": "https://chat.example/secret-hook", "hash": "secret-hash"}
        session.add(Bell(person_id=person.id, rings=["turn"], **hook))
        session.add(Ring(person_id=person.id, key="1", hash="secret-hash", rings="turn", kind="turn", game_id=game.id))
        session.add(Vote(person_id=person.id, proposal_id=proposal.id, agrees=True))
        session.add(Attempt(letter_id=letter.id, error="421 later"))
        address = ReturnAddress(letter_id=letter.id, hash="secret-hash")
        session.add(address)
        session.flush()
        session.add(Received(address_id=address.id, digest="secret-digest", source=b"I pass."))
        other = session.get_one(Seat, looked_after.seats()[0].id)
        other.offered_to = person.id
        session.get_one(Game, looked_after.game().id).offered_to = person.id
    mint(house, links.mint_calendar, person)
    return table, person


def file_of(house: House, table: Table, no: int = 0) -> dict[str, Any]:
    browser = house.browser()
    browser.get(mint(house, links.mint_seat, table.seats()[no]))
    page = browser.get(f"/my/data/{table.seats()[no].person_id}/file")
    assert page.status == 200
    assert page.response.content_type == "application/json"
    found: dict[str, Any] = json.loads(page.html)
    return found


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value.decode() if isinstance(value, bytes) else value))


SHOWN_OTHERWISE = {("moves", "choices"), ("moves", "events"), ("moves", "scores"), ("proposals", "form")}


@pytest.mark.both_databases
def test_all_that_any_table_holds_about_somebody_is_in_their_file(house: House):
    table, person = furnished(house)
    file = file_of(house, table)
    with db.reading() as session:
        found = kept._Finder(session, session.get_one(Person, person.id))
        for name, section in SECTIONS.items():
            rows, told = found.rows(name), file[name] if isinstance(file[name], list) else [file[name]]
            assert rows, f"nothing in {name}: fill it in this test"
            assert len(rows) == len(told)
            for row, said in zip(rows, told, strict=True):
                if section.besides and section.own not in said["as"]:
                    assert said.keys() <= {"game", "seat", "as"}
                    continue
                for column in section.model.model_fields.keys() - section.left_out.keys() - {section.own}:
                    if column not in section.besides and (name, column) not in SHOWN_OTHERWISE:
                        assert said[column.replace("given", "name")] == plain(getattr(row, column)), (name, column)


def test_nothing_of_anybody_else_and_no_key_is_in_it(one_house: House):
    table, person = furnished(one_house)
    text = json.dumps(file_of(one_house, table))
    for other in ("Bruno", "Chidi"):
        assert mail_of(other) not in text
    assert "secret-hash" not in text
    assert "secret-hook" not in text
    for link in one_house.all(Link):
        assert link.hash not in text
        assert not link.token or link.token not in text
    bruno = json.dumps(file_of(one_house, table, 1))
    assert person.address not in bruno
    assert "elsewhere" not in bruno


def test_hidden_information_of_a_running_game_is_not_in_it(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    table.rush(12)
    own = [move for move in one_house.all(Move) if move.seat_no == 0 and move.decided_by == "player"]
    secret = {"key": "osaka.over", "args": {"seats": [1], "vp": 77}, "who": [1]}  # for Bruno's eyes
    with db.writing() as session:
        move = session.get_one(Move, own[-1].id)
        move.events = [*move.events, secret]
    file = file_of(one_house, table)
    assert {move["version"] for move in file["moves"]} == {move.version for move in own}
    assert file["moves"][-1]["events"] == own[-1].events
    assert file["moves"][-1]["choices"] == own[-1].choices
    assert {move["scores"] for move in file["moves"]} == {None}
    assert "saved" not in file["games"][0]
    table.rush()
    assert secret in file_of(one_house, table)["moves"][len(own) - 1]["events"]
    assert file_of(one_house, table)["moves"][-1]["scores"]


def test_whoever_held_a_seat_later_does_not_get_the_turns_of_whoever_held_it_before(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    aiko = table.player("Aiko")
    while table.to_move().name != "Aiko":
        table.rush(1)
    aiko.play()
    sent = file_of(one_house, table)["turns_sent"]
    assert len(sent) == 1
    with db.writing() as session:
        seat = session.get_one(Seat, table.seats()[0].id)
        newcomer = Person(mail=mail_of("Carla"), given="Carla", confirmed_at=utcnow() - timedelta(days=1))
        session.add(newcomer)
        session.flush()
        holders.take_over(session, session.get_one(Game, seat.game_id), seat, newcomer)
    file = file_of(one_house, table)
    assert file["person"]["name"] == "Carla"
    assert file["turns_sent"] == []
    assert file["moves"] == []


def test_the_page_says_what_is_kept_and_leads_to_the_file_and_away(one_house: House):
    table, person = furnished(one_house)
    browser = one_house.browser()
    browser.get(mint(one_house, links.mint_seat, table.seats()[0]))
    settings = browser.get(f"/my/settings/{person.id}")
    assert f"/my/data/{person.id}" in settings.html
    page = browser.get(f"/my/data/{person.id}")
    for words in ("Seats that you hold or held", "90 days after the game is over", "All of it as a file", "Delete me"):
        assert words in page
