"""All settings, read strictly from the environment: a bad value is an error that names the variable, what is wrong
with it and an example of a good one. Knows nothing of Flask, Celery or the database: it only reads.
"""

import difflib
import ipaddress
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from email.utils import parseaddr
from pathlib import Path
from typing import Literal, cast, get_args
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from limits import parse_many

PREFIX = "HIKYAKU_"
SHORTEST_SECRET = 32
PUSH_KEY = 32  # bytes; any such number is a key
MOST_PROXIES = 5
MOST_HOURS = 336
LogForm = Literal["text", "json"]
Tables = Literal["everybody", "known", "code", "nobody"]
Hooks = Literal["on", "off", "loopback"]

# Names that are only known in somebody's own house.
PRIVATE_NAMES = (".local", ".lan", ".internal", ".home.arpa", ".localhost")

EXAMPLES = {
    "HIKYAKU_DATABASE_URL": "postgresql://hikyaku:password@db/hikyaku",
    "HIKYAKU_REDIS_URL": "redis://localhost:6379/0",
    "HIKYAKU_SMTP_URL": "smtp://user:password@mail.example.org:587?starttls=1",
    "HIKYAKU_BASE_URL": "https://games.example.org",
    "HIKYAKU_SECRET_KEY": "the output of: python3 -c 'import secrets; print(secrets.token_urlsafe(48))'",
    "HIKYAKU_MAIL_FROM": "Hikyaku <hikyaku@example.org>",
    "HIKYAKU_MAIL_IN": "lmtp://127.0.0.1:8024",
    "HIKYAKU_MAIL_DOMAIN": "play.example.org",
    "HIKYAKU_MAIL_AUTHSERV": "mail.example.org",
    "HIKYAKU_VAR": "/var/lib/hikyaku",
    "HIKYAKU_LISTEN": "127.0.0.1:8000",
    "HIKYAKU_PROXIES": "1",
    "HIKYAKU_OPERATOR": "you@example.org",
    "HIKYAKU_POST_OFFICE": "on",
    "HIKYAKU_LOG": "json",
    "HIKYAKU_METRICS_TOKEN": "the output of: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'",
    "HIKYAKU_PING_URL": "https://hc-ping.com/your-own-uuid",
    "HIKYAKU_RETURN_HOURS": "24",
    "HIKYAKU_KEEP_ADDRESSES": "14",
    "HIKYAKU_KEEP_INVITED": "60",
    "HIKYAKU_KEEP_LETTERS": "90",
    "HIKYAKU_KEEP_LINKS": "90",
    "HIKYAKU_KEEP_RECEIVED": "14",
    "HIKYAKU_KEEP_PEOPLE": "90",
    "HIKYAKU_KEEP_UNCONFIRMED": "7",
    "HIKYAKU_LIMIT_TABLES": "10/hour, 30/day",
    "HIKYAKU_LIMIT_GAMES": "40/day",
    "HIKYAKU_LIMIT_INVITATIONS": "60/day",
    "HIKYAKU_LIMIT_STRANGERS": "90/day",
    "HIKYAKU_LIMIT_RECIPIENT": "6/day, 20/7 days",
    "HIKYAKU_LIMIT_LINKS": "10/hour",
    "HIKYAKU_LIMIT_OWN_LINKS": "3/hour",
    "HIKYAKU_LIMIT_OPENED": "600/hour",
    "HIKYAKU_LIMIT_COMPONENTS": "20/hour",
    "HIKYAKU_LIMIT_REPLIES": "60/hour",
    "HIKYAKU_LIMIT_JOINS": "60/hour",
    "HIKYAKU_LIMIT_CODES": "20/hour",
    "HIKYAKU_LIMIT_BELLS": "30/hour",
    "HIKYAKU_HOOKS": "off",
    "HIKYAKU_PUSH_KEY": "the output of: hikyaku push-key",
    "HIKYAKU_TABLES": "known",
    "HIKYAKU_OPEN_TABLES": "on",
    "HIKYAKU_CODE": "a word that you give to those who may make games",
}

