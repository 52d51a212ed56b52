"""How long pages, turns and letters take, and how many there were: counted in every process, added up in Redis.

Web processes, workers and machines come and go, and one of them answers the question for all. So each counts for itself
and adds what it has counted to one hash in Redis every few seconds, from a thread of its own: nobody whose page or turn
is timed waits for Redis, and while Redis is away the counts wait too. A process that is killed takes some seconds of
them along, and an emptied Redis begins anew at zero, which is what Prometheus expects of a counter. Nothing is counted
where nobody asks (HIKYAKU_METRICS_TOKEN). What stands in the tables is not counted here: see service/vitals.py.
"""

import logging
import os
import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import redis

from service.config import Settings

log = logging.getLogger(__name__)

PAGES, TURNS, LETTERS, RINGS = "page", "turn", "letter", "ring"  # what is timed
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, float("inf"))  # seconds
EVERY = 5.0  # seconds between two additions
PATIENCE = 1
HASH = "hikyaku:measures"
SUM = "sum"


@dataclass
class Times:
    """What one thing took, with one label: how often within each bound, and all together."""

    within: dict[float, int] = field(default_factory=lambda: dict.fromkeys(BOUNDS, 0))
    total: float = 0.0

    @property
    def buckets(self) -> Iterator[tuple[str, float]]:
        """Each counts all that took no longer, as Prometheus wants it."""
        so_far = 0
        for bound, count in self.within.items():
            so_far += count
            yield ("+Inf" if bound == BOUNDS[-1] else str(bound)), so_far


class Measures:
    """The counts of this process that are not in Redis yet."""

    def __init__(self) -> None:
        self._address: str | None = None
        self._counts: dict[str, float] = defaultdict(float)
        self._lock = threading.Lock()
        self._process: int | None = None

    def configure(self, settings: Settings) -> None:
        self._address = settings.queue_url if settings.metrics_token else None
        self._counts.clear()

    def took(self, what: str, label: str, seconds: float) -> None:
        """One more of these, that took so long."""
        if self._address is None:
            return
        with self._lock:
            self._counts[f"{what} {label} {BOUNDS[bisect_left(BOUNDS, seconds)]}"] += 1
            self._counts[f"{what} {label} {SUM}"] += seconds
            self._keep_adding()

    def _keep_adding(self) -> None:
        """A thread does not live on in a forked process, so each begins its own with its first count."""
        if self._process != os.getpid():
            self._process = os.getpid()
            threading.Thread(target=self._add_on_and_on, name="measures", daemon=True).start()

    def _add_on_and_on(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(EVERY)
            self.add()

    def add(self) -> None:
        """To what all others have counted. What Redis does not take is added the next time."""
        with self._lock:
            counts, self._counts = self._counts, defaultdict(float)
        if not counts or self._address is None:
            return
        try:
            with _redis(self._address) as client, client.pipeline(transaction=True) as together:
                for name, count in counts.items():
                    together.hincrbyfloat(HASH, name, count)
                together.execute()
        except redis.RedisError as error:
            log.debug("Redis took no measures: %s", error)
            with self._lock:
                for name, count in counts.items():
                    self._counts[name] += count

    def all(self) -> dict[tuple[str, str], Times]:
        """What all processes have counted, by what was done and its label. Raises redis.RedisError."""
        self.add()
        times: dict[tuple[str, str], Times] = defaultdict(Times)
        if self._address is None:
            return times
        with _redis(self._address) as client:
            for name, count in client.hgetall(HASH).items():
                what, label, bound = name.decode().split(" ")
                found = times[what, label]
                if bound == SUM:
                    found.total = float(count)
                else:
                    found.within[float(bound)] = int(float(count))
        return times


def _redis(address: str) -> redis.Redis:
    return redis.Redis.from_url(address, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)


measures = Measures()
