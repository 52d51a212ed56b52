"""A turn in words: a line of answers such as "2, 5, tea, send", made on the draft one after the other.

    2, 5, 1         the answers to the open question and to those after it, by their numbers in the menu
    2, tea, send    the beginning of a label, or a code, is as good where only one answer begins like that; and within a
                    line of answers the beginning of any word in it
    undo · start over · rest · pass · send · board · help
    say Well met!   whatever follows in the line is for the others at the table
    tell Bruno: Hm  the same for one of them alone, where the game allows it; or for the moderator
    note Buy tea    whatever follows is put under one's own notes

The first lines that begin with something like that decide; all other lines are not for us. What is understood stays,
up to the first thing that is not.
"""

import enum
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.scene import Message
from service.models import Game, Seat
from service.play import drafts
from service.post.language import gettext, listed, marked
from service.post.menu import Menu, menu, plain
from service.post.told import Told, engine_told, told

LONGEST_LINE = 500
MOST_LINES = 200
MOST_WORDS = 60
WRAPPED = 60  # characters: a line as long as this may go on in the next


class Verb(enum.StrEnum):
    """What a line can be besides answers, in English and in the reader's language: the longest that fits counts, so
    that nothing meant for one is said to all."""

    SAY_TO = marked("say to")
    TELL = marked("tell")
    SAY = marked("say")
    NOTE = marked("note")


MODERATOR = marked("moderator")


@dataclass(frozen=True)
class Saying:
    """What somebody writes for others, or for themselves."""

    verb: Verb
    text: str
    to: str = ""  # as they wrote it; empty where nobody is named, in a line that is for one


COMPLETE = told("your turn is complete already: answer “send” or “undo”.")


class Command(enum.StrEnum):
    """What can be said beside answers: in English, and in the reader's language."""

    SEND = marked("send")
    UNDO = marked("undo")
    START_OVER = marked("start over")
    REST = marked("rest")
    PASS = marked("pass")
    BOARD = marked("board")
    HELP = marked("help")


class Unclear(Exception):
    """A word that cannot be followed; `why` says so to whoever wrote it."""

    def __init__(self, why: Told, *, whole: bool = False) -> None:
        self.why, self.whole = why, whole

    def at(self, word: str, place: int) -> Told:
        """Named by its place in the line, unless it is about the whole message."""
        if self.whole:
            return self.why
        return told("“%(word)s”, number %(place)s in your line: %(why)s", word=word[:60], place=place, why=self.why)


@dataclass(frozen=True)
class Outdated:
    """The letter that is answered asked something else than what is asked now, so its numbers mean nothing. Unless
    that is so for good, one can start over."""

    why: Told
    for_good: bool


@dataclass
class Understood:
    """What a message said about a turn, and the turn with all of that done."""

    turn: drafts.Turn
    done: list[Told] = field(default_factory=list)
    stopped: Told | None = None
    send: bool = False
    board: bool = False
    help: bool = False
    said: list[Saying] = field(default_factory=list)

    @property
    def nothing(self) -> bool:
        return not (self.done or self.stopped or self.send or self.board or self.help or self.said)

    def completes(self, seat: Seat) -> bool:
        """Whether the turn is complete with this, and nothing was unclear."""
        return bool(self.done) and self.stopped is None and self.turn.complete(seat.no)


def understand(
    game: Game,
    seat: Seat,
    turn: drafts.Turn,
    lines: Iterable[str],
    names: Sequence[str],
    outdated: Outdated | None = None,
) -> Understood:
    """In the language that is spoken."""
    listener = _Listener(game, seat, names, Understood(turn), outdated)
    listener.hear(lines)
    return listener.understood


def said_in(lines: Iterable[str]) -> list[Saying]:
    """What is said by somebody who is asked nothing: the first lines that begin like that."""
    found: list[Saying] = []
    commands = _commands()
    for line in _whole_lines(lines):
        words, said = _apart(line)
        answers = [word for word in re.split(r"[\s,;]+", words) if word]
        if said and all(_number(word) or plain(word) in commands for word in answers):
            found.append(said)
        elif found and line.strip():
            break
    return found


