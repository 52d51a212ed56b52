"""Who may open and do what: every route against everybody who could knock. A new route needs a row here."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import col

from service.db import db
from service.models import Complaint, Game, Jury, Letter, LetterStatus, Person
from service.post import links
from tests.play import Browser, House, Table, link_in, mail_of, mint, take_seat
from tests.service.test_desk import rule

PEOPLE = (
    "owner",
    "other seat",
    "spectator",
    "organiser",
    "stranger",
    "organiser elsewhere",
    "moderator",
    "moderator elsewhere",
    "operator",
)
SEAT = {"owner"}
HERSELF = {"owner", "organiser", "operator"}  # it is she who made the game, and runs the house
GAME = {"owner", "other seat", "spectator", "organiser", "moderator", "operator"}
MODERATOR = {"moderator", "operator"}
NOBODY: set[str] = set()
ORGANISER = {"organiser"}
ALL = set(PEOPLE)

# Endpoint -> (address, who may). The owner is whoever holds seat 0; those who may not get 403, wherever they stand.
GETS = {
    "start.home": ("/", ALL),
    "start.privacy": ("/privacy", ALL),
    "start.manifest": ("/manifest.webmanifest", ALL),
    "start.rules": ("/rules/osaka", ALL),
    "start.short": ("/rules/osaka/short", ALL),
    "start.board": ("/rules/osaka/board.png", ALL),
    "start.style": ("/titles/osaka/style.css", ALL),
    "start.table_style": ("/titles/osaka/table.css", ALL),
    "making.new": ("/new", ALL),
    "joining.ask_code": ("/join", ALL),
    "joining.table": ("/join/{code}", ALL),
    "joining.confirm_page": ("/g/{id}/join", NOBODY),
    "mine.games": ("/my", ALL),
    "mine.forgotten": ("/my/forgotten", ALL),
    "mine.longest_waiting": ("/my/next", ALL),
    "keys.ask_links": ("/links", ALL),
    "keys.open_link": ("/l/{seat_token}", ALL),
    "keys.preview": ("/l/{watch_token}/board.png", ALL),
    "keys.ask_unsubscribe": ("/u/{letters_token}", ALL),
    "health.healthz": ("/healthz", ALL),
    "health.readyz": ("/readyz", ALL),
    "metrics.metrics": ("/metrics", NOBODY),
    "post_office.letters": ("/post-office", ALL),
    "post_office.letter": ("/post-office/{letter}", ALL),
    "post_office.html": ("/post-office/{letter}/html", ALL),
    "static": ("/static/hikyaku.css", ALL),
    "playing.game": ("/g/{id}", GAME),
    "playing.watch": ("/g/{id}/watch", GAME),
    "playing.pulse": ("/g/{id}/pulse", GAME),
    "story.log": ("/g/{id}/log", GAME),
    "playing.board": ("/g/{id}/board/0", GAME),
    "story.replay": ("/g/{id}/replay", GAME),
    "story.where": ("/g/{id}/where?move=1", GAME),
    "story.text": ("/g/{id}/text", GAME),
    "story.result": ("/g/{id}/result", GAME),
    "story.export": ("/g/{id}/export.json", GAME),
    "playing.table": ("/g/{id}/seat/0", SEAT),
    "notes.page": ("/g/{id}/seat/0/notes", SEAT),
    "making.invitation": ("/g/{id}/seat/0/invitation", SEAT),
    "mine.settings": ("/g/{id}/seat/0/settings", SEAT),
    "mine.oneself_page": ("/my/settings/{owner}", HERSELF),
    "manner.page": ("/my/play/{owner}", HERSELF),
    "keeping.page": ("/my/data/{owner}", HERSELF),
    "keeping.file": ("/my/data/{owner}/file", HERSELF),
    "keeping.ask_delete": ("/my/data/{owner}/delete", HERSELF),
    "keeping.deleted": ("/my/deleted", ALL),
    "relocating.address": ("/my/data/{owner}/address", HERSELF),
    "relocating.confirm_page": ("/my/address/1/confirm", NOBODY),
    "relocating.stop_page": ("/my/address/1/stop", NOBODY),
    "asking.question": ("/g/{id}/moderate", NOBODY),
    "asking.handover": ("/g/{id}/hand-over", NOBODY),
    "voting.propose": ("/g/{id}/seat/0/propose", SEAT),
    "rematch.page": ("/g/{id}/seat/0/rematch", SEAT),
    "leaving.ask": ("/g/{id}/seat/0/leave", SEAT),
    "answering.ask": ("/g/{id}/seat/0/answers", SEAT),
    "making.organise": ("/g/{id}/organise", ORGANISER),
    "desk.desk": ("/g/{id}/desk", MODERATOR),
    "desk.overview": ("/desk", MODERATOR | {"moderator elsewhere"}),
    "desk.offer": ("/g/{id}/offer/0", NOBODY),
    "desk.take": ("/g/{id}/offer/0/take", NOBODY),
    "hours.my_calendar": ("/c/{calendar_token}.ics", ALL),
    "bells.own": ("/my/settings/{owner}/bells", HERSELF),
    "bells.of_table": ("/g/{id}/bells", ORGANISER | MODERATOR),
    "bells.now": ("/g/{id}/now", GAME),  # and to all where a hook tells of the game: see test_bells.py
    "bells.worker": ("/bell-worker.js", ALL),
}
POSTS = {
    "making.create": ("/new", ALL),
    "joining.ask": ("/join/{code}", ALL),
    "joining.sit": ("/g/{id}/join", NOBODY),
    "start.sample": ("/sample", ALL),
    "keys.mail_links": ("/links", ALL),
    "keys.open_pasted": ("/links/open", ALL),
    "keys.unsubscribe": ("/u/{letters_token}", ALL),
    "post_office.answer": ("/post-office/{letter}/answer", ALL),
    "playing.choose": ("/g/{id}/seat/0/choose", SEAT),
    "playing.undo": ("/g/{id}/seat/0/undo", SEAT),
    "playing.restart": ("/g/{id}/seat/0/restart", SEAT),
    "playing.rest": ("/g/{id}/seat/0/rest", SEAT),
    "playing.still_here": ("/g/{id}/seat/0/here", SEAT),
    "playing.reached": ("/g/{id}/seat/0/reached", SEAT),
    "playing.untip": ("/g/{id}/seat/0/untip", SEAT),
    "playing.send": ("/g/{id}/seat/0/send", SEAT),
    "making.answer": ("/g/{id}/seat/0/invitation", SEAT),
    "mine.change_settings": ("/g/{id}/seat/0/settings", SEAT),
    "mine.change_oneself": ("/my/settings/{owner}", HERSELF),
    "keeping.delete": ("/my/data/{owner}/delete", HERSELF),
    "relocating.ask": ("/my/data/{owner}/address", HERSELF),
    "relocating.confirm": ("/my/address/1/confirm", NOBODY),
    "relocating.stop": ("/my/address/1/stop", NOBODY),
    "making.confirm": ("/g/{id}/organise/confirm", ORGANISER),
    "talking.say_outside": ("/g/{id}/watch/say", {"spectator"}),
    "talking.unsay_outside": ("/g/{id}/watch/unsay", {"spectator"}),
    "making.act": ("/g/{id}/organise/watch", ORGANISER),
    "bells.add_own": ("/my/settings/{owner}/bells", HERSELF),
    "bells.add_browser": ("/my/settings/{owner}/bells/browser", HERSELF),
    "bells.act_on_own": ("/my/settings/{owner}/bells/1/remove", HERSELF),
    "bells.choose_own": ("/my/settings/{owner}/bells/choose", HERSELF),
    "bells.choose_for_table": ("/g/{id}/bells/choose", ORGANISER | MODERATOR),
    "bells.add_to_table": ("/g/{id}/bells", ORGANISER | MODERATOR),
    "bells.act_on_table": ("/g/{id}/bells/1/remove", ORGANISER | MODERATOR),
    "hours.change_hours": ("/g/{id}/seat/0/hours", SEAT),
    "hours.go_away": ("/g/{id}/seat/0/away", SEAT),
    "hours.come_back": ("/g/{id}/seat/0/back", SEAT),
    "asking.answer": ("/g/{id}/moderate", NOBODY),
    "asking.answer_handover": ("/g/{id}/hand-over", NOBODY),
    "talking.say": ("/g/{id}/seat/0/say", SEAT),
    "talking.unsay": ("/g/{id}/seat/0/unsay", SEAT),
    "talking.mute": ("/g/{id}/seat/0/mute", SEAT),
    "talking.say_from_desk": ("/g/{id}/desk/say", MODERATOR),
    "talking.hide": ("/g/{id}/desk/hide", MODERATOR),
    "notes.keep": ("/g/{id}/seat/0/notes", SEAT),
    "nudging.nudge": ("/g/{id}/seat/0/nudge", SEAT),
    "voting.ruling": ("/g/{id}/seat/0/propose/pause", SEAT),
    "voting.vote": ("/g/{id}/seat/0/vote", SEAT),
    "hours.give_orders": ("/g/{id}/seat/0/orders", SEAT),
    "hours.make_calendar": ("/g/{id}/seat/0/calendar", SEAT),
    "rematch.ask": ("/g/{id}/seat/0/rematch", SEAT),
    "leaving.leave": ("/g/{id}/seat/0/leave", SEAT),
    "answering.settle": ("/g/{id}/seat/0/answers/1", SEAT),
    "mine.stay": ("/g/{id}/seat/0/stay", SEAT),
    "mine.write_again": ("/g/{id}/seat/0/letters", SEAT),
    "mine.new_link": ("/g/{id}/seat/0/new-link", SEAT),  # makes the owner a stranger: none of the owner's after it
    "desk.write_again": ("/desk/unreached/1", {"operator"}),
    "desk.settle": ("/desk/complaints/1", {"operator"}),
    "desk.ruling": ("/g/{id}/desk/extend", MODERATOR),
    "desk.answer_offer": ("/g/{id}/offer/0", NOBODY),
    "mine.forget": ("/my/forget", ALL),  # makes everybody a stranger: the last of all
}


def routes(house: House, method: str) -> set[str]:
    return {rule.endpoint for rule in house.app.url_map.iter_rules() if method in (rule.methods or ())}


def test_every_route_is_in_the_matrix(house: House):
    assert routes(house, "GET") == set(GETS)
    assert routes(house, "POST") == set(POSTS)


@pytest.fixture
def table(tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A finished game, because every page of it is open to somebody. Who may knock does not depend on the database."""
    house = House(tmp_path, sqlite_url, monkeypatch)
    table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))
    table.rush()
    yield table
    house.close()


