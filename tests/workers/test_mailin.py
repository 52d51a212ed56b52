"""The doors for answers: by LMTP or SMTP, out of a mailbox, or through a pipe. Each takes a message when its row is on
disk and not before, and sends away what is for nobody."""

import io
import os
import re
import smtplib
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from functools import partial
from pathlib import Path

import imap_tools
import pytest
import time_machine
from click.testing import CliRunner
from sqlalchemy.exc import OperationalError

from service import vitals
from service.config import MailIn, Settings
from service.db import db
from service.inbox import receiving
from service.inbox.message import LONGEST
from service.models import Draft, Heartbeat, Letter, LetterStatus, Reading, Received
from tests.play import House, Player, killed_at
from tests.servers import free_port
from workers import courier, listener, mailbox, mailin, reader, up
from workers.cli import main

NOBODYS = f"play+{'a' * 32}@localhost"


@pytest.fixture
def player(one_house: House) -> Player:
    return one_house.begun(["Aiko", "Bruno*"]).player("Aiko")


def address(player: Player) -> str:
    return str(player.newest_letter()["Reply-To"])


def reply(player: Player, text: str = "1") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = player.mail, address(player), "<one@players.example>"
    message.set_content(text)
    return message


def chosen(player: Player) -> int:
    return sum(len(draft.choices) for draft in player.house.all(Draft))


def away(*_: object) -> None:
    raise OperationalError("SELECT", {}, Exception("the server is gone"))


# --- LMTP and SMTP


@contextmanager
def listening(by: str = "lmtp") -> Iterator[int]:
    door = MailIn("lmtp" if by == "lmtp" else "smtp", "127.0.0.1", free_port())
    stop, ready = threading.Event(), threading.Event()
    thread = threading.Thread(target=listener.listen, args=(door, "games.example", stop, ready.set))
    thread.start()
    assert ready.wait(10)
    try:
        yield door.port
    finally:
        stop.set()
        thread.join(10)


CLIENTS: dict[str, Callable[[int], smtplib.SMTP]] = {
    "lmtp": lambda port: smtplib.LMTP("127.0.0.1", port, timeout=10),
    "smtp": lambda port: smtplib.SMTP("127.0.0.1", port, timeout=10),
}


@pytest.mark.parametrize("by", CLIENTS)
def test_a_server_hands_an_answer_over_and_it_is_played(player: Player, by: str):
    with listening(by) as port, CLIENTS[by](port) as client:
        client.sendmail(player.mail, address(player), bytes(reply(player)))
    assert chosen(player) == 1
    assert player.house.one(Received).source.startswith(f"Return-Path: <{player.mail}>\r\n".encode())


def test_whoever_brings_mail_for_nobody_is_told_at_once(player: Player):
    with listening() as port, CLIENTS["lmtp"](port) as client:
        client.ehlo()
        client.mail(player.mail)
        for stranger in (NOBODYS, "aiko@localhost", f"play+{'a' * 31}@localhost", f"play{address(player)[4:]}x"[::-1]):
            assert client.rcpt(stranger)[0] in (550, 553)
        assert client.rcpt(address(player).upper())[0] == 250
        assert client.rcpt(address(player))[0] == 452  # in a message of its own, please
    assert player.house.all(Received) == []


def test_what_is_too_big_is_refused_before_it_comes_and_after(player: Player):
    big = b"From: a@b.example\r\n\r\n" + b"a line that goes on\r\n" * 60_000
    with listening() as port, CLIENTS["lmtp"](port) as client:
        client.ehlo()
        assert client.esmtp_features["size"] == str(LONGEST)
        assert client.mail("a@b.example", [f"size={LONGEST + 1}"])[0] == 552
        client.mail("a@b.example")
        client.rcpt(address(player))
        assert client.data(big)[0] == 552
        client.mail("a@b.example")  # and the connection is as good as before
        client.rcpt(address(player))
        assert client.data(bytes(reply(player)))[0] == 250


def test_while_the_database_is_away_a_message_is_to_be_brought_again(player: Player, monkeypatch: pytest.MonkeyPatch):
    to, raw = address(player), bytes(reply(player))
    with listening() as port, CLIENTS["lmtp"](port) as client:
        client.ehlo()
        client.mail(player.mail)
        with monkeypatch.context() as patch:
            patch.setattr(receiving, "is_ours", away)
            assert client.rcpt(to)[0] == 451
        assert client.rcpt(to)[0] == 250
        with monkeypatch.context() as patch:
            patch.setattr(receiving, "_write_down", away)
            assert client.data(raw)[0] == 451
        assert player.house.all(Received) == []
        client.sendmail(player.mail, to, raw)
        client.sendmail(player.mail, to, raw)
    assert len(player.house.all(Received)) == 1


