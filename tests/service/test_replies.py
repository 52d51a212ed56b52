"""An answer is read as it was typed, whatever program sent it: above or below what it answers, in text or in html, in
any charset there is, and out of broken messages too. What nobody typed is never taken for an answer."""

import base64
import quopri
import random
from email.message import EmailMessage
from typing import Any
from unittest.mock import Mock

import pytest

from service.inbox import grammar, message, receiving
from service.models import Reading, Received
from tests.play import House, Player, body

TYPED = "2, 1, send"

LETTER = """It is your turn.

What do you do?

  1) Take a coin: you get one.
  2) Move a ship: to where goods are.

To play by mail, answer this letter with numbers, as in “2, 5, send”.

-- 
Hikyaku carries board games by mail: https://games.example
"""
QUOTE = "".join(f"> {line}".rstrip() + "\n" for line in LETTER.splitlines())

ENGLISH = "On Tue, Nov 17, 2026 at 4:00 PM Hikyaku <\nplay+abc@games.example> wrote:\n"
GERMAN = "Am Di., 17. Nov. 2026 um 16:00 Uhr schrieb Hikyaku <play+abc@games.example>:\n"
FRENCH = "Le mar. 17 nov. 2026 à 16:00, Hikyaku <play+abc@games.example> a écrit :\n"
OUTLOOK = {
    "en": "From: Hikyaku <play+abc@games.example>\nSent: Tuesday, November 17, 2026 4:00 PM\nTo: Aiko\nSubject: Turn\n",
    "de": "Von: Hikyaku <play+abc@games.example>\nGesendet: Di, 17. November 2026 16:00\nAn: Aiko\nBetreff: Zug\n",
    "fr": "De : Hikyaku <play+abc@games.example>\nEnvoyé : mardi 17 novembre 2026 16:00\nÀ : Aiko\nObjet : Tour\n",
}

# As each program writes it, by what the reader typed.
PLAIN: dict[str, str] = {
    "gmail, english": f"{TYPED}\n\n{ENGLISH}\n{QUOTE}",
    "gmail, german": f"{TYPED}\n\n{GERMAN}\n{QUOTE}",
    "gmail, french": f"{TYPED}\n\n{FRENCH}\n{QUOTE}",
    "gmail, below": f"{ENGLISH}\n{QUOTE}\n{TYPED}\n",
    "apple mail": f"{TYPED}\n\n> On 17. Nov 2026, at 16:00, Hikyaku <play+abc@games.example> wrote:\n> \n{QUOTE}",
    "iphone, english": f"{TYPED}\n\nSent from my iPhone\n\n> On 17 Nov 2026, at 16:00, Hikyaku wrote:\n> \n{QUOTE}",
    "iphone, german": f"{TYPED}\n\nVon meinem iPhone gesendet\n\n> Am 17.11.26 um 16:00 schrieb Hikyaku:\n> \n{QUOTE}",
    "iphone, french": f"{TYPED}\n\nEnvoyé de mon iPhone\n\n> Le 17 nov. 2026 à 16:00, Hikyaku a écrit :\n> \n{QUOTE}",
    "thunderbird, english": f"On 11/17/26 16:00, Hikyaku wrote:\n{QUOTE}\n{TYPED}\n",
    "thunderbird, german": f"Am 17.11.26 um 16:00 schrieb Hikyaku:\n{QUOTE}\n{TYPED}\n\n-- \n12 Elbe, 3\n",
    "thunderbird, french": f"Le 17/11/2026 à 16:00, Hikyaku a écrit :\n{QUOTE}\n{TYPED}\n",
    "yahoo, english": f" {TYPED}\n\n    On Tuesday, November 17, 2026 at 04:00:00 PM GMT, Hikyaku wrote:  \n{LETTER}",
    "yahoo, german": f" {TYPED}\n\n    Am Dienstag, 17. November 2026 um 16:00 hat Hikyaku geschrieben:\n{LETTER}",
    "yahoo, french": f" {TYPED}\n\n    Le mardi 17 novembre 2026 à 16:00:00 UTC+1, Hikyaku a écrit :  \n \n {LETTER}",
    "outlook, english": f"{TYPED}\n\nRegards,\nAiko\n\n{OUTLOOK['en']}\n{LETTER}",
    "outlook, german": f"{TYPED}\n\nGrüße\n\n-----Ursprüngliche Nachricht-----\n{OUTLOOK['de']}\n{LETTER}",
    "outlook, french": f"{TYPED}\n\nCordialement\n\n-----Message d'origine-----\n{OUTLOOK['fr']}\n{LETTER}",
    "outlook on the web": f"{TYPED}\n________________________________\n{OUTLOOK['en']}\n{LETTER}",
    "mutt": f"On Tue, Nov 17, 2026 at 04:00:00PM +0000, Hikyaku wrote:\n{QUOTE}\n{TYPED}\n-- \n0151 23456 7\n",
    "mutt, between": f"Hikyaku wrote:\n> What do you do?\n{TYPED}\n> It is your turn.\n",
    "with a greeting": f"Hello all,\n\n{TYPED}\n\nSee you\nAiko\n",
    "no-break spaces": TYPED.replace(" ", "\u00a0") + "\u00a0\n\n" + ENGLISH,
    "unseen characters": f"\ufeff\u200b{TYPED}\u200b\n",
    "one to a line": "2\n1\nsend\n\n" + QUOTE,
}

