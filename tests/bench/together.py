"""Two hundred games at once, in two web processes and two workers on one PostgreSQL and one Redis: whether anything
goes wrong, how fast it goes, and what each process takes. The clicks come from this process, on the same machine."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests import together
from tests.bench.installation import installation, postgres
from tests.bench.rows import Row
from tests.servers import MailServer

GAMES, TURNS = 200, 4


def together_rows() -> Iterator[Row]:
    mail_server = MailServer()
    mail_server.start()
    try:
        with postgres() as url, installation(url) as settings, tempfile.TemporaryDirectory() as var:
            yield from rows(together.Service(Path(var), url, settings.redis_url or "", mail_server.url), mail_server)
    finally:
        mail_server.stop()


def rows(service: together.Service, mail_server: MailServer) -> Iterator[Row]:
    with service.running():
        games = together.seat_everybody(GAMES)
        start = time.perf_counter()
        answers = together.play(service, games, TURNS)
        spent = time.perf_counter() - start
        wrong = together.violations(games, TURNS, mail_server)
        carried = time.perf_counter() - start
        usage = service.usage()
    wrong += [f"{count} answers {status}" for status, count in answers.items() if status not in (200, 303)]
    wrong += service.complaints()
    turns, letters = GAMES * TURNS, len(mail_server.messages)
    what = f"{turns} turns of {GAMES} games at once, each sent twice to two web processes"
    yield Row(what, wrong[0] if wrong else "as if each had been alone", "no violation", not wrong)
    yield Row("the same: turns and letters", f"{turns / spent:.0f}/s and {letters / carried:.0f}/s", "as measured")
    for name, (seconds, megabytes) in usage.items():
        measured = f"{seconds / turns * 1000:.1f} ms of the processor a turn, {megabytes:.0f} MB of memory"
        yield Row(f"the same: {name}", measured, "as measured")
