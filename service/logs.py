"""Log lines, the same from every process: time in UTC, level, who says it, what. As text, or as JSON lines.

No line shows a secret, whoever wrote it: links in letters, tokens and passwords in addresses are struck out of the
finished line, because the lines of libraries and of exceptions go the same way as our own.
"""

import json
import logging
import re
import sys
import time
from typing import Any

from service.config import LogForm, Settings

# The paths that are keys, with all that follows; anything of a token's length and letters; the addresses of letters,
# which answer for their readers; who logs in to a server.
SECRETS = (
    (re.compile(r"(/[luc]/)[^\s\"'<>]+"), r"\1..."),
    (re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])"), "..."),
    (re.compile(r"\b(play|bounce)\+[a-z2-7]+@", re.IGNORECASE), r"\1+...@"),
    (re.compile(r"(://)[^\s/@]*@"), r"\1...@"),
)


def without_secrets(text: str) -> str:
    for pattern, instead in SECRETS:
        text = pattern.sub(instead, text)
    return text


class TextLines(logging.Formatter):
    """2026-06-01T09:00:00Z WARNING workers.courier: letter 7 ..."""

    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLines(TextLines):
    """One object a line, for whatever collects them; an exception is part of its line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": without_secrets(record.getMessage()),
        }
        if record.exc_info:
            line["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


FORMATTERS: dict[LogForm, type[TextLines]] = {"text": TextLines, "json": JsonLines}


def configure(settings: Settings, level: str | int = "WARNING") -> None:
    """All lines of this process go to standard error in this form, those of libraries too."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(FORMATTERS[settings.log]())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper() if isinstance(level, str) else level)
    logging.captureWarnings(True)
