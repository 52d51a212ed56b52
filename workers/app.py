"""The tasks that the queue can name. Each is a thin shell around a function that is tested without a queue.

Any of them may be delivered twice, late or never: twice and late are no-ops, and never is repaired by the sweep.
"""

import gc
import time
from typing import Any

from celery.signals import setup_logging, worker_process_init, worker_process_shutdown

from service import logs
from service.config import Settings
from service.measures import LETTERS, RINGS, TURNS, measures
from service.queue import celery
from workers import adjudicator, courier, reader, ringer, timekeeper

__all__ = ["celery"]


@celery.task(name="adjudicate")
def adjudicate(submission_id: int) -> None:
    began = time.perf_counter()
    if verdict := adjudicator.adjudicate(submission_id):
        measures.took(TURNS, verdict.value, time.perf_counter() - began)


@celery.task(name="deliver")
def deliver(letter_id: int) -> None:
    began = time.perf_counter()
    if became := courier.deliver(letter_id):
        measures.took(LETTERS, became.value, time.perf_counter() - began)


@celery.task(name="ring")
def ring(ring_id: int) -> None:
    began = time.perf_counter()
    if became := ringer.ring(ring_id):
        measures.took(RINGS, became.value, time.perf_counter() - began)


@celery.task(name="read")
def read(received_id: int) -> None:
    reader.read(received_id)


@celery.task(name="sweep")
def sweep() -> None:
    timekeeper.sweep()


@setup_logging.connect
def _log(loglevel: int | str, **_: Any) -> None:
    """Worker and beat write their lines as all processes do, and Celery sets nothing up by itself."""
    logs.configure(Settings.from_env(), loglevel)


@worker_process_init.connect
def _settle_down(**_: Any) -> None:
    """What a worker has loaded by now it keeps: the collector need not look through it in the middle of a turn."""
    measures.configure(Settings.from_env())
    gc.freeze()


@worker_process_shutdown.connect
def _say_goodbye(**_: Any) -> None:
    measures.add()
