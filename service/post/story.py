"""What happened, in words for one reader: the log, and 'since my last turn'. Used by pages and letters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import compress, groupby
from operator import not_
from typing import Any

import msgspec
from sqlalchemy import bindparam
from sqlalchemy.orm import load_only
from sqlmodel import Session, col, select

from engine import Event
from service.models import Game, Move, Seat
from service.post import words
from service.post.language import Speech, capitalised, listed, spoken

# Moves that are kept in words.
MOST_KEPT = 4096

# Enough for anybody's absence; the whole story is on the log's own page.
MOST_AT_ONCE = 60

# More clauses than this in one sentence are hard to read.
MOST_CLAUSES = 3

# A turn that takes more characters than this is told line by line: as a paragraph it would be a wall.
WALL = 360


@dataclass(frozen=True)
class InWords:
    """What happened in a move as it is told to one reader: line by line, as a paragraph, and in brief: without what is
    said in passing, and without what is about the reader, which is told first."""

    lines: Sequence[str]
    subjects: Sequence[int | None]  # with whose name each line begins
    paragraph: str
    brief: str
    mine: Sequence[str]  # the lines about the reader in what somebody else did
    besides: Sequence[str]  # in what the reader did, the lines about what came of it


@dataclass(frozen=True)
class Entry(InWords):
    """One move as it is told."""

    version: int
    turn: int  # in which it was made
    ends: bool  # that turn is over with it
    who: int | None
    decided_by: str
    person_id: int | None  # who decided
    withdrawn: bool
    at: datetime

    @property
    def of(self) -> tuple[int, int | None, bool]:
        """What moves in a row have in common that make a turn, which are several if something was revealed in it."""
        return self.turn, self.who, self.withdrawn


def entries(
    made: Iterable[Move], seat: int | None, names: Sequence[str], *, after: int = -1, about: int | None = None
) -> list[Entry]:
    """These moves in words, as far as this seat may know them: those after that version, which comes with them all the
    same. For a move says which turn it has led to; its own is the one that the move before it has led to.
    `about`: to whom they matter, if not to the reader."""
    speech, called, told = spoken(), tuple(names), list[Entry]()
    was: int | None = None
    for move in made:
        turn, was = move.turn if was is None else was, move.turn
        if move.version <= after:
            continue
        mine = seat if about is None else about
        said = _in_words(speech, called, seat, mine, move.seat_no, msgspec.msgpack.encode(move.events))
        if said:
            told.append(
                Entry(
                    **vars(said),
                    version=move.version,
                    turn=turn,
                    ends=turn != move.turn,
                    who=move.seat_no,
                    decided_by=move.decided_by,
                    person_id=move.person_id,
                    withdrawn=move.withdrawn,
                    at=move.created_at,
                )
            )
    return told


_unpack = msgspec.msgpack.Decoder(list[Event]).decode


@lru_cache(MOST_KEPT)
def _in_words(
    speech: Speech, names: Sequence[str], reader: int | None, seat: int | None, mover: int | None, packed: bytes
) -> InWords | None:
    """The same events, told to the same seat in the same language and edition, are the same words: every page tells the
    last moves again."""
    events = _joined(event for event in _unpack(packed) if event.known_to(reader))
    if not events:
        return None
    lines = [words.tell(event, names) for event in events]
    mine = [mover != seat and words.mentions(event, seat) for event in events]
    besides = [words.subject(event) != seat and _matters(event, seat) for event in events if mover == seat]
    return InWords(
        lines=[capitalised(line) for line in lines],
        subjects=[words.subject(event) for event in events],
        paragraph=_paragraph(events, lines, names),
        brief=_brief(list(compress(events, map(not_, mine))), names, seat),
        mine=[capitalised(line) for line in compress(lines, mine)],
        besides=[capitalised(words.in_brief(event, names)) for event in compress(events, besides)],
    )


def in_a_paragraph(events: Sequence[Event], names: Sequence[str]) -> str:
    """As a person would write it: what one player did in a row is said in few sentences."""
    told = _joined(events)
    return _paragraph(told, [words.tell(event, names) for event in told], names)


def _joined(events: Iterable[Event]) -> list[Event]:
    """As they are told: what differs in nothing but its amounts from what was told just before is told with it."""
    told = list[Event]()
    for event in events:
        both = _together(told[-1], event) if told else None
        if both is None:
            told.append(event)
        else:
            told[-1] = both
    return told


def _together(one: Event, other: Event) -> Event | None:
    """What a player did twice: 1 bento and 1 bento are 2 bento, 1 bento and 2 clocks are both."""
    if (one.key, one.who, one.args.keys()) != (other.key, other.who, other.args.keys()) or words.subject(one) is None:
        return None
    for field, amount in one.args.items():
        if one.args | {field: None} == other.args | {field: None}:
            if field == "n" and "what" in one.args:
                return msgspec.structs.replace(one, args=one.args | {field: amount + other.args[field]})
            if _are_amounts(amount) and _are_amounts(other.args[field]):
                return msgspec.structs.replace(one, args=one.args | {field: _sum(amount + other.args[field])})
    return None


def _are_amounts(said: Any) -> bool:
    """Whether it is a list of so and so many of something."""
    return isinstance(said, list) and all(isinstance(each, dict) and [*each.get("args", ())] == ["n"] for each in said)


def _sum(amounts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    sums = Counter[str]()
    for amount in amounts:
        sums[amount["key"]] += amount["args"]["n"]
    return [{"key": key, "args": {"n": n}} for key, n in sums.items()]


def _paragraph(events: Iterable[Event], lines: Iterable[str], names: Sequence[str]) -> str:
    """These lines in few sentences, what is the same said once. A clause that is a list itself ends its sentence, so
    that no "and" is taken for the other."""
    sentences: list[str] = []
    who: int | None = None
    clauses: list[str] = []
    for (seat, line), same in groupby(zip(map(words.subject, events), lines, strict=True)):
        times = len(list(same))
        if clauses and (seat != who or len(clauses) == MOST_CLAUSES or _is_list(clauses[-1])):
            sentences.append(_sentence(names, who, clauses))
            clauses = []
        if seat is None:
            sentences += [line] * times
        else:
            who = seat
            clause = line.removeprefix(f"{names[seat]} ").removesuffix(words.say("words.stop"))
            clauses.append(words.often(clause, times) if times > 1 else clause)
    if clauses:
        sentences.append(_sentence(names, who, clauses))
    return " ".join(sentences)


def _matters(event: Event, seat: int | None) -> bool:
    """Whether this reader is told where room is short: what befell them is no aside to them."""
    return not words.in_passing(event) or (words.subject(event) != seat and words.mentions(event, seat))


def _brief(events: Sequence[Event], names: Sequence[str], seat: int | None) -> str:
    """What it came to. All of it, where nothing but asides happened."""
    matters = _joined(event for event in events if _matters(event, seat))
    if not matters:
        return in_a_paragraph(events, names)
    return _paragraph(matters, [words.in_brief(event, names) for event in matters], names)


def paragraphs(told: Iterable[Entry]) -> list[str]:
    """One for each turn; or all its lines, where they would be a wall."""
    said = list[str]()
    for _, moves_of_turn in groupby(told, key=lambda entry: entry.of):
        turn = list(moves_of_turn)
        whole = " ".join(entry.paragraph for entry in turn)
        said += [line for entry in turn for line in entry.lines] if len(whole) > WALL else [whole]
    return said


def _is_list(clause: str) -> bool:
    return words.say("words.comma").strip() in clause or words.say("words.and") in clause


def _sentence(names: Sequence[str], who: int | None, clauses: list[str]) -> str:
    assert who is not None
    return capitalised(f"{names[who]} {listed(clauses)}{words.say('words.stop')}")


def since_last_turn(session: Session, game: Game, seat: Seat, names: Sequence[str]) -> list[Entry]:
    """What happened after this seat's last move, oldest first."""
    after = last_seen(game, seat)
    return entries(moves_from(session, game, after), seat.no, names, after=after)


