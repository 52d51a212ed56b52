"""Nobody plays for somebody else by mail: beside the secret address, the sender and their mail server must be right.
What is in doubt is not done; whoever has the seat is asked, and their word decides."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import dkim
import pytest
import time_machine

from service.inbox import receiving, trust
from service.models import Draft, Person, Reading, Received
from service.post import links
from service.post.told import verbatim
from tests.play import House, Page, Player, body, link_in, mint

OURS = "mx.games.example"

# A pair of keys of nobody; the second half is what the DNS of players.example would say.
PRIVATE = b"""-----BEGIN RSA PRIVATE KEY-----
MIICXQIBAAKBgQDZOiLYHmS6LBAoVX7i6G1mf+QY0v/nV22wiOZzp0ppTI3920k9
sjDwifLDvrErLdaU7CNVe4bvM0fixmM0HEOvHJYEboV82oaMBuJY7g+Ggw/oYh+M
x0AlW+3+hwT2ALR7DS9wNmsRN0jh+4RVVoowKc3i52NIZXUALE3CxJX3MwIDAQAB
AoGAMjL+JGV5r5BJN5jyVquRxJMfeiEgpCyPG7G3V9i8GHNpiNWpKknIh33JjTS/
KpRQN2AOlk2SlCqMnTptaHhzp1G9v+Lk5S2xMhZn0d3g1xXb9Vh9SlEk9g7t3ORr
9279x9NttaHhQh2xqeeg6qrAIwhe/5Q+ZhAhdCRa74cgZXkCQQD8NZYtESIES8OX
mx5SdqfpAW9XMEN9YRAYRGjXIq0eIx9paos9y4JMRPL/W07L2Q+L7S2sUTY1JvG4
r7YMOFt1AkEA3H3zOQpWGA/APktMSzF5DVG152BbA0MDAriurqKuHpIfKALgr0gm
y3Gb1TfYP9SlFDvij6v8rcTmEq0C1Km7BwJBAKk4Ox7Z0/0V6JIcHegufNK1h8L0
OxQwv9/IZp+SQJ1r63OLbQl1NmN+D5yN4vybEvdLl816X+ihzKWiH39rgNECQEwF
kQqlqbF6HMpdo9x5HkedWJ6B9l9Vh4A0tOW5aVdZAi0FcPp+YgHbFeOZ8ZFwe8pS
K3dl0SUIslrWFBfGvZkCQQDS4FC7/JQHGJNu00rwtGRY0JETDwqX7Aj/Nce+lVhw
x/cKrfRvyZZAyVOstoF0MdMeJ3EhVVuyiMGqteTZSdsa
-----END RSA PRIVATE KEY-----"""
PUBLIC = (
    "v=DKIM1; k=rsa; p="
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDZOiLYHmS6LBAoVX7i6G1mf+QY0v/nV22wiOZzp0ppTI3920k9sjDwifLDvrEr"
    "LdaU7CNVe4bvM0fixmM0HEOvHJYEboV82oaMBuJY7g+Ggw/oYh+Mx0AlW+3+hwT2ALR7DS9wNmsRN0jh+4RVVoowKc3i52NIZXUA"
    "LE3CxJX3MwIDAQAB"
)


@pytest.fixture
def player(one_house: House, monkeypatch: pytest.MonkeyPatch) -> Player:
    """Where our own mail server says who it is, and the DNS has one key."""
    one_house.settings = replace(one_house.settings, mail_authserv=OURS)
    monkeypatch.setattr(trust, "ask_dns", in_dns({b"one._domainkey.players.example.": PUBLIC.encode()}))
    return one_house.begun(["Aiko", "Bruno*"]).player("Aiko")


def in_dns(keys: dict[bytes, bytes]) -> Callable[..., bytes | None]:
    def ask(name: bytes, timeout: float) -> bytes | None:
        assert 0 < timeout < 10
        return keys.get(name)

    return ask


def became(player: Player) -> Reading:
    return player.house.all(Received)[-1].status


def chosen(player: Player) -> int:
    return sum(len(draft.choices) for draft in player.house.all(Draft))


def found(*results: str, by: str = OURS) -> str:
    return "; ".join([by, *results])


# --- what our own mail server has found


@pytest.mark.parametrize(
    ("results", "trusted"),
    [
        (["dmarc=pass header.from=players.example", "dkim=fail header.d=list.example"], True),
        (["dmarc=fail (p=none) header.from=players.example", "spf=pass smtp.mailfrom=evil.example"], False),
        (["dkim=pass header.d=players.example", "spf=fail smtp.mailfrom=forwarder.example"], True),
        (["dkim=fail header.d=players.example"], False),
        (["dkim=fail header.i=@players.example"], False),
        (["dkim=pass header.d=evil.example", "spf=fail smtp.mailfrom=aiko@players.example"], False),
        (["dkim=fail header.d=list.example", "spf=softfail smtp.mailfrom=aiko@players.example"], True),
        (["dmarc=temperror", "dkim=neutral", "spf=none"], True),
        (["none"], True),
    ],
)
def test_what_our_own_mail_server_found_decides(player: Player, results: list[str], trusted: bool):
    player.answer("1", Authentication_Results=found(*results))
    assert became(player) is (Reading.FOLLOWED if trusted else Reading.DOUBTED)
    assert chosen(player) == trusted


def results_of(player: Player, *headers: str) -> bool:
    raw = "".join(f"Authentication-Results: {header}\r\n" for header in headers)
    return trust.is_disowned(f"{raw}From: {player.mail}\r\n\r\n1".encode(), OURS)


def test_what_others_say_they_found_counts_nothing(player: Player):
    good, bad = "dmarc=pass header.from=players.example", "dmarc=fail header.from=players.example"
    assert not results_of(player, found(bad, by="mx.evil.example"))
    assert results_of(player, found(good, by="mx.evil.example"), found(bad), found(good))
    assert not results_of(player, found(good), found(bad))
    assert not results_of(player, "", "\0;;;", "mx.games.example; dmarc", f"{OURS}.evil.example; {bad}")


# --- what the message itself proves


def signed(player: Player, text: str = "1", domain: bytes = b"players.example", selector: bytes = b"one") -> bytes:
    message = EmailMessage()
    message["From"], message["Message-ID"] = player.mail, "<signed@players.example>"
    message.set_content(text)
    raw = bytes(message).replace(b"\n", b"\r\n")
    return bytes(dkim.sign(raw, selector, domain, PRIVATE)) + raw


@pytest.mark.parametrize(
    ("forge", "trusted"),
    [
        (lambda raw: raw, True),
        (lambda raw: raw.replace(b"\r\n\r\n1", b"\r\n\r\n2"), False),
        (lambda raw: raw.replace(b"b=", b"b=BBBB", 1), False),
        (lambda raw: raw.replace(b"s=one", b"s=gone"), True),  # the key was taken out of the DNS meanwhile
        (lambda raw: raw.replace(b"d=players.example", b"d=list.example"), True),  # not about the sender
        (lambda raw: b"DKIM-Signature: d=players.example; rubbish\r\n" + raw, True),  # there is a right one too
        (lambda raw: raw.replace(b"DKIM-Signature:", b"X-Was:"), True),
    ],
)
def test_a_signature_of_the_senders_domain_must_be_right(
    player: Player, forge: Callable[[bytes], bytes], trusted: bool
):
    receiving.receive(forge(signed(player)), str(player.newest_letter()["Reply-To"]))
    assert became(player) is (Reading.FOLLOWED if trusted else Reading.DOUBTED)
    assert chosen(player) == trusted


def test_a_dns_that_does_not_answer_is_no_reason_to_doubt(player: Player, monkeypatch: pytest.MonkeyPatch):
    def silent(name: bytes, timeout: float) -> bytes:
        raise dkim.DnsTimeoutError("nobody there")

    monkeypatch.setattr(trust, "ask_dns", silent)
    receiving.receive(signed(player).replace(b"\r\n\r\n1", b"\r\n\r\n2"), str(player.newest_letter()["Reply-To"]))
    assert became(player) is Reading.FOLLOWED


# --- what is in doubt


def doubted(player: Player, text: str = "1, send") -> EmailMessage:
    """Somebody else has the letter, and answers it; what comes to whoever has the seat."""
    player.answer(text, From="Aiko <somebody@evil.example>")
    assert became(player) is Reading.DOUBTED
    return player.newest_letter()


def asked(player: Player, letter: EmailMessage) -> Page:
    page = player.house.browser().get(link_in(letter))
    assert page.url.endswith(player.url("/answers"))
    return page


def test_whoever_has_the_seat_is_asked_in_a_letter_without_a_word_of_the_stranger(player: Player):
    version = player.table.game().version
    letter = doubted(player, "CHEAP PILLS at http://evil.example\n1, send")
    assert "Somebody answered for you" in body(letter)
    assert "It came from another address than yours." in " ".join(body(letter).split())
    assert "evil" not in letter.as_string()
    assert "PILLS" not in letter.as_string()
    page = asked(player, letter)
    assert "it may not have been you. It came from another address than yours. CHEAP PILLS" in page
    assert "1, send It would do this: A token of lacquer. Then the turn is sent." in page
    assert 'href="http://evil' not in page.html
    assert player.table.game().version == version
    assert chosen(player) == 0


@pytest.mark.both_databases
def test_it_is_done_when_they_say_that_it_was_them_and_once(house: House):
    player = house.begun(["Aiko", "Bruno*"]).player("Aiko")
    version = player.table.game().version
    page = asked(player, doubted(player))
    page.press("It was me")
    assert became(player) is Reading.FOLLOWED
    after = player.table.game().version
    assert after > version
    letters = len(player.letters())
    assert "settled already" in page.press("It was me")
    assert "settled already" in page.press("It was not me")
    assert (player.table.game().version, len(player.letters())) == (after, letters)
    assert "No answer waits" in player.browser.get(mint(house, links.mint_seat, player.seat)).browser.get(
        player.url("/answers")
    )


def test_what_an_answer_would_do_is_not_said_of_one_to_an_older_question(player: Player):
    letter = doubted(player, "1")
    assert "It would do this: A token of lacquer." in asked(player, letter)
    player.answer("2")
    assert "It would do this" not in asked(player, letter)


def test_it_is_forgotten_when_they_say_that_it_was_not(player: Player):
    page = asked(player, doubted(player))
    assert "Nothing is done." in page.press("It was not me")
    assert became(player) is Reading.FILED
    assert "settled already" in page.press("It was me")
    assert chosen(player) == 0
    assert player.house.browser().get(player.link()).url.endswith("/seat/0")


def test_a_stranger_who_answers_again_and_again_fills_nobodys_letter_box(player: Player):
    to, count = str(player.newest_letter()["Reply-To"]), len(player.letters())
    with time_machine.travel(datetime.now(UTC)) as clock:
        for _ in range(5):
            player.answer("1", to=to, From="somebody@evil.example")
        assert len(player.letters()) == count + 1
        assert asked(player, player.newest_letter()).html.count("It was me: do it") == 5
        clock.shift(timedelta(minutes=61))
        player.answer("1", to=to, From="somebody@evil.example")
        assert len(player.letters()) == count + 2


def test_who_comes_after_them_is_not_asked_about_an_answer_to_their_letter(player: Player):
    doubted(player)
    with_another = player.house.begun(["Carla", "Bruno*"]).player("Carla").seat.person_id
    player.house.execute(
        "UPDATE seat SET person_id = :person WHERE id = :seat", person=with_another, seat=player.seat.id
    )
    page = player.house.browser().get(mint(player.house, links.mint_seat, player.seat))
    assert page.url.endswith(player.url())
    assert player.house.one(Person, Person.id == with_another).name == "Carla"
    assert "No answer waits" in page.browser.get(player.url("/answers"))


def test_whoever_runs_the_service_sees_what_waits_and_what_could_not_be_read(player: Player):
    operator = player.house.browser()
    doubted(player)
    page = operator.get(mint(player.house, links.mint_operator, player.house.all(Person)[0]))
    assert re.search(r"a word of their player: number 1, .* UTC: It came from another address than yours\.", page.text)
    why = json.dumps(verbatim("ValueError: aiko@players.example"))
    player.house.execute("UPDATE received SET status = 'unread', note = :why", why=why)
    page = operator.get("/desk")
    assert re.search(r"Could not be read .*: number 1, .* UTC: “ValueError: \.\.\.", page.text)