SPOILT = '<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class=MsoNormal><b>From:</b> Hikyaku</p></div>'
LETTER_HTML = "".join(f"<p>{line}</p>" for line in LETTER.splitlines())

HTML: dict[str, str] = {
    "gmail": f'<div dir="ltr">{TYPED}</div><br><div class="gmail_quote"><div class="gmail_attr">On Tue wrote:<br></div>'
    f'<blockquote class="gmail_quote" style="margin:0">{LETTER_HTML}</blockquote></div>',
    "gmail, below": f'<div class="gmail_quote"><blockquote>{LETTER_HTML}<blockquote>1</blockquote></blockquote></div>'
    f"<div>{TYPED}</div>",
    "outlook": "<html><head><style><!-- p {1, 2, send} --></style><title>1</title></head><body lang=DE>"
    f"<!--[if gte mso 9]>1<![endif]--><p class=MsoNormal>{TYPED}<o:p></o:p></p>{SPOILT}{LETTER_HTML}</body></html>",
    "outlook on the web": f'<div class="elementToProof">{TYPED}</div><hr tabindex="-1"><div id="divRplyFwdMsg">'
    f"<b>Von:</b> Hikyaku</div>{LETTER_HTML}",
    "apple mail": f'<body>{TYPED}<br><div><br><blockquote type="cite"><div>On 17. Nov wrote:</div>{LETTER_HTML}'
    "</blockquote></div></body>",
    "yahoo": f'<div><div dir="ltr">{TYPED}</div></div><div id="yahoo_quoted">On Tuesday wrote:</div>{LETTER_HTML}',
    "in pieces": "<p><span>2</span>,&nbsp;<b>1</b>,\n send</p>",
    "one to a line": "2<br>1<BR/>send<br><br>Aiko",
}


class Asked:
    """Every question has two answers."""

    def called(self, word: str) -> list[str]:
        return [word] if word in ("1", "2", "Take", "Move") else []


class Listener(grammar._Listener):
    """Hears what a message says, and only writes it down."""

    def __init__(self) -> None:
        self.commands, self.heard = grammar._commands(), list[str]()
        self.understood = Mock(send=False)

    def menu(self) -> Any:
        return Asked()

    def _take(self, word: str, *, first: bool) -> None:
        self.heard.append(word)


