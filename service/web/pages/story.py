"""Looking back: the log, any earlier position, the result with its chart, and the whole game as a file."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session, col, select

from engine import GAMES
from service import results
from service.db import db, utcnow
from service.models import Game, GameStatus, Move, Person, Ruling
from service.play import hearing, manner, positions, record, rematch
from service.post import bells, hooks, moments, render, story
from service.post.decided import decided
from service.post.told import Told
from service.web import chart, seen, table
from service.web.access import Reader, open_game
from service.web.table import lay_past, show

pages = Blueprint("story", __name__)

MOVES_A_PAGE = 40
MOST_POINTED_AT = 8  # moves that one line tells of


def _seat() -> int | None:
    return request.args.get("seat", type=int)


@pages.get("/g/<public_id>/log")
def log(public_id: str) -> ResponseReturnValue:
    """Everything that happened, newest page first; a page's cost does not grow with the game."""
    with db.reading() as session:
        reader = open_game(session, public_id, _seat())
        game = reader.game
        last_page = game.version // MOVES_A_PAGE
        page = min(max(request.args.get("page", last_page, type=int), 0), last_page)
        names = reader.names
        first = page * MOVES_A_PAGE
        entries = story.page_of_log(session, game, reader.no, names, first, MOVES_A_PAGE)
        said = hearing.between(session, game, reader.listener, reader.seats, first, first + MOVES_A_PAGE)
        rulings = _rulings(session, game, first, first + MOVES_A_PAGE)
        posted_to = bells.kinds_at_table(session, game.id)
        deciders = select(Person).where(col(Person.id).in_({entry.person_id for entry in entries}))
        people = {person.id: person.name for person in session.exec(deciders)}
    now = utcnow()
    return render_template(
        "log.html",
        game=game,
        title=GAMES[game.kind].title,
        seat=reader.seat,
        turns=[(turn, [_dated(entry, reader, now) for entry in made]) for turn, made in _by_turn(entries)],
        names=names,
        people=people,
        zone=reader.zone,
        rulings=rulings,
        posted_to=[hooks.NAMES[kind] for kind in posted_to],
        talk=_by_move(reader, said, now),
        page=page,
        last_page=last_page,
    )


def _by_turn(entries: Iterable[story.Entry]) -> Iterable[tuple[int, Iterable[story.Entry]]]:
    """The moves by the turn in which they were made; what was withdrawn is apart from what took its place."""
    for (turn, _), made in groupby(entries, key=lambda entry: (entry.turn, entry.withdrawn)):
        yield turn, made


def _dated(entry: story.Entry, reader: Reader, now: datetime) -> tuple[story.Entry, str, str]:
    return entry, moments.both(entry.at, reader.zone), moments.ago(entry.at, now)


def _by_move(reader: Reader, said: Iterable[hearing.Line], now: datetime) -> dict[int, list[table.Told]]:
    """What was said, by the move after which it was."""
    talk: dict[int, list[table.Told]] = {}
    for line in said:
        talk.setdefault(line.remark.version, []).append(table.told_line(reader, line, now))
    return talk


def _rulings(session: Session, game: Game, first: int, end: int) -> list[tuple[Ruling, Told]]:
    """What was decided, oldest first. That somebody looked at hidden cards is told when the game is over."""
    found = seen.rulings(session, game, col(Ruling.version) >= first, col(Ruling.version) < end)
    over = game.status is GameStatus.FINISHED
    return [(ruling, by) for ruling, by in reversed(found) if over or ruling.name != "open-view"]


@pages.get("/g/<public_id>/replay")
def replay(public_id: str) -> ResponseReturnValue:
    """The table as this reader could see it after move N."""
    with db.reading() as session:
        reader = open_game(session, public_id, _seat())
        if reader.game.saved is None:
            return redirect(url_for("playing.game", public_id=public_id))
        wanted = request.args.get("move", reader.game.version, type=int)
        version = min(max(wanted, 0), reader.game.version)
        past = lay_past(session, reader, version)
        return show("replay.html", past, last=reader.game.version, mine=_moves_of(session, reader))


def _moves_of(session: Session, reader: Reader) -> Sequence[int]:
    """The versions that the reader's own moves made."""
    if reader.no is None:
        return ()
    made = select(Move.version).where(Move.game_id == reader.game.id, Move.seat_no == reader.no)
    return session.exec(made.order_by(col(Move.version))).all()


