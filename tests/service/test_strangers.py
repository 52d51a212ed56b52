"""Letters go only to people who want them: one to whoever is said to have made a game, and to others only once they
have confirmed it; whoever wants none gets none; and what a stranger types opens nobody's page."""

import re
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import time_machine

from service.models import Blocked, Complaint, Game, GameStatus, Letter, LetterStatus, Person, Seat, SeatStatus
from service.play import tidying
from service.post import links
from service.post.blocked import counted_as, mailbox_of
from tests.play import Browser, House, Page, body, link_in, mail_of, mint
from tests.servers import MailServer

EVE, VICTIM = "eve@evil.example", "victim@players.example"
BRUNO = {"seat-1-name": "Bruno", "seat-1-mail": mail_of("Bruno")}


def make(browser: Browser, mail: str, **fields: str) -> Page:
    form = {"organiser-name": "Eve", "organiser-mail": mail, "playing": "on"} | fields
    return browser.get("/new?kind=osaka").press("Invite the players", **form)


def recipients(mail_server: MailServer) -> list[str]:
    return [address for to in mail_server.recipients for address in to]


def confirmed(house: House, mail_server: MailServer, mail: str = EVE, **fields: str) -> tuple[Browser, Page]:
    """A game whose organiser has followed the link in their letter, and pressed the button."""
    browser = house.browser()
    make(browser, mail, **fields or BRUNO)
    return browser, browser.get(link_in(mail_server.to(mail)[-1])).press("Yes, this is my game")


def test_a_game_made_with_an_address_nobody_has_confirmed_sends_one_letter_to_that_address_and_no_other(
    public_house: House, mail_server: MailServer
):
    moderator = {"jury": "outsider", "moderator-name": "Mika", "moderator-mail": mail_of("Mika")}
    page = make(public_house.browser(), VICTIM, **BRUNO, **moderator)
    assert f"We have written to {VICTIM}" in page
    assert recipients(mail_server) == [VICTIM]
    assert public_house.one(Game).status is GameStatus.MADE
    letter = mail_server.messages[0]
    for part in ("plain", "html"):
        assert "Eve" not in body(letter, part)  # nothing that a stranger has typed
        assert "Bruno" not in body(letter, part)


def test_the_button_on_the_page_lets_the_invitations_go_and_the_link_alone_does_not(
    public_house: House, mail_server: MailServer
):
    browser = public_house.browser()
    make(browser, EVE, **BRUNO)
    page = public_house.browser().get(link_in(mail_server.to(EVE)[0]))  # as a mail scanner opens it
    assert recipients(mail_server) == [EVE]
    assert "The game is confirmed" in page.press("Yes, this is my game")
    assert recipients(mail_server) == [EVE, mail_of("Bruno")]
    assert public_house.one(Game).status is GameStatus.INVITED
    assert public_house.one(Person, Person.mail == EVE).confirmed_at


def test_the_browser_that_made_the_game_cannot_confirm_it_without_the_letter(
    public_house: House, mail_server: MailServer
):
    browser = public_house.browser()
    page = make(browser, VICTIM, **BRUNO)
    assert "Yes, this is my game" not in page
    url, data = page.request("Make a link for spectators")
    assert browser.post(url.replace("/watch", "/confirm"), data).status == 403
    assert recipients(mail_server) == [VICTIM]


def test_an_organiser_who_has_not_confirmed_can_have_nobody_written_to_in_any_other_way(
    public_house: House, mail_server: MailServer
):
    browser = public_house.browser()
    page = make(browser, EVE, **{"seat-1-who": "bot", "seat-1-name": "Robo"})
    game = public_house.one(Game)
    assert game.status is GameStatus.RUNNING  # alone with bots it begins at once
    assert page.url.endswith("/seat/0")
    organise = browser.get(f"/g/{game.public_id}/organise")
    asked = {"name": "Victim", "mail": VICTIM}
    assert "open the letter we have sent you first" in organise.press("Ask them to be the organiser", **asked)
    for ruling in ("moderator", "substitute"):
        url = f"/g/{game.public_id}/seat/0/propose"
        form = {"csrf_token": organise.forms[0].fields["csrf_token"], "reason": "x", "seat": "1", "confirmed": "on"}
        stamp = re.search(r'name="stamp"\s+value="([^"]+)"', browser.post(f"{url}/{ruling}", form | asked).html)
        browser.post(f"{url}/{ruling}", form | asked | {"stamp": stamp[1] if stamp else "0-0-0"})
    for mail in (EVE, VICTIM):
        page = public_house.browser().get("/links").press("Mail me", mail=mail)
        assert page.status == 200
    assert recipients(mail_server) == [EVE]
    assert public_house.all(Letter, Letter.kind == "turn")[0].status is LetterStatus.OBSOLETE


