"""The web application: factory, security headers and error pages. The pages themselves are in service/web/pages."""

import logging
import math
import time
from datetime import timedelta
from functools import lru_cache
from typing import Any

from flask import Flask, Response, g, make_response, render_template, request
from flask.sessions import SecureCookieSessionInterface
from flask_compress import Compress
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from werkzeug.exceptions import HTTPException

from engine import GAMES, UnknownSave
from service import limits, queue
from service.config import Settings
from service.db import db, utcnow
from service.limits import TooMany
from service.measures import PAGES, measures
from service.play import moderators, reading, record
from service.post import hues, language, moments, render
from service.post.language import gettext as _
from service.post.language import marked
from service.web import gate, pages, stamps
from service.web.access import NoKey, arrive, hear, open_game
from service.web.access import settings as current_settings
from service.web.drawing import Drawing, Flush

LARGEST_FORM = 256 * 1024  # a component file fits; ten megabytes do not

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
# What a page is put together from has no rights of its own, and needs none taken away; a worker has.
PARTS = ("text/css", "text/javascript")
WORKERS = ("bells.worker",)

log = logging.getLogger(__name__)
csrf = gate.Forms()

A_YEAR = 365 * 24 * 3600
ADDRESSES = 4096  # that are kept as they were put together
WAIT = 10  # seconds, after which to ask again when the database is down


class Cookies(SecureCookieSessionInterface):
    """What reads and writes our cookie is made once: its key stays as it is while a process lives."""

    get_signing_serializer = lru_cache(1)(SecureCookieSessionInterface.get_signing_serializer)


class Pages(Flask):
    session_interface = Cookies()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._address = lru_cache(ADDRESSES, typed=True)(self._put_together)

    def url_for(self, /, endpoint: str, **how: Any) -> str:
        """Put together once in a while: a page leads to a dozen places, and most of them are the same on all pages. One
        that hangs on the host or the blueprint that was asked is not kept."""
        if not request or how.get("_external") or how.get("_scheme") or endpoint.startswith("."):
            return super().url_for(endpoint, **how)
        return self._address(request.script_root, endpoint, **how)

    def _put_together(self, _root: str, endpoint: str, **how: Any) -> str:
        return super().url_for(endpoint, **how)

    def log_exception(self, exc_info: Any) -> None:
        """The endpoint, never the path: a path may hold a token."""
        log.error("a page failed: %s %s", request.method, request.endpoint, exc_info=exc_info)


def create_app(settings: Settings | None = None) -> Flask:
    """The application for these settings, the environment's if none are given."""
    settings = settings or Settings.from_env()
    db.configure(settings.database_url)
    queue.configure(settings)
    reading.configure(settings)
    limits.configure(settings)
    measures.configure(settings)
    app = Pages(__name__, template_folder=None, static_folder=None)
    app.config.update(
        SECRET_KEY=settings.secret_key,
        MAX_CONTENT_LENGTH=LARGEST_FORM,
        MAX_FORM_MEMORY_SIZE=LARGEST_FORM,
        SESSION_COOKIE_NAME="hikyaku",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.secure_cookies,
        PERMANENT_SESSION_LIFETIME=A_YEAR,
        SESSION_REFRESH_EACH_REQUEST=False,  # or a slow answer to one tab takes back what another was just given
        WTF_CSRF_SSL_STRICT=False,  # it refuses browsers that send no Referer; what protects instead is in the gate
        WTF_CSRF_TIME_LIMIT=None,  # a table may lie open for days; the cookie's life is the limit
        SEND_FILE_MAX_AGE_DEFAULT=3600,
        # A table page is a tenth of its size then, for a millisecond; level 9 would take ten.
        COMPRESS_ALGORITHM=["br", "zstd", "gzip"],
        COMPRESS_BR_LEVEL=8,
        COMPRESS_ZSTD_LEVEL=9,
    )
    app.extensions["hikyaku"] = settings
    app.jinja_environment = Drawing
    app.jinja_options = {"loader": render.loader(), "autoescape": render.AUTOESCAPE, "extensions": [Flush]}
    render.furnish(app.jinja_env)
    gate.install(app, settings)
    stamps.install(app)
    csrf.init_app(app)
    Compress(app)
    pages.register(app, csrf)
    app.before_request(arrive)
    app.before_request(_speak)
    app.before_request(_begin)
    app.before_request(hear)
    app.after_request(_headers)
    app.teardown_request(_took)
    app.register_error_handler(NoKey, _no_key)
    app.register_error_handler(CSRFError, _no_csrf)
    app.register_error_handler(TooMany, _too_many)
    app.register_error_handler(UnknownSave, _older_rules)
    app.register_error_handler(HTTPException, _http_error)
    for missing in (InterfaceError, NoConnection, OperationalError):
        app.register_error_handler(missing, _no_database)
    app.context_processor(lambda: {"post_office": settings.post_office})
    return app


