"""The form of a new game: everything that is wrong with it is said at once, where it is wrong; who plays alone or with
bots begins at once; and what a typed address opens."""

import re

from service.models import Game, GameStatus, Link, Person, SeatStatus
from tests.play import House, Page, body, link_in, mail_of


def errors_of(page: Page) -> dict[str, str]:
    """What stands at each field."""
    found = re.findall(r'<p class="error" id="([\w-]+)-error">([^<]*)</p>', page.html)
    return {name: " ".join(text.split()) for name, text in found}


def test_all_errors_are_said_at_once_at_their_fields_and_nothing_typed_is_lost(one_house: House):
    wrong = {
        "organiser-name": "Aiko",
        "organiser-mail": "nowhere",
        "seat-1-name": "Bruno",
        "seat-1-mail": "",
        "seat-2-name": "",
        "seat-2-mail": mail_of("Chidi"),
        "seat-3-name": "Chidi again",
        "seat-3-mail": mail_of("Chidi").upper(),
        "jury": "outsider",
        "moderator-name": "Mika",
        "pace": "own",
        "pace-allowance": "soon",
        "pace-grace": "9000 h",
        "bot-after": "x",
        "name": "x" * 61,
    }
    page = one_house.browser().get("/new?kind=duel").press("Invite the players", **wrong)
    assert page.status == 400
    assert errors_of(page).keys() == {
        "kind", "name", "organiser-mail", "seat-1-mail", "seat-2-name", "seat-3-mail", "moderator-mail",
        "pace-allowance", "pace-grace", "bot-after",
    }  # fmt: skip
    assert "10 things must change" in page
    for name in errors_of(page):
        assert f'href="#{name}"' in page.html
        assert f'id="{name}"' in page.html
    form, _ = page.form_with("Invite the players")
    assert {name: form.fields[name] for name in wrong} == wrong


def test_a_moderator_who_does_not_play_is_named_and_has_no_seat(one_house: House):
    form = {"organiser-name": "Aiko", "organiser-mail": mail_of("Aiko"), "jury": "outsider"}
    form |= {"seat-1-name": "Bruno", "seat-1-mail": mail_of("Bruno")}
    page = one_house.browser().get("/new?kind=osaka").press("Invite the players", **form)
    assert errors_of(page).keys() == {"moderator-name", "moderator-mail"}
    form |= {"moderator-name": "Bruno", "moderator-mail": mail_of("Bruno")}
    page = one_house.browser().get("/new?kind=osaka").press("Invite the players", **form)
    assert "has a seat at the table" in errors_of(page)["moderator-mail"]


def test_the_numbers_and_the_moderator_are_in_no_fold(one_house: House):
    page = one_house.browser().get("/new")
    outside = re.sub(r"<details.*?</details>", "", page.html, flags=re.DOTALL)
    for name in ("jury", "moderator-mail", "pace-allowance", "pace-grace"):
        assert f'name="{name}"' in outside


def test_an_organiser_who_plays_has_accepted_by_making_the_game(house: House):
    table = house.game(["Aiko", "Bruno"], zone="Asia/Tokyo")
    assert [seat.status for seat in table.seats()] == [SeatStatus.ACCEPTED, SeatStatus.INVITED]
    assert house.letters(mail_of("Aiko"), "invitation") == []
    assert house.one(Person, Person.mail == mail_of("Aiko")).zone == "Asia/Tokyo"
    assert "One answer is missing: Bruno." in table.organise()
    (letter,) = house.letters(mail_of("Aiko"), "organiser")
    assert "are out to Bruno." in " ".join(body(letter).split())
    table.player("Bruno").accept()
    assert table.game().status is GameStatus.RUNNING


def test_alone_or_with_bots_only_the_game_begins_at_once_at_its_table(house: House):
    table = house.game(["Aiko", "Bot*", "Bit*"])
    assert table.game().status is GameStatus.RUNNING
    assert table.organiser.get(table.url("/seat/0")).status == 200
    (letter,) = house.letters(mail_of("Aiko"), "organiser")
    assert "your game of Traders of Osaka has begun" in " ".join(body(letter).split())
    page = house.browser().get("/new?kind=zaibatsu")
    alone = {"organiser-name": "Emil", "organiser-mail": mail_of("Emil")}
    page = page.press("Invite the players", **alone)
    assert page.url.endswith("/seat/0")
    assert "your turn" in page.text.lower()


def test_a_typed_address_of_somebody_known_takes_no_seat_and_opens_nothing_of_theirs(house: House):
    """Anybody can type an address. Who is known here plays only with a key from their own letters."""
    table = house.begun(["Aiko", "Bruno"])
    again = house.game(["Aiko", "Eve*"])
    assert again.game().status is GameStatus.INVITED
    assert [link.scope for link in house.all(Link, Link.game_id == again.game().id)].count("seat") <= 1
    assert again.organiser.get(again.url("/seat/0")).status == 403
    again.player("Aiko").accept()
    assert again.game().status is GameStatus.RUNNING
    known = table.player("Aiko").follow_link().browser
    page = known.get("/new?kind=osaka")
    form = {"organiser-name": "Aiko", "organiser-mail": mail_of("Aiko"), "seat-1-who": "bot"}
    assert page.press("Invite the players", **form).url.endswith("/seat/0")


def test_settings_count_everywhere_and_open_with_a_mailed_link_only(mail_house: House):
    house = mail_house
    table = house.game(["Aiko", "Bot*"])
    assert table.organiser.get(table.url("/seat/0")).status == 200
    refused = table.organiser.get(table.url("/seat/0/settings"))
    assert refused.status == 403
    assert "the link in one of your letters" in refused
    assert house.one(Game).status is GameStatus.RUNNING


def test_the_same_form_sent_twice_opens_the_same_seat(one_house: House):
    page = one_house.browser().get("/new?kind=osaka")
    form = {"organiser-name": "Aiko", "organiser-mail": mail_of("Aiko"), "seat-1-who": "bot"}
    url, data = page.request("Invite the players", **form)
    window = page.browser.twin()
    for browser in (page.browser, window):
        assert browser.post(url, data).url.endswith("/seat/0")
        assert browser.get("/my").status == 200
    assert len(one_house.all(Game)) == 1
    assert link_in(one_house.letters(mail_of("Aiko"), "turn")[0])
