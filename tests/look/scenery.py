"""Positions and tables to render templates with: every state of a table page, by name.

The view is the shape the engine gives; the words are what the service would have put in. Knows no database."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from service.web.table import About, Bar, Blocked, Choice, Chosen, Clock, Notice, Player, Table, Told

NAMES = ["Aiko", "Bruno", "Chidi <b>", "Dana"]
GAME = About(id="k7f3", kind="osaka", title="Traders of Osaka", name="Lisbon to Auckland", status="running", turn=14)
PLACES_TO_GO = ("my", "log", "replay", "result", "rules", "settings", "watch", "pulse", "text", "where", "next")
DEEDS = ("choose", "undo", "restart", "rest", "send")
URLS = {name: f"/g/k7f3/{name}" for name in PLACES_TO_GO + DEEDS}
KINDS = ("port", "sea", "anchor", "waves", "waves", "edo")
COLOURS = ("red", "blue", "yellow", "green")
PLACES = ("osaka", "oshima", "anori", "enshunada1", "enshunada2", "edo")


def slots(*cards: str | tuple[str, int]) -> list[dict[str, Any]]:
    return [{"card": c, "reserved": None} if isinstance(c, str) else {"card": c[0], "reserved": c[1]} for c in cards]


def seat(hand: str, goods: str, vp: int, **tokens: int) -> dict[str, Any]:
    """`goods`: cards apart by spaces, a + marks an insured one."""
    cards = hand.split()
    return {
        "hand": cards,
        "cards": len(cards),
        "coins": sum(int(card[-1]) for card in cards),
        "goods": [{"card": good.rstrip("+"), "insured": good.endswith("+")} for good in goods.split()],
        "tokens": {colour: tokens.get(colour, 0) for colour in COLOURS},
        "vp": vp,
        "reserving": None,
    }


def osaka() -> dict[str, Any]:
    return {
        "game": "osaka",
        "players": 4,
        "options": {"open_information": True},
        "turn": 14,
        "you": 0,
        "pending": [],
        "over": False,
        "ships": {"red": 1, "blue": 4, "yellow": 0, "green": 2},
        "route": [{"name": name, "kind": kind} for name, kind in zip(PLACES, KINDS, strict=True)],
        "market": slots("yellow5", "blue2", ("red3", 1), "green2", "yellow2"),
        "farm": slots(("red5", 0), "green3", "blue5"),
        "icons": {f"{colour}{value}": {2: 2, 3: 1, 5: 0}[value] for colour in COLOURS for value in (2, 3, 5)},
        "deck": 61,
        "discard": 12,
        "current": 0,
        "first": 2,
        "price": 11,
        "seats": [
            seat("red2 red2 blue5 yellow3", "red5 red3+ blue2", 7, red=2, green=1),
            seat("red2 blue3 green5 green5 yellow2", "yellow5 yellow5 yellow2", 6, yellow=3),
            seat("red5 blue2 blue2", "blue3 green3 green2", 5, blue=1, green=1),
            seat("red2 red3 blue2 blue3 yellow2 yellow3 green2", "", 4, yellow=1, red=1),
        ],
    }


def hidden(view: dict[str, Any]) -> dict[str, Any]:
    """The same table as the reader sees it when others' hands and points are secret."""
    for other in view["seats"]:
        if other is not view["seats"][view["you"] or 0]:
            other.update(hand=None, coins=None, vp=None)
    return view


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
    view = view or osaka()
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
            Told(1, ["Bruno took yellow 3 as coins."], "9 hours ago"),
            Told(
                2,
                ["Chidi bought 4 goods for 11.", "Green sailed 2 to Anori.", "Blue sailed 1 into Enshunada."],
                "5 hours ago",
            ),
            Told(3, ["Dana missed the deadline: red 2 was taken for her."], "3 hours ago"),
        ],
    )
    return replace(laid, **more)


def your_turn() -> Table:
    buy = option("buy", "Buy the market", "pay 11; yellow sails to Anori, blue to Edo: you get 2 VP; red sinks")
    take = option("take", "Take coins", "one card of the market into your hand")
    no = Blocked("Reserve a card", "your piece lies on red 5 in the farm")
    return page(bar("Buy the market, take a card as coins, or reserve a card?", buy, take, blocked=[no]))


def taking() -> Table:
    cards = {"yellow5": 0, "blue2": 1, "green2": 3, "yellow2": 4}
    options = [
        option(f"take.{c}", f"Take {c[:-1]} {c[-1]}", f"{c[-1]} coins", f"market:{at}") for c, at in cards.items()
    ]
    state = bar("Which card do you take as coins?", *options, chosen=["Take coins"])
    return page(state, step="1")


