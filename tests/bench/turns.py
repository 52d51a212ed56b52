"""How fast turns get through the queue and the adjudicator, against empty tasks through the same queue."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import psutil
from sqlmodel import col, func, select

from service import queue
from service.config import Settings
from service.db import db
from service.models import Submission, Verdict
from service.play import drafts
from tests.bench.installation import installation, new_game, postgres, prepare_turn
from tests.bench.rows import Row

TURNS = 300
ROUNDS = 5


def turn_rows() -> Iterator[Row]:
    with installation() as settings:
        yield from queue_rows("SQLite", settings)
    with postgres() as url, installation(url) as settings:
        yield from queue_rows("PostgreSQL", settings)


def queue_rows(kind: str, settings: Settings) -> Iterator[Row]:
    """How fast turns get through, against empty tasks through the same queue and worker. They take turns, and of each
    the best round counts: whatever else the machine does only ever takes away."""
    with worker(settings) as process:
        prepare_and_send(new_game(10_000))  # the first task also waits for the worker to start
        games = [new_game(number) for number in range(TURNS)]
        rounds = [one_round(process, games) for _ in range(ROUNDS)]
        empty, turns = max(each.empty for each in rounds), max(each.turns for each in rounds)
        share, spent = turns / empty, min(each.spent for each in rounds)
        yield Row(f"empty Celery tasks ({kind})", f"{empty:,.0f}/s", "yardstick", True)
        measured = f"{turns:,.0f}/s = {share:.2f} of empty"
        yield Row(
            f"turns adjudicated ({kind})", measured, "half of empty (floor: a third)", share >= 1 / 3, share >= 1 / 2
        )
        yield Row(f"the worker's processor time for a turn ({kind})", f"{spent:.2f} ms", "under 3 ms", spent < 3)
        time.sleep(1)
        clicks = [prepare_and_send(new_game(20_000 + n)) for n in range(15)]
        median, worst = statistics.median(clicks) * 1000, max(clicks) * 1000
        text = f"median {median:.0f} ms, worst {worst:.0f} ms"
        yield Row(
            f"click to letters queued, idle ({kind})",
            text,
            "median under 30 ms (floor: 100 ms)",
            median < 100,
            median < 30,
        )


class Round(NamedTuple):
    empty: float  # tasks a second
    turns: float
    spent: float  # milliseconds of the worker's processor, for a turn


def one_round(process: psutil.Process, games: list[int]) -> Round:
    # The worker takes empty tasks one by one, so the queue's end is the last one's begin.
    empty = measure(lambda n: queue.post("nothing", n), lambda: queue_length() == 0)
    ids = [submit(game) for game in games]
    spent = cpu_seconds(process)
    # The last task ends when all before it have: the queue is empty then too.
    turns = measure(lambda n: queue.post("adjudicate", ids[n]), lambda: queue_length() == 0 and decided(ids))
    return Round(empty, turns, (cpu_seconds(process) - spent) / TURNS * 1000)


@contextmanager
def worker(settings: Settings) -> Iterator[psutil.Process]:
    """One worker, a process and its child, as `hikyaku worker` runs it, with the empty task beside the real ones."""
    environment = os.environ | {
        "HIKYAKU_VAR": str(settings.var),
        "HIKYAKU_DATABASE_URL": settings.database_url,
        "HIKYAKU_REDIS_URL": settings.redis_url or "",
    }
    command = [sys.executable, "-m", "celery", "-A", "tests.bench.tasks", "worker", "--queues", queue.TURNS]
    command += ["--concurrency", "1", "--loglevel", "error"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(timeout=20)


def cpu_seconds(process: psutil.Process) -> float:
    """Of the processor, by a worker and its children so far."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def measure(post: Callable[[int], object], done: Callable[[], bool]) -> float:
    """Tasks a second from the first post to the last one's end."""
    start = time.perf_counter()
    for number in range(TURNS):
        post(number)
    return TURNS / (wait_for(done, 120) - start)


def wait_for(done: Callable[[], bool], seconds: float) -> float:
    start = time.perf_counter()
    while not done():
        if time.perf_counter() - start > seconds:
            raise TimeoutError("the worker did not get there")
        time.sleep(0.01)
    return time.perf_counter()


def queue_length() -> int:
    with queue.celery.connection_for_read() as connection:
        return int(connection.default_channel.client.llen(queue.TURNS))


def decided(ids: list[int]) -> bool:
    with db.reading() as session:
        waiting = session.exec(
            select(func.count())
            .select_from(Submission)
            .where(col(Submission.id).in_(ids), col(Submission.verdict) == Verdict.RECEIVED)
        ).one()
    return waiting == 0


def submit(game_id: int) -> int:
    """A submission that nobody has posted yet."""
    seat, step = prepare_turn(game_id)
    return drafts.submit(game_id, seat.id, seat.asked or 0, step)


def prepare_and_send(game_id: int) -> float:
    """Seconds from the click to a stored move with its letters in the outbox and the queue."""
    seat, step = prepare_turn(game_id)
    start = time.perf_counter()
    submission, _ = drafts.send(game_id, seat.id, seat.asked or 0, step)
    return wait_for(lambda: decided([submission]), 30) - start
