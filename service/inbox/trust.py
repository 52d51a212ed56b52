"""Whether a message is from whom it says. The address that it came to is a secret, and the key; beside it the sender
must be the one who has the seat, and the sender's domain must not disown it. What a message says it answers proves
nothing, and neither does what strangers' mail servers say they have found out.
"""

import re
from collections.abc import Callable, Iterator
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import parseaddr

import dkim
from authres import AuthenticationResultsHeader, AuthResError
from authres.core import AuthenticationResult
from dns.exception import DNSException

from service.inbox.message import Incoming
from service.models import Person
from service.post.told import Told, told

PATIENCE = 3  # seconds, for each answer of the DNS
MOST_SIGNATURES = 3

NOT_THEIRS = told("It came from another address than yours.")
DISOWNED = told("The mail server that it says it comes from does not know it.")

# How the DNS is asked for a key: a name and the patience with it.
ask_dns: Callable[..., bytes | None] = dkim.get_txt


def doubt(incoming: Incoming, person: Person, disowned: bool) -> Told | None:
    """Why this may not be from them, if it may not."""
    if incoming.senders != (person.mail,):
        return NOT_THEIRS
    return DISOWNED if disowned else None


def is_disowned(raw: bytes, authserv: str | None) -> bool:
    """Whether the domain in From says that this is not from there: as our own mail server `authserv` has found, or
    where it has found nothing, by the signatures in the message. May ask the DNS."""
    headers = BytesHeaderParser(policy=compat32).parsebytes(raw)
    domain = parseaddr(str(headers.get("From", "")))[1].rpartition("@")[2].lower()
    found = _found_by(authserv, headers) if authserv else None
    return _says_fail(found, domain) if found else _is_signed_wrongly(raw, domain)


# --- what our own mail server has found


def _found_by(authserv: str, headers: Message) -> AuthenticationResultsHeader | None:
    """The topmost that has its name: it writes its own on top, and strikes out those that have it already."""
    for value in headers.get_all("Authentication-Results", []):
        try:
            found = AuthenticationResultsHeader.parse_value(" ".join(str(value).split()))
        except AuthResError:
            continue
        if str(found.authserv_id).lower() == authserv.lower():
            return found
    return None


def _says_fail(found: AuthenticationResultsHeader, domain: str) -> bool:
    """DMARC is about the domain in From. Without a word about that, a signature of that domain is as good."""
    said = [(result.method, str(result.result).lower(), result) for result in found.results]
    if dmarc := [word for method, word, _ in said if method == "dmarc" and word in ("pass", "fail")]:
        return "fail" in dmarc
    own = [word for method, word, result in said if method == "dkim" and _is_of(_signer(result), domain)]
    if "pass" in own:
        return False
    return "fail" in own or any(method == "spf" and word == "fail" for method, word, _ in said)


def _signer(result: AuthenticationResult) -> str:
    properties = {f"{p.type}.{p.name}": str(p.value) for p in result.properties}
    return properties.get("header.d") or properties.get("header.i", "").rpartition("@")[2]


def _is_of(signer: str, domain: str) -> bool:
    """A signature by example.org speaks for mail.example.org too."""
    return bool(signer) and f".{domain}".endswith(f".{signer.lower()}")


# --- what the message itself proves


def _is_signed_wrongly(raw: bytes, domain: str) -> bool:
    """There are signatures of the domain in From, and not one of them is right. Where the DNS does not tell, or no
    longer has the key, nothing is known."""
    try:
        message = dkim.DKIM(raw, timeout=PATIENCE)
    except dkim.DKIMException:
        return False
    verdicts = [_is_right(message, which) for which in _signatures_of(domain, message)]
    return False in verdicts and True not in verdicts


def _signatures_of(domain: str, message: dkim.DKIM) -> Iterator[int]:
    signatures = [value for name, value in message.headers if name.lower() == b"dkim-signature"]
    for which, signature in enumerate(signatures[:MOST_SIGNATURES]):
        signer = re.search(rb"(?:^|;)\s*d\s*=\s*([^\s;]+)", signature)
        if signer and _is_of(signer[1].decode("ascii", errors="replace"), domain):
            yield which


def _is_right(message: dkim.DKIM, which: int) -> bool | None:
    try:
        return bool(message.verify(which, dnsfunc=_key))
    except (_NoKey, dkim.UnknownKeyTypeError, dkim.NaClNotFoundError):
        return None
    except (dkim.DKIMException, ValueError):
        return False


def _key(name: bytes, timeout: float) -> bytes:
    try:
        key = ask_dns(name, timeout=timeout)
    except (dkim.DnsTimeoutError, DNSException, OSError, UnicodeError) as error:
        raise _NoKey from error
    if key is None:
        raise _NoKey
    return key


class _NoKey(Exception):
    """The DNS says nothing of it. No DKIMException, which the library would take for a wrong signature."""