def visitors(table: Table) -> dict[str, Browser]:
    house, game, seats = table.house, table.game(), table.seats()
    elsewhere = house.begun(["Eve", "Fay"], moderator=("Gil", mail_of("Gil")))
    tokens = {
        "owner": mint(house, links.mint_seat, seats[0]),
        "other seat": mint(house, links.mint_seat, seats[1]),
        "spectator": mint(house, links.mint_watch, game),
        "organiser": mint(house, links.mint_organiser, game),
        "organiser elsewhere": mint(house, links.mint_organiser, elsewhere.game()),
        "moderator": table.desk_link(),
        "moderator elsewhere": elsewhere.desk_link(),
        "operator": mint(house, links.mint_operator, house.all(Person)[0]),
    }
    found = {name: house.browser() for name in PEOPLE}
    for name, path in tokens.items():
        assert found[name].client.get(path).status_code == (200 if name == "spectator" else 302)
    return found


def open_table(house: House) -> str:
    """The code of a game that gathers players."""
    found = house.all(Game, col(Game.code).is_not(None))
    return str((found or [house.game(["Hana", "Ivo?"], **{"seat-1-who": "open"}).game()])[0].code)


def address(table: Table, pattern: str) -> str:
    letter = table.house.letters(kind="turn")[0]
    return pattern.format(
        id=table.public_id,
        code=open_table(table.house),
        owner=table.seats()[0].person_id,
        seat_token=mint(table.house, links.mint_seat, table.seats()[0]).removeprefix("/l/"),
        watch_token=mint(table.house, links.mint_watch, table.game()).removeprefix("/l/"),
        calendar_token=mint(table.house, links.mint_calendar, table.house.all(Person)[0]).removeprefix("/l/"),
        letters_token=link_in(letter, "u").removeprefix("/u/"),
        letter=next(sent.id for sent in table.house.all(Letter, Letter.status == LetterStatus.SENT) if sent.source),
    )