# Read by the test suite, never by the service: they may be in the environment of a service that a test starts.
FOR_TESTS = {
    "HIKYAKU_TEST_DATABASE_URL",
    "HIKYAKU_CHROMIUM",
    "HIKYAKU_REQUIRE_BROWSER",
    "HIKYAKU_FUZZ",
    "HIKYAKU_FUZZ_SEED",
    "HIKYAKU_THOROUGH",
}


class SettingsError(ValueError):
    """A setting is missing, unknown or wrong. The text names it and gives an example."""


@dataclass(frozen=True)
class Smtp:
    """Where letters are handed over. `tls` is none, starttls or implicit (smtps)."""

    host: str
    port: int
    tls: str = "none"
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    utf8: bool = False  # it takes addresses in any script (SMTPUTF8)


@dataclass(frozen=True)
class MailIn:
    """How answers come in: a mail server hands them over here (lmtp, smtp), a mailbox is looked into (imap), or
    `hikyaku receive` is called for each (pipe)."""

    by: Literal["lmtp", "smtp", "imap", "pipe"]
    host: str = ""
    port: int = 0
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    folder: str = "INBOX"


@dataclass(frozen=True)
class Keep:
    """For how many days things are kept that are over; see service/play/tidying.py."""

    invited: int = 60  # games that have not begun
    letters: int = 90  # and the tries at sending them
    links: int = 90  # of letters that are over
    received: int = 14  # messages that came in
    people: int = 90  # who have no part in any game
    unconfirmed: int = 7  # games that their organiser has not confirmed
    addresses: int = 14  # a change of address that nobody has confirmed; and the old one, which can take it back


@dataclass(frozen=True)
class Limits:
    """How often something may be done; see service/limits.py."""

    tables: str = "10/hour, 30/day"  # games made from one visitor's address
    games: str = "40/day"  # games made by one organiser
    invitations: str = "60/day"  # letters to people who have not said yes, by whoever has them written
    strangers: str = "90/day"  # the same, from one visitor's address
    recipient: str = "6/day, 20/7 days"  # such letters from one person to one mailbox
    links: str = "10/hour"  # "mail me my links", from one visitor's address
    own_links: str = "3/hour"  # the same for one mailbox
    opened: str = "600/hour"  # links opened, from one visitor's address
    components: str = "20/hour"  # component files, from one visitor's address
    replies: str = "60/hour"  # answers by mail to the letters about one seat
    remarks: str = "60/hour"  # things said at tables, by one person
    onlookers: str = "60/hour"  # the same by those who look on, from one visitor's address
    joins: str = "60/hour"  # looks at open tables by their code, from one visitor's address
    codes: str = "20/hour"  # tries at the code for making games, from one visitor's address
    bells: str = "30/hour"  # hooks and browsers added or tried, by one person


