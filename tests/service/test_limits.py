"""Nobody can do too much of what costs others something, and nobody can use up what others may do."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from service import limits
from service.config import Limits, Settings, Smtp
from service.limits import TooMany
from service.models import Game, Letter, LetterStatus, Remark, Ring
from service.post import links
from tests.play import Browser, House, Page, Player, link_in, mail_of, mint
from tests.servers import MailServer, Redis
from tests.service.test_open_seats import opened
from tests.service.test_strangers import BRUNO, EVE, confirmed, make

MAILS = Smtp("localhost", 25)
FEW = Limits(
    tables="2/hour", invitations="3/day", recipient="2/day", links="2/hour", own_links="1/hour", opened="3/hour",
    components="1/hour", codes="2/hour", remarks="2/hour", onlookers="2/hour", bells="2/hour",
)  # fmt: skip


@pytest.fixture
def house(public_house: House) -> House:
    """Where little is allowed."""
    configure(public_house, limits=FEW)
    return public_house


def configure(house: House, **settings: object) -> None:
    house.settings = replace(house.settings, **settings)  # type: ignore[arg-type]
    house.app.extensions["hikyaku"] = house.settings
    limits.configure(house.settings)


def from_elsewhere(house: House, address: str = "203.0.113.7") -> Browser:
    browser = house.browser()
    browser.client.environ_base["REMOTE_ADDR"] = address
    return browser


def refused(page: Page) -> bool:
    """With a page that says when to come again, to people and to programs."""
    if page.status != 429:
        return False
    assert "You can try again in" in page
    assert 0 < int(page.response.headers["Retry-After"]) <= 3600 * 24
    return True


def test_one_visitor_can_make_so_many_games_and_another_still_can(house: House):
    statuses = [make(house.browser(), f"a{n}@evil.example", **BRUNO).status for n in range(4)]
    assert statuses == [200, 200, 429, 429]
    assert len(house.all(Game)) == 2
    assert refused(make(house.browser(), EVE, **BRUNO))
    assert make(from_elsewhere(house), mail_of("Aiko"), **BRUNO).status == 200


def test_a_visitors_whole_network_counts_as_one_visitor(house: House):
    for tail in ("1", "2", "ffff:1"):
        page = make(from_elsewhere(house, f"2001:db8:1:2::{tail}"), f"a{tail[0]}@evil.example", **BRUNO)
    assert refused(page)
    assert make(from_elsewhere(house, "2001:db8:1:3::1"), EVE, **BRUNO).status == 200


def test_after_its_time_it_can_be_done_again(house: House):
    for n in range(3):
        page = make(house.browser(), f"a{n}@evil.example", **BRUNO)
    assert refused(page)
    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=int(page.response.headers["Retry-After"]) + 1)):
        assert make(house.browser(), EVE, **BRUNO).status == 200


def test_an_organiser_can_invite_so_many_and_one_mailbox_so_often(house: House, mail_server: MailServer):
    browser, organise = confirmed(house, mail_server)

    def instead(mail: str) -> Page:
        return browser.get(organise.url).press("Invite them instead", seat="1", name="X", mail=mail)

    assert instead("bruno+again@players.example").status == 200
    assert refused(instead("b.runo@players.example"))  # the same mailbox for the third time
    assert instead(mail_of("Chidi")).status == 200
    assert refused(instead(mail_of("Dana")))
    assert mail_server.to(mail_of("Dana")) == []


def test_what_a_stranger_has_used_up_is_still_there_for_a_friend(house: House, mail_server: MailServer):
    browser, organise = confirmed(house, mail_server)
    for tag in ("a", "b", "c"):
        browser.get(organise.url).press("Invite them instead", seat="1", name="X", mail=f"bruno+{tag}@players.example")
    before = len(mail_server.to(mail_of("Bruno")))
    configure(house, limits=replace(FEW, tables="9/hour"))  # the counters of this process begin anew
    for n in range(6):  # nobody was written to for these, so nothing was used up
        make(house.browser(), f"a{n}@evil.example", **BRUNO)
    friend = from_elsewhere(house)
    make(friend, mail_of("Aiko"), **BRUNO)
    friend.get(link_in(mail_server.to(mail_of("Aiko"))[0])).press("Yes, this is my game")
    assert len(mail_server.to(mail_of("Bruno"))) == before + 1


def test_links_are_mailed_so_often_and_a_stranger_cannot_use_up_somebody_elses(house: House, mail_server: MailServer):
    def ask(browser: Browser, mail: str) -> Page:
        return browser.get("/links").press("Mail me", mail=mail)

    assert ask(house.browser(), mail_of("Aiko")).status == 200
    assert refused(ask(house.browser(), "aiko+x@players.example"))
    assert refused(ask(house.browser(), mail_of("Bruno")))
    assert ask(from_elsewhere(house), mail_of("Aiko")).status == 200


def test_so_much_is_said_in_an_hour_at_the_table_with_a_turn_from_the_desk_and_by_those_who_look_on(house: House):
    table = house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))
    mover = table.to_move()
    other = next(player for player in table.players if player is not mover)
    for player in table.players:
        player.browser.get(mint(house, links.mint_seat, player.seat))
    pages = [mover.browser.get(mover.url()).press("Say", text=f"Line {n}") for n in range(3)]
    assert [page.status for page in pages] == [200, 200, 400]
    assert "You have said a lot in this hour." in pages[-1]
    assert "Line 2" in pages[-1].html  # to be said later
    for choice in mover.best():
        mover.browser.get(mover.url()).press(choice)
    assert "Your turn was not sent" in mover.browser.get(mover.url()).press("/send", line="One more")
    assert table.game().version == 0
    assert other.browser.get(other.url()).press("Say", text="I may").status == 200
    gallery = house.browser()
    gallery.get(mint(house, links.mint_watch, table.game()))
    watched = [gallery.get(table.url("/watch")).press("Say", text=f"Seen {n}", called="Zora") for n in range(3)]
    assert [page.status for page in watched] == [200, 200, 400]
    desk = from_elsewhere(house).get(table.desk_link())
    assert [desk.press("Say", text=f"Order {n}", to="all").status for n in range(3)] == [200, 200, 400]
    assert len(house.all(Remark)) == 7


def test_hooks_are_added_and_tried_so_often_by_one_person_and_nothing_is_posted_beyond(house: House):
    table = house.begun(["Aiko", "Bruno"])
    for player in table.players:
        player.browser.get(mint(house, links.mint_seat, player.seat))
    aiko, bruno = table.players

    def add(player: Player) -> Page:
        page = player.browser.get(f"/my/settings/{player.seat.person_id}/bells")
        return page.press("Add the hook", address="https://chat.example/hook", rings=["turn"])

    with house.lose():
        assert add(aiko).press("Try it").status == 200
        assert refused(aiko.browser.get(f"/my/settings/{aiko.seat.person_id}/bells").press("Try it"))
        assert refused(add(aiko))
        page = aiko.browser.get(f"/my/settings/{aiko.seat.person_id}/bells")
        assert refused(aiko.browser.post(f"{page.url}/browser", page.forms[0].fields))
        assert add(bruno).status == 200
    assert len(house.all(Ring)) == 1


def test_open_seats_are_looked_at_and_asked_for_so_often_and_one_mailbox_is_written_to_so_often(house: House):
    table = opened(house, "Aiko")
    where = f"/join/{table.game().code}"
    configure(house, limits=replace(FEW, joins="5/hour", strangers="2/day"))

    def ask(page: Page, name: str) -> int:
        return page.press("Write to me", name=name, mail=mail_of(name), zone="UTC").status

    page = house.browser().get(where)
    assert [ask(page, name) for name in ("Chidi", "Dana", "Emil")] == [200, 200, 429]
    assert house.browser().get("/join/abcdefgh").status == 404
    assert refused(house.browser().get("/join/abcdefgh"))  # whoever guesses is not told any more
    assert refused(house.browser().get(where))
    others = [from_elsewhere(house, f"203.0.113.{n}").get(where) for n in (1, 2)]
    assert [ask(page, "Chidi") for page in others] == [200, 429]
    assert len(house.all(Letter, Letter.kind == "join")) == 2


def test_links_are_tried_so_often(house: House):
    statuses = [house.browser().get("/l/" + str(n) * 43).status for n in range(5)]
    assert statuses == [403, 403, 403, 429, 429]
    assert from_elsewhere(house).get("/l/" + "x" * 43).status == 403


def test_a_component_file_is_read_for_people_we_know_only(house: House, mail_server: MailServer):
    def send(browser: Browser) -> Page:
        form = browser.get("/new?kind=osaka")
        url, data = form.request("Invite the players", **{"organiser-name": "E", "organiser-mail": EVE, **BRUNO})
        return browser.post(url, data | {"components": (Path(__file__).open("rb"), "own.toml")})

    page = send(house.browser())
    assert page.status == 400
    assert "component files are for people we know" in page
    browser, _ = confirmed(house, mail_server)
    assert "This component file cannot be used" in send(browser)
    assert refused(send(browser))


def test_the_counters_are_shared_by_all_processes_and_hold_without_redis_too(
    tmp_path: Path, redis_server: Redis, caplog: pytest.LogCaptureFixture
):
    def process(url: str) -> None:
        limits.configure(Settings(tmp_path, "sqlite:////x", redis_url=url, limits=FEW, smtp=MAILS))

    for _ in range(2):
        process(redis_server.url)
        limits.count("links", "203.0.113.7")
    process(redis_server.url)
    with pytest.raises(TooMany):
        limits.count("links", "203.0.113.7")
    with redis_server.client() as counted:
        assert not any(b"203.0.113" in key for key in counted.keys("LIMIT*"))
    process(f"unix://{tmp_path}/nobody.sock")
    for _ in range(2):
        limits.count("links", "203.0.113.7")
    with pytest.raises(TooMany):
        limits.count("links", "203.0.113.7")
    assert caplog.text.count("counts by itself") == 1  # not once for each request


def test_where_letters_stay_in_the_house_nobody_is_in_the_way(one_house: House):
    configure(one_house, limits=FEW)
    for n in range(6):
        assert make(one_house.browser(), f"a{n}@players.example", **BRUNO).status == 200
    assert {letter.status for letter in one_house.all(Letter)} == {LetterStatus.SENT}


# --- who may make games


def test_making_games_can_be_closed_to_everybody(house: House):
    configure(house, tables="nobody")
    page = house.browser().get("/new")
    assert (page.status, "No new games at the moment" in page) == (403, True)


def test_making_games_can_be_left_to_people_already_known(house: House, mail_server: MailServer):
    browser, _ = confirmed(house, mail_server)
    stranger = house.browser()
    url, data = stranger.get("/new?kind=osaka").request("Invite the players", **{"organiser-mail": EVE})
    configure(house, tables="known")
    assert "Games are made by people we know" in stranger.get("/new")
    assert stranger.post(url, data).status == 403
    assert make(browser, EVE, **{"seat-1-name": "Chidi", "seat-1-mail": mail_of("Chidi")}).status == 200


def test_making_games_can_be_left_to_those_with_a_code_that_cannot_be_guessed(house: House):
    configure(house, tables="code", code="飛脚 1603")
    assert "This is not the code" in make(house.browser(), EVE, **BRUNO, code="hikyaku")
    assert make(house.browser(), EVE, **BRUNO, code="飛脚 1603").status == 200
    assert refused(make(house.browser(), EVE, **BRUNO, code="飛脚 1603"))