def _apart(line: str) -> tuple[str, Saying | None]:
    """The part of a line that is about the turn, and what is said in it."""
    verbs = {word.casefold(): verb for verb in Verb for word in (verb.value, gettext(verb.value))}
    words = "|".join(re.escape(word) for word in sorted(verbs, key=len, reverse=True))
    saying = re.search(rf"(?:^|[,;])\s*({words})\b[\s:]+(\S.*)", line, re.IGNORECASE | re.DOTALL)
    if saying is None:
        return line, None
    verb, text = verbs[saying[1].casefold()], saying[2].strip()
    if verb in (Verb.TELL, Verb.SAY_TO):
        to, colon, text = text.partition(":")
        return line[: saying.start()], Saying(Verb.TELL, text.strip(), to.strip() if colon else "")
    return line[: saying.start()], Saying(verb, text)


def addressee(to: str, addressees: Sequence[tuple[str, str]]) -> str | None:
    """Whom somebody means, of these: what a form would send, and the name. None if it is nobody, or not clear whom."""
    wanted = plain(to)
    names = [(value, plain(word)) for value, name in addressees for word in _called(value, name)]
    exactly = {value for value, name in names if name == wanted}
    begin = {value for value, name in names if wanted and name.startswith(wanted)}
    found = exactly or begin
    return next(iter(found)) if len(found) == 1 else None


def _called(value: str, name: str) -> tuple[str, ...]:
    return (MODERATOR, gettext(MODERATOR)) if value == "desk" else (name,)


def _whole_lines(lines: Iterable[str]) -> Iterator[str]:
    """What is said may have been broken into lines on the way, none of them short but the last."""
    saying = ""
    for line in list(lines)[:MOST_LINES]:
        if saying and line.strip() and len(saying.splitlines()[-1]) >= WRAPPED:
            saying += f"\n{line}"
            continue
        if saying:
            yield " ".join(saying.split())
        saying = line if _apart(line)[1] else ""
        if not saying:
            yield line
    if saying:
        yield " ".join(saying.split())


def asked_for(lines: Iterable[str]) -> set[Command]:
    """What somebody wants to be sent who has nothing to decide now: the board, or help."""
    commands = _commands()
    for line in list(lines)[:MOST_LINES]:
        words = [commands.get(plain(word)) for word in re.split("[,;]", line[:LONGEST_LINE])]
        if words[0]:
            return {command for command in words if command in (Command.BOARD, Command.HELP)}
    return set()