def paying() -> Table:
    view = osaka()
    view["seats"][0] = seat("red2 red2 red3 blue2 blue5 yellow2 yellow3 green5", "red5 red3+ blue2", 7, red=2, green=1)
    kinds = {
        "red2": (0, 1),
        "red3": (2,),
        "blue2": (3,),
        "blue5": (4,),
        "yellow2": (5,),
        "yellow3": (6,),
        "green5": (7,),
    }
    options = [
        option(f"pay.{c}", f"Pay {c[:-1]} {c[-1]}", f"{c[-1]} coins", *[f"hand:{at}" for at in ats])
        for c, ats in kinds.items()
    ]
    state = bar(
        "Pay 6 more of 11.",
        *options,
        chosen=["Buy the market", "Pay green 5"],
        rest="pay yellow 3 and red 3",
    )
    return page(state, view, step="2")


def token() -> Table:
    view = osaka()
    view.update(price=0, turn=0)
    for no, row in enumerate(view["seats"]):
        view["seats"][no] = seat(" ".join(row["hand"][:3]), "", 0, red=int(no == 1))
    options = [
        option(f"token.{c}", f"Take {c}", f"your {c} goods sell for 1 more each", f"token:{c}")
        for c in ("red", "blue", "yellow", "green")
    ]
    return page(bar("Take your first achievement token.", *options), view, lately=[], changed=frozenset())


def insurance() -> Table:
    view = osaka()
    view["ships"].update(red=3, blue=5)
    options = [
        option("insure.red2", "Discard red 2", "insures 2 lacquer", "hand:0", "hand:1"),
        option("done", "No more insurance", "red 5 goes down with the ship"),
    ]
    outcome = Notice("warn", "Bruno's purchase brought blue to Edo. Red is in the waves.")
    return page(bar("Red sinks. Insure your lacquer?", *options), view, outcome=outcome)


def insured_goods() -> Table:
    view = osaka()
    view["seats"][0] = seat("blue5", "red5 red3 red2 blue2", 7, red=2)
    options = [option(f"goods.red{v}", f"Insure red {v}", "", f"goods:0:{at}") for at, v in enumerate((5, 3, 2))]
    state = bar("Which of your red goods is insured? 2 more.", *options, chosen=["Discard red 2"])
    return page(state, view, step="1")


def waiting() -> Table:
    told = clock("waiting", "Bruno is thinking.", "Since 3 hours; it is 17:12 in Warsaw.", left="20 h")
    view = osaka()
    view.update(current=1, price=14)
    return page(None, view, people=people(1), clock=told, outcome=Notice("good", "Your turn was played."))


def held() -> Table:
    state = bar(
        "Your turn is ready.",
        chosen=["Buy the market", "Pay green 5", "Pay yellow 3", "Pay red 3"],
        held=True,
        summary="You pay 11 for yellow 5, blue 2, green 2, yellow 2. Yellow sails to Anori, blue to Edo.",
    )
    return page(state, step="4")


def done() -> Table:
    chosen = ["Take coins", "Take blue 2"]
    return page(bar("Your turn is ready.", chosen=chosen, done=True, summary="You take blue 2."), step="2")


def secret() -> Table:
    return page(None, hidden(osaka()), people=people(1), clock=clock("sent", "Your turn is on its way.", ""))


def watching() -> Table:
    view = osaka()
    view["you"] = None
    for row in view["seats"]:
        row.update(hand=None, coins=None, vp=None)
    told = clock("waiting", "Bruno is thinking.", "", told="", deadline_local="")
    return page(None, view, me=None, people=people(1, None), clock=told)


def over() -> Table:
    view = osaka()
    view.update(over=True, current=None, price=0)
    said = clock("over", "Aiko wins with 26.", "Bruno 19, Chidi 17, Dana 12.", deadline_local="", told="")
    return page(None, view, people=people(None), clock=said, changed=frozenset())


def hoarding() -> Table:
    """More of everything than a table has seen so far."""
    view = osaka()
    every = [f"{colour}{value}" for colour in ("red", "blue", "yellow", "green") for value in (2, 3, 5)]
    view["seats"][0] = seat(" ".join(sorted(every * 2)), "red2 red2+ " + "red5 " * 12 + "green3+ " * 5, 31, red=7)
    view["market"] = slots(*every[:5], ("red5", 0), ("blue5", 1), ("green5", 2), ("yellow5", 3))
    return page(
        None, view, people=people(1), changed=frozenset(f"goods:0:{at}" for at in range(19)) | {"market:5", "hand:3"}
    )


def crowded() -> Table:
    """As many choices as a decision may offer, and names that try to break out."""
    options = [option(f"go.{n}", f"Choice number {n}", "with a consequence in small type") for n in range(60)]
    told = people()
    told[1] = replace(told[1], name="Bartholomew-Maximilian <script>alert(1)</script> of the Northern Provinces")
    return page(bar("Choose one of many.", *options), people=told)


TO_ACT = (your_turn, taking, paying, token, insurance, insured_goods, held, done, crowded)
AT_REST = (waiting, secret, watching, over, hoarding)
STATES = {made.__name__: made for made in TO_ACT + AT_REST}
