"""Style sheets, scripts and drawings on their way to a browser: without what only we read in them, and packed once in
the life of a process, as tightly as it gets. Knows where these files lie, and not what they are for."""

import gzip
import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

import brotli
from flask import Response, abort, request, send_file
from flask.typing import ResponseReturnValue

from service.post import folders

STATIC = {file.name: file for file in Path(__file__).with_name("static").iterdir()}

# What browsers can unpack, the lightest first.
PACKED: dict[str, Callable[[bytes], bytes]] = {"br": brotli.compress, "gzip": gzip.compress, "identity": bytes}

AN_HOUR = 3600  # seconds, where it was not asked for by its stamp

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def sheets_of(kind: str) -> tuple[Path, ...]:
    """All that a table of this title is dressed with, in one file: three would weigh a tenth more."""
    return STATIC["hikyaku.css"], STATIC["table.css"], sheet_of(kind)


def sheet_of(kind: str) -> Path:
    return _found(f"titles/{kind}/style.css", tuple(folders.FOLDERS))


@cache
def _found(name: str, _among: tuple[Path, ...]) -> Path:
    """Looked for once: every table names its style sheet."""
    return folders.find(name)


def static(filename: str) -> ResponseReturnValue:
    if filename not in STATIC:
        abort(404)
    file = STATIC[filename]
    return send(file) if file.suffix in TYPES else send_file(file)


def send(*files: Path) -> Response:
    """These files, one after the other."""
    coding = request.accept_encodings.best_match(PACKED, default="identity")
    response = Response(_packed(files, coding), mimetype=TYPES[files[0].suffix])
    if coding != "identity":
        response.content_encoding = coding
    response.vary.add("Accept-Encoding")
    response.cache_control.max_age = AN_HOUR
    response.set_etag(f"{stamp(files)}-{coding}")
    response.make_conditional(request)
    return response


@cache
def stamp(files: tuple[Path, ...]) -> str:
    """A short name for what is in these files."""
    return sha256(_packed(files, "identity")).hexdigest()[:12]


@cache
def _packed(files: tuple[Path, ...], coding: str) -> bytes:
    return PACKED[coding](b"\n".join(map(_bare, files)))


def _bare(file: Path) -> bytes:
    """Without comments and indentation, which are for whoever reads the sources."""
    if file.suffix not in TYPES:
        return file.read_bytes()
    text = file.read_text()
    if file.suffix == ".css":
        return _bare_sheet(text).encode()
    if file.suffix == ".js":
        text = re.sub(r"[ \t]*/\*(?s:(?!\*/).)*\*/[ \t]*$|^[ \t]*//.*$", "", text, flags=re.MULTILINE)
    return re.sub(r"^\s+", "", text, flags=re.MULTILINE).encode()


def _bare_sheet(text: str) -> str:
    rules = re.split(r'("[^"]*")', re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
    for n in range(0, len(rules), 2):  # what lies between them stands in quotes
        rules[n] = re.sub(r" ?([{};,]) ?", r"\1", re.sub(r"\s+", " ", rules[n])).replace(": ", ":")
    return "".join(rules).strip()