def _speak() -> None:
    """Until the visitor is known to want another, the page speaks the browser's language."""
    hues.wear()
    language.speak(request.accept_languages.best_match(language.languages()) or language.ENGLISH)


def _begin() -> None:
    g.began = time.perf_counter()


def _took(error: BaseException | None) -> None:
    """By endpoint, never by path: a path may hold a token."""
    if began := g.pop("began", None):
        measures.took(PAGES, request.endpoint or "none", time.perf_counter() - began)


def _headers(response: Response) -> Response:
    headers = response.headers
    if response.mimetype not in PARTS or request.endpoint in WORKERS:
        headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
        headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("X-Content-Type-Options", "nosniff")
    if current_settings().secure_cookies:
        headers.setdefault("Strict-Transport-Security", f"max-age={A_YEAR}")
    headers.setdefault("Cache-Control", "no-store")
    return response


def _page(status: int, title: str, text: str, *, links_form: bool = False) -> tuple[str, int]:
    return render_template("error.html", status=status, title=title, text=text, links_form=links_form), status


def _no_key(error: NoKey) -> tuple[str, int]:
    return _page(403, _("This page needs its link"), str(error), links_form=True)


def _no_csrf(error: CSRFError) -> tuple[str, int]:
    text = _(
        "The form could not be checked: cookies may be off, or the page is from another visit. Nothing was changed. "
        "Go back, reload the page and try once more."
    )
    return _page(400, _("Please open the page again"), text)


def _too_many(error: TooMany) -> Response:
    left = max(error.until - utcnow(), timedelta(seconds=1))
    text = _(
        "That was done many times from here in a short while. Nothing was changed. You can try again in %(time)s.",
        time=moments.length(max(left, timedelta(minutes=1))),
    )
    response = make_response(_page(429, _("Please wait a little"), text))
    response.headers["Retry-After"] = str(math.ceil(left.total_seconds()))
    return response


def _older_rules(error: UnknownSave) -> tuple[str, int]:
    """A position that the rules of today cannot show or play on: the same honest page wherever it was asked for. The
    page that failed has let this visitor in already."""
    public_id = (request.view_args or {})["public_id"]
    log.warning("game %s at %s: %s", public_id, request.endpoint, error)
    with db.reading() as session:
        reader = open_game(session, public_id)
        game = reader.game
        return render_template(
            "older_rules.html",
            game=game,
            title=GAMES[game.kind].title,
            today=GAMES[game.kind].rules,
            seat=reader.seat,
            moderators=[moderator.name for moderator in moderators.of(session, game)],
            stranded=record.stranded(game) is not None,
        ), 409


WORDS = {
    400: (
        marked("This could not be read"),
        marked("Something in the address or the form is not as expected. Nothing was changed."),
    ),
    404: (marked("There is nothing here"), marked("The address is wrong, or what was here is gone.")),
    405: (
        marked("That is not how this page is used"),
        marked("Please go back and use the buttons of the page. Nothing was changed."),
    ),
    413: (marked("That is too much"), marked("The form is larger than anything we can use. Nothing was changed.")),
    500: (
        marked("Something broke on our side"),
        marked("Nothing of yours is lost. Please try again in a moment."),
    ),
}
OTHER = (marked("This did not work"), marked("Nothing was changed."))


def _http_error(error: HTTPException) -> tuple[str, int] | HTTPException:
    status = error.code or 500
    if status < 400:
        return error
    title, text = WORDS.get(status, OTHER)
    return _page(status, _(title), _(text))


def _no_database(error: Exception) -> tuple[str, int, dict[str, str]]:
    log.error("no database for %s %s: %s", request.method, request.endpoint, error)
    text = _("We cannot look anything up just now. Nothing of yours is lost. Please try again in a moment.")
    return *_page(503, _("One moment, please"), text), {"Retry-After": str(WAIT)}
