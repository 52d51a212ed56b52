"""Two web processes and two workers on one database play many games at once, and nobody can tell."""

from pathlib import Path

import pytest

from service.db import db
from tests import together
from tests.servers import MailServer, Redis

GAMES, TURNS = 12, 3  # two hundred games are `make bench ARGS=together`


@pytest.mark.slow
def test_games_that_several_processes_play_at_once_go_as_if_each_were_alone(
    tmp_path: Path, postgres_url: str, redis_server: Redis, mail_server: MailServer
):
    db.configure(postgres_url)
    service = together.Service(tmp_path, postgres_url, redis_server.url, mail_server.url)
    with service.running():
        games = together.seat_everybody(GAMES)
        answers = together.play(service, games, TURNS)
        assert set(answers) <= {200, 303}, answers
        assert together.violations(games, TURNS, mail_server) == []
    assert service.complaints() == []
