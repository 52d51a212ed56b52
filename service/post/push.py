"""Web push: what a browser is told, encrypted so that only it can read it, and signed so that its push service knows
who sends it (RFC 8291, RFC 8292). Sends nothing itself: that goes the way of every hook (outside.py)."""

import base64
import binascii
import json
from datetime import datetime, timedelta
from email.utils import parseaddr
from urllib.parse import urlsplit

from py_vapid import Vapid02

from service.config import Settings
from service.post import bells, hooks

LASTS = timedelta(hours=12)  # how long a signature is good
KEPT = timedelta(days=2)  # how long a push service keeps what it cannot deliver
P256DH, AUTH = 65, 16  # bytes of a browser's keys


class BadKeys(ValueError):
    """No browser has such keys."""


def new_key() -> str:
    """A private key, as the setting takes it."""
    vapid = Vapid02()
    vapid.generate_keys()
    return _written(vapid.private_key.private_numbers().private_value.to_bytes(32, "big"))


def public_key(key: str) -> str:
    """What a browser must be given to take pushes that are signed with this private key."""
    point = Vapid02.from_raw(key.encode()).public_key.public_numbers()
    return _written(b"\x04" + point.x.to_bytes(32, "big") + point.y.to_bytes(32, "big"))


def read_keys(p256dh: str, auth: str) -> dict[str, str]:
    """A browser's keys, if they are some. Raises BadKeys."""
    if len(_read(p256dh)) != P256DH or len(_read(auth)) != AUTH or _read(p256dh)[0] != 4:
        raise BadKeys
    try:
        _sealed(b"?", "", {"p256dh": p256dh, "auth": auth})
    except ValueError:  # a point that is not on the curve
        raise BadKeys from None
    return {"p256dh": p256dh, "auth": auth}


def parcel(
    settings: Settings, address: str, secrets: dict[str, str], notice: hooks.Notice, now: datetime
) -> hooks.Parcel:
    assert settings.push_key is not None
    said = {"title": notice.title, "body": "\n".join(notice.lines), "link": notice.link, "tag": notice.key}
    body = _sealed(json.dumps(said).encode(), address, secrets)
    return hooks.Parcel(address, body, _headers(settings, address, notice, now))


def _sealed(text: bytes, address: str, keys: dict[str, str]) -> bytes:
    """So that only the browser that has these keys can read it."""
    from pywebpush import WebPusher  # brings two HTTP clients along: a process that pushes nothing starts without them

    body: bytes = WebPusher({"endpoint": address, "keys": keys}).encode(text)["body"]
    return body


def _headers(settings: Settings, address: str, notice: hooks.Notice, now: datetime) -> dict[str, str]:
    parts = urlsplit(address)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + LASTS).timestamp()),
        "sub": f"mailto:{settings.operators_mail or parseaddr(settings.mail_from)[1]}",
    }
    signed: dict[str, str] = Vapid02.from_raw(settings.push_key.encode()).sign(claims) if settings.push_key else {}
    return signed | {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEPT.total_seconds())),
        "Topic": bells.hash_of(notice.key)[:32],  # sent once more, it takes the place of the first
        "Urgency": "normal",
    }


def _read(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise BadKeys from None


def _written(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).rstrip(b"=").decode()