@dataclass(frozen=True)
class Settings:
    """What an installation looks like. Passwords and keys stay out of `repr`, so that a log cannot show them."""

    var: Path
    database_url: str = field(repr=False)
    base_url: str = "http://127.0.0.1:8000"
    listen: str = "127.0.0.1:8000"
    proxies: int = 0  # so many web servers in front are believed what they say of the client
    redis_url: str | None = field(default=None, repr=False)
    smtp: Smtp | None = None
    post_office: bool = True
    mail_from: str = "Hikyaku <hikyaku@localhost>"
    mail_in: MailIn | None = None
    mail_authserv: str | None = None  # as whom our own mail server writes down what it found out about a sender
    own_domain: str | None = None  # of the addresses that answers go to, if it is not that of the sender
    return_hours: int = 24  # for which the clock of a turn stands still, once, when letters to its player come back
    operator: str | None = None
    secret: str | None = field(default=None, repr=False)
    log: LogForm = "text"
    metrics_token: str | None = field(default=None, repr=False)
    ping_url: str | None = field(default=None, repr=False)
    keep: Keep = Keep()
    limits: Limits = Limits()
    hooks: Hooks = "on"  # whether hooks and pushes go out; with "loopback" also to this machine, for trying them
    push: str | None = field(default=None, repr=False)  # the private key by which push services know this one
    own_push_key: bool = False  # where none is given one is made and kept, as only this machine's browsers come here
    tables: Tables = "everybody"  # who may make games
    open_tables: bool = False  # the start page lists tables with open seats whose organisers wish it
    code: str | None = field(default=None, repr=False)  # what those must know who may, where it is by code

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> "Settings":
        """The settings in these variables (the process's own if none are given). Raises SettingsError.

        An empty value counts as not set, because that is how container tools pass on a variable nobody set.
        """
        environ = os.environ if environ is None else environ
        given = {name: value.strip() for name, value in environ.items() if name.startswith(PREFIX) and value.strip()}
        _refuse_unknown(given)
        var = Path(given.get("HIKYAKU_VAR", "var")).absolute()
        listen = _listen(given.get("HIKYAKU_LISTEN", "127.0.0.1:8000"))
        base_url = _base_url(given["HIKYAKU_BASE_URL"]) if "HIKYAKU_BASE_URL" in given else _own_address(listen)
        smtp = _smtp(given["HIKYAKU_SMTP_URL"]) if "HIKYAKU_SMTP_URL" in given else None
        private = _is_loopback(_host(base_url)) and _is_loopback(split_listen(listen)[0])
        return cls(
            var=var,
            database_url=_database_url(given.get("HIKYAKU_DATABASE_URL", f"sqlite:///{var / 'hikyaku.db'}")),
            base_url=base_url,
            listen=listen,
            proxies=_proxies(given.get("HIKYAKU_PROXIES", "0")),
            redis_url=_redis_url(given.get("HIKYAKU_REDIS_URL")),
            smtp=smtp,
            post_office=_post_office(given.get("HIKYAKU_POST_OFFICE"), smtp, private),
            mail_from=_mail("HIKYAKU_MAIL_FROM", given.get("HIKYAKU_MAIL_FROM", "Hikyaku <hikyaku@localhost>")),
            mail_in=_mail_in(given["HIKYAKU_MAIL_IN"]) if "HIKYAKU_MAIL_IN" in given else None,
            mail_authserv=given.get("HIKYAKU_MAIL_AUTHSERV"),
            own_domain=_domain(given["HIKYAKU_MAIL_DOMAIN"]) if "HIKYAKU_MAIL_DOMAIN" in given else None,
            return_hours=_hours("HIKYAKU_RETURN_HOURS", given),
            operator=_mail("HIKYAKU_OPERATOR", given["HIKYAKU_OPERATOR"]) if "HIKYAKU_OPERATOR" in given else None,
            secret=_secret(given.get("HIKYAKU_SECRET_KEY"), private),
            log=_log(given.get("HIKYAKU_LOG", "text")),
            metrics_token=_metrics_token(given.get("HIKYAKU_METRICS_TOKEN")),
            ping_url=_ping_url(given.get("HIKYAKU_PING_URL")),
            keep=Keep(**{what: _days(given, what, usual) for what, usual in asdict(Keep()).items()}),
            limits=Limits(**{what: _limit(given, what, usual) for what, usual in asdict(Limits()).items()}),
            hooks=_hooks(given.get("HIKYAKU_HOOKS", "on")),
            push=_push_key(given.get("HIKYAKU_PUSH_KEY")),
            own_push_key=private,
            tables=_tables(given),
            open_tables=_on_or_off("HIKYAKU_OPEN_TABLES", given),
            code=given.get("HIKYAKU_CODE"),
        )

    @property
    def public(self) -> bool:
        """Whether the whole world may know the name under which the service is reached."""
        return _is_public(_host(self.base_url))

    @property
    def letters_from_nowhere(self) -> bool:
        """Letters go out into the world with a sender that exists on this machine only."""
        nowhere = parseaddr(self.mail_from)[1].rpartition("@")[2].lower() in ("localhost", "localhost.localdomain")
        return nowhere and self.smtp is not None and (self.public or not _is_loopback(self.smtp.host))

    @property
    def mail_domain(self) -> str:
        """Where answers to letters go, and letters that come back."""
        return self.own_domain or parseaddr(self.mail_from)[1].rpartition("@")[2].lower()

    @property
    def no_reply(self) -> str:
        """Where nobody reads: what is sent there comes back to whoever sent it."""
        return f"no-reply@{self.mail_domain}"

    @property
    def reads_answers(self) -> bool:
        """Whether an answer to a letter reaches us: by mail, or where no mail leaves the house by the post office."""
        return self.mail_in is not None or (self.smtp is None and self.post_office)

    @property
    def stands_still(self) -> timedelta:
        return timedelta(hours=self.return_hours)

    @property
    def secure_cookies(self) -> bool:
        return self.base_url.startswith("https://")

    @property
    def operators_mail(self) -> str | None:
        """The address alone, as people are known by it."""
        return parseaddr(self.operator)[1].lower() if self.operator else None

    @property
    def queue_url(self) -> str:
        """The Redis to use: the one given, or the private one that `hikyaku up` runs."""
        return self.redis_url or f"unix://{self.var / 'redis.sock'}"

    @property
    def secret_key(self) -> str:
        """The key that signs cookies: the one given, or one made once and kept under var/."""
        return self.secret or _kept_secret(self.var / "secret.key")

    @property
    def push_key(self) -> str | None:
        """The key that signs pushes; None where there are none."""
        if self.hooks == "off" or (self.push is None and not self.own_push_key):
            return None
        return self.push or _kept_secret(self.var / "push.key", PUSH_KEY)


