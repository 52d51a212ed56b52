"""Table pages of real matches, laid as the service lays them, without a database: for looking at templates."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment, StrictUndefined

from engine import GAMES, Match
from service.models import Seat
from service.play.drafts import Turn
from service.post import language
from service.post.render import AUTOESCAPE, furnish, loader
from service.web import table
from service.web.drawing import Flush
from service.web.table import DEEDS, About, Clock, Line, Player, Table, Told
from tests.shared import share_templates

ROOT = Path(__file__).parents[2]
NAMES = ["Aiko", "Chidi <b>", "Bruno", "Dana"]
THERE = (("16:12", "Lisbon"), ("17:12", "Lagos"), ("17:12", "Warsaw"), ("03:12", "Auckland"))
PLACES_TO_GO = ("my", "log", "replay", "result", "rules", "settings", "watch", "pulse", "text", "where", "next", "desk")
URLS = {name: f"/g/k7f3/{name}" for name in PLACES_TO_GO + DEEDS}


@cache
def environment() -> Environment:
    """Templates as the service sets them up."""
    env = Environment(loader=loader(), autoescape=AUTOESCAPE, undefined=StrictUndefined, extensions=[Flush])
    env.globals["url_for"] = lambda endpoint, **values: "/".join(["", endpoint, *map(str, values.values())])
    env.globals["csrf_token"] = lambda: "c5rf"
    furnish(env)
    share_templates(env)
    return env


def render(template: str, context: Table | dict[str, Any]) -> str:
    given = context.shown() if isinstance(context, Table) else context
    return environment().get_template(template).render(**given)


def on_disk(html: str) -> str:
    """The page with its style sheets and script taken from the tree, for a browser without a server."""
    static, titles = ((ROOT / folder).as_uri() for folder in ("service/web/static", "templates/titles"))
    sheets = (f"{static}/hikyaku.css", f"{static}/table.css", rf"{titles}/\1/style.css")
    links = "".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in sheets)
    html = html.replace('"/static/', f'"{static}/')
    return re.sub(r'<link rel="stylesheet" href="/start\.table_style/(\w+)">', links, html)


def lay(match: Match, me: int | None, *choices: str) -> Table:
    """The table as this seat finds it; a seat that is asked has its choices, with these of its draft made."""
    title = match.game
    language.speak_of(language.Edition(title.dialect_of(match.view(None)["options"])))
    asked = {decision.seat for decision in match.pending}
    names = NAMES[: match.players]
    turn = Turn(match.draft(), [], [], match.turn, len(match.events))
    for choice in choices:
        turn.make(cast(int, me), choice)
    view = match.view(me)
    return Table(
        game=About("k7f3", title.id, title.title, "Lisbon to Auckland", "running", match.turn, ["An edition"]),
        urls=URLS,
        me=me,
        people=[
            Player(no, name, local_time=time, zone_city=city, me=no == me, to_act=no in asked)
            for no, (name, (time, city)) in enumerate(zip(names, THERE, strict=False))
        ],
        view=view,
        version=27,
        clock=_clock(match, me in asked),
        step=turn.step,
        bar=table._bar(turn, Seat(no=me, given=names[me]), names, view.get("trail", ())) if me in asked else None,
        changed=frozenset(),
        away=[] if me is None else [Line(0, f"{names[0]} did something to you.", [26], mine=True)],
        lately=[Told(0, f"{names[0]} did something.", "3 hours ago", 26)],
    )


def _clock(match: Match, yours: bool) -> Clock:
    if match.over:
        return Clock("over", "The game is over.", "Over")
    return Clock("yours", "It is your turn.", "Your turn") if yours else Clock("waiting", "Bruno thinks.", "Bruno")


def walk(
    kind: str, players: int, *, seed: int = 3, every: int = 9, options: dict[str, Any] | None = None
) -> Iterator[Table]:
    """A match between built-in players, every so many choices as the seat that is asked sees it, and at its end."""
    match = Match.start(kind, players=players, seed=seed, options=options)
    made = 0
    seen: set[str] = set()
    while not match.over:
        decision = match.pending[0]
        if made % every == 0 or decision.prompt not in seen:
            yield lay(Match.load(match.save()), decision.seat)
        seen.add(decision.prompt)
        match.choose(decision.seat, match.bot_choice(decision.seat))
        made += 1
    yield lay(match, 0)


MOST = {kind: title.players[-1] for kind, title in GAMES.items()}
