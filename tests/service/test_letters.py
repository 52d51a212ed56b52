"""Every kind of letter: its templates, the wish it obeys, and what it says, each written by the pages and tasks that
write it and read from a real position."""

import ast
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import time_machine
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, SQLModel, select

from engine import GAMES
from service.config import Settings, Smtp
from service.db import db, utcnow
from service.inbox import receiving
from service.models import Attempt, Game, Jury, Letter, LetterStatus, Link, Person, Policy, Received
from service.play import forgetting, joining, making, record
from service.play.clocks import Pace
from service.post import bells, envelope, letters, links, outbox
from service.post.letters import KINDS, Confirmation, Join, Kind, NewAddress, OldAddress, Stranded, Turn
from service.post.told import told
from service.post.wishes import Wish
from tests.play import House, Page, Picture, Player, Table, body, mail_of, mint, parse
from tests.servers import MailServer
from tests.service.bounces import POSTFIX
from tests.service.test_bounces import bounce_address
from tests.service.test_desk import rule
from tests.service.test_replies import heard_in
from workers import courier, doctor, reader, timekeeper

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates" / "letters"
FRAMES = {"question.txt", "question.html", "help.txt", "help.html", "base.html", "base.txt", "parts.html", "parts.txt"}

MORNING = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
PACE = Pace(timedelta(hours=6), reserve=timedelta(hours=2), grace=timedelta(hours=1), round_the_clock=True)
ADDRESS = re.compile(r"http://localhost(/[lu]/[\w-]+)")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


# --- how each kind comes to be written: with pages, rulings and sweeps, and nobody carrying letters meanwhile


@dataclass
class Read:
    """What the newest letter of a kind must say, to whom, and which page its link opens."""

    reader: str
    says: tuple[str, ...]
    opens: str = ""


Scene = Callable[[House, time_machine.Traveller], Read]
SCENES: dict[str, Scene] = {}


def scene(name: str) -> Callable[[Scene], Scene]:
    def remember(written: Scene) -> Scene:
        SCENES[name] = written
        return written

    return remember


def begun(house: House, **plan: Any) -> Table:
    plan = {"policy": Policy.MODERATOR, "moderator": ("Mika", mail_of("Mika")), "moderator_hours": 5, **plan}
    return house.begun(["Aiko", "Bruno"], name="Crew <1>", pace=PACE, **plan)


def others(table: Table, player: Player) -> Player:
    return next(other for other in table.players if other.name != player.name)


def comes(player: Player) -> Page:
    return player.browser.get(mint(player.house, links.mint_seat, player.seat))


def desk(table: Table) -> Page:
    return table.desk()


def after(clock: time_machine.Traveller, *hours: float) -> None:
    for hour in hours:
        clock.move_to(MORNING + timedelta(hours=hour))
        timekeeper.sweep()


@scene("organiser")
def _organiser(house: House, clock: time_machine.Traveller) -> Read:
    house.game(["Aiko", "Bruno", "Bot*"], name="Crew <1>")
    return Read("Aiko", ("Your game is made", "are out to Bruno."), "/organise")


@scene("confirmation")
def _confirmation(house: House, clock: time_machine.Traveller) -> Read:
    aiko, bruno, chidi = ((name, mail_of(name)) for name in ("Aiko", "Bruno", "Chidi"))
    plan = making.Plan(kind="osaka", organiser=aiko, seats=[aiko, bruno, chidi], name="Crew <1>", confirmed=False)
    outbox.transaction(making.create)(plan)
    return Read("Aiko", ("Somebody has made a game", "then 2 invitations go out", "deleted after 7 days"), "/organise")


@scene("invitation")
def _invitation(house: House, clock: time_machine.Traveller) -> Read:
    house.game(["Aiko", "Bruno"], name="Crew <1>")
    return Read("Bruno", ("Aiko invites you", "Hello Bruno", "At the table with you: Aiko."), "/invitation")


def opened(house: House, *names: str) -> Table:
    """Aiko's table, at which these have sat down, and one seat more is open."""
    open_seats = {f"seat-{row}-who": "open" for row in range(1, len(names) + 2)}
    table = house.game(["Aiko"], name="Crew <1>", **open_seats)
    for name in names:
        sits(table, name)
    return table