def split_listen(listen: str) -> tuple[str, int]:
    """Host and port of a listen address."""
    host, _, port = listen.rpartition(":")
    return host.strip("[]"), int(port)


def _wrong(name: str, what: str) -> SettingsError:
    return SettingsError(f"{name} {what}. Example: {name}={EXAMPLES[name]}")


def _refuse_unknown(given: Mapping[str, str]) -> None:
    for name in sorted(given.keys() - EXAMPLES.keys() - FOR_TESTS):
        near = difflib.get_close_matches(name, EXAMPLES, n=1, cutoff=0.75)
        advice = f"did you mean {near[0]}?" if near else f"known are {', '.join(EXAMPLES)}."
        raise SettingsError(f"{name} is not a setting: {advice}")


def _split(name: str, value: str) -> SplitResult:
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError as error:
        raise _wrong(name, f"is not an address ({error})") from None
    return parts


def _database_url(value: str) -> str:
    name = "HIKYAKU_DATABASE_URL"
    scheme, colon, rest = value.partition("://")
    if not colon:
        raise _wrong(name, "is not an address like scheme://...")
    if scheme == "sqlite":
        if not rest.startswith("/") or len(rest) < 2:
            raise _wrong(name, "needs a file, as in sqlite:////var/lib/hikyaku/hikyaku.db")
        return value
    if scheme not in ("postgres", "postgresql", "postgresql+psycopg"):
        raise _wrong(name, f"must start with postgresql:// or sqlite:///, not {scheme}://")
    if not _split(name, value).path.strip("/"):
        raise _wrong(name, "does not name a database")
    return f"postgresql+psycopg://{rest}"


def _redis_url(value: str | None) -> str | None:
    if value is None:
        return None
    name = "HIKYAKU_REDIS_URL"
    parts = _split(name, value)
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise _wrong(name, "must start with redis://, rediss:// or unix://")
    if parts.scheme == "unix" and not parts.path.startswith("/"):
        raise _wrong(name, "needs the path of a socket, as in unix:///run/redis.sock")
    if parts.scheme != "unix" and not parts.hostname:
        raise _wrong(name, "does not name a host")
    if parts.scheme != "unix" and parts.path.strip("/") and not parts.path.strip("/").isdecimal():
        raise _wrong(name, f"ends in a database number, not {parts.path}")
    return value


