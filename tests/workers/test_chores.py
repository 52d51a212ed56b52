"""What an operator asks for by hand, through the command that does it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from click.testing import CliRunner, Result

from service.models import Letter, LetterStatus, Person
from tests.play import House, mail_of
from tests.servers import MailServer, free_port
from workers.cli import main

pytestmark = pytest.mark.both_databases


def hikyaku(house: House, *words: str, **environ: str) -> Result:
    given = {"HIKYAKU_VAR": str(house.settings.var), "HIKYAKU_DATABASE_URL": house.settings.database_url, **environ}
    return CliRunner().invoke(main, list(words), env=given)


def test_games_are_listed_with_whom_each_waits_for(one_house: House):
    running = one_house.begun(["Aiko", "Bruno", "Bot*"])
    invited = one_house.game(["Dora", "Emil"])
    said = hikyaku(one_house, "games").output.splitlines()
    assert [line.split()[0] for line in said] == ["game", invited.public_id, running.public_id]
    assert "Aiko, Bruno, Bot*" in said[2]
    assert f"  {running.to_move().name}  " in said[2]
    assert said[2].endswith(mail_of("Aiko"))
    only = hikyaku(one_house, "games", "--status", "invited").output
    assert invited.public_id in only
    assert running.public_id not in only


def test_failed_letters_are_sent_again_and_nothing_else_is(mail_house: House, mail_server: MailServer):
    mail_house.game(["Aiko", "Bruno"])
    sent = len(mail_server.messages)
    invitation = mail_house.one(Letter, Letter.kind == "invitation")
    mail_house.execute("UPDATE letter SET status = 'failed' WHERE id = :id", id=invitation.id)
    assert "0 letters wait" in hikyaku(mail_house, "resend", "--days", "0").output
    assert "1 letter waits to be sent once more." in hikyaku(mail_house, "resend").output
    assert mail_house.one(Letter, Letter.id == invitation.id).status is LetterStatus.SENT
    assert len(mail_server.messages) == sent + 1
    assert "0 letters wait" in hikyaku(mail_house, "resend").output


def test_so_are_letters_that_came_back(mail_house: House, mail_server: MailServer):
    """A provider that turns everything of ours away refuses everybody there; once it takes letters again, one command
    does for all."""
    mail_server.refused = {mail_of("Bruno")}
    mail_house.game(["Aiko", "Bruno"])
    (returned,) = mail_house.all(Letter, Letter.status == LetterStatus.RETURNED)
    mail_server.refused = set()
    assert "1 letter waits to be sent once more." in hikyaku(mail_house, "resend").output
    assert mail_house.one(Letter, Letter.id == returned.id).status is LetterStatus.SENT
    assert len(mail_server.to(mail_of("Bruno"))) == 1
    assert mail_house.one(Person, Person.mail == mail_of("Bruno")).returned_at is None
    assert "0 letters wait" in hikyaku(mail_house, "resend").output


def test_who_is_blocked_gets_no_letter_until_it_is_undone(mail_house: House, mail_server: MailServer):
    key = {"HIKYAKU_SECRET_KEY": mail_house.settings.secret_key}
    links = mail_house.browser().get("/links")
    table = mail_house.begun(["Aiko", "Bruno"])
    assert table.game()
    before = len(mail_server.to(mail_of("Bruno")))
    assert "never written to again" in hikyaku(mail_house, "block", mail_of("Bruno"), **key).output
    links.press("Mail me my links", mail=mail_of("Bruno"))
    assert len(mail_server.to(mail_of("Bruno"))) == before
    assert "written to again" in hikyaku(mail_house, "block", "--undo", mail_of("Bruno"), **key).output
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=20)):
        links.press("Mail me my links", mail=mail_of("Bruno"))
    assert len(mail_server.to(mail_of("Bruno"))) == before + 1


def test_a_test_letter_goes_the_way_of_all_letters(one_house: House, mail_server: MailServer):
    smtp = {"HIKYAKU_SMTP_URL": mail_server.url, "HIKYAKU_MAIL_FROM": "Games <games@example.org>"}
    said = hikyaku(one_house, "test-letter", "me@example.org", **smtp)
    assert said.exit_code == 0, said.output
    (letter,) = mail_server.to("me@example.org")
    assert letter["From"] == "Games <games@example.org>"
    mail_server.refused = {"nobody@example.org"}
    refused = hikyaku(one_house, "test-letter", "nobody@example.org", **smtp)
    assert refused.exit_code == 1
    assert "no such mailbox" in refused.output


@pytest.mark.parametrize("mail", ["nobody", "a b@example.org", "me@example.org\nBcc: you@example.org"])
def test_a_test_letter_to_no_address_is_refused(tmp_path: Path, mail: str):
    smtp = {"HIKYAKU_VAR": str(tmp_path), "HIKYAKU_SMTP_URL": f"smtp://127.0.0.1:{free_port()}"}
    said = CliRunner().invoke(main, ["test-letter", mail], env=smtp)
    assert said.exit_code == 1
    assert said.output.startswith("Error: The letter was not sent")


def test_without_a_mail_server_there_is_nothing_to_try(tmp_path: Path):
    said = CliRunner().invoke(main, ["test-letter", "me@example.org"], env={"HIKYAKU_VAR": str(tmp_path)})
    assert said.exit_code == 1
    assert "HIKYAKU_SMTP_URL" in said.output
