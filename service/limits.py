"""How often something may be done, so that nobody can use this service to fill other people's letter boxes, or its own
time. What is counted is named in `config.Limits`; a limit belongs to whoever causes what is counted, so that nobody can
use up somebody else's. Counted on Redis, for all processes; while it is away, in each process by itself.

Knows no tables and no Flask.
"""

import hashlib
import logging
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime

from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter
from redis.exceptions import RedisError

from service.config import Settings

log = logging.getLogger(__name__)

GENEROUS = 100  # so many times the numbers, where no letter leaves the house
IMPATIENT = {"socket_timeout": 1, "socket_connect_timeout": 1}


class TooMany(Exception):
    """It was done too often. Nothing was changed; from `until` on it can be done again."""

    def __init__(self, until: datetime) -> None:
        super().__init__(f"not before {until:%H:%M:%S}")
        self.until = until


@dataclass
class _Counters:
    settings: Settings
    shared: FixedWindowRateLimiter
    own: FixedWindowRateLimiter
    away: bool = False  # Redis, at the last count

    def items(self, name: str) -> Sequence[RateLimitItem]:
        items = parse_many(getattr(self.settings.limits, name))
        more = GENEROUS if self.settings.smtp is None else 1
        return [type(item)(item.amount * more, item.multiples) for item in items]


_counters: _Counters | None = None

# Where the visitor is whose request is answered; None where there is none.
visitor: ContextVar[str | None] = ContextVar("visitor", default=None)


def configure(settings: Settings) -> None:
    """Use these settings instead of the environment's, and begin to count anew in this process."""
    global _counters
    own = FixedWindowRateLimiter(MemoryStorage())
    shared = FixedWindowRateLimiter(_storage(settings.redis_url)) if settings.redis_url else own
    _counters = _Counters(settings, shared, own)


def _storage(url: str) -> Storage:
    storage = storage_from_string(url.replace("unix://", "redis+unix://"), **IMPATIENT)
    assert isinstance(storage, Storage)
    return storage


def count(name: str, *who: object) -> None:
    """Once more for them. Raises TooMany."""
    if _counters is None:
        configure(Settings.from_env())
    assert _counters is not None
    whose = hashlib.blake2b("\0".join(map(str, who)).encode(), digest_size=16).hexdigest()  # no address lies in Redis
    for item in _counters.items(name):
        try:
            _hit(_counters.shared, item, name, whose)
        except RedisError as error:
            if not _counters.away:
                log.warning("Redis does not count (%s): this process counts by itself", error)
            _counters.away = True
            _hit(_counters.own, item, name, whose)
        else:
            _counters.away = False


def count_visitor(name: str, *more: object) -> None:
    """Once more from where the visitor is. What a worker does is nobody's visit."""
    if (where := visitor.get()) is not None:
        count(name, where, *more)


def _hit(limiter: FixedWindowRateLimiter, item: RateLimitItem, name: str, whose: str) -> None:
    if not limiter.hit(item, name, whose):
        raise TooMany(datetime.fromtimestamp(limiter.get_window_stats(item, name, whose).reset_time, UTC))
