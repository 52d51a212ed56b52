"""The engine may be asked by several threads at once, as it is when pages are asked for right after a start."""

import subprocess
import sys

ALL_AT_ONCE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from engine import GAMES

sys.setswitchinterval(1e-6)
gate = Barrier(8)


def begin(n):
    gate.wait()
    for title in GAMES.values():
        title.load_box(None)


with ThreadPoolExecutor(8) as threads:
    list(threads.map(begin, range(8)))
"""


def test_a_process_outlives_that_many_threads_open_all_boxes_first():
    done = subprocess.run([sys.executable, "-c", ALL_AT_ONCE], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