def words(raw: bytes) -> list[str]:
    listener = Listener()
    listener.hear(message.read(raw).lines)
    return listener.heard


def unmarked(letter: EmailMessage) -> list[str]:
    """The lines of a letter of ours as they may come back beneath an answer, without any mark that they are quoted."""
    lines = [*body(letter).splitlines(), *message._as_text(body(letter, "html"))]
    return [line for line in lines if not message.QUOTED.match(line)]


def heard_in(letter: EmailMessage) -> list[str]:
    """What would be taken for an answer in it; nothing may."""
    listener = Listener()
    listener.hear(line for line in unmarked(letter) if not line.startswith("--"))
    return listener.heard


def mailed(kind: str, payload: bytes, encoding: str = "8bit") -> bytes:
    headers = f"From: Aiko <aiko@players.example>\r\nMIME-Version: 1.0\r\nContent-Type: {kind}\r\n"
    return f"{headers}Content-Transfer-Encoding: {encoding}\r\n\r\n".encode() + payload


def both(plain: str, html: str) -> bytes:
    sent = EmailMessage()
    sent["From"] = "Aiko <aiko@players.example>"
    sent.set_content(plain)
    sent.add_alternative(html, subtype="html")
    sent.add_attachment(b"1, 1, 1", maintype="text", subtype="plain", filename="notes.txt")
    return bytes(sent)


EXPECTED = ["2", "1", "send"]


@pytest.mark.parametrize("program", PLAIN)
def test_what_was_typed_is_found_in_plain_text(program: str):
    assert words(mailed("text/plain; charset=utf-8", PLAIN[program].encode())) == EXPECTED
    assert words(both(PLAIN[program], "<p>1</p>")) == EXPECTED


@pytest.mark.parametrize("program", HTML)
def test_what_was_typed_is_found_in_html(program: str):
    assert words(mailed("text/html; charset=utf-8", HTML[program].encode())) == EXPECTED
    assert words(both(" \n", HTML[program])) == EXPECTED


FRENCH_REPLY = PLAIN["gmail, french"].replace(", ", ",\u00a0", 2)


@pytest.mark.parametrize(
    "raw",
    [
        mailed("text/plain; charset=iso-8859-1", FRENCH_REPLY.encode("latin-1", "replace")),
        mailed("text/plain; charset=windows-1252", FRENCH_REPLY.encode("cp1252", "replace")),
        mailed('text/plain; charset="utf-16"', base64.encodebytes(FRENCH_REPLY.encode("utf-16")), "base64"),
        mailed("text/plain; charset=utf-8", quopri.encodestring(FRENCH_REPLY.encode()), "quoted-printable"),
        mailed("text/plain; charset=utf-8", base64.encodebytes(FRENCH_REPLY.encode()), "base64"),
        mailed("text/plain; charset=x-unknown", FRENCH_REPLY.encode()),
        mailed("text/plain; charset=idna", FRENCH_REPLY.encode()),
        mailed("text/plain; charset=hex", FRENCH_REPLY.encode()),
        mailed("text/plain", FRENCH_REPLY.encode("latin-1", "replace")),
        mailed("text/plain; charset=utf-8; format=flowed; delsp=yes", b"2, \r\n1, \r\nsend\r\n\r\n" + QUOTE.encode()),
        FRENCH_REPLY.encode().join([b"\n", b""]),
        b"From: a@b.example\r\n\r\n" + f"{TYPED}\0\r\n".encode(),
    ],
)
def test_what_was_typed_is_found_in_any_charset_and_encoding(raw: bytes):
    assert words(raw) == EXPECTED