def _smtp(value: str) -> Smtp:
    name = "HIKYAKU_SMTP_URL"
    parts = _split(name, value)
    if parts.scheme not in ("smtp", "smtps"):
        raise _wrong(name, "must start with smtp:// or smtps://")
    if not parts.hostname:
        raise _wrong(name, "does not name a host")
    if parts.path.strip("/") or parts.fragment:
        raise _wrong(name, "has something after the host (a password with / or # in it is written with %2F or %23)")
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    starttls, utf8 = query.pop("starttls", "0"), query.pop("smtputf8", "0")
    if query or not {starttls, utf8} <= {"0", "1"}:
        raise _wrong(name, "knows only starttls and smtputf8 after the ?, each 0 or 1")
    if parts.scheme == "smtps" and starttls == "1":
        raise _wrong(name, "is smtps, which is encrypted from the start: leave out starttls")
    tls = "implicit" if parts.scheme == "smtps" else "starttls" if starttls == "1" else "none"
    return Smtp(
        host=parts.hostname,
        port=parts.port or {"implicit": 465, "starttls": 587, "none": 25}[tls],
        tls=tls,
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        utf8=utf8 == "1",
    )


def _mail_in(value: str) -> MailIn:
    name = "HIKYAKU_MAIL_IN"
    if value == "pipe":
        return MailIn("pipe")
    parts = _split(name, value)
    if parts.scheme not in ("lmtp", "smtp", "imaps"):
        raise _wrong(name, "is pipe, or starts with lmtp://, smtp:// or imaps://")
    if not parts.hostname:
        raise _wrong(name, "does not name a host")
    if parts.scheme == "imaps":
        if not parts.username or not parts.password:
            raise _wrong(name, "needs user and password of the mailbox, as in imaps://user:password@mail.example.org")
        return MailIn(
            "imap",
            parts.hostname,
            parts.port or 993,
            unquote(parts.username),
            unquote(parts.password),
            unquote(parts.path.strip("/")) or "INBOX",
        )
    if parts.port is None or parts.path.strip("/") or parts.username:
        raise _wrong(name, "is where to listen, host and port and nothing else")
    return MailIn("lmtp" if parts.scheme == "lmtp" else "smtp", parts.hostname, parts.port)


def _domain(value: str) -> str:
    if not re.fullmatch(r"[a-z0-9.-]{1,253}", value.lower()):
        raise _wrong("HIKYAKU_MAIL_DOMAIN", "is the part of a mail address after the @, in plain letters")
    return value.lower()


def _base_url(value: str) -> str:
    name = "HIKYAKU_BASE_URL"
    parts = _split(name, value)
    if not value.isascii():
        raise _wrong(name, "must be ASCII, as it goes into mail headers: write the host as xn--...")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _wrong(name, "must be http://host or https://host, with a port if it is not the usual one")
    if parts.path.strip("/") or parts.query or parts.fragment or parts.username is not None:
        raise _wrong(name, "must end after the host and port: the service lives at the root of its host")
    return f"{parts.scheme}://{parts.netloc}"


def _listen(value: str) -> str:
    name = "HIKYAKU_LISTEN"
    host, colon, port = value.rpartition(":")
    if not colon or not host:
        raise _wrong(name, "must be host:port")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise _wrong(name, f"has no port from 1 to 65535 but {port!r}")
    return value


def _proxies(value: str) -> int:
    if not value.isdecimal() or int(value) > MOST_PROXIES:
        raise _wrong("HIKYAKU_PROXIES", f"is a number from 0 to {MOST_PROXIES}, not {value!r}")
    return int(value)


def _own_address(listen: str) -> str:
    """Where a browser on this machine finds a server that listens there."""
    host, port = split_listen(listen)
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _mail(name: str, value: str) -> str:
    address = parseaddr(value)[1]
    local, at, domain = address.rpartition("@")
    if not at or not local or not domain or any(c.isspace() for c in address) or "\n" in value:
        raise _wrong(name, "is not a mail address")
    return value


def _post_office(value: str | None, smtp: Smtp | None, private: bool) -> bool:
    if value not in (None, "on", "off"):
        raise _wrong("HIKYAKU_POST_OFFICE", f"is on or off, not {value!r}")
    opened = value == "on" if value else smtp is None and private
    if not opened and smtp is None:
        raise _wrong("HIKYAKU_SMTP_URL", "is not set and the post office is closed, so no letter would ever arrive")
    return opened