def last_seen(game: Game, seat: Seat) -> int:
    """The version up to which this seat has seen it all: that of its last move. If nobody else has moved since, what
    came before that one: what came of it could not be seen when it was sent (a round that ended, an opponent without a
    seat)."""
    after = seat.moved_version if seat.moved_version else -1
    return after - 1 if after == game.version else after


_TOLD: Any = (
    *(Move.version, Move.turn, Move.seat_no, Move.events),
    *(Move.decided_by, Move.person_id, Move.withdrawn, Move.created_at),
)  # of a move
_LATEST = (
    select(Move)
    .where(
        col(Move.game_id) == bindparam("game"),
        col(Move.version) >= bindparam("version"),
        col(Move.withdrawn).is_(False),
    )
    .order_by(col(Move.version).desc())
    .limit(MOST_AT_ONCE)
    .options(load_only(*_TOLD, raiseload=True))
)


def moves_from(session: Session, game: Game, version: int) -> Sequence[Move]:
    """That move and what came after it and still stands, oldest first."""
    return session.exec(_LATEST, params={"game": game.id, "version": version}).all()[::-1]


def page_of_log(
    session: Session, game: Game, seat: int | None, names: Sequence[str], first: int, count: int
) -> list[Entry]:
    return entries(moves(session, game, first - 1, count + 1), seat, names, after=first - 1)


def moves(session: Session, game: Game, first: int, count: int) -> Sequence[Move]:
    return session.exec(
        select(Move)
        .where(Move.game_id == game.id, Move.version >= first, Move.version < first + count)
        .order_by(col(Move.version))
    ).all()