def nested(depth: int, kind: str = "mixed") -> bytes:
    levels = b"".join(f"Content-Type: multipart/{kind}; boundary=b{i}\n\n--b{i}\n".encode() for i in range(depth))
    return levels + f"Content-Type: text/plain\n\n{TYPED}\n".encode()


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"", []),
        (b"\0\0\0", []),
        (b"\r\n\r\n", []),
        (b"From: a@b.example", []),
        (mailed("multipart/mixed", TYPED.encode()), []),
        (mailed("multipart/mixed; boundary=x", TYPED.encode()), []),
        (mailed("multipart/mixed; boundary=x", f"--x\n\n{TYPED}\n".encode()), EXPECTED),  # it ends too early
        (mailed("text/plain", b"\xff!!not base64", "base64"), []),
        (mailed("application/pdf", TYPED.encode()), []),
        (mailed("message/rfc822", b"Subject: 1\n\n" + TYPED.encode()), []),
        (mailed("text/html", b"<p" * 50_000), []),
        (mailed("text/html", f"<p>{TYPED}</p><p <div".encode()), EXPECTED),
        (nested(200), EXPECTED),
        (b"X-Long: " + b"y" * 200_000 + f"\n\n{TYPED}".encode(), EXPECTED),
        (b"From: " + b"(" * 50_000 + f"\n\n{TYPED}".encode(), EXPECTED),
        (mailed("text/plain" + ";" * 50_000, TYPED.encode()), []),
    ],
)
def test_a_broken_message_gives_what_was_typed_or_nothing(raw: bytes, found: list[str]):
    assert words(raw) == found


@pytest.mark.parametrize(
    "text",
    [
        "Thanks, got it!\n\n" + QUOTE,
        "Nice.\n\n-- \n12, 34, 5\n",
        "Merci !\n\nEnvoyé de mon iPhone\n\n" + FRENCH + QUOTE,
        f"On a train.\n\n{OUTLOOK['de']}\n{LETTER}",
        "I have 2 questions about this.\n3 Sea Road, Osaka\n",
        QUOTE,
    ],
)
def test_a_message_without_an_answer_has_none(text: str):
    assert words(mailed("text/plain; charset=utf-8", text.encode())) == []


# --- all of the way


@pytest.fixture
def player(one_house: House) -> Player:
    return one_house.begun(["Aiko", "Bruno*"]).player("Aiko")


def mutated(raw: bytes, chance: random.Random) -> bytes:
    """The same with something wrong: bytes turned over, pieces cut out, doubled or put elsewhere."""
    data = bytearray(raw)
    for _ in range(chance.randint(1, 8)):
        at, length = chance.randrange(len(data) + 1), chance.randint(1, 60)
        piece = bytes(data[at : at + length])
        match chance.randrange(5):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = piece * chance.randint(1, 4)
            case 3:
                data[at:at] = chance.choice([b"\r\n\r\n", b"=", b";", b'"', b"<", b"\0", b"--b0\n", b"\xf0\x9f", b"="])
            case _:
                elsewhere = chance.randrange(len(data) + 1)
                data[elsewhere:elsewhere] = piece
    return bytes(data)


def test_whatever_comes_has_a_status_and_breaks_nothing(player: Player):
    chance = random.Random(14)
    shapes = [both(PLAIN[name], HTML["outlook"]) for name in PLAIN] + [nested(5), nested(3, "alternative")]
    shapes += [mailed("text/html; charset=windows-1252", text.encode()) for text in HTML.values()]
    for _ in range(400):
        raw = mutated(chance.choice(shapes), chance)
        message.read(raw)
        message.digest(raw, "x")
        receiving.recipient_of(raw)
    to = str(player.newest_letter()["Reply-To"])
    for _ in range(25):
        receiving.receive(mutated(chance.choice(shapes), chance), to)
    statuses = {row.status for row in player.house.all(Received)}
    assert statuses <= {Reading.FOLLOWED, Reading.FILED, Reading.DOUBTED}
    assert player.see().status == 200


def test_what_cannot_be_read_at_all_is_set_aside(player: Player):
    receiving.receive(nested(1000), str(player.newest_letter()["Reply-To"]))
    assert player.house.one(Received).status is Reading.UNREAD