def _secret(value: str | None, private: bool) -> str | None:
    if value is None and not private:
        raise _wrong("HIKYAKU_SECRET_KEY", "must be set when others can reach the service")
    if value is not None and len(value) < SHORTEST_SECRET:
        raise _wrong("HIKYAKU_SECRET_KEY", f"has {len(value)} characters and needs {SHORTEST_SECRET} or more")
    return value


def _log(value: str) -> LogForm:
    if value not in ("text", "json"):
        raise _wrong("HIKYAKU_LOG", f"is text or json, not {value!r}")
    return cast(LogForm, value)


def _metrics_token(value: str | None) -> str | None:
    if value is not None and (len(value) < SHORTEST_SECRET or not value.isascii()):
        raise _wrong("HIKYAKU_METRICS_TOKEN", f"needs {SHORTEST_SECRET} or more ASCII characters")
    return value


def _ping_url(value: str | None) -> str | None:
    if value is not None and (_split("HIKYAKU_PING_URL", value).scheme not in ("http", "https") or not _host(value)):
        raise _wrong("HIKYAKU_PING_URL", "must start with http:// or https:// and a host")
    return value


def _days(given: Mapping[str, str], what: str, usual: int) -> int:
    name = f"{PREFIX}KEEP_{what.upper()}"
    value = given.get(name, str(usual))
    if len(value) > 5 or not value.isascii() or not value.isdecimal() or int(value) == 0:
        raise _wrong(name, f"is a number of days from 1 to 99999, not {value!r}")
    return int(value)


def _hours(name: str, given: Mapping[str, str]) -> int:
    value = given.get(name, EXAMPLES[name])
    if not value.isascii() or not value.isdecimal() or int(value) > MOST_HOURS:
        raise _wrong(name, f"is a number of hours from 0 to {MOST_HOURS}, not {value!r}")
    return int(value)


def _limit(given: Mapping[str, str], what: str, usual: str) -> str:
    name = f"HIKYAKU_LIMIT_{what.upper()}"
    value = given.get(name, usual)
    try:
        parse_many(value)
    except ValueError:
        raise _wrong(name, f"says how often in what time, and not {value!r}") from None
    return value


def _on_or_off(name: str, given: Mapping[str, str]) -> bool:
    value = given.get(name, "off")
    if value not in ("on", "off"):
        raise _wrong(name, f"is on or off, not {value!r}")
    return value == "on"


def _tables(given: Mapping[str, str]) -> Tables:
    name = "HIKYAKU_TABLES"
    found: dict[str, Tables] = {value: value for value in get_args(Tables)}
    value = given.get(name, "everybody")
    if value not in found:
        raise _wrong(name, f"is one of {', '.join(found)}, not {value!r}")
    if (value == "code") != ("HIKYAKU_CODE" in given):
        raise _wrong("HIKYAKU_CODE", "goes with HIKYAKU_TABLES=code, and that with it")
    return found[value]


def _hooks(value: str) -> Hooks:
    found: dict[str, Hooks] = {value: value for value in get_args(Hooks)}
    if value not in found:
        raise _wrong("HIKYAKU_HOOKS", f"is one of {', '.join(found)}, not {value!r}")
    return found[value]


def _push_key(value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"[A-Za-z0-9_-]{43}", value):
        raise _wrong("HIKYAKU_PUSH_KEY", "is a key of 43 letters and digits")
    return value


def _kept_secret(path: Path, size: int = 48) -> str:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    if not path.exists():
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(size))
        try:
            os.link(fresh, path)  # whole or not at all, and the first of several processes wins
        except FileExistsError:
            return path.read_text().strip()
        finally:
            fresh.unlink()
    key = path.read_text().strip()
    if len(key) < SHORTEST_SECRET:
        raise SettingsError(f"{path} holds no key of {SHORTEST_SECRET} or more characters: delete it and start again")
    return key


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(PRIVATE_NAMES)
