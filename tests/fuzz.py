"""Requests that nobody would send by a page: every address, every field of every form, odd values, as everybody.

    knocks = Knocks(house, seed=7)
    for knock in knocks.looks(1000): ...     # GET and HEAD, by everybody: nothing may change
    for knock in knocks.of_strangers(1000):  # forms by somebody without any key: no game may change
    for knock in knocks.deeds(1000):         # forms by everybody

Says what to send; sending it, to the application or to a running service, is for tests/service/test_fuzz.py.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote_from_bytes, urlsplit

from werkzeug.routing import Rule

from service.models import Letter, LetterStatus, Moderator, Person, Seat
from service.post import links
from tests.play import Browser, House, Page, Table, link_in, mail_of, mint

ODD: tuple[bytes, ...] = (
    *(
        b"",
        b" ",
        b"0",
        b"-1",
        b"12",
        b"1.5",
        b"2147483648",
        b"9" * 19,
        b"9" * 400,
        b"9" * 5000,
        b"1e309",
        b"nan",
        b"0x1",
    ),
    *(b"\0", b"a\0b", b"\xff\xfe", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\r\nBcc: x@y.example", b"=?utf-8?q?=0ax?="),
    *("１２".encode(), "²".encode(), "٣".encode(), b"1_0", "😀".encode() * 50, b"x" * 5_000, b"x" * 200_000),
    *(b"../../etc/passwd", b"' OR 1=1 --", b"<script>", b"{{ 7*7 }}", b"%s%n%(x)s", b"on", b"null", b"[]", b"{}"),
    *(b"2026-13-45", b"0001-01-01", b"9999-12-31", b"2026-W01-1", b"24:61", b"00:00", b"10:00+14:00", b"Mars/Olympus"),
    *(b"@9999 x", b"@0", b"a@b", b"a" * 300 + b"@x.example", b"xn--@xn--.example", b"a@[127.0.0.1]", b"pass", b"yes"),
)
KINDS = (
    *("application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "multipart/form-data", "text/plain", ""),
    *("application/json", "application/x-www-form-urlencoded; charset=utf-16", "multipart/form-data; boundary=\xff"),
)
QUERY = ("seat", "page", "move", "person", "kind", "after", "x")
HEADERS = (
    "Hikyaku-Have",
    "Accept-Language",
    "Origin",
    "Referer",
    "If-None-Match",
    "Range",
    "Cookie",
    "Accept-Encoding",
)
ANYBODYS = {
    "making.create", "start.sample", "keys.mail_links", "keys.unsubscribe", "mine.forget", "post_office.answer",
}  # fmt: skip

# After them there is little left to try.
LAST_DEEDS = ("/new-link", "/leave", "/cancel", "/end", "/me", "/delete", "/forget")


@dataclass(frozen=True)
class Knock:
    """One request, by whom, and what they came for."""

    who: str
    method: str
    path: str
    endpoint: str = ""
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Filled:
    """A form as a page offers it."""

    who: str
    action: str
    fields: dict[str, str]


class Knocks:
    """Everybody who could knock at a house with games in all states, and what they could come with."""

    def __init__(self, house: House, seed: int) -> None:
        self._random = random.Random(seed)
        self.house = house
        self.browsers: dict[str, Browser] = {}
        self.rules = [rule for rule in house.app.url_map.iter_rules() if rule.endpoint != "static"]
        self._known = _furnish(house, self.browsers)
        self.tokens = {
            who: browser.get("/links").forms[0].fields["csrf_token"] for who, browser in self.browsers.items()
        }
        self.forms: dict[str, list[Filled]] = {}  # by the page that takes them
        for form in self._offered():
            self.forms.setdefault(self._endpoint(form.action), []).append(form)
        named = {name for forms in self.forms.values() for form in forms for name in form.fields}
        self._names = sorted(named | {"components", "version", "step"})

    def looks(self, many: int) -> Iterator[Knock]:
        for _ in range(many):
            rule = self._random.choice([rule for rule in self.rules if "GET" in (rule.methods or ())])
            path = self._path(rule)
            if self._random.random() < 0.5:
                path += "?" + "&".join(f"{name}={quote_from_bytes(self._odd())}" for name in self._some(QUERY))
            method = self._random.choice(("GET", "GET", "GET", "HEAD", "OPTIONS"))
            who = self._anybody()
            if who != "stranger" or rule.endpoint != "keys.open_link":  # with a link they would be none any more
                yield Knock(who, method, path, rule.endpoint, headers=self._headers())

    def of_strangers(self, many: int) -> Iterator[Knock]:
        for _ in range(many):
            endpoint = self._random.choice([endpoint for endpoint in self.forms if endpoint not in ANYBODYS])
            yield self._deed("stranger", self._random.choice(self.forms[endpoint]))

    def deeds(self, many: int) -> Iterator[Knock]:
        posts = [rule for rule in self.rules if "POST" in (rule.methods or ())]
        for at in range(many):
            form = self._random.choice(self.forms[self._random.choice(list(self.forms))])
            if self._random.random() < 0.3:  # at an address for itself, with any fields
                fields = dict.fromkeys(self._some(self._names), "")
                form = Filled(self._anybody(), self._path(self._random.choice(posts)), fields)
            if form.action.endswith(LAST_DEEDS) and at < many * 9 // 10:
                continue
            who = form.who if self._random.random() < 0.8 else self._anybody()
            yield self._deed(who, form)

    def _deed(self, who: str, form: Filled) -> Knock:
        fields = [(name, value.encode()) for name, value in form.fields.items() if name != "csrf_token"]
        for _ in range(self._random.choice((0, 1, 1, 1, 2, 5))):
            at = self._random.randrange(len(fields) + 1)
            name = fields[at][0] if at < len(fields) else self._random.choice(self._names)
            if self._random.random() < 0.15 and at < len(fields):
                del fields[at]
            elif self._random.random() < 0.15:
                fields.append((name, self._odd()))  # once more
            else:
                fields[at : at + 1] = [(name, self._odd())]
        kind = KINDS[0] if self._random.random() < 0.8 else self._random.choice(KINDS)
        token = self.tokens[who] if self._random.random() < 0.97 else "forged"
        body = _multipart if kind.endswith("boundary=b") else _urlencoded
        headers = {**self._headers(), "X-CSRFToken": token, "Content-Type": kind}
        return Knock(who, "POST", form.action, self._endpoint(form.action), body(fields), headers)

    def _headers(self) -> dict[str, str]:
        if self._random.random() < 0.9:
            return {}
        value = self._odd()[:4_000].decode("latin-1")
        return {self._random.choice(HEADERS): re.sub(r"[\r\n\0]", "", value)}

    def _path(self, rule: Rule) -> str:
        """The address with what leads somewhere, or with something odd in its place."""

        def value(found: re.Match[str]) -> str:
            if self._random.random() < 0.75:
                return self._random.choice(self._fitting(found))
            return quote_from_bytes(self._odd()[:6_000], safe="") or "x"

        return re.sub(r"<([^>]+)>", value, rule.rule)

    def _endpoint(self, path: str) -> str:
        try:
            return str(self.house.app.url_map.bind("localhost").match(path, "POST")[0])
        except Exception as error:  # noqa: BLE001 (whatever it is, it leads to no page)
            return type(error).__name__

    def _offered(self) -> Iterator[Filled]:
        """Every form on every page: a player's, and what organisers and moderators have beside."""
        for who, part in (("seat 0", "/"), ("organiser", "/organise"), ("moderator", "/desk")):
            for rule in self.rules:
                if "GET" in (rule.methods or ()) and part in rule.rule and not rule.rule.startswith("/l/"):
                    for public_id in self._known["public_id"][: None if "<public_id>" in rule.rule else 1]:
                        yield from _forms_of(who, self.browsers[who].get(self._plain(rule, public_id)))

    def _plain(self, rule: Rule, public_id: str) -> str:
        return re.sub(r"<([^>]+)>", lambda found: self._fitting(found)[0], rule.rule.replace("<public_id>", public_id))

    def _fitting(self, found: re.Match[str]) -> list[str]:
        return self._known.get(found[1].partition(":")[2] or found[1], ["0"])

    def _anybody(self) -> str:
        return self._random.choice(sorted(self.browsers))

    def _odd(self) -> bytes:
        return self._random.choice(ODD)

    def _some(self, names: Any) -> list[str]:
        return self._random.sample(list(names), self._random.randint(0, min(6, len(names))))


