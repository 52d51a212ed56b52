"""The image of the Dockerfile without Docker: its steps, read from it, carried out under a folder in place of the root
of a file system. Knows the few instructions that the Dockerfile uses, and refuses any other."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
OURS = ("/venv", "/app", "/var/lib/hikyaku")  # the places in the image that become places under the folder
NOT_OURS = ("PYTHON", "HIKYAKU_", "VIRTUAL_ENV")  # what a test run brings along and an image does not have

# What takes a root's rights is left out: everything belongs to whoever runs the test. `python` is the base image's.
STAND_INS = {
    "apt-get": "exit 0",
    "rm": "exit 0",
    "useradd": "exit 0",
    "install": 'for word; do shift; case "$word" in --owner=*) ;; *) set -- "$@" "$word";; esac; done; '
    'PATH="${PATH#*:}" exec install "$@"',
    "python": f'exec {shlex.quote(sys.executable)} "$@"',
}


class StepFailed(Exception):
    """A RUN line ended badly. The text has the line and the end of what it said."""


class Image:
    """Built by `build`; then `start` runs a service of compose.yaml in it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self._folder = folder
        self._stages = folder / "stages"
        self._here = "/"
        self._command: list[str] = []
        self.environ: dict[str, str] = {}
        (folder / "bin").mkdir(parents=True)
        for name, script in STAND_INS.items():
            path = folder / "bin" / name
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)

    def build(self) -> None:
        stage = ""
        for instruction, rest in instructions((ROOT / "Dockerfile").read_text()):
            if instruction == "FROM":
                self._next_stage(stage)
                stage = rest.partition(" AS ")[2]
            elif instruction == "RUN":
                self._run(rest)
            elif instruction == "COPY":
                self._copy(shlex.split(rest))
            elif instruction == "WORKDIR":
                self._here = rest
                self._inside(rest).mkdir(parents=True, exist_ok=True)
            elif instruction == "ENV":
                self._set(shlex.split(rest))
            elif instruction == "CMD":
                self._command = json.loads(rest)
            else:
                assert instruction in ("USER", "VOLUME", "EXPOSE", "HEALTHCHECK"), instruction

    def run(self, command: list[str], **more: str) -> subprocess.CompletedProcess[str]:
        environ = self.environ | more
        return subprocess.run(
            command, cwd=self._inside(self._here), env=environ, capture_output=True, text=True, timeout=600
        )

    def start(self, command: list[str], log: Path, **more: str) -> "subprocess.Popen[bytes]":
        with open(log, "wb") as file:
            return subprocess.Popen(
                command or self._command,
                cwd=self._inside(self._here),
                env=self.environ | more,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _next_stage(self, finished: str) -> None:
        """Each stage begins with nothing, at the same place: a venv cannot be moved."""
        if self.root.exists():
            self._stages.mkdir(exist_ok=True)
            self.root.rename(self._stages / finished)
        self.root.mkdir()
        self._here, self._command = "/", []
        self.environ = {k: v for k, v in os.environ.items() if not k.startswith(NOT_OURS)}
        own = str(Path(sys.prefix) / "bin")  # the tests' own environment, which an image does not have
        path = [place for place in os.environ["PATH"].split(os.pathsep) if place != own]
        self.environ["PATH"] = os.pathsep.join([str(self._folder / "bin"), *path])

    def _inside(self, path: str) -> Path:
        return self.root / os.path.join(self._here, path).lstrip("/")

    def _moved(self, text: str) -> str:
        """The same with the image's own places under our folder."""
        return re.sub(rf"(?<![\w/.])({'|'.join(OURS)})(?![\w-])", lambda place: f"{self.root}{place[0]}", text)

    def _run(self, line: str) -> None:
        done = self.run(["sh", "-c", self._moved(line)])
        if done.returncode:
            raise StepFailed(f"RUN {line}\n{(done.stdout + done.stderr)[-3000:]}")

    def _copy(self, words: list[str]) -> None:
        if words[0].startswith("--from="):
            stage, source, target = words[0].removeprefix("--from="), words[1], words[2]
            whole = self._stages / stage / source.lstrip("/")  # that nobody writes into any more
            shutil.copytree(whole, self._inside(target), symlinks=True, copy_function=os.link)
            return
        *sources, target = words
        if sources == ["."]:
            pairs = [(name, self._inside(target) / name) for name in context()]
        else:
            pairs = [(name, self._inside(target + name if target.endswith("/") else target)) for name in sources]
        for name, into in pairs:
            assert name in context(), f"{name} is not let through by .dockerignore"
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, into, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
            else:
                shutil.copy(ROOT / name, into)

    def _set(self, words: list[str]) -> None:
        for word in words:
            name, _, value = word.partition("=")
            self.environ[name] = self._moved(value).replace("$PATH", self.environ["PATH"])


def instructions(dockerfile: str) -> Iterator[tuple[str, str]]:
    lines = [line for line in dockerfile.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        instruction, _, rest = line.strip().partition(" ")
        yield instruction, rest.strip()


def context() -> list[str]:
    """What .dockerignore lets through: nothing but what it names."""
    lines = (ROOT / ".dockerignore").read_text().split()
    assert lines[0] == "*"
    return [line[1:] for line in lines if line.startswith("!")]


def services() -> dict[str, dict[str, Any]]:
    """The services of compose.yaml that run our image."""
    found: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    return {name: service for name, service in found.items() if service["image"] == "hikyaku"}