def test_a_fault_of_ours_loses_nobodys_message(player: Player, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(receiving, "receive", lambda *_: 1 // 0)
    with listening() as port, CLIENTS["lmtp"](port) as client:
        client.ehlo()
        client.mail(player.mail)
        client.rcpt(address(player))
        assert client.data(b"Subject: 1\r\n\r\n1")[0] == 451


def test_a_letter_that_came_back_has_no_sender_and_is_taken(player: Player):
    with listening("smtp") as port, CLIENTS["smtp"](port) as client:
        client.sendmail("<>", address(player).replace("play", "bounce"), bytes(reply(player)))
    row = player.house.one(Received)
    assert (row.came_back, row.status) == (True, Reading.FILED)
    assert row.source.startswith(b"Return-Path: <>\r\n")


def test_odd_and_silent_clients_do_no_harm(player: Player, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(listener, "MOST_AT_ONCE", 3)
    monkeypatch.setattr(listener, "PATIENCE", 0.3)
    with listening() as port:
        said = []
        for noise in (b"GET / HTTP/1.1\r\n\r\n", b"\0\xff\r\n" * 30, b"LHLO " + b"x" * 70_000 + b"\r\n", b"MAIL FR"):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
                line.sendall(noise)
                line.shutdown(socket.SHUT_WR) if noise.startswith(b"MAIL") else None
                said.append(line.recv(1024)[:3])
        assert said == [b"220"] * 4
        silent = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(3)]
        assert [line.recv(1024)[:3] for line in silent] == [b"220"] * 3
        with socket.create_connection(("127.0.0.1", port), timeout=10) as one_more:
            assert one_more.recv(1024).startswith(b"421")
        assert [line.recv(1024) for line in silent] == [b""] * 3  # its patience has an end
        monkeypatch.setattr(listener, "PATIENCE", 10)
        with CLIENTS["lmtp"](port) as client:
            client.sendmail(player.mail, address(player), bytes(reply(player)))
        for line in silent:
            line.close()
    assert chosen(player) == 1


# --- a mailbox


@dataclass
class Imap:
    """As much of an IMAP server as a mailbox is looked into with."""

    messages: dict[int, bytes] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    port: int = 0

    def answer(self, command: str) -> Iterator[bytes]:
        if "UID SEARCH" in command:
            assert "UNSEEN" in command
            yield b"* SEARCH " + " ".join(str(uid) for uid in self.messages if uid not in self.seen).encode()
        elif found := re.search(r"UID FETCH (\d+) .*BODY\.PEEK\[\]<0\.(\d+)>", command, re.IGNORECASE):
            source = self.messages[int(found[1])][: int(found[2])]
            yield b"* 1 FETCH (UID %s BODY[]<0> {%d}\r\n%s)" % (found[1].encode(), len(source), source)
        elif found := re.search(r"UID STORE (\d+) \+FLAGS \(?\\Seen", command, re.IGNORECASE):
            self.seen.add(int(found[1]))
        elif "SELECT" in command:
            yield b"* 0 EXISTS"
        elif "CAPABILITY" in command:
            yield b"* CAPABILITY IMAP4rev1"


@pytest.fixture
def imap(monkeypatch: pytest.MonkeyPatch) -> Iterator[Imap]:
    box = Imap()

    class Line(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"* OK here\r\n")
            for line in self.rfile:
                tag, _, command = line.decode().strip().partition(" ")
                for part in box.answer(command):
                    self.wfile.write(part + b"\r\n")
                self.wfile.write(f"{tag} OK done\r\n".encode())

    def plain(host: str, port: int, timeout: float, ssl_context: object) -> imap_tools.MailBoxUnencrypted:
        return imap_tools.MailBoxUnencrypted(host, port, timeout)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Line) as server:
        server.daemon_threads = True
        box.port = server.server_address[1]
        monkeypatch.setattr(mailbox, "MailBox", plain)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield box
        server.shutdown()
        thread.join()


def look(imap: Imap) -> None:
    """Once, as the process does it again and again."""
    stop = threading.Event()
    door = MailIn("imap", "127.0.0.1", imap.port, "games", "password")
    mailbox.watch(door, stop, stop.set)


def test_what_nobody_has_seen_is_taken_out_of_a_mailbox_and_marked(player: Player, imap: Imap):
    delivered = reply(player)
    del delivered["To"]
    delivered["Delivered-To"] = address(player)
    delivered["To"] = "games@players.example"
    others = b"To: games@players.example\r\n\r\nLunch?"
    imap.messages = {7: bytes(delivered), 8: others, 9: f"To: {NOBODYS}\r\n\r\n1".encode(), 10: b"\0\xff no message"}
    look(imap)
    assert chosen(player) == 1
    assert imap.seen == {7}  # what is for somebody else stays unread for them


def test_a_message_stays_unseen_until_its_row_is_on_disk(player: Player, imap: Imap, monkeypatch: pytest.MonkeyPatch):
    imap.messages = {7: bytes(reply(player))}
    monkeypatch.setattr(mailbox, "PAUSE", 0.01)
    tried: list[str] = []
    really = receiving._write_down

    def away_at_first(raw: bytes, recipient: str) -> int:
        tried.append(recipient)
        if len(tried) == 1:
            assert not imap.seen
            away()
        return really(raw, recipient)

    monkeypatch.setattr(receiving, "_write_down", away_at_first)
    look(imap)  # connects again by itself
    assert len(tried) == 2
    assert imap.seen == {7}
    assert chosen(player) == 1


# --- a pipe


def piped(player: Player, raw: bytes, *arguments: str, **environ: str) -> int:
    given = {"HIKYAKU_DATABASE_URL": player.house.settings.database_url, **environ}
    return CliRunner().invoke(main, ["receive", *arguments], env=given, input=raw).exit_code


def test_a_command_takes_one_message_and_tells_the_mail_server_what_became_of_it(player: Player):
    raw, to = bytes(reply(player)), address(player)
    stranger = b"To: games@players.example\n\n1"
    assert piped(player, stranger) == os.EX_NOUSER
    assert piped(player, raw, "--recipient", NOBODYS) == os.EX_NOUSER
    assert piped(player, stranger, RECIPIENT=NOBODYS) == os.EX_NOUSER
    assert piped(player, raw, HIKYAKU_LISTEN="nowhere") == os.EX_TEMPFAIL
    assert piped(player, raw + b"x" * LONGEST) == os.EX_DATAERR
    assert player.house.all(Received) == []
    assert piped(player, raw) == os.EX_OK
    assert chosen(player) == 1
    assert piped(player, b"Message-ID: <2@b>\n\n1", "--recipient", to) == os.EX_OK
    assert piped(player, b"Message-ID: <3@b>\n\n1", ORIGINAL_RECIPIENT=to, RECIPIENT="x@y.example") == os.EX_OK
    assert len(player.house.all(Received)) == 3


def test_a_message_is_to_be_piped_again_while_the_database_is_away(player: Player, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(receiving, "_write_down", away)
    assert mailin.hand_over(io.BytesIO(bytes(reply(player))), None, {}) == os.EX_TEMPFAIL


# --- the process


def test_a_process_without_a_door_says_so(sqlite_url: str):
    for door in ("", "pipe"):
        ran = CliRunner().invoke(main, ["mail-in"], env={"HIKYAKU_DATABASE_URL": sqlite_url, "HIKYAKU_MAIL_IN": door})
        assert ran.exit_code == 1
        assert "HIKYAKU_MAIL_IN names no port" in ran.output


def test_everything_on_one_terminal_has_the_door_that_is_set(tmp_path: Path):
    def parts(**given: str) -> list[str]:
        return [name for name, *_ in up._processes(Settings.from_env({"HIKYAKU_VAR": str(tmp_path), **given}))]

    assert "mail-in" not in parts()
    assert "mail-in" not in parts(HIKYAKU_MAIL_IN="pipe")
    assert parts(HIKYAKU_MAIL_IN="lmtp://127.0.0.1:8024")[-1] == "web"
    assert "mail-in" in parts(HIKYAKU_MAIL_IN="lmtp://127.0.0.1:8024")


@pytest.mark.both_databases
def test_a_door_that_is_shut_is_noticed(house: House):
    def complaint(by: str) -> str:
        settings = replace(house.settings, mail_in=MailIn("pipe" if by == "pipe" else "lmtp"))
        with db.reading() as session:
            return vitals.mail_in(session, settings)

    assert "was never open" in complaint("lmtp")
    assert complaint("pipe") == ""
    mailin.say_it_lives()
    mailin.say_it_lives()
    assert house.one(Heartbeat).name == "mail-in"
    assert complaint("lmtp") == ""
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=5)):
        assert "was last open 300 s ago: is hikyaku mail-in running" in complaint("lmtp")


# --- whatever happens meanwhile


@pytest.mark.both_databases
def test_killed_anywhere_a_message_has_been_followed_whole_or_not_at_all(house: House):
    player = house.begun(["Aiko", "Bruno*"]).player("Aiko")
    killed, step = True, 0
    while killed:
        step += 3
        to = address(player)
        with house.lose():
            received_id = receiving.receive(bytes(reply(player, f"start over, 1\n\n{step}")), to)
        before = house.dump()
        killed = killed_at(step, partial(reader.read, received_id, house.settings))
        row = house.one(Received, Received.id == received_id)
        if row.status is Reading.WAITING:
            assert house.dump() == before, f"half of it was left by a kill at step {step}"
            reader.read(received_id, house.settings)
        assert reader.read(received_id, house.settings) is None
        assert len(house.all(Letter, Letter.key == f"understood:{player.seat.id}:{received_id}")) == 1
        assert chosen(player) == 1
        for letter in house.all(Letter, Letter.status == LetterStatus.WAITING):
            courier.deliver(letter.id, house.settings)
    assert step > 6