def _furnish(house: House, browsers: dict[str, Browser]) -> dict[str, list[str]]:
    """Games that are gathering, running and over, somebody of each kind in them, and what leads to all that."""
    tables = [
        house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika"))),
        house.begun(["Aiko", "Chidi*"], kind="duel"),
        house.game(["Dana", "Bruno"]),
    ]
    over = house.begun(["Aiko", "Chidi*"])  # it ends when nobody but the bot is left
    last = over.player("Aiko")
    last.follow_link().browser.get(last.url("/leave")).press("Leave the game for good")
    keys: dict[str, list[str]] = {"stranger": [], "operator": [mint(house, links.mint_operator, house.all(Person)[0])]}
    for table in (*tables, over):
        _hand_out(house, table, keys)
    for who, paths in keys.items():
        browsers[who] = house.browser()
        for path in paths:
            browsers[who].get(path)
    letter = next(sent for sent in house.all(Letter, Letter.status == LetterStatus.SENT) if sent.source)
    return {
        "public_id": [table.public_id for table in (*tables, over)],
        "no": ["0", "1"],
        "whose": ["0", "1"],
        "kind": ["osaka", "duel", "zaibatsu"],
        "letter_id": [str(letter.id)],
        "token": [
            keys["seat 0"][0].removeprefix("/l/"),
            link_in(house.letters(kind="turn")[0], "u").removeprefix("/u/"),
            mint(house, links.mint_calendar, house.all(Person)[0]).removeprefix("/l/"),
        ],
        "deed": ["resend", "replace", "cancel", "start", "watch", "moderator", "hand-over", "substitute", "time"],
        "name": ["extend", "pause", "resume", "rewind", "end", "stand-in", "substitute", "moderator", "open-view"],
    }