def test_a_page_opens_for_those_it_is_for_and_for_nobody_else(table: Table):
    who = visitors(table)
    for endpoint, (pattern, allowed) in GETS.items():
        where = address(table, pattern)
        for name in PEOPLE:
            if pattern.startswith("/l/") and name != "stranger":
                continue  # opening a link would give its reader a seat for all that follows
            browser = table.house.browser() if pattern.startswith("/l/") else who[name]
            response = browser.client.get(where)
            if name in allowed:
                assert response.status_code in (200, 302, 503), (endpoint, name)
            else:
                assert response.status_code == 403, (endpoint, name)
                assert "Mail me my links" in response.get_data(as_text=True)


def test_a_deed_is_done_for_those_who_may_and_refused_to_all_others_with_nothing_changed(table: Table):
    who = visitors(table)
    tokens = {name: csrf_token(browser) for name, browser in who.items()}

    def answer(name: str, where: str) -> int:
        data = {"csrf_token": tokens[name], "version": "0", "step": "0", "kind": "x"}
        return who[name].client.post(where, data=data).status_code

    for endpoint, (pattern, allowed) in POSTS.items():
        where = address(table, pattern)
        before = table.house.dump()
        for name in PEOPLE:
            assert name in allowed or answer(name, where) == 403, (endpoint, name)
        assert table.house.dump() == before, endpoint
        for name in PEOPLE:
            assert name not in allowed or answer(name, where) in (200, 303, 400), (endpoint, name)