@outbox.transaction
def asks(session: Session, table: Table, name: str) -> None:
    joining.ask(session, record.lock(session, table.game().id), name, mail_of(name), "UTC")


@outbox.transaction
def sits(session: Session, table: Table, name: str) -> None:
    person = making.person_for(session, name, mail_of(name))
    joining.sit(session, record.lock(session, table.game().id), person, None)


@scene("join")
def _join(house: House, clock: time_machine.Traveller) -> Read:
    asks(opened(house), "Chidi")
    return Read("Chidi", ("Somebody has asked for a seat", "as long as one is open"), "/join")


@scene("seated")
def _seated(house: House, clock: time_machine.Traveller) -> Read:
    opened(house, "Chidi")
    return Read("Chidi", ("You have a seat", "Hello Chidi, you have a seat at the table."), "/invitation")


@scene("joined")
def _joined(house: House, clock: time_machine.Traveller) -> Read:
    opened(house, "Chidi")
    return Read("Aiko", ("Chidi has come with your code", "One more seat has nobody who plays"), "/organise")


@scene("again")
def _again(house: House, clock: time_machine.Traveller) -> Read:
    table = opened(house, "Chidi")
    clock.move_to(MORNING + timedelta(days=3))
    sits(table, "Dana")
    table.organise().press("Begin the game")
    return Read("Chidi", ("Do you still play?", "Please press the button by"), "/invitation")


@scene("no-seat")
def _no_seat(house: House, clock: time_machine.Traveller) -> Read:
    table = opened(house, "Chidi")
    table.organise().press("Say no to Chidi")
    return Read("Chidi", ("You have no seat at this table any more", "has decided to play it with others"))


@scene("said")
def _said(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house, whispers=True)
    aiko, bruno = table.players
    clock.shift(timedelta(minutes=1))
    page = comes(aiko)
    page.press("Say", text="Mind your tea.", to=f"{bruno.no}:Bruno")
    page.press("Say", text="bruno, it is a fine day", to="all")
    clock.shift(timedelta(minutes=11))
    return Read(
        "Bruno",
        ("Aiko said something to you.", "Aiko said to you alone:", "Mind your tea.", "reply with “tell Aiko:”"),
        "/seat/",
    )


