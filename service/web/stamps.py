"""Style sheets, scripts and pictures are asked for by what is in them (`?v=`): a browser keeps each for ever, and an
upgrade never shows an old one. Knows where these files lie, and not what they are for."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, request

from service.post.folders import find

STAMPED = ("static", "start.style")
FOR_EVER = "public, max-age=31536000, immutable"


def install(app: Flask) -> None:
    app.url_defaults(_stamp)
    app.after_request(_keep)


def _stamp(endpoint: str, values: dict[str, Any]) -> None:
    if endpoint in STAMPED and (stamp := _stamp_of(endpoint, values)):
        values["v"] = stamp


def _stamp_of(endpoint: str, values: dict[str, Any]) -> str | None:
    if endpoint == "static":
        return _digest(Path(current_app.static_folder or "", values["filename"]))
    return _digest(find(f"titles/{values['kind']}/style.css"))


@cache
def _digest(file: Path) -> str | None:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file.is_file() else None


def _keep(response: Response) -> Response:
    """Only what is the file that was asked for: beside a newer process an older one still answers for a while."""
    stamp, endpoint = request.args.get("v"), request.endpoint
    if not stamp or response.status_code != 200 or endpoint not in STAMPED:
        return response
    if stamp == _stamp_of(endpoint, request.view_args or {}):
        response.headers["Cache-Control"] = FOR_EVER
    return response