OWN = {
    "owner": {"Aiko"},
    "other seat": {"Bruno"},
    "organiser": {"Aiko", "Bruno"},  # she has typed them
    "organiser elsewhere": {"Eve", "Fay"},
    "moderator": {"Mika"},
    "moderator elsewhere": {"Gil"},
    "operator": {"Aiko"},
}


def addresses_in(text: str) -> set[str]:
    return set(re.findall(r"[\w.+-]+@(?:players|example)\.[\w.]+", text))


def test_nobody_sees_anothers_mail_address_but_the_organiser_who_typed_it(table: Table):
    who = visitors(table)
    with db.writing() as session:
        session.add(Complaint(game_id=table.game().id, person_id=table.house.all(Person)[1].id))
    for endpoint, (pattern, allowed) in GETS.items():
        if endpoint.startswith("post_office.") or pattern.startswith(("/l/", "/u/")):
            continue  # the post office shows all letters; a way out is shown to whoever reads that very letter
        for name in allowed:
            page = who[name].get(address(table, pattern)).html
            assert addresses_in(page) <= {mail_of(own) for own in OWN.get(name, ())}, (endpoint, name)
    assert mail_of("Bruno") in who["organiser"].get(table.url("/organise")).html


def test_an_organiser_sees_no_address_that_somebody_else_has_typed(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))
    organiser = one_house.browser()
    organiser.get(mint(one_house, links.mint_organiser, table.game()))
    rule(table.desk(), "substitute", seat=1, name="Carla", mail=mail_of("Carla"))
    take_seat(one_house.browser().get(mint(one_house, links.mint_offer, table.seats()[1])))
    assert table.seats()[1].name == "Carla"
    assert addresses_in(organiser.get(table.url("/organise")).html) == {mail_of("Aiko")}
    organiser.get(table.url("/organise")).press("Ask them to be the organiser", name="Nils", mail=mail_of("Nils"))
    nils = one_house.browser()
    nils.get(mint(one_house, links.mint_handover, table.game())).press("accept")
    page = nils.get(table.url("/organise"))
    assert page.status == 200
    assert addresses_in(page.html) == set()


def csrf_token(browser: Browser) -> str:
    found = re.search(r'name="csrf_token"\s+value="([^"]+)"', browser.get("/new").html)
    assert found
    return found[1]


