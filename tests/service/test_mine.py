"""My games with the one that waits longest first, the sample games, the post office and the rules."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from engine import GAMES
from service.models import Game, GameStatus, Letter, Move, Person, Policy
from service.play.clocks import Pace
from service.post import links
from service.post.wishes import Wish
from tests.play import LINK, House, body, link_in, mail_of, mint
from workers import timekeeper


def test_the_game_that_has_waited_longest_comes_first_and_is_one_click_away(house: House):
    browser = house.browser()
    tables = {}
    start = datetime(2030, 1, 1, 12, tzinfo=UTC)
    for hours, name in ((0, "answered"), (1, "forgotten"), (2, "other")):
        with time_machine.travel(start + timedelta(hours=hours), tick=False):
            tables[name] = house.begun(["Aiko", "Bruno"], name=name)
            for player in tables[name].players:
                player.follow_link(browser)
    with time_machine.travel(start + timedelta(hours=4), tick=False):
        tables["answered"].rush(2)
    with time_machine.travel(start + timedelta(hours=6), tick=False):
        waiting = browser.get("/my").text.split("Under way")[0]
        assert waiting.index("forgotten") < waiting.index("other") < waiting.index("answered")
        assert "waiting for 5 hours" in waiting
        assert tables["forgotten"].public_id in browser.get("/my/next").url
        assert "Take me to my turn" in browser.get("/")


def test_a_browser_that_is_forgotten_holds_nothing_any_more_and_says_so(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    aiko = table.player("Aiko")
    aiko.follow_link()
    assert aiko.browser.client.get_cookie("hikyaku")
    before = one_house.dump()
    page = aiko.browser.get("/my").press("Forget all keys")
    assert "This browser is forgotten" in page
    assert aiko.browser.client.get_cookie("hikyaku") is None
    assert "This browser is forgotten" in aiko.browser.get("/my/forgotten")
    assert aiko.browser.get(aiko.url()).status == 403
    assert "Forget this browser" not in aiko.browser.get("/my")
    assert one_house.dump() == before
    assert aiko.follow_link().status == 200  # the links in letters work as before


def test_nothing_waits_for_a_stranger(house: House):
    house.begun(["Aiko", "Bruno"])
    page = house.browser().get("/my/next")
    assert "No game waits for you." in page
    assert "No games in this browser yet" in page
    assert "Take me to my turn" not in house.browser().get("/")


def test_my_games_tells_running_invited_organised_and_past_apart(house: House):
    browser = house.browser()
    past = house.begun(["Aiko", "Bruno*"], name="past one")
    past.rush()
    browser.get(past.player("Aiko").link())
    invited = house.game(["Aiko", "Bruno"], name="open one")
    for letter in house.letters(invited.player("Aiko").mail):
        if "You are invited" in str(letter["Subject"]):
            for link in LINK.findall(body(letter)):
                browser.get(link)
    page = browser.get("/my")
    assert "Invitations" in page
    assert "You are gathering players for" in page
    assert "past one" in page


@pytest.mark.parametrize("kind", GAMES)
def test_a_sample_game_is_one_click_away_and_can_be_played_through_its_letters(house: House, kind: str):
    browser = house.browser()
    page = browser.get("/").press("people", kind=kind)
    assert page.url.endswith("/post-office")
    assert "The sample game has begun" in page
    game = house.one(Game)
    assert game.status is GameStatus.RUNNING
    assert house.letters(kind="turn")
    assert {p.zone for p in house.all(Person)} != {"UTC"}
    for letter in house.letters(kind="turn"):
        assert "your turn" in browser.get(link_in(letter)).text.lower()


@pytest.mark.parametrize("kind", GAMES)
def test_a_sample_game_against_bots_waits_for_one_person_only(house: House, kind: str):
    house.browser().get("/").press("bots", kind=kind)
    assert [person.name for person in house.all(Person)] == ["Aiko"]
    assert house.one(Game).status is GameStatus.RUNNING
    assert all(move.decided_by in ("nobody", "bot") for move in house.all(Move))


@pytest.mark.usefixtures("pictures")
def test_the_first_page_shows_what_every_game_looks_like(one_house: House):
    browser = one_house.browser()
    shown = re.findall(r'<img src="([^"]+)"', browser.get("/").html)
    assert len(shown) == len(GAMES)
    for picture in shown:
        assert browser.client.get(picture).data.startswith(b"\x89PNG"), picture


def test_there_is_no_sample_game_where_letters_are_mailed(mail_house: House):
    browser = mail_house.browser()
    assert "sample" not in browser.get("/").html
    form = browser.get("/new").forms[0]
    assert browser.post("/sample", {"csrf_token": form.fields["csrf_token"], "kind": "osaka"}).status == 404


def test_the_post_office_shows_each_letter_as_its_reader_sees_it(house: House):
    table = house.game(["Aiko", "Bruno", "Chidi"])
    browser = house.browser()
    page = browser.get("/post-office")
    assert page.html.count("/post-office/") >= 3
    letter = house.all(Letter, Letter.kind == "invitation")[0]
    shown = browser.get(f"/post-office/{letter.id}")
    (first, _) = house.letters(kind="invitation")
    assert " ".join(body(first).split()) in shown.text
    assert "List-Unsubscribe" in shown or "Message-ID" in shown
    framed = browser.get(f"/post-office/{letter.id}/html")
    assert link_in(first) in framed.html
    person = house.one(Person, Person.mail == table.player("Bruno").mail)
    only = browser.get(f"/post-office?person={person.id}")
    assert "to Bruno" in only
    assert "to Aiko" not in only
    assert browser.get("/post-office/9999").status == 404
    assert browser.get("/post-office?person=x").status == 200


@pytest.mark.parametrize("kind", GAMES)
def test_every_game_has_its_rules_on_a_page(house: House, kind: str):
    page = house.browser().get(f"/rules/{kind}")
    assert page.status == 200
    assert GAMES[kind].title in page
    assert house.browser().get("/rules/../config").status == 404


def test_settings_are_kept_and_a_new_name_is_shown_at_the_table(house: House):
    table = house.begun(["Aiko", "Bruno"])
    player = table.to_move()
    settings = player.follow_link().browser.get(player.url("/settings"))
    page = settings.press("Save", name="Aiko the Great", zone="Asia/Tokyo")
    assert "Saved." in page
    assert "Letters about this game" in page
    person = house.one(Person, Person.mail == player.mail)
    assert (person.name, person.zone) == ("Aiko the Great", "Asia/Tokyo")
    assert "Aiko the Great, it is your turn." in player.browser.get(table.url())


def test_the_calendars_address_can_be_seen_again_until_a_new_one_makes_it_void(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    player = table.players[0]
    player.follow_link()

    def address() -> str:
        (shown,) = set(
            re.findall(r'href="http://localhost(/c/[\w-]+\.ics)"', player.browser.get(player.url("/settings")).html)
        )
        return str(shown)

    player.browser.get(player.url("/settings")).press("Make a calendar address")
    first = address()
    assert first == address()
    assert one_house.browser().get(first).status == 200
    player.browser.get(player.url("/settings")).press("Void the old address")
    assert address() != first
    assert one_house.browser().get(first).status == 404
    assert one_house.browser().get(address()).status == 200


def test_my_games_is_a_home_for_desks_organised_and_watched_games_with_what_waits_first(one_house: House):
    house, browser = one_house, one_house.browser()
    start = datetime(2030, 1, 7, 12, tzinfo=UTC)
    pace = Pace(timedelta(hours=1), grace=timedelta(hours=1), round_the_clock=True)
    house.patch.setattr(timekeeper, "OUTAGE", timedelta(days=60))
    mika = ("Mika", "mika@players.example")
    with time_machine.travel(start, tick=False):
        late = house.begun(["Aiko", "Bruno"], name="late one", pace=pace, policy=Policy.MODERATOR, moderator=mika)
        calm = house.begun(["Aiko", "Bruno"], name="calm one", moderator=mika)
        seen = house.begun(["Aiko", "Bruno"], name="seen one")
        for key in (
            late.desk_link(),
            calm.desk_link(),
            mint(house, links.mint_organiser, calm.game()),
            mint(house, links.mint_watch, seen.game()),
        ):
            browser.get(key)
        page = browser.get("/my")
        assert "Waiting for your decision" not in page
        for heading in ("You look after", "You organise", "You watch"):
            assert heading in page
    for hours in (1, 2):
        with time_machine.travel(start + timedelta(hours=hours, minutes=1), tick=False):
            timekeeper.sweep()
            page = browser.get("/my")
    assert page.text.index("Waiting for your decision") < page.text.index("late one") < page.text.index("calm one")
    assert f"out of time: {late.to_move().name}" in page
    assert "● My games" in page


def test_an_operator_who_never_played_finds_all_desks_from_their_home(one_house: House):
    one_house.begun(["Aiko", "Bruno"])
    browser = one_house.browser()
    browser.get(mint(one_house, links.mint_operator, one_house.all(Person)[0]))
    assert "All desks of this installation" in browser.get("/my")


def test_who_is_asked_to_look_after_a_game_finds_the_question_at_home(one_house: House):
    named = {"jury": "outsider", "moderator-name": "Mika", "moderator-mail": mail_of("Mika")}
    table = one_house.game(["Aiko", "Bruno"], **named)
    browser = one_house.browser()
    browser.get(link_in(one_house.letters(mail_of("Mika"), "asked")[0]))
    page = browser.get("/my")
    assert "Would you look after" in page
    assert table.url("/moderate") in page.html
    assert "You look after" not in page


SAID = {"zone": "Asia/Tokyo", "quiet-from": "23:00", "quiet-to": "07:30"}


@pytest.mark.parametrize("who", ["Olga", "Mika", "Aiko", "Operator"])
def test_everybody_has_one_page_for_their_zone_hours_and_letters_whether_they_play_or_not(one_house: House, who: str):
    seats = {f"seat-{n}-{what}": value for n, name in enumerate(("Aiko", "Bruno"), 1)
             for what, value in (("name", name), ("mail", mail_of(name)))}  # fmt: skip
    form = {"organiser-name": "Olga", "organiser-mail": mail_of("Olga"), "playing": "", "jury": "outsider"}
    form |= {"moderator-name": "Mika", "moderator-mail": mail_of("Mika")}
    one_house.browser().get("/new?kind=osaka").press("Invite the players", **form, **seats)
    if who == "Operator":
        one_house.settings = replace(one_house.settings, operator=f"<{mail_of(who)}>")
        one_house.app.extensions["hikyaku"] = one_house.settings
        one_house.browser().get("/links").press("Mail me my links", mail=mail_of(who))
    (letter,) = one_house.letters(mail_of(who))
    browser = one_house.browser()
    browser.get(link_in(letter))
    person = one_house.one(Person, Person.mail == mail_of(who))
    own = f"/my/settings/{person.id}"
    assert f'href="{own}"' in browser.get("/my").html
    wrong = browser.get(own).press("Save", name="", zone="Mars/Olympus")
    assert wrong.status == 400
    assert "Please give a name." in wrong
    assert "time zone is not known" in wrong
    assert "Saved." in browser.get(own).press("Save", **SAID)
    person = one_house.one(Person, Person.mail == mail_of(who))
    assert (person.zone, str(person.quiet_from), str(person.quiet_to)) == ("Asia/Tokyo", "23:00:00", "07:30:00")
    assert all(wish.of(person) for wish in Wish)  # what they want letters about is asked elsewhere


def test_desk_and_organisers_page_lead_to_ones_own_settings(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"], moderator=("Mika", mail_of("Mika")))
    mika, aiko = (one_house.one(Person, Person.mail == mail_of(name)) for name in ("Mika", "Aiko"))
    assert f'href="/my/settings/{mika.id}"' in table.desk().html
    organiser = one_house.browser().get(mint(one_house, links.mint_organiser, table.game()))
    assert f'href="/my/settings/{aiko.id}"' in organiser.html
    assert organiser.browser.get(f"/my/settings/{mika.id}").status == 403
