"""A service of several processes on one PostgreSQL and one Redis, and games that are played in it all at once, by HTTP.

    service = Service(var, database_url, redis_url, mail_url)
    with service.running():
        games = seat_everybody(8)
        play(service, games, turns=4)                  # everybody's click is sent twice, once to either web process
        assert violations(games, 4, mail_server) == []

A small one of these is part of the tests, two hundred games are `make bench ARGS=together`.
"""

import http.client
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import psutil
from sqlmodel import Session, col, func, select

from engine import Match
from service.db import db, utcnow
from service.models import Game, Letter, LetterStatus, Move, Seat, Submission, Verdict
from service.play import drafts, making, positions, record
from service.play.making import Plan
from service.post import links
from tests.servers import MailServer, free_port

PLAYERS = 2
AT_ONCE = 8  # people who click at the same moment
PATIENCE = 120  # seconds, on a busy machine
ROOT = Path(__file__).resolve().parent.parent


class Service:
    """Two web processes, two workers and a beat, as they run on several machines."""

    def __init__(self, var: Path, database_url: str, redis_url: str, mail_url: str) -> None:
        self.ports = [free_port(), free_port()]
        self.var = var
        self.environ = {name: value for name, value in os.environ.items() if not name.startswith("HIKYAKU_")} | {
            "HIKYAKU_VAR": str(var),
            "HIKYAKU_DATABASE_URL": database_url,
            "HIKYAKU_REDIS_URL": redis_url,
            "HIKYAKU_SMTP_URL": mail_url,
            "HIKYAKU_MAIL_FROM": "hikyaku@bench.example",
            "HIKYAKU_SECRET_KEY": "together" * 8,
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    @contextmanager
    def running(self) -> Iterator[None]:
        try:
            for number, port in enumerate(self.ports):
                self._start(f"web {number}", "web", "--processes", "1", HIKYAKU_LISTEN=f"127.0.0.1:{port}")
                self._start(f"worker {number}", "worker", "--concurrency", "1")
            self._start("beat", "beat")
            for port in self.ports:
                wait_until(partial(_answers, port))
            yield
        finally:
            for process in self.processes.values():
                process.terminate()
            for process in self.processes.values():
                process.wait(timeout=PATIENCE)

    def _start(self, name: str, *command: str, **environ: str) -> None:
        with open(self.log(name), "wb") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "workers.cli", *command],
                cwd=ROOT,
                env=self.environ | environ,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def log(self, name: str) -> Path:
        return self.var / f"{name}.log"

    def complaints(self) -> list[str]:
        """The errors in the logs."""
        lines = [line for name in self.processes for line in self.log(name).read_text().splitlines()]
        return [line for line in lines if re.search(r"\b(ERROR|CRITICAL|Traceback)\b", line)]

    def usage(self) -> dict[str, tuple[float, float]]:
        """Seconds of the processor and megabytes of memory that are its own, by process, with children."""
        return {name: _usage(psutil.Process(process.pid)) for name, process in self.processes.items()}


def _usage(process: psutil.Process) -> tuple[float, float]:
    family = [process, *process.children(recursive=True)]
    seconds = sum(sum(one.cpu_times()[:2]) for one in family)
    return seconds, sum(one.memory_full_info().pss for one in family) / 1e6


def _answers(port: int) -> bool:
    try:
        return Window(port).get("/healthz").status == 200
    except OSError:
        return False


