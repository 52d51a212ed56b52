"""Three workers that are killed again and again, -9 and at any moment, while turns are decided many at a time: nothing
may be lost, and nothing may happen twice. PostgreSQL; what the queue lost is found again by sweeps."""

import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack

import psutil
from sqlalchemy import text

from service import queue
from service.db import db
from service.models import Game
from tests import together
from tests.bench.installation import installation, new_game, postgres
from tests.bench.rows import Row
from tests.bench.turns import decided, submit, worker
from workers import timekeeper

GAMES, TURNS = 300, 3  # of each
WORKERS = 3
SECONDS = 0.15  # at the most from one kill to the next
LOST = text("UPDATE submission SET posted_at = posted_at - interval '1 minute' WHERE verdict = 'received'")


def killed_rows() -> Iterator[Row]:
    chance = random.Random(17)
    with postgres() as url, installation(url) as settings, ExitStack() as workers:
        processes = [workers.enter_context(worker(settings)) for _ in range(WORKERS)]
        games = [new_game(number) for number in range(GAMES)]
        kills = sum(turn_of_all(games, processes, chance) for _ in range(TURNS))
        with db.reading() as session:
            wrong = [each for game in games for each in together.wrong_in(session, session.get_one(Game, game), TURNS)]
    what = f"{GAMES * TURNS} turns, {WORKERS} workers killed {kills} times"
    yield Row(what, wrong[0] if wrong else "each was played once", "none lost, none twice", not wrong)


def turn_of_all(games: list[int], workers: list[psutil.Process], chance: random.Random) -> int:
    """All games play a turn. Returns how often a worker was killed meanwhile."""
    ids = [submit(game) for game in games]
    for submission in ids:
        queue.post("adjudicate", submission)
    kills, give_up = 0, time.monotonic() + together.PATIENCE
    while not decided(ids):
        assert time.monotonic() < give_up, "the turns are not decided"
        time.sleep(chance.uniform(0, SECONDS))
        kills += kill(chance.choice(workers))
        with db.writing() as session:
            session.execute(LOST)  # half a minute is over soon
        timekeeper.sweep()
    return kills


def kill(one: psutil.Process) -> int:
    """The process that works; Celery's own, which hands it what to do, puts another in its place."""
    working = one.children()
    for process in working:
        os.kill(process.pid, signal.SIGKILL)
    return len(working)
