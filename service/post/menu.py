"""The open question of a turn as a numbered menu, for letters that are answered: what each answer is called, and what
it would do. Knows the engine's words, and nothing of mail."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from engine import Change, Decision, Match, Option
from service.post import words
from service.post.language import gettext as _
from service.post.language import listed

# With more answers than this, those that lie on the board have codes beside their numbers.
MANY = 12

SHORTEST_BEGINNING = 3  # of a label: "Hi" may be a greeting

_MARKS = re.compile(r"[^\w+-]+")


@dataclass(frozen=True)
class Answer:
    """One line of the menu. `code` is empty where the number is enough."""

    number: int
    id: str
    code: str
    label: str
    hint: str
    changes: str

    @property
    def consequence(self) -> str:
        return " ".join(filter(None, (self.hint, self.changes)))


@dataclass(frozen=True)
class Menu:
    """What is asked, and the answers."""

    prompt: str
    answers: Sequence[Answer]

    def called(self, word: str, *, anywhere: bool = False) -> list[Answer]:
        """The answers that may be meant: the one of this number, code or label, or else all that begin like this; and
        where it is surely an answer, those in which a word does."""
        if word.isdecimal():
            return [answer for answer in self.answers if answer.number == int(word[:9])]
        meant = plain(word)
        names = [(answer, {plain(answer.label), answer.code}) for answer in self.answers]
        whole = [answer for answer, known in names if meant and meant in known]
        if whole or len(meant) < SHORTEST_BEGINNING:
            return whole
        begin = [answer for answer, known in names if any(name.startswith(meant) for name in known)]
        return begin or [answer for answer in self.answers if anywhere and f" {meant}" in plain(answer.label)]


def menu(decision: Decision, names: Sequence[str], match: Match | None = None) -> Menu:
    """`match`: where it is asked, to tell what each answer would change."""
    now = match.gauges(decision.seat) if match else None
    codes = _codes(decision.options)
    answers = [
        Answer(
            number=number,
            id=option.id,
            code=codes[number - 1],
            label=words.tell(option.label, names),
            hint=words.tell(hint, names) if (hint := decision.hint(option)) else "",
            changes=_in_words(match, match.outlook(decision.seat, option.id, now=now), decision.seat, names)
            if match and option.spots
            else "",
        )
        for number, option in enumerate(decision.options, 1)
    ]
    return Menu(words.prompt(decision, names), answers)


def code(spot: str) -> str:
    """What a place on the board is called where one types: "area:copper1" is copper1, "city:0:1" is city01."""
    kind, _, place = spot.partition(":")
    name = place.replace(":", "")
    return kind + name if name[:1].isdecimal() else name


def _codes(options: Sequence[Option]) -> list[str]:
    """One for each option; where several lie in one place they are told apart by letters: copper1-a, copper1-b."""
    if len(options) <= MANY:
        return [""] * len(options)
    places = [code(option.spots[0]) if option.spots else "" for option in options]
    letters = {place: iter(ascii_lowercase) for place, n in Counter(places).items() if place and n > 1}
    return [f"{place}-{next(letters[place])}" if place in letters else place for place in places]


def _in_words(match: Match, changes: Sequence[Change], seat: int, names: Sequence[str]) -> str:
    """'VP 12 → 15, Bruno's yen 3 → 5', as far as there are words for it."""
    said = []
    for gauge, before, after in changes:
        key = f"{match.game.id}.gauge.{gauge.what}"
        if words.knows(key):
            facts = {"what": words.say(key), "before": before, "after": after}
            if gauge.seat in (None, seat):
                said.append(_("%(what)s %(before)s → %(after)s", **facts))
            else:
                said.append(_("%(name)s: %(what)s %(before)s → %(after)s", name=names[gauge.seat], **facts))
    return f"({listed(said, 'unit')})" if said else ""


def plain(text: str) -> str:
    """Without case, accents and punctuation, for comparing what is typed with what was offered."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return _MARKS.sub(" ", bare).strip()