def test_a_hundred_games_with_one_mailbox_are_one_letter(public_house: House, mail_server: MailServer):
    for mail in ("victim@gmail.com", "vic.tim@gmail.com", "victim+1@gmail.com", "v.ictim+x@gmail.com"):
        for _ in range(2):
            make(public_house.browser(), mail, **BRUNO)
    assert recipients(mail_server) == ["victim@gmail.com"]


def test_whoever_has_opened_a_letter_in_this_browser_goes_on_at_once_with_the_next_game(
    public_house: House, mail_server: MailServer
):
    browser, _ = confirmed(public_house, mail_server)
    before = len(recipients(mail_server))
    page = make(browser, EVE, **{"seat-1-name": "Chidi", "seat-1-mail": mail_of("Chidi")})
    assert "the invitations are on their way" in page
    assert sorted(recipients(mail_server)[before:]) == sorted([EVE, mail_of("Chidi")])


def test_somebody_else_who_types_a_known_address_goes_on_with_nothing(public_house: House, mail_server: MailServer):
    confirmed(public_house, mail_server)
    before = len(recipients(mail_server))
    with time_machine.travel(datetime.now(UTC) + timedelta(days=1)):
        page = make(public_house.browser(), EVE, **{"seat-1-name": "Chidi", "seat-1-mail": mail_of("Chidi")})
        assert "Is this your address?" in page
        assert recipients(mail_server)[before:] == [EVE]


def test_who_confirms_has_their_own_seat_and_the_game_begins_when_the_others_accept(
    public_house: House, mail_server: MailServer
):
    confirmed(public_house, mail_server)
    public_house.browser().get(link_in(mail_server.to(mail_of("Bruno"))[0])).press("accept")
    assert public_house.one(Game).status is GameStatus.RUNNING
    assert public_house.one(Person, Person.mail == mail_of("Bruno")).confirmed_at


def test_who_confirms_in_another_browser_than_made_the_game_plays_in_it(public_house: House, mail_server: MailServer):
    make(public_house.browser(), EVE, **BRUNO)
    phone = public_house.browser()
    phone.get(link_in(mail_server.to(EVE)[0])).press("Yes, this is my game")
    public_house.browser().get(link_in(mail_server.to(mail_of("Bruno"))[0])).press("accept")
    assert phone.get(f"/g/{public_house.one(Game).public_id}/seat/0").status == 200


def test_a_game_that_nobody_confirms_is_gone_after_a_week(public_house: House, mail_server: MailServer):
    make(public_house.browser(), VICTIM, **BRUNO)
    confirmed(public_house, mail_server)
    for days, left in ((6, 2), (8, 1)):
        tidying.tidy(public_house.settings.keep, datetime.now(UTC) + timedelta(days=days))
        assert len(public_house.all(Game)) == left
    assert public_house.one(Game).status is GameStatus.INVITED


# --- never again


def way_out(letter: EmailMessage) -> str:
    return link_in(letter, "u")


def test_whoever_never_wants_to_be_written_to_again_is_not_and_can_take_it_back(
    public_house: House, mail_server: MailServer
):
    browser, organise = confirmed(public_house, mail_server)
    (letter,) = mail_server.to(mail_of("Bruno"))
    stranger = public_house.browser()
    page = stranger.get(way_out(letter))
    assert public_house.all(Blocked) == []  # looking changes nothing
    page = page.press("Never write to me again")
    assert "We never write to this address again" in page
    (row,) = public_house.all(Blocked)
    assert mail_of("Bruno") not in row.hash
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=10)):
        browser.get(organise.url).press("Send the invitation again", seat="1")
        assert len(mail_server.to(mail_of("Bruno"))) == 1
        assert "this address wants no letters from here" in browser.get(organise.url)
    assert "We may write to you again" in page.press("You may write to me again")
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=20)):
        browser.get(organise.url).press("Send the invitation again", seat="1")
        assert len(mail_server.to(mail_of("Bruno"))) == 2


