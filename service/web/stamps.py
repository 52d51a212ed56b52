"""Style sheets, scripts and pictures are asked for by what is in them (`?v=`): a browser keeps each for ever, and an
upgrade never shows an old one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask, Response, request

from service.web import files

FOR_EVER = "public, max-age=31536000, immutable"

STAMPED: dict[str, Callable[..., tuple[Path, ...]]] = {
    "static": lambda filename: (files.STATIC[filename],) if filename in files.STATIC else (),
    "start.style": lambda kind: (files.sheet_of(kind),),
    "start.table_style": files.sheets_of,
}


def install(app: Flask) -> None:
    app.add_url_rule("/static/<filename>", "static", files.static)
    app.url_defaults(_stamp)
    app.after_request(_keep)


def _stamp(endpoint: str, values: dict[str, Any]) -> None:
    if endpoint in STAMPED and (stamp := _stamp_of(endpoint, values)):
        values["v"] = stamp


def _stamp_of(endpoint: str, values: dict[str, Any]) -> str | None:
    asked_for = STAMPED[endpoint](**values)
    return files.stamp(asked_for) if asked_for else None


def _keep(response: Response) -> Response:
    """Only what is the file that was asked for: beside a newer process an older one still answers for a while."""
    stamp, endpoint = request.args.get("v"), request.endpoint
    if not stamp or response.status_code not in (200, 304) or endpoint not in STAMPED:
        return response
    if stamp == _stamp_of(endpoint, request.view_args or {}):
        response.headers["Cache-Control"] = FOR_EVER
    return response
