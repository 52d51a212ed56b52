"""The pages, one module an area."""

from flask import Flask
from flask_wtf.csrf import CSRFProtect

from service.web.pages import (
    answering,
    asking,
    bells,
    desk,
    health,
    hours,
    joining,
    keeping,
    keys,
    leaving,
    making,
    manner,
    metrics,
    mine,
    notes,
    nudging,
    playing,
    post_office,
    relocating,
    rematch,
    start,
    story,
    talking,
    voting,
)


def register(app: Flask, csrf: CSRFProtect) -> None:
    for area in (
        answering,
        asking,
        bells,
        desk,
        health,
        hours,
        joining,
        keeping,
        keys,
        leaving,
        making,
        manner,
        metrics,
        mine,
        notes,
        nudging,
        playing,
        post_office,
        relocating,
        rematch,
        start,
        story,
        talking,
        voting,
    ):
        app.register_blueprint(area.pages)
    # A mail program presses "unsubscribe" without ever having seen a form; its token is the key.
    csrf.exempt(keys.unsubscribe)
