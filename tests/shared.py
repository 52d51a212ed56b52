"""What the processes of one run of the tests have in common: each thing is made by the first that needs it, in a folder
that goes when the run ends. Knows nothing of what it keeps."""

import os
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket

NAME = "SHARED_BY_TESTS"  # of the variable by which processes that are started find the folder
if NAME not in os.environ:
    _folder = TemporaryDirectory(prefix="hikyaku-tests-")
    os.environ[NAME] = _folder.name
FOLDER = Path(os.environ[NAME])


def made_once(name: str, make: Callable[[Path], Any]) -> Path:
    """The folder of this name, filled by `make` while all others wait for it. Whoever has it leaves it as it is."""
    place = FOLDER / name
    with open(FOLDER / f"{name}.lock", "w") as lock:
        flock(lock, LOCK_EX)
        if not place.exists():
            draft = Path(mkdtemp(dir=FOLDER))
            make(draft)
            draft.rename(place)
    return place


class Templates(FileSystemBytecodeCache):
    """Templates as they were compiled for an environment of the same kind."""

    def get_bucket(self, environment: Environment, name: str, filename: str | None, source: str) -> Bucket:
        escape = getattr(environment.autoescape, "__qualname__", environment.autoescape)
        kind = f"{type(environment).__name__} {escape} {environment.trim_blocks} {sorted(environment.extensions)}"
        return super().get_bucket(environment, f"{kind} {name}", filename, source)


def share_templates(environment: Environment) -> None:
    environment.bytecode_cache = Templates(str(FOLDER))