@scene("nudge")
def _nudge(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    thinker = table.to_move()
    after(clock, 3)
    comes(others(table, thinker)).press(f"Remind {thinker.name}")
    asker = others(table, thinker).name
    return Read(thinker.name, (f"{asker} would love to see your turn", "a friendly reminder"), "/seat/")


@scene("inherited")
def _inherited(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    outbox.transaction(forgetting.forget)(table.game().organiser_id, MORNING)
    return Read("Mika", ("You are the organiser of this game now", "is not here any more"), "/organise")


def asks_for_another_address(house: House) -> Table:
    table = begun(house)
    page = comes(table.player("Aiko")).browser.get(f"/my/data/{table.seats()[0].person_id}/address")
    page.press("Write to both", mail="aiko@elsewhere.example")
    return table


@scene("new-address")
def _new_address(house: House, clock: time_machine.Traveller) -> Read:
    asks_for_another_address(house)
    return Read("Aiko", ("wants their letters at this address", "until then nothing changes"), "/confirm")


@scene("old-address")
def _old_address(house: House, clock: time_machine.Traveller) -> Read:
    asks_for_another_address(house)
    return Read("Aiko", ("Your letters are to go to another address", "If not, stop it"), "/stop")


@scene("declined")
def _declined(house: House, clock: time_machine.Traveller) -> Read:
    table = house.game(["Aiko", "Bruno"], name="Crew <1>")
    comes(table.player("Bruno")).press("decline")
    return Read("Aiko", ("Bruno has declined", "empty seat"), "/organise")


@scene("without")
def _without(house: House, clock: time_machine.Traveller) -> Read:
    table = house.game(["Aiko", "Bruno", "Chidi"], name="Crew <1>")
    comes(table.player("Bruno")).press("accept")
    table.organise().press("Start with those who accepted")
    return Read("Chidi", ("The game has begun without you", "A game of Traders of Osaka"))


@scene("cancelled")
def _cancelled(house: House, clock: time_machine.Traveller) -> Read:
    table = house.game(["Aiko", "Bruno"], name="Crew <1>")
    table.organise().press("Call the game off")
    return Read("Bruno", ("The game is called off", "Bruno, Aiko has called off the game of Traders of Osaka"))


@scene("lapsed")
def _lapsed(house: House, clock: time_machine.Traveller) -> Read:
    house.game(["Aiko", "Bruno"], name="Crew <1>")
    after(clock, 61 * 24)
    return Read("Aiko", ("The game is called off", "has waited 60 days for everybody to accept, and never began."))


@scene("started")
def _started(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    first = table.to_move()
    return Read(others(table, first).name, ("You play together: Aiko and Bruno.", f"{first.name} begins."), "/seat/")


@scene("turn")
def _turn(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    first = table.to_move()
    table.rush(1)
    second = table.to_move()
    return Read(
        second.name,
        (f"{second.name}, it is your turn", "6 hours, then your reserve of 2 hours", f"{first.name} "),
        "/seat/",
    )


@scene("understood")
def _understood(house: House, clock: time_machine.Traveller) -> Read:
    player = begun(house).to_move()
    for task, args in list(house.waiting):
        house.run(task, *args)
    player.answer("1")
    (row,) = house.all(Received)
    reader.read(row.id)
    return Read(player.name, (f"{player.name} began with a token", "Answer “send” to play it, or “undo”"), "/seat/")


@scene("doubted")
def _doubted(house: House, clock: time_machine.Traveller) -> Read:
    player = begun(house).to_move()
    for task, args in list(house.waiting):
        house.run(task, *args)
    player.answer("Free money\n1", From="stranger@players.example")
    (row,) = house.all(Received)
    reader.read(row.id)
    return Read(player.name, ("Somebody answered for you", "It came from another address than yours."), "/answers")


@scene("returned")
def _returned(house: House, clock: time_machine.Traveller) -> Read:
    player = begun(house).to_move()
    for task, args in list(house.waiting):
        house.run(task, *args)
    receiving.receive(POSTFIX.format(mail=player.mail).encode(), bounce_address(player))
    (row,) = house.all(Received)
    reader.read(row.id)
    says = (f"Letters to {player.name} come back", "550 5.1.1", f"clock of {player.name} stands still until")
    return Read("Mika", says, "/desk")


@scene("over")
def _over(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    table.rush(6)
    rule(desk(table), "end", result="yes")
    game = table.game()
    assert game.result is not None
    standings = [table.seats()[row["seat"]].name for row in game.result]
    return Read("Bruno", (*standings, str(game.result[0]["score"])), "/seat/")


@scene("reminder")
def _reminder(house: House, clock: time_machine.Traveller) -> Read:
    late = begun(house).to_move()
    after(clock, 4.1)
    return Read(late.name, ("3 h 54 min left for your turn", "1 h 54 min, then your reserve of 2 hours"), "/seat/")


@scene("late")
def _late(house: House, clock: time_machine.Traveller) -> Read:
    late = begun(house).to_move()
    after(clock, 8)
    says = ("Your time is up, but you can still play", f"{late.name}, there is a grace", "UTC (in 1 hour)")
    plays = ("A token of lacquer", "To play by mail, answer this letter with numbers")
    return Read(late.name, (*says, "After that, the moderator decides for you.", *plays), "/seat/")


@scene("delay")
def _delay(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house, policy=Policy.PASS)
    late = table.to_move()
    after(clock, 8)
    says = (
        f"{late.name} is late",
        f"The time for {late.name}'s turn is used up.",
        "the least committing play is made.",
    )
    return Read(others(table, late).name, says, "/seat/")


@scene("out-of-time")
def _out_of_time(house: House, clock: time_machine.Traveller) -> Read:
    late = begun(house).to_move()
    after(clock, 8, 9)
    says = (f"{late.name} is out of time: please decide", "If you say nothing until", "UTC (in 5 hours)")
    return Read("Mika", (*says, "the least committing play is made."), "/desk")


@scene("missed")
def _missed(house: House, clock: time_machine.Traveller) -> Read:
    late = begun(house).to_move()
    after(clock, 8, 9, 14.1)
    says = ("Your turn was played for you", f"{late.name}, your time was up. This was played: ", "ask Mika")
    return Read(late.name, says, "/seat/")


@scene("moderator")
def _moderator(house: House, clock: time_machine.Traveller) -> Read:
    begun(house)
    return Read("Mika", ("You look after this game", "The game has begun, with Aiko and Bruno."), "/desk")


@scene("extended")
def _extended(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    player = table.to_move()
    rule(desk(table), "extend", seat=player.no, hours=12)
    return Read(player.name, ("You have more time", "You have until", "UTC (in 20 hours)", "They are ill."), "/seat/")


@scene("offer")
def _offer(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    table.rush(1)
    player = table.to_move()
    rule(desk(table), "substitute", seat=player.no, name="Emil", mail=mail_of("Emil"))
    others = " and ".join(other.name for other in table.players if other is not player)
    made = "Aiko has made a game of Traders of Osaka that is under way"
    says = (f"Would you take over from {player.name}?", made, f"At the table: {others}.")
    return Read("Emil", says, "/offer/")


@scene("left")
def _left(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    player = table.to_move()
    rule(desk(table), "bot", seat=player.no)
    return Read(
        player.name,
        ("The bot plays your seat now", "Decided by Mika: ", "Your links to this game do not work any more."),
    )


@scene("paused")
def _paused(house: House, clock: time_machine.Traveller) -> Read:
    rule(desk(begun(house)), "pause", days=2)
    return Read("Bruno", ("The game is paused", "They are ill.", "UTC (in 2 days) at the latest."), "/seat/")


@scene("resumed")
def _resumed(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    page = desk(table)
    rule(page, "pause", days=2)
    clock.shift(timedelta(hours=3))
    rule(page, "resume")
    says = ("The game goes on", "They are ill.", "It is your turn, until ")
    return Read(table.to_move().name, says, "/seat/")


@scene("over-former")
def _over_former(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    leaver = table.to_move()
    page = desk(table)
    rule(page, "bot", seat=leaver.no)
    rule(page, "end", result="yes")
    says = ("Bruno", "The link is for watching: you held a seat in this game once.")
    return Read(leaver.name, says, "/watch")


@scene("silent")
def _silent(house: House, clock: time_machine.Traveller) -> Read:
    begun(house, policy=Policy.PASS)
    after(clock, *range(1, 20))
    says = ("Is anybody still there?", "Nobody has played for a whole round.", "it ends without a result on ")
    return Read("Bruno", says, "/seat/")


@scene("silent-outside")
def _silent_outside(house: House, clock: time_machine.Traveller) -> Read:
    begun(house, policy=Policy.PASS)
    after(clock, *range(1, 20))
    says = ("Nobody has played for a whole round.", "or when you let it go on at the desk", "ends without a result on ")
    return Read("Mika", says, "/desk")


@scene("asked")
def _asked(house: House, clock: time_machine.Traveller) -> Read:
    rule(desk(begun(house)), "moderator", name="Nils", mail=mail_of("Nils"))
    return Read("Nils", ("Would you look after this game?", "Aiko has made a game of Traders of Osaka"), "/moderate")


@scene("hand-over")
def _hand_over(house: House, clock: time_machine.Traveller) -> Read:
    table = house.game(["Aiko", "Bruno"], name="Crew <1>")
    table.organise().press("Ask them to be the organiser", name="Olga", mail=mail_of("Olga"))
    says = ("Would you be the organiser of this game?", "Aiko would hand a game of Traders of Osaka over to you")
    return Read("Olga", says, "/hand-over")


@scene("answered")
def _answered(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    rule(desk(table), "substitute", seat=1, name="Emil", mail=mail_of("Emil"))
    house.browser().get(mint(house, links.mint_offer, table.seats()[1])).press("No, thank you")
    return Read("Mika", ("Emil has answered", "Emil does not take over from Bruno. Nothing has changed."))


@scene("together")
def _together(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house, moderator=None, jury=Jury.GROUP)
    late = table.to_move()
    after(clock, 8, 9)
    says = (f"{late.name} is out of time: what now?", "If nothing is agreed until", "UTC (in 5 hours)")
    return Read(others(table, late).name, (*says, "the least committing play is made."), "/seat/")


@scene("ruled")
def _ruled(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    table.rush(2)
    rule(desk(table), "rewind", version=0)
    says = ("This was decided", "Back to the position after move 0: 2 moves are withdrawn.", "They are ill.")
    return Read("Bruno", (*says, "Decided by Mika: Mon 1 Jun, 09:00 UTC."), "/seat/")


@scene("proposed")
def _proposed(house: House, clock: time_machine.Traveller) -> Read:
    rule(desk(begun(house, moderator=None, jury=Jury.PLAYER)), "end")
    says = ("Aiko proposes something", "This would happen: The game ends now, without a result.", "They are ill.")
    return Read("Bruno", (*says, "Silence is no answer"), "/seat/")


@scene("dropped")
def _dropped(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house, moderator=None, jury=Jury.PLAYER)
    rule(desk(table), "end")
    comes(table.player("Bruno")).press("I do not agree")
    says = ("A proposal is closed", "You proposed: The game ends now, without a result.", "Bruno does not agree.")
    return Read("Aiko", says, "/seat/")


@scene("ended")
def _ended(house: House, clock: time_machine.Traveller) -> Read:
    rule(desk(begun(house)), "end")
    says = ("The game was ended", "The game ends now, without a result.", "They are ill.", "Decided by Mika: ")
    return Read("Bruno", says, "/seat/")


@scene("ended-former")
def _ended_former(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house)
    leaver, page = table.to_move(), desk(table)
    rule(page, "bot", seat=leaver.no)
    rule(page, "end")
    says = ("The game was ended", "Decided by Mika: ", "The link is for watching: you held a seat in this game once.")
    return Read(leaver.name, says, "/watch")


def leaves(table: Table, name: str) -> None:
    player = table.player(name)
    comes(player)
    player.browser.get(player.url("/leave")).press("Leave the game for good")


@scene("resigned")
def _resigned(house: House, clock: time_machine.Traveller) -> Read:
    table = house.begun(["Aiko", "Bruno", "Chidi"], name="Crew <1>", pace=PACE)
    leaves(table, "Chidi")
    return Read("Bruno", ("A seat is empty", "Chidi has left the game."), "/seat/")


@scene("vacant")
def _vacant(house: House, clock: time_machine.Traveller) -> Read:
    leaves(begun(house), "Bruno")
    return Read("Aiko", ("A seat is empty", "Bruno has left the game.", "ask them"), "/organise")


@scene("stranded")
def _stranded(house: House, clock: time_machine.Traveller) -> Read:
    begun(house)
    osaka = GAMES["osaka"]
    house.patch.setitem(GAMES, "osaka", replace(osaka, rules=osaka.rules + 1, older={}))
    after(clock, 24)
    return Read("Mika", ("cannot go on", "The rules of Traders of Osaka were corrected", "Please end it"), "/desk")


@scene("outage")
def _outage(house: House, clock: time_machine.Traveller) -> Read:
    begun(house)
    timekeeper.sweep()
    house.patch.setattr(timekeeper, "OUTAGE", timedelta(minutes=15))
    after(clock, 1.5)
    return Read(
        "Mika", ("We were away, and all deadlines have moved", "not running for 90 minutes.", "Nobody timed out")
    )


@scene("bell-off")
def _bell_off(house: House, clock: time_machine.Traveller) -> Read:
    _switch_off(begun(house).game())
    says = "Posts to Discord at discord.com/…ret are not taken any more", "It answered 500.", "/bells"
    return Read("Aiko", ("A bell of yours rings no more", *says))


@outbox.transaction
def _switch_off(session: Session, game: Game) -> None:
    bell = bells.add(session, game.organiser_id, game.id, "discord", "https://discord.com/api/webhooks/1/secret", [])
    assert bell is not None
    bell.off_at, bell.error = utcnow(), told("It answered %(status)s.", status=500)
    session.add(bell)
    outbox.write(session, letters.BellOff(bell))


@scene("links")
def _links(house: House, clock: time_machine.Traveller) -> Read:
    table = begun(house, moderator=("Aiko", mail_of("Aiko")))
    house.game(["Aiko", "Chidi"])
    house.browser().get("/links").press("Mail me my links", mail=mail_of("Aiko"))
    turn = "(your turn!)" if table.to_move().name == "Aiko" else "Traders of Osaka"
    return Read("Aiko", ("Traders of Osaka, Crew <1>", turn, "the moderator's desk", "the organiser's page"), "/")


# --- and what becomes of it


REACHED: dict[str, tuple[Picture, datetime, Read]] = {}  # how it looks, once a scene was played


def reach(house: House, clock: time_machine.Traveller, name: str) -> tuple[Letter, Read]:
    """The newest letter of a kind, written and not yet carried."""
    if name in REACHED:
        picture, now, read = REACHED[name]
        house.come_back_to(picture)
        clock.move_to(now)
    else:
        with house.hold():
            read = SCENES[name](house, clock)
        if name != Stranded.name:  # which hangs on rules that only its own test has
            REACHED[name] = house.picture(), datetime.now(UTC), read
    reader = house.one(Person, Person.mail == mail_of(read.reader))
    *_, letter = house.all(Letter, Letter.kind == name, Letter.person_id == reader.id)
    return letter, read


def deliver(house: House, letter: Letter, settings: Settings | None = None) -> Letter:
    """This one alone: what else there is to tell its reader waits for another day."""
    house.execute("UPDATE letter SET due_at = '2030-01-01' WHERE id <> :id AND status = 'waiting'", id=letter.id)
    courier.deliver(letter.id, settings or house.settings)
    return house.one(Letter, Letter.id == letter.id)


def words_of(message: EmailMessage) -> dict[str, str]:
    """The subject and both parts as somebody reads them, on one line each."""
    page = html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", body(message, "html"), flags=re.DOTALL))
    parts = {"subject": str(message["Subject"]), "text": body(message), "html": page}
    return {name: " ".join(part.split()) for name, part in parts.items()}


IN_THE_DARK = {
    "color:#23252c": "ink",
    "color:#6a6459": "soft",
    "color:#1f3a5f": "indigo",
    "background:#f6f1e6": "paper",
    "background:#fffdf7": "card",
    "background:#1f3a5f": "header",
}


def pale_in_the_dark(page: str) -> list[str]:
    """What has a colour for the day, and none for readers in the dark."""
    set_there = re.findall(r"\.(\w+) \{", page)
    return [
        tag
        for tag in re.findall(r"<\w[^>]*>", page)
        for colour, by in IN_THE_DARK.items()
        if re.search(rf"[\s;\"]{colour}", tag) and not (by in set_there and re.search(rf'class="[^"]*\b{by}\b', tag))
    ]


NAMES_NO_GAME = (Confirmation, Join, NewAddress, OldAddress)  # of Join's words none was typed by anybody
ALL = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def test_every_kind_has_its_three_templates_and_no_template_is_without_a_kind():
    wanted = {f"{name}.{part}" for name in KINDS for part in ("subject.txt", "txt", "html")}
    assert {path.name for path in TEMPLATES.iterdir()} == wanted | FRAMES


def test_every_kind_is_read_here():
    assert SCENES.keys() == KINDS.keys()


@ALL
def test_every_kind_says_which_wish_it_obeys_and_whether_it_may_wake(kind: type[Kind]):
    assert {"name", "wish", "may_wake"} <= vars(kind).keys()
    assert kind.wish is None or isinstance(kind.wish, Wish)
    assert isinstance(kind.may_wake, bool)
    assert kind.__doc__


def test_every_wish_is_a_column_of_a_person():
    assert set(Wish) <= set(SQLModel.metadata.tables["person"].columns.keys())


@ALL
def test_every_kind_is_read_from_a_real_position_the_same_in_both_parts_with_a_way_out_if_it_obeys_a_wish(
    house: House, clock: time_machine.Traveller, kind: type[Kind]
):
    letter, read = reach(house, clock, kind.name)
    sent = deliver(house, letter)
    assert sent.status is LetterStatus.SENT, sent.error
    message = parse(sent.source or "")
    said = words_of(message)
    for sentence in read.says:
        assert sentence in said["text"]
        assert sentence in said["html"]
    assert pale_in_the_dark(body(message, "html")) == []
    for part in said.values():
        assert not re.search(r"\{[{%]|[}%]\}|%\(|None|&lt;|\bFalse\b|\(\)| ,| \.", part), part
    named = letter.game_id is not None and kind is not Confirmation
    assert kind in NAMES_NO_GAME or "Crew &lt;1&gt;" in body(message, "html")
    assert ("Crew <1>" in said["subject"]) == (named and not kind.to_strangers)
    assert '<html lang="en">' in body(message, "html")
    readers = {mail_of(read.reader), str(message["From"].addresses[0].addr_spec)}
    named_here = set(re.findall(r"[\w.+-]+@[\w.-]*\w", " ".join([body(message), body(message, "html")])))
    assert named_here <= readers | {envelope.PICTURE}
    assert all(len(line) <= 78 or "http" in line for line in body(message).splitlines())
    assert heard_in(message) == []
    way_out = bool(kind.wish) or kind.to_strangers
    assert ("List-Unsubscribe" in message) == ("List-Unsubscribe-Post" in message) == way_out
    assert ("/u/" in body(message)) == ("/u/" in body(message, "html")) == way_out
    opened = [address for address in ADDRESS.findall(body(message)) if address.startswith("/l/")]
    assert bool(opened) == bool(read.opens)
    for at, address in enumerate(opened):
        assert address in body(message, "html")
        page = house.browser().get(address)
        assert page.status == 200
        assert at or read.opens in page.url  # what there is to do comes first


@ALL
def test_whoever_unsubscribed_with_one_click_gets_no_letter_that_obeys_a_wish_and_every_other(
    house: House, clock: time_machine.Traveller, kind: type[Kind]
):
    letter, _ = reach(house, clock, kind.name)
    reader = house.one(Person, Person.id == letter.person_id)
    way_out = mint(house, links.mint_letters, reader).replace("/l/", "/u/")
    assert house.browser().post(way_out, {"List-Unsubscribe": "One-Click"}).status == 200
    assert deliver(house, letter).status is (LetterStatus.OBSOLETE if kind.wish else LetterStatus.SENT)


def test_who_stopped_all_letters_hears_nothing_of_a_game_that_runs_late_to_its_end(
    house: House, clock: time_machine.Traveller
):
    table = begun(house, policy=Policy.PASS)
    quiet, heard = table.to_move(), len(table.to_move().letters())
    person = house.one(Person, Person.mail == quiet.mail)
    house.browser().post(mint(house, links.mint_letters, person).replace("/l/", "/u/"))
    after(clock, 4.1, 8.1, 9.1)
    table.rush()
    written = {letter.kind: letter.status for letter in house.all(Letter, Letter.person_id == person.id)}
    for kind in ("reminder", "late", "missed", "turn", "over"):
        assert written[kind] is LetterStatus.OBSOLETE, kind
    assert len(quiet.letters()) == heard


@ALL
def test_only_letters_that_may_wake_somebody_are_sent_in_their_quiet_hours(
    house: House, clock: time_machine.Traveller, mail_server: MailServer, kind: type[Kind]
):
    letter, _ = reach(house, clock, kind.name)
    now = datetime.now(UTC)
    with db.writing() as session:
        for person in session.exec(select(Person)):
            person.quiet_from, person.quiet_to = (now - timedelta(hours=1)).time(), (now + timedelta(hours=1)).time()
        for game in session.exec(select(Game)):
            game.pace = game.pace | {"round_the_clock": False}
    settings = replace(house.settings, smtp=Smtp(mail_server.host, mail_server.port), post_office=False)
    sent = deliver(house, letter, settings)
    assert (sent.status is LetterStatus.SENT) == bool(mail_server.messages) == kind.may_wake
    assert kind.may_wake or sent.due_at == now + timedelta(hours=1)


def test_a_turn_that_runs_out_again_after_an_extension_is_told_again(house: House, clock: time_machine.Traveller):
    table = begun(house)
    late = table.to_move()
    after(clock, 4.1, 8, 9)
    rule(desk(table), "extend", seat=late.no, hours=12)
    after(clock, 10.6, 21, 22)
    for name, to in (("late", late.name), ("delay", others(table, late).name), ("out-of-time", "Mika")):
        first, second = house.letters(mail_of(to), name)
        assert words_of(first)["text"] != words_of(second)["text"]
    assert len(late.letters("reminder")) == 2  # of the first deadline and of the second


# --- a letter that cannot be written


def cannot(*_: object) -> dict[str, object]:
    raise ZeroDivisionError("nobody can read this")


def test_a_letter_that_cannot_be_written_has_failed_once_and_is_shown_to_whoever_can_do_something(
    house: House, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
):
    with house.hold():
        table = begun(house)
    (letter,) = house.all(Letter, Letter.kind == Turn.name)
    keys = house.all(Link)
    monkeypatch.setattr(Turn, "context", cannot)
    failed = deliver(house, letter)
    assert (failed.status, failed.error) == (LetterStatus.FAILED, "ZeroDivisionError: nobody can read this")
    assert [attempt.error for attempt in house.all(Attempt, Attempt.letter_id == letter.id)] == [failed.error]
    assert house.all(Link) == keys  # the keys made for it are gone with it
    after(clock, 1, 1.5)
    assert house.one(Letter, Letter.id == letter.id).attempts == 1
    organiser = house.browser().get(mint(house, links.mint_organiser, table.game()))
    for page in (organiser, desk(table)):
        assert "Letters that could not be written" in page
        assert f"{letter.id} turn: {failed.error}" in page
    finding = {found.name: found for found in doctor.examine(house.settings)}["letters"]
    assert not finding.fine
    assert failed.error in finding.text
    assert "1 could not be written" in finding.text


def test_a_letter_of_no_known_kind_has_failed_too(house: House):
    with house.hold():
        begun(house)
    house.execute("UPDATE letter SET kind = 'pigeon'")
    letter = house.all(Letter)[0]
    assert deliver(house, letter).status is LetterStatus.FAILED


def test_trouble_of_the_database_is_not_the_letters(
    house: House, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
):
    with house.hold():
        begun(house)
    (letter,) = house.all(Letter, Letter.kind == Turn.name)

    def gone(*_: object) -> None:
        raise OperationalError("SELECT 1", {}, Exception("the server is gone"))

    with monkeypatch.context() as patch:
        patch.setattr(Turn, "context", gone)
        with pytest.raises(OperationalError):
            courier.deliver(letter.id, house.settings)
    assert house.one(Letter, Letter.id == letter.id).status is LetterStatus.WAITING
    clock.shift(courier.CLAIM + timedelta(seconds=1))
    timekeeper.sweep()
    assert house.one(Letter, Letter.id == letter.id).status is LetterStatus.SENT


# --- one home


def test_nothing_but_the_letters_themselves_names_a_kind():
    """No kind is compared with or written under a text, and no key of a letter is put together elsewhere."""
    home = ROOT / "service" / "post" / "letters"
    key = re.compile(rf"^(?:{'|'.join(KINDS)}):$")
    for path in [*(ROOT / "service").rglob("*.py"), *(ROOT / "workers").rglob("*.py")]:
        if home in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            where = f"{path}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                kinds = [s for s in sides if isinstance(s, ast.Attribute) and ast.unparse(s).lower() == "letter.kind"]
                assert not kinds or not any(isinstance(s, ast.Constant) for s in sides), where
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                assert not key.match(str(node.values[0].value)), where
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("outbox.write", "Letter"):
                assert not any(isinstance(a, ast.Constant) for a in node.args), where
                assert ast.unparse(node.func) != "Letter", f"{where}: letters are written by outbox.write"