@pytest.mark.parametrize("jury", [Jury.PLAYER, Jury.GROUP])
def test_a_moderator_who_plays_opens_the_desk_and_no_other_seat_and_the_group_has_no_desk(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, jury: Jury
):
    """Aiko plays, and looks after the game or is one of the group; Bruno only plays."""
    house = House(tmp_path, sqlite_url, monkeypatch)
    table = house.begun(["Aiko", "Bruno"], jury=jury)
    aiko, bruno = house.browser(), house.browser()
    for browser, seat in zip((aiko, bruno), table.seats(), strict=True):
        browser.get(mint(house, links.mint_seat, seat))
    aiko.get(mint(house, links.mint_desk, table.game(), table.seats()[0].person_id))
    desk = 200 if jury is Jury.PLAYER else 403
    for browser, where, status in (
        (aiko, "/desk", desk),
        (bruno, "/desk", 403),
        (aiko, "/seat/0/propose", 200),
        (aiko, "/seat/1", 403),
        (aiko, "/seat/1/propose", 403),
        (bruno, "/seat/1/propose", 200),
        (bruno, "/seat/0/propose", 403),
        (aiko, "/organise", 403),
    ):
        assert browser.get(table.url(where)).status == status, where
    assert aiko.get("/desk").status == 200  # whatever is hers: here nothing
    assert bruno.get("/desk").status == 403
    for browser, name, status in ((aiko, "open-view", 400 if desk == 200 else 403), (bruno, "extend", 403)):
        csrf = re.search(r'name="csrf_token"\s+value="([^"]+)"', browser.get("/new").html)
        assert csrf
        data = {"csrf_token": csrf[1], "seat": "1", "reason": "Curious.", "hours": "5"}
        before = house.dump()
        assert browser.post(table.url(f"/desk/{name}"), data).status == status, name
        assert house.dump() == before
    house.close()


def test_every_page_says_what_a_browser_may_do_with_it_and_leads_on_for_a_screen_without_its_buttons(table: Table):
    who = visitors(table)
    pages = [(pattern, who["owner"]) for pattern, allowed in GETS.values() if "owner" in allowed]
    pages += [(pattern, who["organiser"]) for pattern, allowed in GETS.values() if allowed == ORGANISER]
    pages += [("/nowhere", who["stranger"]), ("/g/{id}", who["stranger"]), ("/l/" + "x" * 43, who["stranger"])]
    for pattern, browser in pages:
        response = browser.client.get(address(table, pattern))
        headers = response.headers
        assert headers["X-Content-Type-Options"] == "nosniff", pattern
        assert headers["Referrer-Policy"] in ("same-origin", "no-referrer"), pattern
        if pattern.endswith(".css"):
            continue
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        if pattern.endswith("/html"):  # a letter, shut up in a frame that may run nothing
            assert "script-src" not in policy
            assert "sandbox" in policy
            assert "allow-scripts" not in policy
            continue
        assert "unsafe" not in policy, pattern
        assert "frame-ancestors 'none'" in policy
        if not pattern.endswith(".png"):
            assert headers["Cache-Control"] == "no-store", pattern
        if headers["Content-Type"].startswith("text/html"):
            html = response.get_data(as_text=True)
            assert not re.search(r"<script(?![^>]*\bsrc=)", html), pattern
            assert not re.search(r"<[^>]+\s(?:style|on\w+)=", html), pattern
            assert response.status_code != 200 or re.search(r"<nav[^>]*>\s*<a ", html), pattern


def test_a_page_under_a_token_links_to_no_other_host(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    response = table.house.browser().client.get(address(table, "/u/{letters_token}"))
    assert not re.search(r'(?:href|src|action)="(?:https?:)?//', response.get_data(as_text=True))


def test_a_browser_with_a_forged_cookie_is_a_stranger(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    browser = table.house.browser()
    browser.client.set_cookie("hikyaku", "eyJncmFudHMiOnsic2VhdDoxIjoxfX0.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
    assert browser.get(table.url("/seat/0")).status == 403
    assert browser.get("/my").status == 200
