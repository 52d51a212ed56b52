"""The tasks that the queue can name. Each is a thin shell around a function that is tested without a queue.

Any of them may be delivered twice, late or never: twice and late are no-ops, and never is repaired by the sweep.
"""

import time
from typing import Any

from celery.signals import setup_logging, worker_process_init, worker_process_shutdown

from service import logs, queue, rubbish
from service.config import Settings
from service.measures import LETTERS, RINGS, TURNS, measures
from service.queue import celery
from workers import adjudicator, courier, reader, ringer, timekeeper

__all__ = ["celery"]

FRESH = 10.0  # seconds; less than the sweep waits before it posts again, so that the tables have the last word

_decided: dict[int, float] = {}  # by this process, together with others, and when: their own tasks are yet to come


@celery.task(name="adjudicate")
def adjudicate(submission_id: int) -> None:
    began = time.perf_counter()
    if began - _decided.pop(submission_id, -FRESH) < FRESH:
        return
    verdicts = adjudicator.adjudicate_waiting(submission_id)
    queue.tell(verdicts)
    now = time.perf_counter()
    for decided, verdict in verdicts.items():
        measures.took(TURNS, verdict.value, now - began)
        _remember(decided, now)


def _remember(submission_id: int, now: float) -> None:
    _decided[submission_id] = now
    while next(iter(_decided.values())) < now - FRESH:
        del _decided[next(iter(_decided))]


@celery.task(name="deliver")
def deliver(letter_id: int, *others: int) -> None:
    for other in others:
        queue.post("deliver", other)
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
    measures.configure(Settings.from_env())
    rubbish.seldom()


@worker_process_shutdown.connect
def _say_goodbye(**_: Any) -> None:
    measures.add()
