"""For Prometheus: what waits and since when, how many games there are, and how long things take.

What stands is read from the tables at the moment it is asked for, and so is the same whichever process answers; what
has passed is counted by all of them together (service/measures.py).
"""

from collections.abc import Iterator
from datetime import timedelta

import redis
from flask import Blueprint, Response
from flask.typing import ResponseReturnValue
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from service import vitals
from service.config import Settings
from service.db import db, utcnow
from service.measures import LETTERS, PAGES, TURNS, measures
from service.web import access

pages = Blueprint("metrics", __name__)

LATELY = timedelta(days=1)

# What is timed: its name, what it is, and what its label says.
TIMED = {
    PAGES: ("hikyaku_page_seconds", "What a page took to make", "endpoint"),
    TURNS: ("hikyaku_adjudication_seconds", "What it took to decide a turn; their count is that of turns", "verdict"),
    LETTERS: ("hikyaku_delivery_seconds", "What it took to deliver a letter; their count is that of letters", "status"),
}


@pages.get("/metrics")
def metrics() -> ResponseReturnValue:
    access.open_metrics()
    registry = CollectorRegistry()
    registry.register(Vitals(access.settings()))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Vitals(Collector):
    """Everything, at the moment it is asked for. What cannot be read is left out, and `hikyaku_ready` says so."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def describe(self) -> list[Metric]:
        """Nothing: asked for at registration, where there is no need to look at anything."""
        return []

    def collect(self) -> Iterator[Metric]:
        ready = GaugeMetricFamily("hikyaku_ready", "What /readyz looks at: 1 if all is well", labels=["check"])
        for check, complaint in vitals.complaints(self.settings).items():
            ready.add_metric([check], 0 if complaint else 1)
        yield ready
        try:
            yield from list(_of_the_tables())
        except SQLAlchemyError:
            return
        try:
            yield from list(_of_the_times())
        except redis.RedisError:
            return


def _of_the_tables() -> Iterator[Metric]:
    now = utcnow()
    with db.reading() as session:
        letters, turns = vitals.letters(session, now), vitals.submissions(session)
        last = vitals.last_sweep(session)
        yield _gauge("letters_waiting", "Letters that could go out and have not", letters.count)
        yield _gauge("letters_oldest_seconds", "How long the oldest of them has waited", letters.age(now))
        yield _gauge(
            "letters_failed", "Letters of the last day that were given up", vitals.letters_failed(session, now - LATELY)
        )
        yield _gauge("people_unreached", "People to whom letters come back", vitals.unreached(session))
        yield _gauge("turns_waiting", "Turns that were sent and are not decided", turns.count)
        yield _gauge("turns_oldest_seconds", "How long the oldest of them has waited", turns.age(now))
        yield _gauge("seats_overdue", "Players who are out of time", vitals.seats_overdue(session))
        yield _gauge("seats_due", "Seats that the timekeeper should have looked at", vitals.seats_due(session, now))
        yield _gauge("sweep_age_seconds", "Since the last sweep", now - last if last else float("inf"))
        games = GaugeMetricFamily("hikyaku_games", "Games by their status", labels=["status"])
        for status, count in vitals.games(session).items():
            games.add_metric([status], count)
        yield games


def _gauge(name: str, what: str, value: float | timedelta) -> Metric:
    value = value.total_seconds() if isinstance(value, timedelta) else value
    return GaugeMetricFamily(f"hikyaku_{name}", what, value=value)


def _of_the_times() -> Iterator[Metric]:
    taken = measures.all()
    for what, (name, help_text, label) in TIMED.items():
        family = HistogramMetricFamily(name, help_text, labels=[label])
        for (timed, labelled), times in taken.items():
            if timed == what:
                family.add_metric([labelled], list(times.buckets), times.total)
        yield family
