"""Posting to addresses that people have typed, without letting anybody reach what is not theirs by it: https only, to
public addresses only, over a connection to the very address that was checked. Redirects are answers like any other, and
are not followed. Knows no tables: bells and pushes go through here, and nothing else leaves the house by http.

The address of a hook is itself a secret, so no error of this module repeats one.
"""

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from urllib.parse import SplitResult, urlsplit

from service.config import Hooks
from service.post.language import marked
from service.post.told import Told, told

LONGEST = 500  # characters of an address
PATIENCE = 5.0  # seconds, for each step
IN_ALL = 10.0  # seconds, however slowly the other side speaks
MOST_READ = 4096  # bytes of an answer
LOWEST_PORT = 1024  # besides the one of https: below it live mail, shells and databases
AGENT = "Hikyaku"

NOT_PUBLIC = marked("The address leads to a place that is not public.")

# In these a part of the number is the address of something else, which some gateway may reach.
EMBEDDING = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))

Number = ipaddress.IPv4Address | ipaddress.IPv6Address


class Refused(Exception):
    """Nothing was posted, or nobody took it. `why` can be said to people, and names no address."""

    def __init__(self, why: Told, *, final: bool = False) -> None:
        super().__init__(why["text"])
        self.why = why
        self.final = final  # trying again is of no use


@dataclass(frozen=True)
class Answer:
    status: int
    wait: int | None = None  # seconds that it asks for before the next try

    @property
    def took_it(self) -> bool:
        return 200 <= self.status < 300


def read(address: str, hooks: Hooks) -> SplitResult:
    """An address as somebody typed it, as far as that can be judged without asking anybody. Raises Refused."""
    address = address.strip()
    if len(address) > LONGEST or not address.isascii() or not address.isprintable() or " " in address:
        raise _bad(told(marked("Please paste the whole address as it is, with nothing else around it.")))
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise _bad(told(marked("This is not an address."))) from None
    host = parts.hostname or ""
    if parts.scheme == "http" and hooks == "loopback" and _is_here(host):
        return parts
    if parts.scheme != "https" or not host:
        raise _bad(told(marked("The address must begin with https://.")))
    if parts.username is not None or parts.password is not None:
        raise _bad(told(marked("The address must not hold a name or a password before its @.")))
    if port is not None and port != 443 and port < LOWEST_PORT:
        raise _bad(told(marked("The address must use the usual port, or one above 1023.")))
    number = _number(host)
    unnamed = number is None and ("." not in host.strip(".") or not host.strip(".")[-1].isalpha())
    if (unnamed or (number is not None and not is_public(number))) and not (hooks == "loopback" and _is_here(host)):
        raise _bad(told(NOT_PUBLIC))
    return parts


def is_public(number: Number) -> bool:
    """Whether everybody can reach it, and nobody only from here."""
    if isinstance(number, ipaddress.IPv6Address):
        if number.ipv4_mapped is not None:
            return is_public(number.ipv4_mapped)
        if number.is_site_local or any(number in network for network in EMBEDDING):
            return False
    aside = number.is_multicast or number.is_reserved or number.is_unspecified or number.is_loopback
    return number.is_global and not (aside or number.is_link_local or number.is_private)


def post(address: str, body: bytes, headers: Mapping[str, str], hooks: Hooks) -> Answer:
    """Post this there, and say what was answered. Raises Refused if it did not come to an answer."""
    if hooks == "off":
        raise Refused(told(marked("Whoever runs this service has switched hooks and pushes off.")), final=True)
    parts = read(address, hooks)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    number = _resolved(parts.hostname or "", port, hooks)
    try:
        return _exchange(parts, number, port, secure, body, headers)
    except ssl.SSLCertVerificationError:
        raise Refused(told(marked("Its certificate is not valid for this address."))) from None
    except TimeoutError:
        raise Refused(told(marked("It did not answer in time."))) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = told(marked("The connection failed (%(error)s)."), error=type(error).__name__)
        raise Refused(why) from None


def _exchange(
    parts: SplitResult, number: Number, port: int, secure: bool, body: bytes, headers: Mapping[str, str]
) -> Answer:
    """To this number, in the name that was typed: the name is in the certificate and in the request, and is not looked
    up again."""
    host = parts.hostname or ""
    line = http.client.HTTPConnection(f"[{host}]" if ":" in host else host, port, timeout=PATIENCE)
    wire = line.sock = socket.create_connection((str(number), port), timeout=PATIENCE)
    if secure:
        wire = line.sock = _trust().wrap_socket(wire, server_hostname=host, do_handshake_on_connect=False)
    late = threading.Event()
    watch = threading.Timer(IN_ALL, _cut, (wire, late))
    watch.daemon = True
    watch.start()
    try:
        if isinstance(wire, ssl.SSLSocket):
            wire.do_handshake()
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        line.request("POST", path, body, {"User-Agent": AGENT, "Connection": "close"} | dict(headers))
        answer = line.getresponse()
        answer.read(MOST_READ)
        if late.is_set():  # what was cut off looks like an end
            raise TimeoutError
        return Answer(answer.status, _seconds(answer.headers.get("Retry-After", "")))
    except (OSError, http.client.HTTPException, ValueError):
        if late.is_set():
            raise TimeoutError from None
        raise
    finally:
        watch.cancel()
        line.close()
        wire.close()


def _cut(wire: socket.socket, late: threading.Event) -> None:
    """Whoever feeds us a byte at a time is not waited for. Only what lies under TLS is cut, from another thread."""
    late.set()
    with contextlib.suppress(OSError):  # it has just come to its end
        socket.socket.shutdown(wire, socket.SHUT_RDWR)


def _resolved(host: str, port: int, hooks: Hooks) -> Number:
    """The one number that is connected to. A name that leads to any place that is not public leads nowhere."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Refused(told(marked("There is no such name on the net."))) from None
    numbers = [ipaddress.ip_address(str(where[0]).partition("%")[0]) for *_, where in found]
    if hooks == "loopback" and numbers and all(number.is_loopback for number in numbers):
        return numbers[0]
    if not numbers or not all(map(is_public, numbers)):
        raise Refused(told(NOT_PUBLIC))
    return numbers[0]


def _number(host: str) -> Number | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_here(host: str) -> bool:
    number = _number(host)
    return host == "localhost" or (number is not None and number.is_loopback)


def _seconds(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None


def _bad(why: Told) -> Refused:
    return Refused(why, final=True)


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()
