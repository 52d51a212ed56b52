"""The page that says in plain words what is kept: true to the settings, and found from everywhere."""

from dataclasses import asdict, replace
from email.message import EmailMessage

from service.config import Keep
from service.post import links
from tests.play import House, body, mail_of, mint


def test_its_numbers_are_those_of_the_settings_and_none_is_left_out(one_house: House):
    numbers = {name: 101 + at for at, name in enumerate(asdict(Keep()))}
    one_house.app.extensions["hikyaku"] = replace(one_house.settings, keep=Keep(**numbers))
    page = one_house.browser().get("/privacy")
    for name, number in numbers.items():
        assert f"{number} days" in page, name
    assert "365 days" in page


def test_it_says_who_runs_the_service(one_house: House):
    assert "have not written here" in one_house.browser().get("/privacy")
    one_house.app.extensions["hikyaku"] = replace(one_house.settings, operator="Olga <olga@example.org>")
    page = one_house.browser().get("/privacy")
    assert "Olga" in page
    assert 'href="mailto:olga@example.org"' in page.html


def test_it_leads_whoever_is_known_to_all_that_is_kept_about_them(one_house: House):
    table = one_house.begun(["Aiko", "Bruno"])
    browser = one_house.browser()
    assert "Open a link from one of your letters" in browser.get("/privacy")
    browser.get(mint(one_house, links.mint_seat, table.seats()[0]))
    assert f'href="/my/data/{table.seats()[0].person_id}"' in browser.get("/privacy").html


def test_every_page_leads_to_it_and_so_does_every_letter_to_somebody_who_has_not_said_yes(one_house: House):
    table = one_house.game(["Aiko", "Bruno"])
    begun = one_house.begun(["Chidi", "Dana"])
    browser = one_house.browser()
    browser.get(mint(one_house, links.mint_seat, begun.seats()[0]))
    me = begun.seats()[0].person_id
    for where in ("/", "/new", "/my", "/links", "/rules/osaka", f"/my/settings/{me}", f"/my/data/{me}", "/nowhere",
                  begun.url("/seat/0"), begun.url("/log"), begun.url("/replay")):  # fmt: skip
        assert 'href="/privacy"' in browser.get(where).html, where
    assert 'href="/privacy"' in table.organise().html
    (invitation,) = one_house.letters(mail_of("Bruno"), "invitation")
    assert leads_there(invitation)
    (turn,) = one_house.letters(mail_of("Chidi"), "turn")
    assert not leads_there(turn)


def leads_there(letter: EmailMessage) -> bool:
    return "http://localhost/privacy" in body(letter) and "http://localhost/privacy" in body(letter, "html")
