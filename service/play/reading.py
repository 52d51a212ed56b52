"""Reading what people type: a clean value, or an error that says what to do. Knows no tables and no Flask."""

import re
import unicodedata
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from email_validator import EmailNotValidError, validate_email

from service.config import Settings
from service.post.language import gettext as _
from service.post.language import ngettext
from service.post.moments import length

LONGEST_NAME = 40
LONGEST_TITLE = 60
MOST_MARKS = 5  # on one letter

# What mail takes for an encoded word: within it stands any character, a line break and a header after it too.
ENCODED = "=?"

_mail_in_any_script = True


def configure(settings: Settings) -> None:
    """Which addresses can be written to depends on the mail server; the post office takes all."""
    global _mail_in_any_script
    _mail_in_any_script = settings.smtp is None or settings.smtp.utf8


class BadInput(ValueError):
    """What was typed cannot be used. The text tells the person what to change; `field` names the input. Of a whole form
    `errors` has all there is to change, by field."""

    def __init__(self, text: str, field: str = "", errors: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.field = field
        self.errors = errors or {field: text}


def read_all(**readers: Callable[[], Any]) -> dict[str, Any]:
    """What each of these reads. If some cannot, one BadInput says all of it: nobody mends a form field by field."""
    read: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for name, reader in readers.items():
        try:
            read[name] = reader()
        except BadInput as error:
            errors |= error.errors
    if errors:
        raise BadInput(" ".join(errors.values()), next(iter(errors)), errors)
    return read


def read_line(text: str, longest: int, field: str = "") -> str:
    """One line of text: no control or direction-changing characters, spaces folded. Emoji and any script are fine."""
    kept = "".join(c if unicodedata.category(c) != "Zs" else " " for c in text if not _unseen(c))
    line = re.sub(r"\s+", " ", _unheaped(kept)).strip()
    if len(line) > longest:
        said = ngettext(
            "This is too long: there is room for %(num)s letter.",
            "This is too long: there is room for %(num)s letters.",
            longest,
        )
        raise BadInput(said, field)
    _refuse_encoded(line, field)
    return line


def _refuse_encoded(text: str, field: str) -> None:
    if ENCODED in text:
        raise BadInput(_("Please leave out the signs %(signs)s next to each other.", signs=ENCODED), field)


def _unseen(character: str) -> bool:
    """Control characters, and the marks that reorder text around them; the joiner that builds emoji stays."""
    return character != "\u200d" and unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


def tidy(text: str) -> str:
    """Text of several lines: without what nobody sees, and without more than one empty line in a row."""
    lines = ("".join(filter(_is_seen, line.replace("\t", " "))).strip() for line in text.splitlines())
    return re.sub("\n{3,}", "\n\n", _unheaped("\n".join(lines))).strip()


def _unheaped(text: str) -> str:
    """No more marks above and below a letter than any script puts there: heaped up they cover the lines around."""
    heap, kept = 0, []
    for character in text:
        heap = heap + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if heap <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def _is_seen(character: str) -> bool:
    """Control characters could turn around what others read; joiners make letters and signs."""
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn") or character in "\u200c\u200d"


def read_name(text: str, field: str = "name") -> str:
    name = read_line(text, LONGEST_NAME, field)
    if not name:
        raise BadInput(_("Please give a name."), field)
    return name


def read_mail(text: str, field: str = "mail") -> str:
    """A mail address in the one spelling under which a person is kept."""
    if not text.strip():
        raise BadInput(_("Please give a mail address."), field)
    _refuse_encoded(text, field)
    try:
        checked = validate_email(text.strip(), check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        said = _("This is not a mail address we can write to. One looks like name@example.org.")
        raise BadInput(said, field) from error
    if not checked.local_part.isascii() and not _mail_in_any_script:
        said = _("Our mail server can write only to addresses with plain letters (a to z) before the @.")
        raise BadInput(said, field)
    return checked.normalized.lower()


def read_whole(text: str, least: int, most: int, field: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise BadInput(_("Please give a whole number from %(least)s to %(most)s.", least=least, most=most), field)
    return value


_SPAN = re.compile(r"([0-9]{1,6}(?:[.,][0-9]{1,6})?)\s*(h|hours?|m|min|minutes?)?", re.IGNORECASE)


def read_span(text: str, least: timedelta, most: timedelta, field: str) -> timedelta:
    """A length of time as people write it: '24', '1.5 h', '90 min'."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise BadInput(_("Please give hours or minutes, such as 24 h, 1.5 h or 90 min."), field)
    unit = "minutes" if (found[2] or "h").lower().startswith("m") else "hours"
    span = timedelta(**{unit: float(found[1].replace(",", "."))})
    if not least <= span <= most:
        raise BadInput(_("This can be from %(least)s to %(most)s.", least=length(least), most=length(most)), field)
    return span


@cache
def zones() -> tuple[str, ...]:
    """The time zones a person can choose: the places, not the old abbreviations."""
    places = {z for z in available_timezones() if "/" in z and not z.startswith(("Etc/", "posix/", "right/"))}
    return ("UTC", *sorted(places))


def read_zone(text: str, field: str = "zone") -> str:
    if text not in zones() and text not in available_timezones():
        raise BadInput(_("This time zone is not known. Please choose one from the list."), field)
    return text
