"""Links are keys: looking at one changes nothing, it opens one place only, and it shows up nowhere it could leak."""

import logging
import re
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
import time_machine

from service.db import db
from service.models import Letter, Link, Person, Seat
from service.post import links
from tests.play import House, Table, at_once, body, link_in, mail_of, mint

pytestmark = pytest.mark.both_databases


@pytest.fixture
def table(house: House) -> Table:
    return house.begun(["Aiko", "Bruno"])


def test_a_token_is_exchanged_for_a_cookie_and_a_clean_address(table: Table):
    player = table.to_move()
    link = player.link()
    response = player.browser.client.get(link)
    assert response.status_code == 302
    token = link.removeprefix("/l/")
    assert token not in response.headers["Location"]
    cookie = response.headers["Set-Cookie"]
    assert token not in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    page = player.browser.get(player.url())
    assert page.status == 200
    assert token not in page.html


def test_a_link_that_is_pasted_into_my_games_opens_there_as_if_it_were_touched(table: Table):
    """An app on a home screen may share nothing with the browser in which letters open their links."""
    player = table.to_move()
    manifest = player.browser.client.get("/manifest.webmanifest").get_json()
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/my")
    games = player.browser.get(manifest["start_url"])
    for nonsense in ("hello", "https://elsewhere.example/", "/l/short"):
        assert "That is no link from a letter of ours" in games.press("Open it here", link=nonsense)
    page = games.press("Open it here", link=f"Open the table:\n https://elsewhere.example{player.link()} ")
    assert (page.status, page.url) == (200, player.url())


def test_only_the_hash_of_a_token_is_kept(table: Table):
    token = table.to_move().link().removeprefix("/l/")
    assert len(token) == 43
    assert token not in repr(table.house.dump("letter"))
    assert links.digest(token) in {link.hash for link in table.house.all(Link)}


def test_one_browser_holds_several_seats_and_each_is_its_own(table: Table):
    browser = table.house.browser()
    for player in table.players:
        player.follow_link(browser)
    for player in table.players:
        page = browser.get(player.url())
        assert page.status == 200
    assert browser.get(table.url()).url.endswith(f"/seat/{table.to_move().no}")
    other = table.house.begun(["Chidi", "Dana"])
    other.players[0].follow_link(browser)
    mine = browser.get("/my")
    assert mine.html.count("/seat/") >= 3


def test_an_older_link_goes_on_working_until_it_is_revoked(table: Table):
    player = table.to_move()
    old = player.link()
    table.rush(3)
    assert table.house.browser().get(old).status == 200


def test_a_link_made_for_the_holder_before_opens_nothing_also_when_it_was_made_too_late_to_be_revoked(table: Table):
    before, after = table.players
    link = before.link()
    with db.writing() as session:  # the seat changes hands while its letter is on its way
        session.get_one(Seat, before.seat.id).person_id = after.seat.person_id
    browser = table.house.browser()
    browser.get(link)
    assert browser.get(before.url()).status == 403


def test_asked_for_links_the_answer_is_the_same_for_known_and_unknown_addresses(table: Table):
    def answer(mail: str) -> str:
        page = table.house.browser().get("/links").press("Mail me my links", mail=mail)
        assert page.status == 200
        return re.sub(r'(csrf_token"\s+value=")[^"]+', r"\1", page.html.replace(mail, "MAIL"))

    known, unknown = answer(mail_of("Aiko")), answer("nobody@players.example")
    assert known == unknown
    (letter,) = table.house.letters(kind="links")
    assert letter["To"].addresses[0].addr_spec == mail_of("Aiko")
    assert "Traders of Osaka" in body(letter)
    assert table.house.browser().get(link_in(letter)).status == 200


def test_links_are_mailed_at_most_once_in_ten_minutes_also_when_asked_at_once(table: Table):
    house = table.house
    with time_machine.travel(datetime(2030, 1, 1, 12, 0, 5, tzinfo=UTC), tick=False) as clock:
        windows = [house.browser() for _ in range(4)]
        requests = [(w, w.get("/links").request("Mail me my links", mail=mail_of("Aiko"))) for w in windows]
        answers = at_once([partial(w.post, *r) for w, r in requests])
        assert {answer.status for answer in answers} == {200}
        assert len(house.all(Letter, Letter.kind == "links")) == 1
        clock.shift(timedelta(minutes=10))
        house.browser().get("/links").press("Mail me my links", mail=mail_of("Aiko").upper())
    assert len(house.all(Letter, Letter.kind == "links")) == 2