def _hand_out(house: House, table: Table, keys: dict[str, list[str]]) -> None:
    for seat in house.all(Seat, Seat.game_id == table.game().id):
        if seat.person_id is not None:
            keys.setdefault(f"seat {seat.no}", []).append(mint(house, links.mint_seat, seat))
    keys.setdefault("organiser", []).append(mint(house, links.mint_organiser, table.game()))
    keys.setdefault("spectator", []).append(mint(house, links.mint_watch, table.game()))
    if house.all(Moderator, Moderator.game_id == table.game().id):
        keys.setdefault("moderator", []).append(table.desk_link())


def _forms_of(who: str, page: Page) -> Iterator[Filled]:
    for form in page.forms if page.response.content_type.startswith("text/html") else ():
        if form.method.lower() == "post":
            for button in form.buttons:
                named = {button.name: button.value} if button.name else {}
                yield Filled(who, urlsplit(button.action or form.action or page.url).path, form.fields | named)


def _urlencoded(fields: list[tuple[str, bytes]]) -> bytes:
    return "&".join(f"{quote_from_bytes(name.encode())}={quote_from_bytes(value)}" for name, value in fields).encode()


def _multipart(fields: list[tuple[str, bytes]]) -> bytes:
    file = '; filename="mine.toml"'
    head = '--b\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n'
    parts = [head.format(name, file if name == "components" else "").encode() + value for name, value in fields]
    return b"\r\n".join([*parts, b"--b--\r\n"])