@pages.get("/g/<public_id>/where")
def where(public_id: str) -> ResponseReturnValue:
    """The places that these moves changed, for a page that wants to point at them."""
    with db.reading() as session:
        reader = open_game(session, public_id, _seat())
        if reader.game.saved is None:
            abort(404)
        moves = {min(max(move, 0), reader.game.version) for move in request.args.getlist("move", type=int)}
        changed = [lay_past(session, reader, move).changed for move in sorted(moves)[-MOST_POINTED_AT:]]
        return jsonify(spots=sorted(frozenset().union(*changed)))


@pages.get("/g/<public_id>/text")
def text(public_id: str) -> ResponseReturnValue:
    """The table in words."""
    with db.reading() as session:
        reader = open_game(session, public_id, _seat())
        if reader.game.saved is None:
            abort(404)
        game = reader.game
        board = render.board_text(game.kind, record.load(game).view(reader.no), reader.names)
    return render_template("text.html", game=game, title=GAMES[game.kind].title, board=board)


@pages.get("/g/<public_id>/result")
def result(public_id: str) -> ResponseReturnValue:
    with db.reading() as session:
        reader = open_game(session, public_id, _seat())
        game = reader.game
        if game.status is not GameStatus.FINISHED:
            return redirect(url_for("playing.game", public_id=public_id))
        names = reader.names
        ending = results.ended_by(session, game)
        by = session.get(Person, ending.person_id) if ending and ending.person_id else None
        ended_by = decided(by.name if by else None, ending.created_at, by_vote=ending.by_vote) if ending else None
        scores = session.exec(select(Move.scores).where(Move.game_id == game.id).order_by(col(Move.version))).all()
        drawn = chart.lines(scores)
        turned = session.exec(
            select(Move).where(
                Move.game_id == game.id, col(Move.version).in_([turning.version for turning in drawn.turnings])
            )
        ).all()
        told = _turned(turned, drawn.turnings, names)
        group = _group(session, reader)
        asked_by = rematch.asked_by(session, game)
        alone = len(reader.seats) == 1 and ending is None
        last = story.page_of_log(session, game, reader.no, names, game.version, 1) if alone else []
    return render_template(
        "result.html",
        game=game,
        title=GAMES[game.kind].title,
        options=table.options(game, len(reader.seats)),
        seat=reader.seat,
        names=names,
        ending=ending,
        ended_by=ended_by,
        ranking=game.result or [],
        winners=[names[no] for no in results.winners(game)],
        chart=drawn,
        moves=told,
        how=last[0].lines[-1] if last else "",  # a game against nobody is won or lost by goals of its own
        zone=reader.zone,
        rematch=reader.seat is not None and rematch.is_possible(game, utcnow()),
        asked_by=asked_by,
        group=group,
        group_chart=chart.lines([past.scores for past in group]) if len(group) > 1 else None,
        today=GAMES[game.kind].rules,
    )


def _group(session: Session, reader: Reader) -> list[manner.Past]:
    """What the same people played before: for one of them, and for nobody else."""
    if reader.seat is None or reader.seat.person_id is None:
        return []
    return manner.of_group(session, reader.game, reader.seats, reader.seat.person_id)


def _turned(
    moves: Sequence[Move], turnings: Sequence[chart.Turning], names: Sequence[str]
) -> dict[tuple[int, int], str]:
    """What brought the points of a turning point, by move and seat: what one did, or what others did for one, as all
    read it."""
    told = {}
    for turning in turnings:
        at = (move for move in moves if move.version == turning.version)
        for entry in story.entries(at, None, names, about=turning.seat):
            told[turning.version, turning.seat] = " ".join(entry.mine) or entry.brief
    return told


@pages.get("/g/<public_id>/export.json")
def export(public_id: str) -> ResponseReturnValue:
    """The whole finished game, for anybody's own tools. Nothing of it is secret any more."""
    with db.reading() as session:
        reader = open_game(session, public_id)
        game = reader.game
        if game.status is not GameStatus.FINISHED:
            abort(404)
        moves = session.exec(select(Move).where(Move.game_id == game.id).order_by(col(Move.version))).all()
        start = positions.snapshot(session, game, 0)
        names = reader.names
    whole: dict[str, Any] = {
        "format": "hikyaku-1",
        "game": game.kind,
        "rules": game.rules,
        "options": game.options,
        "players": names,
        "start": start.hex(),
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "result": game.result,
        "moves": [
            {
                "seq": move.version,
                "seat": move.seat_no,
                "choices": move.choices,
                "decided_by": move.decided_by,
                "at": move.created_at,
                "events": move.events,
                "scores": move.scores,
            }
            for move in moves
        ],
    }
    return Response(
        msgspec.json.format(msgspec.json.encode(whole), indent=1),
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="hikyaku-{game.public_id}.json"'},
    )
