"""Handing work to the queue never fails the caller, whatever has become of Redis."""

import json
import logging
import time
from base64 import b64decode
from collections.abc import Iterator

import pytest

from service import queue
from service.config import Settings
from tests.servers import Redis


@pytest.fixture
def private_queue(redis_server: Redis) -> Iterator[Redis]:
    queue.configure(Settings.from_env({"HIKYAKU_REDIS_URL": redis_server.url}))
    yield redis_server
    queue.configure(Settings.from_env({}))


def test_a_task_is_posted_by_its_name_as_json(private_queue: Redis):
    assert queue.post("adjudicate", 7)
    (message,) = private_queue.client().lrange(queue.TURNS, 0, -1)
    envelope = json.loads(message)
    assert envelope["headers"]["task"] == "adjudicate"
    assert json.loads(b64decode(envelope["body"]))[0] == [7]


def test_posting_without_redis_says_no_at_once_and_leaves_a_warning(private_queue: Redis, caplog):
    private_queue.stop()
    started = time.monotonic()
    with caplog.at_level(logging.WARNING):
        assert queue.post("deliver", 3) is False
    assert time.monotonic() - started < 1.5
    assert "deliver(3,)" in caplog.text


def test_posting_to_a_redis_that_hangs_gives_up_within_two_seconds(private_queue: Redis):
    with private_queue.frozen():
        started = time.monotonic()
        assert queue.post("deliver", 3) is False
        assert time.monotonic() - started < 2


def test_posting_works_again_as_soon_as_redis_is_back(private_queue: Redis):
    assert queue.post("sweep")
    private_queue.stop()
    assert not queue.post("sweep")
    private_queue.start()
    assert queue.post("sweep")


def test_a_page_that_waits_is_told_and_without_redis_is_not_kept_waiting(private_queue: Redis):
    queue.tell([7])
    assert queue.hear(7), "also who begins to listen when it is said already"
    began = time.monotonic()
    assert queue.hear(8), "Redis is there, and nothing was said"
    assert time.monotonic() - began >= queue.HEARING * 0.9
    assert private_queue.client().ttl("hikyaku:decided:7") == -2, "word that was heard is gone"
    queue.tell([9])
    assert 0 < private_queue.client().ttl("hikyaku:decided:9") <= queue.WORD_LASTS
    private_queue.stop()
    queue.tell([8])
    assert not queue.hear(8)


def test_a_task_survives_the_worker_that_held_it():
    conf = queue.configuration(Settings.from_env({}))
    assert conf["task_acks_late"]
    assert conf["task_reject_on_worker_lost"]
    assert conf["worker_prefetch_multiplier"] == 1
    assert conf["accept_content"] == ["json"]


def test_a_worker_waits_for_redis_as_long_as_it_takes():
    conf = queue.configuration(Settings.from_env({}))
    assert conf["broker_connection_retry_on_startup"]
    assert conf["broker_connection_max_retries"] is None


def test_the_sweep_runs_every_five_seconds_and_does_not_pile_up_while_no_worker_is_there():
    (entry,) = queue.configuration(Settings.from_env({}))["beat_schedule"].values()
    assert entry["task"] == "sweep"
    assert entry["schedule"] == 5.0
    assert entry["options"]["expires"] <= 5.0