def test_somebody_without_a_game_is_told_so_in_their_letter(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    bruno = table.player("Bruno")
    bruno.accept()
    bruno.decline()
    house.browser().get("/links").press("Mail me my links", mail=bruno.mail)
    (letter,) = house.letters(mail_of("Bruno"), "links")
    assert "you hold no seat in any game" in body(letter)


def test_a_new_link_voids_all_old_ones_in_every_browser(table: Table):
    player = table.to_move()
    elsewhere = table.house.browser()
    old = player.link()
    player.follow_link(elsewhere)
    page = player.see().browser.get(player.url("/settings")).press("Void my links")
    assert "All links to this seat are void now" in page
    assert elsewhere.get(player.url()).status == 403
    assert table.house.browser().get(old).status == 403
    (letter,) = player.letters("links")
    assert player.browser.get(link_in(letter)).status == 200
    assert table.player("Aiko" if player.name == "Bruno" else "Bruno").follow_link().status == 200


def test_a_spectators_link_shows_no_secret_and_a_new_one_voids_the_old(house: House):
    table = house.begun(["Aiko", "Bruno"], options={"open_information": False})
    table.rush(6)
    table.follow_organisers_link()
    page = table.organise().press("Make a link for spectators")
    (link,) = re.findall(r"http://localhost(/l/[\w-]{43})", page.html)
    watcher = house.browser()
    assert watcher.get(link).url.endswith("/watch")
    secret = [card for seat in table.match().view(None)["seats"] for card in seat["hand"] or []]
    assert secret == []
    for path in ("/watch", "/text", "/replay", "/replay?move=3", "/log"):
        seen = watcher.get(table.url(path))
        assert seen.status == 200
        assert "Your hand" not in seen.html
        assert 'form="choose"' not in seen.html
    assert not re.search(r"coins?: ", watcher.client.get(table.url("/text")).get_data(as_text=True))
    for player in table.players:
        assert watcher.get(player.url()).status == 403
    table.organise().press("Void the old link")
    assert watcher.get(table.url("/watch")).status == 403
    assert house.browser().get(link).status == 403


def test_a_seat_sees_no_others_hand_unless_information_is_open(house: House):
    table = house.begun(["Aiko", "Bruno"], options={"open_information": False})
    table.rush(4)
    for player in table.players:
        page = player.follow_link()
        words = player.browser.client.get(table.url(f"/text?seat={player.no}")).get_data(as_text=True)
        own, other = (table.match().view(player.no)["seats"][no] for no in (player.no, 1 - player.no))
        assert own["hand"] is not None
        assert other["hand"] is None
        assert page.status == 200
        assert len(re.findall(r"coins?: ", words)) <= 1  # a hand is told with its coins: one, the reader's own


def test_getting_any_page_any_number_of_times_changes_nothing(house: House):
    finished = house.begun(["Aiko", "Bruno*"])
    finished.rush()
    running = house.begun(["Aiko", "Bruno"])
    running.rush(4)
    invited = house.game(["Aiko", "Bruno"])
    browser = house.browser()
    addresses = [
        "/",
        "/new",
        "/my",
        "/my/next",
        "/links",
        "/healthz",
        "/readyz",
        "/post-office",
        "/rules/osaka",
        "/nowhere",
    ]
    for table in (finished, running, invited):
        for seat in table.seats():
            if not seat.bot:
                addresses.append(mint(house, links.mint_seat, seat))
        addresses += [mint(house, links.mint_organiser, table.game()), mint(house, links.mint_watch, table.game())]
        paths = ["", "/watch", "/pulse", "/log", "/replay", "/replay?move=1", "/text", "/result", "/export.json"]
        paths += ["/organise", "/seat/0", "/seat/0/invitation", "/seat/0/settings", "/seat/1", "/seat/9"]
        addresses += [table.url(path) for path in paths]
    addresses += [link_in(letter, "u") for letter in house.letters(kind="turn")[:1]]
    for letter in house.all(Letter)[:5]:
        addresses += [f"/post-office/{letter.id}", f"/post-office/{letter.id}/html"]
    before = house.dump()
    for address in addresses * 2:
        assert browser.get(address).status in (200, 403, 404, 503), address
        browser.client.head(address)
    assert house.dump() == before


def test_no_token_is_ever_logged(house: House, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    table = house.game(["Aiko", "Bruno"])
    for player in table.players:
        player.accept()
    table.to_move().play()
    player = table.to_move()
    player.follow_link()
    house.browser().get(player.link() + "x")
    house.browser().post(player.link())
    house.browser().get("/links").press("Mail me my links", mail=player.mail)
    player.browser.get(player.url("/settings")).press("Void my links")
    tokens = {t for letter in house.letters() for t in re.findall(r"/[lu]/([\w-]{43})", body(letter))}
    assert len(tokens) > 6
    said = "\n".join(record.getMessage() + str(record.exc_text or "") for record in caplog.records)
    said += caplog.text
    assert [token for token in tokens if token in said] == []


def test_a_page_that_breaks_is_logged_without_its_address(house: House, caplog, monkeypatch: pytest.MonkeyPatch):
    def broken(*_):
        raise RuntimeError("on purpose")

    monkeypatch.setattr(links, "find", broken)
    token = "t" * 43
    page = house.browser().get(f"/l/{token}")
    assert page.status == 500
    assert "Nothing of yours is lost" in page
    assert "on purpose" not in page.html
    assert "a page failed: GET keys.open_link" in caplog.text
    assert token not in "".join(r.getMessage() for r in caplog.records)


def test_a_person_can_hold_many_seats_before_the_oldest_grant_is_dropped(house: House):
    browser = house.browser()
    table = house.begun(["Aiko", "Bruno"])
    with_many = [table] + [house.begun(["Aiko", "Bruno"]) for _ in range(2)]
    for each in with_many:
        browser.get(mint(house, links.mint_seat, each.seats()[0]))
    assert [browser.get(each.url("/seat/0")).status for each in with_many] == [200, 200, 200]
    assert len(house.all(Person)) == 2


def test_a_page_leaves_the_browsers_keys_alone(house: House):
    """The answer to a tab that was slow, or that only looks every few seconds, must not bring back an older cookie."""
    table = house.begun(["Aiko", "Bruno"])
    player = table.to_move()
    player.follow_link()
    for path in ("", "/settings"):
        assert player.browser.client.get(player.url(path)).headers.get("Set-Cookie") is None
    assert player.browser.client.get(table.url("/pulse")).headers.get("Set-Cookie") is None