class Window:
    """A browser at one of the web processes."""

    def __init__(self, port: int, cookies: dict[str, str] | None = None) -> None:
        self.port = port
        self.cookies = cookies or {}
        self.body = ""

    def get(self, path: str) -> http.client.HTTPResponse:
        return self._ask("GET", path)

    def post(self, path: str, fields: dict[str, str]) -> http.client.HTTPResponse:
        return self._ask("POST", path, urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded"})

    def _ask(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> http.client.HTTPResponse:
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} | (headers or {})
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as line:
            line.request(method, path, body, sent)
            answer = line.getresponse()
            self.body = answer.read().decode()
        for given in answer.headers.get_all("Set-Cookie") or ():
            name, value = given.split(";")[0].split("=", 1)
            self.cookies[name] = value
        return answer


def wait_until(true: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < give_up, "it did not come to that in time"
        time.sleep(0.05)


# --- playing


def seat_everybody(games: int, kind: str = "osaka") -> list[int]:
    """So many games, each with people of its own, who want no pictures and are never asleep."""
    return [_seat(number, kind) for number in range(games)]


@db.transaction
def _seat(session: Session, number: int, kind: str) -> int:
    seats: list[tuple[str, str | None]] = [(f"P{n}", f"p{n}-{number}@bench.example") for n in range(PLAYERS)]
    for name, mail in seats:
        person = making.person_for(session, name, str(mail))
        person.quiet_from, person.quiet_to, person.pictures = None, None, False
    game = making.create(session, Plan(kind, (seats[0][0], str(seats[0][1])), seats))
    for seat in record.seats_of(session, game):
        making.accept(session, game, seat, seat.name)
    return game.id


def play(service: Service, games: Sequence[int], turns: int) -> Counter[int]:
    """So many turns of each, by so many people at once. Returns with what the clicks were answered."""
    tables = [Table(service, game_id, number) for number, game_id in enumerate(games)]
    for _ in range(turns):
        with ThreadPoolExecutor(AT_ONCE) as people:
            list(people.map(Table.play, tables))
    return sum((table.answers for table in tables), Counter())


class Table:
    """One game, with a window for each of its players: half of the games at the first web process."""

    def __init__(self, service: Service, game_id: int, number: int) -> None:
        self.game_id, self.ports = game_id, service.ports[:: 1 if number % 2 else -1]
        self.answers: Counter[int] = Counter()
        self.windows: dict[int, Window] = {}

    def play(self) -> None:
        """The turn of whoever is to act, sent by an impatient player: by a double click that two processes get."""
        seat, public_id = self._draft()
        here, window = f"/g/{public_id}/seat/{seat.no}", self._window(seat)
        self.answers[window.get(here).status] += 1
        fields = dict(re.findall(r'name="(csrf_token|version|step)"\s+value="([^"]+)"', window.body))
        twin = Window(self.ports[1], dict(window.cookies))
        with ThreadPoolExecutor(2) as clicks:
            for answer in clicks.map(lambda each: each.post(f"{here}/send", fields), (window, twin)):
                self.answers[answer.status] += 1
        wait_until(lambda: _version(self.game_id) > (seat.asked or 0))

    def _draft(self) -> tuple[Seat, str]:
        """The choices of a turn, made beforehand: what is tried here is the sending."""
        with db.writing() as session:
            game = session.get_one(Game, self.game_id)
            seat = next(seat for seat in record.seats_of(session, game) if seat.asked is not None)
            turn = drafts.lay_out(game, seat, [])
            while decision := turn.decision(seat.no):
                turn.make(seat.no, decision.default)
            drafts.put_down(session, seat, turn.choices)
            return seat, game.public_id

    def _window(self, seat: Seat) -> Window:
        if seat.id not in self.windows:
            with db.writing() as session:
                token = links.mint_seat(session, seat)
            self.windows[seat.id] = Window(self.ports[0])
            self.windows[seat.id].get(f"/l/{token}")
        return self.windows[seat.id]


def _version(game_id: int) -> int:
    with db.reading() as session:
        return session.exec(select(Game.version).where(Game.id == game_id)).one()


# --- what must hold afterwards


def violations(games: Sequence[int], turns: int, mail_server: MailServer) -> list[str]:
    """Everything that is not as it would be if all had been played one after the other."""
    while waiting := _letters_on_their_way():  # as long as it takes, while they get fewer
        wait_until(partial(_are_fewer_than, waiting))
    found: list[str] = []
    with db.reading() as session:
        for game_id in games:
            game = session.get_one(Game, game_id)
            found += [f"game {game_id}: {wrong}" for wrong in wrong_in(session, game, turns)]
        sent = session.exec(
            select(Letter.message_id).where(Letter.status == LetterStatus.SENT, col(Letter.along_with).is_(None))
        ).all()
    arrived = Counter(str(message["Message-ID"]) for message in mail_server.messages)
    found += [f"{name} came {times} times" for name, times in arrived.items() if times > 1]
    found += [f"{name} did not come" for name in sent if name not in arrived]
    return found


def _are_fewer_than(letters: int) -> bool:
    return _letters_on_their_way() < letters


def _letters_on_their_way() -> int:
    with db.reading() as session:
        waiting = select(func.count()).select_from(Letter).where(Letter.status == LetterStatus.WAITING)
        return session.exec(waiting.where(col(Letter.due_at) <= utcnow())).one()


def wrong_in(session: Session, game: Game, turns: int) -> Iterator[str]:
    moves = session.exec(select(Move).where(Move.game_id == game.id).order_by(col(Move.version))).all()
    if [move.version for move in moves] != list(range(turns + 1)) or game.version != turns:
        yield f"{turns} turns were sent, and it has come to {game.version} with {len(moves)} moves"
    sent = session.exec(select(Submission).where(Submission.game_id == game.id)).all()
    if {(one.id, one.verdict) for one in sent} != {(move.submission_id, Verdict.ACCEPTED) for move in moves[1:]}:
        yield "what was sent and what was played is not the same"
    asked, kept = replayed(moves, positions.snapshot(session, game, 0)), _kept(session, game)
    if [position for position, _ in asked] != kept or kept[-1] != game.saved:
        yield "a position is not the one that the choices lead to"
    seats = {seat.id: seat for seat in record.seats_of(session, game)}
    if {seat.no for seat in seats.values() if seat.asked is not None} != asked[-1][1]:
        yield "it does not wait for whom the rules ask"
    letters = session.exec(select(Letter).where(Letter.game_id == game.id, Letter.kind == "turn")).all()
    written = sorted((letter.asked or 0, seats[letter.seat_id or 0].no) for letter in letters)
    if written != questions(moves, [pending for _, pending in asked]):
        yield f"letters were written about {written}"


def _kept(session: Session, game: Game) -> list[bytes]:
    return [positions.snapshot(session, game, version) for version in range(game.version + 1)]


def replayed(moves: Sequence[Move], start: bytes) -> list[tuple[bytes, set[int]]]:
    """The positions as the choices in the log lead to them, from the first, and whom each waits for."""
    match = Match.load(start)
    found = []
    for move in moves:
        for choice in move.choices:
            match.choose(move.seat_no or 0, choice)
        found.append((match.save(), {decision.seat for decision in match.pending}))
    return found


def questions(moves: Sequence[Move], pending: Sequence[set[int]]) -> list[tuple[int, int]]:
    """Which seat was asked at which version: whoever was not asked before, and whoever has just answered."""
    put, before = [], set[int]()
    for move, waits_for in zip(moves, pending, strict=True):
        put += [(move.version, no) for no in sorted(waits_for - (before - {move.seat_no}))]
        before = waits_for
    return sorted(put)
