"""The tasks that the queue can name. Each is a thin shell around a function that is tested without a queue.

Any of them may be delivered twice, late or never: twice and late are no-ops, and never is repaired by the sweep.
"""

from service.queue import celery
from workers import adjudicator, courier, timekeeper

__all__ = ["celery"]


@celery.task(name="adjudicate")
def adjudicate(submission_id: int) -> None:
    adjudicator.adjudicate(submission_id)


@celery.task(name="deliver")
def deliver(letter_id: int) -> None:
    courier.deliver(letter_id)


@celery.task(name="sweep")
def sweep() -> None:
    timekeeper.sweep()
