"""The workers' tasks plus an empty one: what a queue costs by itself, for `make bench`."""

from workers.app import celery

__all__ = ["celery"]


@celery.task(name="nothing")
def nothing(number: int) -> None:
    """The yardstick."""
