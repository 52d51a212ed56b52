"""Positions and tables to render templates with: every state of a table page, by name.

The position is the engine's and the words are the service's: a state is a match with the choices of a draft. Knows no
database."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine import Match
from service.models import Seat
from service.play.drafts import Turn
from service.web import table
from service.web.table import About, Bar, Choice, Chosen, Clock, Notice, Player, Table, Told
from tests.engine.osaka.positions import do, position

NAMES = ["Aiko", "Bruno", "Chidi <b>", "Dana"]
GAME = About(id="k7f3", kind="osaka", title="Traders of Osaka", name="Lisbon to Auckland", status="running", turn=14)
PLACES_TO_GO = ("my", "log", "replay", "result", "rules", "settings", "watch", "pulse", "text", "where", "next", "desk")
DEEDS = ("choose", "undo", "restart", "rest", "send", "here", "propose", "vote", "leave", "desk")
URLS = {name: f"/g/k7f3/{name}" for name in PLACES_TO_GO + DEEDS}
POSITION: dict[str, Any] = {
    "market": "yellow5 blue2 red3@1 green2 yellow2",
    "farm": "red5@2 green3 blue5",
    "hands": [
        "red2 red2 blue5 yellow3",
        "red2 blue3 green5 green5 yellow2",
        "red5 blue2 blue2",
        "red2 red3 blue2 blue3 yellow2 yellow3 green2",
    ],
    "had": ["red5 red3! blue2", "yellow5 yellow5 yellow2", "blue3 green3 green2"],
    "tokens": [{"red": 2, "green": 1}, {"yellow": 3}, {"blue": 1, "green": 1}, {"yellow": 1, "red": 1}],
    "vp": [7, 6, 5, 4],
    "ships": {"red": 1, "blue": 4, "green": 2},
}


def osaka(**changes: Any) -> Match:
    """A position of Traders of Osaka, with some of it changed."""
    return position(**(POSITION | changes))


def option(id: str, label: str, hint: str = "", *spots: str) -> Choice:
    return Choice(id, label, hint, spots)


def people(to_act: int | None = 0, me: int | None = 0) -> list[Player]:
    told = [
        Player(0, NAMES[0], local_time="16:12", zone_city="Lisbon"),
        Player(1, NAMES[1], local_time="17:12", zone_city="Warsaw"),
        Player(2, NAMES[2], bot=True),
        Player(3, NAMES[3], local_time="03:12", zone_city="Auckland", asleep=True, note="away until Friday"),
    ]
    return [replace(p, me=p.no == me, to_act=p.no == to_act, since="3 hours" if p.no == to_act else None) for p in told]


def clock(state: str, headline: str, detail: str, **more: Any) -> Clock:
    until = {
        "deadline_local": "Tue 17 Nov, 20:00",
        "zone": "Lisbon",
        "deadline_utc": "20:00 UTC",
        "left": "1 day 4 h",
        "told": "You were last written to 3 hours ago (sent).",
    }
    return Clock(state, headline, headline, detail, **(until | more))


def bar(prompt: str, *options: Choice, chosen: Sequence[str] = (), **more: Any) -> Bar:
    return Bar(prompt, options, chosen=[Chosen(label, label) for label in chosen], **more)


def page(state: Bar | None, view: dict[str, Any] | None = None, **more: Any) -> Table:
    """A whole table for a bar (None: nothing to do)."""
    view = view or osaka().view(0)
    laid = Table(
        game=GAME,
        urls=URLS,
        view=view,
        me=view["you"],
        version=27,
        step="0",
        people=people(),
        clock=clock("yours", "Aiko, it is your turn.", "Chidi played 3 hours ago."),
        bar=state,
        changed=frozenset({"market:4", "ship:green", "goods:2:1"}),
        lately=[
            Told(1, "Bruno took yellow 3 as coins.", "9 hours ago"),
            Told(
                2, "Chidi bought 4 goods for 11. Green sailed 2 to Anori. Blue sailed 1 into Enshunada.", "5 hours ago"
            ),
            Told(3, "Dana missed the deadline: red 2 was taken for her.", "3 hours ago"),
        ],
    )
    laid = replace(laid, **more)
    return replace(laid, lately=[told for told in laid.lately if told.who is None or told.who < len(laid.people)])


def sit(match: Match, *choices: str, **more: Any) -> Table:
    """What the first seat is shown of this match, with these choices of its draft made."""
    turn = Turn(match.draft(), [], [], match.turn, len(match.events))
    for choice in choices:
        turn.make(0, choice)
    view = match.view(0)
    asked = choices or turn.decision(0)
    bar = table._bar(turn, Seat(no=0, name=NAMES[0]), NAMES, view["trail"]) if asked else None
    return page(bar, view, step=turn.step, **more)


def your_turn() -> Table:
    return sit(osaka())


def one_card() -> Table:
    """The piece lies on a card already, and the hand cannot pay: each card has one use."""
    return sit(osaka(market="yellow5 blue2 red3@1 green2 yellow5@0"))


def taking() -> Table:
    return sit(osaka(), "take")


def paying() -> Table:
    rich = ["red2 red2 red3 blue2 blue5 yellow2 yellow3 green5", *POSITION["hands"][1:]]
    return sit(osaka(hands=rich), "buy", "pay.green5")


def token() -> Table:
    match = Match.start("osaka", players=4, seed=5)
    while not any(decision.seat == 0 for decision in match.pending):
        do(match, match.pending[0].default)
    return sit(match, lately=[], changed=frozenset())


def insurance() -> Table:
    match = osaka(turn_of=1, market="blue2", hands=["red2 red2 blue5", "blue2 green2"], ships={"blue": 4, "red": 3})
    outcome = Notice("warn", "Bruno's purchase brought blue to Edo. Red is in the waves.")
    return sit(do(match, "buy", "pay.blue2"), outcome=outcome)


def insured_goods() -> Table:
    goods = ["red5 red3 red2 blue2", *POSITION["had"][1:]]
    ships = {"blue": 4, "red": 3}
    match = osaka(turn_of=1, market="blue2", hands=["red2 blue5", "blue2 green2"], had=goods, ships=ships)
    return sit(do(match, "buy", "pay.blue2"), "insure.red2")


def waiting() -> Table:
    told = clock("waiting", "Bruno is thinking.", "Since 3 hours; it is 17:12 in Warsaw.", left="20 h")
    played = Notice("good", "Your turn was played.")
    return sit(osaka(turn_of=1), people=people(1), clock=told, outcome=played)


def held() -> Table:
    return sit(osaka(), "buy", "pay.blue5", "pay.yellow3")


def done() -> Table:
    return sit(osaka(), "take", "take.blue2")


def secret() -> Table:
    told = clock("sent", "Your turn is on its way.", "")
    return sit(osaka(turn_of=1, open_information=False), people=people(1), clock=told)


def watching() -> Table:
    view = osaka(turn_of=1, open_information=False).view(None)
    told = clock("waiting", "Bruno is thinking.", "", told="", deadline_local="")
    return page(None, view, me=None, people=people(1, None), clock=told)


def over() -> Table:
    match = osaka(market="blue2", tokens=[{"red": 7}], hands=["blue2"])
    said = clock("over", "Aiko wins with 26.", "Bruno 19, Chidi 17, Dana 12.", deadline_local="", told="")
    return sit(do(match, "buy"), people=people(None), clock=said, changed=frozenset())


def hoarding() -> Table:
    """More of everything than a table has seen so far."""
    every = [f"{colour}{value}" for colour in ("red", "blue", "yellow", "green") for value in (2, 3, 5)]
    hand, goods = " ".join(every * 2), "red2 red2! " + "red5 " * 12 + "green3! " * 5
    market = " ".join([*every[:5], "red5@0", "blue5@1", "green5@2", "yellow5@3"])
    match = osaka(turn_of=1, market=market, hands=[hand], had=[goods], tokens=[{"red": 7}])
    changed = frozenset(f"goods:0:{at}" for at in range(19)) | {"market:5", "hand:3"}
    return sit(match, people=people(1), changed=changed)


def crowded() -> Table:
    """As many choices as a decision may offer, and names that try to break out."""
    options = [option(f"go.{n}", f"Choice number {n}", "with a consequence in small type") for n in range(60)]
    told = people()
    told[1] = replace(told[1], name="Bartholomew-Maximilian <script>alert(1)</script> of the Northern Provinces")
    return page(bar("Choose one of many.", *options), people=told)


TO_ACT = (your_turn, one_card, taking, paying, token, insurance, insured_goods, held, done, crowded)
AT_REST = (waiting, secret, watching, over, hoarding)
STATES = {made.__name__: made for made in TO_ACT + AT_REST}
