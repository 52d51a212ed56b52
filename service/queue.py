"""The queue: a Celery app on Redis, and `post`, which hands a task to the workers by its name; and word that comes back
from them, for a page that waits.

A lost task is no loss: the tables are the truth and the sweep repairs, so `post` never fails its caller; and word is
only a hint to look at the tables. Knows no task's code; the workers register it.
"""

import logging
import os
import threading
from collections.abc import Iterable
from functools import cache
from typing import Any

from celery import Celery
from kombu.exceptions import KombuError
from redis import Redis
from redis.exceptions import RedisError

from service.config import Settings

log = logging.getLogger(__name__)

TURNS, LETTERS, BELLS = QUEUES = "turns", "letters", "bells"
HOUR = 3600
SWEEP_EVERY = 5.0  # seconds
WORD_LASTS = 60  # seconds, for a page that is late to listen
HEARING = 0.25  # seconds at the most, before the tables are looked at again
PATIENCE = 1  # seconds, with Redis

# A page waits for a publish, so it gives up within about a second; a worker may wait for Redis as long as it takes.
IMPATIENT = {"socket_timeout": 1, "socket_connect_timeout": 1, "max_retries": 0, "retry_on_timeout": False}

celery = Celery("hikyaku", set_as_current=False)
_settings: Settings | None = None
_lines = threading.local()


def configure(settings: Settings) -> None:
    """Use these settings instead of the environment's."""
    global _settings
    _settings = settings
    if celery.configured:
        celery.conf.update(configuration(settings))


def configuration(settings: Settings) -> dict[str, Any]:
    """How Celery is to behave in this installation."""
    return {
        "broker_url": settings.queue_url.replace("unix://", "redis+socket://"),
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,  # however long Redis is away, work goes on when it is back
        "broker_transport_options": {"visibility_timeout": HOUR},
        # A mail server that is slow to answer must not hold up anybody's turn, and somebody's chat no letter.
        "task_default_queue": TURNS,
        "task_routes": {"deliver": {"queue": LETTERS}, "ring": {"queue": BELLS}},
        "accept_content": ["json"],
        "task_serializer": "json",
        "result_backend": None,
        "task_ignore_result": True,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "worker_hijack_root_logger": False,
        "enable_utc": True,
        "timezone": "UTC",
        "beat_schedule": {"sweep": {"task": "sweep", "schedule": SWEEP_EVERY, "options": {"expires": SWEEP_EVERY}}},
        "beat_schedule_filename": str(settings.var / "beat"),
    }


def post(task: str, *args: Any) -> bool:
    """Hand a task to the workers. False if Redis cannot be reached: the sweep will find the work in the tables."""
    for again in (True, False):  # a kept line may have been cut since it was last used
        try:
            celery.send_task(task, args=args, connection=_line(), retry=False, ignore_result=True)
        except (KombuError, RedisError, OSError) as error:
            fresh = _hang_up()
            if fresh or not again:
                log.warning("the queue did not take %s%r (%s); the sweep will", task, args, error)
                return False
        else:
            _lines.used = True
            return True
    return False


def _line() -> Any:
    """This thread's connection to Redis, kept open between posts; a forked process or new settings get a new one."""
    owner = (os.getpid(), celery.conf.broker_url)
    if getattr(_lines, "owner", None) != owner:
        _lines.owner, _lines.used = owner, False
        _lines.connection = celery.connection_for_write(connect_timeout=1, transport_options=IMPATIENT)
    return _lines.connection


def _hang_up() -> bool:
    """Drop a connection that failed. True if it had never worked, so that trying once more is of no use."""
    connection, used = _lines.connection, _lines.used
    _lines.owner = None
    try:
        connection.release()
    except (KombuError, RedisError, OSError) as error:
        log.debug("a broken connection did not close cleanly: %s", error)
    return not used


def tell(submissions: Iterable[int]) -> None:
    """Whoever waits for one of these: it is decided."""
    try:
        with _redis(celery.conf.broker_url).pipeline(transaction=False) as together:
            for submission_id in submissions:
                together.rpush(_decided(submission_id), "")
                together.expire(_decided(submission_id), WORD_LASTS)
            together.execute()
    except (RedisError, OSError) as error:
        log.debug("nobody could be told of a verdict (%s); who waits looks for it", error)


def hear(submission_id: int) -> bool:
    """Wait a little for word about it. False at once where Redis cannot be reached."""
    try:
        _redis(celery.conf.broker_url).blpop([_decided(submission_id)], timeout=HEARING)
    except (RedisError, OSError) as error:
        log.debug("no word of a verdict can come (%s)", error)
        return False
    return True


def _decided(submission_id: int) -> str:
    return f"hikyaku:decided:{submission_id}"


@cache
def _redis(address: str) -> Redis:
    """Of this process, or of the one it was forked from: redis-py connects anew after a fork."""
    url = address.replace("redis+socket://", "unix://")
    return Redis.from_url(url, socket_timeout=PATIENCE + HEARING, socket_connect_timeout=PATIENCE)


# Looked up when the first setting is needed, so that importing this module reads no environment.
celery.add_defaults(lambda: configuration(_settings or Settings.from_env()))
