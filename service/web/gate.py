"""The gate: what a request must be before any page sees it. Knows addresses, fields and headers, and no page and no
table."""

from flask import Flask, abort, current_app, g, request
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import IntegerConverter

from service.config import Settings


class Number(IntegerConverter):
    """A number in an address, as far as every database can count; any other leads nowhere."""

    regex = r"\d{1,9}"


class Forms(CSRFProtect):
    """A form is ours if it carries the token of this browser's cookie, which is never sent along with a form of another
    site (SameSite). Browsers that say where a form comes from are believed too; what they leave out, or a web server in
    front takes away, shuts nobody out."""

    def protect(self, apply_exemptions: bool = False) -> None:
        super().protect(apply_exemptions)
        if g.get("csrf_valid") and _comes_from_elsewhere():
            raise CSRFError("another site has sent this form")


def _comes_from_elsewhere() -> bool:
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("cross-site", "same-site")
    origin = request.headers.get("Origin", "null")
    settings: Settings = current_app.extensions["hikyaku"]
    ours = {settings.base_url.partition("://")[2], request.host}
    return origin != "null" and origin.partition("://")[2] not in ours


def install(app: Flask, settings: Settings) -> None:
    app.url_map.converters["int"] = Number
    app.before_request(_refuse_nul)
    if settings.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies, x_host=0, x_port=0, x_prefix=0
        )


def _refuse_nul() -> None:
    """The one character that PostgreSQL has no room for, and that nobody types."""
    if "\0" in request.path:
        abort(404)
    for fields in (request.args, request.form):
        if any("\0" in name or any("\0" in value for value in values) for name, values in fields.lists()):
            abort(400)
