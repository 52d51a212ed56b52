"""For machines: is the process alive, and can the service do its work?"""

from datetime import timedelta

import redis
from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import SQLAlchemyError

from service.db import db, utcnow
from service.models import Heartbeat
from service.web.access import settings

pages = Blueprint("health", __name__)

STALE = timedelta(minutes=2)


@pages.get("/healthz")
def healthz() -> ResponseReturnValue:
    return jsonify(alive=True)


@pages.get("/readyz")
def readyz() -> ResponseReturnValue:
    """Database, Redis, and the age of the last sweep. What is wrong is named, with status 503."""
    database, sweep = _database()
    checks = {"database": database, "redis": _redis(), "sweep": sweep}
    ready = all(word == "ok" for word in checks.values())
    return jsonify(ready=ready, **checks), 200 if ready else 503


def _database() -> tuple[str, str]:
    try:
        with db.reading() as session:
            beat = session.get(Heartbeat, "sweep")
    except SQLAlchemyError as error:
        return f"not reachable ({type(error).__name__})", "unknown"
    if beat is None:
        return "ok", "never ran: are a worker and the beat running?"
    age = utcnow() - beat.at
    return "ok", "ok" if age < STALE else f"last ran {int(age.total_seconds())} s ago"


def _redis() -> str:
    url = settings().redis_url
    if url is None:
        return "HIKYAKU_REDIS_URL is not set"
    try:
        with redis.Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1) as client:
            client.ping()
    except redis.RedisError as error:
        return f"not reachable ({type(error).__name__})"
    return "ok"