def test_a_block_holds_for_every_spelling_of_the_mailbox_and_stops_every_kind_of_letter(
    public_house: House, mail_server: MailServer
):
    make(public_house.browser(), "vic.tim+a@gmail.com", **BRUNO)
    way = way_out(mail_server.messages[0])
    assert public_house.browser().post(way, {"List-Unsubscribe": "One-Click"}).status == 200
    with time_machine.travel(datetime.now(UTC) + timedelta(days=2)):
        make(public_house.browser(), "victim@gmail.com", **BRUNO)
        public_house.browser().get("/links").press("Mail me", mail="victim@gmail.com")
    assert len(mail_server.messages) == 1


def test_a_mailbox_is_one_however_it_is_spelt():
    assert mailbox_of("A.B+games@gmail.com") == "ab@gmail.com"
    assert mailbox_of("a.b+games@example.org") == "a.b@example.org"
    assert mailbox_of("+x@example.org") == "+x@example.org"
    assert counted_as("a.b+games@example.org") == counted_as("ab@example.org")


def test_abuse_is_shown_to_the_operator_and_to_nobody_else(public_house: House, mail_server: MailServer):
    confirmed(public_house, mail_server, **BRUNO, name="Buy my pills")
    page = public_house.browser().get(way_out(mail_server.to(mail_of("Bruno"))[0]))
    for _ in range(2):
        assert "Whoever runs this service sees" in page.press("This was abuse")
    assert len(public_house.all(Complaint)) == 1
    operator = public_house.browser()
    desk = operator.get(mint(public_house, links.mint_operator, public_house.one(Person, Person.mail == EVE)))
    assert "Buy my pills" in desk
    assert "made by Eve" in desk
    assert "Buy my pills" not in desk.press("Settled")


def test_every_letter_to_somebody_who_has_not_said_yes_has_a_way_out_and_no_strangers_words_in_its_subject(
    public_house: House, mail_server: MailServer
):
    _, organise = confirmed(public_house, mail_server, **BRUNO, name="BUY PILLS")
    organise.press("Ask them to be the organiser", name="Dana", mail=mail_of("Dana"))
    for letter in mail_server.messages:
        assert not re.search("PILLS|Eve|Bruno|Dana", str(letter["Subject"]))
        assert way_out(letter) in str(letter["List-Unsubscribe"])


# --- the form's own number


def test_the_number_of_a_form_opens_the_organisers_page_in_the_browser_that_made_the_game_and_in_no_other(
    public_house: House, mail_server: MailServer
):
    browser = public_house.browser()
    form = browser.get("/new?kind=osaka")
    fields = {"organiser-name": "Aiko", "organiser-mail": mail_of("Aiko"), "playing": "on", **BRUNO}
    sheet = form.forms[0].fields["sheet"]
    made = form.press("Invite the players", **fields)
    assert form.press("Invite the players", **fields).url == made.url  # sent twice, it makes one game
    stolen = public_house.browser().get("/new?kind=osaka").press("Invite the players", **fields, sheet=sheet)
    assert stolen.url != made.url
    assert len(public_house.all(Game)) == 2


def test_a_seat_left_by_whoever_never_confirmed_does_not_confirm_them(public_house: House, mail_server: MailServer):
    browser = public_house.browser()
    make(browser, VICTIM, **BRUNO)
    game = public_house.one(Game)
    page = browser.get(f"/g/{game.public_id}/seat/0/invitation")
    form = {"csrf_token": browser.get("/new").forms[0].fields["csrf_token"], "answer": "decline"}
    browser.post(page.url, form)
    assert public_house.one(Person, Person.mail == VICTIM).confirmed_at is None
    assert recipients(mail_server) == [VICTIM]
    (own, other) = public_house.all(Seat)
    assert (own.status, other.status) == (SeatStatus.ACCEPTED, SeatStatus.INVITED)