class _Listener:
    """Takes word after word, and does each on the turn as it stands then."""

    def __init__(
        self, game: Game, seat: Seat, names: Sequence[str], understood: Understood, outdated: Outdated | None
    ) -> None:
        self.game, self.seat, self.names, self.understood, self.outdated = game, seat, names, understood, outdated
        self.commands = _commands()

    @property
    def turn(self) -> drafts.Turn:
        return self.understood.turn

    def menu(self) -> Menu | None:
        decision = self.turn.decision(self.seat.no)
        return menu(decision, self.names) if decision else None

    def hear(self, lines: Iterable[str]) -> None:
        begun = False
        for line in _whole_lines(lines):
            about_turn, said = _apart(line)
            words = list(self._words(about_turn[:LONGEST_LINE]))[:MOST_WORDS]
            if not words and not said:
                continue
            if words and (self.understood.send or not self._fits(words[0])):
                if begun:
                    return
                continue
            begun = True
            if not self._take_all(words):
                return
            if said:
                self.understood.said.append(said)

    def _take_all(self, words: Sequence[str]) -> bool:
        """Whether all of them were understood; after "send" none is heard any more."""
        for place, word in enumerate(words, 1):
            try:
                self._take(word, first=place == 1)
            except Unclear as unclear:
                self.understood.stopped = unclear.at(word, place)
                return False
            if self.understood.send:
                break
        return True

    def _words(self, line: str) -> Iterator[str]:
        for chunk in re.split("[,;]", line):
            parts = chunk.split()
            if len(parts) > 1 and plain(chunk) not in self.commands and all(map(self._is_short, parts)):
                yield from parts
            elif parts:
                yield " ".join(parts)

    def _is_short(self, word: str) -> bool:
        return _number(word) is not None or plain(word) in self.commands

    def _fits(self, word: str) -> bool:
        """Whether this is somebody talking to us."""
        if self._is_short(word):
            return True
        asked = self.menu()
        return asked is not None and bool(asked.called(word))

    def _take(self, word: str, *, first: bool) -> None:
        command = self.commands.get(plain(word))
        self._check_it_is_about_this(command)
        if command:
            self._deeds[command](self)
            return
        decision, asked = self.turn.decision(self.seat.no), self.menu()
        if decision is None or asked is None:
            raise Unclear(COMPLETE)
        meant = asked.called(_number(word) or word, anywhere=not first)
        if not meant:
            question = Message(decision.prompt, decision.args)
            raise Unclear(told("that is no answer to: %(question)s", question=question))
        if len(meant) > 1:
            labels = listed([answer.label for answer in meant[:4]], "or")
            raise Unclear(told("it may mean %(several)s.", several=labels))
        self._make(meant[0].id)

    def _check_it_is_about_this(self, command: Command | None) -> None:
        if self.outdated is None or command in (Command.BOARD, Command.HELP):
            return
        if self.outdated.for_good or command is not Command.START_OVER:
            raise Unclear(self.outdated.why, whole=True)
        self.outdated = None

    def _make(self, choice: str) -> None:
        turn = self.turn
        turn.make(self.seat.no, choice)
        self.understood.done.append(engine_told(turn.said[-1].option(choice).label))

    # what the commands do

    def _send(self) -> None:
        decision = self.turn.decision(self.seat.no)
        if decision and decision.main:
            ahead = drafts.lay_out(self.game, self.seat, [*self.turn.choices, decision.main])
            if ahead.complete(self.seat.no):
                self._make(decision.main)
        if not self.turn.complete(self.seat.no):
            raise Unclear(told("your turn is not complete yet."))
        self.understood.send = True

    def _undo(self) -> None:
        if not self.turn.choices:
            raise Unclear(told("nothing is chosen that could be taken back."))
        self._go_back_to(drafts.before_the_last(self.turn))
        self.understood.done.append(told("The last choice is taken back."))

    def _start_over(self) -> None:
        self._go_back_to(0)
        self.understood.done.append(told("The turn begins anew."))

    def _go_back_to(self, count: int) -> None:
        self.understood.turn = drafts.lay_out(self.game, self.seat, self.turn.choices[:count])

    def _rest(self) -> None:
        choices = drafts.the_rest(self.turn, self.seat)
        if not choices:
            raise Unclear(told("there is nothing here that can be done for you."))
        for choice in choices:
            self._make(choice)

    def _pass(self) -> None:
        """The least committing play to the end of the turn, as when the time is up."""
        if self.turn.complete(self.seat.no):
            raise Unclear(COMPLETE)
        while decision := self.turn.decision(self.seat.no):
            self._make(decision.default)

    def _board(self) -> None:
        self.understood.board = True

    def _help(self) -> None:
        self.understood.help = True

    _deeds: dict[Command, Callable[["_Listener"], None]] = {
        Command.SEND: _send,
        Command.UNDO: _undo,
        Command.START_OVER: _start_over,
        Command.REST: _rest,
        Command.PASS: _pass,
        Command.BOARD: _board,
        Command.HELP: _help,
    }


def _commands() -> dict[str, Command]:
    return {plain(word): command for command in Command for word in (command.value, gettext(command.value))}


def _number(word: str) -> str | None:
    bare = word.strip().rstrip(".)").lstrip("(#")
    return bare if bare.isdecimal() else None
